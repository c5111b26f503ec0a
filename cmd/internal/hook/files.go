package hook

import (
	"context"
	"io/fs"
	"iter"
	"path/filepath"
	"strings"

	"learnings/lessons"
	"learnings/lessons/store"
)

// Limits of reading without an index.
const (
	maxFiles = 1000
	maxFile  = 256 << 10 // bytes
)

// globalFolder is that of lessons for every project.
const globalFolder = "_"

// files reads the approved lessons of one project and the global ones, straight
// from their folders: a bounded way to have something to say while there is no
// index. It knows only projects whose folder is named like them, which are
// nearly all. A file that cannot be read is passed over.
func files(ctx context.Context, corpus, project string) iter.Seq2[lessons.Lesson, error] {
	return func(yield func(lessons.Lesson, error) bool) {
		left := maxFiles
		for _, folder := range []string{project, globalFolder} {
			if folder == "" || strings.HasPrefix(folder, ".") || strings.ContainsAny(folder, `/\`) {
				continue
			}
			_ = filepath.WalkDir(filepath.Join(corpus, folder), func(path string, d fs.DirEntry, err error) error {
				switch {
				case err != nil || d.Type()&fs.ModeSymlink != 0:
					return nil
				case d.IsDir() && strings.HasPrefix(d.Name(), "."):
					return fs.SkipDir
				case d.IsDir() || !d.Type().IsRegular() || filepath.Ext(path) != ".md":
					return nil
				}
				if left--; left < 0 || ctx.Err() != nil {
					return fs.SkipAll
				}
				if l, ok := readFile(path, folder); ok && !yield(l, nil) {
					left = 0
					return fs.SkipAll
				}
				return nil
			})
			if left <= 0 {
				return
			}
		}
	}
}

func readFile(path, folder string) (lessons.Lesson, bool) {
	l, err := store.ReadFile(path, maxFile)
	if err != nil || l.Status != lessons.Approved {
		return l, false
	}
	if l.ID == "" {
		l.ID = lessons.IDFrom("path", path)
	}
	if folder == globalFolder {
		l.Scope.Global = true
	} else if l.Scope.Project == "" {
		l.Scope.Project = folder
	}
	return l, true
}
