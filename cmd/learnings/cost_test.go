//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
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
	costSizes = flag.String("cost.sizes", "", `numbers of lessons, and "reading", to measure the cost of (default: 1000; with -cost.write all)`)
	costOnly  = flag.String("cost.rows", "", "measure only the rows that match this regular expression")
	costRuns  = flag.Int("cost.runs", 15, "run each row so many times; slow ones fewer")
	costWrite = flag.Bool("cost.write", false, "put what is measured into docs/cost.md and the README")
)

const (
	costColumns = "1000,14391,100000,200000,reading"
	costEnough  = 8 * time.Second  // after which a row has had its runs, if it had three
	costPatient = 4 * costEnough   // or however many it had
	costBound   = 10 * time.Minute // of one process
)

// BenchmarkCost measures the programs that people install, as whole processes on real
// files, in corpora of several sizes, and prints a table: docs/cost.md says what is in
// it, and is where -cost.write puts it. What is not measured keeps its figures there.
//
//	go test -run '^$' -bench Cost -benchtime 1x -timeout 60m ./cmd/learnings -cost.write
//	go test -run '^$' -bench Cost -benchtime 1x ./cmd/learnings -cost.sizes 14391 -cost.rows 'search|show'
func BenchmarkCost(b *testing.B) {
	sizes := *costSizes
	switch {
	case sizes == "" && *costWrite:
		sizes = costColumns
	case sizes == "":
		sizes = "1000"
	}
	only, err := regexp.Compile(*costOnly)
	if err != nil {
		b.Fatal(err)
	}
	bin := buildAll(b)
	for b.Loop() {
		var tables string
		for size := range strings.SplitSeq(sizes, ",") {
			page := readCosts(b)
			b.Run(size, func(b *testing.B) {
				c := newCosting(b, bin, only)
				if size == "reading" {
					c.reading(page.reading)
					return
				}
				n, err := strconv.Atoi(size)
				if err != nil || n < 1 {
					b.Fatalf("-cost.sizes has %q", size)
				}
				c.corpus(n)
				c.bySize(page.bySize)
			})
			if b.Failed() {
				return
			}
			if *costWrite { // at once: what comes may fail
				page.write(b)
			}
			tables = page.bySize.String() + "\n" + page.reading.String()
		}
		fmt.Printf("\n%s\n", tables)
	}
}

// buildAll builds the programs, as go install does, and two that measuring needs.
func buildAll(b *testing.B) (bin string) {
	b.Helper()
	bin = b.TempDir()
	for program, source := range map[string]string{
		"learnings": "learnings/cmd/learnings", "learnings-hook": "learnings/cmd/learnings-hook",
		"empty": "testdata/empty/main.go", "measure": "testdata/measure/main.go",
	} {
		if !strings.HasPrefix(source, "learnings/") {
			source = filepath.FromSlash(source)
		}
		if out, err := exec.Command("go", "build", "-o", filepath.Join(bin, program), source).CombinedOutput(); err != nil {
			b.Fatalf("%v\n%s", err, out)
		}
	}
	return bin
}

// A cost is what one process took.
type cost struct {
	Wall, CPU time.Duration
	MaxRSS    int64 // in KB, except on macOS
	Code      int
	Error     string
}

func (c cost) memory() float64 {
	if runtime.GOOS == "darwin" {
		return float64(c.MaxRSS) / 1e6
	}
	return float64(c.MaxRSS) * 1024 / 1e6
}

// A costing measures one column.
type costing struct {
	*testing.B
	machine  machine
	env      []string
	bin      string
	only     *regexp.Regexp
	jobs     *json.Encoder
	costs    *json.Decoder
	n        int            // lessons
	maker    *maker         // of what is added
	lastID   string         // of the proposal that was added last
	task     string         // on which there is a lesson in project03
	sessions int            // so many were made
	load     string         // of the system, before the first process
	notes    map[string]int // runs by row
}

func newCosting(b *testing.B, bin string, only *regexp.Regexp) *costing {
	home, err := os.MkdirTemp("", "learnings-cost")
	if err != nil {
		b.Fatal(err)
	}
	// A process in the background may still be writing: what it leaves is no failure.
	b.Cleanup(func() { os.RemoveAll(home) })
	c := &costing{B: b, machine: machine{b, home}, bin: bin, only: only, maker: newMaker(), load: load(), notes: map[string]int{}}
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

// subject is a task on which there is a lesson in project03.
func (c *costing) subject() string {
	if c.task == "" {
		_, out, _ := c.run("", []string{c.program("learnings"), "show", "--project", "project03", "--status", "approved", "-n", "1", "--json"})
		var l struct{ Content string }
		if err := json.Unmarshal([]byte(out), &l); err != nil {
			c.Fatalf("a lesson of project03: %v", err)
		}
		c.task = l.Content
	}
	return c.task
}

// run runs a command to its end, with variables beside those of the home.
func (c *costing) run(stdin string, args []string, variables ...string) (took cost, stdout, stderr string) {
	c.Helper()
	file := func(name string) string { return filepath.Join(c.machine.home, name) }
	if err := os.WriteFile(file("stdin"), []byte(stdin), 0o600); err != nil {
		c.Fatal(err)
	}
	err := c.jobs.Encode(map[string]any{
		"Args": args, "Env": append(slices.Clip(c.env), variables...), "Dir": c.machine.home,
		"Stdin": file("stdin"), "Stdout": file("stdout"), "Stderr": file("stderr"), "WaitSeconds": int(costBound.Seconds()),
	})
	if err == nil {
		err = c.costs.Decode(&took)
	}
	if err != nil || took.Error != "" {
		c.Fatalf("%s: %v %s", args, err, took.Error)
	}
	out, err := os.ReadFile(file("stdout"))
	if err != nil {
		c.Fatal(err)
	}
	errs, err := os.ReadFile(file("stderr"))
	if err != nil {
		c.Fatal(err)
	}
	return took, string(out), string(errs)
}

func (c *costing) state() string {
	return settings.StateOf(filepath.Join(c.machine.home, "state", "learnings"), c.machine.corpus())
}

// program is the path of one that was built.
func (c *costing) program(name string) string { return filepath.Join(c.bin, name) }

// say prints how far it is.
func (c *costing) say(format string, args ...any) {
	fmt.Fprintf(os.Stderr, "%s %s: %s\n", time.Now().Format("15:04:05"), c.Name(), fmt.Sprintf(format, args...))
}

// wants reports whether a row is to be measured.
func (c *costing) wants(row string) bool { return c.only.MatchString(row) }

// rounds runs rows in turn, so that what else the machine does hits all of them alike,
// and puts their medians into a table. Between two rounds the index takes in what the
// last one wrote, or the first to read would pay for all.
func (c *costing) rounds(rows []costRow, most int, t *costTable, column string) {
	costs := map[string][]cost{}
	spent := map[string]time.Duration{}
	nothing := map[string]int{}
	for round := range most {
		for _, row := range rows {
			if !c.wants(row.name) && !row.always || spent[row.name] < 0 {
				continue
			}
			if spent[row.name] > costPatient || round >= 3 && spent[row.name] > costEnough {
				continue
			}
			args := row.args(c)
			if args == nil {
				spent[row.name] = -1
				continue
			}
			took, out, errs := c.run(row.stdin, args, row.variables...)
			switch {
			case took.Code == exitPerson:
				c.say("%s is left out, for an agent runs this: %s", row.name, errs)
				spent[row.name] = -1
				continue
			case took.Code != 0:
				c.Fatalf("%s: code %d\n%s%s", strings.Join(args, " "), took.Code, out, errs)
			case out == "":
				nothing[row.name]++ // as a hook does past its deadline
			}
			spent[row.name] += took.Wall
			costs[row.name] = append(costs[row.name], took)
			if row.then != nil && out != "" {
				row.then(c, out)
			}
		}
		if c.n > 0 {
			c.run("", []string{c.program("learnings"), "search", costQuery})
		}
	}
	for _, row := range rows {
		if !c.wants(row.name) {
			continue
		}
		all := costs[row.name]
		if len(all) == 0 {
			t.set(row.name, column, "–")
			continue
		}
		if nothing[row.name] == len(all) && !row.silent {
			c.Errorf("%s printed nothing in %d runs", row.name, len(all))
		}
		wall, cpu, peak := middle(all)
		if most > 1 {
			c.notes[row.name] = len(all)
		}
		c.say("%s: %v (processor %v), %.0f MB, %d runs", row.name, wall.Round(10*time.Microsecond), cpu.Round(10*time.Microsecond), peak, len(all))
		cell := durationCell(wall)
		if row.speed != nil {
			cell += fmt.Sprintf(", %.0f MB/s", row.speed(c)/wall.Seconds()/1e6)
		}
		if !row.foreign {
			cell += ", " + memoryCell(peak)
		}
		t.set(row.name, column, cell)
	}
}

// middle is the median of the times, and the highest peak.
func middle(all []cost) (wall, cpu time.Duration, peak float64) {
	byWall := slices.Clone(all)
	slices.SortFunc(byWall, func(a, b cost) int { return int(a.Wall - b.Wall) })
	byCPU := slices.Clone(all)
	slices.SortFunc(byCPU, func(a, b cost) int { return int(a.CPU - b.CPU) })
	for _, one := range all {
		peak = max(peak, one.memory())
	}
	return byWall[len(all)/2].Wall, byCPU[len(all)/2].CPU, peak
}

func durationCell(d time.Duration) string {
	switch ms := float64(d.Microseconds()) / 1000; {
	case ms < 9.95:
		return fmt.Sprintf("%.1f ms", ms)
	case ms < 999.5:
		return fmt.Sprintf("%.0f ms", ms)
	case ms < 9995:
		return fmt.Sprintf("%.1f s", ms/1000)
	default:
		return fmt.Sprintf("%.0f s", ms/1000)
	}
}

func memoryCell(mb float64) string {
	if mb >= 999.5 {
		return fmt.Sprintf("%.1f GB", mb/1000)
	}
	return fmt.Sprintf("%.0f MB", mb)
}

// note is the line below a table that says how a column was measured. Where only some
// rows were, it is what was said of the others, and of these when.
func (c *costing) note(was string) string {
	now := fmt.Sprintf("%s, load %s%s", time.Now().Format(time.DateOnly), c.load, c.runs())
	if *costOnly == "" || was == "" {
		return fmt.Sprintf("%s, %s/%s, %d × %s, %s", runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), processorName(), now)
	}
	said, again := strings.Split(was, "; "), "rows "+strconv.Quote(*costOnly)+" "
	said = slices.DeleteFunc(said, func(s string) bool { return strings.HasPrefix(s, again) })
	return strings.Join(append(said, again+now), "; ")
}

// runs says of how many runs the figures are; "" where each row has its own way.
func (c *costing) runs() string {
	least, most := *costRuns, 0
	for _, n := range c.notes {
		least, most = min(least, n), max(most, n)
	}
	switch {
	case *costRuns == 1:
		return ", 1 run"
	case most == 0:
		return ""
	case least < most:
		return fmt.Sprintf(", %d to %d runs", least, most)
	}
	return fmt.Sprintf(", %d runs", most)
}

// load is how many processes wanted to run in the last minute, where the system says.
func load() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	return strings.Fields(string(text))[0]
}

// processorName is the model, where the system says.
func processorName() string {
	text, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return "processor"
	}
	for line := range bytes.Lines(text) {
		if name, ok := bytes.CutPrefix(line, []byte("model name")); ok {
			return strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(string(name)), ":"))
		}
	}
	return "processor"
}

// folderSize adds up the files below a folder.
func folderSize(dir string) (total int64) {
	_ = filepath.WalkDir(dir, func(_ string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return nil // what is gone by now takes no room
		}
		if info, err := d.Info(); err == nil {
			total += info.Size()
		}
		return nil
	})
	return total
}
