package mcp

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

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
			var in struct {
				Text    string
				IsError bool `json:"is_error"`
			}
			var got, want []string
			decode(t, input, &in)
			failed := json.Unmarshal(expected, &want) != nil // an error is expected, not a list
			res := &sdk.CallToolResult{IsError: in.IsError, Content: []sdk.Content{&sdk.TextContent{Text: in.Text}}}
			err := refusalIn("remember", res)
			if err == nil {
				for _, m := range memoriesOf(res) {
					got = append(got, m.Content)
				}
			}
			if !slices.Equal(got, want) || failed && err == nil {
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
		for _, s := range all.Suites { // those of other names are of other packages
			for _, c := range s.Cases {
				if f := run[s.Name]; f != nil {
					f(t, c.Input, c.Expected)
				}
			}
		}
	}
}

func decode(t *testing.T, data []byte, into any) {
	t.Helper()
	if err := json.Unmarshal(data, into); err != nil {
		t.Fatal(err)
	}
}
