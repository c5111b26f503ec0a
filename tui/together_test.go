package tui

import (
	"strings"
	"testing"

	"learnings/extractor/transcript"
	"learnings/index"
	"learnings/lessons"
	"learnings/tui/card"
	"learnings/tui/desk"
	"learnings/tui/kit"
	"learnings/tui/reader"
	"learnings/tui/review"
)

// All waiting proposals of a session are listed before a decision. Those left out stay,
// and another key asks the opposite.
func TestAllOfASession(t *testing.T) {
	other := proposals()[0]
	other.ID, other.Content = "o9t9h9rx", "Say which session it was"
	other.Evidence = []lessons.Evidence{{Agent: "codex", Session: "another", By: lessons.ByPerson, Line: 3, Quote: other.Content, At: noon}}
	c := newCorpus(t, append(proposals(), other)...)
	p := playing(t, fxOn(c), 120, 40).press("j", "V")
	p.wants(t, "V", "reject 5 lessons of this session: one-off task", "a approve them instead", "Prefer table tests").lacks("V", "Say which session it was · ")
	p.press("a").wants(t, "a", "of this session", "left out: judged one at a time", "y approve 4", "x reject them instead")
	p.press("x", "space").wants(t, "x, space", "reject 4 of 5 lessons of this session", "○ pref Prefer table tests")
	p.press("y").wants(t, "y", "✗ rejected 4 lessons", "Review 2")
	for id, want := range map[lessons.ID]lessons.Status{"k7m2p9qx": lessons.Rejected, "s5e9c4rt": lessons.Rejected, "p2r7e4fx": lessons.Pending, "o9t9h9rx": lessons.Pending, "b3f8a2nn": lessons.Approved} {
		if got := c.get(id).Status; got != want {
			t.Errorf("%s is %s, want %s", id, got, want)
		}
	}
	p.press("u").wants(t, "u", "✓ undone: rejected 4 lessons", "Review 6").lacks("u", "✗ 4")
	p.press("V", "a", "esc").wants(t, "esc", "Review 6")
}

// The same key works in the evidence.
func TestAllOfASessionFromTheReader(t *testing.T) {
	p, c := reading(t, 120, 30)
	p.press("V").wants(t, "V", "of this session").press("y").wants(t, "y", "✗ rejected")
	if got := c.get("p2r7e4fx").Status; got != lessons.Rejected {
		t.Errorf("it is %s", got)
	}
}

// Notes name a lesson as it is after the decision, and undone decisions are not counted.
func TestNotesNameWhatIsThere(t *testing.T) {
	c := newCorpus(t, proposals()...)
	p := playing(t, fxOn(c), 120, 40)
	p.press("i", "ctrl+u").typed("Prefer one table to many tests").press("ctrl+a")
	p.wants(t, "edited", "✓ edited and approved “Prefer one table to many tests”", "✓ 1")
	p.press("x").wants(t, "rejected", "✗ 1").press("u").wants(t, "taken back", "✓ undone: rejected “", "✓ 1").lacks("taken back", "✗ 1")
	p.press("u").wants(t, "both taken back", "✓ undone: approved").lacks("both taken back", "✓ 1")
	p.press("ctrl+r").wants(t, "done again", "✓ redone: approved", "✓ 1")
}

// A rewritten merge is accepted in its editor, and its note has the new text.
func TestMergeWrittenAndAccepted(t *testing.T) {
	ls := opposites()[4:6]
	c := newCorpus(t, ls...)
	p := playing(t, fxOn(c), 120, 40).press("*", "m", "i", "ctrl+u").typed("Prefer table tests to three cases and more").press("ctrl+a")
	p.wants(t, "accepted", "⊕ merged 2 into “Prefer table tests to three cases and more”")
	if l := c.get(ls[1].ID); l.Status != lessons.Approved && c.get(ls[0].ID).Status != lessons.Approved {
		t.Errorf("neither is approved: %s", l.Status)
	}
}

// No key takes words that lose a condition of another lesson; the person writes them.
func TestMergeNamesTheConditionThatGoes(t *testing.T) {
	ls := proposals()[:2]
	ls[0].Content, ls[1].Content = "Force-push to update a pull request", "On an unpushed branch, force-push to update a pull request"
	ls[1].Scope, ls[1].Limit = ls[0].Scope, ls[0].Limit
	c := newCorpus(t, ls...)
	p := playing(t, fxOn(c), 120, 40).press("*", "m").wants(t, "m", "request. Force-push to update", "accept and approve")
	for _, k := range []string{"a", "y"} {
		p.press("2", k).wants(t, k, "the merged lesson loses “On an unpushed branch”: i writes").lacks(k, "⊕ merged")
		p.press("1", k).wants(t, k, "holds only “On an unpushed branch”, which “Force-push").lacks(k, "⊕ merged")
	}
	if a, b := c.get(ls[0].ID), c.get(ls[1].ID); a.Status != lessons.Pending || b.Status != lessons.Pending {
		t.Errorf("%s and %s", a.Status, b.Status)
	}
	p.press("i", "ctrl+a").wants(t, "written", "⊕ merged 2")
}

// The evidence of two lessons in a settlement or merge opens from there, and esc returns.
func TestEvidenceWhereItIsSettled(t *testing.T) {
	p := playing(t, fxOn(newCorpus(t, opposites()...)), 120, 40).press("C", "enter").wants(t, "settling", "which holds?")
	for _, k := range []string{"o", "O"} {
		p.press(k).wants(t, k, "the snapshot").lacks(k, "decide").press("a").wants(t, "a", "esc goes back to where it is decided")
		p.press("esc").wants(t, "esc", "which holds?")
	}
	p.press("m", "o").wants(t, "o in a merge", "the snapshot").press("esc").wants(t, "esc", "whose words").press("esc").wants(t, "esc", "which holds?")
}

// Lessons that share only function words are not called similar. A diff is shown if
// sentences differ in less than half of their words.
func TestAlikeSharesMoreThanSmallWords(t *testing.T) {
	l := proposals()[0]
	l.Content = "We no longer use repeat, we just use runs"
	with := func(text string, match float64) index.Hit {
		o := proposals()[1]
		o.Content = text
		return index.Hit{Lesson: o, Match: match}
	}
	for text, want := range map[string]int{"Then we should just have some of it": 0, "The runs of a repeat are kept for ever": 1} {
		if got := card.Alike(l, []index.Hit{with(text, 0.35)}); len(got) != want {
			t.Errorf("%q: %d alike", text, len(got))
		}
	}
	if got := card.Alike(l, []index.Hit{with("All else", 0.6)}); len(got) != 1 {
		t.Error("what measures as alike is left out")
	}
	long := with("Spawn an agent that moves all time stamped runs to the results folder: we no longer use the old one, and the target logs lie beside the transcript", 0.59)
	text := strings.Join(card.Card{Lesson: l, Whole: true, Similar: []index.Hit{long}}.Fitted(72, 60, kit.Unseen), "\n")
	if strings.Contains(text, "[-") || !strings.Contains(text, "results folder") {
		t.Errorf("the card is\n%s", text)
	}
}

// A lesson just decided on is no longer shown as similar.
func TestAlikeIsFresh(t *testing.T) {
	ls := proposals()[:3]
	ls[0].Tags, ls[1].Tags = []string{"same"}, []string{"same"}
	q := review.Queue{}.Without(ls[1:2])
	got := q.SeenFresh(desk.Opened{Similar: []index.Hit{{Lesson: ls[1], Match: 0.9}, {Lesson: ls[2], Match: 0.9}}})
	if len(got.Similar) != 1 || got.Similar[0].Lesson.ID != ls[2].ID {
		t.Errorf("alike: %v", got.Similar)
	}
}

// Vectors find something near to any sentence. Only the nearest by meaning is named, and
// none for a sentence that says too little.
func TestAlikeByMeaning(t *testing.T) {
	l, o := proposals()[0], proposals()[1]
	o.Content = "Regenerate the client when a schema changes"
	two := []index.Hit{{Lesson: o, ByMeaning: true, Near: 0.7}, {Lesson: o, ByMeaning: true, Near: 0.7}}
	for text, want := range map[string]int{"We should always show it": 0, "Run make generate after editing any proto file in the repository": 1} {
		l.Content = text
		if got := card.Alike(l, two); len(got) != want {
			t.Errorf("%q: %d alike, want %d", text, len(got), want)
		}
	}
	if got := card.Alike(l, []index.Hit{{Lesson: o, ByMeaning: true, Near: 0.6}}); len(got) != 0 {
		t.Error("what is hardly near is named")
	}
}

// A session is named by the person's first words, not by a command of the agent.
func TestNoSessionIsCalledByACommand(t *testing.T) {
	n := reader.Nearby{Said: []reader.Utterance{{Line: 1, Text: "/model opus", Idle: true}, {Line: 4, Text: "fix the unit test"}}}
	if got := n.First(); got != "fix the unit test" {
		t.Errorf("it is called %q", got)
	}
}

// The card of a cluster with fewer than two chosen says what to do, and one key chooses
// all.
func TestClusterTakesAllIn(t *testing.T) {
	a, b := proposals()[0], proposals()[0]
	a.Content, b.Content = "Mock only repomap.RepoMap and ensure that it is not called", "Mock RepoMap and ensure that it is not called"
	a.ID, b.ID = "m1o1c1kx", "m2o2c2kx"
	p := playing(t, fxOn(newCorpus(t, a, b)), 120, 40).press("T")
	p.wants(t, "T", "two say the same", "a compares them side by side", "* takes both in", "please: Prefer table tests")
	p.press("*").wants(t, "*", "one lesson in octofs", "● taken in").press("a").wants(t, "a", "⊕ merged 2 into “Mock only")
}

// The turns around one quote do not repeat another quote of the same turn.
func TestTwoQuotesOfATurnAreNotRepeated(t *testing.T) {
	l := proposals()[0]
	l.Content = "The schema is at ../intent."
	first := l.Evidence[0]
	first.Quote, first.Before, first.After = "The library is at ../lib.", nil, nil
	second := first
	second.Quote = l.Content
	l.Evidence = []lessons.Evidence{first, second}
	turn := transcript.Turn{Speaker: transcript.Person, Line: first.Line, Text: "The library is at ../lib. The schema is at ../intent. Proceed."}
	near := reader.Nearby{Of: l.ID, Done: true, Session: first.Session, Turns: []transcript.Turn{turn}, Items: []reader.Item{{From: 0, To: 1, Here: true}}}
	text := strings.Join(card.Card{Lesson: l, Whole: true, Around: near}.Fitted(80, 60, kit.Unseen), "\n")
	if n := strings.Count(text, "The library is at"); n != 1 || !strings.Contains(text, "the sentence, word for word") {
		t.Errorf("the first words are shown %d times:\n%s", n, text)
	}
}

// Lessons that say the same in several categories are one cluster. It shows the category
// of the merged lesson, which can be changed.
func TestAClusterOfSeveralCategories(t *testing.T) {
	ls := proposals()[3:4]
	for i, c := range []lessons.Category{"correction", "correction", "workflow"} {
		l := ls[0]
		l.ID, l.Category, l.Created = lessons.ID("d9again"+string(rune('a'+i))), c, l.Created.AddDate(0, 0, i+1)
		l.Content += strings.Repeat("!", i+1)
		ls = append(ls, l)
	}
	c := newCorpus(t, ls...)
	p := playing(t, fxOn(c), 120, 40).press("T")
	p.wants(t, "T", "duplicates 1", "four say the same · octofs · correction", "as correction (2, 3), not preference (1) or workflow (4) · K")
	p.press("K").wants(t, "K", "category of the one lesson", "of 2, 3", "tool-usage")
	p.press("enter").wants(t, "the same", "as correction (2, 3), not")
	p.press("K").typed("work").press("enter").wants(t, "another", "four say the same · octofs · workflow", "as workflow (4), not correction (2, 3) or")
	p.press("m", "a")
	if l := c.get("d9u4p2nm"); l.Status != lessons.Approved || l.Category != "workflow" {
		t.Errorf("%s, %s", l.Status, l.Category)
	}
	p.press("u")
	if l := c.get("d9u4p2nm"); l.Status != lessons.Pending || l.Category != "preference" {
		t.Errorf("undone: %s, %s", l.Status, l.Category)
	}
}
