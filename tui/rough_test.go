package tui

import (
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"learnings/lessons"
	"learnings/tui/card"
	"learnings/tui/kit"
)

// A sentence of any length is visible while it is edited, and triggers from a misspelt
// word disappear with it.
func TestEditALongSentence(t *testing.T) {
	ls := proposals()
	ls[0].Content = "Prefer tabel tests " + strings.Repeat("with a name for every case that says what it is about ", 4) + "and a last word"
	ls[0].Triggers = []string{"tabel", "tests", "go test"}
	p := at(t, 100, 30, ls)
	p.press("i")
	got := p.wait("the evidence", "Prefer tabel tests", "and a last word")
	var left strings.Builder
	for line := range strings.Lines(got) {
		field, _, _ := strings.Cut(line, "│")
		left.WriteString(strings.ReplaceAll(field, "▌", " "))
	}
	if n := strings.Count(strings.Join(strings.Fields(left.String()), " "), "with a name for every case"); n < 4 {
		t.Errorf("not all of the sentence is in sight:\n%s", got)
	}
	p.press("home", "ctrl+k") // the field's own keys
	p.write("Prefer table tests").see("-tabel")
	p.press("ctrl+s").see("✓ edited", "no longer shows when: tabel")
	if l := p.status("p2r7e4fx", lessons.Pending); l.Content != "Prefer table tests" || !slices.Equal(l.Triggers, []string{"tests", "go test"}) {
		t.Errorf("%q is found by %q", l.Content, l.Triggers)
	}
	p.press("u").see("✓ undone: edited “Prefer tabel tests")
	p.quit()
}

// The notes of undo and redo name the decision.
func TestUndoNamesWhatItTakesBack(t *testing.T) {
	p := at(t, 120, 30, proposals())
	p.press("j", "j", "j", "-").see("✓ confidence likely")
	p.press("a").see("Review 4", "✓ approved")
	p.press("u").see("Review 5", "✓ undone: approved “Use pnpm instead of npm")
	p.press("u").see("✓ undone: edited “Use pnpm instead of npm", "━ sure")
	p.press("ctrl+r").see("✓ redone: edited “Use pnpm instead of npm", "─ likely")
	p.press("g", "*", "a", "y")
	p.wait("✓ approved 4 lessons") // the fifth must be looked at by itself
	p.press("u").see("✓ undone: approved 4 lessons", "Review 5")
	p.quit()
}

// The end of a long filter is visible while the person types, and the character under the
// cursor when it moves back.
func TestLongFilterScrolls(t *testing.T) {
	p := playing(t, fxOn(newCorpus(t, proposals()...)), 100, 30).press("/")
	p.typed(strings.Repeat("words ", 12) + "theend")
	p.wants(t, "typed blind", "theend")
	p.press("home")
	if got := p.text(); !strings.Contains(got, "/ words words") || strings.Contains(got, "theend") {
		t.Errorf("the beginning is not in sight:\n%s", got)
	}
}

// A style continues after a line break, also within a word.
func TestBrokenLinesKeepTheirLook(t *testing.T) {
	st := kit.Unseen
	long := strings.Repeat("x", 50)
	for i, l := range kit.Wrap(card.WordDiff("short", long+" and more", st), 20) {
		if strings.Contains(l, "xx") && !strings.Contains(l, "\x1b[") {
			t.Errorf("line %d has lost its colour: %q", i+1, l)
		}
		if ansi.StringWidth(l) > 20 {
			t.Errorf("line %d is too wide: %q", i+1, l)
		}
	}
}

// The palette lists commands that are off after the others, with the reason.
func TestPaletteSaysWhyNot(t *testing.T) {
	p := playing(t, fxOn(newCorpus(t, proposals()...)), 120, 30).press(":").typed("next, previous hit")
	p.wants(t, "the palette", "not now: no filter is set")
	if got := p.press("enter").text(); !strings.Contains(got, "next, previous hit: no filter is set") {
		t.Errorf("chosen all the same:\n%s", got)
	}
}
