package hook

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"learnings/index"
	"learnings/index/recall"
)

// picks chooses from the index of a desk as its hooks do.
func picks(t *testing.T, c Config) recall.Picker {
	return func(s recall.Situation, b recall.Budget, _ bool) ([]recall.Choice, error) {
		return recall.Pick(t.Context(), index.At(c.Index), nil, s, b)
	}
}

// What is told ahead is what each agent is then told, byte for byte.
func TestAhead(t *testing.T) {
	const task = "the prices of the checkout page are wrong"
	for _, a := range agents[1:] {
		t.Run(a.name, func(t *testing.T) {
			ls := append(prices(), lesson("dddd", "Ask before pushing to a shared branch"), lesson("eeee", "Tabs in makefiles, please"))
			ls[1].Category, ls[4].Category = "error", "error" // the task brings the one, and nothing the other
			c := desk(t, ls...)
			c.For = a.name
			ahead, err := Ahead(a.name, recall.Situation{Project: "octofs", Role: c.Role, Now: noon}, task, recall.Budget{Lessons: c.MaxInject, Start: c.StartTokens}, picks(t, c))
			if err != nil {
				t.Fatal(err)
			}
			told := ahead.Told
			if slices.ContainsFunc(ahead.Out, func(x recall.Choice) bool { return x.In || x.Why == "" }) || len(ahead.Out) == 0 {
				t.Errorf("out: %+v", ahead.Out)
			}
			if a.hears == byItself {
				if len(told) != 1 || told[0].Event != "learnings inject" || !strings.Contains(told[0].Text, "[L-bbbb]") {
					t.Errorf("%+v", told)
				}
				return
			}
			said := fmt.Sprintf(`{"session_id":"s1","cwd":"/w/octofs","source":"startup","initial_prompt":%q,"prompt":""}`, "")
			if a.hears == atStart {
				said = fmt.Sprintf(`{"session_id":"s1","cwd":"/w/octofs","source":"startup","initial_prompt":%q}`, task)
			}
			got := run(t, c, SessionStart, said)
			if a.hears != atStart && strings.Contains(got, "[L-bbbb]") {
				t.Fatal("the start brings what the task is to bring")
			}
			if got != told[0].Wire {
				t.Errorf("at the start %s\nahead %s", got, told[0].Wire)
			}
			if a.hears != atPrompt {
				if len(told) != 1 {
					t.Errorf("told %d times", len(told))
				}
				return
			}
			got = run(t, c, string(userPrompt), fmt.Sprintf(`{"session_id":"s1","cwd":"/w/octofs","prompt":%q}`, task))
			if got != told[1].Wire || !strings.Contains(got, "[L-bbbb]") {
				t.Errorf("of the prompt %s\nahead %s", got, told[1].Wire)
			}
		})
	}
	if _, err := Ahead("nobody", recall.Situation{}, "", recall.Budget{Lessons: 5}, nil); err == nil {
		t.Error("an agent that there is not")
	}
}

func run(t *testing.T, c Config, event, payload string) string {
	t.Helper()
	var out bytes.Buffer
	Run(t.Context(), event, strings.NewReader(payload), &out, c)
	return out.String()
}
