package kit

import (
	"context"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"learnings/tui/look"
)

// A Job is work that may take a while. It runs beside the screen, uses nothing of a
// pane's memory but copied values, and answers with one message that says which
// request it answers.
type Job func(ctx context.Context) tea.Msg

// An Out is what an update asks of the root, beside the new state of its pane.
type Out struct {
	Jobs   []Job
	Writes []Job   // jobs that change the corpus, which run one after the other in this order
	Cmd    tea.Cmd // for the terminal: clipboard, editor, suspend; not counted as busy
	Open   Dialog  // to show over the pane
	Note   Note    // for the running line
	Stays  bool    // an error in note stays there until esc
	Answer tea.Msg // of a dialog that closes, for the pane beneath
	To     tea.Msg // what another screen has, which the root opens
}

// Run asks for jobs.
func Run(jobs ...Job) Out { return Out{Jobs: jobs} }

// Ask opens a dialog.
func Ask(d Dialog) Out { return Out{Open: d} }

// Say puts a note on the running line.
func Say(format string, args ...any) Out {
	return Out{Note: Note{Text: fmt.Sprintf(format, args...)}}
}

// Warn puts an error on the running line.
func Warn(format string, args ...any) Out {
	return Out{Note: Note{Text: fmt.Sprintf(format, args...), Bad: true}}
}

// And joins what two updates ask for. Where only one can be had, it is that of p.
func (o Out) And(p Out) Out {
	o.Jobs = append(o.Jobs, p.Jobs...)
	o.Writes = append(o.Writes, p.Writes...)
	o.Cmd = tea.Batch(o.Cmd, p.Cmd)
	if p.Open != nil {
		o.Open = p.Open
	}
	if p.Note.Text != "" {
		o.Note = p.Note
	}
	if p.To != nil {
		o.To = p.To
	}
	if p.Answer != nil {
		o.Answer = p.Answer
	}
	return o
}

// An OutMsg is the answer of a job that asks for something itself.
type OutMsg struct{ Out }

// A Note is the status line: what was done, or why not.
type Note struct {
	Text string
	Bad  bool
	Done bool // it is of a decision: in Review it stays until the next one
}

// A Dialog lies over the pane and gets all keys until the person has decided. It
// closes by giving back nil; what was decided is the answer of the out, for the
// pane beneath.
type Dialog interface {
	Update(tea.Msg) (Dialog, Out)
	Hints() []Hint
}

// A Floating dialog lies over the page, which is dimmed meanwhile.
type Floating interface {
	Dialog
	// View draws it, at most w by h.
	View(w, h int, st *look.Style) string
}

// A Paged dialog fills the page, in place of the pane.
type Paged interface {
	Dialog
	// Sheet draws it, in the size of the last [RoomMsg].
	Sheet(st *look.Style) Sheet
}

// A Hint is what help, footer and palette show of a key.
type Hint struct {
	Press string   // the key that does it
	Keys  []string // all that do
	Name  string   // of its action in [keys]; "" for none
	Key   string   // as it is shown
	Desc  string
	Group string
	Foot  string
	Off   string // why it does nothing now

	About  string  // more of it, for the palette
	Answer tea.Msg // what it does, for what has no key
}

// ClickMsg is a click into a pane, counted from its corner.
type ClickMsg struct{ X, Y int }

// WheelMsg is a turn of the wheel over a pane, by some rows.
type WheelMsg struct{ X, Y, By int }

// Batch is for how long finds are gathered before they are shown.
const Batch = 80 * time.Millisecond

// Notch is how many rows one step of the wheel is.
const Notch = 3

// SpinMsg asks for the next picture of the spinner.
type SpinMsg struct{}

// RoomMsg gives a dialog its size.
type RoomMsg struct{ W, H int }
