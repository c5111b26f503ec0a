package redact

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// FuzzMay checks that what is asked before an expression keeps nothing from it.
func FuzzMay(f *testing.F) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, text := range []string{shapesText, heldOutText} {
		for _, s := range shapesOf(f, text) {
			filled, _ := s.filled(r)
			f.Add(filled)
		}
	}
	for _, text := range []string{harmlessText, trickyText} {
		for line := range strings.Lines(text) {
			f.Add(line)
		}
	}
	for _, s := range []string{"PAſS: Winter2024", "the toKen = abcdef0123456789abcdef", "tests pass: 12", "pass 'letmein1'", "PASS WORD is x9#Km2$vQ", "pw(it's 12ab34cd)", "пароль от почты qwerty12", `"pass"] = "abc123xyz"`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		s = strings.ToValidUTF8(s, "\ufffd")
		for _, rule := range rules().all {
			if rule.may == nil {
				continue
			}
			w := window{0, 0, len(s)}
			got := rule.find(s, w)
			rule.may = nil
			if want := rule.find(s, w); !slices.Equal(got, want) {
				t.Errorf("%s of %q: %v, and unasked %v", rule.name, s, got, want)
			}
		}
	})
}
