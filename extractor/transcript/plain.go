package transcript

import (
	"bytes"
	"strings"

	"learnings/lessons/lazy"
)

// plain decodes transcripts that are nothing but text under labels:
//
//	[USER]: Fix the bug
//
//	[ASSISTANT]: Done
type plain struct {
	passages
	who Speaker
}

func newPlain(d *Reader) decoder { return &plain{passages: passages{d: d}} }

var plainLabel = lazy.Regexp(`^\[(USER|HUMAN|PERSON|ASSISTANT|AGENT|AI|MODEL|TOOL|TOOL[ _](?:CALL|RESULT|OUTPUT)|SYSTEM|DEVELOPER)\](?::|$)[ \t]*`)

// speakerOf returns whose label a line begins with, and the rest of the line.
func speakerOf(line []byte) (Speaker, []byte, bool) {
	if len(line) == 0 || line[0] != '[' {
		return "", nil, false
	}
	m := plainLabel().FindSubmatch(line)
	if m == nil {
		return "", nil, false
	}
	rest := line[len(m[0]):]
	switch label := string(m[1]); {
	case label == "USER" || label == "HUMAN" || label == "PERSON":
		return Person, rest, true
	case strings.HasPrefix(label, "TOOL"):
		return Tool, rest, true
	case label == "SYSTEM" || label == "DEVELOPER":
		return Harness, rest, true
	}
	return Agent, rest, true
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
		p.who, line = who, rest
		p.lines.line = p.d.line
	}
	if p.lines.line == 0 {
		if len(bytes.TrimSpace(line)) == 0 {
			return
		}
		p.lines.line = p.d.line
	}
	if p.lines.add(line); p.lines.full() {
		p.end()
	}
}

func (p *plain) end() {
	if p.lines.line == 0 {
		return
	}
	t := Turn{Line: p.lines.line, Session: p.d.session.ID}
	text := strings.TrimSpace(p.lines.take())
	switch p.who {
	case Person:
		p.d.person(t, text, Message)
	case Agent:
		p.d.note(t, Agent, Message, text)
	case Tool:
		if text != "" {
			failed, refused, reason := shape(text)
			p.d.result(t, nil, text, failed, refused, reason)
		}
	case Harness:
		p.d.note(t, Harness, Notice, text)
	}
}
