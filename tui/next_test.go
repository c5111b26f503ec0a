package tui

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"learnings/index"
	"learnings/index/recall"
	"learnings/lessons"
	"learnings/lessons/exchange/formats"
	"learnings/lessons/store"
	"learnings/tui/desk"
)

// telling chooses as hooks do: general lessons at the start, and those about the task
// with the prompt.
func telling(x *index.Index, reread recall.Confirm) desk.NextConfig {
	return desk.NextConfig{
		Project: "octofs",
		Agents: func() []desk.NextAgent {
			return []desk.NextAgent{{Name: "claude", Title: "Claude Code", Takes: "SessionStart, then UserPromptSubmit", Here: true}, {Name: "cursor", Title: "Cursor", Takes: "sessionStart alone", Here: false}, {Name: "cline", Title: "Cline", Takes: "runs learnings inject", Here: false}}
		},
		Projects: func(context.Context) ([]string, error) { return []string{"octofs", "shopfront"}, nil },
		Ahead: func(ctx context.Context, agent string, s recall.Situation) (recall.Ahead, error) {
			var pick recall.Picker = func(s recall.Situation, b recall.Budget, _ bool) ([]recall.Choice, error) {
				return recall.Pick(ctx, x, reread, s, b)
			}
			task := s.Prompt
			s.Prompt = ""
			start, err := pick.Whole(s, "", recall.Budget{Lessons: 3})
			if err != nil {
				return recall.Ahead{}, err
			}
			all := [][]recall.Choice{start}
			told := []recall.Telling{tells("SessionStart", s, start, recall.Budget{Lessons: 3}.AtStart())}
			if agent != "cursor" {
				about, err := pick.About(s, task, recall.IDs(start), 3)
				if err != nil {
					return recall.Ahead{}, err
				}
				s.All = true
				beside, err := pick.About(s, task, recall.IDs(start), 3)
				if err != nil {
					return recall.Ahead{}, err
				}
				all, told = append(all, about, beside), append(told, tells("UserPromptSubmit", s, about, recall.OnPrompt))
			}
			return recall.Ahead{Told: told, Out: recall.Nearest(all...)}, nil
		},
	}
}

func tells(event string, s recall.Situation, chosen []recall.Choice, b recall.Budget) recall.Telling {
	var text strings.Builder
	_ = recall.Write(&text, chosen, recall.Style{Project: s.Project})
	return recall.Telling{Event: event, Choices: chosen, Text: text.String(), Wire: fmt.Sprintf("{%q:%q}\n", "text", text.String()), Budget: b}
}

// inForce returns approved lessons of one project. A session gets two at its start; the
// others are cures.
func inForce() []lessons.Lesson {
	ls := proposals()
	more := []string{"Give every git fetch a timeout in resume", "Ask before running the e2e tests", "Check designs in as text, never as pictures"}
	for i, text := range more {
		l := ls[0]
		l.ID, l.Content, l.Confidence = lessons.ID(fmt.Sprintf("next%04d", i)), text, lessons.Confidence(0.9-0.2*float64(i))
		l.Evidence = append([]lessons.Evidence(nil), l.Evidence...)
		ls = append(ls, l)
	}
	for i := range ls {
		ls[i].Status, ls[i].Decided = lessons.Approved, lessons.Decision{By: "Ada", At: noon.AddDate(0, 0, -1)}
		if id := ls[i].ID; id != "next0000" && id != "d9u4p2nm" {
			ls[i].Category = "error"
		}
	}
	return ls
}

func fxTelling(t testing.TB, ls ...lessons.Lesson) desk.Desk {
	c := newCorpus(t, ls...)
	fx := fxOn(c)
	fx.Next, fx.TrustEdits = telling(c.Index, c.Store.Reread), true
	return fx
}

// tellingAt configures a place.
func tellingAt(c *desk.Config) {
	c.Next, c.TrustEdits = telling(c.Corpus.Index, c.Corpus.Store.Reread), true
}

// opening is what an agent reads beside the lessons of inForce.
func opening(path, text string) formats.Opening {
	mine := formats.Stated{Text: "Give every git fetch a timeout in resume", Where: "L-next0000", Lesson: "next0000"}
	return formats.Opening{
		Files: []formats.Start{
			{Path: path, Name: "CLAUDE.md", Text: text}, {Path: path, Name: "docs/git.md", From: "CLAUDE.md", Text: "Rebase, never merge."},
			{Path: path, Name: "~/.claude/projects/-octofs/memory/MEMORY.md", Text: "- one", Left: []string{"its last 30 lines are not read: the limit is 200 lines and 25 KB"}},
		},
		Clashes: []formats.Clash{
			{Opposite: true, A: formats.Stated{Text: "Use npm, never pnpm.", Path: path, Line: 2, Where: "CLAUDE.md:2"}, B: formats.Stated{Text: "Always use pnpm.", Path: path, Line: 1, Where: "docs/git.md:1"}},
			{A: formats.Stated{Text: "Set a timeout on each git fetch.", Path: path, Line: 1, Where: "CLAUDE.md:1"}, B: mine},
		},
	}
}

func readsFiles(fx desk.Desk, text string) desk.Desk {
	fx.Next.Reads = func(context.Context, string, string, []lessons.Lesson) formats.Opening {
		return opening("/p/CLAUDE.md", text)
	}
	return fx
}

// What clashes is settled where it stands: in the file, by the person's editor, or by
// archiving the lesson.
func TestNextSettles(t *testing.T) {
	file := filepath.Join(t.TempDir(), "CLAUDE.md")
	if err := os.WriteFile(file, []byte("Set a timeout on each git fetch.\nUse npm, never pnpm.\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	p := at(t, 120, 40, inForce(), tellingAt, func(c *desk.Config) {
		c.Editor = []string{"sed", "-i", "s/npm, never pnpm/pnpm/"}
		c.Next.Reads = func(context.Context, string, string, []lessons.Lesson) formats.Opening {
			text, _ := os.ReadFile(file)
			o := opening(file, string(text))
			if !strings.Contains(string(text), "never") {
				o.Clashes = o.Clashes[1:]
			}
			return o
		}
	})
	p.wait("Review")
	p.press("alt+5").see("it is told both", "to settle", "reads at its start", "docs/git.md", "included by CLAUDE.md", "! its last 30 lines are not read")
	p.press("enter").see("edit CLAUDE.md:2", "edit CLAUDE.md:1")
	p.press("enter").see("it is told twice", "L-next0000")
	p.press("j").see("CLAUDE.md", "2  Use pnpm.")
	p.press("k").see("it is told twice")
	p.press("enter").see("open L-next0000", "archive L-next0000")
	p.press("down", "down", "enter").see("✓ archived", "in 1  out")
	p.quit()
}

func TestNextHolds(t *testing.T) {
	bad := hostile()
	bad.Status, bad.Scope = lessons.Approved, lessons.Scope{Global: true}
	for _, ls := range [][]lessons.Lesson{{bad}, nil, append(inForce(), bad)} {
		p := playing(t, fxTelling(t, ls...), 100, 30).press("alt+5")
		for _, keys := range [][]string{{}, {"G"}, {"J", "J"}, {"v"}, {"/", "x"}, {"enter", "esc", "a"}, {"esc", "r"}} {
			p.holds(t, keys, []int{60, 83, 84, 100, 160, 201}, []int{16, 24, 25, 40, 61})
		}
	}
	p := playing(t, readsFiles(fxTelling(t, inForce()...), bad.Content+"\n"+bad.Insight+strings.Repeat("\nmore", 50)), 100, 30).press("alt+5")
	for _, keys := range [][]string{{}, {"j", "j"}, {"J", "J"}, {"G"}, {"g", "enter"}} {
		p.holds(t, keys, []int{60, 83, 84, 160}, []int{16, 25, 40})
	}
}

// Lessons that the task adds are marked, and change with each key.
func TestTaskBringsALessonIn(t *testing.T) {
	p := at(t, 120, 40, inForce(), tellingAt)
	p.wait("Review")
	p.press("alt+5").see("SessionStart", "agent Claude Code", "what holds for every task", "nothing: no task is typed")
	p.press("/")
	p.write("prefer").see("nothing: the task says too little")
	for range len("prefer") {
		p.press("backspace")
	}
	p.write("check designs in as text")
	got := p.wait("+1 came in", "here because of the task", "▌ - Check designs in as text")
	if !strings.Contains(got, "UserPromptSubmit") {
		t.Errorf("when is it told?\n%s", got)
	}
	p.press("enter", "esc").see("what holds for every task")
	p.quit()
}

func TestPinFromNextAndUndo(t *testing.T) {
	p := at(t, 120, 40, inForce(), tellingAt)
	p.wait("Review")
	p.press("alt+5").see("in 2  out")
	p.press("j", "j")
	out := p.wait("3/")
	if !strings.Contains(out, "out") {
		t.Errorf("nothing is out:\n%s", out)
	}
	p.press("p")
	p.wait("✓ pinned", "▌1 ◆") // the cursor stays on it
	p.press("P").see("·  Run `make generate`")
	p.press("u").see("✓ undone", "▌1 ◆")
	p.quit()
}

func TestAnotherAgentAndProject(t *testing.T) {
	p := at(t, 120, 40, inForce(), tellingAt)
	p.wait("Review")
	p.press("alt+5").see("agent Claude Code", "in octofs")
	p.press("a").see("which agent", "sessionStart alone")
	p.write("cur").press("enter").see("agent Cursor", "SessionStart, ")
	p.press("w").see("which project", "shopfront")
	p.press("down", "down", "enter").see("in shopfront", "no lesson is approved for shopfront")
	p.press("w").see("which project", "octofs")
	p.write("octo").press("enter").see("in octofs", "in 2  out")
	p.press("r").see("which role")
	p.write("reviewer").press("enter").see("role reviewer")
	p.quit()
}

func TestFromNextToBrowse(t *testing.T) {
	p := at(t, 120, 40, inForce(), tellingAt)
	p.wait("Review")
	p.press("alt+5").see("in 2  out")
	p.press("G", "enter").see("id:")
	p.press("alt+5").see("in 2  out", "the block, byte for byte")
	p.press("v").see("as it is sent, byte for byte", `{"text"`)
	p.press("y").see("copied the block")
	p.quit()
}

// Changes by another program are shown, and a removed index is recreated.
func TestNextFollowsTheCorpus(t *testing.T) {
	p := at(t, 120, 40, inForce(), tellingAt)
	p.wait("Review")
	p.press("alt+5").see("in 2  out")
	l := inForce()[6]
	l.ID, l.Content, l.Pinned = "pinnedxx", "Say which branch a push goes to", true
	if err := putOutside(p, l); err != nil {
		t.Fatal(err)
	}
	p.press("R").see("- Say which branch a push goes to")
	gone, err := filepath.Glob(filepath.Join(filepath.Dir(p.dir), "state", "index*"))
	if err != nil || len(gone) == 0 {
		t.Fatalf("no index: %v", err)
	}
	for _, f := range gone {
		if err := os.RemoveAll(f); err != nil {
			t.Fatal(err)
		}
	}
	p.press("r", "enter").press("R").see("- Say which branch a push goes to")
	p.quit()
}

func TestNextCannotBeWorkedOut(t *testing.T) {
	p := at(t, 100, 30, inForce(), func(c *desk.Config) {
		c.Next = desk.NextConfig{Ahead: func(context.Context, string, recall.Situation) (recall.Ahead, error) {
			return recall.Ahead{}, errors.New("the disk is on fire\x1b[2J")
		}}
	})
	p.wait("Review")
	p.press("alt+5").see("could not be worked out", "is on fire")
	p.press("alt+1").see("Review")
	p.quit()
}

// putOutside stores a lesson as another program does.
func putOutside(p place, l lessons.Lesson) error {
	_, err := p.store.Put(store.Write{Op: lessons.OpAdd, By: "test"}, l)
	return err
}
