package process

import (
	"path"
	"strings"
)

// most is how far up it looks: deeper than any shell in a shell in an editor,
// and an end for a table of processes that runs in a circle.
const most = 32

// A process is one line of the system's table.
type process struct {
	parent int
	names  []string // what it may be called: its name, its program, the script that it runs
}

// Above returns the names of the programs above a process, the nearest first: its
// parent, the parent of that, and so on. It knows Linux, macOS and Windows;
// elsewhere, and where the system does not say, there are none. A program has several names where the system knows several: an agent that is a
// script is called "node" and by its script. Folders and endings such as .exe
// and .js are cut off, and all is in lower case.
func Above(pid int) [][]string { return above(pid, look) }

// above climbs a table of processes.
func above(pid int, look func(pid int) (process, bool)) [][]string {
	var out [][]string
	p, ok := look(pid)
	for len(out) < most && ok && p.parent > 1 {
		if p, ok = look(p.parent); ok {
			out = append(out, plain(p.names))
		}
	}
	return out
}

// plain are names without folders and endings, each once.
func plain(names []string) []string {
	var out []string
	seen := map[string]bool{}
	for _, n := range names {
		for _, n := range aliases(n) {
			if n != "" && !seen[n] {
				seen[n] = true
				out = append(out, n)
			}
		}
	}
	return out
}

// aliases are the base of a path and, of a script in a package of npm, the name
// of the package: …/node_modules/@openai/codex/bin/codex.js is "codex" twice.
func aliases(name string) []string {
	name = strings.ToLower(strings.ReplaceAll(strings.TrimSpace(name), `\`, "/"))
	base := strings.TrimPrefix(path.Base(name), "-") // a login shell
	for _, end := range []string{".exe", ".cmd", ".mjs", ".cjs", ".js", ".py"} {
		base = strings.TrimSuffix(base, end)
	}
	out := []string{base}
	if _, pkg, ok := strings.Cut(name, "/node_modules/"); ok {
		parts := strings.Split(pkg, "/")
		if strings.HasPrefix(pkg, "@") && len(parts) > 1 {
			parts = parts[1:]
		}
		out = append(out, parts[0])
	}
	return out
}

// scripts are the words of a command line that may name a program: the first, and
// the first behind it that is no flag, which an interpreter runs.
func scripts(args []string) []string {
	var out []string
	for i, a := range args {
		if i > 0 && strings.HasPrefix(a, "-") {
			continue
		}
		if out = append(out, a); len(out) == 2 {
			break
		}
	}
	return out
}
