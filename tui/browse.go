package tui

import (
	"errors"
	"slices"

	tea "charm.land/bubbletea/v2"

	"learnings/index"
	"learnings/index/curate"
	"learnings/lessons"
	"learnings/tui/look"
)

// A browse is the corpus: a tree of where its lessons belong, the lessons of the
// chosen place, and the current one as it reads.
type browse struct {
	fx      effects
	w, h    int
	tree    tree
	inTree  bool // the tree has the keys
	rows    window
	marks   marks
	status  lessons.Status // of the lessons that are shown, unless the query says; "" for all
	filter  filter
	preview preview
	seq     int  // of the counts of the tree
	total   int  // approved lessons, for the tab
	old     bool // something changed while the pane was not shown
}

func newBrowse(fx effects) browse {
	return browse{fx: fx, status: lessons.Approved, preview: preview{style: unseenStyle}}
}

// start asks for everything that the pane shows.
func (p browse) start() (browse, out) {
	p, o := p.search()
	p, count := p.count()
	return p, o.and(count)
}

// count asks for the numbers of all nodes that are unfolded.
func (p browse) count() (browse, out) {
	p.seq++
	o := run(p.fx.count(p.seq, node{}, p.shown(index.Query{})))
	for _, n := range p.tree.nodes {
		if n.depth() > 0 && p.tree.open[n.key()] {
			o = o.and(run(p.fx.count(p.seq, n, n.within(p.shown(index.Query{})))))
		}
	}
	return p, o
}

// shown limits a query to the status that is looked at.
func (p browse) shown(q index.Query) index.Query {
	if p.status != "" && !q.Has(index.Status) {
		q = q.Where(index.Status, string(p.status))
	}
	return q
}

// search asks for the first lessons of the chosen place and the typed query.
func (p browse) search() (browse, out) {
	q, err := index.ParseQuery(p.filter.query)
	p.filter.err = err
	if err != nil {
		return p, out{} // until the query can be read, what is shown stays
	}
	q = p.tree.current().within(p.shown(q))
	q.Prefix, q.AllWords = p.filter.typing, true
	var o out
	p.rows, o = p.rows.anew(q).want(p.fx, onBrowse)
	return p, o
}

func (p browse) resize(w, h int) browse {
	p.w, p.h = w, h
	c := p.columns()
	p.tree.cur = p.tree.cur.resize(len(p.tree.nodes), c.th)
	p.rows.cur = p.rows.cur.resize(p.rows.total, c.lh)
	return p
}

// themed tells the pane how its preview is to look, which is drawn when it is opened,
// and drawn again.
func (p browse) themed(st *look.Style) (browse, out) {
	p.preview.style = st
	return p.look(true)
}

func (p browse) typing() bool { return p.filter.typing }

func (p browse) tab() string {
	if p.total == 0 {
		return ""
	}
	return grouped(p.total)
}

func (p browse) current() (lessons.Lesson, bool) {
	l, ok := p.rows.at(p.rows.cur.at)
	if ok && p.preview.lesson.ID == l.ID && p.preview.whole {
		return p.preview.lesson, true
	}
	return l, ok
}

// meant are the lessons that the next key is for.
func (p browse) meant() chosen {
	l, ok := p.current()
	return choose(p.marks, p.rows.known(), l, ok)
}

func (p browse) update(msg tea.Msg) (browse, out) {
	switch m := msg.(type) {
	case foundMsg:
		return p.found(m)
	case countedMsg:
		return p.counted(m), out{}
	case openedMsg:
		if m.to == onBrowse && m.seq == p.preview.seq {
			p.preview = p.preview.opened(m, p.fx.Now())
			return p, p.preview.draw(p.fx, p.columns().pw-2)
		}
	case drawnMsg:
		p.preview = p.preview.drawn(m)
	case decidedMsg, undoneMsg:
		return p.again()
	case syncedMsg:
		if m.changed > 0 || p.rows.of != p.rows.seq && m.err == nil { // or there was no index to answer
			return p.again()
		}
	case decideMsg:
		if m.sure {
			return p.decide(m.action, m.chosen)
		}
		return p.ask(m.action, m.chosen)
	case confrontedMsg:
		if m.on == onBrowse {
			return p, m.show()
		}
	case curate.Settlement:
		return p, out{writes: []job{p.fx.settle(m)}}
	case relatedMsg:
		if l, ok := p.current(); ok && p.preview.whole {
			return p, run(p.fx.open(onBrowse, p.preview.seq, l.ID))
		}
	case curate.Merge:
		p.marks = nil
		return p, out{writes: []job{p.fx.merge(m)}}
	case editedMsg:
		if m.on == onBrowse {
			return p.decide(m.action, m.chosen)
		}
	case clickMsg:
		return p.click(m)
	case wheelMsg:
		return p.wheel(m)
	case tea.PasteMsg:
		if p.filter.typing {
			return p.typed(m)
		}
	case pressMsg:
		p, o, _ := browseKeys().press(p, m.key)
		return p, o
	}
	return p, out{}
}

// unseen takes the answer of a job while the pane is not shown: what changes is asked for
// when it is.
func (p browse) unseen(msg tea.Msg) (browse, out) {
	switch m := msg.(type) {
	case decidedMsg, undoneMsg, relatedMsg:
		p.old = true
		return p, out{}
	case approvedMsg:
		if m.err == nil {
			p.total = m.n
		}
		return p, out{}
	case syncedMsg:
		if p.rows.of == p.rows.seq { // or there was no index to answer
			p.old = p.old || m.changed > 0
			if m.changed > 0 {
				return p, run(p.fx.countApproved())
			}
			return p, out{}
		}
	}
	return p.update(msg)
}

// shownAgain asks for what has changed while the pane was not shown.
func (p browse) shownAgain() (browse, out) {
	if !p.old {
		return p, out{}
	}
	p.old = false
	return p.again()
}

// again asks for everything that is shown, because some of it changed.
func (p browse) again() (browse, out) {
	at := p.rows.cur
	p, o := p.start()
	p.rows.cur = at
	p.preview.whole = false
	return p, o
}

func (p browse) found(m foundMsg) (browse, out) {
	if m.to != onBrowse || m.seq != p.rows.seq {
		return p, out{}
	}
	if errors.Is(m.err, index.ErrNoIndex) {
		return p, out{} // the sync under way makes an index
	}
	if m.err != nil {
		p.rows.err = m.err
		return p, warn("the lessons could not be read: %v", m.err)
	}
	p.rows = p.rows.with(m)
	p = p.resize(p.w, p.h)
	return p.look(false)
}

func (p browse) counted(m countedMsg) browse {
	if m.seq != p.seq {
		return p
	}
	p.tree.err = m.err
	if m.err == nil {
		p.tree = p.tree.with(m.node, m.counts)
		if m.node.depth() == 0 && p.status == lessons.Approved {
			p.total = m.counts.Total
		}
	}
	return p.resize(p.w, p.h)
}

// look opens the current lesson in the preview, if it is not there already.
func (p browse) look(anew bool) (browse, out) {
	var more out
	p.rows, more = p.rows.want(p.fx, onBrowse)
	l, ok := p.rows.at(p.rows.cur.at)
	if !ok {
		p.preview = preview{seq: p.preview.seq + 1, style: p.preview.style}
		return p, more
	}
	if !anew && p.preview.lesson.ID == l.ID && p.preview.whole {
		return p, more
	}
	p.preview = preview{lesson: l, seq: p.preview.seq + 1, style: p.preview.style, text: p.preview.text, of: p.preview.of}
	return p, more.and(run(p.fx.open(onBrowse, p.preview.seq, l.ID)))
}

// moveTo moves in the list, or in the tree, which chooses another place.
func (p browse) moveTo(l list) (browse, out) {
	if p.inTree {
		if l.at == p.tree.cur.at {
			p.tree.cur = l
			return p, out{}
		}
		p.tree.cur = l
		p.rows.cur = list{h: p.rows.cur.h}
		return p.search()
	}
	p.rows.cur = l
	return p.look(false)
}

func (p browse) cursor() list {
	if p.inTree {
		return p.tree.cur
	}
	return p.rows.cur
}

// unfold shows what is under the current node, or hides it again.
func (p browse) unfold() (browse, out) {
	n := p.tree.current()
	if n.depth() == 0 || n.depth() == 3 {
		return p, out{}
	}
	if p.tree.open[n.key()] {
		p.tree = p.tree.fold(n)
		return p.resize(p.w, p.h), out{}
	}
	p.tree = p.tree.unfold(n)
	return p, run(p.fx.count(p.seq, n, n.within(p.shown(index.Query{}))))
}

// ask makes a decision, after a question where it needs one.
func (p browse) ask(a curate.Action, c chosen) (browse, out) {
	if o, goAhead := c.before(a); !goAhead {
		return p, o
	}
	return p.decide(a, c)
}

func (p browse) decide(a curate.Action, c chosen) (browse, out) {
	p.marks = nil
	return p, out{writes: []job{p.fx.decide(a, c)}}
}

// nextStatus goes on to the next status, and after the last to all lessons.
func (p browse) nextStatus() (browse, out) {
	round := []lessons.Status{lessons.Approved, lessons.Pending, lessons.Rejected, lessons.Merged, lessons.Archived, ""}
	p.status = round[(slices.Index(round, p.status)+1)%len(round)]
	p.rows.cur = list{h: p.rows.cur.h}
	return p.start()
}

func (p browse) press(k tea.KeyPressMsg) (browse, out, bool) {
	if p.filter.typing {
		p, o := p.typed(k)
		return p, o, true
	}
	return browseKeys().press(p, k.String())
}

// typed is a key, or pasted text, while a query is being typed: the list follows
// each one.
func (p browse) typed(msg tea.Msg) (browse, out) {
	if k, ok := msg.(tea.KeyPressMsg); ok && (k.String() == "up" || k.String() == "down") {
		by := 1
		if k.String() == "up" {
			by = -1
		}
		p.rows.cur = p.rows.cur.move(by)
		return p.look(false)
	}
	was := p.filter.query
	var o out
	p.filter, o = p.filter.typed(msg)
	p = p.resize(p.w, p.h)
	if p.filter.query == was {
		return p, o
	}
	p.marks = nil
	p.rows.cur = list{h: p.rows.cur.h}
	p, found := p.search()
	return p, o.and(found)
}

func (p browse) hints() []hint {
	if p.filter.typing {
		return []hint{{key: "enter", foot: "keep the search"}, {key: "↑ ↓", foot: "move"}, {key: "esc", foot: "all"}}
	}
	return browseKeys().hints(p)
}
