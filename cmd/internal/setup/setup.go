package setup

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"learnings/cmd/internal/process"
	"learnings/cmd/internal/term"
	"learnings/lessons"
	"learnings/lessons/exchange"
)

// Options are the options of [Run].
type Options struct {
	Remove bool   // remove our entries
	DryRun bool   // only show the change
	Yes    bool   // do not ask
	Plugin string // the folder of a plugin to create; "" for none
	Dir    string // the current folder, whose settings may switch hooks off

	Short func(path string) string // formats a path for people
}

// Here returns the machine with the paths of our programs, which must survive updates.
// Removal does not need them.
func Here(w Machine, o Options) (Machine, error) {
	if w.Home == "" {
		return w, errors.New("no home folder: agents keep their settings there")
	}
	path := w.Getenv("PATH")
	w.Hook, w.Program = process.Installed("learnings-hook", path, w.OS), process.Installed("learnings", path, w.OS)
	if w.Project != "" {
		w.Hook, w.Program = process.Find("learnings-hook", path, w.OS), process.Find("learnings", path, w.OS)
	}
	if (w.Hook == "" || w.Program == "") && !o.Remove {
		return w, term.Hint(errors.New("agents would not find learnings and learnings-hook: they are not installed, or not in the PATH"), "`go install ./cmd/...` installs both; then run `learnings setup` from there")
	}
	return w, nil
}

// choose returns the named agents, or all agents on the machine, or Claude Code with a
// plugin to create in a folder.
func choose(w Machine, names []string, plugin string) ([]Agent, error) {
	if plugin != "" {
		if len(names) != 1 || names[0] != "claude" {
			return nil, term.Hint(term.Usagef("a plugin is for Claude Code"), "`learnings setup claude --plugin DIR`")
		}
		return []Agent{Plugin(w, plugin)}, nil
	}
	var out []Agent
	for _, name := range names {
		a, ok := Get(w, name)
		if !ok {
			return nil, term.Hint(term.Usagef("no agent is called %q here", name), "%s", term.Meant(name, Names()))
		}
		if !a.Wirable() {
			return nil, term.Usagef("setup has nothing for %s in a project: leave out --project", a.Title)
		}
		out = append(out, a)
	}
	if len(names) > 0 {
		return out, nil
	}
	for _, a := range Find(w) {
		if a.Wirable() {
			out = append(out, a)
		}
	}
	if len(out) == 0 {
		return nil, term.Hint(errors.New("no coding agent was found on this machine"), "`learnings setup claude` prepares one before it is installed; there are %s", strings.Join(Names(), ", "))
	}
	return out, nil
}

// A report is the result for one agent.
type report struct {
	Agent   string   `json:"agent"`
	Title   string   `json:"title"`
	Program string   `json:"program,omitempty"`
	Folder  string   `json:"folder"`
	Done    bool     `json:"changed"`
	Diff    string   `json:"diff,omitempty"` // the change, made or planned
	Files   []File   `json:"files,omitempty"`
	Left    []string `json:"left_alone,omitempty"`
	Notes   []string `json:"notes,omitempty"`
	Error   string   `json:"error,omitempty"`
}

// Run wires the named agents, or all that are found, one after the other. It records what
// it writes in the machine's state folder. It reports an agent whose files cannot be read
// or written and goes on with the others.
func Run(ctx context.Context, out *term.Console, state string, w Machine, names []string, o Options) error {
	list, err := choose(w, names, o.Plugin)
	if err != nil {
		return err
	}
	r, err := Open(state)
	if err != nil {
		return err
	}
	var failed []string
	for _, a := range list {
		rep := report{Agent: a.Name, Title: a.Title, Program: a.Program, Folder: a.Folder}
		err := one(ctx, out, r, a, o, &rep)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			failed = append(failed, a.Title)
			rep.Error = err.Error()
			if len(list) == 1 && !out.JSON {
				return err
			}
			out.Warn("%s: %v", a.Title, err)
		}
		if out.JSON {
			rep.Files = a.Files()
			if err := term.WriteJSON(out.Out, rep); err != nil {
				return err
			}
		}
	}
	if o.Remove && !o.DryRun && len(names) == 0 && w.Project == "" {
		for _, path := range slices.Sorted(maps.Keys(r.Files)) {
			out.Warn("setup wrote %s too, which is of none of these: take that out by the agent's name, from its project or with its variables", o.Short(path))
		}
	}
	if len(failed) > 0 {
		return fmt.Errorf("not done for %s", strings.Join(failed, ", "))
	}
	return nil
}

func one(ctx context.Context, out *term.Console, r *Record, a Agent, o Options, rep *report) error {
	plan := a.Wire
	if o.Remove {
		plan = a.Unwire
	}
	c, err := plan(r)
	if err != nil {
		return advised(err)
	}
	less, err := without(r, a, c, o)
	if err != nil {
		return advised(err)
	}
	rep.Left = c.Left
	for _, path := range c.Left {
		out.Warn("%s holds something else in the place of ours, which is left alone", o.Short(path))
	}
	for _, path := range c.Ignored {
		out.Warn("%s reads no comments and no trailing commas: it ignores all of %s until they are out", a.Title, o.Short(path))
	}
	if path, setting, err := a.Silenced(o.Dir); err == nil && path != "" && !o.Remove {
		out.Warn("%s runs no hooks: %s says %s; take that out, if you did not mean it", a.Title, o.Short(path), setting)
	}
	if c.Empty() {
		say(out, "%s: nothing to do", a.Title)
		return nil
	}
	rep.Diff, rep.Notes = c.Diff(), a.Notes
	if o.Remove {
		rep.Notes = nil
	}
	if !out.JSON {
		out.Say("%s", a.Title)
		fmt.Fprint(out.Out, lessons.Block(rep.Diff))
	}
	if o.DryRun {
		return nil
	}
	if !o.Yes {
		if c, err = chosen(ctx, out, a, c, less, o); err != nil || c == nil || c.Empty() {
			say(out, "%s stays as it is", a.Title)
			return err
		}
		rep.Diff = c.Diff()
	}
	if err := c.Apply(ctx); err != nil {
		return advised(err)
	}
	rep.Done = true
	if o.Remove {
		say(out, "%s: taken out", a.Title)
		for _, path := range c.Back {
			out.Warn("%s calls learnings as it did before setup; the same again takes that out too", o.Short(path))
		}
		return nil
	}
	say(out, "%s: wired in", a.Title)
	for _, note := range rep.Notes {
		say(out, "  %s", lessons.Line(note))
	}
	return nil
}

// without plans the same change except for new permissions; nil if it has none.
func without(r *Record, a Agent, c *Change, o Options) (*Change, error) {
	if o.Remove || c.Empty() {
		return nil, nil
	}
	less, err := a.Permitting(Withheld).Wire(r)
	if err != nil || less.Diff() == c.Diff() {
		return nil, err
	}
	return less, nil
}

// chosen asks whether to make a change, or the lesser one if there is one; nil for
// neither.
func chosen(ctx context.Context, out *term.Console, a Agent, c, less *Change, o Options) (*Change, error) {
	question := "Wire " + a.Title + " in so?"
	if o.Remove {
		question = "Take it out of " + a.Title + " so?"
	}
	if less == nil {
		if yes, err := out.Confirm(ctx, question); err != nil || !yes {
			return nil, err
		}
		return c, nil
	}
	say(out, "With it %s may look lessons up and propose without asking you; no tool or verb of these decides on a lesson.", a.Title)
	answer, err := out.Ask(ctx, question+" [y/N, p: without that permission] ")
	switch strings.ToLower(answer) {
	case "y", "yes":
		return c, err
	case "p":
		return less, err
	}
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return nil, err
}

func say(out *term.Console, format string, args ...any) {
	if !out.JSON {
		out.Say(format, args...)
	}
}

func advised(err error) error {
	if errors.Is(err, exchange.ErrChanged) {
		return term.Hint(err, "somebody wrote to it since it was shown; run it again")
	}
	return term.Hint(err, "nothing of this agent was changed; put that right, and run it again")
}
