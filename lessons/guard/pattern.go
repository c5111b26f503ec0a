// Package guard turns a rule such as "never run npm install, use pnpm" into patterns for
// tool calls of agents, and stores which of them are on.
//
// [Derive] derives a [Pattern] only from an unmistakable sentence, because stopping the
// wrong call is worse than stopping none; a person may also give one. [Look] reads what a
// call would do: the commands anywhere in a shell line, and the files that it changes.
// What it cannot read matches nothing.
//
// [Kept] is the stored part: the guards that a person has switched on on this machine,
// and the calls they stopped.
package guard

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"

	"learnings/lessons"
)

// A Pattern matches calls that run a command, optionally with some flags, or that change
// a file.
type Pattern struct {
	Words []string `json:"words,omitempty"` // the program and its first operands, as "npm", "install"; nil for any program
	Flags []string `json:"flags,omitempty"` // all are required
	Path  string   `json:"path,omitempty"`  // of files, as for [lessons.MeansFile]; excludes Words and Flags
}

// Limits of a pattern.
const (
	maxWords    = 8
	maxWord     = 200 // bytes
	MaxPatterns = 10  // of one guard
)

// The kinds of patterns, which begin their text.
const (
	ofCommand = "command "
	ofFlag    = "flag "
	ofPath    = "path "
)

// String returns the pattern as stored in a lesson: "command npm install", "flag
// --no-verify", "path gen/**". [Parse] reads it.
func (p Pattern) String() string {
	switch {
	case p.Path != "":
		return ofPath + p.Path
	case len(p.Words) == 0:
		return ofFlag + line(p.Flags)
	}
	return ofCommand + line(p.Words, p.Flags)
}

// Says returns the pattern as part of a sentence: "`npm install`", "changes of gen/**".
func (p Pattern) Says() string {
	switch {
	case p.Path != "":
		return "changes of " + lessons.Line(p.Path)
	case len(p.Words) == 0:
		return "the flag `" + lessons.Line(line(p.Flags)) + "`"
	}
	return "`" + lessons.Line(line(p.Words, p.Flags)) + "`"
}

// line quotes words for a shell.
func line(parts ...[]string) string {
	var out []string
	for _, w := range slices.Concat(parts...) {
		if q, err := syntax.Quote(w, syntax.LangBash); err == nil {
			w = q
		}
		out = append(out, w)
	}
	return strings.Join(out, " ")
}

// Parse reads the text of a pattern.
func Parse(text string) (Pattern, error) {
	for kind, read := range map[string]func(string) (Pattern, error){ofCommand: Command, ofFlag: Flag, ofPath: Path} {
		if rest, ok := strings.CutPrefix(text, kind); ok {
			return read(rest)
		}
	}
	return Pattern{}, fmt.Errorf("%q begins with none of command, flag and path", lessons.Line(text))
}

// ParseAll parses the patterns of a lesson's guard. One that is invalid fails all.
func ParseAll(texts []string) ([]Pattern, error) {
	if len(texts) > MaxPatterns {
		return nil, fmt.Errorf("there are more than %d patterns", MaxPatterns)
	}
	var out []Pattern
	for _, text := range texts {
		p, err := Parse(text)
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}

// Texts formats patterns as stored in a lesson.
func Texts(all []Pattern) []string {
	out := make([]string, len(all))
	for i, p := range all {
		out[i] = p.String()
	}
	return out
}

// Say formats patterns as part of a sentence.
func Say(all []Pattern) string {
	out := make([]string, len(all))
	for i, p := range all {
		out[i] = p.Says()
	}
	return strings.Join(out, ", ")
}

// Command returns the pattern for a command with its flags, as a person types it.
func Command(text string) (Pattern, error) {
	words, err := split(text)
	if err != nil {
		return Pattern{}, fmt.Errorf("reading the command %q: %v", lessons.Line(text), err)
	}
	var p Pattern
	for _, w := range words {
		if dashed(w) && len(p.Words) > 0 {
			p.Flags = append(p.Flags, w)
		} else {
			p.Words = append(p.Words, w)
		}
	}
	if len(p.Words) == 0 || dashed(p.Words[0]) || base(p.Words[0]) == "" {
		return Pattern{}, fmt.Errorf("%q names no program", lessons.Line(text))
	}
	return p, nil
}

// Flag returns the pattern for one or more flags of any program.
func Flag(text string) (Pattern, error) {
	words, err := split(text)
	if err != nil {
		return Pattern{}, fmt.Errorf("reading the flag %q: %v", lessons.Line(text), err)
	}
	for _, w := range words {
		if !dashed(w) || strings.Trim(w, "-") == "" {
			return Pattern{}, fmt.Errorf("%q is no flag: it does not begin with a hyphen", lessons.Line(w))
		}
	}
	return Pattern{Flags: words}, nil
}

// Path returns the pattern for files that must not be changed.
func Path(text string) (Pattern, error) {
	p := strings.TrimSpace(text)
	switch {
	case p == "" || strings.Trim(p, "*/.") == "":
		return Pattern{}, fmt.Errorf("%q means no files, or all", lessons.Line(text))
	case len(p) > maxWord || !printable(p):
		return Pattern{}, errors.New("the path is too long, or has characters that are not to be seen")
	case !lessons.FilePattern(p):
		return Pattern{}, fmt.Errorf("%q is no pattern of files", lessons.Line(text))
	}
	return Pattern{Path: p}, nil
}

// split splits one command, without redirections and expansions, into words.
func split(text string) ([]string, error) {
	s := parse(text)
	switch {
	case len(s.plain) == 0:
		return nil, errors.New("there is none")
	case len(s.plain) > 1:
		return nil, errors.New("it is more than one command")
	}
	words := s.plain[0]
	for _, w := range words {
		if !printable(w) || len(w) > maxWord {
			return nil, errors.New("it has a word that is not plain")
		}
	}
	if len(words) > maxWords {
		return nil, fmt.Errorf("it has more than %d words", maxWords)
	}
	return words, nil
}

// printable reports whether a text has no hidden characters.
func printable(w string) bool {
	return utf8.ValidString(w) && !strings.ContainsFunc(w, func(r rune) bool { return !unicode.IsPrint(r) }) && !lessons.Hidden(w)
}

func dashed(w string) bool { return len(w) > 1 && w[0] == '-' }

// base returns the name of a program without folder and extension.
func base(w string) string {
	if i := strings.LastIndexAny(w, `/\`); i >= 0 {
		w = w[i+1:]
	}
	for _, end := range []string{".exe", ".cmd", ".bat"} {
		if len(w) > len(end) && strings.EqualFold(w[len(w)-len(end):], end) {
			return w[:len(w)-len(end)]
		}
	}
	return w
}
