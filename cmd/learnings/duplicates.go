package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"learnings/cmd/internal/process"
	"learnings/cmd/internal/term"
	"learnings/cmd/internal/view"
	"learnings/index/curate"
	"learnings/lessons"
	"learnings/lessons/match"
)

// duplicatesOptions are what `learnings duplicates` was asked for.
type duplicatesOptions struct {
	project    string
	rule       string
	limit      int
	mergeEqual bool
	json       bool
	model      modelOptions
}

// duplicateRules are the rules by the names that --rule takes.
var duplicateRules = []match.Rule{match.Equal, match.ByJaccard, match.ByOverlap, match.ByContainment, match.ByParaphrase}

func newDuplicates(a *app) *cobra.Command {
	o := duplicatesOptions{limit: -1}
	cmd := &cobra.Command{
		Use: "duplicates [ID]", Short: "List lessons that say the same, and propose one text",
		Long: "Duplicates lists pending and approved lessons that say the same, with the text\n" +
			"that could stay and what to type. It changes nothing. The rules:\n" +
			"  equal        the same text but for case and punctuation\n" +
			"  jaccard      0.8 of all words in common, within a category (Gimli)\n" +
			"  overlap      more than 0.6 of the keywords of the shorter one (amplihack)\n" +
			"  containment  more than 0.6 of the words of the newer one (Octomind)\n" +
			"  paraphrase   more than 0.6 of the keywords of both, with the synonyms that\n" +
			"               your own merges have shown\n" +
			"What several projects have learned is listed as \"global\". In technical text a\n" +
			"word makes another lesson: the ones that differ are marked.\n\n" +
			"With an id it lists the five lessons that most likely say the same as that one\n" +
			"in other words, whatever the rule: only a person can tell.\n\n" +
			"With --model a language model is asked for the one text of each group listed\n" +
			"(ten, if --limit says nothing), or says why they are not one lesson.\n\n" +
			"With --merge-equal it makes one of those that are equal but for case,\n" +
			"punctuation, words like \"the\" and inflections, in one step of undo.",
		Example: "  learnings duplicates --rule paraphrase --project octofs\n  learnings duplicates --merge-equal",
		Args:    nargs(0, 1, ""),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.model.pick(a, cmd.Flags().Changed); err != nil {
				return err
			}
			if len(args) > 0 && o.mergeEqual {
				return term.Usagef("--merge-equal is for all duplicates; name no id")
			}
			if o.model.name != "" && (len(args) > 0 || o.mergeEqual) {
				return term.Usagef("--model is for listing all duplicates; `learnings merge ID ID --model` asks about some")
			}
			if len(args) > 0 {
				return rewordings(cmd.Context(), a, o, args[0])
			}
			if !slices.Contains(duplicateRules, match.Rule(o.rule)) {
				return term.Hint(term.Usagef("there is no rule %q", o.rule), "equal, jaccard, overlap, containment or paraphrase")
			}
			if o.mergeEqual {
				return mergeEqual(cmd.Context(), a, o)
			}
			return duplicates(cmd.Context(), a, o)
		},
	}
	cmd.Flags().StringVar(&o.project, "project", "", "what holds in this project only")
	cmd.Flags().StringVar(&o.rule, "rule", string(match.ByJaccard), "equal, jaccard, overlap, containment or paraphrase")
	cmd.Flags().IntVarP(&o.limit, "limit", "n", -1, "at most so many groups; 0 for all (default: 10 with --model, 50 on a terminal, else all)")
	cmd.Flags().BoolVar(&o.mergeEqual, "merge-equal", false, "merge what needs no comparing, as one step of undo")
	mergeModelFlags(cmd, &o.model)
	cmd.Flags().BoolVar(&o.json, "json", false, "one JSON object a line")
	return cmd
}

func duplicates(ctx context.Context, a *app, o duplicatesOptions) error {
	c, ls, err := comparableIn(ctx, a, o.project)
	if err != nil {
		return err
	}
	rule := match.Rule(o.rule)
	groups, err := c.Duplicates(ctx, ls, rule)
	if err != nil {
		return err
	}
	found := slices.SortedStableFunc(groups, func(a, b curate.Group) int {
		return cmp.Or(cmp.Compare(b.Similarity, a.Similarity), cmp.Compare(len(b.Lessons), len(a.Lessons)))
	})
	switch {
	case o.limit >= 0:
	case o.model.name != "":
		o.limit = mostAsked
	case a.Terminals.Out && !o.json:
		o.limit = screenful
	}
	out := repeated{rule: rule, compared: ls, total: len(found)}
	if o.limit > 0 {
		found = found[:min(o.limit, len(found))]
	}
	for _, g := range found {
		out.groups = append(out.groups, newGroup(g))
	}
	if o.model.name == "" {
		return a.Give(out.answer(), o.json)
	}
	p, err := agreedAsker(ctx, a, o.model)
	if err != nil {
		return err
	}
	out.asked = true
	err = oneTexts(ctx, a, p, out.groups)
	return errors.Join(a.Give(out.answer(), o.json), err)
}

// comparableIn reads what can be a duplicate of something, of all projects or what
// holds in one.
func comparableIn(ctx context.Context, a *app, project string) (*curate.Corpus, []lessons.Outline, error) {
	c, err := a.curated()
	if err != nil {
		return nil, nil, err
	}
	if project != "" {
		conf, err := a.configuration()
		if err != nil {
			return nil, nil, err
		}
		project = conf.Canonical(project)
	}
	process.Brief()
	ls, err := c.Comparable(ctx, project)
	return c, ls, err
}

// A group is lessons that say the same, and what to make of them.
type group struct {
	curate.Group
	proposed string
	projects []string // more than one when it is proposed as global

	by        string          // the model that was asked and answered
	different string          // why it says that they are not one lesson
	detail    lessons.Wording // whose content is proposed
}

func newGroup(g curate.Group) group {
	g = g.Surviving()
	return group{Group: g, proposed: match.Wording(g.Lessons).Content, projects: g.Several()}
}

func (c group) kind() string {
	if c.different != "" {
		return "different"
	}
	if len(c.projects) > 1 {
		return "global"
	}
	return "duplicate"
}

func (c group) ids() []string {
	out := make([]string, 0, len(c.Lessons))
	for _, l := range c.Lessons {
		out = append(out, string(l.ID))
	}
	return out
}

// mostTyped is how many ids a command line is proposed with.
const mostTyped = 20

// command is what to type to merge the group.
func (c group) command() string {
	ids := c.ids()
	if c.different != "" && len(ids) > 2 {
		return "" // some of them may be one
	}
	if c.different != "" {
		return "learnings resolve " + strings.Join(ids, " ") + " --both " + shellQuote(lessons.Line(c.different))
	}
	words := "learnings merge " + strings.Join(ids, " ")
	if len(ids) > mostTyped {
		words = "learnings merge -   (its ids, from --json)"
	}
	if len(c.projects) > 1 {
		words += " --global"
	}
	if c.proposed != c.Lessons[0].Content {
		words += " --content " + shellQuote(lessons.Line(c.proposed))
	}
	return words
}

// shellQuote makes one word of a text for a POSIX shell.
func shellQuote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// A repeated corpus is its groups, as an answer.
type repeated struct {
	rule     match.Rule
	groups   []group
	total    int
	compared []lessons.Outline
	asked    bool // a model, about each
}

// mostShown is how many members of a group a terminal gets.
const mostShown = 8

func (r repeated) answer() term.Answer {
	return term.List[group]{Items: r.groups, Page: r.show, Cells: func(c group) []string { return c.cells(r.asked) }, Object: group.object}
}

func (r repeated) show(p *term.Page) {
	p.Heading(2, "Duplicates by the rule %q", string(r.rule))
	for _, c := range r.groups {
		head := fmt.Sprintf("%s  %.2f  %s", c.kind(), c.Similarity, term.Plural(len(c.Lessons), "lesson"))
		if c.kind() == "global" {
			head += "  learned in " + strings.Join(c.projects, ", ")
		}
		if !c.SameLiterals() {
			head += "  ! numbers, paths, flags or names differ"
		}
		p.Strong("%s", head)
		for i, l := range c.Lessons[:min(len(c.Lessons), mostShown)] {
			text := lessons.Line(l.Content)
			if i > 0 {
				text = match.Marked(unquoted(c.Lessons[0].Content), unquoted(l.Content))
			}
			p.Text("  ", fmt.Sprintf("%s %-8s %s", l.ID, l.Status, text))
		}
		if more := len(c.Lessons) - mostShown; more > 0 {
			p.Line("  … and %d more", more)
		}
		switch {
		case c.different != "":
			p.Text("  ", fmt.Sprintf("%s says that they are not one lesson: %s", c.by, c.different))
		case c.by != "":
			p.Text("  ", fmt.Sprintf("%s proposes: %s", c.by, lessons.Line(c.proposed)))
		}
		p.Text("  ", c.command())
		fmt.Fprintln(p.W)
	}
	if more := r.total - len(r.groups); more > 0 {
		p.Line("… and %s more: --limit 0 shows all", term.Plural(more, "group"))
	}
	p.Line("**Total:** %s", term.Plural(r.total, "group"))
	if n := r.sure(); n > 0 {
		p.Line("%s can be merged without comparing: learnings duplicates --merge-equal", term.Plural(n, "lesson"))
	}
	if r.rule != match.ByParaphrase {
		p.Line("in other words: learnings duplicates --rule paraphrase")
	}
}

// sure counts the lessons that --merge-equal would merge into another.
func (r repeated) sure() int {
	n := 0
	for _, group := range match.Merges(lessons.FromOutlines(r.compared)) {
		n += len(group) - 1
	}
	return n
}

// unquoted is a text for a comparison that a reader makes: quotes of code only
// stand in the way.
func unquoted(s string) string { return lessons.Line(strings.ReplaceAll(s, "`", "")) }

// cells are the columns for a script; two more when a model was asked.
func (c group) cells(asked bool) []string {
	out := []string{c.kind(), string(c.Rule), strconv.FormatFloat(c.Similarity, 'f', 2, 64), strings.Join(c.ids(), ","), c.proposed}
	if asked {
		out = append(out, c.by, c.different)
	}
	return out
}

func (c group) object() any {
	type object struct {
		Kind       string     `json:"kind"` // duplicate, or global: learned in several projects; different, if a model says so
		Rule       match.Rule `json:"rule"`
		Similarity float64    `json:"similarity"` // of the least alike to the first
		IDs        []string   `json:"ids"`        // the one that a merge keeps is first
		Proposed   string     `json:"proposed"`
		Projects   []string   `json:"projects"`
		Literals   bool       `json:"same_literals"`
		Alone      bool       `json:"mergeable"` // --merge-equal would merge them all
		Command    string     `json:"command"`
		By         string     `json:"by,omitempty"` // the model that proposes
		Insight    string     `json:"insight,omitempty"`
		Example    string     `json:"example,omitempty"`
		Different  string     `json:"different,omitempty"` // why it calls them no duplicates; then nothing is proposed
	}
	return object{c.kind(), c.Rule, c.Similarity, c.ids(), c.proposed, curate.Projects(c.Lessons), c.SameLiterals(), c.Mergeable(), c.command(),
		c.by, c.detail.Insight, c.detail.Example, c.different}
}

// mergeEqual merges the lessons that nobody needs to compare, as one step of undo.
func mergeEqual(ctx context.Context, a *app, o duplicatesOptions) error {
	c, err := a.decider("merge them")
	if err != nil {
		return err
	}
	_, ls, err := comparableIn(ctx, a, o.project)
	if err != nil {
		return err
	}
	survivors, merged, left, err := c.MergeEqual(ls)
	view.WarnLeft(a.Console, left)
	if err != nil {
		return err
	}
	a.follow(ctx)
	if o.json {
		return a.Give(view.Shelf{Lessons: survivors}, true)
	}
	for _, l := range survivors {
		a.Say("merged into %s (%s)  %s", l.ID, l.Status, l.Title(80))
	}
	a.Note("merged %s into %d; `learnings undo` takes it back", term.Plural(merged, "lesson"), len(survivors))
	return nil
}
