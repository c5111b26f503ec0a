package hook

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestEndOf checks what is looked at of a transcript that is still being written: its
// end, and nothing that is no plain file.
func TestEndOf(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "session.jsonl")
	if err := os.WriteFile(path, []byte(strings.Repeat("x", 100)+`{"text":"Understood: \"pnpm\" it is."}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for n, want := range map[int64]int{10: 10, 1 << 20: 100 + 38} {
		if got, err := endOf(path, n); err != nil || len(got) != want {
			t.Errorf("the last %d bytes are %d, want %d: %v", n, len(got), want, err)
		}
	}
	for _, bad := range []string{dir, filepath.Join(dir, "none"), os.DevNull} {
		if _, err := endOf(bad, 10); err == nil {
			t.Errorf("%s was read", bad)
		}
	}
	// Neither makes anyone wait: the words are there, there is nothing to wait for.
	written(t.Context(), path, `Understood: "pnpm" it is.`)
	written(t.Context(), filepath.Join(dir, "none"), "Understood: it is so.")
}
