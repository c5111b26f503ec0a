package render

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"learnings/cmd/internal/term"
	"learnings/index/curate"
	"learnings/lessons"
	"learnings/lessons/pairs"
)

// A Group is a set of lessons that say the same, and the proposed merge.
type Group struct {
	curate.Group
	Proposed string
	projects []string // more than one for a proposal to make it global
}

// DuplicateRules are the rules for finding duplicates; UsualRule is the default.
var DuplicateRules = []string{string(pairs.Equal), UsualRule, string(pairs.ByParaphrase), string(curate.Related)}

// UsualRule is the default rule.
const UsualRule = string(pairs.ByJaccard)

// Duplicates finds groups of a project's lessons that say the same by a rule, most alike
// first, and proposes a merge for each.
func Duplicates(ctx context.Context, c *curate.Corpus, project, rule string) (out Repeated, err error) {
	if !slices.Contains(DuplicateRules, rule) {
		return out, term.Hint(term.Usagef("there is no rule %q", rule), "equal, jaccard, paraphrase or related")
	}
	out.Rule = pairs.Rule(rule)
	if out.Compared, err = c.Comparable(ctx, project); err != nil {
		return out, err
	}
	groups, err := c.Duplicates(ctx, out.Compared, out.Rule)
	if err != nil {
		return out, err
	}
	found := slices.SortedStableFunc(groups, func(a, b curate.Group) int {
		return cmp.Or(cmp.Compare(b.Share(), a.Share()), cmp.Compare(len(b.Lessons), len(a.Lessons)))
	})
	for _, g := range found {
		x := Group{Group: g.Surviving()}
		if x.Rule != curate.Related { // otherwise a person writes the merged text
			x.Proposed, x.projects = curate.MergeOf(x.Lessons).Into.Content, x.Several()
		}
		out.Groups = append(out.Groups, x)
	}
	out.Total = len(out.Groups)
	return out, nil
}

func (c Group) kind() string {
	switch {
	case c.Rule == curate.Related:
		return string(curate.Related)
	case len(c.projects) > 1:
		return "global"
	}
	return "duplicate"
}

// IDs returns the ids of the lessons, first the one to keep.
func (c Group) IDs() []string {
	out := make([]string, 0, len(c.Lessons))
	for _, l := range c.Lessons {
		out = append(out, string(l.ID))
	}
	return out
}

// Limits on what a group shows.
const (
	mostTyped   = 20 // ids on a command line
	mostMembers = 8  // lessons on a terminal
)

// command returns the command that merges the group.
func (c Group) command() string {
	ids := c.IDs()
	if c.Rule == curate.Related {
		return "" // they may differ: a person must choose
	}
	words := "learnings merge " + strings.Join(ids, " ")
	if len(ids) > mostTyped {
		words = "learnings merge -   (its ids, from --json)"
	}
	if c.Proposed != c.Lessons[0].Content {
		words += " --content " + term.ShellQuote(lessons.Line(c.Proposed))
	}
	return words
}

func (c Group) show(p *term.Page) {
	head := fmt.Sprintf("%s  %s  %s", c.kind(), term.Plural(len(c.Lessons), "lesson"), c.Alike())
	if c.kind() == "global" {
		head += "  learned in " + strings.Join(c.projects, ", ")
	}
	if c.Rule != curate.Related && !c.SameLiterals() {
		head += "  ! numbers, paths, flags or names differ"
	}
	p.Strong("%s", head)
	// Backticks only make texts harder to compare.
	unquoted := func(s string) string { return lessons.Line(strings.ReplaceAll(s, "`", "")) }
	for i, l := range c.Lessons[:min(len(c.Lessons), mostMembers)] {
		text := lessons.Line(l.Content)
		if i > 0 && c.Rule != curate.Related {
			text = pairs.Marked(unquoted(c.Lessons[0].Content), unquoted(l.Content))
		}
		p.Text("  ", fmt.Sprintf("%s %-8s %s", l.ID, l.Status, text))
	}
	if more := len(c.Lessons) - mostMembers; more > 0 {
		p.Line("  … and %d more", more)
	}
	if c.Rule == curate.Related {
		p.Text("  ", "Does one rule say it all? learnings merge "+strings.Join(c.IDs(), " ")+" --content '…'")
	}
	p.Text("  ", c.command())
	fmt.Fprintln(p.W)
}

// Repeated are the groups of duplicates in a corpus.
type Repeated struct {
	Rule     pairs.Rule
	Groups   []Group
	Total    int
	Compared []lessons.Outline
}

// Answer lists the groups.
func (r Repeated) Answer() term.Answer {
	cells := func(c Group) []string {
		return []string{c.kind(), string(c.Rule), c.Alike(), strings.Join(c.IDs(), ","), c.Proposed}
	}
	return term.List[Group]{Items: r.Groups, Page: r.show, Cells: cells, Object: Group.object}
}

func (r Repeated) show(p *term.Page) {
	p.Heading(2, "Duplicates by the rule %q", string(r.Rule))
	for _, c := range r.Groups {
		c.show(p)
	}
	p.More(r.Total - len(r.Groups))
	p.Line("**Total:** %s", term.Plural(r.Total, "group"))
	sure := 0
	for _, group := range pairs.Merges(lessons.FromOutlines(r.Compared)) {
		sure += len(group) - 1
	}
	if sure > 0 {
		p.Line("%s can be merged without comparing: learnings check duplicates --merge-equal", term.Plural(sure, "lesson"))
	}
	if r.Rule == pairs.ByJaccard {
		p.Line("of one subject: learnings check duplicates --rule related")
	}
	if r.Rule != pairs.ByParaphrase {
		p.Line("in other words: learnings check duplicates --rule paraphrase")
	}
}

func (c Group) object() any {
	// The kind is duplicate, or global for lessons of several projects. The first id is
	// the one that a merge keeps.
	return term.Object(nil, "kind", c.kind(), "rule", c.Rule, "similarity", c.Share(), "alike", c.Alike(), "ids", c.IDs(), "proposed", c.Proposed,
		"projects", curate.Projects(c.Lessons), "same_literals", c.SameLiterals(), "mergeable", c.Mergeable(), "command", c.command())
}

// A OneText is a model's wording for several lessons, shown for approval.
type OneText struct {
	By      string
	Lesson  lessons.Lesson // the one to keep
	All     []string       // all ids
	Changes []Rewrite
}

// A Rewrite is the change of one field of one lesson.
type Rewrite struct {
	ID     lessons.ID `json:"id"`
	Field  string     `json:"field"`
	Before string     `json:"before"`
	After  string     `json:"after"`
}

// OneTextOf returns the result of merging ls into one lesson with other words. Fields
// that the words leave empty stay unchanged.
func OneTextOf(by string, into lessons.Lesson, words lessons.Wording, ls []lessons.Lesson) OneText {
	before := into
	into.Content = words.Content
	into.Insight = cmp.Or(words.Insight, into.Insight)
	into.Example = cmp.Or(words.Example, into.Example)
	t := OneText{By: by, Lesson: into, Changes: []Rewrite{}}
	change := func(id lessons.ID, field, before, after string) {
		if before != after {
			t.Changes = append(t.Changes, Rewrite{id, field, before, after})
		}
	}
	for _, l := range ls {
		t.All = append(t.All, string(l.ID))
		change(l.ID, "content", l.Content, into.Content)
	}
	change(into.ID, "insight", before.Insight, into.Insight)
	change(into.ID, "example", before.Example, into.Example)
	return t
}

func (t OneText) Terminal(p *term.Page) {
	p.Heading(2, "One text by %s", t.By)
	p.Text("", lessons.Line(t.Lesson.Content))
	for _, c := range t.Changes {
		p.Text("  ", fmt.Sprintf("%s %s: %s", c.ID, c.Field, pairs.Marked(c.Before, c.After)))
	}
}

func (t OneText) Objects() []any {
	return []any{term.Object(nil, "ids", t.All, "into", t.Lesson.ID, "proposed", t.Lesson.Content, "insight?", t.Lesson.Insight,
		"example?", t.Lesson.Example, "by", t.By, "changes", t.Changes)}
}
