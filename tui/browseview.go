package tui

import (
	"cmp"
	"context"

	tea "charm.land/bubbletea/v2"

	"learnings/index"
	"learnings/index/curate"
	"learnings/lessons"
	"learnings/tui/look"
)

// browseKeys are what can be done with the corpus.
func browseKeys() binds[browse] {
	all := append(judgeKeys(), guardKeys("decide")...)
	all = append(all, placeKeys()...)
	all = append(all, findKeys()...)
	return append(all, motion(browse.cursor, browse.moveTo)...)
}

func anyLesson(p browse) string {
	if _, ok := p.current(); !ok {
		return "no lesson is shown"
	}
	return ""
}

func judgeKeys() binds[browse] {
	const g = "decide"
	decide := func(a curate.Action) func(browse, string) (browse, out) {
		return func(p browse, _ string) (browse, out) { return p.ask(a, p.meant()) }
	}
	is := func(s lessons.Status, why string) func(browse) string {
		return func(p browse) string {
			if l, ok := p.current(); ok && l.Status != s && len(p.marks) == 0 {
				return why
			}
			return anyLesson(p)
		}
	}
	return binds[browse]{
		{Binding: keyed("a", "approve, or confirm what was approved", "a"), group: g, foot: "approve", off: anyLesson, do: decide(curate.Approve)},
		{Binding: keyed("x", "reject, with a reason", "x"), group: g, foot: "reject", off: anyLesson, do: func(p browse, _ string) (browse, out) {
			return p, ask(newWhy(p.meant(), p.preview.like))
		}},
		{Binding: keyed("z", "archive: keep it, but give it to no session", "z"), group: g, foot: "archive", off: is(lessons.Approved, "only an approved lesson can be archived"), do: decide(curate.Archive)},
		{Binding: keyed("b", "back into the queue", "b"), group: g, off: anyLesson, do: decide(curate.Reopen)},
		{Binding: keyed("p", "pin: it stays fresh for good; or let it age again", "p"), group: g, foot: "pin", off: anyLesson, do: func(p browse, _ string) (browse, out) {
			return p.ask(curate.PinOrUnpin(p.meant().ls), p.meant())
		}},
		{Binding: keyed("=", "let the confidence be computed again, from what came of it", "="), group: g, off: func(p browse) string {
			if l, ok := p.current(); ok && !l.Proof.Own && len(p.marks) == 0 {
				return "it is computed"
			}
			return anyLesson(p)
		}, do: decide(curate.Unrate)},
		{Binding: keyed("e", "edit in your editor", "e"), group: g, foot: "edit", off: anyLesson, do: func(p browse, _ string) (browse, out) {
			l, _ := p.current()
			return p, run(p.fx.draft(onBrowse, l))
		}},
		{Binding: keyed("m", "merge with the similar one, or all marked", "m"), group: g, foot: "merge", off: func(p browse) string {
			if p.meant().together(p.preview.lesson, p.preview.like) == nil {
				return "mark two or more; nothing similar is known"
			}
			return ""
		}, do: func(p browse, _ string) (browse, out) {
			return p, ask(newMerge(p.meant().together(p.preview.lesson, p.preview.like)))
		}},
		{Binding: keyed("i", "edit the sentence in place", "i"), group: g, off: anyLesson, do: func(p browse, _ string) (browse, out) {
			l, _ := p.current()
			return p, ask(newLine(l))
		}},
		{Binding: keyed("1-9 0", "set confidence 0.1 to 0.9, 1.0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "0"), group: g, off: anyLesson,
			do: func(p browse, k string) (browse, out) {
				return p.ask(digit(k), p.meant())
			}},
		{Binding: keyed("+ -", "confidence up, down by 0.05", "+", "-"), group: g, off: anyLesson, do: func(p browse, k string) (browse, out) {
			l, _ := p.current()
			return p.decide(nudged(l, k), only(l))
		}},
	}
}

func placeKeys() binds[browse] {
	const g = "place"
	return binds[browse]{
		{Binding: keyed("h ←", "to the projects", "h", "left"), group: g, foot: "projects", off: func(p browse) string {
			if p.inTree && p.tree.current().depth() == 0 {
				return "there already"
			}
			return ""
		}, do: func(p browse, _ string) (browse, out) {
			if !p.inTree {
				p.inTree = true
				return p.resize(p.w, p.h), out{}
			}
			n := p.tree.current()
			if p.tree.open[n.key()] {
				p.tree = p.tree.fold(n)
				return p.resize(p.w, p.h), out{}
			}
			return p.moveTo(p.tree.cur.to(p.tree.parent()))
		}},
		{Binding: keyed("l →", "unfold, then to the lessons", "l", "right"), group: g, foot: "lessons", off: func(p browse) string {
			if !p.inTree {
				return "there already"
			}
			return ""
		}, do: func(p browse, _ string) (browse, out) {
			if n := p.tree.current(); n.depth() > 0 && n.depth() < 3 && !p.tree.open[n.key()] {
				return p.unfold()
			}
			p.inTree = false
			return p.resize(p.w, p.h), out{}
		}},
		{Binding: keyed("enter", "in the projects: fold or unfold; in the lessons: open the evidence", "enter", "o"), group: g, foot: "open", do: func(p browse, _ string) (browse, out) {
			if p.inTree {
				return p.unfold()
			}
			l, ok := p.current()
			if !ok || len(l.Evidence) == 0 {
				return p, say("this lesson has no evidence")
			}
			return p, openReader(p.fx, l.Evidence...)
		}},
		{Binding: keyed("f", "show approved, pending, rejected, merged, archived, all", "f"), group: g, foot: "status", do: func(p browse, _ string) (browse, out) {
			return p.nextStatus()
		}},
	}
}

func findKeys() binds[browse] {
	const g = "find"
	scroll := func(by int) func(browse, string) (browse, out) {
		return func(p browse, _ string) (browse, out) {
			return p.scrollPreview(by * max(p.columns().ph/2, 1)), out{}
		}
	}
	return append(binds[browse]{
		{Binding: keyed("/", "search as you type: words, kind:error conf:<0.6 tag:x", "/"), group: g, foot: "search", do: func(p browse, _ string) (browse, out) {
			p.filter, p.inTree = p.filter.open(), false
			return p.resize(p.w, p.h), out{}
		}},
		{Binding: keyed("c", "settle what it contradicts", "c"), group: g, off: func(p browse) string {
			switch why := anyLesson(p); {
			case why != "":
				return why
			case !p.preview.whole:
				return "still looking"
			case len(p.preview.against) == 0:
				return "it contradicts nothing that is known"
			}
			return ""
		}, do: func(p browse, _ string) (browse, out) {
			return p, run(p.fx.confront(onBrowse, p.preview.lesson.ID, p.preview.against[0].Lesson.ID, nil))
		}},
		{Binding: keyed("T", "duplicates: lessons that say the same, to merge or tell apart", "T"), group: g, do: func(p browse, _ string) (browse, out) {
			return p, ask(newDuplicates(p.fx))
		}},
		{Binding: keyed("C", "all contradictions", "C"), group: g, do: func(p browse, _ string) (browse, out) {
			return p, ask(newContradictions(p.fx))
		}},
		{Binding: keyed("D", "only those to look at again, or all", "D"), group: g, do: func(p browse, _ string) (browse, out) {
			const due = "due:yes"
			next := filter{query: due}
			if p.filter.query == due {
				next.query = ""
			}
			p.filter = next
			p.status, p.inTree = lessons.Approved, false
			p.rows.cur = list{h: p.rows.cur.h}
			return p.resize(p.w, p.h).start()
		}},
		{Binding: keyed("space", "mark and go on", "space"), group: g, foot: "mark", off: anyLesson, do: func(p browse, _ string) (browse, out) {
			l, _ := p.current()
			p.marks = p.marks.with(!p.marks[l.ID], l)
			p.rows.cur = p.rows.cur.move(1)
			return p.look(false)
		}},
		{Binding: keyed("esc", "clear marks, then the search, then the place", "esc"), group: g, do: func(p browse, _ string) (browse, out) {
			switch {
			case len(p.marks) > 0:
				p.marks = nil
				return p, out{}
			case p.filter.query != "":
				p.filter = filter{}
				return p.resize(p.w, p.h).search()
			case p.tree.cur.at != 0:
				p.tree.cur = p.tree.cur.to(0)
				p.rows.cur = list{h: p.rows.cur.h}
				return p.search()
			}
			return p, out{}
		}},
		{Binding: keyed("J pgdn", "scroll the preview down", "J", "pgdown"), group: g, off: anyLesson, do: scroll(1)},
		{Binding: keyed("K pgup", "scroll the preview up", "K", "pgup"), group: g, off: anyLesson, do: scroll(-1)},
	}, lessonKeys(g, anyLesson, func(p browse, l lessons.Lesson) out { return openHistory(p.fx, l) })...)
}

// scrollPreview scrolls the preview by some lines, at most to its end.
func (p browse) scrollPreview(by int) browse {
	c := p.columns()
	n := len(p.preview.lines(c.pw-2, unseenStyle))
	p.preview.top = max(0, min(p.preview.top+by, n-c.ph))
	return p
}

// columns are the sizes of projects, lessons and preview. On a narrow screen the
// tree takes the place of the list while it has the keys.
type columns struct {
	tw, th  int
	lw, lh  int
	pw, ph  int
	side    bool // the tree has a column of its own
	stacked bool
}

// threeW is the width from which the tree has a column of its own.
const threeW = 110

func (p browse) columns() columns {
	s := splitBody(p.w, p.h)
	c := columns{tw: s.lw, th: s.lh, lw: s.lw, lh: s.lh, pw: s.cw, ph: s.ch, stacked: s.stacked}
	if p.w >= threeW {
		c.side = true
		c.tw = min(max(p.w/5, 22), 34)
		c.lw = (p.w - c.tw - 2) * 9 / 20
		c.pw = p.w - c.tw - c.lw - 2
	}
	return c
}

func (p browse) sheet(st *look.Style) sheet {
	c := p.columns()
	s := sheet{stacked: c.stacked, head: p.head(st), right: position(p.rows.cur.at, p.rows.total, len(p.marks), st)}
	if c.stacked && p.rows.total == 0 && !p.inTree {
		c.lh = p.h // what to do next takes the room of the preview
		s.cols = []column{p.list(c, st)}
		return s
	}
	tree := p.tree.column(c.tw, c.th, p.inTree, st)
	switch {
	case c.side:
		s.cols = []column{tree, p.list(c, st)}
	case p.inTree:
		s.cols = []column{tree}
	default:
		s.cols = []column{p.list(c, st)}
	}
	s.cols = append(s.cols, p.preview.column(c, st))
	return s
}

// head says which lessons are shown.
func (p browse) head(st *look.Style) string {
	s := st.Strong.Render(string(cmp.Or(p.status, "all statuses")))
	if n := p.tree.current(); n.depth() > 0 {
		s += st.Dim.Render(" · " + lessons.Line(bar(n.project, n.role, cmp.Or(n.only, n.shelf))))
	}
	if f := p.filter.head(p.w/2, st); f != "" {
		s += "   " + f
	}
	return s
}

func (p browse) list(c columns, st *look.Style) column {
	col := column{w: c.lw, h: c.lh, lines: p.filter.problem(c.lw, st)}
	if p.rows.total == 0 {
		col.lines = append(col.lines, "")
		for _, l := range wrap(p.nothing(), c.lw-4) {
			col.lines = append(col.lines, "  "+l)
		}
		return col
	}
	col.lit, col.n = p.rows.cur.line()+len(col.lines), 1
	col.lines = append(col.lines, p.rows.cur.lines(func(i int, current bool) string {
		l, ok := p.rows.at(i)
		if !ok {
			return "    …"
		}
		return lessonRow{lesson: l, current: current, marked: p.marks[l.ID], on: !p.inTree}.one(c.lw, st)
	})...)
	return col
}

// nothing says why no lesson is shown, and what to do next.
func (p browse) nothing() string {
	switch {
	case p.rows.err != nil:
		return "The lessons could not be read: " + lessons.Line(p.rows.err.Error())
	case p.rows.of != p.rows.seq:
		return "Reading…"
	case p.filter.query == "due:yes":
		return "Nothing is due: every lesson here was looked at not long ago. D shows all."
	case p.filter.query != "":
		return "No lesson matches. esc shows all, f looks among those of another status."
	case p.status == lessons.Approved:
		return "Nothing is approved yet. Judge the queue in Review, or take lessons from Sessions."
	}
	return "None here. f shows those of another status."
}

// countedMsg answers count.
type countedMsg struct {
	seq    int
	node   node
	counts index.Counts
	err    error
}

// count asks how many lessons are under a node, and under each of its
// children.
func (fx effects) count(seq int, n node, q index.Query) job {
	return func(ctx context.Context) tea.Msg {
		if !fx.shared.others.take(ctx) {
			return nil
		}
		defer fx.shared.others.giveBack()
		q.Now = fx.Now()
		c, err := fx.Corpus.Index.Count(ctx, q)
		return countedMsg{seq: seq, node: n, counts: c, err: err}
	}
}

// approvedMsg answers countApproved.
type approvedMsg struct {
	n   int
	err error
}

// countApproved counts what the tab says, while nothing else of the pane is shown.
func (fx effects) countApproved() job {
	return func(ctx context.Context) tea.Msg {
		if !fx.shared.others.take(ctx) {
			return nil
		}
		defer fx.shared.others.giveBack()
		n, err := fx.Corpus.Index.Totals(ctx, index.Query{Now: fx.Now()}.Where(index.Status, string(lessons.Approved)))
		if err != nil {
			return approvedMsg{err: err}
		}
		return approvedMsg{n: n[0]}
	}
}

// click goes to the row under the pointer, in the tree or in the list.
func (p browse) click(m clickMsg) (browse, out) {
	switch p.over(m.x, m.y) {
	case inTree:
		if i, ok := p.tree.cur.hit(m.y); ok {
			p.inTree = true
			return p.moveTo(p.tree.cur.to(i))
		}
	case inRows:
		if i, ok := p.rows.cur.hit(m.y); ok {
			p.inTree = false
			return p.moveTo(p.rows.cur.to(i))
		}
	}
	return p, out{}
}

// wheel scrolls what is under the pointer.
func (p browse) wheel(m wheelMsg) (browse, out) {
	switch p.over(m.x, m.y) {
	case inTree:
		p.tree.cur.top = max(0, min(p.tree.cur.top+m.by, p.tree.cur.n-p.tree.cur.h)) // only a key or a click chooses a place
	case inRows:
		p.rows.cur = p.rows.cur.scroll(m.by)
		return p.look(false)
	default:
		return p.scrollPreview(m.by), out{}
	}
	return p, out{}
}

// A zone is what of Browse is at a place.
type zone int

const (
	inPreview zone = iota
	inTree
	inRows
)

// over returns what is at a place of the pane.
func (p browse) over(x, y int) zone {
	c, s := p.columns(), splitBody(p.w, p.h)
	switch {
	case c.side && x < c.tw:
		return inTree
	case c.side && x < c.tw+c.lw, !c.side && (s.stacked && y < s.lh || !s.stacked && x < s.lw):
		if !c.side && p.inTree {
			return inTree
		}
		return inRows
	}
	return inPreview
}
