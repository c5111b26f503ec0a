package formats

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"learnings/lessons"
)

// Limits on what is read for one folder.
const (
	maxFile   = 256 << 10 // bytes of a file; the rest is ignored
	maxFiles  = 200       // for a project and for all projects
	maxLevels = 40        // from a session's folder up to its repository
	// maxKept is how many memory files of agents are read for all projects together.
	maxKept = 2000
)

// A named is a file of instructions, or a folder of them, which ends in a slash.
type named struct{ name, agent string }

const claude = "claude-code"

// projectFiles are the instructions within a repository, in each folder from the session's
// up to the top.
var projectFiles = []named{
	{"CLAUDE.md", claude}, {"CLAUDE.local.md", claude}, {".claude/CLAUDE.md", claude}, {".claude/rules/", claude},
	{"AGENTS.md", ""}, {"AGENTS.override.md", "codex"}, {"GEMINI.md", "gemini"}, {"QWEN.md", "qwen"},
	{"DISCOVERIES.md", ""}, {"PATTERNS.md", ""}, {".claude/context/DISCOVERIES.md", ""}, {".claude/context/PATTERNS.md", ""}, // amplihack's
	{".cursorrules", "cursor"}, {".cursor/rules/", "cursor"}, {".windsurfrules", "windsurf"}, {".windsurf/rules/", "windsurf"},
	{".clinerules", "cline"}, {".clinerules/", "cline"},
	{".github/copilot-instructions.md", "copilot"}, {".github/instructions/", "copilot"},
}

// An agent keeps instructions for all projects in a folder in the person's home, which a
// variable may move.
type agent struct {
	name     string
	variable string
	folder   string // below the home folder
	files    []string
	projects string // its folder of notes on each project; "" for none
	memory   string // its folder of notes on all of them; "" for none
}

// notes is the folder of an agent's notes below that of a project.
const notes = "memory"

var agents = []agent{
	{claude, "CLAUDE_CONFIG_DIR", ".claude", []string{"CLAUDE.md", "rules/"}, "projects", ""},
	{"codex", "CODEX_HOME", ".codex", []string{"AGENTS.override.md", "AGENTS.md"}, "", "memories"},
	{"gemini", "", ".gemini", []string{"GEMINI.md"}, "", ""},
	{"qwen", "", ".qwen", []string{"QWEN.md"}, "", ""},
	{"opencode", "", ".config/opencode", []string{"AGENTS.md"}, "", ""},
}

// draft is the file in which Codex collects material for its memories.
const draft = "raw_memories.md"

var (
	// notInSlugs matches the characters of a path that Claude Code writes as a dash to name
	// the folder of a project.
	notInSlugs = lessons.LazyRegexp(`[^A-Za-z0-9]`)
	// imported matches a file that an instruction file includes: "@docs/git.md".
	imported = lessons.LazyRegexp("(?:^|\\s)@([^\\s`'\"()]+\\.(?:md|mdc|txt))\\b")
)

// Slug returns the name of Claude Code's folder for a project.
func Slug(dir string) string { return notInSlugs().ReplaceAllString(dir, "-") }

// A File is one file that tells agents something.
type File struct {
	Path   string
	Name   string // for display: relative to its repository, or with ~ for the home
	Agent  string // the reader; "" for several
	Memory bool   // the agent wrote it for itself

	// Dir is the folder of the project that it is about; "" for all. If only the name of
	// Claude Code's folder is known, Slug has it.
	Dir, Slug string

	Text string // the part read
	Err  error  // why it was not read, or only in part
}

// Errors of files.
var (
	errNoFile = errors.New("it is no regular file")
	errBinary = errors.New("it is no text")
	errLong   = fmt.Errorf("only its first %d KB were read", maxFile>>10)
)

// A Finder finds the files of one person. Without a home only repositories are read.
type Finder struct {
	Home   string
	Getenv func(string) string // looks up the agents' variables
}

// A collector reads files up to the limits.
type collector struct {
	Finder
	root  *os.Root
	about File   // fields common to the files of the root
	shown string // the root's path for display; "" for a repository
	left  int    // files that may still be read
	seen  map[string]bool
	visit func(File)
}

// Each visits the files that tell agents something about the project of a folder, or about
// all projects; with all, also the agents' memories of other projects. It limits the number
// and size of files, and follows no link out of the repository or an agent's own folder.
func (f Finder) Each(dir string, all bool, visit func(File)) {
	c := &collector{Finder: f, left: maxFiles, seen: map[string]bool{}, visit: visit}
	var levels []string // the session's folder, and those above it in its repository
	if filepath.IsAbs(dir) && !strings.HasPrefix(filepath.VolumeName(dir), `\\`) && dir != filepath.Dir(dir) {
		levels = f.levels(dir)
		top := levels[len(levels)-1]
		c.within(top, "", File{Dir: top}, func() {
			for _, level := range levels {
				if rel, err := filepath.Rel(top, level); err == nil {
					c.all(filepath.ToSlash(rel), projectFiles)
				}
			}
		})
	}
	for _, a := range agents {
		folder := f.folder(a)
		c.within(folder, f.short(folder), File{Agent: a.name}, func() {
			for _, name := range a.files {
				c.all(".", []named{{name, a.name}})
			}
			c.about = File{Agent: a.name, Memory: true}
			if a.projects != "" {
				for _, level := range levels {
					c.project(a, Slug(level), level)
				}
			}
			if all {
				c.left = maxKept
				c.kept(a)
			}
		})
		c.left = min(c.left, maxFiles)
	}
}

// kept reads the memories of an agent on all projects.
func (c *collector) kept(a agent) {
	if a.memory != "" {
		c.all(".", []named{{a.memory + "/", a.name}})
	}
	if a.projects == "" {
		return
	}
	entries, _ := fs.ReadDir(c.root.FS(), a.projects)
	for _, e := range entries {
		c.project(a, e.Name(), "")
	}
}

// project reads the memory of an agent on one project.
func (c *collector) project(a agent, slug, dir string) {
	c.about = File{Agent: a.name, Memory: true, Dir: dir, Slug: slug}
	c.all(".", []named{{path.Join(a.projects, slug, notes) + "/", a.name}})
}

// folder returns an agent's folder for all projects; "" for none.
func (f Finder) folder(a agent) string {
	if a.variable != "" && f.Getenv != nil && filepath.IsAbs(f.Getenv(a.variable)) {
		return f.Getenv(a.variable)
	}
	if f.Home == "" {
		return ""
	}
	return filepath.Join(f.Home, filepath.FromSlash(a.folder))
}

// levels returns a folder and those above it up to the top of its repository, or only the
// folder if it is in none. The home itself does not count as a repository.
func (f Finder) levels(dir string) []string {
	var out []string
	for at := dir; len(out) < maxLevels && at != filepath.Dir(at) && at != f.Home; at = filepath.Dir(at) {
		out = append(out, at)
		if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil {
			return out
		}
	}
	return []string{dir}
}

// short replaces the home folder in a path by ~.
func (f Finder) short(p string) string {
	if rest, ok := strings.CutPrefix(p, f.Home+string(filepath.Separator)); ok && f.Home != "" {
		p = "~/" + rest
	}
	return filepath.ToSlash(p)
}

// within calls read with the folder as the root, if the folder exists.
func (c *collector) within(folder, shown string, about File, read func()) {
	if info, err := os.Stat(folder); folder == "" || err != nil || !info.IsDir() {
		return
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return
	}
	defer root.Close()
	c.root, c.shown, c.about = root, shown, about
	read()
}

// all reads the files of these names in a folder of the root.
func (c *collector) all(folder string, names []named) {
	for _, n := range names {
		c.about.Agent = n.agent
		p := path.Join(folder, n.name)
		if !strings.HasSuffix(n.name, "/") {
			c.file(p, true)
			continue
		}
		entries, err := fs.ReadDir(c.root.FS(), p)
		if err != nil {
			continue
		}
		for _, e := range entries {
			if slices.Contains([]string{".md", ".mdc", ".txt"}, path.Ext(e.Name())) && e.Name() != draft {
				c.file(path.Join(p, e.Name()), false)
			}
		}
	}
}

// file reads a file and, if imports is set, the files it includes. It only opens regular
// files, because opening a pipe would block.
func (c *collector) file(name string, imports bool) {
	full := filepath.Join(c.root.Name(), filepath.FromSlash(name))
	info, err := c.root.Stat(filepath.FromSlash(name))
	if c.left <= 0 || c.seen[full] || err != nil || info.IsDir() {
		return
	}
	c.left--
	c.seen[full] = true
	f := c.about
	f.Path, f.Name = full, path.Join(c.shown, name)
	f.Text, f.Err = read(info, func() (io.ReadCloser, error) { return c.root.Open(filepath.FromSlash(name)) })
	c.visit(f)
	if !imports {
		return
	}
	for _, m := range imported().FindAllStringSubmatch(f.Text, maxFiles) {
		if p, ok := c.inside(path.Dir(name), m[1]); ok {
			c.file(p, false)
		}
	}
}

// read reads whole lines from the beginning of a file.
func read(info fs.FileInfo, open func() (io.ReadCloser, error)) (string, error) {
	if !info.Mode().IsRegular() {
		return "", errNoFile
	}
	f, err := open()
	if err != nil {
		return "", err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	switch {
	case err != nil:
		return "", err
	case bytes.IndexByte(text, 0) >= 0:
		return "", errBinary
	case len(text) > maxFile:
		return string(text[:bytes.LastIndexByte(text[:maxFile], '\n')+1]), errLong
	}
	return string(text), nil
}

// inside resolves a file named by another one in folder to a path within the root.
func (c *collector) inside(folder, named string) (string, bool) {
	if rest, ok := strings.CutPrefix(named, "~/"); ok && c.Home != "" {
		named = filepath.Join(c.Home, rest)
	}
	if !filepath.IsAbs(named) {
		return path.Join(folder, named), true // the root refuses paths that lead out
	}
	rel, err := filepath.Rel(c.root.Name(), named)
	return filepath.ToSlash(rel), err == nil && filepath.IsLocal(rel)
}

// At reads one file that a person named, following links, and sets what its path tells.
func (f Finder) At(name string) (File, error) {
	info, err := os.Stat(name)
	if err != nil {
		return File{}, err
	}
	if info.IsDir() {
		return File{}, errNoFile
	}
	out := f.place(name)
	out.Path = name
	out.Text, out.Err = read(info, func() (io.ReadCloser, error) { return os.Open(name) })
	return out, nil
}

// place returns what the path of a file tells of it.
func (f Finder) place(name string) File {
	for _, a := range agents {
		rel, err := filepath.Rel(f.folder(a), name)
		if f.folder(a) == "" || err != nil || !filepath.IsLocal(rel) {
			continue
		}
		parts := strings.Split(filepath.ToSlash(rel), "/")
		out := File{Name: f.short(name), Agent: a.name, Memory: a.memory != "" && parts[0] == a.memory}
		if len(parts) == 4 && a.projects != "" && parts[0] == a.projects && parts[2] == notes {
			out.Memory, out.Slug = true, parts[1]
		}
		return out
	}
	levels := f.levels(filepath.Dir(name))
	top := levels[len(levels)-1]
	agent, below, ok := known(name)
	if ok && len(levels) == 1 { // in no repository
		top = filepath.Clean(strings.TrimSuffix(name, filepath.FromSlash(below)))
	}
	out := File{Name: filepath.Base(name), Agent: agent, Dir: top}
	if rel, err := filepath.Rel(top, name); err == nil {
		out.Name = filepath.ToSlash(rel)
	}
	return out
}

// known returns the agent that reads a file of instructions, and the end of the path that
// identifies it; ok is false for other files.
func known(file string) (agent, below string, ok bool) {
	file = "/" + filepath.ToSlash(file)
	for _, n := range projectFiles {
		if strings.HasSuffix(n.name, "/") {
			n.name += path.Base(file)
		}
		if strings.HasSuffix(file, "/"+n.name) && len(n.name) > len(below) {
			agent, below, ok = n.agent, n.name, true
		}
	}
	return agent, below, ok
}
