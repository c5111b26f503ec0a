package tui

import (
	"context"
	"errors"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"learnings/index"
	"learnings/lessons"
)

// app is the root. It routes and does nothing else: sizes and the theme, then
// answers, then the dialog if one is open, then the keys that hold everywhere,
// then the pane of the screen.
type app struct {
	ctx      context.Context
	fx       effects
	on       screen
	review   review
	browse   browse
	sessions sessions
	dialog   dialog
	note     note
	st       style
	w, h     int
	busy     int   // jobs under way
	writes   []job // waiting for the one under way, which is the first
	looking  looking
	tally    tally
	term     term
}

// term is what the terminal is asked for.
type term struct {
	mouse   bool
	leaving bool // quit as soon as the last write is done
	sample  bool // left to look at the sample
}

// A tally is what was done since the program started.
type tally struct{ approved, rejected, merged, settled, edited, undone int }

func newApp(ctx context.Context, fx effects) app {
	return app{ctx: ctx, fx: fx, st: newStyle(true), term: term{mouse: !fx.NoMouse}, looking: looking{stale: true}, review: newReview(fx), browse: newBrowse(fx), sessions: newSessions(fx)}
}

// quitMsg asks to leave.
type quitMsg struct{}

// glance looks for news. It does not count as busy, for nobody waits for it.
func (a app) glance() tea.Cmd {
	ctx, fx := a.ctx, a.fx
	return func() tea.Msg { return fx.shared.work(ctx, fx.news()) }
}

// startMsg sets the panes going: not in Init, which cannot keep their state.
type startMsg struct{}

func (a app) Init() tea.Cmd {
	return tea.Batch(tea.RequestBackgroundColor, func() tea.Msg { return startMsg{} })
}

func (a app) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch m := msg.(type) {
	case tea.WindowSizeMsg:
		return a.resize(m.Width, m.Height), nil
	case tea.BackgroundColorMsg:
		a.st = newStyle(m.IsDark())
		var o out
		a.browse, o = a.browse.themed(m.IsDark())
		return a.do(o)
	case startMsg:
		return a.begin()
	case tea.FocusMsg, newsMsg:
		return a.do(run(a.fx.sync()))
	case glanceMsg:
		return a.do(out{cmd: a.glance()})
	case doneMsg:
		return a.answered(m)
	case quitMsg:
		return a.quit()
	case leftMsg:
		return a.do(a.fx.editStep(m))
	case tea.MouseMsg:
		return a.pointed(m)
	case tea.KeyPressMsg:
		return a.press(m)
	}
	if a.dialog != nil {
		return a.toDialog(msg)
	}
	return a.toPane(msg)
}

func (a app) resize(w, h int) app {
	a.w, a.h = w, h
	bw, bh := a.body()
	a.review, a.browse, a.sessions = a.review.resize(bw, bh), a.browse.resize(bw, bh), a.sessions.resize(bw, bh)
	a.dialog = a.within(a.dialog)
	return a
}

// within tells a dialog how much room it has.
func (a app) within(d dialog) dialog {
	if d == nil {
		return nil
	}
	w, h := a.body()
	d, _ = d.update(roomMsg{w, h})
	return d
}

func (a app) begin() (tea.Model, tea.Cmd) {
	var r, b, s out
	a.review, r = a.review.start()
	a.browse, b = a.browse.start()
	a.sessions, s = a.sessions.start()
	return a.do(r.and(b).and(s).and(run(a.fx.sync())))
}

// do gives what an update asked for. Jobs are counted, so that the screen can
// say that it is idle; writes go one after the other.
func (a app) do(o out) (app, tea.Cmd) {
	if _, ok := o.open.(worklist); ok && a.looking.old {
		a.looking, o = a.looking.again(a.fx, o)
	}
	cmds := []tea.Cmd{o.cmd}
	for _, j := range o.jobs {
		a.busy++
		cmds = append(cmds, a.start(j, false))
	}
	for _, j := range o.writes {
		a.busy++
		a.writes = append(a.writes[:len(a.writes):len(a.writes)], j)
		if len(a.writes) == 1 {
			cmds = append(cmds, a.start(j, true))
		}
	}
	if o.open != nil {
		a.dialog = a.within(o.open)
	}
	if o.note.text != "" {
		a.note = o.note
	}
	if o.show != nil {
		a.on = *o.show
	}
	return a, tea.Batch(cmds...)
}

func (a app) start(j job, write bool) tea.Cmd {
	ctx, shared := a.ctx, a.fx.shared
	return func() tea.Msg { return doneMsg{msg: shared.work(ctx, j), write: write} }
}

// answered takes the answer of a job to everyone whom it may concern: each
// pane knows its own.
func (a app) answered(m doneMsg) (tea.Model, tea.Cmd) {
	a.busy--
	var o, r, b, s, d out
	if m.write {
		a.writes = a.writes[1:]
		if len(a.writes) > 0 {
			o.cmd = a.start(a.writes[0], true)
		} else if a.term.leaving {
			return a, tea.Quit
		}
	}
	a.review, r = a.review.update(m.msg)
	a.browse, b = a.browse.update(m.msg)
	a.sessions, s = a.sessions.update(m.msg)
	a.review.mine = a.sessions.stock()
	o = o.and(r).and(b).and(s)
	if a.dialog != nil || a.typing() {
		o.open = nil // the person has gone on: no dialog may take their next key
	}
	if a.dialog != nil {
		a.dialog, d = a.dialog.update(m.msg)
		a.dialog = a.within(a.dialog)
	}
	o = o.and(d).and(a.fx.editStep(m.msg))
	a, o = a.tell(m.msg, o)
	return a.do(o)
}

// tell counts what was done and puts it on the status line.
func (a app) tell(msg tea.Msg, o out) (app, out) {
	switch m := msg.(type) {
	case decidedMsg:
		o.note = m.report()
		if m.err == nil {
			a.tally = a.tally.with(m)
			a.looking.stale = a.looking.stale || m.action.Rewords
			a.looking.old = true
		}
		o = o.and(run(a.fx.sync()))
	case undoneMsg:
		o.note = m.report()
		if m.err == nil && len(m.changes) > 0 {
			a.tally.undone++
			a.looking.stale = true
		}
		o = o.and(run(a.fx.sync()))
	case syncedMsg:
		if m.err != nil {
			o.note = note{bad: true, text: fmt.Sprintf("the index could not be brought up to date: %v", m.err)}
		} else if m.foreign > 0 || a.looking.stale {
			a.looking, o = a.looking.again(a.fx, o)
		}
	case surveyedMsg:
		if m.err != nil && !errors.Is(m.err, index.ErrNoIndex) {
			o.note = note{bad: true, text: fmt.Sprintf("contradictions could not be looked for: %v", m.err)}
		}
		a.looking.busy = false
		if a.looking.stale {
			a.looking, o = a.looking.again(a.fx, o)
		}
	}
	return a, o
}

func (t tally) with(m decidedMsg) tally {
	n := len(m.before)
	switch m.action.Op {
	case lessons.OpApprove:
		t.approved += n
	case lessons.OpReject:
		t.rejected += n
	case lessons.OpMerge:
		t.merged += n - 1
	case lessons.OpResolve:
		t.settled++
	case lessons.OpEdit:
		t.edited += n
	}
	return t
}

func (a app) toDialog(msg tea.Msg) (tea.Model, tea.Cmd) {
	next, o := a.dialog.update(msg)
	a.dialog = a.within(next)
	if o.answer != nil {
		answer := o.answer
		o.answer = nil
		var p out
		a, p = a.decided(answer)
		o = o.and(p)
	}
	return a.do(o)
}

// decided hands the answer of a dialog on: a key chosen in the palette may be
// one that holds everywhere, all else is for the pane.
func (a app) decided(answer tea.Msg) (app, out) {
	if m, ok := answer.(pressMsg); ok {
		if next, o, ok := appKeys().press(a, m.key); ok {
			return next, o
		}
	}
	return a.pane(answer)
}

func (a app) toPane(msg tea.Msg) (tea.Model, tea.Cmd) {
	a, o := a.pane(msg)
	return a.do(o)
}

// pane hands a message to the pane of the screen.
func (a app) pane(msg tea.Msg) (app, out) {
	var o out
	switch a.on {
	case onBrowse:
		a.browse, o = a.browse.update(msg)
	case onSessions:
		a.sessions, o = a.sessions.update(msg)
	default:
		a.review, o = a.review.update(msg)
	}
	return a, o
}

func (a app) press(k tea.KeyPressMsg) (tea.Model, tea.Cmd) {
	a.note = note{}
	switch k.String() {
	case "ctrl+c":
		return a.quit()
	case "ctrl+z":
		return a, tea.Suspend
	}
	if a.tooSmall() {
		if k.String() == "q" {
			return a.quit()
		}
		return a, nil // nobody decides on what is not shown
	}
	if a.dialog != nil {
		return a.toDialog(k)
	}
	if !a.typing() {
		if next, o, ok := appKeys().press(a, k.String()); ok {
			return next.do(o)
		}
	}
	var o out
	known := true
	switch a.on {
	case onBrowse:
		a.browse, o, known = a.browse.press(k)
	case onSessions:
		a.sessions, o, known = a.sessions.press(k)
	default:
		a.review, o, known = a.review.press(k)
	}
	if !known {
		o = say("%s does nothing here; ? shows what does", k)
	}
	return a.do(o)
}

func (a app) typing() bool {
	switch a.on {
	case onBrowse:
		return a.browse.typing()
	case onSessions:
		return a.sessions.typing()
	}
	return a.review.typing()
}

// quit waits for the writes under way: a decision that was shown as made must
// not be lost. Asked twice, it goes at once.
func (a app) quit() (tea.Model, tea.Cmd) {
	if len(a.writes) > 0 && !a.term.leaving {
		a.term.leaving = true
		a.note = note{text: "saving the last decisions…"}
		return a, nil
	}
	return a, tea.Quit
}
