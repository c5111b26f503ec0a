package tui

import (
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"
)

// A job is work that may take a while. It runs apart from the screen, may use
// nothing of a pane's memory but copied values, and answers with one message
// that says which request it answers.
type job func(ctx context.Context) tea.Msg

// An out is what an update asks of the root beside the pane's own new state.
type out struct {
	jobs   []job
	writes []job   // jobs that change the corpus: one after the other, in the order in which they were asked for
	cmd    tea.Cmd // for the terminal: clipboard, editor, suspend. Not counted as busy.
	open   dialog  // to show over the pane
	note   note    // for the status line
	answer tea.Msg // of a dialog that closes, for the pane beneath
	show   *screen // to change to
}

func run(jobs ...job) out { return out{jobs: jobs} }

func ask(d dialog) out { return out{open: d} }

func say(format string, args ...any) out {
	return out{note: note{text: fmt.Sprintf(format, args...)}}
}

func warn(format string, args ...any) out {
	return out{note: note{text: fmt.Sprintf(format, args...), bad: true}}
}

// and joins what two updates ask for; where only one can be had, the later
// one's.
func (o out) and(p out) out {
	o.jobs = append(o.jobs, p.jobs...)
	o.writes = append(o.writes, p.writes...)
	o.cmd = tea.Batch(o.cmd, p.cmd)
	if p.open != nil {
		o.open = p.open
	}
	if p.note.text != "" {
		o.note = p.note
	}
	if p.answer != nil {
		o.answer = p.answer
	}
	if p.show != nil {
		o.show = p.show
	}
	return o
}

// A note is a line for the person: what was done, or why not.
type note struct {
	text string
	bad  bool
}

// doneMsg is the answer of a job.
type doneMsg struct {
	msg   tea.Msg
	write bool
}

// A screen is one of the tabs.
type screen int

const (
	onReview screen = iota
	onBrowse
	onSessions
	screens
)

// A dialog lies over the pane and gets all keys until the person has decided. It
// closes by giving back nil; what was decided is the answer of the out, for the
// pane beneath.
type dialog interface {
	update(tea.Msg) (dialog, out)
	// view draws it, at most w by h.
	view(w, h int, st style) string
	hints() []hint
}

// A hint is what help, footer and palette show of a key.
type hint struct {
	press string // the key that does it
	key   string // as it is shown
	desc  string
	group string
	foot  string
	off   string // why it does nothing now
}

// clickMsg is a click into a pane, counted from its corner.
type clickMsg struct{ x, y int }

// wheelMsg is a turn of the wheel over a pane, by some rows.
type wheelMsg struct{ x, y, by int }

// notch is how many rows one step of the wheel is.
const notch = 3

// roomMsg tells a dialog how much room it has.
type roomMsg struct{ w, h int }
