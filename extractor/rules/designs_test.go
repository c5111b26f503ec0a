package rules

import (
	"strings"
	"testing"

	"learnings/lessons"
)

// TestDesigns: what the documents of Gimli give as examples for their patterns our own
// rules propose, too, each where it is said: an order at any time, a correction of what
// the agent has done, and praise behind several steps.
func TestDesigns(t *testing.T) {
	done := []string{"person: Add the report to the shop page and run the tests.", "agent: I added it and ran the tests against the production database."}
	for says, want := range map[string]string{
		"I prefer concise responses without emojis":             "Prefer concise responses without emojis",
		"Always use pnpm instead of npm for this project":       "",
		"Never commit directly to main":                         "",
		"usually do a dry run first":                            "",
		"Please don't add comments to every line":               "Don't add comments to every line",
		"do not touch the schema":                               "Do not touch the schema",
		"Don't ever force-push":                                 "",
		"Actually I meant the staging database, not production": "The staging database, not production",
		"No, I want the short version":                          "I want the short version",
	} {
		if want == "" {
			want = strings.ToUpper(says[:1]) + says[1:]
		}
		ls := propose(t, Rules{}, session, talk(append(done[:2:2], "person: "+says)...))
		if len(ls) != 1 || strings.TrimSuffix(ls[0].Content, ".") != want {
			t.Errorf("%q: proposed %q, want %q", says, contents(ls), want)
		}
	}
	for _, praise := range []string{"Perfect!", "perfect", "Exactly what I wanted", "exactly what i needed", "Perfect! exactly what I wanted", "Great job", "great work!", "That's it", "thats right", "that's correct"} {
		ls := propose(t, Rules{}, session, talk("person: fix the test", "runs: vitest", "fails: AssertionError: expected 2 to be 3", "edits: /src/user.ts", "runs: vitest", "works: ok", "agent: Done.", "person: "+praise))
		if want := "For 'fix the test': ran vitest, read the error, edited user.ts, then ran vitest."; contents(ls) != want || ls[0].Lane != lessons.Maybe {
			t.Errorf("%q: proposed %q, want %q", praise, contents(ls), want)
		}
	}
}
