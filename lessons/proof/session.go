package proof

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"learnings/lessons"
	"learnings/lessons/state"
)

const (
	maxFails  = 200 // failing calls that are stored
	maxClaims = 100
	maxIDs    = 500

	keep       = 30 * 24 * time.Hour // how long an inactive session is remembered
	sweepEvery = 24 * time.Hour
)

// A Session remembers what happened in one session. Methods store changes at once;
// without a session name or state folder, they last only as long as the value.
type Session struct {
	db    state.DB
	key   string // "" if it is not stored
	now   time.Time
	grown int64 // the size of the transcript now; 0 if unknown
	m     memory
}

// A memory is what is stored of a session.
type memory struct {
	Told    []told           `json:"told,omitempty"`
	Prompts int              `json:"prompts,omitempty"`
	Size    int64            `json:"size,omitempty"` // of the transcript, as far as known
	Mark    int64            `json:"mark,omitempty"`
	Fails   map[string]int   `json:"fails,omitempty"`
	Claims  map[string]int64 `json:"claims,omitempty"` // when each key was claimed, in milliseconds
}

// A told is a lesson and the position in the session when it was last told.
type told struct {
	ID      lessons.ID `json:"id"`
	Start   bool       `json:"start,omitempty"`
	Prompts int        `json:"prompts,omitempty"`
	Size    int64      `json:"size,omitempty"`
}

// SessionOf reads the memory of a session, or of a part such as a subagent. If it returns
// an error, the returned Session can still be used.
func SessionOf(dir, session, part string, now time.Time) (*Session, error) {
	s := &Session{db: state.At(dir), now: now}
	if session == "" || dir == "" {
		return s, nil
	}
	s.key = state.Key(session, part)
	if err := s.db.View(s.load); err != nil {
		return s, fmt.Errorf("reading what the session was given: %w", err)
	}
	return s, nil
}

func (s *Session) load(t state.Tx) error {
	err := t.Each(func(r *state.Rows) error {
		var text []byte
		if err := r.Scan(&text); err != nil {
			return err
		}
		s.m = memory{}
		return json.Unmarshal(text, &s.m)
	}, "SELECT value FROM memory WHERE session = ?", s.key)
	s.Grown(s.grown)
	return err
}

// change applies f to the current memory: hooks of one session run concurrently. If it
// cannot be stored, the change lasts as long as this value.
func (s *Session) change(f func(*memory)) error {
	if s.key == "" {
		f(&s.m)
		return nil
	}
	done := false
	err := s.db.Update(func(t state.Tx) error {
		if err := s.load(t); err != nil {
			return err
		}
		f(&s.m)
		done = true
		text, err := json.Marshal(s.m)
		if err == nil {
			_, err = t.Exec("INSERT OR REPLACE INTO memory (session, at, value) VALUES (?, ?, ?)", s.key, s.now.UnixMilli(), string(text))
		}
		return err
	})
	if err == nil {
		return nil
	}
	if !done {
		f(&s.m)
	}
	return fmt.Errorf("noting what the session was given: %w", err)
}

// Claim reports whether this process should answer a call. Several processes may have
// been started for it, for instance by a duplicate setting; only the first to claim a key
// within a time gets true.
func (s *Session) Claim(key string, within time.Duration) (mine bool, err error) {
	err = s.change(func(m *memory) {
		at, claimed := m.Claims[key]
		apart := s.now.Sub(time.UnixMilli(at))
		if mine = !claimed || apart >= within || apart <= -within; !mine {
			return
		}
		if m.Claims == nil || len(m.Claims) >= maxClaims {
			m.Claims = map[string]int64{}
		}
		m.Claims[key] = s.now.UnixMilli()
	})
	return mine || err != nil || s.key == "", err
}

// Had returns the lessons that are still in the model's context: those given later and,
// with atStart, those given at the start.
func (s *Session) Had(atStart bool) (ids []lessons.ID) {
	return s.had(func(t told) bool { return atStart || !t.Start })
}

func (s *Session) had(is func(told) bool) (ids []lessons.ID) {
	for _, t := range s.m.Told {
		if is(t) {
			ids = append(ids, t.ID)
		}
	}
	return ids
}

// A lesson is assumed to stay in the context for this many prompts and bytes of
// transcript (some 50,000 tokens).
const (
	latePrompts = 20
	lateBytes   = 200 << 10
)

// HadLately returns those of [Session.Had] that were told less than twenty prompts and
// some 50,000 tokens of transcript ago.
func (s *Session) HadLately(atStart bool) (ids []lessons.ID) {
	return s.had(func(t told) bool {
		return (atStart || !t.Start) && s.m.Prompts-t.Prompts < latePrompts && s.m.Size-t.Size < lateBytes
	})
}

// Prompted counts a prompt of the person.
func (s *Session) Prompted() error { return s.change(func(m *memory) { m.Prompts++ }) }

// Grown sets the current size of the transcript; 0 if unknown.
func (s *Session) Grown(size int64) {
	if s.grown = size; size > 0 {
		s.m.Size = size
	}
}

// Give records lessons given at the start or later.
func (s *Session) Give(ids []lessons.ID, atStart bool) error {
	if len(ids) == 0 {
		return nil
	}
	return s.change(func(m *memory) {
		for _, id := range ids {
			i := slices.IndexFunc(m.Told, func(t told) bool { return t.ID == id })
			switch {
			case i >= 0:
				m.Told[i].Prompts, m.Told[i].Size = m.Prompts, m.Size
			case id != "" && len(m.Told) < maxIDs:
				m.Told = append(m.Told, told{id, atStart, m.Prompts, m.Size})
			}
		}
	})
}

// Reset forgets the lessons given: they are no longer in the model's context.
func (s *Session) Reset() error {
	if len(s.m.Told) == 0 {
		return nil
	}
	return s.change(func(m *memory) { m.Told = nil })
}

// Fail counts a failure of a call and returns how often it has failed in the session.
func (s *Session) Fail(print uint64) (times int, err error) {
	err = s.change(func(m *memory) {
		key := strconv.FormatUint(print, 36)
		if m.Fails == nil {
			m.Fails = map[string]int{}
		}
		if _, ok := m.Fails[key]; !ok && len(m.Fails) >= maxFails {
			delete(m.Fails, slices.Sorted(maps.Keys(m.Fails))[0])
		}
		m.Fails[key]++
		times = m.Fails[key]
	})
	return times, err
}

// Mark returns the position up to which the transcript was examined.
func (s *Session) Mark() int64 { return s.m.Mark }

// SetMark stores the position that [Session.Mark] returns.
func (s *Session) SetMark(n int64) error {
	if s.m.Mark == n {
		return nil
	}
	return s.change(func(m *memory) { m.Mark = n })
}

// SweepSessions deletes the memories of sessions inactive for a month. It runs at most
// once a day, and its success does not matter.
func SweepSessions(dir string, now time.Time) {
	db := state.At(dir)
	var last time.Time
	if found, err := db.Get("swept", &last); err != nil || found && now.Sub(last) < sweepEvery {
		return
	}
	_ = db.Update(func(t state.Tx) error {
		if _, err := t.Exec("DELETE FROM memory WHERE at < ?", now.Add(-keep).UnixMilli()); err != nil {
			return err
		}
		return t.Put("swept", now.UTC())
	})
}
