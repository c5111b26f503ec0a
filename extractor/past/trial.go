package past

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"learnings/extractor/transcript"
	"learnings/lessons/guard"
)

// A Trial says what a guard would have stopped.
type Trial struct {
	Looked   int   // sessions read
	Calls    int   // calls that it would have stopped
	Sessions int   // sessions with such calls
	Allowed  int   // those of the calls that were allowed; see [Allowed]
	Examples []Hit // at most five different ones: allowed calls first, then the newest
}

// String returns the trial as a sentence.
func (t Trial) String() string {
	if t.Calls == 0 {
		return fmt.Sprintf("would have stopped nothing in %s", counted(t.Looked, "past session"))
	}
	return fmt.Sprintf("would have stopped %s in %s of %d, %d that you had allowed", counted(t.Calls, "call"), counted(t.Sessions, "session"), t.Looked, t.Allowed)
}

// A CallEnd is what became of a call.
type CallEnd string

// A call was allowed if it was answered without an error, nobody refused it, and the
// person's next words do not object: they neither interrupt, nor correct the agent, nor
// name the program or the file.
const (
	Allowed    CallEnd = "allowed"
	Failed     CallEnd = "failed"
	Refused    CallEnd = "refused"   // the person refused or interrupted it
	Corrected  CallEnd = "corrected" // by the next words of the person
	Unanswered CallEnd = "open"      // the session ends first
)

// A Hit is a call that would have been stopped.
type Hit struct {
	Agent   string    `json:"agent"`
	Session string    `json:"session"`
	Path    string    `json:"path"`
	Line    int       `json:"line"`
	At      time.Time `json:"at,omitzero"`
	Call    string    `json:"call"` // the command, or the tool and its file
	Outcome CallEnd   `json:"outcome"`

	id   string
	name string // of the program or file, in lower case
}

const maxExamples = 5

// A Ward is a guard to try on what was done after a moment.
type Ward struct {
	Patterns []guard.Pattern
	From     time.Time // zero means always
	Only     string    // the project of the sessions to try; "" for all
}

// Try tries each guard separately against what agents have done, and returns a trial
// for each. Only sessions of a project count, or all for "". It skips files that cannot
// be read. The only error is that of ctx.
func Try(ctx context.Context, files []transcript.File, wards []Ward, project string, o Options) ([]Trial, error) {
	trials := make([]Trial, len(wards))
	all := make([][]Hit, len(wards))
	seen := map[string]bool{} // a session that continues in another file is copied there
	for s, err := range o.sessions(ctx, files) {
		if err != nil || s.Excluded || project != "" && s.Project != project {
			continue
		}
		for w, ward := range wards {
			if ward.Only != "" && s.Project != ward.Only {
				continue
			}
			before := len(all[w])
			for _, hit := range ward.hits(&s) {
				id := fmt.Sprint(w, " ", cmp.Or(hit.id, fmt.Sprint(hit.Session, hit.Line, hit.At, hit.Call)))
				if !seen[id] {
					seen[id] = true
					all[w] = append(all[w], hit)
				}
			}
			trials[w].Looked++
			trials[w].Sessions += min(len(all[w])-before, 1)
		}
	}
	for w := range trials {
		trials[w].sum(all[w])
	}
	return trials, ctx.Err()
}

// sum counts the calls that would have been stopped.
func (t *Trial) sum(all []Hit) {
	t.Calls = len(all)
	slices.SortStableFunc(all, func(a, b Hit) int { return b.At.Compare(a.At) })
	var allowed, others []Hit
	for _, h := range all {
		if h.Outcome == Allowed {
			allowed = append(allowed, h)
		} else {
			others = append(others, h)
		}
	}
	t.Allowed = len(allowed)
	for _, h := range append(allowed, others...) { // repeated calls make one example
		if len(t.Examples) < maxExamples && !slices.ContainsFunc(t.Examples, func(e Hit) bool { return e.Call == h.Call && e.Outcome == h.Outcome }) {
			t.Examples = append(t.Examples, h)
		}
	}
}

// hits returns the calls of a session that the guard would have stopped.
func (w Ward) hits(s *Session) (hits []Hit) {
	open := map[int]int{} // index of the hit by the index of its call without an answer
	told := 0             // hits for which the person's next words are known
	at := s.ModTime
	for i := range s.Events {
		e := &s.Events[i]
		if at = cmp.Or(e.At, at); at.Before(w.From) {
			continue
		}
		switch e.What {
		case Call:
			if h, ok := w.hit(s, e); ok {
				open[i+1] = len(hits)
				hits = append(hits, h)
			}
		case Came:
			if n, ok := open[e.Of]; ok {
				hits[n].Outcome = e.Ended
				delete(open, e.Of)
			}
		case Said:
			for ; told < len(hits); told++ {
				hits[told].heard(e)
			}
		}
	}
	return hits
}

// hit reports whether a call would have been stopped.
func (w Ward) hit(s *Session, e *Event) (Hit, bool) {
	c := s.does(e)
	i := slices.IndexFunc(w.Patterns, func(p guard.Pattern) bool { return p.Matches(c) })
	if i < 0 {
		return Hit{}, false
	}
	h := Hit{Agent: string(s.Record.Session.Agent), Session: s.Record.Session.ID, Path: s.Path, Line: e.Line, At: e.At, Call: c.Command, Outcome: Unanswered, id: e.ID}
	switch p := w.Patterns[i]; {
	case p.Path != "":
		h.name = path.Base(cmp.Or(e.Path, p.Path))
	case len(p.Words) > 0:
		h.name = path.Base(p.Words[0])
	default:
		h.name = p.Flags[0]
	}
	h.name = strings.ToLower(h.name)
	if h.Call == "" || e.Path != "" {
		h.Call = strings.TrimSpace(e.Tool + " " + e.Path)
	}
	return h, true
}

// heard judges a hit by the person's next words.
func (h *Hit) heard(t *Event) {
	switch {
	case t.Kind == transcript.Interrupt || t.Kind == transcript.Rejection:
		if h.Outcome == Allowed {
			h.Outcome = Corrected
		} else {
			h.Outcome = Refused
		}
	case h.Outcome == Allowed && (t.Corrects || h.name != "" && strings.Contains(strings.ToLower(t.Text), h.name)):
		h.Outcome = Corrected
	}
}
