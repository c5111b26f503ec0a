package tui

import (
	"os"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"learnings/index/recall"
)

// On a wide screen the turns around the evidence are beside the card: folded, with
// failures. w hides them until it is pressed again.
func TestTurnsAroundTheEvidence(t *testing.T) {
	ls := judged(t)
	p := playing(t, fxOn(newCorpus(t, ls...)), 200, 60).press("j", "j")
	p.wants(t, "the turns", "around it · turns 1–36 of 36", "◆ this lesson", "✗ Bash go test ./api/...  1 failed", "▸ Read, Edit user.proto and 1 more")
	p.wants(t, "the session by its first words", "said  claude-code · 6 Apr 2026 · “Please add an owner field")
	p.press("w")
	if got := p.text(); strings.Contains(got, "around it") {
		t.Errorf("w leaves them:\n%s", got)
	}
	p.press("tab", "tab", "tab", "tab", "tab", "k", "j")
	if got := p.text(); strings.Contains(got, "around it") {
		t.Errorf("they come back by themselves:\n%s", got)
	}
	p.press("w").wants(t, "w again", "around it · turns 1–36 of 36")
	p.send(tea.WindowSizeMsg{Width: 159, Height: 60}).press("w").press("?").typed("conversation").wants(t, "on a narrow screen", "160 columns")
}

// They scroll with the card, further than a short card, but not beyond their end.
func TestTurnsScrollWithTheCard(t *testing.T) {
	p := playing(t, fxOn(newCorpus(t, judged(t)...)), 200, 30).press("j", "j")
	p.wants(t, "at first", "this lesson", "Run `make generate` after editing any .proto file; CI fails on a")
	for range 9 {
		p.press("J")
	}
	end := p.wants(t, "at the end", "Commit 20 of 20 is made.").text()
	p.press("J")
	if p.text() != end {
		t.Errorf("they scroll beyond the end:\n%s", p.text())
	}
	for range 9 {
		p.press("pgup")
	}
	p.wants(t, "back", "this lesson", "Run `make generate` after editing any .proto file; CI fails on a")
}

// Without the transcript the turns kept in the lesson are shown.
func TestTurnsOfATranscriptThatIsGone(t *testing.T) {
	ls := judged(t)
	if err := os.Remove(ls[2].Evidence[0].Path); err != nil {
		t.Fatal(err)
	}
	p := playing(t, fxOn(newCorpus(t, ls...)), 200, 60).press("j", "j")
	p.wants(t, "the snapshot", "around it · as the lesson has kept it", "◆ this lesson", "o says why", "how sessions of octofs begin then")
}

// The card says what approving does: its scope, the block at the start of a session, and
// the prompts that bring it up.
func TestCardForesees(t *testing.T) {
	p := playing(t, fxOn(newCorpus(t, judged(t)...)), 200, 60).press("j", "j")
	p.wants(t, "what approving does", "approve  in octofs, from the next session · +24 tokens", "how sessions of octofs begin then", "87 of 1,000 tokens",
		"prompt  comes up for “make generate after…”: first of 2 lessons", "▌  1  Run `make generate` after editing any .proto file")
	p.press("a")
	block, err := recall.Picker(func(s recall.Situation, b recall.Budget, _ bool) ([]recall.Choice, error) {
		return recall.Pick(t.Context(), p.a.fx.Corpus.Index, p.a.fx.Corpus.Store.Reread, s, b)
	}).Whole(recall.Situation{Project: "octofs", Role: "developer", Now: noon}, "", recall.Budget{Lessons: 5})
	if ids := recall.IDs(block); err != nil || len(ids) != 2 || ids[0] != "k7m2p9qx" {
		t.Errorf("a session begins with %v (%v)", ids, err)
	}
}

// In any room the sentence, the person's words, the contradictions and the effect of
// approving are visible.
func TestWhatIsNeverCut(t *testing.T) {
	for _, size := range [][2]int{{60, 16}, {60, 20}, {80, 24}, {84, 24}, {100, 24}, {120, 30}} {
		p := playing(t, fxOn(newCorpus(t, judged(t)...)), size[0], size[1]).press("j", "j")
		p.wants(t, "the card", "you forgot to regenerate", "approve  in octofs", "+24")
		for range 20 {
			p.press("J")
		}
		p.wants(t, "its end", "prompt  comes up")
	}
}
