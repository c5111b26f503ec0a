package state

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// This file imports the state files of versions before 0.9. Like those versions, it skips
// unreadable lines.

// values maps the files that held one value to their current names.
var values = map[string]string{
	"pauses.json": "pauses", "guards.json": "guards", "figures.json": "figures",
}

// at is the time in a line, in milliseconds.
const at = "coalesce(CAST(unixepoch(json_extract(?1, '$.at'), 'subsec') * 1000 AS INTEGER), 0)"

// lists are the line files and the statements that import a line: a JSON object, or
// tab-separated fields. Of duplicate lines the later one counts.
var lists = []struct {
	file   string
	fields int // 0 for JSON
	query  string
}{
	{"given.old.tsv", 11, takeGiven},
	{"given.tsv", 11, takeGiven},
	{"sessions/*.given.taken", 11, takeGiven},
	{"sessions/*.given", 11, takeGiven},
	{"outcomes.jsonl", 0, "INSERT OR REPLACE INTO outcomes (session, file, at, value) SELECT json_extract(?1, '$.session'), coalesce(json_extract(?1, '$.file'), ''), " + at + ", ?1 WHERE json_extract(?1, '$.session') <> ''"},
	{"marks-1.jsonl", 0, "INSERT OR REPLACE INTO marks (reader, path, value) SELECT 'rules', json_extract(?1, '$.path'), ?1 WHERE json_extract(?1, '$.path') <> ''"},
	{"marks-model-1.jsonl", 0, "INSERT OR REPLACE INTO marks (reader, path, value) SELECT 'model', json_extract(?1, '$.path'), ?1 WHERE json_extract(?1, '$.path') <> ''"},
	{"spool-failed.jsonl", 0, "INSERT INTO spool (tries, at, notice) VALUES (6, " + at + ", ?1)"}, // as often as any is tried
	{"spool-taken-*", 0, "INSERT INTO spool (at, notice) VALUES (" + at + ", ?1)"},
	{"spool.jsonl", 0, "INSERT INTO spool (at, notice) VALUES (" + at + ", ?1)"},
	{"guards.log.old", 1, takeStop},
	{"guards.log", 1, takeStop},
	{"spend.jsonl", 0, takeExpense},
	{"sent-1.txt", 1, "INSERT OR IGNORE INTO sent (sum) VALUES (?1)"},
}

const (
	takeGiven = `INSERT INTO given (at, event, session, part, agent, project, lessons, held, matched)
		SELECT CAST(?2 AS INTEGER), ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10 WHERE ?1 = 'gave' AND ?11 = '.' AND NOT EXISTS (SELECT 1 FROM given
			WHERE project = ?7 AND at = CAST(?2 AS INTEGER) AND event = ?3 AND session = ?4 AND part = ?5 AND lessons = ?8 AND held = ?9 AND matched = ?10)`
	// A line has a time, the lesson, what was done, and the session, separated by blanks.
	takeStop = `INSERT INTO stops (at, lesson, denied, session) SELECT unixepoch(json_extract(l, '$[0]')) * 1000, json_extract(l, '$[1]'),
			json_extract(l, '$[2]') = 'deny', coalesce(json_extract(l, '$[3]'), '')
		FROM (SELECT '["' || replace(?1, ' ', '","') || '"]' AS l) WHERE json_valid(l) AND json_array_length(l) > 2 AND unixepoch(json_extract(l, '$[0]')) IS NOT NULL`
	takeExpense = `INSERT INTO spend (at, run, model, what, read, wrote, cache_read, cache_wrote, usd, known, estimated)
		SELECT ` + at + `, coalesce(json_extract(?1, '$.run'), ''), coalesce(json_extract(?1, '$.model'), ''), coalesce(json_extract(?1, '$.what'), ''),
			coalesce(json_extract(?1, '$.usage.in'), 0), coalesce(json_extract(?1, '$.usage.out'), 0), coalesce(json_extract(?1, '$.usage.cache_read'), 0), coalesce(json_extract(?1, '$.usage.cache_write'), 0),
			coalesce(json_extract(?1, '$.usd'), 0), coalesce(json_extract(?1, '$.known'), 0), coalesce(json_extract(?1, '$.estimated'), 0)
		WHERE json_extract(?1, '$.at') <> ''`
)

// others are files that are not needed: caches and counts.
var others = []string{
	telemetryName, "given.lost", "asked.json", "sessions/swept", journalName, "journal.torn", "files", "files.ids", "glance", "glance.lock", "glance.asked",
	"trees/*.json", "words/*", "sessions/*.log",
}

const (
	journalName   = "journal.jsonl"
	telemetryName = "telemetry-1.tsv"            // what was done in sessions
	damagedName   = "journal.damaged-taken-over" // with an unreadable line
)

// inherits reports whether an earlier version has left files.
func (d DB) inherits() bool {
	if _, err := os.Stat(d.dir); err != nil {
		return false
	}
	return len(d.old()) > 0
}

// old returns the files of earlier versions.
func (d DB) old() (paths []string) {
	var patterns []string
	for file := range values {
		patterns = append(patterns, file)
	}
	for _, l := range lists {
		patterns = append(patterns, l.file)
	}
	for _, p := range append(patterns, others...) {
		paths = append(paths, d.files(p)...)
	}
	return paths
}

// files returns the files that match a pattern.
func (d DB) files(pattern string) []string {
	found, _ := fs.Glob(os.DirFS(d.dir), pattern)
	for i, name := range found {
		found[i] = filepath.Join(d.dir, filepath.FromSlash(name))
	}
	return found
}

// takeOver imports the files of earlier versions.
func (d DB) takeOver(t Tx) error {
	for file, name := range values {
		text, err := os.ReadFile(filepath.Join(d.dir, file))
		if err == nil { // a damaged pause stays, so that nothing is recorded during it
			_, err = t.Exec("INSERT OR REPLACE INTO kept (name, value) VALUES (?, ?)", name, string(text))
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	for _, l := range lists {
		for _, p := range d.files(l.file) {
			if err := eachLine(p, taking(t, l.fields, l.query)); err != nil {
				return err
			}
		}
	}
	err := eachLine(filepath.Join(d.dir, telemetryName), func(line []byte) error { // path, size, time and more, up to a dot
		f := strings.SplitN(string(line), "\t", 4)
		if len(f) < 4 || f[0] == "" || !strings.HasSuffix(f[3], "\t.") {
			return nil
		}
		at, _ := strconv.ParseInt(f[2], 36, 64)
		_, err := t.Exec("INSERT OR REPLACE INTO sessions (path, at, line) VALUES (?, ?, ?)", f[0], at, string(line))
		return err
	})
	if err == nil {
		err = d.takeJournal(t)
	}
	return err
}

func eachLine(path string, take func(line []byte) error) error {
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() {
		return nil // the file does not exist
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	for line := range bytes.Lines(text) {
		if line = bytes.TrimRight(line, "\r\n"); len(line) > 0 {
			if err := take(line); err != nil {
				return err
			}
		}
	}
	return nil
}

// taking returns a function that imports a line with a statement.
func taking(t Tx, fields int, query string) func(line []byte) error {
	return func(line []byte) error {
		var args []any
		if fields == 0 {
			if !json.Valid(line) || line[0] != '{' {
				return nil
			}
			args = []any{string(line)}
		} else {
			for f := range strings.SplitSeq(string(line), "\t") {
				args = append(args, f)
			}
			if len(args) != fields {
				return nil
			}
		}
		_, err := t.Exec(query, args...)
		return err
	}
}

// Milli returns a time in milliseconds; 0 for the zero time.
func Milli(at time.Time) int64 {
	if at.IsZero() {
		return 0
	}
	return at.UnixMilli()
}

// Key returns the database key of a session, or of a part of it. Foreign names may be of
// any length.
func Key(session, part string) string {
	sum := sha256.Sum256([]byte(session + "\x00" + part))
	return hex.EncodeToString(sum[:12])
}

// takeJournal imports the journal of a corpus. The last write may be unfinished; package
// store handles that.
func (d DB) takeJournal(t Tx) error {
	path, bad, first := filepath.Join(d.dir, journalName), false, true
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	defer f.Close()
	for in := bufio.NewReader(f); ; first = false {
		line, err := in.ReadBytes('\n')
		if err == io.EOF {
			break // an unfinished last line
		} else if err != nil {
			return err
		}
		if first && bytes.HasPrefix(line, []byte(`{"journal":`)) {
			continue
		}
		ok, err := TakeWrite(t, line)
		if err != nil {
			return err
		}
		bad = bad || !ok
	}
	if bad {
		_ = os.Link(path, filepath.Join(d.dir, damagedName))
	}
	_, err = t.Exec("UPDATE writes SET done = 0 WHERE seq = (SELECT max(seq) FROM writes)")
	return err
}

// TakeWrite imports a line of a journal, and reports whether it is valid. Journals were
// files of such lines; copies of a corpus still have one.
func TakeWrite(t Tx, line []byte) (ok bool, err error) {
	var w map[string]json.RawMessage
	var seq uint64
	var files []json.RawMessage
	if json.Unmarshal(line, &w) != nil || json.Unmarshal(w["seq"], &seq) != nil || json.Unmarshal(w["files"], &files) != nil || seq == 0 {
		return false, nil
	}
	delete(w, "files")
	head, err := json.Marshal(w)
	if err != nil {
		return false, err
	}
	if _, err := t.Exec("INSERT OR REPLACE INTO writes (seq, done, value) VALUES (?, 1, ?)", seq, string(head)); err != nil {
		return false, err
	}
	for n, f := range files {
		if _, err := t.Exec("INSERT OR REPLACE INTO steps (seq, n, lesson, value) VALUES (?, ?, json_extract(?3, '$.id'), ?3)", seq, n, string(f)); err != nil {
			return false, err
		}
	}
	return true, nil
}
