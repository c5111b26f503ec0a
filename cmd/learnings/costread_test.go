//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

const (
	costMade = "made up"
	costReal = "of real agents"
)

// session writes a new session of Claude Code of about so many bytes and gives its file:
// mostly what tools printed, and a person who twice says how things are to be done.
func (c *costing) session(size int) string {
	c.sessions++
	id := fmt.Sprintf("%08x-0000-4000-8000-%012x", c.sessions, c.n)
	at := time.Date(2026, 11, 20, 8, 0, 0, 0, time.UTC).Add(time.Duration(c.sessions) * time.Minute)
	var out strings.Builder
	lines := 0
	line := func(kind string, content any) {
		at = at.Add(7 * time.Second)
		lines++
		text, err := json.Marshal(map[string]any{
			"type": kind, "sessionId": id, "cwd": "/src/project03", "version": "2.1.185", "gitBranch": "main", "isSidechain": false, "userType": "external",
			"uuid": fmt.Sprintf("%s%04x", id[:32], lines), "timestamp": at.Format("2006-01-02T15:04:05.000Z"),
			"message": map[string]any{"role": kind, "content": content},
		})
		if err != nil {
			c.Fatal(err)
		}
		out.Write(append(text, '\n'))
	}
	m := c.maker
	line("user", m.text(2))
	for call := 0; out.Len() < size || call < 2; call++ {
		tool := fmt.Sprintf("toolu_%x_%x", c.sessions, call)
		line("assistant", []any{
			map[string]any{"type": "text", "text": m.text(1)},
			map[string]any{"type": "tool_use", "id": tool, "name": "Bash", "input": map[string]any{"command": m.line()}},
		})
		line("user", []any{map[string]any{"type": "tool_result", "tool_use_id": tool, "content": m.text(10 + m.r.IntN(60))}})
		if call < 2 {
			line("user", []string{"No, always ", "Don't do that. From now on never "}[call]+m.line()+".")
		}
	}
	line("assistant", []any{map[string]any{"type": "text", "text": m.text(2)}})
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

// readingRows are the rows about the transcripts in a folder, in the order of the table.
// The last two are to be measured one after the other: all is taken in, and is not new.
func readingRows(dir string) []costRow {
	one := "GOMAXPROCS=1"
	size := func(*costing) float64 { return float64(folderSize(dir)) }
	row := func(name string, variables []string, args ...string) costRow {
		return costRow{name: name, variables: variables, speed: size, args: func(c *costing) []string {
			return append(append([]string{c.program("learnings")}, args...), "--from", dir)
		}}
	}
	again := row("`extract`, nothing new", nil, "extract")
	again.silent = true
	return []costRow{
		{name: "`cat … \\| wc -l`", foreign: true, speed: size, args: func(*costing) []string {
			return []string{"/bin/sh", "-c", "find '" + dir + "' -type f -exec cat {} + | wc -l"}
		}},
		row("`sessions`", nil, "sessions"),
		row("`sessions`, one core", []string{one}, "sessions"),
		row("`extract --dry-run`", nil, "extract", "--dry-run"),
		row("`extract --dry-run`, one core", []string{one}, "extract", "--dry-run"),
		row("`extract`, once", nil, "extract"),
		again,
	}
}

// reading measures the second table, of which real sessions are a column where they lie
// beside the checkout.
func (c *costing) reading(t *costTable) {
	const sessions, size = 170, 600_000
	for range sessions {
		c.session(size)
	}
	for _, set := range []struct{ column, dir string }{
		{costMade, filepath.Join(c.machine.home, "claude", "projects")},
		{costReal, filepath.Join("..", "..", "..", "shared", "transcripts")},
	} {
		dir, err := filepath.Abs(set.dir)
		if err != nil {
			c.Fatal(err)
		}
		if _, err := os.Stat(dir); err != nil {
			c.say("sessions %s are left out: %v", set.column, err)
			continue
		}
		for _, old := range []string{c.machine.corpus(), filepath.Join(c.machine.home, "state")} {
			if err := os.RemoveAll(old); err != nil {
				c.Fatal(err)
			}
		}
		clear(c.notes)
		rows := readingRows(dir)
		rest := len(rows) - 2
		once, again := rows[rest], rows[rest+1]
		c.rounds(rows[:rest], *costRuns, t, set.column)
		once.always = c.wants(again.name)
		c.rounds([]costRow{once}, 1, t, set.column)
		c.rounds([]costRow{again}, *costRuns, t, set.column)
		_, was, _ := strings.Cut(t.notes[set.column], ", ") // after the size
		t.notes[set.column] = fmt.Sprintf("%.0f MB, %s", float64(folderSize(dir))/1e6, c.note(was))
	}
}
