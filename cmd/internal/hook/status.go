package hook

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"learnings/cmd/internal/term"
	"learnings/extractor/live"
	"learnings/index"
	"learnings/lessons"
)

// This file prints one line for a shell prompt or status bar: what waits for the person,
// and whether learning is paused. It reads the index as the last call left it.

// A Status is the content of the status line.
type Status struct {
	Proposals int        `json:"proposals"` // to review, as in the badge of the desk: lessons.Waiting.Due
	Maybe     int        `json:"maybe"`     // proposals in the lane "maybe"
	Lessons   int        `json:"lessons"`   // active lessons
	Paused    bool       `json:"paused"`
	Until     *time.Time `json:"until,omitempty"` // the end of the pause; nil if it has none

	unknown bool // there is no index
}

// StatusOf reads the index in folder, and pauses in the state folder. Without an index
// the counts are unknown.
func StatusOf(ctx context.Context, folder, state string, now time.Time) (s Status, err error) {
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
	err = index.Open(ctx, index.At(folder), func(x *index.Index) error {
		waiting, err := x.Waiting(ctx, index.Query{Now: now})
		if err == nil {
			s.Proposals, s.Maybe = waiting.Due(), waiting[lessons.Maybe]
			s.Lessons, _, err = x.Facets(ctx, index.Query{}.Where(index.Status, string(lessons.Approved)))
		}
		return err
	})
	if s.unknown = errors.Is(err, index.ErrNoIndex); s.unknown {
		return s, nil
	}
	return s, err
}

// words returns the parts of the status line.
func (s Status) words() []string {
	out := []string{"no index yet"}
	if !s.unknown {
		out[0] = term.Plural(s.Proposals, "proposal")
		out = append(out, term.Plural(s.Lessons, "lesson"))
	}
	if s.Paused {
		out = append(out, PauseSays(true, s.Until))
	}
	return out
}

// PauseSays describes a pause; a nil until means until the person ends it.
func PauseSays(paused bool, until *time.Time) string {
	switch {
	case !paused:
		return "not paused"
	case until == nil:
		return "paused until `learnings pause --end`"
	}
	return "paused until " + term.Moment(*until)
}

// A StatusForm is the format of a status.
type StatusForm struct{ Short, JSON bool }

// Write prints a status as JSON, on one line, or with a line for each part.
func (s Status) Write(w io.Writer, f StatusForm) error {
	if f.JSON {
		return json.NewEncoder(w).Encode(s)
	}
	sep := "\n"
	if f.Short {
		sep = " · "
	}
	_, err := fmt.Fprintln(w, strings.Join(s.words(), sep))
	return err
}
