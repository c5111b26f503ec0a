package store

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"time"

	"learnings/lessons"
	"learnings/lessons/atomicfile"
	"learnings/lessons/file"
)

// A journal is a file of JSON lines. The first line, the title, names the journal;
// every other is one whole write. It is on disk before the first file of the write
// is touched, so that after a crash the next writer can finish what was begun. An
// incomplete last line counts as never written. A line before it that cannot be
// read, because a disk or another program has damaged it, is passed over: the other
// writes are still known, and that one cannot be undone.
//
// The journal holds the text of every file before and after each write, from which
// undo and history are computed. It grows with every write, and nothing but
// [Store.Forget] takes anything out of it.
type journal struct{ state string } // the folder it is in

// A write is one line.
type write struct {
	Seq      uint64     `json:"seq"`
	At       time.Time  `json:"at"`
	Op       lessons.Op `json:"op"`
	By       string     `json:"by,omitempty"`
	Why      string     `json:"why,omitempty"`
	How      string     `json:"how,omitempty"`
	Session  string     `json:"session,omitempty"`
	Undoable bool       `json:"undoable,omitempty"`
	Undoes   []uint64   `json:"undoes,omitempty"` // writes that this one undoes, newest first
	Redoes   []uint64   `json:"redoes,omitempty"` // writes that this one redoes, oldest first
	Files    []fileStep `json:"files"`            // last, see header
}

// A fileStep is what a write does to one lesson's file.
type fileStep struct {
	ID     lessons.ID `json:"id"`
	Before *state     `json:"before,omitempty"` // nil when there was none
	After  *state     `json:"after,omitempty"`  // nil when there is none any more
}

// A state is a file at one time. Its text is empty when it was never seen, as
// before a change by another program.
type state struct {
	Path string      `json:"path"`
	Rev  lessons.Rev `json:"rev"`
	Text string      `json:"text,omitempty"`

	// Outside says that another program wrote the text, and that no person has decided
	// on it since. Journals of before version 0.6 do not say it of any.
	Outside bool `json:"outside,omitempty"`
}

// is reports whether two states are the same file.
func (st state) is(o state) bool {
	return st.Path == o.Path && st.Rev == o.Rev && st.Outside == o.Outside
}

// lesson decodes a state; nil when there is nothing to decode.
func (st *state) lesson(id lessons.ID) *lessons.Lesson {
	if st == nil || st.Text == "" {
		return nil
	}
	l, err := file.DecodeAt(st.Path, []byte(st.Text), id)
	if err != nil {
		return nil
	}
	l.ID, l.Rev, l.Outside = id, st.Rev, st.Outside
	return &l
}

// A title is the first line of a journal.
type title struct {
	Journal string `json:"journal"` // its name
	Version int    `json:"version"`
}

// filesKey stands before the files of a write. It occurs nowhere else in a line,
// because quotes within strings are escaped.
var filesKey = []byte(`,"files":[`)

// header decodes a write without its files, which are most of the line.
func header(line []byte) (w write, err error) {
	if i := bytes.Index(line, filesKey); i >= 0 {
		line = append(bytes.Clone(line[:i]), '}')
	}
	err = json.Unmarshal(line, &w)
	return w, err
}

func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false) // it would turn < into six bytes
	err := enc.Encode(v)
	return b.Bytes(), err
}

// size gives the journal's length in bytes, 0 when there is none.
func (j journal) size() int64 {
	info, err := os.Stat(j.path())
	if err != nil {
		return 0
	}
	return info.Size()
}

func (j journal) path() string { return filepath.Join(j.state, journalName) }

// errStop ends a walk early, without an error.
var errStop = errors.New("stop")

// walk calls fn with the line of each write from an offset on, and where it begins
// and ends. From 0 it begins after the title. The result is where the last whole
// line ended.
func (j journal) walk(from int64, fn func(line []byte, start, end int64) error) (end int64, err error) {
	return j.lines(from, func(line []byte, start, end int64) error {
		if start == 0 {
			if _, err := j.parseTitle(line); errors.Is(err, errNewer) {
				return err
			}
			return nil
		}
		return fn(line, start, end)
	})
}

// lines is walk with the title.
func (j journal) lines(from int64, fn func(line []byte, start, end int64) error) (end int64, err error) {
	f, err := os.Open(j.path())
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("opening the journal: %v", err)
	}
	defer f.Close()
	if _, err := f.Seek(from, io.SeekStart); err != nil {
		return 0, fmt.Errorf("reading the journal: %v", err)
	}
	r := bufio.NewReaderSize(f, 16<<10) // often one line is all that is asked for
	for at := from; ; {
		line, err := r.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return at, nil
		}
		if err != nil {
			return at, fmt.Errorf("reading the journal: %v", err)
		}
		next := at + int64(len(line))
		if err := fn(line, at, next); err != nil {
			if errors.Is(err, errStop) {
				err = nil
			}
			return at, err
		}
		at = next
	}
}

// errUnread is a line of the journal that cannot be decoded.
var errUnread = errors.New("a line of the journal cannot be read")

// writes calls fn with the header of every write that can be read, and with its line.
func (j journal) writes(fn func(w write, line []byte, start, end int64) error) (end int64, err error) {
	return j.walk(0, func(line []byte, start, end int64) error {
		if w, err := header(line); err == nil {
			return fn(w, line, start, end)
		}
		return nil
	})
}

// steps calls fn with each write that changed the file of a lesson, and with that step
// alone. A write of many thousand lessons is a line of megabytes; nothing of it is read
// into memory but its header and that step.
func (j journal) steps(id lessons.ID, fn func(write) error) error {
	if _, err := j.title(); errors.Is(err, errNewer) {
		return err
	}
	f, err := os.Open(j.path())
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("opening the journal: %v", err)
	}
	defer f.Close()
	key := stepKey(id)
	buf := make([]byte, 256<<10)
	begin, line := int64(0), int64(0) // of what is in buf, and of its first line
	for kept := 0; ; {
		n, err := io.ReadFull(f, buf[kept:])
		if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
			return fmt.Errorf("reading the journal: %v", err)
		}
		have := buf[:kept+n]
		for at := 0; ; at += len(key) {
			i := bytes.Index(have[at:], key)
			if i < 0 {
				break
			}
			if nl := lastEnd(have[at : at+i]); nl >= 0 {
				line = begin + int64(at+nl) + 1
			}
			at += i
			if w, ok := stepAt(f, line, begin+int64(at)); ok {
				if err := fn(w); err != nil {
					return stopped(err)
				}
			}
		}
		if err != nil {
			return nil // that was the end
		}
		if nl := lastEnd(have); nl >= 0 {
			line = begin + int64(nl) + 1
		}
		kept = copy(buf, have[len(have)-len(key)+1:])
		begin += int64(len(have) - kept)
	}
}

// lastEnd is where the last line of a text ends, -1 where none does. Going forward,
// which the machine does many bytes at a time, comes first: a piece of a long line has none.
func lastEnd(b []byte) int {
	if bytes.IndexByte(b, '\n') < 0 {
		return -1
	}
	return bytes.LastIndexByte(b, '\n')
}

// stepKey is how a step of a lesson begins, and nothing else, because quotes within
// strings are escaped.
func stepKey(id lessons.ID) []byte { return []byte(`{"id":"` + string(id) + `"`) }

// mentions reports whether a line of the journal has a step of a lesson.
func mentions(line []byte, id lessons.ID) bool { return bytes.Contains(line, stepKey(id)) }

// stopped is the error of a walk that ended with one.
func stopped(err error) error {
	if errors.Is(err, errStop) {
		return nil
	}
	return err
}

// stepAt reads the write of a line with one of its steps. It reports false for one that
// cannot be read.
func stepAt(f *os.File, line, step int64) (w write, ok bool) {
	head := headAt(f, line, step)
	if head == nil {
		return w, false
	}
	w, err := header(head)
	if err != nil {
		return w, false
	}
	var s fileStep
	if err := json.NewDecoder(io.NewSectionReader(f, step, math.MaxInt64-step)).Decode(&s); err != nil {
		return w, false
	}
	w.Files = []fileStep{s}
	return w, true
}

// backwards calls fn with the header of every write that can be read, the last one first,
// and with where its line begins. Of long lines it reads the beginning only.
func (j journal) backwards(fn func(w write, start int64) error) error {
	f, err := os.Open(j.path())
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("opening the journal: %v", err)
	}
	defer f.Close()
	end := int64(-1) // of the line that is looked for; there is none before the last line end
	visit := func(start int64) error {
		defer func() { end = start }()
		if end < 0 {
			return nil
		}
		line := make([]byte, min(end-start, 64<<10))
		if _, err := f.ReadAt(line, start); err != nil {
			return fmt.Errorf("reading the journal: %v", err)
		}
		if int64(len(line)) < end-start && !bytes.Contains(line, filesKey) {
			line = make([]byte, end-start)
			if _, err := f.ReadAt(line, start); err != nil {
				return fmt.Errorf("reading the journal: %v", err)
			}
		}
		if w, err := header(line); err == nil {
			return fn(w, start)
		}
		return nil
	}
	block := make([]byte, 256<<10)
	for at := j.size(); at > 0; {
		n := min(at, int64(len(block)))
		at -= n
		if _, err := f.ReadAt(block[:n], at); err != nil {
			return fmt.Errorf("reading the journal: %v", err)
		}
		for i := bytes.LastIndexByte(block[:n], '\n'); i >= 0; i = bytes.LastIndexByte(block[:i], '\n') {
			if err := visit(at + int64(i) + 1); errors.Is(err, errStop) {
				return nil
			} else if err != nil {
				return err
			}
		}
	}
	return nil // before the first line end is the title
}

// journalVersion is that of the lines that this program writes and understands.
const journalVersion = 1

// errNewer is a journal that a later version of this program has begun. Nothing writes
// to it or puts it aside, since undo and history are in it.
var errNewer = errors.New("a newer version of learnings has written it: install that version")

// title reads the first line; it is zero when there is no journal.
func (j journal) title() (t title, err error) {
	_, err = j.lines(0, func(line []byte, _, _ int64) error {
		if t, err = j.parseTitle(line); err != nil {
			return err
		}
		return errStop
	})
	return t, err
}

func (j journal) parseTitle(line []byte) (t title, err error) {
	switch err := json.Unmarshal(line, &t); {
	case err == nil && t.Journal != "" && t.Version > journalVersion:
		return t, fmt.Errorf("the journal %s has format %d, and this program knows %d: %w", j.path(), t.Version, journalVersion, errNewer)
	case err != nil || t.Journal == "" || t.Version != journalVersion:
		return t, fmt.Errorf("%s is not a journal", j.path())
	}
	return t, nil
}

// create begins a journal, and gives its title and size.
func (j journal) create() (title, int64, error) {
	t := title{Journal: newName(), Version: journalVersion}
	line, err := marshal(t)
	if err != nil {
		return t, 0, err
	}
	err = atomicfile.Write(j.path(), func(w io.Writer) error {
		_, err := w.Write(line)
		return err
	})
	if err != nil {
		return t, 0, fmt.Errorf("beginning the journal: %v", err)
	}
	return t, int64(len(line)), nil
}

// append writes a line at the offset end, down to the disk, and gives where it ends.
// What a failure leaves of it is cut off again.
func (j journal) append(w write, end int64) (int64, error) {
	line, err := marshal(w)
	if err != nil {
		return end, fmt.Errorf("writing the journal: %v", err)
	}
	f, err := os.OpenFile(j.path(), os.O_WRONLY, 0o600)
	if err != nil {
		return end, fmt.Errorf("opening the journal: %v", err)
	}
	defer f.Close()
	_, err = f.WriteAt(line, end)
	if err == nil {
		err = f.Sync()
	}
	if err != nil {
		_ = f.Truncate(end)
		return end, fmt.Errorf("writing the journal: %v", err)
	}
	return end + int64(len(line)), nil
}

// cut removes everything behind an offset. With keep it goes to another file first.
func (j journal) cut(end int64, keep bool) error {
	f, err := os.OpenFile(j.path(), os.O_RDWR, 0o600)
	if err != nil {
		return fmt.Errorf("opening the journal: %v", err)
	}
	defer f.Close()
	if keep {
		torn, err := os.OpenFile(filepath.Join(j.state, tornName), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			return fmt.Errorf("keeping a torn line of the journal aside: %v", err)
		}
		defer torn.Close()
		pieces := io.MultiReader(io.NewSectionReader(f, end, math.MaxInt64-end), strings.NewReader("\n"))
		if _, err := io.Copy(torn, pieces); err != nil {
			return fmt.Errorf("keeping a torn line of the journal aside: %v", err)
		}
	}
	if err := f.Truncate(end); err != nil {
		return fmt.Errorf("cutting a torn line off the journal: %v", err)
	}
	return f.Sync()
}
