package gitsync

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"learnings/lessons"
)

// Whoever can write into the corpus can write the settings of its repository. No program
// that they name runs, in whichever of git's files it stands, before the person says so.
func TestOwnPrograms(t *testing.T) {
	t.Parallel()
	a, b, remote := pair(t, lesson("one", "Use tabs"))
	config := filepath.Join(a.dir, ".git", "config")
	was, err := os.ReadFile(config)
	if err != nil {
		t.Fatal(err)
	}
	ran := filepath.Join(t.TempDir(), "ran")
	if err := os.WriteFile(filepath.Join(a.dir, ".git", "info", "attributes"), []byte("* filter=x diff=x merge=x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	program := script(t, "touch "+ran, `exec git-upload-pack "$@"`)
	settings := []string{"remote.origin.uploadpack", "remote.origin.receivepack", "remote.origin.vcs", "core.sshCommand", "core.gitProxy", "core.askPass", "core.editor", "core.pager", "core.fsmonitor",
		"core.alternateRefsCommand", "credential.helper", "credential.https://x.ch.helper", "filter.x.clean", "filter.x.smudge", "filter.x.process", "gpg.program", "gpg.ssh.program",
		"gpg.ssh.defaultKeyCommand", "diff.external", "diff.x.textconv", "diff.x.command", "merge.x.driver", "uploadpack.packObjectsHook", "sequence.editor", "protocol.ext.allow", "url." + remote + "x.insteadOf"}
	try := func(key string, set func()) {
		t.Helper()
		set()
		a.edit("one", func(l *lessons.Lesson) { l.Use.Used++; l.Use.Last = a.later() })
		for name, call := range map[string]func() error{
			"sync":   func() error { _, err := a.copy.Sync(context.Background(), Wish{}); return err },
			"init":   func() error { _, err := a.copy.Init(context.Background(), remote); return err },
			"remote": func() error { return a.copy.Remote(context.Background(), remote) },
			"status": func() error { _, err := a.copy.Status(context.Background()); return err },
			"doctor": func() error {
				s, err := a.copy.Standing(context.Background())
				return errors.Join(err, errors.New(s.Problem))
			},
		} {
			if err := call(); err == nil || !strings.Contains(strings.ToLower(err.Error()), strings.ToLower(key)) {
				t.Errorf("%s with %s: %v", name, key, err)
			}
		}
		if _, err := os.Stat(ran); err == nil {
			t.Errorf("%s: the program ran", key)
			_ = os.Remove(ran)
		}
		if err := os.WriteFile(config, was, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, key := range settings {
		try(key, func() { a.git("config", key, program) })
	}
	other := filepath.Join(t.TempDir(), "other")
	try("core.fsmonitor", func() {
		a.git("config", "--file", other, "core.fsmonitor", program)
		a.git("config", "include.path", other)
	})
	try("core.fsmonitor", func() {
		a.git("config", "extensions.worktreeConfig", "true")
		a.git("config", "--worktree", "core.fsmonitor", program)
	})
	if err := os.Remove(filepath.Join(a.dir, ".git", "config.worktree")); err != nil {
		t.Fatal(err)
	}

	a.git("config", "remote.origin.uploadpack", program)
	if _, err := a.copy.Sync(context.Background(), Wish{Programs: true}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(ran); err != nil {
		t.Error("what the person agreed to does not run")
	}
	a.sync() // without a question
	a.git("config", "core.fsmonitor", program)
	if e := (*Error)(nil); !errors.As(syncError(a), &e) || !e.Programs {
		t.Error("another program is not asked about")
	}
	if err := os.WriteFile(config, was, 0o600); err != nil {
		t.Fatal(err)
	}
	meet(t, a, b)
}

func syncError(m *machine) error { _, err := m.copy.Sync(context.Background(), Wish{}); return err }

// A sync that is killed leaves git's locks. The next one takes them away, and no others.
func TestLocksLeft(t *testing.T) {
	t.Parallel()
	a, b, _ := pair(t, lesson("one", "Use tabs"))
	begun := filepath.Join(filepath.Dir(a.dir), "state", "sync.begun")
	leave := func(name string, age time.Duration) string {
		t.Helper()
		path := filepath.Join(a.dir, ".git", name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		at := time.Now().Add(-age)
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, name := range []string{"index.lock", "HEAD.lock", "config.lock", "packed-refs.lock", "shallow.lock", "FETCH_HEAD.lock", "refs/heads/main.lock",
		"refs/learnings/remote.lock", "refs/learnings/pending.lock", "refs/remotes/origin/main.lock"} {
		a.edit("one", func(l *lessons.Lesson) { l.Use.Used++; l.Use.Last = a.later() })
		path := leave(name, 4*time.Second)
		if err := os.WriteFile(begun, []byte(time.Now().Add(-5*time.Second).Format(time.RFC3339Nano)), 0o600); err != nil {
			t.Fatal(err)
		}
		a.sync()
		if _, err := os.Stat(path); err == nil {
			t.Errorf("%s is still there", name)
		}
		if _, err := os.Stat(begun); err == nil {
			t.Error("a sync that went well leaves its note")
		}
		for _, killed := range []bool{true, false} { // it is another git's
			path = leave(name, time.Hour)
			if killed {
				if err := os.WriteFile(begun, []byte(time.Now().Add(-5*time.Second).Format(time.RFC3339Nano)), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			a.edit("one", func(l *lessons.Lesson) { l.Use.Used++; l.Use.Last = a.later() })
			if err := syncError(a); err != nil && !strings.Contains(err.Error(), strings.TrimSuffix(path, ".lock")) {
				t.Errorf("the error does not name the file: %v", err)
			}
			if _, err := os.Stat(path); err != nil {
				t.Errorf("%s of another git is gone", name)
			}
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
		}
	}
	meet(t, a, b)
}
