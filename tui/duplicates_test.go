package tui

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/exp/golden"

	"learnings/lessons"
)

// twice returns a queue in which two proposals say the same, and one nearly.
func twice() []lessons.Lesson {
	ls := proposals()
	again, other := ls[3], ls[0]
	again.ID, again.Content, again.Created = "d9again2", "Use pnpm instead of npm in this repository!", noon.AddDate(0, 0, 1)
	again.Evidence = []lessons.Evidence{{Agent: "codex", Session: "s2", Path: "/s/2.jsonl", Line: 9, By: lessons.ByPerson, Quote: "pnpm please, not npm", At: noon}}
	other.ID, other.Content = "p2other3", "Prefer table tests with 12 cases"
	return append(ls, again, other)
}

func TestDuplicates(t *testing.T) {
	c := newCorpus(t, twice()...)
	p := playing(t, fxOn(c), 100, 30).press("alt+2", "T")
	golden.RequireEqual(t, p.text())
	p.press("enter").wants(t, "the merge", "one lesson", "2 pieces").press("y")
	if l := c.get("d9again2"); l.Status != lessons.Merged || l.Decided.Into != "d9u4p2nm" {
		t.Errorf("the newer one is %s into %q", l.Status, l.Decided.Into)
	}
	p.press("u").wants(t, "undone", "1/1").press("b").wants(t, "told apart", "no other two lessons say the same") // and not shown again
	if !lessons.BothHold(c.get("d9u4p2nm"), c.get("d9again2")) {
		t.Error("b does not tell them apart")
	}
	p.press("esc", "T").wants(t, "again", "no two lessons say the same")
}

// A proposal can be rejected as a duplicate of a similar one.
func TestRejectAsADuplicate(t *testing.T) {
	c := newCorpus(t, proposals()...)
	p := playing(t, fxOn(c), 100, 30).press("j", "j", "r")
	p.wants(t, "it is not offered", "d  duplicate of b3f8a2nn")
	p.press("d")
	l := c.get("k7m2p9qx")
	if refusal, of := l.Decided.Refusal(); refusal != lessons.Duplicate || of != "b3f8a2nn" {
		t.Errorf("rejected for %q", l.Decided.Reason)
	}
}

// A lesson learned in two projects becomes global only if the person says so.
func TestMergeOfTwoProjects(t *testing.T) {
	ls := twice()
	ls[6].Scope.Project = "ledger"
	c := newCorpus(t, ls...)
	p := playing(t, fxOn(c), 100, 30).press("space", "j", "j", "j", "j", "space", "m")
	got := p.text()
	if !strings.Contains(got, "in octofs only, though learned in 2 projects") {
		t.Fatalf("it is widened:\n%s", got)
	}
	p.press("p")
	if got := p.text(); !strings.Contains(got, "in every project; p: in octofs only") {
		t.Errorf("p does not widen it:\n%s", got)
	}
	p.press("y")
	if l := c.get("d9u4p2nm"); !l.Scope.Global || l.Scope.Project != "octofs" {
		t.Errorf("merged into %+v", l.Scope)
	}
}
