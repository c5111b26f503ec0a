package store

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"learnings/lessons"
	"learnings/lessons/file"
	db "learnings/lessons/state"
)

// News say how the files differ from the table.
type news struct {
	records []entry           // what to put in the table
	settled []entry           // the same, for files that did not change and whose time can be relied on from now on
	steps   []step            // what became of lessons, by id
	texts   map[string][]byte // of files, by path, as far as there was room
	odd     []string          // see survey
	temps   []string          // see survey
	seen    *sight            // which holds once all this is in the table
	old     *sight            // that it takes the place of
}

// A step is a lesson whose file is not what it was. A path is "" for no file.
type step struct {
	id            lessons.ID
	before, after entry
}

// mostTexts is how many bytes of files are held until the journal has them; of a corpus that
// is new to this machine there are hundreds of megabytes.
const mostTexts = 8 << 20

// compare finds out how files differ from those entries of a table that lie in the same
// folders. Size and time say which of them to read, and their content what changed.
func (d tree) compare(t *table, entries []entry, files []found) news {
	type job struct {
		found
		old entry
	}
	var jobs []job
	n := news{texts: map[string][]byte{}}
	i := 0
	for _, f := range files {
		for ; i < len(entries) && entries[i].path < f.path; i++ {
			n.records = append(n.records, lost(entries[i]))
		}
		var old entry
		if i < len(entries) && entries[i].path == f.path {
			old = entries[i]
			i++
			if old.size == f.size && old.mtime == f.mtime && !old.fresh {
				continue
			}
		}
		jobs = append(jobs, job{f, old})
	}
	for ; i < len(entries); i++ {
		n.records = append(n.records, lost(entries[i]))
	}
	if len(jobs)+len(n.records) == 0 {
		return n
	}
	now := time.Now() // the clock of file systems, whatever Options.Now says
	results := make([]entry, len(jobs))
	texts := make([][]byte, len(jobs))
	var held atomic.Int64
	each(len(jobs), func(i int) {
		results[i], texts[i] = d.examine(jobs[i].found, jobs[i].old, now)
		if held.Add(int64(len(texts[i]))) > mostTexts {
			texts[i] = nil
		}
	})
	for i, e := range results {
		old := jobs[i].old
		switch {
		case e == old:
		case e.rev == old.rev && e.id == old.id && old.path != "" && (e.kind == old.kind || old.kind == double):
			e.kind = old.kind
			if e != old {
				n.settled = append(n.settled, e)
			}
		default:
			n.records = append(n.records, e)
			if texts[i] != nil {
				n.texts[e.path] = texts[i]
			}
		}
	}
	n.assign(t)
	return n
}

func lost(e entry) entry {
	e.kind = gone
	return e
}

// examine reads one file that is new or may have changed. A file without an id, or a
// broken one, keeps the id that it had.
func (d tree) examine(f found, old entry, now time.Time) (entry, []byte) {
	e := entry{found: f, id: old.id, kind: broken, outside: true, fresh: now.Sub(time.Unix(0, f.mtime)) < settleTime}
	data, err := d.readFile(f.path)
	switch {
	case errors.Is(err, lessons.ErrNotFound):
		return lost(e), nil
	case err != nil:
		e.fresh = f.size <= file.MaxSize // permissions can change without the modification time
		return e, nil
	}
	e.rev = revOf(data)
	if e.rev == old.rev {
		e.kind, e.outside = old.kind, old.outside
		return e, nil
	}
	if l, err := file.DecodeAt(f.path, data, old.id); err == nil {
		e.id, e.kind = lessons.ID(strings.Clone(string(l.ID))), good // the table would hold all of the file
	}
	return e, data
}

// assign finds, for each id that the news concern, the file that counts: the one that
// did before, or else the first by path. It completes records and fills steps.
func (n *news) assign(t *table) {
	if len(n.records) == 0 {
		return
	}
	touched := map[lessons.ID]*step{}
	touch := func(id lessons.ID) {
		if id != "" && touched[id] == nil {
			touched[id] = &step{id: id}
		}
	}
	for _, r := range n.records {
		touch(r.id)
		if old, ok := t.at(r.path); ok {
			touch(old.id)
		}
	}
	ids := slices.Collect(maps.Keys(touched))
	for _, e := range t.of(ids...) {
		if e.kind == good {
			touched[e.id].before = e
		}
	}
	after := t.with(n.records).of(ids...)
	for _, e := range after {
		st := touched[e.id]
		if e.kind != broken && (st.after.path == "" || e.path == st.before.path) {
			st.after = e
		}
	}
	for _, e := range after {
		st := touched[e.id]
		if e.kind == broken {
			continue
		}
		was := e
		if e.kind = double; st.after.path == e.path {
			e.kind = good
		}
		if e.rev == st.before.rev && e.id == st.before.id {
			e.outside = st.before.outside // it was moved
		}
		if e != was {
			n.records = append(n.records, e)
		}
		if st.after.path == e.path {
			st.after = e
		}
	}
	for _, st := range touched {
		if st.before.path != st.after.path || st.before.rev != st.after.rev {
			n.steps = append(n.steps, *st)
		}
	}
	slices.SortFunc(n.steps, func(a, b step) int { return strings.Compare(string(a.id), string(b.id)) })
}

// catchUp records what others did to the files, as far as a look tells. It needs the
// lock.
func (s *Store) catchUp(l look) error {
	n, err := s.look(s.table, l)
	if err != nil {
		return err
	}
	if err := s.tree.sweep(n.temps); err != nil {
		return err
	}
	if len(n.records) == 0 {
		s.saw(n, s.table)
		return nil
	}
	seq := s.table.seq
	err = s.db.Update(func(t db.Tx) error {
		for part := range slices.Chunk(n.steps, 500) { // not all in memory, with their texts
			seq++
			w := write{Seq: seq, At: s.now().UTC(), Op: lessons.OpExternal}
			for _, st := range part {
				w.Files = append(w.Files, s.tree.externalStep(st, n.texts))
			}
			if err := journaled(t, w, true); err != nil {
				return err
			}
		}
		return n.save(t)
	})
	if err != nil {
		return fmt.Errorf("recording what others have changed: %w", err)
	}
	s.looked, s.alone = n.seen.began, false
	s.table, err = s.read()
	return err
}

func (d tree) externalStep(st step, texts map[string][]byte) fileStep {
	f := fileStep{ID: st.id}
	if st.before.path != "" {
		f.Before = &state{Path: st.before.path, Rev: st.before.rev, Outside: st.before.outside}
	}
	if st.after.path != "" {
		text, ok := texts[st.after.path]
		if !ok {
			// A double that now counts, or there was no room. What has become of the file
			// meanwhile is the next change.
			text, _ = d.readFile(st.after.path)
		}
		f.After = &state{Path: st.after.path, Rev: revOf(text), Text: string(text), Outside: st.after.outside}
	}
	return f
}

// sweep removes what a crash left of files that were being written. It needs the
// lock, under which nobody is writing.
func (d tree) sweep(temps []string) error {
	if len(temps) == 0 {
		return nil
	}
	root, err := d.open()
	if err != nil {
		return err
	}
	defer root.Close()
	for _, p := range temps {
		_ = root.Remove(p) // if it fails, the next scan finds it again
	}
	return nil
}

// current gives the table after what others did has been recorded. When nothing has
// happened it only reads, and does not lock the corpus. A Store that trusts a look does not
// wait for a process that writes either: it gives what the last write left, and the next
// look at all files has the rest.
func (s *Store) current() (*table, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	t, err := s.known()
	if err != nil {
		return nil, err
	}
	if t.epoch != "" && !t.cut {
		if s.justLooked() {
			return t, nil
		}
		n, err := s.look(t, quick)
		if err != nil {
			return nil, err
		}
		if len(n.records) == 0 {
			s.saw(n, t)
			return t, nil
		}
	}
	if _, err := os.Stat(s.tree.dir); err != nil && t.epoch == "" {
		return t, nil // there is nothing yet, and a reader creates nothing
	}
	lock := s.gate.lock
	if t.epoch != "" && s.trust > 0 {
		lock = s.gate.tryLock
	}
	unlock, err := lock()
	if err != nil {
		return nil, err
	}
	if unlock == nil {
		return t, nil
	}
	defer unlock()
	if err := s.begin(); err != nil {
		return nil, err
	}
	if err := s.catchUp(quick); err != nil {
		return nil, err
	}
	return s.table, nil
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
