package doctor

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"

	"learnings/cmd/internal/term"
)

// TestExamine checks that every question gets an answer, in order, even if it panics or
// hangs.
func TestExamine(t *testing.T) {
	block := make(chan struct{})
	defer close(block)
	got := Examine(t.Context(), 20*time.Millisecond, []Question{
		{"one", "a", func(_ context.Context, r *Reply) { r.Fine("%d", 1); r.Also("b", Note, "type x", "two") }},
		{"two", "deaf", func(context.Context, *Reply) { <-block }},
		{"two", "mad", func(context.Context, *Reply) { panic("\x1b[31mno") }},
		{"three", "silent", func(context.Context, *Reply) {}},
		{"four", "late", func(ctx context.Context, r *Reply) {
			<-ctx.Done()
			r.Bad("", "the program said nothing")
		}},
	})
	want := Findings{
		{"one", "a", OK, "1", ""}, {"one", "b", Note, "two", "type x"},
		{"two", "deaf", Wrong, "no answer within 20ms", ""}, {"two", "mad", Wrong, "looking at it failed: \x1b[31mno", ""},
		{"four", "late", Wrong, "the program said nothing", ""},
	}
	if len(got) != len(want) {
		t.Fatalf("%d checks: %v", len(got), got)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("%+v, want %+v", got[i], want[i])
		}
	}
	if err := got.Err(); err == nil || err.Error() != "3 things are wrong" {
		t.Errorf("error %v", err)
	}
	if err := (Findings{{State: Note}}).Err(); err != nil {
		t.Errorf("a note is an error: %v", err)
	}
}

// TestTerminal checks that a page is aligned, wrapped to the window, and free of control
// characters from files and programs.
func TestTerminal(t *testing.T) {
	f := Findings{
		{"corpus", "lessons", OK, "12 lessons in ~/.local/share/learnings", ""},
		{"corpus", "sync", Note, strings.Repeat("words and ", 12) + "\x1b[2J\nend", "`learnings sync`"},
		{"Claude Code", "hooks", Wrong, "none", "`learnings setup claude`"},
	}
	var b bytes.Buffer
	f.Terminal(&term.Page{W: &b, Width: 60})
	text := b.String()
	if strings.Contains(text, "\x1b") {
		t.Errorf("an escape sequence in %q", text)
	}
	for line := range strings.Lines(text) {
		if n := len([]rune(strings.TrimSuffix(line, "\n"))); n > 60 {
			t.Errorf("%d columns: %q", n, line)
		}
	}
	for _, want := range []string{
		"corpus\n  ok     lessons     12 lessons in", "\n                     words and", "\n                   → `learnings sync`\n",
		"\n\nClaude Code\n  wrong  hooks       none\n", "\n1 wrong · 1 note · 1 ok\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	b.Reset()
	f[:1].Terminal(&term.Page{W: &b, Width: 60})
	if !strings.HasSuffix(b.String(), "\nall well: 1 check\n") {
		t.Errorf("%s", b.String())
	}
}
