package model

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"learnings/extractor/transcript"
	"learnings/lessons"
	"learnings/lessons/pairs"
)

// DefaultBudget is the most tokens of a digest if the user sets no budget. Half of the
// sessions over 1 MB need less than two thirds of it.
const DefaultBudget = 6000

// minBudget has room for the heads of a few messages; a smaller digest says nothing.
const minBudget = 200

// A line is one entry of a digest. The model cites it by its handle.
type line struct {
	handle string // "M12"; unique in the digest
	label  string // who, and in what manner: USER, USER REFUSES, AGENT, TOOL ERROR, …
	text   string // redacted, safe to show, and perhaps shortened
	turn   int    // index of the turn it was made from
}

// String returns the line as it is sent: its handle is in the first column and further
// lines of text are indented, so that no text can pose as another entry.
func (l line) String() string {
	return l.handle + " " + l.label + ": " + strings.ReplaceAll(fence(l.text), "\n", "\n    ")
}

// fence keeps a text from opening or closing a block of the prompt, whose tags all
// begin alike.
func fence(text string) string { return openTag().ReplaceAllString(text, "‹$1") }

var openTag = lessons.LazyRegexp(`(?i)<(\s*/?\s*learnings-)`)

// A digest is the part of a session that is sent to a model within a budget of tokens:
// what the person said, what the agent was about to do or conceded around it, and
// errors with their cures. It keeps its turns, so that quotes of the model can be
// looked up.
type digest struct {
	lines  []line
	tokens int // estimated, of the text

	turns   []transcript.Turn
	redact  func(string) string
	clean   map[int]string // cache of readable, by turn
	persons *pairs.Speech  // what the person said; nil until needed

	keywords map[string]bool // cache of words
}

// newDigest chooses what to send of turns. What was sent before is left out, except as
// context. All text goes through redact first.
func newDigest(turns []transcript.Turn, budget int, redact func(string) string, before sent) *digest {
	d := &digest{turns: turns, redact: redact, clean: make(map[int]string)}
	pieces := d.gather(before)
	fit(pieces, max(cmp.Or(budget, DefaultBudget), minBudget))
	slices.SortStableFunc(pieces, func(a, b *piece) int { return cmp.Or(a.turn-b.turn, a.order-b.order) })
	for _, p := range pieces {
		if p.out != "" {
			d.lines = append(d.lines, line{fmt.Sprintf("M%d", len(d.lines)+1), p.label, p.out, p.turn})
		}
	}
	d.name("")
	return d
}

// name puts the name of the session before each handle, for a prompt with several
// sessions.
func (d *digest) name(session string) {
	d.tokens = 0
	for i := range d.lines {
		l := &d.lines[i]
		l.handle = session + strings.TrimPrefix(l.handle, session)
		d.tokens += Tokens(l.String())
	}
}

// empty reports whether the digest has nothing to learn from: no word of a person and
// no cured error.
func (d *digest) empty() bool {
	return !slices.ContainsFunc(d.lines, func(l line) bool { return strings.HasPrefix(l.label, labelUser) || l.label == labelError })
}

// cited returns the line that a model cites. Models also write "M12 USER" and "[M12]".
func (d *digest) cited(handle string) (line, bool) {
	handle, _, _ = strings.Cut(strings.TrimLeft(handle, " [("), " ")
	handle = strings.ToUpper(strings.Trim(handle, "]):,"))
	i := slices.IndexFunc(d.lines, func(l line) bool { return l.handle == handle })
	if i < 0 {
		return line{}, false
	}
	return d.lines[i], true
}

// String returns the digest as it is sent, without the fence around it.
func (d *digest) String() string {
	var b strings.Builder
	for _, l := range d.lines {
		b.WriteString(l.String() + "\n")
	}
	return b.String()
}

// readable returns the redacted text of a turn, safe to show. It is what is sent and
// what quotes are looked up in.
func (d *digest) readable(turn int) string {
	s, ok := d.clean[turn]
	if !ok {
		s = d.safe(d.turns[turn].Text)
		d.clean[turn] = s
	}
	return s
}

// safe is like readable for part of a turn.
func (d *digest) safe(text string) string { return strings.TrimSpace(lessons.Block(d.redact(text))) }

// aside returns a text on one line of about n bytes at most.
func (d *digest) aside(s string, n int) string { return fence(head(lessons.Line(d.redact(s)), n)) }

// Tokens estimates the tokens of a text. Letters of words are cheap, digits and
// punctuation dear, other scripts dearer. It overestimates, because the tokenizers of
// the models are not public.
func Tokens(s string) int {
	quarter := 0 // of a token, times 5
	for _, r := range s {
		switch {
		case r == ' ' || r == '\n' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z':
			quarter += 5
		case r < 0x80:
			quarter += 9
		case r < 0x2e80:
			quarter += 12
		default: // CJK and emoji
			quarter += 20
		}
	}
	return (quarter + 19) / 20
}

// Labels of the lines of a digest.
const (
	labelUser     = "USER"
	labelSteers   = "USER STEERS"
	labelRefuses  = "USER REFUSES"
	labelAnswers  = "USER ANSWERS"
	labelCommands = "USER COMMANDS"
	labelStops    = "USER STOPS"
	labelAgent    = "AGENT"
	labelWanted   = "AGENT WANTED"
	labelAsked    = "AGENT ASKED"
	labelError    = "TOOL ERROR"
	labelFix      = "FIXED BY"
)

// A piece is a possible line of the digest.
type piece struct {
	turn  int
	order int // among pieces of one turn
	label string
	text  string
	limit int // tokens at most; 0 means what the budget allows
	value int // higher is kept longer
	after *piece
	out   string // what is sent; "" for nothing
}

// Values of pieces. What stands with a person's message is worth less than the
// message, and is sent only together with it.
const (
	valuePleasantry = iota
	valueAside
	valueContext
	valueError
	valueCured
	valueDoubted // context of a message that looks like a correction
	valuePlain
	valueStrong
)

// Tokens that lines around a person's message may have.
const (
	contextTokens    = 110
	wantedTokens     = 80
	concessionTokens = 40
	errorTokens      = 110
	fixTokens        = 45
)

// nameBytes is the most bytes of a command name in a label.
const nameBytes = 40

// gather makes pieces of everything in the session that could be sent and was not.
func (d *digest) gather(before sent) []*piece {
	var out []*piece
	said := -1 // the agent's last message since the person spoke
	y := typist{}
	for i := range d.turns {
		switch t := &d.turns[i]; {
		case t.Sidechain:
		case t.Speaker == transcript.Agent && t.Kind == transcript.Message:
			said = i
		case t.Speaker == transcript.Person:
			m := d.message(i, y)
			if m == nil {
				continue
			}
			if !before[sumOf(t)] {
				out = append(out, m)
				if p := d.answered(m, said); p != nil {
					out = append(out, p)
				}
				if p := d.conceded(m); p != nil {
					out = append(out, p)
				}
			}
			said = -1
		}
	}
	return append(out, d.errors(before)...)
}

// message returns the piece of a person's turn, or nil.
func (d *digest) message(i int, y typist) *piece {
	t := &d.turns[i]
	p := &piece{turn: i, order: 1, text: y.typed(d.readable(i)), value: valuePlain}
	switch t.Kind {
	case transcript.Message:
		p.label = labelUser
	case transcript.Steering:
		p.label, p.value = labelSteers, valueStrong
	case transcript.Rejection:
		p.label, p.value = labelRefuses, valueStrong
	case transcript.Answer:
		p.label = labelAnswers
	case transcript.Command:
		p.label = labelCommands + " " + head(d.safe(t.Name), nameBytes)
	case transcript.Interrupt:
		p.label, p.text, p.value = labelStops, "(stopped the agent)", valueAside
		return p
	default:
		return nil
	}
	switch {
	case p.text == "":
		return nil
	case len(p.text) < 80 && pleasantry().MatchString(p.text):
		p.value = valuePleasantry
	case hasRule(p.text):
		p.value = valueStrong
	}
	return p
}

// answered returns the piece that a message answers: the question, the refused call, or
// the end of what the agent said.
func (d *digest) answered(m *piece, said int) *piece {
	t := &d.turns[m.turn]
	p := &piece{turn: m.turn, value: valueContext, after: m}
	if m.value == valueStrong {
		p.value = valueDoubted
	}
	switch {
	case m.value == valuePleasantry:
		return nil
	case t.Kind == transcript.Answer && t.Name != "":
		p.label, p.text, p.limit = labelAsked, d.safe(t.Name), contextTokens
	case t.Kind == transcript.Rejection && t.Tool != nil:
		p.label, p.text, p.limit = labelWanted, d.call(t.Tool), wantedTokens
	case said < 0:
		return nil
	default:
		p.turn, p.label, p.text = said, labelAgent, tail(d.readable(said), contextTokens*4)
	}
	return p
}

// conceded returns the agent's first message after a person's, if it gives in.
func (d *digest) conceded(m *piece) *piece {
	for i := m.turn + 1; i < len(d.turns); i++ {
		switch t := &d.turns[i]; {
		case t.Sidechain:
		case t.Speaker == transcript.Person:
			return nil
		case t.Speaker == transcript.Agent && t.Kind == transcript.Message:
			text := d.readable(i)
			if !concession().MatchString(text) {
				return nil
			}
			return &piece{turn: i, order: 2, label: labelAgent, text: head(text, concessionTokens*4), value: valueDoubted, after: m}
		}
	}
	return nil
}

// call describes a call in a few words.
func (d *digest) call(c *transcript.ToolCall) string {
	what := cmp.Or(c.Command, c.Path)
	if c.Path != "" && c.New != "" {
		what += ": " + strings.TrimSpace(c.New)
	}
	return d.safe(c.Name + " " + cmp.Or(what, c.Input))
}

// head and tail cut a text to about n bytes at the edge of a word.
func head(s string, n int) string {
	if len(s) <= n || n == 0 {
		return s[:min(len(s), n)]
	}
	s = strings.ToValidUTF8(s[:n], "")
	if i := strings.LastIndexAny(s, " \n"); i > n/2 {
		s = s[:i]
	}
	return s + " …"
}

func tail(s string, n int) string {
	if len(s) <= n {
		return s
	}
	s = strings.ToValidUTF8(s[len(s)-n:], "")
	if i := strings.IndexAny(s, " \n"); i >= 0 && i < n/2 {
		s = s[i+1:]
	}
	return "… " + s
}
