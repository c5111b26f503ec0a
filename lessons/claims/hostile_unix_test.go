//go:build unix

package claims

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// A repository leads nobody out of it, and keeps nobody waiting.
func TestHostile(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "secret.go")
	if err := os.WriteFile(outside, []byte("func secretName() {}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	dir := repoOf(t, shop)
	for _, err := range []error{
		os.Symlink(outside, filepath.Join(dir, "link.go")), os.Symlink(filepath.Dir(outside), filepath.Join(dir, "away")),
		syscall.Mkfifo(filepath.Join(dir, "pipe.go"), 0o644), os.Remove(filepath.Join(dir, "Makefile")), syscall.Mkfifo(filepath.Join(dir, "Makefile"), 0o644),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	runGit(t, dir, "add", "link.go")
	if got := missing(t, Open(dir, Options{}), "Call `secretName()`; see `away/secret.go` and `../../etc/passwd.go`."); got != "secretName, away/secret.go" {
		t.Errorf("got %q", got)
	}
	if got := missing(t, Open(dir, Options{}), "Run `make anything`."); got != "" {
		t.Errorf("of a pipe: %q", got)
	}
	if err := os.Remove(filepath.Join(dir, ".git", "index")); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(filepath.Join(dir, ".git", "index"), 0o644); err != nil {
		t.Fatal(err)
	}
	if Open(dir, Options{}) != nil {
		t.Error("a pipe is an index")
	}
}
