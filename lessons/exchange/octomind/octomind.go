// Package octomind reads and writes the lessons of Octomind if its folder is not the
// corpus: a Markdown file per lesson, in a folder for each project and role, with the
// global ones in "_" and archived ones in ".archive".
//
// It parses a file as Octomind does, which is not YAML, and changes it line by line.
package octomind

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"learnings/lessons"
	"learnings/lessons/exchange"
	"learnings/lessons/file"
)

// Name is the name of the format.
const Name = "octomind"

// Format is Octomind's folder of lessons, the folder of a project or role in it, or one
// file.
type Format struct{}

const (
	archive   = ".archive"
	extension = ".md"
)

// Home returns the folder of Octomind's lessons; "" if there is none.
func Home(home string, getenv func(string) string) string {
	switch data := strings.TrimSpace(getenv("OCTOMIND_DATA_DIR")); {
	case data != "":
		return filepath.Join(data, folder)
	case home == "":
		return ""
	}
	return filepath.Join(home, ".local", "share", "octomind", folder)
}

// An entry is a file of the store.
type entry struct {
	name string // from the root, slash-separated
	path string
	text string
	rec  record
}

// key returns Octomind's key of a lesson: its folder and name. Archiving does not change
// it.
func (e entry) key() string {
	dir, base := path.Split(e.name)
	if before, _, aside := strings.Cut(dir, archive+"/"); aside {
		dir = before
	}
	return dir + strings.TrimSuffix(base, extension)
}

func (e entry) aside() bool { return slices.Contains(strings.Split(e.name, "/"), archive) }

func (e entry) id() lessons.ID { return exchange.ID(Name, "", e.key()) }

// Detect reports whether path has a file that Octomind reads.
func (Format) Detect(path string) bool {
	for e, err := range walk(context.Background(), path) {
		if err == nil && e.rec.Content != "" {
			return true
		}
	}
	return false
}

// Read returns the lessons of a folder. What Octomind skips is unread.
func (Format) Read(ctx context.Context, path string) (exchange.Found, error) {
	var out exchange.Found
	if _, err := os.Stat(path); err != nil {
		return out, err
	}
	for e, err := range walk(ctx, path) {
		if err != nil {
			out.Unread = append(out.Unread, exchange.Unread{Path: e.path, Err: err})
			continue
		}
		out.Entries = append(out.Entries, exchange.Entry{Lesson: e.lesson(), Key: e.key(), Place: e.name, Active: !e.aside()})
	}
	if err := ctx.Err(); err != nil {
		return exchange.Found{}, err
	}
	if len(out.Entries) == 0 && len(out.Unread) == 0 {
		return out, fmt.Errorf("%s %w: there is no lesson of Octomind in it", path, exchange.ErrFormat)
	}
	return out, nil
}

var errNoLesson = errors.New("passed over by Octomind: it has no frontmatter with a content")

// rootOf returns the folder of the projects for a path in it, and the rest of the path.
func rootOf(at string) (root string, within string) {
	root = filepath.Clean(at)
	up := func(n int) (string, string) {
		parts := strings.Split(filepath.ToSlash(root), "/")
		n = min(n, len(parts)-1)
		return filepath.FromSlash(strings.Join(parts[:len(parts)-n], "/")), strings.Join(parts[len(parts)-n:], "/")
	}
	info, err := os.Stat(root)
	switch {
	case err == nil && !info.IsDir() && filepath.Base(filepath.Dir(root)) == file.Global:
		return up(2)
	case err == nil && !info.IsDir():
		return up(3)
	case err != nil:
		return root, ""
	case filepath.Base(root) == file.Global && holds(root, 0):
		return up(1)
	case filepath.Base(root) != folder && isStore(filepath.Join(root, folder)):
		return filepath.Join(root, folder), "" // the data folder, which people know better
	case isStore(root):
		return root, ""
	case holds(root, 1):
		return up(1)
	case holds(root, 0):
		return up(2)
	}
	return root, ""
}

// folder is the name of the store in Octomind's data folder.
const folder = "learning"

// isStore reports whether a folder contains projects.
func isStore(dir string) bool { return holds(dir, 2) || holds(filepath.Join(dir, file.Global), 0) }

// holds reports whether there are Markdown files at a depth of folders.
func holds(dir string, depth int) bool {
	names, _ := os.ReadDir(dir)
	return slices.ContainsFunc(names, func(d fs.DirEntry) bool {
		switch {
		case strings.HasPrefix(d.Name(), "."):
			return false
		case depth == 0:
			return !d.IsDir() && strings.HasSuffix(d.Name(), extension)
		}
		return d.IsDir() && holds(filepath.Join(dir, d.Name()), depth-1)
	})
}

// walk yields the files of a store, sorted. An error comes with its place.
func walk(ctx context.Context, at string) func(func(entry, error) bool) {
	root, within := rootOf(at)
	return func(yield func(entry, error) bool) {
		begin := filepath.Join(root, filepath.FromSlash(within))
		if resolved, err := filepath.EvalSymlinks(begin); err == nil && begin == root {
			begin, root = resolved, resolved
		}
		_ = filepath.WalkDir(begin, func(p string, d fs.DirEntry, err error) error {
			if ctx.Err() != nil {
				return fs.SkipAll
			}
			name, _ := filepath.Rel(root, p)
			name = filepath.ToSlash(name)
			e := entry{name: name, path: p}
			switch {
			case err != nil:
				if !yield(e, err) {
					return fs.SkipAll
				}
				return nil
			case d.IsDir() && strings.HasPrefix(d.Name(), ".") && p != begin && d.Name() != archive,
				d.IsDir() && strings.Count(name, "/") > 3:
				return fs.SkipDir
			case d.IsDir() || !placed(name):
				return nil
			}
			data, err := exchange.ReadFile(p)
			if err == nil {
				var ok bool
				if e.text = string(data); data != nil {
					e.rec, ok = present(e.text)
				}
				if !ok {
					err = errNoLesson
				}
			}
			if !yield(e, err) {
				return fs.SkipAll
			}
			return nil
		})
	}
}

// placed reports whether a name fits the layout: project/role/name.md or _/name.md, either
// of them possibly below .archive and the type of memory.
func placed(name string) bool {
	parts := strings.Split(name, "/")
	want := 3
	if parts[0] == file.Global {
		want = 2
	}
	if len(parts) == want+2 && parts[want-1] == archive {
		parts = slices.Delete(parts, want-1, want+1)
	}
	return len(parts) == want && strings.HasSuffix(name, extension) && !strings.HasPrefix(parts[0], ".") && !strings.HasPrefix(parts[want-1], ".")
}

// lesson converts an entry to a proposal.
func (e entry) lesson() lessons.Lesson {
	r := e.rec
	l := lessons.Lesson{
		ID: e.id(), Status: lessons.Pending, Wording: lessons.Wording{Content: e.content()}, Tags: clean(r.Tags),
		Scope:  lessons.Scope{Project: r.Project, Role: r.Role, Global: r.Scope == global || strings.HasPrefix(e.name, file.Global+"/")},
		Origin: lessons.Origin{Source: r.Source, Extractor: exchange.By(Name)},
		Use:    lessons.Use{Used: int(min(r.Uses, 1<<30)), Last: moment(r.LastUsed)}, Created: moment(r.Created),
	}
	if parts := strings.Split(e.name, "/"); !l.Scope.Global {
		if l.Scope.Project == "" {
			l.Scope.Project = parts[0]
		}
		if l.Scope.Role == "" {
			l.Scope.Role = parts[1]
		}
	}
	l.Confidence = file.ConfidenceOf(r.Importance, r.Confidence)
	l.Evidence = []lessons.Evidence{{Agent: Name, Session: r.Source, Path: e.path, Line: 1, By: lessons.ByAgent, From: "import", At: l.Created, Quote: l.Content}}
	for _, link := range r.Evidence {
		if session, ok := strings.CutPrefix(link, linkScheme); ok {
			session, _, _ = strings.Cut(session, "/")
			l.Evidence = append(l.Evidence, lessons.Evidence{Agent: Name, Session: session, Path: link})
		}
	}
	add := func(key, value string, is bool) {
		if is {
			l.Extra = append(l.Extra, lessons.Field{Key: key, Value: value})
		}
	}
	add("memory_type", r.Type, r.Type != learning)
	add("importance", strconv.FormatFloat(r.Importance, 'f', -1, 64), true)
	add("title", `"`+escape(r.Title)+`"`, r.Title != "" && r.Title != file.TitleOf(r.Content))
	add("outcome", r.Outcome, r.Outcome != "unknown")
	return file.Normal(l)
}

// content returns the text as a person wrote it. The first version of Octomind escaped only
// quotation marks; its files have no title, and their ids are not like ours.
func (e entry) content() string {
	lines, _ := file.Lines(e.text)
	if slices.ContainsFunc(lines, func(l file.Line) bool { return l.Key == "title" || l.Key == "scope" || l.Key == "id" }) {
		return e.rec.Content
	}
	i := slices.IndexFunc(lines, func(l file.Line) bool { return l.Key == "content" })
	value, ok := strings.CutPrefix(lines[i].Value, `"`)
	if !ok {
		return e.rec.Content
	}
	return strings.ReplaceAll(strings.TrimSuffix(value, `"`), `\"`, `"`)
}

func clean(tags []string) []string {
	var out []string
	for _, t := range tags {
		if t = strings.Trim(t, `"'`); t != "" && len(out) < lessons.MaxTerms {
			out = append(out, t)
		}
	}
	return out
}

func moment(s string) time.Time {
	t, _ := time.Parse(time.RFC3339Nano, s)
	return t
}
