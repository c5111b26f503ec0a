package intake

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"learnings/extractor"
	"learnings/lessons"
	"learnings/lessons/pairs"
	"learnings/lessons/store"
)

const (
	// maxSaid is how many bytes of a correction the journal keeps.
	maxSaid = 200
	// changeTries is how often a change is made anew when somebody else changes
	// the same lessons.
	changeTries = 5
)

// outcomes counts what came of the lessons that a session was given: that they
// were used, and that a person corrected the agent on the subject of one. It
// says how many corrections counted against a lesson. A line of a transcript is
// counted once, however often it is read.
func (in *Intake) outcomes(b extractor.Batch) (against int, err error) {
	uses := map[lessons.ID]extractor.Given{}
	for _, g := range b.Given {
		if l, ok := in.survivor(g.ID); ok {
			uses[l.ID] = g
		}
	}
	session := b.Session.ID
	w := store.Write{Op: lessons.OpUse, By: By, Session: session}
	_, err = in.change(w, slices.Sorted(maps.Keys(uses)), func(l lessons.Lesson) (lessons.Lesson, bool) {
		l.Use.Used++
		if at := uses[l.ID].At; at.After(l.Use.Last) {
			l.Use.Last = at
		}
		return l, true
	})
	if err != nil {
		return 0, fmt.Errorf("counting what %s was given: %w", b.File.Path, err)
	}
	for _, r := range b.Replies {
		n, err := in.corrected(b, r)
		if err != nil {
			return against, fmt.Errorf("noting a correction in %s: %w", b.File.Path, err)
		}
		against += n
	}
	return against, nil
}

// corrected counts a person's correction against those of the given lessons
// that it is about, and says how many these were.
func (in *Intake) corrected(b extractor.Batch, r extractor.Reply) (int, error) {
	i := slices.IndexFunc(r.Lesson.Evidence, func(e lessons.Evidence) bool { return e.By == lessons.ByPerson })
	if i < 0 {
		return 0, nil
	}
	e := r.Lesson.Evidence[i]
	e.From = lessons.Against
	outcome := lessons.Corrected
	if outcome.At = e.At; outcome.At.IsZero() {
		outcome.At = b.File.ModTime
	}
	var ids []lessons.ID
	for _, id := range r.Given {
		if l, ok := in.survivor(id); ok && !slices.Contains(ids, l.ID) && (pairs.Corrects(e.Quote, l.Content) || pairs.Corrects(r.Lesson.Content, l.Content)) {
			ids = append(ids, l.ID)
		}
	}
	w := store.Write{Op: lessons.OpCorrected, By: By, Session: e.Session,
		Why: fmt.Sprintf("a person corrected the agent, line %d: “%s”", e.Line, clipped(e.Quote))}
	return in.change(w, ids, func(l lessons.Lesson) (lessons.Lesson, bool) {
		if l.Status != lessons.Approved || !unheard(l, e) {
			return l, false
		}
		l.Evidence = append(slices.Clone(l.Evidence), e)
		return l.Observed(outcome), true
	})
}

// clipped is the beginning of what was said, on one line.
func clipped(said string) string {
	said = lessons.Line(said)
	return strings.ToValidUTF8(said[:min(len(said), maxSaid)], "")
}

// unheard reports that this evidence against a lesson is new to it, and that
// there is room for more.
func unheard(l lessons.Lesson, e lessons.Evidence) bool {
	n := 0
	for _, o := range l.Evidence {
		if !o.Opposes() {
			continue
		}
		n++
		if o.UUID != "" && o.UUID == e.UUID || o.Session == e.Session && o.Line == e.Line {
			return false
		}
	}
	return n < maxEvidence
}

// change changes lessons in one write and says how many it changed. Lessons that
// are gone or broken are left alone, and those for which do says false. When
// somebody else writes at the same time the change is made anew on top of theirs.
func (in *Intake) change(w store.Write, ids []lessons.ID, do func(lessons.Lesson) (lessons.Lesson, bool)) (changed int, err error) {
	for try := 1; len(ids) > 0; try++ {
		var ls []lessons.Lesson
		for _, id := range ids {
			l, err := in.store.Get(id)
			if err != nil {
				continue
			}
			if l, ok := do(l); ok {
				ls = append(ls, l)
			}
		}
		if len(ls) == 0 {
			return 0, nil
		}
		_, err := in.store.Put(w, ls...)
		switch {
		case err == nil:
			return len(ls), nil
		case !errors.Is(err, lessons.ErrConflict) || try == changeTries:
			return 0, err
		}
	}
	return 0, nil
}
