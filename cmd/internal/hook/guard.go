package hook

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"learnings/index/recall"
	"learnings/lessons"
	"learnings/lessons/guard"
	"learnings/lessons/store"
)

// This file answers before a tool is called: it stops what an approved lesson forbids
// whose guard a person has switched on. Of any other call the agent is told what names it,
// if it takes that. Whatever goes wrong lets the call pass.

// guarded finds out whether a call is to be stopped, and how this agent is told.
func guarded(ctx context.Context, in io.Reader, c Config, o *outcome) error {
	p, err := readPayload(ctx, in, payloadWait)
	if o.rec.session = p.Session; err != nil {
		return err
	}
	if p.Event != "" && eventOf(p.Event) != preTool {
		return fmt.Errorf("called for %s: the agent would not accept the answer to %s", word(p.Event), preTool)
	}
	if p.call.input == nil {
		return nil
	}
	if p.Dir == "" || !filepath.IsAbs(p.Dir) {
		p.Dir = c.Dir
	}
	a := agentNamed(c.For, agentOf(p.Path))
	call := guard.Look(p.call.tool, p.call.input, p.Dir)
	kept := guard.At(c.State)
	get := func(id lessons.ID) (lessons.Lesson, error) {
		st, err := store.Open(c.Corpus, store.Options{State: c.State, Now: c.Now})
		if err != nil {
			return lessons.Lesson{}, err
		}
		return st.Get(id)
	}
	holds := func(l lessons.Lesson) bool {
		s := recall.Situation{Agent: a.transcript, Files: call.Files, Prompt: call.Command, Now: c.Now()}
		if s.Agent == "" {
			s.Agent = agentOf(p.Path)
		}
		if p.Dir != "" && !l.Scope.Global {
			s.Project = c.Project(p.Dir)
			o.rec.project = s.Project
		}
		return s.Holds(l)
	}
	stop, found, err := kept.Decide(call, get, holds)
	if ctx.Err() != nil {
		return err
	}
	if !found {
		if c.MaxInject < 1 || !a.answers(preTool) {
			return err
		}
		t := telling{Config: c, agent: a, event: preTool, payload: p, outcome: o}
		return errors.Join(err, t.doing(ctx, call))
	}
	o.rec.given, o.rec.via = 1, "guard"
	o.done = func() error { return kept.Note(stop, p.Session, c.Now()) }
	o.text = a.stops(p.Event, stop)
	return err
}

// arguments are those of a tool, as an agent sends them: an object, the same within a
// text, or a text alone.
type arguments struct {
	found
	below string
}

func (f found) arguments() *arguments {
	for _, root := range inputs {
		l, ok := f[root]
		switch {
		case ok && l.str && strings.HasPrefix(strings.TrimSpace(l.text), "{"):
			// Of one that was cut off, what comes before counts.
			fields, _ := scan(strings.NewReader(l.text), func(string) bool { return true })
			return &arguments{fields, ""}
		case ok && l.str:
			return &arguments{found{"": l}, ""}
		case len(f.below(root)) > 0:
			return &arguments{f, root + "."}
		}
	}
	if _, ok := f["command"]; ok { // Cursor's, before a command of a shell
		return &arguments{f, ""}
	}
	return nil
}

// Text is an argument that is a text; "" for any other.
func (a *arguments) Text(key string) string {
	if l := a.found[a.below+key]; l.str {
		return l.text
	}
	return ""
}

// Words is an argument that is a list of texts.
func (a *arguments) Words(key string) (out []string) {
	for i := range maxItems {
		l, ok := a.found[fmt.Sprintf("%s%s.%d", a.below, key, i)]
		if !ok || !l.str {
			break
		}
		out = append(out, l.text)
	}
	return out
}

// stops tells an agent not to make a call, or to ask the person first. Those that cannot
// ask are told not to make it, and that the person may be asked.
func (a agent) stops(called string, s guard.Stop) []byte {
	for _, row := range agents {
		if a.name == "" && a.transcript != "" && row.transcript == a.transcript {
			a = row
		}
	}
	ask := !s.Deny && !a.noAsk
	if a.name == "cursor" { // asks only before a command of its shell
		ask = ask && strings.EqualFold(strings.ReplaceAll(called, "-", ""), "beforeShellExecution")
	}
	decision, reason := "deny", forbids(s)
	switch {
	case ask:
		decision = "ask"
	case !s.Deny:
		reason += " Keep to the rule. If it cannot be kept here, ask the person first, who may make the call, or take the guard off."
	default:
		reason += " Keep to the rule; only a person can take the guard off."
	}
	return cmp.Or(a.stop, stopEnveloped).filled("DECISION", decision, "REASON", reason, "RULE", forbids(s))
}

// forbids is the rule that stops a call, as the person and the model read it.
func forbids(s guard.Stop) string {
	return fmt.Sprintf("A rule that the person approved forbids %s: %q (lesson %s).", s.Pattern.Says(), s.Lesson.Title(600), s.Lesson.ID)
}
