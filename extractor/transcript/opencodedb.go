package transcript

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"learnings/extractor/sqlite"
)

// OpenCode keeps all sessions in one database since 1.2. Here each session is a file: its
// path is the database's followed by the session's id, and its content is OpenCode's export.
//
// Only the tables with the conversation are read; others hold keys.

const databaseEnd = ".db"

// opencodeTables are the columns that a database of a known version must have.
var opencodeTables = map[string][]string{
	"session": {"id", "parent_id", "project_id", "directory", "version", "time_created", "time_updated"},
	"message": {"id", "session_id", "time_created", "time_updated", "data"},
	"part":    {"id", "session_id", "message_id", "time_updated", "data"},
}

// inDatabase splits the path of a session in a database.
func inDatabase(path string) (database, id string, ok bool) {
	database, id = filepath.Dir(path), filepath.Base(path)
	if filepath.Ext(database) != databaseEnd {
		return "", "", false
	}
	info, err := os.Stat(database)
	return database, id, err == nil && info.Mode().IsRegular()
}

// Stat returns the size and time of a session's file, or of a database together with
// its write-ahead log.
func Stat(path string) (size int64, modified time.Time, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return 0, time.Time{}, err
	}
	if !info.Mode().IsRegular() {
		return 0, time.Time{}, fmt.Errorf("%s is no regular file: %w", path, ErrNoSession)
	}
	size, modified = info.Size(), info.ModTime()
	if filepath.Ext(path) == databaseEnd {
		if log, err := os.Stat(path + "-wal"); err == nil && log.Size() > 0 {
			size += log.Size()
			if log.ModTime().After(modified) {
				modified = log.ModTime()
			}
		}
	}
	return size, modified, nil
}

// A stored is a session in a database.
type stored struct {
	sqlite.Row
	size    int64                   // of its export, at most
	updated int64                   // in milliseconds since 1970
	rows    map[string][]sqlite.Row // of message and of part
}

const (
	// What an export has beside the values of a row is less than this.
	rowFrame     = 128
	sessionFrame = 1 << 10
)

// storedIn returns the sessions in a database, in the order of their start, or with an
// id only that session and all its rows.
func storedIn(path, id string) (out []*stored, err error) {
	err = sqlite.Read(context.Background(), path, func(db *sqlite.DB) error {
		for table, columns := range opencodeTables {
			if !db.Has(table, columns...) {
				return fmt.Errorf("no database of OpenCode, or of a version that is not known: %w", ErrNoSession)
			}
		}
		out = nil
		all := map[string]*stored{}
		for _, table := range []string{"session", "message", "part"} {
			key := "session_id"
			if table == "session" {
				key = "id"
			}
			rows := db.Rows(table, key, "time_updated")
			if id != "" {
				rows = db.RowsWhere(table, key, id)
			}
			for r, err := range rows {
				if err != nil {
					return err
				}
				name := r.Text(key)
				s := all[name]
				switch {
				case table != "session" && s != nil:
					if id != "" {
						s.rows[table] = append(s.rows[table], r)
					}
				case table == "session" && s == nil && name != "" && name == filepath.Base(name):
					s = &stored{Row: r, size: sessionFrame - rowFrame, rows: map[string][]sqlite.Row{}}
					all[name] = s
					out = append(out, s)
				default:
					continue
				}
				s.size += r.Size() + rowFrame
				if s.updated = max(s.updated, r.Int("time_updated")); id != "" && s.size > MaxDocument {
					return errBig
				}
			}
		}
		return nil
	})
	return out, err
}

// file is the session as a file in the database at path.
func (s *stored) file(path string) File {
	return File{Path: filepath.Join(path, s.Text("id")), Format: keeper(path), Size: s.size, ModTime: time.UnixMilli(s.updated)}
}

// keeper returns the format of the program that keeps a database, by its name: the forms
// are the same.
func keeper(path string) Format {
	if filepath.Base(path) == kiloDatabase {
		return Kilo
	}
	return OpenCode
}

// databaseFiles returns the sessions in a database.
func databaseFiles(path string) (files []File, err error) {
	all, err := storedIn(path, "")
	for _, s := range all {
		files = append(files, s.file(path))
	}
	return files, err
}

// openInDatabase makes the export of a session. It has the size that databaseFiles
// gives, so that an unchanged session is recognized by size and time.
func openInDatabase(path, id string) (Source, File, error) {
	all, err := storedIn(path, id)
	if err == nil && len(all) == 0 {
		err = fmt.Errorf("session %s: %w", id, fs.ErrNotExist)
	}
	if err != nil {
		return nil, File{}, fmt.Errorf("opening a session: %w", err)
	}
	return held{strings.NewReader(all[0].export(keeper(path)))}, all[0].file(path), nil
}

// A held is a session's file in memory.
type held struct{ *strings.Reader }

func (held) Close() error { return nil }

// export is a session as OpenCode exports it, a message or part on a line, with the name of
// its program.
func (s *stored) export(program Format) string {
	parts := map[string][]string{}
	for _, p := range inOrder(s.rows["part"]) {
		if data := withID(p); data != "" {
			parts[p.Text("message_id")] = append(parts[p.Text("message_id")], data)
		}
	}
	var messages []string
	for _, m := range inOrder(s.rows["message"]) {
		data := withID(m)
		if data == "" {
			messages = append(messages, "null") // which is told as a bad record
			continue
		}
		messages = append(messages, `{"info":`+data+`,"parts":`+list(parts[m.Text("id")])+"}")
	}
	head, _ := json.Marshal(map[string]any{ // of texts and numbers
		"id": s.Text("id"), "parentID": s.Text("parent_id"), "projectID": s.Text("project_id"), "directory": s.Text("directory"), "version": s.Text("version"), "program": program,
		"time": map[string]int64{"created": s.Int("time_created"), "updated": s.Int("time_updated")},
	})
	return `{"info":` + string(head) + `,"messages":` + list(messages) + "}"
}

// list is a list of JSON, each element on a line.
func list(elements []string) string {
	if len(elements) == 0 {
		return "[]"
	}
	return "[\n" + strings.Join(elements, ",\n") + "]"
}

// inOrder sorts messages or parts as they were said.
func inOrder(rows []sqlite.Row) []sqlite.Row {
	slices.SortStableFunc(rows, func(a, b sqlite.Row) int {
		return cmp.Or(cmp.Compare(a.Int("time_created"), b.Int("time_created")), strings.Compare(a.Text("id"), b.Text("id")))
	})
	return rows
}

// withID returns the JSON object of a message or part with its id added; "" if it is
// not an object.
func withID(r sqlite.Row) string {
	data := []byte(r.Text("data"))
	o, end, err := parseObject(data, 0, nil)
	if err != nil || len(o) == 0 || space(data, end) < len(data) {
		return ""
	}
	id, _ := json.Marshal(r.Text("id"))
	return `{"id":` + string(id) + "," + string(data[space(data, 0)+1:])
}
