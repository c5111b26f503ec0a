package recall

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"learnings/lessons"
)

const (
	// Gate is the share of a sentence's words, weighted by rarity, that puts a lesson on
	// the subject of a short prompt: its [index.Hit.Cover]. It also needs the floor of
	// evidence.
	Gate = 0.60
	// A little less suffices if the evidence lacks little.
	nearGate, nearEnough = 0.50, 1.5
	// short is the most words of a prompt for which the Gate applies: of many sentences one
	// is covered by chance.
	short = 40

	// beside is the share of the best lesson's evidence or relevance that a lesson on the
	// subject needs.
	beside = 0.65

	// Factors of a rank.
	wide   = 0.9  // it holds everywhere, not only for this project or role
	narrow = 1.1  // it holds for the files or the agent of this very situation
	dear   = 1.05 // it says what went wrong before, which is costly not to know
	cure   = 1.25 // something failed, and it says what to do then
)

// Parts are the factors of a choice's rank: all but Match, Cover, Near and Pinned are
// multiplied, with ½ + ½ of Bound and 0.3 + 0.7 of Freshness.
type Parts struct {
	Match     float64 `json:"match"`     // see [index.Hit]
	Cover     float64 `json:"cover"`     // see [index.Hit]
	Near      float64 `json:"near"`      // see [index.Hit]; included in Relevance
	Relevance float64 `json:"relevance"` // the index's score, as a share of the best one's; 1 for all without a task
	Bound     float64 `json:"bound"`     // see [lessons.Lesson.Bound]
	Freshness float64 `json:"freshness"` // see [lessons.Lesson.Freshness]
	Scope     float64 `json:"scope"`     // higher for a narrow scope
	Kind      float64 `json:"kind"`      // higher for errors and corrections, more so after an error
	Pinned    bool    `json:"pinned"`    // it comes before all others
}

func (p Parts) rank() float64 {
	return p.Relevance * (0.5 + 0.5*p.Bound) * (0.3 + 0.7*p.Freshness) * p.Scope * p.Kind
}

// weigh ranks the candidates, and bars those beside the subject.
func (s Situation) weigh(found []find, asked bool) []Choice {
	if !asked {
		return s.atStart(found)
	}
	var best find // the maximum of each
	for _, f := range found {
		if f.covers(s) {
			best.score = max(best.score, f.score)
		}
		if f.evidence.Enough() {
			best.evidence.Nats = max(best.evidence.Nats, f.evidence.Nats)
		}
	}
	choices := make([]Choice, 0, len(found))
	for _, f := range found {
		if c := s.quality(f, best); s.All || !c.barred || f.subject != "" || 2*f.evidence.Nats > f.evidence.Needs {
			choices = append(choices, c)
		}
	}
	slices.SortStableFunc(choices, func(a, b Choice) int {
		return cmp.Or(first(a.Parts.Pinned, b.Parts.Pinned), cmp.Compare(b.Rank, a.Rank), cmp.Compare(a.Lesson.ID, b.Lesson.ID))
	})
	return choices
}

// quality weighs a candidate relative to the best of those on the subject.
func (s Situation) quality(f find, best find) Choice {
	l, e := f.lesson, f.evidence
	c := Choice{Lesson: l, Evidence: e, Parts: Parts{
		Match: f.match, Cover: f.cover, Near: f.near, Relevance: f.score,
		Bound: l.Bound(s.Now), Freshness: l.Freshness(s.Now), Scope: s.scope(l), Kind: s.kind(l), Pinned: l.Pinned && !s.OnlySubject,
	}}
	about := s.believed(l)
	on := f.on(s)
	if e.Enough() {
		c.Parts.Relevance = max(f.score, e.Nats/best.evidence.Nats)
	}
	switch {
	case c.Parts.Pinned:
		c.Why = "pinned; " + about
	case len(l.Limit.Paths) > 0 && s.touches(l.Limit.Paths):
		c.Why = "it holds for a file of the task; " + about
	case !on:
		c.barred, c.Why, c.Needs, c.Has = true, "beside the subject: "+e.said(), max(e.Needs, Enough), e.Nats
	case f.score < beside*best.score && e.Nats < beside*best.evidence.Nats:
		c.barred, c.Why = true, "there is one that fits it much better; "+e.said()
		c.Needs, c.Has = beside*best.evidence.Nats, e.Nats
	default:
		c.Why = e.said() + "; " + about
	}
	c.Rank = c.Parts.rank()
	return c
}

// believed says in a word how much a lesson is believed, and what its age has taken from it.
func (s Situation) believed(l lessons.Lesson) string {
	says := l.Mean(s.Now).Trust()
	if fresh := percent(l.Freshness(s.Now)); fresh < 100 {
		says += fmt.Sprintf(", %d %% fresh", fresh)
	}
	return says
}

func percent(f float64) int { return int(math.Round(100 * f)) }

// scope prefers lessons for fewer situations that hold in this one.
func (s Situation) scope(l lessons.Lesson) float64 {
	switch {
	case l.Limit.Agent != "" || len(l.Limit.Paths) > 0:
		return narrow // a lesson that does not hold here is never in
	case l.Scope.Global:
		return wide
	}
	return 1
}

// kind prefers errors and corrections, more so after a failure.
func (s Situation) kind(l lessons.Lesson) float64 {
	switch shelf := l.Category.Shelf(); {
	case s.Error != "" && slices.Contains([]lessons.Shelf{lessons.Errors, lessons.Corrections, lessons.Debugging}, shelf):
		return cure
	case shelf == lessons.Errors || shelf == lessons.Corrections:
		return dear
	}
	return 1
}
