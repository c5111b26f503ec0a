package claims

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"learnings/lessons"
	db "learnings/lessons/state"
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
	git   string // where git keeps the index; "" where there is no repository
	state string // changes whenever git does something, and each hour
	cache *answers
	opts  Options
	spent time.Duration

	entries []entry
	others  int               // from which entry on they are not tracked
	listed  bool              // entries were read
	whole   bool              // entries are all there are
	walked  bool              // entries have what git does not track
	all     bool              // entries have all of that
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
	if root, git := findGit(dir); root != "" {
		info, err := os.Lstat(filepath.Join(git, "index"))
		if err != nil || !info.Mode().IsRegular() {
			return nil
		}
		t.place, t.git, t.state = root, git, stamp(info)
		if rel, err := filepath.Rel(root, dir); err == nil && rel != "." {
			t.dir = filepath.ToSlash(rel)
		}
	} else if !isProject(dir) {
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

// stamp tells one state of a file from another.
func stamp(info fs.FileInfo) string {
	return fmt.Sprintf("%d-%d", info.ModTime().UnixNano(), info.Size())
}

// now is when a search begins.
var now = time.Now

// An entry is a file of a tree.
type entry struct {
	path      string
	regular   bool
	submodule bool // its contents are unknown
}

// answers are what is remembered of a tree. They are derived: when they are lost, the tree
// is searched again.
type answers struct {
	db      db.DB
	name    string // "" for nowhere
	changed bool

	Tree     string             `json:"tree"`
	State    string             `json:"state"` // the tree's state that the verdicts are for
	Verdicts map[string]verdict `json:"verdicts"`
	Found    map[string]string  `json:"found"` // in which file a text is, by [need.key]
}

const mostAnswers = 5000

// remembered reads what is known of a tree.
func remembered(folder, tree string) *answers {
	a := &answers{}
	if folder != "" {
		sum := sha256.Sum256([]byte(tree))
		a.db, a.name = db.At(folder), "tree "+hex.EncodeToString(sum[:8])
		if _, err := a.db.Get(a.name, a); err != nil || a.Tree != tree {
			*a = answers{db: a.db, name: a.name}
		}
	}
	a.Tree = tree
	if a.Verdicts == nil || len(a.Verdicts) > mostAnswers {
		a.Verdicts = map[string]verdict{}
	}
	if a.Found == nil || len(a.Found) > mostAnswers {
		a.Found = map[string]string{}
	}
	return a
}

func (a *answers) setVerdict(key, state string, v verdict) {
	if a.State != state {
		a.State, a.Verdicts = state, map[string]verdict{}
	}
	a.Verdicts[key], a.changed = v, true
}

// keep writes what has changed.
func (a *answers) keep() error {
	if a.name == "" || !a.changed {
		return nil
	}
	return a.db.Put(a.name, a)
}

// A verdict is what a tree says of a claim.
type verdict string

const (
	holds   verdict = "holds"
	gone    verdict = "gone"
	unknown verdict = "unknown" // it is not held against the lesson
)

// Missing returns the claims of a lesson that no longer hold, except those that a person
// has said it holds without. A global lesson presupposes nothing about this project.
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
	if t.git == "" {
		t.whole = t.walk()
		return t.whole
	}
	var err error
	t.entries, err = t.tracked()
	t.others = len(t.entries)
	t.whole = err == nil && len(t.entries) > 0
	return t.whole
}

const mostWalked = 50_000

// walk adds the files on disk that are not listed, and reports whether it saw all.
func (t *Tree) walk() bool {
	if t.walked {
		return t.all
	}
	t.walked, t.all = true, true
	known := make(map[string]bool, len(t.entries)) // files, and folders with a slash
	for _, e := range t.entries {
		known[e.path] = true
		for d := path.Dir(e.path); d != "." && !known[d+"/"]; d = path.Dir(d) {
			known[d+"/"] = true
		}
	}
	seen, start := 0, now()
	_ = fs.WalkDir(t.root.FS(), ".", func(p string, d fs.DirEntry, err error) error {
		seen++
		switch {
		case seen > mostWalked || seen%256 == 0 && t.over(start):
			t.all = false
			return fs.SkipAll
		case err != nil:
			return nil
		case d.IsDir() && p != "." && (d.Name() == ".git" || !known[p+"/"] && throwaway(d.Name())):
			return fs.SkipDir
		case d.Type().IsRegular() && !known[p]:
			t.entries = append(t.entries, entry{path: p, regular: true})
		}
		return nil
	})
	return t.all
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
		if e.submodule && strings.HasPrefix(name, p+"/") {
			return unknown
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
