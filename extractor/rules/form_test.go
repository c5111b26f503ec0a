package rules

import "testing"

func TestStandingForm(t *testing.T) {
	for text, want := range map[string]bool{
		"Always run the linter before committing.":                   true,
		"Never touch the generated files.":                           true,
		"Use pnpm instead of npm.":                                   true,
		"All errors must be logged with the request id.":             true,
		"We use UUIDv7 for ids.":                                     true,
		"When a migration is added, run the checks twice.":           true,
		"Don't push to main.":                                        false, // of the moment as far as anybody can tell
		"Never push to main.":                                        true,
		"Do not create any new unit tests for this change.":          false,
		"Add a button to the page.":                                  false,
		"The buttons should be green.":                               false,
		"I want the instructions to live in Agents.md, not a skill.": false,
		"It must not import the cli package.":                        false,
		"We should fix the build.":                                   false,
		"Fix the build.":                                             false,
		"Use `make gen`.":                                            false,
		"Should all names be British?":                               false,
	} {
		if got := formed(text, false) != noForm; got != want {
			t.Errorf("%q: form of a rule %v, want %v", text, got, want)
		}
	}
}
