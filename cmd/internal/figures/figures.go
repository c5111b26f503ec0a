// Package figures counts what a corpus does, from all that this machine knows of it, and
// keeps what was counted last, so that a screen can show it at once.
package figures

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"learnings/extractor/past"
	"learnings/index"
	"learnings/index/curate"
	"learnings/index/insights"
	"learnings/lessons"
	"learnings/lessons/given"
	"learnings/lessons/state"
)

// A Counter counts. Its methods may be called by several goroutines at once.
type Counter struct {
	Library *curate.Library
	State   string // the folder in which this machine keeps what it knows

	Project  func(dir string) string       // of a session's folder
	Excluded func(dir, path string) string // sessions that are not counted

	mu   sync.Mutex
	last map[string]*insights.Figures // by project
}

// kept is the name under which the state has them.
const kept = "figures"

// Figures are those of a project, or of all for "". Without anew they are what was
// counted last, or nil; nothing is read then but one small file.
func (c *Counter) Figures(ctx context.Context, project string, anew bool) (*insights.Figures, error) {
	if !anew {
		return c.known(project), nil
	}
	f, err := c.count(ctx, project)
	if err != nil {
		return nil, err
	}
	c.remember(project, f)
	return f, nil
}

// known is what was counted last; nil for nothing.
func (c *Counter) known(project string) *insights.Figures {
	c.mu.Lock()
	defer c.mu.Unlock()
	if f := c.last[project]; f != nil || project != "" {
		return f
	}
	var f insights.Figures
	if found, err := state.At(c.State).Get(kept, &f); err != nil || !found || f.Project != "" || f.Now.After(c.Library.Now().Add(time.Minute)) {
		return nil // of another version, cut short, or of a clock that was wrong
	}
	f.Counts.Duplicates, f.Counts.Contradictions = nil, nil // were found by somebody else
	return &f
}

// remember keeps what was counted. That it cannot be written is no reason not to show it.
func (c *Counter) remember(project string, f *insights.Figures) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.last == nil {
		c.last = map[string]*insights.Figures{}
	}
	c.last[project] = f
	if project != "" {
		return
	}
	_ = state.At(c.State).Put(kept, f)
}

func (c *Counter) count(ctx context.Context, project string) (*insights.Figures, error) {
	to := insights.New(c.Library.Now(), project)
	if err := c.Library.Index.Each(ctx, index.Query{Now: c.Library.Now()}, to.Lesson); err != nil {
		return nil, fmt.Errorf("counting lessons: %w", err)
	}
	if err := c.journal(ctx, to); err != nil {
		return nil, fmt.Errorf("counting decisions: %w", err)
	}
	for r, err := range given.All(c.State) {
		if err != nil {
			return nil, fmt.Errorf("counting what sessions were given: %w", err)
		}
		to.Given(r)
	}
	if err := to.Outcomes(c.State); err != nil {
		return nil, fmt.Errorf("counting what came of lessons: %w", err)
	}
	rows, err := past.Open(c.State)
	if err != nil {
		return nil, fmt.Errorf("counting sessions: %w", err)
	}
	for _, r := range rows.Rows(past.Options{Project: c.Project, Excluded: c.Excluded}) {
		to.Session(r)
	}
	f := to.Figures()
	return &f, ctx.Err()
}

// journal takes in what was done. A line that cannot be read is passed over: the others
// still tell.
func (c *Counter) journal(ctx context.Context, to *insights.Collector) error {
	var failed error
	n := 0
	for ch, err := range c.Library.Store.Journal() {
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
