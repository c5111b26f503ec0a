package recall_test

import (
	"testing"

	"learnings/index/recall"
	"learnings/lessons"
)

// A list of candidates has in it what is given and nothing else, also of a long prompt
// with a sentence that a lesson has every word of.
func TestLongPromptListed(t *testing.T) {
	x := indexed(t, []lessons.Lesson{lesson("aaaa", "Read the YAML config"), lesson("bbbb", "Tabs in makefiles, please")})
	about := "Read the config. "
	long := about + "The page of the orders shows a wrong sum to every guest on Monday mornings. " +
		"Our colleagues in Vienna saw it first, then Paul called from the warehouse with a photo of his screen. " +
		"Discounts were taken off twice when somebody paid by invoice, and shipping came out negative for parcels below two kilos. " +
		"Please find where that happens, tell me what it costs us, and write a short letter to both customers."
	for _, test := range []struct {
		prompt string
		want   int
	}{{about, 1}, {long, 0}} {
		for _, all := range []bool{false, true} {
			chosen, err := recall.Pick(t.Context(), x, nil, recall.Situation{Project: "octofs", Prompt: test.prompt, All: all, Now: now}, recall.Budget{})
			if err != nil || len(recall.IDs(chosen)) != test.want {
				t.Errorf("%.30q, all %v: gives %v: %v", test.prompt, all, recall.IDs(chosen), err)
			}
		}
	}
}
