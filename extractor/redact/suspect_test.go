package redact

import (
	"os"
	"strings"
	"testing"
)

func TestSuspects(t *testing.T) {
	r := New()
	for text, want := range map[string]string{
		"Type w@terL00! where it stops":                         "w@terL00!",
		"The door opens with Kx9-vTq2!zR":                       "Kx9-vTq2!zR",
		"Give it q8Zt0KxW3mB7yLs2NfVd when it starts":           "q8Zt0KxW3mB7yLs2NfVd",
		"Start it with 9f86d081884c7d659a2feaa0c55ad015":        "9f86d081884c7d659a2feaa0c55ad015",
		"Call it as open(box, 'lantern otter willow quartz')":   "lantern otter willow quartz",
		"Say fail(x, 'could not open the file of this name')":   "",
		"Commit 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b broke": "",
		"Run go1.26.8 and TestParse_Empty2 in /srv/app2/x":      "",
		"The UUID is 123e4567-e89b-12d3-a456-426614174000":      "",
		"Use StdDeserializer2 and golang.org/x/sys v0.28.0":     "",
	} {
		if got := strings.Join(r.Suspects(text), " "); got != want {
			t.Errorf("%q: %q, not %q", text, got, want)
		}
		if masked := r.Masked(text); want != "" && (!strings.Contains(masked, markOpen) || strings.Contains(masked, want)) {
			t.Errorf("%q is masked as %q", text, masked)
		}
	}
	harmless, err := os.ReadFile("../../../shared/outside/secrets/harmless.txt")
	if err != nil {
		t.Skipf("the harmless lines of ../shared are not beside this clone: %v", err)
	}
	asked := 0
	for line := range strings.Lines(string(harmless)) {
		if words := r.Suspects(line); len(words) > 0 {
			asked++
			t.Logf("asked about %q in %q", words, line)
		}
	}
	if lines := strings.Count(string(harmless), "\n"); asked*50 > lines {
		t.Errorf("asked about %d of %d harmless lines", asked, lines)
	}
}
