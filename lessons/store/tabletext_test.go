package store

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"learnings/lessons"
)

// TestTableText checks that a text in a file answers as one in memory does, with names
// of all lengths.
func TestTableText(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var all []entry
	for i := range 2000 {
		name := fmt.Sprintf("project%02d/developer/%s%d.md", r.IntN(30), strings.Repeat("name-", 1+r.IntN(40)), i)
		if i%500 == 0 {
			name = "project01/" + strings.Repeat("longer/", 500) + name
		}
		all = append(all, entry{found: found{name, int64(i), int64(i)}, id: lessons.ID(fmt.Sprintf("m%06d", i)), rev: lessons.Rev(strings.Repeat("r", 20)), kind: good})
	}
	slices.SortFunc(all, byPath)
	var b []byte
	for _, e := range all {
		b = appendRecord(b, e)
	}
	const before = "what stands before it"
	name := filepath.Join(t.TempDir(), "files")
	if err := os.WriteFile(name, append([]byte(before), b...), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	filed, err := inFile(f, int64(len(before)), len(b))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	state := t.TempDir()
	saveIDs(state, before, string(b))
	if openIDs(state, "another title") != nil {
		t.Error("the list of another table is taken for this one's")
	}
	listed := filed
	if listed.ids = openIDs(state, before); listed.ids == nil {
		t.Fatal("there is no list of ids")
	}
	t.Cleanup(func() { listed.ids.file.Close() })
	held := asText(string(b))
	for i, e := range all {
		for _, path := range []string{e.path, e.path[:len(e.path)-4], e.path + "0"} {
			if got, want := filed.seek(path), held.seek(path); got != want {
				t.Fatalf("%q is at %d in the file and at %d in memory", path, got, want)
			}
		}
		if got, _, ok := parseRecord(held.part(held.seek(e.path), held.size)); !ok || got != e {
			t.Fatalf("at the place of %q is %q", e.path, got.path)
		}
		for _, text := range []tableText{filed, held, listed} {
			if i%10 != 0 && text.ids == nil {
				continue
			}
			if got := text.having(e.id); len(got) != 1 || got[0] != e {
				t.Fatalf("for %s there is %v", e.id, got)
			}
		}
	}
	for _, text := range []tableText{filed, held, listed} {
		for _, id := range []lessons.ID{"none", "m", ""} {
			if got := text.having(id); len(got) != 0 {
				t.Errorf("for %q there is %v", id, got)
			}
		}
	}
}
