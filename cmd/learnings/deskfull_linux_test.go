package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// On a full disk a decision fails with the reason on the screen. It works once there is
// space, and nothing is lost or half written.
func TestDeskOnAFullDisk(t *testing.T) {
	t.Parallel()
	disk := t.TempDir()
	if err := unix.Mount("tmpfs", disk, "tmpfs", 0, "size=16m"); err != nil {
		t.Skip("mounting a small disk, which takes root: ", err)
	}
	t.Cleanup(func() { _ = unix.Unmount(disk, unix.MNT_DETACH) })
	m := machine{t, filepath.Join(disk, "home")}
	m.quiet(t, 4, "")
	w := openWindow(t, m)
	w.wait("Review 4", "idle")
	fill(t, filepath.Join(disk, "full"))
	w.keys("a")
	w.wait("not approved: writing", "no space left on device", "Review 4", "idle")
	w.keys("x")
	w.wait("not rejected: writing", "no space left on device", "Review 4", "idle")
	w.keys("-")
	w.wait("could not set confidence maybe of it", "no space left on device", "Review 4", "idle")
	if _, stderr, code := m.run("", "add", "--pending", "Never build on a full disk, it has no room"); code == 0 || !strings.Contains(stderr, "no space left") {
		t.Errorf("adding to a full disk: %d %s", code, stderr)
	}
	if out, stderr, code := m.run("{}", "hook", "session-start"); code != 0 {
		t.Errorf("the hook ends with %d: %s%s", code, out, stderr)
	}
	if err := os.Remove(filepath.Join(disk, "full")); err != nil {
		t.Fatal(err)
	}
	w.keys("a")
	w.wait("✓ approved", "Review 3")
	w.keys("u")
	w.wait("undone: approved", "Review 4")
	w.keys("a")
	w.wait("✓ approved", "Review 3")
	w.keys("q")
	if code := w.end(); code != 0 || m.approved() != 1 {
		t.Errorf("code %d, %d approved", code, m.approved())
	}
}

// fill uses up all space.
func fill(t *testing.T, path string) {
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for size := 1 << 20; size > 0; {
		_, err := f.Write(make([]byte, size))
		switch {
		case errors.Is(err, unix.ENOSPC):
			size /= 2
		case err != nil:
			t.Fatal(err)
		}
	}
}
