package card

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"learnings/index"
	"learnings/index/curate"
	"learnings/index/recall"
	"learnings/lessons"
	"learnings/lessons/pairs"
	"learnings/tui/kit"
	"learnings/tui/look"
)

// A Session is the one a lesson was learned in.
type Session interface {
	// First returns the person's first request; "" if it is unknown.
	First() string
	// Here returns the turn that contains a piece of evidence; "" if it is unknown.
	Here(of lessons.ID, e lessons.Evidence) string
}

// A Card is one lesson with everything needed to judge it.
type Card struct {
	Lesson  lessons.Lesson
	Whole   bool // Lesson was read from its file, with the turns around the evidence
	Similar []index.Hit
	Against []pairs.Contrary
	Places  []string        // where it is published
	Gone    []lessons.Doubt // what it names that its project no longer has
	Err     error
	Diff    bool    // show the difference to the most similar lesson
	Top     int     // lines scrolled
	Reject  string  // the reason that the key x gives
	All     bool    // show all evidence
	Around  Session // the turns around the evidence; nil while unknown
	Ahead   Outlook
}

// mostAgainst is how many contradicting lessons a card names.
const mostAgainst = 3

// A card without enough room cuts in the order of these steps. Most cut facts move below
// the effect of approving; the turns around the evidence lose lines.
const (
	CutNothing = iota
	cutContext // one line for each turn around the evidence
	cutBlanks  // between groups of facts
	cutPrompt
	cutTools   // turns of tools, and all but the nearest turn on each side
	cutSession // where it was said
	cutBody    // the explanation of the sentence
	cutAlike
	cutWhy
	cutTurns // all but the quoted words
)

// Fitted draws the card and cuts until the effect of approving is visible in h lines, if
// that is possible.
func (c Card) Fitted(w, h int, st *look.Style) []string {
	var lines []string
	for cut := CutNothing; cut <= cutTurns; cut++ {
		var until int
		if lines, until = c.draw(w, cut, st); until <= h {
			break
		}
	}
	return lines
}

// draw draws the card with the steps up to cut applied. until is the number of lines up
// to the effect of approving.
func (c Card) draw(w, cut int, st *look.Style) (lines []string, until int) {
	if c.Lesson.ID == "" {
		return nil, 0
	}
	l := c.Lesson
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
	lines = Sentence(l, w, st)
	if more := Explained(l, w, st); cut >= cutBody {
		below = append(below, more...)
	} else if len(more) > 0 {
		lines = append(append(lines, ""), more...)
	}
	if cut < cutTurns {
		lines = append(lines, "")
	}
	lines = append(lines, Better(l, w, "b takes it", st)...)
	if c.Err != nil {
		lines = append(lines, kit.Fact("problem", lessons.Line(c.Err.Error()), w, st.Bad, st)...)
	}
	lines = append(lines, c.warnings(w, st)...)
	gap()
	lines = append(lines, c.Evidence(w, cut, st)...)
	gap()
	put(cutWhy, c.reasons(w, st))
	gap()
	put(cutAlike, c.Like(w, cut, st))
	lines = append(lines, Contraries(l, c.Against, w, st)...)
	gap()
	lines = append(lines, c.next(w, cut, st)...)
	until = len(lines)
	put(cutPrompt, c.brought(w, cut, st))
	if l.Status == lessons.Pending && c.Reject != "" {
		says := "as “" + lessons.Line(c.Reject) + "”"
		if more := " · r another reason"; kit.CellsOf(says+more) <= w-kit.GutterW {
			says += st.Dim.Render(more)
		} else {
			says += st.Dim.Render(" · r another")
		}
		lines = append(lines, kit.InkedFact("reject", says, w, st.Bad, st.Text)...)
	}
	if len(below) > 0 {
		lines = append(append(lines, ""), below...)
	}
	return lines, until
}

// Sentence draws the sentence of a lesson: its code in colour, and what is dangerous in it or
// what no person said.
func Sentence(l lessons.Lesson, w int, st *look.Style) []string {
	lines := kit.Coded(kit.Paragraph(l.Content, w, look.Ink{}), st.Strong, st.Code.Bold())
	return kit.Highlight(lines, append(dangerous(l), l.Origin.Unsaid...), st.Strong, st.Warn.Underline())
}

// Explained draws what else an agent is given with the sentence.
func Explained(l lessons.Lesson, w int, st *look.Style) []string {
	var lines []string
	if strings.TrimSpace(l.Insight) != "" {
		lines = append(lines, kit.Prose(l.Insight, w, st)...)
	}
	if strings.TrimSpace(l.Example) != "" {
		if len(lines) > 0 {
			lines = append(lines, "")
		}
		lines = append(lines, Example(l.Example, w, st)...)
	}
	return kit.Highlight(lines, l.Origin.Unsaid, st.Text, st.Warn)
}

// fenced matches a code fence.
var fenced = regexp.MustCompile("(?m)^\\s*(?:```|~~~)")

// Example draws an example as code unless it has code fences, since Markdown would take
// comments of a script for headings and join its lines.
func Example(text string, w int, st *look.Style) []string {
	if fenced.MatchString(text) {
		return kit.Prose(text, w, st)
	}
	return kit.Paragraph(text, w, st.Tool)
}

// warnings draws the reasons to look twice.
func (c Card) warnings(w int, st *look.Style) []string {
	l := c.Lesson
	var lines []string
	add := func(name, text string, ink look.Ink) {
		if text != "" {
			lines = append(lines, kit.InkedFact(name, lessons.Line(text), w, ink, ink)...)
		}
	}
	for i, f := range Flags(l) {
		name := ""
		if i == 0 {
			name = look.Flagged + " flag"
		}
		add(name, f, st.Warn)
	}
	for _, d := range c.Gone {
		add(look.Again, d.Says, st.Warn)
	}
	add("again", l.Returned(), st.Warn)
	add("stands", l.Origin.Standing(), st.Warn)
	add("advice", l.Origin.Advice, st.Warn)
	add("other", l.Elsewhere.String(), st.Warn)
	return lines
}

// reasons draws why the lesson was proposed and where it is published.
func (c Card) reasons(w int, st *look.Style) []string {
	l := c.Lesson
	var lines []string
	add := func(name, text string, ink look.Ink) {
		if text != "" {
			lines = append(lines, kit.Fact(name, lessons.Line(text), w, ink, st)...)
		}
	}
	add("why", l.Why(), st.Text)
	add("from", broughtBy(l), st.Text)
	add("listed", strings.Join(c.Places, ", "), st.Text)
	return lines
}

// broughtBy names the programs whose stores a lesson came from, and the query that lists
// all from there; "" if none.
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
	return says + " · / by:" + by + " lists all"
}

// Better shows the changes of the offered wording, and the key that takes it.
func Better(l lessons.Lesson, w int, takes string, st *look.Style) []string {
	changes := curate.Offered(l)
	if len(changes) == 0 {
		return nil
	}
	lines := kit.Fact("offer", "worded by "+lessons.Line(l.Offer.Extractor)+" · "+takes, w, st.OK, st)
	for _, d := range changes {
		text := WordDiff(d.Before, d.After, st)
		switch {
		case d.Field == "content" && len(InBoth(d.After, d.Before))*2 < len(InBoth(d.After, d.After)):
			text = st.OK.Render(lessons.Line(d.After)) // nearly all words differ
		case d.Field != "content":
			text = FieldWord(d.Field) + ": " + text
		}
		for _, s := range kit.Wrap(text, w-kit.GutterW) {
			lines = append(lines, kit.Fit("", kit.GutterW)+s)
		}
	}
	return append(lines, "")
}

// Contraries lists lessons that contradict the card's, or that it changes.
func Contraries(l lessons.Lesson, all []pairs.Contrary, w int, st *look.Style) []string {
	var lines []string
	for i, o := range all[:min(len(all), mostAgainst)] {
		name, key, ink := "against", st.Accent.Render("c")+st.Dim.Render(" settles it"), st.Bad
		says := ink.Render(lessons.Line(o.Lesson.Content))
		if curate.Replaces(l, o) {
			name, key, ink = "changes", st.Accent.Render("c")+st.Dim.Render(" puts this in its place"), st.Warn
			if DiffReads(o.Lesson.Content, l.Content) {
				says = WordDiff(o.Lesson.Content, l.Content, st)
			}
		}
		text := says + st.Dim.Render(fmt.Sprintf(" (%s): %s", o.Lesson.Status, lessons.Line(o.Judgement.Why)))
		if i == 0 {
			text += st.Dim.Render(" · ") + key
		}
		lines = append(lines, kit.InkedFact(name, text, w, ink, look.Ink{})...)
	}
	return lines
}

// Wording shows what would improve a lesson. It forbids nothing.
func Wording(l lessons.Lesson, w int, st *look.Style) []string {
	var lines []string
	for i, f := range lessons.Lint(l) {
		name, text := "", f.Says
		if i == 0 {
			name = "wording"
		}
		if f.Found != "" {
			text += ": " + f.Found
		}
		lines = append(lines, kit.Fact(name, lessons.Line(text), w, st.Dim, st)...)
	}
	return lines
}

// Terms returns the words that find a lesson.
func Terms(l lessons.Lesson) string {
	parts := append([]string{}, l.Tags...)
	if len(l.Triggers) > 0 {
		parts = append(parts, "shows when: "+strings.Join(l.Triggers, ", "))
	}
	if l.Limit.Any() {
		parts = append(parts, "holds "+l.Limit.String())
	}
	return lessons.Line(strings.Join(parts, " · "))
}

// dangerous returns the words of a lesson that require looking at it by itself.
func dangerous(l lessons.Lesson) []string {
	var out []string
	for _, d := range lessons.Dangers(l) {
		if d.Found != "" {
			out = append(out, d.Found)
		}
	}
	return out
}

// Tokens returns the cost of a lesson: the tokens of its lines in the block of a session.
func Tokens(l lessons.Lesson) int { return recall.Choice{Lesson: l}.Tokens() }

// Proof says how a lesson has done, and who set its confidence.
func Proof(l lessons.Lesson) string {
	var parts []string
	if l.Pinned {
		parts = append(parts, "pinned")
	}
	if l.Use.Helped > 0 {
		parts = append(parts, "helped "+kit.Counted(l.Use.Helped, "time"))
	}
	if l.Use.Harmed > 0 {
		parts = append(parts, "harmed "+kit.Counted(l.Use.Harmed, "time"))
	}
	if l.Proof.Own {
		parts = append(parts, "the confidence is yours")
	}
	if n := l.Proof.Confirmations; n > 0 {
		parts = append(parts, "confirmed "+kit.Counted(n, "time"))
	}
	return kit.Dotted(parts...)
}

// Title names the kind and scope of a lesson.
func Title(l lessons.Lesson, st *look.Style) string {
	where, role := l.Scope.Project, cmp.Or(l.Scope.Role, "any role")
	if l.Scope.Global || where == "" {
		where = "every project"
	}
	return st.Strong.Render(lessons.Line(string(l.Category))) + st.Dim.Render(" · ") + st.Place.Render(lessons.Line(where)) + st.Dim.Render(" · "+lessons.Line(role))
}

// Confidence draws the confidence of a lesson as a bar and a word.
func Confidence(l lessons.Lesson, st *look.Style) string {
	_, ink := trust(l, st)
	return TrustBar(l, 6, st) + " " + ink.Render(l.Trust())
}

// TrustBar draws the confidence of a lesson as a bar of w cells: a third for each word.
func TrustBar(l lessons.Lesson, w int, st *look.Style) string {
	share, ink := trust(l, st)
	return st.Bar(share, w, ink)
}

// trust returns the share of a bar and the ink for a lesson's confidence.
func trust(l lessons.Lesson, st *look.Style) (share float64, ink look.Ink) {
	words := lessons.Trusts()
	at := slices.Index(words, l.Trust())
	return float64(at+1) / float64(len(words)), []look.Ink{st.Dim, st.Text, st.OK}[at]
}

// Leaf draws the card in h lines with the effect of approving visible. The block follows
// it if there is room, or comes below a wide card.
func (c Card) Leaf(w, h int, wide bool, st *look.Style) []string {
	lines := c.Fitted(w, h, st)
	if block := c.block(w, st); len(block) > 0 && (wide || len(lines)+1+len(block) <= h) {
		lines = append(append(lines, ""), block...)
	}
	return lines
}
