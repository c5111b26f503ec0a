package intake

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"time"

	"learnings/extractor"
	"learnings/index"
	"learnings/lessons"
	"learnings/lessons/calibrate"
	"learnings/lessons/match"
)

const (
	// nearby is how many of the most similar lessons of the index are compared
	// word by word.
	nearby = 10
	// mostAlike is how many lessons with nearly the same words are looked at: a
	// corpus may hold very many copies.
	mostAlike = 50
	// mostMerges is how many merges are followed from one lesson to the one in
	// which it lives on.
	mostMerges = 10
)

// Known finds the lesson that a proposal repeats: one that says the same in nearly
// the same words, or one of the same moment, whatever its words are and a person
// has made of it since. A lesson that was merged stands for the one it went into.
// It is what [extractor.Options] asks.
//
// A rejected lesson also stops what says the same in other words, until there
// is more reason for it (see [lessons.Lesson.Returns]). What a person rejected
// as a duplicate of another lesson is evidence of that one.
//
// The first call reads what the corpus holds; later ones add what [Intake.Keep]
// has stored since. Without an index only ids are compared. The only error is
// that of ctx.
func (in *Intake) Known(ctx context.Context, l lessons.Lesson) (extractor.Known, error) {
	if old, err := in.store.Get(l.ID); err == nil {
		return extractor.Known{ID: old.ID, Status: old.Status}, nil
	}
	if err := in.prepare(ctx); err != nil && ctx.Err() != nil {
		return extractor.Known{}, ctx.Err()
	}
	var tombstone *lessons.Lesson
	for _, old := range in.alike(ctx, l) {
		switch {
		case old.Status == lessons.Rejected:
			if (tombstone == nil || old.Decided.At.After(tombstone.Decided.At)) && in.stops(old, l) {
				tombstone = &old // what the person said last counts
			}
		case sameScope(old, l) && match.Same(old, l):
			return extractor.Known{ID: old.ID, Status: old.Status}, nil
		}
	}
	if tombstone == nil {
		return in.ofMoment(l), nil
	}
	refusal, id := tombstone.Decided.Refusal()
	if refusal == lessons.Duplicate {
		if into, ok := in.living(id); ok {
			return extractor.Known{ID: into.ID, Status: into.Status}, nil
		}
	}
	since, back := tombstone.Returns(l)
	if !back {
		return extractor.Known{ID: tombstone.ID, Status: tombstone.Status}, nil
	}
	returned := *tombstone
	returned.Evidence = since
	in.declined[l.ID] = returned
	return extractor.Known{ID: tombstone.ID, Status: tombstone.Status, Reopen: true}, nil
}

// records are what tells the records that a lesson was made of, in copies too (see
// [lessons.Evidence.SameMoment]).
func records(l lessons.Lesson) []string {
	var out []string
	for _, e := range l.Evidence {
		if e.Opposes() || e.Quote == "" {
			continue
		}
		if e.UUID != "" {
			out = append(out, e.UUID)
		}
		if e.Session != "" && e.Line > 0 {
			out = append(out, fmt.Sprintf("%s:%d", e.Session, e.Line))
		}
		if !e.At.IsZero() {
			out = append(out, e.At.UTC().Format(time.RFC3339Nano))
		}
	}
	return out
}

// remember takes a lesson in, so that what repeats it is known.
func (in *Intake) remember(l lessons.Lesson) {
	in.words.Add(l)
	for _, r := range records(l) {
		if !slices.Contains(in.records[r], l.ID) {
			in.records[r] = append(in.records[r], l.ID)
		}
	}
}

// ofMoment finds the lesson that was made of the same moment as a proposal,
// whatever became of it and of its words since: one that was rejected stays away in
// other words too, and a pending one that somebody else words is offered the words.
// Of several lessons of a moment it is the one that says most of the same.
func (in *Intake) ofMoment(l lessons.Lesson) extractor.Known {
	var best lessons.Lesson
	alike, same := 0.0, false
	for _, r := range records(l) {
		for _, first := range in.records[r] {
			id, ok := in.survivor(first)
			if !ok {
				continue
			}
			old, err := in.store.Get(id)
			if err != nil || !sharesMoment(old, l) {
				continue
			}
			says := in.once(first, l)
			if !says && in.made[first] && old.Origin.Extractor == l.Origin.Extractor {
				continue // one reader finds two lessons in it
			}
			x := match.Jaccard(old.Content, l.Content)
			if says {
				x = 1
			}
			if x > alike {
				best, alike, same = old, x, says
			}
		}
	}
	if alike == 0 {
		return extractor.Known{}
	}
	k := extractor.Known{ID: best.ID, Status: best.Status}
	k.Offer = !same && best.Status == lessons.Pending && l.Origin.ByModel() && !in.made[best.ID]
	if k.Offer {
		in.made[best.ID] = true
	} else if !same && in.made[best.ID] && best.Status == lessons.Pending {
		return extractor.Known{} // it was offered another wording just now: this is a lesson beside it
	}
	return k
}

func sharesMoment(a, b lessons.Lesson) bool {
	return slices.ContainsFunc(a.Evidence, func(e lessons.Evidence) bool {
		return !e.Opposes() && slices.ContainsFunc(b.Evidence, e.SameMoment)
	})
}

// once reports that a lesson said at some time what a proposal says.
func (in *Intake) once(id lessons.ID, l lessons.Lesson) bool {
	changes, err := in.store.History(id)
	if err != nil {
		return false
	}
	return slices.ContainsFunc(changes, func(ch lessons.Change) bool { return ch.After != nil && match.Same(*ch.After, l) })
}

// weigh gives a proposal the confidence and the lane that the person's decisions
// suggest.
func (in *Intake) weigh(ctx context.Context, l lessons.Lesson) (lessons.Lesson, error) {
	if err := in.prepare(ctx); err != nil && ctx.Err() != nil {
		return l, ctx.Err()
	}
	return in.decisions.Weigh(l, lessons.LikelyAt), nil
}

// stops reports whether a rejected lesson keeps a proposal away. One that was
// rejected as too specific for its project is compared in every project.
func (in *Intake) stops(old, l lessons.Lesson) bool {
	refusal, _ := old.Decided.Refusal()
	return (sameScope(old, l) || refusal == lessons.TooSpecific) && in.reworder.Says(old, l)
}

func sameScope(a, b lessons.Lesson) bool {
	return a.Scope.Global || b.Scope.Global || a.Scope.Project == b.Scope.Project
}

// living finds the lesson that a person meant by an id, or by its beginning, if
// it is pending or approved.
func (in *Intake) living(word string) (lessons.Lesson, bool) {
	id, err := in.store.Resolve(word)
	if err != nil {
		return lessons.Lesson{}, false
	}
	if id, ok := in.survivor(id); ok {
		l, err := in.store.Get(id)
		return l, err == nil && (l.Status == lessons.Pending || l.Status == lessons.Approved)
	}
	return lessons.Lesson{}, false
}

// survivor is the lesson in which another lives on, or itself; false when it is
// gone.
func (in *Intake) survivor(id lessons.ID) (lessons.ID, bool) {
	for range mostMerges {
		l, err := in.store.Get(id)
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

// alike gives the lessons that may say what a proposal says, as they are now.
func (in *Intake) alike(ctx context.Context, l lessons.Lesson) []lessons.Lesson {
	var out []lessons.Lesson
	seen := map[lessons.ID]bool{l.ID: true}
	for id := range in.candidates(ctx, l) {
		id, ok := in.survivor(id)
		if !ok || seen[id] {
			continue
		}
		seen[id] = true
		if old, err := in.store.Get(id); err == nil {
			out = append(out, old)
		}
	}
	return out
}

// candidates names the lessons that may say what a proposal says: those with
// nearly the same words, then those of the nearest in the index that could
// matter. When the index fails, only the first are named, and the person sees
// the proposal beside what it repeats.
//
// How they are found is known only here and in prepare.
func (in *Intake) candidates(ctx context.Context, l lessons.Lesson) iter.Seq[lessons.ID] {
	return func(yield func(lessons.ID) bool) {
		if in.words != nil {
			n := 0
			for found := range in.words.Find(l) {
				if !yield(found.ID) {
					return
				}
				if n++; n == mostAlike {
					break
				}
			}
		}
		if in.index == nil {
			return
		}
		near := l
		near.Scope.Global = near.Scope.Global || in.tooSpecific // then of all projects
		hits, err := in.index.Similar(ctx, near, nearby)
		if err != nil {
			return
		}
		for _, h := range hits { // reading a file costs more than comparing
			if (h.Lesson.Status == lessons.Merged || in.reworder.Says(h.Lesson, l)) && !yield(h.Lesson.ID) {
				return
			}
		}
	}
}

// prepare reads what the corpus holds, once.
func (in *Intake) prepare(ctx context.Context) error {
	if in.declined != nil {
		return nil
	}
	in.declined = map[lessons.ID]lessons.Lesson{}
	in.records, in.made = map[string][]lessons.ID{}, map[lessons.ID]bool{}
	if in.index == nil {
		return nil
	}
	hits, err := in.index.All(ctx, index.Query{})
	if err != nil {
		return err
	}
	all := make([]lessons.Lesson, len(hits))
	var merged []lessons.Lesson
	var judged []calibrate.Judged
	for i, h := range hits {
		l := h.Lesson
		all[i] = l
		for _, r := range records(l) {
			in.records[r] = append(in.records[r], l.ID)
		}
		refusal, _ := l.Decided.Refusal()
		in.tooSpecific = in.tooSpecific || l.Status == lessons.Rejected && refusal == lessons.TooSpecific
		if j, ok := calibrate.Of(l); ok {
			judged = append(judged, j)
		}
		if l.Status == lessons.Merged {
			merged = append(merged, l)
		}
	}
	in.decisions = calibrate.Fit(judged, in.off)
	in.words = match.NewCorpus(match.ByJaccard, slices.Values(all))
	in.reworder.Synonyms = match.LearnMerged(merged, in.store.Get)
	return nil
}
