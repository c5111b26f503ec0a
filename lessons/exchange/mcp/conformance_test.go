package mcp

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"learnings/lessons"
)

// TestConformance runs the recorded cases of Octomind's backend of this name: those of
// testdata, and all that lie beside the checkout.
func TestConformance(t *testing.T) {
	run := map[string]func(t *testing.T, input, expected json.RawMessage){
		"mcp_field_value_mapping": func(t *testing.T, input, expected json.RawMessage) {
			var in struct{ Confidence string }
			var want string
			decode(t, input, &in)
			decode(t, expected, &want)
			c, err := lessons.ParseConfidence(in.Confidence)
			if got := fields(lessons.Lesson{Confidence: c}, form{})["confidence"]; err != nil || got != want {
				t.Errorf("%s: %v, want %s", input, got, want)
			}
		},
		"mcp_parse_retrieve_result": func(t *testing.T, input, expected json.RawMessage) {
			var in struct{ Text string }
			var want, got []string
			decode(t, input, &in)
			decode(t, expected, &want)
			for _, m := range parse(in.Text) {
				got = append(got, m.Content)
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s: %q, want %q", input, got, want)
			}
		},
	}
	for _, path := range []string{"testdata/cases.json", filepath.Join("..", "..", "..", "..", "shared", "interop", "octomind", "cases.json")} {
		data, err := os.ReadFile(path)
		if errors.Is(err, fs.ErrNotExist) && path != "testdata/cases.json" {
			t.Logf("%s is not there: only the cases of testdata are run", path)
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		var all struct {
			Suites []struct {
				Name  string
				Cases []struct{ Input, Expected json.RawMessage }
			}
		}
		decode(t, data, &all)
		n := 0
		for _, s := range all.Suites {
			for _, c := range s.Cases {
				if f := run[s.Name]; f != nil {
					f(t, c.Input, c.Expected)
					n++
				}
			}
		}
		if n == 0 {
			t.Errorf("%s has no cases", path)
		}
	}
}

func decode(t *testing.T, data []byte, into any) {
	t.Helper()
	if err := json.Unmarshal(data, into); err != nil {
		t.Fatal(err)
	}
}
