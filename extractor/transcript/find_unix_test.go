//go:build unix

package transcript_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"learnings/extractor/transcript"
)

// TestPipe checks that a pipe is never opened: nobody writes to it, so
// opening it would wait for ever.
func TestPipe(t *testing.T) {
	root := tree(t, map[string]string{"s.jsonl": claudeLine})
	pipe := filepath.Join(root, "pipe.jsonl")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skipf("the file system of the temporary folder has no named pipes: %v", err)
	}
	if _, _, err := transcript.Open(pipe); !errors.Is(err, transcript.ErrNoSession) || !strings.Contains(err.Error(), "named pipe") {
		t.Errorf("opening: %v", err)
	}
	if got := found(root, transcript.Places{{Path: root, Named: true}}); len(got) != 1 || !strings.HasPrefix(got[0], "s.jsonl") {
		t.Errorf("in a folder: %q", got)
	}
	if got := found(root, transcript.Places{{Path: pipe, Named: true}}); len(got) != 1 || !strings.Contains(got[0], "named pipe") {
		t.Errorf("named: %q", got)
	}
	if got := found(root, transcript.Places{{Path: os.DevNull, Named: true}}); len(got) != 1 || !strings.Contains(got[0], "device") {
		t.Errorf("a device: %q", got)
	}
}

// TestUnreadable checks that what may not be read is told of, and the rest
// found.
func TestUnreadable(t *testing.T) {
	root := tree(t, map[string]string{"a/s.jsonl": claudeLine, "b/s.jsonl": claudeLine, "c.jsonl": claudeLine})
	for _, name := range []string{"a", "c.jsonl"} {
		if err := os.Chmod(filepath.Join(root, name), 0); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() { os.Chmod(filepath.Join(root, "a"), 0o700) })
	if os.Getuid() == 0 { // root may read everything
		becomeNobody(t, root)
	}
	got := strings.Join(found(root, transcript.Places{{Path: root, Named: true}}), "\n")
	if strings.Count(got, "error: ") != 2 || !strings.Contains(got, "ROOT/a") || !strings.Contains(got, "c.jsonl") || !strings.Contains(got, "b/s.jsonl claude-code") {
		t.Errorf("%s", got)
	}
}

// becomeNobody gives a folder to a user without rights, and is that user until the
// test ends. It changes the whole process, so the test must not be parallel.
func becomeNobody(t *testing.T, root string) {
	t.Helper()
	const nobody = 65534
	err := filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
		return errors.Join(err, os.Lchown(path, nobody, nobody))
	})
	if err == nil {
		err = os.Chmod(filepath.Dir(root), 0o755) // which testing made for itself alone
	}
	if err == nil {
		err = syscall.Seteuid(nobody)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := syscall.Seteuid(0); err != nil {
			t.Error(err)
		}
	})
	if _, err := os.Stat(root); err != nil {
		t.Skipf("root may read everything, and the temporary folder is closed to other users: %v", err)
	}
}

// TestLinks follows links to files and not those to folders.
func TestLinks(t *testing.T) {
	root := tree(t, map[string]string{"real/s.jsonl": claudeLine, "place/x": ""})
	for link, to := range map[string]string{"place/file.jsonl": "real/s.jsonl", "place/folder": "real", "place/loop": "place", "place/gone.jsonl": "nothing"} {
		if err := os.Symlink(filepath.Join(root, to), filepath.Join(root, link)); err != nil {
			t.Skipf("the file system of the temporary folder has no symbolic links: %v", err)
		}
	}
	if got := found(root, transcript.Places{{Path: filepath.Join(root, "place"), Named: true}}); len(got) != 1 || got[0] != "place/file.jsonl claude-code " {
		t.Errorf("%q", got)
	}
}
