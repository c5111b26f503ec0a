// Package sqlite reads rows of a SQLite database that another program may be writing.
// SQLite reads the files through this package, which takes no lock, changes nothing,
// and leaves no file beside the database; SQLite on its own would leave one even when
// it only reads. It reads only the pages that it needs.
//
// A read sees one state of the database, as of the last commit in the file and its
// write-ahead log. If another program moves the log into the file meanwhile, reading
// starts over.
//
// A database is hostile input: a broken one is an error, never a crash or an endless
// loop. Only columns of ordinary tables with rowids are read, never a view, virtual
// table, generated column or trigger.
package sqlite

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"

	_ "modernc.org/sqlite" // the driver
	"modernc.org/sqlite/vfs"
)

var (
	// ErrBusy means that the database changed during every attempt to read it.
	ErrBusy = errors.New("the database is being written to")
	// ErrFormat means that a file is not a database, or a broken one.
	ErrFormat = errors.New("not a readable SQLite database")
)

const (
	logHeader = 32
	tries     = 5
	// The time of a file does not show a second write in the same tick of the file
	// system's clock; ticks are up to 10 ms.
	tick = 20 * time.Millisecond
	// patience bounds the time for one state. The pages of a broken database can lead
	// SQLite in circles.
	patience = 2 * time.Minute
)

// options open a database that may have been made to do harm. Without exclusive locking
// SQLite would want a file beside the log. It locks nothing, because files in a VFS
// have no locks.
const options = "&mode=ro&_defensive=1&_dqs=0&_pragma=locking_mode(exclusive)&_pragma=query_only(1)&_pragma=trusted_schema(0)" +
	"&_pragma=cell_size_check(1)&_pragma=temp_store(memory)"

// IsDatabase reports whether head is the beginning of a database.
func IsDatabase(head []byte) bool { return bytes.HasPrefix(head, []byte("SQLite format 3\x00")) }

// A DB is one state of a database, valid during [Read].
type DB struct {
	ctx     context.Context
	sql     *sql.DB
	size    int64 // of its files
	columns map[string][]string
}

// Read calls use with the state of the database at path, and again with the new state
// if the file changed meanwhile, so use must start over each time. The DB and its rows
// are invalid after Read.
func Read(ctx context.Context, path string, use func(*DB) error) error {
	for range tries {
		steady, err := readOnce(ctx, path, use)
		if steady || errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) || ctx.Err() != nil {
			return err
		}
		time.Sleep(tick)
	}
	return fmt.Errorf("%s: %w", path, ErrBusy)
}

// readOnce reports whether the state stayed the same. Writers append to the log, which
// does no harm; moving it into the file or restarting it does.
func readOnce(ctx context.Context, path string, use func(*DB) error) (steady bool, err error) {
	f, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return err == nil, errors.Join(err, fmt.Errorf("%s: %w", path, ErrFormat))
	}
	wal, err := os.Open(path + "-wal")
	if errors.Is(err, fs.ErrNotExist) {
		wal, err = os.Open(os.DevNull) // an empty log
	}
	if err != nil {
		return false, err
	}
	defer wal.Close()
	head := logHead(wal)
	if err = read(ctx, files{f, wal}, use); err != nil {
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
		return false, err // within a rollback-journal transaction
	}
	return logHead(wal) == head, err
}

// logHead returns the beginning of a log, which changes when the log restarts.
func logHead(wal *os.File) (head [logHeader]byte) {
	_, _ = wal.ReadAt(head[:], 0) // a shorter log holds nothing
	return head
}

func read(ctx context.Context, from files, use func(*DB) error) (err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, patience, fmt.Errorf("%w: it took longer than %v", ErrFormat, patience))
	defer cancel()
	db := &DB{ctx: ctx, columns: map[string][]string{}}
	for _, f := range []*os.File{from.db, from.wal} {
		info, err := f.Stat()
		if err != nil {
			return err
		}
		db.size += info.Size()
	}
	head := make([]byte, 16)
	if _, err := from.db.ReadAt(head, 0); err != nil || !IsDatabase(head) {
		return ErrFormat // also for an empty file, which SQLite takes for an empty database
	}
	name, in, err := vfs.New(from)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	if db.sql, err = sql.Open("sqlite", "file:db?vfs="+name+options); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.sql.Close()) }()
	db.sql.SetMaxOpenConns(1) // one connection sees one state
	if err := db.schema(); err != nil {
		return err
	}
	return use(db)
}

// files are a database and its log as SQLite sees them: two read-only files that always
// exist, with no others beside them.
type files struct{ db, wal *os.File }

func (f files) Open(name string) (fs.File, error) {
	const most = 1<<63 - 1
	switch {
	case strings.HasSuffix(name, "-wal"):
		return file{f.wal, io.NewSectionReader(f.wal, 0, most)}, nil
	case strings.HasSuffix(name, "-journal"):
		return nil, fs.ErrNotExist
	}
	return file{f.db, io.NewSectionReader(f.db, 0, most)}, nil
}

// A file has its own position in a file that others read too.
type file struct {
	of *os.File
	*io.SectionReader
}

func (f file) Read(b []byte) (int, error) { return f.SectionReader.Read(b) }
func (f file) Stat() (fs.FileInfo, error) { return f.of.Stat() }
func (file) Close() error                 { return nil }
