// Package claims finds what a lesson presupposes about its project, such as a file, a
// function or a make target, and checks whether a working tree still has it.
//
// A lesson that says to create something, forbids it, or says that it is gone does not
// presuppose it. What cannot be looked up (a URL, a file in the home folder, a
// placeholder, an option of git) is not a claim.
package claims

import (
	"slices"
	"strings"

	"learnings/lessons"
)

// A Kind is what a claim is about.
type Kind string

const (
	Path    Kind = "path"
	Symbol  Kind = "symbol"
	Command Kind = "command" // a target or script that a runner such as make knows
	Flag    Kind = "flag"    // of a program of the project
	Package Kind = "package" // that the project depends on
)

// A Claim is one thing that a lesson presupposes.
type Claim struct {
	Kind Kind   `json:"kind"`
	Name string `json:"name"`
	In   string `json:"in,omitempty"` // the runner of a command, the program of a flag

	// Loose says that only the tree can tell whether the lesson means this kind at
	// all: "docs/setup" is a path where there is a folder docs.
	Loose bool `json:"loose,omitempty"`
}

// String is the claim as a person would write it.
func (c Claim) String() string {
	if c.Kind == Command {
		return c.In + " " + c.Name
	}
	return c.Name
}

const (
	mostClaims = 24      // of one lesson
	mostText   = 8 << 10 // bytes of a text that are read
	mostName   = 200     // bytes of a name
)

// Of gives the claims of a lesson, each once. It is a function of the text.
func Of(l lessons.Lesson) []Claim {
	var r reader
	for _, text := range []string{l.Content, l.Insight} {
		prose, code := fenced(text[:min(len(text), mostText)])
		r.prose(prose)
		r.code(code)
	}
	r.code(l.Example[:min(len(l.Example), mostText)])
	return r.claims
}

// A reader collects claims.
type reader struct {
	claims []Claim
}

func (r *reader) add(c Claim) {
	c.Name = strings.TrimSpace(c.Name)
	if c.Name == "" || len(c.Name) > mostName || len(r.claims) >= mostClaims || slices.Contains(r.claims, c) || lessons.Hidden(c.Name) {
		return
	}
	r.claims = append(r.claims, c)
}

// fenced takes blocks of code out of a Markdown text.
func fenced(text string) (prose, code string) {
	if !strings.Contains(text, "```") {
		return text, ""
	}
	var in bool
	var p, c strings.Builder
	for line := range strings.Lines(text) {
		switch {
		case strings.HasPrefix(strings.TrimSpace(line), "```"):
			in = !in
			p.WriteString("\n\n")
		case in:
			c.WriteString(line)
		default:
			p.WriteString(line)
		}
	}
	return p.String(), c.String()
}

// prose reads sentences.
func (r *reader) prose(text string) {
	ws := split(text)
	for len(ws) > 0 {
		n := 0
		for n < len(ws)-1 && ws[n].end != '.' {
			n++
		}
		r.sentence(ws[:n+1])
		ws = ws[n+1:]
	}
}

func (r *reader) sentence(ws []word) {
	if elsewhere(ws) {
		return
	}
	out := excused(ws)
	for i := 0; i < len(ws); i++ {
		w := ws[i]
		if n := r.plainCommand(ws, i, out[i]); n > 0 {
			i += n - 1
			continue
		}
		switch {
		case out[i]:
		case w.code && strings.ContainsAny(w.text, " \t\n"):
			r.command(w.text, false)
		default:
			r.name(ws, i)
		}
	}
}

// code reads an example: only what is run, and with which files, not what it would
// look like.
func (r *reader) code(text string) {
	for line := range strings.Lines(text) {
		low := strings.ToLower(line)
		if slices.ContainsFunc([]string{"❌", "✗", "bad", "wrong", "don't", "do not", "never", "before:", "avoid", "instead of", "old:"}, func(s string) bool { return strings.Contains(low, s) }) {
			return
		}
		line, _, _ = strings.Cut(strings.TrimLeft(strings.TrimSpace(line), "$> "), " #")
		r.command(strings.Trim(line, "`"), true)
	}
}
