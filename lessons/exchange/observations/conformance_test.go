package observations

import (
	"cmp"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
)

// A suite is one function of another program with recorded calls of it.
type suite struct {
	Name  string
	Cases []struct {
		Test            string
		Input, Expected json.RawMessage
	}
}

// recorded reads recorded cases: those of testdata, whose source is in SOURCES.txt there, and
// all that lie beside the checkout.
func recorded(t *testing.T) (out []suite) {
	t.Helper()
	const beside = "../../../../shared/interop/"
	for _, path := range []string{"testdata/cases.json", "testdata/companion-cases.json", beside + "claude-mem/cases.json", beside + "claude-mem-architecture/cases.json"} {
		data, err := os.ReadFile(path)
		if os.IsNotExist(err) && strings.HasPrefix(path, beside) {
			t.Logf("%s is not there", path)
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

func decoded[T any](t *testing.T, raw json.RawMessage) (v T) {
	t.Helper()
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatalf("%s: %v", raw, err)
	}
	return v
}

// equal makes a runner of a function that takes and gives one value each.
func equal[In any, Out comparable](f func(In) Out) func(*testing.T, json.RawMessage, json.RawMessage) {
	return func(t *testing.T, in, want json.RawMessage) {
		if got, want := f(decoded[In](t, in)), decoded[Out](t, want); got != want {
			t.Errorf("got %v, want %v", got, want)
		}
	}
}

// elsewhere are suites of functions that lie in other packages, with their tests.
var elsewhere = []string{"parseAgentXml", "parseAgentXml_code_mode", "classifyObserverOutput", "previewOutput"}

// others are suites of functions that have no counterpart here.
var others = []string{"calculateTokenEconomics", "_term_frequency", "_cosine_similarity"}

var run = map[string]func(t *testing.T, in, want json.RawMessage){
	"stripMemoryTags":           equal(public),
	"isInternalProtocolPayload": equal(protocol),
	"normalizeStoredPromptText": equal(storedPrompt),
	"normalizePlatformSource":   equal(platform),
	"computeObservationContentHash": equal(func(o observation) string {
		return contentHash(string(o.Session), string(o.Title), string(o.Narrative))
	}),
	"calculateObservationTokens": equal(observation.tokens),
	"extractFirstFile": equal(func(in []string) string {
		return firstFile(in[0], in[1], append(in, "")[2])
	}),
	"_tokenize": func(t *testing.T, in, want json.RawMessage) {
		q := decoded[struct{ Text string }](t, in) // the list of words to drop is empty in all cases
		if got, want := tokens(q.Text), decoded[[]string](t, want); !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	},
	"parseFileList": func(t *testing.T, in, want json.RawMessage) {
		if got, want := files(decoded[string](t, in)), decoded[[]string](t, want); !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	},
}

func TestConformance(t *testing.T) {
	for _, s := range recorded(t) {
		if slices.Contains(elsewhere, s.Name) || slices.Contains(others, s.Name) {
			continue
		}
		f := run[s.Name]
		if f == nil {
			t.Errorf("no test for the suite %s", s.Name)
			continue
		}
		for _, c := range s.Cases {
			t.Run(s.Name+"/"+c.Test, func(t *testing.T) { f(t, c.Input, c.Expected) })
		}
	}
}
