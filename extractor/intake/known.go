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
	// aFew is after how many proposals the whole corpus is read at once: up to then the
	// index is asked for each, which costs the same however much the corpus holds.
	aFew = 16
	// mostMerged is the number of merges, the latest, that teach which words people use
	// for the same thing.
	mostMerged = 500
	// mostAlike bounds the lessons with nearly the same words that are compared: a
	// corpus may hold very many copies.
	mostAlike = 50
)

// Known finds the lesson that a proposal repeats: one in nearly the same words, or one
// of the same moment, even if its words or status have changed. For a merged lesson it
// returns the one that it went into. It serves as Known of [extractor.Options].
//
// A rejected lesson also stops proposals that say the same in other words, until there
// is more reason for them (see [lessons.Lesson.Returns]). What a person rejected as a
// duplicate is evidence of the other lesson.
//
// For a few proposals it asks the index. For more it reads the corpus once, and adds what
// [Intake.Keep] stores. Without an index only ids are compared. The only error is that of ctx.
func (in *Intake) Known(ctx context.Context, l lessons.Lesson) (extractor.Known, error) {
	if old, err := in.store.Get(l.ID); err == nil {
		more := !sharesMoment(old, l) // a model says that another session repeats it
		return extractor.Known{ID: old.ID, Status: old.Status, More: more, Offer: !more && judgedAnew(old, l)}, nil
	}
	if err := in.prepare(ctx); err != nil && ctx.Err() != nil {
		return extractor.Known{}, ctx.Err()
	}
	var tombstone *lessons.Lesson
	for old := range in.alike(ctx, l) {
		switch {
		case old.Status == lessons.Rejected:
			if (tombstone == nil || old.Decided.At.After(tombstone.Decided.At)) && in.stops(old, l) {
				tombstone = &old // the latest word of the person counts
			}
		case sameScope(old, l) && pairs.Same(old, l):
			return extractor.Known{ID: old.ID, Status: old.Status, Offer: sharesMoment(old, l) && judgedAnew(old, l)}, nil
		}
	}
	if tombstone == nil {
		return in.ofMoment(ctx, l), nil
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

// remember adds a lesson to those that proposals are compared with.
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

// ofMoment finds the lesson made of the same moment as a proposal, in any status and
// with any words: a rejected one stays away in other words too, and a pending one is
// offered the new words. Of several, it returns the one most alike.
func (in *Intake) ofMoment(ctx context.Context, l lessons.Lesson) extractor.Known {
	var best lessons.Lesson
	alike, same := 0.0, false
	for _, first := range in.madeOf(ctx, lessons.Records(l)) {
		old, ok := in.survivor(first)
		if !ok || !sharesMoment(old, l) {
			continue
		}
		says := in.once(first, l)
		if !says && in.made[first] && old.Origin.Extractor == l.Origin.Extractor {
			continue // one reader may find two lessons in a moment
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
		return extractor.Known{} // it was just offered another wording, so this is a second lesson
	}
	return k
}

// judgedAnew reports whether the extractor of a pending lesson that nobody has edited
// now judges its moment differently, as a later version of the program may.
func judgedAnew(old, l lessons.Lesson) bool {
	return old.Status == lessons.Pending && old.Origin.Extractor == l.Origin.Extractor && old.Decided.By == "" && old.SaidBy() == lessons.ByPerson && !old.Proof.Own && old.Offer == (lessons.Offer{}) &&
		(old.Origin.Score != l.Origin.Score || old.Content != l.Content)
}

// madeOf returns the lessons that were made of records.
func (in *Intake) madeOf(ctx context.Context, records []string) (out []lessons.ID) {
	if in.index != nil && !in.whole && len(records) > 0 {
		q := index.Query{Limit: mostAlike}
		for _, r := range records {
			q = q.Where(index.Record, r)
		}
		if page, err := in.index.Search(ctx, q); err == nil {
			for _, h := range page.Hits {
				out = append(out, h.Lesson.ID)
			}
		}
	}
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

// once reports whether any version of a lesson said what a proposal says.
func (in *Intake) once(id lessons.ID, l lessons.Lesson) bool {
	changes, err := in.store.History(id)
	if err != nil {
		return false
	}
	return slices.ContainsFunc(changes, func(ch lessons.Change) bool { return ch.After != nil && pairs.Same(*ch.After, l) })
}

// contrary marks a proposal that says the contrary of the person's words that it quotes:
// nobody has said what it says. Of 353 pairs of words and lessons that annotators wrote,
// two are taken for contrary.
func contrary(l lessons.Lesson) lessons.Lesson {
	for _, e := range l.Evidence {
		said := lessons.Lesson{Wording: lessons.Wording{Content: e.Quote}, Scope: l.Scope}
		if e.By != lessons.ByPerson || e.Opposes() || pairs.Judge(said, l).Relation != pairs.OppositeRule {
			continue
		}
		if l.Origin.Rule != "" {
			l.Origin.Rule += "; "
		}
		l.Origin.Rule += "it says the contrary of what it quotes"
		l.Origin.Unsaid = append(slices.Clone(l.Origin.Unsaid), l.Content)
		l.Lane, l.Confidence = lessons.Maybe, min(l.Confidence, lessons.MaxHearsay)
		break
	}
	return l
}

// doubted is contrary as Weigh of [extractor.Options].
func doubted(_ context.Context, l lessons.Lesson) (lessons.Lesson, error) { return contrary(l), nil }

// weigh sets the confidence and the lane of a proposal by what it quotes and by the
// person's decisions.
func (in *Intake) weigh(ctx context.Context, l lessons.Lesson) (lessons.Lesson, error) {
	if l.Asked() {
		return l, nil // the person said so
	}
	l = contrary(l)
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

// stops reports whether a rejected lesson blocks a proposal. One rejected as too
// specific for its project counts in every project.
func (in *Intake) stops(old, l lessons.Lesson) bool {
	refusal, _ := old.Decided.Refusal()
	return (sameScope(old, l) || refusal == lessons.TooSpecific) && in.synonyms.Says(old, l)
}

func sameScope(a, b lessons.Lesson) bool {
	return a.Scope.Global || b.Scope.Global || a.Scope.Project == b.Scope.Project
}

// living finds the pending or approved lesson that a person named by its id or the
// beginning of it.
func (in *Intake) living(word string) (lessons.Lesson, bool) {
	id, err := in.store.Resolve(word)
	if err != nil {
		return lessons.Lesson{}, false
	}
	l, ok := in.survivor(id)
	return l, ok && (l.Status == lessons.Pending || l.Status == lessons.Approved)
}

// survivor returns the lesson that another was merged into, or the lesson itself; false
// when it is gone.
func (in *Intake) survivor(id lessons.ID) (lessons.Lesson, bool) {
	return lessons.Living(in.store.Get, id)
}

// uncategorized removes the category of a lesson, to compare it with all.
func uncategorized(l lessons.Lesson) lessons.Lesson {
	l.Category = ""
	return l
}

// alike yields the lessons that may say what a proposal says, in their current state:
// those with nearly the same words, then rejected ones.
func (in *Intake) alike(ctx context.Context, l lessons.Lesson) iter.Seq[lessons.Lesson] {
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
		if in.index == nil || in.whole {
			return
		}
		l := l
		l.Scope.Global = l.Scope.Global || in.narrow // then of all projects
		hits, _ := in.index.Similar(ctx, l, mostAlike)
		for _, h := range hits { // reading a file costs more than comparing
			if (h.Lesson.Status == lessons.Merged || in.synonyms.Says(h.Lesson, l)) && !give(h.Lesson.ID) {
				return
			}
		}
	}
}

// prepare looks up what bears on all proposals, and reads the corpus when there are more
// than a few.
func (in *Intake) prepare(ctx context.Context) error {
	if in.index == nil || in.whole {
		return nil
	}
	if !in.prepared {
		in.prepared = true
		pages, err := in.index.Pages(ctx,
			index.Query{Sort: index.Confirmed, Limit: mostMerged}.Where(index.Status, string(lessons.Merged)),
			index.Query{Limit: 1}.Where(index.Refused, string(lessons.TooSpecific)))
		if err != nil {
			return err
		}
		in.synonyms = pairs.LearnMerged(pages[0].Shown(), in.store.Get)
		in.rejected = pairs.NewCorpus(pairs.ByParaphrase, in.synonyms, slices.Values([]lessons.Lesson(nil)))
		in.narrow = len(pages[1].Hits) > 0
	}
	if in.asked++; in.asked <= aFew {
		return nil
	}
	hits, err := in.index.All(ctx, index.Query{})
	if err != nil {
		return err
	}
	for _, h := range hits {
		in.remember(h.Lesson)
	}
	in.whole = true
	return nil
}
