package index_test

import (
	"errors"
	"maps"
	"strings"
	"testing"

	"learnings/index"
	"learnings/lessons"
)

// Names are kept whole, with the words that they are made of; hosts and what says nothing
// are left out.
func TestUnits(t *testing.T) {
	for text, want := range map[string]string{
		"":                                  "",
		"the and of":                        "",
		"rounding tests":                    "round test",
		"call round_half_even twice":        "call round_half_even(round half even) twice",
		"parseHeader fails":                 "parsehead(pars header) fail",
		"see money/rounding.py":             "see monei rounding.py(round py)",
		"a well-known word":                 "known word",
		"https://example.com/api/users now": "api user",
		"the 2.5 seconds":                   "2 5 second",
		"x x":                               "x x",
	} {
		var got []string
		for _, u := range index.Units(text) {
			if w := strings.Join(u.Words, " "); u.Name != "" {
				got = append(got, u.Name+"("+w+")")
			} else {
				got = append(got, w)
			}
			if !strings.Contains(text, u.Text) {
				t.Errorf("%q: %q is not in it", text, u.Text)
			}
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("Units(%q) = %q, want %q", text, s, want)
		}
	}
}

// Shared tells in how many lessons words are, and gives first what shares most.
func TestShared(t *testing.T) {
	at := func(id, content string, set ...func(*lessons.Lesson)) lessons.Lesson {
		return lesson(id, content, append([]func(*lessons.Lesson){func(l *lessons.Lesson) { l.Status, l.Scope.Project = lessons.Approved, "shop" }}, set...)...)
	}
	x := fill(t,
		at("ledger", "Every invoice has a ledger"), at("round", "Round the invoice with round_half_even"), at("invoice", "An invoice is kept for ten years"),
		at("beside", "Deploys are on Tuesdays"), at("elsewhere", "The invoice of another project", func(l *lessons.Lesson) { l.Scope.Project = "other" }),
		at("waits", "An invoice has a ledger and a voucher", func(l *lessons.Lesson) { l.Status = lessons.Pending }),
	)
	q := index.Query{}.Where(index.Status, string(lessons.Approved)).Where(index.For, "shop")
	words := []string{"invoic", "ledger", "round_half_even", "voucher", "deploi"}
	worth := map[string]float64{"invoic": 1, "ledger": 2, "round_half_even": 2.5, "voucher": 9} // the others tell nothing
	for most, want := range map[int]string{10: "round ledger invoice", 2: "round ledger", 0: ""} {
		of := map[int]bool{}
		got, err := x.Shared(t.Context(), q, words, most, func(word string, with, all int) float64 {
			of[all] = true
			return worth[word]
		})
		if err != nil {
			t.Fatal(err)
		}
		var ids []string
		for _, l := range got.Lessons {
			ids = append(ids, string(l.ID))
		}
		if strings.Join(ids, " ") != want {
			t.Errorf("at most %d: %q, want %q", most, ids, want)
		}
		with := map[string]int{"invoic": 3, "ledger": 1, "round_half_even": 1, "voucher": 0, "deploi": 1}
		if got.Of != 4 || !maps.Equal(got.With, with) || len(of) != 1 || !of[4] {
			t.Errorf("of %d lessons %v, want 4, %v; asked of %v", got.Of, got.With, with, of)
		}
	}
	if _, err := index.At(t.TempDir()).Shared(t.Context(), q, words, 5, nil); !errors.Is(err, index.ErrNoIndex) {
		t.Errorf("an index that is not there: %v", err)
	}
}
