package hook

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"learnings/index"
	"learnings/index/recall"
	"learnings/lessons"
	"learnings/lessons/store"
)

// This file tests whether approved lessons reach the sessions that need them, with
// lessons and prompts written without knowledge of the program.

// outsideDir has the open half of sde-bench; testdata/sde is an excerpt.
const outsideDir = "../../../../shared/outside/sde/open"

// A rule is an approved lesson of a benchmark.
type rule struct{ ID, Content, Function, File string }

// A machine has the rules and the tree of one project.
type machine struct {
	Config
	dir   string // where the person works
	ids   map[string]string
	calls int
}

func newMachine(t *testing.T, project string, category lessons.Category, rules ...rule) *machine {
	t.Helper()
	m := &machine{dir: filepath.Join(t.TempDir(), project), ids: map[string]string{}}
	ls := make([]lessons.Lesson, len(rules))
	for i, r := range rules {
		// Ids are in random order: they decide which rules fit.
		ls[i] = lesson(string(lessons.IDFrom(project, r.Content)), r.Content)
		ls[i].Category, ls[i].Scope.Project = category, project
		m.ids[string(ls[i].ID)] = r.ID
		if r.File != "" {
			m.write(t, r)
		}
	}
	m.Config = desk(t, ls...)
	return m
}

// write puts a rule's function where the rule says that it is.
func (m *machine) write(t *testing.T, r rule) {
	t.Helper()
	name := filepath.Join(m.dir, r.File)
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := fmt.Fprintf(f, "def %s(*a):\n    raise NotImplementedError\n", r.Function); err != nil {
		t.Fatal(err)
	}
}

var handles = regexp.MustCompile(`\[L-(\w+)\]`)

// told returns the rules that a new session gets at an event, in order.
func (m *machine) told(t *testing.T, event string, payload map[string]any) (ids []string) {
	t.Helper()
	m.calls++
	payload["session_id"], payload["cwd"] = fmt.Sprint("s", m.calls), m.dir
	b, err := json.Marshal(payload)
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range handles.FindAllStringSubmatch(call(t, m.Config, event, strings.NewReader(string(b))), -1) {
		if id := m.ids[h[1]]; !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}

func (m *machine) prompted(t *testing.T, text string) []string {
	t.Helper()
	return m.told(t, "user-prompt", map[string]any{"prompt": text})
}

// injected returns what `learnings inject --task` prints.
func (m *machine) injected(t *testing.T, task string) (ids []string) {
	t.Helper()
	s, err := store.Open(m.Corpus, store.Options{State: m.State})
	if err != nil {
		t.Fatal(err)
	}
	project := filepath.Base(m.dir)
	at := recall.Situation{Project: project, Role: m.Role, Prompt: task, Now: noon, Known: recall.KnownOf(m.State, project), Tree: recall.TreeOf(m.dir, m.State, time.Second)}
	defer at.Tree.Close()
	pick := recall.Picker(func(at recall.Situation, b recall.Budget, _ bool) ([]recall.Choice, error) {
		return recall.Pick(t.Context(), index.At(m.Index), s.Reread, at, b)
	})
	chosen, err := pick.Given(at, recall.Budget{Lessons: m.MaxInject})
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range recall.IDs(chosen) {
		ids = append(ids, m.ids[string(id)])
	}
	return ids
}

// A figure is a count with its bounds.
type figure struct {
	name        string
	n, of       int
	least, most int // -1 for any
}

func check(t *testing.T, figures ...figure) {
	t.Helper()
	for _, f := range figures {
		t.Logf("%s: %d of %d", f.name, f.n, f.of)
		if f.n < f.least || f.most >= 0 && f.n > f.most {
			t.Errorf("%s: %d of %d, at least %d and at most %d are asked", f.name, f.n, f.of, f.least, f.most)
		}
	}
}

// atLeast and atMost return figures with their bounds.
func atLeast(bar int, name string, n, of int) figure { return figure{name, n, of, bar, -1} }
func atMost(bar int, name string, n, of int) figure  { return figure{name, n, of, 0, bar} }

// A benchmark is sde-bench or a part of it.
type benchmark struct {
	rules   []rule
	prompts []struct{ ID, Kind, Right, Text string }
	decoys  []struct {
		Text  string
		Later []string
	}
}

func readBenchmark(t *testing.T, dir string) (b benchmark) {
	t.Helper()
	readRows(t, filepath.Join(dir, "lessons.jsonl"), &b.rules)
	readRows(t, filepath.Join(dir, "prompts.jsonl"), &b.prompts)
	readRows(t, filepath.Join(dir, "decoys.jsonl"), &b.decoys)
	return b
}

func readRows[T any](t *testing.T, name string, rows *[]T) {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 1<<20)
	for sc.Scan() {
		var row T
		if err := json.Unmarshal(sc.Bytes(), &row); err != nil {
			t.Fatal(err)
		}
		*rows = append(*rows, row)
	}
	if sc.Err() != nil {
		t.Fatal(sc.Err())
	}
}

// Bars are the bounds on the results of a benchmark.
type bars struct{ reports, wrong, names, chats, decoys, later, absent int }

// TestOutside checks what sessions get on sde-bench, from the hook and from inject.
// docs/quality.md has the figures.
func TestOutside(t *testing.T) {
	for _, set := range []struct {
		name, dir string
		bars
	}{
		{"an excerpt", "testdata/sde", bars{reports: 5, names: 2, chats: 1}},
		{"a half", outsideDir, bars{reports: 13, wrong: 1, names: 36, chats: 9, decoys: 1, later: 4, absent: 4}},
	} {
		t.Run(set.name, func(t *testing.T) {
			if _, err := os.Stat(set.dir); err != nil {
				t.Skipf("the benchmark is not here: %v", err)
			}
			b := readBenchmark(t, set.dir)
			t.Run("prompts", func(t *testing.T) { t.Parallel(); b.ask(t, set.bars) })
			t.Run("decoys", func(t *testing.T) { t.Parallel(); b.askDecoys(t, set.bars) })
			t.Run("absent", func(t *testing.T) { t.Parallel(); b.askAbsent(t, set.bars) })
			t.Run("calls", func(t *testing.T) { t.Parallel(); b.call(t) })
		})
	}
}

// ask sends each prompt in its own session.
func (b benchmark) ask(t *testing.T, bars bars) {
	m := newMachine(t, "boltons", "architecture", b.rules...)
	first, right, of := map[string]int{}, map[string]int{}, map[string]int{}
	wrong := 0
	for _, p := range b.prompts {
		got := m.prompted(t, p.Text)
		of[p.Kind]++
		switch {
		case slices.Contains(got, p.Right):
			right[p.Kind]++
			if got[0] == p.Right {
				first[p.Kind]++
			}
		case p.Kind == "report" && len(got) > 0:
			wrong++
		}
		if also := m.injected(t, p.Text); len(got) > 0 && (len(also) == 0 || also[0] != got[0]) {
			t.Errorf("%s: the hook tells %v, inject %v", p.ID, got, also)
		}
	}
	check(t, atLeast(bars.reports, "reports, the right one first", first["report"], of["report"]),
		atMost(bars.wrong, "reports, only wrong ones", wrong, of["report"]),
		atLeast(bars.names, "prompts with the name", right["name"], of["name"]),
		atLeast(bars.chats, "chats that begin on it", right["chat"], of["chat"]))
}

// askDecoys sends prompts about other subjects.
func (b benchmark) askDecoys(t *testing.T, bars bars) {
	m := newMachine(t, "boltons", "architecture", b.rules...)
	given, later, of := 0, 0, 0
	for _, d := range b.decoys {
		given += min(1, len(m.prompted(t, d.Text)))
		for _, text := range d.Later {
			of++
			later += min(1, len(m.prompted(t, text)))
		}
	}
	check(t, atMost(bars.decoys, "decoys given something", given, len(b.decoys)), atMost(bars.later, "later turns given something", later, of))
}

// askAbsent removes each half of the rules and asks about it.
func (b benchmark) askAbsent(t *testing.T, bars bars) {
	given, of := 0, 0
	for half := range 2 {
		var there []rule
		for i := half; i < len(b.rules); i += 2 {
			there = append(there, b.rules[i])
		}
		m := newMachine(t, "boltons", "architecture", there...)
		for _, p := range b.prompts {
			if p.Kind != "report" && p.Kind != "chat" || slices.ContainsFunc(there, func(r rule) bool { return r.ID == p.Right }) {
				continue
			}
			of++
			given += min(1, len(m.prompted(t, p.Text)))
		}
	}
	check(t, atMost(bars.absent, "given something where the right one is not there", given, of))
}

// call makes tool calls on the file of each rule.
func (b benchmark) call(t *testing.T) {
	m := newMachine(t, "boltons", "architecture", b.rules...)
	for _, c := range []struct {
		name, event string
		payload     func(r rule, file string) map[string]any
	}{
		{"read", "post-tool", func(_ rule, file string) map[string]any {
			return map[string]any{"tool_name": "Read", "tool_input": map[string]any{"file_path": file}, "tool_response": map[string]any{"type": "text"}}
		}},
		{"about to edit", "pre-tool", func(_ rule, file string) map[string]any {
			return map[string]any{"tool_name": "Edit", "tool_input": map[string]any{"file_path": file, "old_string": "x", "new_string": "y"}}
		}},
		{"edit", "post-tool", func(_ rule, file string) map[string]any {
			return map[string]any{"tool_name": "Edit", "tool_input": map[string]any{"file_path": file, "old_string": "x", "new_string": "y"}, "tool_response": map[string]any{"filePath": file}}
		}},
		{"failing test", "tool-failure", func(r rule, _ string) map[string]any {
			return map[string]any{"tool_name": "Bash", "tool_input": map[string]any{"command": "pytest tests/test_regression.py"},
				"error": fmt.Sprintf("Exit code 1\n  File %q, line 12, in %s\nAssertionError: unexpected result", r.File, r.Function)}
		}},
	} {
		right := 0
		for _, r := range b.rules {
			if slices.Contains(m.told(t, c.event, c.payload(r, filepath.Join(m.dir, r.File))), r.ID) {
				right++
			}
		}
		check(t, atLeast(len(b.rules), c.name, right, len(b.rules)))
	}
}

// TestOrdinary checks what sessions get on ordinary prompts of five projects; see
// testdata/ordinary/README.md. The bounds are the results reached, less noise.
func TestOrdinary(t *testing.T) {
	files, err := filepath.Glob("testdata/ordinary/*.json")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	var sum ordinary
	t.Run("projects", func(t *testing.T) {
		sums := make([]ordinary, len(files))
		t.Cleanup(func() {
			for _, s := range sums {
				sum.add(s)
			}
		})
		for i, file := range files {
			t.Run(filepath.Base(file), func(t *testing.T) { t.Parallel(); sums[i] = askOrdinary(t, file) })
		}
	})
	check(t, atLeast(37, "by the prompt", sum.prompt, sum.prompts), atLeast(178, "by start or prompt", sum.either, sum.prompts),
		atMost(sum.given*28/100, "wrong among what prompts bring", sum.wrong, sum.given), atMost(9, "prompts on something else given something", sum.off, sum.offs))
}

// An ordinary counts results on ordinary prompts.
type ordinary struct{ prompts, prompt, either, given, wrong, offs, off int }

func (o *ordinary) add(p ordinary) {
	o.prompts, o.prompt, o.either, o.given = o.prompts+p.prompts, o.prompt+p.prompt, o.either+p.either, o.given+p.given
	o.wrong, o.offs, o.off = o.wrong+p.wrong, o.offs+p.offs, o.off+p.off
}

func askOrdinary(t *testing.T, file string) (o ordinary) {
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var set struct {
		Project string
		Lessons []struct{ ID, Text string }
		Prompts []struct {
			Text  string
			Right []string
		}
		Off []string
	}
	if err := json.Unmarshal(b, &set); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	rules := make([]rule, len(set.Lessons))
	for i, l := range set.Lessons {
		rules[i] = rule{ID: l.ID, Content: l.Text}
	}
	m := newMachine(t, set.Project, "preference", rules...)
	start := m.told(t, SessionStart, map[string]any{"source": "startup"})
	for _, p := range set.Prompts {
		got, right := m.prompted(t, p.Text), func(id string) bool { return slices.Contains(p.Right, id) }
		o.prompts, o.given = o.prompts+1, o.given+len(got)
		for _, id := range got {
			if !right(id) {
				o.wrong++
			}
		}
		if slices.ContainsFunc(got, right) {
			o.prompt++
		}
		if slices.ContainsFunc(append(got, start...), right) {
			o.either++
		}
	}
	for _, text := range set.Off {
		o.off += min(1, len(m.prompted(t, text)))
	}
	o.offs = len(set.Off)
	return o
}
