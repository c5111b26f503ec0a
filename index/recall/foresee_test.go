package recall_test

import (
	"fmt"
	"slices"
	"testing"

	"learnings/index/recall"
	"learnings/lessons"
)

// What is foreseen of a proposal is what sessions are given once it is approved.
func TestForesee(t *testing.T) {
	var all []lessons.Lesson
	for i, text := range []string{
		"Run make generate after editing a .proto file.", "Ask before running the e2e tests, they consume tokens.",
		"Tidy the redact tests with literal expectations.", "Use pnpm instead of npm in this repository.", "Git fetch is run without a timeout.",
		"Keep the redact patterns in one table.", "Redact tests read their fixtures from testdata.", "Write table tests for the parser.",
	} {
		all = append(all, lesson(fmt.Sprintf("l%07d", i), text, age(3*i), sure(lessons.Confidence(0.6+0.04*float64(i%5)))))
	}
	prompts := []string{"please tidy the redact tests now", "edit the proto file and generate", "rename the package of colours", "run the e2e tests"}
	picker := func(all []lessons.Lesson) recall.Picker {
		return func(s recall.Situation, b recall.Budget, _ bool) ([]recall.Choice, error) {
			return recall.Pick(t.Context(), over(all...), nil, s, b)
		}
	}
	for i := range all {
		then, before := slices.Clone(all), slices.Clone(all)
		before[i].Status = lessons.Pending
		s := recall.Situation{Project: "octofs", Role: "developer", Now: now}
		got, err := recall.Foresee(t.Context(), over(before...), nil, then[i], s, recall.Budget{}, prompts)
		if err != nil {
			t.Fatal(err)
		}
		block, err := picker(then).Whole(s, "", recall.Budget{})
		if err != nil {
			t.Fatal(err)
		}
		if want := recall.IDs(block); !slices.Equal(recall.IDs(got.Block), want) {
			t.Errorf("%s: a session begins with %v, want %v", all[i].ID, recall.IDs(got.Block), want)
		}
		if got.Tokens == 0 || got.Tokens > got.Budget.Tokens {
			t.Errorf("%s: %d tokens of %+v", all[i].ID, got.Tokens, got.Budget)
		}
		for k, trial := range got.Trials {
			about, err := picker(then).About(s, prompts[k], nil, 5)
			if err != nil {
				t.Fatal(err)
			}
			ids := recall.IDs(about)
			if rank := slices.Index(ids, all[i].ID) + 1; trial.Rank != rank || trial.Of != len(ids) {
				t.Errorf("%s, %q: %d of %d, want %d of %d", all[i].ID, trial.Prompt, trial.Rank, trial.Of, rank, len(ids))
			}
			if trial.Rank == 0 && trial.Why == "" {
				t.Errorf("%s, %q: nobody says why it is not among them", all[i].ID, trial.Prompt)
			}
		}
	}
}
