package model

import (
	"fmt"
	"slices"
	"strings"

	"learnings/extractor/transcript"
	"learnings/lessons"
	"learnings/lessons/match"
)

// DefaultBudget is how many tokens a digest may have when the user sets no
// budget. Half of the sessions of over 1 MB need less than two thirds of it.
const DefaultBudget = 6000

// minBudget holds the heads of a few messages; below it a digest says nothing.
const minBudget = 200

// A Line is one thing that a digest tells of a session. The model cites it by
// its handle.
type Line struct {
	Handle string // "M12"; unique in the digest
	Label  string // who, and in what manner: USER, USER REFUSES, AGENT, TOOL ERROR, …
	Text   string // redacted, safe to show, and perhaps shortened
	Turn   int    // which of the turns that the digest was made of
	Line   int    // of the transcript file
	UUID   string // of the record, where the transcript has one
	Cut    bool   // the turn says more than Text
}

// Omitted counts what a digest left out for the sake of its budget. Turns that
// are never sent (tools' answers that did not fail, thinking, subagents, what
// the harness injects) are not counted.
type Omitted struct {
	Person  int // messages of the person
	Cut     int // messages of the person that were shortened
	Context int // messages and calls of the agent around them
	Errors  int // errors of tools
}

// A Digest is what of a session is sent to a model: what the person said, what
// the agent was about to do or conceded around it, and errors with what cured
// them, under a budget of tokens. It is made of turns and keeps them, so that
// what a model quotes can be looked up.
type Digest struct {
	Lines   []Line
	Omitted Omitted
	Tokens  int // estimated, of the text

	turns   []transcript.Turn
	redact  func(string) string
	clean   map[int]string // what readable has answered, by turn
	persons *match.Speech  // what the person said; nil until somebody asks
}

// NewDigest chooses what of turns to send. A budget of 0 means
// [DefaultBudget]. All text goes through redact before anything else is done
// with it; nil leaves it as it is.
func NewDigest(turns []transcript.Turn, budget int, redact func(string) string) *Digest {
	return newDigest(turns, budget, redact, nil)
}

// newDigest leaves out what was sent before, but not as the context of what was not.
func newDigest(turns []transcript.Turn, budget int, redact func(string) string, before sent) *Digest {
	if budget == 0 {
		budget = DefaultBudget
	}
	if redact == nil {
		redact = func(s string) string { return s }
	}
	d := &Digest{turns: turns, redact: redact, clean: make(map[int]string)}
	pieces := d.gather(before)
	d.fit(pieces, max(budget, minBudget))
	slices.SortStableFunc(pieces, func(a, b *piece) int {
		if a.turn != b.turn {
			return a.turn - b.turn
		}
		return a.order - b.order
	})
	for _, p := range pieces {
		if p.out == "" {
			continue
		}
		t := &turns[p.turn]
		line := Line{
			Handle: fmt.Sprintf("M%d", len(d.Lines)+1), Label: p.label, Text: p.out,
			Turn: p.turn, Line: t.Line, UUID: t.UUID, Cut: p.out != p.text || p.order == 1 && p.text != d.readable(p.turn),
		}
		d.Lines = append(d.Lines, line)
		d.Tokens += Tokens(line.String())
	}
	return d
}

// name puts the name of the session before each handle, where a prompt holds several.
func (d *Digest) name(session string) {
	d.Tokens = 0
	for i := range d.Lines {
		l := &d.Lines[i]
		l.Handle = session + strings.TrimPrefix(l.Handle, session)
		d.Tokens += Tokens(l.String())
	}
}

// Empty reports that there is nothing in the digest that could teach anything:
// no word of a person and no error that was cured.
func (d *Digest) Empty() bool {
	return !slices.ContainsFunc(d.Lines, func(l Line) bool {
		return strings.HasPrefix(l.Label, labelUser) || l.Label == labelError
	})
}

// Find gives the line that a model cites.
func (d *Digest) Find(handle string) (Line, bool) {
	handle, _, _ = strings.Cut(strings.TrimLeft(handle, " [("), " ") // models also write "M12 USER"
	handle = strings.ToUpper(strings.Trim(handle, "]):,"))
	i := slices.IndexFunc(d.Lines, func(l Line) bool { return l.Handle == handle })
	if i < 0 {
		return Line{}, false
	}
	return d.Lines[i], true
}

// String is the digest as it is sent, without the fence around it. Each line
// begins in the first column with its handle; every further line of its text
// is indented, so that no text can pretend to be another line.
func (d *Digest) String() string {
	var b strings.Builder
	for _, l := range d.Lines {
		b.WriteString(l.String())
		b.WriteByte('\n')
	}
	return b.String()
}

// String is the line as it is sent.
func (l Line) String() string {
	return l.Handle + " " + l.Label + ": " + strings.ReplaceAll(fence(l.Text), "\n", "\n    ")
}

// readable is the text of a turn after redaction, safe to show: what is sent,
// and what a quote is looked up in.
func (d *Digest) readable(turn int) string {
	s, ok := d.clean[turn]
	if !ok {
		s = strings.TrimSpace(lessons.Block(d.redact(d.turns[turn].Text)))
		d.clean[turn] = s
	}
	return s
}

// safe is readable for a text that is not the whole text of a turn.
func (d *Digest) safe(text string) string {
	return strings.TrimSpace(lessons.Block(d.redact(text)))
}

// Tokens estimates how many tokens a text has. Letters of words are cheap,
// digits and signs dear, other scripts dearer; it leans to the high side, as
// no tokenizer of the models is public.
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

// fence makes it impossible for a text to close or open one of the blocks that
// the prompt is made of: their tags all begin alike.
func fence(text string) string {
	return openTag().ReplaceAllString(text, "‹$1")
}
