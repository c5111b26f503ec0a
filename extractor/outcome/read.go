// Package outcome tells from transcripts what came of the lessons that sessions were given,
// or that were held out of them: whether the agent cited one, did what it says, did the
// opposite, or made the mistake again that the lesson is about. It asks no model. What it
// cannot see for sure it does not tell: most lessons are about things that leave no such
// trace.
//
// A [Reader] keeps what it sees, and lets it move the confidence of the lessons. Read
// again, a session counts once; what another program or the clock has made unsure is said
// and not counted.
package outcome

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"learnings/extractor/transcript"
	"learnings/lessons"
	"learnings/lessons/given"
	"learnings/lessons/outcomes"
	"learnings/lessons/store"
)

// By is who moves a confidence, in the journal of the store.
const By = "learnings outcomes"

const (
	maxSubjects = 200 // lessons that are looked for in one session
	maxErrors   = 200 // different errors that are kept of one
	slack       = 5 * time.Minute
	putTries    = 5
)

// A Reader reads sessions for one corpus. All of its exported fields but those of Listener
// must be set.
type Reader struct {
	transcript.Listener
	State   string
	Store   *store.Store
	Project func(dir string) string
	Redact  func(string) string
	Now     func() time.Time

	given map[string][]given.Record // by session; nil before it was needed
}

// A Result is what came of a run.
type Result struct {
	Sessions int // that were read
	Known    int // that have not changed since they were read
	Signs    int // of lessons, in the sessions that were read
	Moved    int // lessons whose confidence moved
	Failed   []error
}

// String says it in a sentence.
func (r Result) String() string {
	says := fmt.Sprintf("read %d sessions now, %d were known; %d signs; the confidence of %d lessons moved", r.Sessions, r.Known, r.Signs, r.Moved)
	if n := len(r.Failed); n > 0 {
		says += fmt.Sprintf("; %d could not be read", n)
	}
	return says
}

// Read reads transcripts that have changed since they were read, or all of them anew. A
// file that cannot be read is told of in the result; an error ends the run. Each is called
// before a transcript is read, and may be nil.
func (t *Reader) Read(ctx context.Context, files []transcript.File, anew bool, each func(transcript.File)) (res Result, err error) {
	log := outcomes.Log{State: t.State}
	t.given = nil // more may have been given since
	all, err := log.All()
	if err != nil {
		return res, err
	}
	known := map[string]outcomes.Reading{}
	for _, r := range all {
		known[r.File] = r
	}
	for _, f := range files {
		if each != nil {
			each(f)
		}
		if info, err := os.Stat(f.Path); err == nil && !anew && known[filepath.Base(f.Path)].Size == info.Size() {
			res.Known++
			continue
		}
		if t.given == nil {
			if err := t.records(); err != nil {
				return res, err
			}
		}
		r, ok, err := t.session(ctx, f)
		switch {
		case ctx.Err() != nil:
			return res, ctx.Err()
		case err != nil:
			res.Failed = append(res.Failed, err)
			continue
		case !ok:
			continue
		}
		// What moves is written first, and may be written again: it counts once.
		moved, err := t.move(r)
		if err != nil {
			return res, err
		}
		if err := log.Append(r); err != nil {
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

// records reads what was given to all sessions.
func (t *Reader) records() error {
	t.given = map[string][]given.Record{}
	for r, err := range given.All(t.State) {
		if err != nil {
			return err
		}
		if r.Session != "" && r.Part == "" {
			t.given[r.Session] = append(t.given[r.Session], r)
		}
	}
	return nil
}

// Concerns reports whether it is recorded that a session was given lessons, or that some
// were held out of it.
func (t *Reader) Concerns(session string) bool {
	return (t.given != nil || t.records() == nil) && len(t.given[session]) > 0
}

// session reads one transcript. It is false for one that is not to be read.
func (t *Reader) session(ctx context.Context, f transcript.File) (outcomes.Reading, bool, error) {
	v := view{lines: map[lessons.ID]int{}}
	info, err := t.Hear(ctx, f, func(x *transcript.Turn, _ *transcript.Reader, _ time.Time) { v.turn(x) })
	if errors.Is(err, transcript.ErrExcluded) {
		return outcomes.Reading{}, false, nil
	}
	s := info.Session
	out := outcomes.Reading{
		File: filepath.Base(f.Path), Size: info.Size, Read: t.Now().UTC(), Agent: string(info.Format), At: s.Start.UTC(), Errors: v.errors,
	}
	if err == nil {
		out.Session, out.Project = cmp.Or(s.ID, out.File), t.Project(s.Dir)
		v.start = s.Start
		out.Lessons, err = t.judge(ctx, f, v.came(t.given[s.ID]))
	}
	if err != nil {
		err = fmt.Errorf("reading what came of lessons in %s: %w", f.Path, err)
	}
	return out, true, err
}

// A view is what a first reading sees.
type view struct {
	start, end time.Time
	lines      map[lessons.ID]int // of the first block that gave a lesson
	errors     []outcomes.Error
}

func (v *view) turn(x *transcript.Turn) {
	if x.At.After(v.end) {
		v.end = x.At
	}
	if x.Sidechain {
		return
	}
	if x.Speaker == transcript.Harness {
		for _, id := range given.InBlocks(x.Text) {
			if v.lines[id] == 0 {
				v.lines[id] = x.Line
			}
		}
	}
	if len(v.errors) >= maxErrors {
		return
	}
	for _, p := range prints(x) {
		if !slices.ContainsFunc(v.errors, func(e outcomes.Error) bool { return e.Print == p }) {
			v.errors = append(v.errors, outcomes.Error{Print: p, Record: x.UUID})
		}
	}
}

// A had is a lesson that a session was given, or that was held out of it, with from when
// on it counts.
type had struct {
	outcomes.Came
	line int
	from time.Time
}

// came puts together what was recorded and what the transcript shows.
func (v *view) came(records []given.Record) (out []had) {
	slices.SortStableFunc(records, func(a, b given.Record) int { return a.At.Compare(b.At) })
	at := map[lessons.ID]int{}
	get := func(id lessons.ID, r given.Record) *had {
		i, ok := at[id]
		if !ok {
			if i = len(out); i >= maxSubjects {
				return &had{}
			}
			at[id] = i
			out = append(out, had{Came: outcomes.Came{ID: id, First: r.At}})
			out[i].place(v, r)
		}
		return &out[i]
	}
	for _, r := range records {
		for _, id := range r.Held {
			if h := get(id, r); h.Times == 0 {
				h.Held = true
			}
		}
		for _, id := range r.Lessons {
			h := get(id, r)
			h.Times++
			h.Held = false
		}
	}
	for id, line := range v.lines {
		h := get(id, given.Record{})
		if h.Times == 0 {
			h.Times, h.Held = 1, false
		}
		h.line, h.from, h.Adrift = line, time.Time{}, false
	}
	slices.SortFunc(out, func(a, b had) int { return cmp.Compare(a.ID, b.ID) })
	return out
}

// place finds from when on a record counts. The clock of a hook may have jumped: then what
// was given as the session began counts from its beginning, and of the rest it cannot be
// told.
func (h *had) place(v *view, r given.Record) {
	switch {
	case r.At.IsZero(): // the transcript's block says it
	case !v.start.IsZero() && !r.At.Before(v.start.Add(-slack)) && !r.At.After(v.end.Add(slack)):
		h.from = r.At
	case r.Event == "session-start":
	default:
		h.Adrift = true
	}
}

// judge reads a transcript once more, for what came of lessons.
func (t *Reader) judge(ctx context.Context, f transcript.File, all []had) ([]outcomes.Came, error) {
	var out []outcomes.Came
	var subjects []Subject
	at := map[lessons.ID]int{}
	for i, h := range all {
		out = append(out, h.Came)
		at[h.ID] = i
		if l, err := t.Store.Get(h.ID); err == nil && !h.Adrift {
			l.ID = h.ID
			subjects = append(subjects, Subject{Lesson: l, From: h.from, Line: h.line})
		}
	}
	if len(subjects) == 0 {
		return out, nil
	}
	j := newJudge(subjects)
	_, err := t.Hear(ctx, f, func(x *transcript.Turn, r *transcript.Reader, _ time.Time) { j.turn(x, r.Session().Dir) })
	for _, s := range j.found {
		s.At, s.Shows = s.At.UTC(), t.Redact(s.Shows)
		out[at[s.Lesson]].Signs = append(out[at[s.Lesson]].Signs, s.Sign)
	}
	return out, err
}
