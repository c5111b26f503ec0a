package rules

import (
	"slices"
	"strings"
	"sync"

	"learnings/extractor/transcript"
)

// gated reports whether a moment cannot teach anything because it holds fewer
// than two words of the person's own.
func gated(m *moment) bool {
	n := 0
	for i := range m.all {
		for _, w := range m.all[i].words {
			if len(w) > 1 && w[0] != '<' {
				n++
			}
		}
		if n < 2 && together(m.all[i].text) {
			n += size(m.all[i].text)
		}
	}
	return n < 2
}

// width counts the characters of a text and stops at most. Characters of Chinese,
// Japanese and Korean count twice, since they say about twice as much.
func width(s string, most int) int {
	n := 0
	for _, r := range s {
		if n >= most {
			break
		}
		if n++; r >= 0x1100 && (r <= 0x11ff || r >= 0x2e80) {
			n++
		}
	}
	return n
}

var (
	harmless   = betweenBlanks("harmless")
	courtesies = betweenBlanks("courtesies")
)

// betweenBlanks is the lines of a list, each with a blank on both sides.
func betweenBlanks(name string) func() []string {
	return sync.OnceValue(func() []string {
		return strings.Split(" "+strings.ReplaceAll(strings.TrimSpace(lists()[name]), "\n", " \n ")+" ", "\n")
	})
}

// killed reports whether a sentence is never a lesson, whatever the model says
// of the turn: praise, a brush-off, or too short to say anything.
func killed(s *sentence, m *moment) bool {
	low := " " + strings.Join(s.words, " ") + " "
	n := 0
	for _, w := range s.words {
		if len(w) > 1 || w[0] >= 'a' && w[0] <= 'z' {
			n++
		}
	}
	if n < 3 && m.kind != transcript.Rejection {
		return true
	}
	if strings.HasPrefix(low, " hang on ") || strings.HasPrefix(low, " one sec ") || pointsBack().MatchString(s.text) {
		return true
	}
	if slices.ContainsFunc(courtesies(), func(c string) bool { return strings.Contains(low, c) }) {
		return true
	}
	for _, h := range harmless() {
		if strings.HasPrefix(low, h) && n < 14 || n < 9 && strings.Contains(low, h) {
			return true
		}
	}
	return false
}
