// Package rehearse tries a guard against what agents have done: which calls in past
// sessions it would have stopped, and which of them the person had let be.
package rehearse

import (
	"context"
	"errors"
	"fmt"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"learnings/extractor/transcript"
	"learnings/lessons/guard"
)

// Options say what is tried.
type Options struct {
	Patterns []guard.Pattern
	Project  func(dir string) string       // of a working directory; several goroutines call it at once
	Excluded func(dir, path string) string // what keeps a session from being read; nil or "" is nothing; as Project
	Paused   func(time.Time) bool          // what was done at such a time does not count; nil counts everything; as Project
	Redact   func(string) string           // takes secrets out of what is shown; nil takes out none
	Only     string                        // the project of which sessions count; "" is all
}

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
		return fmt.Sprintf("would have stopped nothing in %s", plural(t.Looked, "past session"))
	}
	return fmt.Sprintf("would have stopped %s in %s of %d, %d that you had allowed", plural(t.Calls, "call"), plural(t.Sessions, "session"), t.Looked, t.Allowed)
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// An Outcome is what became of a call.
type Outcome string

// A call was allowed when it was answered without an error, nobody refused it, and the
// next words of the person in that session do not speak against it: they neither
// interrupt nor begin with a no, and do not name the program or the file.
const (
	Allowed   Outcome = "allowed"
	Failed    Outcome = "failed"
	Refused   Outcome = "refused"   // the person refused or interrupted it
	Corrected Outcome = "corrected" // by the next words of the person
	Open      Outcome = "open"      // the session ends without an answer
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

// Try tries a guard on transcripts. A file that cannot be read is passed over. The only
// error is that of ctx.
func Try(ctx context.Context, files []transcript.File, o Options) (Trial, error) {
	trials, err := TryAll(ctx, files, []Ward{{Patterns: o.Patterns}}, o)
	return trials[0], err
}

// TryAll tries several guards, each for itself, and reads the transcripts once: it gives
// a trial for each. The patterns of the options do not count. All else is as with [Try].
func TryAll(ctx context.Context, files []transcript.File, wards []Ward, o Options) ([]Trial, error) {
	type read struct {
		hits   [][]Hit // of each ward
		looked bool
	}
	found := make([]read, len(files))
	var wg sync.WaitGroup
	var mu sync.Mutex
	next := 0
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for {
				mu.Lock()
				i := next
				next++
				mu.Unlock()
				if i >= len(files) || ctx.Err() != nil {
					return
				}
				found[i].hits, found[i].looked, _ = try(ctx, files[i], wards, o)
			}
		})
	}
	wg.Wait()
	trials := make([]Trial, len(wards))
	for w := range trials {
		var all [][]Hit
		for _, r := range found {
			if r.looked && r.hits[w] != nil {
				all = append(all, r.hits[w])
			}
		}
		trials[w] = summed(all, o)
	}
	return trials, ctx.Err()
}

// summed makes a trial of what would have been stopped in each transcript.
func summed(sessions [][]Hit, o Options) Trial {
	var t Trial
	var all []Hit
	seen := map[string]bool{} // a session that goes on in another file is copied there
	for _, hits := range sessions {
		n := 0
		for _, h := range hits {
			if h.id == "" {
				h.id = fmt.Sprint(h.Session, h.Line, h.At, h.Call)
			}
			if seen[h.id] {
				continue
			}
			seen[h.id] = true
			all = append(all, h)
			n++
		}
		t.Calls += n
		t.Sessions += min(n, 1)
		t.Looked++
	}
	for _, h := range all {
		if h.Outcome == Allowed {
			t.Allowed++
		}
	}
	slices.SortStableFunc(all, func(a, b Hit) int {
		if (a.Outcome == Allowed) != (b.Outcome == Allowed) {
			if a.Outcome == Allowed {
				return -1
			}
			return 1
		}
		return b.At.Compare(a.At)
	})
	for _, h := range all { // what was done over and over says as much once
		if !slices.ContainsFunc(t.Examples, func(e Hit) bool { return e.Call == h.Call && e.Outcome == h.Outcome }) && len(t.Examples) < maxExamples {
			t.Examples = append(t.Examples, h)
		}
	}
	for i := range t.Examples {
		if o.Redact != nil {
			t.Examples[i].Call = o.Redact(t.Examples[i].Call)
		}
	}
	return t
}

// try reads one transcript.
func try(ctx context.Context, f transcript.File, wards []Ward, o Options) (all [][]Hit, looked bool, err error) { // nil where a ward does not look
	file, found, err := transcript.Open(f.Path)
	if err != nil {
		return nil, false, err
	}
	defer file.Close()
	r := transcript.NewReader(file, found.Format, found.Options())
	tries := make([]trying, len(wards))
	at := found.ModTime
	for t, err := range r.Turns() {
		var bad *transcript.LineError
		switch {
		case ctx.Err() != nil:
			return nil, false, ctx.Err()
		case errors.As(err, &bad):
			continue
		case err != nil:
			return nil, false, fmt.Errorf("reading %s: %w", f.Path, err)
		}
		if !t.At.IsZero() {
			at = t.At
		}
		if t.Kind == transcript.Call && o.Paused != nil && o.Paused(at) {
			continue
		}
		for i := range tries {
			if !at.Before(wards[i].From) {
				tries[i].see(t, wards[i].Patterns, f, r.Session())
			}
		}
	}
	s := r.Session()
	if o.Excluded != nil && o.Excluded(s.Dir, f.Path) != "" || o.Only != "" && o.Project(s.Dir) != o.Only {
		return nil, false, nil
	}
	all = make([][]Hit, len(wards))
	for i, t := range tries {
		if wards[i].Only == "" || o.Project(s.Dir) == wards[i].Only {
			all[i] = append([]Hit{}, t.hits...)
		}
	}
	return all, true, nil
}

// A trying is what a guard has stopped so far in one transcript.
type trying struct {
	hits []Hit
	open map[*transcript.ToolCall]int // calls without an answer, by their place in hits
	told int                          // hits of which it is known what the person said next
}

// see takes in one turn.
func (y *trying) see(t transcript.Turn, patterns []guard.Pattern, f transcript.File, s transcript.Session) {
	switch {
	case t.Kind == transcript.Call && t.Tool != nil && len(y.hits) < maxHits:
		if h, ok := hit(t.Tool, s.Dir, patterns); ok {
			h.Agent, h.Session, h.Path, h.Line, h.At = string(s.Agent), s.ID, f.Path, t.Line, t.At
			if y.open == nil {
				y.open = map[*transcript.ToolCall]int{}
			}
			y.open[t.Tool] = len(y.hits)
			y.hits = append(y.hits, h)
		}
	case t.Kind == transcript.Result && t.Tool != nil:
		if i, ok := y.open[t.Tool]; ok {
			delete(y.open, t.Tool)
			switch {
			case t.Refused:
				y.hits[i].Outcome = Refused
			case t.Failed:
				y.hits[i].Outcome = Failed
			default:
				y.hits[i].Outcome = Allowed
			}
		}
	case t.Speaker == transcript.Person && y.told < len(y.hits):
		for i := y.told; i < len(y.hits); i++ {
			y.hits[i].heard(t)
		}
		y.told = len(y.hits)
	}
}

// hit reports whether a call would have been stopped.
func hit(t *transcript.ToolCall, dir string, patterns []guard.Pattern) (Hit, bool) {
	c := guard.Look(t.Name, t, dir)
	i := slices.IndexFunc(patterns, func(p guard.Pattern) bool { return p.Matches(c) })
	if i < 0 {
		return Hit{}, false
	}
	h := Hit{id: t.ID, Call: t.Command, Outcome: Open}
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
func (h *Hit) heard(t transcript.Turn) {
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
