package tui

import (
	"fmt"
	"strconv"
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"learnings/index/curate"
	"learnings/lessons"
	"learnings/tui/look"
)

// A merge shows several lessons, the one that would come of them, and what its
// sentence changes. One key accepts, and it is none that is pressed by habit.
type merge struct {
	ls     []lessons.Lesson // the one that lives on first
	from   int              // whose wording is proposed
	words  string           // the proposed sentence
	in     textinput.Model
	typing bool
	global bool           // what several projects have learned holds everywhere
	become lessons.Lesson // what would be stored
	err    error          // or why it cannot be
	scroll

	kept, merged dialog // what to come back to when it was left or made; nil for the pane
}

func newMerge(ls []lessons.Lesson) merge {
	d := merge{ls: curate.MergeOf(ls).All()}
	d.words = lessons.Line(d.ls[0].Content)
	d.global = d.projects() > 1 // proposed, and one key away from not
	return d.anew()
}

func (d merge) update(msg tea.Msg) (dialog, out) {
	if d.typing {
		return d.typed(msg)
	}
	if m, ok := msg.(roomMsg); ok {
		d.roomMsg = m
	}
	n, h := d.length()
	d.scroll = d.by(turned(msg, h), n, h)
	k, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return d, out{}
	}
	switch s := k.String(); s {
	case "esc", "q", "n":
		return d.kept, say("nothing was merged")
	case "y":
		if d.err != nil {
			return d, warn("%v", d.err)
		}
		return d.merged, out{answer: d.answer()}
	case "a":
		m := d.answer()
		m.Approve = true
		if _, err := m.Preview(); err != nil {
			return d, warn("%v", err)
		}
		return d.merged, out{answer: m}
	case "e", "i":
		d.typing, d.in = true, newField(d.words)
	case "p":
		if d.projects() > 1 {
			d.global = !d.global
			return d.anew(), out{}
		}
	case "tab":
		return d.take((d.from + 1) % len(d.ls)), out{}
	default:
		if n, err := strconv.Atoi(s); err == nil && n >= 1 && n <= len(d.ls) {
			return d.take(n - 1), out{}
		}
	}
	return d, out{}
}

func (d merge) typed(msg tea.Msg) (dialog, out) {
	key, text, cmd := typeInto(&d.in, msg)
	switch {
	case key == "esc":
		d.typing = false
	case text != "":
		d.words, d.typing = text, false
		return d.anew(), out{}
	case key == "enter":
		return d, warn("a lesson needs a sentence")
	}
	return d, out{cmd: cmd}
}

// take proposes the wording of one of the lessons.
func (d merge) take(i int) merge {
	d.from, d.words = i, lessons.Line(d.ls[i].Content)
	return d.anew()
}

// answer is the merge with the wording that the person has chosen.
func (d merge) answer() curate.Merge {
	m := curate.Merge{Into: d.ls[0], From: d.ls[1:], Global: d.global}
	m.Into.Wording = d.ls[d.from].Wording
	if d.words != lessons.Line(m.Into.Content) {
		m.Into.Content = d.words
	}
	return m
}

// anew recomputes the lesson that would be stored.
func (d merge) anew() merge {
	d.become, d.err = d.answer().Preview()
	return d
}

// projects is in how many projects the lessons were learned.
func (d merge) projects() int { return len(curate.Projects(d.ls)) }

// place says where the merged lesson would hold; "" if that is obvious.
func (d merge) place(r lessons.Lesson) string {
	switch n := d.projects(); {
	case r.Scope.Global:
		return "in every project; p: in " + r.Scope.Project + " only"
	case n > 1:
		return fmt.Sprintf("in %s only, though learned in %d projects; p: in every project", r.Scope.Project, n)
	}
	return ""
}

func (d merge) hints() []hint {
	if d.typing {
		return []hint{{key: "enter", foot: "take this sentence"}, {key: "esc", foot: "back"}}
	}
	hints := []hint{{key: "y", foot: "merge"}}
	if d.become.Status == lessons.Pending && d.err == nil {
		hints = []hint{{key: "a", foot: "merge and approve"}, {key: "y", foot: "merge, leave it pending"}}
	}
	hints = append(hints, []hint{{key: "e", foot: "edit the sentence"}, {key: "tab 1-" + strconv.Itoa(min(len(d.ls), 9)), foot: "whose words"}}...)
	if d.projects() > 1 {
		hints = append(hints, hint{key: "p", foot: "where it holds"})
	}
	return append(hints, hint{key: "j k", foot: "scroll"}, hint{key: "esc", foot: "leave them apart"})
}

// least is the smallest height of the merged lessons, with their frame.
const least = 4

// leastBecomes is how many lines the merged lesson may have on any screen: on a small
// one the words that differ matter more than the lessons whole.
const leastBecomes = 8

// heights are the heights of what is merged and of what it becomes.
func (d merge) heights(w, h int, st *look.Style) (top, bottom int) {
	bottom = min(len(d.proposal(w-4, h, st))+2, max(h-least, 3))
	return h - bottom, bottom
}

// pair reports whether there are two lessons, shown side by side.
func (d merge) pair(w int) bool { return len(d.ls) == 2 && w >= 60 }

// length is how many lines can be scrolled through, and how many are in sight.
func (d merge) length() (n, h int) {
	st := unseenStyle
	top, _ := d.heights(d.w, d.h, st)
	if d.pair(d.w) {
		return max(len(d.text(0, d.w/2, st)), len(d.text(1, d.w-d.w/2, st))), top - 2
	}
	return len(d.several(d.w, st)), top - 2
}

func (d merge) view(w, h int, st *look.Style) string {
	th, bh := d.heights(w, h, st)
	bottom := d.proposal(w-4, h, st)
	var top string
	if d.pair(w) {
		top = beside(d.one(0, w/2, th, st), d.one(1, w-w/2, th, st))
	} else {
		title := st.Accent.Render(fmt.Sprintf("merge %d lessons", len(d.ls)))
		top = box{title: title}.draw(indented(clip(d.several(w, st), d.top, th-2)), w, th, st)
	}
	return top + "\n" + box{title: st.Accent.Render("becomes"), on: true}.draw(indented(bottom), w, bh, st)
}

// mostListed is how many of the merged lessons are shown.
const mostListed = 200

// several shows the lessons one below the other.
func (d merge) several(w int, st *look.Style) []string {
	var lines []string
	for i, l := range d.ls {
		if i == mostListed {
			return append(lines, st.Dim.Render(fmt.Sprintf("and %s more", lessonsOf(len(d.ls)-i))))
		}
		lines = append(lines, d.name(i, st))
		for _, s := range paragraph(l.Content, w-6, st.Text) {
			lines = append(lines, "   "+s)
		}
		lines = append(lines, "")
	}
	return lines
}

// one draws one lesson of a pair.
func (d merge) one(i, w, h int, st *look.Style) string {
	return box{title: d.name(i, st)}.draw(indented(clip(d.text(i, w, st), d.top, h-2)), w, h, st)
}

// text is the text of a lesson for a frame of w cells.
func (d merge) text(i, w int, st *look.Style) []string {
	l := d.ls[i]
	lines := paragraph(l.Content, w-4, st.Strong)
	for _, t := range []string{l.Insight, l.Example} {
		if strings.TrimSpace(t) != "" {
			lines = append(append(lines, ""), paragraph(t, w-4, st.Text)...)
		}
	}
	lines = append(lines, "")
	for _, e := range l.Evidence {
		lines = append(lines, paragraph(said(e), w-4, st.Dim)...)
		lines = append(lines, quote(e.Quote, 4, w-4, st.Accent, st.Text)...)
	}
	return lines
}

// name tells which lesson it is, and whether it lives on.
func (d merge) name(i int, st *look.Style) string {
	l := d.ls[i]
	role := "goes"
	if i == 0 {
		role = "lives on"
	}
	return st.Accent.Render(strconv.Itoa(i+1)) + " " + st.Strong.Render(role) + st.Dim.Render(fmt.Sprintf(" · %s · %s · %.2f", l.ID, l.Status, float64(l.Confidence)))
}

// mostDiffs is with how many of its lessons the merged one is compared.
const mostDiffs = 8

// proposal tells what would come of the merge, for a dialog of h lines. The sentence
// and what the key does are shown wherever they fit; what the sentence takes from
// each lesson is shown as far as half of the dialog has room, or a little more of a
// small one.
func (d merge) proposal(w, h int, st *look.Style) []string {
	sentence := paragraph(lessons.Line(d.words), w, st.Strong)
	if d.typing {
		sentence = []string{st.Accent.Render("› ") + fieldView(d.in, w-4)}
	}
	if d.err != nil {
		return append(sentence, paragraph(d.err.Error(), w, st.Bad)...)
	}
	ends := d.outcome(w, st)
	diffs := d.diffs(w, st)
	if room := max(h/2-2, min(h-least-2, leastBecomes)) - len(sentence) - 1 - len(ends); len(diffs) > room {
		diffs = clip(diffs, 0, max(room-1, 0))
		if room > 0 {
			diffs = append(diffs, st.Dim.Render("…"))
		}
	}
	if over := len(sentence) + len(ends) + 1 - (h - least - 2); over > 0 && len(sentence) > 1 {
		sentence = sentence[:max(len(sentence)-over, 1)]
		sentence[len(sentence)-1] = ansi.Truncate(sentence[len(sentence)-1], w-1, "") + "…"
	}
	lines := append(sentence, "")
	return append(append(lines, diffs...), ends...)
}

// diffs shows what the sentence takes from each lesson.
func (d merge) diffs(w int, st *look.Style) []string {
	var lines []string
	n := 0
	for i, l := range d.ls {
		if lessons.Line(l.Content) == d.words {
			continue
		}
		if n++; n > mostDiffs {
			return append(lines, st.Dim.Render("…"))
		}
		lines = append(lines, field(fmt.Sprintf("from %d", i+1), wordDiff(l.Content, d.words, st), w, st.Text, st)...)
	}
	return lines
}

// outcome shows what else the merged lesson has, and what the key does.
func (d merge) outcome(w int, st *look.Style) []string {
	r := d.become
	evidence := fmt.Sprintf("%s, of all of them", counted(len(r.Evidence), "piece"))
	switch len(r.Evidence) {
	case 0:
		evidence = "none of them has any"
	case 1:
		evidence = "1 piece: all of them quote the same"
	}
	lines := field("said", evidence, w, st.Text, st)
	if t := terms(r); t != "" {
		lines = append(lines, field("terms", t, w, st.Dim, st)...)
	}
	if where := d.place(r); where != "" {
		lines = append(lines, field("holds", lessons.Line(where), w, st.Text, st)...)
	}
	after := fmt.Sprintf("y → %s, confidence %.2f, in place of %d; u takes it back", r.Status, float64(r.Confidence), len(d.ls))
	if r.Status == lessons.Pending {
		after = fmt.Sprintf("y → one proposal, confidence %.2f, in place of %d, still to be approved; u takes it back", float64(r.Confidence), len(d.ls))
	}
	return append(lines, field("next", after, w, st.Text, st)...)
}
