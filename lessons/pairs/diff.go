package pairs

import (
	"slices"
	"strings"

	"github.com/aymanbagabas/go-udiff/lcs"
)

// An Op says whether a piece of text was kept, deleted or inserted.
type Op string

const (
	Keep   Op = "keep"
	Delete Op = "delete"
	Insert Op = "insert"
)

// A Span is a piece of text and its Op.
type Span struct {
	Text string
	Op   Op
}

// WordDiff returns the difference from a to b by words. The kept and deleted spans
// together are a, the kept and inserted ones b, including all blanks. Adjacent spans
// differ in kind, and a deletion precedes the insertion that replaces it.
//
// If some hundred words or more differ, the diff may not be minimal.
func WordDiff(a, b string) []Span {
	x, y := slices.Collect(segments(a)), slices.Collect(segments(b))
	var out []Span
	add := func(op Op, words []string) {
		if len(words) > 0 {
			out = append(out, Span{strings.Join(words, ""), op})
		}
	}
	at := 0
	for _, d := range together(x, lcs.DiffLines(x, y)) {
		add(Keep, x[at:d.Start])
		add(Delete, x[d.Start:d.End])
		add(Insert, y[d.ReplStart:d.ReplEnd])
		at = d.End
	}
	add(Keep, x[at:])
	return out
}

// Marked returns the difference from a to b as plain text in the manner of wdiff:
// [-gone-] and {+new+}. If either is empty there is nothing to compare.
func Marked(a, b string) string {
	switch {
	case a == "":
		return b
	case b == "":
		return "[-" + a + "-]"
	}
	var out strings.Builder
	for _, s := range WordDiff(a, b) {
		text := strings.TrimRight(s.Text, " ")
		blanks := s.Text[len(text):]
		switch {
		case text == "" || s.Op == Keep:
			out.WriteString(s.Text)
		case s.Op == Delete:
			out.WriteString("[-" + text + "-]" + blanks)
		default:
			out.WriteString("{+" + text + "+}" + blanks)
		}
	}
	return out.String()
}

// together joins two replacements separated by a blank: "old words" for "new text" reads
// better than word by word.
func together(x []string, diffs []lcs.Diff) []lcs.Diff {
	replaces := func(d lcs.Diff) bool { return d.Start < d.End && d.ReplStart < d.ReplEnd }
	var out []lcs.Diff
	for _, d := range diffs {
		if n := len(out) - 1; n >= 0 && (out[n].End == d.Start ||
			replaces(out[n]) && replaces(d) && strings.TrimSpace(strings.Join(x[out[n].End:d.Start], "")) == "") {
			out[n].End, out[n].ReplEnd = d.End, d.ReplEnd
			continue
		}
		out = append(out, d)
	}
	return out
}
