package past_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"learnings/extractor/past"
	"learnings/extractor/transcript"
	"learnings/lessons/guard"
)

// session writes a session of Claude Code: "$ command" is a call that works, "! command"
// one that fails, everything else is said by the person.
func session(t *testing.T, name, dir string, lines ...string) {
	t.Helper()
	var b strings.Builder
	for i, l := range lines {
		head := fmt.Sprintf(`"uuid":"%s-%d","sessionId":"%s","cwd":%q,"timestamp":"2026-11-20T12:%02d:00Z","version":"2.1.197","isSidechain":false,"userType":"external"`, filepath.Base(name), i, filepath.Base(name), dir, i)
		command, failed := strings.CutPrefix(l, "! ")
		if !failed {
			var ok bool
			if command, ok = strings.CutPrefix(l, "$ "); !ok {
				fmt.Fprintf(&b, `{"type":"user","message":{"role":"user","content":%q},%s}`+"\n", l, head)
				continue
			}
		}
		id := fmt.Sprintf("%s-call-%d", filepath.Base(name), i)
		fmt.Fprintf(&b, `{"type":"assistant","message":{"role":"assistant","content":[{"type":"tool_use","id":%q,"name":"Bash","input":{"command":%q}}]},%s}`+"\n", id, command, head)
		fmt.Fprintf(&b, `{"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":%q,"is_error":%v,"content":"text"}]},%s}`+"\n", id, failed, head)
	}
	if err := os.WriteFile(name+".jsonl", []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestTry(t *testing.T) {
	dir := t.TempDir()
	session(t, filepath.Join(dir, "one"), "/src/shop", "build it", "$ npm install", "Thanks, go on", "$ pnpm install")
	session(t, filepath.Join(dir, "two"), "/src/shop", "build it", "$ cd web && npm i", "No, we use pnpm here", "! npm install", "ok")
	session(t, filepath.Join(dir, "three"), "/src/shop", "build it", "$ npm install", "That should not have been npm")
	session(t, filepath.Join(dir, "other"), "/src/ledger", "build it", "$ npm install", "Fine")
	session(t, filepath.Join(dir, "none"), "/src/shop", "build it", "$ echo npm install", "Fine")
	var files []transcript.File
	for f, err := range transcript.FindKnown(transcript.Places{{Path: dir, Named: true}}, nil) {
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	p, err := guard.Command("npm install")
	if err != nil {
		t.Fatal(err)
	}
	try := func(files []transcript.File, project string) past.Trial {
		t.Helper()
		got, err := past.Try(t.Context(), files, []past.Ward{{Patterns: []guard.Pattern{p}}}, project, past.Options{Project: filepath.Base})
		if err != nil {
			t.Fatal(err)
		}
		return got[0]
	}
	got := try(files, "shop")
	if s := got.String(); s != "would have stopped 4 calls in 3 sessions of 4, 1 that you had allowed" {
		t.Error(s)
	}
	outcomes := map[past.CallEnd]int{}
	for _, h := range got.Examples {
		outcomes[h.Outcome]++
	}
	if len(got.Examples) != 4 || got.Examples[0].Outcome != past.Allowed || outcomes[past.Corrected] != 2 || outcomes[past.Failed] != 1 {
		t.Errorf("%+v", got.Examples)
	}
	if got = try(append(files, files...), ""); got.Calls != 5 {
		t.Errorf("copies counted: %s", got)
	}
}
