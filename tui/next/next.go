package next

import (
	"context"
	"errors"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"learnings/index"
	"learnings/index/curate"
	"learnings/index/recall"
	"learnings/lessons"
	"learnings/lessons/exchange/formats"
	"learnings/tui/desk"
	"learnings/tui/kit"
)

// A Pane shows what the next session of an agent will be told, as its hooks will tell it,
// and what is left out. It follows the task as the person types.
type Pane struct {
	fx     desk.Desk
	w, h   int
	task   kit.Filter // its query is the task
	ask    assumed
	agents []desk.NextAgent
	newest kit.Newest
	known  bool    // got is set
	got    outlook // the last answer
	busy   bool    // an answer is pending
	seen   bool    // the pane has been shown
	old    bool    // something changed since the last answer

	cur  kit.List // what it reads, then included lessons, then those left out
	top  int      // first visible line of the block
	wire bool     // show the block as the agent gets it
	file []string // the lines of the file under the cursor, as drawn
}

// An assumed describes the next session.
type assumed struct {
	agent   string // as hooks name it; "" for `learnings inject`
	project string
	role    string
	file    string
}

func New(fx desk.Desk) Pane {
	p := Pane{fx: fx, newest: kit.NewNewest(), ask: assumed{project: fx.Next.Project, role: fx.Next.Role}}
	p.cur.Tall = 2
	return p
}

// Start does nothing: the answer is computed when the pane is first shown.
func (p Pane) Start() (Pane, kit.Out) { return p, kit.Out{} }

func (p Pane) Resize(w, h int) Pane {
	p.w, p.h = w, h
	p.cur.Head = nil
	n := 0
	for _, rows := range []int{len(p.got.reads.Clashes), len(p.got.reads.Files), len(p.got.in), len(p.got.out)} {
		if rows > 0 {
			p.cur.Head = append(p.cur.Head, n)
		}
		n += rows
	}
	p.cur = p.cur.Resize(n, p.parts().lh)
	return p.aimed().scrolled(0)
}

// ShownAgain computes the answer if something has changed.
func (p Pane) ShownAgain() (Pane, kit.Out) {
	if p.seen && !p.old {
		return p, kit.Out{}
	}
	p.seen, p.old = true, false
	return p.look()
}

// look computes what is told.
func (p Pane) look() (Pane, kit.Out) {
	if p.fx.Next.Ahead == nil {
		return p, kit.Out{}
	}
	p.busy = true
	fx, ask, had, agents, task := p.fx, p.ask, p.got.ask, p.agents, p.task.Query
	var reads *formats.Opening
	if p.known && p.task.Typing {
		reads = &p.got.reads
	}
	return p, kit.Run(kit.Asked(p.newest.Next(), fx.Shared.Lists, func(ctx context.Context) kit.Then[Pane] {
		m := lookAhead(ctx, fx, ask, had, agents, task, reads)
		return func(p Pane) (Pane, kit.Out) { return p.told(m), kit.Out{} }
	}))
}

func (p Pane) Tab() string { return "" }

func (p Pane) Typing() bool { return p.task.Typing }

// agent returns the current agent; its title is the name for people.
func (p Pane) agent() desk.NextAgent {
	i := slices.IndexFunc(p.agents, func(a desk.NextAgent) bool { return a.Name == p.ask.agent })
	if i < 0 {
		return desk.NextAgent{Title: "learnings inject", Takes: runsInject}
	}
	return p.agents[i]
}

func (p Pane) Update(msg tea.Msg) (Pane, kit.Out) {
	switch m := msg.(type) {
	case kit.Then[Pane]:
		return m(p)
	case desk.DecidedMsg, desk.UndoneMsg:
		return p.look()
	case desk.SyncedMsg:
		if m.Changed > 0 || errors.Is(p.got.err, index.ErrNoIndex) && m.Err == nil {
			return p.look()
		}
	case kit.ClickMsg:
		return p.click(m), kit.Out{}
	case kit.WheelMsg:
		if m.X < p.parts().bw && !p.parts().stacked || p.parts().stacked && m.Y < p.parts().bh {
			return p.scrolled(m.By), kit.Out{}
		}
		p.cur = p.cur.Scroll(m.By / kit.Notch)
	case tea.PasteMsg:
		if p.task.Typing {
			return p.typed(m)
		}
	}
	return p, kit.Out{}
}

// anew computes what another session is told, from the first line.
func (p Pane) anew() (Pane, kit.Out) {
	p.top, p.cur = 0, p.cur.To(0)
	return p.look()
}

// Unseen takes answers while another pane is shown. Changes are computed when this one is
// shown again.
func (p Pane) Unseen(msg tea.Msg) (Pane, kit.Out) {
	switch m := msg.(type) {
	case desk.DecidedMsg, desk.UndoneMsg:
		p.old = true
	case desk.SyncedMsg:
		p.old = p.old || m.Changed > 0
	case kit.Then[Pane]:
		return m(p)
	}
	return p, kit.Out{}
}

// told takes an answer. The cursor stays on its lesson.
func (p Pane) told(m outlook) Pane {
	was, had := p.Current()
	p.got, p.known, p.busy, p.agents, p.ask = m, true, false, m.agents, m.ask
	p = p.Resize(p.w, p.h)
	if i := p.rowOf(was.ID); had && i >= 0 {
		p.cur = p.cur.To(i)
	}
	return p
}

func (p Pane) rowOf(id lessons.ID) int {
	i := slices.IndexFunc(slices.Concat(p.got.in, p.got.out), func(c recall.Choice) bool { return c.Lesson.ID == id })
	if i < 0 {
		return i
	}
	return p.before() + i
}

// row returns the candidate in row i of the list; false for other rows.
func (p Pane) row(i int) (recall.Choice, bool) {
	i -= p.before()
	switch n := len(p.got.in); {
	case i < 0 || i >= n+len(p.got.out):
		return recall.Choice{}, false
	case i < n:
		return p.got.in[i], true
	default:
		return p.got.out[i-n], true
	}
}

func (p Pane) Current() (lessons.Lesson, bool) {
	c, ok := p.row(p.cur.At)
	return c.Lesson, ok
}

func (p Pane) click(m kit.ClickMsg) Pane {
	s := p.parts()
	y := m.Y - 2
	switch {
	case s.stacked:
		y = m.Y - s.bh - 1
	case m.X <= s.bw:
		return p
	}
	if i, ok := p.cur.Hit(y); ok {
		p.cur = p.cur.To(i)
	}
	return p
}

// scrolled scrolls the block.
func (p Pane) scrolled(by int) Pane {
	n, h := len(p.shownLines(kit.Unseen)), p.parts().bh
	p.top = max(0, min(p.top+by, n-h))
	return p
}

func (p Pane) Press(k tea.KeyPressMsg) (Pane, kit.Out, bool) {
	if p.task.Typing {
		p, o := p.typed(k)
		return p, o, true
	}
	return Keys().Press(p, k.String())
}

// typed handles a key or a paste in the task. What is told follows it.
func (p Pane) typed(msg tea.Msg) (Pane, kit.Out) {
	if k, ok := msg.(tea.KeyPressMsg); ok {
		switch k.String() {
		case "down", "up":
			by := 1
			if k.String() == "up" {
				by = -1
			}
			return p.moved(p.cur.Move(by))
		}
	}
	if m, ok := msg.(tea.PasteMsg); ok {
		m.Content = strings.Join(strings.Fields(m.Content[:min(len(m.Content), mostTask)]), " ")
		msg = m
	}
	was := p.task.Query
	var o kit.Out
	if p.task, o = p.task.Typed(msg); p.task.Query == was {
		return p, o
	}
	p, more := p.look()
	return p, o.And(more)
}

// mostTask limits the bytes of a pasted task.
const mostTask = 4 << 10

func (p Pane) Hints() []kit.Hint {
	if p.task.Typing {
		return []kit.Hint{{Key: "type", Foot: "the first prompt"}, {Key: "↓ ↑", Foot: "move"}, {Key: "enter", Foot: "keep it"}, {Key: "esc", Foot: "no task"}}
	}
	return Keys().Hints(p)
}

// moved moves to a row and shows its lesson in the block.
func (p Pane) moved(l kit.List) (Pane, kit.Out) {
	p.cur = l
	if p = p.aimed(); p.beside() {
		p.top = 0
		return p.scrolled(0), kit.Out{}
	}
	lesson, _ := p.Current()
	_, begins := p.written(kit.Unseen)
	if at, ok := begins[lesson.ID]; ok {
		h := p.parts().bh
		p.top = max(min(p.top, at), at-h+3)
		return p.scrolled(0), kit.Out{}
	}
	return p, kit.Out{}
}

// pin pins or unpins a lesson. Every session of its project gets a pinned one.
func (p Pane) pin(a curate.Action) (Pane, kit.Out) {
	l, _ := p.Current()
	return p, kit.Out{Writes: []kit.Job{p.fx.Decide(a, desk.Only(l))}}
}
