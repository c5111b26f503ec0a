package live

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"time"

	"learnings/extractor/transcript"
)

// A tree is what is known of the files in some places, kept up to date by
// looking at sizes and times. One watch of the system's per folder or file
// would run into its limits, and sees nothing on a network or in a container.
//
// What has changed lately is looked at each time, the rest in turn: a folder
// at least each ten times, a file that nobody has written to for long at least
// each thirty. In a tree of 14,000 files that is some 500 files at a time.
type tree struct {
	places  transcript.Places
	folders map[string]*folder
	files   map[string]*entry
	hot     map[string]*entry // written to lately

	coldFolders, coldFiles []string // to be looked at in turn
}

type folder struct {
	place int
	mod   time.Time
}

type entry struct {
	path  string
	place int
	size  int64
	mod   time.Time
	first time.Time // when a change was seen first that nobody has dealt with; zero for none
	still bool      // it has not changed since it was looked at last
	seen  time.Time // when it was seen to change last
}

const (
	folderTurns = 10
	fileTurns   = 30
	// hotFor is for how long a file that was written to is looked at each time.
	hotFor = 15 * time.Minute
)

// newTree looks through the places. What was written to behind since counts as
// changed.
func newTree(places transcript.Places, since, now time.Time) *tree {
	t := &tree{places: places, folders: map[string]*folder{}, files: map[string]*entry{}, hot: map[string]*entry{}}
	for i, p := range places {
		if info, err := os.Stat(p.Path); err == nil && !info.IsDir() {
			t.add(p.Path, i, now)
			continue
		}
		t.folders[p.Path] = &folder{place: i} // it need not exist yet
	}
	for _, p := range places {
		t.enter(p.Path, now)
	}
	for _, e := range t.files {
		if !e.mod.After(since) {
			e.first = time.Time{}
		}
		if now.Sub(e.mod) > hotFor && e.first.IsZero() {
			delete(t.hot, e.path)
		}
		e.still = true
	}
	return t
}

// poll looks around and reports whether anything has changed.
func (t *tree) poll(now time.Time) (changed bool) {
	before := len(t.files)
	for _, path := range turn(&t.coldFolders, t.folders, folderTurns) {
		t.enter(path, now)
	}
	changed = len(t.files) != before
	for _, path := range turn(&t.coldFiles, t.files, fileTurns) {
		if e := t.files[path]; e != nil && t.hot[path] == nil {
			changed = t.look(e, now) || changed
		}
	}
	for _, e := range t.hot {
		changed = t.look(e, now) || changed
		if e.first.IsZero() && now.Sub(e.seen) > hotFor {
			delete(t.hot, e.path)
		}
	}
	return changed
}

// turn gives the next of the keys of a map, such that all have had their turn
// after n times.
func turn[V any](queue *[]string, all map[string]V, n int) []string {
	if len(*queue) == 0 {
		for path := range all {
			*queue = append(*queue, path)
		}
		slices.Sort(*queue) // neighbours are cheaper to look at
	}
	k := min(len(*queue), (len(all)+n-1)/n)
	next := (*queue)[:k]
	*queue = (*queue)[k:]
	return next
}

// enter reads a folder if it has changed, and those that are new in it.
func (t *tree) enter(path string, now time.Time) {
	f := t.folders[path]
	if f == nil {
		return
	}
	info, err := os.Stat(path)
	if err == nil && info.Mode().IsRegular() { // a place that is a file, and is there now
		delete(t.folders, path)
		t.add(path, f.place, now)
		return
	}
	if err != nil || !info.IsDir() {
		f.mod = time.Time{}
		if _, root := t.root(path); !root {
			delete(t.folders, path)
		}
		return
	}
	if info.ModTime().Equal(f.mod) {
		return
	}
	f.mod = info.ModTime()
	entries, err := os.ReadDir(path)
	if err != nil {
		return
	}
	for _, e := range entries {
		child := filepath.Join(path, e.Name())
		switch {
		case e.IsDir() && e.Name() != ".git" && t.folders[child] == nil:
			t.folders[child] = &folder{place: f.place}
			t.enter(child, now)
		case !e.IsDir() && t.files[child] == nil && transcript.MayHold(e.Name()):
			t.add(child, f.place, now)
		}
	}
}

func (t *tree) root(path string) (int, bool) {
	i := slices.IndexFunc(t.places, func(p transcript.Place) bool { return p.Path == path })
	return i, i >= 0
}

// add makes a file known, as one that has changed.
func (t *tree) add(path string, place int, now time.Time) {
	size, mod, err := transcript.Stat(path)
	if err != nil {
		return
	}
	e := &entry{path: path, place: place, size: size, mod: mod, first: now, seen: mod}
	t.files[path], t.hot[path] = e, e
}

// look looks at one file and reports whether it has changed.
func (t *tree) look(e *entry, now time.Time) bool {
	size, mod, err := transcript.Stat(e.path)
	if err != nil {
		if os.IsNotExist(err) {
			delete(t.files, e.path)
			delete(t.hot, e.path)
		}
		return false
	}
	if e.still = size == e.size && mod.Equal(e.mod); e.still {
		return false
	}
	e.size, e.mod, e.seen = size, mod, now
	if e.first.IsZero() {
		e.first = now
	}
	t.hot[e.path] = e
	return true
}

// due gives the files that have changed and are still now, or are written to
// for so long that they are not waited for any longer; newest first. A quiet
// of more than 0 waits for that long a silence, and for nothing else.
func (t *tree) due(now time.Time, most, quiet time.Duration) []*entry {
	var out []*entry
	for _, e := range t.hot {
		silent := now.Sub(e.mod)
		switch {
		case e.first.IsZero():
		case quiet > 0 && silent < quiet:
		case quiet > 0 || e.still || silent > settleQuiet || now.Sub(e.first) >= most:
			out = append(out, e)
		}
	}
	slices.SortFunc(out, func(a, b *entry) int {
		return cmp.Or(b.mod.Compare(a.mod), cmp.Compare(a.path, b.path))
	})
	return out
}

// sessions tells what sessions a file of the tree holds.
func (t *tree) sessions(e *entry) []transcript.File {
	files, err := transcript.Look(t.places[e.place], e.path)
	if err != nil {
		return nil // it is told when a person asks for it
	}
	return files
}
