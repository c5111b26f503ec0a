package gitsync

import (
	"strings"
	"testing"
)

// TestStanding checks how a copy stands, before it is one and in every state in which a
// crash or a person can leave it.
func TestStanding(t *testing.T) {
	t.Parallel()
	standing := func(m *machine) *Status {
		t.Helper()
		s, err := m.copy.Standing(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	if s := standing(newMachine(t, t.TempDir())); s != nil {
		t.Errorf("of no copy: %+v", s)
	}
	a, b, remote := pair(t, lesson("one", "Use tabs"))
	if s := standing(a); s.Branch != "main" || s.Remote != remote || s.Ahead+s.Behind > 0 || s.Problem != "" {
		t.Errorf("of a copy that is well: %+v", s)
	}
	b.put("add", lesson("two", "Use the fake clock"))
	b.sync()
	a.git("fetch", "--quiet", "origin", "+refs/heads/*:refs/remotes/origin/*")
	if s := standing(a); s.Behind != 1 {
		t.Errorf("behind: %+v", s)
	}
	a.git("remote", "remove", "origin")
	if s := standing(a); s.Problem == "" || s.Hint == "" {
		t.Errorf("without a remote: %+v", s)
	}
	b.git("checkout", "--quiet", "--detach")
	if s := standing(b); s.Problem == "" || s.Hint == "" {
		t.Errorf("on no branch: %+v", s)
	}
	a.reopen("")
	if _, err := a.copy.Sync(t.Context(), Wish{}); err == nil || !strings.Contains(err.Error(), "no git program") {
		t.Errorf("without git: %v", err)
	}
}
