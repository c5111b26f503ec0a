package model

import (
	"slices"
	"strings"

	"learnings/extractor/transcript"
	"learnings/lessons/lazy"
)

const (
	cureWithin = 20 // calls between an error and what cured it
	mostErrors = 40 // of a session that are looked at
)

// guards are answers of the harness, which say nothing about the project.
var guards = []string{
	"file has not been read yet", "exceeds maximum allowed tokens", "inputvalidationerror", "string to replace not found", "sibling tool call errored",
	"file has been modified since read", "found multiple matches of the string", "no changes to make", "user doesn't want to proceed", "[request interrupted",
}

// telling is a line of an answer that says what went wrong.
var telling = lazy.Regexp(`(?i)\b(?:error|err!|fail(?:ed|ure)?|fatal|denied|forbidden|not (?:found|allowed|supported|permitted)|no such|cannot|can't|unknown|unexpected|invalid|undefined|missing|refused|rejected|violat\w+|panic|exception|must)\b`)

var digits = lazy.Regexp(`[0-9a-f]{7,}|\d+`)

// errors are the pieces of what failed: those that were cured with the call
// that worked, those that came back, each kind of error once.
func (d *Digest) errors() []*piece {
	var out []*piece
	kinds := make(map[string]*piece)
	for i := range d.turns {
		t := &d.turns[i]
		if !t.Failed || t.Sidechain || t.Tool == nil || t.Kind != transcript.Result {
			continue
		}
		said := d.complaint(i)
		if said == "" {
			continue
		}
		kind := digits().ReplaceAllString(strings.ToLower(head(said, 100)), "#")
		if first := kinds[kind]; first != nil {
			first.value = max(first.value, valueCured) // it recurs
			continue
		}
		if len(kinds) == mostErrors {
			break
		}
		call := strings.Join(strings.Fields(head(d.call(t.Tool), 100)), " ")
		p := &piece{turn: i, order: 3, label: labelError, text: "[" + call + "] " + head(said, errorTokens*3), limit: errorTokens, value: valueError}
		kinds[kind] = p
		out = append(out, p)
		if cure := d.cure(i); cure >= 0 {
			p.value = valueCured
			out = append(out, &piece{turn: cure, order: 4, label: labelFix, text: d.call(d.turns[cure].Tool), limit: fixTokens, value: valueError, after: p})
		}
	}
	return out
}

// complaint is the line of a tool's answer that says what went wrong; "" for
// an answer that teaches nothing.
func (d *Digest) complaint(i int) string {
	text := d.readable(i)
	low := strings.ToLower(head(text, 2000))
	if slices.ContainsFunc(guards, func(g string) bool { return strings.Contains(low, g) }) {
		return ""
	}
	var first, said string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch {
		case len(line) < 8:
		case first == "":
			first = line
			if telling().MatchString(line) {
				said = line
			}
		case said == "" && telling().MatchString(line):
			said = line
		}
	}
	if said == "" {
		return first
	}
	return said
}

// cure finds the call that worked where the one of turn i had failed: of the
// same tool, for the same program or file, not long after, and not the same
// call again. It is -1 when there is none.
func (d *Digest) cure(i int) int {
	failed := d.turns[i].Tool
	calls := 0
	for k := i + 1; k < len(d.turns) && calls <= cureWithin; k++ {
		t := &d.turns[k]
		switch {
		case t.Sidechain:
		case t.Kind == transcript.Call:
			calls++
		case t.Speaker == transcript.Person && t.Kind != transcript.Interrupt:
			return -1
		case t.Kind == transcript.Result && !t.Failed && !t.Refused && t.Tool != nil && alike(failed, t.Tool):
			return k
		}
	}
	return -1
}

// alike reports whether b is another try of a, in another way.
func alike(a, b *transcript.ToolCall) bool {
	if a.Name != b.Name || a.Input == b.Input {
		return false
	}
	if a.Command == "" {
		return a.Path != "" && a.Path == b.Path
	}
	if a.Command == b.Command {
		return false
	}
	p := program(a.Command)
	return p != "" && (p == program(b.Command) || slices.Contains(strings.Fields(b.Command), p))
}

// program is what a command line runs: the last of its steps counts, since the
// ones before it only lead there.
func program(command string) string {
	if i := strings.LastIndex(command, "&& "); i >= 0 {
		command = command[i+3:]
	}
	for word := range strings.FieldsSeq(command) {
		if !strings.Contains(word, "=") {
			return word
		}
	}
	return ""
}
