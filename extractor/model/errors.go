package model

import (
	"slices"
	"strings"

	"learnings/extractor/transcript"
	"learnings/lessons"
)

const (
	cureWithin = 20 // calls between an error and what cured it
	mostErrors = 40 // of a session that are examined
)

// guards are answers of the harness that say nothing about the project.
var guards = []string{
	"file has not been read yet", "exceeds maximum allowed tokens", "inputvalidationerror", "string to replace not found", "sibling tool call errored",
	"file has been modified since read", "found multiple matches of the string", "no changes to make", "user doesn't want to proceed", "[request interrupted",
}

var (
	// telling matches a line that says what went wrong.
	telling = lessons.LazyRegexp(`(?i)\b(?:\w*error|err!|fail(?:ed|ure)?|fatal|denied|forbidden|not (?:found|allowed|supported|permitted|installed|checked)|no such|cannot|can't|unknown|unexpected|unrecogni[sz]ed|invalid|undefined|missing|refused|rejected|ignored|deprecated|blocked|already|violat\w+|panic|\w*exception|must)\b`)

	// placed matches a line that names a place in a file, as compilers and linters do.
	placed = lessons.LazyRegexp(`[\w./\\-]+\.\w{1,5}:\d+(?::\d+)?:?\s+\S+\s+\S+`)

	// hollow matches a line that says only that something went wrong.
	hollow = lessons.LazyRegexp(`(?i)^\W*(?:exit(?:ed)?(?: with)?(?: code| status)?:?\s*-?\d*|process exited with (?:code|status) \d+|error:?|errors?|failed|fail|(?:\[\w+\] )?(?:error )?task failed|### error|command failed(?: with exit code \d+)?|traceback \(most recent call last\):?|(?:wall time|chunk id|output|original token count|total output lines)\b.*|stderr:?|stdout:?|</?\w+>)\W*$`)
)

var digits = lessons.LazyRegexp(`[0-9a-f]{7,}|\d+`)

// errors returns the pieces of what failed: cured errors with the call that worked, and
// recurring ones, each kind once.
func (d *digest) errors(before sent) []*piece {
	var out []*piece
	kinds := make(map[string]*piece)
	for i := range d.turns {
		t := &d.turns[i]
		if !t.Failed || t.Sidechain || t.Tool == nil || t.Kind != transcript.Result || before[sumOf(t)] {
			continue
		}
		said := d.complaint(i)
		if said == "" {
			continue
		}
		kind := kindOf(said)
		if first := kinds[kind]; first != nil {
			first.value = max(first.value, valueCured) // it recurs
			continue
		}
		if len(kinds) == mostErrors {
			break
		}
		call := strings.Join(strings.Fields(head(d.call(t.Tool), 100)), " ")
		p := &piece{turn: i, order: 3, label: labelError, text: "[" + call + "] " + said, limit: errorTokens, value: valueError}
		kinds[kind] = p
		out = append(out, p)
		if cure := d.cure(i); cure >= 0 {
			p.value = valueCured
			out = append(out, &piece{turn: cure, order: 4, label: labelFix, text: d.call(d.turns[cure].Tool), limit: fixTokens, value: valueError, after: p})
		}
	}
	return out
}

// Limits of what is sent of one error. With the first telling line alone, 23 of 30
// labelled errors were in the digest of their session; with three, 29 are.
const (
	mostTelling = 3
	longestLine = 240 // bytes
	leastLine   = 8
)

// complaint returns at most three lines of a tool's answer that say what went wrong:
// lines with words of failure first, then lines that name a place in a file. It is ""
// if the answer teaches nothing.
func (d *digest) complaint(i int) string {
	text := d.readable(i)
	low := strings.ToLower(head(text, 2000))
	if slices.ContainsFunc(guards, func(g string) bool { return strings.Contains(low, g) }) {
		return ""
	}
	var first string
	var said, at []string
	kinds := make(map[string]bool)
	for line := range strings.Lines(text) {
		line = head(strings.TrimSpace(line), longestLine)
		kind := kindOf(line)
		switch {
		case len(line) < leastLine || hollow().MatchString(line) || kinds[kind]:
		case telling().MatchString(line):
			said, kinds[kind] = append(said, line), true
		case placed().MatchString(line):
			at, kinds[kind] = append(at, line), true
		case first == "":
			first = line
		}
		if len(said) == mostTelling {
			break
		}
	}
	lines := append(said, at...)
	if len(lines) == 0 {
		return first
	}
	return strings.Join(lines[:min(len(lines), mostTelling)], "\n")
}

// kindOf removes from a line what changes from one time to the next.
func kindOf(line string) string {
	return digits().ReplaceAllString(strings.ToLower(head(line, 100)), "#")
}

// cure finds the call that worked after the one of turn i failed: soon after, with the
// same tool and program or file, but different. It returns -1 if there is none.
func (d *digest) cure(i int) int {
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

// alike reports whether b tries again what a did, in another way.
func alike(a, b *transcript.ToolCall) bool {
	switch {
	case a.Name != b.Name || a.Input == b.Input:
		return false
	case a.Command == "":
		return a.Path != "" && a.Path == b.Path
	}
	p := program(a.Command)
	return a.Command != b.Command && p != "" && (p == program(b.Command) || slices.Contains(strings.Fields(b.Command), p))
}

// program returns the program of a command line, from its last step: the steps before
// only prepare it.
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
