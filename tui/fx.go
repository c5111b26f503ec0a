package tui

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	tea "charm.land/bubbletea/v2"

	"learnings/index"
	"learnings/lessons"
	"learnings/lessons/stance"
)

// This file has everything that the screens do to the world. The rules are:
//
//   - An effect is a [job]: it gets values, never a pane, and answers with one
//     message that carries what it was asked, the result and the error.
//   - Every change to the corpus goes through put, is undoable, and carries the
//     revision that the person saw: what has changed meanwhile is refused.

// effects are what the panes may do. The copies that they hold share one desk.
type effects struct {
	Config
	desk   desk
	shared *shared
}

// A desk is the store and the index behind the screens.
type desk struct {
	get     func(lessons.ID) (lessons.Lesson, error)
	put     func(op string, ls ...lessons.Lesson) ([]lessons.Lesson, error)
	history func(lessons.ID) ([]lessons.Change, error)
	undo    func() ([]lessons.Change, error) // the last thing done, as a whole
	redo    func() ([]lessons.Change, error)
	search  func(ctx context.Context, q index.Query) (index.Page, error)
	all     func(ctx context.Context, q index.Query) ([]index.Hit, error) // however many there are
	count   func(ctx context.Context, q index.Query) (index.Counts, error)
	similar func(ctx context.Context, l lessons.Lesson, n int) ([]index.Hit, error)
	sync    func(ctx context.Context) (changed int, behind bool, err error)
	moved   func(ctx context.Context) bool // another program has changed the index since the last sync
}

// shared is what jobs must know of each other.
type shared struct {
	mu    sync.Mutex
	own   map[lessons.ID]lessons.Rev // written by this program: what moved on by the person's own last key is no conflict
	fresh map[lessons.ID]bool        // of these, what no sync has seen yet

	opened [screens]atomic.Int64 // the newest question of each screen to open
	sought [screens]atomic.Int64 // and to find

	survey atomic.Pointer[survey] // nil until there is one

	syncing sync.Mutex
	waiting chan struct{} // holds one: the sync that waits for the one under way

	working sync.WaitGroup // the jobs under way
	closed  bool           // no job begins any more; guarded by mu
}

func newShared() *shared {
	return &shared{own: map[lessons.ID]lessons.Rev{}, fresh: map[lessons.ID]bool{}, waiting: make(chan struct{}, 1)}
}

// work runs a job, unless the screens are gone.
func (s *shared) work(ctx context.Context, j job) tea.Msg {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return nil
	}
	s.working.Add(1)
	s.mu.Unlock()
	defer s.working.Done()
	return j(ctx)
}

// close lets no further job begin and waits for those under way, whose context
// the caller has ended: nothing of this program writes after it.
func (s *shared) close() {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.working.Wait()
}

func (s *shared) wrote(ls ...lessons.Lesson) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, l := range ls {
		s.own[l.ID], s.fresh[l.ID] = l.Rev, true
	}
}

func (s *shared) isOwn(id lessons.ID, rev lessons.Rev) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	own, ok := s.own[id]
	return ok && own == rev
}

// synced gives how many lessons were written since it was last called.
func (s *shared) synced() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := len(s.fresh)
	clear(s.fresh)
	return n
}

// foundMsg answers find.
type foundMsg struct {
	to   screen
	seq  int
	from int // where in the order of all the page begins
	page index.Page
	err  error
}

// find asks for a page of lessons. Whoever types asks faster than we answer:
// what is no longer asked for is not searched.
func (fx effects) find(to screen, seq int, q index.Query) job {
	fx.shared.sought[to].Store(int64(seq))
	return func(ctx context.Context) tea.Msg {
		if int64(seq) != fx.shared.sought[to].Load() {
			return nil
		}
		q.Now = fx.Now()
		p, err := fx.desk.search(ctx, q)
		return foundMsg{to: to, seq: seq, from: q.Offset, page: p, err: err}
	}
}

// openedMsg answers open.
type openedMsg struct {
	to      screen
	seq     int
	lesson  lessons.Lesson // as it is on disk now
	similar []index.Hit
	against []stance.Contrary // that contradict it
	err     error
}

// alike is from which share of its words on another lesson is shown as similar:
// with less in common it is about something else.
const alike = 0.3

// open reads a lesson whole and looks for others like it. One who runs through
// a list asks faster than we answer: what is no longer asked for is not done.
func (fx effects) open(to screen, seq int, id lessons.ID) job {
	fx.shared.opened[to].Store(int64(seq))
	return func(ctx context.Context) tea.Msg {
		if int64(seq) != fx.shared.opened[to].Load() {
			return nil
		}
		l, err := fx.desk.get(id)
		if err != nil {
			return openedMsg{to: to, seq: seq, err: fmt.Errorf("reading %s: %w", id, err)}
		}
		// Without the similar ones the card is still good.
		like, _ := fx.desk.similar(ctx, l, 3)
		like = slices.DeleteFunc(like, func(h index.Hit) bool { return h.Match < alike })
		return openedMsg{to: to, seq: seq, lesson: l, similar: like, against: fx.against(l)}
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
	return func(context.Context) tea.Msg {
		after := make([]lessons.Lesson, 0, len(seen))
		for _, s := range seen {
			l, err := fx.fresh(s)
			if err == nil {
				l, err = a.do(l, lessons.Decision{By: fx.By, Reason: a.reason, At: fx.Now()})
			}
			if err != nil {
				return decidedMsg{act: a, before: seen, err: err}
			}
			after = append(after, l)
		}
		return fx.written(a, seen, after)
	}
}

// merge makes one lesson of several; the survivor's wording is what the person
// accepted.
func (fx effects) merge(m mergeMsg) job {
	return func(context.Context) tea.Msg {
		seen := append([]lessons.Lesson{m.into}, m.from...)
		all := make([]lessons.Lesson, 0, len(seen))
		for _, s := range seen {
			l, err := fx.fresh(s)
			if err != nil {
				return decidedMsg{act: merging, before: seen, err: err}
			}
			all = append(all, l)
		}
		all[0].Wording = m.wording
		all[0].Scope.Global = all[0].Scope.Global || m.global
		after, err := lessons.Merge(lessons.Decision{By: fx.By, At: fx.Now()}, all[0], all[1:]...)
		if err != nil {
			return decidedMsg{act: merging, before: seen, err: err}
		}
		return fx.written(merging, seen, after)
	}
}

// written stores what was decided.
func (fx effects) written(a act, before, after []lessons.Lesson) tea.Msg {
	stored, err := fx.desk.put(a.op, after...)
	if err != nil {
		return decidedMsg{act: a, before: before, err: err}
	}
	fx.shared.wrote(stored...)
	return decidedMsg{act: a, before: before, after: stored}
}

// fresh reads a lesson again and refuses it if it is not what the person saw.
func (fx effects) fresh(seen lessons.Lesson) (lessons.Lesson, error) {
	l, err := fx.desk.get(seen.ID)
	if err != nil {
		return l, fmt.Errorf("reading %s: %w", seen.ID, err)
	}
	if l.Rev != seen.Rev && !fx.shared.isOwn(l.ID, l.Rev) {
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
	return func(context.Context) tea.Msg {
		changes, err := f()
		if err != nil {
			return undoneMsg{op: op, err: err}
		}
		for _, c := range changes {
			if c.After != nil {
				fx.shared.wrote(*c.After)
			}
		}
		return undoneMsg{op: op, changes: changes}
	}
}

// syncedMsg answers sync.
type syncedMsg struct {
	changed int // lessons that the index did not know like that
	foreign int // of which this program did not write
	err     error
}

// sync brings the index up to what the store has, edits by hand included. One
// may wait while another is under way; a third has nothing to add.
func (fx effects) sync() job {
	return func(ctx context.Context) tea.Msg {
		select {
		case fx.shared.waiting <- struct{}{}:
		default:
			return syncedMsg{}
		}
		fx.shared.syncing.Lock()
		defer fx.shared.syncing.Unlock()
		<-fx.shared.waiting
		own := fx.shared.synced()
		n, behind, err := fx.desk.sync(ctx)
		m := syncedMsg{changed: n, foreign: max(n-own, 0), err: err}
		if behind { // how many is not known
			m.changed, m.foreign = max(m.changed, 1), max(m.foreign, 1)
		}
		return m
	}
}

// news asks whether another program has brought the index further than the last
// sync of ours; not while one is under way.
func (fx effects) news() job {
	return func(ctx context.Context) tea.Msg {
		if !fx.shared.syncing.TryLock() {
			return nil
		}
		defer fx.shared.syncing.Unlock()
		if !fx.desk.moved(ctx) {
			return nil
		}
		return newsMsg{}
	}
}

// conflicted says whether a decision failed because somebody else changed or
// removed a lesson meanwhile.
func conflicted(err error) bool {
	return errors.Is(err, lessons.ErrConflict) || errors.Is(err, lessons.ErrNotFound)
}
