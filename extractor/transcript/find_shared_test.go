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

// TestScanShared holds the counts of a scan against those of a full read.
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
		if info.Lines != s.lines || info.BadLines != 0 || info.Cut {
			t.Errorf("%s: %d lines, %d bad, cut %v, want %d, 0", s.path, info.Lines, info.BadLines, info.Cut, s.lines)
		}
		turns, session := turnsOf(t, s.path)
		var human, failed, calls int
		for _, u := range turns {
			if u.Kind == transcript.Call && (!u.Sidechain || session.Parent != "") {
				calls++
			}
			if u.Speaker == transcript.Person && u.Text != "" {
				human++
			}
			if u.Failed && (!u.Sidechain || session.Parent != "") {
				failed++
			}
		}
		if !counted(s.path) {
			s.calls = calls
		}
		if human != info.Human || failed != info.ToolErrors || info.Calls != calls || calls != s.calls {
			t.Errorf("%s: scan says %d human, %d errors, %d calls; reading says %d, %d, %d, the count %d", s.path, info.Human, info.ToolErrors, info.Calls, human, failed, calls, s.calls)
		}
	}
}
