package transcript

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"learnings/extractor/sqlite"
)

// A Place is a file or folder with sessions.
type Place struct {
	Path   string
	Format Format // of the sessions to take; "" takes all known ones
	Named  bool   // a person named it, so it is an error if it is missing or no session
}

// Places are where to look for sessions, in order.
type Places []Place

// A File is a session file that was found.
type File struct {
	Path    string
	Format  Format
	Size    int64
	ModTime time.Time
	Named   bool   // a person or an agent's hook asked for this session
	Agent   string // type of the subagent, if a file beside this one says; else ""
}

// Options returns the options to read f with while its agent may be writing.
func (f File) Options() Options {
	return Options{Path: f.Path, Growing: true, Session: Session{Role: f.Agent}}
}

// ErrNoSession is in the error for a named file that exists but is not a session of a
// known agent.
var ErrNoSession = errors.New("not a session of a known agent")

// endings are the file names that are examined; names without an extension are too.
var endings = []string{".jsonl", ".json", ".md", ".traj", ".txt", ".zst", ".db", ".sqlite3", ""}

// FindKnown yields the session files in places, including those of subagents, folder by
// folder in the order of their names. A file counts by its content; each session in a
// database counts as a file. Links to files are followed, links to folders are not. An
// error names what could not be examined, and FindKnown goes on with the next. A
// missing place is an error only if a person named it.
//
// FindKnown calls known for each file, with path, size and time, and opens only those
// for which it returns false, because opening many thousand files is slow. A nil known
// knows none.
func FindKnown(places Places, known func(File) (File, bool)) iter.Seq2[File, error] {
	return func(yield func(File, error) bool) {
		give := func(files []File, err error) bool {
			if err != nil {
				return yield(File{}, err)
			}
			return !slices.ContainsFunc(files, func(f File) bool { return !yield(f, nil) })
		}
		for _, p := range places {
			if !p.find(known, give) {
				return
			}
		}
	}
}

// find passes on the sessions in a place, and reports whether the caller wants more.
func (p Place) find(known func(File) (File, bool), give func([]File, error) bool) bool {
	info, err := os.Stat(p.Path)
	if err == nil && info.IsDir() {
		return p.walk(p.Path, known, give)
	}
	if err != nil {
		missing := !p.Named && errors.Is(err, fs.ErrNotExist)
		if _, _, inside := inDatabase(p.Path); missing || !inside {
			return missing || give(nil, fmt.Errorf("looking for sessions: %w", err))
		}
	}
	files, err := inspect(p.Path, known)
	if !p.Named && errors.Is(err, ErrNoSession) {
		err = nil
	}
	return give(files, err)
}

// walk does the work of find for a folder in the place.
func (p Place) walk(dir string, known func(File) (File, bool), give func([]File, error) bool) bool {
	entries, err := os.ReadDir(dir)
	if err != nil && !give(nil, fmt.Errorf("looking for sessions: %w", err)) {
		return false
	}
	for _, e := range entries {
		more, path := true, filepath.Join(dir, e.Name())
		switch {
		case e.IsDir() && e.Name() != ".git":
			more = p.walk(path, known, give)
		case !e.IsDir() && mayHold(e.Name()):
			more = give(lookAt(p, path, known))
		}
		if !more {
			return false
		}
	}
	return true
}

// mayHold reports whether a file of this name is examined.
func mayHold(name string) bool {
	return slices.Contains(endings, strings.ToLower(filepath.Ext(name)))
}

// lookAt returns the sessions in the file at path, which is in p; none if the file is
// skipped.
func lookAt(p Place, path string, known func(File) (File, bool)) ([]File, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && !info.Mode().IsRegular() {
		// A dangling link, or gone since; a pipe or a device, which would block
		// and holds no session.
		return nil, nil
	}
	files, err := inspect(path, known)
	if errors.Is(err, ErrNoSession) {
		return nil, nil
	}
	return slices.DeleteFunc(files, func(f File) bool {
		double := func(row *form) bool { return row.double != nil && row.double(f.Path) }
		return p.Format != "" && f.Format != p.Format || slices.ContainsFunc(rowsOf(f.Format), double)
	}), err
}

// inspect returns the sessions in the file at path.
func inspect(path string, known func(File) (File, bool)) (files []File, err error) {
	if known == nil {
		known = func(f File) (File, bool) { return f, false }
	}
	if info, err := os.Stat(path); err == nil {
		if f, ok := known(File{Path: path, Size: info.Size(), ModTime: info.ModTime()}); ok {
			return []File{f}, nil
		}
		if info.Mode().IsRegular() && isDatabase(path) {
			files, err := databaseFiles(path)
			for i := range files {
				if f, ok := known(files[i]); ok {
					files[i] = f
				}
			}
			return files, err
		}
	}
	f, file, err := Open(path)
	if err != nil {
		return nil, err
	}
	return []File{file}, f.Close()
}

// isDatabase checks the first bytes of a file that is named like a database.
func isDatabase(path string) bool {
	if !NamedDatabase(path) {
		return false
	}
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, 16)
	_, err = f.ReadAt(head, 0)
	return err == nil && sqlite.IsDatabase(head)
}

// A Source is an open session file.
type Source interface {
	io.Reader
	io.ReaderAt
	io.Closer
}

// Open opens the session file at path for reading from its start. It opens only regular
// files, so that it never waits for a pipe or reads a device, and only sessions of a
// known agent ([ErrNoSession]).
func Open(path string) (Source, File, error) {
	if database, id, ok := inDatabase(path); ok {
		return openInDatabase(database, id)
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, File{}, fmt.Errorf("opening a session: %w", err)
	}
	what := ""
	switch mode := info.Mode(); {
	case mode.IsDir():
		what = " is a folder"
	case mode&fs.ModeNamedPipe != 0:
		what = " is a named pipe"
	case !mode.IsRegular():
		what = " is a device or another special file"
	case info.Size() == 0:
		what = " is empty"
	}
	if what != "" {
		return nil, File{}, fmt.Errorf("%s%s: %w", path, what, ErrNoSession)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, File{}, fmt.Errorf("opening a session: %w", err)
	}
	format, ok, err := detectIn(f, info.Size(), slices.Contains([]string{".jsonl", ".zst", ""}, strings.ToLower(filepath.Ext(path))))
	if err != nil {
		f.Close()
		return nil, File{}, fmt.Errorf("reading the head of %s: %w", path, err)
	}
	if !ok {
		f.Close()
		return nil, File{}, fmt.Errorf("%s: %w", path, ErrNoSession)
	}
	return f, File{Path: path, Format: format, Size: info.Size(), ModTime: info.ModTime(), Agent: agentType(path)}, nil
}

// peeked is how many bytes of a session Peek reads at most.
const peeked = 64 << 10

// Peek returns what the beginning of a session says of it, such as where and when it began:
// what one needs to know which sessions to read first. It has no errors; what cannot be read
// says nothing.
func Peek(file File) Session {
	f, _, err := Open(file.Path)
	if err != nil {
		return Session{Agent: file.Format}
	}
	defer f.Close()
	r := NewReader(io.LimitReader(f, peeked), file.Format, file.Options())
	for range r.Turns() {
		if r.session.Dir != "" {
			break
		}
	}
	return r.session
}

// agentType reads the type of a subagent from the small file that Claude Code
// puts beside agent-<id>.jsonl.
func agentType(path string) string {
	stem, ok := strings.CutSuffix(filepath.Base(path), ".jsonl")
	if !ok || !strings.HasPrefix(stem, "agent-") {
		return ""
	}
	return sidecar(filepath.Join(filepath.Dir(path), stem+".meta.json")).get("agentType").text()
}

// sidecar reads a small JSON file in which an agent says more about a session; nil if
// there is none.
func sidecar(path string) object {
	o, _, err := parseObject(small(path, 1<<20), 0, nil)
	if err != nil {
		return nil
	}
	return o
}

// small reads a regular file of at most most bytes; nil for any other.
func small(path string, most int64) []byte {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() || info.Size() > most {
		return nil
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	return data
}

// A Choice says which transcripts a person means.
type Choice struct {
	Places Places                  // where sessions are looked for
	Dir    string                  // from which relative paths are told
	Words  []string                // files, folders, or the beginnings of ids of sessions; none for all in the places
	Known  func(File) (File, bool) // see [FindKnown]
	Bad    func(error)             // is told what cannot be read
}

// Files finds the transcripts that are meant. missing are the words that are neither a
// file nor the id of a session in the places.
func (c Choice) Files() (files []File, missing []string) {
	collect := func(where Places, want func(string) bool) {
		for f, err := range FindKnown(where, c.Known) {
			if err != nil {
				c.Bad(err)
			} else if want(f.Path) {
				f.Named = f.Named || f.Format == GitHub // nobody keeps these but to have them read
				files = append(files, f)
			}
		}
	}
	all := func(string) bool { return true }
	if len(c.Words) == 0 {
		collect(c.Places, all)
		return files, nil
	}
	var named Places
	var ids []string
	for _, w := range c.Words {
		path := w
		if !filepath.IsAbs(path) {
			path = filepath.Join(c.Dir, path)
		}
		if _, err := os.Lstat(path); err == nil || strings.ContainsAny(w, `/\`) || strings.HasSuffix(w, ".jsonl") {
			named = append(named, Place{Path: path, Named: true})
		} else {
			ids = append(ids, w)
		}
	}
	collect(named, all)
	if len(ids) == 0 {
		return files, nil
	}
	found := map[string]bool{}
	collect(c.Places, func(path string) bool {
		i := slices.IndexFunc(ids, func(id string) bool { return isSession(path, id) })
		if i >= 0 {
			found[ids[i]] = true
		}
		return i >= 0
	})
	return files, slices.DeleteFunc(ids, func(id string) bool { return found[id] })
}

// isSession reports whether a transcript is named for the session with an id, or
// with an id that begins so: ID.jsonl or rollout-TIME-ID.jsonl.
func isSession(path, id string) bool {
	name := filepath.Base(path)
	return strings.HasPrefix(name, id) || strings.HasPrefix(name, "rollout-") && strings.Contains(name, "-"+id)
}

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
