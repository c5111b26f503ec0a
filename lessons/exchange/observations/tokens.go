package observations

import "strings"

// tokens returns the words by which claude-mem's companion compares texts: two or more
// ASCII letters and digits, in lower case. The companion also drops some words, but has not
// published the list.
func tokens(s string) []string {
	words := strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') })
	out := words[:0]
	for _, w := range words {
		if len(w) > 1 {
			out = append(out, w)
		}
	}
	return out
}
