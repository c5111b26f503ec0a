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

// TestAhead checks that a preview equals what each agent is then given, byte for byte.
func TestAhead(t *testing.T) {
	const task = "the prices of the checkout page are wrong"
	for _, a := range agents[1:] {
		t.Run(a.name, func(t *testing.T) {
			ls := append(prices(), lesson("dddd", "Ask before pushing to a shared branch"), lesson("eeee", "Tabs in makefiles, please"))
			ls[1].Category, ls[4].Category = "error", "error" // only the first matches the task
			c := desk(t, ls...)
			c.For = a.name
			p := &Preview{Index: index.At(c.Index), Budget: recall.Budget{Lessons: c.MaxInject, Start: c.StartTokens}}
			ahead, err := p.Ahead(t.Context(), a.name, recall.Situation{Project: "octofs", Role: c.Role, Now: noon, Prompt: task})
			if err != nil {
				t.Fatal(err)
			}
			if names, err := p.Projects(t.Context()); err != nil || !slices.Equal(names, []string{"octofs"}) {
				t.Errorf("projects %q, %v", names, err)
			}
			told := ahead.Told
			if a.hears == whenAsked {
				if len(told) > 0 || len(ahead.Out) > 0 || Takes(a.name) != "" {
					t.Errorf("%+v", ahead)
				}
				return
			}
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
	if got, err := (&Preview{Budget: recall.Budget{Lessons: 5}}).Ahead(t.Context(), "kiro", recall.Situation{}); err != nil || len(got.Told) > 0 || Takes("kiro") != "" {
		t.Errorf("an agent without hooks: %+v, %v", got, err)
	}
	if got, err := (&Preview{}).Ahead(t.Context(), "claude", recall.Situation{}); err != nil || len(got.Told) > 0 {
		t.Errorf("with none allowed: %+v, %v", got, err)
	}
}

func run(t *testing.T, c Config, event, payload string) string {
	t.Helper()
	var out bytes.Buffer
	Run(t.Context(), event, strings.NewReader(payload), &out, c)
	return out.String()
}
