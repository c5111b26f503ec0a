package formats

import (
	"cmp"
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

// Memories is the name of the format of what agents are told by files.
const Memories = "memories"

// memories are the files that lie beside a project or in the person's home and tell agents
// something: what they wrote for themselves (Claude Code's auto memory, Codex's and Gemini's
// memories), and instructions that people write for them (CLAUDE.md, AGENTS.md, rules of
// editors). A path is one of them, or a folder for those of its project and of all projects.
// An entry can also be taken out.
//
// Anybody can have written a repository, and an agent is told what stands there. So
// nothing is opened but files with the names of instructions, inside the repository of a
// folder or the agents' own folders: no link leads out of either. Files, and what is read
// of each, are bounded.
type memories struct {
	Finder
	Project func(dir string) string // names the project of a folder; nil for the folder's name
}

// Detect reports whether path is a file of instructions or of an agent's memory.
func (f memories) Detect(path string) bool {
	info, err := os.Stat(path)
	if err != nil || info.IsDir() {
		return false
	}
	_, _, ok := known(path)
	return ok || f.place(path).Memory
}

// Read gives what is told at path: by one file, or, of a folder, by those for its project,
// for all projects, and by the memories of all agents.
func (f memories) Read(ctx context.Context, path string) (exchange.Found, error) {
	var found exchange.Found
	info, err := os.Stat(path)
	if err != nil {
		return found, err
	}
	if !info.IsDir() {
		file, err := f.At(path)
		if err == nil && file.Text == "" {
			err = file.Err
		}
		if err != nil {
			return found, fmt.Errorf("%s %w: %w", path, exchange.ErrFormat, err)
		}
		f.take(&found, file)
		return found, nil
	}
	f.Each(path, true, func(file File) {
		if ctx.Err() == nil {
			f.take(&found, file)
		}
	})
	return found, ctx.Err()
}

// take adds what a file tells.
func (f memories) take(found *exchange.Found, file File) {
	if file.Err != nil {
		found.Unread = append(found.Unread, exchange.Unread{Path: file.Name, Err: file.Err})
	}
	scope, limit := f.scope(file), lessons.Limit{Paths: paths(file.Text)}
	if !file.Memory {
		limit.Agent = file.Agent
	}
	changed := modified(file.Path)
	seen := map[lessons.ID]bool{}
	for _, e := range entries(file) {
		id := f.id(file, e)
		if seen[id] {
			continue
		}
		seen[id] = true
		l := lessons.Lesson{
			ID: id, Status: lessons.Pending, Category: "convention", Confidence: 0.7, Created: changed,
			Wording: lessons.Wording{Content: e.content, Insight: e.insight}, Scope: scope, Limit: limit,
			Origin: lessons.Origin{Extractor: exchange.By(Memories), Rule: "stands in " + file.Name},
		}
		from := lessons.FromFile
		if e.memory {
			from, l.Category, l.Confidence, l.Limit.Agent = lessons.FromMemory, "discovery", 0.5, ""
			l.Origin.Rule = "the agent's own memory, in " + file.Name
		}
		line := e.blocks[0].First
		l.Evidence = []lessons.Evidence{{
			Agent: cmp.Or(file.Agent, Memories), UUID: string(id), Path: file.Path, Line: line,
			By: lessons.ByAgent, From: from, Quote: e.quote,
		}}
		found.Entries = append(found.Entries, exchange.Entry{Lesson: l, Key: e.quote, Place: fmt.Sprintf("%s:%d", file.Name, line), Active: true})
	}
}

// modified is when a file was written last; zero where that is not known.
func modified(path string) time.Time {
	info, err := os.Stat(path)
	if err != nil {
		return time.Time{}
	}
	return info.ModTime().UTC().Truncate(time.Second)
}

// id is the lesson that an entry of a file becomes: the same as long as its words are
// the same, wherever in the file it stands.
func (f memories) id(file File, e entry) lessons.ID {
	return exchange.ID(Memories, f.scope(file).Project+"/"+file.Name, strings.Join(strings.Fields(e.quote), " "))
}

// scope is for whom a file holds.
func (f memories) scope(file File) lessons.Scope {
	dir := file.Dir
	if dir == "" && file.Slug != "" {
		dir = unslug(file.Slug)
	}
	switch {
	case dir != "" && f.Project != nil:
		return lessons.Scope{Project: f.Project(dir)}
	case dir != "":
		return lessons.Scope{Project: filepath.Base(dir)}
	case file.Slug != "":
		rest := strings.TrimPrefix(file.Slug, Slug(f.Home))
		return lessons.Scope{Project: strings.Trim(rest, "-")}
	}
	return lessons.Scope{Global: true}
}

// maxUnslugged is how many folders are looked at to find one by its slug.
const maxUnslugged = 500

// unslug finds the folder whose path has a slug; "" when it is not there any more.
func unslug(slug string) string {
	left := maxUnslugged
	var below func(dir, rest string) string
	below = func(dir, rest string) string {
		entries, err := os.ReadDir(dir)
		if left--; left < 0 || err != nil {
			return ""
		}
		for _, e := range entries {
			after, ok := strings.CutPrefix(rest, "-"+Slug(e.Name()))
			if !ok || !e.IsDir() {
				continue
			}
			if after == "" {
				return filepath.Join(dir, e.Name())
			}
			if found := below(filepath.Join(dir, e.Name()), after); found != "" {
				return found
			}
		}
		return ""
	}
	root := string(filepath.Separator)
	if drive, rest, ok := strings.Cut(slug, "--"); ok && len(drive) == 1 && filepath.VolumeName(drive+`:\`) != "" {
		return below(drive+`:\`, "-"+rest)
	}
	return below(root, slug)
}

// Lacks names nothing: nothing is written.
func (memories) Lacks(lessons.Lesson) []string { return nil }

// Plan takes the entries of rejected lessons out of the file at to.Path, where they
// still stand as they were read, and leaves the rest as it is. It refuses to write
// lessons that are approved.
func (f memories) Plan(_ context.Context, to exchange.Target, ls []lessons.Lesson) (*exchange.Plan, error) {
	if slices.ContainsFunc(ls, func(l lessons.Lesson) bool { return l.Status == lessons.Approved }) {
		return nil, fmt.Errorf("%s %w: what agents are told is only read", Memories, exchange.ErrOneWay)
	}
	p := exchange.NewPlan(to, f, ls)
	file, err := f.At(to.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return p, nil
	}
	var before []byte
	if err == nil {
		before, err = exchange.ReadFile(to.Path)
	}
	if err != nil {
		return nil, err
	}
	if !strings.HasPrefix(string(before), file.Text) {
		return nil, exchange.ErrChanged
	}
	ls = slices.DeleteFunc(slices.Clone(ls), func(l lessons.Lesson) bool { return l.Status != lessons.Rejected })
	p.File(to.Path, before, f.without(file, before, ls))
	return p, nil
}

// without gives a file without the entries of lessons.
func (f memories) without(file File, text []byte, ls []lessons.Lesson) []byte {
	gone := map[int]bool{} // lines
	for _, e := range entries(file) {
		id := string(f.id(file, e))
		if !slices.ContainsFunc(ls, func(l lessons.Lesson) bool { return has(l, id, e.quote) }) {
			continue
		}
		for _, b := range e.blocks {
			for n := b.First; n <= b.Last; n++ {
				gone[n] = true
			}
		}
	}
	out := make([]byte, 0, len(text))
	n, wide := 0, true // wide: the last line that was kept is blank, or there is none
	left := false      // the last line was left out
	for line := range strings.Lines(string(text)) {
		blank := strings.TrimSpace(line) == ""
		if n++; gone[n] {
			left = true
			continue
		}
		if blank && left && wide {
			left = false
			continue // the blank line behind a paragraph goes with it
		}
		out, wide, left = append(out, line...), blank, false
	}
	return out
}

// has reports that a lesson was made of an entry, or that the entry says it again.
func has(l lessons.Lesson, id, quote string) bool {
	return string(l.ID) == id || slices.ContainsFunc(l.Evidence, func(e lessons.Evidence) bool {
		return e.Stands() && (e.UUID == id || e.Quote == quote)
	})
}
