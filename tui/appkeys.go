package tui

import (
	"cmp"
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"
)

// everywhere is the group of keys that hold on every screen.
const everywhere = "everywhere"

// appKeys hold on every screen.
func appKeys() binds[app] {
	const g = everywhere
	turn := func(by int) func(app, string) (app, out) {
		return func(a app, _ string) (app, out) {
			var o out
			a.panes, o = a.turn((a.on + screens + screen(by)) % screens)
			return a, o
		}
	}
	moves := binds[app]{
		{Binding: keyed("tab ]", "next screen", "tab", "]"), group: g, do: turn(1)},
		{Binding: keyed("[", "previous screen", "[", "shift+tab"), group: g, do: turn(-1)},
		{Binding: keyed("alt+1-5", "screen 1 to 5", "alt+1", "alt+2", "alt+3", "alt+4", "alt+5"), group: g, do: func(a app, k string) (app, out) {
			var o out
			a.panes, o = a.turn(screen(k[len(k)-1] - '1'))
			return a, o
		}},
		{Binding: keyed("u", "undo", "u"), group: g, foot: "undo", do: func(a app, _ string) (app, out) {
			return a, out{writes: []job{a.fx.undo()}}
		}},
		{Binding: keyed("ctrl+r", "redo", "ctrl+r"), group: g, do: func(a app, _ string) (app, out) {
			return a, out{writes: []job{a.fx.redo()}}
		}},
	}
	return slices.Concat(moves, appRuns(), binds[app]{
		{Binding: keyed("R", "look for changes made elsewhere", "R"), group: g, do: func(a app, _ string) (app, out) {
			return a, run(a.fx.sync())
		}},
		{Binding: keyed(": ctrl+p", "palette of all commands", ":", "ctrl+p"), group: g, do: func(a app, _ string) (app, out) {
			return a, ask(newPalette(a.keys()))
		}},
		{Binding: keyed("M", "mouse on or off, for selecting text", "M"), group: g, do: func(a app, _ string) (app, out) {
			a.mouse = !a.mouse
			if a.mouse {
				return a, say("mouse on: wheel and click")
			}
			return a, say("mouse off: the terminal selects text")
		}},
		{Binding: keyed("S", "open the sample, to try the keys on", "S"), group: g, off: func(a app) string {
			if a.fx.OfferSample == nil {
				return "this is it, or there is none"
			}
			return ""
		}, do: func(a app, _ string) (app, out) {
			a.sample = true
			return a, out{cmd: func() tea.Msg { return quitMsg{} }}
		}},
		{Binding: keyed("?", "keys", "?", "f1"), group: g, foot: "keys", do: func(a app, _ string) (app, out) {
			return a, ask(newHelp(a.keys()))
		}},
		{Binding: keyed("q", "quit", "q"), group: g, do: func(a app, _ string) (app, out) {
			return a, out{cmd: func() tea.Msg { return quitMsg{} }}
		}},
		{Binding: keyed("ctrl+z", "suspend", "ctrl+z"), group: g, do: func(a app, _ string) (app, out) {
			return a, out{cmd: tea.Suspend}
		}},
	})
}

// appRuns are the keys for what takes a while, or shows much.
func appRuns() binds[app] {
	const g = everywhere
	return binds[app]{
		{Binding: keyed("X", "extract from all sessions that hold something new", "X"), group: g, foot: "extract new", off: func(a app) string {
			if a.sessions.fresh() == 0 {
				return "no session holds anything new"
			}
			return a.sessions.busy()
		}, do: func(a app, _ string) (app, out) {
			var o out
			a.sessions, o = a.sessions.extractNew()
			return a, o
		}},
		{Binding: keyed("A", "have a model read what none has read, and see its price first", "A"), group: g, foot: "ask a model", off: func(a app) string {
			if a.sessions.model == "" {
				return "no model is at hand; `learnings models` says where it looks"
			}
			return a.sessions.busy()
		}, do: func(a app, _ string) (app, out) {
			if a.on == onSessions {
				return a, askModel(a.fx, a.sessions.markedPaths())
			}
			return a, askModel(a.fx, nil)
		}},
		{Binding: keyed("I", "import from another program or a file, and see first what would come", "I"), group: g, off: apart, do: func(a app, _ string) (app, out) {
			return a, openExchange(a.fx, importing)
		}},
		{Binding: keyed("E", "export to another program or a file, and see first what would change", "E"), group: g, off: apart, do: func(a app, _ string) (app, out) {
			return a, openExchange(a.fx, exporting)
		}},
		{Binding: keyed("O", "lessons from outside: what other programs wrote, to confirm", "O"), group: g, off: func(a app) string {
			if a.outside.n == 0 {
				return "no other program wrote or changed a lesson"
			}
			return ""
		}, do: func(a app, _ string) (app, out) {
			return a, run(a.fx.readOutside(false))
		}},
	}
}

// apart says why lessons neither come nor go.
func apart(a app) string {
	if a.fx.Exchange.Import == nil {
		return "the sample keeps to itself"
	}
	return ""
}

// keys are what can be done now: in the pane, then everywhere.
func (a app) keys() []hint {
	own := a.hints()
	if a.typing() {
		return own
	}
	return append(own, appKeys().hints(a)...)
}

// report says what came of an undo or a redo.
func (m undoneMsg) report() note {
	switch {
	case m.err != nil:
		return note{bad: true, text: fmt.Sprintf("%s: %v", m.op, m.err)}
	case len(m.changes) == 0:
		return note{text: "nothing to " + m.op}
	}
	what := cmp.Or(string(m.of), "what was done")
	if len(m.changes) > 1 {
		what += fmt.Sprintf(" of %d lessons", len(m.changes))
	} else if l := cmp.Or(m.changes[0].After, m.changes[0].Before); l != nil {
		what += " “" + l.Title(48) + "”"
	} else {
		what += " " + string(m.changes[0].ID)
	}
	if m.op == "redo" {
		return note{text: "✓ redone: " + what}
	}
	return note{text: "✓ took back " + what}
}
