package transcript_test

import (
	"context"
	"os"
	"testing"

	"learnings/extractor/transcript"
)

// run measures act over all real sessions.
func run(b *testing.B, act func(f transcript.File) error) {
	b.Helper()
	var files []transcript.File
	var size int64
	for f, err := range transcript.Find(transcript.Places{{Path: shared(b, "transcripts"), Named: true}}) {
		if err != nil {
			b.Fatal(err)
		}
		files, size = append(files, f), size+f.Size
	}
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		for _, f := range files {
			if err := act(f); err != nil {
				b.Error(err)
			}
		}
	}
}

func BenchmarkScan(b *testing.B) {
	run(b, func(f transcript.File) error {
		_, err := transcript.Scan(context.Background(), f)
		return err
	})
}

func BenchmarkRead(b *testing.B) {
	run(b, func(f transcript.File) error {
		in, err := os.Open(f.Path)
		if err != nil {
			return err
		}
		defer in.Close()
		for range transcript.Read(in, f.Format) {
		}
		return nil
	})
}
