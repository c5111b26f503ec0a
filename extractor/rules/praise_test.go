package rules

import (
	"slices"
	"testing"

	"learnings/lessons"
)

// TestPraise: clear praise proposes what was done before it, if it took several plain
// steps, edited something and worked in the end.
func TestPraise(t *testing.T) {
	work := []string{"person: fix the test", "runs: npx vitest run", "fails: expected 1", "edits: src/user.ts", "runs: npx vitest run", "works: passed", "agent: Fixed."}
	of := func(work []string, said string) []lessons.Lesson {
		return propose(t, Rules{}, session, talk(append(slices.Clone(work), "person: "+said)...))
	}
	const want = "For 'fix the test': ran npx vitest, read the error, edited user.ts, then ran npx vitest."
	for _, said := range []string{"perfect, thanks!", "Great!", "ok, works now", "excellent work, thank you!"} {
		ls := of(work, said)
		if contents(ls) != want {
			t.Errorf("%q: %q", said, contents(ls))
			continue
		}
		if l := ls[0]; l.Lane != lessons.Maybe || l.Confidence != sureOfPraise || l.Category != "pattern" || l.SaidBy() != lessons.ByPerson || l.Evidence[0].Line != 8 {
			t.Errorf("%q: %+v", said, l)
		}
	}
	for _, said := range []string{"great, but the name is wrong", "works?", "great, now do the other one", "perfect is the enemy of good", "not great"} {
		if ls := of(work, said); len(ls) > 0 {
			t.Errorf("%q: %q", said, contents(ls))
		}
	}
	for name, work := range map[string][]string{
		"nothing is edited":  {work[0], work[1], work[2], "runs: make", "works: ok", work[6]},
		"the end fails":      slices.Concat(work[:5], work[2:3], work[6:]),
		"too few steps":      {work[0], work[3], work[4], work[5], work[6]},
		"too many steps":     slices.Concat(work[:1], repeat(3, work[1:6]...), work[6:]),
		"the task is a talk": append([]string{"person: fix the test. It broke today. I do not know why."}, work[1:]...),
		"the task asks":      append([]string{"person: why does the test fail?"}, work[1:]...),
	} {
		if ls := of(work, "perfect, thanks!"); len(ls) > 0 {
			t.Errorf("%s: %q", name, contents(ls))
		}
	}
}
