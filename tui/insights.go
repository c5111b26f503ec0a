package tui

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"learnings/index"
	"learnings/index/insights"
	"learnings/tui/look"
)

// Figures are what Insights shows.
type Figures = insights.Figures

// An insightsPane is a list of figures on four topics: what waits, what sessions are given,
// which mistakes come back, and what is out of date.
type insightsPane struct {
	fx      effects
	w, h    int
	figures *Figures // nil while nothing is counted
	rows    []figureRow
	cur     list
	all     bool   // every mistake is listed
	project string // "" is all

	seq  int
	busy bool
	seen bool // the pane was shown
	old  bool // something changed since the figures were asked for
	at   time.Time
	err  error
}

func newInsights(fx effects) insightsPane { return insightsPane{fx: fx} }

// start has nothing to do: figures are computed when the pane is first shown.
func (p insightsPane) start() (insightsPane, out) { return p, out{} }

func (p insightsPane) resize(w, h int) insightsPane {
	p.w, p.h = w, h
	return p.laid()
}

// laid makes the rows of the figures.
func (p insightsPane) laid() insightsPane {
	p.rows, p.cur.head = figureRows(p.figures, p.all), nil
	for i, r := range p.rows {
		if i == 0 || r.of != p.rows[i-1].of {
			p.cur.head = append(p.cur.head, i)
		}
	}
	p.cur = p.cur.resize(len(p.rows), p.h)
	return p
}

func (p insightsPane) themed(*look.Style) (insightsPane, out) { return p, out{} }

func (p insightsPane) tab() string { return "" }

func (p insightsPane) typing() bool { return false }

func (p insightsPane) hints() []hint { return insightKeys().hints(p) }

func (p insightsPane) press(k tea.KeyPressMsg) (insightsPane, out, bool) {
	return insightKeys().press(p, k.String())
}

// shownAgain computes the figures when something has changed meanwhile.
func (p insightsPane) shownAgain() (insightsPane, out) {
	if p.seen && !p.old {
		return p, out{}
	}
	p.seen, p.old = true, false
	return p.count()
}

// count asks for the figures. Those that are shown stay until there are others.
func (p insightsPane) count() (insightsPane, out) {
	if p.fx.Figures == nil {
		return p, out{}
	}
	p.seq++
	p.busy = true
	return p, run(countFigures(p.fx, p.seq, p.project))
}

// figuresMsg answers countFigures: first with what was counted last, if anything was, and
// then with what is now.
type figuresMsg struct {
	seq     int
	figures *Figures
	more    job // gives what is counted now; nil at the end
	err     error
}

func countFigures(fx effects, seq int, project string) job {
	now := func(ctx context.Context) tea.Msg {
		if !fx.shared.others.take(ctx) {
			return nil
		}
		defer fx.shared.others.giveBack()
		f, err := fx.Figures(ctx, project, true)
		return figuresMsg{seq: seq, figures: f, err: err}
	}
	return func(ctx context.Context) tea.Msg {
		f, err := fx.Figures(ctx, project, false)
		if f == nil || err != nil {
			return now(ctx)
		}
		return figuresMsg{seq: seq, figures: f, more: now}
	}
}

func (p insightsPane) update(msg tea.Msg) (insightsPane, out) {
	switch m := msg.(type) {
	case figuresMsg:
		return p.counted(m)
	case surveyedMsg:
		return p.compared(), out{}
	case decidedMsg, undoneMsg:
		return p.count()
	case syncedMsg:
		if m.changed > 0 || errors.Is(p.err, index.ErrNoIndex) && m.err == nil {
			return p.count()
		}
	case curedMsg:
		return p, m.out().and(run(p.fx.sync()))
	case insightProjectMsg:
		p.project, p.figures = m.name, nil
		return p.laid().count()
	case clickMsg:
		if i, ok := p.cur.hit(m.y); ok {
			p.cur = p.cur.to(i)
		}
	case wheelMsg:
		p.cur = p.cur.scroll(m.by)
	case pressMsg:
		p, o, _ := insightKeys().press(p, m.key)
		return p, o
	}
	return p, out{}
}

// unseen takes answers while another pane is shown: what changes is counted when this one is
// shown again.
func (p insightsPane) unseen(msg tea.Msg) (insightsPane, out) {
	switch m := msg.(type) {
	case figuresMsg:
		return p.counted(m)
	case surveyedMsg:
		return p.compared(), out{}
	case curedMsg:
		return p, m.out().and(run(p.fx.sync()))
	case decidedMsg, undoneMsg:
		p.old = true
	case syncedMsg:
		p.old = p.old || m.changed > 0
	}
	return p, out{}
}

func (p insightsPane) counted(m figuresMsg) (insightsPane, out) {
	if m.seq != p.seq {
		return p, out{}
	}
	p.err, p.busy = m.err, m.more != nil
	if m.err == nil {
		p.figures, p.at = m.figures, m.figures.Now
		p = p.compared()
	}
	if m.more == nil {
		return p, out{}
	}
	return p, run(m.more)
}

// compared takes in what comparing all lessons has found, if somebody has.
func (p insightsPane) compared() insightsPane {
	if p.figures == nil {
		return p
	}
	f := *p.figures
	for kind, to := range map[surveyed]**int{duplicated: &f.Counts.Duplicates, contradicting: &f.Counts.Contradictions} {
		if found := p.fx.shared.surveys[kind].Load(); found != nil {
			n := len(*found)
			*to = &n
		}
	}
	p.figures = &f
	return p.laid()
}

// insightProjectMsg is the answer of the dialog that asks for a project.
type insightProjectMsg struct{ name string }

// insightKeys are what can be done with the figures.
func insightKeys() binds[insightsPane] {
	const g = "figures"
	turn := func(by int) func(insightsPane, string) (insightsPane, out) {
		return func(p insightsPane, _ string) (insightsPane, out) { return p.turn(by), out{} }
	}
	keys := binds[insightsPane]{
		{Binding: keyed("enter", "open the lessons behind the figure, or what settles it", "enter"), group: g, foot: "lessons behind it", off: insightsPane.behind, do: func(p insightsPane, _ string) (insightsPane, out) { return p.open() }},
		{Binding: keyed("n", "next topic", "n", "right", "l"), group: "move", foot: "next topic", do: turn(1)},
		{Binding: keyed("N", "topic before", "N", "left", "h"), group: "move", do: turn(-1)},
		{Binding: keyed("p", "of another project, or of all", "p"), group: g, foot: "project", do: func(p insightsPane, _ string) (insightsPane, out) {
			d := newChooser("figures of which project", []option{{name: "every project", answer: insightProjectMsg{}}})
			d.load = func(m projectsMsg) (all []option) {
				for _, n := range m.names {
					all = append(all, option{name: n, answer: insightProjectMsg{n}})
				}
				return all
			}
			return p, ask(d).and(run(listProjects(p.fx)))
		}},
		{Binding: keyed("r", "count again", "r"), group: g, off: func(p insightsPane) string {
			if p.busy {
				return "already counting"
			}
			return ""
		}, do: func(p insightsPane, _ string) (insightsPane, out) { return p.count() }},
	}
	return append(keys, motion(func(p insightsPane) list { return p.cur }, func(p insightsPane, l list) (insightsPane, out) {
		p.cur = l
		return p, out{}
	})...)
}

// turn goes to the first figure of another topic.
func (p insightsPane) turn(by int) insightsPane {
	if len(p.rows) == 0 {
		return p
	}
	to := (p.rows[p.cur.at].of + topics + topic(by)) % topics
	p.cur = p.cur.to(p.cur.head[to])
	return p
}

// behind says why nothing opens; "" when something does.
func (p insightsPane) behind() string {
	if len(p.rows) == 0 {
		return "still counting"
	}
	return p.rows[p.cur.at].why
}

// open shows the lessons behind a figure, or what settles it.
func (p insightsPane) open() (insightsPane, out) {
	r := p.rows[p.cur.at]
	if r.do != nil {
		return r.do(p)
	}
	if p.project != "" {
		r.query = fmt.Sprintf("%s project:%q", r.query, p.project)
	}
	return p, browseFor(r.query)
}

// figuresW is how wide the list gets.
const figuresW = 132

func (p insightsPane) sheet(st *look.Style) sheet {
	s := sheet{running: p.running(st), head: st.Dim.Render("counting…")}
	if p.figures != nil {
		s.head = st.Strong.Render(grouped(p.figures.Counts.Active)) + " approved"
	}
	if p.project != "" {
		s.head = st.Accent.Render(fit(p.project, min(cellsOf(p.project), 24))) + "  " + s.head
	}
	c := column{w: p.w, h: p.h}
	switch {
	case p.fx.Figures == nil:
		c.lines = []string{"", "  " + st.Dim.Render("Nobody can count here.")}
	case errors.Is(p.err, index.ErrNoIndex) && p.figures == nil:
		c.lines = []string{"", "  " + st.Dim.Render("The index is being made; the figures show as soon as it is there.")}
	case p.err != nil && p.figures == nil:
		c.lines = append([]string{""}, indented(indented(paragraph("The corpus could not be counted: "+p.err.Error(), p.w-4, st.Bad)))...)
	default:
		w := min(p.w, figuresW)
		c.lines = p.cur.rows(func(i int, current bool) []string { return []string{p.rows[i].draw(current, w, st)} }, func(i int) string {
			return p.head(p.rows[i].of, w, st)
		})
	}
	s.cols = []column{c}
	return s
}

// head is the line above a topic.
func (p insightsPane) head(of topic, w int, st *look.Style) string {
	title := topicTitles[of]
	return " " + st.Strong.Render(title) + " " + st.Rule.Render(strings.Repeat("─", max(w-cellsOf(title)-3, 0)))
}

// running says of when the figures are.
func (p insightsPane) running(st *look.Style) string {
	s := "counted from the decisions and from what hooks gave; nothing leaves this machine"
	switch {
	case errors.Is(p.err, index.ErrNoIndex):
		s = ""
	case p.err != nil:
		return st.Bad.Render("could not be counted again: ") + st.Dim.Render(p.err.Error())
	case p.busy && p.figures != nil:
		s = "as of " + ago(p.fx.Now().Sub(p.at)) + "; counting again…"
	case p.busy:
		s = "counting…"
	}
	return st.Dim.Render(s)
}

// ago is how long something is back.
func ago(d time.Duration) string {
	switch {
	case d < time.Minute:
		return "just now"
	case d < time.Hour:
		return counted(int(d.Minutes()), "minute") + " ago"
	case d < 48*time.Hour:
		return counted(int(d.Hours()), "hour") + " ago"
	}
	return counted(int(d.Hours()/24), "day") + " ago"
}
