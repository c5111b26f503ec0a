package card

import (
	"cmp"
	"slices"
	"strings"

	"learnings/index"
	"learnings/lessons"
	"learnings/lessons/pairs"
	"learnings/tui/look"
)

// WordDiff shows how two sentences differ: what is gone and what was added in their
// colours, or as [-gone-] and {+added+} without any.
func WordDiff(before, after string, st *look.Style) string {
	var b strings.Builder
	spans := pairs.WordDiff(lessons.Line(before), lessons.Line(after))
	for i, s := range spans {
		switch s.Op {
		case pairs.Delete:
			b.WriteString(st.Removed.Render(st.Marks("[-", s.Text, "-]")))
			if i+1 < len(spans) && spans[i+1].Op == pairs.Insert && st.Marks("-", "", "") == "" && !strings.HasSuffix(s.Text, " ") {
				b.WriteString(" ")
			}
		case pairs.Insert:
			b.WriteString(st.Added.Render(st.Marks("{+", s.Text, "+}")))
		default:
			b.WriteString(s.Text)
		}
	}
	return b.String()
}

// DiffReads reports whether the diff of two sentences is readable: half of the words of
// the shorter one stay. Otherwise it is easier to read both.
func DiffReads(before, after string) bool {
	before, after = lessons.Line(before), lessons.Line(after)
	kept := 0
	for _, s := range pairs.WordDiff(before, after) {
		if s.Op == pairs.Keep {
			kept += len(strings.Fields(s.Text))
		}
	}
	return kept*2 >= min(len(strings.Fields(before)), len(strings.Fields(after)))
}

// OnlyIn returns the significant words of a that b has in no form.
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

// InBoth returns the words of a that b has too, in any form.
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

// Negates are small words that reverse the meaning.
var Negates = map[string]bool{"not": true, "no": true, "never": true, "don't": true, "without": true, "avoid": true, "doesn't": true, "won't": true, "nor": true}

// fieldWords has the editor's names of fields that differ from those in the file.
var fieldWords = map[string]string{"content": "sentence", "insight": "why", "paths": "files", "triggers": "shows when"}

// FieldWord returns the name of a field for people.
func FieldWord(field string) string {
	return cmp.Or(fieldWords[field], strings.ReplaceAll(field, "_", " "))
}

// Categories are the ones to choose from. Another one that a lesson has comes after them.
var Categories = []lessons.Category{"correction", "error-fix", "preference", "workflow", "tool-usage", "architecture"}
