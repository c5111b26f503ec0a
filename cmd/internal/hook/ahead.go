package hook

import (
	"fmt"
	"strings"

	"learnings/index/recall"
)

// Ahead gives what the model of an agent, as --for names it, will have read when the
// first prompt of its next session is the task: at each moment at which it takes
// something, what it is told, and what was considered and left out. An agent without a
// name is told what `learnings inject` prints. Of files only that one knows, and an
// agent that calls it.
func Ahead(name string, s recall.Situation, task string, budget recall.Budget, pick recall.Picker) (recall.Ahead, error) {
	a := agent{hears: byItself}
	if name != "" {
		if a = agentNamed(name, ""); a.name == "" {
			return recall.Ahead{}, fmt.Errorf("there is no agent %q", name)
		}
		s.Agent = a.transcript
	}
	switch {
	case budget.Lessons < 1:
		return recall.Ahead{}, nil
	case a.hears == byItself:
		return injected(s, task, budget.OrDefault(), pick)
	}
	s.Files = nil // no hook is told of any
	first := ""
	if a.hears == atStart {
		first = task
	}
	chosen, err := pick.Whole(s, first, budget)
	if err != nil {
		return recall.Ahead{}, err
	}
	start, err := a.tells(sessionStart, s, chosen, budget.AtStart())
	if err != nil {
		return recall.Ahead{}, err
	}
	told, considered := []recall.Telling{start}, [][]recall.Choice{chosen}
	if a.hears == atPrompt {
		about, err := pick.About(s, task, recall.IDs(chosen), budget.Lessons)
		if err != nil {
			return recall.Ahead{}, err
		}
		b := recall.OnPrompt
		b.Lessons = min(b.Lessons, budget.Lessons)
		then, err := a.tells(userPrompt, s, about, b)
		if err != nil {
			return recall.Ahead{}, err
		}
		told, considered = append(told, then), append(considered, about)
	}
	if a.hears != nowhere {
		s.All = true
		beside, err := pick.About(s, task, recall.IDs(chosen), budget.Lessons)
		if err != nil {
			return recall.Ahead{}, err
		}
		considered = append(considered, beside)
	}
	return recall.Ahead{Told: told, Out: recall.Nearest(considered...)}, nil
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

// inject is what an agent runs that asks by itself.
const inject = "learnings inject"

// tells writes what was chosen in the form of an agent.
func (a agent) tells(e event, s recall.Situation, chosen []recall.Choice, b recall.Budget) (recall.Telling, error) {
	t, err := block(s, chosen, b)
	t.Event = a.eventName(e, "")
	if err != nil {
		return t, err
	}
	wire, err := a.context(e, t.Event, t.Text)
	t.Wire = string(wire)
	return t, err
}

// block writes what was chosen.
func block(s recall.Situation, chosen []recall.Choice, b recall.Budget) (recall.Telling, error) {
	var text strings.Builder
	if err := recall.Write(&text, chosen, recall.Style{Project: s.Project}); err != nil {
		return recall.Telling{}, fmt.Errorf("writing the lessons: %v", err)
	}
	return recall.Telling{Choices: chosen, Budget: b, Text: text.String()}, nil
}
