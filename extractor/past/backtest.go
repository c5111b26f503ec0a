package past

import (
	"cmp"
	"context"
	"slices"
	"time"

	"learnings/extractor/transcript"
	"learnings/index/recall"
	"learnings/lessons"
)

// BacktestOptions configure a [Backtest].
type BacktestOptions struct {
	Options
	State string // of the corpus, with what the person said; "" for none
	Done  func(f transcript.File, err error)

	Since  time.Time // sessions that began earlier are skipped
	Only   string    // the project of the sessions to replay; "" for all
	Role   string    // of the agents
	Trust  bool      // see recall.Situation.TrustEdits
	AsIf   bool
	Budget recall.Budget // at the start of a session
}

// A BacktestResult says what the lessons would have done.
type BacktestResult struct {
	First       time.Time `json:"first,omitzero"` // start of the first session
	Last        time.Time `json:"last,omitzero"`
	Sessions    int       `json:"sessions"` // replayed
	Prompts     int       `json:"prompts"`
	Precedents  int       `json:"sessions_with_precedent"` // sessions with a prompt on the subject of a lesson that existed then
	Corrections int       `json:"corrections"`             // by a person, of what the agent had just done
	Errors      int       `json:"errors"`                  // of tools, also seen in an earlier session
	Replayed

	// What could not be done.
	Unread int `json:"unread"`    // transcripts
	Bad    int `json:"bad_lines"` // lines
	Silent int `json:"silent"`    // transcripts in which no person says anything new
}

// Replayed says what would have been given, and which corrections and errors it would
// have met.
type Replayed struct {
	Starts      int      `json:"starts_given"`          // sessions given something at their start
	Asked       int      `json:"prompts_given"`         // prompts given something
	AtStart     int      `json:"lessons_at_start"`      // lessons given at starts
	AtPrompt    int      `json:"lessons_at_prompt"`     // … and at prompts
	AtCall      int      `json:"lessons_at_call"`       // … and for actions of the agent
	Tokens      int      `json:"tokens"`                // of everything given
	Met         int      `json:"corrections_met"`       // corrections on the subject of a lesson that the session had been given
	There       int      `json:"corrections_not_given"` // … of a lesson that existed but had not been given
	ErrorsMet   int      `json:"errors_met"`            // like Met, for errors
	ErrorsThere int      `json:"errors_not_given"`
	Examples    []Missed `json:"examples"` // corrections and errors that a lesson was about, at most [MostMissed]
}

// Missed is a correction or error that a lesson was about before it happened.
type Missed struct {
	Session string     `json:"session"`
	Path    string     `json:"path"`
	Line    int        `json:"line"`
	At      time.Time  `json:"at,omitzero"`
	Said    string     `json:"said"` // by the person or the tool; without secrets
	Error   bool       `json:"error,omitempty"`
	Lesson  lessons.ID `json:"lesson"`
	Content string     `json:"content"`
	Given   bool       `json:"given"` // whether the session had been given the lesson by then
}

// MostMissed is the most examples of a result.
const MostMissed = 10

// Backtest replays past sessions: what they would have been given if today's lessons
// had existed since they were decided on, and which corrections and errors they would
// have met.
//
// With [BacktestOptions.AsIf] lessons and proposals count as if a person had approved
// them at once: for the sessions that began after all of their evidence and are not
// part of it. So a lesson is never tried on a session that taught it. Lessons have
// their current wording, without later outcomes. The only errors are those of ctx and
// of the searcher.
func Backtest(ctx context.Context, files []transcript.File, x recall.Searcher, o BacktestOptions) (BacktestResult, error) {
	var res BacktestResult
	var sessions []*replaying
	for s, err := range o.sessions(ctx, files) {
		if o.Done != nil {
			o.Done(s.File, err)
		}
		if err != nil {
			res.Unread++
		}
		if err != nil || s.Excluded || o.Only != "" && s.Project != o.Only || s.Record.Session.Parent != "" { // subagents are given what their session is given
			continue
		}
		if r := replayOf(&s); !r.start.Before(o.Since) {
			sessions = append(sessions, r)
		}
	}
	if ctx.Err() != nil {
		return res, ctx.Err()
	}
	slices.SortStableFunc(sessions, func(a, b *replaying) int {
		return cmp.Or(a.start.Compare(b.start), cmp.Compare(a.path, b.path))
	})
	sessions = res.count(sessions)
	again := func(ctx context.Context, s *replaying) (replayed, error) { return replay(ctx, x, s, o) }
	for t, err := range transcript.ReadAll(ctx, transcript.All(sessions), again) {
		if err != nil {
			return res, err
		}
		res.add(t.given)
		if t.precedent {
			res.Precedents++
		}
	}
	return res, ctx.Err()
}

// count counts what is in sessions, in order of time. It drops what a session copied
// from an earlier one, errors that no earlier one had, and sessions with nothing left
// to answer.
func (r *BacktestResult) count(all []*replaying) (out []*replaying) {
	records := map[string]bool{}
	met := map[lessons.ID]bool{} // errors of earlier sessions
	for _, s := range all {
		r.Bad += s.bad
		var kept []step
		var own []lessons.ID
		prompts := 0
		for _, e := range s.steps {
			if key := e.record + "\x00" + string(e.kind); e.record != "" {
				if records[key] {
					continue
				}
				records[key] = true
			}
			switch e.kind {
			case toolFails:
				own = append(own, e.mistake)
				if met[e.mistake] {
					r.Errors++
				} else {
					e.kind = doing
				}
			case correction:
				r.Corrections++
				prompts++
			case prompt:
				prompts++
			}
			kept = append(kept, e)
		}
		for _, id := range own {
			met[id] = true
		}
		if prompts == 0 {
			r.Silent++
			continue
		}
		s.steps = kept
		r.Sessions++
		r.Prompts += prompts
		if r.First.IsZero() {
			r.First = s.start
		}
		r.Last = s.start
		out = append(out, s)
	}
	return out
}

func (g *Replayed) add(o Replayed) {
	g.Starts += o.Starts
	g.Asked += o.Asked
	g.AtStart += o.AtStart
	g.AtPrompt += o.AtPrompt
	g.AtCall += o.AtCall
	g.Tokens += o.Tokens
	g.Met += o.Met
	g.There += o.There
	g.ErrorsMet += o.ErrorsMet
	g.ErrorsThere += o.ErrorsThere
	for _, e := range o.Examples {
		if same := func(x Missed) bool { return x.Lesson == e.Lesson && x.Said == e.Said }; !slices.ContainsFunc(g.Examples, same) {
			g.Examples = append(g.Examples, e)
		}
	}
	// Met ones say most, and words of a person more than errors.
	slices.SortStableFunc(g.Examples, func(a, b Missed) int { return cmp.Compare(b.weight(), a.weight()) })
	g.Examples = g.Examples[:min(len(g.Examples), MostMissed)]
}

func (e Missed) weight() (w int) {
	if e.Given {
		w += 2
	}
	if !e.Error {
		w++
	}
	return w
}
