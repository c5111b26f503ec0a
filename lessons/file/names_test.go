package file

import (
	"path"
	"strings"
	"testing"
	"time"

	"learnings/lessons"
)

func TestStem(t *testing.T) {
	at := time.Date(2026, 4, 5, 14, 30, 0, 123, time.UTC)
	for content, want := range map[string]string{
		"Bearer token auth": "20260405143000-bearer-token-auth",
		"Bearer token auth is required for all API endpoints": "20260405143000-bearer-token-auth-is-required-for-all-ap",
		"!!!":            "20260405143000",
		"-leading dash":  "20260405143000--leading-dash",
		"ÄPFEL Always":   "20260405143000-Äpfel-always",
		"a  b_c--":       "20260405143000-a--b-c",
		"日本語 😀 x":        "20260405143000-日本語--x",
		"../../etc/pass": "20260405143000-etcpass",
	} {
		if got := Stem(lessons.Lesson{Wording: lessons.Wording{Content: content}, Created: at}); got != want {
			t.Errorf("%q: got %s, want %s", content, got, want)
		}
	}
}

func TestFolderName(t *testing.T) {
	long := strings.Repeat("日本", 150)
	for name, want := range map[string]string{
		"octofs": "octofs", "my project": "my project", "naïve 日本語": "naïve 日本語", "a.b-c_d": "a.b-c_d",
		"": "%", ".": "%2E", "..": "%2E%2E", "...": "%2E.%2E", ".git": "%2Egit", "a/b": "a%2Fb", `a\b`: "a%5Cb", "../../etc": "%2E.%2F..%2Fetc",
		"_": "%5F", "__": "__", "nul\x00": "nul%00", "CON": "%43ON", "com1.txt": "%63om1.txt", "console": "console", "trailing.": "trailing%2E", "x ": "x%20",
		"100%": "100%25", "bad\xff": "bad%FF", "bidi\u202e": "bidi%E2%80%AE", "\x1b[31m": "%1B[31m", "C:": "C%3A",
	} {
		got := folderName(name)
		if got != want {
			t.Errorf("%q: got %s, want %s", name, got, want)
		}
		if back := nameOfFolder(got); back != name {
			t.Errorf("%q comes back as %q", name, back)
		}
	}
	if got := folderName(long); len(got) > maxName || got == folderName(long+"x") {
		t.Errorf("long: %s", got)
	}
}

func FuzzFolderName(f *testing.F) {
	for _, s := range []string{"", ".", "..", "a/b", "nul", "\xff", strings.Repeat("x", 300), "%2E"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, name string) {
		got := folderName(name)
		if got == "" || got == "_" || strings.HasPrefix(got, ".") || strings.ContainsAny(got, "/\\\x00:") || path.Clean(got) != got || len(got) > maxName || reserved(got) {
			t.Errorf("%q gives the folder %q", name, got)
		}
		if back := nameOfFolder(got); back != name && !strings.Contains(got, "%~") {
			t.Errorf("%q comes back as %q", name, back)
		}
	})
}
