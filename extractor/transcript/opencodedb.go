package transcript

import (
	"bytes"
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

// OpenCode keeps all sessions in one database since 1.2. Each is a file here
// all the same, of which the path is the database's with the session's id behind
// it, and the content what OpenCode would export: so it is read as an export.
//
// Only the tables of what was said are read; others hold keys.

const databaseEnd = ".db"

// opencodeTables are the columns without which a database is none of a version
// that is known.
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

// Stat returns the size and the time of a session's file, or of a database of
// sessions, to which what it has not yet taken in belongs.
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

// opencodeDB says whether db is a database of OpenCode.
func opencodeDB(db *sqlite.DB) error {
	for table, columns := range opencodeTables {
		if !db.Has(table, columns...) {
			return fmt.Errorf("no database of OpenCode, or of a version that is not known: %w", ErrNoSession)
		}
	}
	return nil
}

// A stored is what a pass over the tables tells of a session.
type stored struct {
	size    int64 // of its export, at most
	updated int64 // in milliseconds since 1970
}

const (
	// What an export has beside the values of a row is less than this.
	rowFrame     = 128
	sessionFrame = 1 << 10
)

// databaseFiles returns the sessions in a database, in the order in which they
// were begun.
func databaseFiles(path string) (files []File, err error) {
	err = sqlite.Read(context.Background(), path, func(db *sqlite.DB) error {
		files = nil
		if err := opencodeDB(db); err != nil {
			return err
		}
		all := map[string]*stored{}
		var order []string
		for r, err := range db.Rows("session", "id", "time_updated") {
			if err != nil {
				return err
			}
			id := r.Text("id")
			if id == "" || id != filepath.Base(id) || all[id] != nil {
				continue
			}
			all[id] = &stored{r.Size() + sessionFrame, r.Int("time_updated")}
			order = append(order, id)
		}
		for _, table := range []string{"message", "part"} {
			for r, err := range db.Rows(table, "session_id", "time_updated") {
				if err != nil {
					return err
				}
				if s := all[r.Text("session_id")]; s != nil {
					s.size += r.Size() + rowFrame
					s.updated = max(s.updated, r.Int("time_updated"))
				}
			}
		}
		for _, id := range order {
			s := all[id]
			files = append(files, File{Path: filepath.Join(path, id), Format: OpenCode, Size: s.size, ModTime: time.UnixMilli(s.updated)})
		}
		return nil
	})
	return files, err
}

// openInDatabase makes the export of a session. It is filled up with spaces to
// the size that databaseFiles tells, so that a file that has not changed is
// known by its size and time.
func openInDatabase(path, id string) (Source, File, error) {
	f := File{Path: filepath.Join(path, id), Format: OpenCode}
	var out bytes.Buffer
	err := sqlite.Read(context.Background(), path, func(db *sqlite.DB) error {
		if err := opencodeDB(db); err != nil {
			return err
		}
		out.Reset()
		e := export{out: &out, stored: stored{size: -1}}
		if err := e.session(db, id); err != nil {
			return err
		}
		if e.size < 0 {
			return fmt.Errorf("session %s: %w", id, fs.ErrNotExist)
		}
		if more := e.size - int64(out.Len()); more > 0 {
			out.Write(bytes.Repeat([]byte{' '}, int(min(more, MaxDocument))))
		}
		f.Size, f.ModTime = int64(out.Len()), time.UnixMilli(e.updated)
		return nil
	})
	if err != nil {
		return nil, File{}, fmt.Errorf("opening a session: %w", err)
	}
	return held{bytes.NewReader(out.Bytes())}, f, nil
}

// A held is a session's file in memory.
type held struct{ *bytes.Reader }

func (held) Close() error { return nil }

// An export is a session as OpenCode exports it, a message or part on a line.
type export struct {
	stored
	out *bytes.Buffer
}

func (e *export) session(db *sqlite.DB, id string) error {
	for r, err := range db.RowsWhere("session", "id", id) {
		if err != nil {
			return err
		}
		e.size, e.updated = r.Size()+sessionFrame, r.Int("time_updated")
		head, err := json.Marshal(map[string]any{
			"id": id, "parentID": r.Text("parent_id"), "projectID": r.Text("project_id"), "directory": r.Text("directory"), "version": r.Text("version"),
			"time": map[string]int64{"created": r.Int("time_created"), "updated": e.updated},
		})
		if err != nil {
			return err
		}
		fmt.Fprintf(e.out, `{"info":%s,"messages":[`, head)
		break
	}
	if e.size < 0 {
		return nil
	}
	parts, err := e.rows(db, "part", id)
	if err != nil {
		return err
	}
	messages, err := e.rows(db, "message", id)
	if err != nil {
		return err
	}
	of := map[string][]record{}
	for _, p := range parts {
		of[p.message] = append(of[p.message], p)
	}
	for i, m := range messages {
		e.between(i)
		if m.data == nil {
			e.out.WriteString("null") // which is told as a bad record
			continue
		}
		fmt.Fprintf(e.out, `{"info":%s,"parts":[`, m.data)
		for i, p := range slices.DeleteFunc(of[m.id], func(p record) bool { return p.data == nil }) {
			e.between(i)
			e.out.Write(p.data)
		}
		e.out.WriteString("]}")
	}
	e.out.WriteString("]}")
	return nil
}

func (e *export) between(i int) {
	if i > 0 {
		e.out.WriteByte(',')
	}
	e.out.WriteByte('\n')
}

// A record is a message or a part; its data has the id that the row has.
type record struct {
	id, message string
	created     int64
	data        []byte // nil when it is no JSON object
}

// rows reads the messages or parts of a session in their order.
func (e *export) rows(db *sqlite.DB, table, session string) (out []record, err error) {
	for r, err := range db.RowsWhere(table, "session_id", session) {
		if err != nil {
			return nil, err
		}
		e.size += r.Size() + rowFrame
		e.updated = max(e.updated, r.Int("time_updated"))
		if e.size > MaxDocument {
			return nil, errBig
		}
		m := record{id: r.Text("id"), message: r.Text("message_id"), created: r.Int("time_created")}
		m.data = withID(m.id, r.Text("data"))
		out = append(out, m)
	}
	slices.SortFunc(out, func(a, b record) int { return cmp.Or(cmp.Compare(a.created, b.created), strings.Compare(a.id, b.id)) })
	return out, nil
}

// withID puts an id into a JSON object; nil when data is none.
func withID(id, data string) []byte {
	b := []byte(data)
	o, end, err := parseObject(b, 0, nil)
	if err != nil || len(o) == 0 || space(b, end) < len(b) {
		return nil
	}
	key, err := json.Marshal(id)
	if err != nil {
		return nil
	}
	return slices.Concat([]byte(`{"id":`), key, []byte{','}, b[space(b, 0)+1:])
}
