package clients

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"learnings/cmd/internal/doctor"
	"learnings/cmd/internal/process"
	"learnings/lessons/lazy"
)

// installed says where an agent is, and which version of it.
func (p patient) installed(ctx context.Context) []doctor.Check {
	const name = "installed"
	program := p.agent.Program
	if program == "" {
		if info, err := os.Stat(p.agent.Folder); err != nil || !info.IsDir() {
			return []doctor.Check{doctor.Bad(name, "install it, or name another", "there is neither its program in the PATH nor %s", p.Short(p.agent.Folder))}
		}
		return []doctor.Check{doctor.Fine(name, "%s is there; no program of it is in the PATH", p.Short(p.agent.Folder))}
	}
	version := packaged(program)
	if version == "" {
		version = p.said(ctx, program)
	}
	if version == "" {
		return []doctor.Check{doctor.Fine(name, "%s", p.Short(program))}
	}
	var major, minor int
	if n, _ := fmt.Sscanf(version, "%d.%d", &major, &minor); p.agent.Name == "qwen" && n == 2 && major == 0 && minor < 24 {
		return []doctor.Check{doctor.Notable(name, "take 0.24 or later; until then /learnings and the MCP server look them up",
			"%s, %s: what hooks answer at the start of a session never reaches its model, so no lesson is given there", version, p.Short(program))}
	}
	return []doctor.Check{doctor.Fine(name, "%s, %s", version, p.Short(program))}
}

// packaged is the version of a program as its package has it: that of npm, or the folder
// of versions in which Claude Code keeps itself; "" when there is none.
func packaged(program string) string {
	real, err := filepath.EvalSymlinks(program)
	if err != nil {
		return ""
	}
	if filepath.Base(filepath.Dir(real)) == "versions" {
		return filepath.Base(real)
	}
	const folder = string(filepath.Separator) + "node_modules" + string(filepath.Separator)
	i := strings.LastIndex(real, folder)
	if i < 0 {
		return ""
	}
	at := i + len(folder)
	parts := strings.Split(real[at:], string(filepath.Separator))
	n := 1
	if strings.HasPrefix(parts[0], "@") {
		n = 2
	}
	if len(parts) <= n {
		return ""
	}
	text, err := os.ReadFile(filepath.Join(real[:at], filepath.Join(parts[:n]...), "package.json"))
	if err != nil {
		return ""
	}
	var pack struct{ Version string }
	_ = json.Unmarshal(text, &pack) // of none it stays empty
	return numbered().FindString(pack.Version)
}

// numbered is a version within what a program says.
var numbered = lazy.Regexp(`\d+\.\d+[0-9A-Za-z.+-]{0,40}`)

// versionTime is how long a program may take to say its version. Some take a second.
const versionTime = 4 * time.Second

// said is the version that a program says, asked not to do anything else; "" when it says
// none in time.
func (p patient) said(ctx context.Context, program string) string {
	ctx, cancel := context.WithTimeout(ctx, versionTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, "--version")
	var out limited
	cmd.Stdout, cmd.WaitDelay, cmd.Dir = &out, endTime, os.TempDir()
	cmd.Env = append(p.environment(), "DISABLE_AUTOUPDATER=1", "DISABLE_TELEMETRY=1", "NO_UPDATE_NOTIFIER=1", "NO_COLOR=1", "CI=1")
	defer process.Group(cmd)()
	if cmd.Run() != nil {
		return ""
	}
	line, _, _ := bytes.Cut(bytes.TrimSpace(out), []byte("\n"))
	return numbered().FindString(string(line))
}
