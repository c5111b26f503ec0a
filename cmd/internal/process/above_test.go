package process

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

func TestAboveInTable(t *testing.T) {
	named := func(parent int, names ...string) process { return process{parent: parent, names: names} }
	table := map[int]process{
		9: named(8, "learnings"),
		8: named(7, "bash", "/bin/bash", "-bash"),
		7: named(6, "node", "/usr/bin/node", "node", "/home/sam/node_modules/@openai/codex/bin/codex.js"),
		6: named(1, `C:\Program Files\WindowsTerminal.EXE`),
		5: named(4, "a"),
		4: named(5, "b"),
		3: named(2, "lost"),
	}
	look := func(pid int) (process, bool) { p, ok := table[pid]; return p, ok }
	names := func(pid int) (string, bool) {
		above, whole := follow(pid, look)
		var out [][]string
		for _, p := range above {
			out = append(out, p.Names)
		}
		return fmt.Sprint(out), whole
	}
	if got, whole := names(9); got != "[[bash] [node codex] [windowsterminal]]" || !whole {
		t.Error(got, whole)
	}
	if got, whole := follow(5, look); len(got) != most || whole {
		t.Errorf("a circle of processes: %d names", len(got))
	}
	for pid, of := range map[int]string{2: "an unknown process", 3: "one with an unknown parent"} {
		if got, whole := names(pid); got != "[]" || whole {
			t.Errorf("%s: %v, %v", of, got, whole)
		}
	}
}

// TestSystemFile: a copy of a program does not go by its name.
func TestSystemFile(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if runtime.GOOS != "linux" || err != nil {
		t.Skip("the owner of a program is looked up on Linux only")
	}
	text, err := os.ReadFile(sh)
	if err != nil {
		t.Fatal(err)
	}
	copied := filepath.Join(t.TempDir(), "xterm")
	if err := os.WriteFile(copied, text, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, program := range []string{sh, copied} {
		cmd := exec.Command(program, "-c", "'"+os.Args[0]+"' -test.run '^TestAbove$' & wait")
		cmd.Env = append(os.Environ(), "PARENTS_TEST=1")
		out, err := cmd.CombinedOutput()
		if want := fmt.Sprintf("%v}", program == sh); err != nil || !strings.Contains(strings.SplitN(string(out), "} {", 2)[0]+"}", want) {
			t.Errorf("under %s: %v, %s", program, err, out)
		}
	}
}

func TestScripts(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"node", "--no-warnings", "/opt/claude/cli.js", "-p", "x"}, "[node /opt/claude/cli.js]"},
		{[]string{"bash"}, "[bash]"},
		{nil, "[]"},
	} {
		if got := fmt.Sprint(scripts(c.args)); got != c.want {
			t.Errorf("%q: %s", c.args, got)
		}
	}
}

// TestAbove starts a process under a shell named like an agent, with several
// environments.
func TestAbove(t *testing.T) {
	if os.Getenv("PARENTS_TEST") != "" {
		fmt.Println(Above(os.Getpid()))
		return
	}
	if runtime.GOOS != "linux" && runtime.GOOS != "darwin" {
		t.Skip("the parents of a process are looked up with a renamed shell on Linux and macOS only")
	}
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(sh, "-c", "'"+os.Args[0]+"' -test.run '^TestAbove$' & wait")
	cmd.Args[0] = "claude"
	cmd.Env = append(os.Environ(), "PARENTS_TEST=1")
	out, err := cmd.CombinedOutput()
	if err != nil || !regexp.MustCompile(`^\[{\[[^\]]*\bclaude\b`).Match(out) {
		t.Errorf("%v: %s", err, out)
	}
}
