package tui

import (
	"slices"
	"strings"

	"learnings/index"
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
			b.WriteString(st.bad.Render("[-" + s.Text + "-]"))
		case match.Insert:
			b.WriteString(st.good.Render("{+" + s.Text + "+}"))
		default:
			b.WriteString(s.Text)
		}
	}
	return b.String()
}

// inBoth are the words of a sentence that another has too, in any form of them.
func inBoth(a, b string) []string {
	has := map[string]bool{}
	for _, w := range index.Words(b) {
		has[w] = true
	}
	var out []string
	for f := range strings.FieldsSeq(lessons.Line(a)) {
		f = strings.ToLower(strings.Trim(f, "\"'`()[]{}<>*.,;:?!"))
		if slices.ContainsFunc(index.Words(f), func(w string) bool { return has[w] }) && !slices.Contains(out, f) {
			out = append(out, f)
		}
	}
	return out
}
