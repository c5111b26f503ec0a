package extractor

import (
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"learnings/extractor/transcript"
	"learnings/lessons/state"
)

// A Ledger keeps the marks of all transcripts of one corpus in the database of the state
// folder. Opening it reads all of them: 15,000 take some 20 ms. Several processes may
// share one.
type Ledger struct {
	db     state.DB
	reader string
	all    *Ledger // of a ledger of what a model has read: the ledger of everything, which follows; else nil

	mu   sync.Mutex
	seen int64             // the number of the last mark that was read
	last map[string]string // path of a transcript to its mark as JSON
}

// OpenLedger opens the ledger in a folder, which need not exist: nothing is
// created before the first Commit.
func OpenLedger(dir string) (*Ledger, error) { return openLedger(dir, "rules") }

// OpenModelLedger opens the ledger of what a model has read. What only the rules have
// read is new to a model; what a model has read is new to nobody, so that a mark in
// this ledger is one in that of everything too.
func OpenModelLedger(dir string) (*Ledger, error) {
	all, err := OpenLedger(dir)
	if err != nil {
		return nil, err
	}
	l, err := openLedger(dir, "model")
	if err == nil {
		l.all = all
	}
	return l, err
}

func openLedger(dir, reader string) (*Ledger, error) {
	l := &Ledger{db: state.At(dir), reader: reader, last: map[string]string{}}
	return l, l.Refresh()
}

// Refresh takes in what other processes have committed since.
func (l *Ledger) Refresh() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	err := l.db.Each(func(r *state.Rows) error {
		var path, line string
		err := r.Scan(&l.seen, &path, &line)
		l.last[path] = line
		return err
	}, "SELECT n, path, value FROM marks WHERE reader = ? AND n > ? ORDER BY n", l.reader, l.seen)
	if err != nil {
		return fmt.Errorf("reading what was extracted before: %w", err)
	}
	return nil
}

// Mark returns the mark of the transcript at an absolute path.
func (l *Ledger) Mark(path string) (Mark, bool) {
	l.mu.Lock()
	line, ok := l.last[path]
	l.mu.Unlock()
	var m Mark
	if !ok || json.Unmarshal([]byte(line), &m) != nil {
		return Mark{}, false
	}
	return m, true
}

// Fresh reports that a transcript holds nothing new: it has the size and time
// that it had when it was marked. It does not touch the file.
func (l *Ledger) Fresh(f transcript.File) bool {
	_, ok := l.fresh(f)
	return ok
}

// fresh gives the part of a fresh file's line behind what is known of the file
// without opening it. The line need not be decoded to see that it begins as
// one would that were written for the file as it is.
func (l *Ledger) fresh(f transcript.File) (rest string, ok bool) {
	path := absolute(f.Path)
	l.mu.Lock()
	line, ok := l.last[path]
	l.mu.Unlock()
	if !ok || f.Named && strings.Contains(line, `,"print":"",`) { // see Mark.Short
		return "", false
	}
	return strings.CutPrefix(line, stamp(Mark{Path: path, Size: f.Size, ModTime: f.ModTime}))
}

// excluded gives the mark of a transcript that was left out, and not read.
func (l *Ledger) excluded(path string) (Mark, bool) {
	path = absolute(path)
	l.mu.Lock()
	out := strings.Contains(l.last[path], `,"excluded":true`)
	l.mu.Unlock()
	if !out {
		return Mark{}, false
	}
	m, ok := l.Mark(path)
	return m, ok && m.Excluded
}

// Recall completes a file of which path, size and time are known with what is
// known from when it was read; false when it was not, or has changed since. It
// is what [transcript.FindKnown] asks.
func (l *Ledger) Recall(f transcript.File) (transcript.File, bool) {
	line, ok := l.fresh(f)
	if !ok && l.all != nil {
		return l.all.Recall(f)
	}
	if !ok {
		return f, false
	}
	// As with Fresh, thousands of times: not worth decoding the line.
	rest, ok := strings.CutPrefix(line, `"format":"`)
	format, rest, _ := strings.Cut(rest, `","agent":"`)
	agent, _, found := strings.Cut(rest, `","offset":`)
	f.Format, f.Agent = transcript.Format(format), agent
	return f, ok && found && format != "" && !strings.Contains(agent, `\`)
}

// stamp is the beginning of a mark's line: path, size and time.
func stamp(m Mark) string {
	path, err := json.Marshal(m.Path)
	if err != nil {
		return "no mark" // a path is a string, which is always JSON
	}
	return fmt.Sprintf(`{"path":%s,"size":%d,"mtime":%q,`, path, m.Size, m.ModTime.UTC().Format(time.RFC3339Nano))
}

// Commit keeps marks. Call it when the lessons of the batch that a mark came
// with are stored, and not before.
func (l *Ledger) Commit(marks ...Mark) error {
	if err := l.follow(marks); err != nil {
		return err
	}
	lines := map[string]string{}
	err := l.db.Update(func(t state.Tx) error {
		for _, m := range marks {
			line, err := m.line()
			if err == nil {
				lines[m.Path] = line
				_, err = t.Exec("INSERT OR REPLACE INTO marks (reader, path, value) VALUES (?, ?, ?)", l.reader, m.Path, line)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("marking transcripts as read: %w", err)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	maps.Copy(l.last, lines)
	return nil
}

// follow marks in the ledger of everything what a model has read.
func (l *Ledger) follow(marks []Mark) error {
	if l.all == nil {
		return nil
	}
	if err := l.all.Refresh(); err != nil {
		return err
	}
	for _, m := range marks {
		before, _ := l.Mark(m.Path)
		proposed := m.Lessons - before.Lessons
		if now, ok := l.all.Mark(m.Path); ok {
			if now.Offset >= m.Offset && !now.Short() {
				m = now // the rules have read as far
			}
			m.Lessons, m.Seen = now.Lessons+proposed, now.Seen
		}
		if err := l.all.Commit(m); err != nil {
			return err
		}
	}
	return nil
}

// line is a mark as it is kept. Nothing that a transcript says of itself can
// make it long.
func (m Mark) line() (string, error) {
	m.ModTime = m.ModTime.UTC()
	s := &m.Session
	for _, field := range []*string{&s.ID, &s.Dir, &s.Branch, &s.Role, &s.Version, &s.Model, &s.Parent, &m.Agent} {
		if len(*field) > 4<<10 {
			*field = ""
		}
	}
	data, err := json.Marshal(m)
	return string(data), err
}

func absolute(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}
