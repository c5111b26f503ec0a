//go:build unix

package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// A costRow is a command to measure.
type costRow struct {
	name      string
	stdin     string
	args      func(c *costing) []string // nil: it cannot be measured here
	variables []string
	silent    bool // it may print nothing
	foreign   bool // another program: its memory is its own affair
	always    bool // others need what it does
	then      func(c *costing, out string)
	speed     func(c *costing) float64 // bytes that it reads
}

const (
	costStart   = `{"hook_event_name":"SessionStart","cwd":"/src/project03"}`
	costPrompt  = `{"hook_event_name":"UserPromptSubmit","cwd":"/src/project03","prompt":"compress the old logs and move them to the backup folder"}`
	costCall    = `{"hook_event_name":"PreToolUse","session_id":"s1","cwd":"/src/project03","tool_name":"Bash","tool_input":{"command":"npm test && cat src/service/queue.go"}}`
	costHook    = "`learnings-hook session-start`"
	costThrough = "`learnings hook session-start`"
	costEmpty   = "an empty Go program"
	costTogeth  = ", 1,000 of them, 20 at once, 95th percentile"
	costMixed   = "1,000 writes by 20 processes: 95th percentile, longest"
	costDisk    = "on disk: lessons, index"

	costDeskFirst  = "the desk: its first frame"
	costDeskKey    = "the desk: from a key to its frame, 95th percentile of the slowest screen"
	costDeskType   = "the desk: from a letter of a search to its frame, 95th percentile"
	costDeskOpen   = "the desk: from the key that opens it to its first frame: "
	costDeskMemory = "the desk: memory at start, at its peak"
)

// sized are the rows that cost by size, in the order of the table. The verbs come in
// the order in which a person would call them: what is written last is read last.
func sized() []costRow {
	verb := func(name string, args ...string) costRow {
		return costRow{name: "`" + name + "`", args: func(c *costing) []string { return append([]string{c.program("learnings")}, args...) }}
	}
	dynamic := func(name string, args func(c *costing) []string) costRow {
		return costRow{name: "`" + name + "`", args: func(c *costing) []string {
			if some := args(c); some != nil {
				return append([]string{c.program("learnings")}, some...)
			}
			return nil
		}}
	}
	hook := func(name, program string, args ...string) costRow {
		return costRow{name: name, stdin: costStart, args: func(c *costing) []string { return append([]string{c.program(program)}, args...) }}
	}
	empty := hook(costEmpty, "empty")
	empty.silent = true
	prompt := hook("`learnings-hook user-prompt`", "learnings-hook", "user-prompt", "--for", "claude")
	prompt.stdin, prompt.silent = costPrompt, true // there may be no lesson on it
	before := hook("`learnings-hook pre-tool`", "learnings-hook", "pre-tool", "--for", "claude")
	before.stdin, before.silent = costCall, true // most calls are what no lesson is on
	add := dynamic("add --pending", func(c *costing) []string {
		return []string{"add", "--pending", "--project", "project03", "Always " + c.maker.line() + ", and " + c.maker.line()}
	})
	add.always = true
	add.then = func(c *costing, out string) { c.lastID = strings.Fields(out)[1] } // "proposed ID  …"
	extract := dynamic("extract", func(c *costing) []string { return []string{"extract", c.session(20_000)} })
	extract.name += " of one new session"
	return slices.Concat([]costRow{
		empty,
		hook(costHook, "learnings-hook", "session-start"),
		hook(costThrough, "learnings", "hook", "session-start"),
		prompt,
		before,
		hook("`learnings-hook status --short`", "learnings-hook", "status", "--short"),
		verb("version", "version"),
		verb("search", "search", costQuery),
		dynamic("show ID", func(c *costing) []string { return []string{"show", fmt.Sprintf("m%07x", c.maker.r.IntN(c.n))} }),
		verb("show errors -n 50", "show", "errors", "-n", "50"),
		dynamic("inject", func(c *costing) []string { return []string{"inject", "--project", "project03", "--task", c.subject()} }),
		verb("stats", "stats"),
		verb("status", "status"),
		verb("check lint", "check", "lint"),
		verb("check duplicates", "check", "duplicates"),
		verb("check contradictions", "check", "contradictions"),
		add,
		dynamic("approve", func(c *costing) []string { return []string{"approve", c.lastID} }),
		dynamic("undo", func(c *costing) []string { return []string{"undo"} }),
		extract,
	}, others())
}

const costQuery = "compress old logs"

// others are what people might use instead, where it is installed.
func others() []costRow {
	tool := func(name, program string, args func(c *costing) []string) costRow {
		return costRow{name: name, foreign: true, args: func(c *costing) []string {
			path, err := exec.LookPath(program)
			if err != nil {
				return nil
			}
			return append([]string{path}, args(c)...)
		}}
	}
	return []costRow{
		tool("`grep -ri compress`", "grep", func(c *costing) []string { return []string{"-ri", "compress", c.machine.corpus()} }),
		tool("`rg -i compress`", "rg", func(c *costing) []string { return []string{"-i", "compress", c.machine.corpus()} }),
		tool("`sqlite3`, FTS5", "sqlite3", func(c *costing) []string {
			return []string{c.fts(), "SELECT id, content FROM l WHERE l MATCH '" + strings.ReplaceAll(costQuery, " ", " OR ") + "' ORDER BY rank LIMIT 10"}
		}),
	}
}

// costOpenings are what the desk opens, with what the bench calls it.
var costOpenings = []struct{ name, of string }{
	{"Review", "open-review"}, {"Browse", "open-browse"}, {"Sessions", "open-sessions"}, {"Insights", "open-insights"}, {"Next session", "open-next"},
	{"a session in the reader", "open-reader"}, {"the palette", "open-palette"},
}

// costRowsBySize are the names of all rows, in their order.
func costRowsBySize() []string {
	var names []string
	for _, r := range sized() {
		names = append(names, r.name)
	}
	names = slices.DeleteFunc(names, func(name string) bool {
		return slices.ContainsFunc(others(), func(r costRow) bool { return r.name == name })
	})
	names = append(names, "`index --rebuild`", costHook+costTogeth, costThrough+costTogeth, costEmpty+costTogeth, costMixed, costDeskFirst, costDeskKey, costDeskType)
	for _, o := range costOpenings {
		names = append(names, costDeskOpen+o.name)
	}
	names = append(names, costDeskMemory, costDisk)
	for _, r := range others() {
		names = append(names, r.name)
	}
	return names
}

// corpus makes the lessons and the tables of other programs.
func (c *costing) corpus(n int) {
	c.n = n
	start := time.Now()
	makeCorpus(c.B, c.machine, n)
	c.maker.r = rand.New(rand.NewPCG(uint64(n), 2)) // what is added is in no corpus
	c.say("%d lessons after %v", n, time.Since(start).Round(time.Millisecond))
}

// fts is the database of the same lessons for SQLite's full-text search. It is made
// when it is first asked for.
func (c *costing) fts() string {
	path := filepath.Join(c.machine.home, "fts.db")
	if _, err := os.Stat(path); err == nil {
		return path
	}
	var sql strings.Builder
	sql.WriteString("CREATE VIRTUAL TABLE l USING fts5(id, content, insight, example, tags, tokenize = 'porter'); BEGIN;\n")
	for l := range newMaker().lessons(c.n) {
		fmt.Fprintf(&sql, "INSERT INTO l VALUES('%s','%s','%s','%s','%s');\n", l.ID, l.Content, l.Insight, l.Example, strings.Join(l.Tags, " "))
	}
	sql.WriteString("COMMIT; INSERT INTO l(l) VALUES('optimize');\n")
	cmd := exec.Command("sqlite3", path)
	cmd.Stdin = strings.NewReader(sql.String())
	if out, err := cmd.CombinedOutput(); err != nil {
		c.Fatalf("sqlite3: %v\n%s", err, out)
	}
	return path
}

// bySize measures one column of the first table.
func (c *costing) bySize(t *costTable) {
	column := sizeColumn(c.n)
	c.rounds(sized(), *costRuns, t, column)
	c.hooksAtOnce(t, column)
	c.desk(t, column)
	c.mixed(t, column)
	rebuild := costRow{name: "`index --rebuild`", args: func(c *costing) []string { return []string{c.program("learnings"), "index", "--rebuild"} }}
	c.rounds([]costRow{rebuild}, *costRuns, t, column)
	if c.wants(costDisk) {
		t.set(costDisk, column, memoryCell(float64(folderSize(c.machine.corpus()))/1e6)+", "+memoryCell(float64(folderSize(filepath.Join(c.state(), "index")))/1e6))
	}
	t.notes[column] = c.note(t.notes[column])
}

// hooksAtOnce starts a thousand, twenty of them at a time, the programs in turn.
func (c *costing) hooksAtOnce(t *costTable, column string) {
	const atOnce, together, turns = 1000, 20, 5
	programs := []struct {
		row  string
		args []string
	}{
		{costEmpty, []string{"empty"}}, {costHook, []string{"learnings-hook", "session-start"}}, {costThrough, []string{"learnings", "hook", "session-start"}},
	}
	took := map[string][]time.Duration{}
	silent := map[string]int{} // past its deadline a hook gives nothing
	for range turns {
		for _, p := range programs {
			if !c.wants(p.row + costTogeth) {
				continue
			}
			var mu sync.Mutex
			var wg sync.WaitGroup
			for range together {
				wg.Go(func() {
					for range atOnce / together / turns {
						d, out, err := c.start(costStart, p.args...)
						if err != nil {
							c.Errorf("%s: %v\n%s", p.args, err, out)
							return
						}
						mu.Lock()
						took[p.row] = append(took[p.row], d)
						if out == "" && p.row != costEmpty {
							silent[p.row]++
						}
						mu.Unlock()
					}
				})
			}
			wg.Wait()
		}
	}
	for _, p := range programs {
		if all := took[p.row]; len(all) > 0 {
			slices.Sort(all)
			c.say("%s%s: %v, longest %v", p.row, costTogeth, at(all, 0.95), all[len(all)-1])
			cell := durationCell(at(all, 0.95))
			if n := silent[p.row]; n > 0 {
				cell += fmt.Sprintf(", %d gave nothing", n)
			}
			t.set(p.row+costTogeth, column, cell)
		}
	}
}

// at is the value below which a share of sorted ones lies.
func at(sorted []time.Duration, share float64) time.Duration {
	return sorted[int(share*float64(len(sorted)-1))]
}

// start runs a program that was built, from any goroutine.
func (c *costing) start(stdin string, args ...string) (took time.Duration, out string, err error) {
	cmd := exec.Command(c.program(args[0]), args[1:]...)
	cmd.Env, cmd.Dir = c.env, c.machine.home
	in, err := written(stdin)
	if err != nil {
		return 0, "", err
	}
	defer in.Close()
	cmd.Stdin = in
	begin := time.Now()
	text, err := cmd.CombinedOutput()
	return time.Since(begin), string(text), err
}

// mixed has twenty processes at a time write to the corpus: proposals, approvals, edits
// and rejections, each of lessons of its own.
func (c *costing) mixed(t *costTable, column string) {
	const writers, rounds, bound = 20, 10, 2 * time.Minute
	if !c.wants(costMixed) {
		return
	}
	if took, _, _ := c.run("", []string{c.program("learnings"), "undo", "--redo"}); took.Code == exitPerson {
		t.set(costMixed, column, "–")
		return
	}
	var mu sync.Mutex
	var took []time.Duration
	gaveUp := 0
	write := func(args ...string) (out string) {
		d, out, err := c.start("", append([]string{"learnings"}, args...)...)
		mu.Lock()
		defer mu.Unlock()
		took = append(took, d)
		if err != nil { // it says that another process is writing
			if gaveUp++; gaveUp == 1 {
				c.say("learnings %s: %v: %s", strings.Join(args, " "), err, out)
			}
		}
		return out
	}
	var wg sync.WaitGroup
	begin := time.Now()
	for w := range writers {
		wg.Go(func() {
			m := &maker{rand.New(rand.NewPCG(uint64(c.n), uint64(100+w)))}
			for range rounds {
				var ids [2]string
				for i := range ids {
					_, after, _ := strings.Cut(write("add", "--pending", "--project", fmt.Sprintf("project%02d", w), "Always "+m.line()+", and "+m.line()), "proposed ")
					ids[i], _, _ = strings.Cut(after, " ")
				}
				if ids[0] != "" {
					write("edit", ids[0], "--insight", m.text(1))
					write("approve", ids[0])
				}
				if ids[1] != "" {
					write("reject", ids[1], "--reason", "only true for "+m.name())
				}
				if time.Since(begin) > bound {
					return
				}
			}
		})
	}
	wg.Wait()
	slices.Sort(took)
	cell := durationCell(at(took, 0.95)) + ", " + durationCell(took[len(took)-1])
	if gaveUp > 0 {
		cell += fmt.Sprintf(", %d gave up", gaveUp)
	}
	if time.Since(begin) > bound {
		cell += fmt.Sprintf(" (%d writes in %v)", len(took), bound)
	}
	c.say("%s: %s, %v in all", costMixed, cell, time.Since(begin))
	t.set(costMixed, column, cell)
}
