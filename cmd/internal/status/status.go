// Package status says in one line, for a prompt or a status bar, what waits for a
// person and whether they are listened to. It only reads what there is: the index as
// the last call left it.
package status

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"learnings/extractor/live"
	"learnings/index"
	"learnings/lessons"
)

// A Status is how things are.
type Status struct {
	Proposals int        `json:"proposals"` // that wait for a person and are likely lessons
	Maybe     int        `json:"maybe"`     // that may be lessons
	Lessons   int        `json:"lessons"`   // that are active
	Paused    bool       `json:"paused"`
	Until     *time.Time `json:"until,omitempty"` // when the pause ends; nil until it is ended

	unknown bool // there is no index that could say
}

// Of asks the index in one folder, and another, that of the state, for pauses. Where
// there is no index nothing is counted, and the status says so.
func Of(ctx context.Context, folder, state string, now time.Time) (Status, error) {
	var s Status
	pauses, err := live.LoadPauses(state)
	if err != nil {
		return s, err
	}
	if p, ok := pauses.At(now); ok {
		s.Paused = true
		if !p.Until.IsZero() {
			s.Until = &p.Until
		}
	}
	n, err := index.At(folder).Totals(ctx,
		index.Query{}.Where(index.Lane, string(lessons.Likely)), index.Query{}.Where(index.Lane, string(lessons.Maybe)),
		index.Query{}.Where(index.Status, string(lessons.Approved)))
	if s.unknown = errors.Is(err, index.ErrNoIndex); s.unknown {
		return s, nil
	}
	s.Proposals, s.Maybe, s.Lessons = n[0], n[1], n[2]
	return s, err
}

// Words say it, one thing each.
func (s Status) Words() []string {
	var out []string
	if s.unknown {
		out = append(out, "no index yet")
	} else {
		out = append(out, plural(s.Proposals, "proposal"))
		if s.Maybe > 0 {
			out = append(out, fmt.Sprintf("%d maybe", s.Maybe))
		}
		out = append(out, plural(s.Lessons, "lesson"))
	}
	if s.Paused {
		out = append(out, Pause(true, s.Until))
	}
	return out
}

// Pause says in words whether and until when it is paused; a nil until is until the
// person ends it.
func Pause(paused bool, until *time.Time) string {
	switch {
	case !paused:
		return "not paused"
	case until == nil:
		return "paused until `learnings pause --end`"
	}
	return "paused until " + until.Local().Format("2006-01-02 15:04")
}

// A Form is how a status is written.
type Form struct{ Short, JSON bool }

// Write prints a status: as JSON, in one line, or with a line for each thing.
func (s Status) Write(w io.Writer, f Form) error {
	switch {
	case f.JSON:
		return json.NewEncoder(w).Encode(s)
	case f.Short:
		_, err := fmt.Fprintln(w, strings.Join(s.Words(), " · "))
		return err
	}
	_, err := fmt.Fprintln(w, strings.Join(s.Words(), "\n"))
	return err
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
