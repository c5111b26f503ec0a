package rules

import (
	"strings"

	"learnings/extractor/transcript"
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
