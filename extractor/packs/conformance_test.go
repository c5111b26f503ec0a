package packs

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"learnings/lessons"
)

// suites reads recorded cases: those of testdata, and all that lie beside the checkout.
func suites(t *testing.T, name string) []recorded {
	t.Helper()
	var out []recorded
	for _, path := range []string{filepath.Join("testdata", "cases.json"), filepath.Join("..", "..", "..", "shared", "interop", "gimli", "cases.json")} {
		data, err := os.ReadFile(path)
		if os.IsNotExist(err) && len(out) > 0 {
			t.Logf("%s is not there: only the cases of testdata are run", path)
			break
		}
		var all struct {
			Suites []struct {
				Name  string
				Cases []recorded
			}
		}
		if err == nil {
			err = json.Unmarshal(data, &all)
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range all.Suites {
			if s.Name == name {
				out = append(out, s.Cases...)
			}
		}
	}
	if len(out) == 0 {
		t.Fatalf("no cases of %s", name)
	}
	return out
}

type recorded struct {
	Test            string
	Input, Expected json.RawMessage
}

// same compares what is given with what was recorded, as JSON.
func same(t *testing.T, c recorded, got any) {
	t.Helper()
	data, err := json.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	var a, b any
	if err := json.Unmarshal(data, &a); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(c.Expected, &b); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(a, b) {
		t.Errorf("%s\n of %s\n is %s\nnot %s", c.Test, c.Input, data, c.Expected)
	}
}

func decode(t *testing.T, data []byte, into ...any) {
	t.Helper()
	parts := []json.RawMessage{data}
	if len(into) > 1 {
		if err := json.Unmarshal(data, &parts); err != nil {
			t.Fatal(err)
		}
	}
	for i, p := range parts {
		if err := json.Unmarshal(p, into[i]); err != nil {
			t.Fatal(err)
		}
	}
}

func TestConformance(t *testing.T) {
	for suite, run := range map[string]func(*testing.T, recorded) any{
		"extractPreferences": func(t *testing.T, c recorded) any {
			var ms []Message
			limits := DefaultThresholds
			if json.Unmarshal(c.Input, &ms) != nil {
				decode(t, c.Input, &ms, &limits)
			}
			out := []map[string]any{}
			for _, p := range Read(ms, limits) {
				out = append(out, map[string]any{"type": p.Type, "key": p.Key, "value": p.Value, "confidence": p.Confidence, "evidenceCount": p.Evidence})
			}
			return out
		},
		"toConfidenceLevel": func(t *testing.T, c recorded) any {
			var n lessons.Confidence
			decode(t, c.Input, &n)
			return n.Word()
		},
		"formatPreferenceSummary": func(t *testing.T, c recorded) any {
			var ps []Preference
			decode(t, c.Input, &ps)
			return Summary(ps)
		},
		"extractFromMessage_public_stub": func(t *testing.T, c recorded) any {
			var in struct{ Message string }
			decode(t, c.Input, &in)
			return append([]Learning{}, fromMessage(in.Message)...)
		},
		"seed_document_regexes": func(t *testing.T, c recorded) any {
			var in struct{ Message string }
			decode(t, c.Input, &in)
			return map[string]any{"corrections": matches(corrections, in.Message), "preferences": matches(wishes, in.Message), "success": matches(successes, in.Message)}
		},
	} {
		t.Run(suite, func(t *testing.T) {
			for _, c := range suites(t, suite) {
				same(t, c, run(t, c))
			}
		})
	}
}
