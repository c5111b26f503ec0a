package gitsync

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"learnings/lessons"
	"learnings/lessons/file"
)

// stateOf makes a state of lessons.
func stateOf(t testing.TB, bs *blobs, gone []lessons.ID, ls ...lessons.Lesson) *snapshot {
	t.Helper()
	files := fileTree{}
	for _, l := range ls {
		text, err := file.Encode(l)
		if err != nil {
			t.Fatal(err)
		}
		n := 1
		for files[file.Name(l, n)] != (object{}) {
			n++
		}
		files[file.Name(l, n)] = plain(bs.Add(text))
	}
	s := bs.State(files)
	for _, id := range gone {
		s.Gone[id] = true
		delete(s.Docs, id)
	}
	return s
}

func merged(t testing.TB, bs *blobs, base, ours, theirs *snapshot, related bool) *snapshot {
	t.Helper()
	m := merger{base: base, ours: ours, theirs: theirs, related: related, blobs: bs}
	if err := m.run(); err != nil {
		t.Fatal(err)
	}
	return m.out
}

// equalStates reports two states that hold the same, to the byte.
func equalStates(a, b *snapshot) error {
	for id := range a.Docs {
		if b.Docs[id] == nil {
			return fmt.Errorf("%s is on one side only", id)
		}
	}
	for id, d := range b.Docs {
		o := a.Docs[id]
		switch {
		case o == nil:
			return fmt.Errorf("%s is on one side only", id)
		case o.Path != d.Path:
			return fmt.Errorf("%s lies at %s and at %s", id, o.Path, d.Path)
		case !bytes.Equal(o.Text, d.Text):
			return fmt.Errorf("%s is\n%s\nand\n%s", id, o.Text, d.Text)
		}
	}
	if !maps.Equal(a.Gone, b.Gone) {
		return fmt.Errorf("forgotten are %v and %v", a.Gone, b.Gone)
	}
	return nil
}

// aSide draws what a person has made of a corpus: of few lessons, at few
// moments, so that all that can collide does.
func aSide(t *rapid.T, name string, from []lessons.Lesson) (ls []lessons.Lesson, gone []lessons.ID) {
	for i, l := range from {
		draw := func(what string, n int) int { return rapid.IntRange(0, n-1).Draw(t, fmt.Sprint(name, i, what)) }
		at := lessons.Decision{By: name, At: noon.Add(time.Duration(draw("at", 4)) * time.Hour)}
		switch draw("op", 9) {
		case 0:
			continue // removed
		case 1:
			gone = append(gone, l.ID)
			continue
		case 2:
			l.Status, l.Decided = lessons.Approved, at
		case 3:
			l.Status, l.Decided = lessons.Rejected, at
		case 4:
			at.Into = from[draw("into", len(from))].ID
			l.Status, l.Decided = lessons.Merged, at
		case 5:
			l.Content = fmt.Sprintf("New words %d", draw("words", 3))
			l.Evidence = append(slices.Clone(l.Evidence), lessons.Evidence{Session: name, Path: "p", Quote: "more"})
		case 6:
			l.Use.Used += 1 + draw("used", 3)
			l.Tags = []string{name, "x"}[:1+draw("tags", 2)]
		}
		ls = append(ls, l)
	}
	if rapid.Bool().Draw(t, name+"new") {
		l := lesson("new", "Words of "+rapid.SampledFrom([]string{"a", "b"}).Draw(t, name+"newwords"))
		ls = append(ls, l)
	}
	return ls, gone
}

// TestMergeCommutes: two copies that settle the same two states make the same
// corpus, down to the names of the files, and settling it again changes nothing.
func TestMergeCommutes(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var from []lessons.Lesson
		for i := range rapid.IntRange(1, 5).Draw(rt, "lessons") {
			from = append(from, lesson(lessons.ID(fmt.Sprint("id", i)), "The same words"))
		}
		blobs := &blobs{}
		base := stateOf(t, blobs, nil, from...)
		related := rapid.Bool().Draw(rt, "related")
		if !related {
			base = stateOf(t, blobs, nil)
		}
		x, goneX := aSide(rt, "x", from)
		y, goneY := aSide(rt, "y", from)
		ours, theirs := stateOf(t, blobs, goneX, x...), stateOf(t, blobs, goneY, y...)
		one, two := merged(t, blobs, base, ours, theirs, related), merged(t, blobs, base, theirs, ours, related)
		if err := equalStates(one, two); err != nil {
			rt.Fatalf("it depends on who settles: %v", err)
		}
		paths := map[string]lessons.ID{}
		for id, d := range one.Docs {
			if other, taken := paths[strings.ToLower(d.Path)]; taken {
				rt.Fatalf("%s and %s both lie at %s", id, other, d.Path)
			}
			paths[strings.ToLower(d.Path)] = id
			if got, err := file.DecodeAt(d.Path, d.Text, ""); err != nil || got.ID != id {
				rt.Fatalf("%s is %v, %v", id, got.ID, err)
			}
		}
		// Who takes the result over has it as it is, from either state.
		for _, from := range []*snapshot{ours, theirs} {
			if err := equalStates(merged(t, blobs, from, from, one, true), one); err != nil {
				rt.Fatalf("taking over the result: %v", err)
			}
		}
	})
}

// FuzzMerge settles three states of one file that anybody may have written. It
// must not fail, and not depend on who settles.
func FuzzMerge(f *testing.F) {
	l := lesson("one", "Use tabs")
	a, err := file.Encode(l)
	if err != nil {
		f.Fatal(err)
	}
	l.Status, l.Decided, l.Extra = lessons.Merged, lessons.Decision{By: "x", Into: "one"}, []lessons.Field{{Key: "mood", Value: "[good, bad]"}}
	b, err := file.Encode(l)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(a, b, b)
	f.Add([]byte{}, a, b)
	f.Add(a, bytes.ReplaceAll(a, []byte("tabs"), []byte("blanks")), bytes.ReplaceAll(a, []byte("tabs"), []byte("both")))
	f.Add(a, []byte("<<<<<<< ours\n"), bytes.ReplaceAll(b, []byte("mood"), []byte("prior")))
	f.Fuzz(func(t *testing.T, base, ours, theirs []byte) {
		blobs := &blobs{}
		sideOf := func(text []byte) *snapshot {
			if len(text) == 0 || len(text) > 64<<10 {
				return newSnapshot()
			}
			return blobs.State(fileTree{"shop/developer/a.md": plain(blobs.Add(text))})
		}
		x, y, z := sideOf(base), sideOf(ours), sideOf(theirs)
		one, two := merged(t, blobs, x, y, z, true), merged(t, blobs, x, z, y, true)
		if err := equalStates(one, two); err != nil && len(x.Other)+len(y.Other)+len(z.Other) == 0 {
			t.Fatal(err) // where there is what cannot be read, ours stays in its place
		}
		for id, d := range one.Docs {
			if got, err := file.DecodeAt(d.Path, d.Text, ""); err != nil || got.ID != id {
				t.Fatalf("%s: %v, %v\n%s", id, got.ID, err, d.Text)
			}
		}
		// Texts that cannot be read as lessons are all kept.
		for _, s := range []*snapshot{y, z} {
			for _, o := range s.Other {
				kept := x.Other["shop/developer/a.md"] == o
				for _, k := range one.Other {
					kept = kept || k == o
				}
				if !kept {
					t.Fatalf("a file is lost: %q", blobs.texts[o.Name])
				}
			}
		}
	})
}

func FuzzGone(f *testing.F) {
	f.Add([]byte(goneHead + "k7m2p9qx\n<<<<<<< HEAD\nother\n"))
	f.Fuzz(func(t *testing.T, in []byte) {
		ids := map[lessons.ID]bool{}
		for _, id := range parseGone(in) {
			ids[id] = true
		}
		again := parseGone(formatGone(ids))
		if len(again) != len(ids) {
			t.Fatalf("%v became %v", ids, again)
		}
	})
}
