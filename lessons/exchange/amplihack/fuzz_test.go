package amplihack

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"learnings/lessons"
	"learnings/lessons/file"
)

// FuzzDocument reads anything: what nothing is changed in is as it was, and a change
// either says what it should afterwards or is not made.
func FuzzDocument(f *testing.F) {
	paths, err := filepath.Glob("testdata/v*/*.yaml")
	if err != nil || len(paths) == 0 {
		f.Fatal("no seeds: ", err)
	}
	for _, p := range paths {
		data, err := os.ReadFile(p)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data, "Run the tests")
	}
	f.Add([]byte("learnings:\n- summary: >2\n\n    a\n  id: !!str &x b\n- {summary: \"c\\\n  d\"}\n"), "x\n# y")
	now := time.Date(2026, 11, 22, 13, 0, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, data []byte, say string) {
		d := parseDocument("errors.yaml", "errors", data)
		if text, _, err := d.finish(now); err != nil || string(text) != string(data) {
			t.Fatalf("%q becomes %q, %v", data, text, err)
		}
		want := map[string]fields{}
		for i, e := range d.entries {
			said := e.said
			said.Used++
			if s := lessons.Line(say); s != "" {
				said.Summary, said.Insight, said.Keywords = s, file.Block(say), []string{s}
			}
			switch {
			case i%3 == 2 && d.drop(e) == nil:
				continue
			case d.change(e, said) == nil:
				want[e.key] = said
			default:
				want[e.key] = e.said
			}
		}
		_, after, err := d.finish(now)
		if err != nil {
			return // it says that it leaves the file as it is
		}
		if len(after.entries) != len(want) {
			t.Errorf("%q: %d entries instead of %d", data, len(after.entries), len(want))
		}
		counts{total: 1}.into(data, now)
	})
}
