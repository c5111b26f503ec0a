package tui

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"

	"learnings/lessons"
)

// conversation writes a transcript in which a person corrects an agent.
func conversation(t testing.TB) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "0b51d8e2-7c1f-4e6a-9d3b-5a2f1c8e7d90.jsonl")
	var b strings.Builder
	n := 0
	put := func(kind, content string) {
		n++
		fmt.Fprintf(&b, `{"parentUuid":null,"isSidechain":false,"userType":"external","version":"2.1.0","type":%q,"uuid":"u%d","sessionId":"0b51d8e2-7c1f-4e6a-9d3b-5a2f1c8e7d90","cwd":"/src/octofs","timestamp":"2026-04-06T0%d:%02d:00.000Z","message":{"role":%q,"content":%s}}`+"\n", kind, n, 8+n/60, n%60, kind, content)
	}
	person := func(s string) { put("user", strconv.Quote(s)) }
	agent := func(s string) { put("assistant", fmt.Sprintf(`[{"type":"text","text":%q}]`, s)) }
	tool := func(name, input, answer string, failed bool) {
		put("assistant", fmt.Sprintf(`[{"type":"tool_use","id":"t%d","name":%q,"input":%s}]`, n, name, input))
		put("user", fmt.Sprintf(`[{"type":"tool_result","tool_use_id":"t%d","is_error":%v,"content":%q}]`, n-1, failed, answer))
	}
	person("Please add an owner field to the user message of the API")
	tool("Read", `{"file_path":"/src/octofs/api/user.proto"}`, "message User {}", false)
	tool("Edit", `{"file_path":"/src/octofs/api/user.proto","old_string":"{}","new_string":"{ string owner = 4; }"}`, "ok", false)
	tool("Bash", `{"command":"go test ./api/..."}`, "FAIL: undefined: Owner", true)
	agent("I changed **api/user.proto** and the handler. The tests of the client fail, which has nothing to do with the field.")
	person("you forgot to regenerate again, always run make generate after proto edits")
	agent("You are right: the generated client is stale. Running make generate now.")
	tool("Bash", `{"command":"make generate && go test ./..."}`, "ok", false)
	agent("All tests pass. The client has the field, and CI compares it with what is checked in.")
	person("make generate after editing the .proto file of the docs, too")
	agent("Done.")
	person("thanks, commit this please")
	for i := range 20 {
		agent(fmt.Sprintf("Commit %d of 20 is made.", i+1))
	}
	if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// judged returns proposals. One comes from an existing transcript and has Markdown.
func judged(t testing.TB) []lessons.Lesson {
	ls := proposals()
	gen := &ls[2]
	gen.Insight = "The generated client is checked in, and CI compares it:\n\n- `make generate` writes **all** of `gen/`\n- a stale client fails `go test ./api`"
	gen.Evidence[0].Path, gen.Evidence[0].Session, gen.Evidence[0].Line = conversation(t), "0b51d8e2-7c1f-4e6a-9d3b-5a2f1c8e7d90", 9
	also := ls[0]
	also.ID, also.Content = "m4k5g6nn", "Regenerate the docs after an edit of a .proto file, too"
	also.Evidence = []lessons.Evidence{{Agent: "claude-code", Session: gen.Evidence[0].Session, Path: gen.Evidence[0].Path, Line: 14, By: lessons.ByPerson, From: "human", At: noon, Quote: "make generate after editing the .proto file of the docs, too"}}
	also.Tags = []string{"codegen"}
	also.Created = noon.AddDate(0, 0, -9)
	return append(ls, also)
}

func TestDialogsLook(t *testing.T) {
	afterKeys(t, over(t, proposals), 100, 30, map[string][]string{
		"diff":    {"j", "j", "d"},
		"why":     {"r"},
		"why-all": {"*", "r", "/", "n", "o"},
		"confirm": {"*", "a"},
		"line":    {"i"},
		"history": {"j", "j", "-", "i", "!", "ctrl+s", "H", "j"},
		"merge":   {"j", "j", "m"},
		"merge-3": {"space", "space", "space", "m"},
		"help":    {"?"},
		"palette": {":", "r", "e", "j"},
		"filter":  {"/", "n", "p", "m"},
		"nothing": {"/", "z", "z", "enter"},
		"unclear": {"/", "c", "o", "n", "f", ":", "x"},
	})
}

func TestEmptyQueueSaysWhatToDo(t *testing.T) {
	golden.RequireEqual(t, playing(t, fxOn(newCorpus(t)), 80, 24).text())
}

// hostile returns a lesson whose every text tries to break out of its place.
func hostile() lessons.Lesson {
	bad := "\x1b]0;owned\a\x1b[2J\x1b[31mred\x1b[0m \u202eesrever\u202c 日本語の学習メモ 👩\u200d👩\u200d👧\u200d👦 e\u0301\u0301\u0301 שלום \x07\x9b31m a\tb\r\nc \u200bzero"
	l := proposals()[2]
	l.ID, l.Content, l.Insight, l.Example = "h2o3s4t5", bad+" "+strings.Repeat("長い言葉", 60), bad, bad
	l.Category, l.Scope.Project, l.Scope.Role = lessons.Category(bad), bad, bad
	l.Tags, l.Triggers, l.Origin.Rule, l.Origin.Extractor = []string{bad}, []string{bad}, bad, bad
	l.Evidence[0].Quote, l.Evidence[0].Agent, l.Evidence[0].Session, l.Evidence[0].From = bad, bad, bad, bad
	l.Evidence[0].Before, l.Evidence[0].After = []string{bad, bad}, []string{bad}
	return l
}

func TestHostileTextIsHarmless(t *testing.T) {
	p := playing(t, fxOn(newCorpus(t, hostile())), 100, 30)
	golden.RequireEqual(t, p.text())
}

// Every screen at any size has as many lines as the terminal, none wider, and only escape
// sequences that set styles.
func TestFramesHold(t *testing.T) {
	other := proposals()[0]
	other.Tags = hostile().Tags
	for _, keys := range [][]string{{}, {"r"}, {"r", "/"}, {"x"}, {"m"}, {"i"}, {"?"}, {":"}, {"/", "h"}, {"*", "a"}, {"enter"}, {"tab"}, {"tab", "tab"}, {"d", "J", "J"}} {
		p := playing(t, fxOn(newCorpus(t, hostile(), other)), 100, 30)
		p.press("j").holds(t, keys, []int{1, 2, 20, 40, 41, 59, 60, 83, 84, 85, 110, 149}, []int{1, 5, 10, 11, 16, 40})
	}
}

// holds checks that a screen fits its frame at some sizes after some keys.
func (p *play) holds(t *testing.T, keys []string, ws, hs []int) {
	t.Helper()
	p.press(keys...)
	for _, w := range ws {
		for _, h := range hs {
			p.send(tea.WindowSizeMsg{Width: w, Height: h})
			frame(t, p, w, h, keys)
		}
	}
}

func frame(t *testing.T, p *play, w, h int, keys []string) {
	t.Helper()
	lines := strings.Split(p.a.View().Content, "\n")
	if len(lines) > h {
		t.Fatalf("%d×%d after %q: %d lines", w, h, keys, len(lines))
	}
	for i, l := range lines {
		if n := ansi.StringWidth(l); n > w {
			t.Fatalf("%d×%d after %q: line %d is %d wide: %q", w, h, keys, i, n, l)
		}
		if rest := looks.Replace(l); strings.ContainsAny(ansi.Strip(l), "\x1b\x07\u009b\u202e\u200b") || strings.Contains(rest, "owned") || strings.Contains(rest, "\x1b]") || strings.Contains(rest, "\x1b[2J") {
			t.Fatalf("%d×%d after %q: line %d lets something through: %q", w, h, keys, i, l)
		}
	}
}

var looks = strings.NewReplacer("\x1b[m", "", "\x1b[0m", "")

// A resize keeps the lesson and the scroll position of its card.
func TestResizeKeepsThePlace(t *testing.T) {
	p := playing(t, fxOn(newCorpus(t, proposals()...)), 60, 16)
	p.press("j", "j", "J")
	was, top := p.a.review.Rows[p.a.review.Cur.At].ID, p.a.review.Card.Top
	if top == 0 {
		t.Fatal("the card did not scroll")
	}
	for _, s := range [][2]int{{20, 5}, {1, 1}, {200, 60}, {83, 24}, {60, 16}} {
		p.send(tea.WindowSizeMsg{Width: s[0], Height: s[1]})
	}
	if now := p.a.review.Rows[p.a.review.Cur.At].ID; now != was {
		t.Errorf("the cursor went from %s to %s", was, now)
	}
}

// Without colours, bold still marks what is current.
func TestNoColour(t *testing.T) {
	s := start(t, newApp(t.Context(), fxOn(newCorpus(t, proposals()...))), 100, 30, "NO_COLOR=1")
	s.wait("Review 5", "Prefer table tests")
	s.quit()
	if got := s.raw.String(); colour.MatchString(got) {
		t.Errorf("a colour: %q", colour.FindString(got))
	} else if !strings.Contains(got, "\x1b[1m") {
		t.Errorf("nothing is bold: %q", got)
	}
}

var colour = regexp.MustCompile(`\x1b\[(?:[0-9;]*;)?(?:3[0-8]|4[0-8]|9[0-7])(?:;[0-9;]*)?m`)

func TestBrowseLooks(t *testing.T) {
	afterKeys(t, over(t, library), 100, 30, map[string][]string{
		"facets": {"tab", "h", "j", "j", "space"}, "views": {"tab", "'"}, "typing": {"tab", "/", "p", "n"},
	})
}
