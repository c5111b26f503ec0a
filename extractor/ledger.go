package extractor

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"learnings/extractor/transcript"
	"learnings/lessons"
	"learnings/lessons/state"
)

// A Ledger keeps the marks of all transcripts of one corpus in the database of the
// state folder. Opening it reads all of them: 15,000 take about 20 ms. Several
// processes may share one.
type Ledger struct {
	db     state.DB
	reader string
	all    *Ledger // for a model ledger, the ledger of everything, which follows it; else nil

	mu   sync.Mutex
	seen int64           // the number of the last mark that was read
	last map[string]Mark // by path of the transcript
}

// OpenLedger opens the ledger in a folder. The folder need not exist: nothing is
// created before the first Commit.
func OpenLedger(dir string) (*Ledger, error) { return openLedger(dir, "rules") }

// OpenModelLedger opens the ledger of what a model has read. What only the rules have
// read is still new to a model. What a model has read counts as read by the rules too,
// so Commit also marks it in the ledger of everything.
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
	l := &Ledger{db: state.At(dir), reader: reader, last: map[string]Mark{}}
	return l, l.Refresh()
}

// Refresh reads the marks that other processes have committed since.
func (l *Ledger) Refresh() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	err := l.db.Each(func(r *state.Rows) error {
		var path string
		var line []byte
		err := r.Scan(&l.seen, &path, &line)
		var m Mark
		if json.Unmarshal(line, &m) == nil {
			l.last[path] = m
		}
		return err
	}, "SELECT n, path, value FROM marks WHERE reader = ? AND n > ? ORDER BY n", l.reader, l.seen)
	if err != nil {
		return fmt.Errorf("reading what was extracted before: %w", err)
	}
	return nil
}

// Empty reports whether nothing was ever read.
func (l *Ledger) Empty() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.last) == 0
}

// Mark returns the mark of the transcript at an absolute path.
func (l *Ledger) Mark(path string) (Mark, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	m, ok := l.last[path]
	return m, ok
}

// Fresh reports whether a transcript has nothing new: its size and time are those of
// its mark. Fresh does not touch the file.
func (l *Ledger) Fresh(f transcript.File) bool {
	m, ok := l.Mark(absolute(f.Path))
	return ok && m.Size == f.Size && m.ModTime.Equal(f.ModTime) && !(f.Named && m.Short())
}

// Recall fills in a file, of which only path, size and time are set, from its mark. It
// returns false if the file was not read or has changed since. It serves
// [transcript.FindKnown].
func (l *Ledger) Recall(f transcript.File) (transcript.File, bool) {
	if !l.Fresh(f) {
		if l.all != nil {
			return l.all.Recall(f)
		}
		return f, false
	}
	m, _ := l.Mark(absolute(f.Path))
	f.Format, f.Agent = m.Format, m.Agent
	return f, m.Format != ""
}

// Commit keeps marks. Call it only after the lessons of their batches are stored.
func (l *Ledger) Commit(marks ...Mark) error {
	if err := l.follow(marks); err != nil {
		return err
	}
	marks = slices.Clone(marks)
	for i := range marks {
		marks[i] = marks[i].short()
	}
	err := l.db.Update(func(t state.Tx) error {
		for _, m := range marks {
			line, err := json.Marshal(m)
			if err == nil {
				_, err = t.Exec("INSERT OR REPLACE INTO marks (reader, path, value) VALUES (?, ?, ?)", l.reader, m.Path, string(line))
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
	for _, m := range marks {
		l.last[m.Path] = m
	}
	return nil
}

// follow copies the marks of a model ledger to the ledger of everything.
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
			m.Lessons, m.Observed = now.Lessons+proposed, now.Observed
		}
		if err := l.all.Commit(m); err != nil {
			return err
		}
	}
	return nil
}

// short bounds a mark before it is kept, because a transcript may say long things about
// itself.
func (m Mark) short() Mark {
	m.ModTime = m.ModTime.UTC()
	s := &m.Session
	for _, field := range []*string{&s.ID, &s.Dir, &s.Branch, &s.Role, &s.Version, &s.Model, &s.Parent, &m.Agent} {
		if len(*field) > 4<<10 {
			*field = ""
		}
	}
	return m
}

func absolute(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}

// A Mark says how far a transcript was read, so that nothing is read twice. It holds
// none of the conversation except observations; a resumed read takes the turns before
// it from the transcript. The zero Mark is the start of a file.
type Mark struct {
	Path     string             `json:"path"` // absolute
	Size     int64              `json:"size"` // of the file when it was read
	ModTime  time.Time          `json:"mtime"`
	Format   transcript.Format  `json:"format"`
	Agent    string             `json:"agent"`              // as in [transcript.File]
	Offset   int64              `json:"offset"`             // after the last complete record
	Line     int                `json:"line"`               // that Offset lies in, from 1
	Print    string             `json:"print"`              // fingerprint of what is before Offset
	Lessons  int                `json:"lessons"`            // proposed from the file so far
	Person   int                `json:"person"`             // line of the last turn of a person
	Taken    []int              `json:"taken"`              // lines after Person that gave lessons
	Session  transcript.Session `json:"session"`            // what the file has said of itself
	Observed []lessons.Lesson   `json:"observed,omitempty"` // becomes lessons when another session shows the same
	Given    []string           `json:"given,omitempty"`    // ids of the lessons that the session was given
	Own      bool               `json:"own,omitempty"`      // one of our extractions
	// Excluded says that the session was left out when it had this size: nothing after
	// Offset was read.
	Excluded bool `json:"excluded,omitempty"`
}

// Short reports whether the transcript held too little to be read. It is read from its
// start when it has grown or a person names it.
func (m Mark) Short() bool { return m.Print == "" && !m.Excluded }

// follows reports whether the file still begins with what was read, so that reading can
// go on at the mark. It does not if the file was rewritten, replaced or has shrunk.
func (m Mark) follows(r io.ReaderAt, size int64) bool {
	if m.Offset <= 0 || m.Offset > size {
		return false
	}
	print, err := fingerprint(r, m.Offset)
	return err == nil && print == m.Print
}

// Of a file's bytes the fingerprint takes the head, the end, and samples
// between: transcripts grow at the end, and what rewrites them (a compaction,
// a rewind, a tool that redacts) moves everything behind its first change.
const (
	printEnds    = 4 << 10
	printSamples = 14
	printSample  = 256
)

// fingerprint tells the first n bytes of a file from others. It reads at most
// 12 KB, so a change in place that moves nothing can go unseen.
func fingerprint(r io.ReaderAt, n int64) (string, error) {
	h := sha256.New()
	fmt.Fprintln(h, n)
	take := func(off, size int64) error {
		_, err := io.Copy(h, io.NewSectionReader(r, off, min(size, n-off)))
		return err
	}
	err := take(0, printEnds)
	if n > printEnds {
		for i := range int64(printSamples) {
			err = errors.Join(err, take(n/printSamples*i, printSample))
		}
		err = errors.Join(err, take(max(n-printEnds, 0), printEnds))
	}
	return hex.EncodeToString(h.Sum(nil)[:12]), err
}
