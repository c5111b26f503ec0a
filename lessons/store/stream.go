package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"learnings/lessons"
)

// longLine is the length from which on a line of the journal is read step by step. A
// write of 100,000 lessons is 200 MB, which take six times that when they are read as a
// whole.
const longLine = 1 << 20

// A span is where a line of the journal lies, with its end.
type span struct{ start, end int64 }

// spans gives the lines of all writes. It looks for line ends only.
func (j journal) spans() (out []span, err error) {
	if _, err := j.title(); errors.Is(err, errNewer) {
		return nil, err
	}
	f, err := os.Open(j.path())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("opening the journal: %v", err)
	}
	defer f.Close()
	buf := make([]byte, 256<<10)
	var at span
	for {
		n, err := f.Read(buf)
		for rest := buf[:n]; len(rest) > 0; {
			i := bytes.IndexByte(rest, '\n')
			if i < 0 {
				at.end += int64(len(rest))
				break
			}
			if at.end += int64(i) + 1; at.start > 0 { // before that is the title
				out = append(out, at)
			}
			at.start, rest = at.end, rest[i+1:]
		}
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return out, fmt.Errorf("reading the journal: %v", err)
		}
	}
}

// each calls fn with the changes of one write, as far as the table knows of it; with none
// when its line cannot be read. A long line is gone through twice, because what stands at
// its end may be damaged; one step of it is in memory.
func (j journal) each(sp span, t *table, fn func(lessons.Change) error) error {
	w := write{}
	long, err := steady(j, sp, func(head write, _ glimpse, _ int, _ bool) error {
		w = head
		return nil
	})
	if err != nil {
		return err
	}
	if long && w.Seq <= t.mark.seq {
		_, err := steady(j, sp, func(w write, f fileStep, i int, last bool) error {
			return fn(committed{write: w, start: sp.start, end: sp.end, epoch: t.epoch}.change(f, i, last))
		})
		return err
	}
	if long {
		return nil // not finished
	}
	c, err := j.at(sp.start, t.epoch)
	if errors.Is(err, errUnread) || c.Seq > t.mark.seq {
		return nil
	} else if err != nil {
		return err
	}
	for _, ch := range c.changes() {
		if err := fn(ch); err != nil {
			return err
		}
	}
	return nil
}

// valid reports whether a line is JSON.
func (j journal) valid(sp span) (ok bool, err error) {
	if ok, err := steady(j, sp, func(write, glimpse, int, bool) error { return nil }); ok || err != nil {
		return ok, err
	}
	_, err = j.walk(sp.start, func(line []byte, _, _ int64) error {
		ok = json.Valid(line)
		return errStop
	})
	return ok, err
}

// A glimpse is a fileStep of which only is seen that it can be read.
type glimpse struct {
	ID            lessons.ID
	Before, After *struct {
		Path    string
		Rev     lessons.Rev
		Text    unread
		Outside bool
	}
}

// An unread is a string of JSON that is passed over.
type unread struct{}

func (unread) UnmarshalJSON(b []byte) error {
	if b[0] != '"' && string(b) != "null" {
		return errUnread
	}
	return nil
}

// steady calls fn with the steps of a long line, one after the other, with how many there
// were before, and whether it is the last. It reports false for a line that is short, or
// not in the form that [journal.append] gives it, of which fn may have seen a part.
func steady[T glimpse | fileStep](j journal, sp span, fn func(w write, step T, i int, last bool) error) (ok bool, err error) {
	if sp.end-sp.start < longLine {
		return false, nil
	}
	f, err := os.Open(j.path())
	if err != nil {
		return false, fmt.Errorf("opening the journal: %v", err)
	}
	defer f.Close()
	head := headAt(f, sp.start, sp.end)
	files := sp.start + int64(bytes.Index(head, filesKey)+len(filesKey)-1)
	w, err := header(head)
	if head == nil || err != nil {
		return false, nil
	}
	dec := json.NewDecoder(io.NewSectionReader(f, files, sp.end-files))
	if _, err := dec.Token(); err != nil {
		return false, nil
	}
	for i := 0; dec.More(); i++ {
		var step T
		if err := dec.Decode(&step); err != nil {
			return false, nil
		}
		if err := fn(w, step, i, !dec.More()); err != nil {
			return false, err
		}
	}
	if _, err := dec.Token(); err != nil {
		return false, nil
	}
	rest := make([]byte, min(sp.end-files-dec.InputOffset(), 8))
	_, err = f.ReadAt(rest, files+dec.InputOffset())
	return err == nil && string(rest) == "}\n", nil
}

// headAt reads the beginning of a line, with what stands before its steps; nil when that
// does not stand before an offset.
func headAt(f *os.File, line, before int64) []byte {
	head := make([]byte, 0, 4<<10)
	for !bytes.Contains(head, filesKey) {
		if int64(len(head)) > before-line {
			return nil
		}
		more := make([]byte, max(len(head), 4<<10))
		n, err := f.ReadAt(more, line+int64(len(head)))
		if n == 0 && err != nil {
			return nil
		}
		head = append(head, more[:n]...)
	}
	return head
}
