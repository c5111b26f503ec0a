package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"learnings/extractor"
	"learnings/index"
	"learnings/lessons"
	"learnings/lessons/match"
	"learnings/lessons/store"
)

// A memory is what the corpus knows of proposals, and where they are kept.
type memory struct {
	store *store.Store
	index *index.Index

	against int // corrections that were counted against lessons
}

// extractorName is who proposes, in the journal.
const extractorName = "learnings extract"

// nearby is how many of the most similar lessons are compared word by word.
const nearby = 5

// known finds the lesson that a proposal repeats: the same one from the same
// moment, or one that says the same in nearly the same words. What was rejected
// comes back only when somebody said it again after the rejection.
func (m *memory) known(ctx context.Context, l lessons.Lesson) (extractor.Known, error) {
	if old, err := m.store.Get(l.ID); err == nil {
		return extractor.Known{ID: old.ID, Status: old.Status}, nil
	}
	hits, err := m.index.Similar(ctx, l, nearby)
	if err != nil {
		return extractor.Known{}, nil // proposed once more; the person sees it beside its twin
	}
	for _, h := range hits {
		if !sameScope(h.Lesson, l) || !match.Same(h.Lesson, l) {
			continue
		}
		old, err := m.store.Get(h.Lesson.ID)
		if err != nil || !match.Same(old, l) {
			continue
		}
		return extractor.Known{ID: old.ID, Status: old.Status, Reopen: old.Status == lessons.Rejected && saidSince(old, l)}, nil
	}
	return extractor.Known{}, nil
}

func sameScope(a, b lessons.Lesson) bool {
	return a.Scope.Global || b.Scope.Global || a.Scope.Project == b.Scope.Project
}

// saidSince reports that a proposal has evidence from after the decision on an
// old one, in a session that the old one does not know.
func saidSince(old, l lessons.Lesson) bool {
	return slices.ContainsFunc(l.Evidence, func(e lessons.Evidence) bool {
		return e.At.After(old.Decided.At) && !slices.ContainsFunc(old.Evidence, func(o lessons.Evidence) bool { return o.Session == e.Session })
	})
}

// keep stores the proposals of one transcript and adds what it says again to
// the lessons that say it already. It gives back the new ones.
func (m *memory) keep(b extractor.Batch) ([]lessons.Lesson, error) {
	for _, again := range b.Again {
		if err := m.witness(again); err != nil {
			return nil, err
		}
	}
	if err := m.learn(b); err != nil {
		return nil, err
	}
	for range 3 {
		// Another process may be reading the same transcript.
		fresh := slices.DeleteFunc(slices.Clone(b.Lessons), func(l lessons.Lesson) bool {
			_, err := m.store.Get(l.ID)
			return !errors.Is(err, lessons.ErrNotFound)
		})
		if len(fresh) == 0 {
			return nil, nil
		}
		stored, err := m.store.Put(store.Write{Op: "propose", By: extractorName}, fresh...)
		if errors.Is(err, lessons.ErrConflict) {
			continue // it was quicker; what it stored is not fresh any more
		}
		if err != nil {
			return nil, fmt.Errorf("storing the proposals of %s: %w", b.File.Path, err)
		}
		return stored, nil
	}
	return nil, fmt.Errorf("storing the proposals of %s: %w again and again", b.File.Path, lessons.ErrConflict)
}

// witness adds evidence to a lesson that lives. Who changes it at the same time
// goes first: the next extraction of that moment adds it then.
func (m *memory) witness(again extractor.Again) error {
	l, err := m.store.Get(again.ID)
	if err != nil || l.Status != lessons.Pending && l.Status != lessons.Approved {
		return nil
	}
	had := len(l.Evidence)
	l = l.Witnessed(again.Evidence)
	if len(l.Evidence) == had || len(l.Evidence) > maxEvidence {
		return nil
	}
	_, err = m.store.Put(store.Write{Op: "witness", By: extractorName, Why: "said again", Session: again.Evidence[0].Session}, l)
	if err != nil && !errors.Is(err, lessons.ErrConflict) {
		return fmt.Errorf("adding evidence to %s: %w", l.ID, err)
	}
	return nil
}

// maxEvidence is how many moments are kept for one lesson: more tell a reviewer
// nothing new.
const maxEvidence = 20
