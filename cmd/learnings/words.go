package main

import (
	"fmt"
	"strings"

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
