package proof

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"learnings/lessons"
	"learnings/lessons/state"
)

// A Kind is something that came of a lesson; extractor/past says what each means.
type Kind string

const (
	Cited        Kind = "cited"
	Followed     Kind = "followed"
	Contradicted Kind = "contradicted"
	CameBack     Kind = "came back"
)

// A Sign is what shows that something came of a lesson.
type Sign struct {
	Kind  Kind      `json:"kind"`
	Line  int       `json:"line"`           // of the transcript, from 1
	UUID  string    `json:"uuid,omitempty"` // of the record, which a session that goes on in another file has too
	At    time.Time `json:"at,omitzero"`
	Shows string    `json:"shows,omitempty"` // without secrets
}

// A Came is what came of one lesson that a session was given, or that was held out of it.
type Came struct {
	ID     lessons.ID `json:"id"`
	Times  int        `json:"times,omitempty"` // it was given
	Held   bool       `json:"held,omitempty"`  // it was held out, and never given
	First  time.Time  `json:"first,omitzero"`  // it was given, or held out
	Signs  []Sign     `json:"signs,omitempty"`
	Adrift bool       `json:"adrift,omitempty"` // when it was given cannot be told, so nothing was looked for
}

// Has reports whether there is a sign of a kind.
func (c Came) Has(k Kind) bool {
	return slices.ContainsFunc(c.Signs, func(s Sign) bool { return s.Kind == k })
}

// An Error is a call that failed in a session, by hashes.
type SeenError struct {
	Print  string `json:"p"`
	Record string `json:"r,omitempty"` // where the transcript names it
}

// A Reading is what was seen in one transcript.
type Reading struct {
	Session string      `json:"session"`
	File    string      `json:"file"` // the name of the transcript's file, without its folder
	Agent   string      `json:"agent,omitempty"`
	Project string      `json:"project,omitempty"`
	At      time.Time   `json:"at,omitzero"` // the session began; zero where the transcript does not say
	Size    int64       `json:"size"`        // of the transcript, as far as it was read
	Read    time.Time   `json:"read"`
	Lessons []Came      `json:"lessons,omitempty"`
	Errors  []SeenError `json:"errors,omitempty"` // the first of each kind
}

// KeepReading keeps a reading in the place of an earlier one of the same transcript.
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

// Readings returns the last reading of each transcript, in the order of the sessions' times.
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
