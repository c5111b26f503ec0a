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

// Doubts returns the reasons to review an active lesson, the gravest first; nil for any
// other. That a lesson was never given to a session is a reason only if uses are counted.
//
// The bounds are those of quality reviews in ACE (as much harm as help, and twice or
// more) and our own (a [Lesson.Bound] below 0.25 after five outcomes).
func (l Lesson) Doubts(now time.Time, counted bool) (out []Doubt) {
	for _, c := range l.Concerns(now, counted) {
		out = append(out, Doubt{c, l.says(c, now)})
	}
	return out
}

// Concerns returns the kinds of [Lesson.Doubts].
func (l Lesson) Concerns(now time.Time, counted bool) (out []Concern) {
	if l.Status != Approved {
		return nil
	}
	if l.harms() || l.Proof.Outcomes >= doubtOutcomes && l.Bound(now) < doubtBelow {
		out = append(out, Doubtful)
	}
	if l.Limit.Over(now) {
		out = append(out, Expired)
	}
	if l.Pinned {
		return out
	}
	if l.Freshness(now) < staleBelow {
		out = append(out, Stale)
	} else if at, ok := l.Due(); ok && !now.Before(at) {
		out = append(out, Due)
	}
	if counted && l.Use.Used == 0 && l.unconfirmed(now) >= unusedDays {
		out = append(out, Unmatched)
	}
	return out
}

func (l Lesson) harms() bool { return l.Use.Harmed >= doubtHarms && l.Use.Harmed >= l.Use.Helped }

// unconfirmed returns the days since a lesson was confirmed.
func (l Lesson) unconfirmed(now time.Time) int {
	return int(max(now.Sub(l.Confirmed()).Hours()/24, 0))
}

// says describes a concern about a lesson.
func (l Lesson) says(c Concern, now time.Time) string {
	days := l.unconfirmed(now)
	switch c {
	case Doubtful:
		if l.harms() {
			return fmt.Sprintf("harmed %d times, helped %d", l.Use.Harmed, l.Use.Helped)
		}
		return fmt.Sprintf("after %d outcomes it is sure to no more than %.2f", l.Proof.Outcomes, l.Bound(now))
	case Expired:
		return fmt.Sprintf("its time is over: it held %s", Limit{Until: l.Limit.Until})
	case Stale:
		return fmt.Sprintf("not confirmed for %d days, %d %% fresh", days, int(math.Round(100*l.Freshness(now))))
	case Due:
		at, _ := l.Due()
		last := "approved"
		if l.Proof.Confirmations > 0 {
			last = "confirmed"
		}
		return fmt.Sprintf("%s %d days ago, to be looked at again since %s", last, days, at.Format(time.DateOnly))
	}
	return fmt.Sprintf("given to no session in %d days", days)
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

// This file finds active lessons that cost more than they help, by the outcomes of the
// sessions that were given them. It decides nothing.

// An Effect sums up what giving a lesson to sessions achieved.
type Effect struct {
	Times        int // given
	OnTopic      int // of these, for a prompt or an error rather than at the start
	Read         int // sessions that were given it and read for its outcome
	Touched      int // of these, with any sign of it
	Followed     int // of these, where the agent followed it
	Contradicted int // of these, where the agent did the opposite or the person had to repeat it
	Tokens       int // cost each time
}

const (
	givenOften    = 20   // times given before a lack of effect counts
	opposedOften  = 3    // sessions in which agents went against a lesson
	costsMuch     = 2000 // tokens in all
	touchedSeldom = 10   // one session in this many
)

// Doubts returns the reasons to review a lesson that follow from its effect.
func (e Effect) Doubts() (out []Doubt) {
	add := func(c Concern, format string, args ...any) {
		out = append(out, Doubt{c, fmt.Sprintf(format, args...)})
	}
	tokens := e.Times * e.Tokens
	if e.Contradicted >= opposedOften && e.Contradicted > e.Followed {
		add(Opposed, "agents went against it in %d of %d sessions, and followed it in %d", e.Contradicted, e.Read, e.Followed)
	}
	switch often := e.Times >= givenOften && 2*e.Read >= givenOften; {
	case often && e.Touched == 0:
		add(Untouched, "given %d times, %d tokens, and no sign of it in the %d sessions that were read", e.Times, tokens, e.Read)
	case often && e.Touched*touchedSeldom < e.Read && e.OnTopic*touchedSeldom < e.Times && tokens >= costsMuch:
		add(Costly, "given %d times, %d tokens, to a task %d times, and a sign of it in %d of %d sessions", e.Times, tokens, e.OnTopic, e.Touched, e.Read)
	}
	return out
}
