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

// A Trial is what a guard would have stopped.
type Trial struct {
	Looked   int   // sessions that were read
	Calls    int   // that it would have stopped
	Sessions int   // in which they were
	Allowed  int   // of these calls: see Allowed
	Examples []Hit // at most five different ones, those that were allowed first, else the newest first
}

// String says it in a sentence.
func (t Trial) String() string {
	if t.Calls == 0 {
		return fmt.Sprintf("would have stopped nothing in %s", counted(t.Looked, "past session"))
	}
	return fmt.Sprintf("would have stopped %s in %s of %d, %d that you had allowed", counted(t.Calls, "call"), counted(t.Sessions, "session"), t.Looked, t.Allowed)
}

// An Outcome is what became of a call.
type Outcome string

// A call was allowed when it was answered without an error, nobody refused it, and the
// next words of the person in that session do not speak against it: they neither
// interrupt nor begin with a no, and do not name the program or the file.
const (
	Allowed    Outcome = "allowed"
	Failed     Outcome = "failed"
	Refused    Outcome = "refused"   // the person refused or interrupted it
	Corrected  Outcome = "corrected" // by the next words of the person
	Unanswered Outcome = "open"      // the session ends without an answer
)

// A Hit is a call that would have been stopped.
type Hit struct {
	Agent   string    `json:"agent"`
	Session string    `json:"session"`
	Path    string    `json:"path"`
	Line    int       `json:"line"`
	At      time.Time `json:"at,omitzero"`
	Call    string    `json:"call"` // the command, or the tool and its file
	Outcome Outcome   `json:"outcome"`

	id   string
	name string // that of the program or file, in lower case
}

const (
	maxHits     = 10_000 // of one session
	maxExamples = 5
)

// A Ward is a guard that is tried on what was done from a moment on.
type Ward struct {
	Patterns []guard.Pattern
	From     time.Time // zero is always
	Only     string    // the project of which sessions count; "" is all
}

// Try tries guards against what agents have done, each for itself, and gives a trial for
// each. Only sessions of a project count, or all for "". A file that cannot be read is
// passed over. The only error is that of ctx.
func Try(ctx context.Context, files []transcript.File, wards []Ward, project string, o Options) ([]Trial, error) {
	trials := make([]Trial, len(wards))
	all := make([][]Hit, len(wards))
	seen := map[string]bool{} // a session that goes on in another file is copied there
	for r := range Each(ctx, files, func(ctx context.Context, f transcript.File) (tried, error) { return try(ctx, f, wards, o) }) {
		if !r.Counts || project != "" && r.Of.project != project {
			continue
		}
		for w, y := range r.Of.of {
			if wards[w].Only != "" && r.Of.project != wards[w].Only {
				continue
			}
			before := len(all[w])
			for _, hit := range y.hits {
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
		trials[w].sum(all[w], o)
	}
	return trials, ctx.Err()
}

// sum takes in all calls that would have been stopped.
func (t *Trial) sum(all []Hit, o Options) {
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
	for _, h := range append(allowed, others...) { // what was done over and over says as much once
		if len(t.Examples) < maxExamples && !slices.ContainsFunc(t.Examples, func(e Hit) bool { return e.Call == h.Call && e.Outcome == h.Outcome }) {
			t.Examples = append(t.Examples, h)
		}
	}
	for i := range t.Examples {
		t.Examples[i].Call = o.redact(t.Examples[i].Call)
	}
}

// A tried is what guards would have stopped in one transcript.
type tried struct {
	project string
	of      []trying // of each ward
}

func try(ctx context.Context, f transcript.File, wards []Ward, o Options) (tried, error) {
	out := tried{of: make([]trying, len(wards))}
	info, err := o.Listener().Hear(ctx, f, func(t *transcript.Turn, r *transcript.Reader, at time.Time) {
		for i := range out.of {
			if !at.Before(wards[i].From) {
				out.of[i].see(t, wards[i].Patterns, f.Path, r)
			}
		}
	})
	if err == nil {
		out.project = o.Project(info.Session.Dir)
	}
	return out, err
}

// A trying is what a guard has stopped so far in one transcript.
type trying struct {
	hits []Hit
	open map[*transcript.ToolCall]int // calls without an answer, by their place in hits
	told int                          // hits of which it is known what the person said next
}

// see takes in one turn.
func (y *trying) see(t *transcript.Turn, patterns []guard.Pattern, path string, r *transcript.Reader) {
	switch {
	case t.Kind == transcript.Call && t.Tool != nil && len(y.hits) < maxHits:
		s := r.Session()
		if h, ok := hit(t.Tool, s.Dir, patterns); ok {
			h.Agent, h.Session, h.Path, h.Line, h.At = string(s.Agent), s.ID, path, t.Line, t.At
			if y.open == nil {
				y.open = map[*transcript.ToolCall]int{}
			}
			y.open[t.Tool] = len(y.hits)
			y.hits = append(y.hits, h)
		}
	case t.Kind == transcript.Result && t.Tool != nil:
		i, ok := y.open[t.Tool]
		delete(y.open, t.Tool)
		switch {
		case !ok:
		case t.Refused:
			y.hits[i].Outcome = Refused
		case t.Failed:
			y.hits[i].Outcome = Failed
		default:
			y.hits[i].Outcome = Allowed
		}
	case t.Speaker == transcript.Person:
		for ; y.told < len(y.hits); y.told++ {
			y.hits[y.told].heard(t)
		}
	}
}

// hit reports whether a call would have been stopped.
func hit(t *transcript.ToolCall, dir string, patterns []guard.Pattern) (Hit, bool) {
	c := guard.Look(t.Name, t, dir)
	i := slices.IndexFunc(patterns, func(p guard.Pattern) bool { return p.Matches(c) })
	if i < 0 {
		return Hit{}, false
	}
	h := Hit{id: t.ID, Call: t.Command, Outcome: Unanswered}
	switch p := patterns[i]; {
	case p.Path != "":
		h.name = strings.ToLower(path.Base(p.Path))
		if t.Path != "" {
			h.name = strings.ToLower(path.Base(t.Path))
		}
	case len(p.Words) > 0:
		h.name = strings.ToLower(path.Base(p.Words[0]))
	default:
		h.name = strings.ToLower(p.Flags[0])
	}
	if h.Call == "" || t.Path != "" {
		h.Call = strings.TrimSpace(t.Name + " " + t.Path)
	}
	return h, true
}

// heard takes in what a person said next.
func (h *Hit) heard(t *transcript.Turn) {
	switch {
	case t.Kind == transcript.Interrupt || t.Kind == transcript.Rejection:
		if h.Outcome == Allowed {
			h.Outcome = Corrected
		} else {
			h.Outcome = Refused
		}
	case h.Outcome == Allowed && against(t.Text, h.name):
		h.Outcome = Corrected
	}
}

// against reports whether words of a person speak against a call.
func against(text, name string) bool {
	low := strings.ToLower(text)
	first, _, _ := strings.Cut(strings.TrimSpace(low), " ")
	switch strings.Trim(first, ",.!?:;-") {
	case "no", "nope", "don't", "dont", "do", "stop", "never", "not", "wrong", "why", "wait", "undo", "revert", "hey", "please":
		if first != "do" && first != "please" || strings.Contains(low[:min(len(low), 20)], " not ") || strings.Contains(low[:min(len(low), 20)], "don't") {
			return true
		}
	}
	return name != "" && strings.Contains(low, name)
}
