package tui

import (
	"errors"
	"maps"
	"slices"

	tea "charm.land/bubbletea/v2"

	"learnings/index"
	"learnings/index/curate"
	"learnings/lessons"
	"learnings/tui/card"
	"learnings/tui/kit"
	"learnings/tui/look"
)

// A review is the queue of proposals and the card of the current one.
type review struct {
	fx   effects
	w, h int
	queue
	filter    kit.Filter // which proposals are shown
	load      load
	card      card.Card
	near      nearby        // the turns around the evidence of the card
	last      curate.Action // for repeating
	order     index.Sort    // that the person asked for; "" for the usual one
	given     curate.Given  // for which reasons lessons were rejected
	turned    chosen        // down a moment ago: r gives it another reason
	decidedOn int           // proposals, here
	model     string        // that is at hand; "" for none
	checks    checks        // of the working tree
	mine      stock         // where proposals come from, for the person who has none
	drawn     *drawnCard
	narrow    bool // the turns around the evidence are not to be seen beside the card
	err       error

	stocked bool // there are active lessons, or it is not known yet
}

// A load is the state of the questions to the index that fill a list.
type load struct {
	seq    int   // of the newest; older answers are dropped
	asking bool  // an answer is still to come
	done   bool  // the first answer is there
	making bool  // there is no index yet
	want   sieve // of the newest question
	of     sieve // of the rows
	again  bool  // ask again when the index has what came back
	next   []lessons.Lesson
	back   lessons.ID // a lesson on which a decision failed, where the cursor goes
}

// A sieve is a filter as it was asked for, and the order in which it gives lessons.
type sieve struct {
	query string
	order index.Sort
}

// How many lessons are asked for at once. The first answer of all fills any screen and
// comes fast; later ones are shown when they are whole.
const (
	firstStep = 80
	step      = 500
)

func newReview(fx effects) review {
	return review{fx: fx, queue: queue{anchor: -1, lane: lessons.Likely}, stocked: true, drawn: &drawnCard{}, checks: checks{due: true}}
}

// start asks for the queue.
func (p review) start() (review, kit.Out) {
	var first kit.Out
	if p.load.seq == 0 {
		p.given = curate.Given{Usual: curate.Reasons[0]}
		first = kit.Run(p.fx.given())
	}
	q, err := p.pending(0)
	p.filter.Err = err
	if err != nil {
		return p, kit.Out{} // what is shown stays until the filter can be read
	}
	p.load.seq++
	p.load.want = sieve{p.filter.Query, q.Order()}
	p.load.asking, p.load.next = true, nil
	return p, kit.Run(p.fx.find(onReview, p.load.seq, q)).And(first)
}

// pending is the query for a part of the queue under the filter. A status in the
// filter means nothing here: the queue is what is pending.
func (p review) pending(from int) (index.Query, error) {
	q, err := index.ParseQuery(p.filter.Query)
	q.Filters = slices.DeleteFunc(q.Filters, func(f index.Filter) bool { return f.Field == index.Status })
	if p.order != "" && q.Order() != index.Relevance {
		q.Sort = p.order
	}
	q = curate.Waiting(q)
	q.Prefix, q.AllWords = p.filter.Typing, true
	q.Offset, q.Limit = from, step
	if from == 0 && !p.load.done {
		q.Limit = firstStep
	}
	return q, err
}

func (p review) resize(w, h int) review {
	p.w, p.h = w, h
	p.cur.Tall = 2
	if kit.SplitBody(w, h).Stacked {
		p.cur.Tall = 1
	}
	p.queue = p.resized(p.listHeight())
	return p.scrollCard(0)
}

func (p review) listHeight() int { return splitOf(p).Lh }

// cardSize is the room for the text of the card.
func (p review) cardSize() (w, h int) {
	s := splitOf(p)
	return s.Cw - 2, s.Ch
}

// unseen takes the answer of a job while another pane is shown.
func (p review) unseen(msg tea.Msg) (review, kit.Out) { return p.Update(msg) }

// shownAgain has nothing to do: the queue follows every change.
func (p review) shownAgain() (review, kit.Out) { return p, kit.Out{} }

// themed has nothing to do: nothing is kept drawn.
func (p review) themed(*look.Style) (review, kit.Out) { return p, kit.Out{} }

func (p review) typing() bool { return p.filter.Typing }

// tab is what the header says after the pane's name.
func (p review) tab() string {
	if !p.load.done {
		return ""
	}
	return kit.Grouped(p.waiting().all())
}

// current is the lesson under the cursor, read whole if the card has it.
func (p review) current() (lessons.Lesson, bool) {
	if p.cur.At >= len(p.rows) {
		return lessons.Lesson{}, false
	}
	l := p.rows[p.cur.At]
	if p.card.Lesson.ID == l.ID && p.card.Whole {
		return p.card.Lesson, true
	}
	return l, true
}

// meant are the lessons that the next key is for.
func (p review) meant() chosen {
	if x, ok := clusterOf(p); ok {
		return chosen{ls: x.proposals(), marked: true}
	}
	l, ok := p.current()
	return choose(p.marks, p.rows, l, ok)
}

// Update takes answers and what a dialog decided.
func (p review) Update(msg tea.Msg) (review, kit.Out) {
	switch m := msg.(type) {
	case foundMsg:
		if m.to != onReview || m.seq != p.load.seq {
			return p, kit.Out{}
		}
		return p.found(m)
	case openedMsg:
		if m.to == onReview && m.seq == p.card.Seq {
			p.card = opened(p.card, p.seenFresh(m))
			if m.err == nil && p.cur.At < len(p.rows) && p.rows[p.cur.At].ID == m.lesson.ID {
				p.queue = p.set(p.cur.At, m.lesson)
			}
			if m.err == nil {
				return p, kit.Run(readNear(p.fx, m.seq, m.lesson))
			}
		}
	case nearMsg, foreseenMsg:
		return seenAround(p, m)
	case decidedMsg:
		return p.decided(m)
	case undoneMsg:
		return p.undone(m)
	case syncedMsg:
		return synced(p, m)
	case decideMsg:
		if m.sure {
			p, o := p.decide(m.action, m.chosen)
			if len(m.stay) > 0 {
				p.marks = p.marks.With(true, m.stay...)
			}
			return p, o
		}
		return p.ask(m.action, m.chosen)
	case givenMsg:
		if p.decidedOn == 0 {
			p.given = m.Given
		}
	case approveTextMsg:
		return approveTyped(p, m)
	case anewMsg:
		p.given = p.given.With(m.reason, 1)
		return p, kit.Out{Writes: []kit.Job{p.fx.again(m.id, m.reason)}}
	case confrontedMsg:
		return p.confronted(m)
	case curate.Settlement:
		return p.settled(m)
	case ofSessionMsg, approvedMsg, clustersMsg, clusterIsMsg, outdatedMsg:
		return queueTold(p, m)
	case relatedMsg:
		if p.card.Whole && p.cur.At < len(p.rows) {
			return p, kit.Run(p.fx.open(onReview, p.card.Seq, p.rows[p.cur.At].ID))
		}
	case curate.Merge:
		return p.merge(m)
	case rewordedMsg:
		return offerShown(p, m)
	case editedMsg:
		if m.on == onReview {
			return p.decide(m.action, m.chosen)
		}
	case readOnMsg:
		return readOn(p, m)
	case kit.ClickMsg, kit.WheelMsg:
		return queuePointed(p, m)
	case tea.PasteMsg:
		if p.filter.Typing {
			return p.typed(m)
		}
	case kit.PressMsg:
		p, o, _ := keysOf(p).Press(p, m.Key)
		return p, o
	}
	return p, kit.Out{}
}

// synced reads anew what others have changed.
func synced(p review, m syncedMsg) (review, kit.Out) {
	p, check := checking(p, m.foreign > 0 || m.changed > 0 && p.checks.old)
	if m.foreign == 0 && p.load.done && !(p.load.again && m.changed > 0) {
		return p, check
	}
	p.load.again, p.clusters.old = false, true
	p, o := p.start()
	return p, check.And(o)
}

// found takes a part of the queue. The first list fills as its parts arrive; a later
// one replaces it when it is whole, so that nothing jumps.
func (p review) found(m foundMsg) (review, kit.Out) {
	first := !p.load.done
	if p.load.making = errors.Is(m.err, index.ErrNoIndex); p.load.making {
		return p, kit.Out{} // the sync under way makes an index
	}
	p.err = m.err
	if m.err != nil {
		p.load.asking, p.load.done = false, true
		return p, kit.Warn("what waits could not be read: %v", m.err)
	}
	next := p.load.next
	if m.from == 0 || p.lanes == nil {
		p.lanes = map[lessons.ID]lessons.Lane{}
	}
	p.lanes = maps.Clone(p.lanes)
	for i, h := range m.page.Hits {
		if l := h.Lesson; !p.isAway(l) && !l.Snoozed(p.fx.Now()) {
			next = append(next, l)
			p.lanes[l.ID] = m.lanes[i]
		}
	}
	p.load.next = next
	q, err := p.pending(m.from + len(m.page.Hits))
	p.load.asking = err == nil && len(m.page.Hits) > 0 && q.Offset < m.page.Total
	var more kit.Out
	if p.load.asking {
		more = kit.Run(p.fx.find(onReview, p.load.seq, q))
	}
	if p.load.asking && !first {
		return p, more
	}
	p.load.done = !p.load.asking
	was, _ := p.current()
	p.partial = p.load.want.query != ""
	sought, sorted := p.load.of.query != p.load.want.query, p.load.of.order != p.load.want.order
	if sought { // under the same filter, what is gone was decided on
		p.hidden = p.waiting().less(p.laid(next).sizes())
		if p.load.want.query != "" && len(next) > 0 {
			was = next[0] // what the person looks for
		}
	} else if sorted && len(next) > 0 {
		was = next[0] // what comes first in the order that the person asked for
	}
	if p.load.of = p.load.want; p.load.of.query == "" {
		p.hidden = waiting{}
	}
	p.ranked = p.load.of.order != index.Queue
	if sought || sorted || p.decidedOn == 0 && p.cur.At == 0 {
		p.places = nil // nobody is on the way through them
	}
	p.queue = settleLane(p, next, sought, first).put(next, p.load.back, was.ID)
	p.load.back = ""
	p.queue = p.resized(p.listHeight())
	p, look := p.look()
	p, compare := comparing(p)
	p, check := checking(p, false)
	return p, more.And(look).And(compare).And(check)
}

// sifting reports whether the rows are still those of another filter than the one that
// the person has typed.
func (l load) sifting() bool { return l.asking && l.of.query != l.want.query }

// look opens the current lesson on the card, if it is not there already.
func (p review) look() (review, kit.Out) {
	if p.cur.At >= len(p.rows) || p.lane == curate.Duplicates {
		p.card = card.Card{Seq: p.card.Seq + 1}
		return p, kit.Out{}
	}
	l := p.rows[p.cur.At]
	if p.card.Lesson.ID == l.ID && (p.card.Whole || p.card.Seq > 0) && p.card.Lesson.Rev == l.Rev {
		return p, kit.Out{}
	}
	p.card = card.Card{Lesson: l, Seq: p.card.Seq + 1, Diff: p.card.Diff}
	p.fx.shared.near.ask(p.card.Seq) // what the last card still asks keeps nobody waiting
	p.fx.shared.foreseen.ask(p.card.Seq)
	return p, kit.Run(p.fx.open(onReview, p.card.Seq, l.ID))
}

// at moves to another row.
func (p review) at(l kit.List) (review, kit.Out) {
	p.cur, p.turned = l, chosen{}
	if p.anchor >= 0 {
		lo, hi := min(p.anchor, l.At), max(p.anchor, l.At)
		p.marks = kit.Marks{}.With(true, p.rows[lo:min(hi+1, len(p.rows))]...)
	}
	return p.look()
}

// approve approves, but shows first which active lesson contradicts the one that is
// approved.
func (p review) approve() (review, kit.Out) {
	c := p.meant()
	may, left := c.apart(curate.Approve)
	if len(may) == 1 && !c.marked && len(card.Flags(may[0])) > 0 {
		return p, kit.Ask(typedYes{chosen: c, action: curate.Approve, in: kit.NewField("")})
	}
	if len(may) != 1 || len(left) > 0 {
		return p.ask(curate.Approve, c)
	}
	if l := may[0]; p.card.Whole && p.card.Lesson.ID == l.ID {
		if other, ok := curate.Active(p.card.Against); ok {
			return p, kit.Run(p.fx.confront(onReview, l.ID, other.ID, &c))
		}
		return p.decide(curate.Approve, c)
	}
	p.last, p.turned = curate.Approve, chosen{}
	return p.made(p.fx.approveUnseen(c), may)
}

// confronted shows what contradicts a lesson, or approves it when nothing does any
// more.
func (p review) confronted(m confrontedMsg) (review, kit.Out) {
	switch {
	case m.on != onReview:
		return p, kit.Out{}
	case m.approving != nil && m.over:
		if p.find(m.mine.ID) < 0 {
			return p, kit.Out{}
		}
		return p.decide(curate.Approve, *m.approving) // as it was shown, not as it may be by now
	}
	return p, m.show(p.fx)
}

// ask makes a decision, after a question where it needs one.
func (p review) ask(a curate.Action, c chosen) (review, kit.Out) {
	if o, goAhead := c.before(p.fx, a); !goAhead {
		return p, o
	}
	return p.decide(a, c)
}

// decide shows the decision as made and asks for it to be.
func (p review) decide(a curate.Action, c chosen) (review, kit.Out) {
	aged := p.lane == curate.Outdated
	if a.Repeats() && !aged {
		p.last = a
	}
	p.turned = chosen{}
	if a.Op == lessons.OpReject {
		p.given = p.given.With(a.Reason, len(c.ls))
		if _, named := curate.Named(a.Reason); len(c.ls) == 1 && !named {
			p.turned = c
		}
	}
	write := p.fx.decide(a, c)
	ls, _ := c.apart(a)
	if a.Leaves || aged && !a.Rewords {
		return p.made(write, ls)
	}
	p.queue = p.unmarked().begin(ls)
	p.clusters.old = p.clusters.old || a.Rewords
	return p.shown(a, ls), kit.Out{Writes: []kit.Job{write}}
}

// shown shows an action that leaves the lessons in the queue as made.
func (p review) shown(a curate.Action, ls []lessons.Lesson) review {
	by, now := p.fx.Corpus.By, p.fx.Now()
	for _, l := range ls {
		i := p.find(l.ID)
		if i < 0 {
			continue
		}
		next, err := a.Preview(p.rows[i], by, now)
		if err != nil {
			continue // the store will say why
		}
		p.queue = p.set(i, next)
		if p.card.Lesson.ID == l.ID {
			if next, err = a.Preview(p.card.Lesson, by, now); err == nil {
				p.card.Lesson = next
			}
		}
	}
	return p
}

// decided takes the answer: what failed comes back into the queue.
func (p review) decided(m decidedMsg) (review, kit.Out) {
	p.queue = p.end(m.before)
	if m.err != nil && len(m.before) > 0 {
		was := len(p.away)
		for _, l := range m.before {
			p.queue = p.back(l.ID)
		}
		p.decidedOn = max(p.decidedOn-(was-len(p.away)), 0)
		p.load.back = m.before[0].ID
		p.card = card.Card{Seq: p.card.Seq + 1} // read it again
		return p.start()
	}
	p.checks.old = p.checks.old || slices.ContainsFunc(m.before, isActive)
	for _, l := range m.after {
		i := p.find(l.ID)
		p.clusters = p.clusters.with(l)
		if i < 0 || l.Status != lessons.Pending && p.lane != curate.Outdated || p.writes[l.ID] > 0 || p.lane == curate.Duplicates {
			continue // with another change under way, what is shown is newer than this answer
		}
		p.queue = p.set(i, l)
		if p.card.Lesson.ID == l.ID {
			p.card.Lesson = l
		}
	}
	return p, kit.Out{}
}

// typed is a key, or pasted text, while the filter is being typed: the queue
// follows each one.
func (p review) typed(msg tea.Msg) (review, kit.Out) {
	was := p.filter.Query
	var o kit.Out
	p.filter, o = p.filter.Typed(msg)
	p = p.resize(p.w, p.h)
	if p.filter.Query == was {
		return p, o
	}
	p.queue = p.unmarked()
	p, found := p.start()
	return p, o.And(found)
}

// all takes the filter away.
func (p review) all() (review, kit.Out) {
	if p.filter.Query == "" {
		return p, kit.Out{}
	}
	p.filter = kit.Filter{}
	return p.resize(p.w, p.h).start()
}

// press does what a key is for.
func (p review) press(k tea.KeyPressMsg) (review, kit.Out, bool) {
	if p.filter.Typing {
		p, o := p.typed(k)
		return p, o, true
	}
	return keysOf(p).Press(p, k.String())
}

func (p review) Hints() []kit.Hint {
	if p.filter.Typing {
		return []kit.Hint{{Key: "enter", Foot: "keep the filter"}, {Key: "esc", Foot: "all"}}
	}
	all := keysOf(p).Hints(p)
	for i := range all {
		if all[i].Press == "." && !p.last.IsZero() {
			all[i].Foot, all[i].Desc = "again: "+p.last.Verb, p.last.Verb+" again"
		}
		if x, ok := clusterOf(p); ok && all[i].Press == "a" && len(x.chosen()) < 2 {
			all[i].Foot, all[i].Desc = "compare", "compare them side by side: less than two are in"
		}
	}
	return all
}

// settled shows a contradiction as settled and asks for it to be.
func (p review) settled(s curate.Settlement) (review, kit.Out) {
	var gone []lessons.Lesson
	if s.Approve {
		gone = append(gone, s.Keep)
	}
	if !s.Both && !s.Narrow {
		gone = append(gone, s.Lose)
	}
	p.card = card.Card{Seq: p.card.Seq + 1} // what it contradicts has changed
	return p.made(p.fx.settle(s), gone)
}

// merge shows the merge as made and asks for it to be.
func (p review) merge(m curate.Merge) (review, kit.Out) {
	gone := m.From
	if m.Approve || m.Into.Status != lessons.Pending {
		gone = m.All()
	}
	return p.made(p.fx.merge(m), gone)
}

// made asks for a decision that takes lessons out of the queue, and shows them as
// gone.
func (p review) made(write kit.Job, gone []lessons.Lesson) (review, kit.Out) {
	p.queue = p.queue.unmarked().without(gone)
	p.decidedOn += len(gone)
	p, look := p.look()
	return p, kit.Out{Writes: []kit.Job{write}}.And(look)
}

// scrollCard scrolls the card, and what is beside it.
func (p review) scrollCard(by int) review {
	if p.card.Top += by; p.card.Top == 0 {
		return p
	}
	w, h := p.cardSize()
	p.card.Reject = reasonShown(p.given.Usual)
	s := splitOf(p)
	most := len(p.card.Leaf(w, h, s.Aw > 0, kit.Unseen)) - h
	if s.Aw > 0 {
		lines, from := p.around().beside(p.card, s.Aw-2, h, kit.Unseen)
		most = max(most, len(lines)-from-h)
	}
	p.card.Top = max(0, min(p.card.Top, most))
	return p
}

// opened is a card with what was read of its lesson.
func opened(c card.Card, m openedMsg) card.Card {
	if m.err != nil {
		c.Err = m.err
		return c
	}
	c.Lesson, c.Whole, c.Similar, c.Against, c.Places, c.Err = m.lesson, true, card.Alike(m.lesson, m.similar), m.against, m.places, nil
	c.Gone = m.gone
	return c
}
