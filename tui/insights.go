package tui

import (
	"context"
	"errors"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"learnings/index"
	"learnings/tui/look"
)

// An insightsPane is what the corpus does, in eight pictures of which one is in focus.
type insightsPane struct {
	fx      effects
	w, h    int
	board   board
	project string // "" is all
	span    int    // of spans
	focus   picture
	row     int // of the picture in focus, or -1
	top     int // first line of the page in sight
	page    boardPage

	seq  int
	busy bool
	seen bool // the pane was shown
	old  bool // something changed since the figures were asked for
	at   time.Time
	err  error
}

// usualSpan is the span that is looked at first.
const usualSpan = 2

func newInsights(fx effects) insightsPane {
	p := insightsPane{fx: fx, span: usualSpan, row: -1}
	p.board.weeks = spans[p.span]
	return p
}

// start has nothing to do: figures are computed when the pane is first shown.
func (p insightsPane) start() (insightsPane, out) { return p, out{} }

func (p insightsPane) resize(w, h int) insightsPane {
	p.w, p.h = w, h
	p.page = p.board.lay(w, h)
	return p.inSight()
}

// inSight scrolls as far as it takes to show the picture in focus.
func (p insightsPane) inSight() insightsPane {
	at := p.page.Places[p.focus]
	p.top = max(min(p.top, at.Y), at.Y+at.H-p.h)
	p.top = max(0, min(p.top, at.Y, p.page.H-p.h))
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
	case cureMsg:
		return cure(p, m.mistake)
	case curedMsg:
		return p, m.out().and(run(p.fx.sync()))
	case insightProjectMsg:
		p.project, p.board.figures = m.name, nil
		return p.resize(p.w, p.h).count()
	case clickMsg:
		return p.click(m), out{}
	case wheelMsg:
		p.top = max(0, min(p.top+m.by, p.page.H-p.h))
	case pressMsg:
		p, o, _ := insightKeys().press(p, m.key)
		return p, o
	}
	return p, out{}
}

// unseen takes answers while another pane is shown: what changes is counted when it is
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
		p.board.figures, p.at = m.figures, m.figures.Now
		p = p.compared()
	}
	p = p.resize(p.w, p.h)
	p.row = min(p.row, len(p.board.rowsOf(p.focus))-1)
	if m.more == nil {
		return p, out{}
	}
	return p, run(m.more)
}

// compared takes in what comparing all lessons has found, if somebody has.
func (p insightsPane) compared() insightsPane {
	if p.board.figures == nil {
		return p
	}
	f := *p.board.figures
	for kind, to := range map[surveyed]**int{duplicated: &f.Counts.Duplicates, contradicting: &f.Counts.Contradictions} {
		if found := p.fx.shared.surveys[kind].Load(); found != nil {
			n := len(*found)
			*to = &n
		}
	}
	p.board.figures = &f
	return p
}

// click goes to the picture under it.
func (p insightsPane) click(m clickMsg) insightsPane {
	x, y := m.x, m.y+p.top
	for i, at := range p.page.Places {
		if x >= at.X && x < at.X+at.W && y >= at.Y && y < at.Y+at.H {
			return p.to(picture(i))
		}
	}
	return p
}

// to goes to a picture.
func (p insightsPane) to(focus picture) insightsPane {
	if focus != p.focus {
		p.focus, p.row = focus, -1
	}
	return p.inSight()
}

// step goes to another row of the picture in focus; before the first is the picture as
// a whole.
func (p insightsPane) step(by int) insightsPane {
	if n := len(p.board.rowsOf(p.focus)); p.focus.walkable() {
		p.row = max(-1, min(p.row+by, n-1))
	}
	return p
}

// current is the row that is gone to; false for a picture as a whole. Of what is worth
// doing the first stands for all.
func (p insightsPane) current() (boardRow, bool) {
	rows := p.board.rowsOf(p.focus)
	i := p.row
	if p.focus == picMinutes {
		i = max(i, 0)
	}
	if i < 0 || i >= len(rows) {
		return boardRow{}, false
	}
	return rows[i], true
}

// behind says why nothing is behind the picture or the row; "" when something is.
func (p insightsPane) behind() string {
	if p.board.figures == nil {
		return "still counting"
	}
	if r, ok := p.current(); ok {
		return r.why
	}
	if p.board.queryBehind(p.focus) == "" {
		return "no lessons are behind it"
	}
	return ""
}

// open shows the lessons behind a picture or a row, or what settles it.
func (p insightsPane) open() (insightsPane, out) {
	r, ok := p.current()
	switch {
	case !ok:
		return p, browseFor(p.within(p.board.queryBehind(p.focus)))
	case r.work == settleThem:
		return p, browseWith(newContradictions(p.fx))
	case r.work == mergeThem:
		return p, browseWith(newDuplicates(p.fx))
	case r.cures != "":
		return cure(p, r.cures)
	case r.work == writeOne:
		return p, ask(newTable(picMistakes, p.board))
	}
	return p, browseFor(p.within(r.query))
}

// within limits a query to the project that is looked at.
func (p insightsPane) within(query string) string {
	if p.project == "" || query == "" {
		return query
	}
	return fmt.Sprintf("%s project:%q", query, p.project)
}

func (p insightsPane) sheet(st *look.Style) sheet {
	head, right := p.board.head(st)
	if p.project != "" {
		head = st.Accent.Render(fit(p.project, min(cellsOf(p.project), 24))) + "  " + head
	}
	s := sheet{head: head, right: right, running: p.running(st)}
	lines := p.board.lines(p.page, p.focus, p.row, st)
	at := p.page.Places[p.focus]
	c := column{w: p.w, h: p.h, lit: at.Y - p.top, n: at.H}
	switch {
	case p.fx.Figures == nil:
		c.lines = []string{"", "  " + st.Dim.Render("Nobody can count here.")}
	case errors.Is(p.err, index.ErrNoIndex) && p.board.figures == nil:
		c.lines = []string{"", "  " + st.Dim.Render("The index is being made; the figures show as soon as it is there.")}
	case p.err != nil && p.board.figures == nil:
		c.lines = append([]string{""}, indented(indented(paragraph("The corpus could not be counted: "+p.err.Error(), p.w-4, st.Bad)))...)
	default:
		c.lines = clip(lines, p.top, p.h)
		c.more = max(len(lines)-p.top-p.h, 0)
	}
	s.cols = []column{c}
	return s
}

// running says of when the figures are.
func (p insightsPane) running(st *look.Style) string {
	s := "counted from the decisions and from what hooks gave; nothing leaves this machine"
	switch {
	case errors.Is(p.err, index.ErrNoIndex):
		s = ""
	case p.err != nil:
		return st.Bad.Render("could not be counted again: ") + st.Dim.Render(p.err.Error())
	case p.busy && p.board.figures != nil:
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
