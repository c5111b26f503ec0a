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
	maxFails  = 200 // failing calls that are remembered
	maxClaims = 100
	maxIDs    = 500

	keep       = 30 * 24 * time.Hour // for how long a session is remembered that nothing is heard of
	sweepEvery = 24 * time.Hour
)

// A Session is the memory of one session. Each method that remembers something stores
// it at once. A session without a name, or without a state folder, is remembered only
// as long as the value exists.
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
	Size    int64            `json:"size,omitempty"` // of the transcript, as far as it is known
	Mark    int64            `json:"mark,omitempty"`
	Fails   map[string]int   `json:"fails,omitempty"`
	Claims  map[string]int64 `json:"claims,omitempty"` // when each key was claimed, in milliseconds
}

// A told is a lesson, and how far the session was when it was told last.
type told struct {
	ID      lessons.ID `json:"id"`
	Start   bool       `json:"start,omitempty"`
	Prompts int        `json:"prompts,omitempty"`
	Size    int64      `json:"size,omitempty"`
}

// SessionOf reads what is remembered of a session, or of a part of it, such as a subagent. If
// it returns an error, the memory that comes with it can be used.
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

// change changes the memory as it is by now: hooks of one session run at the same time.
// If it cannot be stored, the change holds as long as this value.
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

// Claim reports whether this process is to answer a call that others may have been
// started for too, such as by a setting that is there twice: of those that claim the
// same key within a time, only the first is.
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

// Had returns the lessons that are still before the session's model: those it was given
// as it started, if asked for, and those it was given later.
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

// What was told is taken to be before the model for so many prompts of the person, and
// so many bytes of the transcript, which are some 50,000 tokens.
const (
	latePrompts = 20
	lateBytes   = 200 << 10
)

// HadLately returns those of [Session.Had] that were told a short time ago: fewer than
// twenty prompts, and some 50,000 tokens as the transcript has grown.
func (s *Session) HadLately(atStart bool) (ids []lessons.ID) {
	return s.had(func(t told) bool {
		return (atStart || !t.Start) && s.m.Prompts-t.Prompts < latePrompts && s.m.Size-t.Size < lateBytes
	})
}

// Prompted remembers that the person has said something.
func (s *Session) Prompted() error { return s.change(func(m *memory) { m.Prompts++ }) }

// Grown says how large the transcript of the session is; 0 if that is unknown.
func (s *Session) Grown(size int64) {
	if s.grown = size; size > 0 {
		s.m.Size = size
	}
}

// Give remembers what the session was given, as it started or later.
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

// Reset forgets what the session was given: its model no longer has it before it.
func (s *Session) Reset() error {
	if len(s.m.Told) == 0 {
		return nil
	}
	return s.change(func(m *memory) { m.Told = nil })
}

// Fail counts how often a call has failed in the session, this time included.
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

// Mark is how far the transcript was looked at, and SetMark remembers it.
func (s *Session) Mark() int64 { return s.m.Mark }

// SetMark is described with Mark.
func (s *Session) SetMark(n int64) error {
	if s.m.Mark == n {
		return nil
	}
	return s.change(func(m *memory) { m.Mark = n })
}

// SweepSessions deletes the memories of sessions of which nothing was heard for a month. It
// looks at most once a day, and not at all if nothing is remembered. Nothing depends on
// its success.
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
