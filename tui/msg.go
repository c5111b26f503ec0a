package tui

import (
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"learnings/lessons"
	"learnings/tui/look"
)

// A job is work that may take a while. It runs beside the screen, uses nothing of a
// pane's memory but copied values, and answers with one message that says which
// request it answers.
type job func(ctx context.Context) tea.Msg

// An out is what an update asks of the root, beside the new state of its pane.
type out struct {
	jobs   []job
	writes []job   // jobs that change the corpus, which run one after the other in this order
	cmd    tea.Cmd // for the terminal: clipboard, editor, suspend; not counted as busy
	open   dialog  // to show over the pane
	note   note    // for the running line
	stays  bool    // an error in note stays there until esc
	answer tea.Msg // of a dialog that closes, for the pane beneath

	gone     []lessons.Lesson // what the one write takes out of the queue, and does no more
	foreseen bool             // the write is an undo that is shown as done
}

func run(jobs ...job) out { return out{jobs: jobs} }

func ask(d dialog) out { return out{open: d} }

func say(format string, args ...any) out {
	return out{note: note{text: fmt.Sprintf(format, args...)}}
}

func warn(format string, args ...any) out {
	return out{note: note{text: fmt.Sprintf(format, args...), bad: true}}
}

// and joins what two updates ask for. Where only one can be had, it is that of p.
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
	o.gone, o.foreseen = append(o.gone, p.gone...), o.foreseen || p.foreseen
	return o
}

// A note is the status line: what was done, or why not.
type note struct {
	text string
	bad  bool
	done bool // it is of a decision: in Review it stays until the next one
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
	onInsights
	onNext
	screens
)

// A dialog lies over the pane and gets all keys until the person has decided. It
// closes by giving back nil; what was decided is the answer of the out, for the
// pane beneath.
type dialog interface {
	update(tea.Msg) (dialog, out)
	hints() []hint
}

// A floating dialog lies over the page, which is dimmed meanwhile.
type floating interface {
	dialog
	// view draws it, at most w by h.
	view(w, h int, st *look.Style) string
}

// A paged dialog fills the page, in place of the pane.
type paged interface {
	dialog
	// sheet draws it, in the size of the last roomMsg.
	sheet(st *look.Style) sheet
}

// A hint is what help, footer and palette show of a key.
type hint struct {
	press string   // the key that does it
	keys  []string // all that do
	name  string   // of its action in [keys]; "" for none
	key   string   // as it is shown
	desc  string
	group string
	foot  string
	off   string // why it does nothing now

	about  string  // more of it, for the palette
	answer tea.Msg // what it does, for what has no key
}

// clickMsg is a click into a pane, counted from its corner.
type clickMsg struct{ x, y int }

// wheelMsg is a turn of the wheel over a pane, by some rows.
type wheelMsg struct{ x, y, by int }

// notch is how many rows one step of the wheel is.
const notch = 3

// spinMsg asks for the next picture of the spinner.
type spinMsg struct{}

// roomMsg gives a dialog its size.
type roomMsg struct{ w, h int }
