package live

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"time"

	"learnings/extractor/transcript"
)

// A tree is what is known about the files in some places, kept up to date by
// checking sizes and times. The system's file notifications would run into its limits
// with one for each folder or file, and miss changes on a network or in a container.
//
// Each poll checks what has changed lately, and some of the rest in turn: every folder
// at least once in ten polls, every file that has long been unchanged at least once in
// thirty. In a tree of 14,000 files that is some 500 files a poll.
type tree struct {
	places  transcript.Places
	folders map[string]*folder
	files   map[string]*entry
	hot     map[string]*entry // written to lately

	coldFolders, coldFiles []string // to be checked in turn
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
	first time.Time // when the oldest change that was not handled yet was seen; zero for none
	still bool      // it had not changed when it was last checked
	seen  time.Time // when the last change was seen
}

const (
	folderTurns = 10
	fileTurns   = 30
	// hotFor is how long every poll checks a file after a change.
	hotFor = 15 * time.Minute
)

// newTree reads the places. Files that were written to after since count as changed.
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

// poll checks the tree and reports whether anything has changed.
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

// turn returns the next keys of a map; after n calls all have had their turn.
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

// enter reads a folder if it has changed, and the new folders in it.
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

// add adds a file, as one that has changed.
func (t *tree) add(path string, place int, now time.Time) {
	size, mod, err := transcript.Stat(path)
	if err != nil {
		return
	}
	e := &entry{path: path, place: place, size: size, mod: mod, first: now, seen: mod}
	t.files[path], t.hot[path] = e, e
}

// look checks one file and reports whether it has changed.
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

// due returns the files that have changed and are no longer being written to, and
// those written to for so long that there is no more waiting; newest first. If quiet
// is more than 0, it waits until a file has been unchanged for that long, and only that.
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

// sessions returns the sessions in a file of the tree.
func (t *tree) sessions(e *entry) []transcript.File {
	files, err := transcript.Look(t.places[e.place], e.path)
	if err != nil {
		return nil // the error is reported when a person asks for the file
	}
	return files
}
