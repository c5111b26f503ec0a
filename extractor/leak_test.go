package extractor

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"learnings/extractor/rules"
)

// No part of a proposal holds a secret of what was said: not the triggers, which are
// names of the turns around it, and not what is cut or said elsewhere.
func TestNoPartOfAProposalHoldsASecret(t *testing.T) {
	const secret = "sunshine" + "99"
	for _, said := range []string{
		"No, always log in to the staging server with its password: " + secret,
		"Never restart the staging server by hand. Its password is " + secret + ". Always type " + secret + " into the form first.",
		"That's wrong, always use curl -u admin:" + secret + " for the staging server instead of wget.",
	} {
		text := says(1, "user", "deploy to staging") + says(2, "assistant", "I used wget on the staging server.") +
			says(3, "user", said) + says(4, "assistant", "You're right, I'll do that: "+secret)
		text = says(0, "user", "The database is at db.example, user app, password: "+secret+"_b") + says(0, "assistant", "ok") + says(0, "assistant", "fine") + says(0, "assistant", "well") + text
		o := testOptions
		o.Proposers = []Proposer{rules.Rules{Least: 0.01}}
		b, err := Extract(t.Context(), write(t, filepath.Join(t.TempDir(), "s.jsonl"), text), Mark{}, o)
		if err != nil {
			t.Fatal(err)
		}
		if len(b.Lessons) == 0 {
			t.Errorf("nothing is proposed of %q", said)
		}
		for _, l := range b.Lessons {
			if all, err := json.Marshal(l); err != nil || strings.Contains(strings.ToLower(string(all)), secret) {
				t.Errorf("the secret survives in %s", all)
			}
		}
	}
}
