package recall

import (
	"context"
	"math"
	"slices"

	"learnings/index"
	"learnings/index/wordfreq"
)

const (
	leastOthers  = 150  // prompts of other projects by which evidence is measured
	mostMeasured = 400  // lessons of a project that are measured
	byChance     = 0.01 // of the prompts may have a lesson that seems to be on their subject
	// What is measured moves the threshold between these, beside [Enough].
	leastShift, mostShift = 0, 6
)

// Calibrate measures how much the lessons of a project share by chance with what the
// person says in other projects, and keeps it for [Enough]. It does nothing while few
// prompts of others are known. It reads up to mostMeasured lessons.
func Calibrate(ctx context.Context, x *index.Index, state, project string) error {
	s := Situation{Project: project, Known: wordfreq.Open(state, project)}
	q := s.conditions()
	q.Sort, q.Limit = index.Confirmed, mostMeasured
	page, err := x.Search(ctx, q)
	if err != nil || len(page.Hits) == 0 {
		return err
	}
	with := map[string]int{}
	for _, h := range page.Hits {
		own := map[string]bool{}
		for _, t := range append([]string{h.Lesson.Content, h.Lesson.Insight}, h.Lesson.Triggers...) {
			put(own, t, bodyWords)
		}
		for w := range own {
			with[w]++
		}
	}
	words := make([]string, 0, len(with))
	for w := range with {
		words = append(words, w)
	}
	others := wordfreq.Others(state, project, words)
	if len(others) < leastOthers {
		return nil
	}
	u := &usual{known: s.Known, of: len(page.Hits), with: with, memo: map[string]float64{}}
	most := make([]float64, len(others))
	for i, said := range others {
		units := make([]index.Unit, len(said))
		for k, u := range said {
			units[k] = index.Unit{Name: u.Name, Words: u.Words}
		}
		a := &asking{at: map[string]int{}}
		a.passages = a.sentence(units)
		for _, h := range page.Hits {
			most[i] = max(most[i], u.evidence(h.Lesson, a).Nats)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	slices.Sort(most)
	at := len(most) - 1 - int(byChance*float64(len(most)))
	nats := min(max(most[at], Enough+leastShift), Enough+mostShift)
	return wordfreq.SetNeeds(state, project, nats+grows*math.Log(max(1, float64(page.Total)/float64(len(page.Hits)))), page.Total)
}
