package live

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// A Rate bounds how often something is done in the background, across all
// processes: it is the last line of defence against anything that keeps starting
// itself. The caller must hold the worker's lock.
type Rate struct {
	State string
	Name  string // of the file
	Most  int    // within Span
	Span  time.Duration
}

// Allow counts one more and reports whether it may be done. It may not if the count
// cannot be saved.
func (r Rate) Allow(now time.Time) (bool, error) {
	path := filepath.Join(r.State, r.Name)
	var past, recent []time.Time
	data, err := os.ReadFile(path)
	if err == nil {
		_ = json.Unmarshal(data, &past) // start over if the file is damaged
	} else if !os.IsNotExist(err) {
		return false, fmt.Errorf("reading how much was done lately: %w", err)
	}
	for _, at := range past {
		if d := now.Sub(at); d >= 0 && d < r.Span {
			recent = append(recent, at)
		}
	}
	if len(recent) >= r.Most {
		return false, nil
	}
	data, err = json.Marshal(append(recent, now.UTC()))
	if err == nil {
		err = os.WriteFile(path, data, 0o600)
	}
	if err != nil {
		return false, fmt.Errorf("counting what is done: %w", err)
	}
	return true, nil
}
