package given

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"time"

	"learnings/lessons"
)

const (
	logName = "given.jsonl"
	oldName = "given.old.jsonl"

	// maxLog is how large the record grows before it becomes the old one, which the
	// next old one replaces: some 20,000 entries are kept at least.
	maxLog  = 4 << 20
	maxLine = 16 << 10
)

// A Record is what a session was given at one moment.
type Record struct {
	At      time.Time    `json:"at"`
	Session string       `json:"session,omitempty"`
	Part    string       `json:"part,omitempty"`  // the subagent, if it was one
	Agent   string       `json:"agent,omitempty"` // as transcripts name it; "" when that is not known
	Event   string       `json:"event"`           // session-start, user-prompt, tool-failure, subagent-start
	Project string       `json:"project,omitempty"`
	Lessons []lessons.ID `json:"lessons"`
}

// Append adds to the record of a state folder, with a single write.
func Append(state string, r Record) error {
	r.At = r.At.UTC()
	r.Session, r.Part, r.Project = head(r.Session), head(r.Part), head(r.Project)
	line, err := json.Marshal(r)
	if err == nil && len(line) < maxLine {
		path := filepath.Join(state, logName)
		if info, serr := os.Stat(path); serr == nil && info.Size() > maxLog {
			_ = os.Rename(path, filepath.Join(state, oldName)) // else it grows until the next time
		}
		_, err = appendTo(path, append(append([]byte("\n"), line...), '\n'))
	}
	if err != nil {
		return fmt.Errorf("recording what was given: %w", err)
	}
	return nil
}

// head cuts off what is far too long for a name.
func head(s string) string { return s[:min(len(s), 256)] }

// All gives what was recorded, the oldest first. A line that a crash has cut short is
// passed over.
func All(state string) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		for _, name := range []string{oldName, logName} {
			f, err := os.Open(filepath.Join(state, name))
			if errors.Is(err, fs.ErrNotExist) {
				continue
			} else if err != nil {
				yield(Record{}, fmt.Errorf("reading what was given: %w", err))
				return
			}
			more := each(f, yield)
			f.Close()
			if !more {
				return
			}
		}
	}
}

// A Tally is how often a lesson was given.
type Tally struct {
	Times, Sessions int
	Last            Record // the last time
}

// Count counts how often a lesson was given, as far as the record goes back.
func Count(state string, id lessons.ID) (Tally, error) {
	var t Tally
	sessions := map[string]bool{}
	for r, err := range All(state) {
		if err != nil {
			return t, err
		}
		if slices.Contains(r.Lessons, id) {
			t.Times++
			sessions[r.Session] = true
			t.Last = r
		}
	}
	t.Sessions = len(sessions)
	return t, nil
}

// each gives the records of one file.
func each(f *os.File, yield func(Record, error) bool) bool {
	in := bufio.NewScanner(f)
	in.Buffer(nil, 2*maxLine)
	for in.Scan() {
		var r Record
		if len(in.Bytes()) == 0 || json.Unmarshal(in.Bytes(), &r) != nil || r.Event == "" {
			continue
		}
		if !yield(r, nil) {
			return false
		}
	}
	if err := in.Err(); err != nil {
		return yield(Record{}, fmt.Errorf("reading what was given: %w", err))
	}
	return true
}
