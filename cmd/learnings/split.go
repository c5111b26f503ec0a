package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"learnings/cmd/internal/term"
	"learnings/index"
	"learnings/lessons"
)

func newSplit(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use: "split ID [MERGED-ID…]", Short: "Take a merge apart again",
		Long: "Split brings back the lessons that were merged into one: all of them, or those\n" +
			"that are named. Each becomes what it was. The one they were merged into gives\n" +
			"back their evidence, tags, triggers and counts as far as the journal still\n" +
			"knows which came from them, and keeps the rest; its wording it gives back only\n" +
			"when nothing else has changed since. `learnings undo` takes a split back.",
		Example: "  learnings split k7m2p9qx\n  learnings split k7m2p9qx b7t4xq8c",
		Args:    nargs(1, -1, "the id of a lesson that others were merged into"),
		RunE:    func(cmd *cobra.Command, args []string) error { return split(cmd.Context(), a, args, asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the lessons as they are now, one JSON object a line")
	return cmd
}

func split(ctx context.Context, a *app, words []string, asJSON bool) error {
	who, err := a.decider("split them")
	if err != nil {
		return err
	}
	named, err := a.named(words)
	if err != nil {
		return err
	}
	into, gone := named[0], named[1:]
	if len(gone) == 0 {
		if gone, err = a.mergedInto(ctx, into.ID); err != nil {
			return err
		}
	}
	if len(gone) == 0 {
		err := fmt.Errorf("%w: no lesson was merged into %s", errNothing, into.ID)
		if into.Status == lessons.Merged {
			err = term.Hint(err, "%s", instead(into))
		}
		return err
	}
	joints, err := a.joints(into.ID, gone)
	if err != nil {
		return err
	}
	d := lessons.Decision{By: who, At: a.now(), Reason: "split from " + string(into.ID)}
	var back []lessons.Lesson
	unknown := 0
	for _, j := range joints {
		if j.joint.Survivor.Before == nil {
			unknown += len(j.gone)
		}
		parts, err := lessons.Split(d, into, j.gone, j.joint)
		if err != nil {
			return term.Hint(err, "`learnings history %s` shows what was merged into it", into.ID)
		}
		into, back = parts[0], append(back, parts[1:]...)
	}
	all, err := a.write(ctx, "split", who, append([]lessons.Lesson{into}, back...)...)
	if err != nil {
		return err
	}
	if unknown > 0 {
		a.Warn("the journal of this machine does not know the merge of %s: %s keeps what it took over", term.Plural(unknown, "lesson"), into.ID)
	}
	if asJSON {
		return a.Give(shelf{lessons: all}, true)
	}
	for _, l := range all[1:] {
		a.Say("split %s from %s (%s)  %s", l.ID, into.ID, l.Status, l.Title(80))
	}
	return nil
}

// mergedInto reads the lessons that were merged into one.
func (a *app) mergedInto(ctx context.Context, id lessons.ID) ([]lessons.Lesson, error) {
	q := index.Query{Now: a.now()}.Where(index.Status, string(lessons.Merged))
	found, err := ask(ctx, a, func(ctx context.Context, x *index.Index) (shelf, error) { return readShelf(ctx, x, q, 0) })
	if err != nil {
		return nil, err
	}
	found.lessons = slices.DeleteFunc(found.lessons, func(l lessons.Lesson) bool { return l.Decided.Into != id })
	return rereadLessons(a, found.lessons)
}

// A parting is a merge with those of its lessons that are to be split.
type parting struct {
	gone  []lessons.Lesson
	joint lessons.Joint
}

// joints finds in the journal the merges in which lessons went into another,
// the newest first; last come those that it does not know.
func (a *app) joints(into lessons.ID, gone []lessons.Lesson) ([]parting, error) {
	merges := map[uint64]*lessons.Joint{}
	newest := map[lessons.ID]uint64{} // the merge of each lesson
	var order []uint64
	for c, err := range a.store.Journal() {
		if err != nil {
			return nil, err
		}
		went := c.After != nil && c.After.Status == lessons.Merged && c.After.Decided.Into == into &&
			(c.Before == nil || c.Before.Status != lessons.Merged)
		if !went && c.ID != into {
			continue
		}
		m := merges[c.Batch]
		if m == nil {
			m = &lessons.Joint{}
			merges[c.Batch] = m
			order = append(order, c.Batch)
		}
		if !went {
			m.Survivor = c
			continue
		}
		m.Gone = append(m.Gone, c)
		if newest[c.ID] == 0 {
			newest[c.ID] = c.Batch
		}
	}
	var out []parting
	unknown := parting{}
	for _, batch := range order {
		p := parting{joint: *merges[batch]}
		for _, l := range gone {
			if newest[l.ID] == batch {
				p.gone = append(p.gone, l)
			}
		}
		if len(p.gone) > 0 {
			out = append(out, p)
		}
	}
	for _, l := range gone {
		if newest[l.ID] == 0 {
			unknown.gone = append(unknown.gone, l)
		}
	}
	if len(unknown.gone) > 0 {
		out = append(out, unknown)
	}
	return out, nil
}
