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

// A memo is a choice that is in, as it is kept.
type memo struct {
	Lesson lessons.Lesson `json:"lesson"` // as the index has it; of one that waits its id
	Waits  bool           `json:"waits,omitempty"`
	Brief  bool           `json:"brief,omitempty"`
	Why    string         `json:"why"`
	Rank   float64        `json:"rank"`
	Parts  Parts          `json:"parts"`
}

func remembered(choices []Choice) []byte {
	memos := []memo{}
	for _, c := range choices {
		l := c.Lesson
		l.Evidence = nil // is in the file, with the turns around it
		switch {
		case c.In:
			memos = append(memos, memo{l, false, c.Brief, c.Why, c.Rank, c.Parts})
		case c.waits && !c.Had:
			memos = append(memos, memo{Lesson: lessons.Lesson{ID: l.ID}, Waits: true, Why: c.Why})
		}
	}
	b, err := json.Marshal(memos)
	if err != nil {
		return nil
	}
	return b
}

// again gives the choices that were kept, if all of them are as they were.
func again(kept []byte, confirm Confirm, s Situation) ([]Choice, bool) {
	var memos []memo
	if len(kept) == 0 || json.Unmarshal(kept, &memos) != nil {
		return nil, false
	}
	choices := make([]Choice, len(memos))
	for i, m := range memos {
		if m.Waits {
			choices[i] = Choice{Lesson: m.Lesson, Why: m.Why, barred: true, waits: true}
			continue
		}
		choices[i] = Choice{Lesson: m.Lesson, In: true, Brief: m.Brief, Why: m.Why, Rank: m.Rank, Parts: m.Parts}
		if why := check(&choices[i], confirm, s); why != "" || choices[i].Lesson.Rev != m.Lesson.Rev {
			return nil, false
		}
	}
	return choices, true
}
