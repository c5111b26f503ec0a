package tui

import (
	"slices"
	"strings"

	"learnings/index"
	"learnings/index/curate"
	"learnings/lessons"
	"learnings/tui/look"
)

// wordDiff shows how one sentence differs from another: [-gone-] and {+added+}, which
// reads without colours too.
func wordDiff(before, after string, st *look.Style) string {
	return curate.Diff(lessons.Line(before), lessons.Line(after),
		func(s string) string { return st.Removed.Render("[-" + s + "-]") },
		func(s string) string { return st.Added.Render("{+" + s + "+}") })
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
