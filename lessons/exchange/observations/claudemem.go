// Package observations reads and writes the stores of observers: programs that watch a
// session and note what they see. These are claude-mem's database, the JSON that its
// scripts export and import, and the database of its companion.
//
// Databases are read as of the last commit, without a lock and without creating files
// beside them.
package observations

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"

	"learnings/extractor/sqlite"
	"learnings/lessons"
	"learnings/lessons/exchange"
)

// Name is the name of claude-mem's format.
const Name = "claude-mem"

// database is the file in claude-mem's folder.
const database = "claude-mem.db"

// The range of claude-mem's schemas that can be read.
const oldest, newest = 20, 52

// A ClaudeMem is the store of claude-mem: its database, the folder of that, or the JSON of
// an export. The database is only read; a write makes a JSON file for claude-mem's own
// import.
type ClaudeMem struct{}

// Places returns where claude-mem keeps its database.
func Places(home string, getenv func(string) string) []string {
	dir := exchange.Folder(home, getenv("CLAUDE_MEM_DATA_DIR"), ".claude-mem")
	if !filepath.IsAbs(dir) {
		return nil
	}
	return []string{filepath.Join(dir, database)}
}

// fileOf returns the file for a path.
func fileOf(path, name string) string {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return filepath.Join(path, name)
	}
	return path
}

// isExport reports whether a file with this beginning is claude-mem's JSON.
func isExport(head []byte) bool {
	head = bytes.TrimLeft(head, " \t\r\n\ufeff")
	return bytes.HasPrefix(head, []byte("{")) && bytes.Contains(head, []byte(`"exportedAt"`)) && bytes.Contains(head, []byte(`"totalObservations"`))
}

// Detect implements [exchange.Format].
func (ClaudeMem) Detect(path string) bool {
	file := fileOf(path, database)
	b := exchange.Head(file)
	if !sqlite.IsDatabase(b) {
		return isExport(b)
	}
	return filepath.Base(file) == database || has(file, "sdk_sessions", "memory_session_id")
}

// has reports whether a database has a table with the columns.
func has(path, table string, columns ...string) (ok bool) {
	err := sqlite.Read(context.Background(), path, func(db *sqlite.DB) error {
		ok = db.Has(table, columns...)
		return nil
	})
	return ok && err == nil
}

// Read implements [exchange.Format].
func (ClaudeMem) Read(ctx context.Context, path string) (exchange.Found, error) {
	file := fileOf(path, database)
	if b := exchange.Head(file); !sqlite.IsDatabase(b) && (len(b) > 0 || filepath.Ext(file) == ".json") {
		return readExport(ctx, file)
	}
	var s *store
	err := readDatabase(ctx, file, func(db *sqlite.DB) error {
		s = newStore()
		return s.load(db)
	})
	if err != nil {
		return exchange.Found{}, err
	}
	return s.found(file), nil
}

// readDatabase reads a database. Its errors wrap [exchange.ErrFormat].
func readDatabase(ctx context.Context, path string, use func(*sqlite.DB) error) error {
	err := sqlite.Read(ctx, path, use)
	if errors.Is(err, sqlite.ErrFormat) && !errors.Is(err, exchange.ErrFormat) {
		err = fmt.Errorf("%w: %w", exchange.ErrFormat, err)
	}
	return err
}

func (s *store) load(db *sqlite.DB) error {
	if err := checkVersion(db); err != nil {
		return err
	}
	for _, name := range tables {
		for r, err := range db.Rows(name) {
			if err != nil {
				return fmt.Errorf("table %s: %w", name, err)
			}
			_ = s.take(name, func(row any) error { fill(row, r); return nil })
		}
	}
	return nil
}

// checkVersion returns an error for a database of an unknown version, or of another
// program.
func checkVersion(db *sqlite.DB) error {
	if !db.Has("schema_versions", "version") || !db.Has("sdk_sessions", "memory_session_id") {
		return fmt.Errorf("%w: it has no tables of claude-mem", exchange.ErrFormat)
	}
	version := int64(0)
	for r, err := range db.Rows("schema_versions") {
		if err != nil {
			return fmt.Errorf("table schema_versions: %w", err)
		}
		version = max(version, r.Int("version"))
	}
	if version < oldest || version > newest {
		return fmt.Errorf("%w: its schema is version %d, and %d to %d are known", exchange.ErrFormat, version, oldest, newest)
	}
	if !db.Has("observations", "memory_session_id", "project", "type", "title", "narrative", "facts", "concepts", "created_at_epoch") {
		return fmt.Errorf("%w: its table observations lacks columns that version %d has", exchange.ErrFormat, version)
	}
	return nil
}

// fill sets the fields of a struct, strings and numbers, from the columns that they name.
func fill(into any, r sqlite.Row) {
	v := reflect.ValueOf(into).Elem()
	for i := range v.NumField() {
		column, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
		if f := v.Field(i); f.Kind() == reflect.String {
			f.SetString(strings.ToValidUTF8(r.Text(column), "\ufffd"))
		} else {
			f.SetInt(r.Int(column))
		}
	}
}

// Lacks implements [exchange.Format].
func (ClaudeMem) Lacks(l lessons.Lesson) []string {
	w := lacks(l)
	w.If(l.Scope.Global || l.Scope.Project == "", "that it holds everywhere: it is for the project %s", projectOf(l))
	return w
}

// lacks lists what no store of observations has a place for.
func lacks(l lessons.Lesson) exchange.Lacks {
	const usual = "developer" // the default role of lessons
	w := exchange.Lacks{"its confidence"}
	w.If(len(l.Triggers) > 0, "when it shows")
	w.If(l.Scope.Role != "" && l.Scope.Role != usual, "its role")
	w.If(l.Limit.Any(), "its limits")
	return w
}

// lists are the arrays that claude-mem's scripts export and import, and tables the tables
// of their rows.
var (
	lists  = []string{"sessions", "observations", "summaries", "prompts"}
	tables = []string{"sdk_sessions", "observations", "session_summaries", "user_prompts"}
)

// A document is an export. What is not changed stays byte for byte.
type document struct {
	*exchange.JSON
	items map[string][]exchange.Part // by array
}

func parseExport(data []byte) (*document, error) {
	j, err := exchange.ParseJSON(data)
	if err != nil {
		return nil, err
	}
	d := &document{JSON: j, items: map[string][]exchange.Part{}}
	if _, ok := j.Member("observations"); !ok {
		return nil, errors.New("it has no observations")
	}
	for _, name := range lists {
		if d.items[name], err = j.Items(name); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// store parses the rows; unread lists those that it cannot parse.
func (d *document) store(path string) (s *store, unread []exchange.Unread) {
	s = newStore()
	for i, name := range lists {
		for _, at := range d.items[name] {
			err := errors.New("it is no object")
			if at.Raw[0] == '{' {
				err = s.take(tables[i], func(row any) error { return json.Unmarshal(at.Raw, row) })
			}
			if err != nil {
				unread = append(unread, exchange.Unread{Path: path, Line: at.Line, Err: fmt.Errorf("a row of %s: %w", name, err)})
			}
		}
	}
	return s, unread
}

func readExport(ctx context.Context, path string) (exchange.Found, error) {
	data, err := exchange.ReadFile(path)
	if err != nil {
		return exchange.Found{}, err
	}
	d, err := parseExport(data)
	if err != nil {
		return exchange.Found{}, fmt.Errorf("%s: %w: %w", path, exchange.ErrFormat, err)
	}
	s, unread := d.store(path)
	found := s.found(path)
	found.Unread = append(found.Unread, unread...)
	return found, ctx.Err()
}

// set replaces the value of a key, if the document has the key.
func (d *document) set(key string, v any) {
	if _, ok := d.Member(key); ok {
		d.SetTop(key, v)
	}
}

// emptyExport is an export without rows.
const emptyExport = `{
  "exportedAt": "",
  "exportedAtEpoch": 0,
  "query": "",
  "totalObservations": 0,
  "totalSessions": 0,
  "totalSummaries": 0,
  "totalPrompts": 0,
  "observations": [],
  "sessions": [],
  "summaries": [],
  "prompts": []
}
`
