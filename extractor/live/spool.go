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

// An Event is the moment at which an agent called.
type Event string

const (
	Stop         Event = "stop"          // the agent has answered; the session goes on
	SubagentStop Event = "subagent-stop" // the same of a subagent
	PreCompact   Event = "pre-compact"   // the agent is about to forget what was said
	SessionEnd   Event = "session-end"
)

// A Notice is what a hook has to tell of a session. It holds no word of what
// was said in it.
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

	// maxLine is what systems write in one piece.
	maxLine = 4 << 10
	// maxSpool bounds what a spool that nobody empties takes.
	maxSpool = 1 << 20
	// maxTries is after how many workers that died over them lines are put
	// aside, so that those behind them have their turn.
	maxTries = 5
)

// errSpoolFull is no loss: who empties the spool looks at the sessions
// themselves too.
var errSpoolFull = fmt.Errorf("the spool holds %d KB that no worker has dealt with", maxSpool>>10)

// A Spool is a file of notices in a state folder. Any number of processes may
// append; the one that has the worker's lock takes.
type Spool struct{ State string }

func (s Spool) file(name string) string { return filepath.Join(s.State, name) }

// Append adds a notice with a single write. A worker that takes the spool away
// in that very moment does not take the notice with it unseen: then it is
// appended once more, for a notice may come twice and must not get lost.
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

// appends is how often a worker may take the spool away from under a notice.
const appends = 100

var errSpoolTaken = fmt.Errorf("workers took the spool away %d times", appends)

// appendOnce writes to the spool, and reports whether what it wrote to still was
// the spool afterwards. It looks while it has the file open: the number of a file
// that is gone and closed may be given to the next one, which then looks the same.
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

// line is a notice as it is kept. The newline in front ends a line that
// somebody's crash has cut.
func (n Notice) line() ([]byte, error) {
	for _, field := range []*string{&n.Session, &n.Dir} {
		if len(*field) > 512 {
			*field = ""
		}
	}
	n.At = n.At.UTC()
	line, err := json.Marshal(n)
	if err == nil && len(line)+2 > maxLine {
		n.Path, n.Dir = "", "" // then the session's id has to do
		line, err = json.Marshal(n)
	}
	return append(append([]byte("\n"), line...), '\n'), err
}

// Waiting reports whether there is something to take.
func (s Spool) Waiting() bool {
	if info, err := os.Stat(s.file(spoolName)); err == nil && info.Size() > 0 {
		return true
	}
	left, _ := filepath.Glob(s.file(takenName + "*"))
	return len(left) > 0
}

// A taken is what one worker has taken out of the spool. Its file stays until
// the worker is done, so that another one finds it after a crash.
type taken struct {
	path    string
	read    int64
	notices []Notice
}

// take gives what a worker that died has left, or else what is in the spool,
// or nil when there is nothing. The caller has the worker's lock.
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

// claim gives a file the name of what is being dealt with, and reads it.
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

// On Windows a file that a hook has open is not renamed. It has it open for
// less than a millisecond.
const (
	renames     = 10
	renamePause = 5 * time.Millisecond
)

// more reads what the file has beyond what was read of it: a hook may have had
// it open when its name changed.
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

// done removes what was dealt with, unless there is more of it by now, and
// reports whether it did.
func (t *taken) done() (bool, error) {
	if info, err := os.Stat(t.path); err == nil && info.Size() > t.read {
		return false, t.more()
	}
	if err := os.Remove(t.path); err != nil {
		return false, fmt.Errorf("emptying the spool: %w", err)
	}
	return true, nil
}

// release leaves what was taken for another worker, without counting this one
// as one that died over it.
func (t *taken) release() error {
	if err := os.Rename(t.path, filepath.Join(filepath.Dir(t.path), takenName+"0")); err != nil {
		return fmt.Errorf("leaving the spool for later: %w", err)
	}
	return nil
}

// parseNotices reads lines of a spool. What is no notice is passed over: it is
// a line that a crash has cut, or of a later version.
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
