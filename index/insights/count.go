package insights

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"time"

	"learnings/extractor/past"
	"learnings/lessons"
	"learnings/lessons/proof"
	"learnings/lessons/state"
)

// A Source is what figures are counted from. No transcript is read for them.
type Source struct {
	State    string                                            // the folder of what this machine knows of the corpus
	Lessons  func(context.Context, func(lessons.Lesson)) error // calls a function with each lesson; several goroutines may
	Journal  func() iter.Seq2[lessons.Change, error]
	Project  func(dir string) string       // of a session's folder
	Excluded func(dir, path string) string // sessions that are not counted
}

// Count counts what a project does, or all for "".
func (s Source) Count(ctx context.Context, project string, now time.Time) (Figures, error) {
	c := New(now, project)
	if err := s.Lessons(ctx, c.Lesson); err != nil {
		return Figures{}, fmt.Errorf("counting lessons: %w", err)
	}
	if err := s.journal(ctx, c); err != nil {
		return Figures{}, fmt.Errorf("counting decisions: %w", err)
	}
	for r, err := range proof.Injections(s.State) {
		if err != nil {
			return Figures{}, fmt.Errorf("counting what sessions were given: %w", err)
		}
		c.Given(r)
	}
	if err := c.Outcomes(s.State); err != nil {
		return Figures{}, fmt.Errorf("counting what came of lessons: %w", err)
	}
	kept, err := past.Open(s.State)
	if err != nil {
		return Figures{}, fmt.Errorf("counting sessions: %w", err)
	}
	for _, r := range kept.Rows(past.Options{Project: s.Project, Excluded: s.Excluded}) {
		c.Session(r)
	}
	return c.Figures(), ctx.Err()
}

// journal takes in what was done. It passes over a line that cannot be read: the others
// still tell.
func (s Source) journal(ctx context.Context, to *Collector) error {
	var failed error
	n := 0
	for ch, err := range s.Journal() {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			failed = err
			continue
		}
		n++
		to.Change(ch)
	}
	if n > 0 || errors.Is(failed, lessons.ErrCursor) {
		return nil
	}
	return failed
}

// A Counter counts for a screen, and keeps in the state what it counted last, so that the
// screen can show that at once.
type Counter struct {
	Source
	Now func() time.Time
}

// Figures are those of a project, or of all for "". Without again they are what was
// counted last, or nil; nothing else is read then.
func (c *Counter) Figures(ctx context.Context, project string, again bool) (*Figures, error) {
	name := strings.TrimSuffix("figures/"+project, "/")
	var f Figures
	if !again {
		found, err := state.At(c.State).Get(name, &f)
		if err != nil || !found || f.Project != project || f.Now.After(c.Now().Add(time.Minute)) {
			return nil, nil // of another version, or of a clock that was wrong
		}
		f.Counts.Duplicates, f.Counts.Contradictions = nil, nil // somebody else counts them
		return &f, nil
	}
	f, err := c.Count(ctx, project, c.Now())
	if err != nil {
		return nil, err
	}
	_ = state.At(c.State).Put(name, f) // a failure only costs the next screen its first picture
	return &f, nil
}
