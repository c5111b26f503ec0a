package card

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"learnings/index"
	"learnings/lessons"
	"learnings/tui/kit"
	"learnings/tui/look"
)

// This file draws who said a lesson, and which lessons say the same.

// Evidence shows who said what, with the turns around it. It shows a turn shared by two
// quotes once.
func (c Card) Evidence(w, cut int, st *look.Style) []string {
	var lines []string
	all, most := thatSpeak(c.Lesson.Evidence), 3
	if cut >= cutContext {
		most = 1
	}
	if c.All {
		most = len(all)
	}
	some := all[:min(len(all), most)]
	told := map[string]bool{}
	for _, e := range some {
		told[toldOf(e, e.Quote)] = true
	}
	for i, e := range some {
		goesOn := i > 0 && oneTurn(some[i-1], e)
		first := ""
		if i == 0 {
			first = c.first()
		}
		if i > 0 && e.From == "import" && verbatimIn(e, c.Lesson) && oneTurn(some[i-1], e) {
			continue // the same entry, imported again
		}
		if cut < cutSession && !goesOn {
			lines = append(lines, kit.InkedFact("said", st.Dim.Render(SaidIn(e, first, w-kit.GutterW)), w, st.Dim, st.Text)...)
		}
		quoted, verbatim := c.Quoted(e, cut >= cutContext || goesOn || i+1 < len(some) && oneTurn(e, some[i+1]), w, st)
		each := 2
		switch {
		case cut >= cutContext:
			each = 1
		case verbatim:
			each = 4 // the sentence needs none of it
		}
		around := func(turns []string, from, to int) {
			if cut < cutTools {
				from, to = 0, len(turns)
			}
			for _, t := range turns[max(from, 0):min(to, len(turns))] {
				who, text := SpeakerOf(t)
				if cut >= cutTurns || who == "tool" && cut >= cutTools || told[toldOf(e, text)] {
					continue
				}
				told[toldOf(e, text)] = true
				lines = append(lines, Spoke(who, text, each, w, st)...)
			}
		}
		if !goesOn {
			around(e.Before, len(e.Before)-1, len(e.Before))
		} else if e.By == some[i-1].By && len(quoted) > 0 {
			quoted[0] = ansi.TruncateLeft(quoted[0], kit.GutterW-2, strings.Repeat(" ", kit.GutterW-2)) // the speaker is named above
		}
		lines = append(lines, quoted...)
		if i+1 == len(some) || !oneTurn(e, some[i+1]) {
			around(e.After, 0, 1)
		}
	}
	if n := len(all) - most; n > 0 {
		lines = append(lines, kit.Fact("", fmt.Sprintf("and %d more · o, then tab", n), w, st.Dim, st)...)
	}
	said := func(e lessons.Evidence) bool { return e.By == lessons.ByPerson }
	switch {
	case len(all) == 0 || slices.ContainsFunc(all, said):
	case !slices.ContainsFunc(all, func(e lessons.Evidence) bool { return e.From != lessons.FromFile }): // the author of a file is unknown
		lines = append(lines, kit.InkedFact("person", "said in no session: agents read it in that file", w, st.Person, st.Text)...)
	default:
		lines = append(lines, kit.InkedFact("person", "nobody said it", w, st.Person, st.Warn)...)
	}
	return lines
}

// first returns the person's first request in the session.
func (c Card) first() string {
	if c.Around == nil {
		return ""
	}
	return c.Around.First()
}

// here returns the turn that contains a piece of evidence.
func (c Card) here(e lessons.Evidence) string {
	if c.Around == nil {
		return ""
	}
	return c.Around.Here(c.Lesson.ID, e)
}

// verbatimIn reports whether a quote equals the sentence of the lesson.
func verbatimIn(e lessons.Evidence, l lessons.Lesson) bool {
	return lessons.Line(e.Quote) == lessons.Line(l.Content)
}

// thatSpeak returns the evidence with words. Other programs name places without any, and
// a card has nothing to show for them. If none has words it returns all, so that the card
// says where the lesson is from.
func thatSpeak(all []lessons.Evidence) []lessons.Evidence {
	some := slices.DeleteFunc(slices.Clone(all), func(e lessons.Evidence) bool {
		return e.Quote == "" && len(e.Before)+len(e.After) == 0
	})
	if len(some) == 0 {
		return all
	}
	return some
}

// toldOf returns the key by which a text of a session is shown only once.
func toldOf(e lessons.Evidence, text string) string {
	return e.Session + "\x00" + lessons.Line(kit.CutTo(text, kit.MostShown))
}

// oneTurn reports whether two quotes are from one turn.
func oneTurn(a, b lessons.Evidence) bool {
	return a.Line > 0 && a.Line == b.Line && a.Session == b.Session && a.Path == b.Path
}

// SaidIn describes the session of a piece of evidence, which begins with first, in about
// w cells.
func SaidIn(e lessons.Evidence, first string, w int) string {
	day := ""
	if !e.At.IsZero() {
		day = e.At.Format(kit.Day)
	}
	how := ""
	if e.From == lessons.Against || e.From == "import" || e.Stands() {
		how = lessons.Line(e.From)
	}
	by := ""
	if e.Author != "" {
		by = "by " + lessons.Line(e.Author)
	}
	head := kit.Dotted(lessons.Line(e.Agent), day, by, how, lessons.Line(e.Link))
	if room := w - kit.CellsOf(head) - 5; first != "" && room >= 12 {
		return kit.Dotted(head, "“"+look.Sentence(first, room)+"”")
	}
	session := []rune(lessons.Line(e.Session))
	where := string(session[:min(8, len(session))])
	if e.Line > 0 {
		where = strings.TrimSpace(fmt.Sprintf("%s line %d", where, e.Line))
	}
	return kit.Dotted(head, where)
}

// SpeakerOf splits a turn as lessons keep it into speaker and text.
func SpeakerOf(turn string) (who, text string) {
	who, text, ok := strings.Cut(turn, ": ")
	if tool, called := strings.CutPrefix(who, "agent, "); ok && called {
		who, text = "tool", tool+" "+text
	}
	if !ok || kit.CellsOf(who) > kit.GutterW-2 {
		who, text = "", turn
	}
	return lessons.Line(who), text
}

// Unmarked returns an agent's text without the signs of Markdown that are noise where it is
// not drawn as such: fences, rules of tables, signs of headings and of bold words.
func Unmarked(text string) string {
	if strings.Contains(text, "```") || strings.Contains(text, "--") {
		text = noise.ReplaceAllString(text, "")
	}
	return unmarked.Replace(text)
}

// noise matches a line that is a fence, and the rule below the head of a table.
var noise = regexp.MustCompile("(?m)^[ \t]*```[\\w+-]*[ \t]*(?:\n|$)|(?:\\| *:?-{2,}:? *)+\\|[ \t]*\n?")

var unmarked = strings.NewReplacer("**", "", "```", "", "### ", "", "## ", "")

// Spoke draws a text beside its speaker.
func Spoke(who, text string, most, w int, st *look.Style) []string {
	name, ink, side := st.Dim, st.Dim, "  "
	switch who {
	case "person", "human", "user":
		who, name, ink, side = "person", st.Person, st.Text, " "+st.Person.Render(look.Said)
	case "agent", "assistant":
		who, name = "agent", st.Agent
	case "tool":
		name = st.Tool
	}
	var all []string
	if text = kit.CutTo(text, kit.MostShown); who == "agent" {
		text = Unmarked(text)
	}
	switch text = lessons.Line(text); {
	case who == "tool" && most < 12:
		all = []string{look.Path(text, max(w-kit.GutterW, 1))}
	default:
		all = look.Lines(text, max(w-kit.GutterW, 1), most)
	}
	for i, l := range all {
		if i > 0 {
			who = ""
		}
		all[i] = strings.TrimSuffix(kit.Gutter(who, kit.GutterW, name), "  ") + side + ink.Render(l)
	}
	return all
}

// sameWords replaces a quote equal to the sentence. SameEntry replaces an entry of
// another program's store that says no more than the lesson. mostAround is how many lines
// show the rest of the turn.
const (
	sameWords  = "the sentence, word for word"
	SameEntry  = "its entry there, which says what the lesson says"
	mostAround = 3
)

// Quoted draws a piece of evidence with the words of the lesson in bold. verbatim reports
// that the quote is the sentence itself, which is not repeated: the rest of its turn is
// shown instead, if it is known and there is room.
func (c Card) Quoted(e lessons.Evidence, brief bool, w int, st *look.Style) (lines []string, verbatim bool) {
	same := func(s string) string { return strings.TrimRight(lessons.Line(s), ". ") }
	if strings.EqualFold(same(e.Quote), same(c.Lesson.Content)) {
		if more := kit.AroundQuote(c.here(e), e.Quote, "["+sameWords+"]", mostAround*(w-kit.GutterW)); more != "" && !brief {
			return Spoke(string(e.By), more, mostAround, w, st), true
		}
		if e.Stands() {
			return kit.InkedFact("file", "the sentence stands in it word for word", w, st.Dim, st.Dim), true
		}
		return Spoke(string(e.By), sameWords, 1, w, st), true
	}
	if e.From == "import" && c.saysAll(e.Quote) {
		return Spoke(string(e.By), SameEntry, 1, w, st), true
	}
	lines = Spoke(string(e.By), e.Quote, 12, w, st)
	if e.By != lessons.ByPerson {
		return lines, false
	}
	words := InBoth(e.Quote, c.Lesson.Content)
	for i, l := range lines {
		lines[i] = Bold(l, words, st)
	}
	return lines, false
}

// saysAll reports whether the lesson says nearly all that text does. An entry of a store
// also has keys and a date.
func (c Card) saysAll(text string) bool {
	l := c.Lesson
	has := map[string]bool{}
	for _, w := range index.Words(strings.Join(append([]string{l.Content, l.Insight, l.Example}, l.Tags...), "\n")) {
		has[w] = true
	}
	words, there := 0, 0
	for _, w := range index.Words(kit.CutTo(text, kit.MostShown)) {
		if strings.ContainsAny(w, "0123456789") { // an id, a date, a confidence
			continue
		}
		if words++; has[w] {
			there++
		}
	}
	return there > 0 && words-there <= max(words/5, mostKeys)
}

// mostKeys is how many words of an entry may be its keys.
const mostKeys = 12

// Bold draws words of a line in bold, after the bar of its speaker.
func Bold(line string, words []string, st *look.Style) string {
	at := strings.Index(line, look.Said)
	if at < 0 || len(words) == 0 {
		return line
	}
	at += len(look.Said)
	head, text := line[:at], line[at:]
	if i := strings.Index(text, "\x1b[m"); i >= 0 { // the bar's own style
		head, text = head+text[:i+3], text[i+3:]
	}
	return head + kit.Inked(text, look.Ink{}, st.Strong, func(f string) bool {
		return slices.Contains(words, strings.ToLower(strings.Trim(f, "\"'`()[]{}<>*.,;:?!")))
	})
}

// Like shows the lessons that say nearly the same: the first as a word diff if that is
// readable, the others as they are.
func (c Card) Like(w, cut int, st *look.Style) []string {
	var lines []string
	for i, h := range c.Similar {
		name, key := "", ""
		if i == 0 {
			name = "alike"
			if c.Lesson.Status == lessons.Pending {
				key = st.Accent.Render("  m") + st.Dim.Render(" merge")
			}
		}
		head := st.Tool.Render(look.Alike)
		text := lessons.Line(kit.CutTo(h.Lesson.Content, kit.MostShown))
		near := DiffReads(h.Lesson.Content, c.Lesson.Content)
		if cut >= cutBlanks && i > 0 {
			break
		}
		if i > 0 || near == c.Diff {
			head += " " + st.Dim.Render(forSessions(h.Lesson)) + " "
			room := max(w-kit.GutterW-kit.CellsOf(head)-kit.CellsOf(key), 8)
			says := look.Lines(text, room, 1)
			if i == 0 && cut < cutContext {
				says = look.Lines(text, room, 2)
			}
			if len(says) == 0 {
				says = []string{""}
			}
			lines = append(lines, kit.InkedFact(name, head+says[0]+key, w, st.Tool, st.Text)...)
			for _, s := range says[1:] {
				lines = append(lines, kit.Fit("", kit.GutterW+kit.CellsOf(head))+s)
			}
			if s := strings.Join(c.Shares(h, near), ", "); s != "" && i == 0 && cut < cutContext {
				lines = append(lines, kit.InkedFact("", s, w, st.Dim, st.Dim)...)
			}
			continue
		}
		head += " " + st.Dim.Render(strings.Join(append([]string{forSessions(h.Lesson)}, c.Shares(h, near)...), ", ")) + key
		lines = append(lines, kit.InkedFact(name, head, w, st.Tool, st.Text)...)
		for _, l := range kit.Wrap(WordDiff(h.Lesson.Content, c.Lesson.Content, st), w-kit.GutterW) {
			lines = append(lines, kit.Fit("", kit.GutterW)+l)
		}
	}
	return lines
}

// forSessions returns the status of a lesson for sessions: they get none of another
// program's before it is confirmed.
func forSessions(l lessons.Lesson) string {
	if l.Status == lessons.Approved && l.Outside {
		return "not confirmed"
	}
	return string(l.Status)
}

// tellingInBoth returns the significant words of a that b has too.
func tellingInBoth(a, b string) []string {
	return slices.DeleteFunc(InBoth(a, b), func(f string) bool { return Negates[f] || joins[f] || len(index.Telling(f)) == 0 })
}

// joins are function words, which say nothing about the subject of a sentence.
var joins = func() map[string]bool {
	m := map[string]bool{}
	for f := range strings.FieldsSeq("from those these under over about onto than only other each every any all when while before after until because instead") {
		m[f] = true
	}
	return m
}()

// Alike drops hits that share only function words. It keeps at most one hit by meaning,
// the nearest, if it is near enough and the lesson is long enough to have a meaning.
func Alike(l lessons.Lesson, hits []index.Hit) []index.Hit {
	near := len(index.Telling(l.Content)) < leastMeant
	return slices.DeleteFunc(slices.Clone(hits), func(h index.Hit) bool {
		switch {
		case h.Match >= leastAlike || len(tellingInBoth(l.Content, h.Lesson.Content)) >= 2:
			return false
		case !h.ByMeaning || near || h.Near < leastMeaning:
			return true
		}
		near = true
		return false
	})
}

// leastMeaning is the least nearness in meaning worth showing. In some hundred proposals
// one in ten below it was related.
const leastMeaning = 0.65

// leastMeant is how many significant words word vectors need for a meaning.
const leastMeant = 4

// leastAlike is the similarity above which lessons are shown regardless of shared words.
const leastAlike = 0.5

// mostShared is how many shared words are named.
const mostShared = 4

// Shares says what the lesson and a similar one have in common.
func (c Card) Shares(h index.Hit, near bool) (out []string) {
	if slices.ContainsFunc(c.Lesson.Evidence, func(e lessons.Evidence) bool {
		return e.Session != "" && slices.ContainsFunc(h.Lesson.Evidence, func(o lessons.Evidence) bool { return o.Session == e.Session })
	}) {
		out = append(out, "same session")
	}
	if near {
		return out
	}
	theirs := strings.ToLower(lessons.Line(h.Lesson.Content))
	name := func(s string) bool { return strings.ContainsAny(strings.Trim(s, "./"), "./") }
	both := slices.DeleteFunc(tellingInBoth(c.Lesson.Content, h.Lesson.Content), func(s string) bool {
		return name(s) && !strings.Contains(theirs, s) || // a part of a path or address is not the whole
			slices.ContainsFunc(c.Lesson.Origin.Unsaid, func(w string) bool { return strings.EqualFold(w, s) }) // words nobody said do not make lessons alike
	})
	files := slices.DeleteFunc(slices.Clone(both), func(s string) bool { return !name(s) })
	switch {
	case len(files) > 0:
		out = append(out, "both name "+files[0])
	case len(both) > 0:
		out = append(out, "both say "+strings.Join(both[:min(len(both), mostShared)], ", "))
	}
	if len(out) == 0 && h.ByMeaning {
		out = append(out, "in other words")
	}
	return out
}
