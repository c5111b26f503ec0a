package tui

import (
	"strconv"

	tea "charm.land/bubbletea/v2"

	"learnings/lessons"
)

// browse is the corpus: what is in it, by where it belongs.
type browse struct {
	fx    effects
	w, h  int
	rows  []lessons.Lesson
	total int
	cur   list
	seq   int
}

func newBrowse(fx effects) browse { return browse{fx: fx} }

// start asks for what the pane shows first.
func (p browse) start() (browse, out) {
	p.seq++
	return p, run(p.fx.find(onBrowse, p.seq, "", 0, 200))
}

func (p browse) resize(w, h int) browse {
	p.w, p.h = w, h
	p.cur = p.cur.resize(len(p.rows), h-2)
	return p
}

// typing reports that keys are text now and none are commands.
func (p browse) typing() bool { return false }

func (p browse) update(msg tea.Msg) (browse, out) {
	if m, ok := msg.(pressMsg); ok {
		p, o, _ := browseKeys().press(p, m.key)
		return p, o
	}
	if m, ok := msg.(foundMsg); ok && m.to == onBrowse && m.seq == p.seq && m.err == nil {
		p.rows, p.total = nil, m.page.total
		for _, h := range m.page.hits {
			p.rows = append(p.rows, h.lesson)
		}
		p.cur = p.cur.resize(len(p.rows), p.h-2)
	}
	return p, out{}
}

func (p browse) press(k tea.KeyPressMsg) (browse, out, bool) {
	return browseKeys().press(p, k.String())
}

func (p browse) hints() []hint { return browseKeys().hints(p) }

func browseKeys() binds[browse] {
	return motion(
		func(p browse) list { return p.cur },
		func(p browse, l list) (browse, out) { p.cur = l; return p, out{} })
}

// tab is what the header says behind the pane's name.
func (p browse) tab() string { return strconv.Itoa(p.total) }

func (p browse) view(st style) string {
	lines := p.cur.lines(func(i int, current bool) string {
		if current {
			return st.accent.Render("▌") + st.strong.Render(p.rows[i].Title(p.w))
		}
		return " " + p.rows[i].Title(p.w)
	})
	return box{title: "all lessons", on: true}.draw(lines, p.w, p.h, st)
}
