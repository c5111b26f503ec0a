// Package guards is what a person is shown of guards before one is switched on, and of
// those that are on: what they stop, what they would have stopped in past sessions, and
// what they have.
package guards

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"

	"learnings/cmd/internal/term"
	"learnings/extractor/past"
	"learnings/extractor/transcript"
	"learnings/index/curate"
	"learnings/lessons"
	"learnings/lessons/guard"
)

// Help explains guards to a person.
const Help = `Guard makes an approved rule of the kind "never X, use Y" one that is enforced: before
an agent runs a command, uses a flag or changes a file that the rule names, its hook
asks the person, or with --deny stops the call, and tells the agent the rule. An agent
that cannot ask (Codex, Gemini CLI, OpenCode, pi, Cline; Cursor outside of its shell) is
told not to make the call. Any error lets a call pass. Agents are asked before each
call of a tool once ` + "`learnings setup`" + ` has wired them.

What is stopped is what the sentence says plainly, or what you say. It is shown first,
and tried against past sessions: which calls it would have stopped, and how many of
them you had allowed, which means that they worked, nobody refused them, and your next
words in that session do not speak against them: they do not interrupt, begin with a no
or name the program or the file.

A guard holds on the machine on which it was chosen, for the lesson as it was then: one
that came by sync, or whose lesson was changed, archived or rejected since, is off until
it is chosen again. Without an ID the guards of this machine are listed. Only a person
switches a guard on or off; ` + "`learnings undo`" + ` undoes that.`

// A Wish is what a person asked for, of a lesson's guard.
type Wish struct {
	Commands, Paths, Flags []string // to be stopped; none for what the sentence says
	Deny, Off              bool
	Yes, JSON              bool // do not ask; print JSON
}

// patterns are those that a person gave. A command and flags that are given together are
// one pattern for each command.
func (w Wish) patterns() (out []guard.Pattern, err error) {
	var flags []string
	for _, text := range w.Flags {
		p, err := guard.Flag(text)
		if err != nil {
			return nil, err
		}
		flags = append(flags, p.Flags...)
	}
	for _, text := range w.Commands {
		p, err := guard.Command(text)
		if err != nil {
			return nil, err
		}
		p.Flags = append(p.Flags, flags...)
		out = append(out, p)
	}
	if len(w.Commands) == 0 && len(flags) > 0 {
		out = append(out, guard.Pattern{Flags: flags})
	}
	for _, text := range w.Paths {
		p, err := guard.Path(text)
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}

// A Plan is a guard that is not on yet.
type Plan struct {
	Lesson   lessons.Lesson
	Patterns []guard.Pattern
	Deny     bool
	Trial    past.Trial
	By       string // who decides

	on bool // it was switched on
}

// Sessions finds the past sessions on which a guard is tried, and says how they are read.
type Sessions func() ([]transcript.File, past.Options, error)

// New finds what a lesson's guard would be: what the person gave, what it is now or was
// before it was taken off, or what its sentence says. It changes nothing.
func New(ctx context.Context, c *curate.Corpus, kept guard.Kept, l lessons.Lesson, w Wish, sessions Sessions) (Plan, error) {
	p := Plan{Lesson: l, Deny: w.Deny, By: c.By}
	var err error
	if p.Patterns, err = w.patterns(); err != nil {
		return p, term.Usagef("%v", err)
	}
	if len(p.Patterns) == 0 && !l.Guard.IsZero() {
		if p.Patterns, err = guard.ParseAll(l.Guard.Patterns); err != nil {
			return p, fmt.Errorf("reading the guard of %s: %v", l.ID, err)
		}
	}
	last, same := kept.Last(l)
	if len(p.Patterns) == 0 && same {
		p.Patterns = last
	}
	if len(p.Patterns) == 0 {
		d := guard.Derive(l.Wording)
		if len(d.Patterns) == 0 {
			d.Patterns = last
		}
		if len(d.Patterns) == 0 {
			return p, term.Hint(fmt.Errorf("%w: of %s nothing can be enforced: %s", curate.ErrNothing, l.ID, d.Why),
				"say what it forbids: `learnings guard %s --command 'npm install'`, --flag --force or --path 'gen/**'", l.ID)
		}
		p.Patterns = d.Patterns
	}
	if _, err := curate.Guard(p.Guard()).Preview(l, c.By, c.Now()); err != nil {
		return p, err
	}
	files, o, err := sessions()
	if err != nil {
		return p, err
	}
	project := l.Scope.Project
	if l.Scope.Global {
		project = ""
	}
	trials, err := past.Try(ctx, files, []past.Ward{{Patterns: p.Patterns}}, project, o)
	p.Trial = trials[0]
	return p, err
}

// Switch switches the guard of a lesson on, after it was shown and the person has said
// yes, or off. It reports whether that was done.
func Switch(ctx context.Context, t *term.Console, c *curate.Corpus, kept guard.Kept, l lessons.Lesson, w Wish, sessions Sessions) (bool, error) {
	if w.Off {
		l, err := c.Decide(curate.Guard(lessons.Guard{}), l)
		if err != nil {
			return false, err
		}
		if w.JSON {
			return true, term.WriteJSON(t.Out, l.Record())
		}
		t.Say("no longer guarded %s  %s", l.ID, l.Title(80))
		return true, nil
	}
	plan, err := New(ctx, c, kept, l, w, sessions)
	if err != nil {
		return false, err
	}
	if !w.Yes {
		if err := t.Give(plan, w.JSON && !t.Terminals.In); err != nil {
			return false, err
		}
		if !t.Terminals.In {
			return false, term.Hint(fmt.Errorf("%w: calls would be stopped, and there is no terminal to ask on", curate.ErrPerson), "add --yes")
		}
		if sure, err := t.Confirm(ctx, "Switch the guard on?"); err != nil || !sure {
			t.Say("nothing was changed")
			return false, err
		}
	}
	if l, err = c.Decide(curate.Guard(plan.Guard()), l); err != nil {
		return false, err
	}
	plan.Lesson, plan.on = l, true
	if w.Yes || w.JSON {
		return true, t.Give(plan, w.JSON)
	}
	t.Say("guarded %s  %s", l.ID, l.Title(80))
	return true, nil
}

// Guard is the guard of the plan.
func (p Plan) Guard() lessons.Guard {
	return lessons.Guard{Patterns: guard.Texts(p.Patterns), Deny: p.Deny}
}

// does says what becomes of a call that is stopped.
func does(deny bool) string {
	if deny {
		return "denies"
	}
	return "asks before"
}

// Terminal shows the plan.
func (p Plan) Terminal(page *term.Page) {
	page.Strong("%s  %s", p.Lesson.ID, p.Lesson.Title(200))
	page.Field("Guard", "%s %s", does(p.Deny), guard.Say(p.Patterns))
	page.Field("Trial", "%s", p.Trial)
	for _, e := range p.Examples() {
		page.Field("", "%s", e)
	}
	if p.Trial.Calls > 0 {
		page.Field("", "(allowed: it worked, nobody refused it, and your next words do not speak against it)")
	}
	if p.on {
		page.Line("guarded on this machine, for agents that `learnings setup` has wired; `learnings guard %s --off` takes it off", p.Lesson.ID)
	}
}

// Examples are calls of the past that it would have stopped, a line each.
func (p Plan) Examples() []string {
	var out []string
	for _, h := range p.Trial.Examples {
		out = append(out, fmt.Sprintf("%s · %s · %s · %s", h.Outcome, term.Moment(h.At), h.Agent, lessons.Wording{Content: h.Call}.Title(100)))
	}
	return out
}

// Plain prints the plan for a script.
func (p Plan) Plain(w io.Writer) {
	fmt.Fprintln(w, strings.Join([]string{string(p.Lesson.ID), map[bool]string{true: "on", false: "off"}[p.on], does(p.Deny), guard.Say(p.Patterns),
		fmt.Sprint(p.Trial.Calls), fmt.Sprint(p.Trial.Sessions), fmt.Sprint(p.Trial.Allowed)}, "\t"))
}

// Objects is the plan for a program.
func (p Plan) Objects() []any {
	type trial struct {
		Looked   int        `json:"looked"`
		Calls    int        `json:"calls"`
		Sessions int        `json:"sessions"`
		Allowed  int        `json:"allowed"`
		Examples []past.Hit `json:"examples"`
	}
	t := p.Trial
	return []any{struct {
		ID       lessons.ID `json:"id"`
		On       bool       `json:"on"`
		Patterns []string   `json:"patterns"`
		Deny     bool       `json:"deny"`
		Trial    trial      `json:"trial"`
	}{p.Lesson.ID, p.on, guard.Texts(p.Patterns), p.Deny, trial{t.Looked, t.Calls, t.Sessions, t.Allowed, append([]past.Hit{}, t.Examples...)}}}
}

// An Item is a guard that was chosen on this machine.
type Item struct {
	Lesson lessons.Lesson
	Off    string // why it is not in force; "" for one that is
	Count  guard.Count
}

// Items are the guards of all lessons: those that were chosen on this machine, in that
// order, and then those that are off because it does not know of that. Of a guard that was
// taken off there is none.
func Items(kept guard.Kept, all iter.Seq2[lessons.Lesson, error]) ([]Item, error) {
	choices, err := kept.Chosen()
	if err != nil {
		return nil, term.Hint(err, "no guard is in force until `learnings guard ID` chooses one again")
	}
	counts := kept.Counts()
	var out []Item
	for l, err := range all {
		if err == nil && !l.Guard.IsZero() { // doctor tells of files that cannot be read
			out = append(out, Item{l, guard.Off(l, choices), counts[l.ID]})
		}
	}
	last := func(i Item) int {
		at := slices.IndexFunc(choices, func(c guard.Choice) bool { return c.ID == i.Lesson.ID })
		if at < 0 {
			return len(choices)
		}
		return at
	}
	slices.SortStableFunc(out, func(a, b Item) int { return cmp.Compare(last(a), last(b)) })
	return out, nil
}

// Lost says that no guard is in force here although lessons have some, which is so when
// the state that knows of them is lost; "" when that is not so.
func Lost(kept guard.Kept, all []Item) string {
	if choices, err := kept.Chosen(); err != nil || len(choices) > 0 || len(all) == 0 {
		return ""
	}
	return fmt.Sprintf("none of %s is in force: they were chosen on another machine, or this one has lost its state", term.Plural(len(all), "guard"))
}

// List prints the guards of this machine.
func List(t *term.Console, kept guard.Kept, lessonsOf iter.Seq2[lessons.Lesson, error], asJSON bool) error {
	all, err := Items(kept, lessonsOf)
	if err != nil {
		return err
	}
	if lost := Lost(kept, all); lost != "" {
		t.Warn("%s; `learnings guard ID` chooses one again", lost)
	}
	return t.Give(term.List[Item]{Items: all, Page: func(p *term.Page) { page(p, all) }, Cells: func(i Item) []string {
		return []string{string(i.Lesson.ID), i.state(), strings.Join(i.Lesson.Guard.Patterns, ", "), fmt.Sprint(i.Count.Asked), fmt.Sprint(i.Count.Denied), i.Lesson.Title(200)}
	}, Object: func(i Item) any {
		return struct {
			ID      lessons.ID    `json:"id"`
			Content string        `json:"content"`
			Guard   lessons.Guard `json:"guard"`
			InForce bool          `json:"in_force"`
			Why     string        `json:"why,omitempty"`
			Stopped guard.Count   `json:"stopped"`
		}{i.Lesson.ID, i.Lesson.Content, i.Lesson.Guard, i.Off == "", i.Off, i.Count}
	}}, asJSON)
}

func (i Item) state() string {
	switch {
	case i.Off != "":
		return "off"
	case i.Lesson.Guard.Deny:
		return "deny"
	}
	return "ask"
}

func page(p *term.Page, all []Item) {
	if len(all) == 0 {
		p.Line("no lesson is guarded on this machine; `learnings guard ID` makes the rule of an approved lesson one that is enforced")
		return
	}
	for _, i := range all {
		p.Strong("%s  %s", i.Lesson.ID, i.Lesson.Title(200))
		p.Field("Guard", "%s", says(i.Lesson, i.Off, i.Count))
	}
}

// Of is the guard of a lesson in a line, with what it has stopped; "" for none.
func Of(kept guard.Kept, l lessons.Lesson) string {
	if l.Guard.IsZero() {
		return ""
	}
	choices, err := kept.Chosen()
	if err != nil {
		return "off: " + err.Error()
	}
	return says(l, guard.Off(l, choices), kept.Counts()[l.ID])
}

func says(l lessons.Lesson, off string, n guard.Count) string {
	patterns, err := guard.ParseAll(l.Guard.Patterns)
	if err != nil {
		return "off: it cannot be read"
	}
	text := does(l.Guard.Deny) + " " + guard.Say(patterns)
	switch {
	case off != "":
		return text + "; off: " + off
	case n.Calls() > 0:
		text += "; stopped " + term.Plural(n.Calls(), "call") + ", last " + term.Moment(n.Last)
	}
	return text
}
