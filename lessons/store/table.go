package store

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"learnings/lessons"
)

// A table remembers each file of the corpus as it was last seen, so that a
// change made by another program is noticed by size and time alone. It also
// says up to where the journal has been applied. It can be deleted: it is then
// made anew from the files, under another name (epoch), and who followed the
// corpus starts over.
//
// On disk it is a header and a run of records, sorted by path; later records
// are appended and replace earlier ones. A record is its fields, each closed by
// a NUL: no path has one in it.
type table struct {
	epoch   string
	journal string  // the journal this table belongs to
	entries []entry // by path; never changed in place, so that it can be read without a lock
	mark    mark
	size    int64 // of the file, as far as it is whole
	base    int64 // of it, what is sorted
	file    os.FileInfo
	byID    map[lessons.ID]int // made when many are asked for
	asked   int
}

// An entry is one file.
type entry struct {
	found
	id    lessons.ID
	rev   lessons.Rev
	kind  kind
	fresh bool // so young when it was read that a later change could have left size and time alike
}

// A kind is what a file is to the corpus.
type kind byte

const (
	good   kind = 'g' // the file of its lesson
	broken kind = 'b' // cannot be read; the id is that which it had before, or none
	double kind = 'd' // has the id of another file
	gone   kind = 'x' // only in a record: the file is no more
)

// A mark is a place in the journal.
type mark struct {
	seq uint64 // of the last write that is applied
	end int64  // of its line, in bytes
}

const tableMagic = "learnings-files-1"

// settleTime is longer than any file system takes to tell two times apart (FAT:
// two seconds). A file changed within it after we read it may look unchanged.
const settleTime = 2 * time.Second

// errNoTable is a table that is missing or unreadable, which is the same: it is
// made anew.
var errNoTable = errors.New("no file table")

// loadTable reads the table, or gives back the last one where the file has not
// changed since.
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
			break // the end of it was not written; what follows from it is found by looking at the files
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

// replace puts records in the place of those with the same path; the last one
// counts. The old slice stays as it is.
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
	if err1 != nil || err2 != nil || len(f[3]) != 1 || len(f[6]) > 1 {
		return e, 0, false
	}
	e = entry{found: found{f[0], size, mtime}, id: lessons.ID(f[1]), rev: lessons.Rev(f[2]), kind: kind(f[3][0]), fresh: f[6] != ""}
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
	return append(b, 0)
}

func appendMark(b []byte, m mark) []byte {
	return appendRecord(b, entry{found: found{size: m.end, mtime: int64(m.seq)}, kind: good})
}

// add records what files have become and how far the journal is applied. Under
// the lock only.
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
	if err := f.Truncate(t.size); err != nil { // a torn record of a crash
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
	if err := replaceFile(name, b); err != nil {
		return fmt.Errorf("writing the file table: %v", err)
	}
	t.size, t.base = int64(len(b)), int64(len(b))
	info, err := os.Stat(name)
	t.file = info
	return err
}

// find gives the file of an id: the good one if there is one, else a broken one
// that had it.
func (t *table) find(id lessons.ID) (entry, bool) {
	if t.asked++; t.asked > 16 && t.byID == nil {
		t.byID = make(map[lessons.ID]int, len(t.entries))
		for i, e := range t.entries {
			if old, ok := t.byID[e.id]; e.kind != double && (!ok || t.entries[old].kind != good) {
				t.byID[e.id] = i
			}
		}
	}
	if t.byID != nil {
		if i, ok := t.byID[id]; ok {
			return t.entries[i], true
		}
		return entry{}, false
	}
	var other entry
	for _, e := range t.entries {
		switch {
		case e.id != id || e.kind == double:
		case e.kind == good:
			return e, true
		default:
			other = e
		}
	}
	return other, other.path != ""
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
