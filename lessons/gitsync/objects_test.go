package gitsync

import (
	"bufio"
	"bytes"
	"testing"
)

func FuzzReadBatch(f *testing.F) {
	f.Add([]byte("aa blob 3\nabc\nbb missing\n"), 2)
	f.Add([]byte("aa blob 99999999999\nabc\n"), 1)
	f.Add([]byte("aa blob -1\n\n"), 1)
	f.Fuzz(func(t *testing.T, in []byte, n int) {
		got := 0
		err := readBatch(bufio.NewReader(bytes.NewReader(in)), min(max(n, 0), 100), func(int, string, []byte, error) error { got++; return nil })
		if err == nil && got != min(max(n, 0), 100) {
			t.Fatalf("%d of %d, and no error", got, n)
		}
	})
}
