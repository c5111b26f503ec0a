package main

import (
	"bytes"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"learnings/cmd/internal/term"
	"learnings/lessons"
	"learnings/lessons/exchange/formats"
	"learnings/lessons/exchange/observations"
	"learnings/tui/desk"
)

// These lists say of everything that can be asked for lessons whether it takes them out of
// this machine. What is in none of them fails TestWaysOut: it asks by app.mayLeave or
// desk.Desk.Leave and gets a try there, or it belongs to those that stay.
var (
	verbsOut  = strings.Fields("export publish sync")
	verbsMask = strings.Fields("mcp") // TestSuspects of mcpserver
	verbsStay = strings.Fields("setup extract review show search approve reject edit undo check inject doctor sessions pause add merge resolve guard " +
		"feedback forget stats history import config hook status index man version")
	deskOut  = strings.Fields("Export Chosen Copied Page")
	deskStay = strings.Fields("Stores Import Forms")
	readOnly = []string{formats.Memories, formats.Reminders}
)

// TestWaysOut tries every way out of this machine with a lesson that holds what looks like
// a secret, where nobody can be asked: nothing leaves. With a yes it does.
func TestWaysOut(t *testing.T) {
	const word = "tunnel4821"
	home := t.TempDir()
	out := filepath.Join(home, "out")
	places := map[string]string{"LEARNINGS_DIR": filepath.Join(home, "corpus"), "XDG_STATE_HOME": filepath.Join(home, "state"), "XDG_CONFIG_HOME": filepath.Join(home, "config")}
	var said bytes.Buffer
	world := knobs(env{stdin: strings.NewReader(""), stdout: &said, stderr: &said, home: home, cwd: filepath.Join(out, "team"), user: "ann", goos: "linux", getenv: func(k string) string { return places[k] }, now: time.Now})
	learnings := func(args ...string) (code int, text string) {
		said.Reset()
		world.args = args
		code = run(t.Context(), world)
		return code, said.String()
	}
	_, text := learnings("add", "--project", "out", "--insight", "1. unlock\n2. look", "Open the build room with "+word)
	_, text, _ = strings.Cut(text, "added ")
	id, _, _ := strings.Cut(text, " ")

	ways := map[string][]string{"html": {"export", "--to", "html", filepath.Join(out, "html", "out")}, "publish": {"publish", "--add", "claude-md", filepath.Join(out, "publish", "out")}}
	for _, f := range formats.All() {
		if f.Server == nil && !slices.Contains(readOnly, f.Name) {
			ways[f.Name] = []string{"export", "--to", f.Name, filepath.Join(out, f.Name, "out")}
		}
	}
	ways[formats.Team][3] = id
	for name := range ways {
		if err := os.MkdirAll(filepath.Join(out, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(out, observations.CompanionName, "out"), 0o700); err != nil {
		t.Fatal(err) // a database is made in a folder
	}
	left := func(name string) (found bool) {
		_ = filepath.WalkDir(filepath.Join(out, name), func(path string, _ fs.DirEntry, _ error) error {
			text, _ := os.ReadFile(path)
			found = found || bytes.Contains(text, []byte(word))
			return nil
		})
		return found
	}
	for name, args := range ways {
		if code, text := learnings(args...); code != 6 || !strings.Contains(text, "look like secrets") || strings.Contains(text, word) || left("") {
			t.Errorf("%s: nobody was asked: code %d, %s", name, code, text)
		}
	}
	t.Run("desk", func(t *testing.T) { deskAsks(t, world, lessons.ID(id), filepath.Join(out, "desk")) })
	for name, args := range ways {
		if code, text := learnings(append(args, "--yes")...); code != 0 || !left(name) {
			t.Errorf("%s: a yes does not let it leave: code %d, %s", name, code, text)
		}
	}
	for _, g := range verbs {
		for _, newVerb := range g.make {
			if name := newVerb(newApp(env{}, nil)).Name(); !slices.Contains(slices.Concat(verbsOut, verbsMask, verbsStay), name) {
				t.Errorf("no list of this file says whether lessons leave by the verb %s", name)
			}
		}
	}
}

// deskAsks checks that every export of the desk says which suspects would leave.
func deskAsks(t *testing.T, world env, id lessons.ID, dest string) {
	a := newApp(world, term.NewOutput(io.Discard, false, func(error) {}))
	if err := a.person("review"); err != nil {
		t.Fatal(err)
	}
	c, err := deskConfig(t.Context(), a)
	if err != nil {
		t.Fatal(err)
	}
	asked := func(way string, leaving []lessons.Lesson, err error) {
		if lines, _ := c.Suspects(leaving); err != nil || len(lines) != 1 {
			t.Errorf("%s of the desk: %q is asked about, %v", way, lines, err)
		}
	}
	ids := []lessons.ID{id}
	for _, f := range formats.All() {
		if f.Server == nil && !slices.Contains(append(readOnly, formats.Team), f.Name) {
			p, err := c.Exchange.Export(t.Context(), f.Name+" "+filepath.Join(dest, f.Name, "out"))
			asked("export to "+f.Name, p.Leaving, err)
		}
	}
	for _, f := range c.Exchange.Forms() {
		p, err := c.Exchange.Chosen(t.Context(), f.Name, filepath.Join(dest, f.Name), ids)
		asked(f.Name, p.Leaving, err)
		if f.Text {
			_, ls, err := c.Exchange.Copied(t.Context(), f.Name, ids)
			asked("copy as "+f.Name, ls, err)
		}
	}
	p, err := c.Exchange.Page(t.Context(), "all", filepath.Join(dest, "page.html"), ids)
	asked("page", p.Leaving, err)
	for f := range reflect.TypeFor[desk.Exchange]().Fields() {
		if !slices.Contains(append(deskOut, deskStay...), f.Name) {
			t.Errorf("no list of this file says whether lessons leave by desk.Exchange.%s", f.Name)
		}
	}
}
