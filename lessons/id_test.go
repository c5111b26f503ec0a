package lessons

import "testing"

// Ids are stored: what they follow from may not change from version to version.
func TestProposalIDsStay(t *testing.T) {
	record, line := Evidence{UUID: "0b51d8e2", Session: "5e55", Line: 12}, Evidence{Session: "5e55", Line: 12}
	for _, c := range []struct {
		proposer string
		e        Evidence
		says     []string
		same     ID
		want     ID
	}{
		{"", record, []string{"12", "Always lint."}, IDFrom("0b51d8e2", "12", "Always lint."), "ip23d2cp"},
		{"", line, []string{"12", "Always lint."}, IDFrom("5e55", "12", "Always lint."), "mvak9v3x"},
		{"model", record, []string{"lint it", "always lint."}, IDFrom("model", "0b51d8e2", "lint it", "always lint."), "4uvgiw9k"},
	} {
		if got := ProposalID(c.proposer, c.e, c.says...); got != c.want || got != c.same {
			t.Errorf("%q of %+v is %s, want %s (%s)", c.proposer, c.e, got, c.want, c.same)
		}
	}
}
