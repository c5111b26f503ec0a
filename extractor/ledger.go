package extractor

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"learnings/extractor/rules"
	"learnings/extractor/transcript"
	"learnings/lessons/atomicfile"
)

// A Ledger keeps the marks of all transcripts of one corpus in one file, to
// which each commit appends a line; of the lines for one transcript the last
// one counts. It is read whole (15,000 marks in some 20 ms) and written anew
// when most of it is old.
//
// Several processes may share one without waiting for each other. What that
// can cost is a mark, when one commits in the very moment in which another
// writes the file anew, or when the machine dies: then that transcript is read
// once more, and gives the same lessons with the same ids.
type Ledger struct {
	path string
	all  *Ledger // of a ledger of what a model has read: that of everything, which follows; else nil

	mu   sync.Mutex
	info os.FileInfo       // of the file as it was read; nil when it was not there
	last map[string]string // path of a transcript to its last line
	live int64             // bytes of those lines
}

// Their names tell the version of their lines: a later one has another name.
const (
	ledgerFile      = "marks-1.jsonl"
	modelLedgerFile = "marks-model-1.jsonl"
)

// A ledger is written anew when it is larger than leastCompacted bytes, which are
// read in a millisecond or two, and has grown to mostGrown times its last lines.
const (
	leastCompacted = 1 << 20
	mostGrown      = 3
)

// OpenLedger opens the ledger in a folder, which need not exist: nothing is
// created before the first Commit.
func OpenLedger(dir string) (*Ledger, error) {
	l := &Ledger{path: filepath.Join(dir, ledgerFile)}
	return l, l.Refresh()
}

// OpenModelLedger opens the ledger of what a model has read. What the rules have read
// alone is new to a model; what a model has read is new to nobody, so that a mark in
// this ledger is one in that of everything too.
func OpenModelLedger(dir string) (*Ledger, error) {
	all, err := OpenLedger(dir)
	if err != nil {
		return nil, err
	}
	l := &Ledger{path: filepath.Join(dir, modelLedgerFile), all: all}
	return l, l.Refresh()
}

// Refresh takes in what other processes have committed since.
func (l *Ledger) Refresh() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.refresh()
}

func (l *Ledger) refresh() error {
	info, err := os.Stat(l.path)
	if errors.Is(err, fs.ErrNotExist) {
		l.info, l.last, l.live = nil, map[string]string{}, 0
		return nil
	}
	if err == nil && l.info != nil && os.SameFile(info, l.info) && info.Size() == l.info.Size() && info.ModTime().Equal(l.info.ModTime()) {
		return nil
	}
	var data []byte
	if err == nil {
		data, err = os.ReadFile(l.path)
	}
	if err != nil {
		return fmt.Errorf("reading what was extracted before: %w", err)
	}
	l.info, l.live = info, 0
	l.last = make(map[string]string, bytes.Count(data, []byte("\n"))/2)
	for line := range strings.Lines(string(data)) {
		l.keep(strings.TrimSpace(line))
	}
	return nil
}

// keep makes a line the last one of its transcript. A line that a crash has
// cut, or that is no mark, is passed over.
func (l *Ledger) keep(line string) {
	path, ok := pathOf(line)
	if !ok {
		return
	}
	l.live += int64(len(line) - len(l.last[path]))
	l.last[path] = line
}

// pathOf reads the path of a mark's line without decoding the rest of it.
func pathOf(line string) (string, bool) {
	rest, ok := strings.CutPrefix(line, `{"path":"`)
	if !ok || !strings.HasSuffix(line, "}") {
		return "", false
	}
	end := strings.IndexAny(rest, `"\`)
	if end > 0 && rest[end] == '"' {
		return rest[:end], true
	}
	var m struct{ Path string }
	if json.Unmarshal([]byte(line), &m) != nil || m.Path == "" {
		return "", false
	}
	return m.Path, true
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

// Work gives, for each session that was read, its working directory and what
// its agent did, in no order. Marks of earlier versions do not say.
func (l *Ledger) Work() iter.Seq2[string, rules.Work] {
	l.mu.Lock()
	lines := slices.Collect(maps.Values(l.last))
	l.mu.Unlock()
	return func(yield func(string, rules.Work) bool) {
		for _, line := range lines {
			var m struct {
				Session struct{ Dir string }
				Work    rules.Work
			}
			if strings.Contains(line, `,"work":{`) && json.Unmarshal([]byte(line), &m) == nil && !yield(m.Session.Dir, m.Work) {
				return
			}
		}
	}
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
// with are stored, and not before. It compacts the ledger when most of it is old.
func (l *Ledger) Commit(marks ...Mark) error {
	if err := l.follow(marks); err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	var out bytes.Buffer
	for _, m := range marks {
		line, err := m.line()
		if err != nil {
			return fmt.Errorf("marking %s as read: %w", m.Path, err)
		}
		// The newline in front ends a line that somebody's crash has cut.
		fmt.Fprintf(&out, "\n%s\n", line)
		l.keep(line)
	}
	if err := l.append(out.Bytes()); err != nil {
		return fmt.Errorf("marking transcripts as read: %w", err)
	}
	if l.info != nil && l.info.Size() > leastCompacted && l.info.Size() > mostGrown*l.live {
		_ = l.compact() // a ledger that stays long is still right
	}
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

// append writes with a single call, which appends as a whole on every system
// that has O_APPEND. When another process has put a new file in place since,
// the lines go there too.
func (l *Ledger) append(lines []byte) error {
	if len(lines) == 0 {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(l.path), 0o700); err != nil {
		return err
	}
	for range 3 {
		f, err := os.OpenFile(l.path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			return err
		}
		_, err = f.Write(lines)
		written, statErr := f.Stat()
		if err := errors.Join(err, statErr, f.Close()); err != nil {
			return err
		}
		now, err := os.Stat(l.path)
		if err == nil && os.SameFile(now, written) {
			if l.info == nil || os.SameFile(l.info, now) && l.info.Size()+int64(len(lines)) == now.Size() {
				l.info = now // nobody else has written: what is in memory is what is there
			}
			return nil
		}
	}
	return nil
}

// compact writes the ledger anew with one line for each transcript, without
// those that are gone.
func (l *Ledger) compact() error {
	if err := l.refresh(); err != nil || l.info == nil {
		return err
	}
	var out bytes.Buffer
	for _, path := range slices.Sorted(maps.Keys(l.last)) {
		if transcript.Exists(path) {
			out.WriteString(l.last[path])
			out.WriteByte('\n')
		}
	}
	err := l.replace(out.Bytes())
	if err != nil {
		return fmt.Errorf("compacting %s: %w", l.path, err)
	}
	l.info = nil
	return l.refresh()
}

// replace puts new content in the place of the ledger's file, unless somebody
// has written to it since it was read: then it is left for another time.
func (l *Ledger) replace(data []byte) error {
	return atomicfile.WriteIf(l.path, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	}, func() bool {
		now, err := os.Stat(l.path)
		return err == nil && now.Size() == l.info.Size() && os.SameFile(now, l.info)
	})
}

func absolute(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}
