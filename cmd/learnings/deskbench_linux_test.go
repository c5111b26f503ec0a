package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/vt"
	"golang.org/x/sys/unix"

	"learnings/cmd/internal/settings"
	"learnings/lessons"
	"learnings/lessons/store"
)

// BenchmarkDesk plays keys on every screen of the review desk, the real program on an
// emulated terminal of 120 columns, over corpora of the sizes that LEARNINGS_BENCH_SIZES
// names ("1000,14391"; 14,391 without it), with 300 proposals. A key counts until the
// frame is there that shows what it did. Memory is "start-MB" two seconds after the desk
// has become idle, and "peak-MB" of the whole session, ten idle seconds at its end
// included.
//
//	go test -run '^$' -bench Desk -benchtime 1x ./cmd/learnings
//
// LEARNINGS_BENCH_HOMES ("/tmp/h14:/tmp/h200") names homes that have a corpus already
// and are written to, in place of the sizes; LEARNINGS_BENCH_PROGRAM a program that was
// built before.
func BenchmarkDesk(b *testing.B) {
	program := cmp.Or(os.Getenv("LEARNINGS_BENCH_PROGRAM"), filepath.Join(b.TempDir(), "learnings"))
	if os.Getenv("LEARNINGS_BENCH_PROGRAM") == "" {
		if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
			b.Fatalf("%v\n%s", err, out)
		}
	}
	bench := func(name string, make func(testing.TB) deskHome) {
		b.Run(name, func(b *testing.B) {
			home := make(b)
			home.propose(b, proposalsLeft)
			home.leaveSessions(b, sessionsLeft)
			b.ResetTimer()
			for b.Loop() {
				measureDesk(b, program, home).report(b)
			}
		})
	}
	if homes := os.Getenv("LEARNINGS_BENCH_HOMES"); homes != "" {
		for _, home := range filepath.SplitList(homes) {
			bench(filepath.Base(home), func(testing.TB) deskHome { return homeAt(home) })
		}
		return
	}
	for _, size := range strings.Split(cmp.Or(os.Getenv("LEARNINGS_BENCH_SIZES"), strconv.Itoa(benchLessons)), ",") {
		n, err := strconv.Atoi(size)
		if err != nil {
			b.Fatal(err)
		}
		bench(size, func(b testing.TB) deskHome { return newHome(b, n) })
	}
}

const (
	proposalsLeft = 300
	sessionsLeft  = 120
)

// A deskHome is a home with a corpus for a desk.
type deskHome struct {
	home, corpus, state, claude string
	env                         []string
}

// homeAt is a home as a person has it.
func homeAt(home string) deskHome {
	return deskHome{
		home: home, corpus: filepath.Join(home, ".local", "share", "learnings"), state: filepath.Join(home, ".local", "state", "learnings"),
		claude: filepath.Join(home, ".claude"), env: []string{"HOME=" + home, "USER=sam", "TMPDIR=" + os.TempDir()},
	}
}

// newHome makes a home with so many approved lessons.
func newHome(b testing.TB, n int) deskHome {
	b.Helper()
	h := homeAt(b.TempDir())
	all := benchLessonsOf(n)
	s := h.open(b)
	for some := range slices.Chunk(all, 5000) {
		if _, err := s.Put(store.Write{Op: lessons.OpAdd, By: "sam"}, some...); err != nil {
			b.Fatal(err)
		}
	}
	return h
}

func (h deskHome) open(b testing.TB) *store.Store {
	b.Helper()
	s, err := store.Open(h.corpus, store.Options{State: settings.StateOf(h.state, h.corpus)})
	if err != nil {
		b.Fatal(err)
	}
	return s
}

// propose puts proposals into the queue, unless it has them.
func (h deskHome) propose(b testing.TB, n int) {
	b.Helper()
	s := h.open(b)
	if _, err := s.Get(proposalID(0)); err == nil {
		return
	}
	some := benchLessonsOf(n)
	for i := range some {
		l := &some[i]
		l.ID, l.Status, l.Category = proposalID(i), lessons.Pending, "preference"
		l.Content = "Prefer" + strings.TrimPrefix(l.Content, "Always")
		l.Origin = lessons.Origin{Extractor: "rules", Rule: "a person said how it is to be done"}
		l.Evidence = []lessons.Evidence{{
			Agent: "claude-code", Session: fmt.Sprintf("%08x", i), Line: 10 + i, By: lessons.ByPerson, Quote: l.Content,
			Before: []string{"agent: I changed the wrapper script.", "agent: All tests pass."}, After: []string{"agent: I will do that from now on."},
		}}
	}
	// What reads like an order asks for more than a key.
	some = slices.DeleteFunc(some, func(l lessons.Lesson) bool { return len(lessons.Dangers(l)) > 0 })
	if _, err := s.Put(store.Write{Op: lessons.OpPropose, By: "rules"}, some...); err != nil {
		b.Fatal(err)
	}
}

func proposalID(i int) lessons.ID { return lessons.ID(fmt.Sprintf("q%07x", i)) }

// leaveSessions leaves transcripts of an agent, unless there are some, and switches the
// background worker off, which would be another process.
func (h deskHome) leaveSessions(b testing.TB, n int) {
	b.Helper()
	write := func(path, text string) {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			b.Fatal(err)
		}
	}
	write(filepath.Join(h.home, ".config", "learnings", "config.toml"), "learning.enabled = false\n")
	for i := range n {
		id := fmt.Sprintf("%08x-0000-4000-8000-000000000000", i)
		var text strings.Builder
		for turn := range 40 {
			at := time.Date(2026, 10, 1+i%28, 9, turn, 0, 0, time.UTC).Format(time.RFC3339)
			fmt.Fprintf(&text, `{"isSidechain":false,"userType":"external","version":"2.1.20","uuid":"u%[4]d","type":"user","sessionId":%[1]q,"cwd":"/src/project%02[2]d","timestamp":%[3]q,"message":{"role":"user","content":"Please look at test %[4]d again, and say what it asserts."}}`+"\n", id, i%benchProjects, at, turn)
			fmt.Fprintf(&text, `{"isSidechain":false,"userType":"external","version":"2.1.20","uuid":"a%[4]d","type":"assistant","sessionId":%[1]q,"cwd":"/src/project%02[2]d","timestamp":%[3]q,"message":{"role":"assistant","content":[{"type":"text","text":"It asserts that the answer is %[4]d."}]}}`+"\n", id, i%benchProjects, at, turn)
		}
		write(filepath.Join(h.claude, "projects", fmt.Sprintf("-src-project%02d", i%benchProjects), id+".jsonl"), text.String())
	}
}

// A deskCost is what a session at the desk cost.
type deskCost struct {
	took        map[string][]time.Duration
	order       []string
	start, peak int // KB
}

func (c *deskCost) add(what string, d time.Duration) {
	if _, ok := c.took[what]; !ok {
		c.order = append(c.order, what)
	}
	c.took[what] = append(c.took[what], d)
}

// ms is a percentile of what something took, in milliseconds.
func (c *deskCost) ms(what string, share float64) float64 {
	all := slices.Sorted(slices.Values(c.took[what]))
	if len(all) == 0 {
		return 0
	}
	return float64(all[int(share*float64(len(all)-1)+0.5)].Microseconds()) / 1000
}

func (c *deskCost) report(b *testing.B) {
	for _, what := range c.order {
		if len(c.took[what]) < 3 {
			b.ReportMetric(c.ms(what, 0.5), what+"-ms")
			continue
		}
		b.ReportMetric(c.ms(what, 0.5), what+"-p50-ms")
		b.ReportMetric(c.ms(what, 0.95), what+"-p95-ms")
	}
	b.ReportMetric(float64(c.start)/1024, "start-MB")
	b.ReportMetric(float64(c.peak)/1024, "peak-MB")
	b.ReportMetric(0, "ns/op")
}

// measureDesk plays a session at the desk. What was decided is taken back at the end.
func measureDesk(b testing.TB, program string, home deskHome) *deskCost {
	b.Helper()
	c := &deskCost{took: map[string][]time.Duration{}}
	d := startDesk(b, program, home)
	defer d.close()
	d.cost = c
	c.add("first", d.until("the header", d.began, func(s screenshot) bool { return strings.Contains(s.line(0), "1 Review") }))
	c.add("queue", d.until("the queue", d.began, func(s screenshot) bool { return s.at() == 1 }))
	c.add("ready", d.until("an idle desk", d.began, screenshot.idle))
	d.rest(2 * time.Second)
	c.start = memoryOf(b, d.cmd.Process.Pid, "VmRSS")

	d.move("review", "j", 40, 1)
	d.move("review", "k", 20, -1)
	d.search("typing-review", "error message", "remote", "test port")
	d.decide("approve", "a", 10, -1)
	d.decide("undo", "u", 10, 1)
	for _, dialog := range []struct{ key, name, shows string }{
		{"C", "contradictions", "contradict"}, {"?", "keys", "type to narrow"}, {":", "palette", "esc close"}, {"H", "history", "history"},
	} {
		c.add("open-"+dialog.name, d.press(dialog.key, func(s screenshot) bool { return strings.Contains(s.text, dialog.shows) }))
		d.settle()
		if dialog.name == "contradictions" {
			for range 5 { // in a list that may have one line, where the key draws nothing
				if _, err := d.pty.WriteString("j"); err != nil {
					b.Fatal(err)
				}
				d.settle()
			}
		}
		d.press("\x1b", screenshot.bare)
		d.settle()
	}

	c.add("open-browse", d.press("\t", func(s screenshot) bool {
		return strings.Contains(s.line(headLine), "approved") && s.at() > 0
	}))
	d.settle()
	d.move("browse", "j", 60, 1)
	d.move("browse", "k", 20, -1)
	d.move("browse", "\x04", 10, 0)
	d.search("typing-browse", "error message", "remote", "test port")
	d.press("h", screenshot.idle)
	for range 5 { // the path above the list, and as many lessons as the facet says
		for _, key := range []string{"j", " "} {
			was := d.now()
			took := d.press(key, func(s screenshot) bool { return s.text != was.text })
			if key == " " {
				c.add("facet", took)
			}
			d.settle()
		}
	}

	c.add("open-sessions", d.press("\t", func(s screenshot) bool { return strings.Contains(s.line(headLine), "sessions") && s.at() > 0 }))
	d.settle()
	d.move("sessions", "j", 40, 1)
	c.add("open-reader", d.press("\r", screenshot.read))
	d.settle()
	d.press("\x1b", screenshot.bare)
	d.settle()
	c.add("open-insights", d.press("\x1b4", func(s screenshot) bool { return strings.Contains(s.text, "what is out of date") }))
	d.settle()
	c.add("open-next", d.press("\x1b5", func(s screenshot) bool {
		return strings.Contains(s.text, "learnings-context") || strings.Contains(s.text, "othing is told")
	}))
	d.settle()
	c.add("open-log", d.press("@", func(s screenshot) bool { return strings.Contains(s.text, "log of this run") }))
	d.press("\x1b", screenshot.bare)
	d.settle()
	c.add("open-review", d.press("\x1b1", func(s screenshot) bool { return strings.Contains(s.line(headLine), "likely") }))
	d.rest(10 * time.Second)
	c.peak = memoryOf(b, d.cmd.Process.Pid, "VmHWM")
	return c
}

// read reports whether a session is shown with what its agent said.
func (s screenshot) read() bool {
	return strings.Contains(s.text, "what the person said") && strings.Contains(s.text, "  agent  ")
}

// open opens each screen of a desk that has just started, and what lies over them, for the
// first time.
func (d *deskRun) open(c *deskCost) {
	d.b.Helper()
	d.settle()
	c.add("open-palette", d.press(":", func(s screenshot) bool { return strings.Contains(s.text, "esc close") }))
	d.press("\x1b", screenshot.bare)
	for _, o := range []struct {
		what, key string
		shows     func(screenshot) bool
	}{
		{"open-browse", "\x1b2", func(s screenshot) bool { return strings.Contains(s.line(headLine), "approved") && s.at() > 0 }},
		{"open-sessions", "\x1b3", func(s screenshot) bool { return strings.Contains(s.line(headLine), "sessions") && s.at() > 0 }},
		{"open-reader", "\r", screenshot.read},
		{"", "\x1b", screenshot.bare},
		{"open-insights", "\x1b4", func(s screenshot) bool { return strings.Contains(s.text, "what is out of date") }},
		{"open-next", "\x1b5", func(s screenshot) bool {
			return strings.Contains(s.text, "learnings-context") || strings.Contains(s.text, "othing is told")
		}},
		{"open-review", "\x1b1", func(s screenshot) bool { return strings.Contains(s.line(headLine), "likely") }},
	} {
		took := d.press(o.key, o.shows)
		if d.settle(); o.what != "" {
			c.add(o.what, took)
		}
	}
}

// A deskRun is a desk on a terminal.
type deskRun struct {
	b     testing.TB
	cmd   *exec.Cmd
	pty   *os.File
	em    *vt.Emulator
	began time.Time
	cost  *deskCost

	mu    sync.Mutex
	shown screenshot // the newest
	turns chan screenshot
}

// A screenshot is what a screen showed at a time.
type screenshot struct {
	text string
	when time.Time
}

func (s screenshot) line(i int) string {
	lines := strings.Split(s.text, "\n")
	if i >= len(lines) {
		return ""
	}
	return lines[i]
}

func (s screenshot) idle() bool { return strings.Contains(s.line(0), "idle") }

// bare reports that no dialog is open.
func (s screenshot) bare() bool { return strings.Contains(s.line(deskH-1), "? keys") }

// headLine is the line of the page that says what the list is, and the place in it.
const headLine = 2

var counterOfList = regexp.MustCompile(`([\d,]+)/([\d,]+)`)

// counter is the place in the list, and how long that is: "2/131".
func (s screenshot) counter() string { return counterOfList.FindString(s.line(headLine)) }

// at is the place in the list; 0 when there is none.
func (s screenshot) at() int {
	m := counterOfList.FindStringSubmatch(s.line(headLine))
	if m == nil {
		return 0
	}
	n, _ := strconv.Atoi(strings.ReplaceAll(m[1], ",", ""))
	return n
}

// left is how many proposals the header counts.
func (s screenshot) left() int {
	_, rest, _ := strings.Cut(s.line(0), "1 Review ")
	n, _ := strconv.Atoi(strings.ReplaceAll(strings.Fields(rest + " 0")[0], ",", ""))
	return n
}

const (
	deskW, deskH = 120, 40
	deskBound    = 5 * time.Minute // for a desk that never shows what is waited for
)

func startDesk(b testing.TB, program string, home deskHome) *deskRun {
	b.Helper()
	pty, tty, err := openTerminal()
	if err != nil {
		b.Fatal(err)
	}
	defer tty.Close()
	if err := unix.IoctlSetWinsize(int(pty.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: deskH, Col: deskW}); err != nil {
		b.Fatal(err)
	}
	if err := unix.SetNonblock(int(pty.Fd()), true); err != nil {
		b.Fatal(err)
	}
	cmd := exec.CommandContext(context.Background(), program)
	cmd.Dir = home.home
	cmd.Env = append(slices.Clone(home.env), "TERM=xterm-256color", "COLORTERM=truecolor")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = tty, tty, tty
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	d := &deskRun{b: b, cmd: cmd, pty: pty, em: vt.NewEmulator(deskW, deskH), turns: make(chan screenshot, 1<<16), began: time.Now()}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	go func() { _, _ = io.Copy(pty, d.em) }() // what a terminal answers when it is asked
	go d.follow()
	return d
}

// A piece is what was read of a frame, and when.
type piece struct {
	bytes []byte
	when  time.Time
}

const (
	askSync = "\x1b[?2026$p" // whether the terminal can be told where a frame ends
	hasSync = "\x1b[?2026;2$y"
	endSync = "\x1b[?2026l" // where it ends
)

// follow draws what the desk writes. It is read as it comes and drawn aside, or the time
// to draw one frame would be counted to the next; and what is shown is looked at where a
// frame ends.
func (d *deskRun) follow() {
	pieces := make(chan piece, 1<<12)
	go func() {
		defer close(pieces)
		for {
			buf := make([]byte, 16<<10)
			n, err := d.pty.Read(buf)
			if err != nil {
				return // it has ended
			}
			pieces <- piece{buf[:n], time.Now()}
		}
	}()
	defer close(d.turns)
	frames := false // it tells where they end
	var tail []byte // of the piece before
	for p := range pieces {
		_, _ = d.em.Write(p.bytes)
		seen := append(tail, p.bytes...)
		tail = slices.Clone(seen[max(0, len(seen)-len(endSync)):])
		if bytes.Contains(seen, []byte(askSync)) {
			_, _ = d.pty.WriteString(hasSync)
		}
		ends := bytes.HasSuffix(seen, []byte(endSync))
		if frames = frames || ends; frames && !ends {
			continue
		}
		s := screenshot{d.em.String(), p.when}
		d.mu.Lock()
		d.shown = s
		d.mu.Unlock()
		d.turns <- s
	}
}

func (d *deskRun) now() screenshot {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.shown
}

// until waits for a frame and says how long after begin it came.
func (d *deskRun) until(what string, begin time.Time, shows func(screenshot) bool) time.Duration {
	d.b.Helper()
	bound := time.NewTimer(deskBound)
	defer bound.Stop()
	for {
		select {
		case s, ok := <-d.turns:
			if !ok {
				d.b.Fatalf("the desk ended before it showed %s:\n%s", what, d.now().text)
			}
			if shows(s) {
				return max(s.when.Sub(begin), 0)
			}
		case <-bound.C:
			d.b.Fatalf("the desk does not show %s:\n%s", what, d.now().text)
		}
	}
}

// soon is until for what may be shown already.
func (d *deskRun) soon(what string, begin time.Time, shows func(screenshot) bool) time.Duration {
	d.b.Helper()
	if s := d.now(); shows(s) {
		return max(s.when.Sub(begin), 0)
	}
	return d.until(what, begin, shows)
}

// press types a key and waits for what it shows.
func (d *deskRun) press(key string, shows func(screenshot) bool) time.Duration {
	d.b.Helper()
	for len(d.turns) > 0 { // what was drawn before
		<-d.turns
	}
	begin := time.Now()
	if _, err := d.pty.WriteString(key); err != nil {
		d.b.Fatal(err)
	}
	return d.until(fmt.Sprintf("what %q does", key), begin, shows)
}

// settle waits until nothing is under way.
func (d *deskRun) settle() {
	d.b.Helper()
	d.soon("an idle desk", time.Now(), screenshot.idle)
}

// rest does nothing for a while, which is part of what is measured.
func (d *deskRun) rest(long time.Duration) {
	d.settle()
	<-time.After(long)
}

// move moves in a list, each time by so many rows, or, for 0, by as many as the key does.
func (d *deskRun) move(what, key string, times, by int) {
	d.b.Helper()
	for range times {
		was := d.now().at()
		begin := time.Now()
		d.cost.add(what, d.press(key, func(s screenshot) bool { return s.at() == was+by || by == 0 && s.at() > was }))
		d.cost.add(what+"-whole", d.soon("an idle desk", begin, screenshot.idle))
	}
}

// search types words letter by letter, first to see what they find and then to see how
// soon. A letter that finds as much as the one before it cannot be timed.
func (d *deskRun) search(what string, words ...string) {
	d.b.Helper()
	typed := func(text string) func(screenshot) bool {
		return func(s screenshot) bool { return strings.Contains(s.line(headLine), " "+strings.TrimSpace(text)) }
	}
	for _, w := range words {
		var finds []string
		for again := range 2 {
			d.press("/", func(s screenshot) bool { return strings.Contains(s.text, "enter keep") })
			d.settle()
			for i, letter := range w {
				was := d.now().counter()
				if again == 0 {
					d.press(string(letter), typed(w[:i+1]))
					d.settle()
					finds = append(finds, d.now().counter())
				} else if finds[i] == was || finds[i] == "" {
					d.press(string(letter), typed(w[:i+1]))
					d.settle()
				} else {
					d.cost.add(what, d.press(string(letter), func(s screenshot) bool { return s.counter() == finds[i] }))
				}
			}
			d.settle()
			d.press("\x1b", func(s screenshot) bool { return !strings.Contains(s.text, "enter keep") })
			d.settle()
		}
	}
}

// decide presses a key that changes by how many the queue is longer.
func (d *deskRun) decide(what, key string, times, by int) {
	d.b.Helper()
	for range times {
		was := d.now().left()
		begin := time.Now()
		d.cost.add(what, d.press(key, func(s screenshot) bool { return s.left() == was+by }))
		d.cost.add(what+"-stored", d.soon("that it is stored", begin, func(s screenshot) bool { return strings.Contains(s.text, "✓") && s.left() == was+by }))
		d.settle()
	}
}

// memoryOf is a line of what the kernel says of a process, in KB.
func memoryOf(t testing.TB, pid int, line string) int {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := bytes.Cut(status, []byte(line+":"))
	n, err := strconv.Atoi(string(bytes.Fields(rest)[0]))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func (d *deskRun) close() {
	_ = d.cmd.Process.Signal(syscall.SIGTERM)
	if err := d.cmd.Wait(); err != nil && !errors.As(err, new(*exec.ExitError)) {
		d.b.Error(err)
	}
	d.pty.Close()
}
