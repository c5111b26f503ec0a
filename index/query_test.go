package index_test

import (
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"learnings/index"
)

func TestParseQuery(t *testing.T) {
	term := func(s string) index.Term { return index.Term{Text: s} }
	terms := func(ts ...index.Term) index.Query { return index.Query{Terms: ts} }
	inf, day := math.Inf(1), index.Day(time.Date(2026, 11, 20, 23, 0, 0, 0, time.UTC))
	for in, want := range map[string]index.Query{
		"":                      {},
		"  run  tests ":         terms(term("run"), term("tests")),
		`"run tests"`:           terms(index.Term{Text: "run tests", Phrase: true}),
		`"say \"hi\" \\"`:       terms(index.Term{Text: `say "hi" \`, Phrase: true}),
		"proto*":                terms(index.Term{Text: "proto", Prefix: true}),
		"*":                     terms(term("*")),
		"npm|pnpm ci":           terms(term("npm"), index.Term{Text: "pnpm", Or: true}, term("ci")),
		`"lock file"|pn*|"x|y"`: terms(index.Term{Text: "lock file", Phrase: true}, index.Term{Text: "pn", Prefix: true, Or: true}, index.Term{Text: "x|y", Phrase: true, Or: true}),
		"-npm|yarn":             terms(index.Term{Text: "npm", Not: true}, index.Term{Text: "yarn", Or: true, Not: true}),
		"a|| |b | c|":           terms(term("a||"), term("|b"), term("|"), term("c|")),
		"-npm -\"force push\"":  terms(index.Term{Text: "npm", Not: true}, index.Term{Text: "force push", Phrase: true, Not: true}),
		"--no-verify -":         terms(term("--no-verify"), term("-")),
		"https://x.org std::string error: c:\\tmp":   terms(term("https://x.org"), term("std::string"), term("error:"), term("c:\\tmp")),
		"kind:Error cat:bugfix":                      index.Query{}.Where(index.Kind, "error").Where(index.Category, "bugfix"),
		`project:"My App" -role:developer:go tag:ci`: index.Query{}.Where(index.Project, "my app").Not(index.Role, "developer:go").Where(index.Tag, "ci"),
		"STATUS:Pending sort:used":                   {Filters: index.Query{}.Where(index.Status, "pending").Filters, Sort: index.Used},
		"conf:<0.6":                                  index.Query{}.Within(index.Confidence, index.Below(0.6)),
		"conf:0.5..0.8":                              index.Query{}.Within(index.Confidence, index.Range{Min: 0.5, Max: 0.8}),
		"confidence:high":                            index.Query{}.Within(index.Confidence, index.AtLeast(0.7)),
		"conf:medium":                                index.Query{}.Within(index.Confidence, index.AtLeast(0.4)).Within(index.Confidence, index.Below(0.7)),
		"age:>30d":                                   index.Query{}.Within(index.Age, index.Range{Min: 720, Max: inf, OpenMin: true}),
		"decided:2026-11-20":                         index.Query{}.Within(index.Decided, index.Range{Min: day, Max: day}),
		"decided:>=1970-01-02":                       index.Query{}.Within(index.Decided, index.AtLeast(1)),
		"age:1w..2m":                                 index.Query{}.Within(index.Age, index.Range{Min: 168, Max: 1440}),
		"used:0 harmed:>=2":                          index.Query{}.Within(index.UsedTimes, index.Range{}).Within(index.Harmed, index.AtLeast(2)),
		"by:rules who:person id:k7 global:yes":       index.Query{}.Where(index.By, "rules").Where(index.Who, "person").Where(index.ID, "k7").Where(index.Global, "yes"),
	} {
		got, err := index.ParseQuery(in)
		if err != nil {
			t.Errorf("ParseQuery(%q): %v", in, err)
		} else if !reflect.DeepEqual(got, want) {
			t.Errorf("ParseQuery(%q) = %+v, want %+v", in, got, want)
		}
	}
}

func TestParseQueryErrors(t *testing.T) {
	for in, want := range map[string]string{
		`run "tests`:           `column 5: this quotation mark is never closed; close it with another "`,
		"pojrect:octofs":       `column 1: no field is called "pojrect"; did you mean project:?`,
		"é localhost:8080":     `column 3: no field is called "localhost"; to search for the text, quote it: "localhost:…"`,
		"status:aproved":       `column 8: status cannot be "aproved"; did you mean approved?`,
		"status:zzz":           `column 8: status cannot be "zzz"; it is one of pending, approved, rejected, merged, archived`,
		"sort:newest":          `column 6: no order is called "newest"; it is one of relevance, created, confirmed, score, used, queue`,
		"sort:used sort:score": "column 11: there are two orders, used and score",
		"-sort:used":           "column 1: an order cannot be excluded; leave the minus out",
		"conf:1.5":             `column 6: "1.5" is no confidence; write conf:<0.6, conf:0.5..0.8 or conf:sure`,
		"conf:nan":             `column 6: "nan" is no confidence; write conf:<0.6, conf:0.5..0.8 or conf:sure`,
		"conf:0.8..0.5":        `column 6: "0.8..0.5" is no confidence; write conf:<0.6, conf:0.5..0.8 or conf:sure`,
		"-conf:medium":         "column 1: -conf:medium cannot be excluded; say which range is wanted",
		"decided:yesterday":    `column 9: "yesterday" is no day; write decided:2026-11-20, decided:>=2026-11-01 or decided:2026-11-01..2026-11-20`,
		"decided:2026-02-30":   `column 9: "2026-02-30" is no day; write decided:2026-11-20, decided:>=2026-11-01 or decided:2026-11-01..2026-11-20`,
		"age:30":               `column 5: "30" is no age; write age:>30d or age:1w..2w (h, d, w, m, y)`,
		"used:-1":              `column 6: "-1" is no number; write used:0, used:>3 or used:1..5`,
		`project:""`:           "column 9: project: has no value",
	} {
		_, err := index.ParseQuery(in)
		var syntax *index.SyntaxError
		if !errors.As(err, &syntax) || err.Error() != want {
			t.Errorf("ParseQuery(%q):\n got %v\nwant %s", in, err, want)
		}
	}
}

func FuzzParseQuery(f *testing.F) {
	for _, s := range []string{
		`run "force push" -npm proto* kind:error conf:<0.6 age:>30d used:0 sort:used`,
		`-project:"my \"app\"" conf:medium age:1y..2y decided:2026-01-01..2026-02-28 -decided:<2025-12-31 -"a\\" --x -- - * -* :a a: id:" "`,
		`npm|pnpm a||b |c d| "e f"|g*|"h" -i|j "k"||l *|* a|-b a|x:y |p|q`,
		"role:developer:go who:person by:rules global:no c:\\x http://y ::", "\xff\"\xff\" tag:\xff", "age:4294967295h tag:- tag:-\"",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		q, err := index.ParseQuery(s)
		if err != nil {
			var syntax *index.SyntaxError
			if !errors.As(err, &syntax) || syntax.Column < 1 || syntax.Column > len(s)+1 {
				t.Fatalf("ParseQuery(%q): %v", s, err)
			}
			return
		}
		again, err := index.ParseQuery(q.String())
		if err != nil || !reflect.DeepEqual(q, again) {
			t.Fatalf("ParseQuery(%q) = %+v, written as %q, read as %+v, %v", s, q, q.String(), again, err)
		}
	})
}

func TestTextIsNeverAFilter(t *testing.T) {
	q := index.Text(`fix status:pending "in quotes -minus`)
	if len(q.Filters) > 0 || len(q.Terms) != 5 {
		t.Errorf("Text = %+v", q)
	}
	if strings.Contains(q.String(), " status:") {
		t.Errorf("written, it has a filter: %s", q)
	}
}
