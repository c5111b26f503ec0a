package style

import (
	"fmt"
	"io"

	"learnings/cmd/internal/term"
	"learnings/lessons"
	"learnings/lessons/exchange/observations"
)

// NameClaudeMem is the style of claude-mem.
const NameClaudeMem = observations.Name

// ClaudeMemStats is what claude-mem says of the observations that it gives.
type ClaudeMemStats struct{ observations.Economics }

// ClaudeMem counts lessons as claude-mem does.
func ClaudeMem(ls []lessons.Lesson) ClaudeMemStats {
	return ClaudeMemStats{observations.EconomicsOf(ls)}
}

// Terminal is for people.
func (s ClaudeMemStats) Terminal(p *term.Page) {
	p.Line("Stats: %d obs (%dt read) | %dt work | %d%% savings", s.Observations, s.Read, s.Discovery, s.Percent)
}

// Plain is for scripts.
func (s ClaudeMemStats) Plain(w io.Writer) {
	for _, r := range []struct {
		name string
		n    int
	}{{"observations", s.Observations}, {"read", s.Read}, {"work", s.Discovery}, {"savings", s.Savings}, {"percent", s.Percent}} {
		term.TSV(w, r.name, fmt.Sprint(r.n))
	}
}

// Objects are the counts in claude-mem's words.
func (s ClaudeMemStats) Objects() []any { return []any{s.Economics} }
