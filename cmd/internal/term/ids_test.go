package term

import (
	"strings"
	"testing"
)

// FuzzReadIDs checks that ids are words of the input.
func FuzzReadIDs(f *testing.F) {
	f.Add("k7m2p9qx\n\nb7t4xq8c\tapproved\tx\n")
	f.Add(`{"id":"k7m2p9qx","content":"x"}`)
	f.Add("{}")
	f.Fuzz(func(t *testing.T, s string) {
		ids, err := ReadIDs(strings.NewReader(s))
		if err != nil {
			return
		}
		for _, id := range ids {
			if id == "" || strings.ContainsAny(id, "\t\n") && !strings.Contains(s, "{") {
				t.Errorf("id %q", id)
			}
		}
	})
}
