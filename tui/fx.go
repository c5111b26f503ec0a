package tui

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"learnings/lessons"
)

// This file has everything that the screens do to the world. The rules are:
//
//   - An effect is a [job]: it gets values, never a pane, and answers with one
//     message that carries what it was asked, the result and the error.
//   - Every change to the corpus goes through put, is undoable, and carries the
//     revision that the person saw: what has changed meanwhile is refused.

// effects are what the panes may do. The copies that they hold share one desk.
type effects struct {
	desk   desk
	by     string // the person who decides
	now    func() time.Time
	editor []string
	own    *revisions
}

// A page is the answer to a query.
type page struct {
	hits  []hit
	total int
	took  time.Duration
}

// A hit is a lesson that was found, with how well it matches: 0 to 1.
type hit struct {
	lesson lessons.Lesson
	match  float64
}

// A desk is the store and the index behind the screens.
type desk struct {
	get     func(lessons.ID) (lessons.Lesson, error)
	put     func(op string, ls ...lessons.Lesson) ([]lessons.Lesson, error)
	undo    func() ([]lessons.Change, error) // the last thing done, as a whole
	redo    func() ([]lessons.Change, error)
	search  func(ctx context.Context, query string, from, n int) (page, error)
	similar func(ctx context.Context, l lessons.Lesson, n int) ([]hit, error)
	sync    func(ctx context.Context) (changed int, err error)
}

// revisions are those that this program wrote itself: a lesson that moved on
// because of the person's own last key is no conflict.
type revisions struct {
	mu  sync.Mutex
	rev map[lessons.ID]lessons.Rev
}

func (r *revisions) wrote(ls ...lessons.Lesson) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, l := range ls {
		r.rev[l.ID] = l.Rev
	}
}

func (r *revisions) is(id lessons.ID, rev lessons.Rev) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	own, ok := r.rev[id]
	return ok && own == rev
}

// foundMsg answers find.
type foundMsg struct {
	to   screen
	seq  int
	from int
	page page
	err  error
}

// find asks for n lessons of a query from a place on.
func (fx effects) find(to screen, seq int, query string, from, n int) job {
	return func(ctx context.Context) tea.Msg {
		p, err := fx.desk.search(ctx, query, from, n)
		return foundMsg{to: to, seq: seq, from: from, page: p, err: err}
	}
}

// openedMsg answers open.
type openedMsg struct {
	to      screen
	seq     int
	lesson  lessons.Lesson // as it is on disk now
	similar []hit
	err     error
}

// open reads a lesson whole and looks for others like it.
func (fx effects) open(to screen, seq int, id lessons.ID) job {
	return func(ctx context.Context) tea.Msg {
		l, err := fx.desk.get(id)
		if err != nil {
			return openedMsg{to: to, seq: seq, err: fmt.Errorf("reading %s: %w", id, err)}
		}
		// Without the similar ones the card is still good.
		like, _ := fx.desk.similar(ctx, l, 3)
		return openedMsg{to: to, seq: seq, lesson: l, similar: like}
	}
}

// decidedMsg answers decide and merge: what was asked, what the lessons were
// and, unless err is set, what they are now.
type decidedMsg struct {
	act    act
	before []lessons.Lesson
	after  []lessons.Lesson
	err    error
}

// decide applies an act to lessons as the person saw them: to all or to none.
func (fx effects) decide(a act, seen ...lessons.Lesson) job {
	return func(ctx context.Context) tea.Msg {
		after := make([]lessons.Lesson, 0, len(seen))
		for _, s := range seen {
			l, err := fx.fresh(s)
			if err == nil {
				l, err = a.do(l, lessons.Decision{By: fx.by, Reason: a.reason, At: fx.now()})
			}
			if err != nil {
				return decidedMsg{act: a, before: seen, err: err}
			}
			after = append(after, l)
		}
		return fx.written(ctx, a, seen, after)
	}
}

// merge makes one lesson of several; the survivor's wording is what the person
// accepted.
func (fx effects) merge(wording lessons.Wording, into lessons.Lesson, from ...lessons.Lesson) job {
	return func(ctx context.Context) tea.Msg {
		seen := append([]lessons.Lesson{into}, from...)
		all := make([]lessons.Lesson, 0, len(seen))
		for _, s := range seen {
			l, err := fx.fresh(s)
			if err != nil {
				return decidedMsg{act: merging, before: seen, err: err}
			}
			all = append(all, l)
		}
		all[0].Wording = wording
		after, err := lessons.Merge(lessons.Decision{By: fx.by, At: fx.now()}, all[0], all[1:]...)
		if err != nil {
			return decidedMsg{act: merging, before: seen, err: err}
		}
		return fx.written(ctx, merging, seen, after)
	}
}

// written stores what was decided. The index follows at once, so that the next
// search knows it; that it lags is no error, for the next sync catches up.
func (fx effects) written(ctx context.Context, a act, before, after []lessons.Lesson) tea.Msg {
	stored, err := fx.desk.put(a.op, after...)
	if err != nil {
		return decidedMsg{act: a, before: before, err: err}
	}
	fx.own.wrote(stored...)
	_, _ = fx.desk.sync(ctx)
	return decidedMsg{act: a, before: before, after: stored}
}

// fresh reads a lesson again and refuses it if it is not what the person saw.
func (fx effects) fresh(seen lessons.Lesson) (lessons.Lesson, error) {
	l, err := fx.desk.get(seen.ID)
	if err != nil {
		return l, fmt.Errorf("reading %s: %w", seen.ID, err)
	}
	if l.Rev != seen.Rev && !fx.own.is(l.ID, l.Rev) {
		return l, fmt.Errorf("%s: %w", l.ID, lessons.ErrConflict)
	}
	return l, nil
}

// undoneMsg answers undo and redo.
type undoneMsg struct {
	op      string // undo or redo
	changes []lessons.Change
	err     error
}

func (fx effects) undo() job { return fx.back("undo", fx.desk.undo) }
func (fx effects) redo() job { return fx.back("redo", fx.desk.redo) }

func (fx effects) back(op string, f func() ([]lessons.Change, error)) job {
	return func(ctx context.Context) tea.Msg {
		changes, err := f()
		if err != nil {
			return undoneMsg{op: op, err: err}
		}
		for _, c := range changes {
			if c.After != nil {
				fx.own.wrote(*c.After)
			}
		}
		_, _ = fx.desk.sync(ctx)
		return undoneMsg{op: op, changes: changes}
	}
}

// syncedMsg answers sync.
type syncedMsg struct {
	changed int
	err     error
}

// sync brings the index up to what the store has, edits by hand included.
func (fx effects) sync() job {
	return func(ctx context.Context) tea.Msg {
		n, err := fx.desk.sync(ctx)
		return syncedMsg{changed: n, err: err}
	}
}

// conflicted says whether a decision failed because somebody else changed or
// removed a lesson meanwhile.
func conflicted(err error) bool {
	return errors.Is(err, lessons.ErrConflict) || errors.Is(err, lessons.ErrNotFound)
}
