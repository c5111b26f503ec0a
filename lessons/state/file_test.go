package state

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"
)

func says(text string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	}
}

// TestWrite checks that a file is replaced as a whole or left as it was, with the
// permissions that it had, and that nothing else stays in the folder.
func TestWrite(t *testing.T) {
	name := filepath.Join(t.TempDir(), "state")
	holds := func(want string, perm os.FileMode) {
		t.Helper()
		text, err := os.ReadFile(name)
		if err != nil || string(text) != want {
			t.Errorf("the file holds %q, %v, not %q", text, err, want)
		}
		if info, err := os.Stat(name); err == nil && runtime.GOOS != "windows" && info.Mode().Perm() != perm {
			t.Errorf("the permissions are %v, not %v", info.Mode().Perm(), perm)
		}
		if entries, err := os.ReadDir(filepath.Dir(name)); err != nil || len(entries) != 1 {
			t.Errorf("in the folder: %v, %v", entries, err)
		}
	}
	if err := WriteFile(name, says("one")); err != nil {
		t.Fatal(err)
	}
	holds("one", 0o600)
	if err := os.Chmod(name, 0o640); err != nil {
		t.Fatal(err)
	}
	if err := WriteFile(name, says("two")); err != nil {
		t.Fatal(err)
	}
	holds("two", 0o640)

	broken := errors.New("broken")
	err := WriteFile(name, func(w io.Writer) error {
		if err := says("three")(w); err != nil {
			return err
		}
		return broken
	})
	if !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
	holds("two", 0o640)
	if err := WriteFileIf(name, says("four"), func() bool { return false }); err != nil {
		t.Error(err)
	}
	holds("two", 0o640)
	if err := WriteFile(filepath.Join(name, "below", "a", "file"), says("")); err == nil {
		t.Error("a folder that is not there is no error")
	}
}

// TestSweep checks that what a killed write left is removed, and nothing of anybody else.
func TestSweep(t *testing.T) {
	dir := t.TempDir()
	name, left, now := filepath.Join(dir, "notes.md"), filepath.Join(dir, "notes.md.123.tmp"), filepath.Join(dir, "notes.md.9.tmp")
	others := []string{"notes.md", "notes.md.tmp", "notes.md.12a.tmp", "notes.md..tmp", "other.md.123.tmp", "notes.md.123"}
	for _, f := range append(others, "notes.md.123.tmp", "notes.md.9.tmp") {
		if err := os.WriteFile(filepath.Join(dir, f), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	old := time.Now().Add(-2 * AtWork)
	if err := os.Chtimes(left, old, old); err != nil {
		t.Fatal(err)
	}
	there := func(path string) bool { _, err := os.Lstat(path); return err == nil }
	if Sweep(true, name); there(left) || !there(now) {
		t.Errorf("where others write: the old one is there %t, the new one %t", there(left), there(now))
	}
	if Sweep(false, name); there(now) {
		t.Error("the new one is still there")
	}
	for _, f := range others {
		if !there(filepath.Join(dir, f)) {
			t.Error(f, "is gone")
		}
	}
}
