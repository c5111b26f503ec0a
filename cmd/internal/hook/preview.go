package hook

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"learnings/index"
	"learnings/index/recall"
	"learnings/lessons"
)

// A Preview chooses what next sessions will be told, as their hooks do.
type Preview struct {
	Index  *index.Index
	Reread recall.Confirm
	Budget recall.Budget                     // of a session; no lessons for nothing
	Tree   func(project string) *recall.Tree // nil looks nothing up
	State  string                            // of the corpus; "" knows no prompts
}

// Ahead gives what the next session of an agent would be told, were its first prompt
// the one of the situation. An agent without a name runs `learnings inject`.
func (p *Preview) Ahead(ctx context.Context, agent string, s recall.Situation) (recall.Ahead, error) {
	if p.Tree != nil {
		s.Tree = p.Tree(s.Project)
		defer s.Tree.Close()
	}
	if p.State != "" {
		s.Known = recall.KnownOf(p.State, s.Project)
	}
	task := s.Prompt
	s.Prompt = ""
	return Ahead(agent, s, task, p.Budget, func(s recall.Situation, b recall.Budget, _ bool) ([]recall.Choice, error) {
		return recall.Pick(ctx, p.Index, p.Reread, s, b)
	})
}

// Projects are the names of those that have approved lessons, as they are written.
func (p *Preview) Projects(ctx context.Context) ([]string, error) {
	all, err := p.Index.Projects(ctx)
	for name, n := range all {
		if n[lessons.Approved] == 0 {
			delete(all, name)
		}
	}
	return slices.SortedFunc(maps.Keys(all), func(a, b string) int {
		return cmp.Or(cmp.Compare(strings.ToLower(a), strings.ToLower(b)), cmp.Compare(a, b))
	}), err
}
