package doctor

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"

	"learnings/cmd/internal/term"
)

// installed reports where an agent's program is, and its version.
func (p patient) installed(context.Context) []Check {
	const name = "installed"
	program := p.agent.Program
	if program == "" {
		if info, err := os.Stat(p.agent.Folder); err != nil || !info.IsDir() {
			return []Check{Bad(name, "install it, or name another", "there is neither its program in the PATH nor %s", p.Short(p.agent.Folder))}
		}
		return []Check{Fine(name, "%s is there; no program of it is in the PATH", p.Short(p.agent.Folder))}
	}
	version := packaged(program)
	if version == "" {
		return []Check{Fine(name, "%s", p.Short(program))}
	}
	var major, minor int
	if n, _ := fmt.Sscanf(version, "%d.%d", &major, &minor); p.agent.Name == "qwen" && n == 2 && major == 0 && minor < 24 {
		return []Check{Notable(name, "take 0.24 or later; until then /learnings and the MCP server look them up",
			"%s, %s: what hooks answer at the start of a session never reaches its model, so no lesson is given there", version, p.Short(program))}
	}
	return []Check{Fine(name, "%s, %s", version, p.Short(program))}
}

// ofPackage matches the folder of an npm package in a program's path.
var ofPackage = regexp.MustCompile(`^.*[/\\]node_modules[/\\](?:@[^/\\]+[/\\])?[^/\\]+`)

// packaged returns the version of a program from its npm package or, for Claude Code,
// from its folder of versions; "" if there is neither.
func packaged(program string) string {
	real, err := filepath.EvalSymlinks(program)
	if err != nil {
		return ""
	}
	if filepath.Base(filepath.Dir(real)) == "versions" {
		return filepath.Base(real)
	}
	var pack struct{ Version string }
	if text, err := os.ReadFile(filepath.Join(ofPackage.FindString(real), "package.json")); err == nil && ofPackage.MatchString(real) {
		_ = json.Unmarshal(text, &pack) // an error leaves it empty
	}
	return term.OneLine(pack.Version[:min(len(pack.Version), 40)])
}
