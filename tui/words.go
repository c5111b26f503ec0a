package tui

import (
	"strings"

	"learnings/lessons"
	"learnings/lessons/match"
)

// wordDiff shows how one sentence differs from another: [-gone-] and {+added+}, which
// reads without colours too.
func wordDiff(before, after string, st style) string {
	var b strings.Builder
	for _, s := range match.WordDiff(lessons.Line(before), lessons.Line(after)) {
		switch s.Op {
		case match.Delete:
			b.WriteString(each("[-"+s.Text+"-]", st.bad.Render))
		case match.Insert:
			b.WriteString(each("{+"+s.Text+"+}", st.good.Render))
		default:
			b.WriteString(s.Text)
		}
	}
	return b.String()
}

// each styles every word by itself, so that a line can be broken between them.
func each(text string, look func(...string) string) string {
	words := strings.Split(text, " ")
	for i, w := range words {
		if w != "" {
			words[i] = look(w)
		}
	}
	return strings.Join(words, " ")
}
