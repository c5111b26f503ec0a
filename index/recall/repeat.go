package recall

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"learnings/index"
	"learnings/lessons"
)

// Repeat is [Pick] for those who ask the same again and again, as sessions do that begin
// without a task: what was picked is kept beside the index until an approved lesson
// changes, or the hour does, by which lessons grow older. Each lesson is looked up again all the same, and
// when one is not as it was, all is picked anew. Of choices that are neither in nor held
// out it gives none that it need not look for.
func Repeat(ctx context.Context, x *index.Index, confirm Confirm, s Situation, b Budget) ([]Choice, error) {
	if !s.plain() {
		return Pick(ctx, x, confirm, s, b)
	}
	kept := x.Keep(s.key(b.OrDefault()))
	choices, ok := again(kept.Value(), confirm, s)
	if !ok {
		same := true
		watched := func(l lessons.Lesson) (lessons.Lesson, error) {
			now, err := confirm(l)
			same = same && err == nil && now.Rev == l.Rev
			return now, err
		}
		anyone := s
		anyone.Session = "" // what is held out of this one is not held out of the next
		var err error
		if choices, err = Pick(ctx, x, watched, anyone, b); err != nil {
			return nil, err
		}
		if same {
			// Where it cannot be kept, the next one asks the index too.
			_ = kept.Set(ctx, remembered(choices))
		}
	}
	s.holdOut(choices)
	slices.SortStableFunc(choices, func(a, b Choice) int { return first(a.In, b.In) })
	return choices, nil
}

// plain reports whether a situation has nothing in it that another session's would not
// have.
func (s Situation) plain() bool {
	return s.Prompt == "" && s.Tool == "" && s.Error == "" && len(s.Files) == 0 && len(s.Had) == 0 && !s.OnlySubject && !s.All
}

// key is all that a plain situation is told from others by, but its session.
func (s Situation) key(b Budget) string {
	parts := []string{s.Project, s.Role, s.Agent, strconv.FormatBool(s.TrustEdits), s.Around, fmt.Sprint(s.Recent), s.Tree.Key()}
	for _, n := range []int{b.Lessons, b.Tokens, b.Chars, b.Start, int(s.Now.Unix() / 3600)} {
		parts = append(parts, strconv.Itoa(n))
	}
	return strings.Join(parts, "\x00")
}

// A memo is what was picked, as it is kept.
type memo struct {
	In      []picked     `json:"in"`
	Waiting []lessons.ID `json:"waiting,omitempty"` // what waits for its subject
}

// picked is a choice that is in.
type picked struct {
	Lesson lessons.Lesson `json:"lesson"` // as the index has it, without what its file is read for
	Brief  bool           `json:"brief,omitempty"`
	Short  bool           `json:"short,omitempty"`
	Why    string         `json:"why"`
	Rank   float64        `json:"rank"`
	Parts  Parts          `json:"parts"`
}

func remembered(choices []Choice) []byte {
	var m memo
	for _, c := range choices {
		switch l := c.Lesson; {
		case c.In:
			l.Evidence, l.Insight, l.Example = nil, "", ""
			m.In = append(m.In, picked{l, c.Brief, c.Short, c.Why, c.Rank, c.Parts})
		case c.waits && !c.Had:
			m.Waiting = append(m.Waiting, l.ID)
		}
	}
	b, err := json.Marshal(m)
	if err != nil {
		return nil
	}
	return b
}

// again gives the choices that were kept, if all of them are as they were.
func again(data []byte, confirm Confirm, s Situation) ([]Choice, bool) {
	var m memo
	if len(data) == 0 || json.Unmarshal(data, &m) != nil {
		return nil, false
	}
	choices := make([]Choice, len(m.In), len(m.In)+len(m.Waiting))
	for i, k := range m.In {
		choices[i] = Choice{Lesson: k.Lesson, In: true, Brief: k.Brief, Short: k.Short, Why: k.Why, Rank: k.Rank, Parts: k.Parts}
		if why := check(&choices[i], confirm, s); why != "" || choices[i].Lesson.Rev != k.Lesson.Rev {
			return nil, false
		}
	}
	for _, id := range m.Waiting {
		choices = append(choices, Choice{Lesson: lessons.Lesson{ID: id}, Why: "waits for its subject", barred: true, waits: true})
	}
	return choices, true
}
