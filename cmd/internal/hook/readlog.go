package hook

import (
	"bufio"
	"errors"
	"io/fs"
	"iter"
	"os"
	"strconv"
	"strings"
	"time"
)

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
