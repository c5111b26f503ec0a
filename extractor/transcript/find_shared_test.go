package transcript_test

import (
	"path/filepath"
	"testing"

	"learnings/extractor/transcript"
)

// TestFindShared takes the session files, and no others, out of a folder that
// holds those of a dozen agents.
func TestFindShared(t *testing.T) {
	root := shared(t, "transcripts")
	got := map[string]transcript.Format{}
	for f, err := range transcript.Find(transcript.Places{{Path: root, Named: true}}) {
		if err != nil {
			t.Fatal(err)
		}
		rel, err := filepath.Rel(root, f.Path)
		if err != nil {
			t.Fatal(err)
		}
		got[filepath.ToSlash(rel)] = f.Format
	}
	for _, s := range sources(t) {
		if want := format(s.path); got[s.path] != want && s.kind != "fixture" {
			t.Errorf("%s: %q, want %q", s.path, got[s.path], want)
		}
		if s.kind == "fixture" && got[s.path] != "" {
			t.Logf("fixture %s: %s", s.path, got[s.path])
		}
	}
}
