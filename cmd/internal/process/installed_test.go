package process

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// TestInstalled checks that binaries of tests and of `go run` ignore programs beside them
// and search the PATH.
func TestInstalled(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("on Windows Find asks the system's PATH, and not that of this test")
	}
	dir := t.TempDir()
	want := filepath.Join(dir, "a-program")
	if err := os.WriteFile(want, []byte("#!/bin/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	if got := Installed("a-program", dir, runtime.GOOS); got != want {
		t.Errorf("got %q, not %q", got, want)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if got := Installed(filepath.Base(self), dir, runtime.GOOS); got != "" {
		t.Errorf("%q is of this test", got)
	}
}
