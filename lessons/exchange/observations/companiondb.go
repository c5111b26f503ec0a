package observations

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"modernc.org/sqlite" // for writing; our package sqlite only reads

	"learnings/lessons/exchange"
)

// patience is how long to wait for another program that writes to a database.
const patience = 5 * time.Second

// schema has the published tables of the companion. The table name references must be
// quoted.
const schema = `
CREATE TABLE IF NOT EXISTS observations (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    session_id TEXT NOT NULL,
    obs_type TEXT NOT NULL,
    title TEXT NOT NULL,
    content TEXT NOT NULL,
    context TEXT DEFAULT '',
    evidence TEXT DEFAULT '',
    tags TEXT DEFAULT '[]',
    created_at TEXT NOT NULL,
    tokens TEXT DEFAULT ''
);
CREATE TABLE IF NOT EXISTS "references" (
    observer_id INTEGER NOT NULL,
    referenced_id INTEGER NOT NULL,
    created_at TEXT NOT NULL,
    PRIMARY KEY (observer_id, referenced_id),
    FOREIGN KEY (observer_id) REFERENCES observations(id),
    FOREIGN KEY (referenced_id) REFERENCES observations(id)
);`

// insert adds rows to a database, all or none. Before the first change it makes a copy. It
// skips rows that were added meanwhile.
func insert(ctx context.Context, file string, add []addition, wait time.Duration) (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("adding to %s: %w; nothing was added", file, told(err))
		}
	}()
	abs, err := filepath.Abs(file)
	if err != nil {
		return err
	}
	_, gone := os.Stat(abs)
	options := url.Values{"_pragma": {fmt.Sprintf("busy_timeout(%d)", wait.Milliseconds()), "foreign_keys(1)"}, "_txlock": {"immediate"}}
	dsn := url.URL{Scheme: "file", Path: abs, RawQuery: options.Encode()}
	db, err := sql.Open("sqlite", dsn.String())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	db.SetMaxOpenConns(1)
	if errors.Is(gone, fs.ErrNotExist) {
		if _, err := db.ExecContext(ctx, "PRAGMA journal_mode=WAL"); err != nil {
			return err
		}
	} else if _, err := os.Stat(exchange.CopyOf(abs)); errors.Is(err, fs.ErrNotExist) {
		err := os.MkdirAll(filepath.Dir(exchange.CopyOf(abs)), 0o700)
		if err == nil {
			_, err = db.ExecContext(ctx, "VACUUM INTO ?", exchange.CopyOf(abs))
		}
		if err != nil {
			return fmt.Errorf("keeping a copy: %w", err)
		}
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // no effect after the commit
	if _, err := tx.ExecContext(ctx, schema); err != nil {
		return err
	}
	if err := insertAll(ctx, tx, add); err != nil {
		return err
	}
	return tx.Commit()
}

func insertAll(ctx context.Context, tx *sql.Tx, add []addition) error {
	row, err := tx.PrepareContext(ctx, `INSERT INTO observations (session_id, obs_type, title, content, context, evidence, tags, created_at, tokens)
		SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9 WHERE NOT EXISTS (SELECT 1 FROM observations WHERE session_id = ?1 AND title = ?3 AND content = ?4 AND created_at = ?8)`)
	if err != nil {
		return err
	}
	defer row.Close()
	for _, a := range add {
		done, err := row.ExecContext(ctx, string(a.Session), string(a.Type), string(a.Title), string(a.Content), string(a.Context), string(a.Evidence), string(a.Tags), string(a.Create), string(a.tokens))
		if err != nil {
			return err
		}
		n, err := done.RowsAffected()
		if err == nil && (n == 0 || a.about == 0) {
			continue
		}
		id, errID := done.LastInsertId()
		if err := cmp.Or(err, errID); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `INSERT OR IGNORE INTO "references" (observer_id, referenced_id, created_at) VALUES (?, ?, ?)`, id, a.about, string(a.Create)); err != nil {
			return err
		}
	}
	return nil
}

// told rewords an error so that a person can act on it.
func told(err error) error {
	const busy, locked = 5, 6
	var e *sqlite.Error
	if errors.As(err, &e) && (e.Code()&0xff == busy || e.Code()&0xff == locked) {
		return fmt.Errorf("another program is writing to it: %w", err)
	}
	return err
}
