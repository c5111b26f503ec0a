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
	file   string   // the path of its program; "" if unknown
	sure   bool     // see Program.Sure
	server bool     // it is a terminal multiplexer: it serves whoever is attached
}

// A Program is a program above this process.
type Program struct {
	Names []string // in lower case, without folders and endings such as .exe and .js
	File  string   // the path of its file; "" if unknown
	Sure  bool     // the file is the system's, so that no other program goes by its name
}

// Above returns the programs above a process, nearest first: its parent, the parent of
// that, and so on. Above the server of tmux or screen is whoever is attached to it. whole
// reports that the list goes up to the first process of the system; it is false in a
// namespace of the caller's own, and where the system does not tell. A program may have
// several names: an agent that is a script is called "node" and by its script.
func Above(pid int) (above []Program, whole bool) {
	above, whole = follow(pid, look)
	return above, whole && honest(pid)
}

// follow follows parents in a process table.
func follow(pid int, look func(pid int) (process, bool)) (above []Program, whole bool) {
	p, ok := look(pid)
	for len(above) < most && ok && p.parent > 1 {
		at := p.parent
		if p, ok = look(at); ok {
			above = append(above, Program{plain(p.names), p.file, p.sure})
			if client := 0; p.server {
				if client = attached(at); client > 0 {
					p.parent = client
				}
			}
		}
	}
	return above, len(above) < most && (ok || orphansKeepParents && len(above) > 0)
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
