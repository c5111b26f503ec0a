package transcript_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"learnings/extractor/transcript"
)

// TestGitHubAuthors checks who is believed as a person, and what is kept of where a
// comment stands.
func TestGitHubAuthors(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("testdata", "github", "lines.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]transcript.Speaker{}
	for turn, err := range transcript.NewReader(bytes.NewReader(data), transcript.GitHub, transcript.Options{}).Turns() {
		if err != nil {
			t.Fatal(err)
		}
		if turn.Author == "" {
			continue
		}
		got[turn.Author] = turn.Speaker
		if !strings.HasPrefix(turn.Link, "https://github.com/ann/shop/pull/12#") || turn.Session != "ann/shop#12" {
			t.Errorf("%s: %q in %q", turn.Author, turn.Link, turn.Session)
		}
	}
	for who, want := range map[string]transcript.Speaker{"bea": transcript.Person, "cyd": transcript.Person, "ghost": transcript.Person, "mallory": transcript.Agent} {
		if got[who] != want {
			t.Errorf("%s is %q", who, got[who])
		}
	}
}

// TestGitHubNesting checks that lists within lists end the reading soon.
func TestGitHubNesting(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("testdata", "github", "slurped.json"))
	if err != nil {
		t.Fatal(err)
	}
	deep := append(append([]byte("["), data...), bytes.Repeat([]byte("["), 1<<20)...)
	n := 0
	for _, err := range transcript.NewReader(bytes.NewReader(deep), transcript.GitHub, transcript.Options{}).Turns() {
		if err == nil {
			n++
		}
	}
	if n > 20 {
		t.Errorf("%d turns", n)
	}
}

func FuzzGitHubLines(f *testing.F) {
	for _, name := range []string{"comments.json", "pages.json", "slurped.json", "lines.jsonl"} {
		data, err := os.ReadFile(filepath.Join("testdata", "github", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add([]byte(`[[[{}]],{},1,"x",null]{"a":1}[]`))
	f.Fuzz(func(t *testing.T, data []byte) {
		lines, err := transcript.GitHubLines(data)
		if err != nil {
			return
		}
		for line := range bytes.Lines(lines) {
			var o map[string]json.RawMessage
			if err := json.Unmarshal(line, &o); err != nil {
				t.Fatalf("%q: %v", line, err)
			}
		}
		again, err := transcript.GitHubLines(lines)
		if err != nil || !bytes.Equal(again, lines) {
			t.Fatalf("%q becomes %q, %v", lines, again, err)
		}
	})
}
