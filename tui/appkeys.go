package tui

import (
	"cmp"
	"fmt"
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"learnings/lessons"
)

// everywhere is the group of keys that hold on every screen.
const everywhere = "every screen"

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
		{Binding: numbered(), group: g, do: func(a app, k string) (app, out) {
			var o out
			a.panes, o = a.turn(screen(k[len(k)-1] - '1'))
			return a, o
		}},
		{Binding: keyed("u", "undo", "u"), group: g, about: "Undoes the last decision, exactly, and the one before it when pressed again. What another program changed since is left alone.", foot: "undo", do: func(a app, _ string) (app, out) {
			var o out
			a.review, o = a.review.undo()
			return a, o
		}},
		{Binding: keyed("ctrl+r", "redo", "ctrl+r"), group: g, about: "Does again what was undone.", do: func(a app, _ string) (app, out) {
			return a, out{writes: []job{a.fx.redo()}}
		}},
	}
	return slices.Concat(moves, appRuns(), binds[app]{
		{Binding: keyed("R", "look for changes made elsewhere", "R"), group: g, about: "Looks at the files anew, which also happens by itself every few seconds.", do: func(a app, _ string) (app, out) {
			return a, run(a.fx.sync())
		}},
		{Binding: keyed(": ctrl+p", "palette of all commands", ":", "ctrl+p"), group: g, do: func(a app, _ string) (app, out) {
			return a, ask(newPalette(commands(a)))
		}},
		{Binding: keyed("@", "log of this run, with errors", "@"), group: g, about: "What the line at the bottom has said since the desk was opened, errors marked with !.", do: func(a app, _ string) (app, out) {
			p := a.record.page()
			a.fault = ""
			return a, ask(p)
		}},
		{Binding: keyed("M", "mouse on or off, for selecting text", "M"), group: g, do: func(a app, _ string) (app, out) {
			a.mouse = !a.mouse
			if a.mouse {
				return a, say("mouse on: wheel and click")
			}
			return a, say("mouse off: the terminal selects text")
		}},
		{Binding: keyed("S", "open the sample, to try the keys on", "S"), group: g, about: "A small corpus that is not yours, marked SAMPLE on every screen. Nothing you do there is kept.", off: func(a app) string {
			if a.fx.OfferSample == nil {
				return "this is it, or there is none"
			}
			return ""
		}, do: func(a app, _ string) (app, out) {
			a.sample = true
			return a, out{cmd: func() tea.Msg { return quitMsg{} }}
		}},
		{Binding: keyed("?", "keys", "?", "f1"), group: g, foot: "keys", do: func(a app, _ string) (app, out) {
			return a, ask(newHelp(slots[a.on].name, a.keys()))
		}},
		{Binding: keyed("q", "quit", "q"), group: g, about: "Nothing is lost: each decision is on disk before it is shown as made.", do: func(a app, _ string) (app, out) {
			return a, out{cmd: func() tea.Msg { return quitMsg{} }}
		}},
		{Binding: keyed("ctrl+z", "suspend", "ctrl+z"), group: g, about: "Back to the shell; fg returns to the desk as it was.", do: func(a app, _ string) (app, out) {
			return a, out{cmd: func() tea.Msg { return stopMsg{} }}
		}},
	})
}

// numbered are the keys that turn to a screen by its number.
func numbered() key.Binding {
	var keys []string
	for i := range slots {
		keys = append(keys, fmt.Sprintf("alt+%d", i+1))
	}
	return keyed(fmt.Sprintf("alt+1-%d", len(slots)), fmt.Sprintf("screen 1 to %d", len(slots)), keys...)
}

// appRuns are the keys for what takes a while, or shows much.
func appRuns() binds[app] {
	const g = everywhere
	return binds[app]{
		{Binding: keyed("X", "extract from all sessions that hold something new", "X"), group: g, about: "The rules read what no run has read yet: free, on this machine. What they propose waits in Review.", foot: "extract new", off: func(a app) string {
			if a.sessions.fresh() == 0 {
				return "no session holds anything new"
			}
			return a.sessions.busy()
		}, do: func(a app, _ string) (app, out) {
			var o out
			a.sessions, o = a.sessions.extractNew()
			return a, o
		}},
		{Binding: keyed("A", "have a model read what none has read, and see its price first", "A"), group: g, about: "Shows first what would be sent and what it costs at most. Nothing is sent before you say so.", foot: "ask a model", off: func(a app) string {
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
		{Binding: keyed("I", "import from another program or a file, and see first what would come", "I"), group: g, about: "Reads the memory of another program or a file. What comes waits as proposals; its own file stays as it is.", off: apart, do: func(a app, _ string) (app, out) {
			return a, openExchange(a.fx, importing)
		}},
		{Binding: keyed("E", "export to another program or a file, and see first what would change", "E"), group: g, about: "Writes approved lessons where another program reads them, or those that are marked in Browse, and shows the difference before it does.", off: apart, do: func(a app, _ string) (app, out) {
			if a.on == onBrowse && len(a.browse.marks) > 0 && a.fx.Exchange.Forms != nil {
				return a, openExport(a.fx, wantedIn(a.browse))
			}
			return a, openExchange(a.fx, exporting)
		}},
		{Binding: keyed("O", "lessons from outside: what other programs wrote, to confirm", "O"), group: g, about: "Files that an editor, git or another program wrote are not given to sessions before you confirm them.", off: func(a app) string {
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
	all := append(own, appKeys().hints(a)...)
	for i, h := range all {
		all[i] = a.fx.keys.shown(a.on, h)
	}
	return all
}

// report says what came of an undo or a redo.
func (m undoneMsg) report() note {
	switch {
	case m.err != nil:
		return note{bad: true, text: fmt.Sprintf("%s: %v", m.op, m.err)}
	case len(m.changes) == 0:
		return note{text: "nothing to " + m.op}
	}
	what := cmp.Or(pastOf[m.of], string(m.of), "what was done")
	if len(m.changes) > 1 {
		what += fmt.Sprintf(" %d lessons", len(m.changes))
	} else if l := cmp.Or(m.changes[0].After, m.changes[0].Before); l != nil {
		what += " “" + l.Title(48) + "”"
	} else {
		what += " " + string(m.changes[0].ID)
	}
	if m.op == "redo" {
		return note{done: true, text: "✓ redone: " + what}
	}
	return note{done: true, text: "✓ undone: " + what}
}

// pastOf are decisions as they are told when they were made.
var pastOf = map[lessons.Op]string{lessons.OpApprove: "approved", lessons.OpReject: "rejected", lessons.OpSnooze: "snoozed", lessons.OpEdit: "edited", lessons.OpMerge: "merged",
	lessons.OpResolve: "settled", lessons.OpArchive: "archived", lessons.OpReopen: "reopened", lessons.OpPin: "pinned", lessons.OpUnpin: "unpinned",
	lessons.OpConfirm: "confirmed", lessons.OpRestore: "restored", lessons.OpSplit: "split", lessons.OpPropose: "proposed", lessons.OpAdd: "added", lessons.OpRename: "moved"}
