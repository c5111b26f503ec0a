package store

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"learnings/lessons"
	"learnings/lessons/file"
)

// A glance is what a look at the corpus leaves for the next one, of whichever process:
// each folder as it was just before it was found to hold what the table says. Names
// that come, go or are replaced change their folder. What is written into a file that
// keeps its name does not, and is found by a look at all files only.
//
// It says nothing but that the table once had all that a folder held, so it stays right
// however the table goes on, until that is made anew. It may be deleted.
type glance struct {
	epoch   string    // of the table
	full    int64     // when the last look at all files began
	began   time.Time // when this one did; not kept
	folders []folder
	odd     []string // see survey
	noted
}

// What a glance has noted of the table, so that nobody needs to read that to learn it.
type noted struct {
	file stamp // of the table
	size int64
	mark mark
	bad  int // how many files are no lessons, or were
}

// A folder of the corpus.
type folder struct {
	path string // within the corpus, with slashes; "" for its root
	leaf bool   // it holds lessons, and not folders
	stamp
	fresh bool // so new when it was seen that a later change could have left the stamp the same
}

// A stamp tells a file or folder from what it becomes. Times are in nanoseconds.
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

const (
	glanceName  = "glance"
	glanceLock  = "glance.lock" // held while it is amended, for some microseconds
	glanceWait  = 50 * time.Millisecond
	askedName   = "glance.asked" // when somebody was asked to look
	glanceMagic = "learnings-glance-1"
)

// loadGlance gives the last glance, or nil when there is none that can be read.
func loadGlance(state string) *glance {
	data, err := os.ReadFile(filepath.Join(state, glanceName))
	if err != nil {
		return nil
	}
	g, err := parseGlance(data)
	if err != nil {
		return nil
	}
	return g
}

// On disk it is a header with the checksum of what follows, and lines of fields that
// are parted by tabs.
func parseGlance(data []byte) (*glance, error) {
	header, body, _ := bytes.Cut(data, []byte("\n"))
	if string(header) != fmt.Sprintf("%s %08x", glanceMagic, crc32.ChecksumIEEE(body)) {
		return nil, errors.New("it is no glance")
	}
	g := &glance{}
	var errs []error
	number := func(s string) int64 {
		n, err := strconv.ParseInt(s, 10, 64)
		errs = append(errs, err)
		return n
	}
	text := func(s string) string {
		t, err := strconv.Unquote(s)
		errs = append(errs, err)
		return t
	}
	for line := range strings.Lines(string(body)) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		switch {
		case f[0] == "table" && len(f) == 10:
			g.epoch, g.full, g.size, g.bad = text(f[1]), number(f[2]), number(f[3]), int(number(f[4]))
			g.file = stamp{number(f[5]), number(f[6]), uint64(number(f[7]))}
			g.mark = mark{uint64(number(f[8])), number(f[9])}
		case f[0] == "folder" && len(f) == 7:
			g.folders = append(g.folders, folder{text(f[1]), f[2] == "+", stamp{number(f[3]), number(f[4]), uint64(number(f[5]))}, f[6] == "+"})
		case f[0] == "odd" && len(f) == 2:
			g.odd = append(g.odd, text(f[1]))
		default:
			errs = append(errs, errors.New("it has a line of another kind"))
		}
	}
	return g, errors.Join(errs...)
}

func (g *glance) encode() []byte {
	flag := func(b bool) string {
		if b {
			return "+"
		}
		return "-"
	}
	b := fmt.Appendf(nil, "table\t%q\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\n", g.epoch, g.full, g.size, g.bad,
		g.file.mtime, g.file.ctime, int64(g.file.inode), int64(g.mark.seq), g.mark.end)
	for _, f := range g.folders {
		b = fmt.Appendf(b, "folder\t%q\t%s\t%d\t%d\t%d\t%s\n", f.path, flag(f.leaf), f.mtime, f.ctime, int64(f.inode), flag(f.fresh))
	}
	for _, p := range g.odd {
		b = fmt.Appendf(b, "odd\t%q\n", p)
	}
	return append(fmt.Appendf(nil, "%s %08x\n", glanceMagic, crc32.ChecksumIEEE(b)), b...)
}

// before is the glance of a look that found news, for another one with the lock: the
// folders of the news are to be listed again. It is nil where one of them is gone.
func (n news) before(t *table, state string) *glance {
	g := n.seen.of(t, state)
	g.folders = slices.Clone(g.folders)
	at := make(map[string]int, len(g.folders))
	for i, f := range g.folders {
		at[f.path] = i
	}
	for _, r := range n.records {
		i, ok := at[path.Dir(r.path)]
		if !ok {
			return nil
		}
		g.folders[i].fresh = true
	}
	return g
}

// amend makes another glance of the one that there is, or of nil, and saves it for the
// next call. It gives nil where there is none to save, or others have kept it busy too
// long: it is for speed only, and errors are ignored.
func amend(state string, change func(now *glance) *glance) *glance {
	wait, cancel := context.WithTimeout(context.Background(), glanceWait)
	defer cancel()
	l := flock.New(filepath.Join(state, glanceLock), flock.SetPermissions(0o600))
	if ok, err := l.TryLockContext(wait, time.Millisecond); !ok || err != nil {
		_ = l.Close()
		return nil
	}
	defer l.Close()
	g := change(loadGlance(state))
	if g != nil {
		g.save(state)
	}
	return g
}

// and gives what two glances say. Each is right of every folder, and of one that has
// changed the later says more.
func (g *glance) and(o *glance) *glance {
	if o == nil || o.epoch != g.epoch {
		return g
	}
	base, other := g, o
	if o.mark.seq > g.mark.seq {
		base, other = o, g
	}
	out := *base
	out.full = max(g.full, o.full)
	out.folders = slices.Clone(base.folders)
	had := make(map[string]folder, len(other.folders))
	for _, f := range other.folders {
		had[f.path] = f
	}
	later := map[string]bool{} // in the other one
	for i, f := range out.folders {
		switch was, ok := had[f.path]; {
		case !ok || was.leaf != f.leaf:
		case was.stamp == f.stamp:
			out.folders[i].fresh = was.fresh && f.fresh
		case max(was.mtime, was.ctime) > max(f.mtime, f.ctime):
			out.folders[i], later[f.path] = was, true
		}
	}
	out.odd = nil
	for _, p := range base.odd {
		if !later[path.Dir(p)] {
			out.odd = append(out.odd, p)
		}
	}
	for _, p := range other.odd {
		if later[path.Dir(p)] {
			out.odd = append(out.odd, p)
		}
	}
	return &out
}

// save leaves the glance for the next call.
func (g *glance) save(state string) {
	f, err := os.CreateTemp(state, glanceName+".*"+tempSuffix)
	if err != nil {
		return
	}
	_, err = f.Write(g.encode())
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), filepath.Join(state, glanceName))
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
}

// of completes a glance by what it notes of the table that its look was held against.
func (g *glance) of(t *table, state string) *glance {
	c := *g
	c.epoch, c.noted = t.epoch, noted{mark: t.mark, size: t.size, bad: t.bad}
	st, _, err := stampOf(filepath.Join(state, tableName))
	if err == nil && t.file != nil && st.mtime == t.file.ModTime().UnixNano() { // not one of another process meanwhile
		c.file = st
	}
	return &c
}

// current reports whether what a glance notes is of the table as it is.
func (n noted) current(state string) bool {
	name := filepath.Join(state, tableName)
	st, _, err := stampOf(name)
	if err != nil || st != n.file {
		return false
	}
	info, err := os.Stat(name)
	return err == nil && info.Size() == n.size
}

// A walk goes through the folders of a corpus and finds those that must be listed.
type walk struct {
	dir      string
	began    time.Time
	old      map[string]folder
	children map[string][]string
	now      []folder
	changed  []string // that hold lessons, and are not known to be as they were
	vanished []string // that held lessons
	temps    []string // see survey; of the folders of folders that were listed
}

// walk goes through the folders. Of those that a glance knows it lists only what has
// changed; a nil glance knows none.
func (d tree) walk(g *glance) (*walk, error) {
	w := &walk{dir: d.dir, began: time.Now()}
	if g != nil {
		w.old, w.children = make(map[string]folder, len(g.folders)), map[string][]string{}
		for _, f := range g.folders {
			w.old[f.path] = f
			if dir, name := path.Split(f.path); !strings.HasPrefix(name, ".") && name != "" {
				w.children[strings.TrimSuffix(dir, "/")] = append(w.children[strings.TrimSuffix(dir, "/")], name)
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
	seen := make(map[string]bool, len(w.now))
	for _, f := range w.now {
		seen[f.path] = true
	}
	for p, f := range w.old {
		if f.leaf && !seen[p] {
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
	w.now = append(w.now, folder{name, leaf, st, !same && st.fresh(w.began)})
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

// look finds what changed since the table was written: in all files, or, with a
// glance, in the folders that are not as it has them. It is an error when the corpus is
// missing although it had lessons in it: a disk that is not mounted must not look like a
// decision to delete everything.
func (d tree) look(t *table, g *glance) (news, error) {
	if _, err := os.Stat(d.dir); err != nil && len(t.all()) > 0 {
		return news{}, fmt.Errorf("the folder of the corpus is gone (%v); mount it, or make it anew to go on without its lessons", err)
	}
	w, err := d.walk(g)
	if err != nil {
		return news{}, err
	}
	seen, err := scan(d.dir, w.changed)
	if err != nil {
		return news{}, err
	}
	var entries []entry
	full := w.began.UnixNano()
	if g == nil {
		entries = t.all()
	} else {
		listed := slices.Concat(w.changed, w.vanished)
		slices.SortFunc(listed, byFolder)
		for _, f := range listed {
			entries = append(entries, t.below(f+"/")...)
		}
		full = g.full
		for _, p := range g.odd {
			if !slices.Contains(listed, path.Dir(p)) {
				seen.odd = append(seen.odd, p)
			}
		}
	}
	n := d.compare(t, entries, seen.files)
	n.odd, n.temps = seen.odd, slices.Concat(w.temps, seen.temps)
	n.seen = &glance{full: full, began: w.began, folders: w.now, odd: n.odd}
	return n, nil
}

// byFolder is an order of folders in which the paths of their files follow each other
// as in the order of all paths.
func byFolder(a, b string) int { return cmp.Compare(a+"/", b+"/") }
