package process

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"testing"
)

func TestAboveInTable(t *testing.T) {
	table := map[int]process{
		9: {8, []string{"learnings"}},
		8: {7, []string{"bash", "/bin/bash", "-bash"}},
		7: {6, []string{"node", "/usr/bin/node", "node", "/home/sam/node_modules/@openai/codex/bin/codex.js"}},
		6: {1, []string{`C:\Program Files\WindowsTerminal.EXE`}},
		5: {4, []string{"a"}},
		4: {5, []string{"b"}},
	}
	look := func(pid int) (process, bool) { p, ok := table[pid]; return p, ok }
	if got := fmt.Sprint(above(9, look)); got != "[[bash] [node codex] [windowsterminal]]" {
		t.Error(got)
	}
	if got := above(5, look); len(got) != most {
		t.Errorf("a circle of processes: %d names", len(got))
	}
	if got := above(3, look); got != nil {
		t.Errorf("an unknown process: %v", got)
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
	if err != nil || !regexp.MustCompile(`^\[\[[^\]]*\bclaude\b`).Match(out) {
		t.Errorf("%v: %s", err, out)
	}
}
