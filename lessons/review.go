package lessons

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"
)

// This file finds active lessons that a person should review. It decides nothing: a
// lesson stays until a person archives it.

// A Concern is a kind of reason to review an active lesson.
type Concern string

const (
	Doubtful  Concern = "doubtful" // its outcomes speak against it
	Expired   Concern = "expired"  // past its expiry
	Outdated  Concern = "outdated" // names something that its project no longer has, and is not given
	Stale     Concern = "stale"    // not confirmed for long
	Due       Concern = "due"      // scheduled for review
	Unmatched Concern = "unused"   // never given to a session

	Opposed   Concern = "contradicted" // agents go against it
	Untouched Concern = "untouched"    // given often without effect
	Costly    Concern = "costly"       // given to all sessions but useful to few
)

// A Doubt is a reason to review a lesson, in words.
type Doubt struct {
	Concern Concern `json:"concern"`
	Says    string  `json:"says"`
}

// ladder is the number of days from approval, and from each confirmation, to the next
// review.
var ladder = []int{7, 30, 90, 180}

const (
	staleBelow    = 0.5
	doubtBelow    = 0.25
	doubtOutcomes = 5
	doubtHarms    = 2
	unusedDays    = 90
)

// Due returns when an active lesson should be reviewed: 7 days after its approval, then
// 30, 90 and 180 days after each confirmation. It returns false if the lesson is pinned
// or not active.
func (l Lesson) Due() (time.Time, bool) {
	if l.Status != Approved || l.Pinned {
		return time.Time{}, false
	}
	rest := ladder[min(max(l.Proof.Confirmations, 0), len(ladder)-1)]
	return l.Confirmed().AddDate(0, 0, rest), true
}

// DoubtedFrom returns the first time at which age is a reason to review an active lesson:
// it is due, stale or expired. It returns false if the lesson is not active, or is pinned
// and never expires.
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

// Doubts returns the reasons to review an active lesson, the gravest first; nil for any
// other. That a lesson was never given to a session is a reason only if uses are counted.
//
// The bounds are those of quality reviews in ACE (as much harm as help, and twice or
// more) and our own (a [Lesson.Bound] below 0.25 after five outcomes).
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

// A Doubted lesson should be reviewed.
type Doubted struct {
	Lesson
	Why   []Doubt // the gravest first; at least one
	Bound float64 // see [Lesson.Bound]
}

// concerns are the kinds of doubt, the gravest first.
var concerns = []Concern{Doubtful, Outdated, Opposed, Expired, Untouched, Costly, Stale, Due, Unmatched}

// A Remedy is what a person would most likely do with a doubted lesson.
type Remedy string

const (
	Confirm Remedy = "confirm" // say that it still holds
	Archive Remedy = "archive" // take it out of use
	Narrow  Remedy = "narrow"  // limit it to fewer files, or to one project
	Reword  Remedy = "reword"  // so that agents follow it
)

// Remedy returns the most likely one.
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

// LookAgain returns the lessons of ls that a person should review, the most doubtful
// first. Uses count if any of ls was ever given to a session. more, which may be nil,
// adds reasons.
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
