package live

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// A Queue is what waits in a spool, and what was set aside.
type Queue struct {
	Notices int
	Oldest  time.Time // when the one that waits longest was noted
	Full    bool      // nothing more can be noted
	Failed  int       // notices over which workers died, and that none tries again
}

// Look counts what is in the spool, without taking it. A file that comes or goes
// meanwhile may be counted or not.
func (s Spool) Look() (Queue, error) {
	var q Queue
	left, err := filepath.Glob(s.file(takenName + "*"))
	if err != nil {
		return q, err
	}
	names := append([]string{s.file(spoolName)}, left...)
	for _, name := range names {
		notices, size, err := noticesIn(name)
		if err != nil {
			return q, err
		}
		q.Notices += len(notices)
		q.Full = q.Full || name == names[0] && size > maxSpool
		for _, n := range notices {
			if q.Oldest.IsZero() || n.At.Before(q.Oldest) {
				q.Oldest = n.At
			}
		}
	}
	failed, _, err := noticesIn(s.file(failName))
	q.Failed = len(failed)
	return q, err
}

// noticesIn reads a file of notices, as much of it as a spool may have. One that is not
// there has none.
func noticesIn(path string) ([]Notice, int64, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0, nil
	}
	if err != nil || !info.Mode().IsRegular() {
		return nil, 0, errors.Join(err, fmt.Errorf("%s cannot be read", path))
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, 0, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, 2*maxSpool))
	return parseNotices(data), info.Size(), err
}
