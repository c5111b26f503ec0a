package hook

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestWhateverGoesWrong calls every hook of every agent with invalid input and without
// readable or writable folders: it returns and prints nothing.
func TestWhateverGoesWrong(t *testing.T) {
	events := []event{sessionStart, userPrompt, preTool, toolFailure, postTool, preCompact, stop, subagentStart, subagentStop, sessionEnd, "no such event"}
	whole := `{"session_id":"s1","cwd":"/src/octofs","transcript_path":null,"prompt":"run make generate after editing a proto file",` +
		`"tool_name":"Bash","tool_input":{"command":"make"},"error":"make generate: proto file"}`
	payloads := map[string]string{
		"nothing": "", "no object": `[1,"a"]`, "cut short": whole[:len(whole)/2], "other types": strings.NewReplacer(`"s1"`, "7", `"/src/octofs"`, "[]", "null", "{}").Replace(whole),
		"no JSON": "\x00\xff\x1b[2J", "whole": whole,
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, []byte("no folder"), 0o600); err != nil {
		t.Fatal(err)
	}
	for what, place := range map[string]string{"no folders": filepath.Join(dir, "none"), "files in their places": file} {
		c := desk(t)
		c.Corpus, c.State, c.Index, c.Log = place, place, filepath.Join(place, "index"), filepath.Join(place, "hook.log")
		c.Note = nil
		for _, a := range agents {
			for _, e := range events {
				for name, payload := range payloads {
					var out bytes.Buffer
					c.For = a.name
					if Run(t.Context(), string(e), strings.NewReader(payload), &out, c); out.Len() > 0 {
						t.Errorf("%s, %s of %q, %s: printed %q", what, e, a.name, name, out.String())
					}
				}
			}
		}
	}
}
