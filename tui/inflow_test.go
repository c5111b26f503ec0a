package tui

import (
	"io"
	"os"
	"strings"
	"testing"
	"time"
)

// What a terminal answers comes whole, in whatever pieces it was sent, and keys at once.
func TestInflow(t *testing.T) {
	for _, c := range []struct{ pieces, want string }{
		{"a|b|é", "a|b|é"},
		{"\x1b|[A", "\x1b|[A"}, // esc is a key
		{"\x1b[|x", "\x1b[|x"}, // and so is alt+[
		{"\x1b]|x", "\x1b]|x"},
		{"a\x1b]11;rgb:ffff/|ffff/ffff\x1b\\b", "a|\x1b]11;rgb:ffff/ffff/ffff\x1b\\b"},
		{"\x1b]11;rgb:0/0/0\x1b|\\c", "|\x1b]11;rgb:0/0/0\x1b\\c"},
		{"\x1b]11;rgb:0/0/0\ac", "\x1b]11;rgb:0/0/0\ac"},
		{"x\x1b[?62|;22cd", "x|\x1b[?62;22cd"},
		{"\x1b[1;|5|Cq", "||\x1b[1;5Cq"},
		{"\x1bP>xterm|\x1b\\j", "|\x1bP>xterm\x1b\\j"},
		{"\x1b]1\x1b[?6|2c", "\x1b]1|\x1b[?62c"},
		{"\x1b]2;" + strings.Repeat("x", heldMost) + "|y", "\x1b]2;" + strings.Repeat("x", heldMost) + "|y"}, // that is no answer
	} {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		gone := 0
		f := &inflow{File: r, gone: func() { gone++ }, now: func() time.Time { return noon }}
		var got []string
		buf := make([]byte, 4096)
		for _, p := range strings.Split(c.pieces, "|") {
			if _, err := w.WriteString(p); err != nil {
				t.Fatal(err)
			}
			n, err := f.Read(buf)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, string(buf[:n]))
		}
		if all := strings.Join(got, "|"); all != c.want {
			t.Errorf("%q came as %q, want %q", c.pieces, all, c.want)
		}
		w.Close()
		if _, err := f.Read(buf); err != io.EOF || gone != 1 {
			t.Errorf("at the end %v, told %d times", err, gone)
		}
		r.Close()
	}
}

// The beginning of an answer whose rest never comes does not swallow keys for ever.
func TestInflowGivesUp(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	now := noon
	f := &inflow{File: r, gone: func() {}, now: func() time.Time { return now }}
	buf := make([]byte, 64)
	read := func(text string) string {
		t.Helper()
		if _, err := w.WriteString(text); err != nil {
			t.Fatal(err)
		}
		n, err := f.Read(buf)
		if err != nil {
			t.Fatal(err)
		}
		return string(buf[:n])
	}
	if got := read("\x1b]11;rgb"); got != "" {
		t.Errorf("the beginning came as %q", got)
	}
	now = now.Add(heldFor + 1)
	if got := read("q"); got != "\x1b]11;rgbq" {
		t.Errorf("after a while %q", got)
	}
	if got := read("j"); got != "j" {
		t.Errorf("then %q", got)
	}
}

func FuzzInflow(f *testing.F) {
	f.Add("a\x1b]11;rgb:0/0/0\x1b\\b")
	f.Add("\x1b[?62;22")
	f.Fuzz(func(t *testing.T, text string) {
		if n := unanswered([]byte(text)); n < 0 || n > len(text) || n > 0 && (n < 3 || text[len(text)-n] != 0x1b) {
			t.Errorf("%d bytes of %q", n, text)
		}
	})
}
