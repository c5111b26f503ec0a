package tui

import (
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"learnings/lessons"
	"learnings/lessons/match"
)

// A twin is a group of lessons that say the same, the one that would live on
// first.
type twin struct {
	ls         []lessons.Lesson
	rule       match.Rule
	similarity float64 // of the least alike to the first
}

// twinsOf groups the lessons that say the same: in nearly the same words, and
// then, of the rest, in other words. Those of which a person has said that both
// hold are left apart.
func twinsOf(ctx context.Context, all []lessons.Lesson) []twin {
	byID := make(map[lessons.ID]lessons.Lesson, len(all))
	for _, l := range all {
		byID[l.ID] = l
	}
	var out []twin
	for _, rule := range []match.Rule{match.ByJaccard, match.ByParaphrase} {
		rest := func(yield func(lessons.Lesson) bool) {
			for _, l := range all {
				if _, ok := byID[l.ID]; ok && !yield(l) {
					return
				}
			}
		}
		for c := range match.NewCorpus(rule, rest).Clusters() {
			if len(out) == mostShownGroups || ctx.Err() != nil {
				return out
			}
			ls := make([]lessons.Lesson, len(c.IDs))
			for i, id := range c.IDs {
				ls[i] = byID[id]
			}
			if ls = match.Together(ls); len(ls) > 1 {
				out = append(out, twin{ls, rule, c.Similarity})
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
	on  screen
	ls  []lessons.Lesson
	err error
}

func (m gatheredMsg) show() out {
	if m.err != nil {
		return warn("%v", m.err)
	}
	return ask(newMerge(m.ls))
}

// gather reads a group again, for a merge.
func (fx effects) gather(on screen, t twin) job {
	return func(context.Context) tea.Msg {
		m := gatheredMsg{on: on}
		for _, l := range t.ls {
			now, err := fx.desk.get(l.ID)
			if err == nil && (now.Status == lessons.Pending || now.Status == lessons.Approved) {
				m.ls = append(m.ls, now)
			}
		}
		if len(m.ls) < 2 {
			m.err = fmt.Errorf("of this group less than two are left")
		}
		return m
	}
}

// notTheSame is the reason that is kept when two lessons are told apart.
const notTheSame = "not the same"

// twins lists the groups of lessons that say the same, to be merged or told
// apart one by one.
type twins struct {
	fx  effects
	on  screen
	all []twin
	cur list
	yet bool // nobody has looked yet
}

func newTwins(fx effects, on screen) twins { return twins{fx: fx, on: on}.filled() }

// filled takes what the last survey has found.
func (d twins) filled() twins {
	s := d.fx.shared.survey.Load()
	if d.yet = s == nil; s != nil {
		d.all = s.twins
	}
	d.cur = d.cur.resize(len(d.all), 1)
	return d
}

func (d twins) update(msg tea.Msg) (dialog, out) {
	if _, ok := msg.(surveyedMsg); ok {
		return d.filled(), out{}
	}
	if m, ok := msg.(wheelMsg); ok {
		d.cur = d.cur.move(m.by)
	}
	k, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return d, out{}
	}
	if cur, ok := d.cur.stepped(k.String()); ok {
		d.cur = cur
		return d, out{}
	}
	switch k.String() {
	case "esc", "q", "T":
		return nil, out{}
	case "enter", "m":
		if d.cur.at < len(d.all) {
			return nil, run(d.fx.gather(d.on, d.all[d.cur.at]))
		}
	case "b":
		return d.apart()
	}
	return d, out{}
}

// apart says of two lessons that they are not the same.
func (d twins) apart() (dialog, out) {
	if d.cur.at >= len(d.all) {
		return d, out{}
	}
	ls := d.all[d.cur.at].ls
	if len(ls) != 2 {
		return d, say("only two can be told apart at a time: merge those that are the same first")
	}
	return nil, out{answer: settleMsg{keep: ls[0], lose: ls[1], both: true, reason: notTheSame}}
}

func (d twins) hints() []hint {
	return []hint{{key: "j k", foot: "move"}, {key: "enter", foot: "compare and merge"}, {key: "b", foot: "both hold: not the same"}, {key: "esc", foot: "back"}}
}

// mostOfGroup is how many lessons of a group are shown in the list.
const mostOfGroup = 4

func (d twins) view(w, h int, st style) string {
	w = min(w, 110)
	var lines []string
	at := 0 // the line on which the current group ends
	for i, t := range d.all {
		bar, look := "  ", st.text
		if i == d.cur.at {
			bar, look = st.accent.Render("▌ "), st.strong
		}
		for _, l := range t.ls[:min(len(t.ls), mostOfGroup)] {
			lines = append(lines, bar+look.Render(l.Title(w-6)))
		}
		about := fmt.Sprintf("%s · %.2f alike by %s", counted(len(t.ls), "lesson"), t.similarity, t.rule)
		if !sameLiterals(t.ls) {
			about += " · ! a number, path, flag or name differs"
		}
		lines = append(lines, "  "+st.faint.Render(about))
		if i == d.cur.at {
			at = len(lines)
		}
	}
	if len(d.all) == 0 {
		lines = []string{"", "  " + st.faint.Render(d.none()), ""}
	}
	right := ""
	if n := len(d.all); n > 0 {
		right = st.faint.Render(fmt.Sprintf("%d/%d", d.cur.at+1, n))
	}
	seen := clip(lines, max(at-(h-2), 0), h-2)
	return box{title: st.accent.Render("lessons that say the same"), right: right, on: true}.draw(seen, w, min(len(lines)+2, h), st)
}

func (d twins) none() string {
	if d.yet {
		return "comparing all lessons…"
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
