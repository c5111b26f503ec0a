package curate

import "testing"

// A reason that was named once among others is not assumed of the next rejection; one
// that two have, one after the other, is.
func TestUsualReason(t *testing.T) {
	for _, test := range []struct {
		name  string
		given []string
		want  string
	}{
		{"nothing", nil, "one-off"},
		{"once", []string{"not true"}, "one-off"},
		{"once among others", []string{"one-off (assumed)", "not true", "one-off (assumed)"}, "one-off"},
		{"twice in a row", []string{"not true", "not true"}, "not true"},
		{"typed between", []string{"not true", "we left Go 1.19", "not true"}, "not true"},
		{"and back", []string{"not true", "not true", "one-off", "one-off"}, "one-off"},
	} {
		g := Given{Usual: Reasons[0]}
		for _, r := range test.given {
			g = g.With(r, 1)
		}
		if g.Usual != test.want {
			t.Errorf("%s: %q is assumed, want %q", test.name, g.Usual, test.want)
		}
	}
	if g := (Given{Usual: Reasons[0]}).With("too vague", 3); g.Usual != "too vague" || g.Times["too vague"] != 3 {
		t.Errorf("of three at once: %+v", g)
	}
}
