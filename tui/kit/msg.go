package kit

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"learnings/tui/look"
)

// A Job is work that may take a while. It runs beside the screen, uses nothing of a
// pane's memory but copied values, and answers with one message, such as a [Then].
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

// A Then is the answer of a job, or of a dialog, for a pane P: what the pane does with it.
type Then[P any] func(P) (P, Out)

// A Reply is the answer of a job for a dialog D.
type Reply[D any] func(D) (Dialog, Out)

// A Newest is a question of which only the last one counts: a person types and moves faster
// than the index answers.
type Newest struct{ n *atomic.Int64 }

// NewNewest has nothing asked.
func NewNewest() Newest { return Newest{&atomic.Int64{}} }

// Next begins another question, and gives what reports whether it is still the last.
func (q Newest) Next() (current func() bool) {
	mine := q.n.Add(1)
	return func() bool { return q.n.Load() == mine }
}

// Asked is a job that does its work in its turn; a nil turn is at once. It is dropped before
// it begins, and its answer before it is taken, when the question is not current any more.
func Asked[P any](current func() bool, turn Turns, find func(context.Context) Then[P]) Job {
	return turn.In(func(ctx context.Context) tea.Msg {
		if !current() {
			return nil
		}
		then := find(ctx)
		if then == nil {
			return nil
		}
		return Then[P](func(p P) (P, Out) {
			if !current() {
				return p, Out{}
			}
			return then(p)
		})
	})
}

// Turns let one job at a time.
type Turns chan struct{}

// Take waits for a turn, and reports false when ctx ended before. It is given back.
func (t Turns) Take(ctx context.Context) bool {
	select {
	case t <- struct{}{}:
		return true
	case <-ctx.Done():
		return false
	}
}

// GiveBack ends a turn.
func (t Turns) GiveBack() { <-t }

// In does a job in its turn, and not at all when ctx ends before. An answer that nobody
// waits for any more is dropped.
func (t Turns) In(j Job) Job {
	return func(ctx context.Context) tea.Msg {
		if t != nil {
			if !t.Take(ctx) {
				return nil
			}
			defer t.GiveBack()
		}
		if m := j(ctx); ctx.Err() == nil {
			return m
		}
		return nil
	}
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
