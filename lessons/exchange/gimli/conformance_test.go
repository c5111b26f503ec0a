package gimli

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"learnings/lessons"
	"learnings/lessons/exchange"
)

type recorded struct {
	Test            string
	Input, Expected json.RawMessage
}

// suites reads recorded cases: those of testdata, and all that lie beside the checkout.
func suites(t *testing.T, name string) []recorded {
	t.Helper()
	var out []recorded
	for _, path := range []string{filepath.Join("testdata", "cases.json"), filepath.Join("..", "..", "..", "..", "shared", "interop", "gimli", "cases.json")} {
		data, err := os.ReadFile(path)
		if os.IsNotExist(err) && len(out) > 0 {
			t.Logf("%s is not there: only the cases of testdata are run", path)
			break
		}
		var all struct {
			Suites []struct {
				Name  string
				Cases []recorded
			}
		}
		if err == nil {
			err = json.Unmarshal(data, &all)
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range all.Suites {
			if s.Name == name {
				out = append(out, s.Cases...)
			}
		}
	}
	return out
}

func decode(t *testing.T, data []byte, into ...any) {
	t.Helper()
	var parts []json.RawMessage
	if err := json.Unmarshal(data, &parts); err != nil {
		t.Fatal(err)
	}
	for i, p := range parts {
		if err := json.Unmarshal(p, into[i]); err != nil {
			t.Fatal(err)
		}
	}
}

// TestConformance runs the recorded cases of what this package does.
func TestConformance(t *testing.T) {
	for suite, run := range map[string]func(*testing.T, recorded) any{
		"calculateOutcomeScore": func(t *testing.T, c recorded) any {
			var reaction string
			if err := json.Unmarshal(c.Input, &reaction); err != nil {
				t.Fatal(err)
			}
			return lessons.Reactions[reaction].Reward
		},
		"outcomeToLearning": func(t *testing.T, c recorded) any {
			var o outcome
			var r reminder
			var m metrics
			decode(t, c.Input, &o, &r, &m)
			return draw(o, r, m, time.UTC)
		},
		"generateSystemLearnings": func(t *testing.T, c recorded) any {
			var agent string
			var s stats
			decode(t, c.Input, &agent, &s)
			return s.draw()
		},
	} {
		t.Run(suite, func(t *testing.T) {
			for _, c := range suites(t, suite) {
				data, err := json.Marshal(run(t, c))
				if err != nil {
					t.Fatal(err)
				}
				var a, b any
				if err := errors.Join(json.Unmarshal(data, &a), json.Unmarshal(c.Expected, &b)); err != nil {
					t.Fatal(err)
				}
				if !reflect.DeepEqual(a, b) {
					t.Errorf("%s\n of %s\n is %s\nnot %s", c.Test, c.Input, data, c.Expected)
				}
			}
		})
	}
}

// TestSystemLearnings: what the recorded cases leave out.
func TestSystemLearnings(t *testing.T) {
	var p stats
	err := json.Unmarshal([]byte(`{
		"byPriority":{"low":{"count":5,"avgEffectiveness":0.9},"urgent":{"count":3,"avgEffectiveness":0.8},"normal":{"count":2,"avgEffectiveness":0.9}},
		"byTimeOfDay":{"night":{"count":4,"avgEffectiveness":0.1},"morning":{"count":4,"avgEffectiveness":0.7},"evening":{"count":2,"avgEffectiveness":0}},
		"overall":{"totalShowings":9,"avgEffectiveness":0.5}}`), &p)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, d := range p.draw() {
		got = append(got, d.Category+" "+d.Content)
	}
	if want := "pattern urgent, low priority reminders work well for this user|preference Reminders are most effective in the morning|correction Avoid sending reminders in the night - low engagement"; strings.Join(got, "|") != want {
		t.Errorf("got %q", got)
	}
}

const outcomes = `{
 "agentId": "ops",
 "reminders": [
  {"id": "r1", "title": "Stand-up", "trigger": {"type": "recurring", "cron": "0 9 * * *"}},
  {"id": "r2", "title": "Backup", "trigger_type": "context", "trigger_spec": "deploy"}
 ],
 "metrics": [
  {"reminder_id": "r1", "total_showings": 3, "completion_rate": 0.667},
  {"reminderId": "r2", "totalShowings": 3, "dismissalRate": 0.667, "avgContextRelevanceScore": 0.15}
 ],
 "feedback": [
  {"reminder_id": "r1", "reaction": "completed", "reaction_time_ms": 30000},
  {"reminder_id": "r1", "reaction": "acted"},
  {"reminder_id": "r1", "reaction": "completed"},
  {"reminderId": "r2", "reaction": "ignored", "contextRelevanceScore": 0.1},
  {"reminderId": "r2", "reaction": "dismissed"},
  {"reminderId": "r2", "reaction": "dismissed", "contextRelevanceScore": 0.2},
  {"reminderId": "r2", "reaction": "shouted"},
  {"reminderId": "r3", "reaction": "acted"}
 ]
}`

// TestReminders: each reminder gives what is known at last, in the names of Gimli's tables
// and of its functions.
func TestReminders(t *testing.T) {
	path := write(t, "reminders.json", outcomes)
	if !(Reminders{}).Detect(path) || (Format{}).Detect(path) {
		t.Error("detected as something else")
	}
	found, err := Reminders{}.Read(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range found.Entries {
		l := e.Lesson
		if err := l.Validate(); err != nil {
			t.Error(err)
		}
		got = append(got, string(l.Category)+" "+l.Confidence.Word()+" "+l.Content+" "+l.Scope.Role+" "+l.Evidence[0].Quote)
	}
	want := `pattern high Reminder "Stand-up" is effective ops completed; 3 showings, 67% completed, 0% dismissed` + "\n" +
		`correction medium Reminder "Backup" is not working well - dismissed 67% of the time - context pattern may be too broad ops dismissed; 3 showings, 0% completed, 67% dismissed`
	if strings.Join(got, "\n") != want {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), want)
	}
	if len(found.Unread) != 2 || !strings.Contains(found.Unread[0].Error(), `outcome 7: the reaction "shouted" is none of Gimli's`) || !strings.Contains(found.Unread[1].Error(), `outcome 8: its reminder "r3" is not in the file`) {
		t.Errorf("unread: %v", found.Unread)
	}
	if _, err := (Reminders{}).Plan(context.Background(), exchange.Target{Path: path}, nil); !errors.Is(err, exchange.ErrOneWay) {
		t.Errorf("writing: %v", err)
	}
	for _, text := range []string{"{", "{}", "[]", `{"outcomes":3}`} {
		if _, err := (Reminders{}).Read(context.Background(), write(t, "x.json", text)); !errors.Is(err, exchange.ErrFormat) {
			t.Errorf("reading %s: %v", text, err)
		}
	}
}

// FuzzReminders: no file is too odd to be read.
func FuzzReminders(f *testing.F) {
	f.Add([]byte(outcomes))
	f.Add([]byte(`[[{"reminderId":"a","reaction":"acted"},{"title":"x","trigger":{"type":"scheduled","datetime":1e300}},{"totalShowings":3}], null, []]`))
	f.Fuzz(func(t *testing.T, data []byte) {
		path := filepath.Join(t.TempDir(), "reminders.json")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		found, err := Reminders{}.Read(context.Background(), path)
		if err != nil {
			return
		}
		for _, e := range found.Entries {
			if e.Lesson.Status != lessons.Pending || e.Lesson.Content == "" {
				t.Fatalf("%+v", e)
			}
		}
	})
}
