package next

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"learnings/index/curate"
	"learnings/index/recall"
	"learnings/lessons"
	"learnings/tui/desk"
	"learnings/tui/kit"
)

// Keys are the keys of the screen.
func Keys() kit.Binds[Pane] {
	all := append(sessionOfKeys(), nextLessonKeys()...)
	return append(all, kit.Motion(func(p Pane) kit.List { return p.cur }, Pane.moved)...)
}

func anyChoice(p Pane) string {
	if _, ok := p.Current(); !ok {
		return "no lesson is in or out"
	}
	return ""
}

// anyBlock says why there is no block; "" if there is one.
func anyBlock(p Pane) string {
	for _, t := range p.got.told {
		if t.Text != "" {
			return ""
		}
	}
	return "nothing is told"
}

// sessionOfKeys define the next session and show what it is told.
func sessionOfKeys() kit.Binds[Pane] {
	const g = "the session"
	off := func(p Pane) string {
		if p.fx.Next.Ahead == nil {
			return "nobody can say what sessions are told"
		}
		return ""
	}
	scroll := func(by int) func(Pane, string) (Pane, kit.Out) {
		return func(p Pane, _ string) (Pane, kit.Out) {
			return p.scrolled(by * max(p.parts().bh/2, 1)), kit.Out{}
		}
	}
	return kit.Binds[Pane]{
		{Key: kit.Keyed("task", "/", "the task: what the first prompt says, as you type", "/"), Group: g, Foot: "task", Off: off, Do: kit.Sets(func(p *Pane) { p.task = p.task.Open() })},
		{Key: kit.Keyed("agent", "a", "another agent", "a"), Group: g, Foot: "agent", Off: off, Do: func(p Pane, _ string) (Pane, kit.Out) { return p, kit.Ask(chooseAgent(p)) }},
		{Key: kit.Keyed("of-project", "w", "another project", "w"), Group: g, Foot: "project", Off: off, Do: kit.Asks(func(p Pane) kit.Out { return chooseProject(p) })},
		{Key: kit.Keyed("of-role", "r", "another role", "r"), Group: g, Foot: "role", Off: off, Do: func(p Pane, _ string) (Pane, kit.Out) { return p, kit.Ask(chooseRole(p)) }},
		{Key: kit.Keyed("of-file", "f", "a file that the session is about", "f"), Group: g, Off: func(p Pane) string {
			if a := p.agent(); !strings.Contains(a.Takes, "learnings inject") {
				return a.Title + " tells its hooks of no file; name it in the task"
			}
			return off(p)
		}, Do: func(p Pane, _ string) (Pane, kit.Out) { return p, kit.Ask(chooseFile(p)) }},
		{Key: kit.Keyed("as-sent", "v", "the block as it goes to the agent, or as its model reads it", "v"), Group: g, Foot: "as sent", Off: anyBlock, Do: kit.Sets(func(p *Pane) { p.wire, p.top = !p.wire, 0 })},
		{Key: kit.Keyed("copy", "y", "copy the block", "y"), Group: g, Foot: "copy", Off: anyBlock, Do: func(p Pane, _ string) (Pane, kit.Out) {
			var all []string
			of := recall.Ahead{Told: p.got.told}.Given()
			for _, t := range p.got.told {
				if text := saidOf(p, t); text != "" {
					all = append(all, text)
				}
			}
			return p, desk.Copied("the block", strings.Join(all, "\n"), of...)
		}},
		{Key: kit.Keyed("clear", "esc", "no task, and no file", "esc"), Group: g,
			Off: kit.Unless(func(p Pane) bool { return p.task.Query == "" && p.ask.file == "" }, "there is none", nil), Do: func(p Pane, _ string) (Pane, kit.Out) {
				p.task, p.ask.file = kit.Filter{}, ""
				return p.anew()
			}},
		{Key: kit.Keyed("scroll-down", "J pgdn", "scroll the block down", "J", "pgdown"), Group: g, Do: scroll(1)},
		{Key: kit.Keyed("scroll-up", "K pgup", "scroll the block up", "K", "pgup"), Group: g, Do: scroll(-1)},
	}
}

// nextLessonKeys act on the lesson under the cursor.
func nextLessonKeys() kit.Binds[Pane] {
	const g = "the lesson"
	pinned := func(want bool, why string) func(Pane) string {
		return func(p Pane) string {
			if l, ok := p.Current(); ok && l.Pinned != want {
				return why
			}
			return anyChoice(p)
		}
	}
	return kit.Binds[Pane]{
		{Key: kit.Keyed("open", "enter", "settle it, edit the file, or open the lesson in Browse", "enter"), Group: g, Foot: "open", Off: func(p Pane) string {
			if p.beside() {
				return ""
			}
			return anyChoice(p)
		}, Do: kit.Asks(Pane.open)},
		{Key: kit.Keyed("pin", "p", "pin: every session it holds for is given it", "p"), Group: g, Foot: "pin", Off: pinned(false, "it is pinned; P lets it go"), Do: func(p Pane, _ string) (Pane, kit.Out) { return p.pin(curate.Pin) }},
		{Key: kit.Keyed("unpin", "P", "unpin: it comes in by what it says again", "P"), Group: g, Foot: "unpin", Off: pinned(true, "it is not pinned"), Do: func(p Pane, _ string) (Pane, kit.Out) { return p.pin(curate.Unpin) }},
		{Key: kit.Keyed("read", "o", "read what was said when it was learned", "o"), Group: g, Foot: "read", Off: anyChoice, Do: func(p Pane, _ string) (Pane, kit.Out) {
			l, _ := p.Current()
			if len(l.Evidence) == 0 {
				return p, kit.Say("this lesson has no evidence")
			}
			return p, desk.ReadAt(l.Evidence...)
		}},
		{Key: kit.Keyed("copy-handle", "Y", "copy its handle", "Y"), Group: g, Off: anyChoice, Do: desk.OnLesson(func(p Pane, l lessons.Lesson) kit.Out { return desk.Copied(string(l.ID), string(l.ID)) })},
	}
}

const runsInject = "runs learnings inject"

// with returns the answer of a dialog that changes the assumed session.
func (p Pane) with(change func(*assumed)) kit.Out {
	a := p.ask
	change(&a)
	return kit.Out{Answer: kit.Then[Pane](func(p Pane) (Pane, kit.Out) {
		p.wire = p.wire && a.agent == p.ask.agent
		p.ask = a
		return p.anew()
	})}
}

func chooseAgent(p Pane) kit.Chooser {
	var all []kit.Option
	at := len(p.agents)
	for i, a := range append(slices.Clip(p.agents), desk.NextAgent{Title: "any other", Takes: runsInject}) {
		note := cmp.Or(a.Takes, "asks the MCP server")
		if a.Here {
			note += " · on this machine"
		}
		if a.Name == p.ask.agent {
			at = i
		}
		all = append(all, kit.Option{Name: a.Title, Note: note, Do: p.with(func(to *assumed) { to.agent = a.Name })})
	}
	d := kit.NewChooser("which agent", all)
	d.Cur = d.Cur.To(at)
	return d
}

// typedChooser returns a chooser that also accepts typed text.
func typedChooser(p Pane, title, hint string, all []kit.Option, set func(*assumed, string)) kit.Chooser {
	d := kit.NewChooser(title, all)
	d.Take = func(s string) (kit.Out, error) { return p.with(func(a *assumed) { set(a, s) }), nil }
	d.Hint = hint
	return d
}

func chooseProject(p Pane) kit.Out {
	set := func(a *assumed, name string) { a.project = name }
	d := typedChooser(p, "which project", "enter takes it as it is typed", []kit.Option{{Name: "none", Note: "global lessons alone", Do: p.with(func(a *assumed) { set(a, "") })}}, set)
	d.More = true
	return kit.Ask(d).And(kit.Run(p.fx.ListProjects(func(n string) kit.Option {
		o := kit.Option{Name: n, Do: p.with(func(a *assumed) { set(a, n) })}
		if n == p.fx.Next.Project {
			o.Note = "where you are"
		}
		return o
	})))
}

func chooseRole(p Pane) kit.Chooser {
	set := func(a *assumed, name string) { a.role = name }
	all := []kit.Option{{Name: "any", Note: "the agent names none", Do: p.with(func(a *assumed) { set(a, "") })}}
	seen := map[string]bool{"": true}
	for _, c := range slices.Concat(p.got.in, p.got.out) {
		if r := c.Lesson.Scope.Role; !seen[r] {
			seen[r] = true
			all = append(all, kit.Option{Name: r, Do: p.with(func(a *assumed) { set(a, r) })})
		}
	}
	return typedChooser(p, "which role", "enter takes it as it is typed", all, set)
}

func chooseFile(p Pane) kit.Chooser {
	set := func(a *assumed, path string) { a.file = path }
	return typedChooser(p, "which file", "enter takes it: a path in the project, as in api/user.proto", []kit.Option{{Name: "none", Do: p.with(func(a *assumed) { set(a, "") })}}, set)
}

// whatIf counts what the task adds and removes.
func (p Pane) whatIf() (came, went int, ok bool) {
	return len(p.got.came), p.got.went, p.got.task != "" && p.got.err == nil
}

// place says where the next session is, in a few words.
func (p Pane) place() string {
	if p.ask.project == "" {
		return "no project"
	}
	return lessons.Line(p.ask.project)
}

func bytesOf(n int) string { return fmt.Sprintf("%s bytes", kit.Grouped(n)) }
