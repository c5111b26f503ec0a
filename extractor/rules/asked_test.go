package rules

import "testing"

func TestAsked(t *testing.T) {
	for prompt, want := range map[string]string{
		"Remember: always use pnpm in this repo, never npm.":                    "Always use pnpm in this repo, never npm.",
		"remember this: the staging database is read only":                      "The staging database is read only.",
		"ok, please remember that we deploy on Mondays":                         "We deploy on Mondays.",
		"Remember:\n- never push to main\n- squash":                             "Never push to main.",
		"note to self: the flaky test needs TZ=UTC":                             "The flaky test needs TZ=UTC.",
		"From now on, I want you to run make lint before you commit.":           "Run make lint before you commit.",
		"looks fine. run make lint before you commit from now on":               "Run make lint before you commit.",
		"The build is green. From now on use tabs in Go files. Now fix the bug": "Use tabs in Go files.",
		"This is the new convention, apply it consistently from now on.":        "This is the new convention, apply it consistently.",
		"The staging database is read only. Always remember that please.":       "The staging database is read only.",
		"merk dir: die Tests laufen nur mit make test":                          "Merk dir: die Tests laufen nur mit make test.",

		"please fix the login page":                            "",
		"Remember to update the docs after this":               "",
		"do you remember that bug in the parser?":              "",
		"will it be called with two arguments from now on?":    "",
		"I remember the parser being slow":                     "",
		"Please remember that.":                                "",
		"Is it read only? Remember that please.":               "",
		"remember:":                                            "",
		"```\n# Remember: always use pnpm\n```\nwhat is that":  "",
		"> From now on use npm for everything\n\nwho said so?": "",
	} {
		if w, _, ok := Asked(prompt); w.Content != want || ok != (want != "") {
			t.Errorf("%q gives %q, %v; want %q", prompt, w.Content, ok, want)
		}
	}
}
