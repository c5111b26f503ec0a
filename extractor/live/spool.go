package live

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"learnings/lessons/state"
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
	maxField = 512     // bytes of an id or a folder
	maxPath  = 4 << 10 // bytes
	maxSpool = 5000    // notices that nobody takes
	// maxTries is how many workers may die over the same notices before these are
	// set aside, so that those behind them get their turn.
	maxTries = 5
	// keepFailed is for how long notices that were set aside are counted.
	keepFailed = 7 * 24 * time.Hour
)

// errSpoolFull loses nothing: a worker that empties the spool checks the sessions
// themselves too.
var errSpoolFull = fmt.Errorf("the spool holds %d notices that no worker has dealt with", maxSpool)

// A Spool is the notices in a state folder. Any number of processes may append to it;
// only the holder of the worker's lock takes from it.
type Spool struct{ State string }

// Append adds a notice.
func (s Spool) Append(n Notice) error {
	value, err := json.Marshal(n.short())
	if err == nil {
		err = state.At(s.State).Update(func(t state.Tx) error {
			added, err := t.Exec("INSERT INTO spool (at, notice) SELECT ?, ? WHERE (SELECT count(*) FROM spool) < ?", n.At.UnixMilli(), string(value), maxSpool)
			if err == nil && added == 0 {
				return errSpoolFull
			}
			return err
		})
	}
	if err != nil {
		return fmt.Errorf("noting a session: %w", err)
	}
	return nil
}

// short is a notice without fields that are too long for what they are.
func (n Notice) short() Notice {
	for field, most := range map[*string]int{&n.Session: maxField, &n.Dir: maxField, &n.Path: maxPath} {
		if len(*field) > most {
			*field = "" // the other fields must do
		}
	}
	n.At = n.At.UTC()
	return n
}

// Waiting reports whether there is anything to take.
func (s Spool) Waiting() (waits bool) {
	_ = state.At(s.State).Each(func(*state.Rows) error { waits = true; return nil }, "SELECT 1 FROM spool WHERE tries <= ? LIMIT 1", maxTries)
	return waits
}

// A Queue counts what waits in a spool, and what was set aside.
type Queue struct {
	Notices int
	Oldest  time.Time // when the oldest notice was added
	Full    bool      // no more notices can be added
	Failed  int       // notices set aside because workers died over them
}

// Look counts what is in the spool, without taking it.
func (s Spool) Look() (q Queue, err error) {
	var oldest int64
	err = state.At(s.State).Each(func(r *state.Rows) error { return r.Scan(&q.Notices, &q.Failed, &oldest) },
		"SELECT count(*) FILTER (WHERE tries <= ?1), count(*) FILTER (WHERE tries > ?1), coalesce(min(at) FILTER (WHERE tries <= ?1), 0) FROM spool", maxTries)
	if q.Full = q.Notices+q.Failed >= maxSpool; q.Notices > 0 {
		q.Oldest = time.UnixMilli(oldest).UTC()
	}
	return q, err
}

// A taken is what one worker took from the spool. It stays there until the worker is
// done, so that another one finds it after a crash.
type taken struct {
	db      state.DB
	ids     []int64
	notices []Notice
}

// take returns what a worker that died left behind, or else what is in the spool,
// or nil if there is nothing. The caller must hold the worker's lock.
func (s Spool) take() (*taken, error) {
	t := &taken{db: state.At(s.State)}
	if !s.Waiting() {
		return nil, nil
	}
	err := t.db.Update(func(tx state.Tx) error {
		if _, err := tx.Exec("UPDATE spool SET tries = tries + 1 WHERE tries = ?", maxTries); err != nil { // that worker died, too
			return err
		}
		if _, err := tx.Exec("DELETE FROM spool WHERE tries > ? AND at < ?", maxTries, time.Now().Add(-keepFailed).UnixMilli()); err != nil {
			return err
		}
		return tx.Each(func(r *state.Rows) error {
			var id int64
			var value []byte
			if err := r.Scan(&id, &value); err != nil {
				return err
			}
			t.ids = append(t.ids, id)
			if n, ok := parseNotice(value); ok {
				t.notices = append(t.notices, n)
			}
			return nil
		}, "UPDATE spool SET tries = tries + 1 WHERE tries = (SELECT max(tries) FROM spool WHERE tries < ?) RETURNING n, notice", maxTries)
	})
	if err != nil || len(t.ids) == 0 {
		return nil, err
	}
	return t, nil
}

// done removes what was handled.
func (t *taken) done() error { return t.each("DELETE FROM spool WHERE n = ?") }

// release leaves what was taken to another worker, without counting this one as
// having died over it.
func (t *taken) release() error { return t.each("UPDATE spool SET tries = 0 WHERE n = ?") }

func (t *taken) each(query string) error {
	err := t.db.Update(func(tx state.Tx) (err error) {
		for _, id := range t.ids {
			_, e := tx.Exec(query, id)
			err = errors.Join(err, e)
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("emptying the spool: %w", err)
	}
	return nil
}

// parseNotice decodes a notice. It returns false for anything else, such as one of a
// later version.
func parseNotice(value []byte) (n Notice, ok bool) {
	if json.Unmarshal(value, &n) != nil {
		return n, false
	}
	if !filepath.IsAbs(n.Path) || strings.ContainsRune(n.Path, 0) {
		n.Path = ""
	}
	switch n.Event {
	case Stop, SubagentStop, PreCompact, SessionEnd:
		return n, true
	}
	return n, false
}
