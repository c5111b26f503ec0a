package tui

import (
	"context"
	"errors"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"learnings/index/curate"
	"learnings/lessons"
	"learnings/tui/kit"
	"learnings/tui/look"
)

// A group is lessons that say the same, the one that would live on first.
type group curate.Group

// newDuplicates lists the groups of duplicates, to be merged or told apart one by
// one.
func newDuplicates(fx effects) worklist {
	return newWorklist(fx, worklistKind{
		kind: duplicated, title: "lessons that say the same", none: "say the same", close: "T", openKey: "m", openFoot: "compare and merge",
		find: func(ctx context.Context, fx effects) ([]finding, error) {
			groups, err := fx.Corpus.SomeDuplicates(ctx, mostShownGroups)
			out := make([]finding, len(groups))
			for i, g := range groups {
				out[i] = group(g)
			}
			return out, err
		},
		more: onGroup, moreHint: []kit.Hint{{Key: "a", Foot: "approve as one"}, {Key: "b", Foot: "both hold: not the same"}},
	})
}

// onGroup does what a key is for.
func onGroup(d worklist, k string) (kit.Dialog, kit.Out) {
	f, ok := d.current()
	g, _ := f.(group)
	if k != "a" || !ok {
		return tellApart(d, k)
	}
	d.asking = g.key()
	return d, kit.Run(g.union(d.fx))
}

// union reads the lessons of a group again and makes one approved lesson of them, unless
// somebody has to compare them first: then it opens the merge.
func (g group) union(fx effects) kit.Job {
	return func(ctx context.Context) tea.Msg {
		m, _ := g.read(fx)(ctx).(readyMsg)
		if m.err != nil {
			return m
		}
		one := newMerge(fx, m.ls).answer()
		one.Approve = true
		if _, err := one.Preview(); err == nil && curate.Group(g).SameLiterals() {
			m.merge = &one
		}
		return m
	}
}

// tellApart says of two lessons that they are not the same.
func tellApart(d worklist, k string) (kit.Dialog, kit.Out) {
	f, ok := d.current()
	g, _ := f.(group)
	switch {
	case k != "b" || !ok:
		return d, kit.Out{}
	case len(g.Lessons) != 2:
		return d, kit.Say("only two can be told apart at a time: merge those that are the same first")
	}
	return d.without(g.key()), kit.Out{Answer: curate.TellApart(g.Lessons[0], g.Lessons[1])}
}

// read reads the lessons of a group again, for a merge.
func (g group) read(fx effects) kit.Job {
	return func(context.Context) tea.Msg {
		var ls []lessons.Lesson
		for _, l := range g.Lessons {
			if now, err := fx.Corpus.Store.Get(l.ID); err == nil && curate.Counts(now) {
				ls = append(ls, now)
			}
		}
		m := readyMsg{key: g.key()}
		if len(ls) < 2 {
			m.err = errors.New("less than two of this group are left: the others were decided meanwhile")
			return m
		}
		m.ls = ls
		m.open = func(kept, merged kit.Dialog) kit.Dialog {
			d := newMerge(fx, ls)
			d.kept, d.merged = kept, merged
			return d
		}
		return m
	}
}

func (g group) key() string {
	var b strings.Builder
	for _, l := range g.Lessons {
		b.WriteString(string(l.ID) + " ")
	}
	return b.String()
}

// mostOfGroup is how many lessons of a group are shown in the list.
const mostOfGroup = 4

func (g group) height() int { return min(len(g.Lessons), mostOfGroup) + 1 }

func (g group) lines(current bool, w int, st *look.Style) []string {
	bar, look := bullet(current, st)
	lines := make([]string, 0, g.height())
	for _, l := range g.Lessons[:min(len(g.Lessons), mostOfGroup)] {
		lines = append(lines, bar+look(l.Title(w-6)))
	}
	about := fmt.Sprintf("%s, %.2f alike", kit.Counted(len(g.Lessons), "lesson"), g.Similarity)
	if n := len(g.Lessons) - mostOfGroup; n > 0 {
		about = fmt.Sprintf("and %s more, %.2f alike", kit.Grouped(n), g.Similarity)
	}
	how := "in nearly the same words"
	if curate.Group(g).Paraphrased() {
		how = "in other words"
	}
	about = bar + "  " + st.Dim.Render(about+" "+how)
	if !curate.Group(g).SameLiterals() {
		about += st.Warn.Render(" · ! a number, path, flag or name differs")
	}
	return append(lines, about)
}
