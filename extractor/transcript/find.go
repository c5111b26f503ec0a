package transcript

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
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

// Anywhere reports whether a Reader may begin at any line of f. It then misses only the
// calls of results, and what the head says.
func (f File) Anywhere() bool {
	rows := rowsOf(f.Format)
	return len(rows) == 1 && !rows[0].anew && rows[0].line != nil && strings.HasSuffix(f.Path, ".jsonl")
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
