package port

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"learnings/cmd/internal/term"
	"learnings/index/curate"
	"learnings/index/recall"
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
		by[name] = cmp.Or(by[name], &file{What: "file", Name: name})
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

// An Opening prints what a session of an agent reads at its start.
type Opening struct {
	formats.Opening
	Told []recall.Telling // by our hooks
}

// Terminal lists the files with their tokens, what is left out of them, and what is told
// twice or both ways.
func (o Opening) Terminal(p *term.Page) {
	all := 0
	row := func(text, name string, left []string) {
		n := recall.Tokens(text)
		all += n
		p.Line("%7d  %s", n, lessons.Line(name))
		for _, l := range left {
			p.Line("         ! %s", lessons.Line(l))
		}
	}
	for _, f := range o.Files {
		row(f.Text, f.Name, f.Left)
	}
	for _, t := range o.Told {
		if t.Text != "" {
			row(t.Text, "learnings, "+t.Event, nil)
		}
	}
	p.Line("%7d  tokens in all", all)
	for _, c := range o.Clashes {
		p.Line("")
		p.Line("%s: %s, %s", told(c), lessons.Line(c.A.Where), lessons.Line(c.B.Where))
		p.Line("  %s", lessons.Line(c.A.Text))
		p.Line("  %s", lessons.Line(c.B.Text))
	}
	if o.Left > 0 {
		p.Line("")
		p.Line("! %d more sentences were not compared", o.Left)
	}
}

func told(c formats.Clash) string {
	if c.Opposite {
		return "told both"
	}
	return "told twice"
}

// Objects returns the files, what our hooks tell, and the clashes.
func (o Opening) Objects() (out []any) {
	for _, f := range o.Files {
		out = append(out, term.Object(nil, "what", "file", "path", f.Path, "from?", f.From, "tokens", recall.Tokens(f.Text), "not_read?", strings.Join(f.Left, "; "), "text", f.Text))
	}
	for _, t := range o.Told {
		out = append(out, term.Object(nil, "what", "lessons", "event", t.Event, "tokens", recall.Tokens(t.Text), "text", t.Text))
	}
	for _, c := range o.Clashes {
		out = append(out, term.Object(nil, "what", strings.ReplaceAll(told(c), " ", "_"), "a", fmt.Sprint(c.A.Where), "b", fmt.Sprint(c.B.Where), "a_says", c.A.Text, "b_says", c.B.Text))
	}
	return out
}
