package transcript_test

import (
	"bytes"
	"context"
	"io"
	"os"
	"sync"
	"testing"
	"time"

	"learnings/extractor/transcript"
)

// The benchmarks run over the real sessions and tell, beside MB/s, how often
// counting newlines in the same files, in the same run, is faster.

func sessionFiles(b *testing.B) (files []transcript.File, size int64) {
	b.Helper()
	for f, err := range transcript.Find(transcript.Places{{Path: shared(b, "transcripts"), Named: true}}) {
		if err != nil {
			b.Fatal(err)
		}
		files = append(files, f)
		size += f.Size
	}
	return files, size
}

func countNewlines(b *testing.B, f transcript.File, buf []byte) (n int) {
	b.Helper()
	in, err := os.Open(f.Path)
	if err != nil {
		b.Fatal(err)
	}
	defer in.Close()
	for {
		k, err := in.Read(buf)
		n += bytes.Count(buf[:k], []byte("\n"))
		if err == io.EOF {
			return n
		}
		if err != nil {
			b.Fatal(err)
		}
	}
}

// run measures act over all files, given to as many goroutines as workers.
func run(b *testing.B, workers int, act func(b *testing.B, f transcript.File)) {
	files, size := sessionFiles(b)
	buf := make([]byte, 256<<10)
	for _, f := range files { // into the file cache
		countNewlines(b, f, buf)
	}
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		queue := make(chan transcript.File, len(files))
		for _, f := range files {
			queue <- f
		}
		close(queue)
		var all sync.WaitGroup
		for range workers {
			all.Go(func() {
				for f := range queue {
					act(b, f)
				}
			})
		}
		all.Wait()
	}
	each := b.Elapsed() / time.Duration(b.N)
	start := time.Now()
	const rounds = 3
	for range rounds {
		for _, f := range files {
			countNewlines(b, f, buf)
		}
	}
	b.ReportMetric(float64(each)/(float64(time.Since(start))/rounds), "x_wc")
}

func scanFile(b *testing.B, f transcript.File) {
	if _, err := transcript.Scan(context.Background(), f); err != nil {
		b.Error(err)
	}
}

func watchFile(b *testing.B, f transcript.File) {
	l := transcript.Listener{}
	if _, err := l.Hear(context.Background(), f, func(*transcript.Turn, *transcript.Reader, time.Time) {}); err != nil {
		b.Error(err)
	}
}

func readFile(b *testing.B, f transcript.File) {
	in, err := os.Open(f.Path)
	if err != nil {
		b.Error(err)
		return
	}
	defer in.Close()
	for range transcript.Read(in, f.Format) {
	}
}

func BenchmarkScan(b *testing.B)    { run(b, 1, scanFile) }
func BenchmarkScanTwo(b *testing.B) { run(b, 2, scanFile) }
func BenchmarkWatch(b *testing.B)   { run(b, 1, watchFile) }
func BenchmarkRead(b *testing.B)    { run(b, 1, readFile) }
func BenchmarkReadTwo(b *testing.B) { run(b, 2, readFile) }
