package observations

import "strings"

// tokens are the words by which the companion of claude-mem compares texts: of two
// and more ASCII letters and digits, in lower case. It drops a list of words, too,
// which is published nowhere.
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
