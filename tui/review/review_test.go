package review

import (
	"slices"
	"testing"
)

// In a scope, the words that a person typed are marked as they are without one, and a
// filter and a scope are not taken for another filter.
func TestTypedWordsInAScope(t *testing.T) {
	var p Review
	p.load.of = sieve{query: "npm kind:preference", scope: "ledger"}
	if got := hitsOf(p); !slices.Equal(got, []string{"npm"}) {
		t.Errorf("marked are %q", got)
	}
	if p.load.of.keeps(sieve{query: "npm kind:preferenceledger"}) || p.load.of.whole() {
		t.Error("the scope is not told from the filter")
	}
}
