package curate

import (
	"errors"
	"strings"
	"testing"

	"learnings/lessons"
)

// TestSeated: unknown is not a person. A name with a question mark is of a program that
// anybody may have put there.
func TestSeated(t *testing.T) {
	for chain, want := range map[string]bool{
		"zsh gnome-terminal-server systemd":     true,
		"-zsh zsh-5.9 kitty python3":            true, // what opens a terminal does not decide in it
		"bash sshd-session sshd":                true,
		"bash sudo bash login":                  true,
		"zsh tmux bash foot sway":               true, // attached to the server
		"xargs bash code":                       true,
		"pwsh.exe WindowsTerminal.exe":          true,
		"bash .kitty-wrapped":                   true,
		"go zsh xterm":                          true, // go run
		"zsh foot rofi sway bash login":         true, // a desktop that was started on the console
		"zsh xterm zsh code gnome-shell":        true,
		"zsh xterm node zsh kitty":              false, // an agent opens a window of its own
		"zsh xterm python3 bash sshd":           false,
		"":                                      false,
		"bash systemd":                          false, // an orphan
		"sh tmux systemd":                       false,
		"bash script":                           false,
		"bash xterm?":                           false,
		"node zsh xterm":                        false,
		"sh git zsh xterm":                      false, // its hook
		"sh make zsh xterm":                     false,
		"bash python3 systemd":                  false,
		"sh emacs systemd":                      false,
		"sh cron":                               false,
		"zsh 2.1.330 zsh gnome-terminal-server": false,
		"bash su":                               false,
		"bash zellij":                           false,
	} {
		var above []Program
		for name := range strings.FieldsSeq(chain) {
			file, unsure := strings.CutSuffix(name, "?")
			above = append(above, Program{File: "/usr/bin/" + file, Sure: !unsure})
		}
		if got := Seated(above, true, nil); got != want {
			t.Errorf("%q: %v", chain, got)
		}
		if Seated(above, false, nil) {
			t.Errorf("%q counts although what is above is unknown", chain)
		}
		if !Seated(above, false, []string{"*"}) {
			t.Errorf("%q does not count where every program is trusted", chain)
		}
	}
	zellij := []Program{{File: "/usr/bin/fish"}, {File: "/home/sam/bin/zellij"}}
	for _, trusted := range []string{"zellij", "/home/sam/bin/zellij"} {
		if !Seated(zellij, true, []string{"other", trusted}) {
			t.Errorf("%s is trusted, and does not count", trusted)
		}
	}
}

// TestDecidedByAProgram: what a program decides waits, whatever it decides, until a person
// confirms it; what cannot wait is refused.
func TestDecidedByAProgram(t *testing.T) {
	c := corpus(t)
	ls := propose(t, c, said("one", "Use pnpm for installs"), said("two", "Commit in small steps"), said("three", "Name a branch after its ticket"))
	if _, err := c.Decide(Approve, ls[1]); err != nil {
		t.Fatal(err)
	}
	ls[1], _ = c.Store.Get("two")
	c.Alone, c.Manner = true, Manner(true, false, []Program{{Names: []string{"sh"}}, {Names: []string{"init"}}})
	for i, a := range []Action{Approve, Archive, Reject} {
		if l, err := c.Decide(a, ls[i]); err != nil || !l.Outside {
			t.Errorf("%s: %+v, %v", a.Verb, l, err)
		}
	}
	if _, err := c.Add(said("four", "Write the test first")); err != nil {
		t.Fatal(err)
	}
	if n := c.Waits(); n != 4 {
		t.Errorf("%d wait", n)
	}
	refused := func(what string, err error) {
		if !errors.Is(err, ErrPerson) || !strings.Contains(err.Error(), "a program in sh in init") {
			t.Errorf("%s: %v", what, err)
		}
	}
	_, err := c.Undo(1)
	refused("undo", err)
	_, err = c.Redo(1)
	refused("redo", err)
	refused("forget", c.Forget([]lessons.ID{"one"}))
	os, err := c.Origins(t.Context())
	if err != nil || len(os) != 1 || len(os[0].Lessons) != 4 || os[0].Says != "decided by a program in sh in init" {
		t.Fatalf("%+v, %v", os, err)
	}
	_, err = c.Take(os[0])
	refused("confirm", err)
	c.Alone = false
	if b, err := c.Take(os[0]); err != nil || len(b.After) != 4 {
		t.Fatalf("%+v, %v", b, err)
	}
	for id, want := range map[lessons.ID]lessons.Status{"one": lessons.Approved, "two": lessons.Archived, "three": lessons.Rejected, "four": lessons.Approved} {
		if l, err := c.Store.Get(id); err != nil || l.Outside || l.Status != want {
			t.Errorf("%s: %+v, %v", id, l, err)
		}
	}
	if _, err := c.Undo(1); err != nil {
		t.Fatal(err)
	}
	if l, err := c.Store.Get("one"); err != nil || !l.Outside {
		t.Errorf("confirming is undone: %+v, %v", l, err)
	}
}

// TestHosted: shells and multiplexers alone host nobody, as above an orphan.
func TestHosted(t *testing.T) {
	for chain, want := range map[string]bool{"": false, "bash systemd": false, "sh tmux systemd": false, "bash script": false, "python3 sh systemd": true, "go bash": true} {
		var above []Program
		for name := range strings.FieldsSeq(chain) {
			above = append(above, Program{File: "/usr/bin/" + name})
		}
		if got := Hosted(above, true); got != want || Hosted(above, false) {
			t.Errorf("%q: %v", chain, got)
		}
	}
}
