package tui

import (
	"errors"
	"maps"
	"slices"

	tea "charm.land/bubbletea/v2"

	"learnings/index"
	"learnings/index/curate"
	"learnings/lessons"
	"learnings/tui/look"
)

// A review is the queue of proposals and the card of the current one.
type review struct {
	fx   effects
	w, h int
	queue
	filter    filter // which proposals are shown
	load      load
	card      card
	last      curate.Action // for repeating
	order     index.Sort    // that the person asked for; "" for the usual one
	given     curate.Given  // for which reasons lessons were rejected
	turned    chosen        // down a moment ago: r gives it another reason
	pace      pace
	decidedOn int    // proposals, here
	model     string // that is at hand; "" for none
	checks    checks // of the working tree
	mine      stock  // where proposals come from, for the person who has none
	drawn     *drawnCard
	narrow    bool // the turns around the evidence are not to be seen beside the card
	err       error

	came     outcomes // of what was decided here
	undoable undoable
	later    later // what could be done when nothing is left
	stocked  bool  // there are active lessons, or it is not known yet
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
func (p review) start() (review, out) {
	var first out
	if p.load.seq == 0 {
		p.given = curate.Given{Usual: curate.Reasons[0]}
		first = run(p.fx.given())
	}
	q, err := p.pending(0)
	p.filter.err = err
	if err != nil {
		return p, out{} // what is shown stays until the filter can be read
	}
	p.load.seq++
	p.load.want = sieve{p.filter.query, q.Order()}
	p.load.asking, p.load.next = true, nil
	return p, run(p.fx.find(onReview, p.load.seq, q)).and(first)
}

// pending is the query for a part of the queue under the filter. A status in the
// filter means nothing here: the queue is what is pending.
func (p review) pending(from int) (index.Query, error) {
	q, err := index.ParseQuery(p.filter.query)
	q.Filters = slices.DeleteFunc(q.Filters, func(f index.Filter) bool { return f.Field == index.Status })
	if p.order != "" && q.Order() != index.Relevance {
		q.Sort = p.order
	}
	q = curate.Waiting(q)
	q.Prefix, q.AllWords = p.filter.typing, true
	q.Offset, q.Limit = from, step
	if from == 0 && !p.load.done {
		q.Limit = firstStep
	}
	return q, err
}

func (p review) resize(w, h int) review {
	p.w, p.h = w, h
	p.cur.tall = 2
	if splitBody(w, h).stacked {
		p.cur.tall = 1
	}
	p.queue = p.resized(p.listHeight())
	return p.scrollCard(0)
}

func (p review) listHeight() int { return splitOf(p).lh }

// cardSize is the room for the text of the card.
func (p review) cardSize() (w, h int) {
	s := splitOf(p)
	return s.cw - 2, s.ch
}

// unseen takes the answer of a job while another pane is shown.
func (p review) unseen(msg tea.Msg) (review, out) { return p.update(msg) }

// shownAgain has nothing to do: the queue follows every change.
func (p review) shownAgain() (review, out) { return p, out{} }

// themed has nothing to do: nothing is kept drawn.
func (p review) themed(*look.Style) (review, out) { return p, out{} }

func (p review) typing() bool { return p.filter.typing }

// tab is what the header says after the pane's name.
func (p review) tab() string {
	if !p.load.done {
		return ""
	}
	return grouped(p.waiting().all())
}

// current is the lesson under the cursor, read whole if the card has it.
func (p review) current() (lessons.Lesson, bool) {
	if p.cur.at >= len(p.rows) {
		return lessons.Lesson{}, false
	}
	l := p.rows[p.cur.at]
	if p.card.lesson.ID == l.ID && p.card.whole {
		return p.card.lesson, true
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

// update takes answers and what a dialog decided.
func (p review) update(msg tea.Msg) (review, out) {
	switch m := msg.(type) {
	case foundMsg:
		if m.to != onReview || m.seq != p.load.seq {
			return p, out{}
		}
		return p.found(m)
	case openedMsg:
		if m.to == onReview && m.seq == p.card.seq {
			p.card = p.card.opened(p.seenFresh(m))
			if m.err == nil && p.cur.at < len(p.rows) && p.rows[p.cur.at].ID == m.lesson.ID {
				p.queue = p.set(p.cur.at, m.lesson)
			}
			if m.err == nil {
				return p, run(readNear(p.fx, m.seq, m.lesson))
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
				p.marks = p.marks.with(true, m.stay...)
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
		return p, out{writes: []job{p.fx.again(m.id, m.reason)}}
	case confrontedMsg:
		return p.confronted(m)
	case curate.Settlement:
		return p.settled(m)
	case ofSessionMsg, approvedMsg, laterMsg, clustersMsg, clusterIsMsg, outdatedMsg:
		return queueTold(p, m)
	case relatedMsg:
		if p.card.whole && p.cur.at < len(p.rows) {
			return p, run(p.fx.open(onReview, p.card.seq, p.rows[p.cur.at].ID))
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
	case clickMsg, wheelMsg:
		return queuePointed(p, m)
	case tea.PasteMsg:
		if p.filter.typing {
			return p.typed(m)
		}
	case pressMsg:
		p, o, _ := keysOf(p).press(p, m.key)
		return p, o
	}
	return p, out{}
}

// synced reads anew what others have changed.
func synced(p review, m syncedMsg) (review, out) {
	p, check := checking(p, m.foreign > 0 || m.changed > 0 && p.checks.old)
	if m.foreign == 0 && p.load.done && !(p.load.again && m.changed > 0) {
		return p, check
	}
	p.load.again, p.clusters.old = false, true
	p, o := p.start()
	return p, check.and(o)
}

// found takes a part of the queue. The first list fills as its parts arrive; a later
// one replaces it when it is whole, so that nothing jumps.
func (p review) found(m foundMsg) (review, out) {
	first := !p.load.done
	if p.load.making = errors.Is(m.err, index.ErrNoIndex); p.load.making {
		return p, out{} // the sync under way makes an index
	}
	p.err = m.err
	if m.err != nil {
		p.load.asking, p.load.done = false, true
		return p, warn("what waits could not be read: %v", m.err)
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
	var more out
	if p.load.asking {
		more = run(p.fx.find(onReview, p.load.seq, q))
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
	if sought || sorted || p.decidedOn == 0 && p.cur.at == 0 {
		p.places = nil // nobody is on the way through them
	}
	p.queue = settleLane(p, next, sought, first).put(next, p.load.back, was.ID)
	p.load.back = ""
	if len(p.rows) > 0 {
		p.pace = p.pace.began(p.fx.Now())
	}
	p.queue = p.resized(p.listHeight())
	p, look := p.look()
	p, compare := comparing(p)
	p, check := checking(p, false)
	return p, more.and(look).and(compare).and(check)
}

// sifting reports whether the rows are still those of another filter than the one that
// the person has typed.
func (l load) sifting() bool { return l.asking && l.of.query != l.want.query }

// look opens the current lesson on the card, if it is not there already.
func (p review) look() (review, out) {
	if p.cur.at >= len(p.rows) || p.lane == curate.Duplicates {
		p.card = card{seq: p.card.seq + 1}
		if len(p.rows) == 0 && p.decidedOn > 0 && !p.later.asked {
			p.later.asked = true
			return p, run(worthwhile(p.fx))
		}
		return p, out{}
	}
	l := p.rows[p.cur.at]
	if p.card.lesson.ID == l.ID && (p.card.whole || p.card.seq > 0) && p.card.lesson.Rev == l.Rev {
		return p, out{}
	}
	p.card = card{lesson: l, seq: p.card.seq + 1, diff: p.card.diff}
	p.fx.shared.near.ask(p.card.seq) // what the last card still asks keeps nobody waiting
	p.fx.shared.foreseen.ask(p.card.seq)
	return p, run(p.fx.open(onReview, p.card.seq, l.ID))
}

// at moves to another row.
func (p review) at(l list) (review, out) {
	p.cur, p.turned = l, chosen{}
	if p.anchor >= 0 {
		lo, hi := min(p.anchor, l.at), max(p.anchor, l.at)
		p.marks = marks{}.with(true, p.rows[lo:min(hi+1, len(p.rows))]...)
	}
	return p.look()
}

// approve approves, but shows first which active lesson contradicts the one that is
// approved.
func (p review) approve() (review, out) {
	c := p.meant()
	may, left := c.apart(curate.Approve)
	if len(may) == 1 && !c.marked && len(flags(may[0])) > 0 {
		return p, ask(typedYes{chosen: c, action: curate.Approve, in: newField("")})
	}
	if len(may) != 1 || len(left) > 0 {
		return p.ask(curate.Approve, c)
	}
	if l := may[0]; p.card.whole && p.card.lesson.ID == l.ID {
		if other, ok := curate.Active(p.card.against); ok {
			return p, run(p.fx.confront(onReview, l.ID, other.ID, &c))
		}
		return p.decide(curate.Approve, c)
	}
	p.last, p.turned = curate.Approve, chosen{}
	return p.made(p.fx.approveUnseen(c), may)
}

// confronted shows what contradicts a lesson, or approves it when nothing does any
// more.
func (p review) confronted(m confrontedMsg) (review, out) {
	switch {
	case m.on != onReview:
		return p, out{}
	case m.approving != nil && m.over:
		if p.find(m.mine.ID) < 0 {
			return p, out{}
		}
		return p.decide(curate.Approve, *m.approving) // as it was shown, not as it may be by now
	}
	return p, m.show(p.fx)
}

// ask makes a decision, after a question where it needs one.
func (p review) ask(a curate.Action, c chosen) (review, out) {
	if o, goAhead := c.before(p.fx, a); !goAhead {
		return p, o
	}
	return p.decide(a, c)
}

// decide shows the decision as made and asks for it to be.
func (p review) decide(a curate.Action, c chosen) (review, out) {
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
		p, o := p.made(write, ls)
		o.gone = ls
		return p, o
	}
	p.queue = p.unmarked().begin(ls)
	p.clusters.old = p.clusters.old || a.Rewords
	return p.shown(a, ls), out{writes: []job{write}}
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
		if p.card.lesson.ID == l.ID {
			if next, err = a.Preview(p.card.lesson, by, now); err == nil {
				p.card.lesson = next
			}
		}
	}
	return p
}

// decided takes the answer: what failed comes back into the queue.
func (p review) decided(m decidedMsg) (review, out) {
	p.queue = p.end(m.before)
	if m.err != nil {
		p.undoable = undoable{}
	}
	if m.err != nil && len(m.before) > 0 {
		was := len(p.away)
		for _, l := range m.before {
			p.queue = p.back(l.ID)
		}
		p.decidedOn = max(p.decidedOn-(was-len(p.away)), 0)
		p.pace = p.pace.undecided(was - len(p.away))
		p.load.back = m.before[0].ID
		p.card = card{seq: p.card.seq + 1} // read it again
		return p.start()
	}
	p.came = p.came.decided(m)
	p.checks.old = p.checks.old || slices.ContainsFunc(m.before, isActive)
	for _, l := range m.after {
		i := p.find(l.ID)
		p.clusters = p.clusters.with(l)
		if i < 0 || l.Status != lessons.Pending && p.lane != curate.Outdated || p.writes[l.ID] > 0 || p.lane == curate.Duplicates {
			continue // with another change under way, what is shown is newer than this answer
		}
		p.queue = p.set(i, l)
		if p.card.lesson.ID == l.ID {
			p.card.lesson = l
		}
	}
	return p, out{}
}

// typed is a key, or pasted text, while the filter is being typed: the queue
// follows each one.
func (p review) typed(msg tea.Msg) (review, out) {
	was := p.filter.query
	var o out
	p.filter, o = p.filter.typed(msg)
	p = p.resize(p.w, p.h)
	if p.filter.query == was {
		return p, o
	}
	p.queue = p.unmarked()
	p, found := p.start()
	return p, o.and(found)
}

// all takes the filter away.
func (p review) all() (review, out) {
	if p.filter.query == "" {
		return p, out{}
	}
	p.filter = filter{}
	return p.resize(p.w, p.h).start()
}

// press does what a key is for.
func (p review) press(k tea.KeyPressMsg) (review, out, bool) {
	if p.filter.typing {
		p, o := p.typed(k)
		return p, o, true
	}
	return keysOf(p).press(p, k.String())
}

func (p review) hints() []hint {
	if p.filter.typing {
		return []hint{{key: "enter", foot: "keep the filter"}, {key: "esc", foot: "all"}}
	}
	all := keysOf(p).hints(p)
	for i := range all {
		if all[i].press == "." && !p.last.IsZero() {
			all[i].foot, all[i].desc = "again: "+p.last.Verb, p.last.Verb+" again"
		}
		if x, ok := clusterOf(p); ok && all[i].press == "a" && len(x.chosen()) < 2 {
			all[i].foot, all[i].desc = "compare", "compare them side by side: less than two are in"
		}
	}
	return all
}

// settled shows a contradiction as settled and asks for it to be.
func (p review) settled(s curate.Settlement) (review, out) {
	var gone []lessons.Lesson
	if s.Approve {
		gone = append(gone, s.Keep)
	}
	if !s.Both && !s.Narrow {
		gone = append(gone, s.Lose)
	}
	p.card = card{seq: p.card.seq + 1} // what it contradicts has changed
	return p.made(p.fx.settle(s), gone)
}

// merge shows the merge as made and asks for it to be.
func (p review) merge(m curate.Merge) (review, out) {
	gone := m.From
	if m.Approve || m.Into.Status != lessons.Pending {
		gone = m.All()
	}
	return p.made(p.fx.merge(m), gone)
}

// made asks for a decision that takes lessons out of the queue, and shows them as
// gone.
func (p review) made(write job, gone []lessons.Lesson) (review, out) {
	p.queue = p.queue.unmarked().without(gone)
	p.decidedOn += len(gone)
	p.pace = p.pace.decided(len(gone), p.fx.Now())
	p, look := p.look()
	return p, out{writes: []job{write}}.and(look)
}

// scrollCard scrolls the card, and what is beside it.
func (p review) scrollCard(by int) review {
	if p.card.top += by; p.card.top == 0 {
		return p
	}
	w, h := p.cardSize()
	p.card.reject = p.given.Usual
	s := splitOf(p)
	most := len(p.card.leaf(w, h, s.aw > 0, measured(p.fx))) - h
	if s.aw > 0 {
		lines, from := p.card.beside(s.aw-2, h, measured(p.fx))
		most = max(most, len(lines)-from-h)
	}
	p.card.top = max(0, min(p.card.top, most))
	return p
}
