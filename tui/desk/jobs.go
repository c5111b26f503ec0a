package desk

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"learnings/index"
	"learnings/index/curate"
	"learnings/lessons"
	"learnings/lessons/pairs"
	"learnings/tui/kit"
)

// All side effects of the screens are in this file:
//
//   - An effect is a [kit.Job]: it gets values, never a pane, and answers with one
//     message, often a function for the pane that asked.
//   - Every change to the corpus goes through [curate.Corpus], which knows what may be
//     decided and refuses to change a lesson that changed since the person saw it.

// Desk is what the panes may do. Copies share their state.
type Desk struct {
	Config
	Look   lookup
	Shared *shared
	Keys   Keymap // the person's
}

// A lookup finds lessons. It is the corpus except in tests.
type lookup interface {
	Search(context.Context, index.Query) (index.Page, error)
	Near(ctx context.Context, l lessons.Lesson, n int) (like []index.Hit, against []pairs.Contrary)
}

// Indexed is the lookup in the index of a corpus.
type Indexed struct{ *curate.Corpus }

// Search asks the index.
func (x Indexed) Search(ctx context.Context, q index.Query) (index.Page, error) {
	return x.Index.Search(ctx, q)
}

// Now returns the time of the corpus's clock.
func (fx Desk) Now() time.Time { return fx.Corpus.Now() }

// shared is the state that jobs share.
type shared struct {
	mu    sync.Mutex
	fresh map[lessons.ID]bool // written by this program and not yet seen by a sync

	// A query holds something of each lesson that it meets, so one runs at a time for
	// lists and one for everything else. A comparison holds much of all lessons.
	Lists, Others, Comparing kit.Turns

	follower *curate.Follower // guarded by syncing
	syncing  sync.Mutex
	waiting  chan struct{} // capacity 1: the sync that waits for the one under way

	Working sync.WaitGroup // jobs under way
	Busy    atomic.Int32   // their number
	closed  bool           // no further job may begin; guarded by mu
}

// NewShared returns the state of jobs on a corpus.
func NewShared(c *curate.Corpus) *shared {
	return &shared{fresh: map[lessons.ID]bool{}, follower: curate.NewFollower(&c.Library), waiting: make(chan struct{}, 1), Lists: make(kit.Turns, 1), Others: make(kit.Turns, 1), Comparing: make(kit.Turns, 1)}
}

// Work runs a job, unless the screens have closed.
func (s *shared) Work(ctx context.Context, j kit.Job) tea.Msg {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return nil
	}
	s.Working.Add(1)
	s.mu.Unlock()
	defer s.Working.Done()
	s.Busy.Add(1)
	defer s.Busy.Add(-1)
	return j(ctx)
}

// Close rejects further jobs and waits for those under way, whose context the caller has
// cancelled. Nothing writes after it returns.
func (s *shared) Close() {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.Working.Wait()
}

func (s *shared) Wrote(ls ...lessons.Lesson) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, l := range ls {
		s.fresh[l.ID] = true
	}
}

// synced returns how many lessons this program wrote since the last call.
func (s *shared) synced() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := len(s.fresh)
	clear(s.fresh)
	return n
}

// Search finds lessons that wait or were judged, as of now.
func (fx Desk) Search(ctx context.Context, q index.Query) (index.Page, error) {
	q.Now, q.Unjudged = fx.Now(), true
	return fx.Look.Search(ctx, q)
}

// Opened is a lesson as it is on disk, with related information.
type Opened struct {
	Lesson  lessons.Lesson
	Similar []index.Hit
	Against []pairs.Contrary // lessons that contradict it, the most important first
	Places  []string         // where it is published
	Guard   string           // what it stops
	Gone    []lessons.Doubt  // what it names that its project no longer has
	Err     error
}

// mostSimilar is how many similar lessons a card names at most.
const mostSimilar = 3

// Open reads a whole lesson and finds similar ones, for take to put into the pane.
func Open[P any](fx Desk, current func() bool, id lessons.ID, take func(P, Opened) (P, kit.Out)) kit.Job {
	return kit.Asked(current, fx.Shared.Others, func(ctx context.Context) kit.Then[P] {
		m := fx.open(ctx, id)
		return func(p P) (P, kit.Out) { return take(p, m) }
	})
}

func (fx Desk) open(ctx context.Context, id lessons.ID) Opened {
	l, err := fx.Corpus.Store.Get(id)
	if err != nil {
		return Opened{Err: fmt.Errorf("reading %s: %w", id, err)}
	}
	m := Opened{Lesson: l}
	m.Similar, m.Against = fx.Look.Near(ctx, l, mostSimilar)
	if fx.Published != nil {
		m.Places = fx.Published(l)
	}
	if fx.Guarded != nil {
		m.Guard = fx.Guarded(l)
	}
	if fx.Outdated != nil {
		m.Gone = fx.Outdated(ctx, l)
	}
	return m
}

// Decide makes a decision on lessons as the person saw them. It fails if they have
// changed.
func (fx Desk) Decide(a curate.Action, c Chosen) kit.Job {
	return func(context.Context) tea.Msg {
		if !c.Marked {
			l, err := fx.Corpus.Decide(a, c.Ls[0])
			return fx.Decided(DecidedMsg{Action: a, Before: c.Ls, After: []lessons.Lesson{l}, again: c.Again, Err: err})
		}
		b, err := fx.Corpus.DecideMany(a, c.Ls)
		if err != nil {
			b.Before, _ = a.Apart(c.Ls)
		}
		return fx.Decided(DecidedMsg{Action: a, Before: b.Before, After: b.After, Left: b.Left, again: c.Again, Err: err})
	}
}

// Again changes the reason of the lesson that was just rejected.
func (fx Desk) Again(id lessons.ID, reason string) kit.Job {
	return func(context.Context) tea.Msg {
		before, after, err := curate.RejectAgain(fx.Corpus, id, reason)
		return fx.Decided(DecidedMsg{Action: curate.Reject.Because(reason), Before: []lessons.Lesson{before}, After: []lessons.Lesson{after}, Err: err})
	}
}

// The names of merging and settling in the journal and on the status line.
var (
	merging  = curate.Action{Op: lessons.OpMerge, Verb: "merge", Done: "merged", Rewords: true}
	settling = curate.Action{Op: lessons.OpResolve, Verb: "settle", Done: "settled", Rewords: true}
)

// Merge merges several lessons into one.
func (fx Desk) Merge(m curate.Merge) kit.Job {
	return func(context.Context) tea.Msg {
		after, err := fx.Corpus.Merge(m)
		return fx.Decided(DecidedMsg{Action: merging, Before: m.All(), After: after, Err: err})
	}
}

// Settle settles a contradiction.
func (fx Desk) Settle(s curate.Settlement) kit.Job {
	return func(context.Context) tea.Msg {
		keep, lose, err := fx.Corpus.Settle(s)
		return fx.Decided(DecidedMsg{Action: settling, Before: []lessons.Lesson{s.Keep, s.Lose}, After: []lessons.Lesson{keep, lose}, Err: err})
	}
}

// Decided records what a decision has written and returns it as the answer.
func (fx Desk) Decided(m DecidedMsg) tea.Msg {
	if m.Err == nil {
		fx.Shared.Wrote(m.After...)
	}
	return m
}

// UndoneMsg is the result of an undo or redo.
type UndoneMsg struct {
	Op      string     // undo or redo
	Of      lessons.Op // the operation that was undone or redone, the last of several
	Steps   int        // how many decisions were undone
	Changes []lessons.Change
	Passed  []lessons.Change // the newest decision that was made elsewhere since, and stays
	Command string           // undoes that one
	Err     error
}

// TakeBack undoes the last decision of this desk.
func (fx Desk) TakeBack() kit.Job { return fx.back(lessons.OpUndo) }

// DoAgain redoes what was undone here.
func (fx Desk) DoAgain() kit.Job { return fx.back(lessons.OpRedo) }

// BackTo undoes the last n decisions at once, wherever they were made.
func (fx Desk) BackTo(n int) kit.Job {
	return fx.turn(lessons.OpUndo, n, func() ([]lessons.Change, []lessons.Change, error) {
		changes, err := fx.Corpus.Undo(n)
		return changes, nil, err
	})
}

func (fx Desk) back(op lessons.Op) kit.Job {
	return fx.turn(op, 1, func() ([]lessons.Change, []lessons.Change, error) { return fx.Corpus.TurnHere(op) })
}

func (fx Desk) turn(op lessons.Op, steps int, do func() (changes, passed []lessons.Change, err error)) kit.Job {
	return func(context.Context) tea.Msg {
		changes, passed, err := do()
		for _, c := range changes {
			if c.After != nil {
				fx.Shared.Wrote(*c.After)
			}
		}
		m := UndoneMsg{Op: string(op), Steps: steps, Changes: changes, Passed: passed, Command: fx.Undo, Err: err}
		if len(changes) > 0 {
			m.Of = changes[0].Turned
		}
		return m
	}
}

// SyncedMsg is the result of a sync.
type SyncedMsg struct {
	Changed int    // lessons that were new to the index
	Foreign int    // of these, the ones another program wrote
	Unread  string // which files are no lessons, and why; "" for none
	Err     error
}

// Sync updates the index from the store, including edits by hand. One may wait while
// another runs; a third would be redundant and returns at once.
func (fx Desk) Sync() kit.Job {
	return func(ctx context.Context) tea.Msg {
		select {
		case fx.Shared.waiting <- struct{}{}:
		default:
			return SyncedMsg{}
		}
		fx.Shared.syncing.Lock()
		defer fx.Shared.syncing.Unlock()
		<-fx.Shared.waiting
		own := fx.Shared.synced()
		n, behind, err := fx.Shared.follower.Sync(ctx)
		m := SyncedMsg{Changed: n, Foreign: max(n-own, 0), Err: err}
		if bad := fx.Corpus.Unread(); bad != nil {
			m.Unread = bad.Error()
		}
		if own > 0 && err == nil && fx.Publish != nil {
			if err := fx.Publish(ctx); err != nil {
				m.Unread = err.Error()
			}
		}
		if behind { // their number is unknown
			m.Changed, m.Foreign = max(m.Changed, 1), max(m.Foreign, 1)
		}
		return m
	}
}

// GlanceMsg asks to check for news, which is cheap; NewsMsg says that there are some.
type (
	GlanceMsg struct{}
	NewsMsg   struct{}
)

// News checks whether another program has changed the index since our last sync. It does
// nothing during a sync.
func (fx Desk) News() kit.Job {
	return func(ctx context.Context) tea.Msg {
		if !fx.Shared.syncing.TryLock() {
			return nil
		}
		defer fx.Shared.syncing.Unlock()
		if !fx.Shared.follower.Moved(ctx) {
			return nil
		}
		return NewsMsg{}
	}
}

// A Screen is one of the tabs.
type Screen int

const (
	OnReview Screen = iota
	OnBrowse
	OnSessions
	OnInsights
	OnNext
	Screens
)

func (s Screen) String() string {
	return [...]string{"Review", "Browse", "Sessions", "Insights", "Next session", "every screen"}[s]
}

// ListProjects returns the projects as options.
func (fx Desk) ListProjects(as func(name string) kit.Option) kit.Job {
	return fx.Shared.Others.In(func(ctx context.Context) tea.Msg {
		if fx.Next.Projects == nil {
			return kit.MoreMsg{}
		}
		names, err := fx.Next.Projects(ctx)
		m := kit.MoreMsg{Err: err}
		for _, n := range names {
			m.Options = append(m.Options, as(n))
		}
		return m
	})
}
