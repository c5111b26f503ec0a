package render

import (
	"context"
	"errors"
	"fmt"

	"learnings/cmd/internal/term"
	"learnings/index/curate"
	"learnings/lessons"
	"learnings/lessons/pairs"
)

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
