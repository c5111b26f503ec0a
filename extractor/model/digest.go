package model

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"learnings/extractor"
	"learnings/extractor/transcript"
	"learnings/lessons"
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
	clean   map[int]string    // cache of readable, by turn
	persons *extractor.Speech // what the person said; nil until needed

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

// This file separates what a person typed from what they pasted. A log, table, stack trace
// or review states no rule of theirs, even if it says "should", and it can fill a digest.

const (
	leastPasted  = 4    // lines in a row; fewer are an example of something
	toldOfPaste  = 2    // telling lines kept of it, beside its first and last
	mostProse    = 3    // lines between those of a paste
	leastGap     = 80   // bytes; a mark for less would cost as much
	leastRepeat  = 40   // bytes of a line; shorter ones repeat by chance
	longestWhole = 3200 // bytes of a message that is probably sent whole, so that its lines can be left out later
	longReview   = 1200
	reviewPlaces = 2   // in files, unless the message begins by calling itself a review
	reviewHead   = 300 // bytes in which it is called one
)

var (
	// pleasantry matches a whole message with nothing to learn.
	pleasantry = lessons.LazyRegexp(`(?i)^\W*(?:(?:ok(?:ay)?|yes|yep|yeah|yup|sure|no|nope|thanks?|thank you|great|perfect|nice|cool|good|awesome|excellent|done|continue|go|go ahead|go on|proceed|do it|please|pls|lgtm|sounds good|looks good|keep going|next|retry|try again|again|commit|push|and|it|that|this|now|then|work|job|so much|very much|ja|nein|danke|weiter|oui|merci|si|sí|gracias|sim|obrigado)\W*)+$`)

	// directive matches the usual forms of rules, wishes and corrections in English. It
	// only ranks: while there is room, nothing is dropped for not matching.
	directive = lessons.LazyRegexp(`(?i)\b(?:always|never|don'?t|do not|must|should(?:n'?t)?|ought|instead|rather|prefer|avoid|make sure|ensure|only|no need|we (?:use|have|are|don'?t|need|can|never|always)|remember|stop|wrong|actually|convention|rule|standard|not|use|keep|reuse|from now on|because|since|consider|can(?:'t|not)|no longer|i (?:want|prefer|'?d like|don'?t|think|thought|believe|meant|mean)|why|let'?s|please)\b`)

	concession = lessons.LazyRegexp(`(?i)^\W*(?:you'?re (?:absolutely |completely |quite |totally )?(?:right|correct)|you are (?:absolutely |completely )?(?:right|correct)|good (?:point|catch|call|question)|great (?:point|catch)|sorry|i apologi[sz]e|apologies|my (?:mistake|bad|apologies)|i (?:was wrong|misunderstood|should have|missed|overlooked|made a mistake)|ah[,!. ]|fair (?:point|enough)|that'?s (?:right|fair|a (?:good|fair|great) point)|understood|du hast recht|vous avez raison|tienes razón|você (?:está|tem) (?:certo|razão)|вы правы|你说得对|おっしゃる通り)`)

	// output matches the beginning of a line that a program wrote.
	output = lessons.LazyRegexp(`^\s*(?:\[?\d{1,4}[-:/.]\d{2}[-:/.]\d{2}|\d{2}:\d{2}[:.\s]|at\s+\S+|File "|[A-Z]\w*(?:Error|Exception|Warning)\b:|(?i:warning|warn|error|err!|info|debug|notice|fatal|uncaught|traceback)\b\s*[:\[(]|\[(?i:warn|error|info|debug|lint)|[|+<>$❯→✓✗×│├└┌─=]|\S+\.\w+:\d+(?::\d+)?\b|(?:npm|yarn|pnpm) (?i:err|warn)|diff --git|@@ |commit [0-9a-f]{7}|(?:Author|Date): |[{}\[\]]|"\w+":|\d+\s*[|│])`)

	// reviewed matches the words that introduce a pasted review.
	reviewed = lessons.LazyRegexp(`(?i)\b(?:code review|reviewer|review(?:ed)? (?:by|feedback|comments?)|pr (?:feedback|comments?|review)|feedback|coderabbit|copilot)\b`)
)

// A typist remembers the lines that a person has typed, to recognize them when they are
// pasted. It must see the messages in order.
type typist map[string]bool

// typed returns a message without most of what is pasted in it. If the message mostly
// repeats an earlier one, such as a saved prompt, the repeated lines go too.
func (y typist) typed(message string) string {
	lines := strings.SplitAfter(message, "\n")
	drop, pastes := make([]bool, len(lines)), pastedLines(lines, isReview(message))
	for i := 0; i < len(lines); {
		to := endOfPaste(lines, pastes, i)
		if to-i >= leastPasted {
			keepSome(lines[i:to], drop[i:to])
		}
		i = max(to, i+1)
	}
	repeated := 0
	for _, line := range lines {
		if y.said(line) {
			repeated += len(line)
		}
	}
	for i, line := range lines {
		drop[i] = drop[i] || repeated*2 > len(message) && y.said(line)
	}
	if len(message) < longestWhole {
		for _, line := range lines {
			y[strings.TrimSpace(line)] = true
		}
	}
	return without(lines, drop, leastGap)
}

// said reports whether a line was said before, and not by chance.
func (y typist) said(line string) bool {
	line = strings.TrimSpace(line)
	return len(line) >= leastRepeat && y[line]
}

// pastedLines reports which lines look as if a program or somebody else wrote them.
func pastedLines(lines []string, review bool) []bool {
	out := make([]bool, len(lines))
	kinds := make(map[string]bool)
	code := false
	for i, line := range lines {
		line = strings.TrimSpace(line)
		fence := strings.HasPrefix(line, "```")
		kind := kindOf(line)
		out[i] = code || fence || output().MatchString(line) || len(line) >= leastLine && (pasted(line) || kinds[kind] || review && i > 0)
		kinds[kind] = true
		code = code != fence
	}
	return out
}

// endOfPaste returns the end of the paste that begins at line from, or from if there is
// none. A few lines of prose inside belong to it unless they look like a rule.
func endOfPaste(lines []string, pastes []bool, from int) int {
	end, prose := from, 0
	for i := from; i < len(lines) && (pastes[i] || end > from); i++ {
		switch line := strings.TrimSpace(lines[i]); {
		case pastes[i]:
			end, prose = i+1, 0
		case line == "":
		case prose == mostProse || directive().MatchString(line):
			return end
		default:
			prose++
		}
	}
	return end
}

// hasRule reports whether a message has a line that looks like a rule and was not
// written by a program.
func hasRule(message string) bool {
	for line := range strings.Lines(message) {
		if directive().MatchString(line) && !output().MatchString(line) {
			return true
		}
	}
	return false
}

// keepSome drops the lines of a paste except the first, the last and a few that say
// what went wrong.
func keepSome(lines []string, drop []bool) {
	told := 0
	for i, line := range lines {
		if told < toldOfPaste && telling().MatchString(line) && len(line) <= longestLine {
			told++
			continue
		}
		drop[i] = i > 0 && i < len(lines)-1
	}
}

// isReview reports whether a message is mostly a review that somebody else wrote.
func isReview(message string) bool {
	if len(message) < longReview {
		return false
	}
	at := reviewed().FindStringIndex(message[:reviewHead])
	return at != nil && (at[0] < leastLine || len(placed().FindAllString(message, reviewPlaces)) == reviewPlaces)
}
