package live

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// An Event is the moment at which an agent called the hook.
type Event string

const (
	Stop         Event = "stop"          // the agent has answered; the session goes on
	SubagentStop Event = "subagent-stop" // a subagent has answered
	PreCompact   Event = "pre-compact"   // the agent is about to forget what was said
	SessionEnd   Event = "session-end"
)

// A Notice is what a hook reports about a session. It contains nothing of what was
// said in it.
type Notice struct {
	Event   Event     `json:"event"`
	Session string    `json:"session,omitempty"`
	Path    string    `json:"path,omitempty"` // of the transcript, absolute; "" when the agent did not say
	Dir     string    `json:"dir,omitempty"`
	At      time.Time `json:"at"`
}

const (
	spoolName = "spool.jsonl"
	takenName = "spool-taken-" // and how often its lines were tried
	failName  = "spool-failed.jsonl"

	// maxLine is what every system writes atomically.
	maxLine = 4 << 10
	// maxSpool bounds a spool that nobody empties.
	maxSpool = 1 << 20
	// maxTries is how many workers may die over the same lines before these are
	// set aside, so that the lines behind them get their turn.
	maxTries = 5
)

// errSpoolFull loses nothing: a worker that empties the spool checks the sessions
// themselves too.
var errSpoolFull = fmt.Errorf("the spool holds %d KB that no worker has dealt with", maxSpool>>10)

// A Spool is a file of notices in a state folder. Any number of processes may
// append to it; only the holder of the worker's lock takes from it.
type Spool struct{ State string }

func (s Spool) file(name string) string { return filepath.Join(s.State, name) }

// Append adds a notice with a single write. If a worker takes the spool away at that
// very moment, the notice is appended once more: it may arrive twice, but must not be
// lost.
func (s Spool) Append(n Notice) error {
	line, err := n.line()
	if err == nil {
		err = s.append(line)
	}
	if err != nil {
		return fmt.Errorf("noting a session: %w", err)
	}
	return nil
}

func (s Spool) append(lines []byte) error {
	if err := os.MkdirAll(s.State, 0o700); err != nil {
		return err
	}
	for range appends {
		if stays, err := s.appendOnce(lines); stays || err != nil {
			return err
		}
	}
	return errSpoolTaken
}

// appends is how often Append tries again when a worker takes the spool away.
const appends = 100

var errSpoolTaken = fmt.Errorf("workers took the spool away %d times", appends)

// appendOnce writes to the spool, and reports whether the file it wrote to was still
// the spool afterwards. It checks before it closes the file: the inode number of a
// file that is deleted and closed may be reused, and the new file then looks the same.
func (s Spool) appendOnce(lines []byte) (stays bool, err error) {
	path := s.file(spoolName)
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	mine, err := f.Stat()
	switch {
	case err != nil:
		return false, err
	case mine.Size() > maxSpool:
		return false, errSpoolFull
	}
	if _, err := f.Write(lines); err != nil {
		return false, err
	}
	now, err := os.Stat(path)
	return err == nil && os.SameFile(now, mine), nil
}

// line is a notice as it is stored. The newline in front ends a line that a crash
// has cut short.
func (n Notice) line() ([]byte, error) {
	for _, field := range []*string{&n.Session, &n.Dir} {
		if len(*field) > 512 {
			*field = ""
		}
	}
	n.At = n.At.UTC()
	line, err := json.Marshal(n)
	if err == nil && len(line)+2 > maxLine {
		n.Path, n.Dir = "", "" // the id of the session has to do
		line, err = json.Marshal(n)
	}
	return append(append([]byte("\n"), line...), '\n'), err
}

// Waiting reports whether there is anything to take.
func (s Spool) Waiting() bool {
	if info, err := os.Stat(s.file(spoolName)); err == nil && info.Size() > 0 {
		return true
	}
	left, _ := filepath.Glob(s.file(takenName + "*"))
	return len(left) > 0
}

// A taken is what one worker took from the spool. Its file stays until the worker
// is done, so that another one finds it after a crash.
type taken struct {
	path    string
	read    int64
	notices []Notice
}

// take returns what a worker that died left behind, or else what is in the spool,
// or nil if there is nothing. The caller must hold the worker's lock.
func (s Spool) take() (*taken, error) {
	for try := maxTries; try >= 0; try-- {
		old := s.file(fmt.Sprint(takenName, try))
		if _, err := os.Lstat(old); err != nil {
			continue
		}
		if try == maxTries {
			if err := os.Rename(old, s.file(failName)); err != nil {
				return nil, fmt.Errorf("putting aside what no worker could deal with: %w", err)
			}
			continue
		}
		return s.claim(old, try+1)
	}
	t, err := s.claim(s.file(spoolName), 1)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return t, err
}

// claim renames a file to show that it is being handled, and reads it.
func (s Spool) claim(path string, try int) (*taken, error) {
	t := &taken{path: s.file(fmt.Sprint(takenName, try))}
	err := os.Rename(path, t.path)
	for range renames {
		if err == nil || errors.Is(err, fs.ErrNotExist) {
			break
		}
		time.Sleep(renamePause)
		err = os.Rename(path, t.path)
	}
	if err != nil {
		return nil, fmt.Errorf("taking the spool: %w", err)
	}
	return t, t.more()
}

// On Windows a file that a hook has open cannot be renamed. Hooks keep it open for
// less than a millisecond.
const (
	renames     = 10
	renamePause = 5 * time.Millisecond
)

// more reads what was added to the file since: a hook may have had it open when it
// was renamed.
func (t *taken) more() error {
	data, err := os.ReadFile(t.path)
	if err != nil {
		return fmt.Errorf("reading the spool: %w", err)
	}
	fresh := data[min(t.read, int64(len(data))):]
	t.read = int64(len(data))
	t.notices = parseNotices(fresh)
	return nil
}

// done removes what was handled, unless more was added meanwhile, and reports
// whether it did.
func (t *taken) done() (bool, error) {
	if info, err := os.Stat(t.path); err == nil && info.Size() > t.read {
		return false, t.more()
	}
	if err := os.Remove(t.path); err != nil {
		return false, fmt.Errorf("emptying the spool: %w", err)
	}
	return true, nil
}

// release leaves what was taken to another worker, without counting this one as
// having died over it.
func (t *taken) release() error {
	if err := os.Rename(t.path, filepath.Join(filepath.Dir(t.path), takenName+"0")); err != nil {
		return fmt.Errorf("leaving the spool for later: %w", err)
	}
	return nil
}

// parseNotices reads the lines of a spool. It skips what is no notice: a line that
// a crash has cut short, or one of a later version.
func parseNotices(data []byte) (out []Notice) {
	for line := range bytes.Lines(data) {
		var n Notice
		if line = bytes.TrimSpace(line); len(line) == 0 || json.Unmarshal(line, &n) != nil {
			continue
		}
		switch n.Event {
		case Stop, SubagentStop, PreCompact, SessionEnd:
		default:
			continue
		}
		if !filepath.IsAbs(n.Path) || strings.ContainsRune(n.Path, 0) {
			n.Path = ""
		}
		out = append(out, n)
	}
	return out
}
