package hook

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
	"unicode"

	"learnings/lessons/proof"
)

// maxLog is the size at which the log is renamed to the old log, replacing the previous
// one: there are at most two files.
const maxLog = 256 << 10

// A record is one line of the log: the caller and the result. It has ids and names but no
// word of a prompt or lesson, which may be secret.
type record struct {
	event, session, project string
	agent                   string // from --for
	given                   int    // lessons
	via                     string
	took                    time.Duration
	err                     error
}

// write appends the record. Hooks run concurrently, so it is a single write of less than
// a block. A hook ignores errors of its log.
func (r record) write(path string, now time.Time) {
	line := fmt.Sprintf("event=%s session=%s project=%s lessons=%d via=%s took=%s",
		word(r.event), word(r.session), word(r.project), r.given, word(r.via), r.took.Round(time.Microsecond))
	if r.agent != "" {
		line += " agent=" + word(r.agent)
	}
	if r.err != nil {
		line += " error=" + Quote(r.err)
	}
	Log(path, now, line)
}

// Log appends a line to the log of hooks and their worker. Text from outside must be
// quoted.
func Log(path string, now time.Time, line string) {
	if path == "" {
		return
	}
	defer func() { _ = recover() }()
	if os.MkdirAll(filepath.Dir(path), 0o700) != nil {
		return
	}
	if info, err := os.Stat(path); err == nil && info.Size() > maxLog {
		_ = os.Rename(path, path+".old")
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return
	}
	defer f.Close()
	_, _ = f.WriteString(now.UTC().Format(time.RFC3339) + " " + line + "\n")
}

// word shortens a text from an agent to one word.
func word(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || !unicode.IsPrint(r) {
			return '_'
		}
		return r
	}, s)
	if s == "" {
		return "-"
	}
	return s[:min(len(s), 80)]
}

// Quote returns an error as a short quoted string.
func Quote(err error) string {
	s := err.Error()
	return fmt.Sprintf("%q", s[:min(len(s), 400)])
}

// An Entry is one call in the log of hooks.
type Entry struct {
	At      time.Time
	Event   string
	Session string
	Agent   string // from --for; may be ""
	Probe   bool   // see [ProbeVariable]
	Given   int    // lessons
	Err     string // the error, or ""
}

// Entries yields the calls in a log and its predecessor, oldest first. It skips other
// lines, such as the worker's. A missing log is empty.
func Entries(path string) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		for _, name := range []string{path + ".old", path} {
			f, err := os.Open(name)
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			if err != nil {
				yield(Entry{}, err)
				return
			}
			more := true
			in := bufio.NewScanner(f)
			for more && in.Scan() {
				if e, ok := parseEntry(in.Text()); ok {
					more = yield(e, nil)
				}
			}
			f.Close()
			if !more {
				return
			}
		}
	}
}

// parseEntry parses a line that record.write wrote.
func parseEntry(line string) (e Entry, ok bool) {
	at, rest, _ := strings.Cut(line, " ")
	t, err := time.Parse(time.RFC3339, at)
	if err != nil || !strings.HasPrefix(rest, "event=") {
		return e, false
	}
	e.At = t
	fields, quoted, failed := strings.Cut(rest, " error=")
	if failed {
		if e.Err, err = strconv.Unquote(quoted); err != nil {
			e.Err = quoted
		}
	}
	for field := range strings.FieldsSeq(fields) {
		key, value, _ := strings.Cut(field, "=")
		if value == "-" {
			value = ""
		}
		switch key {
		case "event":
			e.Event = value
		case "session":
			e.Session = value
		case "agent":
			e.Agent = value
		case "via":
			e.Probe = value == probed
		case "lessons":
			e.Given, _ = strconv.Atoi(value)
		}
	}
	return e, true
}

// maxTail is how much of a transcript's end is read: seldom more is added between two
// calls.
const maxTail = 16 << 20

// snapshot is the beginning of a line in Gemini CLI's transcripts that holds the whole
// remaining session. Gemini CLI writes one after a compaction and on resume.
var snapshot = []byte(`{"$set":{"messages":[`)

// forgotten reports whether a session was compacted since the last call, according to its
// transcript, and reduces its memory to what the transcript still holds. Gemini CLI has
// no hook for that: it calls PreCompress before every request.
func forgotten(path string, m *proof.Session) (bool, error) {
	if !filepath.IsAbs(path) || len(m.Had(true)) == 0 {
		return false, nil
	}
	info, err := os.Lstat(path) // opening a pipe would block
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, err
	case !info.Mode().IsRegular():
		return false, nil
	}
	from := m.Mark()
	if from == 0 {
		// The first call since the session started or resumed. What was given then may
		// not be in the transcript yet.
		return false, m.SetMark(max(1, info.Size()))
	}
	if from > info.Size() || info.Size()-from > maxTail {
		from = max(0, info.Size()-maxTail)
	}
	f, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer f.Close()
	if _, err := f.Seek(from, io.SeekStart); err != nil {
		return false, err
	}
	left, found, err := lastSnapshot(io.LimitReader(f, info.Size()-from))
	if err != nil {
		return false, err
	}
	err = m.SetMark(info.Size())
	if !found {
		return false, err
	}
	had := m.Had(true)
	err = errors.Join(err, m.Reset())
	still := had[:0]
	for _, id := range had {
		if bytes.Contains(left, []byte(id.Handle())) {
			still = append(still, id)
		}
	}
	return len(still) < len(had), errors.Join(err, m.Give(still, true))
}

// lastSnapshot returns the last snapshot and everything after it. A snapshot without an
// answer of the model is the beginning of a session.
func lastSnapshot(r io.Reader) (left []byte, found bool, err error) {
	in := bufio.NewReaderSize(r, 64<<10)
	for {
		line, err := in.ReadBytes('\n')
		if bytes.HasPrefix(line, snapshot) && bytes.Contains(line, []byte(`"type":"gemini"`)) {
			left, found = line, true
		} else if found {
			left = append(left, line...)
		}
		if err == io.EOF {
			return left, found, nil
		} else if err != nil {
			return nil, false, err
		}
	}
}
