// Package tui is the review desk, a full-screen program: the queue of proposals with
// everything that it takes to judge one, the corpus to browse, the transcripts to take
// lessons from, what all that does, and what the next session will be told. It turns keys
// into calls of [curate.Corpus], where the rules are, and shows what comes of them.
//
// This package is the root: it routes messages to the screens and dialogs, and answers the
// terminal. Screens are concrete types, each with its keys, its state and a view that
// changes nothing. Whatever may take a while is a job: it gets values, answers with one
// message, and is counted, so that the screen can say "idle" when none is under way. Jobs
// that change the corpus run one after the other, in the order of the keys.
//
// Lessons and transcripts are hostile text. All of it goes through [lessons.Line] or
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

	"learnings/tui/browse"
	"learnings/tui/desk"
	"learnings/tui/insights"
	"learnings/tui/kit"
	"learnings/tui/next"
	"learnings/tui/review"
	"learnings/tui/sessions"
)

// Run shows the screens until the person leaves, and then prints one line about what
// was done. It needs a terminal that can be drawn on.
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
	} else if runtime.GOOS != "windows" { // its console is read in another way
		opts = append(opts, tea.WithInput(desk.Stdin(cancel)))
	}
	fx := newEffects(c)
	var a app
	defer func() {
		cancel() // what still runs, such as an extraction, ends with the screens
		fx.Shared.Close()
		finish(whole, a)
	}()
	// Signals end ctx. Bubble Tea's own handler would wait for ever to hand a signal to a
	// program that ctx has ended.
	p := tea.NewProgram(newApp(ctx, fx), append(opts, tea.WithContext(ctx), tea.WithoutSignalHandler())...)
	go fx.Watch(ctx, p.Send)
	m, err := p.Run()
	a, _ = m.(app)
	return a, err
}

// fps is how often a frame may be drawn: with Bubble Tea's 60 a key waits for 17 ms.
const fps = 120

func newEffects(c desk.Config) desk.Desk {
	s := desk.NewShared(c.Corpus)
	keys, _ := desk.NewKeymap(c.Keys, bound)
	return desk.Desk{Config: c, Look: desk.Indexed{Corpus: c.Corpus}, Shared: s, Keys: keys}
}

// farewell prints what was done.
func (a app) farewell() error {
	s := a.tally.Summary(a.fx.Undo)
	if s == "" {
		return nil
	}
	_, err := fmt.Fprintln(cmp.Or[io.Writer](a.fx.Terminal.Out, os.Stdout), s)
	return err
}

// bound are the keys of a screen without those that hold everywhere, which are those of
// screens.
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

// CheckKeys says what is wrong with the keys that a person chose. What is right holds all
// the same.
func CheckKeys(choices map[string]desk.KeyChoice) []error {
	_, errs := desk.NewKeymap(choices, bound)
	return errs
}

// misfits tells of the keys that could not be as the person wrote them.
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
