package tui

import (
	"context"
	"errors"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"learnings/index/curate"
	"learnings/lessons"
	"learnings/lessons/match"
	"learnings/lessons/stance"
)

// A group is lessons that say the same, the one that would live on first.
type group struct {
	ls         []lessons.Lesson
	rule       match.Rule
	similarity float64 // of the least alike to the first
	differ     bool    // in a number, path, flag or name
}

// groupsOf finds the duplicates: in nearly the same words first, and then, of
// the rest, in other words. Lessons of which a person has said that both hold are
// left apart, and so are those that contradict each other.
func groupsOf(ctx context.Context, all []lessons.Lesson) []group {
	byID := make(map[lessons.ID]lessons.Lesson, len(all))
	for _, l := range all {
		byID[l.ID] = l
	}
	var out []group
	for _, rule := range []match.Rule{match.ByJaccard, match.ByParaphrase} {
		rest := func(yield func(lessons.Lesson) bool) {
			for _, l := range all {
				if _, ok := byID[l.ID]; ok && !yield(l) {
					return
				}
			}
		}
		for c := range match.NewCorpus(rule, rest).Groups() {
			if len(out) == mostShownGroups || ctx.Err() != nil {
				return out
			}
			ls := make([]lessons.Lesson, len(c.IDs))
			for i, id := range c.IDs {
				ls[i] = byID[id]
			}
			if ls = stance.Compatible(ls); len(ls) > 1 {
				out = append(out, group{ls, rule, c.Similarity, !sameLiterals(ls)})
			}
		}
		for _, g := range out {
			for _, l := range g.ls {
				delete(byID, l.ID)
			}
		}
	}
	return out
}

// sameLiterals reports that all lessons have the same numbers, paths, flags and
// names.
func sameLiterals(ls []lessons.Lesson) bool {
	for _, l := range ls[1:] {
		if !match.SameLiterals(ls[0].Content, l.Content) {
			return false
		}
	}
	return true
}

// newDuplicates lists the groups of duplicates, to be merged or told apart one by
// one.
func newDuplicates(fx effects) worklist {
	return newWorklist(fx, worklistKind{
		title: "lessons that say the same", none: "say the same", close: "T", openKey: "m", openFoot: "compare and merge",
		of: func(s *survey) []finding {
			out := make([]finding, len(s.groups))
			for i, g := range s.groups {
				out[i] = g
			}
			return out
		},
		more: tellApart, moreHint: []hint{{key: "b", foot: "both hold: not the same"}},
	})
}

// tellApart says of two lessons that they are not the same.
func tellApart(d worklist, k string) (dialog, out) {
	f, ok := d.current()
	g, _ := f.(group)
	switch {
	case k != "b" || !ok:
		return d, out{}
	case len(g.ls) != 2:
		return d, say("only two can be told apart at a time: merge those that are the same first")
	}
	return d.without(g.key()), out{answer: curate.TellApart(g.ls[0], g.ls[1])}
}

// read reads the lessons of a group again, for a merge.
func (g group) read(fx effects) job {
	return func(context.Context) tea.Msg {
		var ls []lessons.Lesson
		for _, l := range g.ls {
			if now, err := fx.Corpus.Store.Get(l.ID); err == nil && curate.Counts(now) {
				ls = append(ls, now)
			}
		}
		m := readyMsg{key: g.key()}
		if len(ls) < 2 {
			m.err = errors.New("less than two of this group are left: the others were decided meanwhile")
			return m
		}
		m.open = func(kept, merged dialog) dialog {
			d := newMerge(ls)
			d.kept, d.merged = kept, merged
			return d
		}
		return m
	}
}

func (g group) key() string {
	var b strings.Builder
	for _, l := range g.ls {
		b.WriteString(string(l.ID) + " ")
	}
	return b.String()
}

// mostOfGroup is how many lessons of a group are shown in the list.
const mostOfGroup = 4

func (g group) height() int { return min(len(g.ls), mostOfGroup) + 1 }

func (g group) lines(current bool, w int, st style) []string {
	bar, look := bullet(current, st)
	lines := make([]string, 0, g.height())
	for _, l := range g.ls[:min(len(g.ls), mostOfGroup)] {
		lines = append(lines, bar+look(l.Title(w-6)))
	}
	about := fmt.Sprintf("%s, %.2f alike", counted(len(g.ls), "lesson"), g.similarity)
	if n := len(g.ls) - mostOfGroup; n > 0 {
		about = fmt.Sprintf("and %s more, %.2f alike", grouped(n), g.similarity)
	}
	how := "in nearly the same words"
	if g.rule == match.ByParaphrase {
		how = "in other words"
	}
	about = bar + "  " + st.faint.Render(about+" "+how)
	if g.differ {
		about += st.warn.Render(" · ! a number, path, flag or name differs")
	}
	return append(lines, about)
}
