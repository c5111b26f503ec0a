package formats

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"learnings/lessons"
	"learnings/lessons/pairs"
)

// A Stated is a sentence that a session reads, and where it stands: in a file, or in a
// lesson that it is given.
type Stated struct {
	Text   string
	Path   string // "" for a lesson
	Line   int
	Where  string // for display: "CLAUDE.md:12", or a handle
	Lesson lessons.ID
}

// An Opening is what a session reads at its start, besides the lessons that it is given.
type Opening struct {
	Files   []Start
	Clashes []Clash // contradictions first
	Left    int     // sentences that were not compared
}

// Opening returns what an agent reads when a session starts in a folder and is given some
// lessons; see [Finder.Start].
func (f Finder) Opening(ctx context.Context, agent, dir string, given []lessons.Lesson) Opening {
	o := Opening{Files: f.Start(agent, dir)}
	o.Clashes, o.Left = clashes(ctx, o.Files, given)
	return o
}

// A Clash is two sentences of one session: it is told the same twice, or the opposite.
type Clash struct {
	Opposite bool
	A, B     Stated
}

// mostClashes is how many are returned.
const mostClashes = 50

// clashes finds what a session is told twice, and what contradicts, among the files that
// it reads and the lessons that it is given, contradictions first. It compares sentences
// that demand something, at most 2,000; left counts the others.
func clashes(ctx context.Context, starts []Start, given []lessons.Lesson) (out []Clash, left int) {
	var all []Stated
	for _, f := range starts {
		for _, s := range statements(strings.ReplaceAll(f.Text, "<!-- learnings:", "<!-- "), f.Name) {
			if demands().MatchString(s.text) || pairs.Asks(s.text) {
				line := f.line(s.text)
				all = append(all, Stated{Text: s.text, Path: f.Path, Line: line, Where: fmt.Sprintf("%s:%d", f.Name, line)})
			}
		}
	}
	for _, l := range given {
		all = append(all, Stated{Text: lessons.Line(l.Content), Where: strings.Trim(l.ID.Handle(), "[]"), Lesson: l.ID})
	}
	left = max(len(all)-maxStatements, 0)
	all = all[left:]
	var ls []lessons.Lesson
	var outlines []lessons.Outline
	for i, s := range all {
		l := lessons.Lesson{ID: lessons.ID(strconv.Itoa(i)), Status: lessons.Approved, Scope: lessons.Scope{Global: true}, Wording: lessons.Wording{Content: s.Text}}
		ls, outlines = append(ls, l), append(outlines, l.Outline())
	}
	add := func(a, b int, opposite bool) {
		if len(out) < mostClashes && (all[a].Path != "" || all[b].Path != "") {
			out = append(out, Clash{Opposite: opposite, A: all[a], B: all[b]})
		}
	}
	opposed := map[[2]int]bool{}
	for _, o := range pairs.Oppositions(ctx, outlines) {
		opposed[[2]int{o.First, o.Second}] = true
		add(o.First, o.Second, true)
	}
	earlier := pairs.NewCorpus(pairs.ByParaphrase, pairs.Synonyms{}, func(func(lessons.Lesson) bool) {})
	for i, l := range ls {
		says := pairs.NewSaying(l.Content)
		for id := range earlier.Find(l) {
			j, _ := strconv.Atoi(string(id))
			if was := pairs.NewSaying(ls[j].Content); !opposed[[2]int{j, i}] && (was.Covers(says) || says.Covers(was)) {
				add(j, i, false)
				break
			}
		}
		earlier.Add(l)
	}
	return out, left
}

// line returns the line of the file on which a sentence begins; 1 if it is included from
// another file.
func (f Start) line(sentence string) int {
	begin := sentence[:min(len(sentence), 24)]
	if at := strings.Index(f.raw, begin); at >= 0 {
		return strings.Count(f.raw[:at], "\n") + 1
	}
	return 1
}
