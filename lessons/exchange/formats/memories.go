package formats

import (
	"cmp"
	"context"
	"encoding/json"
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

// Memories is the name of the format of files that tell agents something.
const Memories = "memories"

// memories are files beside a project or in the person's home that tell agents something:
// what agents wrote for themselves (Claude Code's auto memory, Codex's and Gemini's
// memories), and instructions that people write for them (CLAUDE.md, AGENTS.md, rules of
// editors). A path is one of them, or a folder, which stands for the files of its project
// and of all projects. An entry can also be removed.
//
// Anybody can have written a repository, and agents are told what it says. So only files
// with the names of instructions are opened, inside the repository of a folder or the
// agents' own folders, and no link leads out of either. The number of files, and what is
// read of each, is limited.
type memories struct {
	Finder
	Project func(dir string) string // returns the project of a folder; nil for the folder's name
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

// Read returns what path tells agents: one file, or, for a folder, the files for its
// project and for all projects, and the memories of all agents.
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

// take adds the entries of a file.
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

// modified returns the modification time of a file; zero if unknown.
func modified(path string) time.Time {
	info, err := os.Stat(path)
	if err != nil {
		return time.Time{}
	}
	return info.ModTime().UTC().Truncate(time.Second)
}

// id returns the id of the lesson for an entry of a file. It stays the same while the words
// do, even if the entry moves.
func (f memories) id(file File, e entry) lessons.ID {
	return exchange.ID(Memories, f.scope(file).Project+"/"+file.Name, strings.Join(strings.Fields(e.quote), " "))
}

// scope returns where a file holds.
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

// maxUnslugged is how many folders are searched for a slug.
const maxUnslugged = 500

// unslug finds the folder whose path has a slug; "" if it is gone.
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

// Lacks returns nothing, because nothing is written.
func (memories) Lacks(lessons.Lesson) []string { return nil }

// Plan removes the entries of rejected lessons from the file at to.Path, if they are still
// as they were read. It refuses to write approved lessons.
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

// without returns a file without the entries of lessons.
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
	n, wide := 0, true // wide: the last line kept is blank, or there is none
	left := false      // the last line was removed
	for line := range strings.Lines(string(text)) {
		blank := strings.TrimSpace(line) == ""
		if n++; gone[n] {
			left = true
			continue
		}
		if blank && left && wide {
			left = false
			continue // the blank line after a paragraph is removed with it
		}
		out, wide, left = append(out, line...), blank, false
	}
	return out
}

// has reports whether a lesson was made of an entry, or the entry repeats it.
func has(l lessons.Lesson, id, quote string) bool {
	return string(l.ID) == id || slices.ContainsFunc(l.Evidence, func(e lessons.Evidence) bool {
		return e.Stands() && (e.UUID == id || e.Quote == quote)
	})
}

// Claude Code and Qwen Code read so much of the index of a memory.
const (
	memoryIndex = "MEMORY.md"
	memoryLines = 200
	memoryBytes = 25_000
)

// memories adds what the agent keeps in its own folder about the project, and about all.
func (s *starting) memories(agent, own string) {
	project := filepath.Join(own, "projects", Slug(s.top), notes, memoryIndex)
	switch {
	case agent == "codex":
		s.summary(filepath.Join(own, "memories", "memory_summary.md"), filepath.Join(own, "config.toml"))
	case s.top == "":
	case agent == "claude":
		s.memory(project)
	case agent == "qwen":
		s.memory(filepath.Join(own, "memories", memoryIndex))
		s.memory(project)
	case agent == "gemini":
		var known struct{ Projects map[string]string }
		raw, _ := regular(filepath.Join(own, "projects.json"))
		_ = json.Unmarshal([]byte(raw), &known)
		if name := known.Projects[s.dir]; name != "" {
			s.take(filepath.Join(own, "tmp", name, notes, memoryIndex), "", s.hops, true)
		}
	}
}

// summary adds the summary of Codex's memories, if its settings let it read them. Codex
// leaves out the middle of a long one.
func (s *starting) summary(name, settings string) {
	raw, err := regular(name)
	text := strings.TrimSpace(raw)
	if err != nil && err != errLong || text == "" {
		return
	}
	f := Start{Path: name, Name: s.shown(s.top, name), Raw: raw}
	config, _ := regular(settings)
	if n := len(text) - summaryBytes; !remembers().MatchString(config) {
		f.Left, text = []string{"not read: memories is not true in config.toml"}, ""
	} else if n > 0 {
		f.Left = []string{fmt.Sprintf("%d bytes in its middle are not read: the limit is %d KB", n, summaryBytes/1000)}
		begin, end := text[:summaryBytes/2], text[len(text)-summaryBytes/2:]
		text = strings.ToValidUTF8(begin, "") + fmt.Sprintf("…%d tokens truncated…", (n+3)/4) + strings.ToValidUTF8(end, "")
	}
	f.Text = text
	s.out = append(s.out, f)
}

// summaryBytes is how much Codex reads of the summary of its memories.
const summaryBytes = 10_000

// remembers matches the setting that lets Codex read its memories.
var remembers = lessons.LazyRegexp(`(?m)^\s*(?:features\.)?memories\s*=\s*true\b`)

// memory adds the index of a memory.
func (s *starting) memory(name string) {
	raw, err := regular(name)
	text := strings.TrimSpace(raw)
	if err != nil && err != errLong || text == "" {
		return
	}
	f := Start{Path: name, Name: s.shown(s.top, name), Raw: raw}
	lines := strings.SplitAfter(text, "\n")
	kept := strings.Join(lines[:min(len(lines), memoryLines)], "")
	if len(kept) > memoryBytes {
		kept = kept[:strings.LastIndexByte(kept[:memoryBytes], '\n')+1]
	}
	if n := strings.Count(text[len(kept):], "\n"); len(kept) < len(text) {
		f.Left = append(f.Left, fmt.Sprintf("its last %d lines are not read: the limit is %d lines and %d KB", n+1, memoryLines, memoryBytes/1000))
	}
	f.Text = strings.TrimRight(kept, "\n")
	s.out = append(s.out, f)
}
