package claims

import (
	"encoding/json"
	"path"
	"slices"
	"strings"
)

const (
	mostManifests = 300
	mostManifest  = 512 << 10 // bytes
)

// manifests returns the files in the tree whose base name satisfies is.
func (t *Tree) manifests(is func(base string) bool) (out []string) {
	for _, e := range t.entries {
		if e.regular && is(path.Base(e.path)) && !strings.Contains(e.path, "node_modules/") && len(out) < mostManifests {
			out = append(out, e.path)
		}
	}
	return out
}

func isManifest(base string) bool {
	switch base {
	case "package.json", "go.mod", "Cargo.toml", "pyproject.toml", "setup.py", "setup.cfg", "Pipfile", "Gemfile", "composer.json", "pom.xml", "build.gradle", "build.gradle.kts",
		"libs.versions.toml", "mix.exs", "Package.swift", "pubspec.yaml", "deno.json", "deno.jsonc", "environment.yml", "pnpm-workspace.yaml", "flake.nix", "Dockerfile", "Brewfile", "conanfile.txt", "vcpkg.json", "rebar.config", "stack.yaml":
		return true
	}
	return strings.HasPrefix(base, "requirements") && strings.HasSuffix(base, ".txt") || strings.HasSuffix(base, ".gemspec") || strings.HasSuffix(base, ".csproj") || strings.HasSuffix(base, ".cabal")
}

// mentions reports whether a text contains a name as a whole word.
func mentions(text, name string) bool {
	for at := 0; ; {
		i := strings.Index(text[at:], name)
		if i < 0 {
			return false
		}
		i += at
		at = i + 1
		end := i + len(name)
		if edge := func(c byte) bool { return nameByte(c) || c == '-' }; (i == 0 || !edge(text[i-1])) && (end == len(text) || !edge(text[end])) {
			return true
		}
	}
}

// requires reports whether a go.mod requires a module, given by its path, the path of a
// package in it, or the end of its path.
func requires(mod, name string) bool {
	for line := range strings.Lines(mod) {
		line, _, _ = strings.Cut(strings.TrimSpace(line), "//")
		for _, f := range strings.Fields(line)[:min(len(strings.Fields(line)), 2)] {
			if f == name || strings.HasPrefix(name, f+"/") || strings.HasPrefix(f, name+"/") && strings.Contains(name, "/") {
				return true
			}
			if !strings.Contains(name, "/") && strings.Contains(f, "/") && slices.Contains(strings.FieldsFunc(f, func(r rune) bool { return r == '/' || r == '.' }), name) {
				return true
			}
		}
	}
	return false
}

// lookCommand looks for a target or script where its runner would.
func (t *Tree) lookCommand(c Claim) verdict {
	switch runner, _, _ := strings.Cut(c.In, " "); runner {
	case "make":
		return t.target(c.Name, func(b string) bool {
			return in(b, "Makefile makefile GNUmakefile") || strings.HasSuffix(b, ".mk") || strings.HasPrefix(b, "Makefile.")
		}, makeTarget, "CMakeLists.txt", "configure", "configure.ac", "meson.build", "Makefile.am", "Makefile.in", "Makefile.PL", "Kbuild")
	case "just":
		return t.target(c.Name, func(b string) bool {
			return strings.EqualFold(b, "justfile") || strings.EqualFold(b, ".justfile") || strings.HasSuffix(b, ".just")
		}, justRecipe)
	case "task":
		return t.target(c.Name, func(b string) bool {
			return strings.Contains(strings.ToLower(b), "taskfile") && (ext(b) == ".yml" || ext(b) == ".yaml")
		}, taskKey)
	case "npm", "pnpm", "yarn", "bun":
		return t.script(c)
	case "go":
		return t.target(c.Name, func(b string) bool { return b == "go.mod" }, func(text, name string) verdict {
			for line := range strings.Lines(text) {
				f := strings.Fields(strings.TrimPrefix(strings.TrimSpace(line), "tool "))
				if len(f) > 0 && (path.Base(f[0]) == name || strings.HasPrefix(path.Base(f[0]), "v") && path.Base(path.Dir(f[0])) == name) {
					return holds
				}
			}
			return gone
		})
	}
	return unknown
}

// target asks all files of a runner. If there are files that may generate these, the
// verdict is unknown.
func (t *Tree) target(name string, is func(string) bool, has func(text, name string) verdict, makers ...string) verdict {
	files := t.manifests(is)
	out := gone
	for _, f := range files {
		b, ok := t.read(f, mostManifest)
		if !ok {
			return unknown
		}
		switch has(string(b), name) {
		case holds:
			return holds
		case unknown:
			out = unknown
		}
	}
	if len(files) >= mostManifests || len(t.manifests(func(b string) bool { return slices.Contains(makers, b) })) > 0 {
		return unknown
	}
	if len(files) == 0 && len(makers) > 0 && (t.there("Makefile") || t.ignored("Makefile")) {
		return unknown
	}
	return out
}

// makeTarget looks for a target of make.
func makeTarget(text, name string) verdict {
	if strings.Contains(text, "$(eval") || strings.Contains(text, "$(foreach") {
		return dynamic(text, name)
	}
	out := gone
	for line := range strings.Lines(strings.ReplaceAll(text, "\\\n", " ")) {
		if line[0] == '\t' || line[0] == '#' {
			continue
		}
		head, rest, ok := strings.Cut(strings.TrimRight(line, "\r\n"), ":")
		if !ok || strings.HasPrefix(rest, "=") || strings.HasPrefix(rest, ":=") || strings.Contains(head, "=") {
			continue
		}
		names := strings.Fields(head)
		if strings.TrimSpace(head) == ".PHONY" {
			names = strings.Fields(rest)
		}
		for _, n := range names {
			if n == name {
				return holds
			}
			before, after, pattern := strings.Cut(n, "%")
			if !pattern {
				before, after, pattern = strings.Cut(n, "$")
				if i := strings.LastIndexAny(after, ")}"); i >= 0 {
					after = after[i+1:]
				}
				pattern = pattern && before+after != ""
			}
			if pattern && strings.HasPrefix(name, before) && strings.HasSuffix(name, after) && len(name) >= len(before)+len(after) {
				out = unknown
			}
		}
	}
	return out
}

// dynamic returns the verdict on a target in a file with computed targets: gone only if
// it is a single word that the file does not contain.
func dynamic(text, name string) verdict {
	if mentions(text, name) {
		return holds
	}
	for part := range strings.FieldsFuncSeq(name, func(r rune) bool { return r == '-' || r == '_' || r == '.' }) {
		if part != name && mentions(text, part) {
			return unknown
		}
	}
	return gone
}

// justRecipe looks for a recipe of just.
func justRecipe(text, name string) verdict {
	if _, last, ok := strings.Cut(name, "::"); ok {
		name = last
	}
	for line := range strings.Lines(text) {
		f := strings.Fields(strings.TrimPrefix(line, "@"))
		switch {
		case len(f) == 0 || line[0] == ' ' || line[0] == '\t' || line[0] == '#':
		case len(f) > 1 && in(f[0], "alias mod") && strings.Trim(f[1], ":=") == name, strings.TrimSuffix(f[0], ":") == name && strings.Contains(line, ":"):
			return holds
		}
	}
	return gone
}

// taskKey looks for a task of a Taskfile, also by its name without the namespace.
func taskKey(text, name string) verdict {
	short := name[strings.LastIndexByte(name, ':')+1:]
	for line := range strings.Lines(text) {
		key := strings.Trim(strings.TrimSpace(line), `"'`)
		if strings.HasPrefix(key, name+":") || strings.HasPrefix(key, short+":") || strings.HasPrefix(key, name+`":`) || strings.HasPrefix(key, name+`':`) {
			return holds
		}
	}
	return gone
}

// A packageFile is the relevant part of a package.json.
type packageFile struct {
	Scripts map[string]string          `json:"scripts"`
	Deps    map[string]json.RawMessage `json:"dependencies"`
	Dev     map[string]json.RawMessage `json:"devDependencies"`
	Bin     json.RawMessage            `json:"bin"`

	bins map[string]bool
	bad  bool
}

func packageJSON(text string) (p packageFile) {
	p.bad = json.Unmarshal([]byte(text), &p) != nil
	p.bins = map[string]bool{}
	var bins map[string]string
	if json.Unmarshal(p.Bin, &bins) == nil {
		for name := range bins {
			p.bins[name] = true
		}
	}
	return p
}

// script looks for a script of package.json.
func (t *Tree) script(c Claim) verdict {
	files := t.manifests(func(b string) bool { return b == "package.json" })
	if len(files) >= mostManifests {
		return unknown
	}
	for _, f := range files {
		b, ok := t.read(f, mostManifest)
		if !ok {
			return unknown
		}
		p := packageJSON(string(b))
		if _, ok := p.Scripts[c.Name]; ok {
			return holds
		}
		switch _, dep := p.Deps[c.Name]; {
		case p.bad:
			return unknown
		case c.Loose && (dep || p.Dev[c.Name] != nil || p.bins[c.Name]):
			return holds
		}
	}
	switch {
	case c.Name == "start" && t.findPath("server.js") == holds:
		return holds
	case c.Loose && t.there("node_modules/.bin/"+c.Name), t.there("package.json") && len(files) == 0, t.ignored("package.json"):
		return unknown
	}
	return gone
}
