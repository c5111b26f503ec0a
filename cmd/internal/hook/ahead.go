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

// A Preview predicts what sessions will be given, with the code of the hooks.
type Preview struct {
	Index  *index.Index
	Reread recall.Confirm
	Budget recall.Budget                     // of a session; 0 lessons gives nothing
	Tree   func(project string) *recall.Tree // nil skips the search for names
	State  string                            // of the corpus; "" has no prompts
}

// Projects returns the names of projects with approved lessons, as written.
func (p *Preview) Projects(ctx context.Context) ([]string, error) {
	all, err := p.Index.Projects(ctx)
	maps.DeleteFunc(all, func(_ string, n map[lessons.Status]int) bool { return n[lessons.Approved] == 0 })
	return slices.SortedFunc(maps.Keys(all), func(a, b string) int {
		return cmp.Or(cmp.Compare(strings.ToLower(a), strings.ToLower(b)), cmp.Compare(a, b))
	}), err
}

// Ahead returns what the model of an agent, named as in --for, will have read by the
// first prompt of its next session: for each event with an answer, the text given and the
// lessons left out. An agent whose hooks are unknown, or take no lessons then, is told
// nothing. Without a name it returns what `learnings inject` prints, which is the only one
// to know files.
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
		if a = agentNamed(name, ""); a.name == "" || a.hears == whenAsked {
			return out, nil
		}
		s.Agent = a.transcript
	}
	switch {
	case budget.Lessons < 1:
		return out, nil
	case a.hears == byItself:
		return injected(s, task, budget.OrDefault(), pick)
	}
	s.Files = nil // hooks are not told of files
	first := ""
	if a.hears == atStart {
		first = task
	}
	var considered [][]recall.Choice
	// tells adds chosen lessons in the agent's form.
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

// injected returns what `learnings inject` prints.
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

// inject is the command for agents that ask by themselves.
const inject = "learnings inject"

// Takes describes when an agent is given lessons; "" if its hooks are unknown or take
// none by the first prompt.
func Takes(name string) string {
	switch a := agentNamed(name, ""); a.hears {
	case atStart:
		return a.eventName(sessionStart, "") + ", with the first prompt"
	case nowhere:
		return a.eventName(sessionStart, "") + " alone"
	case byItself:
		return "runs " + inject
	default:
		if a.name == "" || a.hears == whenAsked {
			return ""
		}
		return a.eventName(sessionStart, "") + ", then " + a.eventName(userPrompt, "")
	}
}

// block formats chosen lessons.
func block(s recall.Situation, chosen []recall.Choice, b recall.Budget) (recall.Telling, error) {
	var text strings.Builder
	if err := recall.Write(&text, chosen, recall.Style{Project: s.Project}); err != nil {
		return recall.Telling{}, fmt.Errorf("writing the lessons: %v", err)
	}
	return recall.Telling{Choices: chosen, Budget: b, Text: text.String()}, nil
}
