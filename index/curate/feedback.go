package curate

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"learnings/lessons"
	"learnings/lessons/store"
)

// Limits on the weight of what agents say of one lesson, per session and per day: an agent
// can claim anything about its session.
const (
	sessionSays = 1.0
	daySays     = 3.0
)

// mostTries limits how often a report is retried when somebody else writes the lesson at
// the same time.
const mostTries = 5

// A Report is an outcome of lessons that a session was given.
type Report struct {
	Outcome lessons.Outcome // its time is that of the report
	Name    string          // as in the journal, such as "helpful"
	Note    string          // in the reporter's words, without secrets; "" for none
	Session string          // the agent's session; "" if unknown
}

// Report records the outcome of lessons and returns those it was recorded for, as they are
// now. It is no decision: an agent may report too, and its reports count up to one vote for
// a session and three for a day. If a lesson is written at the same time, Report retries.
func (c *Corpus) Report(r Report, ids []lessons.ID) ([]lessons.Lesson, error) {
	r.Outcome.At = c.Now()
	w := store.Write{Op: lessons.OpFeedback, By: cmp.Or(c.Agent, c.By), Undoable: c.Agent == "", Session: r.Session, Why: r.why(), How: c.Manner}
	stored, err := c.again(w, func() ([]lessons.Lesson, error) { return c.reported(r, ids) })
	c.wrote(stored...)
	return stored, err
}

// why returns what the journal keeps of a report.
func (r Report) why() string {
	if r.Note != "" {
		return r.Name + ": " + r.Note
	}
	return r.Name
}

// again stores the lessons that read returns, and retries both if somebody else writes one
// at the same time.
func (c *Corpus) again(w store.Write, read func() ([]lessons.Lesson, error)) (stored []lessons.Lesson, err error) {
	for range mostTries {
		ls, err := read()
		if err != nil || len(ls) == 0 {
			return nil, err
		}
		if stored, err = c.Store.Put(w, ls...); !errors.Is(err, lessons.ErrConflict) {
			return stored, err
		}
	}
	return nil, lessons.ErrConflict
}

// Remark records what somebody says of an approved lesson, for a person to read in its
// history. Unlike a report it does not change the lesson's file.
func (c *Corpus) Remark(r Report, id lessons.ID) error {
	w := store.Write{Op: lessons.OpRemark, By: cmp.Or(c.Agent, c.By), Session: r.Session, Why: r.why(), Remark: true}
	_, err := c.again(w, func() ([]lessons.Lesson, error) {
		l, err := c.given("remarking", id)
		return []lessons.Lesson{l}, err
	})
	return err
}

// given reads a lesson that is to be reported on. It must be one that sessions get.
func (c *Corpus) given(doing string, id lessons.ID) (lessons.Lesson, error) {
	l, err := c.Store.Get(id)
	if err == nil && l.Status != lessons.Approved {
		err = fmt.Errorf("%s on %s: %w: it is %s, and only an approved lesson is given to sessions", doing, id, lessons.ErrInvalid, l.Status)
	}
	return l, err
}

// reported returns the lessons as the report leaves them, without those that agents have
// reached the limit for.
func (c *Corpus) reported(r Report, ids []lessons.ID) ([]lessons.Lesson, error) {
	var ls []lessons.Lesson
	for _, id := range ids {
		l, err := c.given("feedback", id)
		if err != nil {
			return nil, err
		}
		o := r.Outcome
		if c.Agent != "" {
			if o, err = c.allowed(l, o, r.Session); err != nil {
				return nil, err
			}
		}
		if o.Weight > 0 {
			ls = append(ls, l.Observed(o))
		}
	}
	return ls, nil
}

// allowed reduces an agent's outcome to what agents have left of the limits for this
// session and today.
func (c *Corpus) allowed(l lessons.Lesson, o lessons.Outcome, session string) (lessons.Outcome, error) {
	past, err := c.Store.History(l.ID)
	if err != nil {
		return o, err
	}
	inSession, today := 0.0, 0.0
	for _, ch := range past {
		if ch.Op != lessons.OpFeedback || !IsAgent(ch.By) || ch.Before == nil || ch.After == nil {
			continue
		}
		moved := ch.After.Proof.Moved(ch.Before.Proof)
		recent := o.At.Sub(ch.At) < 24*time.Hour
		if ch.By == c.Agent && ch.Session == session && (session != "" || recent) {
			inSession += moved
		}
		if recent {
			today += moved
		}
	}
	left := min(sessionSays-inSession, daySays-today, o.Weight)
	o.Weight = max(math.Round(left*100)/100, 0)
	return o, nil
}

// ErrNoReport is the error for taking back a version that reported no outcome.
var ErrNoReport = errors.New("is no report of an outcome")

// TakeBack takes back what one version of a lesson's history reported. It works once, and
// only for a person.
func (c *Corpus) TakeBack(word string, version int) (lessons.Lesson, error) {
	if err := c.MayDecide("take back feedback"); err != nil {
		return lessons.Lesson{}, err
	}
	id, past, err := c.History(word)
	if err != nil {
		return lessons.Lesson{}, err
	}
	if version < 1 || version > len(past) {
		return lessons.Lesson{}, fmt.Errorf("%w: %s has %d versions", ErrNothing, id, len(past))
	}
	then := past[version-1]
	if !slices.Contains([]lessons.Op{lessons.OpFeedback, lessons.OpCorrected, lessons.OpOutcome}, then.Op) || then.Before == nil || then.After == nil {
		return lessons.Lesson{}, fmt.Errorf("version %d of %s %w but %q", version, id, ErrNoReport, then.Op)
	}
	why := fmt.Sprintf("what version %d reported", version)
	if slices.ContainsFunc(past, func(ch lessons.Change) bool { return ch.Op == lessons.OpTakeBack && ch.Why == why }) {
		return lessons.Lesson{}, fmt.Errorf("version %d of %s: %w: it was taken back before", version, id, lessons.ErrInvalid)
	}
	l, err := c.Store.Get(id)
	if err != nil {
		return l, err
	}
	return one(c.put(store.Write{Op: lessons.OpTakeBack, Why: why}, then.TakenFrom(l)))
}
