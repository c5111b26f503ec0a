package redact

import (
	"slices"
	"strings"
	"testing"
)

func TestTables(t *testing.T) {
	n := 0
	for _, text := range []string{gitleaksText, keysText} {
		for line := range strings.Lines(text) {
			if !strings.HasPrefix(line, "#") && strings.Count(line, "\t") != 3 {
				t.Errorf("not four fields: %s", line)
			}
		}
	}
	for w, of := range wordLists().kinds {
		letters := slices.DeleteFunc(slices.Clone(of), func(kind string) bool { return len(kind) > 1 })
		if w != strings.ToLower(w) || len(letters) > 1 {
			t.Errorf("the word %q of %q is not in lower case, or is of two kinds", w, of)
		}
	}
	for _, r := range rules().all {
		r.re() // panics unless it compiles
		n++
		for _, w := range r.words {
			if w == "" || lowered(w) != w {
				t.Errorf("%s: the word %q is not in lower case", r.name, w)
			}
		}
	}
	if n < 280 {
		t.Errorf("%d rules", n)
	}
}

// A word at the end of a long text is found, and one far from it is not looked at.
func TestWindows(t *testing.T) {
	text := strings.Repeat("lorem ipsum ", 1000)
	s := rules()
	if w := s.windows(text); len(w) != 0 {
		t.Errorf("windows in a text without words: %v", w)
	}
	token := "gh" + "p_" + b62 + "Ht5Jp0SxWe6U"
	for _, w := range s.windows(text + token + " " + text) {
		if w.from < len(text)-nearBefore-20 || w.to > len(text)+len(token)+nearBehind+20 {
			t.Errorf("%s looks at %d to %d", s.all[w.rule].name, w.from, w.to)
		}
	}
	if out := redactor(t).Redact(text + token + " " + text); strings.Contains(out, token) {
		t.Error("the token survives in a long text")
	}
}

// TestChecks finds rules that name a function that is not there, or have no pattern.
func TestChecks(t *testing.T) {
	n := 0
	for line := range strings.Lines(ownText) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if strings.HasPrefix(line, "#") || len(f) < 2 {
			continue
		}
		n++
		for how := range strings.FieldsSeq(f[1]) {
			if name, ok := strings.CutPrefix(how, "is="); len(f) != 4 || ok && checks[name] == nil {
				t.Errorf("%s: %q is not known", f[0], how)
			}
		}
	}
	if n != 68 {
		t.Errorf("%d rules", n)
	}
}
