// Package amplihack reads and writes the learnings of amplihack's session-learning skill: a
// folder of five YAML files, one for each category, and _stats.yaml.
//
// People write these files too, so only parts of the text are replaced: comments, order,
// quotes and unknown keys stay.
package amplihack

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"learnings/lessons"
	"learnings/lessons/exchange"
)

// Name is the name of the format.
const Name = "amplihack"

// A Format is amplihack's store. Its path is the folder of the files, or a folder that
// contains .claude/data/learnings, such as ~/.amplihack or a checkout, or one of the files.
type Format struct {
	project string // of everything in the store; "" if it belongs to no project
}

// A kind is a category of amplihack, with the file of that name.
type kind struct {
	category lessons.Category
	prefix   string // of ids
	shelves  []lessons.Shelf
}

// kinds are all of them, in amplihack's order. Each shelf without a file of its own is
// assigned to the kind nearest in subject; an entry whose category is not that of its file
// says so in a member of its own, which amplihack keeps.
var kinds = []kind{
	{"errors", "err", []lessons.Shelf{lessons.Errors, lessons.Corrections}},
	{"workflows", "wf", []lessons.Shelf{lessons.Workflows, lessons.Preferences, lessons.Other}},
	{"tools", "tool", []lessons.Shelf{lessons.Tools}},
	{"architecture", "arch", []lessons.Shelf{lessons.Architecture, lessons.Patterns}},
	{"debugging", "dbg", []lessons.Shelf{lessons.Debugging, lessons.Discoveries}},
}

const (
	ending    = ".yaml"
	statsFile = "_stats.yaml"
)

// inside is the path of the files below a harness's folder.
var inside = filepath.Join(".claude", "data", "learnings")

// A place is a store: its folder and, if only one file is meant, its name.
type place struct{ dir, only string }

// placeOf returns the store at a path.
func placeOf(path string) place {
	if info, err := os.Stat(path); err == nil && !info.IsDir() {
		return place{filepath.Dir(path), filepath.Base(path)}
	} else if err != nil && strings.HasSuffix(path, ending) {
		return place{filepath.Dir(path), filepath.Base(path)}
	}
	for _, dir := range []string{path, filepath.Join(path, inside)} {
		if names, err := (place{dir: dir}).names(); err == nil && slices.ContainsFunc(names, known) {
			return place{dir: dir}
		}
	}
	if info, err := os.Stat(filepath.Join(path, ".claude")); err == nil && info.IsDir() {
		return place{dir: filepath.Join(path, inside)}
	}
	return place{dir: path}
}

// kindOf returns the index of the kind with a file, or the number of kinds.
func kindOf(name string) int {
	i := slices.IndexFunc(kinds, func(k kind) bool { return name == string(k.category)+ending })
	return (i + len(kinds) + 1) % (len(kinds) + 1)
}

// known reports whether name is the file of a kind.
func known(name string) bool { return kindOf(name) < len(kinds) }

// names returns the files of learnings, those of the kinds first. Like amplihack, it takes
// every YAML file whose name does not begin with an underscore.
func (p place) names() ([]string, error) {
	if p.only != "" {
		return []string{p.only}, nil
	}
	all, err := os.ReadDir(p.dir)
	var names []string
	for _, e := range all {
		if n := e.Name(); strings.HasSuffix(n, ending) && !strings.HasPrefix(n, "_") && !strings.HasPrefix(n, ".") && !e.IsDir() {
			names = append(names, n)
		}
	}
	slices.SortStableFunc(names, func(a, b string) int { return kindOf(a) - kindOf(b) })
	return names, err
}

// name names the store. It is the same on every machine with the store at the same place in
// the home folder.
func (p place) name() string {
	dir, err := filepath.Abs(p.dir)
	if err != nil {
		dir = p.dir
	}
	if home, err := os.UserHomeDir(); err == nil {
		if rel, err := filepath.Rel(home, dir); err == nil && filepath.IsLocal(rel) {
			dir = filepath.Join("~", rel)
		}
	}
	return filepath.ToSlash(dir)
}

// scope returns where the learnings hold: in the checkout of the store, or everywhere if it
// is a person's, or lies in none.
func (p place) scope() lessons.Scope {
	dir, err := filepath.Abs(p.dir)
	above, ok := strings.CutSuffix(dir, string(filepath.Separator)+inside)
	home, errHome := os.UserHomeDir()
	if err != nil || !ok || filepath.Base(above) == ".amplihack" || errHome == nil && above == home {
		return lessons.Scope{Global: true}
	}
	return lessons.Scope{Project: filepath.Base(above)}
}

// Affirms implements [exchange.Affirmer].
func (Format) Affirms() bool { return true }

// Detect implements [exchange.Format].
func (Format) Detect(path string) bool {
	p := placeOf(path)
	names, err := p.names()
	if err != nil {
		return false
	}
	sure := strings.HasSuffix(filepath.ToSlash(p.dir), "data/learnings")
	return slices.ContainsFunc(names, func(n string) bool {
		return known(n) && sure || strings.HasSuffix(n, ending) && begins(filepath.Join(p.dir, n))
	})
}

// begins reports whether a file looks like one of learnings.
func begins(path string) bool {
	text := "\n" + strings.ReplaceAll(strings.TrimPrefix(string(exchange.Head(path)), "\ufeff"), "\r\n", "\n")
	return strings.Contains(text, "\ncategory:") && strings.Contains(text, "\nlearnings:")
}

// load reads files of the store. A missing file has no learnings.
func (p place) load(ctx context.Context, names []string) (docs []*document, err error) {
	for _, n := range names {
		path, stem := filepath.Join(p.dir, n), strings.TrimSuffix(n, ending)
		data, err := exchange.ReadFile(path)
		d := parseDocument(path, stem, data)
		if d.missing = data == nil && err == nil; err != nil {
			d.bad = shape(0, "%w", err)
		}
		docs = append(docs, d)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	return docs, nil
}

// Read implements [exchange.Format].
func (Format) Read(ctx context.Context, path string) (exchange.Found, error) {
	p := placeOf(path)
	names, err := p.names()
	if err != nil {
		return exchange.Found{}, err
	}
	if len(names) == 0 {
		return exchange.Found{}, fmt.Errorf("%s has no file such as errors.yaml: it %w", p.dir, exchange.ErrFormat)
	}
	docs, err := p.load(ctx, names)
	if err != nil {
		return exchange.Found{}, err
	}
	var found exchange.Found
	for _, e := range p.keyed(docs) {
		l := p.lesson(e)
		if err := l.Validate(); err != nil {
			found.Unread = append(found.Unread, exchange.Unread{Path: e.doc.path, Line: e.line, Err: err})
			continue
		}
		found.Entries = append(found.Entries, exchange.Entry{Lesson: l, Key: e.key, Place: e.place(), Active: true})
	}
	bad := 0
	for _, d := range docs {
		if d.bad != nil {
			bad++
			d.notes = append(d.notes, *d.bad)
		}
		for _, n := range d.notes {
			n.Path = d.path
			found.Unread = append(found.Unread, n)
		}
	}
	if bad == len(docs) && p.only != "" {
		return found, fmt.Errorf("%w: it %w", found.Unread[0], exchange.ErrFormat)
	}
	return found, nil
}

// keyed returns the entries of files, each with a unique key.
func (p place) keyed(docs []*document) (all []*entry) {
	seen := map[string]bool{}
	for _, d := range docs {
		for _, e := range d.entries {
			if seen[e.key] {
				e.key = d.stem + "/" + e.key
			}
			seen[e.key] = true
			all = append(all, e)
		}
	}
	return all
}

// place returns where a person finds an entry.
func (e *entry) place() string { return fmt.Sprintf("%s:%d", filepath.Base(e.doc.path), e.line) }

// quote returns the text of an entry without the indentation of its list.
func (e *entry) quote() string {
	indent := strings.Repeat(" ", max(e.doc.list.Column-1, 0))
	var b strings.Builder
	for line := range strings.Lines(e.raw()) {
		b.WriteString(strings.TrimPrefix(line, indent))
	}
	return strings.TrimRight(b.String(), "\r\n")
}

// raw returns the text of an entry, or its YAML if the list is in brackets.
func (e *entry) raw() string {
	if e.doc.flow() {
		text, _ := yaml.Marshal(e.node) // it was parsed from YAML
		return string(text)
	}
	return e.doc.lines(e.line, e.to)
}

// lesson converts an entry to a proposal.
func (p place) lesson(e *entry) lessons.Lesson {
	f := e.said
	created := f.Created
	if created.IsZero() {
		created = e.doc.updated
	}
	return lessons.Lesson{
		ID: exchange.ID(Name, p.name(), e.key), Status: lessons.Pending, Category: cmp.Or(f.Category, e.doc.category, lessons.Category(e.doc.stem)),
		Wording: lessons.Wording{Content: f.Summary, Insight: f.Insight, Example: f.Example},
		Tags:    f.Keywords, Scope: p.scope(), Confidence: lessons.Confidence(f.Confidence), Use: lessons.Use{Used: f.Used},
		Origin: lessons.Origin{Extractor: exchange.By(Name)}, Created: created,
		Evidence: []lessons.Evidence{{Agent: Name, Path: e.doc.path, Line: e.line, By: lessons.ByAgent, From: "import", At: created, Quote: e.quote()}},
	}
}

// Lacks implements [exchange.Format].
func (f Format) Lacks(l lessons.Lesson) []string {
	var w exchange.Lacks
	w.If(!l.Scope.Global && l.Scope.Project != "" && l.Scope.Project != f.project, "that it holds for project %s", l.Scope.Project)
	w.If(l.Scope.Role != "", "that it holds for role %s", l.Scope.Role)
	w.If(len(l.Triggers) > 0 && len(l.Tags) > 0, "when it shows")
	w.If(slices.ContainsFunc(l.Evidence, func(e lessons.Evidence) bool { return e.Agent != Name }), "its evidence")
	w.If(l.Pinned, "that it is pinned")
	return w
}
