package past

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"learnings/extractor/transcript"
	"learnings/lessons"
	"learnings/lessons/proof"
	"learnings/lessons/store"
)

// By is the name in the journal of the store for changes of confidence by outcomes.
const By = "learnings outcomes"

const (
	maxSubjects   = 200 // lessons looked for in a session
	maxSeenErrors = 200 // different errors kept of a session
	slack         = 5 * time.Minute
	putTries      = 5
)

// An OutcomeReader reads from transcripts what came of the lessons that sessions were
// given, or that were withheld from them: whether the agent cited one, did what it
// says, did the opposite, or repeated the mistake that it is about. It asks no model
// and reports only what is certain; most lessons are about things that leave no trace.
//
// It keeps what it sees and moves the confidence of lessons by it. A session counts
// once, even if it is read again. All exported fields must be set.
type OutcomeReader struct {
	Options
	State string
	Store *store.Store
	Now   func() time.Time

	given map[string][]proof.Injection // by session; nil until needed
}

// An OutcomeRun counts what a run did.
type OutcomeRun struct {
	Sessions int // read
	Known    int // unchanged since they were read
	Signs    int // of lessons, in the sessions read
	Moved    int // lessons whose confidence moved
	Failed   []error
}

// String returns the counts as a sentence.
func (r OutcomeRun) String() string {
	says := fmt.Sprintf("read %d sessions now, %d were known; %d signs; the confidence of %d lessons moved", r.Sessions, r.Known, r.Signs, r.Moved)
	if n := len(r.Failed); n > 0 {
		says += fmt.Sprintf("; %d could not be read", n)
	}
	return says
}

// Read reads the transcripts that have changed since they were last read, or all of
// them with anew. Files that cannot be read are counted in the result; an error ends
// the run. each, if set, is called before a transcript is read.
func (t *OutcomeReader) Read(ctx context.Context, files []transcript.File, anew bool, each func(transcript.File)) (res OutcomeRun, err error) {
	all, err := proof.Readings(t.State)
	if err != nil {
		return res, err
	}
	known := map[string]int64{}
	for _, r := range all {
		known[r.File] = r.Size
	}
	t.given = nil // more may have been given since
	for _, f := range files {
		if each != nil {
			each(f)
		}
		if size, mod, err := transcript.Stat(f.Path); err == nil {
			if f.Size, f.ModTime = size, mod; !anew && known[filepath.Base(f.Path)] == size {
				res.Known++
				continue
			}
		}
		if t.given == nil {
			if err := t.injections(); err != nil {
				return res, err
			}
		}
		r, err := t.session(ctx, f)
		switch {
		case ctx.Err() != nil:
			return res, ctx.Err()
		case errors.Is(err, transcript.ErrExcluded):
			continue
		case err != nil:
			res.Failed = append(res.Failed, fmt.Errorf("reading what came of lessons in %s: %w", f.Path, err))
			continue
		}
		// The moves are written first. After a crash they are written again, and count
		// once.
		moved, err := t.move(r)
		if err == nil {
			err = proof.KeepReading(t.State, r)
		}
		if err != nil {
			return res, err
		}
		res.Sessions++
		res.Moved += moved
		for _, c := range r.Lessons {
			res.Signs += len(c.Signs)
		}
	}
	return res, nil
}

// injections loads what was given to all sessions.
func (t *OutcomeReader) injections() error {
	t.given = map[string][]proof.Injection{}
	for r, err := range proof.Injections(t.State) {
		if err != nil {
			return err
		}
		if r.Session != "" && r.Part == "" {
			t.given[r.Session] = append(t.given[r.Session], r)
		}
	}
	return nil
}

// Concerns reports whether a session is recorded as given lessons, or as one that some
// were withheld from.
func (t *OutcomeReader) Concerns(session string) bool {
	return (t.given != nil || t.injections() == nil) && len(t.given[session]) > 0
}

// session reads what came of lessons in one transcript. If it was given any, the
// transcript is read a second time for that.
func (t *OutcomeReader) session(ctx context.Context, f transcript.File) (proof.Reading, error) {
	s, err := t.one(ctx, f, true)
	out := proof.Reading{
		File: filepath.Base(f.Path), Read: t.Now().UTC(), Size: s.Size, Agent: string(s.Format), At: s.Record.Session.Start.UTC(),
		Session: cmp.Or(s.Record.Session.ID, filepath.Base(f.Path)), Project: s.Project,
	}
	switch {
	case err != nil:
		return out, err
	case s.Excluded:
		return out, transcript.ErrExcluded
	case s.fresh:
		_ = t.Kept.change([]Session{s}, nil) // on failure it is read again
	}
	lines := map[lessons.ID]int{} // of the first block that gave a lesson
	for _, e := range s.Events {
		for _, id := range e.Gave {
			lines[id] = cmp.Or(lines[id], e.Line)
		}
		if e.Fails == nil || e.Side {
			continue
		}
		for _, p := range e.Fails.Known {
			if len(out.Errors) < maxSeenErrors && !slices.ContainsFunc(out.Errors, func(o proof.SeenError) bool { return o.Print == p }) {
				out.Errors = append(out.Errors, proof.SeenError{Print: p, Record: e.UUID})
			}
		}
	}
	out.Lessons, err = t.judge(ctx, f, had(t.given[s.Record.Session.ID], lines, s.Record.Session.Start, s.End))
	return out, err
}

// had combines the records with the blocks in a transcript: the lessons that the
// session was given or that were withheld from it, each with the time from which it
// counts. If the clock of a hook jumped, what was given at the start counts from the
// start, and the rest is left out.
func had(records []proof.Injection, lines map[lessons.ID]int, start, end time.Time) []Subject {
	all := map[lessons.ID]*Subject{}
	get := func(id lessons.ID, r proof.Injection) *Subject {
		h := all[id]
		if h == nil {
			h = &Subject{Came: proof.Came{ID: id, First: r.At}}
			if len(all) < maxSubjects {
				all[id] = h
			}
			switch {
			case r.At.IsZero(): // from a block in the transcript
			case !start.IsZero() && !r.At.Before(start.Add(-slack)) && !r.At.After(end.Add(slack)):
				h.From = r.At
			default:
				h.Adrift = r.Event != "session-start"
			}
		}
		return h
	}
	slices.SortStableFunc(records, func(a, b proof.Injection) int { return a.At.Compare(b.At) })
	for _, r := range records {
		for _, id := range r.Held {
			h := get(id, r)
			h.Held = h.Times == 0
		}
		for _, id := range r.Lessons {
			h := get(id, r)
			h.Times++
			h.Held = false
		}
	}
	for id, line := range lines {
		h := get(id, proof.Injection{})
		h.Times, h.Held, h.Adrift = max(h.Times, 1), false, false
		h.Line, h.From = line, time.Time{}
	}
	out := make([]Subject, 0, len(all))
	for _, h := range all {
		out = append(out, *h)
	}
	slices.SortFunc(out, func(a, b Subject) int { return cmp.Compare(a.ID, b.ID) })
	return out
}

func (t *OutcomeReader) judge(ctx context.Context, f transcript.File, all []Subject) ([]proof.Came, error) {
	var out []proof.Came
	var subjects []Subject
	at := map[lessons.ID]int{}
	for i, h := range all {
		out = append(out, h.Came)
		at[h.ID] = i
		if l, err := t.Store.Get(h.ID); err == nil && !h.Adrift {
			h.Lesson, h.Lesson.ID = l, h.ID
			subjects = append(subjects, h)
		}
	}
	if len(subjects) == 0 {
		return out, nil
	}
	j := newJudge(subjects)
	_, err := t.Listener().Hear(ctx, f, func(x *transcript.Turn, r *transcript.Reader, _ time.Time) { j.turn(x, r.Session().Dir) })
	for _, s := range j.found {
		s.At, s.Shows = s.At.UTC(), t.redact(s.Shows)
		out[at[s.Lesson]].Signs = append(out[at[s.Lesson]].Signs, s.Sign)
	}
	return out, err
}

// move applies a reading to the confidence of the lessons that its session was given,
// by the rule of [lessons.Seen], and returns how many moved.
func (t *OutcomeReader) move(r proof.Reading) (moved int, err error) {
	for _, c := range r.Lessons {
		if c.Held || c.Adrift {
			continue
		}
		done, err := t.moveOne(r, c)
		for try := 1; try < putTries && errors.Is(err, lessons.ErrConflict); try++ {
			done, err = t.moveOne(r, c)
		}
		if err != nil {
			return moved, fmt.Errorf("counting what came of %s in %s: %w", c.ID, r.Session, err)
		}
		if done {
			moved++
		}
	}
	return moved, nil
}

func (t *OutcomeReader) moveOne(r proof.Reading, c proof.Came) (bool, error) {
	o, ok := lessons.Seen(c.Has(Followed), c.Has(Contradicted) || c.Has(CameBack))
	l, known := lessons.Living(t.Store.Get, c.ID)
	if !known || l.Status != lessons.Approved {
		return false, nil
	}
	past, err := t.Store.History(l.ID)
	if err != nil {
		return false, err
	}
	before, closed := countedOf(past, r.Session)
	why, at := says(c)
	switch {
	case closed, before == nil && !ok, before != nil && ok && before.Why == why:
		return false, nil
	}
	if before != nil { // the session went on, or the rules have changed
		l = before.TakenFrom(l)
		if l, err = t.put(store.Write{Op: lessons.OpTakeBack, By: By, Session: r.Session, Why: again}, l); err != nil {
			return false, err
		}
	}
	if !ok {
		return true, nil
	}
	if o.At = at; at.IsZero() || at.After(t.Now()) {
		o.At = t.Now()
	}
	_, err = t.put(store.Write{Op: lessons.OpOutcome, By: By, Session: r.Session, Why: why}, l.Observed(o))
	return err == nil, err
}

func (t *OutcomeReader) put(w store.Write, l lessons.Lesson) (lessons.Lesson, error) {
	stored, err := t.Store.Put(w, l)
	if err != nil || len(stored) != 1 {
		return l, err
	}
	return stored[0], nil
}

// again is the reason for undoing an outcome that is counted again.
const again = "the session was read again"

// countedOf finds the outcome that counts for a session. closed reports that somebody
// judged the lesson in that session, or a person undid the outcome.
func countedOf(past []lessons.Change, session string) (last *lessons.Change, closed bool) {
	for i := range past {
		ch := &past[i]
		version := 0
		if ch.Op == lessons.OpTakeBack && last != nil {
			_, _ = fmt.Sscanf(ch.Why, "what version %d reported", &version)
		}
		switch {
		case version > 0:
			closed = closed || &past[min(version, i)-1] == last
		case ch.Session != session:
		case ch.Op == lessons.OpFeedback, ch.Op == lessons.OpCorrected:
			closed = true
		case ch.Op == lessons.OpTakeBack && ch.Why == again:
			last = nil
		case ch.Op == lessons.OpOutcome && ch.Before != nil && ch.After != nil:
			last = ch
		}
	}
	return last, closed
}

// says describes what came of a lesson, for its history, and when that was seen last.
func says(c proof.Came) (why string, at time.Time) {
	var out []string
	for _, k := range []proof.Kind{Followed, Contradicted, CameBack} {
		for _, s := range c.Signs {
			if s.Kind == k {
				out = append(out, fmt.Sprintf("%s, line %d: %s", k, s.Line, s.Shows))
			}
		}
	}
	for _, s := range c.Signs {
		if s.At.After(at) {
			at = s.At
		}
	}
	return strings.Join(out, "; "), at
}

// OutcomeOf returns the figures of one lesson.
func OutcomeOf(s *store.Store, b *proof.Book, l lessons.Lesson) (proof.About, error) {
	approved := l.Decided.At
	if approved.IsZero() {
		approved = l.Created
	}
	if l.Proof.Confirmations > 0 && b.Reads(l) { // it was decided again; its journal may have some KB
		past, err := s.History(l.ID)
		if err != nil {
			return proof.About{}, err
		}
		for _, ch := range slices.Backward(past) {
			if ch.After != nil && ch.After.Status == lessons.Approved && (ch.Before == nil || ch.Before.Status != lessons.Approved) {
				approved = ch.At
				break
			}
		}
	}
	return proof.About{Lesson: l, Figures: b.Of(l, printsOf(l), approved)}, nil
}

// Outcomes returns the wanted lessons that a book has figures for, those given most
// often first. It skips lessons that are gone.
func Outcomes(s *store.Store, b *proof.Book, wanted func(lessons.Lesson) bool) (out []proof.About, err error) {
	for _, id := range b.IDs() {
		l, err := s.Get(id)
		if err != nil || !wanted(l) {
			continue
		}
		x, err := OutcomeOf(s, b, l)
		if err != nil {
			return nil, err
		}
		out = append(out, x)
	}
	slices.SortStableFunc(out, func(a, b proof.About) int { return b.Times - a.Times })
	return out, nil
}
