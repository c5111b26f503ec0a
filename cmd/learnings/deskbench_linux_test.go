package main

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/vt"
	"golang.org/x/sys/unix"
)

// BenchmarkDesk plays keys on every screen of the review desk, the real program on an
// emulated terminal of 120 columns, over corpora of the sizes that LEARNINGS_BENCH_SIZES
// names ("1000,14391"; 14,391 and 300 without it), with 300 proposals and 120 sessions. A key
// counts until the screen shows what it did. Memory is "start-MB" two seconds after the
// desk has become idle, and "peak-MB" of the whole session, ten idle seconds at its end
// included.
//
//	go test -run '^$' -bench Desk -benchtime 1x ./cmd/learnings
//
// LEARNINGS_BENCH_HOMES ("/tmp/h14:/tmp/h200") names homes that have a corpus already, in
// place of the sizes; LEARNINGS_BENCH_PROGRAM a program that was built before.
func BenchmarkDesk(b *testing.B) {
	program := cmp.Or(os.Getenv("LEARNINGS_BENCH_PROGRAM"), filepath.Join(b.TempDir(), "learnings"))
	if os.Getenv("LEARNINGS_BENCH_PROGRAM") == "" {
		if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
			b.Fatalf("%v\n%s", err, out)
		}
	}
	if homes := os.Getenv("LEARNINGS_BENCH_HOMES"); homes != "" {
		for _, home := range filepath.SplitList(homes) {
			env := []string{"HOME=" + home, "USER=sam", "TMPDIR=" + os.TempDir()}
			b.Run(filepath.Base(home), func(b *testing.B) { playDesk(b, program, machine{b, home}, env) })
		}
		return
	}
	for size := range strings.SplitSeq(cmp.Or(os.Getenv("LEARNINGS_BENCH_SIZES"), "14391,300"), ",") {
		n, err := strconv.Atoi(size)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(size, func(b *testing.B) {
			m := newMachine(b)
			makeCorpus(b, m, n)
			m.quiet(b, 300, "")
			m.leaveSessions(120)
			playDesk(b, program, m, slices.DeleteFunc(m.command(b.Context()).Env, func(v string) bool { return strings.HasPrefix(v, "LEARNINGS_TEST_run=") }))
		})
	}
}

// leaveSessions writes n transcripts.
func (m machine) leaveSessions(n int) {
	const line = `{"isSidechain":false,"userType":"external","version":"2.1.20","uuid":"%[5]c%[4]d","type":%[6]q,"sessionId":%[1]q,"cwd":"/src/project%02[2]d","timestamp":%[3]q,"message":{"role":%[6]q,"content":%[7]q}}` + "\n"
	for i := range n {
		id := fmt.Sprintf("%08x-0000-4000-8000-000000000000", i)
		var text strings.Builder
		for turn := range 40 {
			at := time.Date(2026, 10, 1+i%28, 9, turn, 0, 0, time.UTC).Format(time.RFC3339)
			fmt.Fprintf(&text, line, id, i%27, at, turn, 'u', "user", fmt.Sprintf("Please look at test %d again, and say what it asserts.", turn))
			fmt.Fprintf(&text, line, id, i%27, at, turn, 'a', "assistant", fmt.Sprintf("It asserts that the answer is %d.", turn))
		}
		path := filepath.Join(m.home, "claude", "projects", fmt.Sprintf("-src-project%02d", i%27), id+".jsonl")
		err := os.MkdirAll(filepath.Dir(path), 0o700)
		if err == nil {
			err = os.WriteFile(path, []byte(text.String()), 0o600)
		}
		if err != nil {
			m.t.Fatal(err)
		}
	}
}

// A deskRun is a measured desk.
type deskRun struct {
	*window
	took  map[string][]time.Duration
	order []string
}

// A screenshot is the text of a screen.
type screenshot string

const deskW, deskH = 120, 40

func (s screenshot) line(i int) string {
	if lines := strings.Split(string(s), "\n"); i < len(lines) {
		return lines[i]
	}
	return ""
}

func (s screenshot) idle() bool { return strings.Contains(s.line(0), "idle") }

// bare reports whether no dialog is open.
func (s screenshot) bare() bool { return strings.Contains(s.line(deskH-1), "? keys") }

// head returns the line with the list's name and position.
func (s screenshot) head() string { return s.line(2) }

var placeInList = regexp.MustCompile(`([\d,]+)/[\d,]+`)

// at returns the position in the list, or 0.
func (s screenshot) at() int {
	m := append(placeInList.FindStringSubmatch(s.head()), "", "")
	n, _ := strconv.Atoi(strings.ReplaceAll(m[1], ",", ""))
	return n
}

// left returns the header's count of proposals.
func (s screenshot) left() int {
	_, rest, _ := strings.Cut(s.line(0), "1 Review ")
	n, _ := strconv.Atoi(strings.ReplaceAll(strings.Fields(rest + " 0")[0], ",", ""))
	return n
}

// shows waits for a screen and records the time; with an empty what it records nothing.
func (d *deskRun) shows(what string, begin time.Time, ok func(screenshot) bool) {
	d.t.Helper()
	d.mu.Lock()
	d.raw = nil // until copies it for each look
	d.mu.Unlock()
	d.until(what, func(screen, _ string) bool { return ok(screenshot(screen)) })
	if what != "" {
		d.note(what, time.Since(begin))
	}
}

func (d *deskRun) note(what string, took time.Duration) {
	if _, known := d.took[what]; !known {
		d.order = append(d.order, what)
	}
	d.took[what] = append(d.took[what], took)
}

// press types a key, waits for its effect and then for an idle desk.
func (d *deskRun) press(what, key string, ok func(screenshot) bool) {
	d.t.Helper()
	begin := time.Now()
	d.keys(key)
	d.shows(what, begin, ok)
	d.shows("", begin, screenshot.idle)
}

func (d *deskRun) now() screenshot {
	d.mu.Lock()
	defer d.mu.Unlock()
	return screenshot(d.em.String())
}

// move moves in a list by this many rows or, for 0, by as many as the key does.
func (d *deskRun) move(what, key string, times, by int) {
	d.t.Helper()
	for range times {
		was := d.now().at()
		d.press(what, key, func(s screenshot) bool { return s.at() == was+by || by == 0 && s.at() > was })
	}
}

// list returns the screen without its last column, which shows one lesson.
func (s screenshot) list() string {
	var left strings.Builder
	for line := range strings.Lines(string(s)) {
		left.WriteString(line[:max(strings.LastIndex(line, "│"), 0)])
	}
	return s.head() + left.String()
}

// search types words letter by letter. A letter counts until the last change of the list
// before the desk is idle: then the lesson beside the list has been read, too.
func (d *deskRun) search(what string, words ...string) {
	d.t.Helper()
	open := func(s screenshot) bool { return strings.Contains(string(s), "enter keep") }
	for _, w := range words {
		d.press("", "/", open)
		for i, letter := range w {
			typed := " " + strings.TrimSpace(w[:i+1])
			begin, list, changed := time.Now(), "", time.Duration(0)
			d.keys(string(letter))
			d.shows("", begin, func(s screenshot) bool {
				if now := s.list(); now != list {
					list, changed = now, time.Since(begin)
				}
				return strings.Contains(s.head(), typed) && s.idle()
			})
			d.note(what, changed)
		}
		d.press("", "\x1b", func(s screenshot) bool { return !open(s) })
	}
}

// decide presses a key that changes the length of the queue by this number.
func (d *deskRun) decide(what, key string, times, by int) {
	d.t.Helper()
	for range times {
		was := d.now().left()
		d.press(what, key, func(s screenshot) bool { return s.left() == was+by })
	}
}

// playDesk plays a session at the desk. It undoes its decisions at the end.
func playDesk(b *testing.B, program string, m machine, env []string) {
	begin := time.Now()
	d := &deskRun{took: map[string][]time.Duration{}, window: openWindow(b, m, func(w *window) {
		w.cmd.Path, w.cmd.Args, w.em = program, []string{program}, vt.NewEmulator(deskW, deskH)
		w.cmd.Env = append(slices.Clone(env), "TERM=xterm-256color", "COLORTERM=truecolor")
		if err := unix.IoctlSetWinsize(w.fd, unix.TIOCSWINSZ, &unix.Winsize{Row: deskH, Col: deskW}); err != nil {
			b.Fatal(err)
		}
	})}
	has := func(text string) func(screenshot) bool {
		return func(s screenshot) bool { return strings.Contains(string(s), text) }
	}
	over := func(title string) func(screenshot) bool { // the dialog stands there to its last line
		return func(s screenshot) bool { return has(title)(s) && !s.bare() }
	}
	list := func(name string) func(screenshot) bool {
		return func(s screenshot) bool { return strings.Contains(s.head(), name) && s.at() > 0 }
	}
	d.shows("first", begin, func(s screenshot) bool { return strings.Contains(s.line(0), "1 Review") })
	d.shows("queue", begin, func(s screenshot) bool { return s.at() == 1 })
	d.shows("ready", begin, screenshot.idle)
	<-time.After(2 * time.Second)
	b.ReportMetric(memoryOf(b, d.cmd.Process.Pid, "VmRSS"), "start-MB")

	for range 4 { // ten are shown at once
		d.press("more", "n", screenshot.idle)
	}
	d.move("review", "j", 40, 1)
	d.move("review", "k", 20, -1)
	d.search("typing-review", "error message", "remote", "test port")
	d.decide("approve", "a", 10, -1)
	d.decide("undo", "u", 10, 1)
	for _, dialog := range [][3]string{{"C", "contradictions", "contradict"}, {"?", "keys", "keys of Review"}, {":", "palette", "type to find"}, {"H", "history", "history"}} {
		d.press("open-"+dialog[1], dialog[0], over(dialog[2]))
		d.press("", "\x1b", screenshot.bare)
	}
	d.press("open-browse", "2", list("approved"))
	d.move("browse", "j", 60, 1)
	d.move("browse", "k", 20, -1)
	d.move("browse", "\x04", 10, 0)
	d.search("typing-browse", "error message", "remote", "test port")
	d.press("open-sessions", "3", list("sessions"))
	d.move("sessions", "j", 40, 1)
	d.press("open-reader", "\r", has("what the person said"))
	d.press("", "\x1b", list("sessions"))
	d.press("open-insights", "4", has("what is out of date"))
	d.press("open-next", "5", func(s screenshot) bool { return has("learnings-context")(s) || has("othing is told")(s) })
	d.press("open-log", "@", over("log of this run"))
	d.press("", "\x1b", screenshot.bare)
	d.press("open-review", "1", list("likely"))
	<-time.After(10 * time.Second)
	b.ReportMetric(memoryOf(b, d.cmd.Process.Pid, "VmHWM"), "peak-MB")
	for _, what := range d.order {
		all := slices.Sorted(slices.Values(d.took[what]))
		ms := func(share float64) float64 {
			return float64(all[int(share*float64(len(all)-1)+0.5)].Microseconds()) / 1000
		}
		b.ReportMetric(ms(0.5), what+"-p50-ms")
		b.ReportMetric(ms(0.95), what+"-p95-ms")
	}
	b.ReportMetric(0, "ns/op")
	_ = d.cmd.Process.Signal(unix.SIGTERM)
	d.end()
}

// memoryOf returns a value of /proc/PID/status in MB.
func memoryOf(t testing.TB, pid int, line string) float64 {
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
	return float64(n) / 1024
}
