package main

import (
	"encoding/json"
	"strings"
	"testing"

	"learnings/extractor/redact"
)

func TestWithModels(t *testing.T) {
	for in, want := range map[string]string{
		"merge a b --model openai:m --yes":       "merge a b --model=openai:m --yes",
		"merge --model k7m2p9qx b7t4xq8c":        "merge --model k7m2p9qx b7t4xq8c",
		"merge a b --model":                      "merge a b --model",
		"duplicates --model claude -n 3":         "duplicates --model=claude -n 3",
		"extract --model rules --dry-run":        "extract --model=rules --dry-run",
		"merge a b --model=codex":                "merge a b --model=codex",
		"merge a b --model ollama:qwen3:8b -- -": "merge a b --model=ollama:qwen3:8b -- -",
		"add -- --model openai:m":                "add -- --model openai:m",
		"":                                       "",
	} {
		if got := strings.Join(withModels(strings.Fields(in)), " "); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

// mergeServer returns a server whose model proposes one text.
func mergeServer(t *testing.T, content string) *modelServer {
	t.Helper()
	answer, err := json.Marshal(map[string]any{"decision": "MERGE", "reason": "", "lessons": []any{map[string]string{"content": content, "why": "", "example": ""}}})
	if err != nil {
		t.Fatal(err)
	}
	return newModelServer(t, 200, string(answer))
}

// added adds lessons and returns their ids.
func (s *modelServer) added(t *testing.T, dir string, contents ...string) []string {
	t.Helper()
	var ids []string
	for _, content := range contents {
		out, errs, code := s.with(t, dir, "add", content, "--project", "shop", "--json")
		var l struct{ ID string }
		if err := json.Unmarshal([]byte(out), &l); err != nil || code != exitOK {
			t.Fatalf("%v, exit %d: %s", err, code, errs)
		}
		ids = append(ids, l.ID)
	}
	return ids
}

// TestMergeWithModel merges over HTTP: the cost is recorded, no key and no secret is
// sent, and redaction marks may be in the text.
func TestMergeWithModel(t *testing.T) {
	redactor := redact.New()
	const secret = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"
	content := "Clone with the token " + secret + " over HTTPS."
	s, dir := mergeServer(t, redactor.Redact(content)), t.TempDir()
	ids := s.added(t, dir, content, "Clone over HTTPS with the token "+secret+".")
	args := append([]string{"merge", "--model", "openai:m", "--yes", "--json"}, ids...)
	if _, errs, code := s.with(t, dir, args...); code != exitError || s.asked.Load() != 0 || !strings.Contains(errs, "price") {
		t.Fatalf("a ceiling on a model of unknown price: exit %d, asked %d times: %s", code, s.asked.Load(), errs)
	}
	configure(t, dir, "[learning]\nmodel = 'openai:m'\nprice_in = 0\nprice_out = 100\nmax_usd_per_month = 2\n")
	out, errs, code := s.with(t, dir, args...)
	if code != exitOK || s.asked.Load() != 1 || strings.Contains(out, secret) || !strings.Contains(out, "Clone with the token ") || !strings.Contains(errs, "openai:m: 1 call, $0.0080; this month $0.0080") {
		t.Fatalf("exit %d, asked %d times: %s\n%s", code, s.asked.Load(), errs, out)
	}
	sent := s.sent.Load().(string)
	if strings.Contains(sent, secret) || strings.Contains(out+errs+sent, "k-test") || !strings.Contains(sent, "L2 LESSON: Clone over HTTPS") {
		t.Errorf("sent: %s", sent)
	}
	if out, _, _ := s.with(t, dir, "stats", "models", "--spend", "--json"); !strings.Contains(out, `"calls":1,`) {
		t.Errorf("the ledger says %s", out)
	}
}
