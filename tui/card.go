package tui

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"learnings/index"
	"learnings/index/curate"
	"learnings/index/recall"
	"learnings/lessons"
	"learnings/lessons/stance"
	"learnings/tui/look"
)

// A card is one lesson with everything that it takes to judge it.
type card struct {
	lesson  lessons.Lesson
	whole   bool // lesson was read from its file, with the turns around the evidence
	similar []index.Hit
	against []stance.Contrary
	places  []string // where it is published
	err     error
	diff    bool // show the difference to the most similar one
	seq     int
	top     int    // first line in sight
	reject  string // the reason that x gives
}

func (c card) opened(m openedMsg) card {
	if m.err != nil {
		c.err = m.err
		return c
	}
	c.lesson, c.whole, c.similar, c.against, c.places, c.err = m.lesson, true, m.similar, m.against, m.places, nil
	return c
}

// clamp keeps the scroll position within the text.
func (c card) clamp(w, h int) card {
	c.top = max(0, min(c.top, len(c.lines(w, unseenStyle))-h))
	return c
}

// shown is the most of a text that a card shows; the file has the rest.
const shown = 8 << 10

// label is the width of the gutter of a card: words of seven letters at most, at its
// right, and two cells. Who spoke is such a word too.
const label = 9

// lines is the whole card at a width.
func (c card) lines(w int, st *look.Style) []string {
	if c.lesson.ID == "" {
		return nil
	}
	l := c.lesson
	unsaid := l.Origin.Unsaid
	lines := marked(paragraph(l.Content, w, st.Strong), append(dangerous(l), unsaid...), st.Strong, st.Warn.Underline())
	for _, text := range []string{l.Insight, l.Example} {
		if strings.TrimSpace(text) != "" {
			lines = append(append(lines, ""), marked(paragraph(text, w, st.Text), unsaid, st.Text, st.Warn)...)
		}
	}
	lines = append(append(lines, ""), better(l, w, "b takes it", st)...)
	if c.err != nil {
		lines = append(lines, field("problem", lessons.Line(c.err.Error()), w, st.Bad, st)...)
	}
	for _, f := range flags(l) {
		lines = append(lines, field("! flag", f, w, st.Warn, st)...)
	}
	if s := l.Returned(); s != "" {
		lines = append(lines, field("again", s, w, st.Warn, st)...)
	}
	if s := l.Origin.Standing(); s != "" {
		lines = append(lines, field("stands", lessons.Line(s), w, st.Warn, st)...)
	}
	if s := l.Elsewhere.String(); s != "" {
		lines = append(lines, field("other", s, w, st.Warn, st)...)
	}
	if s := l.Imported(); s != "" {
		lines = append(lines, field("from", lessons.Line(s), w, st.Text, st)...)
	}
	if s := reason(l); s != "" {
		lines = append(lines, field("why", lessons.Line(s), w, st.Text, st)...)
	}
	if len(c.places) > 0 {
		lines = append(lines, field("listed", lessons.Line(strings.Join(c.places, ", ")), w, st.Text, st)...)
	}
	if s := lessons.SaidAgain(l.Evidence); s != "" {
		lines = append(lines, field("again", strings.TrimPrefix(s, "said "), w, st.OK, st)...)
	}
	lines = append(lines, c.evidence(w, st)...)
	lines = append(lines, "")
	lines = append(lines, contraries(c.against, w, st)...)
	if c.whole && len(c.against) == 0 {
		lines = append(lines, field("against", "nothing", w, st.Dim, st)...) // its absence is what is trusted
	}
	lines = append(lines, c.like(w, st)...)
	lines = append(lines, marksOf(l, w, st)...)
	if t := terms(l); t != "" {
		lines = append(lines, field("terms", t, w, st.Dim, st)...)
	}
	lines = append(lines, "")
	return append(lines, c.next(w, st)...)
}

// better shows what the wording that a proposal is offered would change, and which key takes it.
func better(l lessons.Lesson, w int, takes string, st *look.Style) []string {
	changes := curate.Offered(l)
	if len(changes) == 0 {
		return nil
	}
	lines := field("offer", "worded by "+lessons.Line(l.Offer.Extractor)+" · "+takes, w, st.OK, st)
	for _, d := range changes {
		text := wordDiff(d.Before, d.After, st)
		switch {
		case d.Field == "content" && len(inBoth(d.After, d.Before))*2 < len(inBoth(d.After, d.After)):
			text = st.OK.Render(lessons.Line(d.After)) // nearly all words are others
		case d.Field != "content":
			text = d.Field + ": " + text
		}
		for _, s := range wrap(text, w-label) {
			lines = append(lines, fit("", label)+s)
		}
	}
	return append(lines, "")
}

// reason says who proposed a lesson and why; where it came from is said by itself.
func reason(l lessons.Lesson) string {
	switch o := l.Origin; {
	case l.Imported() != "":
		return o.Rule
	case o.Rule == "" && o.Extractor == "":
		return ""
	case o.Rule == "":
		return "proposed by " + o.Extractor
	case o.Extractor == "":
		return o.Rule
	default:
		return o.Rule + " (" + o.Extractor + ")"
	}
}

// paragraph is text made safe, wrapped and cut to what is shown.
func paragraph(text string, w int, ink look.Ink) []string {
	text = strings.TrimRight(text, "\n ")
	cut := len(text) > shown
	if cut {
		text = strings.ToValidUTF8(text[:shown], "")
	}
	lines := wrap(lessons.Block(text), w)
	for i, l := range lines {
		lines[i] = ink.Render(l)
	}
	if cut {
		lines = append(lines, "…")
	}
	return lines
}

// marked returns lines of one look with words in another.
func marked(lines, words []string, ink, mark look.Ink) []string {
	for i, line := range lines {
		text := ansi.Strip(line)
		if !slices.ContainsFunc(words, func(w string) bool { return strings.Contains(text, w) }) {
			continue
		}
		var b strings.Builder
		for text != "" {
			at, end := len(text), len(text)
			for _, w := range words {
				if k := strings.Index(text, w); k >= 0 && k < at && w != "" {
					at, end = k, k+len(w)
				}
			}
			b.WriteString(ink.Render(text[:at]) + mark.Render(text[at:end]))
			text = text[end:]
		}
		lines[i] = b.String()
	}
	return lines
}

// field is a word at the left with text beside it. The caller must have made the
// text safe.
func field(name, text string, w int, ink look.Ink, st *look.Style) []string {
	return labelled(name, label, text, w, ink, st)
}

// labelled is a field whose word has a column of another width.
func labelled(name string, label int, text string, w int, ink look.Ink, st *look.Style) []string {
	lines := wrap(text, max(w-label, 1))
	for i, l := range lines {
		if i > 0 {
			name = ""
		}
		lines[i] = gutter(name, label, st.Dim) + ink.Render(l)
	}
	return lines
}

// gutter is a word at the right of a gutter, with two cells behind it.
func gutter(name string, label int, ink look.Ink) string {
	name = ansi.Truncate(name, label-2, "")
	return strings.Repeat(" ", max(label-2-cellsOf(name), 0)) + ink.Render(name) + "  "
}

// evidence shows who said what, with the turns around it.
func (c card) evidence(w int, st *look.Style) []string {
	var lines []string
	for i, e := range c.lesson.Evidence {
		if i == 3 {
			lines = append(lines, field("", fmt.Sprintf("and %d more", len(c.lesson.Evidence)-i), w, st.Dim, st)...)
			break
		}
		lines = append(lines, field("said", said(e), w, st.Text, st)...)
		for _, t := range e.Before {
			lines = append(lines, around(t, w, st)...)
		}
		lines = append(lines, c.quoted(e, w, st)...)
		for _, t := range e.After {
			lines = append(lines, around(t, w, st)...)
		}
	}
	return lines
}

// around is a turn before or after what is quoted, which names who spoke.
func around(turn string, w int, st *look.Style) []string {
	who, text, ok := strings.Cut(turn, ": ")
	if tool, called := strings.CutPrefix(who, "agent, "); ok && called {
		who, text = "tool", tool+" "+text
	}
	if !ok || cellsOf(who) > label-2 {
		who, text = "", turn
	}
	return spoke(lessons.Line(who), text, 2, w, st)
}

// spoke is what somebody said, beside who it was.
func spoke(who, text string, most, w int, st *look.Style) []string {
	name, ink, side := st.Dim, st.Dim, "  "
	switch who {
	case "person", "human", "user":
		who, name, ink, side = "person", st.Person, st.Text, " "+st.Person.Render(look.Said)
	case "agent", "assistant":
		who, name = "agent", st.Agent
	case "tool":
		name = st.Tool
	}
	all := look.Lines(lessons.Line(cutTo(text, shown)), max(w-label, 1), most)
	for i, l := range all {
		if i > 0 {
			who = ""
		}
		all[i] = strings.TrimSuffix(gutter(who, label, name), "  ") + side + ink.Render(l)
	}
	return all
}

// said tells who said a piece of evidence, and where.
func said(e lessons.Evidence) string {
	who := map[lessons.Speaker]string{lessons.ByPerson: "the person", lessons.ByAgent: "the agent", lessons.ByTool: "a tool"}[e.By]
	who = cmp.Or(e.Author, who, "somebody")
	if e.From != "" && e.From != "human" {
		who += " (" + e.From + ")"
	}
	where := e.Agent
	if e.Session != "" {
		where += " " + lessons.Line(e.Session)[:min(8, len(lessons.Line(e.Session)))]
	}
	s := who
	if where = strings.TrimSpace(where); where != "" {
		s += ", " + where
	}
	if e.Line > 0 {
		s += fmt.Sprintf(" line %d", e.Line)
	}
	if !e.At.IsZero() {
		s += " · " + e.At.Format("2006-01-02")
	}
	if e.Link != "" {
		s += " · " + e.Link
	}
	return lessons.Line(s)
}

// quote draws somebody's words behind a bar.
func quote(text string, most, w int, bar, ink look.Ink) []string {
	all := wrap(lessons.Block(strings.TrimSpace(text)), w-4)
	if len(all) > most {
		all = all[:most:most]
		all[most-1] = ansi.Truncate(all[most-1], w-5, "") + "…"
	}
	for i, l := range all {
		all[i] = "  " + bar.Render("▏") + " " + ink.Render(l)
	}
	return all
}

// contraries shows the lessons that contradict one.
func contraries(all []stance.Contrary, w int, st *look.Style) []string {
	var lines []string
	for _, o := range all[:min(len(all), mostAgainst)] {
		text := fmt.Sprintf("%s (%s): %s · c settles it", lessons.Line(o.Lesson.Content), o.Lesson.Status, lessons.Line(o.Contradiction.Why))
		lines = append(lines, field("against", text, w, st.Bad, st)...)
	}
	return lines
}

// marksOf shows what would make a lesson better. It forbids nothing.
func marksOf(l lessons.Lesson, w int, st *look.Style) []string {
	var lines []string
	for i, f := range lessons.Lint(l) {
		name, text := "", f.Says
		if i == 0 {
			name = "wording"
		}
		if f.Found != "" {
			text += ": " + f.Found
		}
		lines = append(lines, field(name, lessons.Line(text), w, st.Dim, st)...)
	}
	return lines
}

// mostShared is how many words are named that two lessons share.
const mostShared = 8

// like shows the lessons that say nearly the same.
func (c card) like(w int, st *look.Style) []string {
	var lines []string
	for i, h := range c.similar {
		name := ""
		if i == 0 {
			name = "alike"
		}
		text := fmt.Sprintf("%s (%s)", lessons.Line(h.Lesson.Content), h.Lesson.Status)
		both := inBoth(c.lesson.Content, h.Lesson.Content)
		near := len(both)*2 >= len(inBoth(c.lesson.Content, c.lesson.Content))
		if len(both) > 0 && !near {
			text += " · both say " + strings.Join(both[:min(len(both), mostShared)], ", ")
		}
		if h.ByMeaning {
			text += " · near in what it means"
		}
		if i == 0 && c.lesson.Status == lessons.Pending {
			text += " · m merges"
		}
		lines = append(lines, field(name, look.Alike+" "+text, w, st.Text, st)...)
		if i == 0 && near != c.diff { // a difference of nearly all words says nothing, unless one asks
			for _, l := range wrap(wordDiff(h.Lesson.Content, c.lesson.Content, st), w-label) {
				lines = append(lines, fit("", label)+l)
			}
		}
	}
	return lines
}

// terms are the words by which a lesson is found.
func terms(l lessons.Lesson) string {
	parts := append([]string{}, l.Tags...)
	if len(l.Triggers) > 0 {
		parts = append(parts, "when: "+strings.Join(l.Triggers, ", "))
	}
	if l.Limit.Any() {
		parts = append(parts, "holds "+l.Limit.String())
	}
	return lessons.Line(strings.Join(parts, " · "))
}

// next tells what the main keys will do.
func (c card) next(w int, st *look.Style) []string {
	l := c.lesson
	if l.Status != lessons.Pending {
		return field("now", string(l.Status), w, st.Text, st)
	}
	where := "in " + lessons.Line(l.Scope.Project)
	if l.Scope.Global || l.Scope.Project == "" {
		where = "in every project"
	}
	if l.Scope.Role == "" {
		where += ", every role"
	}
	text := fmt.Sprintf("%s, from the next session as %s · +%d tokens", where, l.ID.Handle(), tokens(l))
	if len(flags(l)) > 0 {
		text += " · asks first: type yes"
	}
	lines := field("approve", text, w, st.Text, st)
	if c.reject != "" {
		lines = append(lines, field("reject", "as “"+lessons.Line(reasonShown(c.reject))+"” · r for another reason", w, st.Dim, st)...)
	}
	return lines
}

// dangerous are the words of a lesson for which it must be looked at alone.
func dangerous(l lessons.Lesson) []string {
	var out []string
	for _, d := range lessons.Dangers(l) {
		if d.Found != "" {
			out = append(out, d.Found)
		}
	}
	return out
}

// quoted is what somebody said that is evidence, with the words bold that became the
// lesson.
func (c card) quoted(e lessons.Evidence, w int, st *look.Style) []string {
	if same := strings.TrimRight(lessons.Line(e.Quote), ". "); strings.EqualFold(same, strings.TrimRight(lessons.Line(c.lesson.Content), ". ")) {
		return spoke(string(e.By), "the sentence, word for word", 1, w, st)
	}
	lines := spoke(string(e.By), e.Quote, 12, w, st)
	if e.By != lessons.ByPerson {
		return lines
	}
	words := inBoth(e.Quote, c.lesson.Content)
	for i, l := range lines {
		lines[i] = bold(l, words, st)
	}
	return lines
}

// bold draws words of a line bold, behind the bar of who said it.
func bold(line string, words []string, st *look.Style) string {
	at := strings.LastIndex(line, look.Said)
	if at < 0 || len(words) == 0 {
		return line
	}
	at += len(look.Said)
	head, text := line[:at], line[at:]
	if i := strings.Index(text, "\x1b[m"); i >= 0 { // the bar's own look
		head, text = head+text[:i+3], text[i+3:]
	}
	var b strings.Builder
	b.WriteString(head)
	run := "" // neighbours become bold as one
	flush := func() {
		if run != "" {
			trimmed := strings.TrimRight(run, " ")
			b.WriteString(st.Strong.Render(trimmed) + run[len(trimmed):])
			run = ""
		}
	}
	for _, f := range strings.SplitAfter(text, " ") {
		if slices.Contains(words, strings.ToLower(strings.Trim(strings.TrimSpace(f), "\"'`()[]{}<>*.,;:?!"))) {
			run += f
			continue
		}
		flush()
		b.WriteString(f)
	}
	flush()
	return b.String()
}

// tokens is what a lesson costs an agent: the tokens of its own lines in the block
// that a session gets.
func tokens(l lessons.Lesson) int {
	var b strings.Builder
	if err := recall.Write(&b, []recall.Choice{{Lesson: l, In: true}}, recall.Style{}); err != nil {
		return 0 // a Builder does not fail
	}
	_, text, _ := strings.Cut(b.String(), "\n- ")
	text, _, _ = strings.Cut(text, "</learnings-context>")
	return recall.Tokens("- " + text)
}
