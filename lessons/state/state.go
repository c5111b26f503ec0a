// Package state is the database of a state folder: what this machine keeps beside the
// lessons themselves. Any number of processes may use it at once.
//
// It is one SQLite file, state.db, in WAL mode. It is opened when it is first needed, and
// nothing creates it by reading. The files in which earlier versions kept the same are
// taken over when it is opened, and removed when their rows are on disk.
//
// A database that is broken is moved aside, and the next call begins a new one.
package state

import (
	"context"
	"database/sql"
	_ "embed" // for the schema
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/gofrs/flock"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// Name is that of the file in the state folder.
const Name = "state.db"

const (
	asideName = Name + ".broken-" // and a time: what could not be read
	lockName  = Name + ".lock"    // held while a broken one is moved
	patience  = 5 * time.Second   // for how long a write waits for others
	pause     = 5 * time.Millisecond
)

// options: what Forget erases is overwritten, and a write begins by waiting for its turn.
const options = "_txlock=immediate&_pragma=busy_timeout(5000)&_pragma=synchronous(normal)&_pragma=secure_delete(on)"

// ErrNewer says that a later version of this program has written the database. Nothing
// writes to it or moves it.
var ErrNewer = errors.New("a newer version of learnings has written it: install that version")

// A DB is the database of one state folder. It needs no closing.
type DB struct{ dir string }

// At is the database in a folder. It reads and creates nothing.
func At(dir string) DB { return DB{dir} }

// Path is that of its file.
func (d DB) Path() string { return filepath.Join(d.dir, Name) }

// A Rows is what a query found, while it is gone through.
type Rows = sql.Rows

// A Tx is the database within one transaction, or within one read.
type Tx struct {
	c interface {
		ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
		QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	}
}

// Exec runs a statement, and says how many rows it changed.
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

// Get reads a value that is kept under a name, and reports whether there is one.
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

// Put keeps a value under a name.
func (t Tx) Put(name string, value any) error {
	text, err := json.Marshal(value)
	if err == nil {
		_, err = t.Exec("INSERT OR REPLACE INTO kept (name, value) VALUES (?, ?)", name, string(text))
	}
	return err
}

// View reads: all that f asks is of one moment. Where there is no database yet, f is not
// called.
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

// Each calls f for each row of a query; where there is no database, for none.
func (d DB) Each(f func(*Rows) error, query string, args ...any) error {
	return d.View(func(t Tx) error { return t.Each(f, query, args...) })
}

// Get reads a value that is kept under a name, and reports whether there is one.
func (d DB) Get(name string, into any) (found bool, err error) {
	err = d.View(func(t Tx) (err error) { found, err = t.Get(name, into); return err })
	return found, err
}

// Update changes what f changes, all or nothing, and nobody else changes anything
// meanwhile. It survives the end of this process; a loss of power may take it, see [DB.Durably].
func (d DB) Update(f func(Tx) error) error { return d.update(f, false) }

// Durably is Update, and what it did is on disk when it returns.
func (d DB) Durably(f func(Tx) error) error { return d.update(f, true) }

// Put keeps a value under a name.
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

// within runs f in a transaction of a connection that waits for the disk, or does not.
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

// Erase overwrites what was deleted, also in the log of the database. It waits for readers,
// but not for ever.
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

// Check looks whether the database can be read, as a whole where it is deep. It is nil
// where there is none. It moves nothing.
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

// Aside gives the paths of databases that could not be read and were moved.
func (d DB) Aside() []string {
	paths, _ := filepath.Glob(filepath.Join(d.dir, asideName+"*"))
	return paths
}

// checked moves a database aside that is broken, as an error says.
func (d DB) checked(err error) error {
	if !broken(err) {
		if code(err)&0xff == sqlite3.SQLITE_FULL {
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
		return fmt.Errorf("%s: %w", d.Path(), err) // somebody else has moved it
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

// A fullError says what SQLite says of a full disk as the system does of files.
type fullError struct{ error }

func (fullError) Error() string   { return "no space left on device" }
func (e fullError) Unwrap() error { return e.error }

// code is that of an error of SQLite, 0 for others.
func code(err error) int {
	if e := (*sqlite.Error)(nil); errors.As(err, &e) {
		return e.Code() & 0xff
	}
	return 0
}

func broken(err error) bool {
	return code(err) == sqlite3.SQLITE_CORRUPT || code(err) == sqlite3.SQLITE_NOTADB
}

// opened are the databases that this process has open, by folder. A connection that is
// not used for a moment closes itself.
var opened struct {
	sync.Mutex
	dbs map[string]*handle
}

type handle struct {
	db   *sql.DB
	file fs.FileInfo
}

const idle = time.Second

// open gives the database, and nil where there is none and it is not to be made.
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

// create makes an empty file, so that it and what SQLite makes beside it are this
// person's only.
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

// version is that of the schema.
const version = 6

// ready makes the tables of a database that lacks them, and takes over the files of
// earlier versions, if there are any.
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
		if err == nil || code(err) != sqlite3.SQLITE_BUSY || time.Now().After(end) {
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
