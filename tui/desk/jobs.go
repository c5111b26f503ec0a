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

// This file has everything that the screens do to the world. The rules are:
//
//   - An effect is a [kit.Job]: it gets values, never a pane, and answers with one
//     message, which often is a function for the pane that asked.
//   - Every change to the corpus goes through [curate.Corpus], which knows what
//     may be decided and refuses what has changed since the person saw it.

// Desk are what the panes may do. Copies of it share their state.
type Desk struct {
	Config
	Look   lookup
	Shared *shared
	Keys   Keymap // those that the person chose
}

// A lookup finds lessons for the panes. It is the corpus, except in tests.
type lookup interface {
	Search(context.Context, index.Query) (index.Page, error)
	Similar(ctx context.Context, l lessons.Lesson, n int) ([]index.Hit, error)
}

// Indexed looks lessons up in the index of a corpus.
type Indexed struct{ *curate.Corpus }

// Search asks the index.
func (x Indexed) Search(ctx context.Context, q index.Query) (index.Page, error) {
	return x.Index.Search(ctx, q)
}

// Now is the time by the clock of the corpus.
func (fx Desk) Now() time.Time { return fx.Corpus.Now() }

// shared is the state that jobs share.
type shared struct {
	mu    sync.Mutex
	fresh map[lessons.ID]bool // written by this program, and not seen by a sync yet

	// Every question maps the files of the index anew: of lists one is asked at a time,
	// and of what else is shown another. Comparing holds much of all lessons.
	Lists, Others, Comparing kit.Turns

	follower *curate.Follower // used under syncing only
	syncing  sync.Mutex
	waiting  chan struct{} // holds one: the sync that waits for the one under way

	Working sync.WaitGroup // the jobs under way
	Busy    atomic.Int32   // how many these are
	closed  bool           // no job begins any more; guarded by mu
}

// NewShared is the state of jobs on a corpus.
func NewShared(c *curate.Corpus) *shared {
	return &shared{fresh: map[lessons.ID]bool{}, follower: curate.NewFollower(&c.Library), waiting: make(chan struct{}, 1), Lists: make(kit.Turns, 1), Others: make(kit.Turns, 1), Comparing: make(kit.Turns, 1)}
}

// Work runs a job, unless the screens are gone.
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

// Close lets no further job begin and waits for those under way, whose context
// the caller has ended. Afterwards nothing of this program writes.
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

// synced returns how many lessons were written since it was last called.
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

// Opened is a lesson as it is on disk now, with what else is known of it.
type Opened struct {
	Lesson  lessons.Lesson
	Similar []index.Hit
	Against []pairs.Contrary // lessons that contradict it, those first that matter most
	Places  []string         // where it is published
	Guard   string           // what it stops
	Gone    []lessons.Doubt  // it names what its project no longer has
	Err     error
}

// mostSimilar is how many lessons a card names at most that are like its own.
const mostSimilar = 3

// Open reads a lesson whole and looks for others like it, for a pane P to take.
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
	like, _ := fx.Look.Similar(ctx, l, mostSimilar) // the card is good without them
	m := Opened{Lesson: l, Similar: like, Against: fx.Corpus.Opposing(ctx, l)}
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

// Decide makes a decision on lessons as the person saw them.
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

// Again gives the lesson that was just rejected another reason.
func (fx Desk) Again(id lessons.ID, reason string) kit.Job {
	return func(context.Context) tea.Msg {
		before, after, err := curate.RejectAgain(fx.Corpus, id, reason)
		return fx.Decided(DecidedMsg{Action: curate.Reject.Because(reason), Before: []lessons.Lesson{before}, After: []lessons.Lesson{after}, Err: err})
	}
}

// What merging and settling are called in the journal and on the status line.
var (
	merging  = curate.Action{Op: lessons.OpMerge, Verb: "merge", Done: "merged", Rewords: true}
	settling = curate.Action{Op: lessons.OpResolve, Verb: "settle", Done: "settled", Rewords: true}
)

// Merge makes one lesson of several.
func (fx Desk) Merge(m curate.Merge) kit.Job {
	return func(context.Context) tea.Msg {
		after, err := fx.Corpus.Merge(m)
		return fx.Decided(DecidedMsg{Action: merging, Before: m.All(), After: after, Err: err})
	}
}

// Settle ends a contradiction.
func (fx Desk) Settle(s curate.Settlement) kit.Job {
	return func(context.Context) tea.Msg {
		keep, lose, err := fx.Corpus.Settle(s)
		return fx.Decided(DecidedMsg{Action: settling, Before: []lessons.Lesson{s.Keep, s.Lose}, After: []lessons.Lesson{keep, lose}, Err: err})
	}
}

// Decided notes what a decision has written, and is the answer.
func (fx Desk) Decided(m DecidedMsg) tea.Msg {
	if m.Err == nil {
		fx.Shared.Wrote(m.After...)
	}
	return m
}

// UndoneMsg answers undo and redo.
type UndoneMsg struct {
	Op      string     // undo or redo
	Of      lessons.Op // what it took back or did again
	Changes []lessons.Change
	Err     error
}

// TakeBack undoes the last decision.
func (fx Desk) TakeBack() kit.Job { return fx.back("undo", fx.Corpus.Undo) }

// DoAgain redoes what was undone.
func (fx Desk) DoAgain() kit.Job { return fx.back("redo", fx.Corpus.Redo) }

func (fx Desk) back(op string, step func(n int) ([]lessons.Change, error)) kit.Job {
	return func(context.Context) tea.Msg {
		changes, err := step(1)
		for _, c := range changes {
			if c.After != nil {
				fx.Shared.Wrote(*c.After)
			}
		}
		m := UndoneMsg{Op: op, Changes: changes, Err: err}
		if len(changes) > 0 {
			m.Of = changes[0].Turned
		}
		return m
	}
}

// SyncedMsg answers sync.
type SyncedMsg struct {
	Changed int    // lessons that the index did not know like that
	Foreign int    // of these, the ones that this program did not write
	Unread  string // what files are no lessons, and why; "" for none
	Err     error
}

// Sync brings the index up to what the store has, edits by hand included. One
// may wait while another is under way; a third would have nothing to add.
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
		if behind { // by how many is not known
			m.Changed, m.Foreign = max(m.Changed, 1), max(m.Foreign, 1)
		}
		return m
	}
}

// GlanceMsg asks to look whether there is something new, which costs little;
// newsMsg says that there is.
type (
	GlanceMsg struct{}
	NewsMsg   struct{}
)

// News asks whether another program has brought the index further than our last
// sync, unless one is under way.
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

// ListProjects asks for the names to choose from.
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
