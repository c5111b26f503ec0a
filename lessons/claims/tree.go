package claims

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"learnings/lessons"
)

// Options say how a tree is looked at.
type Options struct {
	State string        // the state folder whose database keeps answers; "" for nowhere
	Limit time.Duration // how long may be searched in all; 0 for as long as it takes
}

// A Tree is the working tree of a project. A nil Tree knows nothing, and so nothing is
// missing from it. It is not safe for concurrent use.
type Tree struct {
	root  *os.Root
	place string // of the root
	dir   string // the folder in which the session works, below the root; "" for the root
	git   gitDir // with an empty dir where there is no repository
	state string
	cache *answers
	opts  Options
	spent time.Duration

	entries []entry
	listed  bool              // entries were read
	whole   bool              // entries are all there are
	walked  bool              // entries have what git does not track
	texts   map[string][]byte // of manifests and the like
}

// Open looks for the tree of a folder. It is nil where none can be asked: the folder is
// gone, is nobody's project, or its repository has no index that we can read.
func Open(dir string, o Options) *Tree {
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil || !filepath.IsAbs(dir) {
		return nil
	}
	if home, err := os.UserHomeDir(); err == nil && dir == filepath.Clean(home) {
		return nil // it is no project
	}
	t := &Tree{place: dir, opts: o, texts: map[string][]byte{}}
	if root, g, ok := findGit(dir); ok {
		info, err := os.Lstat(filepath.Join(g.dir, "index"))
		if err != nil || !info.Mode().IsRegular() {
			return nil
		}
		t.place, t.git, t.state = root, g, stamp(info)
		rel, err := filepath.Rel(root, dir)
		if err == nil && rel != "." {
			t.dir = filepath.ToSlash(rel)
		}
	} else if g.dir != "" || !isProject(dir) {
		return nil
	}
	if t.root, err = os.OpenRoot(t.place); err != nil {
		return nil
	}
	for _, m := range []string{"Makefile", "package.json", "justfile", "go.mod", "pyproject.toml", "Cargo.toml", "Taskfile.yml"} {
		if info, err := t.root.Lstat(m); err == nil {
			t.state += " " + stamp(info)
		}
	}
	t.state += now().Format(" 01-02 15")
	t.cache = remembered(o.State, t.place)
	return t
}

// Close keeps the answers, and gives up what the tree holds.
func (t *Tree) Close() error {
	if t == nil {
		return nil
	}
	_ = t.root.Close()
	return t.cache.keep()
}

// isProject reports that a folder without a repository looks like a project.
func isProject(dir string) bool {
	for _, m := range []string{"package.json", "go.mod", "Cargo.toml", "pyproject.toml", "Makefile", "requirements.txt", "pom.xml", "Gemfile", "setup.py", "composer.json"} {
		if info, err := os.Lstat(filepath.Join(dir, m)); err == nil && info.Mode().IsRegular() {
			return true
		}
	}
	return false
}

// A verdict is what a tree says of a claim.
type verdict string

const (
	holds   verdict = "holds"
	gone    verdict = "gone"
	unknown verdict = "unknown" // it is not held against the lesson
)

// Missing gives the claims of a lesson that no longer hold, but for what a person has
// said it holds without. A lesson for every project takes nothing of this one for
// granted.
func (t *Tree) Missing(l lessons.Lesson) []Claim {
	if t == nil || l.Scope.Global {
		return nil
	}
	var out []Claim
	for _, c := range Of(l) {
		if !slices.Contains(l.Without, c.String()) && t.ask(c) == gone {
			out = append(out, c)
		}
	}
	return out
}

// Withheld says why a lesson is not given, by what it misses: "withheld: it names
// `scripts/a.sh`, which is gone"; "" for nothing.
func Withheld(missing []Claim) string {
	if len(missing) == 0 {
		return ""
	}
	return "withheld: " + Gone(missing)
}

// Gone says what a lesson misses: "it names `scripts/a.sh`, which is gone"; "" for nothing.
func Gone(missing []Claim) string {
	if len(missing) == 0 {
		return ""
	}
	var names []string
	for _, c := range missing {
		names = append(names, "`"+lessons.Line(c.String())+"`")
	}
	is := "is"
	if len(names) > 1 {
		is = "are"
	}
	return "it names " + strings.Join(names, ", ") + ", which " + is + " gone"
}

// ask answers from memory where it can.
func (t *Tree) ask(c Claim) verdict {
	if c.Kind == Path && t.there(c.Name) {
		return holds
	}
	key := string(c.Kind) + "\x00" + c.In + "\x00" + c.Name
	if c.Loose {
		key += "\x00?"
	}
	if v, ok := t.cache.Verdicts[key]; ok && t.cache.State == t.state {
		return v
	}
	start := now()
	v, sure := t.look(c)
	t.spent += now().Sub(start)
	if sure {
		t.cache.setVerdict(key, t.state, v)
	}
	return v
}

// look asks the tree. It is not sure when there was no time to look everywhere.
func (t *Tree) look(c Claim) (v verdict, sure bool) {
	if !t.list() {
		return unknown, true
	}
	switch c.Kind {
	case Path:
		return t.lookPath(c)
	case Symbol:
		return t.lookSymbol(c)
	case Command:
		return t.lookCommand(c), true
	case Flag:
		return t.lookFlag(c)
	case Package:
		return t.lookPackage(c)
	}
	return unknown, true
}

// there reports whether a file or folder is on disk, seen from the root or from where
// the session works.
func (t *Tree) there(name string) bool {
	if !filepath.IsLocal(filepath.FromSlash(name)) {
		return false
	}
	if _, err := t.root.Lstat(filepath.FromSlash(name)); err == nil {
		return true
	}
	if t.dir == "" {
		return false
	}
	_, err := t.root.Lstat(filepath.FromSlash(path.Join(t.dir, name)))
	return err == nil
}

// list reads which files there are. It is false when that cannot be told.
func (t *Tree) list() bool {
	if t.listed {
		return t.whole
	}
	t.listed = true
	if t.git.dir == "" {
		t.whole = t.walk()
		return t.whole
	}
	var err error
	t.entries, err = t.git.readIndex()
	t.whole = err == nil && len(t.entries) > 0
	return t.whole
}

const mostWalked = 50_000

// walk adds the files on disk that are not listed, and reports whether it saw all.
func (t *Tree) walk() bool {
	if t.walked {
		return true
	}
	t.walked = true
	known := make(map[string]bool, len(t.entries))
	folders := map[string]bool{}
	for _, e := range t.entries {
		known[e.path] = true
		for d := path.Dir(e.path); d != "." && !folders[d]; d = path.Dir(d) {
			folders[d] = true
		}
	}
	seen, all, start := 0, true, now()
	_ = fs.WalkDir(t.root.FS(), ".", func(p string, d fs.DirEntry, err error) error {
		seen++
		switch {
		case seen > mostWalked || seen%256 == 0 && t.over(start):
			all = false
			return fs.SkipAll
		case err != nil:
			return nil
		case d.IsDir() && p != "." && (d.Name() == ".git" || !folders[p] && throwaway(d.Name())):
			return fs.SkipDir
		case d.Type().IsRegular() && !known[p]:
			e := entry{path: p}
			if info, err := d.Info(); err == nil {
				e.mtime = info.ModTime().Unix()
			}
			t.entries = append(t.entries, e)
		}
		return nil
	})
	return all
}

// over reports that there is no time left for a search that began at a time.
func (t *Tree) over(start time.Time) bool {
	return t.opts.Limit > 0 && t.spent+now().Sub(start) > t.opts.Limit
}

// lookPath looks for a file or folder by its path or the end of it, written without its
// extension too.
func (t *Tree) lookPath(c Claim) (verdict, bool) {
	if v := t.findPath(c.Name); v != gone {
		return v, true
	}
	first, _, _ := strings.Cut(c.Name, "/")
	switch {
	case c.Loose && (!t.isFolder(first) || !hasExtension(c.Name) && t.allNamed(c.Name)):
		return unknown, true
	case t.ignored(c.Name):
		return unknown, true
	}
	if t.walk() && t.findPath(c.Name) == holds {
		return holds, true
	}
	if hasExtension(c.Name) && !isSource(c.Name) {
		// It may be one that the program writes.
		n := need{text: path.Base(c.Name), edges: true}
		sure := t.search(&n)
		if n.code || !sure {
			return unknown, sure
		}
	}
	return gone, true
}

// findPath goes through the list.
func (t *Tree) findPath(name string) verdict {
	within, begins, stem := "/"+name+"/", name+"/", "/"+name+"."
	for _, e := range t.entries {
		p := e.path
		if e.kind == submodule || e.kind == sparse {
			if at := strings.TrimSuffix(p, "/"); strings.HasPrefix(name, at+"/") || e.kind == sparse && !strings.Contains(name, "/") {
				return unknown
			}
		}
		if n := len(p) - len(name); n >= 0 && (n == 0 || p[n-1] == '/') && strings.EqualFold(p[n:], name) {
			return holds
		}
		if strings.HasPrefix(p, begins) || strings.Contains(p, within) {
			return holds
		}
		if i := strings.LastIndexByte(p, '/'); strings.HasPrefix(p, stem[1:]) && i < len(name) || i > 0 && strings.Contains(p, stem) {
			return holds
		}
	}
	return gone
}

// isFolder reports whether a folder of this name is at the root, or where the session
// works.
func (t *Tree) isFolder(name string) bool {
	for _, at := range []string{name, path.Join(t.dir, name)} {
		if info, err := t.root.Lstat(filepath.FromSlash(at)); err == nil && info.IsDir() {
			return true
		}
	}
	return false
}

// allNamed reports that all parts of a path are names by themselves: "client/server" are
// two folders, and no path.
func (t *Tree) allNamed(name string) bool {
	for part := range strings.SplitSeq(name, "/") {
		if t.findPath(part) != holds {
			return false
		}
	}
	return true
}

// read reads a file of the tree, a regular one that links do not lead out of it to.
func (t *Tree) read(name string, most int64) ([]byte, bool) {
	if b, ok := t.texts[name]; ok {
		return b, b != nil
	}
	b, ok := t.open(name, most)
	if len(t.texts) < 500 {
		t.texts[name] = b
	}
	return b, ok
}
