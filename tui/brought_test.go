package tui

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"learnings/index"
	"learnings/lessons"
	"learnings/tui/card"
	"learnings/tui/kit"
	"learnings/tui/review"
)

// brought returns a proposal from another program's store.
func brought() lessons.Lesson {
	l := proposals()[0]
	l.ID, l.Content, l.Insight = "b7r4o3tt", "Keep the public interface of a module explicit", "It is set by __all__ in `__init__.py`.\n\n- others can rely on it"
	l.Tags, l.Origin = []string{"module"}, lessons.Origin{Extractor: "import:amplihack"}
	l.Evidence = []lessons.Evidence{
		{Agent: "octomind", Session: "260828-1"}, {Agent: "octomind", Session: "260828-1"},
		{Agent: "amplihack", Path: "/x/architecture.yaml", Line: 10, By: lessons.ByAgent, From: "import",
			Quote: "- id: \"arch-001\" keywords: - \"module\" summary: \"Keep the public interface of a module explicit\" insight: | It is set by __all__ in `__init__.py`. - others can rely on it"},
	}
	return l
}

// The card of an imported lesson does not repeat itself: one line names its entry, places
// without words get none, and names keep their spelling.
func TestCardOfAnImport(t *testing.T) {
	p := playing(t, fxOn(newCorpus(t, brought())), 120, 40).press("l")
	p.wants(t, "card", card.SameEntry, "It is set by __all__ in", "nobody said it").lacks("card", "arch-001")
	if n := strings.Count(p.text(), "  said  "); n != 1 {
		t.Errorf("%d places are named, of which one has words:\n%s", n, p.text())
	}
	long := brought()
	long.Insight += "\n- with tests of its own and a page that tells how to call it"
	long.Evidence[2].Quote = "- id: \"arch-001\"\n  created: \"2025-11-25T00:00:00Z\"\n  keywords:\n  - \"module\"\n  summary: \"" + long.Content + "\"\n  insight: |\n" + long.Insight + "\n  confidence: 0.95\n  times_used: 0\n"
	playing(t, fxOn(newCorpus(t, long)), 120, 40).press("l").wants(t, "an entry with keys", card.SameEntry).lacks("an entry with keys", "times_used")
	more := brought()
	more.Evidence[2].Quote += " and it has never been tried with namespaces, where loaders differ wildly between versions and platforms"
	playing(t, fxOn(newCorpus(t, more)), 120, 40).press("l").wants(t, "an entry that says more", "where loaders differ")
}

// The reader of an imported lesson names its lesson and the speaker.
func TestReaderOfAnImport(t *testing.T) {
	l := brought()
	l.Evidence[2].Before = []string{"person: Why do imports break?"}
	p := playing(t, fxOn(newCorpus(t, l)), 120, 40).press("l", "o", "tab", "tab")
	p.wants(t, "reader", "architecture.yaml  ", "a store of another program", "person ▎", "Why do imports break?", "◆ this lesson")
}

// A turn around two quotes is shown once, and so is a turn that is itself a quote.
func TestTurnsAreShownOnce(t *testing.T) {
	l := proposals()[0]
	a := l.Evidence[0]
	a.Quote, a.Before, a.After = "do not use confirm", []string{"agent: I shall use confirm."}, []string{"person: with default=y", "agent: Certainly, as you say."}
	b := a
	b.Line, b.Quote, b.Before, b.After = a.Line+9, "with default=y", []string{"agent: I shall use confirm.", "person: do not use confirm"}, []string{"agent: Certainly, as you say."}
	l.Evidence = []lessons.Evidence{a, b}
	text := playing(t, fxOn(newCorpus(t, l)), 120, 40).text()
	for _, s := range []string{"I shall use confirm", "do not use confirm", "with default=y", "Certainly, as you say"} {
		if n := strings.Count(text, s); n != 1 {
			t.Errorf("%q stands %d times in\n%s", s, n, text)
		}
	}
}

// A lesson that another program added to the approved ones is given to no session, and is
// not called approved where it resembles a proposal.
func TestAlikeIsNotConfirmed(t *testing.T) {
	ls := proposals()
	ls[5].Outside = true
	text := strings.Join(card.Card{Lesson: ls[2], Similar: []index.Hit{{Lesson: ls[5], Match: 0.62}}}.Like(70, card.CutNothing, kit.Unseen), "\n")
	if !strings.Contains(text, "not confirmed") || strings.Contains(text, "approved") {
		t.Errorf("alike:\n%s", text)
	}
}

// Sentences that share half of their words are shown as a word diff; others by what only
// one of them says.
func TestDiffsThatCanBeRead(t *testing.T) {
	for a, want := range map[string]bool{
		"Use pnpm instead of npm": true,
		"Use pnpm instead of npm in this repository, for the lock file": true,
		"pnpm: npm breaks the lock file":                                false,
	} {
		if got := card.DiffReads(a, "Use pnpm instead of npm here"); got != want {
			t.Errorf("%q: %v", a, got)
		}
	}
	a, b := proposals()[0], proposals()[1]
	a.Content = "The field workers does not belong in eval YAML: it is given by the CLI or config.yaml"
	b.Content = "workers is not an authoring concern: remove the field from the eval YAML and allow it only through the CLI"
	p := playing(t, fxOn(newCorpus(t, a, b)), 120, 40).press("space", "space", "m", "1")
	p.wants(t, "merge", "only in 2  belong, given").lacks("merge", "[-")
}

// The last decision and how to undo it stay visible until the next decision.
func TestNoteOfADecisionStays(t *testing.T) {
	p := playing(t, fxOn(newCorpus(t, proposals()...)), 120, 40).press("a", "J", "j", "k").wants(t, "looking around", "✓ approved “Prefer table tests”")
	p.press("x").wants(t, "the next", "✗ rejected").lacks("the next", "approved “Prefer")
}

// An empty lane names the lanes with hits.
func TestEmptyLaneUnderAFilter(t *testing.T) {
	ls := append(proposals(), brought())
	ls[0].Content = "Prefer an explicit interface"
	playing(t, fxOn(newCorpus(t, ls...)), 120, 40).press("/").typed("explicit interface").press("enter", "x").
		wants(t, "filter", "No proposal in this lane matches the filter", "1 from outside. l turns")
}

// A sentence written in place of two keeps no triggers made of words that neither it nor
// the evidence has. The page shows which are lost.
func TestMergeOutgrowsTriggers(t *testing.T) {
	a, b := proposals()[3], proposals()[2]
	a.Triggers, b.Triggers = []string{"pnpm", "npm", "yarn lock"}, []string{"proto", "stale client", "generate"}
	c := newCorpus(t, a, b)
	p := playing(t, fxOn(c), 120, 40).press("space", "space", "m", "1").wants(t, "whose words it has", "yarn lock").lacks("whose words it has", "-stale client")
	p.press("i", "ctrl+u").typed("Run pnpm generate after an edit.").press("ctrl+s").wants(t, "written anew", "-stale client", "generate").press("a")
	l := c.get(a.ID)
	if o := c.get(b.ID); o.Status == lessons.Approved {
		l = o
	}
	if got := strings.Join(l.Triggers, " "); strings.Contains(got, "stale") || !strings.Contains(got, "yarn lock") || !strings.Contains(got, "proto") {
		t.Errorf("triggers %q", l.Triggers)
	}
}

// The editor shows why a proposal is flagged until it no longer is, and then that
// approving it needs no confirmation.
func TestEditorSaysWhatIsFlagged(t *testing.T) {
	l := proposals()[0]
	l.Content, l.Origin.Unsaid = "Prefer table tests and notify #alerts in Slack", []string{"#alerts", "Slack"}
	c := newCorpus(t, l)
	p := playing(t, fxOn(c), 120, 40).press("i").wants(t, "opened", "! no person said these words in it: #alerts, Slack", "ctrl+a asks for a typed yes")
	p.press("ctrl+u").typed("Prefer table tests in each package").wants(t, "without them", "✓ one sentence", "ctrl+a approves it too").lacks("without them", "no person said").press("ctrl+a")
	if got := c.get(l.ID); got.Status != lessons.Approved {
		t.Errorf("stored as %s", got.Status)
	}
}

// The merge of a flagged proposal does not offer to approve it, and says what to do
// instead.
func TestMergeOfWhatIsFlagged(t *testing.T) {
	a, b := proposals()[0], proposals()[1]
	a.Origin.Unsaid, b.Origin.Unsaid = []string{"table"}, []string{"bm25"}
	p := playing(t, fxOn(newCorpus(t, a, b)), 120, 40).press("space", "space", "m")
	p.wants(t, "page", "y → one proposal, to be judged alone", "y accept, leave it pending", "nothing is merged before").lacks("page", "accept and approve")
	p.press("1", "a").wants(t, "not the same", "i writes").press("esc", "m", "a").wants(t, "a", "decide on it alone first, or y makes one proposal of them").press("y").wants(t, "y", "⊕ merged 2 into")
}

// A lesson that only a tool supports, with words the tool did not say, is flagged for
// both.
func TestFlagOfAToolNamesWords(t *testing.T) {
	l := proposals()[4]
	l.Content, l.Origin.Unsaid = "Stop the local postgres and tell #alerts", []string{"#alerts"}
	playing(t, fxOn(newCorpus(t, l)), 120, 40).wants(t, "card", "only a tool's output speaks for it, and it does not say these", "#alerts")
}

// A batch shows the whole sentence under the cursor, which rows have no room for.
func TestBatchShowsTheEnd(t *testing.T) {
	ls := proposals()[:4]
	for i := range ls {
		ls[i].Content = "When “error: unknown flag: --short of the tracker of this repository” appears, run the command " + string(ls[i].ID)
	}
	p := playing(t, fxOn(newCorpus(t, ls...)), 120, 40).press("*", "x")
	p.wants(t, "first", "reject 4 lessons", "the command p2r7e4fx").lacks("first", "command t8o3l6us").press("j").wants(t, "second", "the command t8o3l6us")
}

// What both are said to name occurs in both as it is, and was said.
func TestNamedInBoth(t *testing.T) {
	l, o := proposals()[0], proposals()[1]
	l.Content, o.Content = "framework-parity/agentv is ignored by git, see docs/x.md", "Ground framework research in the clone, see docs/x.md"
	l.Origin.Unsaid = []string{"docs/x.md"}
	l.Content += " and https://a.example/x/clone"
	if got := strings.Join(card.Card{Lesson: l}.Shares(index.Hit{Lesson: o}, false), ", "); strings.Contains(got, "name") || strings.Contains(got, "example") {
		t.Errorf("shared: %s", got)
	}
}

// The card of a global lesson says in which project it was learned.
func TestWhereItWasLearned(t *testing.T) {
	l := proposals()[0]
	l.Scope.Global = true
	playing(t, fxOn(newCorpus(t, l)), 120, 40).wants(t, "card", "in every project (learned in octofs)")
}

// The footer says what the key does in a cluster with fewer than two chosen.
func TestFootOfACluster(t *testing.T) {
	a, b := proposals()[0], proposals()[0]
	a.Content, b.Content = "Mock only repomap.RepoMap and ensure that it is not called", "Mock RepoMap and ensure that it is not called"
	a.ID, b.ID = "m1o1c1kx", "m2o2c2kx"
	p := playing(t, fxOn(newCorpus(t, a, b)), 120, 40).press("T")
	if x, ok := review.ClusterOf(p.a.review); !ok || len(x.Chosen()) > 1 {
		p.press("space")
	}
	p.wants(t, "one is in", "a compare").press("*").wants(t, "both are in", "a approve as one")
}

// A merge of global lessons without a project names none.
func TestMergeWithoutAProject(t *testing.T) {
	a, b := proposals()[0], proposals()[1]
	a.Scope, b.Scope = lessons.Scope{Global: true}, lessons.Scope{Global: true}
	playing(t, fxOn(newCorpus(t, a, b)), 120, 40).press("space", "space", "m").wants(t, "page", "merge 2 into one  ", "scope  in every project\n").lacks("page", "one ·", " only\n")
}

// An example in code is shown as it is, and one with a fence is drawn.
func TestExampleIsCode(t *testing.T) {
	code := "# module/__init__.py\nfrom .core import process\nfrom .models import Model\n- not a list"
	if got := strings.Join(card.Example(code, 60, kit.Unseen), "\n"); ansi.Strip(got) != code {
		t.Errorf("drawn as\n%s", got)
	}
	if got := ansi.Strip(strings.Join(card.Example("Such as\n```sh\nmake generate\n```", 60, kit.Unseen), "\n")); strings.Contains(got, "```") || !strings.Contains(got, "make generate") {
		t.Errorf("drawn as\n%s", got)
	}
}
