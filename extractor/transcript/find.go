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

// A Place is a file or a folder in which sessions lie.
type Place struct {
	Path   string
	Format Format // of the sessions to take; "" takes every known one
	Named  bool   // a person named it: that it is missing, or a file that is no session, is an error
}

// Places are where to look for sessions, in order.
type Places []Place

// A File is a session file that was found.
type File struct {
	Path    string
	Format  Format
	Size    int64
	ModTime time.Time
	Named   bool   // a person or an agent's hook asked for this very session
	Agent   string // type of the subagent whose file it is, where a file beside it tells; else ""
}

// Options returns the options to read f with while its agent may be writing.
func (f File) Options() Options {
	return Options{Path: f.Path, Growing: true, Session: Session{Role: f.Agent}}
}

// Anywhere reports that a Reader may begin in the middle of f, at the beginning of any
// line: all that it misses then are the calls of results, and what is told at the head.
func (f File) Anywhere() bool {
	rows := rowsOf(f.Format)
	return len(rows) == 1 && !rows[0].anew && rows[0].line != nil && strings.HasSuffix(f.Path, ".jsonl")
}

// ErrNoSession is in the errors for a named file that exists and is not a
// session of a known agent.
var ErrNoSession = errors.New("not a session of a known agent")

// endings are of the names that are looked into; files without one are too.
var endings = []string{".jsonl", ".json", ".md", ".traj", ".txt", ".zst", databaseEnd, ""}

// FindKnown yields the session files in places, folder by folder in the order of
// their names, those of subagents among them. A file counts by its content; of a
// database of sessions each session counts as a file in it. Links to files are
// followed, links to folders are not. What cannot be looked at is an error that
// names it, and FindKnown goes on with the next; a place that is missing is an
// error only when a person named it.
//
// It asks known for each file, with path, size and time, and opens only those of
// which known says false: opening is what costs with many thousand files. A nil
// known knows none.
func FindKnown(places Places, known func(File) (File, bool)) iter.Seq2[File, error] {
	return func(yield func(File, error) bool) {
		for _, p := range places {
			info, err := os.Stat(p.Path)
			_, _, inside := inDatabase(p.Path)
			switch {
			case err != nil && !p.Named && errors.Is(err, fs.ErrNotExist):
				continue
			case err != nil && !inside:
				if !yield(File{}, fmt.Errorf("looking for sessions: %w", err)) {
					return
				}
			case err == nil && info.IsDir():
				if !walk(p, p.Path, known, yield) {
					return
				}
			default:
				files, err := inspect(p.Path, known)
				if err != nil && !p.Named && errors.Is(err, ErrNoSession) {
					continue
				}
				if !each(files, err, yield) {
					return
				}
			}
		}
	}
}

// walk yields the sessions in dir and the folders in it, and says whether the
// caller wants more.
func walk(p Place, dir string, known func(File) (File, bool), yield func(File, error) bool) bool {
	entries, err := os.ReadDir(dir)
	if err != nil && !yield(File{}, fmt.Errorf("looking for sessions: %w", err)) {
		return false
	}
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		if e.IsDir() {
			if e.Name() != ".git" && !walk(p, path, known, yield) {
				return false
			}
			continue
		}
		if !mayHold(e.Name()) {
			continue
		}
		files, err := lookAt(p, path, known)
		if !each(files, err, yield) {
			return false
		}
	}
	return true
}

// each yields files, or the error instead.
func each(files []File, err error, yield func(File, error) bool) bool {
	if err != nil {
		return yield(File{}, err)
	}
	for _, f := range files {
		if !yield(f, nil) {
			return false
		}
	}
	return true
}

// mayHold says whether a file of this name is looked into for a session.
func mayHold(name string) bool {
	return slices.Contains(endings, strings.ToLower(filepath.Ext(name)))
}

// lookAt gives the sessions in the file at path, which is in p. There are none in one that
// is passed over.
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
	return slices.DeleteFunc(files, func(f File) bool { return p.Format != "" && f.Format != p.Format || isDouble(f) }), err
}

// isDouble says whether another file in the same folder tells the session of f
// better.
func isDouble(f File) bool {
	for _, row := range rowsOf(f.Format) {
		if row.double != nil && row.double(f.Path) {
			return true
		}
	}
	return false
}

// inspect tells what sessions lie in the file at path.
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

// isDatabase looks at the first bytes of a file that is named like a database.
func isDatabase(path string) bool {
	if filepath.Ext(path) != databaseEnd {
		return false
	}
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, 16)
	_, err = io.ReadFull(f, head)
	return err == nil && sqlite.IsDatabase(head)
}

// A Source is a session's file that is open.
type Source interface {
	io.Reader
	io.ReaderAt
	io.Closer
}

// Open opens the session file at path for reading from its start. It opens
// nothing but regular files, so that it does not wait for a pipe or read a
// device, and of those only sessions of a known agent ([ErrNoSession]).
func Open(path string) (Source, File, error) {
	if database, id, ok := inDatabase(path); ok {
		return openInDatabase(database, id)
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, File{}, fmt.Errorf("opening a session: %w", err)
	}
	return open(path, info)
}

func open(path string, info fs.FileInfo) (Source, File, error) {
	switch mode := info.Mode(); {
	case mode.IsDir():
		return nil, File{}, fmt.Errorf("%s is a folder: %w", path, ErrNoSession)
	case mode&fs.ModeNamedPipe != 0:
		return nil, File{}, fmt.Errorf("%s is a named pipe: %w", path, ErrNoSession)
	case !mode.IsRegular():
		return nil, File{}, fmt.Errorf("%s is a device or another special file: %w", path, ErrNoSession)
	case info.Size() == 0:
		return nil, File{}, fmt.Errorf("%s is empty: %w", path, ErrNoSession)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, File{}, fmt.Errorf("opening a session: %w", err)
	}
	head := make([]byte, min(HeadSize, info.Size()))
	n, err := io.ReadFull(f, head)
	if err == nil || errors.Is(err, io.ErrUnexpectedEOF) {
		_, err = f.Seek(0, io.SeekStart)
	}
	if err != nil {
		f.Close()
		return nil, File{}, fmt.Errorf("reading the head of %s: %w", path, err)
	}
	format, ok := Detect(head[:n])
	if !ok {
		f.Close()
		return nil, File{}, fmt.Errorf("%s: %w", path, ErrNoSession)
	}
	return f, File{Path: path, Format: format, Size: info.Size(), ModTime: info.ModTime(), Agent: agentType(path)}, nil
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

// sidecar reads a small JSON file in which an agent says more of a session;
// nil when there is none.
func sidecar(path string) object {
	const limit = 1 << 20
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() || info.Size() > limit {
		return nil
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	o, _, err := parseObject(data, 0, nil)
	if err != nil {
		return nil
	}
	return o
}
