package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/gofrs/flock"

	"learnings/cmd/internal/settings"
)

// TestWritesDoNotWaitForTheIndex writes while another process locks the index. It prints
// no warning, and the next call finds what was written.
func TestWritesDoNotWaitForTheIndex(t *testing.T) {
	m := newMachine(t)
	ids := m.propose(12)
	m.must("index")
	state := settings.StateOf(filepath.Join(m.home, "state", "learnings"), m.corpus())
	builder := flock.New(filepath.Join(state, "index", "writing.lock"))
	if ok, err := builder.TryLock(); !ok || err != nil {
		t.Fatalf("locking the index: %v %v", ok, err)
	}
	defer builder.Unlock()
	next := func() string {
		id := string(ids[0])
		ids = ids[1:]
		return id
	}
	for _, write := range []func() []string{
		func() []string { return []string{"approve", next()} },
		func() []string { return []string{"reject", next()} },
		func() []string {
			return []string{"add", "Zebras are fed before build " + next(), "--category", "workflow"}
		},
		func() []string {
			return []string{"add", "Giraffes are fed after build " + next(), "--category", "workflow", "--pending"}
		},
	} {
		for range 3 {
			args := write()
			if _, errs, code := m.run("", args...); code != 0 || strings.Contains(errs, "index") {
				t.Errorf("%v while another builds the index: code %d, %s", args, code, errs)
			}
		}
	}
	builder.Unlock()
	if out := m.must("search", "zebras"); strings.Count(out, "Zebras") != 3 {
		t.Errorf("the next call finds\n%s", out)
	}
}
