package store

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"runtime"
	"strings"
	"time"

	"learnings/lessons"
	"learnings/lessons/file"
)

// A Write describes a change, for journal and undo.
type Write struct {
	Op       lessons.Op // "" is [lessons.OpPut], or [lessons.OpAdopt] in Adopt
	By       string     // who
	Undoable bool       // a person may want to undo it
	Why      string     // a reason in words; "" if Op says enough
	How      string     // at a terminal or by a script, and in which programs; "" if no person decided
	Session  string     // the agent session that reported it; "" for none
	Remark   bool       // only journal it; no file changes

	// Unconfirmed says that no person is known to have decided: the lessons are as another
	// program wrote them, see [lessons.Lesson.Outside].
	Unconfirmed bool
}

// Put stores lessons, all or none, and returns them as stored: in the normal form of
// [file.Encode], with their new revision. A lesson with a Rev must still be at that
// revision; one without must not exist yet. Otherwise nothing is written and the error,
// which names the id, is [lessons.ErrConflict], or a [*file.Error] if the lesson's file
// is broken. An unchanged lesson is not written. A zero Created becomes now. With
// [Write.Remark] the lessons are journaled and returned as they are stored.
func (s *Store) Put(w Write, ls ...lessons.Lesson) ([]lessons.Lesson, error) {
	out := make([]lessons.Lesson, len(ls))
	texts := make([][]byte, len(ls))
	seen := map[lessons.ID]bool{}
	for i, l := range ls {
		if l.Created.IsZero() {
			l.Created = s.now().Truncate(time.Second)
		}
		data, err := file.Encode(l)
		if err != nil {
			return nil, fmt.Errorf("storing %s: %w", l.ID, err)
		}
		if seen[l.ID] {
			return nil, fmt.Errorf("storing %s: %w: it is there twice", l.ID, lessons.ErrInvalid)
		}
		seen[l.ID] = true
		rev := l.Rev
		out[i], texts[i] = file.Normal(l), data
		out[i].Rev = rev
	}
	record := write{At: s.now().UTC(), Op: cmp.Or(w.Op, lessons.OpPut), By: w.By, Undoable: w.Undoable,
		How: strings.ToValidUTF8(w.How, "\ufffd"), Why: strings.ToValidUTF8(w.Why, "\ufffd"), Session: strings.ToValidUTF8(w.Session, "\ufffd")}
	_, err := s.write(true, func() bool { return s.tree.mustLook(s.table, out, s.justLooked()) }, func() (write, error) {
		p := planner{d: s.tree, t: s.table, unconfirmed: w.Unconfirmed}
		plan := p.step
		if w.Remark {
			plan = p.remarked
		}
		for i, l := range out {
			step, err := plan(l, texts[i], record.Op)
			if err != nil {
				return record, err
			}
			out[i].Rev = revOf(texts[i])
			if step == nil {
				continue
			}
			if step.After.Rev != out[i].Rev { // its place has changed it
				out[i] = *step.After.lesson(l.ID)
				out[i].Rev = step.After.Rev
			}
			out[i].Outside = step.After.Outside
			record.Files = append(record.Files, *step)
		}
		return record, nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// mustLook reports whether a scan is needed: for a new lesson, whose id another program
// may have added, unless the table is trusted, or for one whose file has moved.
func (d tree) mustLook(t *table, ls []lessons.Lesson, trusted bool) bool {
	for _, l := range ls {
		e, ok := t.find(l.ID)
		if !ok && trusted {
			continue
		}
		if !ok || l.Rev == "" {
			return true
		}
		if id, err := d.identify(e); err != nil || id != l.ID {
			return true
		}
	}
	return false
}

// A planner determines the files that a write changes. It remembers the names in use by
// the write.
type planner struct {
	d     tree
	t     *table
	taken map[string]bool
	bad   error // why free names cannot be determined

	unconfirmed bool // see [Write.Unconfirmed]
}

// step checks that a lesson is still as it was read, and finds the path for its file. It
// returns nil if nothing changes.
func (p *planner) step(l lessons.Lesson, text []byte, op lessons.Op) (*fileStep, error) {
	before, err := p.d.stateOf(p.t, l.ID)
	if err != nil {
		return nil, fmt.Errorf("storing %s: %w", l.ID, err)
	}
	switch {
	case before == nil && l.Rev != "":
		return nil, fmt.Errorf("storing %s: %w: its file is gone", l.ID, lessons.ErrConflict)
	case before != nil && l.Rev != before.Rev:
		return nil, fmt.Errorf("storing %s: %w", l.ID, lessons.ErrConflict)
	}
	old := ""
	if before != nil {
		if old = before.Path; before.Text == string(text) && before.Outside == p.outside(before, op) && file.Named(l, old) {
			return nil, nil
		}
	}
	after, err := p.settle(l, text, old)
	if err != nil {
		return nil, fmt.Errorf("storing %s: %w", l.ID, err)
	}
	after.Outside = p.outside(before, op)
	if before != nil && before.is(*after) {
		return nil, nil
	}
	return &fileStep{ID: l.ID, Before: before, After: after}, nil
}

// outside reports whether the new text of a lesson counts as another program's.
func (p *planner) outside(before *state, op lessons.Op) bool {
	return p.unconfirmed || before != nil && before.Outside && !op.Decides()
}

// remarked returns a step that changes nothing. The lesson must still be as it was read.
func (p *planner) remarked(l lessons.Lesson, _ []byte, _ lessons.Op) (*fileStep, error) {
	now, err := p.d.stateOf(p.t, l.ID)
	if err == nil && (now == nil || now.Rev != l.Rev) {
		err = lessons.ErrConflict
	}
	if err != nil {
		return nil, fmt.Errorf("remarking on %s: %w", l.ID, err)
	}
	return &fileStep{ID: l.ID, Before: now, After: now}, nil
}

// stateOf reads a lesson's file. It returns nil if there is no file, and an error if it
// is broken.
func (d tree) stateOf(t *table, id lessons.ID) (*state, error) {
	e, ok := t.find(id)
	if !ok {
		return nil, nil
	}
	data, err := d.readFile(e.path)
	if errors.Is(err, lessons.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	switch l, err := file.DecodeAt(e.path, data, id); {
	case err != nil:
		return nil, err
	case l.ID != id:
		return nil, nil
	}
	rev := revOf(data)
	return &state{Path: e.path, Rev: rev, Text: string(data), Outside: e.outside || e.rev != rev}, nil
}

// settle returns the state of a file at its path. Octomind can only delete an approved
// lesson, and count its use, under the name that it computes itself. So if two were made
// in the same second and begin with the same words, the one approved later is dated a
// second later. An undo restores a text exactly, so it numbers the name instead; the next
// write corrects that.
func (p *planner) settle(l lessons.Lesson, text []byte, old string) (*state, error) {
	if l.Status != lessons.Approved {
		return &state{Path: p.place(l, old), Rev: revOf(text), Text: string(text)}, p.bad
	}
	created := l.Created
	name := p.settled(old, func(n int) string {
		l.Created = created.Add(time.Duration(n-1) * time.Second)
		return file.Name(l, 1)
	}, func(first string) bool { return path.Base(old) == path.Base(first) })
	if p.bad != nil {
		return nil, p.bad
	}
	if !l.Created.Equal(created) {
		var err error
		if text, err = file.Encode(l); err != nil {
			return nil, err
		}
	}
	return &state{Path: name, Rev: revOf(text), Text: string(text)}, nil
}

// place returns the path for a lesson's file: its current one if that fits, else
// Octomind's name for it, numbered if taken.
func (p *planner) place(l lessons.Lesson, old string) string {
	return p.settled(old, func(n int) string { return file.Name(l, n) }, func(first string) bool {
		return file.Named(l, path.Dir(first)+"/"+path.Base(old))
	})
}

// settled returns the old path if it fits and is in the right folder, else the first free
// name.
func (p *planner) settled(old string, name func(n int) string, fits func(first string) bool) string {
	first := name(1)
	dir := p.d.spelled(path.Dir(first))
	if path.Dir(old) == dir && fits(first) {
		return old
	}
	for n := 1; ; n++ {
		if try := dir + "/" + path.Base(name(n)); p.free(try) {
			return try
		}
	}
}

// free takes a name unless it exists in upper or lower case, which file systems may not
// distinguish. If that cannot be determined it sets p.bad, and nothing may be written.
func (p *planner) free(name string) bool {
	key := strings.ToLower(name)
	if p.taken[key] {
		return false
	}
	switch _, err := os.Lstat(p.d.full(name)); {
	case err == nil:
		return false
	case !errors.Is(err, fs.ErrNotExist) && p.bad == nil: // no other name would do either
		p.bad = fmt.Errorf("looking whether a file can be made there: %w", err)
	}
	if p.taken == nil {
		p.taken = map[string]bool{}
	}
	p.taken[key] = true
	return true
}

// spelled returns a folder's spelling on disk, so that a scan of a case-insensitive disk
// finds files under their names.
func (d tree) spelled(dir string) string {
	if runtime.GOOS != "darwin" && runtime.GOOS != "windows" {
		return dir
	}
	out := ""
	for part := range strings.SplitSeq(dir, "/") {
		entries, _ := os.ReadDir(d.full(out))
		for _, e := range entries {
			if e.Name() == part {
				break
			}
			if strings.EqualFold(e.Name(), part) {
				if _, err := os.Lstat(d.full(join(out, part))); err == nil {
					part = e.Name()
				}
				break
			}
		}
		out = join(out, part)
	}
	return out
}
