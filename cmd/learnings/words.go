package main

import (
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
