package tui

import (
	"context"
	"errors"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/exp/golden"

	"learnings/tui/desk"
)

// withModels gives a desk two models and records which were asked.
func withModels(t *testing.T, fail error) (desk.Desk, *[]string) {
	t.Helper()
	fx := fxOn(newCorpus(t, proposals()...))
	fx.Sessions = func(context.Context) iter.Seq2[desk.Session, error] {
		return func(yield func(desk.Session, error) bool) {
			_ = yield(desk.Session{Path: "/s/one.jsonl", Agent: "claude-code", Project: "octofs", ID: "one", Start: noon, Size: 4000, Human: 3, Taken: 1}, nil) &&
				yield(desk.Session{Path: "/s/two.jsonl", Agent: "codex", Project: "octofs", ID: "two", Start: noon.AddDate(0, 0, -1), Size: 9000, Human: 5, Taken: 2}, nil)
		}
	}
	fx.Extract = func(context.Context, []string) iter.Seq[desk.Read] { return func(func(desk.Read) bool) {} }
	asked := &[]string{}
	fx.AtHand = func(context.Context) desk.AtHand { return desk.AtHand{Model: "claude:haiku", Answered: true} }
	fx.Model = func(_ context.Context, name string, paths []string) (desk.ModelRun, error) {
		r := desk.ModelRun{Name: "claude:haiku", Where: "/usr/bin/claude · uses the login of Claude Code", Names: []string{"claude:haiku", "ollama:qwen3"},
			Sessions: 2, Calls: 1, Tokens: 5230, Cost: "at most $0.012", Ceiling: "$1.00", Text: "=== one two\nYou read sessions.\nP1 person: never use npm"}
		r.Answered = true
		if len(paths) > 0 {
			r.Sessions = len(paths)
		}
		if name == "ollama:qwen3" {
			r.Name, r.Where, r.Cost, r.Ceiling = name, "http://localhost:11434/v1 · runs on this machine", "free", ""
		}
		r.Run = func(_ context.Context, progress func(desk.Progress)) (desk.Found, error) {
			*asked = append(*asked, r.Name+" "+strings.Join(paths, " "))
			progress(desk.Progress{Path: "/s/one.jsonl", File: 1, Files: 2, Found: desk.Found{Lessons: 1}})
			return desk.Found{Lessons: 3, Offered: 2}, fail
		}
		return r, nil
	}
	return fx, asked
}

func TestAskModelLooks(t *testing.T) {
	for name, keys := range map[string][]string{"asked first": {"A"}, "another": {"A", "tab"}, "sent": {"A", "v"}, "sessions": {"tab", "tab"}} {
		t.Run(name, func(t *testing.T) {
			fx, asked := withModels(t, nil)
			golden.RequireEqual(t, playing(t, fx, 100, 24).press(keys...).text())
			if len(*asked) > 0 {
				t.Errorf("asked %v unasked", *asked)
			}
		})
	}
}

func TestAskModel(t *testing.T) {
	fx, asked := withModels(t, nil)
	p := playing(t, fx, 100, 24).press("A", "esc")
	p.wants(t, "A esc", "nothing was sent")
	p.press("A", "v", "enter", "esc", "tab", "enter")
	p.wants(t, "enter", "✓ ollama:qwen3: 3 lessons, 2 better wordings in Review")
	p.press("tab", "tab", "j", "space", "A", "enter")
	if want := []string{"ollama:qwen3 ", "claude:haiku /s/two.jsonl"}; !slices.Equal(*asked, want) {
		t.Errorf("asked %q, want %q\n%s", *asked, want, p.text())
	}

	fx, _ = withModels(t, errors.New("no login"))
	playing(t, fx, 100, 24).press("A", "enter").wants(t, "an error", "claude:haiku stopped: no login")
	fx.AtHand = nil
	playing(t, fx, 100, 24).press("A").wants(t, "no model", "no model is at hand")
}

// The first X asks once which model may read by itself: from now on, only now, or never.
// After that it does what was answered.
func TestModelIsAskedOnce(t *testing.T) {
	for name, c := range map[string]struct {
		keys, asked, agreed []string
		extracted           int
		says                string
	}{
		"from now on": {[]string{"X", "enter", "X"}, []string{"claude:haiku ", "claude:haiku "}, []string{"yes"}, 0, "in Review"},
		"only now":    {[]string{"X", "o"}, []string{"claude:haiku "}, nil, 0, "in Review"},
		"never":       {[]string{"X", "n", "X", "A", "esc"}, nil, []string{"no"}, 2, "nothing was sent"},
		"later":       {[]string{"X", "esc"}, nil, nil, 0, "nothing was sent"},
	} {
		t.Run(name, func(t *testing.T) {
			fx, asked := withModels(t, nil)
			list, model, extracted := fx.Sessions, fx.Model, 0
			var agreed []string
			fx.Sessions = func(ctx context.Context) iter.Seq2[desk.Session, error] {
				return func(yield func(desk.Session, error) bool) {
					for s, err := range list(ctx) {
						if s.New = s.ID == "one"; !yield(s, err) {
							return
						}
					}
				}
			}
			fx.AtHand = func(context.Context) desk.AtHand { return desk.AtHand{Model: "claude:haiku"} }
			fx.Extract = func(context.Context, []string) iter.Seq[desk.Read] { return func(func(desk.Read) bool) { extracted++ } }
			fx.Model = func(ctx context.Context, name string, paths []string) (desk.ModelRun, error) {
				r, err := model(ctx, name, paths)
				r.Answered, r.PerDay = len(agreed) > 0, "$0.50"
				r.Agree = func(yes bool) error {
					agreed = append(agreed, map[bool]string{true: "yes", false: "no"}[yes])
					return nil
				}
				return r, err
			}
			p := playing(t, fx, 100, 24)
			p.press(c.keys[0])
			p.wants(t, "X", "at most $0.50 a day")
			if len(*asked) > 0 || extracted > 0 {
				t.Errorf("before the answer it asked %q and read %d", *asked, extracted)
			}
			p.press(c.keys[1:]...).wants(t, name, c.says)
			if !slices.Equal(*asked, c.asked) || !slices.Equal(agreed, c.agreed) || extracted != c.extracted {
				t.Errorf("asked %q, agreed %q, read %d by rules", *asked, agreed, extracted)
			}
		})
	}
}

// When all is judged, the page names the key that asks a model.
func TestEmptyQueueNamesTheModel(t *testing.T) {
	fx, _ := withModels(t, nil)
	fx.AtHand = func(context.Context) desk.AtHand { return desk.AtHand{Model: "claude:haiku"} }
	c := newCorpus(t)
	fx.Corpus, fx.Look, fx.Shared = c.Corpus, c, desk.NewShared(c.Corpus)
	playing(t, fx, 100, 24).wants(t, "empty", "A asks claude:haiku to read what no")
}
