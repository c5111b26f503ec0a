package model

import (
	"cmp"
	"strings"

	"learnings/extractor/transcript"
	"learnings/lessons/lazy"
)

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

// A piece is something that could become a line of the digest.
type piece struct {
	turn  int
	order int // among pieces of one turn
	label string
	text  string
	limit int // tokens at most; 0 for what the budget gives
	value int // higher is kept longer
	after *piece
	out   string // what is sent of it; "" for nothing
}

// Values of pieces. What stands with a person's message is worth less than the
// message, and is sent only together with it.
const (
	valuePleasantry = iota
	valueAside
	valueContext
	valueError
	valueCured
	valueDoubted // context of a message that is a correction by its looks
	valuePlain
	valueStrong
)

var (
	openTag = lazy.Regexp(`(?i)<(\s*/?\s*learnings-)`)

	// pleasantry is a whole message that carries nothing to learn.
	pleasantry = lazy.Regexp(`(?i)^\W*(?:(?:ok(?:ay)?|yes|yep|yeah|yup|sure|no|nope|thanks?|thank you|great|perfect|nice|cool|good|awesome|excellent|done|continue|go|go ahead|go on|proceed|do it|please|pls|lgtm|sounds good|looks good|keep going|next|retry|try again|again|commit|push|and|it|that|this|now|then|work|job|so much|very much|ja|nein|danke|weiter|oui|merci|si|sí|gracias|sim|obrigado)\W*)+$`)

	// directive is how rules, wishes and corrections look in English. It only
	// ranks; nothing is left out because it does not match while there is room.
	directive = lazy.Regexp(`(?i)\b(?:always|never|don'?t|do not|must|should(?:n'?t)?|ought|instead|rather|prefer|avoid|make sure|ensure|only|no need|we (?:use|have|are|don'?t|need|can|never|always)|remember|stop|wrong|actually|convention|rule|standard|not|use|keep|reuse|from now on|because|since|consider|can(?:'t|not)|no longer|i (?:want|prefer|'?d like|don'?t|think|thought|believe|meant|mean)|why|let'?s|please)\b`)

	concession = lazy.Regexp(`(?i)^\W*(?:you'?re (?:absolutely |completely |quite |totally )?(?:right|correct)|you are (?:absolutely |completely )?(?:right|correct)|good (?:point|catch|call|question)|great (?:point|catch)|sorry|i apologi[sz]e|apologies|my (?:mistake|bad|apologies)|i (?:was wrong|misunderstood|should have|missed|overlooked|made a mistake)|ah[,!. ]|fair (?:point|enough)|that'?s (?:right|fair|a (?:good|fair|great) point)|understood|du hast recht|vous avez raison|tienes razón|você (?:está|tem) (?:certo|razão)|вы правы|你说得对|おっしゃる通り)`)
)

// Tokens that lines around a person's message may have.
const (
	contextTokens    = 110
	wantedTokens     = 80
	concessionTokens = 40
	errorTokens      = 110
	fixTokens        = 45
)

// nameBytes is what a label shows of the name of a command.
const nameBytes = 40

// gather makes a piece of everything in the session that could be sent and was not.
func (d *Digest) gather(before sent) []*piece {
	var out []*piece
	said := -1 // the agent's last message since the person spoke
	y := typist{make(map[string]bool)}
	for i := range d.turns {
		t := &d.turns[i]
		switch {
		case t.Sidechain:
		case t.Speaker == transcript.Agent && t.Kind == transcript.Message:
			said = i
		case t.Speaker == transcript.Person:
			m := d.message(i, y)
			if m == nil {
				continue
			}
			if before[sumOf(t)] {
				said = -1
				continue
			}
			out = append(out, m)
			out = append(out, d.before(m, said)...)
			if c := d.conceded(m); c != nil {
				out = append(out, c)
			}
			said = -1
		}
	}
	return append(out, d.errors(before)...)
}

// message is the piece of a person's turn, or nil when there is none in it.
func (d *Digest) message(i int, y typist) *piece {
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

// before are the pieces that say what a message answers: the question, the
// call that was refused, or the end of what the agent had said.
func (d *Digest) before(m *piece, said int) []*piece {
	t := &d.turns[m.turn]
	value := valueContext
	if m.value == valueStrong {
		value = valueDoubted
	}
	switch {
	case m.value == valuePleasantry:
		return nil
	case t.Kind == transcript.Answer && t.Name != "":
		return []*piece{{turn: m.turn, label: labelAsked, text: d.safe(t.Name), limit: contextTokens, value: value, after: m}}
	case t.Kind == transcript.Rejection && t.Tool != nil:
		return []*piece{{turn: m.turn, label: labelWanted, text: d.call(t.Tool), limit: wantedTokens, value: value, after: m}}
	case said < 0:
		return nil
	}
	return []*piece{{turn: said, label: labelAgent, text: tail(d.readable(said), contextTokens*4), value: value, after: m}}
}

// conceded is the agent's first message behind a person's, when it gives in.
func (d *Digest) conceded(m *piece) *piece {
	for i := m.turn + 1; i < len(d.turns); i++ {
		t := &d.turns[i]
		switch {
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

// call says in a few words what a tool was asked to do.
func (d *Digest) call(c *transcript.ToolCall) string {
	what := cmp.Or(c.Command, c.Path)
	if c.Path != "" && c.New != "" {
		what += ": " + strings.TrimSpace(c.New)
	}
	if what == "" {
		what = c.Input
	}
	return d.safe(c.Name + " " + what)
}

// head and tail cut a text to about n bytes at the edge of a word.
func head(s string, n int) string {
	if len(s) <= n {
		return s
	}
	if n == 0 {
		return ""
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
