package standing

import (
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"learnings/lessons/lazy"
)

// Limits of what is read for one folder.
const (
	maxFile       = 256 << 10 // bytes of a file; the rest is not looked at
	maxFiles      = 200
	maxStatements = 2000
	maxLevels     = 40 // folders from a session's up to its repository
)

// Names of instructions within a repository, in each folder from the session's
// up to the top. A name that ends in a slash is a folder of such files.
var projectFiles = []string{
	"CLAUDE.md", "CLAUDE.local.md", ".claude/CLAUDE.md", ".claude/rules/",
	"AGENTS.md", "AGENTS.override.md", "GEMINI.md", "QWEN.md",
	"DISCOVERIES.md", ".claude/context/DISCOVERIES.md", // amplihack's
	".cursorrules", ".cursor/rules/", ".windsurfrules", ".windsurf/rules/", ".clinerules", ".clinerules/",
	".github/copilot-instructions.md", ".github/instructions/",
}

// An agent keeps instructions for all projects in a folder in the person's home,
// which a variable may move.
type agent struct {
	variable string
	folder   string // in the home
	files    []string
	memory   func(dir string) string // its folder of notes on a project; nil for none
}

var agents = []agent{
	{"CLAUDE_CONFIG_DIR", ".claude", []string{"CLAUDE.md", "rules/"}, func(dir string) string {
		return "projects/" + notInSlugs().ReplaceAllString(dir, "-") + "/memory/"
	}},
	{"CODEX_HOME", ".codex", []string{"AGENTS.override.md", "AGENTS.md"}, nil},
	{"", ".gemini", []string{"GEMINI.md"}, nil},
	{"", ".qwen", []string{"QWEN.md"}, nil},
	{"", ".config/opencode", []string{"AGENTS.md"}, nil},
}

var (
	// notInSlugs are the characters of a folder's path that Claude Code writes as
	// a dash to name its folder of a project.
	notInSlugs = lazy.Regexp(`[^A-Za-z0-9]`)
	// imported is a file that an instruction file takes in: "@docs/git.md".
	imported = lazy.Regexp("(?:^|\\s)@([^\\s`'\"()]+\\.(?:md|mdc|txt))\\b")
)

// A collector reads files into statements, up to the limits.
type collector struct {
	home  string
	root  *os.Root
	shown string // how a person would write the root's path; "" for a repository
	files int
	out   []statement
}

// read reads what stands for a folder.
func (in *Instructions) read(dir string) []statement {
	c := &collector{home: in.home}
	var levels []string // the session's folder, and those above it in its repository
	if filepath.IsAbs(dir) && !strings.HasPrefix(filepath.VolumeName(dir), `\\`) && dir != filepath.Dir(dir) {
		levels = in.levels(dir)
		top := levels[len(levels)-1]
		c.within(top, "", func() {
			for _, level := range levels {
				if rel, err := filepath.Rel(top, level); err == nil {
					c.all(filepath.ToSlash(rel), projectFiles)
				}
			}
		})
	}
	for _, a := range agents {
		folder := ""
		if a.variable != "" && filepath.IsAbs(in.env(a.variable)) {
			folder = in.env(a.variable)
		} else if in.home != "" {
			folder = filepath.Join(in.home, filepath.FromSlash(a.folder))
		} else {
			continue
		}
		c.within(folder, in.short(folder), func() {
			c.all(".", a.files)
			if a.memory == nil {
				return
			}
			for _, level := range levels {
				c.all(".", []string{a.memory(level)})
			}
		})
	}
	return c.out
}

// levels are a folder and those above it up to the top of its repository, or it
// alone when it is in none. A repository in the home itself is none.
func (in *Instructions) levels(dir string) []string {
	var out []string
	for at := dir; len(out) < maxLevels && at != filepath.Dir(at) && at != in.home; at = filepath.Dir(at) {
		out = append(out, at)
		if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil {
			return out
		}
	}
	return []string{dir}
}

// short writes a path with ~ for the home folder.
func (in *Instructions) short(p string) string {
	if rest, ok := strings.CutPrefix(p, in.home+string(filepath.Separator)); ok && in.home != "" {
		p = "~/" + rest
	}
	return filepath.ToSlash(p)
}

// within reads inside a folder; one that is not there is nothing.
func (c *collector) within(folder, shown string, read func()) {
	if info, err := os.Stat(folder); err != nil || !info.IsDir() {
		return
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return
	}
	defer root.Close()
	c.root, c.shown = root, shown
	read()
}

// all reads the files of these names in a folder of the root.
func (c *collector) all(folder string, names []string) {
	for _, name := range names {
		p := path.Join(folder, name)
		if !strings.HasSuffix(name, "/") {
			c.file(p, true)
			continue
		}
		entries, err := fs.ReadDir(c.root.FS(), p)
		if err != nil {
			continue
		}
		for _, e := range entries {
			if slices.Contains([]string{".md", ".mdc", ".txt"}, path.Ext(e.Name())) {
				c.file(path.Join(p, e.Name()), false)
			}
		}
	}
}

// file reads a file, and the ones that it takes in where it may. What is no
// regular file is passed over: to open a pipe would wait for somebody to write.
func (c *collector) file(name string, imports bool) {
	if c.files >= maxFiles || len(c.out) >= maxStatements {
		return
	}
	info, err := c.root.Stat(filepath.FromSlash(name))
	if err != nil || !info.Mode().IsRegular() {
		return
	}
	c.files++
	f, err := c.root.Open(filepath.FromSlash(name))
	if err != nil {
		return
	}
	text, err := io.ReadAll(io.LimitReader(f, maxFile))
	f.Close()
	if err != nil {
		return
	}
	read := statements(string(text), path.Join(c.shown, name))
	c.out = append(c.out, read[:min(len(read), maxStatements-len(c.out))]...)
	if !imports {
		return
	}
	for _, m := range imported().FindAllStringSubmatch(string(text), maxFiles) {
		if p, ok := c.inside(path.Dir(name), m[1]); ok {
			c.file(p, false)
		}
	}
}

// inside is the path within the root of a file that another in a folder names.
func (c *collector) inside(folder, named string) (string, bool) {
	if rest, ok := strings.CutPrefix(named, "~/"); ok && c.home != "" {
		named = filepath.Join(c.home, rest)
	}
	if !filepath.IsAbs(named) {
		return path.Join(folder, named), true // the root refuses what leads out
	}
	rel, err := filepath.Rel(c.root.Name(), named)
	return filepath.ToSlash(rel), err == nil && filepath.IsLocal(rel)
}
