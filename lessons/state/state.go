// Package state is the database of a state folder: what this machine stores beside the
// lessons themselves. Any number of processes may use it at once.
//
// It is one SQLite file, state.db, in WAL mode, opened on first use; reading does not
// create it. Opening it imports the state files of earlier versions, and removes them
// once their rows are on disk.
//
// A broken database is moved aside, and the next call starts a new one.
package state

import (
	"bufio"
	"context"
	"database/sql"
	_ "embed" // for the schema
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/gofrs/flock"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// Name is the name of the file in the state folder.
const Name = "state.db"

const (
	asideName = Name + ".broken-" // and a time: a broken database
	lockName  = Name + ".lock"    // held while moving a broken one
	patience  = 5 * time.Second   // how long a write waits for others
	pause     = 5 * time.Millisecond
)

// options overwrite what Forget erases, and make a write wait for its turn when it
// begins.
const options = "_txlock=immediate&_pragma=busy_timeout(5000)&_pragma=synchronous(normal)&_pragma=secure_delete(on)"

// ErrNewer says that a later version of the program has written the database. It is then
// neither written nor moved.
var ErrNewer = errors.New("a newer version of learnings has written it: install that version")

// A DB is the database of one state folder. It need not be closed.
type DB struct{ dir string }

// At returns the database in a folder. It reads and creates nothing.
func At(dir string) DB { return DB{dir} }

// Path returns the path of its file.
func (d DB) Path() string { return filepath.Join(d.dir, Name) }

// Rows is the result of a query.
type Rows = sql.Rows

// A Tx is one transaction, or one consistent read.
type Tx struct {
	c interface {
		ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
		QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	}
}

// Exec runs a statement and returns how many rows it changed.
func (t Tx) Exec(query string, args ...any) (int64, error) {
	r, err := t.c.ExecContext(context.Background(), query, args...)
	if err != nil {
		return 0, err
	}
	return r.RowsAffected()
}

// Each calls f for each row of a query.
func (t Tx) Each(f func(*Rows) error, query string, args ...any) error {
	rows, err := t.c.QueryContext(context.Background(), query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := f(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// Get reads the value of a name into into, and reports whether there is one.
func (t Tx) Get(name string, into any) (found bool, err error) {
	err = t.Each(func(r *Rows) error {
		var text []byte
		if err := r.Scan(&text); err != nil {
			return err
		}
		found = true
		return json.Unmarshal(text, into)
	}, "SELECT value FROM kept WHERE name = ?", name)
	return found, err
}

// Put stores a value under a name.
func (t Tx) Put(name string, value any) error {
	text, err := json.Marshal(value)
	if err == nil {
		_, err = t.Exec("INSERT OR REPLACE INTO kept (name, value) VALUES (?, ?)", name, string(text))
	}
	return err
}

// View calls f with a consistent read. Without a database, f is not called.
func (d DB) View(f func(Tx) error) error {
	db, err := d.open(false)
	if err == nil && db != nil {
		err = view(db, f)
	}
	return d.checked(err)
}

func view(db *sql.DB, f func(Tx) error) error {
	tx, err := db.BeginTx(context.Background(), &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	return f(Tx{tx})
}

// Each calls f for each row of a query. Without a database there are no rows.
func (d DB) Each(f func(*Rows) error, query string, args ...any) error {
	return d.View(func(t Tx) error { return t.Each(f, query, args...) })
}

// Get reads the value of a name into into, and reports whether there is one.
func (d DB) Get(name string, into any) (found bool, err error) {
	err = d.View(func(t Tx) (err error) { found, err = t.Get(name, into); return err })
	return found, err
}

// Update runs f in an exclusive write transaction. Its changes survive the end of this
// process, but maybe not a power failure; see [DB.Durably].
func (d DB) Update(f func(Tx) error) error { return d.update(f, false) }

// Durably is Update, with the changes on disk when it returns.
func (d DB) Durably(f func(Tx) error) error { return d.update(f, true) }

// Put stores a value under a name.
func (d DB) Put(name string, value any) error {
	return d.Update(func(t Tx) error { return t.Put(name, value) })
}

func (d DB) update(f func(Tx) error, durably bool) error {
	db, err := d.open(true)
	if err == nil {
		err = within(db, f, durably)
	}
	return d.checked(err)
}

// within runs f in a transaction. If durably, it waits for the disk.
func within(db *sql.DB, f func(Tx) error, durably bool) error {
	ctx := context.Background()
	c, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	if durably {
		if _, err := c.ExecContext(ctx, "PRAGMA synchronous=full"); err != nil {
			return err
		}
		defer func() { _, _ = c.ExecContext(ctx, "PRAGMA synchronous=normal") }()
	}
	tx, err := c.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if err := f(Tx{tx}); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}

// Erase overwrites deleted data, also in the database's log. It waits for readers, but
// not for ever.
func (d DB) Erase() error {
	db, err := d.open(false)
	if err != nil || db == nil {
		return d.checked(err)
	}
	for end := time.Now().Add(patience); ; time.Sleep(pause) {
		busy := 0
		err := (Tx{db}).Each(func(r *Rows) error { return r.Scan(&busy, new(int), new(int)) }, "PRAGMA wal_checkpoint(truncate)")
		if err != nil || busy == 0 {
			return d.checked(err)
		}
		if time.Now().After(end) {
			return fmt.Errorf("%s: another process has been reading it for %v; what was erased may still be in its log: try again", d.Path(), patience)
		}
	}
}

// Check reports whether the database can be read; a deep check reads all of it. It
// returns nil if there is no database, and moves nothing.
func (d DB) Check(deep bool) error {
	db, err := d.open(false)
	if err != nil || db == nil || !deep {
		return err
	}
	return (Tx{db}).Each(func(r *Rows) error {
		var text string
		if err := r.Scan(&text); err != nil || text == "ok" {
			return err
		}
		return fmt.Errorf("%s: %s", d.Path(), text)
	}, "PRAGMA quick_check(1)")
}

// Aside returns the paths of broken databases that were moved.
func (d DB) Aside() []string {
	paths, _ := filepath.Glob(filepath.Join(d.dir, asideName+"*"))
	return paths
}

// checked moves the database aside if err says that it is broken.
func (d DB) checked(err error) error {
	if !broken(err) {
		if c := code(err); c&0xff == sqlite3.SQLITE_FULL || c == sqlite3.SQLITE_IOERR_SHMSIZE { // the latter for the file beside its log
			err = fullError{err}
		}
		if err != nil {
			err = fmt.Errorf("%s: %w", d.Path(), err)
		}
		return err
	}
	l := flock.New(filepath.Join(d.dir, lockName), flock.SetPermissions(0o600))
	defer l.Close()
	if ok, lerr := l.TryLock(); !ok || lerr != nil {
		return fmt.Errorf("%s: %w", d.Path(), err)
	}
	opened.Lock()
	defer opened.Unlock()
	h := opened.dbs[d.dir]
	if info, serr := os.Stat(d.Path()); h == nil || serr != nil || !os.SameFile(info, h.file) {
		return fmt.Errorf("%s: %w", d.Path(), err) // another process has moved it
	}
	_ = h.db.Close()
	delete(opened.dbs, d.dir)
	aside := filepath.Join(d.dir, asideName+time.Now().UTC().Format("20060102-150405"))
	for _, end := range []string{"-shm", "-wal", ""} {
		if merr := os.Rename(d.Path()+end, aside+end); merr != nil && !errors.Is(merr, fs.ErrNotExist) {
			return fmt.Errorf("%s: %w; and moving it aside failed: %v", d.Path(), err, merr)
		}
	}
	return fmt.Errorf("%s: %w; it is now %s, and the next call begins a new one", d.Path(), err, filepath.Base(aside))
}

// A fullError turns SQLite's error for a full disk into that of the file system.
type fullError struct{ error }

func (fullError) Error() string   { return "no space left on device" }
func (e fullError) Unwrap() error { return e.error }

// code returns the SQLite code of an error, with what extends it; 0 for others.
func code(err error) int {
	if e := (*sqlite.Error)(nil); errors.As(err, &e) {
		return e.Code()
	}
	return 0
}

func broken(err error) bool {
	c := code(err) & 0xff
	return c == sqlite3.SQLITE_CORRUPT || c == sqlite3.SQLITE_NOTADB
}

// opened are the databases that this process has open, by folder. Idle connections close
// themselves.
var opened struct {
	sync.Mutex
	dbs map[string]*handle
}

type handle struct {
	db   *sql.DB
	file fs.FileInfo
}

const idle = time.Second

// open opens the database. It returns nil if there is none and create is not set.
func (d DB) open(create bool) (*sql.DB, error) {
	if d.dir == "" {
		return nil, errors.New("there is no state folder")
	}
	opened.Lock()
	defer opened.Unlock()
	h, path := opened.dbs[d.dir], d.Path()
	info, err := os.Stat(path)
	if h != nil {
		if err == nil && os.SameFile(info, h.file) {
			return h.db, nil
		}
		_ = h.db.Close() // it was moved or removed
		delete(opened.dbs, d.dir)
	}
	if errors.Is(err, fs.ErrNotExist) {
		if !create && !d.inherits() {
			return nil, nil
		}
		info, err = d.create()
	}
	if err != nil {
		return nil, err
	}
	where := url.URL{Scheme: "file", Path: filepath.ToSlash(path), RawQuery: options}
	db, err := sql.Open("sqlite", where.String())
	if err != nil {
		return nil, err
	}
	db.SetConnMaxIdleTime(idle)
	if opened.dbs == nil {
		opened.dbs = map[string]*handle{}
	}
	opened.dbs[d.dir] = &handle{db, info}
	if err := d.ready(db); err != nil {
		if !broken(err) {
			_ = db.Close()
			delete(opened.dbs, d.dir)
		}
		return nil, err
	}
	return db, nil
}

// create makes an empty file that only this person can read, and so the files that SQLite
// makes beside it.
func (d DB) create() (fs.FileInfo, error) {
	if err := os.MkdirAll(d.dir, 0o700); err != nil {
		return nil, fmt.Errorf("making the state folder: %w", err)
	}
	f, err := os.OpenFile(d.Path(), os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return os.Stat(d.Path())
	} else if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.Stat()
}

//go:embed schema.sql
var schema string

// version is the schema's version.
const version = 6

// ready creates missing tables and imports the files of earlier versions.
func (d DB) ready(db *sql.DB) error {
	for end := time.Now().Add(patience); ; time.Sleep(pause) {
		has, err := schemaOf(Tx{db})
		switch {
		case err == nil && has > version:
			return ErrNewer
		case err == nil && has == version && !d.inherits():
			return nil
		case err == nil:
			err = d.upgrade(db)
		}
		if err == nil || code(err)&0xff != sqlite3.SQLITE_BUSY || time.Now().After(end) {
			return err
		}
	}
}

func schemaOf(t Tx) (has int, err error) {
	err = t.Each(func(r *Rows) error { return r.Scan(&has) }, "PRAGMA user_version")
	return has, err
}

func (d DB) upgrade(db *sql.DB) error {
	if _, err := db.ExecContext(context.Background(), "PRAGMA journal_mode=wal"); err != nil {
		return err
	}
	var old []string
	err := within(db, func(t Tx) error {
		if has, err := schemaOf(t); err != nil || has > version {
			return errors.Join(err, ErrNewer)
		}
		if _, err := t.Exec(schema); err != nil {
			return err
		}
		old = d.old()
		if err := d.takeOver(t); err != nil {
			return fmt.Errorf("taking over the files of an earlier version: %w", err)
		}
		_, err := t.Exec(fmt.Sprintf("PRAGMA user_version=%d", version))
		return err
	}, true)
	if err != nil {
		return err
	}
	for _, p := range old {
		if rerr := os.Remove(p); !errors.Is(rerr, fs.ErrNotExist) {
			err = errors.Join(err, rerr)
		}
	}
	return err
}

// WriteFile atomically replaces or creates the named file with what fill writes, so that
// a reader finds the old or the new content, also after a crash. The new file has the
// permissions of the old one, or 0600; its folder must exist. If fill fails, WriteFile
// returns its error and keeps the old file.
func WriteFile(name string, fill func(io.Writer) error) error {
	return WriteFileIf(name, fill, func() bool { return true })
}

// WriteFileIf is [WriteFile] for a file that others write to without a lock. If still
// returns false just before the replacement, it keeps the old file and returns nil.
func WriteFileIf(name string, fill func(io.Writer) error, still func() bool) (err error) {
	root, err := os.OpenRoot(filepath.Dir(name))
	if err != nil {
		return err
	}
	defer root.Close()
	f, err := os.CreateTemp(root.Name(), filepath.Base(name)+".*.tmp") // with 0600
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // fails if all went well
	defer f.Close()
	if old, err := os.Stat(name); err == nil && old.Mode().Perm() != 0o600 {
		if err := f.Chmod(old.Mode().Perm()); err != nil {
			return err
		}
	}
	w := bufio.NewWriterSize(f, 256<<10)
	for _, step := range []func() error{func() error { return fill(w) }, w.Flush, f.Sync, f.Close} {
		if err := step(); err != nil {
			return err
		}
	}
	if !still() {
		return nil
	}
	if err := Rename(root, filepath.Base(f.Name()), filepath.Base(name)); err != nil {
		return err
	}
	return SyncDir(root, ".")
}

// Sweep removes what killed calls of [WriteFile] for the named files left beside them: whole
// copies, which nobody would look for. One that is younger than [AtWork] stays if others may
// be writing the same file now.
func Sweep(others bool, names ...string) {
	ours, folders := map[string]bool{}, map[string]bool{}
	for _, name := range names {
		if real, err := filepath.EvalSymlinks(name); err == nil {
			name = real
		}
		ours[filepath.Clean(name)], folders[filepath.Dir(name)] = true, true
	}
	for dir := range folders {
		all, _ := os.ReadDir(dir)
		for _, e := range all {
			rest, temp := strings.CutSuffix(e.Name(), ".tmp")
			name, numbered := strings.CutSuffix(strings.TrimRight(rest, "0123456789"), ".")
			if !temp || !numbered || len(name)+1 == len(rest) || !ours[filepath.Join(dir, name)] {
				continue
			}
			if info, err := e.Info(); err == nil && (!others || time.Since(info.ModTime()) > AtWork) {
				_ = os.RemoveAll(filepath.Join(dir, e.Name())) // it stays if it must, and harms nobody
			}
		}
	}
}

// AtWork is how long a call of [WriteFile] takes at most, on a slow disk.
const AtWork = 10 * time.Second
