// Package intake takes what an extraction proposes into a corpus. It decides
// what becomes of each proposal: it is stored as new, is evidence of a lesson
// that says the same already, or stays away because that was rejected; and what
// the lessons that a session was given did there is counted.
//
// [Intake.Run] is the whole of it: it reads transcripts, stores, and then marks
// what was read. Reading the same transcript again changes nothing.
package intake

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"learnings/extractor"
	"learnings/index"
	"learnings/lessons"
	"learnings/lessons/pairs"
	"learnings/lessons/proof"
	"learnings/lessons/store"
)

// By is who proposes, in the journal of the store.
const By = "learnings extract"

const (
	// maxEvidence is how many moments are kept for one lesson: more tell a
	// reviewer nothing new.
	maxEvidence = 20
	// storeTries is how often proposals are stored anew when another process
	// has stored some of them first.
	storeTries = 3
)

// An Intake takes proposals into one corpus. It remembers what the corpus held
// when the first proposal was compared and what it has stored since, so that
// many transcripts can be taken in with one; after a pause make a new one. It
// is for one goroutine at a time.
type Intake struct {
	// Listener is told what the person said in the transcripts of a run, each once, and
	// at its end to keep that; nil is not told.
	Listener interface {
		Hear(session, project string, prompts []string)
		Keep(ctx context.Context)
	}

	store *store.Store
	index *index.Index

	whole     bool          // the corpus was read
	words     *pairs.Corpus // to find nearly the same words
	equal     *pairs.Corpus // to find the same words in another category
	rejected  *pairs.Corpus // to find what a person rejected in other words, in any category
	synonyms  pairs.Synonyms
	decisions *proof.Calibration            // nil before it is asked for
	off       []string                      // names of habits that are switched off
	records   map[string][]lessons.ID       // the lessons made of a record, by what tells it (see [records])
	made      map[lessons.ID]bool           // lessons that were stored or offered a wording since New
	declined  map[lessons.ID]lessons.Lesson // by proposal: the rejected lesson that it brings back
}

// New returns an Intake for the corpus of a store. The index, which may be nil,
// should have followed the store: what it does not hold is proposed again,
// unless it comes from the same moment. Off are the names of habits of the person
// that count for nothing, as [proof.Habit] has them.
func New(s *store.Store, x *index.Index, off ...string) *Intake {
	none := slices.Values([]lessons.Lesson(nil))
	in := &Intake{
		store: s, index: x, off: off, words: pairs.NewCorpus(pairs.ByJaccard, nil, none), equal: pairs.NewCorpus(pairs.Equal, nil, none),
		records: map[string][]lessons.ID{}, made: map[lessons.ID]bool{}, declined: map[lessons.ID]lessons.Lesson{},
	}
	in.rejected = pairs.NewCorpus(pairs.ByParaphrase, nil, none)
	return in
}

// Taken is what became of one transcript.
type Taken struct {
	extractor.Batch
	Stored  []lessons.Lesson // of Batch.Lessons those that were new, as stored
	Against int              // corrections that count against lessons that the session was given
}

// Keep stores the proposals of a batch, adds what it says again to the lessons
// that say it already, and counts the outcomes of lessons that its session was
// given. When that was all done the batch's mark may be committed; done twice
// it changes nothing, except that what a session was given counts as used for
// each time that a batch names it.
func (in *Intake) Keep(b extractor.Batch) (Taken, error) {
	t := Taken{Batch: b}
	for _, again := range b.Again {
		if err := in.witness(again); err != nil {
			return t, err
		}
	}
	var err error
	if t.Against, err = in.outcomes(b); err != nil {
		return t, err
	}
	if t.Stored, err = in.propose(b.Lessons); err != nil {
		return t, fmt.Errorf("storing the proposals of %s: %w", b.File.Path, err)
	}
	return t, nil
}

// propose stores the proposals that no other process has stored meanwhile.
func (in *Intake) propose(ls []lessons.Lesson) ([]lessons.Lesson, error) {
	for range storeTries {
		fresh := slices.DeleteFunc(slices.Clone(ls), func(l lessons.Lesson) bool {
			_, err := in.store.Get(l.ID)
			return !errors.Is(err, lessons.ErrNotFound)
		})
		if len(fresh) == 0 {
			return nil, nil
		}
		for i, l := range fresh {
			if old, ok := in.declined[l.ID]; ok {
				fresh[i].Origin.Declined, fresh[i].Origin.DeclinedAt = old.ID, old.Decided.At
				fresh[i].Evidence = lessons.MergeEvidence(l.Evidence, old.Evidence)
			}
		}
		stored, err := in.store.Put(store.Write{Op: lessons.OpPropose, By: By}, fresh...)
		if errors.Is(err, lessons.ErrConflict) {
			continue // another process reads the same transcript and was first
		}
		if err != nil {
			return nil, err
		}
		for _, l := range stored {
			in.remember(l)
			in.made[l.ID] = true
		}
		return stored, nil
	}
	return nil, fmt.Errorf("%w again and again", lessons.ErrConflict)
}

// witness adds evidence to a pending or approved lesson, and to a rejected one
// what was seen since it was rejected; a pending one is also offered a wording, and
// becomes surer when one more session shows the same. When somebody else changes the
// lesson at the same time theirs holds, and the next extraction of that moment adds
// the evidence.
func (in *Intake) witness(again extractor.Again) error {
	l, err := in.store.Get(again.ID)
	if err != nil {
		return nil
	}
	return in.testify(l, again)
}

// testify is witness of a lesson as it was read.
func (in *Intake) testify(l lessons.Lesson, again extractor.Again) error {
	was := l
	switch l.Status {
	case lessons.Pending, lessons.Approved:
		l = l.Witnessed(again.Evidence)
	case lessons.Rejected:
		l.Evidence = lessons.MergeEvidence(l.Evidence, l.Since(again.Evidence))
	}
	if len(l.Evidence) > maxEvidence {
		l.Evidence = was.Evidence
	}
	why := "said again"
	if again.Offer != nil {
		if l = offered(l, *again.Offer); !sameJudgement(l, was) {
			why = "read again by " + again.Offer.Origin.Extractor
		}
	}
	l = lessons.RaisedTo(l, again.Least)
	if len(l.Evidence) == len(was.Evidence) && sameJudgement(l, was) {
		return nil
	}
	_, err := in.store.Put(store.Write{Op: lessons.OpWitness, By: By, Why: why, Session: again.Evidence[0].Session}, l)
	if err != nil && !errors.Is(err, lessons.ErrConflict) {
		return fmt.Errorf("adding evidence to %s: %w", l.ID, err)
	}
	return nil
}

func sameJudgement(a, b lessons.Lesson) bool {
	return a.Offer == b.Offer && a.Confidence == b.Confidence && a.Lane == b.Lane && a.Origin.Score == b.Origin.Score
}

// offered gives a pending lesson the words of another reading of its moment for a
// person to take or leave. What two readers found is as likely as the surer says;
// where one has read it twice, its later judgement holds.
func offered(l, reading lessons.Lesson) lessons.Lesson {
	if l.Status != lessons.Pending || len(reading.Origin.Unsaid) > 0 {
		return l // of words that nobody said there is no offer
	}
	if l.Content != reading.Content {
		l.Offer = lessons.Offer{Wording: reading.Wording, Category: reading.Category, Extractor: reading.Origin.Extractor}
	}
	again := l.Origin.Extractor == reading.Origin.Extractor
	if (again || reading.Confidence > l.Confidence && !l.Quarantined()) && !l.Proof.Own {
		l.Confidence = reading.Confidence
	}
	if again {
		l.Lane, l.Origin.Score = reading.Lane, reading.Origin.Score
	} else if reading.Lane != lessons.Maybe {
		l.Lane = ""
	}
	return l
}

// Offer stores a better wording beside that of a proposal, for a person to take or to
// leave, and gives the proposal as it is now. The error is [lessons.ErrConflict] when
// the proposal has changed since it was read.
func Offer(s *store.Store, l lessons.Lesson, w lessons.Wording, by string) (lessons.Lesson, error) {
	if l.Status != lessons.Pending {
		return l, fmt.Errorf("%w: %s is %s, and only a proposal is offered a wording", lessons.ErrInvalid, l.ID, l.Status)
	}
	l.Offer = lessons.Offer{Wording: w, Extractor: by}
	stored, err := s.Put(store.Write{Op: lessons.OpWitness, By: By, Why: "worded by " + by}, l)
	if err != nil {
		return l, fmt.Errorf("offering %s a wording: %w", l.ID, err)
	}
	return stored[0], nil
}
