package extractor

import (
	"os"
	"path/filepath"
	"testing"

	"learnings/extractor/transcript"
	"learnings/lessons"
)

func TestExclusion(t *testing.T) {
	home := t.TempDir()
	real, link := filepath.Join(home, "data", "work"), filepath.Join(home, "clients")
	if err := os.MkdirAll(real, 0o700); err != nil {
		t.Fatal(err)
	}
	linked := os.Symlink(real, link) == nil
	real, err := filepath.EvalSymlinks(real)
	if err != nil {
		t.Fatal(err)
	}
	x := NewExclusion([]string{"diary", "acme-*", "~/private", "~/clients/*", "/srv/*/secret", `C:\Work`}, home, func(dir string) string { return filepath.Base(dir) })
	for _, c := range []struct{ dir, file, want string }{
		{"/src/diary", "/t/a.jsonl", "diary"},
		{"/src/Diary", "/t/a.jsonl", "diary"},
		{"/src/diary2", "/t/a.jsonl", ""},
		{"/src/acme-shop", "/t/a.jsonl", "acme-*"},
		{home + "/private", "/t/a.jsonl", "~/private"},
		{home + "/private/deep/er", "/t/a.jsonl", "~/private"},
		{home + "/privateer", "/t/a.jsonl", ""},
		{"/src/x", home + "/private/a.jsonl", "~/private"},
		{home + "/clients/one/src", "/t/a.jsonl", "~/clients/*"},
		{home + "/clients", "/t/a.jsonl", ""},
		{"/srv/a/secret/x", "/t/a.jsonl", "/srv/*/secret"},
		{"/srv/a/b/secret", "/t/a.jsonl", ""},
		{`c:\work\shop`, "/t/a.jsonl", `C:\Work`},
		{"", "/t/a.jsonl", ""},
	} {
		if got := x.Of(c.dir, c.file); got != c.want {
			t.Errorf("%s %s: %q, want %q", c.dir, c.file, got, c.want)
		}
	}
	if got := x.Of(filepath.Join(real, "one"), ""); linked && got != "~/clients/*" {
		t.Errorf("behind a link: %q", got)
	}
	all := NewExclusion([]string{"*"}, home, func(string) string { return transcript.NoProject })
	if all.Of("", "") != "*" {
		t.Error("* leaves something in")
	}
}

// TestExcluded checks that no proposer sees an excluded session, and that it is read
// once it is excluded no longer, from where it was read before.
func TestExcluded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	first := says(1, "user", bird)
	file := write(t, path, first)
	marks, err := OpenLedger(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	out := true
	o := Options{MinChars: 1, Proposers: []Proposer{greedy{lessons.ByPerson}}, Excluded: func(dir, at string) string {
		if out && dir == "/src/octofs" && at == path {
			return "aviary"
		}
		return ""
	}}
	run := func() (n int, excluded string) {
		for b, err := range Run(t.Context(), []transcript.File{file}, marks, o) {
			if err != nil {
				t.Fatal(err)
			}
			n, excluded = n+len(b.Lessons), excluded+b.Excluded
			if err := marks.Commit(b.Mark); err != nil {
				t.Fatal(err)
			}
		}
		return n, excluded
	}
	expect := func(when string, n int, excluded string) {
		t.Helper()
		if got, why := run(); got != n || why != excluded {
			t.Errorf("%s: %d lessons, excluded by %q", when, got, why)
		}
	}
	expect("excluded", 0, "aviary")
	expect("nothing new", 0, "")
	o.MinChars = 0
	expect("named", 0, "aviary")
	o.MinChars = 1
	out = false
	expect("no longer excluded", 1, "")
	expect("read", 0, "")
	out = true
	file = write(t, path, first+says(2, "user", "Never wake the pelican."))
	expect("excluded again", 0, "aviary")
	out = false
	expect("the rest", 1, "")
}
