package main

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"learnings/extractor"
	"learnings/lessons"
	"learnings/lessons/match"
	"learnings/lessons/store"
)

// learn takes from a transcript what came of the lessons that its session was
// given: that they were used, and that a person corrected the agent on the
// subject of one. A line counts once, however often it is read.
func (m *memory) learn(b extractor.Batch) error {
	uses := map[lessons.ID]extractor.Given{}
	for _, g := range b.Given {
		if id, ok := m.survivor(g.ID); ok {
			uses[id] = g
		}
	}
	session := b.Session.ID
	w := store.Write{Op: lessons.OpUse, By: extractorName, Session: session}
	_, err := m.change(w, slices.Sorted(maps.Keys(uses)), func(l lessons.Lesson) (lessons.Lesson, bool) {
		l.Use.Used++
		if at := uses[l.ID].At; at.After(l.Use.Last) {
			l.Use.Last = at
		}
		return l, true
	})
	if err != nil {
		return fmt.Errorf("counting what %s was given: %w", b.File.Path, err)
	}
	for _, r := range b.Replies {
		if err := m.corrected(b, r); err != nil {
			return fmt.Errorf("noting a correction in %s: %w", b.File.Path, err)
		}
	}
	return nil
}

// corrected counts a person's correction against the given lessons that are
// its subject.
func (m *memory) corrected(b extractor.Batch, r extractor.Reply) error {
	i := slices.IndexFunc(r.Lesson.Evidence, func(e lessons.Evidence) bool { return e.By == lessons.ByPerson })
	if i < 0 {
		return nil
	}
	e := r.Lesson.Evidence[i]
	e.From = lessons.Against
	outcome := lessons.Corrected
	if outcome.At = e.At; outcome.At.IsZero() {
		outcome.At = b.File.ModTime
	}
	var ids []lessons.ID
	for _, id := range r.Given {
		id, ok := m.survivor(id)
		if l, err := m.store.Get(id); ok && err == nil && !slices.Contains(ids, id) && (match.Corrects(e.Quote, l.Content) || match.Corrects(r.Lesson.Content, l.Content)) {
			ids = append(ids, id)
		}
	}
	w := store.Write{Op: lessons.OpCorrected, By: extractorName, Session: e.Session,
		Why: fmt.Sprintf("a person corrected the agent, line %d: “%s”", e.Line, clipped(e.Quote, 200))}
	changed, err := m.change(w, ids, func(l lessons.Lesson) (lessons.Lesson, bool) {
		if l.Status != lessons.Approved || !unheard(l, e) {
			return l, false
		}
		l.Evidence = append(slices.Clone(l.Evidence), e)
		return l.Observed(outcome), true
	})
	m.against += changed
	return err
}

// unheard reports that a lesson has not heard this evidence against it, and not
// too much of the kind.
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

// survivor is the lesson in which another lives on, or itself; false when it is
// gone.
func (m *memory) survivor(id lessons.ID) (lessons.ID, bool) {
	for range 10 {
		l, err := m.store.Get(id)
		switch {
		case err != nil:
			return id, false
		case l.Status != lessons.Merged:
			return id, true
		}
		id = l.Decided.Into
	}
	return id, false
}

// change changes lessons as one write. Those that are gone or broken, and those
// that do not want it, are left alone; who writes at the same time goes first.
// It says how many were changed.
func (m *memory) change(w store.Write, ids []lessons.ID, do func(lessons.Lesson) (lessons.Lesson, bool)) (changed int, err error) {
	for try := 1; len(ids) > 0; try++ {
		var ls []lessons.Lesson
		for _, id := range ids {
			l, err := m.store.Get(id)
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
		_, err := m.store.Put(w, ls...)
		switch {
		case err == nil:
			return len(ls), nil
		case !errors.Is(err, lessons.ErrConflict) || try == 5:
			return 0, err
		}
	}
	return 0, nil
}
