package store

import "path"

// An own is what a write makes of folders, so that nobody has to list those that it alone has
// changed: they were as the last glance has them until it put its files in place.
//
// What another program does in the same moment, between the looks that this takes or on a
// clock that stands still as long, is not seen in the folder. It is found as what is
// written into a file that keeps its name: by the next look at all files.
type own struct {
	tree    tree
	was, is map[string]stamp // of the folders of the write, before and after
}

// owning begins just before the files of a write are put in place. It needs the lock.
func (s *Store) owning(files []fileStep) *own {
	o := &own{tree: s.tree}
	o.was = o.stamps(foldersOf(files))
	return o
}

// stamps gives those of folders. One that a write has emptied may be gone.
func (o *own) stamps(dirs map[string]bool) map[string]stamp {
	out := make(map[string]stamp, len(dirs))
	for dir := range dirs {
		if now, isDir, err := stampOf(o.tree.full(dir)); err == nil && isDir {
			out[dir] = now
		}
	}
	return out
}

// foldersOf gives the folders in which a write adds, replaces or removes names.
func foldersOf(files []fileStep) map[string]bool {
	out := map[string]bool{}
	for _, f := range files {
		for _, st := range []*state{f.Before, f.After} {
			if st != nil {
				out[path.Dir(st.Path)] = true
			}
		}
	}
	return out
}

// placed sees what the write has made of the folders.
func (o *own) placed(files []fileStep) { o.is = o.stamps(foldersOf(files)) }

// noted saves that, now that the table has all of the write.
func (o *own) noted(s *Store) {
	g := amend(s.state, func(now *glance) *glance {
		if now == nil || !s.table.knows(now) {
			return nil
		}
		for i, f := range now.folders {
			if is, ok := o.is[f.path]; ok && f.leaf && (f.stamp == o.was[f.path] || f.stamp == is) {
				now.folders[i].stamp, now.folders[i].fresh = is, false
			}
		}
		return now.of(s.table, s.state)
	})
	if g != nil {
		s.last = g
	}
}
