package doctor

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"learnings/cmd/internal/setup"
)

// TestTry checks the reports on programs that give a wrong answer or none in time.
func TestTry(t *testing.T) {
	if _, err := os.Stat("/bin/sh"); err != nil {
		t.Skip("the programs of this test are shell scripts, and there is no shell")
	}
	dir := t.TempDir()
	script := func(name, text string) string {
		path := filepath.Join(dir, name)
		// A script that another test's child holds open for writing cannot run ("text
		// file busy").
		syscall.ForkLock.RLock()
		defer syscall.ForkLock.RUnlock()
		if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		return path
	}
	claude, _ := setup.Get(setup.Machine{Getenv: func(string) string { return "" }, OS: "linux", Home: dir}, "claude")
	p := patient{Agents{World: setup.Machine{Getenv: os.Getenv, OS: "linux", Home: dir}, Dir: dir}, claude}
	const good = `{"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"learnings is wired in: this is a probe, and says nothing else."}}`
	for name, c := range map[string]struct {
		text, want string
	}{
		"right":  {`cat >/dev/null; test "$LEARNINGS_PROBE" = s && echo '` + good + `'`, ""},
		"deaf":   {"echo '" + good + "'", ""},
		"silent": {"true", "it prints nothing"},
		"chatty": {"cat /dev/zero", "no answer within"},
		"hangs":  {"exec sleep 1000", "no answer within"},
		"leaves": {"sleep 1000 & echo '" + good + "'; sleep 1000", "no answer within"},
		"fails":  {"exit 7", "exit code 7"},
		"said":   {"echo no room >&2; exit 7", "exit code 7: no room"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if strings.HasPrefix(c.want, "no answer") {
				var stop context.CancelFunc
				ctx, stop = context.WithTimeout(ctx, 300*time.Millisecond)
				defer stop()
			}
			_, err := p.try(ctx, setup.Call{Event: "session-start", Theirs: "SessionStart", Command: script(name, c.text), Args: []string{}}, "s")
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
}

// TestPlain checks which hand-written commands are run.
func TestPlain(t *testing.T) {
	for command, want := range map[string]bool{
		"learnings hook stop":                       true,
		"~/go/bin/learnings-hook stop --for claude": true,
		"'/opt/my tools/learnings-hook' stop":       true,
		"LEARNINGS_DIR=/x learnings hook stop":      true,
		"learnings hook stop; rm -rf ~":             false,
		"learnings hook stop && x":                  false,
		"learnings hook stop | tee /x":              false,
		"learnings hook stop > /x":                  false,
		"learnings hook $(x)":                       false,
		"learnings hook `x`":                        false,
		"learnings hook stop\nx":                    false,
		"learnings hook stop &":                     false,
	} {
		if got := plain(setup.Call{Command: command}); got != want {
			t.Errorf("%s: %v", command, got)
		}
	}
}

// TestPackaged checks that a program's version is found without running it.
func TestPackaged(t *testing.T) {
	dir := t.TempDir()
	for path, text := range map[string]string{
		"lib/node_modules/@google/gemini-cli/bundle/gemini.js": "", "lib/node_modules/@google/gemini-cli/package.json": `{"version":"0.61.0"}`,
		"lib/node_modules/cline/bin/cline": "", "lib/node_modules/cline/package.json": `{"version":7}`,
		"share/claude/versions/2.1.197": "", "other/codex": "", "other/package.json": `{"version":"1.0.0"}`,
	} {
		full := filepath.Join(dir, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for path, want := range map[string]string{
		"lib/node_modules/@google/gemini-cli/bundle/gemini.js": "0.61.0", "lib/node_modules/cline/bin/cline": "", "share/claude/versions/2.1.197": "2.1.197", "other/codex": "", "none": "",
	} {
		if got := packaged(filepath.Join(dir, filepath.FromSlash(path))); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}
