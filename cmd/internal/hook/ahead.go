package hook

import (
	"cmp"
	"context"
	"fmt"
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

// Projects are the names of those that have approved lessons, as they are written.
func (p *Preview) Projects(ctx context.Context) ([]string, error) {
	all, err := p.Index.Projects(ctx)
	maps.DeleteFunc(all, func(_ string, n map[lessons.Status]int) bool { return n[lessons.Approved] == 0 })
	return slices.SortedFunc(maps.Keys(all), func(a, b string) int {
		return cmp.Or(cmp.Compare(strings.ToLower(a), strings.ToLower(b)), cmp.Compare(a, b))
	}), err
}

// Ahead gives what the model of an agent, as --for names it, will have read when the
// first prompt of its next session is the one of the situation: at each moment at which
// it takes something, what it is told, and what was considered and left out. An agent
// without a name is told what `learnings inject` prints. Only that one knows of files.
func (p *Preview) Ahead(ctx context.Context, name string, s recall.Situation) (recall.Ahead, error) {
	if p.Tree != nil {
		s.Tree = p.Tree(s.Project)
		defer s.Tree.Close()
	}
	if p.State != "" {
		s.Known = recall.KnownOf(p.State, s.Project)
	}
	task := s.Prompt
	s.Prompt = ""
	return ahead(name, s, task, p.Budget, func(s recall.Situation, b recall.Budget, _ bool) ([]recall.Choice, error) {
		return recall.Pick(ctx, p.Index, p.Reread, s, b)
	})
}

func ahead(name string, s recall.Situation, task string, budget recall.Budget, pick recall.Picker) (out recall.Ahead, err error) {
	a := agent{hears: byItself}
	if name != "" {
		if a = agentNamed(name, ""); a.name == "" {
			return out, fmt.Errorf("there is no agent %q", name)
		}
		s.Agent = a.transcript
	}
	switch {
	case budget.Lessons < 1:
		return out, nil
	case a.hears == byItself:
		return injected(s, task, budget.OrDefault(), pick)
	}
	s.Files = nil // no hook is told of any
	first := ""
	if a.hears == atStart {
		first = task
	}
	var considered [][]recall.Choice
	// tells writes what was chosen in the form of the agent.
	tells := func(e event, chosen []recall.Choice, b recall.Budget) error {
		considered = append(considered, chosen)
		t, err := block(s, chosen, b)
		t.Event = a.eventName(e, "")
		t.Wire = string(a.context(e, t.Event, t.Text))
		out.Told = append(out.Told, t)
		return err
	}
	start, err := pick.Whole(s, first, budget)
	if err == nil {
		err = tells(sessionStart, start, budget.AtStart())
	}
	if err == nil && a.hears == atPrompt {
		var about []recall.Choice
		b := recall.OnPrompt
		b.Lessons = min(b.Lessons, budget.Lessons)
		if about, err = pick.About(s, task, recall.IDs(start), budget.Lessons); err == nil {
			err = tells(userPrompt, about, b)
		}
	}
	if err == nil && a.hears != nowhere {
		var beside []recall.Choice
		s.All = true
		beside, err = pick.About(s, task, recall.IDs(start), budget.Lessons)
		considered = append(considered, beside)
	}
	if err != nil {
		return recall.Ahead{}, err
	}
	out.Out = recall.Nearest(considered...)
	return out, nil
}

// injected is what `learnings inject` gives.
func injected(s recall.Situation, task string, b recall.Budget, pick recall.Picker) (recall.Ahead, error) {
	s.Prompt = task
	chosen, err := pick.Given(s, b)
	if err != nil {
		return recall.Ahead{}, err
	}
	if task == "" {
		b = b.AtStart()
	}
	t, err := block(s, chosen, b)
	if err != nil {
		return recall.Ahead{}, err
	}
	t.Event, t.Wire = inject, t.Text
	s.All = true
	all, err := pick(s, b, false)
	return recall.Ahead{Told: []recall.Telling{t}, Out: recall.Nearest(chosen, all)}, err
}

// inject is what an agent runs that asks by itself.
const inject = "learnings inject"

// Takes says when an agent is told something, in a few words.
func Takes(name string) string {
	switch a := agentNamed(name, ""); a.hears {
	case atStart:
		return a.eventName(sessionStart, "") + ", with the first prompt"
	case nowhere:
		return a.eventName(sessionStart, "") + " alone"
	case byItself:
		return "runs " + inject
	default:
		return a.eventName(sessionStart, "") + ", then " + a.eventName(userPrompt, "")
	}
}

// block writes what was chosen.
func block(s recall.Situation, chosen []recall.Choice, b recall.Budget) (recall.Telling, error) {
	var text strings.Builder
	if err := recall.Write(&text, chosen, recall.Style{Project: s.Project}); err != nil {
		return recall.Telling{}, fmt.Errorf("writing the lessons: %v", err)
	}
	return recall.Telling{Choices: chosen, Budget: b, Text: text.String()}, nil
}
