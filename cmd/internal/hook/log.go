package hook

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode"
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
		line += " error=" + quoteErr(r.err)
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

// Quote returns an error as a short quoted string.
func Quote(err error) string { return quoteErr(err) }

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

func quoteErr(err error) string {
	s := err.Error()
	return fmt.Sprintf("%q", s[:min(len(s), 400)])
}
