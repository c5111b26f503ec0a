package tui

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"

	tea "charm.land/bubbletea/v2"

	"learnings/lessons"
	"learnings/lessons/match"
	"learnings/lessons/stance"
)

// A group is a group of lessons that say the same, the one that would live on
// first.
type group struct {
	ls         []lessons.Lesson
	rule       match.Rule
	similarity float64 // of the least alike to the first
	differ     bool    // in a number, path, flag or name
}

// groupsOf groups the lessons that say the same: in nearly the same words, and
// then, of the rest, in other words. Those of which a person has said that both
// hold are left apart, and so are those that contradict each other.
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
		for _, t := range out {
			for _, l := range t.ls {
				delete(byID, l.ID)
			}
		}
	}
	return out
}

// gatheredMsg answers gather: the lessons of a group, as they are now.
type gatheredMsg struct {
	key string // of the group
	ls  []lessons.Lesson
	err error
}

// gather reads a group again, for a merge.
func (fx effects) gather(t group) job {
	return func(context.Context) tea.Msg {
		m := gatheredMsg{key: t.key()}
		for _, l := range t.ls {
			now, err := fx.desk.get(l.ID)
			if err == nil && stands(now) {
				m.ls = append(m.ls, now)
			}
		}
		if len(m.ls) < 2 {
			m.err = errors.New("less than two of this group are left: the others were decided meanwhile")
		}
		return m
	}
}

// notTheSame is the reason that is kept when two lessons are told apart.
const notTheSame = "not the same"

// twins lists the groups of lessons that say the same, to be merged or told
// apart one by one.
type duplicates struct {
	fx     effects
	all    []group
	cur    list
	done   map[string]bool // the groups that were decided here: an older survey may still have them
	yet    bool            // nobody has looked yet
	asking string          // the group that is being read for a merge
}

func newDuplicates(fx effects) duplicates { return duplicates{fx: fx}.filled() }

func (d duplicates) surveyed() {}

// filled takes what the last survey has found.
func (d duplicates) filled() duplicates {
	s := d.fx.shared.survey.Load()
	d.all = nil
	if d.yet = s == nil; s != nil {
		for _, t := range s.groups {
			if !d.done[t.key()] {
				d.all = append(d.all, t)
			}
		}
	}
	d.cur = d.cur.resize(len(d.all), 1)
	return d
}

// without is the list that one comes back to when a group was decided.
func (d duplicates) without(key string) duplicates {
	d.done = maps.Clone(d.done)
	if d.done == nil {
		d.done = map[string]bool{}
	}
	d.done[key] = true
	return d.filled()
}

func (d duplicates) update(msg tea.Msg) (dialog, out) {
	switch m := msg.(type) {
	case surveyedMsg:
		return d.filled(), out{}
	case decidedMsg:
		if m.err != nil {
			d.done = nil // it is still to be decided
		}
		return d.filled(), out{}
	case undoneMsg:
		d.done = nil
		return d.filled(), out{}
	case gatheredMsg:
		return d.gathered(m)
	case wheelMsg:
		d.cur = d.cur.move(m.by)
	case tea.KeyPressMsg:
		return d.press(m.String())
	}
	return d, out{}
}

func (d duplicates) press(k string) (dialog, out) {
	if cur, ok := d.cur.stepped(k); ok {
		d.cur, d.asking = cur, ""
		return d, out{}
	}
	switch k {
	case "esc", "q", "T":
		return nil, out{}
	case "u":
		return d, out{writes: []job{d.fx.undo()}}
	case "enter", "m":
		if d.cur.at < len(d.all) {
			t := d.all[d.cur.at]
			d.asking = t.key()
			return d, run(d.fx.gather(t))
		}
	case "b":
		return d.apart()
	}
	return d, out{}
}

// gathered opens the merge of a group, unless the person has gone on.
func (d duplicates) gathered(m gatheredMsg) (dialog, out) {
	if m.key != d.asking {
		return d, out{}
	}
	d.asking = ""
	if m.err != nil {
		return d.without(m.key), warn("%v", m.err)
	}
	next := newMerge(m.ls)
	next.kept, next.merged = d, d.without(m.key)
	return next, out{}
}

// apart says of two lessons that they are not the same.
func (d duplicates) apart() (dialog, out) {
	if d.cur.at >= len(d.all) {
		return d, out{}
	}
	t := d.all[d.cur.at]
	if len(t.ls) != 2 {
		return d, say("only two can be told apart at a time: merge those that are the same first")
	}
	return d.without(t.key()), out{answer: settleMsg{keep: t.ls[0], lose: t.ls[1], both: true, reason: notTheSame}}
}

func (d duplicates) hints() []hint {
	if len(d.all) == 0 {
		return []hint{{key: "u", foot: "undo"}, {key: "esc", foot: "back"}}
	}
	return []hint{{key: "enter", foot: "compare and merge"}, {key: "b", foot: "both hold: not the same"}, {key: "j k", foot: "move"}, {key: "u", foot: "undo"}, {key: "esc", foot: "back"}}
}

// mostOfGroup is how many lessons of a group are shown in the list.
const mostOfGroup = 4

func (d duplicates) view(w, h int, st style) string {
	w = min(w, 110)
	var lines []string
	if len(d.all) == 0 {
		lines = []string{"", "  " + st.faint.Render(d.none()), ""}
	}
	// What is in sight: the current group whole, and as many above it as there
	// is room for when the list ends below.
	first, rows := d.cur.at, 0
	for i := d.cur.at; i < len(d.all) && rows < h-2; i++ {
		rows += d.all[i].height()
	}
	for first > 0 && (rows+d.all[first-1].height() <= h-2 || first == d.cur.at && d.all[first-1].height()+d.all[first].height() <= h-2) {
		first--
		rows += d.all[first].height()
	}
	for i := first; i < len(d.all) && len(lines) < h-2; i++ {
		lines = append(lines, d.all[i].lines(i == d.cur.at, w, st)...)
	}
	right := ""
	if n := len(d.all); n > 0 {
		right = st.faint.Render(d.cur.place(len(d.done)))
	}
	return box{title: st.accent.Render("lessons that say the same"), right: right, on: true}.draw(lines, w, min(len(lines)+2, h), st)
}

// key names a group by its lessons.
func (t group) key() string {
	var b strings.Builder
	for _, l := range t.ls {
		b.WriteString(string(l.ID) + " ")
	}
	return b.String()
}

// height is how many lines a group has in the list.
func (t group) height() int { return min(len(t.ls), mostOfGroup) + 1 }

func (t group) lines(current bool, w int, st style) []string {
	bar, look := "  ", st.text
	if current {
		bar, look = st.accent.Render("▌ "), st.strong
	}
	lines := make([]string, 0, t.height())
	for _, l := range t.ls[:min(len(t.ls), mostOfGroup)] {
		lines = append(lines, bar+look.Render(l.Title(w-6)))
	}
	about := fmt.Sprintf("%s, %.2f alike", counted(len(t.ls), "lesson"), t.similarity)
	if n := len(t.ls) - mostOfGroup; n > 0 {
		about = fmt.Sprintf("and %s more, %.2f alike", grouped(n), t.similarity)
	}
	how := "in nearly the same words"
	if t.rule == match.ByParaphrase {
		how = "in other words"
	}
	about = bar + "  " + st.faint.Render(about+" "+how)
	if t.differ {
		about += st.warn.Render(" · ! a number, path, flag or name differs")
	}
	return append(lines, about)
}

func (d duplicates) none() string {
	switch {
	case d.yet:
		return "comparing all lessons…"
	case len(d.done) > 0:
		return "no other two lessons say the same"
	}
	return "no two lessons say the same"
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
