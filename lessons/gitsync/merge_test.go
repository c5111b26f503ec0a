package gitsync

import (
	"bufio"
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

// A heap makes sides of lessons.
type heap struct {
	c     *Copy
	known map[string]*doc
}

func newHeap() *heap { return &heap{At(Options{}), map[string]*doc{}} }

func (h *heap) side(t testing.TB, gone []lessons.ID, ls ...lessons.Lesson) *side {
	t.Helper()
	files := tree{}
	for _, l := range ls {
		text, err := file.Encode(l)
		if err != nil {
			t.Fatal(err)
		}
		n := 1
		for files[file.Name(l, n)] != (object{}) {
			n++
		}
		name := h.c.nameOf(text)
		h.c.texts[name] = text
		files[file.Name(l, n)] = object{plainFile, name}
	}
	s := sortOut(files, h.c.texts, h.known)
	for _, id := range gone {
		s.gone[id] = true
		delete(s.docs, id)
	}
	return s
}

func (h *heap) merge(t testing.TB, base, ours, theirs *side, related bool) *merger {
	t.Helper()
	m := &merger{base: base, ours: ours, theirs: theirs, related: related, name: h.c.nameOf, texts: h.c.texts}
	if err := m.merge(); err != nil {
		t.Fatal(err)
	}
	return m
}

// equal reports two sides that hold the same, to the byte.
func equal(a, b *side) error {
	for id := range a.docs {
		if b.docs[id] == nil {
			return fmt.Errorf("%s is on one side only", id)
		}
	}
	for id, d := range b.docs {
		o := a.docs[id]
		switch {
		case o == nil:
			return fmt.Errorf("%s is on one side only", id)
		case o.Path != d.Path:
			return fmt.Errorf("%s lies at %s and at %s", id, o.Path, d.Path)
		case !bytes.Equal(o.Text, d.Text):
			return fmt.Errorf("%s is\n%s\nand\n%s", id, o.Text, d.Text)
		}
	}
	if !maps.Equal(a.gone, b.gone) {
		return fmt.Errorf("forgotten are %v and %v", a.gone, b.gone)
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
		h := newHeap()
		base := h.side(t, nil, from...)
		related := rapid.Bool().Draw(rt, "related")
		if !related {
			base = h.side(t, nil)
		}
		x, goneX := aSide(rt, "x", from)
		y, goneY := aSide(rt, "y", from)
		ours, theirs := h.side(t, goneX, x...), h.side(t, goneY, y...)
		one, two := h.merge(t, base, ours, theirs, related), h.merge(t, base, theirs, ours, related)
		if err := equal(one.out, two.out); err != nil {
			rt.Fatalf("it depends on who settles: %v", err)
		}
		paths := map[string]lessons.ID{}
		for id, d := range one.out.docs {
			if other, taken := paths[strings.ToLower(d.Path)]; taken {
				rt.Fatalf("%s and %s both lie at %s", id, other, d.Path)
			}
			paths[strings.ToLower(d.Path)] = id
			if got, err := file.DecodeAt(d.Path, d.Text, ""); err != nil || got.ID != id {
				rt.Fatalf("%s is %v, %v", id, got.ID, err)
			}
		}
		// Who takes the result over has it as it is, from either state.
		for _, from := range []*side{ours, theirs} {
			if err := equal(h.merge(t, from, from, one.out, true).out, one.out); err != nil {
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
		h := newHeap()
		sideOf := func(text []byte) *side {
			if len(text) == 0 || len(text) > 64<<10 {
				return sortOut(tree{}, nil, nil)
			}
			n := h.c.nameOf(text)
			h.c.texts[n] = text
			return sortOut(tree{"shop/developer/a.md": {plainFile, n}}, h.c.texts, h.known)
		}
		x, y, z := sideOf(base), sideOf(ours), sideOf(theirs)
		one, two := h.merge(t, x, y, z, true), h.merge(t, x, z, y, true)
		if err := equal(one.out, two.out); err != nil && len(x.other)+len(y.other)+len(z.other) == 0 {
			t.Fatal(err) // where there is what cannot be read, ours stays in its place
		}
		for id, d := range one.out.docs {
			if got, err := file.DecodeAt(d.Path, d.Text, ""); err != nil || got.ID != id {
				t.Fatalf("%s: %v, %v\n%s", id, got.ID, err, d.Text)
			}
		}
		// Texts that cannot be read as lessons are all kept.
		for _, s := range []*side{y, z} {
			for _, o := range s.other {
				kept := x.other["shop/developer/a.md"] == o
				for _, k := range one.out.other {
					kept = kept || k == o
				}
				if !kept {
					t.Fatalf("a file is lost: %q", h.c.texts[o.name])
				}
			}
		}
	})
}

func FuzzReadBatch(f *testing.F) {
	f.Add([]byte("aa blob 3\nabc\nbb missing\n"), 2)
	f.Add([]byte("aa blob 99999999999\nabc\n"), 1)
	f.Add([]byte("aa blob -1\n\n"), 1)
	f.Fuzz(func(t *testing.T, in []byte, n int) {
		got := 0
		err := readBatch(bufio.NewReader(bytes.NewReader(in)), min(max(n, 0), 100), func(int, string, []byte, error) error { got++; return nil })
		if err == nil && got != min(max(n, 0), 100) {
			t.Fatalf("%d of %d, and no error", got, n)
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
