package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"learnings/lessons"
)

// A faces is a corpus with the open desk, whose figures a test compares.
type faces struct {
	t *testing.T
	m machine
	w *window
}

// A tallied is what the files of a corpus say, by a rule written apart from the program's.
type tallied struct {
	lanes    map[lessons.Lane]int
	statuses map[lessons.Status]int
	snoozed  int
	taken    int // lessons that came from sessions
}

func (f faces) files() tallied {
	c := tallied{lanes: map[lessons.Lane]int{}, statuses: map[lessons.Status]int{}}
	for _, l := range f.m.all() {
		c.statuses[l.Status]++
		if len(l.Evidence) > 0 {
			c.taken++
		}
		switch {
		case l.Status != lessons.Pending:
		case l.Decided.Until.After(time.Now()):
			c.snoozed++
		default:
			c.lanes[lessons.LaneOf(l)]++
		}
	}
	return c
}

func (c tallied) waiting() (n int) {
	for _, m := range c.lanes {
		n += m
	}
	return n
}

// agree compares every face that says how many lessons there are with the files.
func (f faces) agree(after string) {
	f.t.Helper()
	c := f.files()
	approved, due := c.statuses[lessons.Approved], c.waiting()-c.lanes[lessons.Maybe]

	// The desk: what its tabs, lanes, facets and figures settle on.
	f.w.keys("\x1b1")
	f.w.until(fmt.Sprintf("Review after %s with %v, and %d approved", after, c.lanes, approved), func(screen, _ string) bool {
		head := strings.Split(screen, "\n")
		if !strings.Contains(head[0], fmt.Sprintf("1 Review %d ", due)) || !strings.Contains(head[0], "idle") || !shows(head[0], "Browse", approved) {
			return false
		}
		for lane, name := range map[lessons.Lane]string{lessons.Likely: "likely", lessons.Maybe: "maybe", lessons.FromOutside: "from outside", lessons.Quarantined: "quarantined"} {
			if !shows(head[2], name, c.lanes[lane]) {
				return false
			}
		}
		return true
	})
	f.w.keys("\x1b2")
	f.w.until(fmt.Sprintf("Browse after %s with %v", after, c.statuses), func(screen, _ string) bool {
		for status, n := range c.statuses {
			if status != lessons.Merged && n > 0 && !regexp.MustCompile(fmt.Sprintf(`[○●] \S ?%s\b.*\b%d\b`, status, n)).MatchString(screen) {
				return false
			}
		}
		return true
	})
	f.w.keys("\x1b4")
	f.w.until(fmt.Sprintf("Insights after %s with %v", after, c.lanes), func(screen, _ string) bool {
		for lane, n := range c.lanes {
			if n > 0 && !regexp.MustCompile(fmt.Sprintf(`(?m)^\W*%s .* %d\b`, lane, n)).MatchString(screen) {
				return false
			}
		}
		says := fmt.Sprintf(" %d approved", approved)
		if approved == 0 {
			says = "nothing is approved yet"
		}
		return strings.Contains(screen, says) && strings.Contains(screen, "idle")
	})
	f.w.keys("\x1b1")

	// The verbs, for programs and for people.
	same := func(face string, got, want any) {
		if g, w := fmt.Sprint(got), fmt.Sprint(want); g != w {
			f.t.Errorf("after %s, %s has %s; the files have %s", after, face, g, w)
		}
	}
	var status struct{ Proposals, Maybe, Lessons int }
	f.object("status", &status, "status", "--json")
	same("status", status, struct{ Proposals, Maybe, Lessons int }{due, c.lanes[lessons.Maybe], approved})
	var stats struct {
		Statuses map[lessons.Status]int
		Lanes    map[lessons.Lane]int
		Snoozed  int
	}
	f.object("stats", &stats, "stats", "--json")
	same("stats --json", []any{stats.Statuses, stats.Lanes, stats.Snoozed}, []any{c.statuses, c.lanes, c.snoozed})
	if says := f.m.must("stats"); !strings.Contains(says, fmt.Sprintf("%d pending", c.statuses[lessons.Pending])) ||
		c.snoozed > 0 && !strings.Contains(says, fmt.Sprintf("; %d snoozed)", c.snoozed)) {
		f.t.Errorf("after %s, stats says\n%s", after, says)
	}
	for lane, n := range c.lanes {
		same("show --lane "+string(lane), f.lines("show", "--status", "pending", "--lane", string(lane), "--json"), n)
	}
	for _, s := range lessons.Statuses {
		same("show --status "+string(s), f.lines("show", "--status", string(s), "--json"), c.statuses[s])
	}
	same("search snoozed:yes", f.lines("search", "snoozed:yes", "status:pending", "--limit", "0", "--json"), c.snoozed)
	projects := map[lessons.Status]int{}
	for line := range strings.Lines(f.m.must("stats", "projects", "--json")) {
		var p struct{ Counts map[lessons.Status]int }
		f.parse("stats projects", line, &p)
		for s, n := range p.Counts {
			projects[s] += n
		}
	}
	same("stats projects", projects, c.statuses)
	taken := 0
	for line := range strings.Lines(f.m.must("sessions", "--json")) {
		var s struct{ Lessons int }
		f.parse("sessions", line, &s)
		taken += s.Lessons
	}
	same("sessions", taken, c.taken)

	// What leaves: to files, to agents, to a page.
	same("export", f.lines("export", "--to", "jsonl", "-"), approved)
	for _, s := range []lessons.Status{lessons.Approved, lessons.Pending, lessons.Rejected} {
		said, _, _ := f.m.run(fmt.Sprintf(mcpSession, s), "mcp")
		found := strings.Count(said, "[L-")
		if m := regexp.MustCompile(`(\d+) more; offset`).FindStringSubmatch(said); m != nil {
			more, _ := strconv.Atoi(m[1])
			found += more
		}
		same("mcp of "+string(s), found, c.statuses[s])
	}
	page := filepath.Join(f.t.TempDir(), "page.html")
	f.m.must("export", "--to", "html", "--pending", page)
	text, err := os.ReadFile(page)
	if err != nil {
		f.t.Fatal(err)
	}
	plain := strings.Join(strings.Fields(regexp.MustCompile(`<[^>]*>`).ReplaceAllString(string(text), " ")), " ")
	for _, want := range []string{fmt.Sprintf(" %d lessons approved ", approved), fmt.Sprintf(" %d wait to be judged ", c.waiting())} {
		if !strings.Contains(plain, want) {
			f.t.Errorf("after %s the page does not say %q", after, want)
		}
	}
	same("the page", strings.Count(string(text), `data-s="pending"`), c.waiting())
}

// shows reports whether a number stands behind a name; 0 may be left out.
func shows(line, name string, n int) bool {
	m := regexp.MustCompile(" " + name + ` (\d+) `).FindStringSubmatch(line)
	return m == nil && n == 0 || m != nil && m[1] == fmt.Sprint(n)
}

const mcpSession = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"search","arguments":{"query":"the","status":"%s","limit":1}}}
`

func (f faces) object(face string, into any, args ...string) {
	f.t.Helper()
	first, _, _ := strings.Cut(f.m.must(args...), "\n")
	f.parse(face, first, into)
}

func (f faces) parse(face, text string, into any) {
	f.t.Helper()
	if err := json.Unmarshal([]byte(text), into); err != nil {
		f.t.Fatalf("%s: %v in %s", face, err, text)
	}
}

func (f faces) lines(args ...string) int {
	f.t.Helper()
	return strings.Count(f.m.must(args...), "\n")
}

// TestOneCount makes every kind of decision on the desk and compares all faces after each.
func TestOneCount(t *testing.T) {
	if testing.Short() {
		t.Skip("left out with -short: starts some hundred processes")
	}
	t.Parallel()
	m := quietMachine(t, 6, "")
	of := filepath.Join("..", "internal", "settings", "sample", "claude-code")
	if err := os.CopyFS(filepath.Join(m.home, "claude", "projects"), os.DirFS(of)); err != nil {
		t.Fatal(err)
	}
	w := openWindow(t, m, func(w *window) {
		w.em.Resize(160, 50)
		w.resize(160, 50)
	})
	f := faces{t, m, w}
	w.wait("Lesson number", "3 Sessions 3 ●3 new", "idle")
	f.agree("the start")
	for _, step := range []struct{ name, keys, see string }{ // one without a name leads to the next
		{"reading", "X", "3 files read"},
		{"approving", "a", "✓ approved"},
		{"rejecting", "x", "✗ 1"},
		{"snoozing", "s", "snoozed until"},
		{"undoing", "u", "undone: snoozed"},
		{"snoozing again", "s", "snoozed until"},
		{"", "g  m", "accept and approve"},
		{"merging", "y", "⊕ merged 2"},
		{"undoing a merge", "u", "undone: merged"},
		{"merging again", "\x12", "redone: merged"},
		{"rejecting a maybe", "fx", "✗ 2"},
		{"undoing it", "u", "undone: rejected"},
	} {
		w.keys(step.keys)
		w.wait(step.see, "idle")
		if step.name != "" {
			f.agree(step.name)
		}
	}
	w.keys("q")
	w.end()
}
