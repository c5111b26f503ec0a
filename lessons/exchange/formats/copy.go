package formats

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"learnings/lessons"
	"learnings/lessons/exchange"
	"learnings/lessons/file"
)

// A corpus is a folder of lesson files, such as another corpus or a copy. Package curate
// makes copies.
type corpus struct{ exchange.ReadOnly }

// Detect reports whether the folder is a copy, or holds lesson files with ids, which only
// this program writes.
func (corpus) Detect(path string) bool {
	if exchange.IsCopy(path) {
		return true
	}
	left := 20
	for f, err := range exchange.LessonFiles(path) {
		if err == nil && bytes.Contains(f.Text, []byte("\nid: ")) && bytes.Contains(f.Text, []byte("\nstatus: ")) {
			return true
		}
		if left--; left == 0 {
			break
		}
	}
	return false
}

// Read returns the lessons of the folder. Other files are unread.
func (corpus) Read(ctx context.Context, path string) (exchange.Found, error) {
	var out exchange.Found
	for f, err := range exchange.LessonFiles(path) {
		if ctx.Err() != nil {
			return out, ctx.Err()
		}
		var l lessons.Lesson
		if err == nil {
			l, err = file.DecodeAt(f.Path, f.Text, "")
		}
		full := filepath.Join(path, filepath.FromSlash(f.Path))
		var bad *file.Error
		switch {
		case errors.As(err, &bad):
			out.Unread = append(out.Unread, exchange.Unread{Path: full, Line: bad.Line, Err: bad.Err})
		case err != nil:
			return out, fmt.Errorf("%w: %w", exchange.ErrFormat, err)
		case l.Status == lessons.Merged || l.Status == lessons.Rejected: // refused there, so no proposal here
		default:
			out.Entries = append(out.Entries, exchange.Entry{Lesson: l, Key: string(l.ID), Place: full, Active: l.Status == lessons.Approved, Aside: aside(l.Status)})
		}
	}
	return out, nil
}
