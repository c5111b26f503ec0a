package rank

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"go.yaml.in/yaml/v3"

	"learnings/index"
	"learnings/index/recall"
	"learnings/lessons"
)

const amplihackData = "../../lessons/exchange/amplihack/testdata"

// TestAmplihack runs the recorded cases of its ranking.
func TestAmplihack(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(amplihackData, "cases.json"))
	if err != nil {
		t.Fatal(err)
	}
	var all struct {
		Suites []struct {
			Name  string
			Cases []struct{ Input, Expected json.RawMessage }
		}
	}
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	run := map[string]func(t *testing.T, input, expected json.RawMessage){
		"calculate_relevance": func(t *testing.T, input, expected json.RawMessage) {
			in := read[struct {
				Task     []string `json:"task_keywords"`
				Learning []string `json:"learning_keywords"`
			}](t, input)
			set := func(words []string) map[string]bool {
				out := map[string]bool{}
				for _, w := range words {
					out[w] = true
				}
				return out
			}
			near(t, input, relevance(set(in.Task), set(in.Learning)), read[float64](t, expected))
		},
		"task_keywords": func(t *testing.T, input, expected json.RawMessage) {
			if got, want := slices.Sorted(maps.Keys(taskKeywords(read[string](t, input)))), read[[]string](t, expected); !slices.Equal(got, want) {
				t.Errorf("%s: got %q, want %q", input, got, want)
			}
		},
		"inject_relevant_learnings": injected,
	}
	ran := 0
	for _, s := range all.Suites {
		for _, c := range s.Cases {
			if f := run[s.Name]; f != nil {
				f(t, c.Input, c.Expected)
				ran++
			}
		}
	}
	if ran < 18 {
		t.Errorf("%d cases ran", ran)
	}
}

// injected compares the whole block: which learnings are given, in which order, and how.
func injected(t *testing.T, input, expected json.RawMessage) {
	in := read[struct {
		Prompt string
		Dir    string `json:"learnings_dir"`
	}](t, input)
	ls := learningsOf(t, in.Dir)
	r, ok := Named("amplihack")
	if !ok {
		t.Fatal("no ranker")
	}
	form, ok := recall.FormNamed("amplihack")
	if !ok {
		t.Fatal("no form")
	}
	var given []lessons.Lesson
	for _, p := range r.Rank(index.Question{Text: in.Prompt, Now: now}, ls) {
		given = append(given, ls[p.At])
	}
	if got, want := form.Text(given), read[string](t, expected); got != want {
		t.Errorf("%s: got\n%s\nwant\n%s", input, got, want)
	}
}

func learningsOf(t *testing.T, dir string) (out []lessons.Lesson) {
	t.Helper()
	for _, name := range []string{"errors", "workflows", "tools", "architecture", "debugging"} {
		data, err := os.ReadFile(filepath.Join(amplihackData, dir, name+".yaml"))
		if err != nil {
			t.Fatal(err)
		}
		var file struct {
			Learnings []struct {
				Summary, Insight string
				Keywords         []string
				Confidence       lessons.Confidence
			}
		}
		if err := yaml.Unmarshal(data, &file); err != nil {
			t.Fatal(err)
		}
		for _, l := range file.Learnings {
			out = append(out, lessons.Lesson{Wording: lessons.Wording{Content: l.Summary, Insight: l.Insight}, Tags: l.Keywords, Confidence: l.Confidence})
		}
	}
	return out
}
