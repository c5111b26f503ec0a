package curate

import (
	"slices"
	"testing"

	"learnings/lessons"
)

// From a lesson one walks to whatever it has to do with, and back.
func TestAround(t *testing.T) {
	c := corpus(t)
	in := func(session string, l lessons.Lesson) lessons.Lesson {
		l.Evidence[0].Session = session
		return l
	}
	ls := propose(t, c,
		in("s1", said("pnpm", "Use pnpm for installs in web/package.json, it is what the lock file is of")),
		in("s2", said("npm", "Never use pnpm for installs, use npm")),
		in("s1", said("proto", "Run make generate after editing a proto file")),
		in("s3", said("lock", "Versions, changelog and dates in package.json are written by the release script alone, after review, on the main branch, with signed tags")),
		in("s4", said("part", "Take pnpm when you install packages of the web client")),
		in("s5", said("apart", "Say coding session where it is no login")),
	)
	if _, err := c.Merge(Merge{Into: ls[0], From: []lessons.Lesson{ls[4]}}); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Sync(t.Context()); err != nil {
		t.Fatal(err)
	}
	got := func(id lessons.ID) (out []string) {
		l, err := c.Store.Get(id)
		if err != nil {
			t.Fatal(err)
		}
		found, err := Around(t.Context(), &c.Library, l)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range found {
			out = append(out, string(n.Relation)+" "+string(n.Lesson.ID))
		}
		return out
	}
	if got := got("pnpm"); !slices.Contains(got, "against npm") || !slices.Contains(got, "merged from part") || !slices.Contains(got, "same session proto") || !slices.ContainsFunc(got, func(s string) bool { return s == "same file lock" || s == "alike lock" }) || slices.ContainsFunc(got, func(s string) bool { return s == "same session apart" }) {
		t.Errorf("around pnpm: %q", got)
	}
	if got := got("part"); !slices.Contains(got, "merged into pnpm") {
		t.Errorf("around part: %q", got)
	}
	if got := got("apart"); len(got) != 0 {
		t.Errorf("around apart: %q", got)
	}
}

func TestFilesNamed(t *testing.T) {
	l := said("a", "Look in explain.go before writing v1.2 of web/src/app.tsx, e.g. for the 3.5 s limit.")
	l.Limit.Paths = []string{"cmd/x/main.go"}
	if got := filesNamed(l); !slices.Equal(got, []string{"main.go", "explain.go", "app.tsx"}) {
		t.Errorf("%q", got)
	}
}
