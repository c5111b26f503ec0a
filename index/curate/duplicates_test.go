package curate

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"learnings/lessons"
	"learnings/lessons/pairs"
)

// grouped are the groups of what counts in a corpus, each as its ids.
func grouped(t *testing.T, c *Corpus, rules ...pairs.Rule) string {
	t.Helper()
	ls, err := c.Comparable(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	groups, err := c.Duplicates(t.Context(), ls, rules...)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for g := range groups {
		ids := string(g.Rule)
		for _, l := range g.Lessons {
			ids += " " + string(l.ID)
		}
		out = append(out, ids)
	}
	slices.Sort(out)
	return strings.Join(out, ", ")
}

// TestDuplicatesThatContradictAnother: what contradicts the first of its group is
// a duplicate of others all the same, and of two that both hold each may be one
// of a third.
func TestDuplicatesThatContradictAnother(t *testing.T) {
	c := corpus(t)
	held := said("held", "Run make generate after you edit a proto file or a template in here")
	beside := said("beside", "Run make generate after you edit a proto file or a template in there")
	beside.HoldsWith = []lessons.Holding{{ID: "held"}}
	for _, l := range []lessons.Lesson{
		said("npm", "Use npm instead of pnpm in this repository"),
		said("pnpm", "Use pnpm instead of npm in this repository"),
		said("again", "Use pnpm instead of npm in this repository!"),
		held, beside,
		said("third", "Run make generate after you edit a proto file or a template in"),
	} {
		l.Created = c.Now()
		propose(t, c, l)
	}
	if got, want := grouped(t, c, pairs.ByJaccard), "jaccard beside third, jaccard held third, jaccard pnpm again"; got != want {
		t.Errorf("groups: %s\nwant:   %s", got, want)
	}
}

// TestDuplicatesBySynonyms: merges teach synonyms, which make a paraphrase of two
// texts, and a group is not repeated by the next rule.
func TestDuplicatesBySynonyms(t *testing.T) {
	c := corpus(t)
	texts := []string{
		"Prune stale branches of the fork", "Sweep stale branches of the fork",
		"Prune finished containers at night", "Sweep finished containers at night",
		"Prune unused volumes each week", "Sweep unused volumes every week",
	}
	for i, text := range texts {
		l := said(fmt.Sprint("l", i), text)
		l.Created = c.Now()
		propose(t, c, l)
	}
	propose(t, c, said("x1", "Run go vet ./... before a push"), said("x2", "run go vet ./... before a push."))
	both := []pairs.Rule{pairs.ByJaccard, pairs.ByParaphrase}
	if got := grouped(t, c, both...); got != "jaccard x1 x2" {
		t.Fatalf("before any merge: %s", got)
	}
	for _, pair := range [][2]lessons.ID{{"l0", "l1"}, {"l2", "l3"}} {
		var ls []lessons.Lesson
		for _, id := range pair {
			l, err := c.Store.Get(id)
			if err != nil {
				t.Fatal(err)
			}
			ls = append(ls, l)
		}
		if _, err := c.Merge(MergeOf(ls)); err != nil {
			t.Fatal(err)
		}
	}
	if got := grouped(t, c, both...); got != "jaccard x1 x2, paraphrase l4 l5" {
		t.Errorf("after two merges: %s", got)
	}
}

// TestRelated: lessons of one subject are a group, once; what says the same, contradicts,
// waits for a decision or is of another project is in none.
func TestRelated(t *testing.T) {
	c := corpus(t)
	say := func(id, project, content string, status lessons.Status) {
		l := said(id, content)
		l.Scope.Project, l.Created, l.Status = project, c.Now(), status
		propose(t, c, l)
	}
	say("a1", "shop", "Create Linear issues for this repo in Project: Troy", lessons.Approved)
	say("a2", "shop", "Create Linear sub-issues in the same project and milestone as their parent issue", lessons.Approved)
	say("a3", "shop", "Log follow-up bugs as Linear issues in Project: Troy", lessons.Approved)
	say("a4", "shop", "Deploy with the blue script on Fridays", lessons.Approved)
	say("a5", "shop", "Put every Linear issue into the milestone of its project", lessons.Pending)
	say("a6", "other", "Name the milestone in each Linear issue of the project", lessons.Approved)
	if got, want := grouped(t, c, Related), "related a1 a2 a3"; got != want {
		t.Errorf("the groups are %q, want %q", got, want)
	}
}
