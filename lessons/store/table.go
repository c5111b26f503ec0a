package store

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"learnings/lessons"
	"learnings/lessons/atomicfile"
)

// A table remembers each file of the corpus as it was last seen, so that a change by
// another program is noticed by size and time alone. It also says up to where the
// journal has been applied. It may be deleted: it is then made anew from the files,
// under another name (epoch), and whoever follows the corpus starts over.
//
// On disk it is a header and a run of records, sorted by path; later records are
// appended and replace earlier ones. A record is a number of fields, each ended by a
// NUL, which no path contains.
type table struct {
	epoch   string
	journal string  // the journal this table belongs to
	entries []entry // by path; never changed in place, so it can be read without a lock
	mark    mark
	size    int64 // of the file, up to the last whole record
	base    int64 // of its sorted part
	file    os.FileInfo
	byID    map[lessons.ID]int // made when many are looked up
	asked   int
}

// An entry is one file.
type entry struct {
	found
	id      lessons.ID
	rev     lessons.Rev
	kind    kind
	outside bool // another program wrote it, and no person has decided on it since
	fresh   bool // so new when it was read that a later change could have left size and time the same
}

// A kind is what a file means to the corpus.
type kind byte

const (
	good   kind = 'g' // the file of its lesson
	broken kind = 'b' // cannot be read; the id is the one it had before, or none
	double kind = 'd' // has the id of another file
	gone   kind = 'x' // only in a record: the file no longer exists
)

// A mark is a place in the journal.
type mark struct {
	seq uint64 // of the last write that is applied
	end int64  // of its line, in bytes
}

const tableMagic = "learnings-files-1"

// settleTime is the coarsest time stamp of any file system (two seconds, on FAT). A
// file that changes within it after it was read may look unchanged.
const settleTime = 2 * time.Second

// errNoTable is a table that is missing or unreadable. Either way it is made anew.
var errNoTable = errors.New("no file table")

// loadTable reads the table, or gives back the last one if the file has not changed
// since.
func loadTable(state string, last *table) (*table, error) {
	name := filepath.Join(state, tableName)
	info, err := os.Stat(name)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			err = errNoTable
		}
		return nil, err
	}
	if last != nil && last.file != nil && os.SameFile(info, last.file) && info.Size() == last.size && info.ModTime().Equal(last.file.ModTime()) {
		return last, nil
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	t, err := parseTable(string(data))
	if err != nil {
		return nil, err
	}
	t.file = info
	return t, nil
}

func parseTable(data string) (*table, error) {
	header, rest, ok := strings.Cut(data, "\n")
	words := strings.Fields(header)
	if !ok || len(words) != 3 || words[0] != tableMagic {
		return nil, errNoTable
	}
	t := &table{epoch: words[1], journal: words[2], entries: make([]entry, 0, len(rest)/128)}
	at := int64(len(header) + 1)
	var tail []entry
	sorted := true
	for rest != "" {
		e, n, ok := parseRecord(rest)
		if !ok {
			break // its end was not written; what it said is found by looking at the files
		}
		at, rest = at+int64(n), rest[n:]
		if e.path == "" {
			t.mark = mark{uint64(e.mtime), e.size}
			sorted = sorted && len(t.entries) == 0
			continue
		}
		if sorted && len(t.entries) > 0 && e.path <= t.entries[len(t.entries)-1].path {
			sorted = false
		}
		if sorted {
			t.base = at
			t.entries = append(t.entries, e)
		} else {
			tail = append(tail, e)
		}
	}
	t.size = at
	t.replace(tail)
	return t, nil
}

// replace puts records in place of those with the same path; of several the last one
// counts. The old slice is not changed.
func (t *table) replace(records []entry) {
	if len(records) == 0 {
		return
	}
	t.byID = nil
	slices.SortStableFunc(records, func(a, b entry) int { return strings.Compare(a.path, b.path) })
	out := make([]entry, 0, len(t.entries)+len(records))
	i := 0
	for j, r := range records {
		if j+1 < len(records) && records[j+1].path == r.path {
			continue
		}
		k, same := slices.BinarySearchFunc(t.entries[i:], r.path, func(e entry, p string) int { return strings.Compare(e.path, p) })
		out = append(out, t.entries[i:i+k]...)
		if i += k; same {
			i++
		}
		if r.kind != gone {
			out = append(out, r)
		}
	}
	t.entries = append(out, t.entries[i:]...)
}

const fieldsOfRecord = 7

func parseRecord(s string) (e entry, n int, ok bool) {
	var f [fieldsOfRecord]string
	for i := range f {
		end := strings.IndexByte(s[n:], 0)
		if end < 0 {
			return e, 0, false
		}
		f[i] = s[n : n+end]
		n += end + 1
	}
	size, err1 := strconv.ParseInt(f[4], 10, 64)
	mtime, err2 := strconv.ParseInt(f[5], 10, 64)
	if err1 != nil || err2 != nil || len(f[3]) != 1 || len(f[6]) > 2 {
		return e, 0, false
	}
	e = entry{found: found{f[0], size, mtime}, id: lessons.ID(f[1]), rev: lessons.Rev(f[2]), kind: kind(f[3][0]), fresh: strings.Contains(f[6], "+"), outside: strings.Contains(f[6], "o")}
	return e, n, true
}

func appendRecord(b []byte, e entry) []byte {
	b = append(append(b, e.path...), 0)
	b = append(append(b, e.id...), 0)
	b = append(append(b, e.rev...), 0)
	b = append(b, byte(e.kind), 0)
	b = append(strconv.AppendInt(b, e.size, 10), 0)
	b = append(strconv.AppendInt(b, e.mtime, 10), 0)
	if e.fresh {
		b = append(b, '+')
	}
	if e.outside {
		b = append(b, 'o')
	}
	return append(b, 0)
}

func appendMark(b []byte, m mark) []byte {
	return appendRecord(b, entry{found: found{size: m.end, mtime: int64(m.seq)}, kind: good})
}

// add records what files have become and how far the journal is applied. It needs
// the lock.
func (t *table) add(state string, m mark, records ...entry) error {
	var b []byte
	for _, e := range records {
		b = appendRecord(b, e)
	}
	if m != t.mark {
		b = appendMark(b, m)
	}
	if len(b) == 0 {
		return nil
	}
	t.replace(slices.Clone(records))
	t.mark = m
	if tail := t.size - t.base + int64(len(b)); t.file == nil || tail > max(256<<10, t.base/2) {
		return t.write(state)
	}
	f, err := os.OpenFile(filepath.Join(state, tableName), os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("opening the file table: %v", err)
	}
	defer f.Close()
	if err := f.Truncate(t.size); err != nil { // cuts off a record that a crash left incomplete
		return fmt.Errorf("writing the file table: %v", err)
	}
	if _, err := f.WriteAt(b, t.size); err != nil {
		return fmt.Errorf("writing the file table: %v", err)
	}
	t.size += int64(len(b))
	if t.file, err = f.Stat(); err != nil {
		return fmt.Errorf("writing the file table: %v", err)
	}
	return nil
}

// write replaces the whole file.
func (t *table) write(state string) error {
	b := fmt.Appendf(nil, "%s %s %s\n", tableMagic, t.epoch, t.journal)
	b = appendMark(b, t.mark)
	for _, e := range t.entries {
		b = appendRecord(b, e)
	}
	name := filepath.Join(state, tableName)
	err := atomicfile.Write(name, func(w io.Writer) error {
		_, err := w.Write(b)
		return err
	})
	if err != nil {
		return fmt.Errorf("writing the file table: %v", err)
	}
	t.size, t.base = int64(len(b)), int64(len(b))
	info, err := os.Stat(name)
	t.file = info
	return err
}

// find gives the file of an id: the good one, or else a broken one that had it.
func (t *table) find(id lessons.ID) (entry, bool) {
	if t.asked++; t.asked > 16 && t.byID == nil { // making the map costs as much as a few searches
		t.byID = make(map[lessons.ID]int, len(t.entries))
		for i, e := range t.entries {
			if old, ok := t.byID[e.id]; e.kind != double && (!ok || t.entries[old].kind != good) {
				t.byID[e.id] = i
			}
		}
	}
	if t.byID != nil {
		i, ok := t.byID[id]
		if !ok {
			return entry{}, false
		}
		return t.entries[i], true
	}
	var found entry
	for _, e := range t.entries {
		if e.id == id && e.kind != double && found.kind != good {
			found = e
		}
	}
	return found, found.path != ""
}

// at gives the entry of a path.
func (t *table) at(path string) (entry, bool) {
	i, ok := slices.BinarySearchFunc(t.entries, path, func(e entry, p string) int { return strings.Compare(e.path, p) })
	if !ok {
		return entry{}, false
	}
	return t.entries[i], true
}

func newName() string { return strings.ToLower(rand.Text()[:16]) }
