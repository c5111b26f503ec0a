// Package octomind reads and writes the lessons of Octomind if its folder is not the
// corpus: a Markdown file per lesson, in a folder for each project and role, with the
// global ones in "_" and archived ones in ".archive".
//
// It parses a file as Octomind does, which is not YAML, and changes it line by line.
package octomind

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

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
	data := exchange.Folder(home, getenv("OCTOMIND_DATA_DIR"), ".local/share/octomind")
	if data == "" {
		return ""
	}
	return filepath.Join(data, folder)
}

// An entry is a file of the store.
type entry struct {
	name string // from the root, slash-separated
	path string
	text string
	rec  record         // as Octomind reads it
	said lessons.Lesson // as a person wrote it
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
		out.Entries = append(out.Entries, exchange.Entry{Lesson: e.lesson(), Key: e.key(), Place: e.name, Active: !e.aside(), Aside: e.aside()})
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
	const name = "[^.]*" // of a folder that is not hidden
	holds := func(patterns ...string) bool {
		return slices.ContainsFunc(patterns, func(pattern string) bool {
			found, _ := fs.Glob(os.DirFS(root), pattern+extension)
			return len(found) > 0
		})
	}
	base := filepath.Base(root)
	info, err := os.Stat(root)
	switch {
	case err != nil:
		return root, ""
	case !info.IsDir() && filepath.Base(filepath.Dir(root)) == file.Global:
		return up(2)
	case !info.IsDir():
		return up(3)
	case base == file.Global && holds(name):
		return up(1)
	case base != folder && holds(path.Join(folder, name, name, name), path.Join(folder, file.Global, name)):
		return filepath.Join(root, folder), "" // the data folder, which people know better
	case holds(path.Join(name, name, name), path.Join(file.Global, name)):
		return root, ""
	case holds(path.Join(name, name)):
		return up(1)
	case holds(name):
		return up(2)
	}
	return root, ""
}

// folder is the name of the store in Octomind's data folder.
const folder = "learning"

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
				if e.said, err = file.DecodeAt(e.key()+extension, data, e.id()); !ok {
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
	l := lessons.Lesson{
		ID: e.id(), Status: lessons.Pending, Wording: lessons.Wording{Content: e.said.Content}, Tags: e.said.Tags, Scope: e.said.Scope,
		Origin: lessons.Origin{Source: e.rec.Source, Extractor: exchange.By(Name)},
		Use:    e.said.Use, Created: e.said.Created, Confidence: e.said.Confidence, Extra: e.said.Extra,
	}
	l.Scope.Global = l.Scope.Global || strings.HasPrefix(e.name, file.Global+"/")
	l.Evidence = []lessons.Evidence{{Agent: Name, Session: e.rec.Source, Path: e.path, Line: 1, By: lessons.ByAgent, From: "import", At: l.Created, Quote: l.Content}}
	for _, ev := range e.said.Evidence {
		if ev.Agent == Name {
			l.Evidence = append(l.Evidence, ev)
		}
	}
	return file.Normal(l)
}

// A record is a file as Octomind parses it.
type record struct {
	Title      string   `json:"title"`
	Content    string   `json:"content"`
	Type       string   `json:"memory_type"`
	Importance float64  `json:"importance"`
	Confidence string   `json:"confidence"`
	Tags       []string `json:"tags"`
	Source     string   `json:"source"`
	Role       string   `json:"role"`
	Project    string   `json:"project"`
	Scope      string   `json:"scope"`
	Created    string   `json:"created"`
	Related    []string `json:"related"`
	Evidence   []string `json:"evidence"`
	Outcome    string   `json:"outcome"`
	LastUsed   string   `json:"last_used"`
	Uses       uint64   `json:"use_count"`
}

func blank() record {
	return record{Type: learning, Importance: 0.5, Confidence: "medium", Scope: scoped, Outcome: "unknown", Tags: []string{}, Related: []string{}, Evidence: []string{}}
}

const (
	learning = "learning"
	scoped   = "scoped"
	global   = "global"
)

// present parses a file as Octomind does now. It returns false if Octomind skips the file.
func present(text string) (record, bool) { return parse(text, false) }

// first parses a file as the first version of Octomind did: it knew fewer keys, trimmed all
// quotation marks, and did not unescape.
func first(text string) (record, bool) { return parse(text, true) }

func parse(text string, first bool) (record, bool) {
	lines, ok := file.Lines(text)
	r := blank()
	for _, l := range lines {
		value := l.Value
		switch {
		case first && slices.Contains([]string{"title", "scope", "last_used", "related", "evidence", "outcome", "use_count"}, l.Key):
			continue
		case first:
			value = strings.Trim(value, `"`)
		case len(value) > 1 && strings.HasPrefix(value, `"`) && strings.HasSuffix(value, `"`):
			value = value[1 : len(value)-1]
		}
		s := r.text(l.Key)
		switch {
		case s == nil:
			r.set(l.Key, value)
		case !first && quoted(l.Key):
			*s = unescape(value)
		default:
			*s = value
		}
	}
	return r, ok && r.Content != ""
}

// text returns the field for a key with text; nil for other keys.
func (r *record) text(key string) *string {
	return map[string]*string{
		"title": &r.Title, "content": &r.Content, "memory_type": &r.Type, "confidence": &r.Confidence, "source": &r.Source,
		"role": &r.Role, "project": &r.Project, "scope": &r.Scope, "created": &r.Created, "last_used": &r.LastUsed,
	}[key]
}

// quoted reports whether the value of a key is quoted.
func quoted(key string) bool { return key != "memory_type" && key != "confidence" && key != "scope" }

// set sets a field that is not text, as well as its value can be read.
func (r *record) set(key, value string) {
	switch key {
	case "importance":
		var err error
		if r.Importance, err = strconv.ParseFloat(value, 64); err != nil || math.IsNaN(r.Importance) {
			r.Importance = 0.5
		}
	case "tags":
		r.Tags = []string{}
		for t := range strings.SplitSeq(inner(value), ",") {
			if t = strings.TrimSpace(t); t != "" {
				r.Tags = append(r.Tags, t)
			}
		}
	case "related":
		r.Related = stringList(value)
	case "evidence":
		r.Evidence = stringList(value)
	case "outcome":
		if r.Outcome = "unknown"; value == "verified" || value == "failed" {
			r.Outcome = value
		}
	case "use_count":
		r.Uses, _ = strconv.ParseUint(value, 10, 64)
	}
}

func inner(list string) string { return strings.TrimRight(strings.TrimLeft(list, "["), "]") }

// stringList parses a JSON array, or values separated by commas.
func stringList(value string) []string {
	out := []string{}
	if json.Unmarshal([]byte(value), &out) == nil && out != nil {
		return out
	}
	out = []string{}
	for item := range strings.SplitSeq(inner(value), ",") {
		if item = strings.Trim(strings.TrimSpace(item), `"`); item != "" {
			out = append(out, item)
		}
	}
	return out
}

// unescape undoes Octomind's escapes and keeps any other backslash.
var unescape = strings.NewReplacer(`\\`, `\`, `\"`, `"`, `\n`, "\n").Replace

// escape escapes a text as Octomind does in quotation marks.
var escape = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace
