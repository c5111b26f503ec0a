// Package intake takes what an extraction proposes into a corpus. It stores a proposal as
// new, adds it as evidence to a lesson that already says the same, or drops it because that
// lesson was rejected. It also counts what came of the lessons that a session was given.
//
// [Intake.Run] does all of it: it reads transcripts, stores, and then marks what was read.
// Reading the same transcript again changes nothing.
package intake

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"

	"learnings/extractor"
	"learnings/extractor/transcript"
	"learnings/index"
	"learnings/lessons"
	"learnings/lessons/pairs"
	"learnings/lessons/proof"
	"learnings/lessons/store"
)

// By is the name in the journal of the store for what an extraction does.
const By = "learnings extract"

const (
	// maxEvidence is the most moments kept for one lesson: more tell a reviewer nothing
	// new.
	maxEvidence = 20
	// storeTries is how often storing is tried when other processes store some of the
	// proposals first.
	storeTries = 3
)

// An Intake takes proposals into one corpus. It remembers the corpus as it was at the
// first comparison and what it has stored since. Use one for many transcripts, and a
// new one after a pause. It must not be used by several goroutines at once.
type Intake struct {
	// Listener, if set, is told what the person said in each transcript of a run, and
	// is asked to save it at the end.
	Listener interface {
		Hear(session, project string, prompts []string)
		Keep(ctx context.Context)
	}

	store *store.Store
	index *index.Index

	asked     int           // proposals
	prepared  bool          // what bears on all proposals was looked up
	narrow    bool          // a lesson was rejected as too specific for its project
	whole     bool          // the corpus was read; until then the index is asked for what is not stored since
	words     *pairs.Corpus // finds nearly the same words
	equal     *pairs.Corpus // finds the same words in another category
	rejected  *pairs.Corpus // finds what a person rejected in other words, in any category
	synonyms  pairs.Synonyms
	decisions *proof.Calibration            // nil until needed
	off       []string                      // names of habits that are switched off
	records   map[string][]lessons.ID       // lessons by the records they were made of (see [records])
	made      map[lessons.ID]bool           // lessons stored, or offered a wording, since New
	declined  map[lessons.ID]lessons.Lesson // by proposal: the rejected lesson that it brings back
}

// New returns an Intake for the corpus of a store. The index, which may be nil, should
// be up to date: what it lacks is proposed again, unless it comes from the same moment.
// off names the habits of the person to ignore, as in [proof.Habit].
func New(s *store.Store, x *index.Index, off ...string) *Intake {
	none := slices.Values([]lessons.Lesson(nil))
	in := &Intake{
		store: s, index: x, off: off, words: pairs.NewCorpus(pairs.ByJaccard, nil, none), equal: pairs.NewCorpus(pairs.Equal, nil, none),
		records: map[string][]lessons.ID{}, made: map[lessons.ID]bool{}, declined: map[lessons.ID]lessons.Lesson{},
	}
	in.rejected = pairs.NewCorpus(pairs.ByParaphrase, nil, none)
	return in
}

// Taken is what became of the proposals of one transcript.
type Taken struct {
	extractor.Batch
	Stored  []lessons.Lesson // the new lessons of Batch.Lessons, as stored
	Against int              // corrections that count against lessons the session was given
}

// Keep stores the proposals of a batch, adds repeated evidence to the lessons that have
// it already, and counts the outcomes of lessons that its session was given. The caller
// may commit the batch's mark after Keep succeeds. A second Keep changes nothing,
// except that each one counts the given lessons as used.
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

// propose stores the proposals that no other process has stored in the meantime.
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
			continue // another process read the same transcript first
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

// witness adds evidence to a pending or approved lesson, or records on a rejected one
// that it was seen again. It also offers a pending lesson the new wording and raises
// its confidence when one more session shows it. If the lesson changes meanwhile,
// witness does nothing; the next extraction of that moment adds the evidence.
func (in *Intake) witness(again extractor.Again) error {
	l, err := in.store.Get(again.ID)
	if err != nil {
		return nil
	}
	return in.testify(l, again)
}

// testify does the work of witness for a lesson as it was read.
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
	l = lessons.RaisedTo(heardAgain(l, was, again.Evidence), again.Least)
	if l.Status == lessons.Pending && len(l.Triggers) == 0 {
		l.Triggers = again.Triggers
	}
	if slices.EqualFunc(l.Evidence, was.Evidence, func(a, b lessons.Evidence) bool { return a.Line == b.Line && a.UUID == b.UUID }) && sameJudgement(l, was) {
		return nil
	}
	_, err := in.store.Put(store.Write{Op: lessons.OpWitness, By: By, Why: why, Session: again.Evidence[0].Session}, l)
	if err != nil && !errors.Is(err, lessons.ErrConflict) {
		return fmt.Errorf("adding evidence to %s: %w", l.ID, err)
	}
	return nil
}

// saidAgain is the confidence of what a model was not sure of and a second session says:
// of such pairs, .86 were right.
const saidAgain lessons.Confidence = 0.83

// heardAgain moves a proposal up that waits as maybe only because a model was not sure
// whether it holds beyond its case, if a person says it in another session too. was is
// the proposal before.
func heardAgain(l, was lessons.Lesson, more []lessons.Evidence) lessons.Lesson {
	o := was.Origin
	unsure := was.Waits() == lessons.Maybe && o.ByModel() && o.Score > 0 && o.Score < lessons.LikelyAt && o.Standing() == "" && len(o.Unsaid) == 0
	elsewhere := slices.ContainsFunc(more, func(e lessons.Evidence) bool {
		return e.By == lessons.ByPerson && !slices.ContainsFunc(was.Evidence, func(old lessons.Evidence) bool { return old.Session == e.Session })
	})
	if !unsure || !elsewhere || was.Proof.Own {
		return l
	}
	l.Lane = ""
	return lessons.RaisedTo(l, saidAgain)
}

func sameJudgement(a, b lessons.Lesson) bool {
	return a.Wording == b.Wording && a.Offer == b.Offer && a.Confidence == b.Confidence && a.Lane == b.Lane && a.Origin.Score == b.Origin.Score && len(a.Triggers) == len(b.Triggers)
}

// offered adds to a pending lesson the words of another reading of its moment, for a
// person to accept or reject. If two readers found it, the higher confidence holds; if
// one read it twice, the later. What the rules have quoted and no person has touched
// becomes what a model made of it.
func offered(l, reading lessons.Lesson) lessons.Lesson {
	switch {
	case l.Status != lessons.Pending || len(reading.Origin.Unsaid) > 0:
		return l // nobody said these words, so they are not offered
	case l.Origin.Extractor == "rules" && reading.Origin.ByModel() && l.Decided.By == "" && !l.Proof.Own:
		reading.Origin.Source = l.Origin.Source
		l.Wording, l.Category, l.Origin, l.Offer = reading.Wording, reading.Category, reading.Origin, lessons.Offer{}
		l.Lane, l.Confidence, l.Scope.Global = reading.Lane, reading.Confidence, reading.Scope.Global
		if len(reading.Triggers) > 0 {
			l.Triggers = reading.Triggers
		}
		return l
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

// Offer stores a better wording beside that of a proposal, for a person to accept or
// reject, and returns the proposal as it is now. The error is [lessons.ErrConflict] if
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

// Run reads transcripts as [extractor.Run] does, with the same errors. Before it yields
// a batch it stores what came of it, then commits the mark. After a crash between the
// two, or when the caller stops early, at most one transcript is read again, which
// gives the same lessons with the same ids.
//
// Run sets Options.Known to [Intake.Known], and Options.Weigh from the person's
// decisions (see [proof.Calibration]). With Options.From it commits a mark only if the
// ledger's is not further on, because others may have read on. A nil ledger reads
// everything from its start and commits nothing.
//
// After a *[extractor.FileError], which belongs to one transcript, Run goes on with the
// next. Any other error is the last thing it yields.
func (in *Intake) Run(ctx context.Context, files []transcript.File, marks *extractor.Ledger, o extractor.Options) iter.Seq2[Taken, error] {
	o.Known, o.Weigh = in.Known, in.weigh
	return func(yield func(Taken, error) bool) {
		if in.Listener != nil {
			defer in.Listener.Keep(ctx)
		}
		for b, err := range extractor.Run(ctx, files, marks, o) {
			if err != nil {
				if !yield(Taken{Batch: b}, err) {
					return
				}
				continue // extractor.Run ends after a fatal error
			}
			t, err := in.Keep(b)
			if err == nil && marks != nil {
				err = commit(b.Mark, marks, o)
			}
			if err == nil && marks != nil && !o.Anew {
				in.listen(ctx, b, o)
			}
			if !yield(t, err) || err != nil {
				return
			}
		}
	}
}

// DryRun yields what Run would store if the corpus were empty, and stores nothing.
func DryRun(ctx context.Context, files []transcript.File, marks *extractor.Ledger, o extractor.Options) iter.Seq2[Taken, error] {
	o.Weigh = doubted
	return func(yield func(Taken, error) bool) {
		for b, err := range extractor.Run(ctx, files, marks, o) {
			if !yield(Taken{Batch: b, Stored: b.Lessons}, err) {
				return
			}
		}
	}
}

// listen passes on what the person said in a transcript.
func (in *Intake) listen(ctx context.Context, b extractor.Batch, o extractor.Options) {
	if in.Listener == nil || b.Short || b.Excluded != "" || len(b.Prompts) == 0 {
		return
	}
	project := ""
	if o.Project != nil && b.Session.Dir != "" {
		project = o.Project(b.Session.Dir)
	}
	in.Listener.Hear(b.Session.ID, project, b.Prompts)
}

func commit(m extractor.Mark, marks *extractor.Ledger, o extractor.Options) error {
	if now, ok := marks.Mark(m.Path); ok && o.From != nil && now.Offset > m.Offset {
		return nil
	}
	return marks.Commit(m)
}
