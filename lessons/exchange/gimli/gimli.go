// Package gimli reads and writes the lessons of Gimli's agents: the LEARNINGS.md of its
// documents, in both published variants, and the learnings.json of its public code. Each
// agent has a folder with both.
//
// A bullet holds a date and at most [MaxBullet] characters, and no id. The ledger records
// which bullet was written for which lesson; a bullet that somebody has edited since is
// found by its words.
package gimli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"learnings/lessons"
	"learnings/lessons/exchange"
)

// Name is the name of the format.
const Name = "gimli"

// Format is Gimli's stores: a LEARNINGS.md, a learnings.json, the folder of an agent, or
// the folder of all agents.
type Format struct{}

// Gimli's names of files and folders.
const (
	markdownFile = "LEARNINGS.md"
	jsonFile     = "learnings.json"
	markdownDir  = "agent"
	jsonDir      = "learning"
	agentsDir    = "agents"
)

// Places returns the folder of all agents of a person, by GIMLI_STATE_DIR, which may be
// relative to dir; nil if there is none.
func Places(home, dir string, getenv func(string) string) []string {
	state := exchange.Folder(home, getenv("GIMLI_STATE_DIR"), ".gimli")
	if state == "" {
		return nil
	}
	if !filepath.IsAbs(state) {
		state = filepath.Join(dir, state)
	}
	return []string{state}
}

// Detect reports whether path is in this format.
func (Format) Detect(path string) bool {
	info, err := os.Stat(path)
	if err != nil {
		return false
	}
	if info.IsDir() {
		return slices.ContainsFunc(place(path).existing(), func(f file) bool { return Format{}.Detect(f.path) })
	}
	base := filepath.Base(path)
	if !strings.EqualFold(filepath.Ext(base), ".md") && !strings.EqualFold(filepath.Ext(base), ".json") {
		return false
	}
	data, err := exchange.ReadFile(path)
	if err != nil || data == nil {
		return false
	}
	if isJSON(path) {
		d, err := parseJSON(data)
		if err != nil {
			return false
		}
		_, has := d.Member("learnings")
		_, owned := d.Member("agentId")
		return has && (owned || base == jsonFile)
	}
	d, err := parseMarkdown(data)
	if err != nil {
		return base == markdownFile
	}
	dated := slices.ContainsFunc(d.bullets, func(b bullet) bool { return b.date != "" })
	return d.known() && (base == markdownFile || dated)
}

func isJSON(path string) bool { return strings.EqualFold(filepath.Ext(path), ".json") }

// A file is one store of one agent.
type file struct {
	path  string
	name  string // below the place, for display
	agent string // "" if the path does not tell
}

// A location is the set of stores at a path.
type location struct {
	root   string
	single bool // the path is one store, which gets everything
	agents []string
	files  []file
}

// place returns the location of a path, which need not exist.
func place(path string) location {
	path = filepath.Clean(path)
	info, err := os.Stat(path)
	switch {
	case err == nil && !info.IsDir(), err != nil && (isJSON(path) || strings.EqualFold(filepath.Ext(path), ".md")):
		return location{root: filepath.Dir(path), single: true, files: []file{{path, filepath.Base(path), agentOfPath(path)}}}
	case exists(filepath.Join(path, markdownFile)):
		return place(filepath.Join(path, markdownFile))
	case exists(filepath.Join(path, jsonFile)):
		return place(filepath.Join(path, jsonFile))
	case filepath.Base(filepath.Dir(path)) == agentsDir:
		id := AgentID(filepath.Base(path))
		return location{root: path, agents: []string{id}, files: agentFiles(path, "", id)}
	case filepath.Base(path) == agentsDir:
		path = filepath.Dir(path)
	}
	l := location{root: path}
	entries, _ := os.ReadDir(filepath.Join(path, agentsDir))
	for _, e := range entries {
		if id := AgentID(e.Name()); id == e.Name() {
			l.agents = append(l.agents, id)
			l.files = append(l.files, agentFiles(filepath.Join(path, agentsDir, id), filepath.Join(agentsDir, id), id)...)
		}
	}
	return l
}

func agentFiles(dir, name, id string) []file {
	return []file{
		{filepath.Join(dir, markdownDir, markdownFile), filepath.Join(name, markdownDir, markdownFile), id},
		{filepath.Join(dir, jsonDir, jsonFile), filepath.Join(name, jsonDir, jsonFile), id},
	}
}

// of returns the stores of an agent, existing or not.
func (l location) of(agent string) []file {
	if l.single {
		return l.files
	}
	var out []file
	for _, f := range l.files {
		if f.agent == agent {
			out = append(out, f)
		}
	}
	if out == nil {
		out = agentFiles(filepath.Join(l.root, agentsDir, agent), filepath.Join(agentsDir, agent), agent)
	}
	return out
}

func (l location) existing() []file {
	return slices.DeleteFunc(slices.Clone(l.files), func(f file) bool { return !exists(f.path) })
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

// agentOfPath returns the agent that a store belongs to by its path.
func agentOfPath(path string) string {
	abs, err := filepath.Abs(path)
	if err != nil {
		return ""
	}
	dir := filepath.Dir(filepath.Dir(abs))
	if filepath.Base(filepath.Dir(dir)) == agentsDir {
		return AgentID(filepath.Base(dir))
	}
	return ""
}

// Read returns the entries at path.
func (Format) Read(ctx context.Context, path string) (exchange.Found, error) {
	var found exchange.Found
	files := place(path).existing()
	if len(files) == 0 {
		return found, fmt.Errorf("%s %w: it holds no %s and no %s", path, exchange.ErrFormat, markdownFile, jsonFile)
	}
	for _, f := range files {
		if err := ctx.Err(); err != nil {
			return found, err
		}
		b, _, err := openBook(f)
		switch {
		case err != nil && len(files) == 1:
			return found, err
		case err != nil:
			found.Unread = append(found.Unread, exchange.Unread{Path: f.path, Err: err})
			continue
		}
		found.Entries = append(found.Entries, entries(f, b.holds())...)
		for _, bad := range b.holds().bad {
			bad.Path = f.path
			found.Unread = append(found.Unread, bad)
		}
	}
	return found, nil
}

// entries converts the items of a store.
func entries(f file, c *contents) []exchange.Entry {
	var out []exchange.Entry
	for _, it := range c.items {
		l := it.lesson
		l.ID, l.Status, l.Scope = c.id(f, it), lessons.Pending, scopeOf(c.agent(f))
		l.Origin.Extractor = exchange.By(Name)
		l.Evidence = []lessons.Evidence{{
			Agent: Name, Path: f.path, Line: it.line, By: lessons.ByAgent, From: "import", At: l.Created, Quote: it.text,
		}}
		out = append(out, exchange.Entry{Lesson: l, Key: it.key, Place: fmt.Sprintf("%s:%d", f.name, it.line), Active: it.active, Aside: !it.active})
	}
	return out
}

// openBook reads the store of a file; missing is the error if there is none.
func openBook(f file) (b book, before []byte, err error) {
	if before, err = exchange.ReadFile(f.path); err != nil {
		return nil, nil, fmt.Errorf("reading %s: %w", f.path, err)
	}
	if isJSON(f.path) {
		b, err = openJSON(before, f)
	} else {
		b, err = openMarkdown(before)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("%s %w: %w", f.path, exchange.ErrFormat, err)
	}
	return b, before, nil
}

// A book is a store in memory. Edits change only its bytes; items stay as they were read.
type book interface {
	holds() *contents
	lacks(l lessons.Lesson) []string                                 // what an item cannot hold
	text(l lessons.Lesson) string                                    // of an item for a lesson
	state(l lessons.Lesson) string                                   // of an added item
	upToDate(i int, l lessons.Lesson) bool                           // whether an item says what the lesson says
	set(i int, l lessons.Lesson, now time.Time) (base, state string) // makes it say so
	add(l lessons.Lesson, now time.Time) (base, state string)
	drop(i int, now time.Time) bool // removes an item, unless more than the item would go
	bytes(now time.Time) []byte     // of the file, with all changes
}

// contents are the parsed contents of a store.
type contents struct {
	items []item
	bad   []exchange.Unread
	owner string // the agent named in the file; "" for none
}

func (c *contents) holds() *contents { return c }

// agent returns the agent of a file.
func (c *contents) agent(f file) string {
	if f.agent == "" && c.owner != "" {
		return AgentID(c.owner)
	}
	return f.agent
}

// id returns the id of the lesson for an item.
func (c *contents) id(f file, it item) lessons.ID { return exchange.ID(Name, c.agent(f), it.key) }

func (c *contents) fail(line int, err error) {
	c.bad = append(c.bad, exchange.Unread{Line: line, Err: err})
}

// An item is one entry of a store.
type item struct {
	key      string // the other program's key; unique in the store
	base     string // the ledger's key
	category string
	text     string // of the entry
	state    string // everything written from a lesson, to detect changes by others
	line     int    // from 1
	active   bool
	lesson   lessons.Lesson // the item as a lesson
}

// mainAgent is the agent whose name may be left out.
const mainAgent = "main"

// defaultRole is the role of sessions that name none: no particular agent.
const defaultRole = "developer"

var (
	agentName = lessons.LazyRegexp(`^[a-zA-Z0-9][a-zA-Z0-9_-]{0,63}$`)
	noName    = lessons.LazyRegexp(`[^a-z0-9_-]+`)
)

// AgentID returns the name of an agent's folder, by Gimli's rule.
func AgentID(name string) string {
	name = strings.TrimSpace(name)
	low := strings.ToLower(name)
	if agentName().MatchString(name) {
		return low
	}
	low = strings.Trim(noName().ReplaceAllString(low, "-"), "-")
	low = low[:min(len(low), 64)]
	if low == "" {
		return mainAgent
	}
	return low
}

// A lesson for one agent has the agent as its role. Only the next two functions know that.

// scopeOf returns the scope of an agent's lessons: every project.
func scopeOf(agent string) lessons.Scope {
	if agent == mainAgent {
		agent = ""
	}
	return lessons.Scope{Role: agent, Global: true}
}

// agentFor returns the existing agent that a lesson is written for: that of its role, or the
// one that it is for alone.
func agentFor(l lessons.Lesson, agents []string) string {
	for _, name := range []string{l.Scope.Role, l.Limit.Agent} {
		if name != "" && slices.Contains(agents, AgentID(name)) {
			return AgentID(name)
		}
	}
	return mainAgent
}
