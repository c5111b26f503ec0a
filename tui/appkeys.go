package tui

import (
	"slices"

	"learnings/tui/browse"
	"learnings/tui/decide"
	"learnings/tui/desk"
	"learnings/tui/kit"
)

// appKeys are the keys of every screen.
func appKeys() kit.Binds[app] {
	const g = kit.Everywhere
	turn := func(by desk.Screen) func(app, string) (app, kit.Out) {
		return func(a app, _ string) (app, kit.Out) { return a.to((a.on + by) % desk.Screens) }
	}
	moves := kit.Binds[app]{
		{Key: kit.Keyed("next-screen", "tab ]", "next screen", "tab", "]"), Group: g, Do: turn(1)},
		{Key: kit.Keyed("previous-screen", "[", "previous screen", "[", "shift+tab"), Group: g, Do: turn(desk.Screens - 1)},
		{Key: numbered(), Group: g, Do: func(a app, k string) (app, kit.Out) { return a.to(desk.Screen(k[len(k)-1] - '1')) }},
		{Key: kit.Keyed("undo", "u", "undo", "u"), Group: g, About: "Undoes the last decision of this desk, exactly, and the one before it when pressed again. What another program changed since is left alone; decisions of yours in other terminals are named.", Foot: "undo", Off: kit.Unless(func(a app) bool { return a.review.Unbegun() }, "nothing was decided yet", nil), Do: func(a app, _ string) (app, kit.Out) {
			return a, kit.Out{Writes: []kit.Job{a.fx.TakeBack()}}
		}},
		{Key: kit.Keyed("redo", "ctrl+r", "redo", "ctrl+r"), Group: g, About: "Does again what was undone.", Do: func(a app, _ string) (app, kit.Out) {
			return a, kit.Out{Writes: []kit.Job{a.fx.DoAgain()}}
		}},
	}
	return slices.Concat(moves, appRuns(), kit.Binds[app]{
		{Key: kit.Keyed("scope", "Z", "scope of the lists: everything, this project, this machine", "Z"), Group: g, About: "Lists what holds in the project that you are in, then what holds in any project of which this machine has sessions, then everything. The header says which.",
			Off: kit.Unless(func(a app) bool { return len(a.scopes()) == 1 }, "no project is known here", nil), Do: func(a app, _ string) (app, kit.Out) { return a.scoped() }},
		{Key: kit.Keyed("go-back", "ctrl+t", "what you decided; go back to any point", "ctrl+t"), Group: g, About: "Lists your decisions, those of other days and terminals too, and shows what would change. All since the chosen one are undone at once; ctrl+r does them again.", Do: func(a app, _ string) (app, kit.Out) {
			return a, decide.OpenPoints(a.fx)
		}},
		{Key: kit.Keyed("look-again", "R", "look for changes made elsewhere", "R"), Group: g, About: "Looks at the files again. This also happens by itself every few seconds.", Do: func(a app, _ string) (app, kit.Out) {
			return a, kit.Run(a.fx.Sync())
		}},
		{Key: kit.Keyed("palette", ": ctrl+p", "palette of all commands", ":", "ctrl+p"), Group: g, Do: func(a app, _ string) (app, kit.Out) {
			return a, kit.Ask(kit.NewPalette(commands(a)))
		}},
		{Key: kit.Keyed("log", "@", "log of this run, with errors", "@"), Group: g, About: "What the line at the bottom has said since the desk was opened, errors marked with !.", Do: func(a app, _ string) (app, kit.Out) {
			p := a.Log.Page()
			a.Fault = ""
			return a, kit.Ask(p)
		}},
		{Key: kit.Keyed("mouse", "M", "mouse on or off, for selecting text", "M"), Group: g, Do: func(a app, _ string) (app, kit.Out) {
			a.mouse = !a.mouse
			if a.mouse {
				return a, kit.Say("mouse on: wheel and click")
			}
			return a, kit.Say("mouse off: the terminal selects text")
		}},
		{Key: kit.Keyed("sample", "S", "open the sample, to try the keys on", "S"), Group: g, About: "A small corpus that is not yours, marked SAMPLE on every screen. Nothing you do there is kept.",
			Off: kit.Unless(func(a app) bool { return a.fx.OfferSample == nil }, "this is it, or there is none", nil), Do: func(a app, _ string) (app, kit.Out) {
				a.sample = true
				return a.quit()
			}},
		{Key: kit.Keyed("help", "?", "keys", "?", "f1"), Group: g, Foot: "keys", Do: func(a app, _ string) (app, kit.Out) {
			return a, kit.Ask(kit.NewHelp(a.on.String(), a.keys()))
		}},
		{Key: kit.Keyed("quit", "q", "quit", "q"), Group: g, About: "Nothing is lost: each decision is on disk before it is shown as made.", Do: func(a app, _ string) (app, kit.Out) { return a.quit() }},
		{Key: kit.Keyed("", "ctrl+z", "suspend", "ctrl+z"), Group: g, About: "Back to the shell; fg returns to the desk as it was.", Do: func(a app, _ string) (app, kit.Out) { return a.suspend() }},
	})
}

// numbered are the keys that select a screen by number.
func numbered() kit.Key {
	return kit.Keyed("", "1-5", "screen 1 to 5", "1", "2", "3", "4", "5", "alt+1", "alt+2", "alt+3", "alt+4", "alt+5")
}

// appRuns are the keys of longer tasks and lists.
func appRuns() kit.Binds[app] {
	const g = kit.Everywhere
	return kit.Binds[app]{
		{Key: kit.Keyed("extract-new", "X", "extract from all sessions that hold something new", "X"), Group: g, About: "What no run has read yet is read by the rules, free and on this machine, or by the model that you let read by itself. The first time you are asked. What they propose waits in Review.", Foot: "extract new", Off: func(a app) string {
			return a.sessions.Unread()
		}, Do: func(a app, _ string) (app, kit.Out) {
			var o kit.Out
			a.sessions, o = a.sessions.ExtractNew()
			return a, o
		}},
		{Key: kit.Keyed("ask-model", "A", "have a model read what none has read, and see its price first", "A"), Group: g, About: "Shows first what would be sent and what it costs at most. Nothing is sent before you say so.", Foot: "ask a model", Off: func(a app) string {
			return a.sessions.Unasked()
		}, Do: func(a app, _ string) (app, kit.Out) {
			return a, a.sessions.OfferModel(a.on == desk.OnSessions)
		}},
		{Key: kit.Keyed("import", "I", "import from another program or a file, and see first what would come", "I"), Group: g, About: "Reads the memory of another program or a file. What comes waits as proposals; its own file stays as it is.", Off: apart, Do: func(a app, _ string) (app, kit.Out) {
			return a, browse.Open(a.fx, browse.Importing)
		}},
		{Key: kit.Keyed("export", "E", "export to another program or a file, and see first what would change", "E"), Group: g, About: "Writes approved lessons where another program reads them, or those that are marked in Browse, and shows the difference before it does.", Off: apart, Do: func(a app, _ string) (app, kit.Out) {
			if o, ok := a.browse.ExportMarked(); ok && a.on == desk.OnBrowse {
				return a, o
			}
			return a, browse.Open(a.fx, browse.Exporting)
		}},
		{Key: kit.Keyed("outside", "O", "lessons from outside: what other programs wrote, to confirm", "O"), Group: g, About: "Files that an editor, git or another program wrote are not given to sessions before you confirm them.",
			Off: kit.Unless(func(a app) bool { return a.outside.N == 0 }, "no other program wrote or changed a lesson", nil), Do: func(a app, _ string) (app, kit.Out) {
				return a, kit.Run(browse.AskOutside(a.fx))
			}},
	}
}

// apart says why import and export are off; "" if they are on.
func apart(a app) string {
	if a.fx.Exchange.Import == nil {
		return "the sample keeps to itself"
	}
	return ""
}

// keys returns the keys that work now: the pane's, then those of every screen.
func (a app) keys() []kit.Hint {
	own := a.Hints()
	if a.typing() {
		return own
	}
	all := append(own, appKeys().Hints(a)...)
	for i, h := range all {
		all[i] = a.fx.Keys.Shown(a.on, h)
	}
	return all
}

// scopes returns the scopes to choose from.
func (a app) scopes() []desk.Scope {
	return desk.Scopes(a.fx.Next.Project, a.sessions.Projects())
}

// scoped turns to the next scope.
func (a app) scoped() (app, kit.Out) {
	all := a.scopes()
	at := slices.IndexFunc(all, func(s desk.Scope) bool { return s.Name == a.scope.Name })
	a.scope = all[(at+1)%len(all)]
	var o kit.Out
	a.panes, o = a.answered(desk.ScopeMsg(a.scope))
	if a.scope.Name == "" {
		return a, o.And(kit.Say("the lists show everything"))
	}
	return a, o.And(kit.Say("the lists show %s, and what holds in every project; Z goes on", a.scope.Name))
}
