package store

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"

	"learnings/lessons"
	"learnings/lessons/file"
)

// A tree is the folder of a corpus. Paths within it have slashes.
type tree struct{ dir string }

// identify reads the id of a file in the table. A broken file keeps its previous id.
func (d tree) identify(e entry) (lessons.ID, error) {
	data, err := d.readFile(e.path)
	if err != nil {
		return "", err
	}
	if revOf(data) == e.rev {
		return e.id, nil
	}
	l, err := file.DecodeAt(e.path, data, e.id)
	if err != nil {
		return e.id, nil
	}
	return l.ID, nil
}

// open opens the folder for writing, and creates it if needed.
func (d tree) open() (*os.Root, error) {
	if err := os.MkdirAll(d.dir, 0o700); err != nil {
		return nil, fmt.Errorf("making the corpus: %v", err)
	}
	root, err := os.OpenRoot(d.dir)
	if err != nil {
		return nil, fmt.Errorf("opening the corpus: %v", err)
	}
	return root, nil
}

func (d tree) full(path string) string { return filepath.Join(d.dir, filepath.FromSlash(path)) }

// read reads a lesson. id is for a file that has none.
func (d tree) read(path string, id lessons.ID) (lessons.Lesson, error) {
	data, err := d.readFile(path)
	if err != nil {
		return lessons.Lesson{}, err
	}
	l, err := file.DecodeAt(path, data, id)
	l.Rev = revOf(data)
	return l, err
}

// A reading is a file's lesson, or why it is not one.
type reading struct {
	lesson lessons.Lesson
	err    error
}

// readEach reads files in order, in batches on all processors.
func (d tree) readEach(entries []entry) iter.Seq2[entry, reading] {
	return func(yield func(entry, reading) bool) {
		for part := range slices.Chunk(entries, 256) {
			read := make([]reading, len(part))
			each(len(part), func(i int) { read[i].lesson, read[i].err = d.read(part[i].path, part[i].id) })
			for i, e := range part {
				if !yield(e, read[i]) {
					return
				}
			}
		}
	}
}

// readFile reads a file of the corpus: never through a symlink, never from a pipe, and
// never more than the largest lesson's size.
func (d tree) readFile(path string) ([]byte, error) {
	full := d.full(path)
	info, err := os.Lstat(full)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%w: %s", lessons.ErrNotFound, path)
	case err != nil:
		return nil, &file.Error{Path: path, Err: err}
	case !info.Mode().IsRegular():
		return nil, &file.Error{Path: path, Err: errors.New("it is not a plain file")}
	case info.Size() > file.MaxSize:
		return nil, tooLarge(path)
	}
	f, err := os.Open(full)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: %s", lessons.ErrNotFound, path)
	}
	if err != nil {
		return nil, &file.Error{Path: path, Err: err}
	}
	defer f.Close()
	data := bytes.NewBuffer(make([]byte, 0, info.Size()+bytes.MinRead))
	if n, err := data.ReadFrom(io.LimitReader(f, file.MaxSize+1)); err != nil {
		return nil, &file.Error{Path: path, Err: err}
	} else if n > file.MaxSize {
		return nil, tooLarge(path)
	}
	return data.Bytes(), nil
}

func tooLarge(path string) error {
	return &file.Error{Path: path, Err: fmt.Errorf("the file is larger than %d KB", file.MaxSize>>10)}
}

// revOf returns the revision of a file: a hash of its bytes, so that edits by hand count.
func revOf(data []byte) lessons.Rev {
	sum := sha256.Sum256(data)
	return lessons.Rev(hex.EncodeToString(sum[:16]))
}
