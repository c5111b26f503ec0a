package lessons

import (
	"slices"
	"testing"
)

// Patterns are compiled when a text first asks for them: all of them must compile.
func TestTellsCompile(t *testing.T) {
	all := slices.Concat(orders(), commands(), shells(), keys(), []tell{assigned(), redaction(), address()})
	for _, one := range all {
		if one.pattern().MatchString("") || len(one.words) == 0 {
			t.Errorf("%s matches nothing, or has no words", one.pattern())
		}
	}
}
