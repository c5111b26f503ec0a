package store

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"learnings/lessons"
	"learnings/lessons/file"
)

// A sight is the result of a scan: how the files are, and how they differ from a table.
type sight struct {
	corpusRow           // valid once the table has all of this
	began     time.Time // start of the scan
	quick     bool      // the folders are unchanged, and the files were not examined
	files     []entry   // all of them, by path; see [sight.all]
	news      []entry   // what to put into the table
	settled   []entry   // the same for unchanged files whose time stamp is reliable from now on
	steps     []step    // the changed lessons, by id
	temps     []string  // temporary files that a crash left
}

// A step is a change of a lesson's file. A path is "" for no file.
type step struct {
	id            lessons.ID
	before, after entry
}

// all gives all files.
func (v *sight) all(t *table) []entry {
	if v.quick {
		return t.entries("")
	}
	return v.files
}

// look finds what other programs did since the table was written. A quick scan only
// checks whether the folders are as in the table. It is an error if the corpus is missing
// although it had lessons: an unmounted disk must not look like a decision to delete
// everything.
func (d tree) look(t *table, quick bool) (*sight, error) {
	if _, err := os.Stat(d.dir); err != nil && len(t.entries("WHERE path = (SELECT min(path) FROM files)")) > 0 {
		return nil, fmt.Errorf("the folder of the corpus is gone (%v); mount it, or make it again to go on without its lessons", err)
	}
	w, err := d.walk()
	if err != nil {
		return nil, err
	}
	v := &sight{corpusRow: t.corpusRow, began: w.began, temps: w.temps}
	if v.quick = quick && w.sum == t.Folders && w.sum != 0; v.quick {
		return v, nil
	}
	was := t.entries("") // before the files, so that a concurrent write is news, not a removal
	there, err := w.list()
	if err != nil || t.err != nil {
		return nil, errors.Join(err, t.err)
	}
	v.Full, v.Odd, v.temps = w.began.UnixNano(), there.odd, append(v.temps, there.temps...)
	if w.sum != t.Folders && w.fresh {
		w.sum = 0
	}
	v.Folders = w.sum
	v.files = d.examine(was, there.files)
	assign(was, v)
	compare(was, v)
	return v, nil
}

// pairs walks was and is, both in path order. A side without the file gets an entry
// without a path.
func pairs(was, is []entry, fn func(was, is entry)) {
	for len(was)+len(is) > 0 {
		var a, b entry
		if len(was) > 0 && (len(is) == 0 || was[0].path <= is[0].path) {
			a = was[0]
		}
		if len(is) > 0 && (len(was) == 0 || is[0].path <= was[0].path) {
			b = is[0]
		}
		if a.path != "" {
			was = was[1:]
		}
		if b.path != "" {
			is = is[1:]
		}
		fn(a, b)
	}
}

// examine returns the entries of files. Size and time decide which ones are read.
func (d tree) examine(was []entry, there []found) []entry {
	is := make([]entry, len(there))
	for i, f := range there {
		is[i].found = f
	}
	out := make([]entry, 0, len(is))
	var changed []int
	pairs(was, is, func(a, b entry) {
		switch {
		case b.path == "":
			return
		case a.path != "" && a.found == b.found && !a.fresh:
			b = a
		default:
			b.id, b.rev, b.kind, b.outside = a.id, a.rev, a.kind, a.outside
			changed = append(changed, len(out))
		}
		out = append(out, b)
	})
	now := time.Now() // Options.Now is not the clock of the file system
	each(len(changed), func(i int) { d.readEntry(&out[changed[i]], now) })
	return slices.DeleteFunc(out, func(e entry) bool { return e.kind == gone })
}

// readEntry reads one file that is new or may have changed. A file that is broken or has
// no id keeps its previous id.
func (d tree) readEntry(e *entry, now time.Time) {
	e.fresh = now.Sub(time.Unix(0, e.mtime)) < settleTime
	data, err := d.readFile(e.path)
	switch {
	case errors.Is(err, lessons.ErrNotFound):
		e.kind = gone
		return
	case err != nil:
		e.rev, e.kind, e.outside = "", broken, true
		e.fresh = e.size <= file.MaxSize // permissions can change without the modification time
		return
	}
	rev := revOf(data)
	if rev == e.rev {
		return
	}
	e.rev, e.kind, e.outside = rev, broken, true
	if l, err := file.DecodeAt(e.path, data, e.id); err == nil {
		e.id, e.kind = lessons.ID(strings.Clone(string(l.ID))), good // cloned, or the table would keep the whole file in memory
	}
}

// assign finds, for each id in a changed file, the file that counts: the one that did
// before, or else the first by path. It fills steps.
func assign(was []entry, v *sight) {
	touched := map[lessons.ID]*step{}
	pairs(was, v.files, func(a, b entry) {
		for _, e := range []entry{a, b} {
			if e.id != "" && !same(a, b) {
				touched[e.id] = &step{id: e.id}
			}
		}
	})
	if len(touched) == 0 {
		return
	}
	for _, e := range was {
		if st := touched[e.id]; st != nil && e.kind == good {
			st.before = e
		}
	}
	for _, e := range v.files {
		if st := touched[e.id]; st != nil && e.kind != broken && (st.after.path == "" || e.path == st.before.path) {
			st.after = e
		}
	}
	for i, e := range v.files {
		st := touched[e.id]
		if st == nil || e.kind == broken {
			continue
		}
		if e.kind = double; st.after.path == e.path {
			e.kind = good
		}
		if e.rev == st.before.rev && e.id == st.before.id {
			e.outside = st.before.outside // it was moved
		}
		if v.files[i] = e; e.kind == good {
			st.after = e
		}
	}
	for _, st := range touched {
		if st.before.path != st.after.path || st.before.rev != st.after.rev {
			v.steps = append(v.steps, *st)
		}
	}
	slices.SortFunc(v.steps, func(a, b step) int { return strings.Compare(string(a.id), string(b.id)) })
}

// same reports whether a file's content has not changed, ignoring size and time.
func same(a, b entry) bool {
	return a.path == b.path && a.id == b.id && a.rev == b.rev && a.kind == b.kind && a.outside == b.outside
}

// compare fills news and settled.
func compare(was []entry, v *sight) {
	pairs(was, v.files, func(a, b entry) {
		switch {
		case a == b:
		case same(a, b):
			v.settled = append(v.settled, b)
		case b.path == "":
			a.kind = gone
			v.news = append(v.news, a)
		default:
			v.news = append(v.news, b)
		}
	})
}

// each calls fn for 0 to n-1 on all processors.
func each(n int, fn func(int)) {
	workers := min(runtime.GOMAXPROCS(0), n)
	if n < 16 {
		workers = 1
	}
	var next atomic.Int64
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				fn(i)
			}
		})
	}
	wg.Wait()
}
