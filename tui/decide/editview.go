package decide

import (
	"fmt"
	"slices"
	"strings"

	"learnings/index/curate"
	"learnings/lessons"
	"learnings/tui/card"
	"learnings/tui/kit"
	"learnings/tui/look"
)

// This file draws the editor: the fields, and beside them the evidence, the changes, and
// the lesson as a session gets it.

// textAt is the column of a field's text, after its label and the mark of a change.
const textAt = 14

// leftW and textW return the widths of the fields and of their text.
func (d editor) leftW() int {
	if d.W < kit.Wide {
		return d.W
	}
	return d.W * 59 / 100
}

func (d editor) textW() int { return max(d.leftW()-textAt-1, 8) }

func (d editor) Sheet(st *look.Style) kit.Sheet {
	l, what := d.lesson, "edit"
	if d.give != nil {
		what = "word it"
	}
	s := kit.Sheet{Head: st.Strong.Render(what) + "  " + st.Dim.Render(lessons.Line(kit.Dotted(string(l.Status), l.Scope.Project, string(l.ID)))), Right: d.state(st)}
	s.Running = st.Dim.Render(d.saves())
	edited := d.draft()
	lw, rw := d.leftW(), d.W-d.leftW()-1
	if d.W < kit.Wide {
		below := max(min(d.H*2/5, 8), 2)
		s.Stacked, s.Cols = true, []kit.Column{{W: lw, H: max(d.H-below-1, 1)}, d.beside(kit.Column{W: lw, H: below}, edited, st)}
		s.Cols[0].Lines = d.rows(lw, s.Cols[0].H, st)
		return s
	}
	left := kit.Column{W: lw, H: d.H}
	if d.H < RoomyH {
		left.Lines = d.rows(lw, d.H, st)
		s.Cols = []kit.Column{left, d.beside(kit.Column{W: rw, H: d.H}, edited, st)}
		return s
	}
	foot := max(min(d.H/4, 10), 7)
	top := d.H - foot
	left.Lines = append(d.rows(lw, top, st), headed("as a session gets it", lw, st))
	left.Lines = append(left.Lines, kit.Indented(kit.Clip(card.AsGiven(edited, lw-3), 0, foot-1))...)
	all := d.evidence(rw-3, st)
	seen := all[min(d.Top, max(len(all)-(top-2), 0)):]
	more := ""
	if n := len(seen) - (top - 2); n > 0 {
		more = st.Dim.Render(fmt.Sprintf("pgdn %d more", n))
	}
	right := append([]string{kit.Ends(" "+st.Strong.Render("the evidence"), more+" ", rw), ""}, kit.Indented(seen[:min(len(seen), top-2)])...)
	right = append(kit.Block(right, rw, top), headed("before and after", rw, st))
	right = append(right, kit.Indented(kit.Clip(d.changes(edited, rw-3, st), 0, foot-1))...)
	s.Cols = []kit.Column{left, {W: rw, H: d.H, Lines: right}}
	return s
}

// beside draws all that is beside the fields in one column, if there is no room for more.
func (d editor) beside(c kit.Column, edited lessons.Lesson, st *look.Style) kit.Column {
	w := c.W - 3
	all := append(kit.Indented(d.evidence(w, st)), "", headed("before and after", c.W, st))
	all = append(append(all, kit.Indented(d.changes(edited, w, st))...), "", headed("as a session gets it", c.W, st))
	all = append(all, kit.Indented(card.AsGiven(edited, w))...)
	h := c.H
	if d.W >= kit.Wide {
		h -= 2 // the title
	}
	c.Title, c.Right, c.Lines = st.Strong.Render("the evidence"), st.Dim.Render("pgdn"), kit.Clip(all, d.Top, h)
	c.More = max(len(all)-max(min(d.Top, len(all)-h), 0)-h, 0)
	return c
}

// headed draws a title on a hairline.
func headed(title string, w int, st *look.Style) string {
	return " " + st.Strong.Render(title) + " " + st.Rule.Render(strings.Repeat("─", max(w-kit.CellsOf(title)-2, 0)))
}

// evidence draws who said what.
func (d editor) evidence(w int, st *look.Style) []string {
	if len(d.lesson.Evidence) == 0 {
		return []string{st.Dim.Render("this lesson has no evidence")}
	}
	return card.Card{Lesson: d.lesson, Whole: true}.Evidence(w, 0, st)
}

// state says how many fields were changed.
func (d editor) state(st *look.Style) string {
	n := len(d.differing())
	switch {
	case !d.ready:
		return st.Dim.Render("reading it…")
	case n == 0:
		return st.Dim.Render("nothing changed yet")
	case d.again:
		return st.Warn.Render("•") + fmt.Sprintf(" %d changed", n) + st.Dim.Render("   goes on with a draft")
	}
	return st.Warn.Render("•") + fmt.Sprintf(" %d changed", n)
}

// saves says what saving does.
func (d editor) saves() string {
	switch {
	case d.give != nil:
		return "ctrl+s takes the sentence into the merge · ctrl+a accepts that too · u undoes it"
	case d.lesson.Status == lessons.Approved:
		return "it is active: saved, sessions get it so from the next one on · u undoes it"
	case d.lesson.Status == lessons.Pending && len(d.dangers()) > 0:
		return "ctrl+s keeps it pending · ctrl+a asks for a typed yes, then approves it too"
	case d.lesson.Status == lessons.Pending:
		return "ctrl+s keeps it pending · ctrl+a approves it too · u undoes it"
	}
	return "it is " + string(d.lesson.Status) + " and stays so: no session gets it · u undoes it"
}

func (d editor) Hints() []kit.Hint {
	if d.give != nil {
		return []kit.Hint{{Key: "ctrl+s", Foot: "take it"}, {Key: "ctrl+a", Foot: "take it, accept and approve"}, {Key: "tab", Foot: "field"}, {Key: "ctrl+x", Foot: "as it was"}, {Key: "esc", Foot: "back"}}
	}
	hints := []kit.Hint{{Key: "ctrl+s", Foot: "save"}}
	if d.lesson.Status == lessons.Pending {
		hints = append(hints, kit.Hint{Key: "ctrl+a", Foot: "save and approve"})
	}
	return append(hints, kit.Hint{Key: "tab", Foot: "field"}, kit.Hint{Key: "ctrl+e", Foot: "your editor"}, kit.Hint{Key: "ctrl+x", Foot: "as stored"}, kit.Hint{Key: "pgdn", Foot: "scroll"}, kit.Hint{Key: "esc", Foot: "leave, text kept"})
}

// rows draws the fields in h lines with the focused one visible, and blank lines between
// groups if there is room.
func (d editor) rows(w, h int, st *look.Style) []string {
	var lines []string
	from, to := 0, 0
	draw := func(loose bool) {
		lines = nil
		for f := range d.shown() {
			if loose && f != roleField && f != scopeField {
				lines = append(lines, "")
			}
			row := d.row(f, st)
			if lines = append(lines, row...); f == d.at {
				from, to = len(lines)-len(row), len(lines)
			}
		}
	}
	if draw(true); len(lines) > h {
		draw(false)
	}
	top := 0
	if len(lines) > h {
		top = max(min(to-h, from), 0)
		if from > h/2 {
			top = max(top, min(from-h/2, len(lines)-h))
		}
	}
	return kit.Block(lines[top:], w, h)
}

// row draws one field: label, mark, text and note.
func (d editor) row(f field, st *look.Style) []string {
	w, on, name := d.textW(), f == d.at, fields[f].name
	label, mark := st.Dim.Render(name), " "
	if on {
		label = st.Accent.Render(name)
	}
	if d.differs(f) {
		mark = st.Warn.Render("•")
	}
	head := kit.Fit(strings.Repeat(" ", 10-len(name))+label+" "+mark, textAt-1)
	var lines []string
	for _, line := range append(d.text(f, w, on, st), d.note(f, w, on, st)...) {
		lines = append(lines, kit.Edge(on, st)+head+line)
		head = strings.Repeat(" ", textAt-1)
	}
	return lines
}

// text draws the text of a field, with the cursor if it has the focus.
func (d editor) text(f field, w int, on bool, st *look.Style) []string {
	text := lessons.Line(d.value(f))
	switch {
	case f == categoryField || f == scopeField || f == sureField:
		return []string{d.chips(f, w, st)}
	case on && f <= exampleField:
		return strings.Split(d.areas[f].View(), "\n")
	case on:
		return []string{kit.FieldView(d.lines[f], w)}
	case f == triggersField && d.differs(triggersField):
		text = d.words(st)
	case f == triggersField:
		text = strings.Join(termsIn(text), st.Dim.Render(" · "))
	case strings.TrimSpace(text) == "":
	case f <= exampleField:
		ink := [...]look.Ink{st.Strong, st.Text, st.Tool}[f]
		all := kit.Paragraph(d.value(f), w, ink)
		if most := max(min(d.H/3, 8), 2); len(all) > most {
			all = append(all[:most-1:most-1], st.Dim.Render("…"))
		}
		return all
	case f == tagsField:
		var all []string
		for _, t := range termsIn(text) {
			all = append(all, st.Tool.Render("#"+strings.TrimPrefix(t, "#")))
		}
		text = strings.Join(all, "  ")
	case f == untilField:
		text = "until " + text
	}
	if strings.TrimSpace(text) == "" {
		text = st.Dim.Render(fields[f].none)
	}
	return []string{kit.Fit(text, w)}
}

// chips draws the choices of a field with the current one in brackets, abbreviated if
// they do not fit.
func (d editor) chips(f field, w int, st *look.Style) string {
	line := func(gap string, name func(string) string) string {
		var all []string
		for _, c := range d.choices(f) {
			if c == d.value(f) {
				all = append(all, st.Accent.Render("["+name(c)+"]"))
			} else {
				all = append(all, " "+st.Dim.Render(name(c))+" ")
			}
		}
		return strings.Join(all, gap)
	}
	if f == scopeField || f == sureField {
		return line("  ", lessons.Line)
	}
	whole := line(" ", lessons.Line)
	if kit.CellsOf(whole) <= w {
		return whole
	}
	short := line(" ", func(c string) string { return look.Tag(lessons.Line(c)) })
	if name := "  " + lessons.Line(d.value(f)); kit.CellsOf(short+name) <= w {
		short += st.Dim.Render(name)
	}
	return kit.Fit(short, w)
}

// termsIn splits a list at commas.
func termsIn(s string) (out []string) {
	for t := range strings.SplitSeq(s, ",") {
		if t = strings.TrimSpace(t); t != "" {
			out = append(out, t)
		}
	}
	return out
}

// words draws the triggers that stay, are added and are removed.
func (d form) words(st *look.Style) string {
	was, is := termsIn(d.was[triggersField]), termsIn(lessons.Line(d.value(triggersField)))
	var out []string
	for _, t := range is {
		if !slices.Contains(was, t) {
			t = st.Added.Render("+" + t)
		}
		out = append(out, t)
	}
	for _, t := range was {
		if !slices.Contains(is, t) {
			out = append(out, st.Removed.Render("-"+t))
		}
	}
	return strings.Join(out, st.Dim.Render(" · "))
}

// note draws the line below a field: the check of the sentence; for the focused field its
// completions or a hint.
func (d editor) note(f field, w int, on bool, st *look.Style) []string {
	if f == sentenceField {
		return d.check(w, st)
	}
	text := fields[f].about
	switch offered := d.offered(); {
	case f == triggersField && !d.own && d.differs(triggersField):
		text = "what only the old sentence said is gone; type to change it"
	case !on:
		return nil
	case len(offered) > 0:
		text = "→ "
		for i, v := range offered {
			if i > 0 {
				text += " · "
			}
			text += lessons.Line(v.Name) + " " + kit.Grouped(v.N)
		}
	case f == projectField && d.value(scopeField) == curate.Scopes[1]:
		text = "where it was learned; it holds in every project"
	}
	if text == "" {
		return nil
	}
	return []string{st.Dim.Render(kit.Fit(text, w))}
}

// dangers returns the reasons why approving the typed text requires a typed yes.
func (d editor) dangers() []string {
	if d.lesson.Status != lessons.Pending || d.give != nil {
		return nil
	}
	return card.Flags(d.draft())
}

// check draws the reasons to look twice or, without any, the first finding of the linter,
// as the person types.
func (d editor) check(w int, st *look.Style) []string {
	l := d.lesson
	l.Content, l.Insight, l.Example = strings.Join(strings.Fields(d.value(sentenceField)), " "), d.value(whyField), d.value(exampleField)
	sentences, words := lessons.Measure(l.Content)
	if words == 0 {
		return []string{st.Warn.Render("! a lesson needs a sentence")}
	}
	size := fmt.Sprintf("%s, %s, %s", kit.Counted(sentences, "sentence"), kit.Counted(words, "word"), kit.Counted(card.Tokens(l), "token"))
	if sentences == 1 {
		size = "one" + strings.TrimPrefix(size, "1")
	}
	found := slices.DeleteFunc(lessons.Lint(l), func(f lessons.Finding) bool { return f.Code == lessons.NoMoment }) // another field asks for it
	mark, says := " ", ""
	signs := [2]string{"  ", "  "} // before the first line, and before the others
	switch dangers := d.dangers(); {
	case len(dangers) > 0:
		says, signs[0] = strings.Join(dangers, "; "), st.Warn.Render(look.Flagged)+" "
	case len(found) == 0:
		mark = st.OK.Render("✓")
	default:
		says = told(found[0])
		signs[0] = st.Warn.Render("~") + " "
	}
	lines := []string{mark + " " + st.Dim.Render(kit.Fit(size, w-2))}
	if says == "" {
		return lines
	}
	for _, s := range look.Lines(lessons.Line(says), max(w-2, 4), 2) {
		lines = append(lines, signs[0]+st.Warn.Render(s))
		signs[0] = signs[1]
	}
	return lines
}

// told formats a finding of the linter with the words it is about.
func told(f lessons.Finding) string {
	if f.Found == "" {
		return f.Says
	}
	return "“" + f.Found + "” " + f.Says
}

// changes draws the changes: the sentence word by word, and the other fields.
func (d form) changes(edited lessons.Lesson, w int, st *look.Style) []string {
	var lines []string
	short := map[field]string{categoryField: "kind", sureField: "conf", triggersField: "when"} // fits a gutter of seven letters
	for _, f := range d.differing() {
		name, text := fields[f].name, ""
		if s, ok := short[f]; ok {
			name = s
		}
		switch f {
		case sentenceField:
			lines = append(kit.Wrap(card.WordDiff(d.lesson.Content, edited.Content, st), w), "")
			continue
		case whyField, exampleField:
			text = card.WordDiff(d.was[f], d.value(f), st)
		case triggersField:
			text = d.words(st)
		default:
			or := func(s string) string {
				if s = lessons.Line(s); strings.TrimSpace(s) == "" {
					return "none"
				}
				return s
			}
			text = st.Removed.Render("[-"+or(d.was[f])+"-]") + " " + st.Added.Render("{+"+or(d.value(f))+"+}")
		}
		lines = append(lines, kit.Fact(name, text, w, st.Text, st)...)
	}
	if len(lines) == 0 {
		return []string{st.Dim.Render("nothing is changed yet")}
	}
	return lines
}
