// Package copies tells in lines of text how the copies of a corpus on several machines
// stand to each other, and what a sync made of them.
package copies

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"learnings/cmd/internal/term"
	"learnings/lessons"
	"learnings/lessons/gitsync"
)

// Word gives a failed sync its hint.
func Word(err error) error {
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

// Tell says what a sync did, or would do.
func Tell(c *term.Console, r *gitsync.Report) {
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
	tellAwaiting(c, r)
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
	Left(c, r.Held, r.Left)
}

// tellAwaiting says what others approved and the person here has to decide on.
func tellAwaiting(c *term.Console, r *gitsync.Report) {
	count, flagged := map[string]int{}, map[string]int{}
	for _, w := range r.Awaiting {
		if count[w.By]++; w.Flagged {
			flagged[w.By]++
		}
	}
	for _, by := range slices.Sorted(maps.Keys(count)) {
		line := fmt.Sprintf("%s approved by %s wait as proposals", term.Plural(count[by], "lesson"), by)
		if count[by] == 1 {
			line = "1 lesson approved by " + by + " waits as a proposal"
		}
		if n := flagged[by]; n > 0 {
			line += fmt.Sprintf(" (%d flagged)", n)
		}
		c.Say("%s: `learnings review` decides", line)
	}
	if slices.ContainsFunc(r.Awaiting, func(w gitsync.Awaiting) bool { return !w.Flagged }) {
		c.Say("sync.trust in config.toml names people whose approvals count here")
	}
}

// Left names what a sync leaves alone: files with a secret or the like, which are held
// back, and files that are not ours.
func Left(c *term.Console, held []gitsync.Held, left []string) {
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

// A Status prints how a copy stands to its remote.
type Status struct{ *gitsync.Status }

func (s Status) rows() [][2]string {
	rows := [][2]string{{"branch", s.Branch}, {"remote", s.Remote}, {"changed", s.Changed.String()},
		{"ahead", fmt.Sprint(s.Ahead)}, {"behind", fmt.Sprint(s.Behind)}}
	for _, h := range s.Held {
		rows = append(rows, [2]string{"held", fmt.Sprintf("%s:%d: %s", h.Path, h.Line, h.Why)})
	}
	for _, p := range s.Left {
		rows = append(rows, [2]string{"left", p})
	}
	if s.Problem != "" {
		rows = append(rows, [2]string{"problem", s.Problem}, [2]string{"hint", s.Hint})
	}
	return rows
}

func (s Status) Terminal(p *term.Page) {
	for _, r := range s.rows() {
		if r[1] == "" {
			r[1] = "-"
		}
		p.Text("", fmt.Sprintf("%-8s %s", r[0], lessons.Line(r[1])))
	}
}

func (s Status) Plain(w io.Writer) {
	for _, r := range s.rows() {
		term.TSV(w, r[0], r[1])
	}
}

func (s Status) Objects() []any { return []any{s.Status} }
