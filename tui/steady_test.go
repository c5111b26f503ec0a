package tui

import (
	"testing"

	"github.com/charmbracelet/x/ansi"
)

func TestSteady(t *testing.T) {
	for in, want := range map[string]string{
		"plain":                       "plain",
		"日本":                          "日本",
		"e\u0301 שלום":                "e\u0301 שלום",
		"a👩\u200d👩\u200d👧\u200d👦b":    "a👩b",
		"\x1b[1m👍\U0001f3fd\x1b[m ok": "\x1b[1m👍\x1b[m ok",
		"I ❤\ufe0f Go":                "I ❤  Go",
	} {
		got := steady(in)
		if got != want {
			t.Errorf("steady(%q) = %q, want %q", in, got, want)
		}
		if ansi.StringWidth(got) != ansi.StringWidth(in) || ansi.StringWidthWc(got) != ansi.StringWidth(in) {
			t.Errorf("%q: %d cells measured, %d and %d shown", in, ansi.StringWidth(in), ansi.StringWidth(got), ansi.StringWidthWc(got))
		}
	}
	for _, flag := range []string{"🇩🇪!", "1\ufe0f\u20e3", "🏴\u200d☠\ufe0f"} {
		if got := steady(flag); ansi.StringWidthWc(got) != ansi.StringWidth(flag) {
			t.Errorf("steady(%q) = %q", flag, got)
		}
	}
}
