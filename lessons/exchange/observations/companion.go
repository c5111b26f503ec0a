package observations

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"learnings/extractor/sqlite"
	"learnings/lessons"
	"learnings/lessons/exchange"
)

// CompanionName is the name of the format of claude-mem's companion.
const CompanionName = "companion"

// CompanionFile is the database in a project's folder.
const CompanionFile = "memory.db"

// A Companion is the database of claude-mem-architecture, by its published schema. Rows are
// only added: a changed lesson is a new observation that refers to the old one, and another
// one withdraws a lesson that no longer holds.
type Companion struct{}

// Tags of observations that were added about an older one.
const (
	supersedes = "supersedes" // it replaces the older one
	withdraws  = "withdraws"  // the older one no longer holds
)

// Tags that say where an observation holds, if not in the project whose folder has the
// database.
const (
	everywhere = "project:*"
	ofProject  = "project:" // with its name, which is also a tag of its own, because the companion searches by that
)

// scope removes the scope from tags and returns it.
func scope(tags []string, file string) ([]string, lessons.Scope) {
	of := lessons.Scope{Project: project(file)}
	for _, t := range tags {
		if name, ok := strings.CutPrefix(t, ofProject); ok {
			of = lessons.Scope{Project: name}
			if t == everywhere {
				of = lessons.Scope{Global: true}
			}
			tags = slices.DeleteFunc(slices.Clone(tags), func(x string) bool { return x == t || x == name })
			break
		}
	}
	return slices.DeleteFunc(tags, func(t string) bool { return t == supersedes }), of
}

// A noted is a row of the companion's observations.
type noted struct {
	ID       int64 `json:"id"`
	Session  text  `json:"session_id"`
	Type     text  `json:"obs_type"`
	Title    text  `json:"title"`
	Content  text  `json:"content"`
	Context  text  `json:"context"`
	Evidence text  `json:"evidence"`
	Tags     text  `json:"tags"`
	Create   text  `json:"created_at"`
}

// key identifies a row independently of its database.
func (n noted) key() string {
	return string(n.Session) + "/" + exchange.Digest(string(n.Session), string(n.Title), string(n.Content), string(n.Create))
}

// Detect implements [exchange.Format].
func (Companion) Detect(path string) bool {
	file := fileOf(path, CompanionFile)
	return sqlite.IsDatabase(exchange.Head(file)) && has(file, "observations", "session_id", "obs_type", "title", "content", "tags")
}

// A memory is the contents of a companion's database.
type memory struct {
	rows []noted
	refs [][2]int64 // observer, referenced
}

// openMemory reads a database; a missing file is empty.
func openMemory(ctx context.Context, file string) (*memory, error) {
	var m *memory
	err := readDatabase(ctx, file, func(db *sqlite.DB) error {
		m = &memory{}
		if !db.Has("observations", "session_id", "obs_type", "title", "content", "created_at") {
			return fmt.Errorf("%w: it has no table of the companion's observations", exchange.ErrFormat)
		}
		for r, err := range db.Rows("observations") {
			if err != nil {
				return fmt.Errorf("table observations: %w", err)
			}
			var n noted
			fill(&n, r)
			m.rows = append(m.rows, n)
		}
		if !db.Has("references", "observer_id", "referenced_id") {
			return nil
		}
		for r, err := range db.Rows("references") {
			if err != nil {
				return fmt.Errorf("table references: %w", err)
			}
			m.refs = append(m.refs, [2]int64{r.Int("observer_id"), r.Int("referenced_id")})
		}
		return nil
	})
	return m, err
}

// past returns the rows that a later one supersedes or withdraws.
func (m *memory) past() map[int64]bool {
	tags := map[int64][]string{}
	for _, n := range m.rows {
		tags[n.ID] = list(string(n.Tags))
	}
	out := map[int64]bool{}
	for _, r := range m.refs {
		if t := tags[r[0]]; slices.Contains(t, supersedes) || slices.Contains(t, withdraws) {
			out[r[1]] = true
		}
	}
	return out
}

// Read implements [exchange.Format]. An observation that a later one replaced is no entry.
func (Companion) Read(ctx context.Context, path string) (exchange.Found, error) {
	file := fileOf(path, CompanionFile)
	m, err := openMemory(ctx, file)
	if err != nil {
		return exchange.Found{}, err
	}
	referred := map[int64]int{}
	for _, r := range m.refs {
		referred[r[1]]++
	}
	past := m.past()
	var f exchange.Found
	for _, n := range m.rows {
		switch {
		case past[n.ID] || slices.Contains(list(string(n.Tags)), withdraws):
		case lessons.Line(public(string(n.Title))) == "":
			f.Unread = append(f.Unread, exchange.Unread{Path: fmt.Sprintf("%s#%d", file, n.ID), Err: errors.New("an observation without a title")})
		default:
			f.Entries = append(f.Entries, n.entry(file, referred[n.ID]))
		}
	}
	return f, nil
}

// entry converts a row to a proposal.
func (n noted) entry(file string, referred int) exchange.Entry {
	key := n.key()
	at, _ := time.Parse(time.RFC3339Nano, string(n.Create)) // zero if it cannot be parsed
	id := exchange.ID(CompanionName, CompanionName, key)
	l := lessons.Lesson{
		ID: id, Status: lessons.Pending, Confidence: medium, Category: lessons.Category(cmp.Or(lessons.Line(string(n.Type)), "discovery")), Created: at.UTC(),
		Origin: lessons.Origin{Extractor: exchange.By(CompanionName), Source: string(n.Session), Rule: "noted by the companion of claude-mem"},
	}
	l.Tags, l.Scope = scope(exchange.Terms(list(string(n.Tags))), file)
	l.Content, l.Insight = lessons.Line(public(string(n.Title))), public(string(n.Content))
	if lessons.Line(l.Insight) == l.Content {
		l.Insight = "" // the content only fills the column
	}
	if referred > 0 {
		l.Origin.Rule += fmt.Sprintf(", and referred to %d times", referred)
	}
	ev := lessons.Evidence{
		Agent: CompanionName, Session: string(n.Session), UUID: string(id), Path: file, By: lessons.ByAgent, From: "import", At: at.UTC(),
		Quote: strings.TrimSpace(l.Content + "\n\n" + l.Insight),
	}
	for _, before := range []text{n.Context, n.Evidence} {
		if s := public(string(before)); s != "" {
			ev.Before = append(ev.Before, s)
		}
	}
	l.Evidence = []lessons.Evidence{ev}
	return exchange.Entry{Lesson: l, Key: key, Place: fmt.Sprintf("%s#%d", file, n.ID), Active: true}
}

// project returns the project of a database, which has no column for it: its folder; "" for
// a hidden folder.
func project(file string) string {
	abs, err := filepath.Abs(file)
	if err != nil {
		return ""
	}
	name := filepath.Base(filepath.Dir(abs))
	if strings.HasPrefix(name, ".") || name == string(filepath.Separator) {
		return ""
	}
	return lessons.Line(name)
}

// Lacks implements [exchange.Format].
func (Companion) Lacks(l lessons.Lesson) []string { return lacks(l) }
