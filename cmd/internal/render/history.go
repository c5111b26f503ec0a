package render

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"learnings/cmd/internal/term"
	"learnings/index/curate"
	"learnings/lessons"
	"learnings/lessons/pairs"
)

// A Journal is a list of steps, newest first.
type Journal []curate.Step

func (j Journal) Terminal(p *term.Page) {
	if len(j) == 0 {
		p.Line("nothing is recorded")
		return
	}
	rows := make([][]string, 0, len(j))
	for _, s := range j {
		about := s.Subject()
		what := about.Title(200)
		if s.Op == lessons.OpRemark {
			what = s.Why + " · " + what
		}
		if n := len(s.Touched); n > 1 {
			what = fmt.Sprintf("%d lessons: %s", n, what)
		}
		rows = append(rows, []string{term.Moment(s.At), s.By, string(s.Op), string(about.ID), what})
	}
	p.Table([]string{"when", "who", "what", "id", "lesson"}, rows, 4)
}

func (j Journal) Plain(w io.Writer) {
	for _, s := range j {
		for _, t := range s.Touched {
			term.TSV(w, string(t.ID), term.Stamp(s.At), strconv.FormatUint(s.Batch, 10), string(s.Op), s.By, string(t.Was), string(t.Status), t.Content)
		}
	}
}

func (j Journal) Objects() []any {
	var out []any
	for _, s := range j {
		for _, t := range s.Touched {
			// The status before is "" for a new lesson, the one after for an erased one.
			// turns are the steps that an undo or redo reversed.
			out = append(out, term.Object(nil, "id", t.ID, "at", s.At, "step", s.Batch, "op", s.Op, "by", s.By, "was", t.Was, "status", t.Status,
				"turns?", s.Turns, "project", t.Project, "content", t.Content, "reason?", t.Reason, "why?", s.Why, "session?", s.Session))
		}
	}
	return out
}

// A Version is one change of a lesson, numbered from 1. Numbers never change.
type Version struct {
	N int
	lessons.Change
}

// Chronicle lists the changes of one lesson that wants accepts, oldest first. A positive
// limit keeps the latest.
func Chronicle(changes []lessons.Change, wants func(lessons.Change) bool, limit int) term.Answer {
	var all []Version
	for i, ch := range changes {
		if wants(ch) {
			all = append(all, Version{i + 1, ch})
		}
	}
	if limit > 0 {
		all = all[max(0, len(all)-limit):]
	}
	return term.List[Version]{Items: all, Object: Version.object,
		Page: func(p *term.Page) {
			if len(changes) == 0 {
				p.Line("nothing is recorded: the journal of this machine begins after it")
			}
			for _, v := range all {
				p.Strong("%3d  %s  %s by %s", v.N, term.Moment(v.At), v.Op, v.By)
				for _, s := range append([]string{v.How}, v.says()...) {
					if s != "" {
						p.Text("     ", s)
					}
				}
			}
		},
		Cells: func(v Version) []string {
			return []string{strconv.Itoa(v.N), term.Stamp(v.At), string(v.Op), v.By, strings.Join(v.says(), "; "), v.How}
		}}
}

// says returns the reason for a change and what it changed.
func (v Version) says() (out []string) {
	if v.Why != "" {
		out = append(out, v.Why)
	}
	for _, d := range v.Differences() {
		out = append(out, d.Field+": "+pairs.Marked(d.Before, d.After))
	}
	return out
}

func (v Version) object() any {
	record := func(l *lessons.Lesson) *lessons.Record {
		if l == nil {
			return nil
		}
		r := l.Record()
		return &r
	}
	return term.Object(nil, "version", v.N, "at", v.At, "op", v.Op, "by", v.By, "how?", v.How, "why?", v.Why, "session?", v.Session,
		"before", record(v.Before), "after", record(v.After))
}

// Change describes one change on one line.
func Change(c lessons.Change) string {
	switch {
	case c.After != nil && c.Before != nil && c.Before.Status != c.After.Status:
		return fmt.Sprintf("%s  was %s; is %s again  %s", c.ID, c.Before.Status, c.After.Status, c.After.Title(60))
	case c.After != nil:
		return fmt.Sprintf("%s  is as it was, %s  %s", c.ID, c.After.Status, c.After.Title(60))
	case c.Before != nil:
		return fmt.Sprintf("%s  is gone again  %s", c.ID, c.Before.Title(60))
	}
	return string(c.ID)
}

// Resolving returns the command that settles a contradiction.
func Resolving(s curate.Settlement) string {
	text := fmt.Sprintf("learnings resolve %s %s", s.Keep.ID, s.Lose.ID)
	if s.Narrow {
		text += " --narrow"
	}
	return text
}

// Resolved prints how a contradiction was settled.
func Resolved(out *term.Console, s curate.Settlement, keep, lose lessons.Lesson) {
	if s.Narrow || s.Both {
		out.Say("both hold: %s  %s", keep.ID, keep.Title(80))
		out.Say("           %s  %s", lose.ID, lose.Title(80))
		if s.Narrow {
			out.Say("%s", keep.HoldsWith[len(keep.HoldsWith)-1].Reason)
		}
		return
	}
	out.Say("%s %s  %s", lose.Status, lose.ID, lose.Title(80))
	out.Say("superseded by %s (%s)  %s", keep.ID, keep.Status, keep.Title(80))
	if keep.Status == lessons.Pending {
		out.Warn("%s is still a proposal: `learnings approve %s` makes it active", keep.ID, keep.ID)
	}
}

// WarnContradicted warns of contradictions with lessons that were just made active, and
// says how to settle them. The decision stands.
func WarnContradicted(ctx context.Context, out *term.Console, c *curate.Corpus, ls []lessons.Lesson) {
	against := c.Hasty().Against(ctx, ls...)
	told := map[[2]lessons.ID]bool{}
	for _, l := range ls {
		for _, o := range against[l.ID] {
			pair := [2]lessons.ID{min(l.ID, o.Lesson.ID), max(l.ID, o.Lesson.ID)}
			if told[pair] {
				continue
			}
			told[pair] = true
			s, why := curate.Propose(l, o.Lesson)
			out.Warn("%s contradicts %s (%s), %q: %s", l.ID, o.Lesson.ID, o.Lesson.Status, o.Lesson.Title(80), o.Judgement.Why)
			out.Warn("  type `%s` (%s), or `learnings resolve %s %s --both \"when each holds\"`", Resolving(s), why, l.ID, o.Lesson.ID)
		}
	}
}

// NoteOffer prints what an offered wording would change in a proposal.
func NoteOffer(out *term.Console, l lessons.Lesson) {
	for _, d := range curate.Offered(l) {
		out.Note("%s: %s", d.Field, pairs.Marked(d.Before, d.After))
	}
}

// WarnLeft lists the lessons that a decision left out.
func WarnLeft(out *term.Console, left []curate.Left) {
	for _, l := range left {
		out.Warn("%s is left out: %s; look at it with `learnings show %s`, then name only it", l.Lesson.ID, l.Why, l.Lesson.ID)
	}
}

// Instead adds a hint to the error of a lesson that cannot be decided on as it is.
func Instead(err error) error {
	var r *curate.Refused
	if !errors.As(err, &r) {
		return err
	}
	if l := r.Lesson; l.Status == lessons.Merged {
		return term.Hint(err, "`learnings merge --apart %s %s` takes it out of the merge", l.Decided.Into, l.ID)
	}
	return term.Hint(err, "`learnings show %s` shows it, `learnings approve %s` makes it active", r.Lesson.ID, r.Lesson.ID)
}
