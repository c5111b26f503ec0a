package port

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"learnings/cmd/internal/term"
	"learnings/index/curate"
	"learnings/lessons"
	"learnings/lessons/exchange"
	"learnings/lessons/exchange/formats"
	"learnings/lessons/pairs"
)

// A file is the result for one of several imported files.
type file struct {
	What    string `json:"what"` // file
	Name    string `json:"place"`
	Entries int    `json:"entries"`
	Known   int    `json:"known"`
	Against int    `json:"contradicting"` // new entries that contradict a lesson
}

func (f file) says() string {
	says := []string{term.Plural(f.Entries, "entry")}
	if f.Known > 0 {
		says = append(says, fmt.Sprintf("%d known", f.Known))
	}
	if f.Against > 0 {
		says = append(says, fmt.Sprintf("%d against a lesson", f.Against))
	}
	return f.Name + ": " + strings.Join(says, ", ")
}

// files returns the results by file, sorted by name; nil if ByFile is not set.
func (t Told) files() []file {
	by := map[string]*file{}
	at := func(id lessons.ID) *file {
		name := t.Places[id]
		if i := strings.LastIndex(name, ":"); i >= 0 {
			name = name[:i]
		}
		if by[name] == nil {
			by[name] = &file{What: "file", Name: name}
		}
		by[name].Entries++
		return by[name]
	}
	if !t.ByFile {
		return nil
	}
	for _, l := range t.New {
		if f := at(l.ID); len(t.Against[l.ID]) > 0 {
			f.Against++
		}
	}
	for _, k := range t.Known {
		at(k.Lesson.ID).Known++
	}
	var out []file
	for _, f := range by {
		out = append(out, *f)
	}
	slices.SortFunc(out, func(a, b file) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// mostCompared is how many new lessons are checked for contradictions.
const mostCompared = 500

// Contradicted finds the lessons of a corpus that contradict some others, which need not
// be in it.
func Contradicted(ctx context.Context, c *curate.Library, ls []lessons.Lesson) map[lessons.ID][]pairs.Contrary {
	out := map[lessons.ID][]pairs.Contrary{}
	for _, l := range ls[:min(len(ls), mostCompared)] {
		for id, against := range c.Against(ctx, l) {
			out[id] = against
		}
	}
	return out
}

// standing returns the places of a lesson in instruction files and agents' memories.
func standing(l lessons.Lesson) []lessons.Evidence {
	return slices.DeleteFunc(slices.Clone(l.Evidence), func(e lessons.Evidence) bool { return !e.Stands() })
}

// NoteStanding names the files in which agents still read rejected lessons, and how to
// remove them there.
func NoteStanding(out *term.Console, ls []lessons.Lesson) {
	const most = 5
	var says []string
	for _, l := range ls {
		for _, e := range standing(l) {
			says = append(says, fmt.Sprintf("agents read it in %s:%d; `learnings reject %s --from-file` takes it out", lessons.Line(e.Path), e.Line, l.ID))
		}
	}
	first(says, most, func(s string) { out.Note("%s", s) }, func(n int) { out.Note("agents read %d more in files", n) })
}

// TakeOut removes lessons from instruction files and agents' memories. It first shows the
// changes and, unless sure is set, asks. An entry that has changed since it was read
// stays.
func TakeOut(ctx context.Context, out *term.Console, w formats.World, ls []lessons.Lesson, sure bool) error {
	f, err := formats.Find(formats.Memories)
	if err != nil {
		return err
	}
	var files []string
	for _, l := range ls {
		for _, e := range standing(l) {
			files = append(files, e.Path)
		}
	}
	slices.Sort(files)
	files = slices.Compact(files)
	for _, path := range files {
		p, err := f.For(w).Plan(ctx, exchange.Target{Path: path}, ls)
		if err != nil {
			return Advised(fmt.Errorf("taking it out of %s: %w", path, err))
		}
		if p.Empty() {
			out.Say("it does not stand in %s any more", lessons.Line(path))
			continue
		}
		Show(out, p)
		yes := sure
		if !yes {
			yes, err = out.Confirm(ctx, "Change "+lessons.Line(path)+" so?")
		}
		if !yes {
			out.Say("%s stays as it is", lessons.Line(path))
			if err != nil {
				return err
			}
			continue
		}
		if err := p.Apply(ctx); err != nil {
			return Advised(err)
		}
		out.Say("taken out of %s; what it was is in %s", lessons.Line(path), lessons.Line(exchange.CopyOf(path)))
	}
	if len(files) == 0 {
		out.Say("it stands in no file of instructions or of an agent's memory")
	}
	return nil
}
