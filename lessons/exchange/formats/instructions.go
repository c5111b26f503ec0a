package formats

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"learnings/lessons"
	"learnings/lessons/exchange"
)

// A rulesFile is a form of instructions that agents read as they are: CLAUDE.md, AGENTS.md,
// rules of editors. In somebody else's file only the block between two markers is ours;
// nothing outside of it is touched.
type rulesFile struct {
	exchange.WriteOnly
	Agent string // whose file it is; "" if several read it
	Name  string // below the project's folder
	Paths string // the frontmatter key that limits a file to paths; "" for none
	Head  string // the beginning of a file of ours without limits
}

var (
	claudeMD    = rulesFile{Agent: "claude-code", Name: "CLAUDE.md"}
	agentsMD    = rulesFile{Name: "AGENTS.md"}
	geminiMD    = rulesFile{Agent: "gemini", Name: "GEMINI.md"}
	claudeRules = rulesFile{Agent: "claude-code", Name: ".claude/rules/learnings.md", Paths: "paths"}
	cursorRules = rulesFile{Agent: "cursor", Name: ".cursor/rules/learnings.mdc", Paths: "globs", Head: "---\ndescription: Approved lessons of earlier sessions\nalwaysApply: true\n---\n"}
	clineRules  = rulesFile{Agent: "cline", Name: ".clinerules/learnings.md"}
)

// Lacks lists what a line of instructions leaves out.
func (f rulesFile) Lacks(l lessons.Lesson) []string {
	var w exchange.Lacks
	w.If(l.Insight != "" || l.Example != "", "why it holds, and its example")
	w.If(len(l.Limit.Paths) > 0 && f.Paths == "", "its paths, but as words")
	return w
}

// Plan puts the lessons into the block of the file, as many as fit into [maxBlock]: pinned
// ones first, then by confidence and freshness. Lessons for some files get a file of their
// own if the form can limit one.
func (f rulesFile) Plan(_ context.Context, to exchange.Target, ls []lessons.Lesson) (*exchange.Plan, error) {
	path := to.Path
	p := exchange.NewPlan(to, f, ls)
	groups := map[string][]lessons.Lesson{"": nil}
	for _, l := range ls {
		if f.gives(l, to.Now) {
			groups[f.key(l)] = append(groups[f.key(l)], l)
		}
	}
	for _, key := range f.besides(path) {
		if groups[key] == nil {
			groups[key] = nil // its block is removed
		}
	}
	for key, group := range groups {
		if err := f.file(p, nameFor(path, key), key, sorted(group, to.Now)); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(p.Edits, func(a, b exchange.Edit) int { return strings.Compare(a.Path, b.Path) })
	return p, nil
}

// gives reports whether the agent of the file is to get a lesson.
func (f rulesFile) gives(l lessons.Lesson, now time.Time) bool {
	return l.Status == lessons.Approved && !l.Outside && !l.Limit.Over(now) &&
		(l.Limit.Agent == "" || f.Agent != "" && (l.Limit.Agent == f.Agent || strings.HasPrefix(f.Agent, l.Limit.Agent+"-")))
}

func sorted(ls []lessons.Lesson, now time.Time) []lessons.Lesson {
	// In hundredths, so that the order does not change with every second.
	worth := func(l lessons.Lesson) float64 { return math.Round(100 * l.Bound(now) * (0.3 + 0.7*l.Freshness(now))) }
	pinned := func(l lessons.Lesson) int { return map[bool]int{true: 1}[l.Pinned] }
	slices.SortStableFunc(ls, func(a, b lessons.Lesson) int {
		return cmp.Or(pinned(b)-pinned(a), cmp.Compare(worth(b), worth(a)), cmp.Compare(a.ID, b.ID))
	})
	return ls
}

// file plans one file of the form.
func (f rulesFile) file(p *exchange.Plan, path, key string, ls []lessons.Lesson) error {
	before, err := exchange.ReadFile(path)
	if err != nil {
		return err
	}
	if bytes.IndexByte(before, 0) >= 0 || !utf8.Valid(before) { // only replace what was understood
		return fmt.Errorf("%s: %w: it is no text in UTF-8", path, exchange.ErrFormat)
	}
	text, err := divide(string(before))
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	block, left := write(ls, f.Paths != "" && key != "")
	for _, l := range left {
		p.Lose(l.ID, fmt.Sprintf("all of it: the lessons before it fill %d KB", maxBlock>>10))
	}
	head := f.head(key)
	switch {
	case block == "" && before == nil:
		return nil
	case block == "" && text.block != "" && own(text, head):
		p.File(path, before, nil)
	case before == nil:
		p.File(path, nil, []byte(head+text.with(block)))
	default:
		p.File(path, before, []byte(text.with(block)))
	}
	return nil
}

// head returns the beginning of a new file.
func (f rulesFile) head(key string) string {
	switch {
	case key == "" || f.Paths == "":
		return f.Head
	case f.Paths == "globs":
		return fmt.Sprintf("---\ndescription: Approved lessons of earlier sessions\nglobs: %s\nalwaysApply: false\n---\n", strings.ReplaceAll(key, "\n", ","))
	}
	return fmt.Sprintf("---\n%s: [%s]\n---\n", f.Paths, `"`+strings.ReplaceAll(key, "\n", `", "`)+`"`)
}

// write returns the lines of a block, and the lessons that did not fit.
func write(ls []lessons.Lesson, limited bool) (block string, left []lessons.Lesson) {
	room := maxBlock - len(beginLine) - len(blockEnd) - 2
	const title = "## Lessons from earlier sessions\n\n"
	var b strings.Builder
	for _, l := range ls {
		line := lineOf(l, limited)
		if len(title)+b.Len()+len(line) > room {
			left = append(left, l)
			continue
		}
		b.WriteString(line)
	}
	if b.Len() == 0 {
		return "", left
	}
	return title + b.String(), left
}

// lineOf formats a lesson for a block; limited means that the file only holds for its
// paths.
func lineOf(l lessons.Lesson, limited bool) string {
	line := "- " + unsafe.Replace(lessons.Line(l.Content))
	if len(l.Limit.Paths) > 0 && !limited {
		line += " (for " + unsafe.Replace(lessons.Line(strings.Join(l.Limit.Paths, ", "))) + ")"
	}
	return line + "\n"
}

// Holds reports whether a block has the line of the lesson: that of the file at path, or
// that of the file beside it for the lesson's paths.
func (f rulesFile) Holds(path string, l lessons.Lesson) bool {
	key := f.key(l)
	data, err := exchange.ReadFile(nameFor(path, key))
	if err != nil {
		return false
	}
	text, err := divide(string(data))
	block := strings.ReplaceAll(text.block, "\r\n", "\n")
	return err == nil && strings.Contains(block, "\n"+lineOf(l, key != ""))
}

// key identifies the file for a lesson: the paths it holds for, if the form can limit a
// file to paths.
func (f rulesFile) key(l lessons.Lesson) string {
	if f.Paths == "" {
		return ""
	}
	return strings.Join(l.Limit.Paths, "\n")
}

// besides returns the paths of the files beside the main one that hold a block for some
// paths.
func (f rulesFile) besides(path string) (keys []string) {
	if f.Paths == "" {
		return nil
	}
	ext := filepath.Ext(path)
	names, _ := filepath.Glob(strings.TrimSuffix(path, ext) + "-*" + ext)
	for _, name := range names {
		data, err := exchange.ReadFile(name)
		if key := strings.Join(paths(string(data)), "\n"); err == nil && key != "" && strings.Contains(string(data), blockBegin) && nameFor(path, key) == name {
			keys = append(keys, key)
		}
	}
	return keys
}

// nameFor returns the file for some paths, named by their letters.
func nameFor(path, key string) string {
	if key == "" {
		return path
	}
	ext := filepath.Ext(path)
	return strings.TrimSuffix(path, ext) + "-" + exchange.Slug(key) + ext
}
