package transcript

import (
	"bytes"
	"strings"
)

// plain decodes transcripts that are nothing but text under labels:
//
//	[USER]: Fix the bug
//
//	[ASSISTANT]: Done
type plain struct{ passages }

func newPlain(b base) decoder { return &plain{passages{base: b}} }

var plainLabel = lazyRegexp(`^\[(USER|HUMAN|PERSON|ASSISTANT|AGENT|AI|MODEL|TOOL|TOOL[ _](?:CALL|RESULT|OUTPUT)|SYSTEM|DEVELOPER)\](?::|$)[ \t]*`)

// speakerOf returns whose label a line begins with, and the rest of the line.
func speakerOf(line []byte) (Speaker, []byte, bool) {
	m := plainLabel().FindSubmatch(line)
	if m == nil {
		return "", nil, false
	}
	who := Agent
	switch label := string(m[1]); {
	case label == "USER" || label == "HUMAN" || label == "PERSON":
		who = Person
	case strings.HasPrefix(label, "TOOL"):
		who = Tool
	case label == "SYSTEM" || label == "DEVELOPER":
		who = Harness
	}
	return who, line[len(m[0]):], true
}

// isPlain wants the first line to be under a label, and both a person and an
// agent to speak.
func isPlain(head []byte) bool {
	var person, agent bool
	first := true
	for line := range bytes.Lines(bytes.TrimLeft(head, " \t\r\n")) {
		who, _, ok := speakerOf(bytes.TrimRight(line, "\r\n"))
		if first && !ok {
			return false
		}
		first = false
		if person, agent = person || who == Person, agent || who == Agent; person && agent {
			return true
		}
	}
	return false
}

func (p *plain) flush() { p.end() }

func (p *plain) text(line []byte) {
	if who, rest, ok := speakerOf(line); ok {
		p.end()
		p.who, p.first, line = who, p.d.line, rest
	}
	if p.add(line) {
		p.end()
	}
}

func (p *plain) end() {
	text, t, ok := p.take()
	switch {
	case !ok:
	case p.who == Person:
		p.d.person(t, text, Message)
	case p.who == Agent:
		p.d.note(t, Agent, Message, text)
	case p.who == Harness:
		p.d.note(t, Harness, Notice, text)
	case p.who == Tool && text != "":
		failed, refused, reason := shape(text)
		p.d.result(t, nil, text, failed, refused, reason)
	}
}
