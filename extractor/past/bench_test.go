package past

import (
	"os"
	"path/filepath"
	"testing"

	"learnings/extractor/redact"
	"learnings/extractor/transcript"
)

// BenchmarkRead reads the real sessions with what was done in them, and BenchmarkScan
// only counts, which the first must not be much slower than.
func BenchmarkRead(b *testing.B) {
	o := Options{Redact: redact.New().Redact}
	overFiles(b, func(f transcript.File) error { _, err := Read(b.Context(), f, o); return err })
}

func BenchmarkScan(b *testing.B) {
	overFiles(b, func(f transcript.File) error { _, err := transcript.Scan(b.Context(), f); return err })
}

func overFiles(b *testing.B, do func(transcript.File) error) {
	root := filepath.Join("..", "..", "..", "shared", "transcripts")
	if _, err := os.Stat(root); err != nil {
		b.Skipf("no real transcripts on this machine: %v", err)
	}
	var files []transcript.File
	size := int64(0)
	for f, err := range transcript.FindKnown(transcript.Places{{Path: root, Named: true}}, nil) {
		if err != nil {
			b.Fatal(err)
		}
		files = append(files, f)
		size += f.Size
	}
	b.SetBytes(size)
	for b.Loop() {
		for _, f := range files {
			if err := do(f); err != nil {
				b.Fatal(err)
			}
		}
	}
}
