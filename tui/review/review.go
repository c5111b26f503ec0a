package review

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"learnings/index"
	"learnings/index/curate"
	"learnings/lessons"
	"learnings/lessons/pairs"
	"learnings/tui/card"
	"learnings/tui/decide"
	"learnings/tui/desk"
	"learnings/tui/kit"
	"learnings/tui/reader"
)

// A Review is the queue of proposals and the card of the current one.
type Review struct {
	fx   desk.Desk
	w, h int
	Queue
	filter    kit.Filter // selects the proposals
	scope     desk.Scope
	load      load
	Card      card.Card
	cards     kit.Newest
	current   func() bool   // reports whether the card is the latest
	near      reader.Nearby // the turns around the evidence of the card
	last      curate.Action // to be repeated
	order     index.Sort    // chosen by the person; "" for the default
	given     curate.Given  // recent reasons of rejections
	turned    desk.Chosen   // rejected just before: r changes the reason
	decidedOn int           // proposals decided on since the start
	moved     bool          // the person has moved the cursor
	checks    checks        // of the working tree
	Mine      desk.Stock    // what to extract from, for an empty queue
	narrow    bool          // hide the turns around the evidence beside the card
	err       error

	stocked bool // there are active lessons, or this is unknown
}

// A load is the state of the queries that fill the list.
type load struct {
	newest kit.Newest
	begun  bool  // a query was sent
	asking bool  // an answer is pending
	done   bool  // the first answer has arrived
	making bool  // there is no index yet
	want   sieve // of the latest query
	of     sieve // of the rows
	again  bool  // query again after the next change: only the index knows whether the filter matches
	next   []lessons.Lesson
	back   lessons.ID // the lesson of a failed decision or an undo, where the cursor goes

	awaited map[lessons.ID]bool // brought back by an undo; a sync may index some of them, or none
}

// A sieve is the filter, scope and order of a query.
type sieve struct {
	query string // what the person typed
	scope string // its name
	order index.Sort
}

// whole reports whether the sieve keeps nothing back.
func (s sieve) whole() bool { return s.query == "" && s.scope == "" }

// keeps reports whether another sieve keeps the same rows, in whatever order.
func (s sieve) keeps(o sieve) bool { return s.query == o.query && s.scope == o.scope }

// Sizes of the parts of the queue. The first part fills any screen and comes fast.
const (
	firstStep = 80
	step      = 500
)

// New returns the screen. Start starts it.
func New(fx desk.Desk) Review {
	return Review{fx: fx, Queue: Queue{anchor: -1, Lane: lessons.Likely, project: fx.Next.Project}, stocked: true, checks: checks{due: true}, cards: kit.NewNewest(), load: load{newest: kit.NewNewest()}}
}

// Start loads the queue.
func (p Review) Start() (Review, kit.Out) {
	var first kit.Out
	if !p.load.begun {
		p.given = curate.Given{Usual: curate.Reasons[0]}
		first = kit.Run(readGiven(p.fx))
	}
	q, err := p.pending(0)
	p.filter.Err = err
	if err != nil {
		return p, kit.Out{} // the list stays until the filter can be parsed
	}
	p.load.want = sieve{p.sought(), p.scope.Name, q.Order()}
	p.load.begun, p.load.asking, p.load.next = true, true, nil
	return p, kit.Run(find(p.fx, p.load.newest.Next(), q)).And(first)
}

// readGiven reads the recent reasons of rejections.
func readGiven(fx desk.Desk) kit.Job {
	return fx.Shared.Others.In(func(ctx context.Context) tea.Msg {
		g, _ := curate.GivenLately(ctx, &fx.Corpus.Library) // without it the first reason is preselected
		return kit.Then[Review](func(p Review) (Review, kit.Out) {
			if p.decidedOn == 0 {
				p.given = g
			}
			return p, kit.Out{}
		})
	})
}

// find loads a part of the queue.
func find(fx desk.Desk, current func() bool, q index.Query) kit.Job {
	return kit.Asked(current, fx.Shared.Lists, func(ctx context.Context) kit.Then[Review] {
		page, err := fx.Search(ctx, q)
		return func(p Review) (Review, kit.Out) { return p.found(current, q.Offset, page, err) }
	})
}

// sought returns the words that select proposals. A new scope is read without them first,
// so that its tab counts all that waits in it.
func (p Review) sought() string {
	if p.scope.Name != p.load.of.scope {
		return ""
	}
	return p.filter.Query
}

// pending returns the query for a part of the queue. It ignores a status in the filter,
// since the queue is what is pending.
func (p Review) pending(from int) (index.Query, error) {
	q, err := index.ParseQuery(p.sought())
	q.Filters = slices.DeleteFunc(q.Filters, func(f index.Filter) bool { return f.Field == index.Status })
	if p.order != "" && q.Order() != index.Relevance {
		q.Sort = p.order
	}
	q = p.scope.On(curate.Waiting(q))
	q.Prefix, q.AllWords = p.filter.Typing, true
	q.Offset, q.Limit = from, step
	if from == 0 && !p.load.done {
		q.Limit = firstStep
	}
	return q, err
}

// Resize sets the size of the screen.
func (p Review) Resize(w, h int) Review {
	p.w, p.h = w, h
	p.Cur.Tall = 2
	if kit.SplitBody(w, h).Stacked {
		p.Cur.Tall = 1
	}
	p.Queue = p.resized(p.listHeight())
	return p.scrollCard(0)
}

func (p Review) listHeight() int { return splitOf(p).Lh }

// cardSize returns the size of the text of the card.
func (p Review) cardSize() (w, h int) {
	s := splitOf(p)
	return s.Cw - 2, s.Ch
}

func (p Review) Unseen(msg tea.Msg) (Review, kit.Out) { return p.Update(msg) }

// ShownAgain does nothing: the queue follows every change.
func (p Review) ShownAgain() (Review, kit.Out) { return p, kit.Out{} }

func (p Review) Typing() bool { return p.filter.Typing }

// Tab returns the count in the tab: what waits in the scope, without what may be a lesson.
func (p Review) Tab() string {
	if !p.load.done {
		return ""
	}
	return kit.Grouped(p.Waiting().Less(p.beyond).Due())
}

// Current returns the lesson under the cursor, read whole if the card has it.
func (p Review) Current() (lessons.Lesson, bool) {
	if p.Cur.At >= len(p.Rows) {
		return lessons.Lesson{}, false
	}
	l := p.Rows[p.Cur.At]
	if p.Card.Lesson.ID == l.ID && p.Card.Whole {
		return p.Card.Lesson, true
	}
	return l, true
}

// Related returns the lessons like the current one, and those contradicting it.
func (p Review) Related() (like []index.Hit, against []pairs.Contrary, known bool) {
	return p.Card.Similar, p.Card.Against, p.Card.Whole
}

func (p Review) Desk() desk.Desk { return p.fx }
func (p Review) On() desk.Screen { return desk.OnReview }

// Meant returns the lessons that the next key acts on.
func (p Review) Meant() desk.Chosen {
	if x, ok := ClusterOf(p); ok {
		return desk.Chosen{Ls: x.proposals(), Marked: true}
	}
	l, ok := p.Current()
	return desk.Choose(p.marks, p.Rows, l, ok)
}

func (p Review) Update(msg tea.Msg) (Review, kit.Out) {
	switch m := msg.(type) {
	case kit.Then[Review]:
		return m(p)
	case desk.ApprovedMsg:
		p.stocked = m.Err != nil || m.N > 0
	case desk.DecidedMsg:
		return p.decided(m)
	case desk.UndoneMsg:
		return p.undone(m)
	case desk.SyncedMsg:
		return synced(p, m)
	case desk.DecideMsg:
		if m.Sure {
			p, o := p.Decide(m.Action, m.Chosen)
			if len(m.Stay) > 0 {
				p.marks = p.marks.With(true, m.Stay...)
			}
			return p, o
		}
		return decide.Ask(p, m.Action, m.Chosen)
	case decide.ApproveTextMsg:
		return approveTyped(p, m)
	case decide.AnewMsg:
		p.given = p.given.With(m.Reason, 1)
		return p, kit.Out{Writes: []kit.Job{p.fx.Again(m.Id, m.Reason)}}
	case curate.Settlement:
		return p.Settle(m)
	case desk.ScopeMsg:
		p.scope = desk.Scope(m)
		return p.Start()
	case desk.RelatedMsg:
		if p.Card.Whole && p.Cur.At < len(p.Rows) {
			return p, kit.Run(desk.Open(p.fx, p.current, p.Rows[p.Cur.At].ID, Review.opened))
		}
	case curate.Merge:
		return p.merge(m)
	case desk.EditedMsg:
		if m.On == desk.OnReview {
			return p.Decide(m.Action, m.Chosen)
		}
	case desk.ReadOnMsg:
		return readOn(p, m)
	case kit.ClickMsg, kit.WheelMsg:
		return queuePointed(p, m)
	case tea.PasteMsg:
		if p.filter.Typing {
			return p.typed(m)
		}
	}
	return p, kit.Out{}
}

// synced reloads what others have changed.
func synced(p Review, m desk.SyncedMsg) (Review, kit.Out) {
	p, check := checking(p, m.Foreign > 0 || m.Changed > 0 && p.checks.old)
	if m.Foreign == 0 && p.load.done && !(p.load.again && m.Changed > 0) && len(p.load.awaited) == 0 {
		return p, check
	}
	p.load.again, p.clusters.old = false, true
	p, o := p.Start()
	return p, check.And(o)
}

// found takes a part of the queue. The first list fills as parts arrive; a later one
// replaces it when complete, so that nothing jumps.
func (p Review) found(current func() bool, from int, page index.Page, err error) (Review, kit.Out) {
	first := !p.load.done
	if p.load.making = errors.Is(err, index.ErrNoIndex); p.load.making {
		return p, kit.Out{} // the sync under way creates the index
	}
	p.err = err
	if err != nil {
		p.load.asking, p.load.done = false, true
		return p, kit.Warn("what waits could not be read: %v", err)
	}
	next := p.load.next
	if from == 0 || p.lanes == nil {
		p.lanes = map[lessons.ID]lessons.Lane{}
	}
	p.lanes = maps.Clone(p.lanes)
	for _, h := range page.Hits {
		if l := h.Lesson; !p.isAway(l) {
			next = append(next, l)
			p.lanes[l.ID] = h.Lane
		}
	}
	p.load.next = next
	q, err := p.pending(from + len(page.Hits))
	p.load.asking = err == nil && len(page.Hits) > 0 && q.Offset < page.Total
	var more kit.Out
	if p.load.asking {
		more = kit.Run(find(p.fx, current, q))
	}
	if p.load.asking && !first {
		return p, more
	}
	p.load.done = !p.load.asking
	was, _ := p.Current()
	p.partial = !p.load.want.whole()
	sought, sorted := !p.load.of.keeps(p.load.want), p.load.of.order != p.load.want.order
	if sought { // the filter is the same, so what is missing was decided on
		p.hidden = p.Waiting().Less(p.laid(next).sizes())
		if !p.load.want.whole() && len(next) > 0 {
			was = next[0] // the person looks for it
		}
	} else if sorted {
		was, p.Cur = lessons.Lesson{}, p.Cur.To(0) // the first one in the order the person chose
	}
	if p.load.of = p.load.want; p.load.of.whole() {
		p.hidden = lessons.Waiting{}
	}
	if sought && p.load.of.query == "" {
		p.beyond = p.hidden
	}
	p.ranked = p.load.of.order != index.Queue
	if untouched := p.decidedOn == 0 && !p.moved && p.batch.size <= ten; sought || sorted || untouched {
		p.Queue = p.anew()
		if untouched && was.ID != "" {
			p.Queue = p.brought(was.ID) // the card stays while the list fills
		}
	}
	p.Queue = settleLane(p, next, sought, first).put(next, p.load.back, was.ID)
	p.load.awaited = kit.Own(p.load.awaited)
	maps.DeleteFunc(p.load.awaited, func(id lessons.ID, _ bool) bool { _, here := p.lanes[id]; return here })
	if !p.load.awaited[p.load.back] {
		p.load.back = ""
	}
	p.Queue = p.resized(p.listHeight())
	p, look := p.look()
	p, compare := comparing(p)
	p, check := checking(p, false)
	more = more.And(look).And(compare).And(check)
	if p.filter.Query != p.load.of.query { // what waits in a new scope is known now
		p, look = p.Start()
		more = more.And(look)
	}
	return p, more
}

// sifting reports whether the rows are still those of the previous filter.
func (l load) sifting() bool { return l.asking && !l.of.keeps(l.want) }

// look loads the current lesson into the card, unless it is there.
func (p Review) look() (Review, kit.Out) {
	if p.Cur.At >= len(p.Rows) || p.Lane == curate.Duplicates {
		return p.blank(), kit.Out{}
	}
	l := p.Rows[p.Cur.At]
	if p.Card.Lesson.ID == l.ID && p.Card.Lesson.Rev == l.Rev {
		return p, kit.Out{}
	}
	diff := p.Card.Diff
	p = p.blank()
	p.Card = card.Card{Lesson: l, Diff: diff}
	return p, kit.Run(desk.Open(p.fx, p.current, l.ID, Review.opened))
}

// blank clears the card and drops its pending answers.
func (p Review) blank() Review {
	p.Card, p.current = card.Card{}, p.cards.Next()
	return p
}

// at moves to another row.
func (p Review) at(l kit.List) (Review, kit.Out) {
	p.Cur, p.turned, p.moved = l, desk.Chosen{}, true
	if p.anchor >= 0 {
		lo, hi := min(p.anchor, l.At), max(p.anchor, l.At)
		p.marks = kit.Marks{}.With(true, p.Rows[lo:min(hi+1, len(p.Rows))]...)
	}
	return p.look()
}

// approve approves the lesson, or shows an active lesson that contradicts it first.
func (p Review) approve() (Review, kit.Out) {
	c := p.Meant()
	may, left := c.Apart(curate.Approve)
	if len(may) == 1 && !c.Marked && len(card.Flags(may[0])) > 0 {
		return p, kit.Ask(decide.TypedYes{Chosen: c, Action: curate.Approve, In: kit.NewField("")})
	}
	if len(may) != 1 || len(left) > 0 {
		return decide.Ask(p, curate.Approve, c)
	}
	if l := may[0]; p.Card.Whole && p.Card.Lesson.ID == l.ID {
		if other, ok := curate.Active(p.Card.Against); ok {
			return p, kit.Run(decide.Approving(p.fx, c, other.ID, func(p Review, c desk.Chosen) (Review, kit.Out) {
				if p.find(c.Ls[0].ID) < 0 {
					return p, kit.Out{}
				}
				return p.Decide(curate.Approve, c)
			}))
		}
		return p.Decide(curate.Approve, c)
	}
	p.last, p.turned = curate.Approve, desk.Chosen{}
	return p.made(decide.ApproveUnseen(p.fx, c), may)
}

// Decide makes a decision and shows it as done.
func (p Review) Decide(a curate.Action, c desk.Chosen) (Review, kit.Out) {
	aged := p.Lane == curate.Outdated
	if a.Repeats() && !aged {
		p.last = a
	}
	p.turned = desk.Chosen{}
	if a.Op == lessons.OpReject {
		p.given = p.given.With(a.Reason, len(c.Ls))
		if _, named := curate.Named(a.Reason); len(c.Ls) == 1 && !named {
			p.turned = c
		}
	}
	write := p.fx.Decide(a, c)
	ls, _ := c.Apart(a)
	if a.Leaves || aged && !a.Rewords {
		return p.made(write, ls)
	}
	p.Queue = p.unmarked().begin(ls)
	p.clusters.old = p.clusters.old || a.Rewords
	return p.shown(a, ls), kit.Out{Writes: []kit.Job{write}}
}

// shown shows an action that leaves the lessons in the queue as done.
func (p Review) shown(a curate.Action, ls []lessons.Lesson) Review {
	by, now := p.fx.Corpus.By, p.fx.Now()
	for _, l := range ls {
		i := p.find(l.ID)
		if i < 0 {
			continue
		}
		next, err := a.Preview(p.Rows[i], by, now)
		if err != nil {
			continue // the store will report the error
		}
		p.Queue = p.set(i, next)
		if p.Card.Lesson.ID == l.ID {
			if next, err = a.Preview(p.Card.Lesson, by, now); err == nil {
				p.Card.Lesson = next
			}
		}
	}
	return p
}

// decided takes the result of a decision: what failed comes back into the queue.
func (p Review) decided(m desk.DecidedMsg) (Review, kit.Out) {
	p.Queue = p.end(m.Before)
	if m.Err != nil && len(m.Before) > 0 {
		was := len(p.away)
		for _, l := range m.Before {
			p.Queue = p.back(l.ID)
		}
		p.decidedOn = max(p.decidedOn-(was-len(p.away)), 0)
		p.load.back = m.Before[0].ID
		return p.blank().Start() // it reads the queue again
	}
	p.checks.old = p.checks.old || slices.ContainsFunc(m.Before, isActive)
	for _, l := range m.After {
		i := p.find(l.ID)
		p.clusters = p.clusters.with(l)
		if i < 0 || l.Status != lessons.Pending && p.Lane != curate.Outdated || p.writes[l.ID] > 0 || p.Lane == curate.Duplicates {
			continue // the row is newer than this result while another change is pending
		}
		p.Queue = p.set(i, l)
		if p.Card.Lesson.ID == l.ID {
			p.Card.Lesson = l
		}
	}
	return p, kit.Out{}
}

// typed handles a key or a paste while the filter is open. The queue follows the filter.
func (p Review) typed(msg tea.Msg) (Review, kit.Out) {
	was := p.filter.Query
	var o kit.Out
	p.filter, o = p.filter.Typed(msg)
	p = p.Resize(p.w, p.h)
	if p.filter.Query == was {
		return p, o
	}
	p.Queue = p.unmarked()
	p, found := p.Start()
	return p, o.And(found)
}

// all clears the filter.
func (p Review) all() (Review, kit.Out) {
	if p.filter.Query == "" {
		return p, kit.Out{}
	}
	p.filter = kit.Filter{}
	return p.Resize(p.w, p.h).Start()
}

func (p Review) Press(k tea.KeyPressMsg) (Review, kit.Out, bool) {
	if p.filter.Typing {
		p, o := p.typed(k)
		return p, o, true
	}
	return keysOf(p).Press(p, k.String())
}

func (p Review) Hints() []kit.Hint {
	if p.filter.Typing {
		return []kit.Hint{{Key: "enter", Foot: "keep the filter"}, {Key: "esc", Foot: "all"}}
	}
	all := keysOf(p).Hints(p)
	for i := range all {
		if all[i].Press == "." && !p.last.IsZero() {
			verb := strings.TrimSuffix(p.last.Verb, " of")
			all[i].Foot, all[i].Desc = "again: "+verb, verb+" again"
		}
		if x, ok := ClusterOf(p); ok && all[i].Press == "a" && len(x.Chosen()) < 2 {
			all[i].Foot, all[i].Desc = "compare", "compare them side by side: less than two are in"
		}
	}
	return all
}

// Settle settles a contradiction and shows that as done.
func (p Review) Settle(s curate.Settlement) (Review, kit.Out) {
	var gone []lessons.Lesson
	if s.Approve {
		gone = append(gone, s.Keep)
	}
	if !s.Both && !s.Narrow {
		gone = append(gone, s.Lose)
	}
	p = p.blank() // its contradictions have changed
	return p.made(p.fx.Settle(s), gone)
}

// merge makes a merge and shows it as done.
func (p Review) merge(m curate.Merge) (Review, kit.Out) {
	gone := m.From
	p.Queue = p.brought(m.Into.ID)
	if m.Approve || m.Into.Status != lessons.Pending {
		gone = m.All()
	}
	return p.made(p.fx.Merge(m), gone)
}

// made runs a decision that removes lessons from the queue and hides them.
func (p Review) made(write kit.Job, gone []lessons.Lesson) (Review, kit.Out) {
	p.Queue = p.Queue.unmarked().Without(gone)
	p.decidedOn += len(gone)
	p, look := p.look()
	return p, kit.Out{Writes: []kit.Job{write}}.And(look)
}

// scrollCard scrolls the card and the turns beside it.
func (p Review) scrollCard(by int) Review {
	if p.Card.Top += by; p.Card.Top == 0 {
		return p
	}
	w, h := p.cardSize()
	p.Card.Reject = desk.ReasonShown(p.given.Usual)
	s := splitOf(p)
	most := len(p.Card.Leaf(w, h, s.Aw > 0, kit.Unseen)) - h
	if s.Aw > 0 {
		lines, from := p.around().Beside(p.Card, s.Aw-2, h, kit.Unseen)
		most = max(most, len(lines)-from-h)
	}
	p.Card.Top = max(0, min(p.Card.Top, most))
	return p
}
