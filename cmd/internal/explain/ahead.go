package explain

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"learnings/cmd/internal/agents"
	"learnings/cmd/internal/hook"
	"learnings/index"
	"learnings/index/recall"
	"learnings/lessons"
)

// An Agent is one whose next session can be looked at.
type Agent struct {
	Name, Title string
	Takes       string // in a few words, when it is told something
	Here        bool   // it is on this machine
}

// Agents are all that can be wired in.
func Agents(w agents.World) (all []Agent) {
	here := agents.Find(w)
	for _, name := range agents.Names() {
		a, _ := agents.Get(w, name)
		all = append(all, Agent{name, a.Title, hook.Takes(name), slices.ContainsFunc(here, func(a agents.Agent) bool { return a.Name == name })})
	}
	return all
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

// A Preview chooses what next sessions would be told, as their hooks will. What does not
// depend on the task is chosen anew only when the index has changed, or after a while.
type Preview struct {
	Index  *index.Index
	Reread recall.Confirm
	Budget recall.Budget                     // of a session; no lessons for nothing
	Tree   func(project string) *recall.Tree // nil looks nothing up
	State  string                            // of the corpus; "" knows no prompts

	mu    sync.Mutex
	at    lessons.Cursor
	since time.Time
	known map[standing][]recall.Choice
}

// lasting is how long a choice is good for: files may be edited without the index.
const lasting = 2 * time.Second

// A standing is all that a choice depends on that is not about a task.
type standing struct {
	project, role, agent string
	trust, all           bool
	budget               recall.Budget
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
	return hook.Ahead(agent, s, task, p.Budget, func(s recall.Situation, b recall.Budget, _ bool) ([]recall.Choice, error) {
		return p.pick(ctx, s, b)
	})
}

// pick chooses, or gives what was chosen for the same.
func (p *Preview) pick(ctx context.Context, s recall.Situation, b recall.Budget) ([]recall.Choice, error) {
	if s.Prompt != "" || len(s.Had) > 0 || len(s.Files) > 0 {
		return recall.Pick(ctx, p.Index, p.Reread, s, b)
	}
	key := standing{s.Project, s.Role, s.Agent, s.TrustEdits, s.All, b}
	at := p.Index.Noted()
	p.mu.Lock()
	if p.known == nil || at != p.at || s.Now.Sub(p.since).Abs() > lasting {
		p.at, p.since, p.known = at, s.Now, map[standing][]recall.Choice{}
	}
	chosen, ok := p.known[key]
	p.mu.Unlock()
	if ok {
		return chosen, nil
	}
	chosen, err := recall.Pick(ctx, p.Index, p.Reread, s, b)
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.at == at {
		p.known[key] = chosen
	}
	return chosen, nil
}
