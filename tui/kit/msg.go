package kit

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"learnings/tui/look"
)

// A Job is work that may take a while. It runs in its own goroutine, uses only copied
// values of a pane, and answers with one message, such as a [Then].
type Job func(ctx context.Context) tea.Msg

// An Out is what an update asks the root for, beside the new state of its pane.
type Out struct {
	Jobs   []Job
	Writes []Job   // jobs that change the corpus, which run one at a time in this order
	Cmd    tea.Cmd // for the terminal: clipboard, editor, suspend; not counted as busy
	Open   Dialog  // to show over the pane
	Note   Note    // for the running line
	Stays  bool    // an error in Note is shown until esc
	Answer tea.Msg // the answer of a dialog that closes, for the pane beneath
	To     tea.Msg // a request to another screen, which the root opens
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

// And combines two requests. Where only one value is possible, p's wins.
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

// A Then is the answer of a job or dialog to a pane P: a change of the pane.
type Then[P any] func(P) (P, Out)

// A Reply is the answer of a job to a dialog D.
type Reply[D any] func(D) (Dialog, Out)

// A Newest tells the latest of several questions from older ones, whose answers no longer
// matter: a person types faster than the index answers.
type Newest struct{ n *atomic.Int64 }

// NewNewest returns a Newest without a question.
func NewNewest() Newest { return Newest{&atomic.Int64{}} }

// Next begins a question and returns a function that reports whether it is still the
// latest.
func (q Newest) Next() (current func() bool) {
	mine := q.n.Add(1)
	return func() bool { return q.n.Load() == mine }
}

// Asked returns a job that runs find in turn, or at once if turn is nil. The job is
// skipped, and its answer dropped, once the question is no longer current.
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

// Turns is a lock that lets one job run at a time.
type Turns chan struct{}

// Take acquires the lock. It reports false if ctx ends first. The caller releases it with
// GiveBack.
func (t Turns) Take(ctx context.Context) bool {
	select {
	case t <- struct{}{}:
		return true
	case <-ctx.Done():
		return false
	}
}

// GiveBack releases the lock.
func (t Turns) GiveBack() { <-t }

// In runs a job under the lock, or not at all if ctx ends first. Answers after the end of
// ctx are dropped.
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

// An OutMsg is the answer of a job that only asks for something.
type OutMsg struct{ Out }

// A Note is a message on the status line: what was done, or why not.
type Note struct {
	Text string
	Bad  bool
	Done bool // it reports a decision: in Review it stays until the next one
}

// A Dialog lies over the pane and gets all keys. It closes by returning nil; the Answer
// of its Out goes to the pane beneath.
type Dialog interface {
	Update(tea.Msg) (Dialog, Out)
	Hints() []Hint
}

// A Floating dialog lies over the dimmed page.
type Floating interface {
	Dialog
	// View draws it in at most w by h cells.
	View(w, h int, st *look.Style) string
}

// A Paged dialog replaces the pane.
type Paged interface {
	Dialog
	// Sheet draws it at the size of the last [RoomMsg].
	Sheet(st *look.Style) Sheet
}

// A Hint is what help, footer and palette show about a key.
type Hint struct {
	Press string   // the key that does it
	Keys  []string // all keys that do it
	Name  string   // its action in [keys]; "" for none
	Key   string   // as shown
	Desc  string
	Group string
	Foot  string
	Off   string // why it is off now

	About  string  // more about it, for the palette
	Answer tea.Msg // what the palette answers when there is no key
}

// ClickMsg is a click at a cell of a pane, counted from its corner.
type ClickMsg struct{ X, Y int }

// WheelMsg is a turn of the wheel over a pane, by By rows.
type WheelMsg struct{ X, Y, By int }

// Batch is how long results are collected before they are shown.
const Batch = 80 * time.Millisecond

// Notch is how many rows one step of the wheel scrolls.
const Notch = 3

// SpinMsg advances the spinner.
type SpinMsg struct{}

// RoomMsg gives a dialog its size.
type RoomMsg struct{ W, H int }
