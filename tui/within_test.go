package tui

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"learnings/lessons"
	"learnings/tui/kit"
	"learnings/tui/reader"
)

// checklist writes a session in which the person pastes sixty lines, one of which is a
// lesson.
func checklist(t *testing.T, l lessons.Lesson) lessons.Lesson {
	t.Helper()
	var text strings.Builder
	for i := range 60 {
		if fmt.Fprintf(&text, "Step %d of the release checklist.\n", i+1); i == 44 {
			fmt.Fprintf(&text, "\nSafety:\n- %s.\n- Never amend.\n", l.Content)
		}
	}
	line, err := json.Marshal(map[string]any{"parentUuid": nil, "isSidechain": false, "userType": "external", "version": "2.1.0", "type": "user", "uuid": "u1", "sessionId": "s1",
		"cwd": "/home/sam/shop", "timestamp": "2026-04-05T14:30:00.000Z", "message": map[string]any{"role": "user", "content": text.String()}})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "s1.jsonl")
	if err := os.WriteFile(path, append(line, '\n'), 0o600); err != nil {
		t.Fatal(err)
	}
	l.Evidence[0].Path, l.Evidence[0].Line, l.Evidence[0].Quote = path, 1, l.Content+"."
	return l
}

// A quoted line of a long turn is shown with the lines around it: on the card, beside it,
// and in the session.
func TestQuoteWithinALongTurn(t *testing.T) {
	l := checklist(t, proposals()[0])
	p := playing(t, fxOn(newCorpus(t, l)), 120, 40)
	p.wants(t, "the card", "person ▎… ", "Safety: - [the sentence, word for word]", "Step 46")
	p.press("o").wants(t, "the session", "◆ ▎- Prefer table tests.", "▎Safety:", "Step 48")
	if strings.Contains(p.text(), "Step 30 of") {
		t.Errorf("it opens at the head of the turn:\n%s", p.text())
	}
	p.press("g").wants(t, "its head", "Step 1 of", "Step 2 of").press("e").wants(t, "back", "▎- Prefer table tests.")
	playing(t, fxOn(newCorpus(t, l)), 200, 60).wants(t, "beside the card", "◆ this lesson", "▎… ", "Safety: - Prefer table tests")
}

func TestWithin(t *testing.T) {
	for _, test := range []struct{ text, quote, want string }{
		{"Run it.\n  Do not\n push. Then stop.", "do not push", "Do not\n push"},
		{"Der Ärger: Über\u00a0alles prüfen.", "über alles", "Über\u00a0alles"},
		{"a", "", ""},
		{"short", "something else", ""},
		{"First set the token of the staging account to hunter2 before you run the release script, then run it.", "Set the token of the staging account to [REDACTED] before you run the release script", "set the token of the staging account to hunter2 before you run the release script"},
		{"First set the token of the staging account to hunter2. Then run it.", "Set the token of the staging account to …", "set the token of the staging a"},
	} {
		from, to, ok := kit.Within(test.text, test.quote)
		if got := test.text[from:to]; ok != (test.want != "") || got != test.want {
			t.Errorf("%q in %q: %q, %v", test.quote, test.text, got, ok)
		}
	}
}

// Within returns a range of the text for any input.
func FuzzWithin(f *testing.F) {
	f.Add("Run it.\n  Do not\n push. Then stop.", "do not push")
	f.Add("\xff\xfeä ß İ", "ß")
	f.Fuzz(func(t *testing.T, text, quote string) {
		from, to, ok := kit.Within(text, quote)
		if from < 0 || to > len(text) || from > to || ok && from == to {
			t.Fatalf("%d to %d of %d", from, to, len(text))
		}
		if utf8.ValidString(text) && !utf8.ValidString(text[from:to]) {
			t.Errorf("%q of %q", text[from:to], text)
		}
		for _, n := range []int{0, 1, 40} {
			kit.AroundQuote(text, quote, "it", n)
			reader.NearQuoted(text, quote, n)
		}
		kit.LinesOf(strings.Split(text, "\n"), quote)
	})
}
