package transcript_test

import (
	"context"
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

// TestScanShared holds what a scan counts against an independent count.
func TestScanShared(t *testing.T) {
	root := shared(t, "transcripts")
	for _, s := range sources(t) {
		if format(s.path) == "" {
			continue
		}
		info, err := transcript.Scan(context.Background(), transcript.File{Path: filepath.Join(root, filepath.FromSlash(s.path))})
		if err != nil {
			t.Fatal(err)
		}
		if info.Lines != s.lines || info.BadLines != 0 || info.Cut || counted(s.path) && info.Calls != s.calls {
			t.Errorf("%s: %d lines, %d bad, cut %v, %d calls, want %d, 0, false, %d", s.path, info.Lines, info.BadLines, info.Cut, info.Calls, s.lines, s.calls)
		}
	}
}
