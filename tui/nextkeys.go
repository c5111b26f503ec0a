package tui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"learnings/index/curate"
	"learnings/lessons"
)

// The answers of the dialogs of the pane.
type (
	nextAgentMsg   struct{ name string }
	nextProjectMsg struct{ name string }
	nextRoleMsg    struct{ name string }
	nextFileMsg    struct{ name string }
)

// nextKeys are what can be done with the next session.
func nextKeys() binds[upcoming] {
	all := append(sessionOfKeys(), nextLessonKeys()...)
	return append(all, motion(func(p upcoming) list { return p.cur }, upcoming.moved)...)
}

func anyChoice(p upcoming) string {
	if _, ok := p.current(); !ok {
		return "no lesson is in or out"
	}
	return ""
}

// told says why there is no block; "" when there is one.
func anyBlock(p upcoming) string {
	for _, t := range p.got.told {
		if t.Text != "" {
			return ""
		}
	}
	return "nothing is told"
}

// sessionOfKeys say what the next session is, and show what it is told.
func sessionOfKeys() binds[upcoming] {
	const g = "the session"
	off := func(p upcoming) string {
		if p.fx.Next.Ahead == nil {
			return "nobody can say what sessions are told"
		}
		return ""
	}
	scroll := func(by int) func(upcoming, string) (upcoming, out) {
		return func(p upcoming, _ string) (upcoming, out) { return p.scrolled(by * max(p.parts().bh/2, 1)), out{} }
	}
	return binds[upcoming]{
		{Binding: keyed("/", "the task: what the first prompt says, as you type", "/"), group: g, foot: "task", off: off, do: func(p upcoming, _ string) (upcoming, out) {
			p.task = p.task.open()
			return p, out{}
		}},
		{Binding: keyed("a", "another agent", "a"), group: g, foot: "agent", off: off, do: func(p upcoming, _ string) (upcoming, out) { return p, ask(chooseAgent(p)) }},
		{Binding: keyed("w", "another project", "w"), group: g, foot: "project", off: off, do: func(p upcoming, _ string) (upcoming, out) {
			return p, ask(chooseProject(p)).and(run(listProjects(p.fx)))
		}},
		{Binding: keyed("r", "another role", "r"), group: g, foot: "role", off: off, do: func(p upcoming, _ string) (upcoming, out) { return p, ask(chooseRole(p)) }},
		{Binding: keyed("f", "a file that the session is about", "f"), group: g, off: func(p upcoming) string {
			if a := p.agent(); a.Name != "" && !a.byItself() {
				return a.Title + " tells its hooks of no file; name it in the task"
			}
			return off(p)
		}, do: func(p upcoming, _ string) (upcoming, out) { return p, ask(chooseFile(p)) }},
		{Binding: keyed("v", "the block as it goes to the agent, or as its model reads it", "v"), group: g, foot: "as sent", off: anyBlock, do: func(p upcoming, _ string) (upcoming, out) {
			p.wire, p.top = !p.wire, 0
			return p, out{}
		}},
		{Binding: keyed("y", "copy the block", "y"), group: g, foot: "copy", off: anyBlock, do: func(p upcoming, _ string) (upcoming, out) {
			var all []string
			for _, t := range p.got.told {
				if text := saidOf(p, t); text != "" {
					all = append(all, text)
				}
			}
			return p, copied("the block", strings.Join(all, "\n"))
		}},
		{Binding: keyed("esc", "no task, and no file", "esc"), group: g, off: func(p upcoming) string {
			if p.task.query == "" && p.ask.file == "" {
				return "there is none"
			}
			return ""
		}, do: func(p upcoming, _ string) (upcoming, out) {
			p.task, p.ask.file = filter{}, ""
			return p.anew()
		}},
		{Binding: keyed("J pgdn", "scroll the block down", "J", "pgdown"), group: g, do: scroll(1)},
		{Binding: keyed("K pgup", "scroll the block up", "K", "pgup"), group: g, do: scroll(-1)},
	}
}

// nextLessonKeys act on the lesson under the cursor.
func nextLessonKeys() binds[upcoming] {
	const g = "the lesson"
	pinned := func(want bool, why string) func(upcoming) string {
		return func(p upcoming) string {
			if l, ok := p.current(); ok && l.Pinned != want {
				return why
			}
			return anyChoice(p)
		}
	}
	return binds[upcoming]{
		{Binding: keyed("enter", "open it in Browse", "enter"), group: g, foot: "in Browse", off: anyChoice, do: func(p upcoming, _ string) (upcoming, out) {
			l, _ := p.current()
			return p, browseFor("id:" + string(l.ID))
		}},
		{Binding: keyed("p", "pin: every session it holds for is given it", "p"), group: g, foot: "pin", off: pinned(false, "it is pinned; ‹unpin P› lets it go"), do: func(p upcoming, _ string) (upcoming, out) { return p.pin(curate.Pin) }},
		{Binding: keyed("P", "unpin: it comes in by what it says again", "P"), group: g, foot: "unpin", off: pinned(true, "it is not pinned"), do: func(p upcoming, _ string) (upcoming, out) { return p.pin(curate.Unpin) }},
		{Binding: keyed("o", "read what was said when it was learned", "o"), group: g, foot: "read", off: anyChoice, do: func(p upcoming, _ string) (upcoming, out) {
			l, _ := p.current()
			if len(l.Evidence) == 0 {
				return p, say("this lesson has no evidence")
			}
			return p, openReader(p.fx, l.Evidence...)
		}},
		{Binding: keyed("Y", "copy its handle", "Y"), group: g, off: anyChoice, do: func(p upcoming, _ string) (upcoming, out) {
			l, _ := p.current()
			return p, copied(string(l.ID), string(l.ID))
		}},
	}
}

// byItself reports an agent that runs `learnings inject`.
func (a NextAgent) byItself() bool { return strings.Contains(a.Takes, "learnings inject") }

func chooseAgent(p upcoming) chooser {
	var all []option
	at := 0
	for i, a := range p.agents {
		note := a.Takes
		if a.Here {
			note += " · on this machine"
		}
		all = append(all, option{name: a.Title, note: note, answer: nextAgentMsg{a.Name}})
		if a.Name == p.ask.agent {
			at = i
		}
	}
	if p.ask.agent == "" {
		at = len(all)
	}
	all = append(all, option{name: "any other", note: "runs learnings inject", answer: nextAgentMsg{""}})
	d := newChooser("which agent", all)
	d.cur = d.cur.to(at)
	return d
}

func chooseProject(p upcoming) chooser {
	d := newChooser("which project", []option{{name: "none", note: "global lessons alone", answer: nextProjectMsg{}}})
	d.load = func(m projectsMsg) (all []option) {
		for _, n := range m.names {
			o := option{name: n, answer: nextProjectMsg{n}}
			if n == p.fx.Next.Project {
				o.note = "where you are"
			}
			all = append(all, o)
		}
		return all
	}
	d.other, d.hint = func(s string) tea.Msg { return nextProjectMsg{s} }, "enter takes it as it is typed"
	return d
}

func chooseRole(p upcoming) chooser {
	all := []option{{name: "any", note: "the agent names none", answer: nextRoleMsg{}}}
	seen := map[string]bool{"": true}
	for i := range len(p.got.in) + len(p.got.out) {
		c, _ := p.row(i)
		if r := c.Lesson.Scope.Role; !seen[r] {
			seen[r] = true
			all = append(all, option{name: r, answer: nextRoleMsg{r}})
		}
	}
	d := newChooser("which role", all)
	d.other, d.hint = func(s string) tea.Msg { return nextRoleMsg{s} }, "enter takes it as it is typed"
	return d
}

func chooseFile(p upcoming) chooser {
	d := newChooser("which file", []option{{name: "none", answer: nextFileMsg{}}})
	d.other, d.hint = func(s string) tea.Msg { return nextFileMsg{s} }, "enter takes it: a path in the project, as in api/user.proto"
	return d
}

// whatIf says what the task changed.
func (p upcoming) whatIf() (came, went int, ok bool) {
	return len(p.got.came), p.got.went, p.got.task != "" && p.got.err == nil
}

// place says where the next session is, in a few words.
func (p upcoming) place() string {
	if p.ask.project == "" {
		return "no project"
	}
	return lessons.Line(p.ask.project)
}

func bytesOf(n int) string { return fmt.Sprintf("%s bytes", grouped(n)) }
