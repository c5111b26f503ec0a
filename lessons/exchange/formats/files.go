package formats

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"learnings/lessons"
	"learnings/lessons/exchange"
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
	top   string // no link leads out of it
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
		c.top = levels[len(levels)-1]
		for _, level := range levels {
			c.all(File{Dir: c.top}, level, projectFiles...)
		}
	}
	for _, a := range agents {
		if c.top = f.folder(a); c.top == "" {
			continue
		}
		for _, name := range a.files {
			c.all(File{}, c.top, named{name, a.name})
		}
		for _, level := range levels {
			c.project(a, Slug(level), level)
		}
		if !all {
			continue
		}
		c.left = maxKept
		if a.memory != "" {
			c.all(File{Memory: true}, c.top, named{a.memory + "/", a.name})
		}
		entries, _ := os.ReadDir(filepath.Join(c.top, a.projects))
		for _, e := range entries {
			c.project(a, e.Name(), "")
		}
		c.left = min(c.left, maxFiles)
	}
}

// project reads the memory of an agent on one project.
func (c *collector) project(a agent, slug, dir string) {
	if a.projects != "" {
		c.all(File{Memory: true, Dir: dir, Slug: slug}, c.top, named{path.Join(a.projects, slug, notes) + "/", a.name})
	}
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

// shown returns a path for display: within a folder from there, if that is not "".
func (f Finder) shown(top, name string) string {
	if rel, err := filepath.Rel(top, name); top != "" && err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return f.short(name)
}

// target returns the path of a file as another one names it.
func (f Finder) target(from, named string) string {
	named = filepath.FromSlash(named)
	if rest, ok := strings.CutPrefix(named, "~"+string(filepath.Separator)); ok && f.Home != "" {
		named = filepath.Join(f.Home, rest)
	}
	if filepath.IsAbs(named) {
		return named
	}
	return filepath.Join(filepath.Dir(from), named)
}

// all reads the files of these names in a folder.
func (c *collector) all(about File, folder string, names ...named) {
	for _, n := range names {
		about.Agent = n.agent
		p := filepath.Join(folder, filepath.FromSlash(n.name))
		if !strings.HasSuffix(n.name, "/") {
			c.file(about, p, true)
			continue
		}
		entries, _ := os.ReadDir(p)
		for _, e := range entries {
			if slices.Contains([]string{".md", ".mdc", ".txt"}, path.Ext(e.Name())) && e.Name() != draft {
				c.file(about, filepath.Join(p, e.Name()), false)
			}
		}
	}
}

// file reads a file and, if imports is set, the files it includes.
func (c *collector) file(f File, name string, imports bool) {
	if info, err := os.Stat(name); err != nil || info.IsDir() || c.left <= 0 || c.seen[name] || !liesIn(c.top, name) {
		return
	}
	c.left--
	c.seen[name] = true
	top := f.Dir
	if f.Memory {
		top = ""
	}
	f.Path, f.Name = name, c.shown(top, name)
	f.Text, f.Err = regular(name)
	c.visit(f)
	if !imports {
		return
	}
	for _, m := range imported().FindAllStringSubmatch(f.Text, maxFiles) {
		c.file(f, c.target(name, m[1]), false)
	}
}

// liesIn reports whether a file, as links lead to it, lies in a folder.
func liesIn(folder, name string) bool {
	folder, err := filepath.EvalSymlinks(folder)
	if err != nil {
		return false
	}
	if name, err = filepath.EvalSymlinks(name); err != nil {
		return false
	}
	rel, err := filepath.Rel(folder, name)
	return err == nil && filepath.IsLocal(rel)
}

// regular reads whole lines from the beginning of a regular file. It opens nothing else:
// opening a pipe would block.
func regular(name string) (string, error) {
	if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() {
		return "", errNoFile
	}
	f, err := os.Open(name)
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

// At reads one file that a person named, following links, and sets what its path tells.
func (f Finder) At(name string) (File, error) {
	if _, err := os.Stat(name); err != nil {
		return File{}, err
	}
	out := f.place(name)
	out.Path = name
	out.Text, out.Err = regular(name)
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
	return File{Name: f.shown(top, name), Agent: agent, Dir: top}
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

// skills writes each lesson that is a procedure as a skill: a folder with a SKILL.md that
// an agent opens when its description fits the task.
type skills struct{ exchange.WriteOnly }

// procedure reports whether a lesson is worth a skill: it has several steps, or says why
// and shows how.
func procedure(l lessons.Lesson) bool {
	steps := 0
	for line := range strings.Lines(l.Insight) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "- ") || strings.HasPrefix(line, "* ") || len(line) > 2 && line[0] >= '1' && line[0] <= '9' && (line[1] == '.' || line[1] == ')') {
			steps++
		}
	}
	return steps >= 2 || l.Example != "" && (steps > 0 || strings.Count(strings.TrimSpace(l.Example), "\n") > 0)
}

// Lacks reports a lesson that is no skill.
func (skills) Lacks(l lessons.Lesson) []string {
	var w exchange.Lacks
	w.If(!procedure(l), "all of it: it is no procedure of several steps")
	return w
}

// Plan writes a folder for each approved procedure below the path, and removes those of
// lessons that no longer are one, unless somebody changed them.
func (s skills) Plan(_ context.Context, to exchange.Target, ls []lessons.Lesson) (*exchange.Plan, error) {
	p := exchange.NewPlan(to, s, nil)
	wanted := map[lessons.ID]bool{}
	for _, l := range ls {
		if l.Status != lessons.Approved || l.Outside || l.Limit.Over(to.Now) || !procedure(l) {
			continue
		}
		wanted[l.ID] = true
		if err := s.skill(p, to, l); err != nil {
			return nil, err
		}
	}
	for _, id := range to.Ledger.IDs() {
		if wanted[id] {
			continue
		}
		w, _ := to.Ledger.Of(id)
		path := filepath.Join(to.Path, w.Key, "SKILL.md")
		before, err := exchange.ReadFile(path)
		switch {
		case err != nil:
			return nil, err
		case before == nil:
		case string(before) != w.Text:
			p.Lose(id, "that it is no more: somebody changed "+path)
			continue
		default:
			p.File(path, before, nil)
		}
		p.Note(id, nil)
	}
	return p, nil
}

func (s skills) skill(p *exchange.Plan, to exchange.Target, l lessons.Lesson) error {
	w, known := to.Ledger.Of(l.ID)
	if !known {
		w.Key = "learned-" + exchange.Slug(l.Content)
		if _, err := os.Lstat(filepath.Join(to.Path, w.Key)); err == nil {
			w.Key += "-" + string(l.ID)
		}
	}
	path := filepath.Join(to.Path, w.Key, "SKILL.md")
	before, err := exchange.ReadFile(path)
	if err != nil {
		return fmt.Errorf("%w: %w", exchange.ErrFormat, err)
	}
	if known && before != nil && string(before) != w.Text {
		p.Lose(l.ID, "what is new: somebody changed "+path)
		return nil
	}
	text := page(w.Key, l)
	p.File(path, before, []byte(text))
	p.Wrote(l, w.Key, text)
	return nil
}

// mostDescription is the most characters that agents read of a skill's description.
const mostDescription = 1024

// page returns the text of a SKILL.md.
func page(name string, l lessons.Lesson) string {
	about := l.Title(mostDescription / 2)
	if len(l.Triggers) > 0 {
		about += " Use when this shows: " + lessons.Line(strings.Join(l.Triggers, ", ")) + "."
	}
	var b strings.Builder
	fmt.Fprintf(&b, "---\nname: %s\ndescription: %q\n---\n\n# %s\n", name, lessons.Wording{Content: about}.Title(mostDescription), lessons.Line(l.Content))
	if l.Insight != "" {
		b.WriteString("\n" + strings.TrimSpace(l.Insight) + "\n")
	}
	if l.Example != "" {
		b.WriteString("\n" + fenced(strings.TrimSpace(l.Example)) + "\n")
	}
	return b.String()
}
