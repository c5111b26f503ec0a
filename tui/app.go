package tui

import (
	"context"
	"fmt"
	"image/color"
	"strings"
	"sync"

	tea "charm.land/bubbletea/v2"

	"learnings/tui/browse"
	"learnings/tui/decide"
	"learnings/tui/desk"
	"learnings/tui/edit"
	"learnings/tui/kit"
	"learnings/tui/look"
	"learnings/tui/reader"
)

// app is the root. It routes messages and does nothing else: sizes and the theme
// first, then answers of jobs, then the dialog if one is open, then the keys that
// hold everywhere, then the pane that is shown.
type app struct {
	panes
	term
	work
	ctx    context.Context
	fx     desk.Desk
	dialog kit.Dialog
	note   kit.Note
	kit.Log
	stale   bool // a decision or an undo may have changed what lessons are related, which the next sync will tell
	tally   tally
	outside browse.Outside
	unread  string // the files that are no lessons, as last reported
	behind  string // why the index is not up to date, as last reported
}

// term is the terminal: its size, its look, and the requests to it.
type term struct {
	kit.Room
	st      *look.Style
	turned  int  // pictures of the spinner that were shown
	dark    bool // the background is
	mouse   bool
	leaving bool // quit as soon as the last write is done
	sample  bool // left to look at the sample
}

// work is what is under way.
type work struct {
	busy   int       // jobs
	writes []kit.Job // the first is under way, the others wait for it
}

func newApp(ctx context.Context, fx desk.Desk) app {
	return app{ctx: ctx, fx: fx, panes: newPanes(fx), term: term{st: look.New(fx.Theme, true), dark: true, mouse: !fx.NoMouse}}
}

// quitMsg asks to leave.
type quitMsg struct{}

// glance looks for changes. It does not count as busy, since nobody waits for it.
func (a app) glance() tea.Cmd {
	ctx, fx := a.ctx, a.fx
	return func() tea.Msg { return fx.Shared.Work(ctx, fx.News()) }
}

// pasteMost is how much of a paste fields take, in bytes.
const pasteMost = 32 << 10

// pasted takes a paste to the field that is typed in, or its beginning.
func pasted(a app, m tea.PasteMsg) (tea.Model, tea.Cmd) {
	n := len(m.Content)
	if n > pasteMost {
		m.Content = strings.ToValidUTF8(m.Content[:pasteMost], "")
	}
	next, cmd := a.toTop(m)
	if a = next.(app); n > pasteMost {
		a.note = kit.Note{Bad: true, Text: fmt.Sprintf("too much to paste: the first %s bytes of %s were taken", kit.Grouped(len(m.Content)), kit.Grouped(n))}
		a.Log = a.With(a.note, a.fx.Now(), false)
	}
	return a, cmd
}

// startMsg sets the panes going. Init cannot do it, because it cannot keep their
// state.
type startMsg struct{}

func (a app) Init() tea.Cmd {
	return tea.Batch(tea.RequestBackgroundColor, func() tea.Msg { return startMsg{} })
}

func (a app) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch m := msg.(type) {
	case tea.WindowSizeMsg:
		a.W, a.H = m.Width, m.Height
		a.panes = a.resize(a.Body())
		a.dialog = a.within(a.dialog)
		return a, nil
	case tea.ColorProfileMsg:
		if m.Convert(color.White) == nil { // the terminal has no colours, or NO_COLOR is set
			a.fx.Theme = look.None
			return a.restyled(false)
		}
		return a, nil
	case kit.SpinMsg:
		a.turned++
		return a, nil
	case tea.BackgroundColorMsg:
		return a.restyled(m.IsDark())
	case startMsg:
		var o kit.Out
		a.panes, o = a.start()
		if m := misfits(a.fx.Config); m.Note.Text != "" {
			o = o.And(m)
			o.Stays = true
		}
		return a.do(o.And(kit.Run(a.fx.Sync())))
	case tea.FocusMsg, tea.ResumeMsg, desk.NewsMsg:
		return a.do(kit.Run(a.fx.Sync()))
	case desk.GlanceMsg:
		return a.do(kit.Out{Cmd: a.glance()})
	case doneMsg:
		return a.done(m)
	case desk.CopyMsg:
		return copying(a, m)
	case stopMsg:
		return leave(a)
	case quitMsg:
		return a.quit()
	case kit.OutMsg:
		return a.do(m.Out)
	case tea.MouseMsg:
		return a.pointed(m)
	case tea.PasteMsg:
		return pasted(a, m)
	case tea.KeyPressMsg:
		return a.pressed(m)
	}
	return a.toTop(msg)
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

// restyled gives all panes the look of the theme on a terminal.
func (a app) restyled(dark bool) (tea.Model, tea.Cmd) {
	a.st, a.dark = look.New(a.fx.Theme, dark), dark
	return a, nil
}

// do returns what an update asked for. Jobs are counted, so that the screen can
// say that it is idle; writes go one after the other.
func (a app) do(o kit.Out) (app, tea.Cmd) {
	if m := o.To; m != nil {
		o.To = nil
		var more kit.Out
		a, more = routed(a, m)
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

// routed opens what a screen asks for of another one.
func routed(a app, msg tea.Msg) (app, kit.Out) {
	switch m := msg.(type) {
	case desk.ReadMsg:
		return a, reader.Open(a.fx, m)
	case desk.JudgeMsg:
		return a, decide.Judge(a.fx, m)
	case desk.BrowseMsg:
		var turned, shown kit.Out
		if a.panes, turned = a.turn(desk.OnBrowse); m.Query != "" {
			a.browse, shown = a.browse.Show(m.Query)
		}
		return a, turned.And(shown)
	case desk.EditMsg:
		return a, edit.Open(a.fx, m)
	case desk.HistoryMsg:
		return a, browse.OpenHistory(a.fx, m.Lesson)
	case desk.WordMsg:
		return a, edit.Word(a.fx, m)
	}
	var o kit.Out
	a.panes, o = a.answered(msg) // one of them knows it
	return a, o
}

// onlyOnce is a job that is done at most once, whoever asks for it.
func onlyOnce(j kit.Job) kit.Job {
	var once sync.Once
	return func(ctx context.Context) (msg tea.Msg) {
		once.Do(func() { msg = j(ctx) })
		return msg
	}
}

// finish does what was shown as done and waits still, when the screens have ended before
// it was. No other job runs any more.
func finish(ctx context.Context, a app) {
	for _, j := range append(a.writes[:len(a.writes):len(a.writes)], unsaved(a.dialog)...) {
		j(ctx)
	}
}

func (a app) begin(j kit.Job, write bool) tea.Cmd {
	ctx, shared := a.ctx, a.fx.Shared
	return func() tea.Msg { return doneMsg{msg: shared.Work(ctx, j), write: write} }
}

// done takes the answer of a job to all whom it may concern.
func (a app) done(m doneMsg) (tea.Model, tea.Cmd) {
	a.busy--
	var o, p, d kit.Out
	if m.write {
		a.writes = a.writes[1:]
		if len(a.writes) > 0 {
			o.Cmd = a.begin(a.writes[0], true)
		} else if a.leaving {
			return a, tea.Quit
		}
	}
	a.panes, p = a.answered(m.msg)
	o = o.And(p)
	if a.dialog != nil || a.typing() {
		o.Open, o.To = nil, nil // the person has gone on: no dialog may take their next key
	}
	if a.dialog != nil {
		a.dialog, d = a.dialog.Update(m.msg)
		a.dialog = a.within(a.dialog)
		if answer := d.Answer; answer != nil {
			d.Answer = nil
			var p kit.Out
			a, p = a.told(answer)
			d = d.And(p)
		}
	}
	o = o.And(d)
	a, o = a.tell(m.msg, o)
	o.Stays = true // nobody has pressed a key for it
	return a.do(o)
}

// tell counts what was done and puts it on the status line.
func (a app) tell(msg tea.Msg, o kit.Out) (app, kit.Out) {
	switch m := msg.(type) {
	case desk.DecidedMsg:
		o.Note = m.Report()
		if m.Err == nil {
			a.tally = a.tally.with(m)
			a.stale = a.stale || m.Action.Rewords
		}
		o = o.And(kit.Run(a.fx.Sync()))
	case desk.UndoneMsg:
		o.Note = m.Report()
		if m.Err == nil && len(m.Changes) > 0 {
			a.tally = a.tally.turned(m)
			a.stale = true
		}
		o = o.And(kit.Run(a.fx.Sync()))
	case actedMsg:
		o = o.And(m.told()).And(kit.Run(a.fx.Sync()))
	case keptMsg:
		o = o.And(m.told())
	case clippedMsg:
		if m.err != nil {
			o = o.And(kit.Say("the terminal was asked to copy it; the system's clipboard did not: %v", m.err))
		}
	case kit.OutMsg:
		if a.dialog != nil || a.typing() {
			m.Open, m.To = nil, nil // the person has gone on
		}
		o = o.And(m.Out)
	case desk.SyncedMsg:
		a, o = a.unsynced(m, o)
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

// unsynced says what is wrong with files and index, once and not after each decision, and
// takes it back when it is mended.
func (a app) unsynced(m desk.SyncedMsg, o kit.Out) (app, kit.Out) {
	wrong := ""
	if m.Err != nil {
		wrong = fmt.Sprintf("the index could not be brought up to date: %v", m.Err)
	}
	for _, w := range []struct {
		is  string
		was *string
	}{{m.Unread, &a.unread}, {wrong, &a.behind}} {
		switch {
		case w.is == *w.was:
		case w.is != "":
			o.Note = kit.Note{Bad: true, Text: w.is}
		default:
			if a.Fault == *w.was {
				a.Fault = ""
			}
			if a.note.Text == *w.was {
				a.note = kit.Note{}
			}
		}
		*w.was = w.is
	}
	return a, o
}

// toTop takes a message to the dialog that is open, or else to the pane.
func (a app) toTop(msg tea.Msg) (tea.Model, tea.Cmd) {
	var o kit.Out
	if a.dialog == nil {
		a.panes, o = a.panes.Update(msg)
		return a.do(o)
	}
	next, o := a.dialog.Update(msg)
	a.dialog = a.within(next)
	if answer := o.Answer; answer != nil {
		o.Answer = nil
		var p kit.Out
		a, p = a.told(answer)
		o = o.And(p)
	}
	return a.do(o)
}

// told hands the answer of a dialog on. A key that was chosen in the palette may be
// one that holds everywhere; all else but what is from outside is for the pane.
func (a app) told(answer tea.Msg) (app, kit.Out) {
	switch m := answer.(type) {
	case turnMsg:
		var o kit.Out
		a.panes, o = a.turn(m.to)
		return a, o
	case preferMsg:
		return preferred(a, m)
	case actMsg:
		return acted(a, m.action)
	case decide.ApproveTextMsg:
		if a.on != desk.OnReview && a.on != desk.OnBrowse {
			return a, m.Store(a.fx)
		}
	case desk.DecideMsg:
		if a.on != desk.OnReview && a.on != desk.OnBrowse { // of a lesson that is read there
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

func (a app) pressed(k tea.KeyPressMsg) (tea.Model, tea.Cmd) {
	if !a.note.Done || a.on != desk.OnReview || a.dialog != nil {
		a.note = kit.Note{}
	}
	switch k.String() {
	case "ctrl+c":
		return a.quit()
	case "ctrl+z":
		return leave(a)
	}
	if a.tooSmall() {
		if k.String() == "q" {
			return a.quit()
		}
		return a, nil // what is not shown cannot be decided on
	}
	if a.dialog != nil {
		return a.toTop(k)
	}
	if !a.typing() {
		if k.String() == "esc" {
			a.Fault = ""
		}
		own, chosen := a.fx.Keys.Press(a.on, k.String())
		if next, o, ok := appKeys().Press(a, own); ok {
			return next.do(o)
		}
		if chosen {
			next, o := a.told(kit.PressMsg{Key: own})
			return next.do(o)
		}
		if own == "" {
			return a.do(unbound(a, k))
		}
	}
	next, o, known := a.press(k)
	if a.panes = next; !known {
		o = unbound(a, k)
	}
	return a.do(o)
}

// unbound says that a key is for nothing.
func unbound(a app, k tea.KeyPressMsg) kit.Out {
	return kit.Say("%s does nothing here; %s shows what does", k, a.fx.Keys.Of(a.on, "?"))
}

// unsaved are the jobs that keep what is typed in a dialog when the screens end.
func unsaved(d kit.Dialog) []kit.Job {
	if d, ok := d.(interface{ Unsaved() []kit.Job }); ok {
		return d.Unsaved()
	}
	return nil
}

// quit waits for the writes under way: a decision that was shown as made must
// not be lost. Asked twice, it leaves at once.
func (a app) quit() (tea.Model, tea.Cmd) {
	if more := unsaved(a.dialog); len(more) > 0 && !a.leaving {
		a, cmd := a.do(kit.Out{Writes: more})
		a.leaving = true
		return a, cmd
	}
	if len(a.writes) > 0 && !a.leaving {
		a.leaving = true
		a.note = kit.Note{Text: "saving the last decisions…"}
		return a, nil
	}
	return a, tea.Quit
}
