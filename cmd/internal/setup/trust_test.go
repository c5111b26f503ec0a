package setup

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestHash compares with hashes that Codex computed.
func TestHash(t *testing.T) {
	for _, c := range []struct {
		call Call
		want string
	}{
		{Call{Theirs: "PostToolUse", Command: "'/Applications/GWT.app/Contents/MacOS/gwtd' hook event PostToolUse", Matcher: "*"}, "sha256:9c3ce103f03f0b27a28bc4a30883f7e98a80b5df566b4572fcbb2955ebf5ba62"},
		{Call{Theirs: "UserPromptSubmit", Command: `gwt_bin="${GWT_BIN_PATH:-/Applications/GWT.app/Contents/MacOS/gwtd}"; "$gwt_bin" hook event UserPromptSubmit`, Matcher: "*"}, "sha256:1a86ba6796c5b5bf1601fd1af1d6094846287ec85e9f1ad4d39335c6b306e2fa"},
	} {
		if got := c.call.hash(); got != c.want {
			t.Errorf("%s: %s", c.call.Theirs, got)
		}
	}
}

// TestReview checks the reading of answers to Codex.
func TestReview(t *testing.T) {
	w := world(t)
	a, _ := Get(w, "codex")
	r, err := Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	c, err := a.Wire(r)
	apply(t, c, err)
	calls := a.Calls()
	review := func(text string) Review {
		t.Helper()
		if err := os.WriteFile(filepath.Join(a.Folder, "config.toml"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		r, err := a.Review(calls)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	if r := review("model = \"x\"\n"); !r.Asks || r.Trusted != 0 || len(r.Unseen) != len(calls) {
		t.Errorf("before it asked: %+v", r)
	}
	text := ""
	for _, c := range calls {
		text += fmt.Sprintf("[hooks.state.%q]\ntrusted_hash = %q\n", c.key(), c.hash())
	}
	if r := review(text); r.Trusted != len(calls) || len(r.Unseen)+len(r.Changed)+len(r.SwitchOff) > 0 {
		t.Errorf("trusted: %+v", r)
	}
	calls[0].Timeout++
	if r := review(text); !slices.Equal(r.Changed, []string{calls[0].Theirs}) {
		t.Errorf("changed since: %+v", r)
	}
	if r := review(text + "enabled = false\n"); len(r.SwitchOff) != 1 {
		t.Errorf("switched off: %+v", r)
	}
	if err := os.WriteFile(filepath.Join(a.Folder, "config.toml"), []byte("[broken"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := a.Review(calls); err == nil {
		t.Error("a broken file is no error")
	}
	a, _ = Get(w, "gemini")
	if r, err := a.Review(calls); err != nil || r.Asks {
		t.Errorf("gemini asks: %+v, %v", r, err)
	}
}

// TestTrustsFolder checks the reading of answers to Claude Code.
func TestTrustsFolder(t *testing.T) {
	w := world(t)
	a, _ := Get(w, "claude")
	for _, c := range []struct {
		text, dir string
		want      bool
	}{
		{"", "/src/shop", false},
		{`{"projects":{"/src":{"hasTrustDialogAccepted":false},"/":7}}`, "/src/shop", false},
		{`{"projects":{"/src/shop":{"hasTrustDialogAccepted":true}}}`, "/src/shop", true},
		{`{"projects":{"/src":{"hasTrustDialogAccepted":true}}}`, "/src/shop/deep", true},
		{`{"projects":{"/src/shop":{"hasTrustDialogAccepted":true}}}`, "/src", false},
	} {
		path := filepath.Join(w.Home, ".claude.json")
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if c.text == "" {
			os.Remove(path)
		}
		got, asks, err := a.TrustsFolder(c.dir)
		if got != c.want || !asks || (err != nil) != (c.text != "" && c.text[len(c.text)-4:] == `:7}}`) {
			t.Errorf("%s in %s: %v %v %v", c.dir, c.text, got, asks, err)
		}
	}
}
