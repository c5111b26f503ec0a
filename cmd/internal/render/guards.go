package render

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"

	"learnings/cmd/internal/setup"
	"learnings/cmd/internal/term"
	"learnings/extractor/past"
	"learnings/extractor/transcript"
	"learnings/index/curate"
	"learnings/lessons"
	"learnings/lessons/guard"
)

// A GuardWish holds the options of a new guard.
type GuardWish struct {
	Commands, Paths, Flags []string // what to stop; empty for what the sentence says
	Deny, Off              bool
	Yes                    bool // do not ask
}

// patterns returns the patterns that a person gave. Flags apply to each of the commands.
func (w GuardWish) patterns() (out []guard.Pattern, err error) {
	var flags []string
	read := func(texts []string, parse func(string) (guard.Pattern, error), add func(guard.Pattern)) {
		for _, text := range texts {
			p, parseErr := parse(text)
			if err = cmp.Or(err, parseErr); err == nil {
				add(p)
			}
		}
	}
	read(w.Flags, guard.Flag, func(p guard.Pattern) { flags = append(flags, p.Flags...) })
	read(w.Commands, guard.Command, func(p guard.Pattern) {
		p.Flags = append(p.Flags, flags...)
		out = append(out, p)
	})
	if len(w.Commands) == 0 && len(flags) > 0 {
		out = append(out, guard.Pattern{Flags: flags})
	}
	read(w.Paths, guard.Path, func(p guard.Pattern) { out = append(out, p) })
	return out, err
}

// A GuardPlan is a guard that is not yet on.
type GuardPlan struct {
	Lesson   lessons.Lesson
	Patterns []guard.Pattern
	Deny     bool
	Trial    past.Trial

	on bool // it was switched on
}

// GuardsAt returns the guards of the machine with this state folder.
func GuardsAt(state string) guard.Kept { return guard.At(state) }

// Stops describes the calls that the guard would stop.
func (p GuardPlan) Stops() string { return guard.Say(p.Patterns) }

// PastSessions returns the sessions for trying a guard, and how to read them.
type PastSessions func() ([]transcript.File, past.Options, error)

// PlanGuard finds a lesson's guard: from the person's options, else the current or the
// former guard, else from the lesson's sentence. It changes nothing.
func PlanGuard(ctx context.Context, c *curate.Corpus, kept guard.Kept, l lessons.Lesson, w GuardWish, sessions PastSessions) (GuardPlan, error) {
	p := GuardPlan{Lesson: l, Deny: w.Deny}
	var err error
	if p.Patterns, err = w.patterns(); err != nil {
		return p, term.Usagef("%v", err)
	}
	if len(p.Patterns) == 0 && !l.Guard.IsZero() {
		if p.Patterns, err = guard.ParseAll(l.Guard.Patterns); err != nil {
			return p, fmt.Errorf("reading the guard of %s: %v", l.ID, err)
		}
	}
	if last, same := kept.Last(l); len(p.Patterns) == 0 {
		d := guard.Derive(l.Wording)
		if p.Patterns = d.Patterns; len(last) > 0 && (same || len(p.Patterns) == 0) {
			p.Patterns = last
		}
		if len(p.Patterns) == 0 {
			return p, term.Hint(fmt.Errorf("%w: of %s nothing can be enforced: %s", curate.ErrNothing, l.ID, d.Why),
				"say what it forbids: `learnings guard %s --command 'npm install'`, --flag --force or --path 'gen/**'", l.ID)
		}
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

// SwitchGuard switches a lesson's guard off, or on after the person has seen it and said
// yes. It reports whether it did.
func SwitchGuard(ctx context.Context, t *term.Console, c *curate.Corpus, kept guard.Kept, l lessons.Lesson, w GuardWish, sessions PastSessions) (bool, error) {
	if w.Off {
		l, err := c.Decide(curate.Guard(lessons.Guard{}), l)
		if err != nil {
			return false, err
		}
		if t.JSON {
			return true, term.WriteJSON(t.Out, l.Record())
		}
		t.Say("no longer guarded %s  %s", l.ID, l.Title(80))
		return true, nil
	}
	plan, err := PlanGuard(ctx, c, kept, l, w, sessions)
	if err != nil {
		return false, err
	}
	if !w.Yes {
		if t.JSON && t.Terminals.In {
			plan.Terminal(t.Page())
		} else if err := t.Give(plan); err != nil {
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
	if w.Yes || t.JSON {
		return true, t.Give(plan)
	}
	t.Say("guarded %s  %s", l.ID, l.Title(80))
	return true, nil
}

// Guard returns the planned guard.
func (p GuardPlan) Guard() lessons.Guard {
	return lessons.Guard{Patterns: guard.Texts(p.Patterns), Deny: p.Deny}
}

// does says what happens to a call that the guard matches.
func does(deny bool) string {
	if deny {
		return "denies"
	}
	return "asks before"
}

func (p GuardPlan) Terminal(page *term.Page) {
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

// Examples lists past calls that the guard would have stopped.
func (p GuardPlan) Examples() (out []string) {
	for _, h := range p.Trial.Examples {
		out = append(out, fmt.Sprintf("%s · %s · %s · %s", h.Outcome, term.Moment(h.At), h.Agent, lessons.Wording{Content: h.Call}.Title(100)))
	}
	return out
}

func (p GuardPlan) Objects() []any {
	t := p.Trial
	return []any{term.Object(nil, "id", p.Lesson.ID, "on", p.on, "patterns", guard.Texts(p.Patterns), "deny", p.Deny,
		"trial", term.Object(nil, "looked", t.Looked, "calls", t.Calls, "sessions", t.Sessions, "allowed", t.Allowed, "examples", append([]past.Hit{}, t.Examples...)))}
}

// A Guarded is a lesson with a guard.
type Guarded struct {
	Lesson lessons.Lesson
	Off    string // why the guard is not in force; "" if it is
	Count  guard.Count
	Gone   bool // the lesson is gone, and Lesson has only its id
}

// Guards returns the guarded lessons: first those chosen on this machine, in order, then
// those it does not know, and those whose lesson is gone. It leaves out guards that were
// taken off.
func Guards(kept guard.Kept, all iter.Seq2[lessons.Lesson, error]) ([]Guarded, error) {
	choices, err := kept.Chosen()
	if err != nil {
		return nil, term.Hint(err, "no guard is in force until `learnings guard ID` chooses one again")
	}
	counts := kept.Counts()
	var out []Guarded
	gone := map[lessons.ID]bool{}
	for _, c := range choices {
		gone[c.ID] = true
	}
	for l, err := range all {
		if err != nil {
			continue
		}
		if delete(gone, l.ID); !l.Guard.IsZero() {
			out = append(out, Guarded{l, guard.Off(l, choices), counts[l.ID], false})
		}
	}
	for _, c := range slices.Backward(choices) {
		if gone[c.ID] {
			delete(gone, c.ID)
			const why = "the file of its lesson is gone or cannot be read"
			out = append(out, Guarded{lessons.Lesson{ID: c.ID, Guard: c.Guard, Wording: lessons.Wording{Content: why}}, why, counts[c.ID], true})
		}
	}
	last := func(i Guarded) int {
		at := slices.IndexFunc(choices, func(c guard.Choice) bool { return c.ID == i.Lesson.ID })
		if at < 0 {
			return len(choices)
		}
		return at
	}
	slices.SortStableFunc(out, func(a, b Guarded) int { return cmp.Compare(last(a), last(b)) })
	return out, nil
}

// LostGuards says that lessons have guards but none is in force here, as after the loss
// of the state folder; else "".
func LostGuards(kept guard.Kept, all []Guarded) string {
	if choices, err := kept.Chosen(); err != nil || len(choices) > 0 || len(all) == 0 {
		return ""
	}
	return fmt.Sprintf("none of %s is in force: they were chosen on another machine, or this one has lost its state", term.Plural(len(all), "guard"))
}

// ListGuards prints the guards of this machine.
func ListGuards(t *term.Console, kept guard.Kept, lessonsOf iter.Seq2[lessons.Lesson, error]) error {
	all, err := Guards(kept, lessonsOf)
	if err != nil {
		return err
	}
	if lost := LostGuards(kept, all); lost != "" {
		t.Warn("%s; `learnings guard ID` chooses one again", lost)
	}
	return t.Give(term.List[Guarded]{Items: all,
		Page: func(p *term.Page) {
			if len(all) == 0 {
				p.Line("no lesson is guarded on this machine; `learnings guard ID` makes the rule of an approved lesson one that is enforced")
			}
			for _, i := range all {
				p.Strong("%s  %s", i.Lesson.ID, i.Lesson.Title(200))
				p.Field("Guard", "%s", i)
			}
		},
		Cells: func(i Guarded) []string {
			state := "ask"
			if i.Off != "" {
				state = "off"
			} else if i.Lesson.Guard.Deny {
				state = "deny"
			}
			return []string{string(i.Lesson.ID), state, strings.Join(i.Lesson.Guard.Patterns, ", "), fmt.Sprint(i.Count.Asked), fmt.Sprint(i.Count.Denied), i.Lesson.Title(200)}
		},
		Object: func(i Guarded) any {
			return term.Object(nil, "id", i.Lesson.ID, "content", i.Lesson.Content, "guard", i.Lesson.Guard, "in_force", i.Off == "", "why?", i.Off, "stopped", i.Count)
		}})
}

// GuardOf describes a lesson's guard and what it has stopped; "" for none.
func GuardOf(kept guard.Kept, l lessons.Lesson) string {
	if l.Guard.IsZero() {
		return ""
	}
	choices, err := kept.Chosen()
	if err != nil {
		return "off: " + err.Error()
	}
	return Guarded{l, guard.Off(l, choices), kept.Counts()[l.ID], false}.String()
}

// String says what the guard does and what it has stopped.
func (i Guarded) String() string {
	patterns, err := guard.ParseAll(i.Lesson.Guard.Patterns)
	if err != nil {
		return "off: it cannot be read"
	}
	text := does(i.Lesson.Guard.Deny) + " " + guard.Say(patterns)
	switch {
	case i.Off != "":
		return text + "; off: " + i.Off
	case i.Count.Calls() > 0:
		text += "; stopped " + term.Plural(i.Count.Calls(), "call") + ", last " + term.Moment(i.Count.Last)
	}
	return text
}

// Unheard says which agents enforce no guard in a folder, and why; names are those that
// setup could fix. It mentions agents without our hooks only when no agent asks.
func Unheard(w setup.Machine, dir string) (lines, names []string) {
	asks, idle := false, []string(nil)
	for _, a := range setup.Find(w) {
		why, wire := a.Asks(dir)
		switch {
		case why == "":
			asks = true
		case !a.CanAsk():
		case len(a.Calls()) == 0:
			idle = append(idle, a.Name)
		case wire:
			lines, names = append(lines, fmt.Sprintf("%s: no guard holds in it, %s; %s wires that", a.Title, why, wiring(a.Name))), append(names, a.Name)
		default:
			lines = append(lines, fmt.Sprintf("%s: no guard holds in it, %s", a.Title, why))
		}
	}
	const none = "no guard holds yet: none of the agents here asks before it calls a tool; "
	switch {
	case asks || len(lines) > 0:
	case len(idle) == 0:
		lines = []string{none + "`learnings setup AGENT` wires one in"}
	default:
		lines, names = []string{none + wiring(idle...) + " wires that"}, idle
	}
	return lines, names
}

// wiring returns the command that makes agents ask before tool calls. Only Copilot CLI
// needs an option for it.
func wiring(names ...string) string {
	text := "`learnings setup " + strings.Join(names, " ")
	if slices.Contains(names, "copilot") {
		text += " --guard"
	}
	return text + "`"
}
