package past

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"learnings/extractor/transcript"
	"learnings/index"
	"learnings/index/recall"
	"learnings/lessons"
)

var monday = time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC)

// said is a line of a session: who, and what; a call is "Tool: command", an answer that
// failed begins with "error: ".
type said struct{ who, text string }

func write(t *testing.T, dir, id string, at time.Time, turns ...said) transcript.File {
	t.Helper()
	var b strings.Builder
	for i, s := range turns {
		eventKind, content := "user", any(s.text)
		switch s.who {
		case "agent":
			eventKind, content = "assistant", []any{map[string]any{"type": "text", "text": s.text}}
		case "call":
			eventKind, content = "assistant", []any{map[string]any{"type": "tool_use", "id": fmt.Sprint("c", i), "name": "Bash", "input": map[string]any{"command": s.text}}}
		case "error":
			content = []any{map[string]any{"type": "tool_result", "tool_use_id": fmt.Sprint("c", i-1), "is_error": true, "content": s.text}}
		}
		stamp := ""
		if !at.IsZero() {
			stamp = at.Add(time.Duration(i) * time.Minute).Format(time.RFC3339)
		}
		line, err := json.Marshal(map[string]any{
			"isSidechain": false, "userType": "external", "version": "2.1.185",
			"type": eventKind, "uuid": fmt.Sprint(id, "-", i), "sessionId": id, "cwd": "/src/shop", "timestamp": stamp,
			"message": map[string]any{"role": eventKind, "content": content},
		})
		if err != nil {
			t.Fatal(err)
		}
		b.Write(append(line, '\n'))
	}
	path := filepath.Join(dir, id+".jsonl")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return transcript.File{Path: path}
}

func lesson(id, content string, set func(*lessons.Lesson)) lessons.Lesson {
	l := lessons.Lesson{
		ID: lessons.ID(id), Status: lessons.Approved, Category: "correction", Confidence: 0.8, Wording: lessons.Wording{Content: content},
		Scope: lessons.Scope{Project: "shop", Role: "developer"}, Created: monday.AddDate(0, 1, 0),
	}
	set(&l)
	return l
}

func run(t *testing.T, files []transcript.File, o BacktestOptions, ls ...lessons.Lesson) BacktestResult {
	t.Helper()
	o.Project, o.Role = func(dir string) string { return filepath.Base(dir) }, "developer"
	x, done, err := index.Over(t.Context(), func(yield func(lessons.Lesson, error) bool) {
		for _, l := range ls {
			if !yield(l, nil) {
				return
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	defer done()
	r, err := Backtest(t.Context(), files, x, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func story(t *testing.T) []transcript.File {
	dir := t.TempDir()
	fixes := func(word string) []said {
		return []said{
			{"person", "Install the packages with npm.\nTake " + word}, {"agent", "I install them."}, {"call", "npm install"},
			{"error", "npm error code EUSAGE: the lock file and package.json do not match"},
			{"person", "No, don't use npm install, use pnpm install instead."}, {"agent", "Done."},
		}
	}
	return []transcript.File{
		write(t, dir, "second", monday.AddDate(0, 0, 7), fixes("care again")...),
		write(t, dir, "first", monday, fixes("care")...),
		{Path: filepath.Join(dir, "gone.jsonl")},
	}
}

const pnpm = "Use pnpm install for packages, never npm install"

// TestAsIf: a lesson counts for the session after the one that taught it, not for that one,
// and meets there what came back.
func TestAsIf(t *testing.T) {
	files := story(t)
	l := lesson("pnpm", pnpm, func(l *lessons.Lesson) {
		l.Status = lessons.Pending
		l.Evidence = []lessons.Evidence{{Session: "first", At: monday.Add(4 * time.Minute), By: lessons.ByPerson, Quote: "use pnpm"}}
	})
	undated := lesson("undated", "Use pnpm install for every package of the frontend", func(l *lessons.Lesson) { l.Evidence = []lessons.Evidence{{Session: "x"}} })
	r := run(t, files, BacktestOptions{AsIf: true}, l, undated)
	if r.Sessions != 2 || r.Prompts != 4 || r.Corrections != 2 || r.Errors != 1 || r.Unread != 1 || !r.First.Equal(monday) {
		t.Errorf("counted %+v", r)
	}
	by := r.Replayed
	if by.Starts != 1 || by.Met != 1 || by.There != 0 || by.Tokens == 0 {
		t.Errorf("would have been given %+v", by)
	}
	if len(by.Examples) == 0 || by.Examples[0].Lesson != "pnpm" || !by.Examples[0].Given || by.Examples[0].Session != "second" {
		t.Errorf("examples %+v", by.Examples)
	}
	l.Evidence[0].Session = "second" // the one that it is tried on
	if r := run(t, files, BacktestOptions{AsIf: true}, l); r.Replayed.Starts != 0 || r.Replayed.Met+r.Replayed.There != 0 {
		t.Errorf("a lesson is tried on the replaying that taught it: %+v", r.Replayed)
	}
}

// TestDoing: a session is given what names its command, its file and its error, once.
func TestDoing(t *testing.T) {
	files := []transcript.File{write(t, t.TempDir(), "one", monday,
		said{"person", "Bring the thing up."}, said{"call", "npm install"}, said{"call", "npm install"}, said{"call", "git commit -m x"},
		said{"call", "cat src/pay/rounding.go"}, said{"call", "make"}, said{"error", "broker gave up: E4711 after 3 s"}, said{"agent", "Done."},
	)}
	before := func(l *lessons.Lesson) { // cures: the start does not give these
		l.Created, l.Category = monday.AddDate(0, 0, -1), "error"
	}
	pinned := func(l *lessons.Lesson) {
		before(l)
		l.Pinned = true
	}
	r := run(t, files, BacktestOptions{Budget: recall.Budget{Lessons: 5}},
		lesson("a", "Never run npm install; this repository uses pnpm", before), lesson("b", "The linter runs before each commit", before),
		lesson("c", "rounding.go rounds down", before), lesson("d", "Start redis first, else E4711", before), lesson("e", "Pods need a limit", pinned),
		lesson("f", "Deploys are on Tuesdays", pinned), lesson("g", "Names of branches begin with the ticket", pinned))
	if by := r.Replayed; by.AtStart != 3 || by.AtCall != 4 {
		t.Errorf("given %d at the start and %d for what it does", by.AtStart, by.AtCall)
	}
}

// TestApproved: what was approved later does not count, nor do proposals, nor sessions
// before a time or of another project.
func TestApproved(t *testing.T) {
	files := story(t)
	at := func(when time.Time) lessons.Lesson {
		return lesson("pnpm", pnpm, func(l *lessons.Lesson) { l.Decided = lessons.Decision{By: "me", At: when} })
	}
	met := func(o BacktestOptions, ls ...lessons.Lesson) string {
		r := run(t, files, o, ls...)
		return fmt.Sprintf("%d sessions, %d precedents, %d met, %d not given", r.Sessions, r.Precedents, r.Replayed.Met, r.Replayed.There)
	}
	pending := at(monday)
	pending.Status = lessons.Pending
	for _, tt := range []struct {
		name, want string
		o          BacktestOptions
		l          lessons.Lesson
	}{
		{"between", "2 sessions, 1 precedents, 1 met, 0 not given", BacktestOptions{}, at(monday.AddDate(0, 0, 3))},
		{"later", "2 sessions, 0 precedents, 0 met, 0 not given", BacktestOptions{}, at(monday.AddDate(0, 0, 30))},
		{"before both", "2 sessions, 2 precedents, 2 met, 0 not given", BacktestOptions{}, at(monday.AddDate(0, 0, -1))},
		{"a proposal", "2 sessions, 0 precedents, 0 met, 0 not given", BacktestOptions{}, pending},
		{"since", "1 sessions, 1 precedents, 1 met, 0 not given", BacktestOptions{Since: monday.AddDate(0, 0, 1)}, at(monday.AddDate(0, 0, 3))},
		{"elsewhere", "0 sessions, 0 precedents, 0 met, 0 not given", BacktestOptions{Only: "till"}, at(monday)},
		{"paused", "0 sessions, 0 precedents, 0 met, 0 not given", BacktestOptions{Options: Options{Paused: func(time.Time) bool { return true }}}, at(monday)},
	} {
		if got := met(tt.o, tt.l); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

// TestSame: each run gives the same.
func TestSame(t *testing.T) {
	files := story(t)
	l := lesson("pnpm", pnpm, func(l *lessons.Lesson) { l.Created = monday.AddDate(0, 0, -1) })
	want := fmt.Sprint(run(t, files, BacktestOptions{}, l))
	if got := fmt.Sprint(run(t, files, BacktestOptions{}, l)); got != want {
		t.Errorf("once %s, once %s", want, got)
	}
}

// TestCopies: a session that was forked counts what it copied once, a session without a
// time has that of its file, and a clock that jumps back moves nothing.
func TestCopies(t *testing.T) {
	dir := t.TempDir()
	turns := []said{{"person", "Please install the packages of the frontend"}, {"agent", "Yes."}}
	a := write(t, dir, "a", monday, turns...)
	b, err := os.ReadFile(a.Path)
	if err != nil {
		t.Fatal(err)
	}
	fork := filepath.Join(dir, "fork.jsonl")
	if err := os.WriteFile(fork, b, 0o600); err != nil {
		t.Fatal(err)
	}
	broken := filepath.Join(dir, "broken.jsonl")
	if err := os.WriteFile(broken, append([]byte(strings.ReplaceAll(string(b), `"a-`, `"z-`)), "{\"type\":\n{}\n"...), 0o600); err != nil {
		t.Fatal(err)
	}
	untimed := write(t, dir, "untimed", time.Time{}, turns...)
	r := run(t, []transcript.File{a, {Path: fork}, {Path: broken}, untimed}, BacktestOptions{})
	if r.Sessions != 3 || r.Prompts != 3 || r.Silent != 1 || r.Bad == 0 {
		t.Errorf("counted %+v", r)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, err := Backtest(ctx, []transcript.File{a}, index.At(t.TempDir()), BacktestOptions{Options: Options{Project: func(string) string { return "" }}}); err == nil {
		t.Error("a run that was stopped gives an answer")
	}
}
