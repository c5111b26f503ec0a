package insights

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"learnings/index"
	"learnings/tui/decide"
	"learnings/tui/desk"
	"learnings/tui/kit"
	"learnings/tui/look"
)

// A Pane lists figures on four topics: what waits, what sessions are given, which
// mistakes come back, and what is out of date.
type Pane struct {
	fx       desk.Desk
	w, h     int
	surveyed [2]*int       // contradictions and groups of duplicates found by surveys here
	figures  *desk.Figures // nil before the first count
	rows     []figureRow
	cur      kit.List
	all      bool // list every mistake
	scope    desk.Scope

	newest kit.Newest
	busy   bool
	seen   bool // the pane has been shown
	old    bool // something changed since the figures were requested
	at     time.Time
	err    error
}

func New(fx desk.Desk) Pane {
	return Pane{fx: fx, cur: kit.List{Airy: true}, newest: kit.NewNewest()}
}

// Start does nothing: figures are computed when the pane is first shown.
func (p Pane) Start() (Pane, kit.Out) { return p, kit.Out{} }

func (p Pane) Resize(w, h int) Pane {
	p.w, p.h = w, h
	return p.laid()
}

// laid makes the rows.
func (p Pane) laid() Pane {
	p.rows, p.cur.Head = figureRows(p.figures, p.all), nil
	for i, r := range p.rows {
		if i == 0 || r.of != p.rows[i-1].of {
			p.cur.Head = append(p.cur.Head, i)
		}
	}
	p.cur = p.cur.Resize(len(p.rows), p.h)
	return p
}

func (p Pane) Tab() string { return "" }

func (p Pane) Typing() bool { return false }

func (p Pane) Hints() []kit.Hint { return Keys().Hints(p) }

func (p Pane) Press(k tea.KeyPressMsg) (Pane, kit.Out, bool) {
	return Keys().Press(p, k.String())
}

// ShownAgain computes the figures if something has changed.
func (p Pane) ShownAgain() (Pane, kit.Out) {
	if p.seen && !p.old {
		return p, kit.Out{}
	}
	p.seen, p.old = true, false
	return p.count()
}

// count requests the last figures, if any, and then new ones. The shown figures stay
// until others arrive.
func (p Pane) count() (Pane, kit.Out) {
	if p.fx.Figures == nil {
		return p, kit.Out{}
	}
	p.busy = true
	fx, projects, current := p.fx, p.scope.Projects, p.newest.Next()
	now := kit.Asked(current, fx.Shared.Others, func(ctx context.Context) kit.Then[Pane] {
		f, err := fx.Figures(ctx, projects, true)
		return func(p Pane) (Pane, kit.Out) { return p.counted(f, err, false), kit.Out{} }
	})
	return p, kit.Run(kit.Asked(current, nil, func(ctx context.Context) kit.Then[Pane] {
		f, err := fx.Figures(ctx, projects, false)
		return func(p Pane) (Pane, kit.Out) {
			if f != nil && err == nil {
				p = p.counted(f, nil, true)
			}
			return p, kit.Run(now)
		}
	}))
}

func (p Pane) Update(msg tea.Msg) (Pane, kit.Out) {
	switch m := msg.(type) {
	case kit.Then[Pane]:
		return m(p)
	case desk.ScopeMsg:
		p.scope, p.figures = desk.Scope(m), nil
		return p.laid().count()
	case decide.SurveyedMsg:
		return p.compared(m), kit.Out{}
	case desk.DecidedMsg, desk.UndoneMsg:
		return p.count()
	case desk.SyncedMsg:
		if m.Changed > 0 || errors.Is(p.err, index.ErrNoIndex) && m.Err == nil {
			return p.count()
		}
	case kit.ClickMsg:
		if i, ok := p.cur.Hit(m.Y); ok {
			p.cur = p.cur.To(i)
		}
	case kit.WheelMsg:
		p.cur = p.cur.Scroll(m.By)
	}
	return p, kit.Out{}
}

// Unseen takes answers while another pane is shown. Changes are counted when this one is
// shown again.
func (p Pane) Unseen(msg tea.Msg) (Pane, kit.Out) {
	switch m := msg.(type) {
	case desk.ScopeMsg:
		if !p.seen {
			p.scope = desk.Scope(m)
			return p, kit.Out{}
		}
	case desk.DecidedMsg, desk.UndoneMsg:
		p.old = true
		return p, kit.Out{}
	case desk.SyncedMsg:
		p.old = p.old || m.Changed > 0
		return p, kit.Out{}
	}
	return p.Update(msg)
}

func (p Pane) counted(f *desk.Figures, err error, more bool) Pane {
	if p.err, p.busy = err, more; err != nil {
		return p
	}
	p.figures, p.at = f, f.Now
	return p.withSurveys()
}

// compared takes the result of a survey.
func (p Pane) compared(m decide.SurveyedMsg) Pane {
	if m.Err == nil {
		n := m.N()
		p.surveyed[m.Kind] = &n
	}
	return p.withSurveys()
}

// withSurveys adds the results of surveys to the figures.
func (p Pane) withSurveys() Pane {
	if p.figures == nil {
		return p
	}
	f := *p.figures
	f.Counts.Contradictions = cmp.Or(p.surveyed[decide.Contradictions], f.Counts.Contradictions)
	f.Counts.Duplicates = cmp.Or(p.surveyed[decide.Duplicates], f.Counts.Duplicates)
	p.figures = &f
	return p.laid()
}

// ofProject asks for the figures of a project, or of all for "".
func ofProject(name string) kit.Out {
	return kit.Out{Answer: kit.Then[Pane](func(p Pane) (Pane, kit.Out) {
		p.scope, p.figures = desk.Scope{}, nil
		if name != "" {
			p.scope = desk.Scope{Name: name, Projects: []string{name}}
		}
		return p.laid().count()
	})}
}

// Keys are the keys of the screen.
func Keys() kit.Binds[Pane] {
	const g = "figures"
	turn := func(by int) func(Pane, string) (Pane, kit.Out) {
		return func(p Pane, _ string) (Pane, kit.Out) { return p.turn(by), kit.Out{} }
	}
	keys := kit.Binds[Pane]{
		{Key: kit.Keyed("open", "enter", "open the lessons behind the figure, or what settles it", "enter"), Group: g, Foot: "lessons behind it", Off: Pane.behind, Do: func(p Pane, _ string) (Pane, kit.Out) { return p.open() }},
		{Key: kit.Keyed("next-picture", "n", "next topic", "n", "right", "l"), Group: "move", Foot: "next topic", Do: turn(1)},
		{Key: kit.Keyed("previous-picture", "N", "topic before", "N", "left", "h"), Group: "move", Do: turn(-1)},
		{Key: kit.Keyed("of-project", "p", "of another project, or of all", "p"), Group: g, Foot: "project", Do: func(p Pane, _ string) (Pane, kit.Out) {
			d := kit.NewChooser("figures of which project", []kit.Option{{Name: "every project", Do: ofProject("")}})
			d.More = true
			return p, kit.Ask(d).And(kit.Run(p.fx.ListProjects(func(n string) kit.Option { return kit.Option{Name: n, Do: ofProject(n)} })))
		}},
		{Key: kit.Keyed("count", "r", "count again", "r"), Group: g, Off: kit.Unless(func(p Pane) bool { return p.busy }, "already counting", nil), Do: func(p Pane, _ string) (Pane, kit.Out) { return p.count() }},
	}
	move := kit.Motion(func(p Pane) kit.List { return p.cur }, func(p Pane, l kit.List) (Pane, kit.Out) {
		p.cur = l
		return p, kit.Out{}
	})
	move[0].Actions, move[1].Actions = []string{"next-row"}, []string{"previous-row"}
	return append(keys, move...)
}

// turn moves to the first figure of another topic.
func (p Pane) turn(by int) Pane {
	if len(p.rows) == 0 {
		return p
	}
	to := (p.rows[p.cur.At].of + topics + topic(by)) % topics
	p.cur = p.cur.To(p.cur.Head[to])
	return p
}

// behind says why nothing opens; "" if something does.
func (p Pane) behind() string {
	if len(p.rows) == 0 {
		return "still counting"
	}
	return p.rows[p.cur.At].why
}

// open shows the lessons behind a figure, or the dialog that settles it.
func (p Pane) open() (Pane, kit.Out) {
	r := p.rows[p.cur.At]
	if r.do != nil {
		return r.do(p)
	}
	if len(p.scope.Projects) == 1 {
		r.query = fmt.Sprintf("%s project:%q", r.query, p.scope.Name)
	}
	return p, desk.Browse(r.query)
}

// figuresW is the greatest width of the list.
const figuresW = 132

func (p Pane) Sheet(st *look.Style) kit.Sheet {
	s := kit.Sheet{Running: p.running(st), Brief: st.Dim.Render("nothing leaves this machine"), Head: st.Dim.Render("counting…")}
	if p.figures != nil {
		s.Head = st.Dim.Render("nothing is approved yet")
		if n := p.figures.Counts.Active; n > 0 {
			s.Head = st.Strong.Render(kit.Grouped(n)) + " approved"
		}
	}
	if of := p.scope.Name; of != "" {
		s.Head = st.Place.Render(kit.Fit(of, min(kit.CellsOf(of), 24))) + "  " + s.Head
	}
	c := kit.Column{W: p.w, H: p.h}
	switch {
	case p.fx.Figures == nil:
		c.Lines = []string{"", "  " + st.Dim.Render("Nobody can count here.")}
	case errors.Is(p.err, index.ErrNoIndex) && p.figures == nil:
		c.Lines = []string{"", "  " + st.Dim.Render("The index is being made; the figures show as soon as it is there.")}
	case p.err != nil && p.figures == nil:
		c.Lines = append([]string{""}, kit.Indented(kit.Indented(kit.Paragraph("The corpus could not be counted: "+p.err.Error(), p.w-4, st.Bad)))...)
	default:
		w, note := min(p.w, figuresW), 0
		for _, r := range p.rows {
			note = max(note, kit.CellsOf(r.note))
		}
		c.Lines = p.cur.Rows(w, st, func(i int, current bool) []string { return []string{p.rows[i].draw(current, w, note, st)} }, func(i int) string {
			return p.head(p.rows[i].of, w, st)
		})
	}
	s.Cols = []kit.Column{c}
	return s
}

// head draws the line above a topic.
func (p Pane) head(of topic, w int, st *look.Style) string {
	title, key := topicTitles[of], topicKeys[of]
	if i := p.cur.Head[of]; p.rows[i].why != "" {
		key = ""
	}
	return " " + st.Strong.Render(title) + " " + st.Rule.Render(strings.Repeat("─", max(w-kit.CellsOf(title+key)-4, 0))) + " " + st.Dim.Render(key)
}

// running says how old the figures are.
func (p Pane) running(st *look.Style) string {
	s := "counted from the decisions and from what hooks gave; nothing leaves this machine"
	switch {
	case errors.Is(p.err, index.ErrNoIndex):
		s = ""
	case p.err != nil:
		return st.Bad.Render("could not be counted again: ") + st.Dim.Render(p.err.Error())
	case p.busy && p.figures != nil:
		s = "as of " + kit.Ago(p.at, p.fx.Now()) + " ago; counting again…"
	case p.busy:
		s = "counting…"
	}
	return st.Dim.Render(s)
}
