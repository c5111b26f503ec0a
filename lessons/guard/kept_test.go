package guard

import (
	"errors"
	"path/filepath"
	"testing"
	"time"

	"learnings/lessons"
	"learnings/lessons/state"
)

var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

func guarded(t *testing.T, id, content string, deny bool, patterns ...string) lessons.Lesson {
	t.Helper()
	l := lessons.Lesson{ID: lessons.ID(id), Status: lessons.Approved, Wording: lessons.Wording{Content: content}, Confidence: 0.9}
	l, err := l.Guarding(lessons.Decision{By: "ann"}, lessons.Guard{Patterns: patterns, Deny: deny})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// A guard is in force only while the lesson's file and this machine say the same.
func TestDecide(t *testing.T) {
	npm := guarded(t, "aaaa", "Never run npm install", false, "command npm install")
	all := guarded(t, "bbbb", "Never use npm", true, "command npm", "path node_modules/")
	k := At(filepath.Join(t.TempDir(), "state"))
	for _, l := range []lessons.Lesson{all, npm} {
		if err := k.Choose(l, noon); err != nil {
			t.Fatal(err)
		}
	}
	decide := func(call string, holds bool, ls ...lessons.Lesson) (string, bool) {
		t.Helper()
		get := func(id lessons.ID) (lessons.Lesson, error) {
			for _, l := range ls {
				if l.ID == id {
					return l, nil
				}
			}
			return lessons.Lesson{}, lessons.ErrNotFound
		}
		s, found, err := k.Decide(&Call{Command: call}, get, func(lessons.Lesson) bool { return holds })
		if err != nil || found != (s.Lesson.ID != "") {
			t.Fatal(s, found, err)
		}
		return string(s.Lesson.ID), s.Deny
	}
	changed, archived, outside, other, reworked := npm, npm, npm, npm, npm
	changed.Content = "Never run npm"
	archived.Status = lessons.Archived
	outside.Outside = true
	other.Guard.By = "bea"
	reworked.Guard.Patterns = []string{"command npm"}
	off, err := npm.Guarding(lessons.Decision{By: "ann"}, lessons.Guard{})
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range []struct {
		call string
		ls   []lessons.Lesson
		want string
		deny bool
	}{
		{"npm install", []lessons.Lesson{npm}, "aaaa", false},
		{"npm install", []lessons.Lesson{npm, all}, "bbbb", true},
		{"npm test", []lessons.Lesson{npm, all}, "bbbb", true},
		{"npm test", []lessons.Lesson{npm}, "", false},
		{"npm install", []lessons.Lesson{changed}, "", false},
		{"npm install", []lessons.Lesson{archived}, "", false},
		{"npm install", []lessons.Lesson{outside}, "", false},
		{"npm install", []lessons.Lesson{other}, "", false},
		{"npm install", []lessons.Lesson{reworked}, "", false},
		{"npm install", []lessons.Lesson{off}, "", false},
		{"npm install", nil, "", false},
	} {
		if got, deny := decide(c.call, true, c.ls...); got != c.want || deny != c.deny {
			t.Errorf("%d, %s: %q, deny %v", i, c.call, got, deny)
		}
	}
	if got, _ := decide("npm install", false, npm); got != "" {
		t.Errorf("a lesson of another project stops %s", got)
	}
}

func TestCounts(t *testing.T) {
	k := At(t.TempDir())
	for range 3 {
		if err := k.Note(Stop{Lesson: lessons.Lesson{ID: "aaaa"}}, "s 1\n", noon); err != nil {
			t.Fatal(err)
		}
	}
	if err := k.Note(Stop{Lesson: lessons.Lesson{ID: "aaaa"}, Deny: true}, "", noon.Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	if c := k.Counts()["aaaa"]; c.Asked != 3 || c.Denied != 1 || c.Calls() != 4 || !c.Last.Equal(noon.Add(time.Hour)) {
		t.Errorf("%+v", c)
	}
}

// What is damaged stops nothing, until a person chooses again.
func TestDamaged(t *testing.T) {
	dir := t.TempDir()
	k := At(dir)
	if err := state.At(dir).Put(chosen, "no choices"); err != nil {
		t.Fatal(err)
	}
	_, found, err := k.Decide(&Call{Command: "npm install"}, nil, nil)
	if found || err == nil {
		t.Error(found, err)
	}
	if err := k.Choose(guarded(t, "aaaa", "x", false, "command npm"), noon); err != nil {
		t.Error(err)
	}
	if all, err := k.Chosen(); len(all) != 1 || err != nil {
		t.Errorf("after a new choice: %v, %v", all, err)
	}
	if err := At(t.TempDir()).Choose(lessons.Lesson{ID: "aaaa", Guard: lessons.Guard{Patterns: []string{"nonsense"}}}, noon); !errors.Is(err, lessons.ErrInvalid) {
		t.Error(err)
	}
}
