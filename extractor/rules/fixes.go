package rules

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"learnings/extractor/transcript"
	"learnings/lessons"
)

// An error that the agent then got round teaches something when the way round
// shows what the error was about: the same command, but without the very word
// that the error names. Other pairs of failure and success (an edit between
// them, a plain retry, a failure of the harness) teach nothing that can be
// said without a model.

const (
	fixWithin = 20 // calls between a failure and its cure
	openMost  = 8  // failures that are watched at a time
	fixOnce   = 0.60
	fixAgain  = 0.70 // the same error was met twice
)

// noise are answers that come from the harness and not from the project.
var noise = []string{
	"file has not been read yet", "exceeds maximum allowed tokens", "inputvalidationerror", "string to replace not found", "sibling tool call errored",
	"the user doesn't want to proceed", "user rejected", "[request interrupted", "unexpected eof while looking for matching", "timed out", "timeout", "rate limit", "network",
}

// A failure is a command that failed and is not yet cured.
type failure struct {
	turn    int
	calls   int // made when it failed
	command []string
	line    string // of the answer: the one that says what was wrong
}

// fixes pairs failed shell commands with the like ones that then worked.
func fixes(s transcript.Session, turns []transcript.Turn) []lessons.Lesson {
	var (
		out   []lessons.Lesson
		open  []failure
		calls int
		met   = map[string]int{} // fingerprints of errors, with the place of their lesson in out, from 1
	)
	for i := range turns {
		t := &turns[i]
		switch {
		case t.Sidechain:
		case t.Kind == transcript.Call:
			calls++
		case t.Speaker == transcript.Person && t.Kind.Spoken():
			open = open[:0]
		case t.Kind == transcript.Result && t.Tool != nil && t.Tool.Command != "" && !t.Refused:
			command := strings.Fields(head(t.Tool.Command, 1000))
			if t.Failed {
				if line := complaint(t.Text); line != "" {
					if len(open) == openMost {
						open = slices.Delete(open, 0, 1)
					}
					open = append(open, failure{i, calls, command, line})
				}
				continue
			}
			for k := len(open) - 1; k >= 0; k-- {
				f := open[k]
				if calls-f.calls > fixWithin || !cures(f, command) {
					continue
				}
				open = slices.Delete(open, k, k+1)
				mark := Stable(f.line)
				if at := met[mark]; at > 0 {
					old := &out[at-1]
					old.Confidence = fixAgain
					old.Evidence = lessons.MergeEvidence(old.Evidence, fix(s, turns, f, i).Evidence)
					break
				}
				out = append(out, fix(s, turns, f, i))
				met[mark] = len(out)
				break
			}
		}
	}
	return out
}

// complaint finds the line of a tool's answer that says what was wrong with
// the call; "" when it is the harness's, or none.
func complaint(answer string) string {
	low := strings.ToLower(head(answer, 4000))
	for _, n := range noise {
		if strings.Contains(low, n) {
			return ""
		}
	}
	for line := range strings.Lines(head(answer, 4000)) {
		t := strings.TrimSpace(line)
		if len(t) < 12 || len(t) > 300 {
			continue
		}
		l := strings.ToLower(t)
		for _, u := range usage {
			if strings.Contains(l, u) {
				return t
			}
		}
	}
	return ""
}

// usage is how programs say that they were called in a wrong way. Files that
// are missing and code that does not compile are left out: what they teach is
// past once it is mended.
var usage = []string{
	"unknown flag", "unknown option", "unknown argument", "unknown command", "unknown shorthand", "unknown subcommand", "unknown switch", "unknown field", "unknown json field",
	"unexpected argument", "unexpected option", "unrecognized argument", "unrecognized option", "unrecognised option", "unrecognized subcommand", "no such option", "no such command",
	"invalid option", "illegal option", "invalid flag", "command not found", "flag provided but not defined", "is not a recognized", "option requires", "is deprecated",
}

// cures reports whether a command is the failed one without the word that the
// error named: the same program without that flag or subcommand, or the
// program that was not found, called in another way.
func cures(f failure, command []string) bool {
	if len(f.command) == 0 || slices.Equal(f.command, command) || asksHelp(command) {
		return false
	}
	p := program(f.command)
	if strings.Contains(strings.ToLower(f.line), "command not found") {
		return names(f.line, p) && program(command) != p && slices.ContainsFunc(command, func(c string) bool { return strings.Trim(c, `"'();&|`) == p })
	}
	if p != program(command) {
		return false
	}
	for _, w := range f.command {
		w, _, _ = strings.Cut(strings.Trim(w, `"'();&|`), "=")
		if len(w) < 2 || w == p || !names(f.line, w) || w[0] == '-' && subcommand(f.command) != subcommand(command) {
			continue
		}
		if !slices.ContainsFunc(command, func(c string) bool { c, _, _ = strings.Cut(strings.Trim(c, `"'();&|`), "="); return c == w }) {
			return true
		}
	}
	return false
}

// asksHelp reports that a command only reads how a program is called.
func asksHelp(command []string) bool {
	for _, w := range command {
		switch strings.TrimRight(w, ";") {
		case "--help", "-h", "help", "man", "which":
			return true
		}
	}
	return false
}

// program is what a command runs: its first word behind "cd …&&" and settings
// of variables.
func program(command []string) string {
	if i := programAt(command); i < len(command) {
		return command[i]
	}
	return ""
}

func programAt(command []string) int {
	for i := 0; i < len(command); i++ {
		switch w := command[i]; {
		case w == "cd":
			for i < len(command) && command[i] != "&&" && !strings.HasSuffix(command[i], ";") {
				i++
			}
		case strings.Contains(w, "=") && !strings.HasPrefix(w, "-"), w == "&&", w == "sudo":
		default:
			return i
		}
	}
	return len(command)
}

// subcommand is the word behind the program, when it looks like one.
func subcommand(command []string) string {
	if i := programAt(command) + 1; i < len(command) && command[i][0] >= 'a' && command[i][0] <= 'z' {
		return command[i]
	}
	return ""
}

// names reports whether an error holds a word of the command as a whole word.
func names(line, word string) bool {
	for from := 0; ; {
		i := strings.Index(line[from:], word)
		if i < 0 {
			return false
		}
		i += from
		end := i + len(word)
		if (i == 0 || !wordByte(line[i-1])) && (end == len(line) || !wordByte(line[end])) {
			return true
		}
		from = end
	}
}

func wordByte(b byte) bool {
	return b == '-' || b == '_' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z'
}

// fingerprint is an error without what differs from run to run.
func fingerprint(line string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) {
			return '0'
		}
		return unicode.ToLower(r)
	}, head(line, 200))
}

// fix makes the lesson of a failure and of the answer at which it was cured.
// Two speak for it: the tool that complained, and the agent that found the way.
func fix(s transcript.Session, turns []transcript.Turn, f failure, cured int) lessons.Lesson {
	t, worked := &turns[f.turn], &turns[cured]
	failed, did := oneLine(t.Tool.Command), oneLine(worked.Tool.Command)
	said := sentence{text: f.line + " " + failed, words: words(f.line + " " + failed)}
	evidence := []lessons.Evidence{{
		Agent: string(s.Agent), Session: sessionOf(s, t), UUID: t.UUID, Line: t.Line, By: lessons.ByTool, From: "tool-error",
		At: t.At, Quote: f.line, Before: transcript.Around(turns, f.turn, -1, nil), After: []string{"agent, " + worked.Tool.Name + ": " + did},
	}}
	if i := callOf(turns, cured); i >= 0 {
		c := &turns[i]
		evidence = append(evidence, lessons.Evidence{
			Agent: string(s.Agent), Session: sessionOf(s, c), UUID: c.UUID, Line: c.Line, By: lessons.ByAgent, From: "call",
			At: c.At, Quote: head(strings.TrimSpace(c.Tool.Command), maxQuote),
		})
	}
	return finish(s, lessons.Lesson{
		Status:   lessons.Pending,
		Category: "error-fix",
		Wording: lessons.Wording{
			Content: fmt.Sprintf("`%s` fails (%s); use `%s`.", failed, strings.TrimRight(f.line, "."), did),
			Example: did,
		},
		Tags:       tags(&said),
		Triggers:   triggers(&said),
		Scope:      lessons.Scope{Role: s.Role},
		Confidence: fixOnce,
		Origin:     lessons.Origin{Source: sessionOf(s, t), Extractor: Name, Rule: "a command failed, and worked without the word that the error names"},
		Created:    t.At,
		Evidence:   evidence,
	})
}

// callOf finds the call that an answer is to, or -1.
func callOf(turns []transcript.Turn, answer int) int {
	const far = 200 // turns; calls that run side by side are answered soon
	tool := turns[answer].Tool
	for i := answer - 1; i >= max(0, answer-far); i-- {
		if c := turns[i]; c.Kind == transcript.Call && c.Tool != nil && (c.Tool == tool || tool.ID != "" && c.Tool.ID == tool.ID) {
			return i
		}
	}
	return -1
}

// oneLine shortens a command for a sentence.
func oneLine(command string) string {
	c := strings.ReplaceAll(strings.Join(strings.Fields(head(command, 600)), " "), "`", "'")
	if len(c) > 160 {
		c = head(c, 160) + "…"
	}
	return c
}
