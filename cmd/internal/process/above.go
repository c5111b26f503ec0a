package process

import (
	"path"
	"strings"
)

// most is how many parents are followed: more than any nesting of shells, and an end for
// a table of processes with a cycle.
const most = 32

// A process is one entry of the system's process table.
type process struct {
	parent int
	names  []string // possible names: its own, its program's, its script's
}

// Above returns the names of the programs above a process, nearest first: its parent, the
// parent of that, and so on. It supports Linux, macOS and Windows, and returns nil where
// the system does not tell. A program may have several names: an agent that is a script
// is called "node" and by its script. Names are in lower case, without folders and
// endings such as .exe and .js.
func Above(pid int) [][]string { return above(pid, look) }

// above follows parents in a process table.
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

// plain removes folders, endings and duplicates from names.
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

// aliases returns the base of a path and, for a script in an npm package, the package's
// name: …/node_modules/@openai/codex/bin/codex.js is "codex" twice.
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

// scripts returns the arguments that may name a program: the first, and the first after
// it that is not a flag, which an interpreter runs.
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
