package store

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"learnings/lessons"
	"learnings/lessons/file"
)

// benchSize is the corpus that the observation-store design reports for one
// developer: 14,391 lessons in 27 projects.
const benchSize = 14391

// bigCorpus writes files as another program would, without our state.
func bigCorpus(b *testing.B, n int) *Store {
	b.Helper()
	s := corpus(b)
	r := rand.New(rand.NewPCG(1, 2))
	words := strings.Fields("find all files in the current folder which are bigger than that and sort each by size then print only unique names with the wrapper script before running tests again")
	say := func(n int) string {
		out := make([]string, n)
		for i := range out {
			out[i] = words[r.IntN(len(words))]
		}
		return strings.Join(out, " ")
	}
	start := time.Date(2026, 10, 9, 8, 0, 0, 0, time.UTC)
	old := time.Now().Add(-time.Hour)
	for i := range n {
		project, role := fmt.Sprintf("project%02d", i%27), []string{"developer", "reviewer", "operator"}[i%3]
		l := lessons.Lesson{Wording: lessons.Wording{Content: fmt.Sprintf("Always %s %d", say(12), i)}, Created: start.Add(time.Duration(i) * 42 * 24 * time.Hour / time.Duration(n))}
		dir := filepath.Join(s.tree.dir, project, role)
		if i < 81 {
			if err := os.MkdirAll(dir, 0o700); err != nil {
				b.Fatal(err)
			}
		}
		text := fmt.Sprintf("---\ncontent: %q\nmemory_type: learning\nimportance: 0.9\nconfidence: high\ntags: [%s]\nsource: \"%08x-session\"\nrole: %q\nproject: %q\ncreated: %q\nid: m%07x\ncategory: tools\nscore: 0.81\nstatus: approved\n---\n\n%s.\n\n    %s\n",
			l.Content, strings.ReplaceAll(say(3), " ", ", "), r.Uint32(), role, project, l.Created.Format(time.RFC3339), i, say(40), say(8))
		path := filepath.Join(dir, filepath.Base(file.Name(l, i+2)))
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			b.Fatal(err)
		}
		if err := os.Chtimes(path, old, old); err != nil {
			b.Fatal(err)
		}
	}
	return s
}

func BenchmarkStore(b *testing.B) {
	s := bigCorpus(b, benchSize)
	start := time.Now()
	all, c := since(b, s, "")
	b.Logf("first Since: %d lessons in %v", len(all), time.Since(start))
	since(b, s, c)
	b.Run("OpenLoad", func(b *testing.B) {
		for b.Loop() {
			if t, err := s.known(); err != nil || len(t.entries("")) == 0 {
				b.Fatal(err)
			}
		}
	})
	b.Run("Scan", func(b *testing.B) {
		for b.Loop() {
			w, err := s.tree.walk()
			if err != nil {
				b.Fatal(err)
			}
			if _, err := w.list(); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("OpenGet10", func(b *testing.B) {
		for b.Loop() {
			s := again(b, s)
			for i := range 10 {
				get(b, s, fmt.Sprintf("m%07x", i*1000))
			}
		}
	})
	b.Run("OpenSince", func(b *testing.B) {
		for b.Loop() {
			since(b, again(b, s), c)
		}
	})
	b.Run("OpenSinceAll", func(b *testing.B) {
		for b.Loop() {
			since(b, again(b, s), "")
		}
	})
	b.Run("PutEdit", func(b *testing.B) {
		l := get(b, s, "m0000001")
		for n := 0; b.Loop(); n++ {
			l.Insight = fmt.Sprint(n)
			l = put(b, s, "edit", l)[0]
		}
	})
	b.Run("PutNew", func(b *testing.B) {
		for n := 0; b.Loop(); n++ {
			put(b, s, "add", lesson(fmt.Sprintf("new%d-%d", b.N, n), "New"))
		}
	})
	b.Run("Put1000", func(b *testing.B) {
		for n := 0; b.Loop(); n++ {
			ls := make([]lessons.Lesson, 1000)
			for i := range ls {
				ls[i] = lesson(fmt.Sprintf("bulk%d-%d-%d", b.N, n, i), fmt.Sprintf("Bulk %d %d", n, i))
			}
			put(b, s, "add", ls...)
		}
	})
	b.Run("OpenSinceAfter", func(b *testing.B) {
		_, c := since(b, s, "")
		for b.Loop() {
			since(b, again(b, s), c)
		}
	})
}

// BenchmarkPutEqual stores many lessons that would all have one name: the same
// text of the same moment.
func BenchmarkPutEqual(b *testing.B) {
	for b.Loop() {
		s, err := Open(b.TempDir(), Options{State: b.TempDir()})
		if err != nil {
			b.Fatal(err)
		}
		ls := make([]lessons.Lesson, 5000)
		for i := range ls {
			ls[i] = lesson(fmt.Sprintf("e%06d", i), "Use rg, not grep")
		}
		if _, err := s.Put(Write{Op: "add", By: "Ann"}, ls...); err != nil {
			b.Fatal(err)
		}
	}
}
