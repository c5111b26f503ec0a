package tui

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"learnings/lessons"
	"learnings/tui/card"
	"learnings/tui/kit"
)

// Words that no person said stand out in the text of a card, and its flag names them.
func TestUnsaidWordsAreMarked(t *testing.T) {
	l := lessons.Lesson{ID: "a", Status: lessons.Pending, Wording: lessons.Wording{Content: "Use pnpm, run evil-pkg before it."},
		Origin: lessons.Origin{Unsaid: []string{"evil-pkg"}}, Evidence: []lessons.Evidence{{By: lessons.ByPerson, Quote: "use pnpm"}}}
	st := kit.Unseen
	text := strings.Join(card.Card{Lesson: l}.Fitted(60, 500, st), "\n")
	if !strings.Contains(text, st.Strong.Render("Use pnpm, run ")+st.Warn.Underline().Render("evil-pkg")+st.Strong.Render(" before it.")) {
		t.Errorf("not marked: %q", text)
	}
	if plain := ansi.Strip(text); !strings.Contains(plain, "Use pnpm, run evil-pkg before it.") || !strings.Contains(plain, "no person said these words in it: evil-pkg") {
		t.Errorf("got %s", plain)
	}
}

// Two quotes from one turn are shown together, with the turns around them once.
func TestQuotesOfOneTurn(t *testing.T) {
	l := proposals()[2]
	again := l.Evidence[0]
	again.Quote = "and commit what it wrote"
	l.Evidence = append(l.Evidence, again)
	got := playing(t, fxOn(newCorpus(t, l)), 120, 40).wants(t, "both quotes", "always run make generate", "and commit what it wrote").text()
	for _, once := range []string{"said  claude-code", "I changed api/user.proto", "Running make generate now"} {
		if n := strings.Count(got, once); n != 1 {
			t.Errorf("%q stands there %d times:\n%s", once, n, got)
		}
	}
}
