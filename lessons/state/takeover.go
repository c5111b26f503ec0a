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
	"slices"
	"strconv"
	"strings"
	"time"
)

// This file reads the files in which versions before 0.9 kept the state. A line that
// cannot be read is passed over, as those versions did.

// values are the files that were one value, and the names under which they are kept now.
var values = map[string]string{
	"pauses.json": "pauses", "guards.json": "guards", "figures.json": "figures",
}

// lists are the files of lines, and what takes over each line. Of two lines of the same
// the later one counts.
var lists = []struct {
	file string
	take func(t Tx, line []byte) error
}{
	{"given.old.tsv", takeGiven},
	{"given.tsv", takeGiven},
	{"sessions/*.given.taken", takeGiven},
	{"sessions/*.given", takeGiven},
	{"outcomes.jsonl", takeOutcome},
	{"telemetry-1.tsv", takeSessionLine},
	{"marks-1.jsonl", takeMark("rules")},
	{"marks-model-1.jsonl", takeMark("model")},
	{"spool-failed.jsonl", takeNotice(failed)},
	{"spool-taken-*", takeNotice(0)},
	{"spool.jsonl", takeNotice(0)},
	{"guards.log.old", takeStop},
	{"guards.log", takeStop},
	{"spend.jsonl", takeExpense},
	{"sent-1.txt", takeSent},
}

// others are files that say nothing that is needed.
var others = []string{
	"given.lost", "asked.json", "sessions/swept", journalName, "journal.torn", "files", "files.ids", "glance", "glance.lock", "glance.asked",
	"trees/*.json",
}

const (
	journalName = "journal.jsonl"
	damagedName = "journal.damaged-taken-over" // of which a line could not be read
)

// inherits reports whether an earlier version has left files.
func (d DB) inherits() bool {
	if _, err := os.Stat(d.dir); err != nil {
		return false
	}
	return len(d.old()) > 0
}

// old gives the files of earlier versions.
func (d DB) old() (paths []string) {
	var patterns []string
	for file := range values {
		patterns = append(patterns, file)
	}
	for _, l := range lists {
		patterns = append(patterns, l.file)
	}
	for _, p := range append(append(patterns, "sessions/*.log"), others...) {
		found, _ := filepath.Glob(filepath.Join(quoted(d.dir), filepath.FromSlash(p)))
		paths = append(paths, found...)
	}
	return paths
}

// quoted is a folder in a pattern.
func quoted(dir string) string {
	return strings.NewReplacer(`[`, `[[]`, `*`, `[*]`, `?`, `[?]`).Replace(dir)
}

// takeOver puts what is in files of earlier versions into the tables.
func (d DB) takeOver(t Tx) error {
	for file, name := range values {
		text, err := os.ReadFile(filepath.Join(d.dir, file))
		if err == nil { // what is damaged stays so: nobody should listen in a pause that cannot be read
			_, err = t.Exec("INSERT OR REPLACE INTO kept (name, value) VALUES (?, ?)", name, string(text))
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	for _, l := range lists {
		paths, _ := filepath.Glob(filepath.Join(quoted(d.dir), filepath.FromSlash(l.file)))
		for _, p := range paths {
			if err := eachLine(p, func(line []byte) error { return l.take(t, line) }); err != nil {
				return err
			}
		}
	}
	if err := d.takeJournal(t); err != nil {
		return err
	}
	paths, _ := filepath.Glob(filepath.Join(quoted(d.dir), "sessions", "*.log"))
	for _, p := range paths {
		if err := takeSession(t, p); err != nil {
			return err
		}
	}
	return nil
}

func eachLine(path string, take func(line []byte) error) error {
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() {
		return nil // there is none
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

func takeGiven(t Tx, line []byte) error {
	f := strings.Split(string(line), "\t")
	if len(f) != 11 || f[0] != "gave" || f[10] != "." {
		return nil
	}
	ms, err := strconv.ParseInt(f[1], 10, 64)
	if err != nil {
		return nil
	}
	_, err = t.Exec(`INSERT INTO given (at, event, session, part, agent, project, lessons, held, matched)
		SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9 WHERE NOT EXISTS (SELECT 1 FROM given WHERE project = ?6 AND at = ?1 AND event = ?2 AND session = ?3
			AND part = ?4 AND lessons = ?7 AND held = ?8 AND matched = ?9)`,
		ms, f[2], f[3], f[4], f[5], f[6], f[7], f[8], f[9])
	return err
}

func takeOutcome(t Tx, line []byte) error {
	var r struct {
		Session, File string
		At            time.Time
	}
	if json.Unmarshal(line, &r) != nil || r.Session == "" {
		return nil
	}
	_, err := t.Exec("INSERT OR REPLACE INTO outcomes (session, file, at, value) VALUES (?, ?, ?, ?)", r.Session, r.File, Milli(r.At), string(line))
	return err
}

// takeSessionLine takes over what was done in a session. Such a line begins with path,
// size and time, and ends with a dot.
func takeSessionLine(t Tx, line []byte) error {
	f := strings.SplitN(string(line), "\t", 4)
	if len(f) < 4 || f[0] == "" || !strings.HasSuffix(f[3], "\t.") {
		return nil
	}
	at, err := strconv.ParseInt(f[2], 36, 64)
	if err != nil {
		return nil
	}
	_, err = t.Exec("INSERT OR REPLACE INTO sessions (path, at, line) VALUES (?, ?, ?)", f[0], at, string(line))
	return err
}

// Milli is a time in milliseconds, and 0 for none.
func Milli(at time.Time) int64 {
	if at.IsZero() {
		return 0
	}
	return at.UnixMilli()
}

func takeMark(reader string) func(Tx, []byte) error {
	return func(t Tx, line []byte) error {
		var m struct{ Path string }
		if json.Unmarshal(line, &m) != nil || m.Path == "" {
			return nil
		}
		_, err := t.Exec("INSERT OR REPLACE INTO marks (reader, path, value) VALUES (?, ?, ?)", reader, m.Path, string(line))
		return err
	}
}

// failed is how often a notice was tried that no worker could deal with.
const failed = 6

func takeNotice(tries int) func(Tx, []byte) error {
	return func(t Tx, line []byte) error {
		var n struct{ At time.Time }
		if json.Unmarshal(line, &n) != nil {
			return nil
		}
		_, err := t.Exec("INSERT INTO spool (tries, at, notice) VALUES (?, ?, ?)", tries, n.At.UnixMilli(), string(line))
		return err
	}
}

func takeStop(t Tx, line []byte) error {
	f := strings.Fields(string(line))
	if len(f) < 3 {
		return nil
	}
	at, err := time.Parse(time.RFC3339, f[0])
	if err != nil {
		return nil
	}
	_, err = t.Exec("INSERT INTO stops (at, lesson, denied, session) VALUES (?, ?, ?, ?)", at.UnixMilli(), f[1], f[2] == "deny", strings.Join(f[3:], "_"))
	return err
}

func takeExpense(t Tx, line []byte) error {
	var e struct {
		At               time.Time
		Run, Model, What string
		Usage            struct {
			In, Out    int
			CacheRead  int `json:"cache_read"`
			CacheWrite int `json:"cache_write"`
		}
		USD              float64
		Known, Estimated bool
	}
	if json.Unmarshal(line, &e) != nil || e.At.IsZero() {
		return nil
	}
	u := e.Usage
	_, err := t.Exec(`INSERT INTO spend (at, run, model, what, read, wrote, cache_read, cache_wrote, usd, known, estimated)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, e.At.UnixMilli(), e.Run, e.Model, e.What, u.In, u.Out, u.CacheRead, u.CacheWrite, e.USD, e.Known, e.Estimated)
	return err
}

func takeSent(t Tx, line []byte) error {
	_, err := t.Exec("INSERT OR IGNORE INTO sent (sum) VALUES (?)", string(line))
	return err
}

// A told is a lesson as lessons/proof remembers it of a session.
type told struct {
	ID      string `json:"id"`
	Start   bool   `json:"start,omitempty"`
	Prompts int    `json:"prompts,omitempty"`
	Size    int64  `json:"size,omitempty"`
}

// takeSession takes over what a session has had, and how far it was. Calls that have
// failed in it are counted again.
func takeSession(t Tx, path string) error {
	var m struct {
		Told    []told `json:"told,omitempty"`
		Prompts int    `json:"prompts,omitempty"`
		Size    int64  `json:"size,omitempty"`
		Mark    int64  `json:"mark,omitempty"`
	}
	err := eachLine(path, func(line []byte) error {
		f := strings.Split(string(line), "\t")
		if f[len(f)-1] != "." {
			return nil
		}
		switch {
		case f[0] == "give" && len(f) == 4:
			for id := range strings.SplitSeq(f[2], ",") {
				m.Told = slices.DeleteFunc(m.Told, func(x told) bool { return x.ID == id })
				m.Told = append(m.Told, told{id, f[1] == "start", m.Prompts, m.Size})
			}
		case f[0] == "turn" && len(f) == 4:
			m.Prompts, _ = strconv.Atoi(f[1])
			m.Size, _ = strconv.ParseInt(f[2], 10, 64)
		case f[0] == "reset":
			m.Told = nil
		case f[0] == "mark" && len(f) == 3:
			m.Mark, _ = strconv.ParseInt(f[1], 10, 64)
		}
		return nil
	})
	if err != nil {
		return err
	}
	text, err := json.Marshal(m)
	if err != nil {
		return err
	}
	at := time.Now()
	if info, err := os.Stat(path); err == nil {
		at = info.ModTime()
	}
	_, err = t.Exec("INSERT OR REPLACE INTO memory (session, at, value) VALUES (?, ?, ?)", strings.TrimSuffix(filepath.Base(path), ".log"), at.UnixMilli(), string(text))
	return err
}

// Key names a session, or a part of one, in the tables: names of others are of any length.
func Key(session, part string) string {
	sum := sha256.Sum256([]byte(session + "\x00" + part))
	return hex.EncodeToString(sum[:12])
}

// takeJournal takes over the journal of a corpus. The last write may not be finished, which
// is for lessons/store to find out.
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
			break // what is left of the last line was never finished
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

// TakeWrite puts a line of a journal into the tables, and reports whether it is one that can
// be read. Journals of before were files of such lines; copies of a corpus have one.
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
