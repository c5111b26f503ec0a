package transcript_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"learnings/extractor/transcript"
)

// pack packs each line of data in a frame of its own, as they are appended.
func pack(tb testing.TB, data []byte) []byte {
	tb.Helper()
	z, err := zstd.NewWriter(nil)
	if err != nil {
		tb.Fatal(err)
	}
	var out []byte
	for line := range bytes.Lines(data) {
		out = z.EncodeAll(line, out)
	}
	return out
}

// TestPacked reads Octomind's logs as its newer versions write them.
func TestPacked(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("testdata", "octomind", "session.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	packed := pack(t, data)
	read := func(b []byte, growing bool) string {
		return describe(transcript.NewReader(bytes.NewReader(b), transcript.Octomind, transcript.Options{Growing: growing}))
	}
	want := read(data, false)
	if got := read(packed, true); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
	root := tree(t, map[string]string{"s.jsonl.zst": string(packed), "other.zst": string(pack(t, []byte(claudeLine))), "broken.zst": "\x28\xb5\x2f\xfdxxxx"})
	if got := strings.Join(found(root, transcript.Places{{Path: root}}), "\n"); got != "s.jsonl.zst octomind " {
		t.Errorf("found %q", got)
	}
	for cut := range packed {
		if got := read(packed[:cut], true); strings.Contains(got, "error: ") && cut > 4 {
			t.Fatalf("being written, cut at %d: %s", cut, got)
		}
		sane(t, transcript.NewReader(bytes.NewReader(packed[:cut]), transcript.Octomind, transcript.Options{}))
	}
	broken := append(bytes.Clone(packed[:len(packed)/2]), "garbage and garbage"...)
	if got := read(broken, false); !strings.Contains(got, "unpacking: ") || !strings.Contains(got, "fix the login") {
		t.Errorf("broken: %s", got)
	}
}

// TestPackedBomb reads a small file that holds one very long line.
func TestPackedBomb(t *testing.T) {
	if testing.Short() {
		t.Skip("left out with -short: packs and unpacks 64 MiB")
	}
	line := append(bytes.Repeat([]byte("a"), transcript.MaxLine+1), '\n')
	bomb := append(pack(t, line), pack(t, []byte(`{"role":"user","content":"behind","timestamp":1}`))...)
	if got := heard(transcript.NewReader(bytes.NewReader(bomb), transcript.Octomind, transcript.Options{})); got != "error: line 1: line is longer than 16 MiB\n2 behind" {
		t.Errorf("%d bytes: %q", len(bomb), got)
	}
}
