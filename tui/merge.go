package tui

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"learnings/lessons"
)

// mergeMsg is the answer of a merge: the wording that the person accepted, for
// the lesson that lives on.
type mergeMsg struct {
	wording lessons.Wording
	global  bool // it holds in every project
	into    lessons.Lesson
	from    []lessons.Lesson
}

// merge shows several lessons, the one that would come of them, and what its
// sentence changes. One key accepts, and it is none that one presses by the way.
type merge struct {
	ls     []lessons.Lesson // the one that lives on first
	from   int              // whose wording is proposed
	text   string           // the proposed sentence
	in     textinput.Model
	typing bool
	global bool // what several projects have learned holds everywhere
	top    int
}

func newMerge(ls []lessons.Lesson) merge {
	s := lessons.Survivor(ls)
	all := []lessons.Lesson{ls[s]}
	all = append(append(all, ls[:s]...), ls[s+1:]...)
	d := merge{ls: all, text: lessons.Line(all[0].Content)}
	d.global = d.projects() > 1 // proposed, and one key away from not
	return d
}

func (d merge) update(msg tea.Msg) (dialog, out) {
	if d.typing {
		return d.typed(msg)
	}
	if m, ok := msg.(wheelMsg); ok {
		d.top = max(d.top+m.by, 0)
	}
	k, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return d, out{}
	}
	switch s := k.String(); s {
	case "esc", "q", "n":
		return nil, say("nothing was merged")
	case "y":
		return nil, out{answer: d.answer()}
	case "e", "i":
		d.typing, d.in = true, newField(d.text)
	case "p":
		if d.projects() > 1 {
			d.global = !d.global
		}
	case "j", "down", "pgdown", "J":
		d.top++
	case "k", "up", "pgup", "K":
		d.top = max(d.top-1, 0)
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
	if k, ok := msg.(tea.KeyPressMsg); ok {
		switch k.String() {
		case "esc":
			d.typing = false
			return d, out{}
		case "enter":
			if text := strings.TrimSpace(d.in.Value()); text != "" {
				d.text, d.typing = text, false
				return d, out{}
			}
			return d, warn("a lesson needs a sentence")
		}
	}
	var cmd tea.Cmd
	d.in, cmd = d.in.Update(msg)
	return d, out{cmd: cmd}
}

// take proposes the wording of one of the lessons.
func (d merge) take(i int) merge {
	d.from, d.text = i, lessons.Line(d.ls[i].Content)
	return d
}

func (d merge) answer() mergeMsg {
	w := d.ls[d.from].Wording
	if d.text != lessons.Line(w.Content) {
		w.Content = d.text
	}
	return mergeMsg{wording: w, global: d.global, into: d.ls[0], from: d.ls[1:]}
}

// result is what would be stored.
func (d merge) result() (lessons.Lesson, error) {
	into := d.ls[0]
	into.Wording = d.answer().wording
	into.Scope.Global = into.Scope.Global || d.global
	// Who and when do not show.
	all, err := lessons.Merge(lessons.Decision{By: "?", At: time.Unix(0, 0)}, into, d.ls[1:]...)
	if err != nil {
		return into, err
	}
	return all[0], nil
}

// projects counts where the lessons were learned.
func (d merge) projects() int {
	seen := map[string]bool{}
	for _, l := range d.ls {
		seen[l.Scope.Project] = true
	}
	return len(seen)
}

// place says where the lesson would hold.
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
	return []hint{{key: "y", foot: "merge"}, {key: "e", foot: "edit the sentence"}, {key: "tab 1-" + strconv.Itoa(len(d.ls)), foot: "whose words"}, {key: "j k", foot: "scroll"}, {key: "esc", foot: "leave them apart"}}
}

func (d merge) view(w, h int, st style) string {
	bottom := d.proposal(w-4, st)
	bh := min(len(bottom)+2, max(h/2, 8))
	th := max(h-bh, 4)
	var top string
	if n := len(d.ls); n == 2 && w >= 60 {
		top = beside(d.one(0, w/2, th, st), d.one(1, w-w/2, th, st))
	} else {
		var lines []string
		for i, l := range d.ls {
			lines = append(lines, d.name(i, st))
			for _, s := range paragraph(l.Content, w-6, st.text) {
				lines = append(lines, "   "+s)
			}
			lines = append(lines, "")
		}
		top = box{title: st.accent.Render(fmt.Sprintf("merge %d lessons", n))}.draw(indented(clip(lines, d.top, th-2)), w, th, st)
	}
	if d.typing {
		bottom = append([]string{st.accent.Render("› ") + fieldView(d.in, w-8)}, bottom[1:]...)
	}
	return top + "\n" + box{title: st.accent.Render("becomes"), on: true}.draw(indented(bottom), w, h-th, st)
}

// one draws a lesson beside the other.
func (d merge) one(i, w, h int, st style) string {
	l := d.ls[i]
	lines := paragraph(l.Content, w-4, st.strong)
	for _, t := range []string{l.Insight, l.Example} {
		if strings.TrimSpace(t) != "" {
			lines = append(append(lines, ""), paragraph(t, w-4, st.text)...)
		}
	}
	lines = append(lines, "")
	for _, e := range l.Evidence {
		lines = append(lines, paragraph(said(e), w-4, st.faint)...)
		lines = append(lines, quote(e.Quote, 4, w-4, st.accent, st.text)...)
	}
	return box{title: d.name(i, st)}.draw(indented(clip(lines, d.top, h-2)), w, h, st)
}

// name tells which lesson it is, and that it lives on.
func (d merge) name(i int, st style) string {
	l := d.ls[i]
	role := "goes"
	if i == 0 {
		role = "lives on"
	}
	return st.accent.Render(strconv.Itoa(i+1)) + " " + st.strong.Render(role) + st.faint.Render(fmt.Sprintf(" · %s · %s · %.2f", l.ID, l.Status, float64(l.Confidence)))
}

// proposal tells what would come of it. Its first part is the sentence.
func (d merge) proposal(w int, st style) []string {
	r, err := d.result()
	lines := paragraph(lessons.Line(d.text), w, st.strong)
	if err != nil {
		return append(lines, st.bad.Render(lessons.Line(err.Error())))
	}
	sentence := len(lines)
	if d.typing {
		lines, sentence = lines[:1], 1
	}
	lines = append(lines[:sentence], "")
	for i, l := range d.ls {
		if diff := wordDiff(l.Content, d.text, st); lessons.Line(l.Content) != d.text {
			lines = append(lines, field(fmt.Sprintf("from %d", i+1), diff, w, st.text, st)...)
		}
	}
	evidence := fmt.Sprintf("%d pieces, of all of them", len(r.Evidence))
	if len(r.Evidence) == 1 {
		evidence = "1 piece: all of them quote the same"
	}
	lines = append(lines, field("Evidence", evidence, w, st.text, st)...)
	if t := terms(r); t != "" {
		lines = append(lines, field("Terms", t, w, st.faint, st)...)
	}
	if where := d.place(r); where != "" {
		lines = append(lines, field("Holds", lessons.Line(where), w, st.text, st)...)
	}
	after := fmt.Sprintf("y → %s, confidence %.2f, in place of %d; u takes it back", r.Status, float64(r.Confidence), len(d.ls))
	if r.Status == lessons.Pending {
		after = fmt.Sprintf("y → one proposal, confidence %.2f, in place of %d, still to be approved; u takes it back", float64(r.Confidence), len(d.ls))
	}
	return append(lines, field("Next", after, w, st.text, st)...)
}

// together are the lessons to merge: all marked, else the current one and the
// one most like it.
func (p review) together() []lessons.Lesson {
	if ls := p.marks.of(p.rows); len(ls) > 1 {
		return ls
	}
	l, _ := p.current()
	return []lessons.Lesson{l, p.card.similar[0].Lesson}
}

// settled shows a contradiction as settled and asks for it to be.
func (p review) settled(m settleMsg) (review, out) {
	p.marks, p.anchor = nil, -1
	o := out{writes: []job{p.fx.settle(m)}}
	var gone []lessons.Lesson
	if m.approve {
		gone = append(gone, m.keep)
	}
	if !m.both {
		gone = append(gone, m.lose)
	}
	p = p.without(gone)
	p.card = card{seq: p.card.seq + 1} // what it is against has changed
	p, look := p.look()
	return p, o.and(look)
}

// merge shows the merge as made and asks for it to be.
func (p review) merge(m mergeMsg) (review, out) {
	p.marks, p.anchor = nil, -1
	o := out{writes: []job{p.fx.merge(m)}}
	gone := m.from
	if m.into.Status != lessons.Pending {
		gone = append([]lessons.Lesson{m.into}, gone...)
	}
	p = p.without(gone)
	p, look := p.look()
	return p, o.and(look)
}
