// Package tui is the review desk, a full-screen program: the queue of proposals with
// everything needed to judge one, the corpus, the transcripts to extract lessons from,
// figures, and what the next session will be told. It turns keys into calls of
// [curate.Corpus], which enforces the rules, and shows the results.
//
// This package is the root model: it routes messages to the screens and dialogs and talks
// to the terminal. Screens are concrete types with keys, state, and a view that changes
// nothing. Slow work is a job: it gets values and answers with one message, and the
// screen says "idle" when no job is running. Jobs that change the corpus run one at a
// time, in the order of the keys.
//
// Lessons and transcripts are hostile text. All of it passes through [lessons.Line] or
// [lessons.Block] before it is drawn.
package tui

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"runtime"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"learnings/tui/browse"
	"learnings/tui/desk"
	"learnings/tui/insights"
	"learnings/tui/kit"
	"learnings/tui/next"
	"learnings/tui/review"
	"learnings/tui/sessions"
)

// Run shows the desk until the person leaves, then prints a summary line. It needs a
// terminal that can be drawn on.
func Run(ctx context.Context, c desk.Config) error {
	for {
		a, err := show(ctx, c)
		if err != nil {
			return err
		}
		if !a.sample {
			return a.farewell()
		}
		if c, err = c.OfferSample(); err != nil {
			return fmt.Errorf("opening the sample: %w", err)
		}
	}
}

// Warm lays out the table of all widths, for which the first frame would wait. It may run
// while the corpus is opened.
func Warm() { ansi.StringWidthWc("…") }

// show runs the program once and returns its last state.
func show(ctx context.Context, c desk.Config) (app, error) {
	opts := []tea.ProgramOption{tea.WithFPS(fps), tea.WithFilter(sized)}
	if f, ok := c.Terminal.Out.(*os.File); ok {
		if err := believable(f); err != nil {
			return app{}, err
		}
	}
	if c.Terminal.Out != nil {
		opts = append(opts, tea.WithOutput(c.Terminal.Out))
	}
	if c.Terminal.Env != nil {
		opts = append(opts, tea.WithEnvironment(c.Terminal.Env))
	}
	whole := context.WithoutCancel(ctx)
	ctx, cancel := context.WithCancel(ctx)
	if in := c.Terminal.In; in != nil {
		opts = append(opts, tea.WithInput(in))
	} else if runtime.GOOS != "windows" { // Windows consoles are read in another way
		opts = append(opts, tea.WithInput(desk.Stdin(cancel)))
	}
	fx := newEffects(c)
	var a app
	defer func() {
		cancel() // ends running jobs, such as an extraction
		fx.Shared.Close()
		finish(whole, a)
	}()
	// Signals end ctx. Bubble Tea's own handler would wait forever to send a signal to a
	// program that ctx has ended.
	p := tea.NewProgram(newApp(ctx, fx), append(opts, tea.WithContext(ctx), tea.WithoutSignalHandler())...)
	go fx.Watch(ctx, p.Send)
	m, err := p.Run()
	a, _ = m.(app)
	return a, err
}

// fps limits the frame rate. With Bubble Tea's 60 a key waits for 17 ms.
const fps = 120

func newEffects(c desk.Config) desk.Desk {
	s := desk.NewShared(c.Corpus)
	keys, _ := desk.NewKeymap(c.Keys, bound)
	return desk.Desk{Config: c, Look: desk.Indexed{Corpus: c.Corpus}, Shared: s, Keys: keys}
}

// farewell prints the summary.
func (a app) farewell() error {
	s := a.tally.Summary(a.fx.Undo)
	if s == "" {
		return nil
	}
	_, err := fmt.Fprintln(cmp.Or[io.Writer](a.fx.Terminal.Out, os.Stdout), s)
	return err
}

// bound returns the keys of a screen without those of every screen, or the latter for
// [desk.Screens].
func bound(s desk.Screen) []kit.Key {
	switch s {
	case desk.OnReview:
		return review.Keys().Bound()
	case desk.OnBrowse:
		return browse.Keys().Bound()
	case desk.OnSessions:
		return sessions.Keys().Bound()
	case desk.OnInsights:
		return insights.Keys().Bound()
	case desk.OnNext:
		return next.Keys().Bound()
	}
	return appKeys().Bound()
}

// CheckKeys returns what is wrong with the person's keys. Valid choices apply all the
// same.
func CheckKeys(choices map[string]desk.KeyChoice) []error {
	_, errs := desk.NewKeymap(choices, bound)
	return errs
}

// misfits warns about keys that could not be assigned.
func misfits(c desk.Config) kit.Out {
	errs := CheckKeys(c.Keys)
	switch len(errs) {
	case 0:
		return kit.Out{}
	case 1:
		return kit.Warn("%v; its own key holds", errs[0])
	}
	return kit.Warn("%v; and %d more: their own keys hold, `learnings config` names all", errs[0], len(errs)-1)
}
