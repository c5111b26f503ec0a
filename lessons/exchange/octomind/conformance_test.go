package octomind

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"learnings/lessons"
	"learnings/lessons/file"
)

// elsewhere are the suites that run where their functions are, over the same file.
var elsewhere = map[string]string{
	"parse_lesson_tags": "extractor/model", "parse_lessons_with_evidence": "extractor/model", "parse_lessons_derived": "extractor/model",
	"decision_gate": "extractor/model", "extract_attr": "extractor/model", "parse_supersedes": "extractor/model",
}

// others are suites of functions that have no counterpart here: how lessons are chosen
// for a session, and how they are written there.
var others = []string{
	"format_existing", "is_duplicate", "is_duplicate_derived", "word_overlap", "best_overlap", "rank_by_keywords", "retrieve_by_patterns_derived",
	"reciprocal_rank_fusion", "importance_factor", "recency_factor", "retention_utility_derived",
}

// conformance runs a case of each suite that is about files.
var conformance = map[string]func(t *testing.T, era string, input, expected json.RawMessage){
	"slugify": func(t *testing.T, _ string, input, expected json.RawMessage) {
		in := read[struct {
			Text string
			Max  int `json:"max_len"`
		}](t, input)
		_, slug, _ := strings.Cut(file.Stem(lessons.Lesson{Wording: lessons.Wording{Content: in.Text}}), "-")
		if r := []rune(slug); len(r) > in.Max {
			slug = strings.TrimRight(string(r[:in.Max]), "-")
		}
		same(t, input, slug, read[string](t, expected))
	},
	"file_id":         stemCase,
	"file_id_derived": stemCase,
	"escape_roundtrip": func(t *testing.T, _ string, input, expected json.RawMessage) {
		s := read[string](t, input)
		same(t, input, escape(s), read[struct{ Escaped string }](t, expected).Escaped)
		same(t, input, unescape(escape(s)), s)
	},
	"unescape": func(t *testing.T, _ string, input, expected json.RawMessage) {
		same(t, input, unescape(read[string](t, input)), read[string](t, expected))
	},
	"parse_string_list": func(t *testing.T, _ string, input, expected json.RawMessage) {
		same(t, input, stringList(read[string](t, input)), read[[]string](t, expected))
	},
	"parse_lesson_file": func(t *testing.T, era string, input, expected json.RawMessage) {
		readCase(t, era, read[string](t, input), expected)
	},
	"parse_lesson_file_derived": func(t *testing.T, _ string, input, expected json.RawMessage) {
		for era, want := range read[map[string]json.RawMessage](t, expected) {
			readCase(t, era, read[string](t, input), want)
		}
	},
}

func stemCase(t *testing.T, _ string, input, expected json.RawMessage) {
	in := read[struct{ Content, Created string }](t, input)
	at, err := time.Parse(time.RFC3339Nano, in.Created)
	if err != nil {
		t.Fatal(err)
	}
	same(t, input, file.Stem(lessons.Lesson{Wording: lessons.Wording{Content: in.Content}, Created: at}), read[string](t, expected))
}

// readCase compares what a version reads with the keys that it knew.
func readCase(t *testing.T, era, text string, expected json.RawMessage) {
	t.Helper()
	reader := present
	if era == "seed" {
		reader = first
	}
	r, ok := reader(text)
	want := read[map[string]any](t, expected)
	if ok != (want != nil) {
		t.Errorf("%q, %s: read: %v", text, era, ok)
		return
	}
	data, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	got := read[map[string]any](t, data)
	for key, w := range want {
		if !reflect.DeepEqual(got[key], w) {
			t.Errorf("%q, %s: %s is %v, want %v", text, era, key, got[key], w)
		}
	}
}

func same(t *testing.T, input json.RawMessage, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s: got %#v, want %#v", input, got, want)
	}
}

func read[T any](t *testing.T, raw json.RawMessage) (v T) {
	t.Helper()
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatalf("%s: %v", raw, err)
	}
	return v
}

func TestConformance(t *testing.T) {
	deviations := map[string]bool{}
	text, err := os.ReadFile(filepath.Join("testdata", "deviations.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if f := strings.Split(strings.TrimSpace(line), "\t"); len(f) == 3 && !strings.HasPrefix(line, "#") {
			deviations[f[0]+"\t"+f[1]] = true
		}
	}
	type suite struct {
		Name, Era string
		Cases     []struct {
			Name            string
			Input, Expected json.RawMessage
		}
	}
	var all []suite
	for _, path := range []string{"testdata/cases.json", "../../../../shared/interop/octomind/cases.json"} {
		data, err := os.ReadFile(path)
		if os.IsNotExist(err) && all != nil {
			t.Logf("%s is not there: only the cases of testdata are run", path)
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, read[struct{ Suites []suite }](t, data).Suites...)
	}
	for _, s := range all {
		check := conformance[s.Name]
		if check == nil {
			if elsewhere[s.Name] == "" && !slices.Contains(others, s.Name) && !deviations[s.Name+"\t*"] {
				t.Errorf("nothing runs the suite %s", s.Name)
			}
			continue
		}
		t.Run(s.Name, func(t *testing.T) {
			for _, c := range s.Cases {
				if !deviations[s.Name+"\t"+c.Name] {
					check(t, s.Era, c.Input, c.Expected)
				}
			}
		})
	}
}
