package pairs

import (
	"slices"
	"strings"

	"github.com/aymanbagabas/go-udiff/lcs"
)

// An Op is what became of a piece of text.
type Op string

const (
	Keep   Op = "keep"
	Delete Op = "delete"
	Insert Op = "insert"
)

// A Span is a piece of text with what became of it.
type Span struct {
	Text string
	Op   Op
}

// WordDiff says how b came from a, word by word: what is kept and deleted is
// together a, and what is kept and inserted is together b, to the last blank
// . Neighbours of one kind are one span,
// and a deletion comes before the insertion that replaces it.
//
// Of texts with more than some hundred differing words less may be kept than
// could be.
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

// Marked shows how b came from a in plain text, in the manner of wdiff: [-gone-] and
// {+new+}. Where one of them is empty there are no words to compare.
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

// together makes one replacement of two that only a blank lies between: "old
// words" for "new text" reads better than two words each replaced by one.
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
