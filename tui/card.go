package tui

import (
	"cmp"
	"fmt"
	"regexp"
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
	places  []string        // where it is published
	gone    []lessons.Doubt // it names what its project no longer has
	err     error
	diff    bool // show the difference to the most similar one
	seq     int
	top     int    // lines that were scrolled
	reject  string // the reason that x gives
	near    nearby // the turns around the evidence
	ahead   outlook
}

func (c card) opened(m openedMsg) card {
	if m.err != nil {
		c.err = m.err
		return c
	}
	c.lesson, c.whole, c.similar, c.against, c.places, c.err = m.lesson, true, alike(m.lesson, m.similar), m.against, m.places, nil
	c.gone = m.gone
	return c
}

// shown is the most of a text that a card shows; the file has the rest.
const shown = 8 << 10

// label is the width of the gutter of a card: words of seven letters at most, at its
// right, and two cells. Who spoke is such a word too.
const label = 9

// A card that has too little room shows less of itself. What is cut comes below what
// approving does, in the order of these steps; the turns around the evidence lose lines.
const (
	cutNothing = iota
	cutContext // the turns around the evidence have a line each
	cutBlanks  // between groups of facts
	cutPrompt
	cutWording
	cutTools // those of tools go
	cutWhy
	cutSession // where it was said
	cutBody    // what explains the sentence
	cutAlike
	cutTurns // all but the words that are evidence
)

// fitted is the card with what approving does in sight, if h lines have room for it.
func (c card) fitted(w, h int, st *look.Style) []string {
	var lines []string
	for cut := cutNothing; cut <= cutTurns; cut++ {
		var until int
		if lines, until = c.draw(w, cut, st); until <= h {
			break
		}
	}
	return lines
}

// draw draws the card, with less than all of it in the first lines: until is how many
// there are to what approving does.
func (c card) draw(w, cut int, st *look.Style) (lines []string, until int) {
	if c.lesson.ID == "" {
		return nil, 0
	}
	l := c.lesson
	var below []string
	put := func(step int, some []string) {
		if step > 0 && cut >= step {
			below = append(below, some...)
			return
		}
		lines = append(lines, some...)
	}
	gap := func() {
		if cut < cutBlanks && len(lines) > 0 && lines[len(lines)-1] != "" {
			lines = append(lines, "")
		}
	}
	lines = marked(paragraph(l.Content, w, st.Strong), append(dangerous(l), l.Origin.Unsaid...), st.Strong, st.Warn.Underline())
	if more := c.explained(w, st); cut >= cutBody {
		below = append(below, more...)
	} else if len(more) > 0 {
		lines = append(append(lines, ""), more...)
	}
	if cut < cutTurns {
		lines = append(lines, "")
	}
	lines = append(lines, better(l, w, "‹take-wording b› takes it", st)...)
	if c.err != nil {
		lines = append(lines, field("problem", lessons.Line(c.err.Error()), w, st.Bad, st)...)
	}
	lines = append(lines, c.warnings(w, st)...)
	gap()
	lines = append(lines, c.evidence(w, cut, st)...)
	gap()
	put(cutWhy, c.reasons(w, st))
	gap()
	put(cutAlike, c.like(w, cut, st))
	lines = append(lines, contraries(c.against, w, st)...)
	if c.whole && len(c.against) == 0 {
		lines = append(lines, field("against", "nothing", w, st.Dim, st)...) // its absence is what is trusted
	}
	put(cutWording, marksOf(l, w, st))
	gap()
	lines = append(lines, c.next(w, cut, st)...)
	until = len(lines)
	put(cutPrompt, c.brought(w, cut, st))
	if l.Status == lessons.Pending && c.reject != "" {
		says := "as “" + lessons.Line(reasonShown(c.reject)) + "”"
		if more := spelt(" · ‹reject-why r› another reason", st); cellsOf(says+more) <= w-label {
			says += st.Dim.Render(more)
		} else {
			says += st.Dim.Render(spelt(" · ‹reject-why r› another", st))
		}
		lines = append(lines, inked("reject", says, w, st.Bad, st.Text)...)
	}
	if len(below) > 0 {
		lines = append(append(lines, ""), below...)
	}
	if t := terms(l); t != "" {
		lines = append(lines, field("terms", t, w, st.Dim, st)...)
	}
	return lines, until
}

// explained is what a lesson says beside its sentence, and an agent is given with it.
func (c card) explained(w int, st *look.Style) []string {
	l := c.lesson
	var lines []string
	if strings.TrimSpace(l.Insight) != "" {
		lines = append(lines, prose(l.Insight, w, st)...)
	}
	if strings.TrimSpace(l.Example) != "" {
		if len(lines) > 0 {
			lines = append(lines, "")
		}
		lines = append(lines, example(l.Example, w, st)...)
	}
	return marked(lines, l.Origin.Unsaid, st.Text, st.Warn)
}

// fenced is code that is marked as such.
var fenced = regexp.MustCompile("(?m)^\\s*(?:```|~~~)")

// example is code, unless code is marked in it: a comment of a script is no heading, and its
// lines are not run together.
func example(text string, w int, st *look.Style) []string {
	if fenced.MatchString(text) {
		return prose(text, w, st)
	}
	return paragraph(text, w, st.Tool)
}

// warnings are the reasons to look twice, in words.
func (c card) warnings(w int, st *look.Style) []string {
	l := c.lesson
	var lines []string
	add := func(name, text string, ink look.Ink) {
		if text != "" {
			lines = append(lines, inked(name, lessons.Line(text), w, ink, ink)...)
		}
	}
	for i, f := range flags(l) {
		name := ""
		if i == 0 {
			name = look.Flagged + " flag"
		}
		add(name, f, st.Warn)
	}
	for _, d := range c.gone {
		add(look.Again, d.Says, st.Warn)
	}
	add("again", l.Returned(), st.Warn)
	add("stands", l.Origin.Standing(), st.Warn)
	add("other", l.Elsewhere.String(), st.Warn)
	return lines
}

// reasons say why it was proposed, and where it is already.
func (c card) reasons(w int, st *look.Style) []string {
	l := c.lesson
	var lines []string
	add := func(name, text string, ink look.Ink) {
		if text != "" {
			lines = append(lines, field(name, lessons.Line(text), w, ink, st)...)
		}
	}
	add("why", reason(l), st.Text)
	add("from", broughtBy(l), st.Text)
	add("listed", strings.Join(c.places, ", "), st.Text)
	if s := lessons.SaidAgain(l.Evidence); s != "" {
		add("again", strings.TrimPrefix(s, "said "), st.OK)
	}
	return lines
}

// broughtBy says which programs' stores a lesson is from, and what lists all from there; ""
// for one that no store has brought.
func broughtBy(l lessons.Lesson) string {
	says := l.Imported()
	if says == "" {
		return ""
	}
	by := lessons.Line(l.Origin.Extractor)
	var also []string
	for _, e := range l.Evidence {
		if e.From == "import" && e.Agent != "" && "import:"+e.Agent != l.Origin.Extractor && !slices.Contains(also, e.Agent) {
			also = append(also, e.Agent)
		}
	}
	if len(also) > 0 {
		says += ", also in " + strings.Join(also, ", ")
	}
	return says + " · ‹filter /› by:" + by + " lists all"
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
			text = fieldWord(d.Field) + ": " + text
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
	lines := wrap(spelt(text, st), max(w-label, 1))
	for i, l := range lines {
		if i > 0 {
			name = ""
		}
		lines[i] = gutter(name, label, st.Dim) + ink.Render(l)
	}
	return lines
}

// inked is a field whose word has a look of its own, too. The text may have looks.
func inked(name, text string, w int, word, ink look.Ink) []string {
	lines := wrap(text, max(w-label, 1))
	for i, l := range lines {
		if i > 0 {
			name = ""
		}
		lines[i] = gutter(name, label, word) + ink.Render(l)
	}
	return lines
}

// gutter is a word at the right of a gutter, with two cells behind it.
func gutter(name string, label int, ink look.Ink) string {
	name = ansi.Truncate(name, label-2, "")
	return strings.Repeat(" ", max(label-2-cellsOf(name), 0)) + ink.Render(name) + "  "
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
		text := fmt.Sprintf("%s (%s): %s · ‹settle c› settles it", lessons.Line(o.Lesson.Content), o.Lesson.Status, lessons.Line(o.Contradiction.Why))
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

// terms are the words by which a lesson is found.
func terms(l lessons.Lesson) string {
	parts := append([]string{}, l.Tags...)
	if len(l.Triggers) > 0 {
		parts = append(parts, "shows when: "+strings.Join(l.Triggers, ", "))
	}
	if l.Limit.Any() {
		parts = append(parts, "holds "+l.Limit.String())
	}
	return lessons.Line(strings.Join(parts, " · "))
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

// tokens is what a lesson costs an agent: the tokens of its own lines in the block
// that a session gets.
func tokens(l lessons.Lesson) int { return recall.Choice{Lesson: l}.Tokens() }
