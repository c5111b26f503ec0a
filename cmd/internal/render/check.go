package render

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"learnings/cmd/internal/term"
	"learnings/extractor/past"
	"learnings/index/curate"
	"learnings/lessons"
	"learnings/lessons/pairs"
)

// Contradictions lists contradictions, each with the command that settles it.
func Contradictions(ps []pairs.Pair) term.Answer {
	return term.List[pairs.Pair]{Items: ps,
		Page: func(p *term.Page) {
			if len(ps) == 0 {
				p.Line("nothing: no two lessons are found to contradict each other")
				return
			}
			for i, c := range ps {
				p.Strong("%d. %s", i+1, c.Judgement.Ground)
				p.Text("   ", c.Judgement.Why)
				side(p, "keep", c.Keep)
				side(p, "lose", c.Lose)
				s, why := curate.Propose(c.Keep, c.Lose)
				p.Line("   %s    (%s)", Resolving(s), why)
				fmt.Fprintln(p.W)
			}
			p.Line("**Total:** %s. To keep both: learnings resolve A B --both \"when each holds\"", term.Plural(len(ps), "contradiction"))
		},
		Cells: func(c pairs.Pair) []string {
			s, _ := curate.Propose(c.Keep, c.Lose)
			return []string{string(c.Keep.ID), string(c.Lose.ID), string(c.Judgement.Ground), c.Judgement.Why, c.Order, Resolving(s), c.Keep.Content, c.Lose.Content}
		},
		Object: func(c pairs.Pair) any {
			s, _ := curate.Propose(c.Keep, c.Lose)
			return term.Object(nil, "keep", c.Keep.Record(), "lose", c.Lose.Record(), "ground", c.Judgement.Ground, "why", c.Judgement.Why,
				"keep_says", c.Judgement.A.Text, "lose_says", c.Judgement.B.Text, "order", c.Order, "type", Resolving(s))
		}}
}

func side(p *term.Page, word string, l lessons.Lesson) {
	p.Line("   %s  %s  %s · %s", word, l.ID, l.Status, scope(l.Scope))
	p.Text("         ", l.Content)
}

// Doubts lists lessons to look at again, each with the likeliest command.
func Doubts(ds []lessons.Doubted) term.Answer {
	return term.List[lessons.Doubted]{Items: ds,
		Page: func(p *term.Page) {
			if len(ds) == 0 {
				p.Line("nothing: every active lesson is confirmed and none is doubtful")
				return
			}
			for _, d := range ds {
				p.Strong("%s  %s  %s", d.ID, d.Why[0].Concern, d.Title(max(p.Width-28, 30)))
				p.Text("    ", doubts(d))
				p.Line("    %s", remedy(d))
			}
			p.Line("**Total:** %s to look at again", term.Plural(len(ds), "lesson"))
			p.Line("approve: it holds, without what is gone too · edit: it holds otherwise, or for less, or no more · guard: it is to be kept to")
		},
		Cells: func(d lessons.Doubted) []string {
			return []string{string(d.ID), string(d.Why[0].Concern), doubts(d), remedy(d), d.Content}
		},
		Object: func(d lessons.Doubted) any {
			return term.Object(d.Record(), "bound", d.Bound, "doubts", d.Why, "type", remedy(d))
		}}
}

// doubts returns the reasons against a lesson.
func doubts(d lessons.Doubted) string {
	return strings.Join(term.Map(d.Why, func(w lessons.Doubt) string { return w.Says }), "; ")
}

func remedy(d lessons.Doubted) string {
	id := string(d.ID)
	switch r := d.Remedy(); {
	case r == lessons.Narrow && d.Scope.Global && d.Scope.Project != "":
		return "learnings edit " + id + " --global=false"
	case r == lessons.Narrow:
		return "learnings edit " + id + " --path 'GLOB'"
	case r == lessons.Reword:
		return "learnings edit " + id + " --content 'TEXT'"
	case r == lessons.Archive:
		return "learnings edit " + id + " --status archived"
	case r == lessons.Confirm:
		return "learnings approve " + id
	default:
		return "learnings " + string(r) + " " + id
	}
}

// Linted is the result of linting many lessons.
type Linted struct {
	Found []Findings // lessons with findings
	Of    int        // lessons linted
}

// Findings are the findings on one lesson.
type Findings struct {
	lesson lessons.Lesson
	all    []lessons.Finding
}

// Note adds findings on a lesson. It keeps only the parts of the lesson that are shown.
func (ls *Linted) Note(l lessons.Lesson, fs []lessons.Finding) {
	if ls.Of++; len(fs) > 0 {
		l = lessons.Lesson{ID: l.ID, Status: l.Status, Scope: l.Scope, Created: l.Created, Wording: lessons.Wording{Content: l.Content}}
		ls.Found = append(ls.Found, Findings{l, fs})
	}
}

// Sort sorts by age, newest first.
func (ls *Linted) Sort() {
	slices.SortFunc(ls.Found, func(a, b Findings) int {
		return cmp.Or(cmp.Compare(b.lesson.Created.Unix(), a.lesson.Created.Unix()), cmp.Compare(a.lesson.ID, b.lesson.ID))
	})
}

// String says how many lessons could be better.
func (ls Linted) String() string {
	return fmt.Sprintf("%d of %s could be better", len(ls.Found), term.Plural(ls.Of, "lesson"))
}

// Answer lists the findings, for a script one on each line.
func (ls Linted) Answer() term.Answer {
	return term.List[Findings]{Items: ls.Found,
		Page: func(p *term.Page) {
			for _, f := range ls.Found {
				p.Strong("%s  %s  %s", f.lesson.ID, f.lesson.Status, f.lesson.Title(max(p.Width-22, 30)))
				for _, g := range f.all {
					p.Text("    ", fmt.Sprintf("%s: %s", g.Code, advice(g)))
				}
				p.Line("    learnings edit %s", f.lesson.ID)
			}
			p.Line("**Total:** %s", ls)
		},
		Lines: func(f Findings) (out [][]string) {
			for _, g := range f.all {
				out = append(out, []string{string(f.lesson.ID), string(f.lesson.Status), string(g.Code), g.Found, g.Says, f.lesson.Content})
			}
			return out
		},
		Object: func(f Findings) any {
			l := f.lesson
			return term.Object(nil, "id", l.ID, "status", l.Status, "project", l.Scope.Project, "content", l.Content, "findings", f.all)
		}}
}

// Readings lists lessons that may say the same as one, likeliest first.
func Readings(of lessons.Lesson, found []pairs.Candidate) term.Answer {
	cells := func(c pairs.Candidate) []string {
		return []string{string(c.Lesson.ID), string(c.Lesson.Status), fmt.Sprintf("%d of %d", c.Both, c.All), c.Lesson.Content}
	}
	return term.List[pairs.Candidate]{Items: found, Cells: cells,
		Page: func(p *term.Page) {
			p.Heading(2, "Perhaps the same as %s", of.ID)
			p.Text("", of.Content)
			if len(found) == 0 {
				p.Line("nothing is near it")
				return
			}
			p.Table([]string{"ID", "Status", "Overlap", "Content"}, term.Map(found, cells), 3)
			p.Line("the same? learnings merge %s ID", of.ID)
		},
		Object: func(c pairs.Candidate) any {
			l := c.Lesson
			return term.Object(nil, "id", l.ID, "status", l.Status, "overlap", float64(c.Both)/float64(max(c.All, 1)), "rank", c.Score, "content", l.Content,
				"rule", pairs.ByParaphrase, "ids", []lessons.ID{of.ID, l.ID}, "project", l.Scope.Project)
		}}
}

// A Check is the number of findings of one kind of check.
type Check struct {
	Kind  string `json:"kind"`
	Count int    `json:"count"`
	Says  string `json:"says"`
}

// Checks lists the counts.
func Checks(all []Check) term.Answer {
	cells := func(c Check) []string { return []string{c.Kind, strconv.Itoa(c.Count), c.Says} }
	return term.List[Check]{Items: all, Cells: cells, Object: func(c Check) any { return c }, Page: func(p *term.Page) {
		p.Table([]string{"Kind", "Found", ""}, term.Map(all, cells), 2)
		p.Line("`learnings check KIND` lists them; `learnings check recurring` reads transcripts for mistakes that come back")
	}}
}

// A Mistake is a mistake with its number in the list and its lesson, or nil.
type Mistake struct {
	N int
	past.Mistake
	About *lessons.Lesson
}

// Mistakes are recurring mistakes, most widespread first.
type Mistakes struct {
	All   []Mistake
	Total int // including those beyond the limit
}

// Pick returns the mistake with a number in the list or an id.
func (l Mistakes) Pick(word string) (past.Mistake, error) {
	for _, m := range l.All {
		if string(m.ID) == word || strconv.Itoa(m.N) == word {
			return m.Mistake, nil
		}
	}
	return past.Mistake{}, term.Hint(term.Usagef("there is no recurring mistake %q", word), "`learnings check recurring` numbers them")
}

// Answer lists the mistakes.
func (l Mistakes) Answer() term.Answer {
	return term.List[Mistake]{Items: l.All, Object: Mistake.object,
		Page: func(p *term.Page) {
			if len(l.All) == 0 {
				p.Line("nothing: no error of a tool was met in several sessions")
			}
			for _, m := range l.All {
				m.show(p)
			}
			p.More(l.Total - len(l.All))
		},
		Cells: func(m Mistake) []string {
			about := ""
			if m.About != nil {
				about = string(m.About.ID) + " " + string(m.About.Status)
			}
			return []string{strconv.Itoa(m.N), string(m.ID), strconv.Itoa(m.Count), strconv.Itoa(m.Sessions), strings.Join(m.Projects, ","),
				term.Stamp(m.First), term.Stamp(m.Last), about, m.Doing, m.Name, m.Error, m.Cure.Says}
		}}
}

func (m Mistake) show(p *term.Page) {
	p.Strong("%2d  %s: %s", m.N, m.Doing, m.Name)
	p.Text("    ", m.Error)
	if m.Cure.Says != "" {
		p.Text("    ", "What avoids it: "+m.Cure.Says)
	}
	p.Line("    %s in %s of %s, %s", term.Plural(m.Count, "time"), term.Plural(m.Sessions, "session"), strings.Join(m.Projects, ", "), m.Span())
	if m.About != nil {
		p.Line("    there is a lesson: %s (%s) %s", m.About.ID, m.About.Status, m.About.Title(60))
	} else {
		p.Line("    learnings check recurring --propose %s", m.ID)
	}
}

func (m Mistake) object() any {
	var places []any
	for _, e := range m.Evidence {
		places = append(places, term.Object(nil, "path", e.Path, "line", e.Line, "session", e.Session))
	}
	var about lessons.Lesson
	if m.About != nil {
		about = *m.About
	}
	// ways are the different errors of the mistake; the status is its lesson's.
	return term.Object(nil, "id", m.ID, "name", m.Name, "doing", m.Doing, "error", m.Error, "ways", m.Ways, "count", m.Count, "sessions", m.Sessions,
		"projects", m.Projects, "first?", m.First, "last?", m.Last, "cure?", m.Cure.Says, "example?", m.Cure.Example,
		"lesson?", about.ID, "status?", about.Status, "places", places)
}

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
	return term.Map(c.Lessons, func(l lessons.Lesson) string { return string(l.ID) })
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
