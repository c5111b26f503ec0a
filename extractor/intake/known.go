package intake

import (
	"context"
	"iter"
	"slices"

	"learnings/extractor"
	"learnings/index"
	"learnings/lessons"
	"learnings/lessons/pairs"
	"learnings/lessons/proof"
)

const (
	// mostMerged is of how many merges it is learned which words people use for one
	// thing, the latest ones.
	mostMerged = 500
	// mostAlike is how many lessons with nearly the same words are looked at: a
	// corpus may hold very many copies.
	mostAlike = 50
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
// What the corpus holds is read once, and what [Intake.Keep] has stored since is added.
// Without an index only ids are compared. The only error is that of ctx.
func (in *Intake) Known(ctx context.Context, l lessons.Lesson) (extractor.Known, error) {
	if old, err := in.store.Get(l.ID); err == nil {
		return extractor.Known{ID: old.ID, Status: old.Status, Offer: judgedAnew(old, l)}, nil
	}
	if err := in.prepare(ctx); err != nil && ctx.Err() != nil {
		return extractor.Known{}, ctx.Err()
	}
	var tombstone *lessons.Lesson
	for old := range in.alike(l) {
		switch {
		case old.Status == lessons.Rejected:
			if (tombstone == nil || old.Decided.At.After(tombstone.Decided.At)) && in.stops(old, l) {
				tombstone = &old // what the person said last counts
			}
		case sameScope(old, l) && pairs.Same(old, l):
			return extractor.Known{ID: old.ID, Status: old.Status, Offer: sharesMoment(old, l) && judgedAnew(old, l)}, nil
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

// remember takes a lesson in, so that what repeats it is known.
func (in *Intake) remember(l lessons.Lesson) {
	in.words.Add(l)
	in.equal.Add(l)
	if l.Status == lessons.Rejected {
		in.rejected.Add(uncategorized(l))
	}
	for _, r := range lessons.Records(l) {
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
	for _, first := range in.madeOf(lessons.Records(l)) {
		old, ok := in.survivor(first)
		if !ok || !sharesMoment(old, l) {
			continue
		}
		says := in.once(first, l)
		if !says && in.made[first] && old.Origin.Extractor == l.Origin.Extractor {
			continue // one reader finds two lessons in it
		}
		x := pairs.Jaccard(old.Content, l.Content)
		if says {
			x = 1
		}
		if x > alike {
			best, alike, same = old, x, says
		}
	}
	if alike == 0 {
		return extractor.Known{}
	}
	k := extractor.Known{ID: best.ID, Status: best.Status}
	k.Offer = best.Status == lessons.Pending && !in.made[best.ID] && (!same && l.Origin.ByModel() || judgedAnew(best, l))
	if k.Offer {
		in.made[best.ID] = true
	} else if !same && in.made[best.ID] && best.Status == lessons.Pending {
		return extractor.Known{} // it was offered another wording just now: this is a lesson beside it
	}
	return k
}

// judgedAnew reports that the extractor of a pending lesson, on which nobody has
// laid a hand, has read its moment once more and thinks otherwise of it: a later
// version of the program does.
func judgedAnew(old, l lessons.Lesson) bool {
	return old.Status == lessons.Pending && old.Origin.Extractor == l.Origin.Extractor && old.Decided.By == "" && old.SaidBy() == lessons.ByPerson && !old.Proof.Own && old.Offer == (lessons.Offer{}) &&
		(old.Origin.Score != l.Origin.Score || old.Content != l.Content)
}

// madeOf names the lessons that were made of records.
func (in *Intake) madeOf(records []string) (out []lessons.ID) {
	for _, r := range records {
		for _, id := range in.records[r] {
			if !slices.Contains(out, id) {
				out = append(out, id)
			}
		}
	}
	return out
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
	return slices.ContainsFunc(changes, func(ch lessons.Change) bool { return ch.After != nil && pairs.Same(*ch.After, l) })
}

// weigh gives a proposal the confidence and the lane that the person's decisions
// suggest.
func (in *Intake) weigh(ctx context.Context, l lessons.Lesson) (lessons.Lesson, error) {
	if in.decisions == nil {
		var judged []proof.Judged
		if in.index != nil {
			page, err := in.index.Search(ctx, index.Query{Sort: index.Confirmed, Limit: proof.MostJudged}.Where(index.Judged, "yes"))
			if err != nil && ctx.Err() != nil {
				return l, ctx.Err()
			}
			for _, h := range page.Hits {
				if j, ok := proof.JudgedOf(h.Lesson); ok {
					judged = append(judged, j)
				}
			}
		}
		fit := proof.Calibrate(judged, in.off)
		in.decisions = &fit
	}
	return in.decisions.Weigh(l, lessons.LikelyAt), nil
}

// stops reports whether a rejected lesson keeps a proposal away. One that was
// rejected as too specific for its project is compared in every project.
func (in *Intake) stops(old, l lessons.Lesson) bool {
	refusal, _ := old.Decided.Refusal()
	return (sameScope(old, l) || refusal == lessons.TooSpecific) && in.synonyms.Says(old, l)
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
	l, ok := in.survivor(id)
	return l, ok && (l.Status == lessons.Pending || l.Status == lessons.Approved)
}

// survivor is the lesson in which another lives on, or itself, as it is now; false when
// it is gone.
func (in *Intake) survivor(id lessons.ID) (lessons.Lesson, bool) {
	return lessons.Living(in.store.Get, id)
}

// uncategorized is a lesson for comparison with those of all categories.
func uncategorized(l lessons.Lesson) lessons.Lesson {
	l.Category = ""
	return l
}

// alike gives the lessons that may say what a proposal says, as they are now: those with
// nearly the same words, then those that were rejected.
func (in *Intake) alike(l lessons.Lesson) iter.Seq[lessons.Lesson] {
	return func(yield func(lessons.Lesson) bool) {
		seen := map[lessons.ID]bool{l.ID: true}
		give := func(id lessons.ID) bool {
			old, ok := in.survivor(id)
			if !ok || seen[old.ID] {
				return true
			}
			seen[old.ID] = true
			return yield(old)
		}
		for _, c := range []*pairs.Corpus{in.words, in.equal} {
			n := 0
			for found := range c.Find(l) {
				if !give(found) {
					return
				}
				if n++; n == mostAlike {
					break
				}
			}
		}
		for old := range in.rejected.Find(uncategorized(l)) {
			if !give(old) {
				return
			}
		}
	}
}

// prepare reads the corpus before the first proposal.
func (in *Intake) prepare(ctx context.Context) error {
	if in.index == nil || in.whole {
		return nil
	}
	hits, err := in.index.All(ctx, index.Query{})
	if err != nil {
		return err
	}
	var merged []lessons.Lesson
	for _, h := range hits {
		if h.Lesson.Status == lessons.Merged {
			merged = append(merged, h.Lesson)
		}
	}
	slices.SortStableFunc(merged, func(a, b lessons.Lesson) int { return b.Decided.At.Compare(a.Decided.At) })
	in.synonyms = pairs.LearnMerged(merged[:min(len(merged), mostMerged)], in.store.Get)
	in.rejected = pairs.NewCorpus(pairs.ByParaphrase, in.synonyms, slices.Values([]lessons.Lesson(nil)))
	for _, h := range hits {
		in.remember(h.Lesson)
	}
	in.whole = true
	return nil
}
