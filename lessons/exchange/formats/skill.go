package formats

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"learnings/lessons"
	"learnings/lessons/exchange"
)

// skills writes each lesson that is a procedure as a skill: a folder with a SKILL.md that
// an agent opens when its description fits the task.
type skills struct{ exchange.WriteOnly }

// procedure reports whether a lesson is worth a skill: it has several steps, or says why
// and shows how.
func procedure(l lessons.Lesson) bool {
	steps := 0
	for line := range strings.Lines(l.Insight) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "- ") || strings.HasPrefix(line, "* ") || len(line) > 2 && line[0] >= '1' && line[0] <= '9' && (line[1] == '.' || line[1] == ')') {
			steps++
		}
	}
	return steps >= 2 || l.Example != "" && (steps > 0 || strings.Count(strings.TrimSpace(l.Example), "\n") > 0)
}

// Lacks reports a lesson that is no skill.
func (skills) Lacks(l lessons.Lesson) []string {
	var w exchange.Lacks
	w.If(!procedure(l), "all of it: it is no procedure of several steps")
	return w
}

// Plan writes a folder for each approved procedure below the path, and removes those of
// lessons that no longer are one, unless somebody changed them.
func (s skills) Plan(_ context.Context, to exchange.Target, ls []lessons.Lesson) (*exchange.Plan, error) {
	p := exchange.NewPlan(to, s, nil)
	wanted := map[lessons.ID]bool{}
	for _, l := range ls {
		if l.Status != lessons.Approved || l.Outside || l.Limit.Over(to.Now) || !procedure(l) {
			continue
		}
		wanted[l.ID] = true
		if err := s.skill(p, to, l); err != nil {
			return nil, err
		}
	}
	for _, id := range to.Ledger.IDs() {
		if wanted[id] {
			continue
		}
		w, _ := to.Ledger.Of(id)
		path := filepath.Join(to.Path, w.Key, "SKILL.md")
		before, err := exchange.ReadFile(path)
		switch {
		case err != nil:
			return nil, err
		case before == nil:
		case string(before) != w.Text:
			p.Lose(id, "that it is no more: somebody changed "+path)
			continue
		default:
			p.File(path, before, nil)
		}
		p.Note(id, nil)
	}
	return p, nil
}

func (s skills) skill(p *exchange.Plan, to exchange.Target, l lessons.Lesson) error {
	w, known := to.Ledger.Of(l.ID)
	if !known {
		w.Key = "learned-" + exchange.Slug(l.Content)
		if _, err := os.Lstat(filepath.Join(to.Path, w.Key)); err == nil {
			w.Key += "-" + string(l.ID)
		}
	}
	path := filepath.Join(to.Path, w.Key, "SKILL.md")
	before, err := exchange.ReadFile(path)
	if err != nil {
		return fmt.Errorf("%w: %w", exchange.ErrFormat, err)
	}
	if known && before != nil && string(before) != w.Text {
		p.Lose(l.ID, "what is new: somebody changed "+path)
		return nil
	}
	text := page(w.Key, l)
	p.File(path, before, []byte(text))
	p.Wrote(l, w.Key, text)
	return nil
}

// mostDescription is the most characters that agents read of a skill's description.
const mostDescription = 1024

// page returns the text of a SKILL.md.
func page(name string, l lessons.Lesson) string {
	about := l.Title(mostDescription / 2)
	if len(l.Triggers) > 0 {
		about += " Use when this shows: " + lessons.Line(strings.Join(l.Triggers, ", ")) + "."
	}
	var b strings.Builder
	fmt.Fprintf(&b, "---\nname: %s\ndescription: %q\n---\n\n# %s\n", name, lessons.Wording{Content: about}.Title(mostDescription), lessons.Line(l.Content))
	if l.Insight != "" {
		b.WriteString("\n" + strings.TrimSpace(l.Insight) + "\n")
	}
	if l.Example != "" {
		b.WriteString("\n" + fenced(strings.TrimSpace(l.Example)) + "\n")
	}
	return b.String()
}
