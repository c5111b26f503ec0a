package lessons

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestBlock(t *testing.T) {
	for name, c := range map[string]struct{ in, want string }{
		"plain":                 {"a\nb", "a\nb"},
		"tab":                   {"a\tb", "a    b"},
		"colours":               {"\x1b[1;31mred\x1b[0m", "red"},
		"title":                 {"\x1b]0;pwned\atext", "text"},
		"title, other end":      {"\x1b]0;pwned\x1b\\text", "text"},
		"title never closed":    {"\x1b]0;pwned\ntext", "\ntext"},
		"clipboard":             {"\x1b]52;c;cm0gLXJm\atext", "text"},
		"C1 introducer":         {"\u009b31mred", "red"},
		"device control":        {"\x1bP1$r0m\x1b\\x", "x"},
		"charset":               {"\x1b(0lqk", "lqk"},
		"reset":                 {"\x1bcx", "x"},
		"escape at the end":     {"x\x1b", "x"},
		"bell and backspace":    {"a\a\bb", "a␇␈b"},
		"NUL, DEL":              {"a\x00b\x7f", "a␀b␡"},
		"carriage return":       {"safe\rEVIL", "safe\nEVIL"},
		"CRLF":                  {"a\r\nb", "a\nb"},
		"bidi override":         {"user\u202egpj.exe", "usergpj.exe"},
		"zero width":            {"pass\u200bword", "password"},
		"tags":                  {"hi\U000e0041\U000e0042", "hi"},
		"family of emoji":       {"👩\u200d👧", "👩\u200d👧"},
		"joiner between words":  {"a\u200db", "ab"},
		"right-to-left letters": {"שלום", "שלום"},
		"combining mark":        {"e\u0301", "e\u0301"},
		"broken UTF-8":          {"a\xffb", "a\ufffdb"},
		"line separator":        {"a\u2028b", "a\nb"},
	} {
		if got := Block(c.in); got != c.want {
			t.Errorf("%s: Block(%q) = %q, want %q", name, c.in, got, c.want)
		}
	}
}

func TestLine(t *testing.T) {
	if got := Line("  one\n\ttwo\r\n three "); got != "one two three" {
		t.Errorf("got %q", got)
	}
}

func TestTitle(t *testing.T) {
	l := Lesson{Wording: Wording{Content: "日本語のレッスン\nzwei"}}
	if got := l.Title(5); got != "日本語の…" {
		t.Errorf("got %q", got)
	}
	if got := l.Title(80); got != "日本語のレッスン zwei" {
		t.Errorf("got %q", got)
	}
}

func FuzzBlock(f *testing.F) {
	for _, s := range []string{"", "a\x1b[31mb", "\x1b]8;;http://x\x1b\\l", "\u202e\u2066", "👩\u200d👧", "\x9b\x9d\xff"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := Block(s)
		if !utf8.ValidString(got) {
			t.Fatalf("not UTF-8: %q", got)
		}
		for _, r := range got {
			if r != '\n' && unicode.IsControl(r) || hidden(r) && r != 0x200d {
				t.Fatalf("%U in %q, from %q", r, got, s)
			}
		}
		if Block(got) != got {
			t.Fatalf("not stable: %q, then %q", got, Block(got))
		}
		if strings.Contains(Line(s), "\n") {
			t.Fatal("Line has lines")
		}
	})
}
