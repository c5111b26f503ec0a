package proof

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"learnings/lessons"
	"learnings/lessons/state"
)

// A Kind is a kind of outcome of a lesson; package extractor/past defines them.
type Kind string

const (
	Cited        Kind = "cited"
	Followed     Kind = "followed"
	Contradicted Kind = "contradicted"
	CameBack     Kind = "came back"
)

// A Sign is evidence of an outcome in a transcript.
type Sign struct {
	Kind  Kind      `json:"kind"`
	Line  int       `json:"line"`           // of the transcript, from 1
	UUID  string    `json:"uuid,omitempty"` // of the record; the same in a resumed session's file
	At    time.Time `json:"at,omitzero"`
	Shows string    `json:"shows,omitempty"` // without secrets
}

// A Came is the outcome of one lesson that a session was given or that was held out of
// it.
type Came struct {
	ID     lessons.ID `json:"id"`
	Times  int        `json:"times,omitempty"` // number of times it was given
	Held   bool       `json:"held,omitempty"`  // held out and never given
	First  time.Time  `json:"first,omitzero"`  // when it was first given or held out
	Signs  []Sign     `json:"signs,omitempty"`
	Adrift bool       `json:"adrift,omitempty"` // the time of giving is unknown, so no signs were searched for
}

// Has reports whether there is a sign of a kind.
func (c Came) Has(k Kind) bool {
	return slices.ContainsFunc(c.Signs, func(s Sign) bool { return s.Kind == k })
}

// A SeenError is a call that failed in a session, by hashes.
type SeenError struct {
	Print  string `json:"p"`
	Record string `json:"r,omitempty"` // if the transcript has it
}

// A Reading is the result of reading one transcript.
type Reading struct {
	Session string      `json:"session"`
	File    string      `json:"file"` // base name of the transcript's file
	Agent   string      `json:"agent,omitempty"`
	Project string      `json:"project,omitempty"`
	At      time.Time   `json:"at,omitzero"` // start of the session; zero if unknown
	Size    int64       `json:"size"`        // bytes of the transcript that were read
	Read    time.Time   `json:"read"`
	Lessons []Came      `json:"lessons,omitempty"`
	Errors  []SeenError `json:"errors,omitempty"` // the first of each kind
}

// KeepReading stores a reading, replacing an earlier one of the same transcript.
func KeepReading(dir string, r Reading) error {
	value, err := json.Marshal(r)
	if err == nil {
		err = state.At(dir).Update(func(t state.Tx) error {
			_, err := t.Exec("INSERT OR REPLACE INTO outcomes (session, file, at, value) VALUES (?, ?, ?, ?)", r.Session, r.File, state.Milli(r.At), string(value))
			return err
		})
	}
	if err != nil {
		return fmt.Errorf("keeping what came of lessons: %w", err)
	}
	return nil
}

// Readings returns the last reading of each transcript, ordered by the sessions' times.
func Readings(dir string) (out []Reading, err error) {
	err = state.At(dir).Each(func(rows *state.Rows) error {
		var value []byte
		var r Reading
		if err := rows.Scan(&value); err != nil {
			return err
		}
		if json.Unmarshal(value, &r) == nil {
			out = append(out, r)
		}
		return nil
	}, "SELECT value FROM outcomes ORDER BY at, session, file")
	if err != nil {
		return nil, fmt.Errorf("reading what came of lessons: %w", err)
	}
	return out, nil
}
