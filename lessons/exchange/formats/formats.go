// Package formats lists all formats, and implements those that belong to no other program:
// copies of a corpus, JSON and Markdown, the files that agents read as they are, and the
// lessons that a team shares in its repository.
package formats

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"learnings/lessons"
	"learnings/lessons/exchange"
	"learnings/lessons/exchange/amplihack"
	"learnings/lessons/exchange/gimli"
	"learnings/lessons/exchange/mcp"
	"learnings/lessons/exchange/observations"
	"learnings/lessons/exchange/octomind"
)

// A World is where stores are looked for.
type World struct {
	Home    string // the person's home folder; "" for none
	Dir     string // the folder of the project at hand; "" for none
	Getenv  func(string) string
	Project func(dir string) string // returns the project of a folder
	Memory  mcp.Server              // named by the person; zero for none

	Share    []lessons.ID // written for a team even if they hold everywhere or others wrote the file
	Evidence bool         // show the team what was said
}

// Absolute resolves a typed path against the world's folder; "" stays "".
func (w World) Absolute(path string) string {
	if path == "" || filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(w.Dir, path)
}

// A Named is a format with the name that people type.
type Named struct {
	Name  string
	About string // a few words for help
	exchange.Format

	// Places returns where the program keeps its store for this person and project, best
	// first, existing or not. It is nil for forms that belong to no program.
	Places func(World) []string

	// In returns the format for a person and project; nil if it is the same for all.
	In func(World) exchange.Format

	// File is the name of the store in a folder; "" if the store is a folder.
	File string

	// Whole means that a write replaces the whole text instead of adding to it.
	Whole bool

	// Apart is the name of the file to write if the store itself is only read; "" if it is
	// written.
	Apart string

	// Copy means that a write copies the whole corpus, with its history.
	Copy bool

	// Server returns the format for the server that holds its store, limited to the answers
	// to a question; nil for a format of files.
	Server func(w World, question string) exchange.Format
}

// Reminders is the name of the format that `feedback --from` reads.
const Reminders = gimli.RemindersName

// Team is the name of the format of lessons that a team shares.
const Team = "team"

// All returns the formats, in the order in which they are listed and detected.
func All() []Named {
	return []Named{
		{
			Name: Memories, About: "what agents remember, and the instructions that they read", Format: memories{},
			Places: func(w World) []string { return []string{w.Dir} },
			In: func(w World) exchange.Format {
				return memories{Finder: Finder{Home: w.Home, Getenv: w.Getenv}, Project: w.Project}
			},
		},
		{
			Name: Team, About: "what a team shares in a repository, in .learnings", Format: team{}, File: teamFolder,
			Places: func(w World) []string { return []string{teamPlace(w.Dir, w.Home)} },
			In: func(w World) exchange.Format {
				return team{Project: w.Project, Share: w.Share, Evidence: w.Evidence}
			},
		},
		{
			Name: octomind.Name, About: "Octomind's folder of lessons, where it is not the corpus itself", Format: octomind.Format{},
			Places: func(w World) []string { return []string{octomind.Home(w.Home, w.Getenv)} },
		},
		{
			Name: gimli.Name, About: "the LEARNINGS.md and learnings.json of Gimli's agents", Format: gimli.Format{},
			Places: func(w World) []string { return gimli.Places(w.Home, w.Dir, w.Getenv) },
		},
		{Name: amplihack.Name, About: "the YAML files of its session-learning skill", Format: amplihack.Format{}, Places: amplihackPlaces},
		{
			Name: observations.Name, About: "claude-mem: its database is read; a .json file for its import is read and written", Format: observations.ClaudeMem{}, Apart: "claude-mem.json",
			Places: func(w World) []string { return observations.Places(w.Home, w.Getenv) },
		},
		{
			Name: observations.CompanionName, About: "the memory.db of claude-mem's companion; changes are added to it", Format: observations.Companion{}, File: observations.CompanionFile,
			Places: func(w World) []string { return []string{filepath.Join(w.Dir, observations.CompanionFile)} },
		},
		{Name: Reminders, About: "what came of Gimli's reminders; it is only read", Format: gimli.Reminders{}},
		rules("claude-md", "a block in CLAUDE.md, which Claude Code reads", claudeMD),
		rules("agents-md", "a block in AGENTS.md, which Codex, Copilot, OpenCode and others read", agentsMD),
		rules("gemini-md", "a block in GEMINI.md, which Gemini reads", geminiMD),
		rules("claude-rules", "a file in .claude/rules, one more for each set of paths", claudeRules),
		rules("cursor-rules", "a file in .cursor/rules, one more for each set of paths", cursorRules),
		rules("cline-rules", "a file in .clinerules", clineRules),
		{Name: "skills", About: "a SKILL.md for each lesson that is a procedure", Format: skills{}, Whole: true, Places: func(w World) []string { return []string{filepath.Join(w.Dir, ".claude", "skills")} }},
		{Name: "learnings", About: "a copy of the corpus with its history, or another corpus", Format: corpus{}, Copy: true},
		{
			Name: mcp.Name, About: "the memory server of learning.mcp, such as octobrain", Format: mcp.Format{},
			Places: func(w World) []string { return []string{w.Memory.Name()} },
			Server: func(w World, question string) exchange.Format {
				return mcp.Format{Server: w.Memory, Question: question}
			},
		},
		{Name: "json", About: "an array of lessons, as show --json has them", Format: records{}, Whole: true},
		{Name: "jsonl", About: "one such lesson a line", Format: records{lines: true}, Whole: true},
		{Name: "markdown", About: "a text for people; it is not read again", Format: markdown{}, Whole: true},
	}
}

// amplihackPlaces returns the folders of the person and of the project.
func amplihackPlaces(w World) (out []string) {
	for _, above := range []string{filepath.Join(w.Home, ".amplihack"), w.Dir} {
		if filepath.IsAbs(above) {
			out = append(out, filepath.Join(above, ".claude", "data", "learnings"))
		}
	}
	return out
}

// rules returns the format of an instruction file of the project at hand. Cline reads a
// file .clinerules in place of the folder, too.
func rules(name, about string, f rulesFile) Named {
	return Named{Name: name, About: about, Format: f, File: f.Name, Whole: true, Places: func(w World) []string {
		path := filepath.Join(w.Dir, filepath.FromSlash(f.Name))
		if info, err := os.Stat(filepath.Dir(path)); f.Agent == "cline" && err == nil && info.Mode().IsRegular() {
			path = filepath.Dir(path)
		}
		return []string{path}
	}}
}

// gone maps formats of earlier versions to what to type now.
var gone = map[string]string{
	"csv":               "`learnings export --to json` is for scripts and spreadsheets, `--to markdown` for people",
	"amplihack-command": "`learnings setup` writes the command /learnings",
}

// For returns the format for a world.
func (f Named) For(w World) Named {
	if f.In != nil {
		f.Format = f.In(w)
	}
	return f
}

// Find returns the format with a name. The error has the one that was probably meant, or
// all names.
func Find(name string) (Named, error) {
	all := All()
	if i := slices.IndexFunc(all, func(f Named) bool { return f.Name == name }); i >= 0 {
		return all[i], nil
	}
	if now, ok := gone[name]; ok {
		return Named{}, fmt.Errorf("there is no format %q any more: %s", name, now)
	}
	if near, ok := lessons.Nearest(name, Names()); ok {
		return Named{}, fmt.Errorf("there is no format %q; did you mean %s?", name, near)
	}
	return Named{}, fmt.Errorf("there is no format %q: %s", name, strings.Join(Names(), ", "))
}

// Names returns the names of all formats.
func Names() []string {
	var out []string
	for _, f := range All() {
		out = append(out, f.Name)
	}
	return out
}

// Detect returns the formats that a path may be in, most likely first.
func Detect(path string) []Named {
	return slices.DeleteFunc(All(), func(f Named) bool { return !f.Detect(path) })
}

// Listed returns the formats for a help text, one per line.
func Listed() string {
	var b strings.Builder
	for _, f := range All() {
		fmt.Fprintf(&b, "\n  %-17s %s", f.Name, f.About)
	}
	return b.String()
}
