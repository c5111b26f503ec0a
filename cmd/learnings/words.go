package main

import (
	"fmt"
	"strings"

	"learnings/cmd/internal/term"
	"learnings/lessons"
)

// clipped is text on one line of at most n bytes.
func clipped(s string, n int) string {
	s = lessons.Line(s)
	if len(s) > n {
		s = strings.ToValidUTF8(s[:n], "")
	}
	return s
}

// inLanes is a number of proposals; those that may be lessons are named apart.
func inLanes(likely, maybe int, what string) string {
	if maybe == 0 {
		return term.Plural(likely, what)
	}
	return fmt.Sprintf("%d likely and %d maybe", likely, maybe)
}

// maybes counts the proposals that may be lessons.
func maybes(ls []lessons.Lesson) (n int) {
	for _, l := range ls {
		if l.Waits() == lessons.Maybe {
			n++
		}
	}
	return n
}

// minute is how a moment is shown to people.
const minute = "2006-01-02 15:04"

// advice is a finding with the words that gave it.
func advice(f lessons.Finding) string {
	if f.Found == "" {
		return f.Says
	}
	return fmt.Sprintf("“%s” %s", f.Found, f.Says)
}

// A finding as JSON.
type finding struct {
	Code  lessons.Code `json:"code"`
	Says  string       `json:"says"`
	Found string       `json:"found,omitempty"`
}

func findingsOf(fs []lessons.Finding) (out []finding) {
	for _, f := range fs {
		out = append(out, finding(f))
	}
	return out
}
