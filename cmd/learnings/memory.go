package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"learnings/extractor"
	"learnings/index"
	"learnings/lessons"
	"learnings/lessons/match"
	"learnings/lessons/store"
)

// A memory is what the corpus knows of proposals, and where they are kept. It
// reads the corpus once, when the first proposal is to be compared.
type memory struct {
	store *store.Store
	index *index.Index

	against int // corrections that were counted against lessons

	words    *match.Corpus // what says the same in nearly the same words
	reworder match.Paraphraser
	narrow   bool                          // something was rejected as too specific for its project
	declined map[lessons.ID]lessons.Lesson // by proposal: the tombstone that it comes back from
}

// lookAgain is how often an extraction looks for what other programs have brought
// into the corpus: with ten thousand lessons that takes a tenth of a second.
const lookAgain = 2 * time.Second

// remembering gives a memory that goes from one transcript to the next: the desk
// reads them one by one, and the corpus need not be read for each. After a pause
// it is read anew, for the person may have decided on much.
func (a *app) remembering() (*memory, error) {
	s, x, err := a.both()
	if err != nil {
		return nil, err
	}
	now := a.now()
	if a.memory == nil || now.Sub(a.remembered) > pause {
		a.memory = &memory{store: s.Trusting(lookAgain), index: x}
	}
	a.remembered = now
	return a.memory, nil
}

// pause is after what time without an extraction the corpus is read anew.
const pause = 10 * time.Second

// extractorName is who proposes, in the journal.
const extractorName = "learnings extract"

// nearby is how many of the most similar lessons are compared word by word.
const nearby = 10

// known finds the lesson that a proposal repeats: the same one from the same
// moment, or one that says the same in nearly the same words. What was merged
// stands for what it went into.
//
// A rejected lesson stops what says the same in other words too, until there
// is more reason for it: see [lessons.Lesson.Returns]. What the person called a
// duplicate of another lesson is evidence of that one.
func (m *memory) known(ctx context.Context, l lessons.Lesson) (extractor.Known, error) {
	if old, err := m.store.Get(l.ID); err == nil {
		return extractor.Known{ID: old.ID, Status: old.Status}, nil
	}
	if err := m.learnCorpus(ctx); err != nil && ctx.Err() != nil {
		return extractor.Known{}, ctx.Err()
	}
	var tombstone *lessons.Lesson
	for _, old := range m.alike(ctx, l) {
		switch {
		case old.Status == lessons.Rejected:
			if (tombstone == nil || old.Decided.At.After(tombstone.Decided.At)) && m.stops(old, l) {
				tombstone = &old // what the person said last counts
			}
		case sameScope(old, l) && match.Same(old, l):
			return extractor.Known{ID: old.ID, Status: old.Status}, nil
		}
	}
	if tombstone == nil {
		return extractor.Known{}, nil
	}
	refusal, id := tombstone.Decided.Refusal()
	if refusal == lessons.Duplicate {
		if into, ok := m.living(id); ok {
			return extractor.Known{ID: into.ID, Status: into.Status}, nil
		}
	}
	since, back := tombstone.Returns(l)
	if !back {
		return extractor.Known{ID: tombstone.ID, Status: tombstone.Status}, nil
	}
	returned := *tombstone
	returned.Evidence = since
	m.declined[l.ID] = returned
	return extractor.Known{ID: tombstone.ID, Status: tombstone.Status, Reopen: true}, nil
}

// stops reports whether a rejected lesson keeps a proposal away, or lets it come
// with a word about the rejection. One that was too specific for its project is
// the same in any.
func (m *memory) stops(old, l lessons.Lesson) bool {
	refusal, _ := old.Decided.Refusal()
	return (sameScope(old, l) || refusal == lessons.TooSpecific) && m.reworder.Says(old, l)
}

// living finds the lesson that a person meant by an id, or by its beginning, and
// that still counts.
func (m *memory) living(word string) (lessons.Lesson, bool) {
	id, err := m.store.Resolve(word)
	if err != nil {
		return lessons.Lesson{}, false
	}
	if id, ok := m.survivor(id); ok {
		l, err := m.store.Get(id)
		return l, err == nil && (l.Status == lessons.Pending || l.Status == lessons.Approved)
	}
	return lessons.Lesson{}, false
}

// alike gives the lessons that may say what a proposal says, as they are now:
// all that have nearly the same words, and the nearest that the index knows. A
// failure of the index costs the second; then the person sees both.
func (m *memory) alike(ctx context.Context, l lessons.Lesson) []lessons.Lesson {
	var out []lessons.Lesson
	seen := map[lessons.ID]bool{l.ID: true}
	add := func(id lessons.ID) {
		id, ok := m.survivor(id)
		if !ok || seen[id] {
			return
		}
		seen[id] = true
		if old, err := m.store.Get(id); err == nil {
			out = append(out, old)
		}
	}
	if m.words != nil {
		n := 0
		for found := range m.words.Find(l) {
			add(found.ID)
			if n++; n == mostAlike {
				break
			}
		}
	}
	near := l
	near.Scope.Global = near.Scope.Global || m.narrow // then of all projects
	hits, err := m.index.Similar(ctx, near, nearby)
	if err != nil {
		return out
	}
	for _, h := range hits { // reading a file costs more than comparing
		if h.Lesson.Status == lessons.Merged || m.reworder.Says(h.Lesson, l) {
			add(h.Lesson.ID)
		}
	}
	return out
}

// mostAlike is how many lessons with nearly the same words are looked at: a
// corpus may hold very many copies.
const mostAlike = 50

// learnCorpus reads what the corpus holds, once.
func (m *memory) learnCorpus(ctx context.Context) error {
	if m.declined != nil {
		return nil
	}
	m.declined = map[lessons.ID]lessons.Lesson{}
	all, err := readShelf(ctx, m.index, index.Query{}, 0)
	if err != nil {
		return err
	}
	m.words = match.NewCorpus(match.ByJaccard, slices.Values(all.lessons))
	var merged []lessons.Lesson
	for _, l := range all.lessons {
		refusal, _ := l.Decided.Refusal()
		m.narrow = m.narrow || l.Status == lessons.Rejected && refusal == lessons.TooSpecific
		if l.Status == lessons.Merged {
			merged = append(merged, l)
		}
	}
	m.reworder.Synonyms = learned(m.store, merged)
	return nil
}

func sameScope(a, b lessons.Lesson) bool {
	return a.Scope.Global || b.Scope.Global || a.Scope.Project == b.Scope.Project
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
		for i, l := range fresh {
			if old, ok := m.declined[l.ID]; ok {
				fresh[i].Origin.Declined, fresh[i].Origin.DeclinedAt = old.ID, old.Decided.At
				fresh[i].Evidence = lessons.UniteEvidence(l.Evidence, old.Evidence)
			}
		}
		stored, err := m.store.Put(store.Write{Op: "propose", By: extractorName}, fresh...)
		if errors.Is(err, lessons.ErrConflict) {
			continue // it was quicker; what it stored is not fresh any more
		}
		if err != nil {
			return nil, fmt.Errorf("storing the proposals of %s: %w", b.File.Path, err)
		}
		if m.words != nil {
			for _, l := range stored {
				m.words.Add(l)
			}
		}
		return stored, nil
	}
	return nil, fmt.Errorf("storing the proposals of %s: %w again and again", b.File.Path, lessons.ErrConflict)
}

// witness adds evidence to a lesson that lives, and to a rejected one what was
// seen since it was rejected. Who changes it at the same time
// goes first: the next extraction of that moment adds it then.
func (m *memory) witness(again extractor.Again) error {
	l, err := m.store.Get(again.ID)
	if err != nil {
		return nil
	}
	had := len(l.Evidence)
	switch l.Status {
	case lessons.Pending, lessons.Approved:
		l = l.Witnessed(again.Evidence)
	case lessons.Rejected:
		l.Evidence = lessons.UniteEvidence(l.Evidence, l.Since(again.Evidence))
	}
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
