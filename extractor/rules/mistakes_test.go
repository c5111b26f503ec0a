package rules

import (
	"strings"
	"testing"

	"learnings/extractor/transcript"
)

func TestStable(t *testing.T) {
	for _, c := range [][]string{
		{"src/a/cart.go:12:5: undefined: Foo", "/home/ann/work/cart.go:133:17: undefined: Foo"},
		{"2026-04-05T14:30:00.123Z dial tcp 127.0.0.1:5432: connect: refused", "2025-01-02 03:04:05 dial tcp 127.0.0.1:15432: connect: refused"},
		{"open /tmp/go-build123/x: no such file", "open /private/tmp/abc.d/y: no such file", "open /var/folders/q1/T/z: no such file"},
		{"could not apply fb89908... x", "could not apply 01a2b3c4d... x"},
		{"session 0b51d8e2-aaaa-bbbb-cccc-000000000001 is gone", "session 11111111-2222-3333-4444-555555555555 is gone"},
		{`C:\Users\ann\x\main.py: bad`, `D:\work\main.py: bad`},
		{"\x1b[31mError: port 3000 in use\x1b[0m", "error: port 80 in use"},
	} {
		for _, s := range c[1:] {
			if a, b := Stable(c[0]), Stable(s); a != b {
				t.Errorf("%q and %q:\n%q\n%q", c[0], s, a, b)
			}
		}
	}
	if a, b := Stable("undefined: Foo"), Stable("undefined: Bar"); a == b {
		t.Errorf("two errors are one: %q", a)
	}
}

func TestMistakeOf(t *testing.T) {
	turn := func(tool, command, text string) *transcript.Turn {
		return &transcript.Turn{Kind: transcript.Result, Speaker: transcript.Tool, Failed: true, Text: text, Tool: &transcript.ToolCall{Name: tool, Command: command}}
	}
	for _, c := range []struct {
		turn         *transcript.Turn
		doing, error string
	}{
		{turn("Bash", "cd /x && FOO=1 go test ./...", "Exit code 1\n# learnings/x\nx.go:1:2: undefined: y\nFAIL"), "go test", "x.go:1:2: undefined: y"},
		{turn("exec_command", "bash -lc 'pytest -q'", "Traceback (most recent call last):\n  File \"a.py\", line 3, in <module>\n    raise\nValueError: no rows\n"), "pytest", "ValueError: no rows"},
		{turn("Edit", "", "<tool_use_error>File has not been read yet. Read it first before writing to it.</tool_use_error>"), "edit", "File has not been read yet. Read it first before writing to it."},
		{turn("Bash", "git rebase origin/main", "Rebasing (1/2)\rRebasing (2/2)\rerror: could not apply fb89908... fix"), "git rebase", "error: could not apply fb89908... fix"},
		{turn("Bash", "git config x", "Exit code 1"), "", ""},
		{turn("Bash", "eslint .", "Found 3 errors\nUnexpected any\n"), "eslint", "Unexpected any"},
	} {
		m, ok := MistakeOf(c.turn)
		if ok != (c.error != "") || m.Doing != c.doing || m.Error != c.error {
			t.Errorf("%q: %v %+v", c.turn.Text, ok, m)
		}
	}
	for _, other := range []transcript.Turn{{}, {Failed: true}, {Failed: true, Refused: true, Kind: transcript.Result, Text: "error: x", Tool: &transcript.ToolCall{}}} {
		if m, ok := MistakeOf(&other); ok {
			t.Errorf("%+v is a mistake: %+v", other, m)
		}
	}
}

func FuzzMistake(f *testing.F) {
	f.Add("go test ./...", "Exit code 1\nx.go:1:2: undefined: y")
	f.Add("bash -lc '", "\x1b[31m│ error\r\n/tmp/ 2026-01-01 0xff")
	f.Add("bash -x", "\xff\xfe")
	f.Add("\xb3\xcb", strings.Repeat("\x96", 1000)+"0A")
	f.Fuzz(func(t *testing.T, command, text string) {
		turn := transcript.Turn{Kind: transcript.Result, Failed: true, Text: text, Tool: &transcript.ToolCall{Name: "Bash", Command: command}}
		m, ok := MistakeOf(&turn)
		if ok && (m.Doing == "" || m.Error == "" || len(m.Print) > maxPrint+70) {
			t.Fatalf("%+v", m)
		}
		if s := Stable(text); len(s) > maxPrint {
			t.Fatalf("%d bytes", len(s))
		}
	})
}
