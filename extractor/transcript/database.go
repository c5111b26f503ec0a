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

// Some programs keep all sessions in one database. Here each session is a file: its path is
// the database's followed by the session's id, and its content is a document: OpenCode's or
// Kiro's own export, or one of the same kind.
//
// Only the tables with the conversation are read; others hold keys.

// A keeper is a program that keeps sessions in a database.
type keeper struct {
	format Format
	file   string  // the name of its database, if others of the same form have other names
	tables []table // that a known version has; the first is of sessions
	export func(*stored) string
}

// A table is of sessions or of what belongs to them.
type table struct {
	name    string
	session string   // the column with the id of the session
	changed string   // the column with the time of its last change
	columns []string // what else it must have
}

var opencodeTables = []table{
	{"session", "id", "time_updated", []string{"parent_id", "project_id", "directory", "version", "time_created"}},
	{"message", "session_id", "time_updated", []string{"id", "time_created", "data"}},
	{"part", "session_id", "time_updated", []string{"id", "message_id", "data"}},
}

var keepers = []*keeper{
	{Kilo, "kilo.db", opencodeTables, (*stored).opencode},
	{OpenCode, "", opencodeTables, (*stored).opencode},
	{Crush, "", []table{
		{"sessions", "id", "updated_at", []string{"parent_session_id", "created_at"}},
		{"messages", "session_id", "updated_at", []string{"id", "role", "parts", "model", "created_at"}},
	}, (*stored).conversation},
	{Goose, "", []table{
		{"sessions", "id", "updated_at", []string{"working_dir", "created_at"}},
		{"messages", "session_id", "created_timestamp", []string{"role", "content_json"}},
	}, (*stored).conversation},
	{Kiro, "", []table{{"conversations_v2", "conversation_id", "updated_at", []string{"key", "value"}}}, (*stored).kiro},
}

// keeperOf returns the program that keeps the database at path.
func keeperOf(path string, db *sqlite.DB) *keeper {
	i := slices.IndexFunc(keepers, func(k *keeper) bool {
		return (k.file == "" || k.file == filepath.Base(path)) && !slices.ContainsFunc(k.tables, func(t table) bool {
			return !db.Has(t.name, append(t.columns, t.session, t.changed)...)
		})
	})
	if i < 0 {
		return nil
	}
	return keepers[i]
}

// NamedDatabase reports whether a file is named like a database.
func NamedDatabase(path string) bool {
	return slices.Contains([]string{".db", ".sqlite3"}, filepath.Ext(path))
}

// inDatabase splits the path of a session in a database.
func inDatabase(path string) (database, id string, ok bool) {
	database, id = filepath.Dir(path), filepath.Base(path)
	if !NamedDatabase(database) {
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
	if NamedDatabase(path) {
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
	keeper  *keeper
	size    int64                   // of its export, about
	updated int64                   // in milliseconds since 1970
	rows    map[string][]sqlite.Row // of the other tables
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
		k := keeperOf(path, db)
		if k == nil {
			return fmt.Errorf("no database of an agent, or of a version that is not known: %w", ErrNoSession)
		}
		out = nil
		all := map[string]*stored{}
		for i, t := range k.tables {
			rows := db.Rows(t.name, t.session, t.changed)
			if id != "" {
				rows = db.RowsWhere(t.name, t.session, id)
			}
			for r, err := range rows {
				if err != nil {
					return err
				}
				name := r.Text(t.session)
				s := all[name]
				switch {
				case i > 0 && s != nil:
					if id != "" {
						s.rows[t.name] = append(s.rows[t.name], r)
					}
				case i == 0 && s == nil && name != "" && name == filepath.Base(name):
					s = &stored{Row: r, keeper: k, size: sessionFrame - rowFrame, rows: map[string][]sqlite.Row{}}
					all[name] = s
					out = append(out, s)
				default:
					continue
				}
				s.size += r.Size() + rowFrame
				if s.updated = max(s.updated, milliseconds(r.Int(t.changed))); id != "" && s.size > MaxDocument {
					return errBig
				}
			}
		}
		return nil
	})
	return out, err
}

// milliseconds returns a time in seconds or milliseconds in milliseconds.
func milliseconds(n int64) int64 {
	if n < latestSecond {
		return n * 1000
	}
	return n
}

// file is the session as a file in the database at path.
func (s *stored) file(path string) File {
	return File{Path: filepath.Join(path, s.Text(s.keeper.tables[0].session)), Format: s.keeper.format, Size: s.size, ModTime: time.UnixMilli(s.updated)}
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
	return held{strings.NewReader(all[0].keeper.export(all[0]))}, all[0].file(path), nil
}

// A held is a session's file in memory.
type held struct{ *strings.Reader }

func (held) Close() error { return nil }

// opencode is a session as OpenCode exports it, a message or part on a line, with the name of
// its program.
func (s *stored) opencode() string {
	parts := map[string][]string{}
	for _, p := range inOrder(s.rows["part"], "time_created", "id") {
		if data := withID(p); data != "" {
			parts[p.Text("message_id")] = append(parts[p.Text("message_id")], data)
		}
	}
	var messages []string
	for _, m := range inOrder(s.rows["message"], "time_created", "id") {
		data := withID(m)
		if data == "" {
			messages = append(messages, "null") // which is told as a bad record
			continue
		}
		messages = append(messages, `{"info":`+data+`,"parts":`+list(parts[m.Text("id")])+"}")
	}
	head, _ := json.Marshal(map[string]any{ // of texts and numbers
		"id": s.Text("id"), "parentID": s.Text("parent_id"), "projectID": s.Text("project_id"), "directory": s.Text("directory"), "version": s.Text("version"), "program": s.keeper.format,
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

// conversation is a session with its messages, one on a line, as [newKept] reads it.
func (s *stored) conversation() string {
	var messages []string
	for _, m := range inOrder(s.rows["messages"], "created_at", "created_timestamp") {
		content := orNull(cmp.Or(m.Text("parts"), m.Text("content_json")))
		if content[0] != '[' {
			messages = append(messages, "null") // which is told as a bad record
			continue
		}
		head, _ := json.Marshal(map[string]any{
			"id": cmp.Or(m.Text("message_id"), m.Text("id")), "role": m.Text("role"), "model": m.Text("model"),
			"created": max(m.Int("created_at"), m.Int("created_timestamp")), "summary": m.Int("is_summary_message") == 1,
		})
		messages = append(messages, string(head[:len(head)-1])+`,"metadata":`+orNull(m.Text("metadata_json"))+`,"content":`+content+"}")
	}
	head, _ := json.Marshal(map[string]any{
		"id": s.Text("id"), "parentID": s.Text("parent_session_id"), "directory": s.Text("working_dir"), "type": s.Text("session_type"), "program": s.keeper.format,
	})
	return `{"info":` + string(head) + `,"messages":` + list(messages) + "}"
}

// kiro is a conversation as Kiro saves it.
func (s *stored) kiro() string {
	value := orNull(s.Text("value"))
	if value[0] != '{' {
		return "null"
	}
	head, _ := json.Marshal(map[string]any{"conversation_id": s.Text("conversation_id"), "directory": s.Text("key")})
	return string(head[:len(head)-1]) + "," + value[1:]
}

// orNull returns a text that is JSON without the white space around it; "null" for any other.
func orNull(text string) string {
	b := []byte(strings.TrimSpace(text))
	if end, err := check(b, 0, 1); err != nil || end < len(b) || end == 0 {
		return "null"
	}
	return string(b)
}

// inOrder sorts rows by columns, such as the time at which they were said.
func inOrder(rows []sqlite.Row, columns ...string) []sqlite.Row {
	slices.SortStableFunc(rows, func(a, b sqlite.Row) int {
		for _, c := range columns {
			if n := cmp.Or(cmp.Compare(a.Int(c), b.Int(c)), strings.Compare(a.Text(c), b.Text(c))); n != 0 {
				return n
			}
		}
		return 0
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
