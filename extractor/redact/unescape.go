package redact

import (
	"strconv"
	"strings"
)

// A view is a text with its backslash escapes undone, and the original place of each
// byte.
type view struct {
	text  string
	at    []int // at[i] is the offset of text[i] in the original; nil when they are the same
	depth int
}

// maxEscapes is how many times a text is unescaped: JSON in a shell command in
// a tool call in a transcript line is three deep.
const maxEscapes = 3

func plainView(s string) view { return view{text: s} }

// back returns the offset in the original of an offset in the view.
func (v view) back(i int) int {
	if v.at == nil {
		return i
	}
	return v.at[i]
}

// unescaped undoes one level of escapes; false if there is none left.
func (v view) unescaped() (view, bool) {
	first := strings.IndexByte(v.text, '\\')
	if first < 0 || v.depth == maxEscapes {
		return view{}, false
	}
	text := make([]byte, 0, len(v.text))
	at := make([]int, 0, len(v.text)+1)
	for i := 0; i < len(v.text); {
		out, n := unescape(v.text[i:])
		for range len(out) {
			at = append(at, v.back(i))
		}
		text = append(text, out...)
		i += n
	}
	if len(text) == len(v.text) {
		return view{}, false
	}
	at = append(at, v.back(len(v.text)))
	return view{text: string(text), at: at, depth: v.depth + 1}, true
}

// unescape reads one character or escape at the start of s, and returns its meaning and
// length.
func unescape(s string) (out string, n int) {
	if s[0] != '\\' || len(s) < 2 {
		return s[:1], 1
	}
	switch s[1] {
	case '"', '\'', '/', '\\', '`', '$':
		return s[1:2], 2
	case 'n':
		return "\n", 2
	case 'r':
		return "\r", 2
	case 't':
		return "\t", 2
	case 'u':
		if c, _, tail, err := strconv.UnquoteChar(s, 0); err == nil {
			return string(c), len(s) - len(tail)
		}
	}
	return s[:1], 1
}
