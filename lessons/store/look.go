package store

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"learnings/lessons"
	"learnings/lessons/file"
	db "learnings/lessons/state"
)

// A look at the corpus finds what other programs did. It leaves for the next one, of
// whichever process, each folder as it was just before it was found to hold what the table
// says. Names that come, go or are replaced change their folder. What is written into a
// file that keeps its name does not, and is found by a look at all files only.

// A folder of the corpus.
type folder struct {
	path string // within the corpus, with slashes; "" for its root
	leaf bool   // it holds lessons, and not folders
	stamp
	fresh bool // so new when it was seen that a later change could have left the stamp the same
}

// A stamp tells a folder from what it becomes. Times are in nanoseconds.
type stamp struct {
	mtime int64
	ctime int64 // which no program can set; 0 where there is none
	inode uint64
}

// tick is longer than any clock stands still from which a file system takes stamps that
// have a part below a millisecond. Nearly all have, and then a folder into which somebody
// writes all the time need not be listed for two seconds after each of the files.
const tick = 100 * time.Millisecond

// fresh also holds for a stamp of the future, where a clock was put back.
func (s stamp) fresh(now time.Time) bool {
	last, settle := max(s.mtime, s.ctime), settleTime
	if last%int64(time.Millisecond) != 0 {
		settle = tick
	}
	return now.UnixNano()-last < int64(settle)
}

// A sight is what a look has seen of the folders.
type sight struct {
	corpusRow
	began   time.Time
	folders map[string]folder
}

// seen reads the last sight; nil for none.
func seen(d db.DB) (*sight, error) {
	v := &sight{folders: map[string]folder{}}
	err := d.View(func(t db.Tx) error {
		if _, err := t.Get(keptCorpus, &v.corpusRow); err != nil {
			return err
		}
		return t.Each(func(r *db.Rows) error {
			var f folder
			var inode int64
			err := r.Scan(&f.path, &f.leaf, &f.mtime, &f.ctime, &inode, &f.fresh)
			f.inode = uint64(inode)
			v.folders[f.path] = f
			return err
		}, "SELECT path, leaf, mtime, ctime, inode, fresh FROM folders")
	})
	if err != nil || v.Epoch == "" {
		return nil, err
	}
	return v, nil
}

// save puts a sight in the place of another.
func (v *sight) save(t db.Tx, old *sight) error {
	if old == nil {
		old = &sight{}
	}
	for p := range old.folders {
		if _, ok := v.folders[p]; !ok {
			if _, err := t.Exec("DELETE FROM folders WHERE path = ?", p); err != nil {
				return err
			}
		}
	}
	for p, f := range v.folders {
		if was, ok := old.folders[p]; !ok || was != f {
			if err := f.save(t); err != nil {
				return err
			}
		}
	}
	return t.Put(keptCorpus, v.corpusRow)
}

func (f folder) save(t db.Tx) error {
	_, err := t.Exec("INSERT OR REPLACE INTO folders (path, leaf, mtime, ctime, inode, fresh) VALUES (?, ?, ?, ?, ?, ?)",
		f.path, f.leaf, f.mtime, f.ctime, int64(f.inode), f.fresh)
	return err
}

// A walk goes through the folders of a corpus and finds those that must be listed.
type walk struct {
	dir      string
	began    time.Time
	old      map[string]folder
	children map[string][]string
	now      map[string]folder
	changed  []string // that hold lessons, and are not known to be as they were
	vanished []string // that held lessons
	temps    []string // see survey; of the folders of folders that were listed
}

// walk goes through the folders. Of those that a sight knows it lists only what has
// changed; a nil sight knows none.
func (d tree) walk(known *sight) (*walk, error) {
	w := &walk{dir: d.dir, began: time.Now(), children: map[string][]string{}, now: map[string]folder{}}
	if known != nil {
		w.old = known.folders
		for p := range w.old {
			if dir, name := path.Split(p); !strings.HasPrefix(name, ".") && name != "" {
				dir = strings.TrimSuffix(dir, "/")
				w.children[dir] = append(w.children[dir], name)
			}
		}
	}
	for _, status := range lessons.Statuses {
		top := file.StatusFolder(status)
		projects, err := w.enter(top, false)
		for _, p := range projects {
			if err == nil {
				err = w.project(join(top, p), p == file.Global)
			}
		}
		if err != nil {
			return nil, err
		}
	}
	for p, f := range w.old {
		if _, ok := w.now[p]; f.leaf && !ok {
			w.vanished = append(w.vanished, p)
		}
	}
	return w, nil
}

func (w *walk) project(name string, leaf bool) error {
	roles, err := w.enter(name, leaf)
	for _, r := range roles {
		if err == nil {
			_, err = w.enter(join(name, r), true)
		}
	}
	return err
}

// enter sees a folder, and gives the folders in it unless it is one that holds
// lessons. What is no folder, or leads out of the corpus as a symlink, is passed over.
func (w *walk) enter(name string, leaf bool) (within []string, err error) {
	full := filepath.Join(w.dir, filepath.FromSlash(name))
	if name == "" {
		full += string(filepath.Separator) // it may be a symlink itself
	}
	st, isDir, err := stampOf(full)
	if errors.Is(err, fs.ErrNotExist) || err == nil && !isDir {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("listing the corpus: %v", err)
	}
	was, known := w.old[name]
	same := known && was.stamp == st && was.leaf == leaf && !was.fresh
	w.now[name] = folder{name, leaf, st, !same && st.fresh(w.began)}
	switch {
	case leaf && !same:
		w.changed = append(w.changed, name)
	case leaf:
	case same:
		return w.children[name], nil
	default:
		within, temps, err := subfolders(w.dir, name)
		w.temps = append(w.temps, temps...)
		return within, err
	}
	return nil, nil
}

// look finds what changed since the table was written: in all files, or, with what an
// earlier look has seen, in the folders that are not as it has them. It is an error when
// the corpus is missing although it had lessons in it: a disk that is not mounted must not
// look like a decision to delete everything.
func (d tree) look(t *table, known *sight) (news, error) {
	if _, err := os.Stat(d.dir); err != nil && len(t.all()) > 0 {
		return news{}, fmt.Errorf("the folder of the corpus is gone (%v); mount it, or make it anew to go on without its lessons", err)
	}
	w, err := d.walk(known)
	if err != nil {
		return news{}, err
	}
	// The entries come before the files: what is written meanwhile is then news, and not gone.
	entries, full := []entry(nil), w.began.UnixNano()
	listed := slices.Concat(w.changed, w.vanished)
	if slices.SortFunc(listed, byFolder); known == nil {
		entries = t.all()
	} else {
		full = known.Full
		for _, f := range listed {
			entries = append(entries, t.below(f+"/")...)
		}
	}
	there, err := scan(d.dir, w.changed)
	if err != nil {
		return news{}, err
	}
	if known != nil {
		for _, p := range known.Odd {
			if !slices.Contains(listed, path.Dir(p)) {
				there.odd = append(there.odd, p)
			}
		}
	}
	n := d.compare(t, entries, there.files)
	n.odd, n.temps = there.odd, slices.Concat(w.temps, there.temps)
	n.seen = &sight{corpusRow: corpusRow{Epoch: t.epoch, Full: full, Odd: n.odd}, began: w.began, folders: w.now}
	return n, t.err
}

// byFolder is an order of folders in which the paths of their files follow each other
// as in the order of all paths.
func byFolder(a, b string) int { return cmp.Compare(a+"/", b+"/") }

// A watch is how closely a Store looks for what other programs do, and what it has
// seen.
type watch struct {
	trust time.Duration // how long a look at all files is trusted; see Store.Trusting
	aside func() error  // the same; nil for none

	alone  bool      // nobody else looks at all files: this Store does
	looked time.Time // when the last look was of which all that was found is in the table
	odd    []string  // what the last one found that is named like a lesson and is no plain file
}

// A look is how closely to look once.
type look bool

const (
	quick    look = false // at what has changed, as far as an earlier look is trusted
	thorough look = true  // at all files
)

// justLooked reports whether this Store has looked so lately that it need not again.
func (w *watch) justLooked() bool { return time.Since(w.looked) < w.trust }

// trusted reports whether the folders are enough to look at. It may ask for a look at
// all files aside.
func (s *Store) trusted(v *sight) bool {
	age := time.Since(time.Unix(0, v.Full))
	if 0 <= age && age < s.trust {
		return true
	}
	s.alone = s.alone || s.aside == nil || !s.ask(v)
	return !s.alone
}

// askPatience is how often the time that a look is trusted one that was asked for may
// take, on a busy machine. To look as well would make it slower.
const askPatience = 5

// ask has a look at all files made aside, and reports whether it can be hoped for. It
// cannot where one was asked for and did not come: then this Store looks itself, and all
// others hope for that.
func (s *Store) ask(v *sight) bool {
	now, at, late := time.Now(), int64(0), false
	if _, err := s.db.Get(keptAsked, &at); err == nil && at > v.Full {
		waited := now.Sub(time.Unix(0, at))
		if 0 <= waited && waited < askPatience*s.trust {
			return true
		}
		late = true
	}
	if s.db.Put(keptAsked, now.UnixNano()) != nil {
		return false
	}
	return !late && s.aside() == nil
}

// look finds what changed since a table was written.
func (s *Store) look(t *table, l look) (news, error) {
	old, err := seen(s.db)
	if err != nil {
		return news{}, err
	}
	known := old
	if l == thorough || s.trust == 0 || old == nil || old.Epoch != t.epoch || !s.trusted(old) {
		known = nil
	}
	n, err := s.tree.look(t, known)
	if n.old = old; err == nil {
		s.odd = n.odd
	}
	return n, err
}

// saw saves what a look has seen that found no news, unless somebody has written since. It
// is for speed only: errors are ignored.
func (s *Store) saw(n news, t *table) {
	s.looked, s.alone = n.seen.began, false
	if t.epoch == "" || len(n.settled) == 0 && n.old != nil && n.seen.same(n.old) {
		return // a reader creates nothing
	}
	_ = s.db.Update(func(tx db.Tx) error {
		now, err := headOf(tx)
		if err != nil || now != t.head {
			return err
		}
		return n.save(tx)
	})
}

func (v *sight) same(o *sight) bool {
	if v.Full != o.Full || !slices.Equal(v.Odd, o.Odd) || len(v.folders) != len(o.folders) {
		return false
	}
	for p, f := range v.folders {
		if o.folders[p] != f {
			return false
		}
	}
	return true
}

// save puts the news into the database, with what was seen.
func (n news) save(t db.Tx) error {
	if err := record(t, slices.Concat(n.records, n.settled)); err != nil {
		return err
	}
	return n.seen.save(t, n.old)
}

// An own is what a write makes of folders, so that nobody has to list those that it alone
// has changed: they were as the last look has them until it put its files in place.
//
// What another program does in the same moment, between the looks that this takes or on a
// clock that stands still as long, is not seen in the folder. It is found by the next look
// at all files.
type own map[string]stamp

// stampsOf gives those of the folders of a write. One that it has emptied may be gone.
func (d tree) stampsOf(files []fileStep) own {
	out := own{}
	for _, f := range files {
		for _, st := range []*state{f.Before, f.After} {
			if st == nil {
				continue
			}
			if now, isDir, err := stampOf(d.full(path.Dir(st.Path))); err == nil && isDir {
				out[path.Dir(st.Path)] = now
			}
		}
	}
	return out
}

// save notes what the write has made of the folders.
func (was own) save(t db.Tx, is own) error {
	for p, now := range is {
		before := was[p]
		_, err := t.Exec("UPDATE folders SET mtime = ?, ctime = ?, inode = ?, fresh = 0 WHERE path = ? AND leaf AND (mtime = ? AND ctime = ? AND inode = ? OR mtime = ? AND ctime = ? AND inode = ?)",
			now.mtime, now.ctime, int64(now.inode), p, before.mtime, before.ctime, int64(before.inode), now.mtime, now.ctime, int64(now.inode))
		if err != nil {
			return err
		}
	}
	return nil
}
