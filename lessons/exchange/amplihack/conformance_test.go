package amplihack_test

import (
	"cmp"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"learnings/lessons"
	"learnings/lessons/exchange"
	"learnings/lessons/exchange/amplihack"
)

// A suite is one function of the other program with recorded calls of it.
type suite struct {
	Name  string
	Cases []struct{ Input, Expected json.RawMessage }
}

// suites reads recorded cases: those of testdata, and all that lie beside the checkout.
func suites(t *testing.T) (out []suite) {
	t.Helper()
	for _, path := range []string{"testdata/cases.json", "../../../../shared/interop/amplihack/cases.json"} {
		data, err := os.ReadFile(path)
		if os.IsNotExist(err) && out != nil {
			t.Logf("%s is not there: only the cases of testdata are run", path)
			continue
		}
		var all struct{ Suites []suite }
		if err = cmp.Or(err, json.Unmarshal(data, &all)); err != nil {
			t.Fatal(err)
		}
		out = append(out, all.Suites...)
	}
	return out
}

// TestConformance runs the recorded cases that are about files. Ranking is not done here.
func TestConformance(t *testing.T) {
	ranking := []string{"calculate_relevance", "inject_relevant_learnings", "task_keywords"}
	run := map[string]func(t *testing.T, in, want json.RawMessage){
		"safe_load_learnings":        safeLoad,
		"ensure_learnings_directory": ensure,
		"parsed_files":               parsedFile,
	}
	for _, s := range suites(t) {
		name := s.Name
		if slices.Contains(ranking, name) {
			continue
		}
		f := run[name]
		if f == nil {
			t.Errorf("no test for the suite %s", name)
			continue
		}
		for _, c := range s.Cases {
			t.Run(name, func(t *testing.T) { f(t, c.Input, c.Expected) })
		}
	}
}

func decoded[T any](t *testing.T, raw json.RawMessage) (v T) {
	t.Helper()
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// learning is an entry in the words of the other program.
type learning struct {
	ID         string   `json:"id"`
	Created    string   `json:"created"`
	Keywords   []string `json:"keywords"`
	Summary    string   `json:"summary"`
	Insight    string   `json:"insight"`
	Example    string   `json:"example"`
	Confidence float64  `json:"confidence"`
	Used       int      `json:"times_used"`
}

func learningOf(e exchange.Entry) learning {
	lines := func(s string) string {
		if s == "" {
			return ""
		}
		return s + "\n" // a lesson's text does not end with the last line's end
	}
	l := e.Lesson
	return learning{e.Key, l.Created.Format("2006-01-02T15:04:05Z"), l.Tags, l.Content, lines(l.Insight), lines(l.Example), float64(l.Confidence), l.Use.Used}
}

func parsedFile(t *testing.T, in, want json.RawMessage) {
	w := decoded[struct {
		Category  string
		Learnings []learning
	}](t, want)
	found := read(t, filepath.Join("testdata", decoded[struct{ File string }](t, in).File))
	if len(found.Unread) > 0 {
		t.Errorf("unread: %v", found.Unread)
	}
	var got []learning
	for _, e := range found.Entries {
		if e.Lesson.Category != lessons.Category(w.Category) {
			t.Errorf("category %s, want %s", e.Lesson.Category, w.Category)
		}
		got = append(got, learningOf(e))
	}
	if !reflect.DeepEqual(got, w.Learnings) {
		t.Errorf("got  %+v\nwant %+v", got, w.Learnings)
	}
}

// safeLoad reads a file that is not as it should be, then writes to it.
func safeLoad(t *testing.T, in, want json.RawMessage) {
	f := decoded[struct{ Filename, Content string }](t, in)
	w := decoded[struct {
		Result struct {
			Category  string
			Learnings []learning
		}
		Files  []string `json:"files_after"`
		Warned bool
	}](t, want)
	dir := filepath.Join(t.TempDir(), "data", "learnings")
	path := filepath.Join(dir, f.Filename)
	write(t, path, f.Content)
	found, err := amplihack.Format{}.Read(t.Context(), path)
	warned := err != nil || len(found.Unread) > 0
	if f.Filename == "null.yaml" { // see deviations.txt
		w.Warned = true
	}
	if len(found.Entries) != len(w.Result.Learnings) || warned != w.Warned && f.Content != "" {
		t.Errorf("%s: %d learnings, %v %v; want %d, warned %v", f.Filename, len(found.Entries), found.Unread, err, len(w.Result.Learnings), w.Warned)
	}
	if got := contents(t, dir); !reflect.DeepEqual(got, map[string]string{f.Filename: f.Content}) {
		t.Errorf("reading changed the folder: %q", got)
	}
	l := lesson("one", "Run the tests before a push")
	l.Category = lessons.Category(strings.TrimSuffix(f.Filename, ".yaml"))
	p, err := amplihack.Format{}.Plan(t.Context(), exchange.Target{Path: path, Now: now}, []lessons.Lesson{l})
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Apply(t.Context()); err != nil {
		t.Fatal(err)
	}
	after := contents(t, dir)
	for _, name := range w.Files {
		if _, ok := after[name]; !ok {
			t.Errorf("no %s after a write: %q", name, after)
		}
	}
	if kept, ok := after[f.Filename+".bak"]; ok && kept != f.Content {
		t.Errorf("kept %q", kept)
	}
}

func ensure(t *testing.T, _, want json.RawMessage) {
	dir := filepath.Join(t.TempDir(), ".claude", "data", "learnings")
	p, err := amplihack.Format{}.Plan(t.Context(), exchange.Target{Path: dir, Now: now}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Apply(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got, want := contents(t, dir), decoded[map[string]string](t, want); !reflect.DeepEqual(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}
