package render

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"learnings/cmd/internal/term"
	"learnings/lessons"
	"learnings/lessons/gitsync"
)

// SyncHint adds a hint to the error of a sync.
func SyncHint(err error) error {
	var p *gitsync.Error
	var secret *gitsync.SecretError
	switch {
	case errors.As(err, &p) && p.Hint != "":
		return term.Hint(err, "%s", p.Hint)
	case errors.As(err, &secret):
		return term.Hint(err, "`learnings edit ID` takes it out, `learnings forget ID` erases the lesson, and `learnings sync --redact` puts a mark\n"+
			"in its place; what an earlier commit holds goes with --redact, which sends one commit of what was not sent yet")
	}
	return err
}

// Synced prints what a sync did, or would do.
func Synced(c *term.Console, r *gitsync.Report) {
	did := func(done, would string) string {
		if r.DryRun {
			return would
		}
		return done
	}
	if s := r.Committed.String(); s != "" {
		c.Say("%s: %s", did("committed", "would be committed"), s)
	}
	if s := r.Received.String(); s != "" {
		c.Say("%s: %s", did("came in", "would come in"), s)
	}
	awaiting(c, r)
	for _, s := range r.Settled {
		line := fmt.Sprintf("settled %s  %s", s.ID, s.What)
		if s.New != "" {
			line += fmt.Sprintf("; the other text is the proposal %s", s.New)
		}
		c.Say("%s", line)
	}
	if r.Squashed {
		c.Say("what was not sent yet became one commit, without what was forgotten or redacted")
	}
	switch {
	case r.Pushed > 0:
		c.Say("%s %s to %s", did("pushed", "would push"), term.Plural(r.Pushed, "commit"), r.Remote)
	case r.Remote != "" && r.Committed.String()+r.Received.String() == "":
		c.Say("nothing to do: the corpus and %s are the same", r.Remote)
	}
	for _, n := range r.Notes {
		c.Warn("%s", n)
	}
	WarnHeld(c, r.Held, r.Left)
}

// mostAwaiting is how many sentences of one origin are printed.
const mostAwaiting = 10

// awaiting prints what others approved and this person must decide on, by origin.
func awaiting(c *term.Console, r *gitsync.Report) {
	by := map[string][]gitsync.Awaiting{}
	for _, w := range r.Awaiting {
		by[w.Who()] = append(by[w.Who()], w)
	}
	keys := map[string]bool{}
	for _, who := range slices.Sorted(maps.Keys(by)) {
		line, flagged := fmt.Sprintf("%s approved by %s wait as proposals", term.Plural(len(by[who]), "lesson"), who), 0
		if len(by[who]) == 1 {
			line = "1 lesson approved by " + who + " waits as a proposal"
		}
		for _, w := range by[who] {
			if w.Flagged {
				flagged++
			}
			keys[w.Key] = keys[w.Key] || w.Key != ""
		}
		if flagged > 0 {
			line += fmt.Sprintf(" (%d flagged)", flagged)
		}
		c.Say("%s: `O` on the desk takes them all, `learnings review` each", line)
		for i, w := range by[who] {
			if i == mostAwaiting {
				c.Say("  and %s more", term.Plural(len(by[who])-i, "lesson"))
				break
			}
			c.Say("  %s  %s", w.ID, w.Content)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		if keys[key] {
			c.Say("to let what this key signs count here, put it into sync.trust by `learnings config --edit`: %s", key)
		}
	}
}

// WarnHeld lists the files that a sync held back, for a secret or a similar reason, and
// the files that are not ours.
func WarnHeld(c *term.Console, held []gitsync.Held, left []string) {
	for _, h := range held {
		where := h.Path
		if h.Line > 0 {
			where += fmt.Sprintf(":%d", h.Line)
		}
		c.Warn("held back: %s: %s", where, h.Why)
	}
	if len(left) > 0 {
		c.Warn("not ours, and left alone: %s", strings.Join(left, ", "))
	}
}

// A Copy is the state of a corpus's copy and its remote.
type Copy struct{ *gitsync.Status }

func (s Copy) Terminal(p *term.Page) {
	field := func(name, value string) { p.Text("", fmt.Sprintf("%-8s %s", name, lessons.Line(cmp.Or(value, "-")))) }
	field("branch", s.Branch)
	field("remote", s.Remote)
	field("changed", s.Changed.String())
	field("ahead", fmt.Sprint(s.Ahead))
	field("behind", fmt.Sprint(s.Behind))
	for _, h := range s.Held {
		field("held", fmt.Sprintf("%s:%d: %s", h.Path, h.Line, h.Why))
	}
	for _, p := range s.Left {
		field("left", p)
	}
	if s.Problem != "" {
		field("problem", s.Problem)
		field("hint", s.Hint)
	}
}

func (s Copy) Objects() []any { return []any{s.Status} }
