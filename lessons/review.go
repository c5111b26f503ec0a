package lessons

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"
)

// This file says which active lessons a person should look at again. It
// decides nothing: a lesson stays until a person archives it.

// A Concern is a kind of reason to look at an active lesson again.
type Concern string

const (
	Doubtful  Concern = "doubtful" // what came of it speaks against it
	Expired   Concern = "expired"  // its time is over
	Outdated  Concern = "outdated" // it names what its project no longer has, and is not given
	Stale     Concern = "stale"    // long not confirmed
	Due       Concern = "due"      // its turn in the ladder of re-reviews
	Unmatched Concern = "unused"   // never given to a session

	Opposed   Concern = "contradicted" // agents go against it
	Untouched Concern = "untouched"    // given often, and nothing came of it
	Costly    Concern = "costly"       // given to all sessions, and of use to few
)

// A Doubt is a reason to look at a lesson again, in words.
type Doubt struct {
	Concern Concern `json:"concern"`
	Says    string  `json:"says"`
}

// ladder is how many days a lesson rests after its approval, and after each
// confirmation.
var ladder = []int{7, 30, 90, 180}

const (
	staleBelow    = 0.5
	doubtBelow    = 0.25
	doubtOutcomes = 5
	doubtHarms    = 2
	unusedDays    = 90
)

// Due says when an active lesson should be looked at again: 7 days after it was
// approved, then 30, 90 and 180 days after each confirmation. It is false for
// one that is not active or is pinned.
func (l Lesson) Due() (time.Time, bool) {
	if l.Status != Approved || l.Pinned {
		return time.Time{}, false
	}
	rest := ladder[min(max(l.Proof.Confirmations, 0), len(ladder)-1)]
	return l.Confirmed().AddDate(0, 0, rest), true
}

// DoubtedFrom says from when on time alone is a reason to look at an active lesson
// again: it is due, stale, or its time is over. It is false for one that is not active,
// and for a pinned one that holds for ever.
func (l Lesson) DoubtedFrom() (time.Time, bool) {
	at, ok := l.Due()
	stale := l.Confirmed().Add(time.Duration(halfLifeOf(l)) * 24 * time.Hour)
	if stale.Before(at) {
		at = stale
	}
	if end := l.Limit.Until; l.Status == Approved && !end.IsZero() && (!ok || end.Before(at)) {
		return end, true
	}
	return at, ok
}

// Doubts are the reasons to look at an active lesson again, the gravest first;
// none for any other. A lesson that was never given to a session is doubted
// for that only where uses are counted.
//
// The bounds are those of quality reviews in ACE (as much harm as help, and
// twice or more) and our own (a [Lesson.Bound] below 0.25 after five outcomes).
func (l Lesson) Doubts(now time.Time, counted bool) []Doubt {
	if l.Status != Approved {
		return nil
	}
	var out []Doubt
	add := func(c Concern, format string, args ...any) {
		out = append(out, Doubt{c, fmt.Sprintf(format, args...)})
	}
	bound, u := l.Bound(now), l.Use
	switch {
	case u.Harmed >= doubtHarms && u.Harmed >= u.Helped:
		add(Doubtful, "harmed %d times, helped %d", u.Harmed, u.Helped)
	case l.Proof.Outcomes >= doubtOutcomes && bound < doubtBelow:
		add(Doubtful, "after %d outcomes it is sure to no more than %.2f", l.Proof.Outcomes, bound)
	}
	if l.Limit.Over(now) {
		add(Expired, "its time is over: it held %s", Limit{Until: l.Limit.Until})
	}
	if l.Pinned {
		return out
	}
	days := func(since time.Time) int { return int(max(now.Sub(since).Hours()/24, 0)) }
	age := days(l.Confirmed())
	if f := l.Freshness(now); f < staleBelow {
		add(Stale, "not confirmed for %d days, %d %% fresh", age, int(math.Round(100*f)))
	} else if at, ok := l.Due(); ok && !now.Before(at) {
		last := "approved"
		if l.Proof.Confirmations > 0 {
			last = "confirmed"
		}
		add(Due, "%s %d days ago, to be looked at again since %s", last, age, at.Format(time.DateOnly))
	}
	if counted && u.Used == 0 && age >= unusedDays {
		add(Unmatched, "given to no session in %d days", age)
	}
	return out
}

// A Doubted lesson is one to look at again.
type Doubted struct {
	Lesson
	Why   []Doubt // the gravest first; at least one
	Bound float64 // see [Lesson.Bound]
}

// concerns are the kinds of doubt, the gravest first.
var concerns = []Concern{Doubtful, Outdated, Opposed, Expired, Untouched, Costly, Stale, Due, Unmatched}

// A Remedy is what a person would most likely do with a lesson that is doubted.
type Remedy string

const (
	Confirm Remedy = "confirm" // say that it holds
	Archive Remedy = "archive" // take it out of use
	Narrow  Remedy = "narrow"  // let it hold for fewer files, or for one project
	Reword  Remedy = "reword"  // say it so that it is kept to
)

// Remedy is what a person would most likely do.
func (d Doubted) Remedy() Remedy {
	switch d.Why[0].Concern {
	case Doubtful, Expired, Unmatched, Untouched:
		return Archive
	case Costly:
		return Narrow
	case Opposed, Outdated:
		return Reword
	}
	return Confirm
}

// LookAgain gives those of ls that a person should look at again, the ones most in
// doubt first. Uses count when any of ls was ever given to a session. The last argument
// has further reasons, and may be nil.
func LookAgain(ls []Lesson, now time.Time, more func(Lesson) []Doubt) []Doubted {
	counted := slices.ContainsFunc(ls, func(l Lesson) bool { return l.Use.Used > 0 })
	var out []Doubted
	for _, l := range ls {
		why := l.Doubts(now, counted)
		if more != nil {
			why = append(why, more(l)...)
		}
		slices.SortStableFunc(why, func(a, b Doubt) int {
			return cmp.Compare(slices.Index(concerns, a.Concern), slices.Index(concerns, b.Concern))
		})
		if len(why) > 0 {
			out = append(out, Doubted{l, why, l.Bound(now)})
		}
	}
	gravity := func(d Doubted) int { return slices.Index(concerns, d.Why[0].Concern) }
	slices.SortStableFunc(out, func(a, b Doubted) int {
		return cmp.Or(cmp.Compare(gravity(a), gravity(b)), cmp.Compare(a.Bound, b.Bound), cmp.Compare(a.ID, b.ID))
	})
	return out
}
