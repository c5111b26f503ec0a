package exchange

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"

	"learnings/lessons/file"
)

// Names within a copy of a corpus: the folder of lessons, and the journal of all changes to
// them.
const (
	CopyLessons = "lessons"
	CopyHistory = "journal.jsonl"
)

// A LessonFile is a lesson's file: a slash-separated path within the corpus, and its text.
type LessonFile struct {
	Path string
	Text []byte
}

// IsCopy reports whether a folder is a copy of a corpus with its history.
func IsCopy(path string) bool {
	f, err := os.Open(filepath.Join(path, CopyHistory))
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
	info, err := os.Stat(filepath.Join(path, CopyLessons))
	return json.Unmarshal([]byte(line), &title) == nil && title.Journal != "" && err == nil && info.IsDir()
}

// LessonFiles yields the files of a copy, or of a folder of lessons. An error about one
// file is a [file.Error]; the others follow.
func LessonFiles(path string) iter.Seq2[LessonFile, error] {
	if IsCopy(path) {
		path = filepath.Join(path, CopyLessons)
	}
	return func(yield func(LessonFile, error) bool) {
		root, err := os.OpenRoot(path)
		if err != nil {
			yield(LessonFile{}, err)
			return
		}
		defer root.Close()
		err = fs.WalkDir(root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !file.Is(name) {
				return err
			}
			f := LessonFile{Path: name}
			if f.Text, err = ReadIn(root, name, file.MaxSize); err != nil {
				err = &file.Error{Path: name, Err: err}
			}
			if !yield(f, err) {
				return fs.SkipAll
			}
			return nil
		})
		if err != nil {
			yield(LessonFile{}, err)
		}
	}
}

// ReadIn reads a regular file of limited size below a root, by its slash-separated path. It
// opens nothing else: opening a pipe would block.
func ReadIn(root *os.Root, name string, most int64) ([]byte, error) {
	name = filepath.FromSlash(name)
	info, err := root.Stat(name)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, errors.New("it is no plain file")
	}
	f, err := root.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && int64(len(text)) > most {
		err = fmt.Errorf("it is larger than %d KB", most>>10)
	}
	return text, err
}
