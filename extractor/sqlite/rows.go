package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
)

const (
	// MaxValue is the most bytes of a value; a larger one reads as NULL.
	MaxValue = 64 << 20
	// growth is how much larger the values of a row may be as text than in the file,
	// because of numbers and defaults.
	growth = 4
	slack  = 64 << 20
	// leastRow is the fewest bytes that a row takes in a file.
	leastRow = 6
)

var errRoom = errors.New("a table has more rows than there is room for in the file")

// schema reads the columns of the ordinary tables. SQLite writes their statements to
// begin as checked here, and refuses a view or trigger that calls itself a table.
func (db *DB) schema() error {
	rows, err := db.sql.QueryContext(db.ctx, `SELECT t.name, c.name FROM sqlite_schema t, pragma_table_info(t.name) c WHERE t.type = 'table' AND t.sql LIKE 'CREATE TABLE %'`)
	if err != nil {
		return db.wrong(err)
	}
	defer rows.Close()
	for rows.Next() {
		var table, column string
		if err := rows.Scan(&table, &column); err != nil {
			return db.wrong(err)
		}
		db.columns[table] = append(db.columns[table], column)
	}
	return db.wrong(rows.Err())
}

// wrong translates an error of SQLite.
func (db *DB) wrong(err error) error {
	switch {
	case err == nil:
		return nil
	case db.ctx.Err() != nil:
		return fmt.Errorf("reading a table: %w", context.Cause(db.ctx))
	}
	return fmt.Errorf("%w: %v", ErrFormat, err)
}

// Has reports whether there is a table with these columns.
func (db *DB) Has(name string, cols ...string) bool {
	has, ok := db.columns[name]
	return ok && !slices.ContainsFunc(cols, func(c string) bool { return !slices.Contains(has, c) })
}

// A Row is a row of a table.
type Row struct {
	columns []string
	values  []any
	size    int64
}

// Size returns the size of all columns as text, in bytes.
func (r Row) Size() int64 { return r.size }

// Text returns a column of text or bytes; "" for any other.
func (r Row) Text(column string) string {
	switch v := r.value(column).(type) {
	case string:
		return v
	case []byte:
		return string(v)
	}
	return ""
}

// Int returns a column that is an integer; 0 for any other.
func (r Row) Int(column string) int64 {
	n, _ := r.value(column).(int64)
	return n
}

func (r Row) value(column string) any {
	if i := slices.Index(r.columns, column); i >= 0 {
		return r.values[i]
	}
	return nil
}

// Rows yields the rows of a table with the values of some columns, or of all, in the
// order of their rowids. An error is the last thing that is yielded.
func (db *DB) Rows(table string, cols ...string) iter.Seq2[Row, error] {
	return db.query(table, cols, "")
}

// RowsWhere is like Rows for the rows with a given text in a column.
func (db *DB) RowsWhere(table, column, text string, cols ...string) iter.Seq2[Row, error] {
	return db.query(table, append([]string{column}, cols...), " WHERE "+quoted(column)+" = ?", text)
}

func (db *DB) query(table string, cols []string, where string, args ...any) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		if !db.Has(table, cols...) {
			yield(Row{}, fmt.Errorf("%w: it has no table %s with %s", ErrFormat, table, strings.Join(cols, ", ")))
			return
		}
		all := db.columns[table]
		if len(cols) == len(args) { // no columns but that of the condition
			cols = all
		}
		rows, err := db.sql.QueryContext(db.ctx, selecting(cols, all)+" FROM main."+quoted(table)+where+" ORDER BY rowid", args...)
		if err != nil {
			yield(Row{}, db.wrong(err))
			return
		}
		defer rows.Close()
		if err := db.each(rows, cols, yield); err != nil {
			yield(Row{}, db.wrong(err))
		}
	}
}

// selecting returns a query for the size of a row, which SQLite knows without reading
// its values, and for some values.
func selecting(cols, all []string) string {
	var sizes, values []string
	for _, c := range all {
		sizes = append(sizes, "ifnull(octet_length("+quoted(c)+"),0)")
	}
	for _, c := range cols {
		values = append(values, fmt.Sprintf("CASE WHEN octet_length(%s) <= %d THEN %[1]s END", quoted(c), MaxValue))
	}
	return "SELECT " + strings.Join(sizes, "+") + ", " + strings.Join(values, ", ")
}

// each yields rows. It fails if there are more than fit into the files: the pages of a
// broken database may occur in its trees many times.
func (db *DB) each(rows *sql.Rows, cols []string, yield func(Row, error) bool) error {
	room := growth*db.size + slack
	for rows.Next() && db.ctx.Err() == nil {
		r := Row{columns: cols, values: make([]any, len(cols))}
		to := []any{&r.size}
		for i := range r.values {
			to = append(to, &r.values[i])
		}
		if err := rows.Scan(to...); err != nil {
			return err
		}
		if room -= r.size + growth*leastRow; room < 0 {
			return errRoom
		}
		if !yield(r, nil) {
			return nil
		}
	}
	return errors.Join(rows.Err(), db.ctx.Err())
}

func quoted(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }
