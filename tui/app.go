package tui

import (
	"context"
	"fmt"
	"image/color"
	"strings"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"learnings/tui/browse"
	"learnings/tui/decide"
	"learnings/tui/desk"
	"learnings/tui/kit"
	"learnings/tui/look"
	"learnings/tui/reader"
)

// app is the root model. It only routes messages: sizes and the theme first, then answers
// of jobs, then the open dialog, then the keys of every screen, then the current pane.
type app struct {
	panes
	term
	work
	ctx    context.Context
	fx     desk.Desk
	dialog kit.Dialog
	note   kit.Note
	kit.Log
	stale   bool // a decision or undo may have changed related lessons; reported after the next sync
	tally   desk.Tally
	scope   desk.Scope
	outside browse.Outside
	unread  string // files that are no lessons, as last reported
	behind  string // why the index is out of date, as last reported
}

// term is the terminal: its size, its style, and requests to it.
type term struct {
	kit.Room
	st      *look.Style
	turned  int  // frames of the spinner shown
	dark    bool // the background is dark
	depth   look.Depth
	mouse   bool
	leaving bool // quit after the last write
	sample  bool // leave to show the sample
}

// work is the jobs under way.
type work struct {
	whole  bool      // all panes have been started, or will be after the next frame
	busy   int       // running jobs
	writes []kit.Job // the first is running, the others wait
}

func newApp(ctx context.Context, fx desk.Desk) app {
	light := false // unless the terminal answers
	if getenv := fx.Terminal.Getenv; getenv != nil {
		light, _ = look.Ground(getenv)
	}
	return app{ctx: ctx, fx: fx, panes: newPanes(fx), term: term{st: look.New(fx.Theme, !light, look.TrueColour), dark: !light, mouse: !fx.NoMouse}}
}

// startMsg starts the panes. Init cannot, because it cannot keep their state.
type startMsg struct{}

// doneMsg is the answer of a job.
type doneMsg struct {
	msg   tea.Msg
	write bool
}

func (a app) Init() tea.Cmd {
	return tea.Batch(tea.RequestBackgroundColor, func() tea.Msg { return startMsg{} })
}

func (a app) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	_, key := msg.(tea.KeyPressMsg)
	typed := key && a.dialog == nil && a.typing()
	a, o := a.take(msg)
	if typed && len(o.Jobs) > 0 {
		a, o = a.soonest(o)
	}
	return a.do(o)
}

// soon is how long the frame of a letter of a query waits for the answer. An answer that
// comes within it is drawn with the letter and not a frame later.
const soon = 12 * time.Millisecond

// soonest begins the first job of o, and takes its answer if that comes soon.
func (a app) soonest(o kit.Out) (app, kit.Out) {
	job := a.begin(o.Jobs[0], false)
	o.Jobs = o.Jobs[1:]
	a.busy++
	answer := make(chan func() tea.Msg, 1)
	go func() {
		defer func() {
			if r := recover(); r != nil {
				answer <- func() tea.Msg { panic(r) } // where Bubble Tea puts the terminal back
			}
		}()
		m := job()
		answer <- func() tea.Msg { return m }
	}()
	select {
	case m := <-answer:
		a, more := a.take(m())
		for i, job := range more.Jobs { // what the chosen lesson is like waits for the frame
			more.Jobs[i] = func(ctx context.Context) tea.Msg { drawn(ctx); return job(ctx) }
		}
		return a, o.And(more)
	case <-time.After(soon):
		o.Cmd = tea.Batch(o.Cmd, func() tea.Msg { return (<-answer)() })
		return a, o
	}
}

// take routes a message.
func (a app) take(msg tea.Msg) (app, kit.Out) {
	switch m := msg.(type) {
	case tea.WindowSizeMsg:
		a.W, a.H = m.Width, m.Height
		a.panes = a.resize(a.Body())
		a.dialog = a.within(a.dialog)
		return a, kit.Out{}
	case tea.ColorProfileMsg:
		switch m.Convert(color.White).(type) {
		case nil:
			a.fx.Theme = look.None // the terminal has no colours, or NO_COLOR is set
		case ansi.BasicColor:
			a.depth = look.Colours16
		case ansi.IndexedColor:
			a.depth = look.Colours256
		}
		return a.restyled(a.dark)
	case kit.SpinMsg:
		a.turned++
		return a, kit.Out{}
	case tea.BackgroundColorMsg:
		return a.restyled(m.IsDark())
	case startMsg:
		var o kit.Out
		a.panes, o = a.start(0, 1)
		if m := misfits(a.fx.Config); m.Note.Text != "" {
			o = o.And(m)
			o.Stays = true
		}
		if a.fx.Corpus.Alone && o.Note.Text == "" {
			o = o.And(kit.Warn("no terminal, login or editor of yours is known above the desk (%s): what is decided here waits until you confirm it there", a.fx.Corpus.Manner))
			o.Stays = true
		}
		if a.fx.Trusts != "" && !a.fx.Corpus.Alone {
			o = o.And(askTrusts(a.fx))
		}
		if len(o.Jobs) > 0 {
			return a, o
		}
		return a.startOthers(o)
	case tea.FocusMsg, tea.ResumeMsg, desk.NewsMsg:
		return a, kit.Run(a.fx.Sync())
	case desk.GlanceMsg: // not counted as busy, since nobody waits for it
		ctx, fx := a.ctx, a.fx
		return a, kit.Out{Cmd: func() tea.Msg { return fx.Shared.Work(ctx, fx.News()) }}
	case doneMsg:
		return a.done(m)
	case kit.OutMsg:
		return a, m.Out
	case tea.MouseMsg:
		return a.pointed(m)
	case tea.PasteMsg:
		return a.pasted(m)
	case tea.KeyPressMsg:
		return a.pressed(m)
	}
	return a.toTop(msg)
}

// startOthers starts what the first pane does not need. Until its first answer is drawn
// it has the machine to itself.
func (a app) startOthers(o kit.Out) (app, kit.Out) {
	var others kit.Out
	a.panes, others = a.start(1, desk.Screens)
	a.whole = true
	return a, o.And(others).And(kit.Run(a.fx.Sync()))
}

// drawnMsg tells that the first answer is drawn.
type drawnMsg struct{}

// drawn waits for the next frame, with time to write it.
func drawn(ctx context.Context) tea.Msg {
	select {
	case <-time.After(3 * time.Second / fps):
	case <-ctx.Done():
	}
	return drawnMsg{}
}

// pasteMost limits the bytes of a paste.
const pasteMost = 32 << 10

// pasted passes on a paste, cut to pasteMost.
func (a app) pasted(m tea.PasteMsg) (app, kit.Out) {
	n := len(m.Content)
	if n <= pasteMost {
		return a.toTop(m)
	}
	m.Content = strings.ToValidUTF8(m.Content[:pasteMost], "")
	a, o := a.toTop(m)
	return a, o.And(kit.Warn("too much to paste: the first %s bytes of %s were taken", kit.Grouped(len(m.Content)), kit.Grouped(n)))
}

// pointed routes mouse messages: the first line belongs to the tabs, the rest to the
// dialog or the pane.
func (a app) pointed(msg tea.MouseMsg) (app, kit.Out) {
	m, top := msg.Mouse(), a.Top()
	if _, ok := a.dialog.(kit.Floating); ok {
		top = 1
	}
	_, click := msg.(tea.MouseClickMsg)
	_, wheel := msg.(tea.MouseWheelMsg)
	switch {
	case wheel && m.Button == tea.MouseWheelUp:
		return a.toTop(kit.WheelMsg{X: m.X, Y: m.Y - top, By: -kit.Notch})
	case wheel && m.Button == tea.MouseWheelDown:
		return a.toTop(kit.WheelMsg{X: m.X, Y: m.Y - top, By: kit.Notch})
	case !click || m.Button != tea.MouseLeft:
		return a, kit.Out{}
	case m.Y > 0 || a.dialog != nil:
		return a.toTop(kit.ClickMsg{X: m.X, Y: m.Y - top})
	}
	tabs := a.tabs()
	for s := range desk.Screens {
		if m.X >= tabs.from[s] && m.X < tabs.to[s] {
			return a.to(s)
		}
	}
	return a, kit.Out{}
}

// to changes the screen.
func (a app) to(s desk.Screen) (app, kit.Out) {
	var o kit.Out
	a.panes, o = a.turn(s)
	return a, o
}

// within gives a dialog its size.
func (a app) within(d kit.Dialog) kit.Dialog {
	if d == nil {
		return nil
	}
	w, h := a.Floor()
	if _, ok := d.(kit.Paged); ok {
		w, h = a.Body()
	}
	d, _ = d.Update(kit.RoomMsg{W: w, H: h})
	return d
}

// restyled applies the theme to all panes.
func (a app) restyled(dark bool) (app, kit.Out) {
	a.st, a.dark = look.New(a.fx.Theme, dark, a.depth), dark
	return a, kit.Out{}
}

// do carries out an Out. It counts jobs, so that the screen can say "idle", and runs
// writes one at a time.
func (a app) do(o kit.Out) (app, tea.Cmd) {
	if m := o.To; m != nil {
		o.To = nil
		var more kit.Out
		a, more = a.open(m)
		o = more.And(o)
	}
	cmds := []tea.Cmd{o.Cmd}
	for _, j := range o.Jobs {
		a.busy++
		cmds = append(cmds, a.begin(j, false))
	}
	for _, j := range o.Writes {
		j = onlyOnce(j)
		a.busy++
		a.writes = append(a.writes[:len(a.writes):len(a.writes)], j)
		if len(a.writes) == 1 {
			cmds = append(cmds, a.begin(j, true))
		}
	}
	if o.Open != nil {
		a.dialog = a.within(o.Open)
	}
	if o.Note.Text != "" {
		a.note = o.Note
		a.Log = a.With(o.Note, a.fx.Now(), o.Stays)
	}
	return a, tea.Batch(cmds...)
}

// open handles a request to another screen.
func (a app) open(msg tea.Msg) (app, kit.Out) {
	switch m := msg.(type) {
	case desk.ReadMsg:
		return a, reader.Open(a.fx, m)
	case desk.JudgeMsg:
		return a, decide.Judge(a.fx, m)
	case desk.CopyMsg:
		return a, a.fx.Copy(m)
	case desk.BrowseMsg:
		a, o := a.to(desk.OnBrowse)
		if m.Query != "" {
			var shown kit.Out
			a.browse, shown = a.browse.Show(m.Query)
			o = o.And(shown)
		}
		return a, o
	}
	var o kit.Out
	a.panes, o = a.answered(msg) // one of the panes handles it
	return a, o
}

// onlyOnce returns a job that runs at most once.
func onlyOnce(j kit.Job) kit.Job {
	var once sync.Once
	return func(ctx context.Context) (msg tea.Msg) {
		once.Do(func() { msg = j(ctx) })
		return msg
	}
}

// finish runs the writes that were shown as done but still wait when the screens close.
// No other job runs any more.
func finish(ctx context.Context, a app) {
	for _, j := range append(a.writes[:len(a.writes):len(a.writes)], unsaved(a.dialog)...) {
		j(ctx)
	}
}

// unsaved returns the jobs that keep the text typed in a dialog when the screens close.
func unsaved(d kit.Dialog) []kit.Job {
	if d, ok := d.(interface{ Unsaved() []kit.Job }); ok {
		return d.Unsaved()
	}
	return nil
}

func (a app) begin(j kit.Job, write bool) tea.Cmd {
	ctx, shared := a.ctx, a.fx.Shared
	return func() tea.Msg { return doneMsg{msg: shared.Work(ctx, j), write: write} }
}

// done routes the answer of a job to the panes and the dialog.
func (a app) done(m doneMsg) (app, kit.Out) {
	a.busy--
	var o kit.Out
	if m.write {
		a.writes = a.writes[1:]
		if len(a.writes) > 0 {
			o.Cmd = a.begin(a.writes[0], true)
		} else if a.leaving {
			return a, kit.Out{Cmd: tea.Quit}
		}
	}
	var p kit.Out
	a.panes, p = a.answered(m.msg)
	o = o.And(p)
	if !a.whole {
		a.whole = true
		o = o.And(kit.Run(drawn))
	}
	if a.dialog != nil || a.typing() {
		o.Open, o.To = nil, nil // the person has gone on: no dialog may take the next key
	}
	if a.dialog != nil {
		a, p = a.told(m.msg)
		o = o.And(p)
	}
	a, o = a.tell(m.msg, o)
	o.Stays = true // no key press led to it
	return a, o
}

// tell counts decisions, follows up on answers, and sets the note.
func (a app) tell(msg tea.Msg, o kit.Out) (app, kit.Out) {
	switch m := msg.(type) {
	case drawnMsg:
		return a.startOthers(o)
	case desk.DecidedMsg:
		o.Note = m.Report()
		if m.Err == nil {
			a.tally = a.tally.With(m)
			a.stale = a.stale || m.Action.Rewords
		}
		o = o.And(kit.Run(a.fx.Sync()))
	case desk.UndoneMsg:
		o.Note = m.Report()
		if m.Err == nil && len(m.Changes) > 0 {
			a.tally = a.tally.Turned(m)
			a.stale = true
		}
		o = o.And(kit.Run(a.fx.Sync()))
	case kit.OutMsg:
		if a.dialog != nil || a.typing() {
			m.Open, m.To = nil, nil // the person has gone on
		}
		o = o.And(m.Out)
	case desk.SyncedMsg:
		wrong := ""
		if m.Err != nil {
			wrong = fmt.Sprintf("the index could not be brought up to date: %v", m.Err)
		}
		a, o = a.mended(a.unread, m.Unread, o)
		a, o = a.mended(a.behind, wrong, o)
		a.unread, a.behind = m.Unread, wrong
		if m.Err != nil {
			return a, o
		}
		if m.Foreign > 0 || a.stale {
			a.stale = false
			o = o.And(kit.Run(func(context.Context) tea.Msg { return desk.RelatedMsg{} }))
		}
	}
	x, more := a.outside.Told(a.fx, msg)
	a.outside = x
	return a, o.And(more)
}

// mended reports a problem with files or the index once, not after each decision, and
// clears it when it is solved.
func (a app) mended(was, is string, o kit.Out) (app, kit.Out) {
	switch {
	case is == was:
	case is != "":
		o.Note = kit.Note{Bad: true, Text: is}
	default:
		if a.Fault == was {
			a.Fault = ""
		}
		if a.note.Text == was {
			a.note = kit.Note{}
		}
	}
	return a, o
}

// toTop passes a message to the open dialog, or to the pane.
func (a app) toTop(msg tea.Msg) (app, kit.Out) {
	if a.dialog != nil {
		return a.told(msg)
	}
	var o kit.Out
	a.panes, o = a.panes.Update(msg)
	return a, o
}

// told passes a message to the open dialog and routes its answer.
func (a app) told(msg tea.Msg) (app, kit.Out) {
	next, o := a.dialog.Update(msg)
	a.dialog = a.within(next)
	if answer := o.Answer; answer != nil {
		o.Answer = nil
		var p kit.Out
		a, p = a.answer(answer)
		o = o.And(p)
	}
	return a, o
}

// answer routes the answer of a dialog. The root handles keys of every screen, settings
// and requests to other screens; the rest goes to the pane.
func (a app) answer(answer tea.Msg) (app, kit.Out) {
	apart := a.on != desk.OnReview && a.on != desk.OnBrowse // a lesson is open in a reader without a list beneath
	switch m := answer.(type) {
	case kit.OutMsg:
		return a, m.Out
	case desk.SettingMsg:
		return preferred(a, m)
	case decide.ApproveTextMsg:
		if apart {
			return a, m.Store(a.fx)
		}
	case desk.DecideMsg:
		if apart {
			return a, kit.Out{Writes: []kit.Job{a.fx.Decide(m.Action, m.Chosen)}}
		}
	case kit.PressMsg:
		if next, o, ok := appKeys().Press(a, m.Key); ok {
			return next, o
		}
		var o kit.Out
		a.panes, o, _ = a.press(tea.KeyPressMsg{Text: m.Key})
		return a, o
	}
	var o kit.Out
	a.panes, o = a.panes.Update(answer)
	return a, o
}

func (a app) pressed(k tea.KeyPressMsg) (app, kit.Out) {
	if !a.note.Done || a.on != desk.OnReview || a.dialog != nil {
		a.note = kit.Note{}
	}
	switch s := k.String(); {
	case s == "ctrl+c":
		return a.quit()
	case s == "ctrl+z":
		return a.suspend()
	case a.tooSmall() && s == "q":
		return a.quit()
	case a.tooSmall():
		return a, kit.Out{} // what is not shown cannot be decided on
	case a.dialog != nil:
		return a.toTop(k)
	case s == "esc":
		a.Fault = ""
	}
	if line := a.fx.Commands[k.String()]; line != "" && !desk.Fixed(k.String()) && !a.typing() {
		return a, a.command(line)
	}
	if !a.typing() {
		own, chosen := a.fx.Keys.Press(a.on, k.String())
		if next, o, ok := appKeys().Press(a, own); ok {
			return next, o
		}
		if chosen {
			return a.answer(kit.PressMsg{Key: own})
		}
		if own == "" {
			return a, a.unbound(k)
		}
	}
	next, o, known := a.press(k)
	if a.panes = next; !known {
		o = a.unbound(k)
	}
	return a, o
}

// unbound says that a key does nothing.
func (a app) unbound(k tea.KeyPressMsg) kit.Out {
	return kit.Say("%s does nothing here; %s shows what does", k, a.fx.Keys.Of(a.on, "?"))
}

// suspend returns to the shell, if one can resume the desk.
func (a app) suspend() (app, kit.Out) {
	if !desk.HasShell() {
		return a, kit.Warn("no shell has started the desk that could bring it back")
	}
	return a, kit.Out{Cmd: tea.Suspend}
}

// quit waits for pending writes, because a decision shown as made must not be lost. A
// second quit does not wait.
func (a app) quit() (app, kit.Out) {
	more := unsaved(a.dialog)
	switch {
	case a.leaving || len(more)+len(a.writes) == 0:
		return a, kit.Out{Cmd: tea.Quit}
	case len(more) == 0:
		a.note = kit.Note{Text: "saving the last decisions…"}
	}
	a.leaving = true
	return a, kit.Out{Writes: more}
}
