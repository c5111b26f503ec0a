package rank

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"testing"
	"time"

	"learnings/index"
	"learnings/lessons"
	"learnings/lessons/file"
)

// cases are what is recorded of Octomind: suites of inputs and what becomes of them.
const cases = "../../lessons/exchange/octomind/testdata/cases.json"

var now = time.Date(2026, 9, 1, 12, 0, 0, 0, time.UTC)

// text is a lesson as the cases have it.
type text struct {
	Content string
	Tags    []string
}

func made(in []text) []lessons.Lesson {
	out := make([]lessons.Lesson, len(in))
	for i, t := range in {
		out[i] = lessons.Lesson{Wording: lessons.Wording{Content: t.Content}, Tags: t.Tags, Confidence: 0.6}
	}
	return out
}

func contents(in []string) []lessons.Lesson {
	var all []text
	for _, s := range in {
		all = append(all, text{Content: s})
	}
	return made(all)
}

// conformance runs each suite with the functions that it is about.
var conformance = map[string]func(t *testing.T, input, expected json.RawMessage){
	"rank_by_keywords": func(t *testing.T, input, expected json.RawMessage) {
		in := read[struct {
			Lessons  []text
			Patterns []string
		}](t, input)
		if got, want := places(keywords(in.Patterns, made(in.Lessons))), read[[]int](t, expected); !slices.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", input, got, want)
		}
	},
	"retrieve_by_patterns_derived": func(t *testing.T, input, expected json.RawMessage) {
		in := read[struct {
			Lessons  []text
			Patterns []string
		}](t, input)
		if got, want := places(containing(in.Patterns, made(in.Lessons))), read[[]int](t, expected); !slices.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", input, got, want)
		}
	},
	"reciprocal_rank_fusion": func(t *testing.T, input, expected json.RawMessage) {
		in := read[struct {
			Total    int
			Rankings [][]int
			Weights  []float64
		}](t, input)
		want := read[struct {
			Order  []int
			Scores []float64
		}](t, expected)
		var rankings []ranking
		for i, r := range in.Rankings {
			rankings = append(rankings, ranking{r, in.Weights[i]})
		}
		got := fuse(in.Total, rankings...)
		if !slices.Equal(places(got), want.Order) {
			t.Errorf("%s: got %v, want %v", input, got, want)
			return
		}
		for i, p := range got {
			near(t, input, p.Score, want.Scores[i])
		}
	},
	"importance_factor": func(t *testing.T, input, expected json.RawMessage) {
		near(t, input, importanceFactor(read[float64](t, input)), read[float64](t, expected))
	},
	"recency_factor": func(t *testing.T, input, expected json.RawMessage) {
		in := read[struct {
			Age     *float64 `json:"age_days"`
			Created string
		}](t, input)
		created, _ := time.Parse(time.RFC3339, in.Created)
		if in.Age != nil {
			created = now.Add(-time.Duration(*in.Age * 24 * float64(time.Hour)))
		}
		near(t, input, recency(created, now), read[float64](t, expected))
	},
	"retention_utility_derived": func(t *testing.T, input, expected json.RawMessage) {
		in := read[struct {
			Importance float64
			Confidence string
			Uses       int     `json:"use_count"`
			Age        float64 `json:"age_days"`
		}](t, input)
		c, err := lessons.ParseConfidence(in.Confidence)
		if err != nil {
			t.Fatal(err)
		}
		l := lessons.Lesson{
			Confidence: c, Use: lessons.Use{Used: in.Uses}, Created: now.Add(-time.Duration(in.Age * 24 * float64(time.Hour))),
			Extra: []lessons.Field{{Key: "importance", Value: fmt.Sprint(in.Importance)}},
		}
		near(t, input, utility(l, now), read[float64](t, expected))
	},
	"is_duplicate":         duplicate,
	"is_duplicate_derived": duplicate,
	"word_overlap": func(t *testing.T, input, expected json.RawMessage) {
		in := read[struct{ New, Existing string }](t, input)
		near(t, input, overlap(in.New, in.Existing), read[float64](t, expected))
	},
	"best_overlap": func(t *testing.T, input, expected json.RawMessage) {
		in := read[struct {
			New      string
			Existing []string
		}](t, input)
		want := read[*string](t, expected)
		got := repeated(in.New, contents(in.Existing))
		if len(got) == 0 != (want == nil) || want != nil && in.Existing[got[0].At] != *want {
			t.Errorf("%s: got %v", input, got)
		}
	},
}

func duplicate(t *testing.T, input, expected json.RawMessage) {
	in := read[struct {
		New      string
		Existing []string
	}](t, input)
	if got := len(repeated(in.New, contents(in.Existing))) > 0; got != read[bool](t, expected) {
		t.Errorf("%s: got %v", input, got)
	}
}

func near(t *testing.T, input json.RawMessage, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-6 {
		t.Errorf("%s: got %v, want %v", input, got, want)
	}
}

func read[T any](t *testing.T, raw json.RawMessage) (v T) {
	t.Helper()
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatalf("%s: %v", raw, err)
	}
	return v
}

func TestOctomindCases(t *testing.T) {
	data, err := os.ReadFile(cases)
	if err != nil {
		t.Fatal(err)
	}
	all := read[struct {
		Suites []struct {
			Name  string
			Cases []struct{ Input, Expected json.RawMessage }
		}
	}](t, data)
	ran := map[string]bool{}
	for _, s := range all.Suites {
		check, ok := conformance[s.Name]
		if !ok {
			continue // of another package
		}
		ran[s.Name] = true
		t.Run(s.Name, func(t *testing.T) {
			for _, c := range s.Cases {
				check(t, c.Input, c.Expected)
			}
		})
	}
	if len(ran) != len(conformance) {
		t.Errorf("only the suites %v were there", ran)
	}
}

func TestOctomindOrder(t *testing.T) {
	at := now.AddDate(0, 0, -300)
	lesson := func(content, importance string, extra ...lessons.Field) lessons.Lesson {
		l := lessons.Lesson{Wording: lessons.Wording{Content: content}, Confidence: 0.6, Created: at}
		l.Extra = append([]lessons.Field{{Key: "importance", Value: importance}}, extra...)
		return l
	}
	ask := func(q index.Question, ls ...lessons.Lesson) []int {
		q.Now = now
		return places(octomindNow(q, ls))
	}
	ls := []lessons.Lesson{lesson("never", "0.6"), lesson("retry uploads", "0.6"), lesson("retry downloads", "0.9")}
	if got := ask(index.Question{Text: "retry"}, ls...); !slices.Equal(got, []int{2, 1}) {
		t.Errorf("importance does not tell equals apart: %v", got)
	}
	if got := ask(index.Question{}, ls...); !slices.Equal(got, []int{2, 0, 1}) {
		t.Errorf("without a task: %v, want the most important first", got)
	}
	if got := ask(index.Question{Text: "retry", Near: 1}, ls...); !slices.Equal(got, []int{2, 1, 0}) && !slices.Equal(got, []int{2, 0, 1}) {
		t.Errorf("what is near only is left out: %v", got)
	}
	// What is related comes with what was found, in both directions.
	target := lesson("target", "0.6")
	link := []lessons.Field{{Key: "related", Value: `["` + file.Stem(target) + `"]`}}
	root := lesson("root", "0.6", link...)
	other := lesson("other", "0.6", link...)
	if got := ask(index.Question{Text: "root"}, target, root, other); !slices.Equal(got, []int{1, 0}) {
		t.Errorf("related: %v", got)
	}
	if got := ask(index.Question{Text: "target"}, target, root, other); !slices.Equal(got, []int{0, 1, 2}) {
		t.Errorf("backlinks: %v", got)
	}
	// The best of the first by keywords is no further back than fifth.
	many := make([]lessons.Lesson, 0, 9)
	for range 8 {
		many = append(many, lesson("near", "0.6"))
	}
	many = append(many, lesson("the very words", "0.3"))
	if got := ask(index.Question{Text: "words", Near: 8}, many...); got[4] != 8 {
		t.Errorf("the only one with the word is not fifth: %v", got)
	}
}

func TestPatterns(t *testing.T) {
	for text, want := range map[string][]string{
		"":                              nil,
		"Fix the retry of uploads":      {"Fix", "the", "retry", "uploads"},
		"rate limit, retry backoff":     {"rate limit", "retry backoff"},
		`"rate limit" in the reqwest`:   {"rate limit", "the", "reqwest"},
		"rate limit\nhttp client\n\n":   {"rate limit", "http client"},
		`an "unclosed phrase here, yes`: {"unclosed phrase here, yes"},
	} {
		if got := patterns(text); !slices.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}
