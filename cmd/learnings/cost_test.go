//go:build unix

package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"learnings/cmd/internal/settings"
)

var (
	costSizes = flag.String("cost.sizes", "1000", `numbers of lessons to measure the cost with ("1000,14391,100000")`)
	costOnly  = flag.String("cost.rows", "", "measure only the rows that match this regular expression")
	costRuns  = flag.Int("cost.runs", 15, "run each row so many times; slow ones fewer")
)

// BenchmarkCost measures the programs that people install, as whole processes on real
// files, in corpora of several sizes, and prints a table for docs/cost.md, which describes
// it.
//
//	go test -run '^$' -bench Cost -benchtime 1x -timeout 60m ./cmd/learnings -cost.sizes 1000,14391
//	go test -run '^$' -bench Cost -benchtime 1x ./cmd/learnings -cost.sizes 14391 -cost.rows 'search|show'
func BenchmarkCost(b *testing.B) {
	only, err := regexp.Compile(*costOnly)
	if err != nil {
		b.Fatal(err)
	}
	bin := b.TempDir()
	for program, source := range map[string]string{
		"learnings": "learnings/cmd/learnings", "learnings-hook": "learnings/cmd/learnings-hook",
		"empty": filepath.FromSlash("testdata/empty/main.go"), "measure": filepath.FromSlash("testdata/measure/main.go"),
	} {
		if out, err := exec.Command("go", "build", "-o", filepath.Join(bin, program), source).CombinedOutput(); err != nil {
			b.Fatalf("%v\n%s", err, out)
		}
	}
	for b.Loop() {
		for size := range strings.SplitSeq(*costSizes, ",") {
			n, err := strconv.Atoi(size)
			if err != nil || n < 1 {
				b.Fatalf("-cost.sizes has %q", size)
			}
			b.Run(size, func(b *testing.B) { newCosting(b, bin, n).measure(only) })
		}
	}
}

// A cost is what one process used, as testdata/measure reports it.
type cost struct {
	Wall, CPU time.Duration
	MaxRSS    int64 // in KB, except on macOS
	Code      int
	Error     string
}

// A costing measures one column.
type costing struct {
	*testing.B
	machine  machine
	bin      string
	env      []string
	jobs     *json.Encoder
	costs    *json.Decoder
	n        int    // lessons
	maker    *maker // of what is added
	lastID   string // of the proposal that was added last
	task     string // see subject
	sessions int    // so many were made
}

// newCosting makes a home with a corpus and starts testdata/measure, a small program that
// runs all others: Linux counts a parent's peak memory into its child's.
func newCosting(b *testing.B, bin string, n int) *costing {
	home, err := os.MkdirTemp("", "learnings-cost")
	if err != nil {
		b.Fatal(err)
	}
	// A background process may still be writing: ignore leftovers.
	b.Cleanup(func() { os.RemoveAll(home) })
	c := &costing{B: b, machine: machine{b, home}, bin: bin, n: n, maker: &maker{rand.New(rand.NewPCG(uint64(n), 2))}} // in no corpus
	makeCorpus(b, c.machine, n)
	c.env = slices.DeleteFunc(c.machine.command(b.Context()).Env, func(v string) bool { return strings.HasPrefix(v, "LEARNINGS_TEST_run=") })
	c.env = append(c.env, "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	measure := exec.Command(filepath.Join(bin, "measure"))
	in, err := measure.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	out, err := measure.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	measure.Stderr = os.Stderr
	if err := measure.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { in.Close(); _ = measure.Wait() })
	c.jobs, c.costs = json.NewEncoder(in), json.NewDecoder(out)
	return c
}

// run runs a command to its end.
func (c *costing) run(stdin string, args ...string) (took cost, stdout string) {
	c.Helper()
	file := func(name string) string { return filepath.Join(c.machine.home, name) }
	if err := os.WriteFile(file("stdin"), []byte(stdin), 0o600); err != nil {
		c.Fatal(err)
	}
	err := c.jobs.Encode(map[string]any{
		"Args": append([]string{filepath.Join(c.bin, args[0])}, args[1:]...), "Env": c.env, "Dir": c.machine.home,
		"Stdin": file("stdin"), "Stdout": file("stdout"), "Stderr": file("stderr"), "WaitSeconds": 600,
	})
	if err == nil {
		err = c.costs.Decode(&took)
	}
	out, readErr := os.ReadFile(file("stdout"))
	if err != nil || readErr != nil || took.Error != "" || took.Code != 0 {
		errs, _ := os.ReadFile(file("stderr"))
		c.Fatalf("%s: %v %s, code %d\n%s%s", args, err, took.Error, took.Code, out, errs)
	}
	return took, string(out)
}

// A costRow is a command to measure.
type costRow struct {
	name   string
	stdin  string
	args   func() []string
	silent bool // it may print nothing
}

// rows returns the commands in the order of a person's work: the latest lesson is read
// last.
func (c *costing) rows() []costRow {
	const (
		start  = `{"hook_event_name":"SessionStart","cwd":"/src/project03"}`
		prompt = `{"hook_event_name":"UserPromptSubmit","cwd":"/src/project03","prompt":"compress the old logs and move them to the backup folder"}`
		call   = `{"hook_event_name":"PreToolUse","session_id":"s1","cwd":"/src/project03","tool_name":"Bash","tool_input":{"command":"npm test && cat src/service/queue.go"}}`
	)
	verb := func(args ...string) costRow {
		return costRow{name: strings.Join(args, " "), args: func() []string { return append([]string{"learnings"}, args...) }}
	}
	hook := func(stdin string, silent bool, args ...string) costRow {
		return costRow{strings.Join(args, " "), stdin, func() []string { return args }, silent}
	}
	dynamic := func(name string, args func() []string) costRow {
		return costRow{name: name, args: func() []string { return append([]string{"learnings"}, args()...) }}
	}
	return []costRow{
		hook("", true, "empty"),
		hook(start, false, "learnings-hook", "session-start"),
		hook(start, false, "learnings", "hook", "session-start"),
		hook(prompt, true, "learnings-hook", "user-prompt", "--for", "claude"), // there may be no lesson on it
		hook(call, true, "learnings-hook", "pre-tool", "--for", "claude"),
		hook("", false, "learnings-hook", "status", "--short"),
		verb("version"), verb("search", "compress", "old", "logs"),
		dynamic("show ID", func() []string { return []string{"show", fmt.Sprintf("m%07x", c.maker.r.IntN(c.n))} }),
		verb("show", "errors", "-n", "50"), dynamic("inject", func() []string { return []string{"inject", "--project", "project03", "--task", c.subject()} }),
		verb("stats"), verb("status"), verb("check", "lint"), verb("check", "duplicates"), verb("check", "contradictions"),
		dynamic("add --pending", func() []string {
			return []string{"add", "--pending", "--project", "project03", "Always " + c.maker.line() + ", and " + c.maker.line()}
		}),
		dynamic("approve", func() []string { return []string{"approve", c.lastID} }),
		verb("undo"),
		dynamic("extract of one new session", func() []string { return []string{"extract", c.session()} }),
		verb("index", "--rebuild"),
	}
}

// subject returns a task that a lesson of project03 is about.
func (c *costing) subject() string {
	if c.task == "" {
		_, out := c.run("", "learnings", "show", "--project", "project03", "-n", "1", "--json")
		var l struct{ Content string }
		if err := json.Unmarshal([]byte(out), &l); err != nil {
			c.Fatalf("a lesson of project03: %v", err)
		}
		c.task = l.Content
	}
	return c.task
}

// measure runs rows in turn, so that other load affects all alike, and prints their
// medians. Between rounds the index is updated, or the first reader would pay for that.
func (c *costing) measure(only *regexp.Regexp) {
	const enough = 8 * time.Second // after which a row has had its runs, if it had three
	rows := c.rows()
	costs, spent, said := map[string][]cost{}, map[string]time.Duration{}, map[string]bool{}
	for round := range *costRuns {
		for _, row := range rows {
			wanted := only.MatchString(row.name) || row.name == "add --pending" // approve needs it
			if !wanted || spent[row.name] > 4*enough || round >= 3 && spent[row.name] > enough {
				continue
			}
			took, out := c.run(row.stdin, row.args()...)
			if row.name == "add --pending" {
				c.lastID = strings.Fields(out)[1] // "proposed ID  …"
			}
			spent[row.name] += took.Wall
			costs[row.name] = append(costs[row.name], took)
			said[row.name] = said[row.name] || out != ""
		}
		c.run("", "learnings", "search", "compress")
	}
	unit := 1024.0
	if runtime.GOOS == "darwin" {
		unit = 1
	}
	fmt.Printf("\n| %d lessons | time | processor | memory | runs |\n|---|--:|--:|--:|--:|\n", c.n)
	for _, row := range rows {
		all := costs[row.name]
		if len(all) == 0 || !only.MatchString(row.name) {
			continue
		}
		if !said[row.name] && !row.silent { // as a hook does past its deadline
			c.Errorf("%s printed nothing in %d runs", row.name, len(all))
		}
		middle := func(of func(cost) time.Duration) time.Duration {
			slices.SortFunc(all, func(a, b cost) int { return int(of(a) - of(b)) })
			return of(all[len(all)/2]).Round(100 * time.Microsecond)
		}
		peak := slices.MaxFunc(all, func(a, b cost) int { return int(a.MaxRSS - b.MaxRSS) }).MaxRSS
		fmt.Printf("| `%s` | %v | %v | %.0f MB | %d |\n", row.name, middle(func(x cost) time.Duration { return x.Wall }),
			middle(func(x cost) time.Duration { return x.CPU }), float64(peak)*unit/1e6, len(all))
	}
	state := settings.StateOf(filepath.Join(c.machine.home, "state", "learnings"), c.machine.corpus())
	fmt.Printf("\non disk: lessons %.0f MB, index %.0f MB; %s, %d processors\n", folderSize(c.machine.corpus()), folderSize(filepath.Join(state, "index")), runtime.Version(), runtime.NumCPU())
}

// folderSize returns the size of the files below a folder, in MB.
func folderSize(dir string) (total float64) {
	_ = filepath.WalkDir(dir, func(_ string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return nil // what is gone by now takes no room
		}
		if info, err := d.Info(); err == nil {
			total += float64(info.Size()) / 1e6
		}
		return nil
	})
	return total
}

// session writes a new session of Claude Code and returns its file: mostly tool output,
// and a person who twice gives instructions.
func (c *costing) session() string {
	c.sessions++
	id := fmt.Sprintf("%08x-0000-4000-8000-%012x", c.sessions, c.n)
	at := time.Date(2026, 11, 20, 8, c.sessions, 0, 0, time.UTC)
	var out strings.Builder
	line := func(kind string, content any) {
		at = at.Add(7 * time.Second)
		text, err := json.Marshal(map[string]any{
			"type": kind, "sessionId": id, "cwd": "/src/project03", "version": "2.1.185", "gitBranch": "main", "isSidechain": false, "userType": "external",
			"uuid": fmt.Sprintf("%s%04x", id[:32], out.Len()), "timestamp": at.Format("2006-01-02T15:04:05.000Z"), "message": map[string]any{"role": kind, "content": content},
		})
		if err != nil {
			c.Fatal(err)
		}
		out.Write(append(text, '\n'))
	}
	m := c.maker
	line("user", m.text(2))
	for call := 0; out.Len() < 20_000; call++ {
		tool := fmt.Sprintf("toolu_%x_%x", c.sessions, call)
		line("assistant", []any{map[string]any{"type": "tool_use", "id": tool, "name": "Bash", "input": map[string]any{"command": m.line()}}})
		line("user", []any{map[string]any{"type": "tool_result", "tool_use_id": tool, "content": m.text(10 + m.r.IntN(60))}})
		if call < 2 {
			line("user", []string{"No, always ", "Don't do that. From now on never "}[call]+m.line()+".")
		}
	}
	line("assistant", m.text(2))
	path := filepath.Join(c.machine.home, "claude", "projects", "-src-project03", id+".jsonl")
	err := os.MkdirAll(filepath.Dir(path), 0o700)
	if err == nil {
		err = os.WriteFile(path, []byte(out.String()), 0o600)
	}
	if err != nil {
		c.Fatal(err)
	}
	return path
}
