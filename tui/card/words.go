package card

import (
	"cmp"
	"slices"
	"strings"

	"learnings/index"
	"learnings/index/curate"
	"learnings/lessons"
	"learnings/tui/look"
)

// WordDiff shows how one sentence differs from another: [-gone-] and {+added+}, which
// reads without colours too.
func WordDiff(before, after string, st *look.Style) string {
	return curate.Diff(lessons.Line(before), lessons.Line(after),
		func(s string) string { return st.Removed.Render("[-" + s + "-]") },
		func(s string) string { return st.Added.Render("{+" + s + "+}") })
}

// DiffReads reports that the diff of two sentences can be read: three words in five of
// the shorter one stay where they are. Else it is easier to read both.
func DiffReads(before, after string) bool {
	before, after = lessons.Line(before), lessons.Line(after)
	is, was := len(strings.Fields(after)), len(strings.Fields(before))
	kept := was
	curate.Diff(before, after, func(s string) string { kept -= len(strings.Fields(s)); return "" }, func(string) string { return "" })
	return kept*5 >= min(is, was)*3
}

// OnlyIn are the words of a sentence that say what it is about, and that another has in no
// form of them.
func OnlyIn(a, b string) []string {
	both := InBoth(a, b)
	var out []string
	for f := range strings.FieldsSeq(lessons.Line(a)) {
		f = strings.Trim(f, "\"'`()[]{}<>*.,;:?!“”")
		if low := strings.ToLower(f); len(index.Telling(low)) > 0 && !joins[low] && !slices.Contains(both, low) && !slices.Contains(out, f) {
			out = append(out, f)
		}
	}
	return out
}

// InBoth are the words of a sentence that another has too, in any form of them.
func InBoth(a, b string) []string {
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

// Negates are small words that turn what is said around.
var Negates = map[string]bool{"not": true, "no": true, "never": true, "don't": true, "without": true, "avoid": true, "doesn't": true, "won't": true, "nor": true}

// fieldWords are fields of files as the editor calls them, where that is another word.
var fieldWords = map[string]string{"content": "sentence", "insight": "why", "paths": "files", "triggers": "shows when"}

// FieldWord is what a person reads for a field.
func FieldWord(field string) string {
	return cmp.Or(fieldWords[field], strings.ReplaceAll(field, "_", " "))
}

// Categories are those to choose from; another one that a lesson has stands behind them.
var Categories = []lessons.Category{"correction", "error-fix", "preference", "workflow", "tool-usage", "architecture"}
