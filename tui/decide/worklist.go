package decide

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"learnings/index/curate"
	"learnings/lessons"
	"learnings/lessons/pairs"
	"learnings/tui/desk"
	"learnings/tui/kit"
	"learnings/tui/look"
)

// A Kind is what a survey looks for.
type Kind int

const (
	Contradictions Kind = iota // pairs that contradict each other
	Duplicates                 // groups that say the same
)

// MostShownGroups limits the contradictions or groups of duplicates that a survey keeps:
// more than anyone settles in one review.
const MostShownGroups = 500

// A finding is a result of a survey for the person to decide on.
type finding struct {
	ls    []lessons.Lesson // of a contradiction, the one to keep first
	about string
	warn  string // why the difference matters
}

// key identifies a finding by its lessons.
func (f finding) key() string {
	var b strings.Builder
	for _, l := range f.ls {
		b.WriteString(string(l.ID) + " ")
	}
	return b.String()
}

// SurveyedMsg is the result of a survey.
type SurveyedMsg struct {
	Kind  Kind
	Err   error
	found []finding
}

// N returns the number of findings.
func (m SurveyedMsg) N() int { return len(m.found) }

// survey compares all lessons. Callers read the lessons again before a decision.
func survey(fx desk.Desk, kind Kind) kit.Job {
	return fx.Shared.Comparing.In(func(ctx context.Context) tea.Msg {
		defer debug.FreeOSMemory() // the memory of the comparison
		m := SurveyedMsg{Kind: kind}
		if kind == Duplicates {
			var groups []curate.Group
			groups, m.Err = fx.Corpus.SomeDuplicates(ctx, MostShownGroups)
			for _, g := range groups {
				m.found = append(m.found, alike(g))
			}
			return m
		}
		var found []pairs.Pair
		found, m.Err = fx.Corpus.SomeContradictions(ctx, MostShownGroups)
		for _, p := range found {
			m.found = append(m.found, finding{ls: []lessons.Lesson{p.Keep, p.Lose}, about: lessons.Line(p.Judgement.Why)})
		}
		return m
	})
}

// alike returns the finding for a group of duplicates.
func alike(g curate.Group) finding {
	f := finding{ls: g.Lessons, about: kit.LessonsOf(len(g.Lessons)) + ", " + g.Alike()}
	if !g.SameLiterals() {
		f.warn = " · ! a number, path, flag or name differs"
	}
	return f
}

// A Worklist lists the findings of a survey to decide on one by one.
type Worklist struct {
	kind   Kind
	fx     desk.Desk
	found  []finding
	all    []finding // found without those decided on here
	cur    kit.List
	done   map[string]bool
	yet    bool   // the survey is running
	asking string // the finding being read
}

// List surveys all lessons and lists the findings.
func List(fx desk.Desk, kind Kind) kit.Out {
	return kit.Ask(Worklist{kind: kind, fx: fx, yet: true, cur: kit.List{Tall: 3}}).And(kit.Run(survey(fx, kind)))
}

// filled removes the findings that were decided on.
func (d Worklist) filled() Worklist {
	d.all = slices.DeleteFunc(slices.Clone(d.found), func(f finding) bool { return d.done[f.key()] })
	d.cur = d.cur.Resize(len(d.all), 1)
	return d
}

// without returns the list without a finding that was decided on.
func (d Worklist) without(key string) Worklist {
	d.done = kit.Own(d.done)
	d.done[key] = true
	return d.filled()
}

func (d Worklist) Update(msg tea.Msg) (kit.Dialog, kit.Out) {
	switch m := msg.(type) {
	case SurveyedMsg:
		if m.Kind != d.kind {
			break
		}
		d.found, d.yet = m.found, false
		if m.Err != nil {
			return d.filled(), kit.Warn("the lessons could not be compared: %v", m.Err)
		}
		return d.filled(), kit.Out{}
	case desk.DecidedMsg:
		if m.Err != nil {
			d.done = nil // it is open again
		}
		return d.filled(), kit.Out{}
	case desk.UndoneMsg:
		d.done = nil
		return d.filled(), kit.Out{}
	case kit.Reply[Worklist]:
		return m(d)
	case kit.WheelMsg:
		d.cur = d.cur.Move(m.By)
	case tea.KeyPressMsg:
		return d.press(m.String())
	}
	return d, kit.Out{}
}

func (d Worklist) press(k string) (kit.Dialog, kit.Out) {
	if cur, ok := d.cur.Stepped(k); ok {
		d.cur, d.asking = cur, ""
		return d, kit.Out{}
	}
	closes, opens := "C", "c"
	if d.kind == Duplicates {
		closes, opens = "T", "m"
	}
	switch {
	case k == "esc", k == "q", k == closes:
		return nil, kit.Out{}
	case k == "u":
		return d, kit.Out{Writes: []kit.Job{d.fx.TakeBack()}}
	case d.cur.At >= len(d.all):
		return d, kit.Out{}
	}
	f := d.all[d.cur.At]
	switch {
	case k == "enter", k == opens, k == "a" && d.kind == Duplicates:
		d.asking = f.key()
		return d, kit.Run(f.read(d.fx, d.kind, k == "a"))
	case k == "b" && d.kind == Duplicates && len(f.ls) > 2:
		return d, kit.Say("only two can be told apart at a time: merge those that are the same first")
	case k == "b" && d.kind == Duplicates:
		return d.without(f.key()), kit.Out{Answer: curate.TellApart(f.ls[0], f.ls[1])}
	}
	return d, kit.Out{}
}

// read reads the lessons of a finding and opens its dialog. With one set, it merges
// duplicates into an approved lesson at once, unless someone has to compare them first.
func (f finding) read(fx desk.Desk, kind Kind, one bool) kit.Job {
	return func(context.Context) tea.Msg {
		return kit.Reply[Worklist](f.ready(fx, kind, one).onlyFor(f.key()))
	}
}

// opening returns the dialog of a finding. It returns to kept when the person leaves it
// and to settled after a decision.
type opening func(kept, settled Worklist) (kit.Dialog, kit.Out)

// onlyFor opens the dialog unless the person has moved to another finding.
func (open opening) onlyFor(key string) func(Worklist) (kit.Dialog, kit.Out) {
	return func(d Worklist) (kit.Dialog, kit.Out) {
		if d.asking != key {
			return d, kit.Out{}
		}
		d.asking = ""
		return open(d, d.without(key))
	}
}

func (f finding) ready(fx desk.Desk, kind Kind, one bool) opening {
	failed := func(err error) opening {
		return func(_, settled Worklist) (kit.Dialog, kit.Out) { return settled, kit.Warn("%v", err) }
	}
	if kind == Contradictions {
		mine, other, err := fx.Corpus.Contradiction(f.ls[0].ID, f.ls[1].ID)
		if err != nil {
			return failed(err)
		}
		return func(kept, settled Worklist) (kit.Dialog, kit.Out) {
			return settlement{fx: fx, mine: mine, other: other, kept: kept, settled: settled}, kit.Out{}
		}
	}
	var ls []lessons.Lesson
	for _, l := range f.ls {
		if now, err := fx.Corpus.Store.Get(l.ID); err == nil && curate.Counts(now) {
			ls = append(ls, now)
		}
	}
	if len(ls) < 2 {
		return failed(errors.New("less than two of this group are left: the others were decided meanwhile"))
	}
	merge := NewMerge(fx, ls)
	into := merge.answer()
	into.Approve = true
	if _, err := into.Preview(); one && f.warn == "" && err == nil {
		return func(_, settled Worklist) (kit.Dialog, kit.Out) { return settled, kit.Out{Answer: into} }
	}
	return func(kept, settled Worklist) (kit.Dialog, kit.Out) {
		merge.kept, merge.merged = kept, settled
		return merge, kit.Out{}
	}
}

func (d Worklist) Hints() []kit.Hint {
	back := []kit.Hint{{Key: "u", Foot: "undo"}, {Key: "esc", Foot: "back"}}
	switch {
	case len(d.all) == 0:
		return back
	case d.kind == Contradictions:
		return append([]kit.Hint{{Key: "enter", Foot: "settle it"}, {Key: "j k", Foot: "move"}}, back...)
	}
	return append([]kit.Hint{{Key: "enter", Foot: "compare and merge"}, {Key: "a", Foot: "approve as one"}, {Key: "b", Foot: "both hold: not the same"}, {Key: "j k", Foot: "move"}}, back...)
}

func (d Worklist) View(w, h int, st *look.Style) string {
	w = min(w, 110)
	title, none := "contradictions", "contradict each other"
	if d.kind == Duplicates {
		title, none = "lessons that say the same", "say the same"
	}
	var lines []string
	switch {
	case d.yet:
		lines = []string{"", "  " + st.Dim.Render("comparing all lessons…"), ""}
	case len(d.all) == 0 && len(d.done) > 0:
		lines = []string{"", "  " + st.Dim.Render("no other two lessons "+none), ""}
	case len(d.all) == 0:
		lines = []string{"", "  " + st.Dim.Render("no two lessons "+none), ""}
	}
	cur := d.cur.Resize(len(d.all), h-2)
	lines = append(lines, cur.Rows(w-2, st, func(i int, current bool) []string { return d.all[i].lines(current, d.kind, w, st) }, nil)...)
	right := ""
	if n := len(d.all); n > 0 {
		some := ""
		if n+len(d.done) >= MostShownGroups {
			some = "+" // a survey keeps no more
		}
		right = st.Dim.Render(fmt.Sprintf("%d/%d%s", d.cur.At+1, n, some))
	}
	return kit.Box{Title: st.Accent.Render(title), Right: right}.Draw(lines, w, min(len(lines)+2, h), st)
}

// lines draws the first two lessons of a finding, and what is wrong with them.
func (f finding) lines(current bool, kind Kind, w int, st *look.Style) []string {
	bar, ink := kit.Edge(current, st)+" ", kit.Lit(current, st)
	about := st.Dim.Render(f.about) + st.Warn.Render(f.warn)
	if n := len(f.ls) - 2; n > 0 {
		_, how, _ := strings.Cut(f.about, ", ")
		about = st.Dim.Render(fmt.Sprintf("and %s more, %s", kit.Grouped(n), how)) + st.Warn.Render(f.warn)
	}
	edge := ""
	if kind == Duplicates {
		edge = bar
	}
	return []string{bar + ink.Render(f.ls[0].Title(w-6)), bar + ink.Render(f.ls[1].Title(w-6)), edge + "  " + about}
}
