package store

import (
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"pgregory.net/rapid"

	"learnings/lessons"
	"learnings/lessons/file"
)

// A model is what a corpus should be, in memory.
type model struct {
	lessons    map[lessons.ID]lessons.Lesson
	undo, redo []turn
}

// A turn is what an undoable write changed.
type turn struct {
	before, after map[lessons.ID]*lessons.Lesson
}

// put is what Put should do.
func (m *model) put(undoable bool, ls ...lessons.Lesson) {
	t := turn{map[lessons.ID]*lessons.Lesson{}, map[lessons.ID]*lessons.Lesson{}}
	for _, l := range ls {
		l.Rev = ""
		old, had := m.lessons[l.ID]
		if had && reflect.DeepEqual(old, l) {
			continue
		}
		if t.before[l.ID] = nil; had {
			t.before[l.ID] = &old
		}
		t.after[l.ID] = &l
		m.lessons[l.ID] = l
	}
	if undoable && len(t.after) > 0 {
		m.undo, m.redo = append(m.undo, t), nil
	}
}

// turn is what Undo and Redo should do; false when they should refuse.
func (m *model) turn(n int, from, to *[]turn, back bool) bool {
	state := maps.Clone(m.lessons)
	left, moved := *from, *to
	for ; n > 0 && len(left) > 0; n-- {
		t := left[len(left)-1]
		left, moved = left[:len(left)-1:len(left)-1], append(moved[:len(moved):len(moved)], t)
		was, will := t.after, t.before
		if !back {
			was, will = will, was
		}
		for id := range t.after {
			now, have := state[id]
			if have != (was[id] != nil) {
				return false
			}
			var more lessons.Use
			if have {
				a, b := now, *was[id]
				more = lessons.Use{Used: a.Use.Used - b.Use.Used, Last: a.Use.Last}
				a.Use, b.Use = lessons.Use{}, lessons.Use{}
				if !reflect.DeepEqual(a, b) {
					return false
				}
			}
			if will[id] == nil {
				delete(state, id)
				continue
			}
			l := *will[id]
			if have && !reflect.DeepEqual(now, *was[id]) {
				l.Use.Used += more.Used
				l.Use.Last = more.Last
			}
			state[id] = l
		}
	}
	m.lessons, *from, *to = state, left, moved
	return true
}

// TestModel does random things to a corpus, as several processes and an editor
// do, and compares it with the model after each.
func TestModel(t *testing.T) {
	checks := flag.Lookup("rapid.checks")
	if checks != nil && checks.Value.String() == checks.DefValue {
		if err := flag.Set("rapid.checks", "12"); err != nil { // each waits for the disk a hundred times
			t.Fatal(err)
		}
	}
	rapid.Check(t, func(rt *rapid.T) {
		dir, err := os.MkdirTemp("", "model")
		if err != nil {
			rt.Fatal(err)
		}
		defer os.RemoveAll(dir)
		run := &modelRun{model: model{lessons: map[lessons.ID]lessons.Lesson{}}, dir: dir, follower: map[lessons.ID]lessons.Lesson{}}
		run.reopen(rt)
		rt.Repeat(map[string]func(*rapid.T){
			"add": run.add, "edit": run.edit, "decide": run.decide, "use": run.use, "byHand": run.byHand, "remove": run.remove,
			"undo": run.back, "redo": run.forth, "forget": run.forget, "reopen": run.reopen, "": run.check,
		})
	})
}

type modelRun struct {
	model
	dir      string
	s        *Store
	all      *Store // looks at all files
	n        int
	cursor   lessons.Cursor
	follower map[lessons.ID]lessons.Lesson
}

func (r *modelRun) reopen(t *rapid.T) {
	s, err := Open(filepath.Join(r.dir, "corpus"), Options{State: filepath.Join(r.dir, "state")})
	if err != nil {
		t.Fatal(err)
	}
	r.s, r.all = s, s
	if rapid.Bool().Draw(t, "looks at folders") {
		r.s = s.Trusting(time.Nanosecond, func() error { return nil })
	}
}

func (r *modelRun) some(t *rapid.T) []lessons.Lesson {
	if len(r.lessons) == 0 {
		t.Skip("the corpus of this run has no lesson to choose yet")
	}
	ids := rapid.SliceOfNDistinct(rapid.SampledFrom(sortedIDs(r.lessons)), 1, min(2, len(r.lessons)), rapid.ID[lessons.ID]).Draw(t, "ids")
	out := make([]lessons.Lesson, len(ids))
	for i, id := range ids {
		l, err := r.s.Get(id)
		if err != nil {
			t.Fatal(err)
		}
		out[i] = l
	}
	return out
}

func sortedIDs(m map[lessons.ID]lessons.Lesson) []lessons.ID {
	var out []lessons.ID
	for i := range 1000 {
		if id := lessons.ID(fmt.Sprint("l", i)); m[id].ID != "" {
			out = append(out, id)
		}
	}
	return out
}

func (r *modelRun) put(t *rapid.T, op lessons.Op, undoable bool, ls ...lessons.Lesson) {
	out, err := r.s.Put(Write{Op: op, By: "Ann", Undoable: undoable}, ls...)
	if err != nil {
		t.Fatalf("%s: %v", op, err)
	}
	for _, l := range out {
		if want := r.lessons[l.ID].Outside && !op.Decides(); l.Outside != want {
			t.Fatalf("after %s of what was outside: %v, %s is outside: %v", op, r.lessons[l.ID].Outside, l.ID, l.Outside)
		}
	}
	r.model.put(undoable, out...)
}

var texts3 = rapid.SampledFrom([]string{"Use tabs", "Use spaces", "use TABS", "--- dashes ---", "日本語", "!!!"})

func (r *modelRun) add(t *rapid.T) {
	var ls []lessons.Lesson
	for range rapid.IntRange(1, 3).Draw(t, "how many") {
		r.n++
		l := lesson(fmt.Sprint("l", r.n), texts3.Draw(t, "content"))
		l.Scope.Project = rapid.SampledFrom([]string{"octofs", "..", "_"}).Draw(t, "project")
		ls = append(ls, l)
	}
	r.put(t, "add", rapid.Bool().Draw(t, "undoable"), ls...)
}

func (r *modelRun) edit(t *rapid.T) {
	ls := r.some(t)
	for i := range ls {
		ls[i].Content = texts3.Draw(t, "content")
		ls[i].Scope.Global = rapid.Bool().Draw(t, "global")
	}
	r.put(t, "edit", true, ls...)
}

func (r *modelRun) decide(t *rapid.T) {
	ls := r.some(t)
	for i := range ls {
		ls[i].Status = rapid.SampledFrom([]lessons.Status{lessons.Pending, lessons.Approved, lessons.Rejected}).Draw(t, "status")
	}
	r.put(t, lessons.OpApprove, true, ls...)
}

func (r *modelRun) use(t *rapid.T) {
	ls := r.some(t)
	for i := range ls {
		ls[i].Use.Used++
	}
	r.put(t, "use", false, ls...)
}

// byHand edits a file, which is no write of ours and cannot be undone.
func (r *modelRun) byHand(t *rapid.T) {
	l := r.some(t)[0]
	path, err := r.s.Path(l.ID)
	if err != nil {
		t.Fatal(err)
	}
	r.n++
	l.Insight = fmt.Sprint("by hand ", r.n)
	text, err := file.Encode(l)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	l.Outside = true
	r.model.put(false, l)
}

func (r *modelRun) remove(t *rapid.T) {
	l := r.some(t)[0]
	path, err := r.s.Path(l.ID)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	delete(r.lessons, l.ID)
}

func (r *modelRun) back(t *rapid.T) {
	n := rapid.IntRange(1, 3).Draw(t, "steps")
	_, err := r.s.Undo(n, "Ann")
	r.expect(t, r.turn(n, &r.undo, &r.redo, true), err)
}

func (r *modelRun) forth(t *rapid.T) {
	n := rapid.IntRange(1, 3).Draw(t, "steps")
	_, err := r.s.Redo(n, "Ann")
	r.expect(t, r.turn(n, &r.redo, &r.undo, false), err)
}

func (r *modelRun) expect(t *rapid.T, ok bool, err error) {
	if ok && err != nil || !ok && !errors.Is(err, lessons.ErrConflict) {
		t.Fatalf("got %v, want success: %v", err, ok)
	}
}

// forget takes a lesson out of what can be undone, too.
func (r *modelRun) forget(t *rapid.T) {
	id := r.some(t)[0].ID
	if err := r.s.Forget(id); err != nil {
		t.Fatal(err)
	}
	delete(r.lessons, id)
	for _, t := range append(r.undo, r.redo...) {
		delete(t.before, id)
		delete(t.after, id)
	}
}

// check compares files, followers and model.
func (r *modelRun) check(t *rapid.T) {
	for ch, err := range r.all.Since(r.cursor) {
		if err != nil {
			t.Fatal(err)
		}
		if r.cursor = ch.Cursor; ch.After == nil {
			delete(r.follower, ch.ID)
		} else {
			r.follower[ch.ID] = *ch.After
		}
	}
	have := map[lessons.ID]lessons.Lesson{}
	for l, err := range r.all.All() {
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(l, r.follower[l.ID]) {
			t.Fatalf("a follower has\n%+v\nthe file is\n%+v", r.follower[l.ID], l)
		}
		l.Rev = ""
		have[l.ID] = l
	}
	if !reflect.DeepEqual(have, r.lessons) {
		t.Fatalf("the corpus has\n%+v\nwant\n%+v", have, r.lessons)
	}
	if len(r.follower) != len(have) {
		t.Fatalf("a follower has %d lessons, the corpus %d", len(r.follower), len(have))
	}
}
