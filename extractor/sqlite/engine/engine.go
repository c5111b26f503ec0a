// Package engine links SQLite itself into a program that reads databases. A program
// imports it for its effect, as it would import a driver of database/sql. Learnings-hook
// reads no database, does not import it, and so starts sooner.
package engine

import (
	"database/sql"
	"errors"
	"io/fs"

	_ "modernc.org/sqlite" // the driver
	"modernc.org/sqlite/vfs"

	"learnings/extractor/sqlite"
)

func init() { sqlite.Engine = open }

// options open a database that another program may have made to do harm. Without
// exclusive locking SQLite would want a file beside the log; nothing is locked, because
// the files in a VFS have no locks.
const options = "&mode=ro&_defensive=1&_dqs=0&_pragma=locking_mode(exclusive)&_pragma=query_only(1)&_pragma=trusted_schema(0)" +
	"&_pragma=cell_size_check(1)&_pragma=temp_store(memory)"

// open opens the database that is called db in files.
func open(files fs.FS) (db *sql.DB, end func() error, err error) {
	name, from, err := vfs.New(files)
	if err != nil {
		return nil, nil, err
	}
	if db, err = sql.Open("sqlite", "file:db?vfs="+name+options); err != nil {
		return nil, nil, errors.Join(err, from.Close())
	}
	db.SetMaxOpenConns(1) // which is one state of the database
	return db, func() error { return errors.Join(db.Close(), from.Close()) }, nil
}
