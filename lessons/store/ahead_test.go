package store

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"learnings/lessons"
	"learnings/lessons/file"
)

// TestAhead: what a writer who waits for the lock has put beside the lessons is not taken
// for what a crash has left, and is gone when nothing comes of it.
func TestAhead(t *testing.T) {
	s := corpus(t)
	put(t, s, "add", lesson("aaaa", "one"))
	text, err := file.Encode(lesson("bbbb", "two"))
	if err != nil {
		t.Fatal(err)
	}
	a := s.tree.ahead([]lessons.Lesson{lesson("bbbb", "two")}, [][]byte{text})
	a.texts["bbbb"].done.Wait()
	put(t, again(t, s), "add", lesson("cccc", "three"))
	if all := files(t, s); strings.Count(all, tempSuffix) != 1 {
		t.Errorf("with one file ahead:\n%s", all)
	}
	a.discard()
	if all := files(t, s); strings.Contains(all, tempSuffix) {
		t.Errorf("left over:\n%s", all)
	}
}

// TestReadWhileWritten: nobody waits for those who write to learn that there is no lesson
// with an id, nor for what has changed: that is what the last write left. What is under
// way is given once it is done.
func TestReadWhileWritten(t *testing.T) {
	s := corpus(t)
	put(t, s, "add", lesson("aaaa", "one"))
	unlock, err := s.gate.lock()
	if err != nil {
		t.Fatal(err)
	}
	locked := true
	free := func() {
		if locked {
			unlock()
			locked = false
		}
	}
	defer free()
	path, err := s.Path("aaaa")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(filepath.Dir(path), "by-hand.md"), []byte("---\ncontent: \"two\"\nid: \"cccc\"\n---\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	journal, err := os.OpenFile(s.log.path(), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer journal.Close()
	if _, err := journal.WriteString(`{"seq":2,`); err != nil { // a write that is under way
		t.Fatal(err)
	}
	reader, err := Open(s.tree.dir, Options{State: s.state, LockWait: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	reader = reader.Trusting(time.Hour, nil)
	if _, err := reader.Get("bbbb"); !errors.Is(err, lessons.ErrNotFound) {
		t.Errorf("got %v", err)
	}
	read := func() (ids []lessons.ID, last lessons.Cursor) {
		for c, err := range reader.Since("") {
			if err != nil {
				t.Fatal(err)
			}
			ids, last = append(ids, c.ID), c.Cursor
		}
		return ids, last
	}
	ids, at := read()
	if !slices.Equal(ids, []lessons.ID{"aaaa"}) {
		t.Errorf("while somebody writes there are %q", ids)
	}
	free()
	var since []lessons.ID
	for c, err := range reader.Since(at) {
		if err != nil {
			t.Fatal(err)
		}
		since = append(since, c.ID)
	}
	if !slices.Equal(since, []lessons.ID{"cccc"}) {
		t.Errorf("behind that there is %q", since)
	}
}
