package hook

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode"
)

// maxLog is how large the log grows before it becomes the old one, which the
// next old one replaces: two such files at most.
const maxLog = 256 << 10

// A record is one line of the log: who called and what came of it. It has ids
// and names and never a word of a prompt or a lesson, which may be secret.
type record struct {
	event, session, project string
	agent                   string // that was named
	given                   int    // lessons
	via                     string
	took                    time.Duration
	err                     error
}

// write appends the record. Hooks run at the same time, so it is one write of
// less than a block. That the log cannot be written must not stop a hook.
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

// Log appends a line to the log of hooks and of what they start. What comes from outside
// must be quoted.
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

// Quote makes one short quoted text of an error.
func Quote(err error) string { return quoteErr(err) }

// word makes one short word of what an agent sent.
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
