package main

import (
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// desk measures the review desk, on an emulated terminal: see measureDesk for what is
// played.
func (c *costing) desk(t *costTable, column string) {
	const starts = 5
	wanted := c.wants(costDeskFirst) || c.wants(costDeskKey) || c.wants(costDeskType) || c.wants(costDeskMemory)
	for _, o := range costOpenings {
		wanted = wanted || c.wants(costDeskOpen+o.name)
	}
	if !wanted {
		return
	}
	at := func(folder string) string { return filepath.Join(c.machine.home, folder) }
	home := deskHome{home: at("."), corpus: c.machine.corpus(), state: at("state/learnings"), claude: at("claude"), env: c.env}
	home.propose(c.B, proposalsLeft)
	home.leaveSessions(c.B, sessionsLeft)
	settings := []byte("learning.enabled = false\n") // a worker would be another process
	err := os.MkdirAll(at("config/learnings"), 0o700)
	if err == nil {
		err = os.WriteFile(at("config/learnings/config.toml"), settings, 0o600)
	}
	if err != nil {
		c.Fatal(err)
	}
	// Or the desk begins with those that are there, and stays with the one it was at.
	if took, out, errs := c.run("", []string{c.program("learnings"), "index"}); took.Code != exitOK {
		c.Fatalf("index: code %d\n%s%s", took.Code, out, errs)
	}
	d := measureDesk(c.B, c.program("learnings"), home)
	for range starts - 1 {
		again := startDesk(c.B, c.program("learnings"), home)
		d.add("first", again.until("the header", again.began, func(s screenshot) bool { return s.line(0) != "" }))
		again.open(d)
		again.close()
	}
	most := func(share float64, what ...string) time.Duration {
		ms := 0.0
		for _, w := range what {
			c.say("desk, %s: median %.1f ms, 95th percentile %.1f ms, %d keys", w, d.ms(w, 0.5), d.ms(w, 0.95), len(d.took[w]))
			ms = max(ms, d.ms(w, share))
		}
		return time.Duration(ms * float64(time.Millisecond))
	}
	const kb = 1024.0 / 1e6
	set := func(row, cell string) {
		if c.wants(row) {
			t.set(row, column, cell)
		}
	}
	set(costDeskFirst, durationCell(most(0.5, "first")))
	set(costDeskKey, durationCell(most(0.95, "review", "browse", "sessions", "place", "approve", "undo")))
	set(costDeskType, durationCell(most(0.95, "typing-review", "typing-browse")))
	for _, o := range costOpenings {
		set(costDeskOpen+o.name, durationCell(most(0.5, o.of)))
	}
	set(costDeskMemory, fmt.Sprintf("%s, %s", memoryCell(float64(d.start)*kb), memoryCell(float64(d.peak)*kb)))
	c.say("desk: memory %.0f MB, %.0f MB", float64(d.start)*kb, float64(d.peak)*kb)
}
