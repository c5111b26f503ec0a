package tui

import (
	"cmp"
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

// diffReads reports that the diff of two sentences can be read: three words in five of
// the shorter one stay where they are. Else it is easier to read both.
func diffReads(before, after string) bool {
	before, after = lessons.Line(before), lessons.Line(after)
	is, was := len(strings.Fields(after)), len(strings.Fields(before))
	kept := was
	curate.Diff(before, after, func(s string) string { kept -= len(strings.Fields(s)); return "" }, func(string) string { return "" })
	return kept*5 >= min(is, was)*3
}

// onlyIn are the words of a sentence that say what it is about, and that another has in no
// form of them.
func onlyIn(a, b string) []string {
	both := inBoth(a, b)
	var out []string
	for f := range strings.FieldsSeq(lessons.Line(a)) {
		f = strings.Trim(f, "\"'`()[]{}<>*.,;:?!“”")
		if low := strings.ToLower(f); len(index.Telling(low)) > 0 && !joins[low] && !slices.Contains(both, low) && !slices.Contains(out, f) {
			out = append(out, f)
		}
	}
	return out
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

// fieldWords are fields of files as the editor calls them, where that is another word.
var fieldWords = map[string]string{"content": entryNames[inSentence], "insight": entryNames[inWhy], "paths": entryNames[inFiles], "triggers": entryNames[inWords]}

// fieldWord is what a person reads for a field.
func fieldWord(field string) string {
	return cmp.Or(fieldWords[field], strings.ReplaceAll(field, "_", " "))
}
