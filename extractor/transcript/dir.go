package transcript

import (
	"maps"
	"path"
	"slices"
	"strings"
)

// Some formats do not say where the agent worked, and exported sessions have
// lost it. The paths of its calls tell: most of them lie in the project.

// placesOf counts the folders that a session's calls name. The zero value has
// seen none.
type placesOf struct {
	folders map[string]int  // how often each was named
	roots   map[string]bool // those that hold a file of a project's root
}

const (
	maxFolders  = 1000 // different ones that are remembered of a session
	maxLooked   = 400  // bytes of a command and of an answer that are looked at
	enoughPaths = 3    // fewer say nothing
	mostOfPaths = 0.6  // the share of the paths that must lie below the folder
)

// rootFiles stand at the root of a repository or of a part of it.
var rootFiles = []string{"readme.md", "claude.md", "agents.md", "gemini.md", "package.json", "go.mod", "cargo.toml", "pyproject.toml", "makefile", "justfile", ".gitignore", "pom.xml", "build.gradle", "gemfile", "composer.json", "tsconfig.json"}

// sourceFolders hold the sources of a project and name none.
var sourceFolders = []string{"src", "lib", "pkg", "cmd", "internal", "app", "apps", "test", "tests", "docs", "doc", "packages", "components", "scripts", "bin", ".venv", "venv", ".specstory", "history"}

var homePath = lazyRegexp(`(?:/Users|/home)/[A-Za-z0-9._-]+(?:/[A-Za-z0-9._@+-]+)+`)

// see counts the folders that a call, or what came of it, names.
func (p *placesOf) see(t *Turn) {
	if t.Sidechain {
		return
	}
	if t.Kind == Call && t.Tool != nil {
		if strings.HasPrefix(t.Tool.Path, "/") {
			p.add(t.Tool.Path)
		}
		p.addAll(t.Tool.Command)
	}
	if t.Speaker != Person {
		p.addAll(t.Text)
	}
}

// addAll counts what stands in a text. Only paths below a home are sure to be
// some.
func (p *placesOf) addAll(text string) {
	if len(text) > maxLooked {
		text = text[:maxLooked]
	}
	if !strings.Contains(text, "/Users/") && !strings.Contains(text, "/home/") {
		return
	}
	for _, m := range homePath().FindAllStringIndex(text, 8) {
		name := strings.TrimRight(text[m[0]:m[1]], ".")
		if strings.HasSuffix(text[:m[0]], "cd ") {
			name += "/."
		}
		p.add(name)
	}
}

// add counts the folder of a file.
func (p *placesOf) add(name string) {
	if len(name) > 1000 {
		return
	}
	dir, file := path.Split(name)
	dir, file = path.Clean(dir), strings.ToLower(file)
	if nobodys(dir) || p.folders[dir] == 0 && len(p.folders) >= maxFolders {
		return
	}
	if p.folders == nil {
		p.folders, p.roots = map[string]int{}, map[string]bool{}
	}
	p.folders[dir]++
	if slices.Contains(rootFiles, file) {
		p.roots[dir] = true
	}
}

// nobodys reports a folder that belongs to no project: of the system, of
// what is installed or temporary, of an agent or another program, or a home.
func nobodys(dir string) bool {
	parts := strings.Split(strings.TrimPrefix(dir, "/"), "/")
	switch parts[0] {
	case "", "tmp", "var", "private", "usr", "etc", "opt", "proc", "dev", "sys", "bin", "Library", "System", "Applications":
		return true
	case "home", "Users":
		if len(parts) < 3 || strings.HasPrefix(parts[2], ".") || parts[2] == "Library" {
			return true
		}
	}
	return slices.Contains(parts, "node_modules") || slices.Contains(parts, "site-packages") || strings.Contains(dir, "/pkg/mod/")
}

// guess is the folder in which most of the work was done, "" when the paths do
// not agree on one.
func (p *placesOf) guess() string {
	all, below := 0, map[string]int{}
	for _, dir := range slices.Sorted(maps.Keys(p.folders)) {
		n := p.folders[dir]
		all += n
		for ; !nobodys(dir); dir = path.Dir(dir) {
			below[dir] += n
		}
	}
	if all < enoughPaths {
		return ""
	}
	best := ""
	for _, dir := range slices.Sorted(maps.Keys(below)) {
		if float64(below[dir]) >= mostOfPaths*float64(all) && len(dir) > len(best) {
			best = dir
		}
	}
	root := ""
	for dir := best; dir != "" && !nobodys(dir); dir = path.Dir(dir) {
		if p.roots[dir] {
			root = dir
		}
	}
	if root != "" {
		return root
	}
	for dir := best; dir != "" && !nobodys(path.Dir(dir)); dir = path.Dir(dir) {
		if slices.Contains(sourceFolders, path.Base(dir)) {
			best = path.Dir(dir)
		}
	}
	return best
}
