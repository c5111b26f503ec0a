package tui

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
	"learnings/lessons/stance"
	"learnings/tui/card"
	"learnings/tui/kit"
)

// This file has everything that the screens do to the world. The rules are:
//
//   - An effect is a [job]: it gets values, never a pane, and answers with one
//     message that carries what it was asked, the result and the error.
//   - Every change to the corpus goes through [curate.Corpus], which knows what
//     may be decided and refuses what has changed since the person saw it.

// effects are what the panes may do. Copies of it share their state.
type effects struct {
	Config
	changes
	look   lookup
	shared *shared
	keys   keymap // those that the person chose
}

// changes are the effects that change the corpus.
type changes struct {
	corpus *curate.Corpus
	done   func(...lessons.Lesson) // notes what was written
}

// A lookup finds lessons for the panes. It is the corpus, except in tests.
type lookup interface {
	Search(context.Context, index.Query) (index.Page, error)
	Similar(ctx context.Context, l lessons.Lesson, n int) ([]index.Hit, error)
}

// indexed looks lessons up in the index of a corpus.
type indexed struct{ *curate.Corpus }

func (x indexed) Search(ctx context.Context, q index.Query) (index.Page, error) {
	return x.Index.Search(ctx, q)
}

// Now is the time by the clock of the corpus.
func (fx effects) Now() time.Time { return fx.Corpus.Now() }

// shared is the state that jobs share.
type shared struct {
	mu    sync.Mutex
	fresh map[lessons.ID]bool // written by this program, and not seen by a sync yet

	opened   [screens]newest // the requests of each screen to open a lesson
	sought   [screens]newest // and to search
	counted  newest          // and of Browse to count
	near     newest          // and of Review for the turns around the evidence
	foreseen newest          // and for what approving does

	surveys [surveys]atomic.Pointer[[]finding] // nil until there is one

	// Every question maps the files of the index anew: of lists one is asked at a time,
	// and of what else is shown another. Surveys hold much of all lessons.
	lists, others, comparing turns

	follower *curate.Follower // used under syncing only
	syncing  sync.Mutex
	waiting  chan struct{} // holds one: the sync that waits for the one under way

	working sync.WaitGroup // the jobs under way
	busy    atomic.Int32   // how many these are
	closed  bool           // no job begins any more; guarded by mu
}

func newShared(c *curate.Corpus) *shared {
	return &shared{fresh: map[lessons.ID]bool{}, follower: curate.NewFollower(&c.Library), waiting: make(chan struct{}, 1), lists: make(turns, 1), others: make(turns, 1), comparing: make(turns, 1)}
}

// newest is the number of the last request of a kind. Older ones that have not begun are
// dropped: a person types and moves faster than the index answers.
type newest struct{ seq atomic.Int64 }

// ask notes a request, and reports that it is no other part of the newest.
func (n *newest) ask(seq int) bool { return n.seq.Swap(int64(seq)) != int64(seq) }

// is reports whether a request is the newest.
func (n *newest) is(seq int) bool { return n.seq.Load() == int64(seq) }

// none drops the requests that there are.
func (n *newest) none() { n.ask(noRequest) }

// noRequest is before all others.
const noRequest = -1

// turns let one at a time.
type turns chan struct{}

// take waits for a turn, and reports false when ctx ended before. It is given back.
func (t turns) take(ctx context.Context) bool {
	select {
	case t <- struct{}{}:
		return true
	case <-ctx.Done():
		return false
	}
}

func (t turns) giveBack() { <-t }

// work runs a job, unless the screens are gone.
func (s *shared) work(ctx context.Context, j kit.Job) tea.Msg {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return nil
	}
	s.working.Add(1)
	s.mu.Unlock()
	defer s.working.Done()
	s.busy.Add(1)
	defer s.busy.Add(-1)
	return j(ctx)
}

// close lets no further job begin and waits for those under way, whose context
// the caller has ended. Afterwards nothing of this program writes.
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

// foundMsg answers find.
type foundMsg struct {
	to    screen
	seq   int
	from  int // where in the order of all lessons the page begins
	page  index.Page
	lanes []lessons.Lane // of each hit, for Review: it takes too long for an update
	err   error
}

// find asks for a page of lessons. A person types faster than we answer: a
// request that a newer one has replaced is dropped, also while it is under way, and of
// Browse what was asked about the lessons that it found.
func (fx effects) find(to screen, seq int, q index.Query) kit.Job {
	if fx.shared.sought[to].ask(seq) && to == onBrowse {
		fx.shared.counted.none()
		fx.shared.opened[to].none()
	}
	return func(ctx context.Context) tea.Msg {
		if !fx.shared.lists.take(ctx) {
			return nil
		}
		defer fx.shared.lists.giveBack()
		if !fx.shared.sought[to].is(seq) {
			return nil
		}
		q.Now, q.Unjudged = fx.Now(), true
		p, err := fx.look.Search(ctx, q)
		if ctx.Err() != nil {
			return nil
		}
		m := foundMsg{to: to, seq: seq, from: q.Offset, page: p, err: err}
		for i := 0; to == onReview && i < len(p.Hits); i++ {
			l := p.Hits[i].Lesson
			m.lanes = append(m.lanes, lessons.LaneAs(l, len(card.Flags(l)) > 0)) // for each letter of a search
		}
		return m
	}
}

// openedMsg answers open.
type openedMsg struct {
	to      screen
	seq     int
	lesson  lessons.Lesson // as it is on disk now
	similar []index.Hit
	against []stance.Contrary // lessons that contradict it, those first that matter most
	places  []string          // where it is published
	guard   string            // what it stops
	gone    []lessons.Doubt   // it names what its project no longer has
	err     error
}

// mostSimilar is how many lessons a card names at most that are like its own.
const mostSimilar = 3

// open reads a lesson whole and looks for others like it. A person runs through
// a list faster than we answer: a request that a newer one has replaced is
// dropped.
func (fx effects) open(to screen, seq int, id lessons.ID) kit.Job {
	fx.shared.opened[to].ask(seq)
	return func(ctx context.Context) tea.Msg {
		if !fx.shared.others.take(ctx) {
			return nil
		}
		defer fx.shared.others.giveBack()
		if !fx.shared.opened[to].is(seq) {
			return nil
		}
		l, err := fx.Corpus.Store.Get(id)
		if err != nil {
			return openedMsg{to: to, seq: seq, err: fmt.Errorf("reading %s: %w", id, err)}
		}
		like, _ := fx.look.Similar(ctx, l, mostSimilar) // the card is good without them
		m := openedMsg{to: to, seq: seq, lesson: l, similar: like, against: fx.Corpus.Opposing(ctx, l)}
		if ctx.Err() != nil {
			return nil
		}
		if fx.Published != nil {
			m.places = fx.Published(l)
		}
		if fx.Guarded != nil {
			m.guard = fx.Guarded(l)
		}
		if fx.Outdated != nil {
			m.gone = fx.Outdated(ctx, l)
		}
		return m
	}
}

// decide makes a decision on lessons as the person saw them.
func (fx changes) decide(a curate.Action, c chosen) kit.Job {
	return func(context.Context) tea.Msg {
		if !c.marked {
			l, err := fx.corpus.Decide(a, c.ls[0])
			return fx.decided(decidedMsg{action: a, before: c.ls, after: []lessons.Lesson{l}, again: c.again, err: err})
		}
		b, err := fx.corpus.DecideMany(a, c.ls)
		if err != nil {
			b.Before, _ = a.Apart(c.ls)
		}
		return fx.decided(decidedMsg{action: a, before: b.Before, after: b.After, left: b.Left, again: c.again, err: err})
	}
}

// again gives the lesson that was just rejected another reason.
func (fx changes) again(id lessons.ID, reason string) kit.Job {
	return func(context.Context) tea.Msg {
		before, after, err := curate.RejectAgain(fx.corpus, id, reason)
		return fx.decided(decidedMsg{action: curate.Reject.Because(reason), before: []lessons.Lesson{before}, after: []lessons.Lesson{after}, err: err})
	}
}

// What merging and settling are called in the journal and on the status line.
var (
	merging  = curate.Action{Op: lessons.OpMerge, Verb: "merge", Done: "merged", Rewords: true}
	settling = curate.Action{Op: lessons.OpResolve, Verb: "settle", Done: "settled", Rewords: true}
)

// merge makes one lesson of several.
func (fx changes) merge(m curate.Merge) kit.Job {
	return func(context.Context) tea.Msg {
		after, err := fx.corpus.Merge(m)
		return fx.decided(decidedMsg{action: merging, before: m.All(), after: after, err: err})
	}
}

// settle ends a contradiction.
func (fx changes) settle(s curate.Settlement) kit.Job {
	return func(context.Context) tea.Msg {
		keep, lose, err := fx.corpus.Settle(s)
		return fx.decided(decidedMsg{action: settling, before: []lessons.Lesson{s.Keep, s.Lose}, after: []lessons.Lesson{keep, lose}, err: err})
	}
}

func (fx changes) decided(m decidedMsg) tea.Msg {
	if m.err == nil {
		fx.done(m.after...)
	}
	return m
}

// undoneMsg answers undo and redo.
type undoneMsg struct {
	op      string     // undo or redo
	of      lessons.Op // what it took back or did again
	changes []lessons.Change
	err     error
}

func (fx changes) undo() kit.Job { return fx.back("undo", fx.corpus.Undo) }
func (fx changes) redo() kit.Job { return fx.back("redo", fx.corpus.Redo) }

func (fx changes) back(op string, step func(n int) ([]lessons.Change, error)) kit.Job {
	return func(context.Context) tea.Msg {
		changes, err := step(1)
		for _, c := range changes {
			if c.After != nil {
				fx.done(*c.After)
			}
		}
		m := undoneMsg{op: op, changes: changes, err: err}
		if len(changes) > 0 {
			m.of = changes[0].Turned
		}
		return m
	}
}

// syncedMsg answers sync.
type syncedMsg struct {
	changed int    // lessons that the index did not know like that
	foreign int    // of these, the ones that this program did not write
	unread  string // what files are no lessons, and why; "" for none
	err     error
}

// sync brings the index up to what the store has, edits by hand included. One
// may wait while another is under way; a third would have nothing to add.
func (fx effects) sync() kit.Job {
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
		n, behind, err := fx.shared.follower.Sync(ctx)
		m := syncedMsg{changed: n, foreign: max(n-own, 0), err: err}
		if bad := fx.Corpus.Unread(); bad != nil {
			m.unread = bad.Error()
		}
		if own > 0 && err == nil && fx.Publish != nil {
			if err := fx.Publish(ctx); err != nil {
				m.unread = err.Error()
			}
		}
		if behind { // by how many is not known
			m.changed, m.foreign = max(m.changed, 1), max(m.foreign, 1)
		}
		return m
	}
}

// glanceMsg asks to look whether there is something new, which costs little;
// newsMsg says that there is.
type (
	glanceMsg struct{}
	newsMsg   struct{}
)

// news asks whether another program has brought the index further than our last
// sync, unless one is under way.
func (fx effects) news() kit.Job {
	return func(ctx context.Context) tea.Msg {
		if !fx.shared.syncing.TryLock() {
			return nil
		}
		defer fx.shared.syncing.Unlock()
		if !fx.shared.follower.Moved(ctx) {
			return nil
		}
		return newsMsg{}
	}
}
