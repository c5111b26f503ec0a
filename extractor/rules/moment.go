package rules

import (
	"cmp"
	"strings"

	"learnings/extractor/transcript"
	"learnings/lessons"
)

// A moment is one turn of a person together with what surrounded it: everything
// the turn is judged by.
type moment struct {
	at     int // index of the turn
	kind   transcript.Kind
	text   string // as cleaned
	all    []sentence
	pasted bool // holds code, a log or the like, or is longer than people write
	first  bool // the agent had not said or done anything yet

	before      string // the end of what the agent had said last; "" when it was at work
	interrupted bool   // the person had stopped the agent just before
	again       bool   // says much of what the person said a short while ago

	heard bool   // the agent answered in words
	after string // the beginning of its answer
	noted bool   // a file that agents read as instructions was edited, before the person spoke again
}

// Bytes kept of what the agent said around a person's turn.
const (
	beforeBytes = 400
	afterBytes  = 200
)

// moments finds the person's turns and what surrounded each, in one pass.
// It skips sidechains: only agents speak there.
func moments(turns []transcript.Turn) []moment {
	var (
		out         []moment
		open        *moment // the latest one; valid until the next is appended to out
		said        string
		spoken      bool
		interrupted bool
	)
	for i := range turns {
		t := &turns[i]
		switch {
		case t.Sidechain:
		case t.Kind == transcript.Interrupt:
			interrupted = true
		case t.Speaker == transcript.Person && t.Kind.Spoken():
			m := moment{at: i, kind: t.Kind, before: said, first: !spoken, interrupted: interrupted}
			m.read(t.Text)
			out = append(out, m)
			open, interrupted = &out[len(out)-1], false
		case t.Speaker == transcript.Agent && t.Kind == transcript.Message:
			spoken, said = true, tail(t.Text, beforeBytes)
			if open != nil && !open.heard {
				open.heard, open.after = true, head(t.Text, afterBytes)
			}
		case t.Kind == transcript.Call:
			spoken, said = true, ""
			if open != nil && editsInstructions(t.Tool) {
				open.noted = true
			}
		}
	}
	repeats(out)
	return out
}

// read takes in what the person wrote.
func (m *moment) read(text string) {
	m.text, m.pasted = cleaned(text)
	m.all = sentences(m.text)
	m.pasted = m.pasted || len(m.all) > longTurn
}

// editsInstructions reports whether a call edits a file that agents read as
// instructions.
func editsInstructions(c *transcript.ToolCall) bool {
	if c == nil || c.Old == "" && c.New == "" && !strings.HasSuffix(c.Name, "apply_patch") {
		return false
	}
	low := strings.ToLower(c.Path)
	return strings.HasSuffix(low, "claude.md") || strings.HasSuffix(low, "agents.md") || strings.Contains(low, "skill") || strings.Contains(low, "memory")
}

// repeats marks turns that share half of their words with one of the three turns
// before: requests that had to be made again.
func repeats(ms []moment) {
	var last [3]map[string]bool
	for i := range ms {
		now := contentWords(ms[i].text)
		for _, old := range last {
			ms[i].again = ms[i].again || alike(now, old) >= 0.5
		}
		last[i%3] = now
	}
}

func alike(a, b map[string]bool) float64 {
	both := 0
	for w := range a {
		if b[w] {
			both++
		}
	}
	if both < 3 {
		return 0
	}
	return float64(both) / float64(len(a)+len(b)-both)
}

// contentWords returns the words of a text that carry meaning, at most a few
// hundred of them.
func contentWords(text string) map[string]bool {
	out := map[string]bool{}
	for _, w := range words(head(text, 2000)) {
		if len(w) > 3 && !stopWords()[w] && w[0] != '<' {
			out[w] = true
		}
	}
	return out
}

// head and tail cut without splitting a character.
func head(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && s[n]&0xc0 == 0x80 {
		n--
	}
	return s[:n]
}

func tail(s string, n int) string {
	if len(s) <= n {
		return s
	}
	from := len(s) - n
	for from < len(s) && s[from]&0xc0 == 0x80 {
		from++
	}
	return s[from:]
}

var stopWords = wordSet("stop")

// What a person typed to have it remembered is a proposal without any judgement: "Remember:
// …", "from now on …".

// SureOfAsked is the confidence in what a person asked to be remembered. It is
// [lessons.Sure]: nobody asks by mistake.
const SureOfAsked = 0.95

// remembers opens what is to be remembered; what follows is the lesson. "Remember to
// update the docs" is an order for now, and "do you remember that" none at all.
var remembers = lessons.LazyRegexp(`(?i)^\W*(?:(?:and|also|ok(?:ay)?|so|please|pls)[, ]+)*(?:(?:always )?remember(?: this| that| the following| it| for (?:later|next time|the future))?(?: rule| please)?\s*[:—–]|remember (?:this|that)[, ]|remember -|note to self\s*[:,—–-])\s*`)

// pointsBack is a whole sentence that asks to remember the one before it.
var pointsBack = lessons.LazyRegexp(`(?i)^\W*(?:(?:and|also|ok(?:ay)?|so|please|pls|always|do)[, ]+)*(?:remember|keep in mind|bear in mind|don'?t forget|note) (?:this|that|it)(?:[, ]+(?:please|pls|always|too|from now on|for (?:later|next time|the future)))*\W*$`)

// fromNowOn makes a rule of a sentence.
var fromNowOn = lessons.LazyRegexp(`(?i)\bfrom (?:now|here) on(?:wards?)?\b|\bfrom this point on(?:wards?)?\b`)

// asked returns the first sentence of a moment that the person asked to have remembered;
// nil for none. Nobody types as much as a pasted text.
func (m *moment) asked() *sentence {
	if m.pasted {
		return nil
	}
	for i := range m.all {
		s := &m.all[i]
		switch rest := remembers().ReplaceAllString(s.text, ""); {
		case pointsBack().MatchString(s.text):
			if i > 0 && !m.all[i-1].asks() && !killed(&m.all[i-1], m) {
				return &m.all[i-1]
			}
			continue
		case rest != s.text && rest == "" && i+1 < len(m.all): // "Remember:" on a line of its own
			return &m.all[i+1]
		case strings.HasSuffix(s.text, "?") || killed(s, m):
		case rest != s.text && len(words(rest)) > 1, fromNowOn().MatchString(s.text) && len(s.words) > 4:
			return s
		}
		if f, ok := inOtherLanguages(m, i); ok && f.form.says == forms["remember"].says {
			return f.sentence
		}
	}
	return nil
}

// remembered is the wording of a sentence that the person asked to have remembered: theirs,
// without the asking.
func (m *moment) remembered(s *sentence) lessons.Wording {
	said := strings.Join(strings.Fields(remembers().ReplaceAllString(s.text, "")), " ")
	alone := moment{kind: m.kind}
	alone.read(said)
	said = stripped(lasting().ReplaceAllString(said, ""))
	if len(alone.all) == 1 && points(said) == "" {
		if content, why, missing := alone.contentOf(&alone.all[0]); missing == "" {
			return lessons.Wording{Content: content, Insight: cmp.Or(why, reasonBeside(s, m))}
		}
	}
	return lessons.Wording{Content: finished(said)} // what "it" is, nobody guesses
}

// Asked returns what a prompt asks to have remembered, and the sentence as it was typed. ok
// is false if it asks for nothing of the kind.
func Asked(prompt string) (w lessons.Wording, quote string, ok bool) {
	ms := moments([]transcript.Turn{{Speaker: transcript.Person, Kind: transcript.Message, Text: prompt}})
	for i := range ms {
		if s := ms[i].asked(); s != nil {
			return ms[i].remembered(s), head(s.text, maxQuote), true
		}
	}
	return w, "", false
}

// asking makes the proposal of a sentence that the person asked to have remembered.
func (r Rules) asking(s transcript.Session, turns []transcript.Turn, ms []moment, at int, of *sentence) lessons.Lesson {
	m := &ms[at]
	l := r.lesson(s, turns, ms, at, candidate{main: of, confidence: SureOfAsked, why: []string{AskedRule}})
	l.Wording, l.Lane, l.Confidence = m.remembered(of), "", SureOfAsked
	l.Evidence[0].From = lessons.FromAsked
	return l
}

// AskedRule is the reason of such proposals.
const AskedRule = "you asked to have it remembered"
