package doctor

import (
	"strings"
	"testing"

	"learnings/cmd/internal/term"
)

// TestShort checks what is said of a disk that is nearly full.
func TestShort(t *testing.T) {
	for _, c := range []struct {
		left uint64
		want State
	}{{0, Wrong}, {tooLittle - 1, Wrong}, {tooLittle, Note}, {notMuch - 1, Note}} {
		if got := short(c.left, "~/x", "the state takes 1 B"); got.State != c.want || got.Hint == "" || !strings.Contains(got.Text, "left where ~/x lies") {
			t.Errorf("%d bytes: %+v", c.left, got)
		}
	}
	if left, known := free(t.TempDir()); known && left == 0 {
		t.Error("the disk of the tests is full")
	}
	if !writable(t.TempDir()) {
		t.Error("a folder of the test cannot be written")
	}
}

// TestQuoted checks that a path is one word for a shell.
func TestQuoted(t *testing.T) {
	for path, want := range map[string]string{"/a/b-c_d.e": "/a/b-c_d.e", "/a b": "'/a b'", "/it's": `'/it'\''s'`, "/$x": "'/$x'"} {
		if got := term.ShellQuote(path); got != want {
			t.Errorf("%s: %s", path, got)
		}
	}
}
