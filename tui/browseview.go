package tui

import (
	"cmp"
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"learnings/index"
	"learnings/index/curate"
	"learnings/lessons"
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
	n := len(p.preview.lines(c.pw-4, newStyle(p.preview.dark)))
	p.preview.top = max(0, min(p.preview.top+by, n-(c.ph-2)))
	return p
}

// columns are the sizes of projects, lessons and preview. On a narrow screen the
// tree takes the place of the list while it has the keys.
type columns struct {
	tw, th int
	lw, lh int
	pw, ph int
	side   bool // the tree has a column of its own
}

func (p browse) columns() columns {
	s := splitBody(p.w, p.h)
	c := columns{tw: s.lw, th: s.lh, lw: s.lw, lh: s.lh, pw: s.cw, ph: s.ch}
	if p.w >= 110 {
		c.side = true
		c.tw = min(max(p.w/5, 22), 34)
		c.lw = (p.w - c.tw) * 9 / 20
		c.pw = p.w - c.tw - c.lw
	}
	return c
}

func (p browse) view(st style) string {
	c := p.columns()
	s := splitBody(p.w, p.h)
	if s.stacked && p.rows.total == 0 && !p.inTree {
		c.lh = p.h // what to do next takes the room of the preview
		return p.list(c, st)
	}
	right := p.preview.view(c.pw, c.ph, st)
	var left string
	switch {
	case c.side:
		left = beside(p.tree.view(c.tw, c.th, p.inTree, st), p.list(c, st))
	case p.inTree:
		left = p.tree.view(c.tw, c.th, true, st)
	default:
		left = p.list(c, st)
	}
	if s.stacked {
		return left + "\n" + right
	}
	return beside(left, right)
}

func (p browse) list(c columns, st style) string {
	what := "all statuses"
	if p.status != "" {
		what = string(p.status)
	}
	title := what
	if !p.inTree {
		title = st.accent.Render(what)
	}
	if n := p.tree.current(); n.depth() > 0 {
		title += st.faint.Render(" · " + lessons.Line(bar(n.project, n.role, cmp.Or(n.only, n.shelf))))
	}
	right := ""
	if p.rows.total > 0 {
		right = st.faint.Render(fmt.Sprintf("%s/%s", grouped(p.rows.cur.at+1), grouped(p.rows.total)))
	}
	if n := len(p.marks); n > 0 {
		right = st.accent.Render(fmt.Sprintf("✓ %d", n)) + " " + right
	}
	lines := p.filter.lines(c.lw, st)
	if p.rows.total == 0 {
		lines = append(lines, "")
		for _, l := range wrap(p.nothing(), c.lw-6) {
			lines = append(lines, "  "+l)
		}
	} else {
		lines = append(lines, p.rows.cur.lines(func(i int, current bool) string {
			l, ok := p.rows.at(i)
			if !ok {
				return "    …"
			}
			return row(l, c.lw-2, current, p.marks[l.ID], st)
		})...)
	}
	return box{title: title, right: right, on: !p.inTree}.draw(lines, c.lw, c.lh, st)
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
		if i, ok := p.tree.cur.hit(m.y - 1); ok {
			p.inTree = true
			return p.moveTo(p.tree.cur.to(i))
		}
	case inRows:
		top := p.columns().lh - 1 - p.rows.cur.h
		if i, ok := p.rows.cur.hit(m.y - top); ok {
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

// A column of Browse.
type column int

const (
	inPreview column = iota
	inTree
	inRows
)

// over returns the column at a place of the pane.
func (p browse) over(x, y int) column {
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
