package tui

import (
	"fmt"
	"slices"
	"strings"

	"learnings/index/curate"
	"learnings/index/recall"
	"learnings/lessons"
	"learnings/tui/card"
	"learnings/tui/decide"
	"learnings/tui/kit"
	"learnings/tui/look"
)

// This file draws the editor: the fields, what is offered for the one in focus, and
// beside them the evidence, what has changed, and the lesson as a session gets it.

// entryText is the column of what an entry says; before it are its label and the mark of
// a change.
const entryText = 14

// A beside is what may lie beside the fields.
const (
	ofEvidence = iota
	ofChanges
	ofSession
	parts
)

// leftW is how wide the fields are.
func (d editor) leftW() int {
	if d.W < kit.Wide {
		return d.W
	}
	return d.W * 59 / 100
}

func (d editor) Sheet(st *look.Style) kit.Sheet {
	l := d.lesson
	what := "edit"
	if d.give != nil {
		what = "word it"
	}
	s := kit.Sheet{Head: st.Strong.Render(what) + "  " + st.Dim.Render(lessons.Line(kit.Dotted(string(l.Status), l.Scope.Project, string(l.ID)))), Right: d.state(st)}
	s.Running = st.Dim.Render(d.saves())
	edited := d.draft()
	if d.W < kit.Wide {
		return d.stacked(s, edited, st)
	}
	lw, rw := d.leftW(), d.W-d.leftW()-1
	left, right := kit.Column{W: lw, H: d.H}, kit.Column{W: rw, H: d.H}
	if d.H < decide.RoomyH {
		left.Lines = d.fields(lw, d.H, st)
		title, lines := d.shown(edited, rw-3, st)
		right.Title, right.Right = title, st.Dim.Render("ctrl+o other")
		right.Lines, right.More = d.clipped(lines, d.H-2)
		s.Cols = []kit.Column{left, right}
		return s
	}
	foot := max(min(d.H/4, 10), 7)
	top := d.H - foot
	left.Lines = append(kit.Block(d.fields(lw, top, st), lw, top), headed("as a session gets it", lw, st))
	left.Lines = append(left.Lines, kit.Indented(kit.Clip(d.asGiven(edited, lw-3), 0, foot-1))...)
	all := kit.Indented(d.evidence(rw-3, st))
	seen := all[min(d.top, max(len(all)-(top-2), 0)):]
	more := ""
	if n := len(seen) - (top - 2); n > 0 {
		more = st.Dim.Render(fmt.Sprintf("pgdn %d more", n))
	}
	right.Lines = append([]string{kit.Ends(" "+st.Strong.Render("the evidence"), more+" ", rw), ""}, seen[:min(len(seen), top-2)]...)
	right.Lines = append(kit.Block(right.Lines, rw, top), headed("before and after", rw, st))
	right.Lines = append(right.Lines, kit.Indented(kit.Clip(d.changes(edited, rw-3, st), 0, foot-1))...)
	s.Cols = []kit.Column{left, right}
	return s
}

// stacked has the fields above, and one of the three below.
func (d editor) stacked(s kit.Sheet, edited lessons.Lesson, st *look.Style) kit.Sheet {
	below := max(min(d.H*2/5, 8), 2)
	top := kit.Column{W: d.W, H: max(d.H-below-1, 1)}
	top.Lines = d.fields(d.W, top.H, st)
	title, lines := d.shown(edited, d.W-3, st)
	bottom := kit.Column{W: d.W, H: below, Title: title, Right: st.Dim.Render("ctrl+o other")}
	bottom.Lines, bottom.More = d.clipped(lines, below)
	s.Cols, s.Stacked = []kit.Column{top, bottom}, true
	return s
}

// clipped is what of a text is in sight, and how much is below.
func (d editor) clipped(lines []string, h int) ([]string, int) {
	seen := kit.Clip(lines, d.top, h)
	return kit.Indented(seen), max(len(lines)-max(min(d.top, len(lines)-h), 0)-h, 0)
}

// headed is a title on a hairline.
func headed(title string, w int, st *look.Style) string {
	return " " + st.Strong.Render(title) + " " + st.Rule.Render(strings.Repeat("─", max(w-kit.CellsOf(title)-2, 0)))
}

// shown is the one of the three that is chosen, where there is room for one.
func (d editor) shown(edited lessons.Lesson, w int, st *look.Style) (title string, lines []string) {
	switch d.part {
	case ofChanges:
		return st.Strong.Render("before and after"), d.changes(edited, w, st)
	case ofSession:
		return st.Strong.Render("as a session gets it"), d.asGiven(edited, w)
	}
	return st.Strong.Render("the evidence"), d.evidence(w, st)
}

// evidence is who said what of the lesson.
func (d editor) evidence(w int, st *look.Style) []string {
	if len(d.lesson.Evidence) == 0 {
		return []string{st.Dim.Render("this lesson has no evidence")}
	}
	return card.Card{Lesson: d.lesson, Whole: true}.Evidence(w, 0, st)
}

// state says how much was changed.
func (d editor) state(st *look.Style) string {
	switch n := len(d.differing()); {
	case !d.ready:
		return st.Dim.Render("reading it…")
	case n > 0 && d.again:
		return st.Warn.Render("•") + fmt.Sprintf(" %d changed", n) + st.Dim.Render("   goes on with a draft")
	case n > 0:
		return st.Warn.Render("•") + fmt.Sprintf(" %d changed", n)
	}
	return st.Dim.Render("nothing changed yet")
}

// saves says what saving does.
func (d editor) saves() string {
	if d.give != nil {
		return "ctrl+s takes the sentence into the merge · ctrl+a accepts that too · u undoes it"
	}
	switch d.lesson.Status {
	case lessons.Approved:
		return "it is active: saved, sessions get it so from the next one on · u undoes it"
	case lessons.Pending:
		if len(d.dangers()) > 0 {
			return "ctrl+s keeps it pending · ctrl+a asks for a typed yes, then approves it too"
		}
		return "ctrl+s keeps it pending · ctrl+a approves it too · u undoes it"
	}
	return "it is " + string(d.lesson.Status) + " and stays so: no session gets it · u undoes it"
}

func (d editor) Hints() []kit.Hint {
	save := kit.Hint{Key: "ctrl+s", Foot: "save"}
	if d.give != nil {
		return []kit.Hint{{Key: "ctrl+s", Foot: "take it"}, {Key: "ctrl+a", Foot: "take it, accept and approve"}, {Key: "tab", Foot: "field"}, {Key: "ctrl+x", Foot: "as it was"}, {Key: "esc", Foot: "back"}}
	}
	hints := []kit.Hint{save}
	if d.lesson.Status == lessons.Pending {
		hints = append(hints, kit.Hint{Key: "ctrl+a", Foot: "save and approve"})
	}
	return append(hints, kit.Hint{Key: "tab", Foot: "field"}, kit.Hint{Key: "ctrl+e", Foot: "your editor"}, kit.Hint{Key: "ctrl+x", Foot: "as stored"}, kit.Hint{Key: "pgdn", Foot: "scroll"}, kit.Hint{Key: "esc", Foot: "leave, text kept"})
}

// A entryRow is an entry as it looks.
type entryRow struct {
	of    entry
	lines []string
	gap   bool // a blank line comes before it, where there is room
}

// fields draws the entries in h lines, with the one in focus in sight.
func (d editor) fields(w, h int, st *look.Style) []string {
	var rows []entryRow
	n, gaps := 0, 0
	for e := range d.all() {
		r := entryRow{of: e, lines: d.row(e, w, st), gap: e > 0 && e != inRole && e != inScope}
		rows = append(rows, r)
		if n += len(r.lines); r.gap {
			gaps++
		}
	}
	loose := n+gaps+1 <= h
	var lines []string
	if loose {
		lines = append(lines, "")
	}
	from, to := 0, 0
	for _, r := range rows {
		if r.gap && loose {
			lines = append(lines, "")
		}
		if r.of == d.at {
			from, to = len(lines), len(lines)+len(r.lines)
		}
		lines = append(lines, r.lines...)
	}
	top := 0
	if len(lines) > h {
		top = max(min(to-h, from), 0)
		if from > h/2 {
			top = max(top, min(from-h/2, len(lines)-h))
		}
	}
	lines = kit.Block(lines[top:], w, h)
	return d.over(lines, to-top, w, st)
}

// over lays what is offered for the entry over the lines, below its own.
func (d editor) over(lines []string, below, w int, st *look.Style) []string {
	of := d.offered()
	if len(of) == 0 {
		return lines
	}
	var all []string
	for i, v := range of {
		line := kit.Ends("  "+lessons.Line(v.Name), st.Dim.Render(kit.Grouped(v.N))+" ", 30)
		if i == d.pick {
			line = st.Select(kit.Ends(st.Accent.Render(look.Cursor)+" "+st.Strong.Render(lessons.Line(v.Name)), st.Dim.Render(kit.Grouped(v.N))+" ", 30))
		}
		all = append(all, line)
	}
	front := strings.Split(kit.Box{}.Draw(all, 32, len(all)+2, st), "\n")
	y := below
	if y+len(front) > len(lines) {
		y = max(below-1-len(front), 0)
	}
	return kit.Laid(lines, front, min(entryText+8, max(w-34, 0)), y, w)
}

// row is one entry.
func (d editor) row(e entry, w int, st *look.Style) []string {
	tw := max(w-entryText-1, 8)
	on := e == d.at
	text := d.text(e, tw, on, st)
	label, mark := st.Dim.Render(entryNames[e]), " "
	if on {
		label = st.Accent.Render(entryNames[e])
	}
	if d.differs(e) {
		mark = st.Warn.Render("•")
	}
	for i, line := range text {
		head := strings.Repeat(" ", entryText-1)
		if i == 0 {
			head = strings.Repeat(" ", 10-len(entryNames[e])) + label + " " + mark
			head = kit.Fit(head, entryText-1)
		}
		text[i] = kit.Edge(on, st) + head + line
	}
	return append(text, d.note(e, tw, on, st)...)
}

// text is what an entry says, with the cursor where it is in focus.
func (d editor) text(e entry, w int, on bool, st *look.Style) []string {
	switch e {
	case inSentence, inWhy, inExample:
		if on {
			return strings.Split(d.areas[e].View(), "\n")
		}
		ink := st.Text
		if e == inSentence {
			ink = st.Strong
		}
		if e == inExample {
			ink = st.Tool
		}
		all := kit.Paragraph(d.areas[e].Value(), w, ink)
		if strings.TrimSpace(d.areas[e].Value()) == "" {
			return []string{st.Dim.Render("none")}
		}
		if most := max(min(d.H/3, 8), 2); len(all) > most {
			all = append(all[:most-1:most-1], st.Dim.Render("…"))
		}
		return all
	case inCategory:
		return []string{d.categoryLine(w, st)}
	case inScope:
		var out []string
		for i, s := range curate.Scopes {
			out = append(out, chip(s, d.global == (i == 1), st))
		}
		return []string{strings.Join(out, "  ")}
	case inSure:
		c := d.lesson.Rated(d.sure)
		if !d.differs(inSure) {
			c = d.lesson
		}
		return []string{kit.Fit(card.Confidence(c, st)+st.Dim.Render("   ← → by 0.05, or a digit"), w)}
	}
	if on {
		return []string{kit.FieldView(*d.lines[e], w)}
	}
	return []string{d.unfocused(e, w, st)}
}

// chip is one of several to choose from, in brackets when it is chosen.
func chip(s string, on bool, st *look.Style) string {
	if on {
		return st.Accent.Render("[" + s + "]")
	}
	return " " + st.Dim.Render(s) + " "
}

func (d form) categoryLine(w int, st *look.Style) string {
	all := d.choices()
	line := func(name func(lessons.Category) string) string {
		var out []string
		for _, c := range all {
			out = append(out, chip(name(c), c == d.category, st))
		}
		return strings.Join(out, " ")
	}
	whole := line(func(c lessons.Category) string { return lessons.Line(string(c)) })
	if kit.CellsOf(whole) <= w {
		return whole
	}
	short := line(func(c lessons.Category) string { return look.Tag(lessons.Line(string(c))) })
	if name := "  " + lessons.Line(string(d.category)); kit.CellsOf(short+name) <= w {
		short += st.Dim.Render(name)
	}
	return kit.Fit(short, w)
}

// unfocused is what stands in an entry of one line.
func (d form) unfocused(e entry, w int, st *look.Style) string {
	text := lessons.Line(d.lines[e].Value())
	none := map[entry]string{inProject: "none", inRole: "any role", inFiles: "any file", inTags: "none", inUntil: "until it is changed", inWords: "none"}
	switch {
	case e == inWords:
		if s := d.words(st); s != "" {
			return kit.Fit(s, w)
		}
		return st.Dim.Render(none[e])
	case strings.TrimSpace(text) == "":
		return st.Dim.Render(none[e])
	case e == inTags:
		var out []string
		for t := range strings.SplitSeq(text, ",") {
			if t = strings.TrimPrefix(strings.TrimSpace(t), "#"); t != "" {
				out = append(out, st.Tool.Render("#"+t))
			}
		}
		return kit.Fit(strings.Join(out, "  "), w)
	case e == inUntil:
		return kit.Fit("until "+text, w)
	}
	return kit.Fit(text, w)
}

// words are the phrases of when it shows: those that stay, come and go.
func (d form) words(st *look.Style) string {
	split := func(s string) (out []string) {
		for t := range strings.SplitSeq(s, ",") {
			if t = strings.TrimSpace(t); t != "" {
				out = append(out, t)
			}
		}
		return out
	}
	was, is := split(d.was[inWords]), split(lessons.Line(d.lines[inWords].Value()))
	var out []string
	for _, t := range is {
		if slices.Contains(was, t) {
			out = append(out, t)
		} else {
			out = append(out, st.Added.Render("+"+t))
		}
	}
	for _, t := range was {
		if !slices.Contains(is, t) {
			out = append(out, st.Removed.Render("-"+t))
		}
	}
	return strings.Join(out, st.Dim.Render(" · "))
}

// note is what stands below an entry.
func (d editor) note(e entry, w int, on bool, st *look.Style) []string {
	var text string
	switch {
	case e == inSentence:
		return d.check(w, st)
	case e == inWords && !d.own && d.differs(inWords):
		text = "what the old sentence alone said is gone; type to change it"
	case !on:
		return nil
	case e == inFiles:
		text = "given to work on these alone: cmd/**, *.proto"
	case e == inWords:
		text = "in the words of who will complain; names of files, functions, errors"
	case e == inTags:
		text = "with commas between"
	case e == inUntil:
		text = "a day, 2026-12-31, or how long, 30d 6w; nothing is for good"
	case e == inProject && d.global:
		text = "where it was learned; it holds in every project"
	}
	if text == "" {
		return nil
	}
	return []string{kit.Edge(on, st) + strings.Repeat(" ", entryText-1) + st.Dim.Render(kit.Fit(text, w))}
}

// dangers are the reasons for which approving what is typed asks for a yes.
func (d editor) dangers() (all []string) {
	l := d.draft()
	if d.lesson.Status != lessons.Pending || d.give != nil {
		return nil
	}
	for _, o := range lessons.Dangers(l) {
		if o.Found != "" {
			o.Says += ": " + o.Found
		}
		all = append(all, o.Says)
	}
	return all
}

// check says for what a person looks twice, and else what the rules for sentences find, as it is typed.
func (d editor) check(w int, st *look.Style) []string {
	l := d.lesson
	l.Content, l.Insight, l.Example = strings.Join(strings.Fields(d.value(inSentence)), " "), d.value(inWhy), d.value(inExample)
	sentences, words := lessons.Measure(l.Content)
	size := fmt.Sprintf("%s, %s, %s", kit.Counted(sentences, "sentence"), kit.Counted(words, "word"), kit.Counted(card.Tokens(l), "token"))
	if sentences == 1 {
		size = "one" + strings.TrimPrefix(size, "1")
	}
	pad := strings.Repeat(" ", entryText-1)
	found := slices.DeleteFunc(lessons.Lint(l), func(f lessons.Finding) bool { return f.Code == lessons.NoMoment }) // a field of its own asks for it
	if words == 0 {
		return []string{kit.Edge(d.at == inSentence, st) + pad + st.Warn.Render("! a lesson needs a sentence")}
	}
	if all := d.dangers(); len(all) > 0 {
		lines := []string{kit.Edge(d.at == inSentence, st) + pad + st.Dim.Render(kit.Fit("  "+size, w))}
		for _, s := range look.Lines(lessons.Line(strings.Join(all, "; ")), max(w-2, 4), 2) {
			lines = append(lines, kit.Edge(d.at == inSentence, st)+pad+"  "+st.Warn.Render(s))
		}
		lines[1] = strings.Replace(lines[1], pad+"  ", pad+st.Warn.Render(look.Flagged)+" ", 1)
		return lines
	}
	if len(found) == 0 {
		return []string{kit.Edge(d.at == inSentence, st) + pad + st.OK.Render("✓") + " " + st.Dim.Render(kit.Fit(size, w-2))}
	}
	text := found[0].Says
	if found[0].Found != "" {
		text = "“" + found[0].Found + "” " + text
	}
	lines := []string{st.Dim.Render(kit.Fit("  "+size, w))}
	for i, s := range look.Lines(lessons.Line(text), max(w-2, 4), 2) {
		sign := "  "
		if i == 0 {
			sign = st.Warn.Render("~") + " "
		}
		lines = append(lines, sign+st.Warn.Render(s))
	}
	for i, s := range lines {
		lines[i] = kit.Edge(d.at == inSentence, st) + pad + s
	}
	return lines
}

// changes is what was changed: the sentence word by word, and the other entries.
func (d form) changes(edited lessons.Lesson, w int, st *look.Style) []string {
	var lines []string
	for _, e := range d.differing() {
		switch e {
		case inSentence:
			lines = append(append(kit.Wrap(card.WordDiff(d.lesson.Content, edited.Content, st), w), ""), lines...)
		case inWhy, inExample:
			lines = append(lines, kit.Fact(entryNames[e], card.WordDiff(d.was[e], d.value(e), st), w, st.Text, st)...)
		case inWords:
			lines = append(lines, kit.Fact("when", d.words(st), w, st.Text, st)...)
		default:
			was, is := lessons.Line(d.was[e]), lessons.Line(d.value(e))
			if was == "" {
				was = "none"
			}
			if strings.TrimSpace(is) == "" {
				is = "none"
			}
			lines = append(lines, kit.Fact(shortName(e), st.Removed.Render("[-"+was+"-]")+" "+st.Added.Render("{+"+is+"+}"), w, st.Text, st)...)
		}
	}
	if len(lines) == 0 {
		return []string{st.Dim.Render("nothing is changed yet")}
	}
	return lines
}

// shortName is the label of an entry in a gutter of seven.
func shortName(e entry) string {
	if e == inSure {
		return "conf"
	}
	if e == inCategory {
		return "kind"
	}
	return entryNames[e]
}

// asGiven is the lesson as a session gets it.
func (d form) asGiven(l lessons.Lesson, w int) []string {
	l.Status = lessons.Approved
	var b strings.Builder
	if err := recall.Write(&b, []recall.Choice{{Lesson: l, In: true}}, recall.Style{}); err != nil {
		return nil
	}
	_, text, _ := strings.Cut(b.String(), "\n- ")
	text, _, _ = strings.Cut(text, "</learnings-context>")
	return kit.Paragraph("- "+text, max(w, 1), look.Ink{})
}
