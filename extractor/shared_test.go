package extractor_test

import (
	"os"
	"path/filepath"
	"testing"

	"learnings/extractor"
	"learnings/extractor/rules"
	"learnings/extractor/transcript"
)

// shared returns the real sessions beside the repository.
func shared(t testing.TB) []transcript.File {
	t.Helper()
	var files []transcript.File
	for _, agent := range []string{"claude-code", "codex"} {
		dir := filepath.Join("..", "..", "shared", "transcripts", agent)
		if _, err := os.Stat(dir); err != nil {
			t.Skipf("no shared transcripts: %v", err)
		}
		for f, err := range transcript.FindKnown(transcript.Places{{Path: dir, Named: true}}, nil) {
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, f)
		}
	}
	return files
}

var realOptions = extractor.Options{Proposers: []extractor.Proposer{rules.Rules{}}, Project: filepath.Base}

// Whatever real sessions hold, each gives a batch, and what is proposed can be
// stored. A second run over them proposes nothing.
func TestSharedSessions(t *testing.T) {
	if testing.Short() {
		t.Skip("left out with -short: reads 50 MB")
	}
	files := shared(t)
	marks, err := extractor.OpenLedger(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	batches, proposed := 0, 0
	for b, err := range extractor.Run(t.Context(), files, marks, realOptions) {
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range b.Lessons {
			if err := l.Validate(); err != nil {
				t.Error(err)
			}
		}
		batches++
		proposed += len(b.Lessons)
		if err := marks.Commit(b.Mark); err != nil {
			t.Fatal(err)
		}
	}
	if batches != len(files) || proposed == 0 {
		t.Errorf("%d batches of %d files, %d lessons", batches, len(files), proposed)
	}
	for b, err := range extractor.Run(t.Context(), files, marks, realOptions) {
		t.Errorf("second run: %s: %d lessons, %v", b.File.Path, len(b.Lessons), err)
	}
}

// A session that is extracted again and again as it grows, cut wherever it was
// just then, costs each byte about once and gives each lesson once. It may miss
// one that only what came later would have shown to be meant so.
func TestSharedGrowth(t *testing.T) {
	if testing.Short() {
		t.Skip("left out with -short: reads 50 MB")
	}
	const steps = 7
	total, missing, sessions := 0, 0, 0
	for _, f := range shared(t) {
		if f.Size < 1<<20 || sessions == 12 {
			continue
		}
		whole, err := extractor.Extract(t.Context(), f, extractor.Mark{}, realOptions)
		if err != nil {
			t.Fatal(err)
		}
		if len(whole.Lessons) == 0 {
			continue
		}
		data, err := os.ReadFile(f.Path)
		if err != nil {
			t.Fatal(err)
		}
		found, read := grow(t, data, steps)
		if most := int64(len(data)) + steps*(256<<10); read > most {
			t.Errorf("%s: %d bytes read of %d", f.Path, read, len(data))
		}
		sessions++
		for _, l := range whole.Lessons {
			total++
			switch n := found[l.Content]; {
			case n == 0:
				missing++
			case n > 1:
				t.Errorf("%s: %d times %q", f.Path, n, l.Content)
			}
		}
	}
	t.Logf("%d sessions, %d lessons, %d of them missing when read in %d steps", sessions, total, missing, steps)
	if missing*4 > total {
		t.Errorf("%d of %d lessons are missing", missing, total)
	}
}

// grow extracts from a session in steps and counts what is proposed, and the
// bytes read.
func grow(t *testing.T, data []byte, steps int) (found map[string]int, read int64) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "session.jsonl")
	var mark extractor.Mark
	found = make(map[string]int)
	for i := range steps {
		if err := os.WriteFile(path, data[:len(data)*(i+1)/steps], 0o600); err != nil {
			t.Fatal(err)
		}
		b, err := extractor.Extract(t.Context(), transcript.File{Path: path}, mark, realOptions)
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range b.Lessons {
			found[l.Content]++
		}
		mark = b.Mark
		read += b.Read
	}
	return found, read
}
