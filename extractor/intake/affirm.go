package intake

import (
	"context"
	"strings"

	"learnings/index"
	"learnings/lessons"
	"learnings/lessons/store"
)

// Affirmed tells an imported lesson from those that are new or known: it was not
// taken in, and an approved one rose in confidence for it.
type Affirmed struct {
	Lesson        lessons.Lesson // as the other store has it
	Before, After lessons.Lesson // the one here; the same when it rose earlier
}

// Affirm takes those lessons out of an import that amplihack would not add, either:
// they share more than [lessons.Repeats] of their keywords with an approved lesson of
// their category. That one rises in confidence; see [lessons.Lesson.Affirmed]. What
// is known by its words or its moment stays in. With dry nothing is written.
func (in *Intake) Affirm(ctx context.Context, ls []lessons.Lesson, dry bool) (rest []lessons.Lesson, out []Affirmed, err error) {
	if in.index == nil || len(ls) == 0 {
		return ls, nil, nil
	}
	hits, err := in.index.All(ctx, index.Query{}.Where(index.Status, string(lessons.Approved)))
	if err != nil {
		return ls, nil, ctx.Err() // without an index nothing is alike
	}
	byWord := map[string][]lessons.Lesson{}
	for _, h := range hits {
		for _, t := range h.Lesson.Tags {
			word := subject(h.Lesson, t)
			byWord[word] = append(byWord[word], h.Lesson)
		}
	}
	for _, l := range ls {
		var old lessons.Lesson
		most := lessons.Repeats
		for _, t := range l.Tags {
			for _, o := range byWord[subject(l, t)] {
				if s := lessons.SharedKeywords(o, l); s > most && (o.Scope.Global || o.Scope.Project == l.Scope.Project) {
					most, old = s, o
				}
			}
		}
		if old.ID == "" {
			rest = append(rest, l)
			continue
		}
		k, err := in.Known(ctx, l)
		if err != nil {
			return rest, out, err
		}
		if k.ID != "" {
			rest = append(rest, l)
			continue
		}
		a, err := in.affirm(old.ID, l, dry)
		if err != nil {
			return rest, out, err
		}
		if a.After.ID == "" {
			rest = append(rest, l)
			continue
		}
		out = append(out, a)
	}
	return rest, out, nil
}

// subject is a keyword within a category.
func subject(l lessons.Lesson, tag string) string {
	return string(l.Category.Shelf()) + "\x00" + strings.ToLower(lessons.Line(tag))
}

func (in *Intake) affirm(id lessons.ID, by lessons.Lesson, dry bool) (Affirmed, error) {
	a := Affirmed{Lesson: by}
	raise := func(l lessons.Lesson) (lessons.Lesson, bool) {
		after := l.Affirmed(by)
		if l.Status != lessons.Approved || len(after.Evidence) > maxEvidence {
			return l, false
		}
		a.Before, a.After = l, after
		return after, len(after.Evidence) > len(l.Evidence)
	}
	if dry {
		l, err := in.store.Get(id)
		if err == nil {
			raise(l)
		}
		return a, nil
	}
	_, err := in.change(store.Write{Op: lessons.OpWitness, By: By, Why: "learned again in another store"}, []lessons.ID{id}, raise)
	return a, err
}
