package gitsync

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// TestStanding checks how a copy stands, before it is one and in every state in which a
// crash or a person can leave it.
func TestStanding(t *testing.T) {
	t.Parallel()
	standing := func(m *machine) *Standing {
		t.Helper()
		s, err := m.copy.Standing(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	if s := standing(newMachine(t, t.TempDir())); !s.None || s.Problem != "" {
		t.Errorf("of no copy: %+v", s)
	}
	a, b, remote := pair(t, lesson("one", "Use tabs"))
	if s := standing(a); s.None || s.Branch != "main" || s.Remote != remote || s.Ahead+s.Behind > 0 || s.Problem != "" || s.Unfinished || len(s.Locks) > 0 {
		t.Errorf("of a copy that is well: %+v", s)
	}
	b.put("add", lesson("two", "Use the fake clock"))
	b.sync()
	a.git("fetch", "--quiet", "origin", "+refs/heads/*:refs/remotes/origin/*")
	a.git("update-ref", refPending, "HEAD")
	if s := standing(a); s.Behind != 1 || !s.Unfinished {
		t.Errorf("behind and unfinished: %+v", s)
	}
	lock := filepath.Join(a.dir, ".git", "index.lock")
	if err := os.WriteFile(lock, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if s := standing(a); len(s.Locks) > 0 {
		t.Errorf("a lock that is held is left over: %v", s.Locks)
	}
	long := time.Now().Add(-2 * oldLock)
	if err := os.Chtimes(lock, long, long); err != nil {
		t.Fatal(err)
	}
	if s := standing(a); !slices.Equal(s.Locks, []string{lock}) {
		t.Errorf("locks %v, want %s", s.Locks, lock)
	}
	a.git("remote", "remove", "origin")
	if s := standing(a); s.Problem == "" || s.Hint == "" {
		t.Errorf("without a remote: %+v", s)
	}
	b.git("checkout", "--quiet", "--detach")
	if s := standing(b); s.Problem == "" || s.Hint == "" {
		t.Errorf("on no branch: %+v", s)
	}
}
