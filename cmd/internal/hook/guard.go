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

// This file answers before a tool call: it stops a call that matches the guard of an
// approved lesson. For other calls it gives the agent the lessons that name them, if the
// agent takes those. On any error the call passes.

// guarded decides whether to stop a call, and writes the answer for this agent.
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

// arguments are a tool's arguments as an agent sends them: an object, an object in a
// string, or just a string.
type arguments struct {
	found
	below string
}

func (f found) arguments() *arguments {
	for _, root := range inputs {
		l, ok := f[root]
		switch {
		case ok && l.str && strings.HasPrefix(strings.TrimSpace(l.text), "{"):
			// If it was cut, its beginning counts.
			fields, _ := scan(strings.NewReader(l.text), func(string) bool { return true })
			return &arguments{fields, ""}
		case ok && l.str:
			return &arguments{found{"": l}, ""}
		case len(f.below(root)) > 0:
			return &arguments{f, root + "."}
		}
	}
	if _, ok := f["command"]; ok { // Cursor, before a shell command
		return &arguments{f, ""}
	}
	return nil
}

// Text returns a string argument, else "".
func (a *arguments) Text(key string) string {
	if l := a.found[a.below+key]; l.str {
		return l.text
	}
	return ""
}

// Words returns an argument that is a list of strings.
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

// stops returns the answer that denies a call or makes the agent ask the person. Agents
// that cannot ask get a denial which says that the person may be asked.
func (a agent) stops(called string, s guard.Stop) []byte {
	for _, row := range agents {
		if a.name == "" && a.transcript != "" && row.transcript == a.transcript {
			a = row
		}
	}
	ask := !s.Deny && !a.noAsk
	if a.name == "cursor" { // it only asks before shell commands
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

// forbids returns the rule that stops a call, for the person and the model.
func forbids(s guard.Stop) string {
	return fmt.Sprintf("A rule that the person approved forbids %s: %q (lesson %s).", s.Pattern.Says(), s.Lesson.Title(600), s.Lesson.ID)
}
