package tui

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"learnings/lessons"
)

// session writes a session in which the person speaks on every fourth line.
func session(t *testing.T, n int) string {
	t.Helper()
	var b strings.Builder
	for i := 1; i <= n; i++ {
		role, content := "assistant", fmt.Sprintf(`[{"type":"text","text":"answer %d"}]`, i)
		if i%4 == 1 {
			role, content = "user", fmt.Sprintf(`"words %d \u001b[31mred"`, i)
		}
		fmt.Fprintf(&b, `{"parentUuid":null,"isSidechain":false,"userType":"external","version":"2.1.0","type":%q,"uuid":"u%d","sessionId":"s1","cwd":"/home/sam/shop","timestamp":"2026-04-05T14:30:00.000Z","message":{"role":%q,"content":%s}}`+"\n", role, i, role, content)
	}
	path := filepath.Join(t.TempDir(), "s1.jsonl")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestReaderOpensAtTheEvidence(t *testing.T) {
	l := proposals()[2]
	l.Evidence[0].Path, l.Evidence[0].Line = session(t, 4000), 3001
	p := playing(t, fxOn(newCorpus(t, l)), 90, 30).press("enter")
	got := p.text()
	if !strings.Contains(got, "words 3001 red") || !strings.Contains(got, "◆ evidence 1 of 1") || strings.Contains(got, "words 2993") {
		t.Fatalf("opened at another place:\n%s", got)
	}
	if strings.Contains(p.a.View().Content, "\x1b[31mred") {
		t.Error("an escape sequence of the transcript reaches the terminal")
	}
	p.press("}")
	if got := p.text(); !strings.Contains(got, "words 3005") {
		t.Errorf("} does not go to the next words of the person:\n%s", got)
	}
	p.press("g")
	if got := p.text(); !strings.Contains(got, "turns before") {
		t.Errorf("the top does not say that turns are left out:\n%s", got)
	}
	if got := p.text(); got != p.text() {
		t.Errorf("drawn again it looks different:\n%s\n%s", got, p.text())
	}
	p.press("esc")
	if got := p.text(); !strings.Contains(got, "likely 1") {
		t.Errorf("esc does not go back:\n%s", got)
	}
}

func TestReaderFallsBackOnTheSnapshot(t *testing.T) {
	l := proposals()[2]
	l.Evidence[0].Path = filepath.Join(t.TempDir(), "gone.jsonl")
	got := playing(t, fxOn(newCorpus(t, l)), 100, 30).press("o").text()
	for _, want := range []string{"gone.jsonl", "This is what was kept of it", "always run make generate after proto edits", "I changed api/user.proto"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in:\n%s", want, got)
		}
	}
}

// tab goes round all the places that taught a lesson.
func TestReaderGoesRoundTheEvidence(t *testing.T) {
	l := proposals()[2]
	path := session(t, 400)
	first, second := l.Evidence[0], l.Evidence[0]
	first.Path, first.Line, second.Path, second.Line = path, 301, path, 41
	l.Evidence = []lessons.Evidence{first, second}
	p := playing(t, fxOn(newCorpus(t, l)), 100, 30).press("enter")
	for _, want := range []struct{ key, title, words string }{
		{"tab", "evidence 2 of 2", "words 41 "}, {"tab", "evidence 1 of 2", "words 301 "}, {"shift+tab", "evidence 2 of 2", "words 41 "},
	} {
		if got := p.press(want.key).text(); !strings.Contains(got, want.title) || !strings.Contains(got, want.words) {
			t.Errorf("%s does not show %s:\n%s", want.key, want.title, got)
		}
	}
}

// A search covers the whole session, not only the loaded turns.
func TestReaderSearchesAllTurns(t *testing.T) {
	l := proposals()[2]
	l.Evidence[0].Path, l.Evidence[0].Line = session(t, 9000), 5001
	p := playing(t, fxOn(newCorpus(t, l)), 100, 30).press("enter")
	p.press("/").typed("answer 8888").press("enter").wants(t, "far behind", "hit 1 of 1", "line 8,888 of 9,000", "answer 8888")
	p.press("/").typed("words 13").press("enter").wants(t, "before", "is on 28 lines, N goes back")
	p.press("N").wants(t, "N", "hit 28 of 28", "line 1,397 of 9,000")
	p.press("/").typed("answer 14").press("enter").wants(t, "on", "line 1,400 of")
	p.press("n").wants(t, "n", "line 1,402 of").press("N").wants(t, "N", "line 1,400 of")
}
