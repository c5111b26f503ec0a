package tui

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/exp/golden"

	"learnings/extractor/transcript"
	"learnings/lessons"
	"learnings/tui/card"
	"learnings/tui/desk"
	"learnings/tui/reader"
)

// worked writes a session with reads, edits, an error and the person's words about it.
func worked(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	n := 0
	put := func(role, content string) {
		n++
		fmt.Fprintf(&b, `{"parentUuid":null,"isSidechain":false,"userType":"external","version":"2.1.0","type":%q,"uuid":"u%d","sessionId":"s1","cwd":"/home/sam/octofs","timestamp":"2026-04-05T14:%02d:00.000Z","message":{"role":%q,"content":%s}}`+"\n", role, n, n, role, content)
	}
	call := func(id, name, input, answer string, failed bool) {
		put("assistant", fmt.Sprintf(`[{"type":"tool_use","id":%q,"name":%q,"input":%s}]`, id, name, input))
		put("user", fmt.Sprintf(`[{"type":"tool_result","tool_use_id":%q,"content":%q,"is_error":%t}]`, id, answer, failed))
	}
	put("user", `"add a field to api/user.proto, please"`)
	call("c1", "Read", `{"file_path":"/home/sam/octofs/api/user.proto"}`, strings.Repeat("message User {}\n", 80), false)
	call("c2", "Read", `{"file_path":"/home/sam/octofs/gen/user.go"}`, "package gen", false)
	call("c3", "Edit", `{"file_path":"/home/sam/octofs/api/user.proto","old_string":"string name = 1;","new_string":"string name = 1;\nstring mail = 2; // \u001b[31mred"}`, "ok", false)
	put("assistant", `[{"type":"text","text":"I changed api/user.proto and the handler.\n\n`+strings.Repeat(`One more line of what was done.\n`, 20)+`"}]`)
	put("user", `"you forgot to regenerate again, always run make generate after proto edits; the token is ghp_0123456789abcdefghijABCDEFGHIJ012345"`)
	call("c4", "Bash", `{"command":"make generate"}`, "Exit code 2: protoc: command not found", true)
	put("assistant", `[{"type":"text","text":"protoc is not installed here."}]`)
	put("user", `"then install it \u202eevil"`)
	call("c5", "Bash", `{"command":"apt-get install protobuf-compiler"}`, "done", false)
	path := filepath.Join(t.TempDir(), "s1.jsonl")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// reading opens the evidence of a proposal; a second proposal waits.
func reading(t *testing.T, w, h int) (*play, *corpus) {
	t.Helper()
	fx, c := fxReading(t)
	return playing(t, fx, w, h).press("enter"), c
}

func fxReading(t *testing.T) (desk.Desk, *corpus) {
	t.Helper()
	l, second := proposals()[0], proposals()[2]
	path := worked(t)
	l.Evidence[0].Path, l.Evidence[0].Line, second.Evidence[0].Path, second.Evidence[0].Line = path, 9, path, 13
	c := newCorpus(t, l, second)
	fx := fxOn(c)
	fx.Project = func(dir string) string { return filepath.Base(dir) }
	fx.Clean = func(s string) string {
		return strings.ReplaceAll(s, "ghp_0123456789abcdefghijABCDEFGHIJ012345", "[REDACTED]")
	}
	return fx, c
}

func TestReaderLooks(t *testing.T) {
	t.Run("unfolded", func(t *testing.T) {
		p, _ := reading(t, 120, 40)
		golden.RequireEqual(t, p.press("t", "g", "v", "j", "j").text())
	})
}

// lacks fails if a text is on the screen.
func (p *play) lacks(what string, not ...string) *play {
	p.t.Helper()
	for _, n := range not {
		if got := p.text(); strings.Contains(got, n) {
			p.t.Fatalf("%s: %q in:\n%s", what, n, got)
		}
	}
	return p
}

// Tools are folded by name, with number and size. An edit unfolds to a diff, and a failed
// call is open.
func TestReaderFoldsTools(t *testing.T) {
	p, _ := reading(t, 120, 60)
	p.wants(t, "folded", "▸ Read ×2, Edit user.proto and 2 more", "✗ Bash make generate", "command not found", "more lines").lacks("folded", "string mail")
	p.press("g", "j", "z").wants(t, "z", "▾ Read ×2, Edit", "- string name = 1;", "+ string mail = 2;")
	if strings.Contains(p.a.View().Content, "\x1b[31mred") {
		t.Error("an escape sequence of the transcript reaches the terminal")
	}
	p.press("enter").lacks("folded again", "string mail").press("t").wants(t, "t", "string mail")
	p.press("e", "!").wants(t, "! goes to the error", "line 10 of 15")
}

func TestReaderGoesFromPersonToPerson(t *testing.T) {
	p, _ := reading(t, 120, 30)
	p.wants(t, "opened", "what the person said", "turn 2 of 3 · line 9 of 15")
	p.press("}").wants(t, "}", "turn 3 of 3 · line 13")
	p.press("}").wants(t, "} at the end", "the person said nothing further", "turn 3 of 3")
	p.press("{", "{").wants(t, "{", "turn 1 of 3 · line 1 ").press("e").wants(t, "e", "line 9 of")
}

func TestReaderFinds(t *testing.T) {
	p, _ := reading(t, 100, 30)
	p.press("/").wants(t, "/", "enter find").press(strings.Split("PROTOC", "")...).press("enter").wants(t, "found", "line 10 of")
	p.press("n").wants(t, "n", "line 12 of").press("N").wants(t, "N", "line 10 of")
	p.press("/").typed("nowhere").press("enter").wants(t, "without a hit", "“nowhere” is not found further on", "line 10 of")
	p.press("/", "esc").wants(t, "esc ends typing only", "line 10 of")
}

// The reader decides as Review does, and then opens the next proposal.
func TestReaderDecides(t *testing.T) {
	p, c := reading(t, 120, 30)
	p.wants(t, "opened", "line 9 of 15", "a x i")
	p.press("a").wants(t, "approved", "✓ approved", "◆ evidence", "line 13 of 15")
	if got := c.get("p2r7e4fx").Status; got != lessons.Approved {
		t.Errorf("the first is %s", got)
	}
	p.press("i").wants(t, "i", "nothing changed yet").press("esc", "x").wants(t, "rejected", "✗ rejected").lacks("the last one", "◆ evidence")
	if got := c.get("k7m2p9qx").Status; got != lessons.Rejected {
		t.Errorf("the second is %s", got)
	}
	if got := p.press("u").text(); !strings.Contains(got, "undone") {
		t.Errorf("undo:\n%s", got)
	}
}

// Elsewhere, keys decide on the lesson that quotes the item under the cursor, or say that
// none does.
func TestReaderDecidesFromSessions(t *testing.T) {
	p, c := reading(t, 120, 30)
	l := c.get("p2r7e4fx")
	p.press("esc", "alt+3")
	o := desk.ReadAt(lessons.Evidence{Agent: "claude-code", Session: l.Evidence[0].Session, Path: l.Evidence[0].Path})
	next, cmd := p.a.do(o)
	p.a = next
	p.send(messages(cmd)...)
	p.wants(t, "opened", "◇ pref sure pending", "line 1 of 15").lacks("no lesson is there", "a x i")
	p.press("a").wants(t, "a", "no lesson quotes what is under the cursor").press("}").wants(t, "}", "line 9 of", "decide")
	p.press("a").wants(t, "approved", "✓ approved", "◇ pref sure approved", "line 9 of")
	if got := c.get("p2r7e4fx").Status; got != lessons.Approved {
		t.Errorf("it is %s", got)
	}
	p.press("}", "x").wants(t, "x", "reject").press("enter")
	if got := c.get("k7m2p9qx").Status; got != lessons.Rejected {
		t.Errorf("the second is %s\n%s", got, p.text())
	}
}

func TestReaderDecidesFromBrowse(t *testing.T) {
	p, c := reading(t, 120, 30)
	p.press("esc", "alt+2", "f", "enter").wants(t, "opened", "◆ evidence", "a x i decide")
	p.press("a").wants(t, "approved", "✓ approved")
	if ls := c.all(); !slices.ContainsFunc(ls, func(l lessons.Lesson) bool { return l.Status == lessons.Approved }) {
		t.Errorf("none is approved: %v", ls)
	}
}

// A lesson made by hand waits in the queue, with redacted evidence.
func TestReaderMakesALesson(t *testing.T) {
	p, c := reading(t, 120, 30)
	p.press("v", "j", "L").wants(t, "L", "lesson of 2 turns")
	p.press("esc").press("L").typed("Install protoc first").press("enter").wants(t, "made", "✓ proposed “Install protoc first”")
	for _, l := range c.all() {
		if l.Content != "Install protoc first" {
			continue
		}
		if l.Status != lessons.Pending || l.Origin.Extractor != "person" || l.Scope.Project != "octofs" || len(l.Evidence) != 2 {
			t.Fatalf("made %+v", l)
		}
		if said := l.Evidence[0]; said.By != lessons.ByPerson || said.Line != 9 || strings.Contains(said.Quote, "ghp_") || !strings.Contains(said.Quote, "[REDACTED]") {
			t.Errorf("it quotes %+v", said)
		}
		if failed := l.Evidence[1]; failed.By != lessons.ByTool || !strings.Contains(failed.Quote, "protoc") {
			t.Errorf("it quotes %+v", failed)
		}
		p.press("esc").wants(t, "in the queue", "Install protoc first")
		return
	}
	t.Fatal("no lesson was made")
}

// A failed one of several parallel calls is shown by itself, and the others keep their
// results.
func TestReaderPartsCallsThatFailed(t *testing.T) {
	ask := func(line int, id string) transcript.Turn {
		return transcript.Turn{Line: line, Speaker: transcript.Agent, Kind: transcript.Call, Tool: &transcript.ToolCall{ID: id, Name: "Read"}}
	}
	answer := func(line int, id string, failed bool) transcript.Turn {
		return transcript.Turn{Line: line, Speaker: transcript.Tool, Kind: transcript.Result, Failed: failed, Text: id, Tool: &transcript.ToolCall{ID: id}}
	}
	p := reader.Part{Turns: []transcript.Turn{ask(1, "a"), ask(1, "b"), ask(1, "c"), answer(2, "a", false), answer(3, "b", true), answer(4, "c", false), answer(5, "unknown", true)}}
	got := p.Items(-1)
	if len(got) != 3 || len(got[0].Calls) != 2 || got[0].Calls[1].Answer != 5 || !got[1].Failed || got[1].Calls[0] != (reader.Call{Asked: 1, Answer: 4}) || !got[2].Failed {
		t.Errorf("got %+v", got)
	}
}

// An agent's text is shown without the signs of Markdown that are noise, whether its lines
// were kept or not, and without losing a word.
func TestUnmarked(t *testing.T) {
	for text, want := range map[string]string{
		"Now:\n```go\nx := 1\n```\n## Done\n**all** of `it`": "Now:\nx := 1\nDone\nall of `it`",
		"```go x := 1 ``` is said":                           "go x := 1  is said",
		"| A | B |\n|---|:--|\n| 1 | 2 |":                    "| A | B |\n| 1 | 2 |",
		"| A | B | |----|---| | 1 | 2 |":                     "| A | B | | 1 | 2 |",
		"a --- b | c":                                        "a --- b | c",
	} {
		if got := card.Unmarked(text); got != want {
			t.Errorf("%q is shown as %q, want %q", text, got, want)
		}
	}
}
