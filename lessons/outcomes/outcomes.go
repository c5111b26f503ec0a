// Package outcomes keeps what came of lessons in the sessions that were read, and makes
// figures of it: how often a lesson was given, cited, followed and contradicted, and
// whether the mistake that it is about came back less often.
//
// What is kept is a file in a state folder: a line for each reading of a session's
// transcript, of which the last one counts. It can be deleted; then the sessions have to
// be read again.
package outcomes

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"learnings/lessons"
	"learnings/lessons/atomicfile"
)

const (
	fileName = "outcomes.jsonl"

	maxLine   = 256 << 10
	maxFile   = 64 << 20 // more is not read: no person has so many sessions
	foldAfter = 4 << 20  // bytes after which what is outdated is taken out
)

// A Kind is something that came of a lesson; extractor/outcome says what each means.
type Kind string

const (
	Cited        Kind = "cited"
	Followed     Kind = "followed"
	Contradicted Kind = "contradicted"
	CameBack     Kind = "came back"
)

// A Sign is what shows that something came of a lesson.
type Sign struct {
	Kind  Kind      `json:"kind"`
	Line  int       `json:"line"`           // of the transcript, from 1
	UUID  string    `json:"uuid,omitempty"` // of the record, which a session that goes on in another file has too
	At    time.Time `json:"at,omitzero"`
	Shows string    `json:"shows,omitempty"` // without secrets
}

// A Came is what came of one lesson that a session was given, or that was held out of it.
type Came struct {
	ID     lessons.ID `json:"id"`
	Times  int        `json:"times,omitempty"` // it was given
	Held   bool       `json:"held,omitempty"`  // it was held out, and never given
	First  time.Time  `json:"first,omitzero"`  // it was given, or held out
	Signs  []Sign     `json:"signs,omitempty"`
	Adrift bool       `json:"adrift,omitempty"` // when it was given cannot be told, so nothing was looked for
}

// Has reports whether there is a sign of a kind.
func (c Came) Has(k Kind) bool {
	return slices.ContainsFunc(c.Signs, func(s Sign) bool { return s.Kind == k })
}

// An Error is a call that failed in a session, by hashes.
type Error struct {
	Print  string `json:"p"`
	Record string `json:"r,omitempty"` // where the transcript names it
}

// A Reading is what was seen in one transcript.
type Reading struct {
	Session string    `json:"session"`
	File    string    `json:"file"` // the name of the transcript's file, without its folder
	Agent   string    `json:"agent,omitempty"`
	Project string    `json:"project,omitempty"`
	At      time.Time `json:"at,omitzero"` // the session began; zero where the transcript does not say
	Size    int64     `json:"size"`        // of the transcript, as far as it was read
	Read    time.Time `json:"read"`
	Lessons []Came    `json:"lessons,omitempty"`
	Errors  []Error   `json:"errors,omitempty"` // the first of each kind
}

func (r Reading) key() string { return r.Session + "\x00" + r.File }

// A Log is the file of readings in a state folder.
type Log struct{ State string }

func (l Log) path() string { return filepath.Join(l.State, fileName) }

// Append adds readings with a single write. One of the same transcript as an earlier one
// takes its place.
func (l Log) Append(rs ...Reading) error {
	var lines bytes.Buffer
	for _, r := range rs {
		line, err := json.Marshal(r)
		if err != nil {
			return fmt.Errorf("keeping what came of lessons in %s: %w", r.Session, err)
		}
		if len(line) > maxLine {
			r.Errors = nil
			if line, err = json.Marshal(r); err != nil || len(line) > maxLine {
				continue // it names thousands of lessons, and is none of ours
			}
		}
		lines.WriteString("\n" + string(line) + "\n")
	}
	if lines.Len() == 0 {
		return nil
	}
	if err := os.MkdirAll(l.State, 0o700); err != nil {
		return fmt.Errorf("keeping what came of lessons: %w", err)
	}
	f, err := os.OpenFile(l.path(), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err == nil {
		_, err = f.Write(lines.Bytes())
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		return fmt.Errorf("keeping what came of lessons: %w", err)
	}
	return nil
}

// All gives the last reading of each transcript, in the order of the sessions' times. A
// line that a crash has cut short, or that is none of ours, is passed over.
func (l Log) All() ([]Reading, error) {
	f, err := os.Open(l.path())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, fmt.Errorf("reading what came of lessons: %w", err)
	}
	defer f.Close()
	at := map[string]int{}
	var out []Reading
	in := bufio.NewScanner(io.LimitReader(f, maxFile))
	in.Buffer(nil, 2*maxLine)
	for in.Scan() {
		var r Reading
		if len(in.Bytes()) == 0 || json.Unmarshal(in.Bytes(), &r) != nil || r.Session == "" {
			continue
		}
		if i, ok := at[r.key()]; ok {
			out[i] = r
			continue
		}
		at[r.key()] = len(out)
		out = append(out, r)
	}
	if err := in.Err(); err != nil && !errors.Is(err, bufio.ErrTooLong) {
		return nil, fmt.Errorf("reading what came of lessons: %w", err)
	}
	slices.SortStableFunc(out, func(a, b Reading) int {
		if c := a.At.Compare(b.At); c != 0 {
			return c
		}
		return strings.Compare(a.key(), b.key())
	})
	return out, nil
}

// Fold takes out of the file what is outdated, when that is worth it. It is for the one
// that works for a corpus: what another process appends at that moment would be lost.
func (l Log) Fold() error {
	info, err := os.Stat(l.path())
	if err != nil || info.Size() < foldAfter {
		return nil
	}
	all, err := l.All()
	if err != nil {
		return err
	}
	var whole bytes.Buffer
	for _, r := range all {
		line, err := json.Marshal(r)
		if err != nil {
			return fmt.Errorf("shortening what came of lessons: %w", err)
		}
		whole.Write(append(line, '\n'))
	}
	if int64(whole.Len()) > info.Size()/2 {
		return nil
	}
	err = atomicfile.Write(l.path(), func(w io.Writer) error { _, err := w.Write(whole.Bytes()); return err })
	if err != nil {
		return fmt.Errorf("shortening what came of lessons: %w", err)
	}
	return nil
}
