package recall_test

import (
	"fmt"
	"strings"
	"testing"

	"learnings/index/recall"
	"learnings/lessons"
)

// begun is what a session starts with, and the block as it is written.
func begun(t *testing.T, all []lessons.Lesson, s recall.Situation, b recall.Budget) (given []string, block string, choices []recall.Choice) {
	t.Helper()
	s.Project, s.Now = "octofs", now
	choices, err := recall.Pick(t.Context(), over(all...), nil, s, b)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := recall.Write(&out, choices, recall.Style{Project: s.Project}); err != nil {
		t.Fatal(err)
	}
	for _, id := range recall.IDs(choices) {
		given = append(given, string(id))
	}
	return given, out.String(), choices
}

// nouns make sentences that have little in common.
var nouns = strings.Fields(`invoice ledger parser scheduler webhook fixture migration cursor payload thumbnail
	tooltip sitemap backlog sandbox manifest voucher barcode courier pallet shipment mailbox calendar glossary
	dialect keyboard joystick palette gradient viewport carousel breadcrumb quota tenant replica shard
	checksum snapshot rollback canary beacon lantern orchard harbor saddle`)

// A person who approved forty rules sees forty: all that fit the tokens.
func TestStartGivesAllThatFits(t *testing.T) {
	var all []lessons.Lesson
	for i, n := range nouns {
		all = append(all, lesson(fmt.Sprintf("l%02d", i), fmt.Sprintf("Never let the %s see x%02dk or y%02dk", n, i, i)))
	}
	if len(all) != 44 {
		t.Fatalf("%d rules", len(all))
	}
	all[43].Pinned, all[20].Pinned = true, true
	given, block, choices := begun(t, all, recall.Situation{}, recall.Budget{})
	if len(given) != 44 || recall.Waiting(choices) != 0 || strings.Contains(block, "wait") || recall.Tokens(block) > recall.StartTokens {
		t.Errorf("%d of 44 are given in %d tokens, %d wait:\n%s", len(given), recall.Tokens(block), recall.Waiting(choices), block)
	}
	if given[0] != "l43" || given[1] != "l20" {
		t.Errorf("pinned ones do not come first: %q", given)
	}
	given, block, choices = begun(t, all, recall.Situation{}, recall.Budget{Start: 300})
	wait := fmt.Sprintf("\n%d more wait for their subject: `learnings search WORDS` finds them.\n</learnings-context>\n", 44-len(given))
	if n := recall.Tokens(block); n > 300 || n < 270 || given[0] != "l43" || given[1] != "l20" || recall.Waiting(choices) != 44-len(given) || !strings.HasSuffix(block, wait) {
		t.Errorf("of 300 tokens %d are used, %q are given:\n%s", n, given, block)
	}
}

// Rules go before facts of one line; cures, what is long and what holds for files wait, but
// where a person pinned them. A sentence of each is given, without its reasons.
func TestStartTiers(t *testing.T) {
	set := func(c lessons.Category) func(*lessons.Lesson) { return func(l *lessons.Lesson) { l.Category = c } }
	pinned := func(l *lessons.Lesson) { l.Pinned = true }
	reasons := func(l *lessons.Lesson) { l.Insight = strings.Repeat("so it was agreed ", 30) }
	long := "Logs: " + strings.Repeat("some more words ", 20)
	all := []lessons.Lesson{
		lesson("a-fact", "The cache is written by one goroutine", set("architecture"), sure(0.95)),
		lesson("b-rule", "Squash before merging", reasons),
		lesson("c-worded", "Always vendor generated code", set("architecture"), sure(0.7)),
		lesson("d-cure", "EADDRINUSE means that the dev proxy still runs", set("error")),
		lesson("e-long", long),
		lesson("f-files", "Columns have a comment", func(l *lessons.Lesson) { l.Limit.Paths = []string{"*.sql"} }),
		lesson("g-cure", "ENOSPC means that inotify has no watches", set("debugging"), pinned, sure(0.5)),
	}
	given, block, choices := begun(t, all, recall.Situation{}, recall.Budget{})
	if got := strings.Join(given, " "); got != "g-cure b-rule c-worded a-fact" {
		t.Errorf("a session starts with %q", got)
	}
	if recall.Waiting(choices) != 3 || !strings.Contains(block, "\n3 more wait for their subject: ") || strings.Contains(block, "agreed") {
		t.Errorf("%d wait:\n%s", recall.Waiting(choices), block)
	}
	why := map[string]string{
		"g-cure": "pinned; ", "b-rule": "a rule, given at every start; ", "c-worded": "a rule, given at every start; ", "a-fact": "a fact, given at every start; ",
		"d-cure": "a cure: given when its error comes up", "e-long": "longer than 60 words", "f-files": "given when one of its files comes up",
	}
	for _, c := range choices {
		if !strings.HasPrefix(c.Why, why[string(c.Lesson.ID)]) {
			t.Errorf("%s: %q", c.Lesson.ID, c.Why)
		}
	}
	_, block, _ = begun(t, all[2:4], recall.Situation{}, recall.Budget{})
	if !strings.Contains(block, "\nOne more waits for its subject: `learnings search WORDS` finds it.\n") {
		t.Errorf("of one that waits:\n%s", block)
	}
	given, _, _ = begun(t, all[5:6], recall.Situation{Files: []string{"db/a.sql"}}, recall.Budget{})
	if len(given) != 1 {
		t.Error("what holds for a file of the session waits")
	}
}

// What the branch, changed files and the last session are about goes first of its tier.
func TestStartGoesByWhatIsAround(t *testing.T) {
	var all []lessons.Lesson
	for i, n := range nouns {
		all = append(all, lesson(fmt.Sprintf("l%02d", i), fmt.Sprintf("Never let the %s see x%02dk or y%02dk", n, i, i), sure(0.9)))
	}
	all = append(all, lesson("fits", "Always round in `round_half_even` of money/rounding.py", sure(0.5)), lesson("kept", "Ask before a release", sure(0.4), func(l *lessons.Lesson) { l.Pinned = true }))
	given, _, choices := begun(t, all, recall.Situation{Around: "fix/rounding\nmoney/rounding.py\nround_half_even is one cent off"}, recall.Budget{Start: 300})
	if len(given) < 2 || given[0] != "kept" || given[1] != "fits" || !strings.Contains(choices[1].Why, "the branch or a changed file is about it: ") {
		t.Errorf("given %q; the second because %q", given, choices[1].Why)
	}
	if given, _, _ = begun(t, all, recall.Situation{}, recall.Budget{Start: 300}); strings.Contains(strings.Join(given, " "), "fits") {
		t.Errorf("given %q, though nothing is known of the branch", given)
	}
}

// What no subject would bring does not wait: what says the same as another, contradicts it,
// or was written by another program.
func TestStartCountsWhatWaits(t *testing.T) {
	all := []lessons.Lesson{
		lesson("a", "Always run make generate after editing proto files", sure(0.9)),
		lesson("b", "Run make generate after you edit proto files"),
		lesson("old", "Use npm to install packages", age(40)),
		lesson("young", "Use pnpm, not npm, to install packages", age(1)),
		lesson("theirs", "Ask before a release", func(l *lessons.Lesson) { l.Outside = true }),
	}
	given, block, choices := begun(t, all, recall.Situation{}, recall.Budget{})
	if len(given) != 2 || recall.Waiting(choices) != 0 || strings.Contains(block, "wait") {
		t.Errorf("%d wait beside %q:\n%s", recall.Waiting(choices), given, block)
	}
}
