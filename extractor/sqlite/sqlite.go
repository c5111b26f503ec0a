// Package sqlite reads rows of a SQLite database that another program may be
// writing. It takes no lock, changes nothing, and leaves no file beside the
// database, which SQLite itself does even when it only reads. It reads the pages
// of the tables that it is asked for and no others.
//
// What is read is one state of the database, as the last commit in the file
// and its write-ahead log left it. When another program moves the log into the
// file meanwhile, reading begins again.
//
// A database is hostile input: a broken one is an error, never a crash or an
// endless loop. Text is UTF-8; tables without rowids and virtual tables are not
// read. The format is that of https://www.sqlite.org/fileformat2.html.
package sqlite

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"
)

var (
	// ErrBusy says that the database changed each time while it was read.
	ErrBusy = errors.New("the database is being written to")
	// ErrFormat says that a file is no database, or a broken one.
	ErrFormat = errors.New("not a readable SQLite database")
)

const (
	magic      = "SQLite format 3\x00"
	headerSize = 100
	tries      = 5
	// A write in the same tick of the file system's clock would not be seen by
	// the time of the file; ticks are up to 10 ms.
	tick = 20 * time.Millisecond
)

// IsDatabase reports whether head is the beginning of a database.
func IsDatabase(head []byte) bool { return bytes.HasPrefix(head, []byte(magic)) }

// A DB is one state of a database, while [Read] lasts.
type DB struct {
	file   io.ReaderAt
	log    *log
	size   int    // of a page, in bytes
	usable int    // of these, for content
	pages  uint32 // in this state
	cache  map[uint32][]byte
	tables map[string]*table
}

// Read calls use with the state of the database at path, and calls it again with
// a new state when the file changed meanwhile: what use does must not add up.
// The DB and its rows are not to be used afterwards.
func Read(path string, use func(*DB) error) error {
	for range tries {
		steady, err := readOnce(path, use)
		if steady || errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
			return err
		}
		time.Sleep(tick)
	}
	return fmt.Errorf("%s: %w", path, ErrBusy)
}

// readOnce reports whether nobody has changed what was read. Writers append to
// the log, which does no harm; moving it into the file or beginning it anew does.
func readOnce(path string, use func(*DB) error) (steady bool, err error) {
	f, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return err == nil, errors.Join(err, fmt.Errorf("%s: %w", path, ErrFormat))
	}
	var wal io.ReaderAt
	if w, err := os.Open(path + "-wal"); err == nil {
		defer w.Close()
		wal = w
	} else if !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	db, err := open(f, info.Size(), wal)
	if err == nil {
		err = use(db)
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", path, err)
	}
	now, gone := os.Stat(path)
	if gone != nil || now.Size() != info.Size() || !now.ModTime().Equal(info.ModTime()) || !os.SameFile(now, info) {
		return false, err
	}
	if age := time.Since(info.ModTime()); age >= 0 && age < tick {
		return false, err
	}
	if journal, none := os.Stat(path + "-journal"); none == nil && journal.Size() > 0 {
		return false, err // in the middle of a change of the older kind
	}
	return db.log.steady(), err
}

// open reads what tables a database has. wal is its log, or nil.
func open(f io.ReaderAt, size int64, wal io.ReaderAt) (*DB, error) {
	db := &DB{file: f, cache: make(map[uint32][]byte)}
	var head [headerSize]byte
	if _, err := f.ReadAt(head[:], 0); err != nil && !errors.Is(err, io.EOF) {
		return db, err
	}
	db.size = int(binary.BigEndian.Uint16(head[16:]))
	if db.size == 1 {
		db.size = 1 << 16
	}
	db.usable = db.size - int(head[20])
	const leastUsable, utf8 = 480, 1
	if !IsDatabase(head[:]) || db.size < 512 || db.size&(db.size-1) != 0 || db.usable < leastUsable {
		return db, ErrFormat
	}
	db.pages = uint32(min(size/int64(db.size), 1<<32-2))
	if db.log = openLog(wal, db.size); db.log != nil && db.log.pages > 0 {
		db.pages = db.log.pages
	}
	first, err := db.page(1)
	if err != nil {
		return db, err
	}
	if encoding := binary.BigEndian.Uint32(first[56:]); encoding > utf8 {
		return db, fmt.Errorf("%w: its text is not UTF-8", ErrFormat)
	}
	return db, db.schema()
}

// page returns a page, which is not to be changed.
func (db *DB) page(n uint32) ([]byte, error) {
	if p, ok := db.cache[n]; ok {
		return p, nil
	}
	if n == 0 || n > db.pages {
		return nil, fmt.Errorf("%w: there is no page %d", ErrFormat, n)
	}
	p := make([]byte, db.size)
	var err error
	if at, ok := db.log.find(n); ok {
		_, err = db.log.file.ReadAt(p, at)
	} else {
		_, err = db.file.ReadAt(p, int64(n-1)*int64(db.size))
	}
	if err != nil {
		return nil, fmt.Errorf("page %d: %w", n, err)
	}
	const most = 8 << 20
	if len(db.cache)*db.size > most {
		clear(db.cache)
	}
	db.cache[n] = p
	return p, nil
}

// A table is what the schema says of one.
type table struct {
	root    uint32
	columns []string
	indexes map[string]uint32 // roots, by the first column
}

// schema reads what tables there are from the table on the first page.
func (db *DB) schema() error {
	db.tables = map[string]*table{}
	type index struct {
		of, sql string
		root    uint32
	}
	var indexes []index
	master := &table{root: 1, columns: []string{"type", "name", "tbl_name", "rootpage", "sql"}}
	for r, err := range db.scan(master) {
		if err != nil {
			return err
		}
		sql, root := r.Text("sql"), uint32(r.Int("rootpage"))
		switch r.Text("type") {
		case "table":
			db.tables[r.Text("name")] = &table{root, columns(sql), map[string]uint32{}}
		case "index":
			indexes = append(indexes, index{r.Text("tbl_name"), sql, root})
		}
	}
	for _, i := range indexes {
		// A partial index does not have every row.
		if t, cols := db.tables[i.of], columns(i.sql); t != nil && len(cols) > 0 && !strings.Contains(strings.ToUpper(i.sql), " WHERE ") {
			t.indexes[cols[0]] = i.root
		}
	}
	return nil
}

// Has reports whether there is a table with these columns.
func (db *DB) Has(name string, cols ...string) bool {
	t := db.tables[name]
	for _, c := range cols {
		if t == nil || t.column(c) < 0 {
			return false
		}
	}
	return t != nil
}

func (t *table) column(name string) int {
	for i, c := range t.columns {
		if c == name {
			return i
		}
	}
	return -1
}

// columns are the names in the parentheses of a CREATE statement, without the
// constraints behind them.
func columns(sql string) (out []string) {
	_, inside, _ := strings.Cut(sql, "(")
	depth, start := 0, true
	for i := 0; i < len(inside) && depth >= 0; i++ {
		switch c := inside[i]; {
		case c == ' ' || c == '\n' || c == '\t' || c == '\r':
		case comment(inside[i:]) > 0:
			i += comment(inside[i:]) - 1
		case c == '\'' || c == '"' || c == '`' || c == '[':
			end := strings.IndexByte(inside[i+1:], quoteEnd(c))
			if end < 0 {
				return out
			}
			if start {
				out = append(out, inside[i+1:i+1+end])
			}
			start, i = false, i+1+end
		case c == '(':
			depth++
		case c == ')':
			depth--
		case c == ',' && depth == 0:
			start = true
		case start:
			word := inside[i:]
			word = word[:strings.IndexAny(word+" ", " \t\r\n,()")]
			switch strings.ToUpper(word) {
			case "CONSTRAINT", "PRIMARY", "UNIQUE", "CHECK", "FOREIGN":
				return out
			}
			out = append(out, word)
			start, i = false, i+len(word)-1
		}
	}
	return out
}

// comment is how long the comment is with which a text begins; 0 for none.
func comment(s string) int {
	end := ""
	switch {
	case strings.HasPrefix(s, "--"):
		end = "\n"
	case strings.HasPrefix(s, "/*"):
		end = "*/"
	default:
		return 0
	}
	if i := strings.Index(s[2:], end); i >= 0 {
		return 2 + i + len(end)
	}
	return len(s)
}

func quoteEnd(c byte) byte {
	if c == '[' {
		return ']'
	}
	return c
}
