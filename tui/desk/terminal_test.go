package desk

import (
	"os"
	"path/filepath"
	"testing"
)

func TestCopyByTmux(t *testing.T) {
	dir := t.TempDir()
	script := "#!/bin/sh\n{ echo \"$@\"; cat; } > '" + filepath.Join(dir, "said") + "'\n"
	if err := os.WriteFile(filepath.Join(dir, "tmux"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	if err := copyBy(t.Context(), func(name string) string { return map[string]string{"TMUX": "/tmp/tmux,1,0"}[name] }, "a lesson"); err != nil {
		t.Skipf("no script can stand for tmux here: %v", err)
	}
	if said, err := os.ReadFile(filepath.Join(dir, "said")); err != nil || string(said) != "load-buffer -w -\na lesson" {
		t.Errorf("tmux is told %q, %v", said, err)
	}
	if err := copyBy(t.Context(), func(name string) string { return map[string]string{"SSH_TTY": "/dev/pts/1"}[name] }, "x"); err != nil {
		t.Error(err)
	}
}
