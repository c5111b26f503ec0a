package store

import (
	"cmp"
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
// On disk it is a header, a mark that says where its sorted part ends, and a run of
// records, sorted by path; later records are appended and replace earlier ones. A record
// is a number of fields, each ended by a NUL, which no path contains. Nearly always one
// or two of the files are asked for: these are searched for in the text.
type table struct {
	epoch   string
	journal string // the journal this table belongs to
	mark    mark
	size    int64 // of the file, up to the last whole record
	base    int64 // of its sorted part
	bad     int   // how many records are, or were, of files that are no lessons
	file    os.FileInfo
	title   string // what stands before the sorted part
	sorted  tableText
	later   []entry // what replaces some of it, by path and each once
	entries []entry // what both make, by path, once made; never changed in place, so it can be read without a lock
	made    bool
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
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	if info, err = f.Stat(); err != nil {
		f.Close()
		return nil, err
	}
	t, err := readTable(f, info.Size())
	if err != nil {
		f.Close()
		return nil, err
	}
	if t.sorted.file != nil {
		t.sorted.ids = openIDs(state, t.title)
	}
	t.file = info
	return t, nil
}

// readTable reads a table of that size. The file is the table's if there is no error.
func readTable(f *os.File, size int64) (*table, error) {
	text := func(from, to int64) (string, error) {
		b := make([]byte, max(to-from, 0))
		if n, err := f.ReadAt(b, from); n < len(b) {
			return "", err
		}
		return string(b), nil
	}
	begin, err := text(0, min(size, mostRecord))
	if err != nil {
		return nil, err
	}
	header, first, ok := strings.Cut(begin, "\n")
	words := strings.Fields(header)
	if !ok || len(words) != 3 || words[0] != tableMagic {
		return nil, errNoTable
	}
	t := &table{epoch: words[1], journal: words[2]}
	at, sorted := int64(len(header)+1), 0
	if e, n, ok := parseRecord(first); ok && e.path == "" && e.id != "" { // earlier versions do not say where the sorted part ends
		var err1, err2 error
		sorted, err1 = strconv.Atoi(string(e.id))
		t.bad, err2 = strconv.Atoi(string(e.rev))
		at += int64(n)
		if err1 != nil || err2 != nil || sorted < 0 || int64(sorted) > size-at {
			return nil, errNoTable
		}
		t.mark = mark{uint64(e.mtime), e.size}
		t.base = at + int64(sorted)
	}
	t.title = begin[:at]
	tail := at + int64(sorted)
	rest, err := text(tail, size)
	if err != nil {
		return nil, err
	}
	var records []entry
	for rest != "" {
		e, n, ok := parseRecord(rest)
		if !ok {
			break // its end was not written; what it said is found by looking at the files
		}
		tail, rest = tail+int64(n), rest[n:]
		if e.path == "" {
			t.mark = mark{uint64(e.mtime), e.size}
		} else if records = append(records, e); e.kind != good && e.kind != gone {
			t.bad++
		}
	}
	t.size = tail
	if t.sorted, err = inFile(f, at, sorted); err != nil {
		return nil, err
	}
	t.replace(records)
	return t, nil
}

// replace puts records in place of those with the same path; of several the last one
// counts. The old slices are not changed.
func (t *table) replace(records []entry) {
	if len(records) == 0 {
		return
	}
	t.byID = nil
	if t.later = merged(t.later, records, true); t.made {
		t.entries = merged(t.entries, records, false)
	}
}

// merged puts records in place of entries. One that is gone stays as that, or goes.
func merged(entries, records []entry, keepGone bool) []entry {
	order := make([]int, len(records)) // entries are large to be moved
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Or(byPath(records[a], records[b]), cmp.Compare(a, b)) })
	out := make([]entry, 0, len(entries)+len(records))
	i := 0
	for j, at := range order {
		r := records[at]
		if j+1 < len(order) && records[order[j+1]].path == r.path {
			continue
		}
		k, same := slices.BinarySearchFunc(entries[i:], r, byPath)
		out = append(out, entries[i:i+k]...)
		if i += k; same {
			i++
		}
		if keepGone || r.kind != gone {
			out = append(out, r)
		}
	}
	return append(out, entries[i:]...)
}

func byPath(a, b entry) int { return strings.Compare(a.path, b.path) }

// all gives every entry, by path.
func (t *table) all() []entry {
	if !t.made {
		t.entries = merged(parseRecords(t.sorted.part(0, t.sorted.size)), t.later, false)
		t.made = true
	}
	return t.entries
}

func parseRecords(text string) []entry {
	out := make([]entry, 0, len(text)/128)
	for text != "" {
		e, n, ok := parseRecord(text)
		if !ok {
			break
		}
		out, text = append(out, e), text[n:]
	}
	return out
}

// below gives the entries whose paths begin with one that ends in a slash.
func (t *table) below(prefix string) []entry {
	end := strings.TrimSuffix(prefix, "/") + "0" // which follows the slash
	if t.made {
		return between(t.entries, prefix, end)
	}
	return merged(parseRecords(t.sorted.part(t.sorted.seek(prefix), t.sorted.seek(end))), slices.Clone(between(t.later, prefix, end)), false)
}

func between(entries []entry, from, to string) []entry {
	i, _ := slices.BinarySearchFunc(entries, entry{found: found{path: from}}, byPath)
	j, _ := slices.BinarySearchFunc(entries, entry{found: found{path: to}}, byPath)
	return entries[i:j]
}

// endOfPath ends the path of every record, and nothing else in it.
const endOfPath = ".md\x00"

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
	for _, e := range records {
		if e.kind != good && e.kind != gone {
			t.bad++
		}
	}
	t.replace(records)
	t.mark = m
	// What is appended is read by every call, as a whole; the sorted part is not.
	if tail := t.size - t.base + int64(len(b)); t.file == nil || tail > max(256<<10, t.base/64) {
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
	if t.sorted.file != nil && t.sorted.ids == nil { // an earlier version has made it
		saveIDs(state, t.title, t.sorted.part(0, t.sorted.size))
		t.sorted.ids = openIDs(state, t.title)
	}
	if t.file, err = f.Stat(); err != nil {
		return fmt.Errorf("writing the file table: %v", err)
	}
	return nil
}

// write replaces the whole file.
func (t *table) write(state string) error {
	var sorted []byte
	bad := 0
	for _, e := range t.all() {
		if sorted = appendRecord(sorted, e); e.kind != good {
			bad++
		}
	}
	b := fmt.Appendf(nil, "%s %s %s\n", tableMagic, t.epoch, t.journal)
	b = appendRecord(b, entry{found: found{size: t.mark.end, mtime: int64(t.mark.seq)}, kind: good,
		id: lessons.ID(strconv.Itoa(len(sorted))), rev: lessons.Rev(strconv.Itoa(bad))})
	b = append(b, sorted...)
	t.title = string(b[:len(b)-len(sorted)])
	name := filepath.Join(state, tableName)
	removeIDs(state)
	err := atomicfile.Write(name, func(w io.Writer) error {
		_, err := w.Write(b)
		return err
	})
	if err != nil {
		return fmt.Errorf("writing the file table: %v", err)
	}
	t.size, t.base, t.bad = int64(len(b)), int64(len(b)), bad
	t.sorted, t.later = asText(string(sorted)), nil
	if len(sorted) > textBlock {
		saveIDs(state, t.title, t.sorted.text)
	}
	info, err := os.Stat(name)
	t.file = info
	return err
}

// find gives the file of an id: the good one, or else a broken one that had it.
func (t *table) find(id lessons.ID) (entry, bool) {
	if t.asked++; t.asked > t.few() && t.byID == nil {
		all := t.all()
		t.byID = make(map[lessons.ID]int, len(all))
		for i, e := range all {
			if old, ok := t.byID[e.id]; e.kind != double && (!ok || all[old].kind != good) {
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
	some := t.entries
	if !t.made {
		some = t.having(id)
	}
	var found entry
	for _, e := range some {
		if e.id == id && e.kind != double && found.kind != good {
			found = e
		}
	}
	return found, found.path != ""
}

// few is how many ids are better looked for one by one than in all entries.
func (t *table) few() int {
	if t.sorted.ids != nil {
		return 1000
	}
	return 16
}

// of gives all entries with one of some ids, by path.
func (t *table) of(ids []lessons.ID) []entry {
	wanted := make(map[lessons.ID]bool, len(ids))
	for _, id := range ids {
		wanted[id] = true
	}
	var some []entry
	switch {
	case t.made || len(ids) > t.few():
		some = slices.Clone(t.all())
	default:
		for _, id := range ids {
			some = append(some, t.kept(id)...)
		}
		some = append(some, t.later...)
		slices.SortFunc(some, byPath)
	}
	return slices.DeleteFunc(some, func(e entry) bool { return !wanted[e.id] || e.kind == gone })
}

// having gives entries, among which are all with an id.
func (t *table) having(id lessons.ID) []entry {
	out := t.kept(id)
	for _, e := range t.later {
		if e.kind != gone {
			out = append(out, e)
		}
	}
	return out
}

// kept gives those entries of an id that nothing has replaced.
func (t *table) kept(id lessons.ID) []entry {
	return slices.DeleteFunc(t.sorted.having(id), func(e entry) bool {
		_, replaced := slices.BinarySearchFunc(t.later, e, byPath)
		return replaced
	})
}

// at gives the entry of a path.
func (t *table) at(path string) (entry, bool) {
	is := entry{found: found{path: path}}
	if t.made {
		i, ok := slices.BinarySearchFunc(t.entries, is, byPath)
		if !ok {
			return entry{}, false
		}
		return t.entries[i], true
	}
	if i, ok := slices.BinarySearchFunc(t.later, is, byPath); ok {
		return t.later[i], t.later[i].kind != gone
	}
	from := t.sorted.seek(path)
	e, _, ok := parseRecord(t.sorted.part(from, min(t.sorted.size, from+mostRecord)))
	return e, ok && e.path == path
}

func newName() string { return strings.ToLower(rand.Text()[:16]) }
