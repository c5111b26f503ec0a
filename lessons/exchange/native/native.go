// Package native reads corpora of this program: a folder of lessons, or a copy of one
// with all that was ever done to it.
package native

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"

	"learnings/lessons"
	"learnings/lessons/exchange"
	"learnings/lessons/file"
)

// The names within a copy: of the folder of lessons, and of the journal of all that was
// done to them.
const (
	Lessons = "lessons"
	History = "journal.jsonl"
)

// A File is a lesson's file: a path within the corpus, with slashes, and its text.
type File struct {
	Path string
	Text []byte
}

// Format is a folder of lessons as files, such as another corpus or a copy.
type Format struct{}

// Detect reports whether the folder is a copy, or holds lessons as files with ids,
// which only this program writes.
func (Format) Detect(path string) bool {
	if IsCopy(path) {
		return true
	}
	found := false
	looked := 0
	_ = fs.WalkDir(os.DirFS(path), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !file.Is(name) {
			return nil
		}
		data, err := os.ReadFile(filepath.Join(path, filepath.FromSlash(name)))
		if err == nil && strings.Contains(string(data), "\nid: ") && strings.Contains(string(data), "\nstatus: ") {
			found = true
		}
		if looked++; found || looked == 20 {
			return fs.SkipAll
		}
		return nil
	})
	return found
}

// IsCopy reports whether a folder is one with both.
func IsCopy(path string) bool {
	f, err := os.Open(filepath.Join(path, History))
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, 256)
	n, _ := f.Read(head)
	line, _, _ := strings.Cut(string(head[:n]), "\n")
	var title struct {
		Journal string `json:"journal"`
	}
	info, err := os.Stat(filepath.Join(path, Lessons))
	return json.Unmarshal([]byte(line), &title) == nil && title.Journal != "" && err == nil && info.IsDir()
}

// Read gives the lessons of the folder. A file that is none is unread.
func (Format) Read(ctx context.Context, path string) (exchange.Found, error) {
	var out exchange.Found
	for f, err := range Files(path) {
		var bad *file.Error
		switch {
		case ctx.Err() != nil:
			return out, ctx.Err()
		case errors.As(err, &bad):
			out.Unread = append(out.Unread, exchange.Unread{Path: filepath.Join(path, bad.Path), Line: bad.Line, Err: bad.Err})
			continue
		case err != nil:
			return out, fmt.Errorf("%w: %w", exchange.ErrFormat, err)
		}
		l, err := file.DecodeAt(f.Path, f.Text, "")
		if err != nil {
			out.Unread = append(out.Unread, exchange.Unread{Path: filepath.Join(path, filepath.FromSlash(f.Path)), Err: err})
			continue
		}
		if l.Status == lessons.Merged || l.Status == lessons.Rejected {
			continue // what somebody refused there is no proposal here
		}
		out.Entries = append(out.Entries, exchange.Entry{Lesson: l, Key: string(l.ID), Place: filepath.Join(path, filepath.FromSlash(f.Path)), Active: l.Status == lessons.Approved})
	}
	return out, nil
}

// Files gives the files of a copy, or of a folder of lessons.
func Files(path string) iter.Seq2[File, error] {
	if IsCopy(path) {
		path = filepath.Join(path, Lessons)
	}
	return func(yield func(File, error) bool) {
		root, err := os.OpenRoot(path)
		if err != nil {
			yield(File{}, err)
			return
		}
		defer root.Close()
		err = fs.WalkDir(root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !file.Is(name) {
				return err
			}
			if !d.Type().IsRegular() {
				if !yield(File{}, &file.Error{Path: name, Err: errors.New("it is no plain file")}) {
					return fs.SkipAll
				}
				return nil
			}
			text, err := read(root, name)
			if err != nil {
				err = &file.Error{Path: name, Err: err}
			}
			if !yield(File{Path: name, Text: text}, err) {
				return fs.SkipAll
			}
			return nil
		})
		if err != nil {
			yield(File{}, err)
		}
	}
}

func read(root *os.Root, name string) ([]byte, error) {
	f, err := root.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, file.MaxSize+1))
	if err == nil && len(text) > file.MaxSize {
		err = fmt.Errorf("it is larger than %d KB", file.MaxSize>>10)
	}
	return text, err
}

// Lacks nothing.
func (Format) Lacks(lessons.Lesson) []string { return nil }

// Plan refuses: a copy is made of a whole corpus, by [Copy].
func (Format) Plan(context.Context, exchange.Target, []lessons.Lesson) (*exchange.Plan, error) {
	return nil, fmt.Errorf("a copy of a corpus is made as a whole: %w", exchange.ErrOneWay)
}
