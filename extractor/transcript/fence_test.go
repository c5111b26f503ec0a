package transcript

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// FuzzFences holds the finding of fenced blocks against the expression that says what
// one is.
func FuzzFences(f *testing.F) {
	for _, s := range []string{"```\na\n```", "```go\nx\n```\nb\n```\n```", "x\n```a b\n```\n\n```", "```\n```\n```\n", "```\n\n```x\n```\r\n```"} {
		f.Add(s)
	}
	block := regexp.MustCompile("(?ms)^```(\\S*)\n(.*?)\n?^```$")
	f.Fuzz(func(t *testing.T, s string) {
		s = strings.ToValidUTF8(s, "?")
		var want []fencedBlock
		for _, m := range block.FindAllStringSubmatchIndex(s, -1) {
			want = append(want, fencedBlock{m[0], s[m[2]:m[3]], s[m[4]:m[5]]})
		}
		if got := fencedBlocks(s); !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", s, got, want)
		}
	})
}
