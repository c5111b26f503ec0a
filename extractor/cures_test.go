package extractor

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"learnings/extractor/rules"
	"learnings/extractor/transcript"
	"learnings/lessons"
)

// A try is a shell command and what came of it; no answer is "ok".
type try struct{ command, fails string }

const noManifest = "ERR_PNPM_NO_IMPORTER_MANIFEST_FOUND No package.json was found"

var fromWeb = []try{{"pnpm test", noManifest}, {"cd web && pnpm test", ""}}

const saysFromWeb = "If `pnpm test` says \"ERR_PNPM_NO_IMPORTER_MANIFEST_FOUND No package.json\", run it from `web/`."

// claudeTries is a session of Claude Code, as lines, that begins with a message
// of the person.
func claudeTries(id string, n int, tries ...try) []string {
	var out []string
	record := func(who string, part map[string]any) {
		line, err := json.Marshal(map[string]any{
			"type": who, "userType": "external", "isSidechain": false, "uuid": fmt.Sprintf("00000000-0000-4000-8000-%012d", n), "sessionId": id, "cwd": "/src/octofs", "version": "2.1.0",
			"timestamp": time.Date(2026, 4, 5, 14, 0, n%60, 0, time.UTC).Format(time.RFC3339), "message": map[string]any{"role": who, "content": []any{part}},
		})
		if err != nil {
			panic(err)
		}
		out = append(out, string(line)+"\n")
		n++
	}
	record("user", map[string]any{"type": "text", "text": "see to it that the tests of the shop pass"})
	for _, x := range tries {
		tool := fmt.Sprintf("toolu_%s_%d", id, n)
		record("assistant", map[string]any{"type": "tool_use", "id": tool, "name": "Bash", "input": map[string]any{"command": x.command}})
		record("user", map[string]any{"type": "tool_result", "tool_use_id": tool, "is_error": x.fails != "", "content": cmp.Or(x.fails, "ok")})
	}
	return out
}

// codexTries is the same as a session of Codex, in which the directory is an
// argument of the tool.
func codexTries(id string, tries ...try) []string {
	n := 0
	line := func(kind string, payload map[string]any) string {
		n++
		data, err := json.Marshal(map[string]any{"timestamp": fmt.Sprintf("2026-04-07T09:00:%02d.000Z", n), "type": kind, "payload": payload})
		if err != nil {
			panic(err)
		}
		return string(data) + "\n"
	}
	out := []string{
		line("session_meta", map[string]any{"id": id, "timestamp": "2026-04-07T09:00:00.000Z", "cwd": "/src/octofs", "originator": "codex_cli_rs", "cli_version": "0.140.0"}),
		line("event_msg", map[string]any{"type": "user_message", "message": "run the tests"}),
	}
	for i, x := range tries {
		dir, command := "/src/octofs", x.command
		if to, rest, ok := strings.Cut(strings.TrimPrefix(x.command, "cd "), " && "); ok && strings.HasPrefix(x.command, "cd ") {
			dir, command = dir+"/"+to, rest
		}
		args, err := json.Marshal(map[string]any{"cmd": command, "workdir": dir})
		if err != nil {
			panic(err)
		}
		call, code := fmt.Sprintf("call_%s_%d", id, i), 0
		if x.fails != "" {
			code = 1
		}
		out = append(out,
			line("response_item", map[string]any{"type": "function_call", "name": "exec_command", "arguments": string(args), "call_id": call}),
			line("response_item", map[string]any{"type": "function_call_output", "call_id": call,
				"output": fmt.Sprintf("Chunk ID: 1\nWall time: 0.1 seconds\nProcess exited with code %d\nOriginal token count: 3\nOutput:\n%s\n", code, cmp.Or(x.fails, "ok"))}))
	}
	return out
}

func cureOptions() Options {
	o := testOptions
	o.Proposers = []Proposer{rules.Rules{}}
	return o
}

// TestCuresOfSeveralSessions: one session shows nothing, a second one in the same
// run or days later, of whatever agent, makes a proposal, and a third one makes it
// surer.
func TestCuresOfSeveralSessions(t *testing.T) {
	dir, o := t.TempDir(), cureOptions()
	file := func(name string, lines []string) transcript.File {
		return write(t, filepath.Join(dir, name), strings.Join(lines, ""))
	}
	one := file("1.jsonl", claudeTries("s1", 100, fromWeb...))
	two := file("2.jsonl", codexTries("0199aaaa-0000-7000-8000-000000000002", fromWeb...))
	three := file("3.jsonl", claudeTries("s3", 300, fromWeb...))
	other := file("4.jsonl", claudeTries("s4", 400, try{"make test", "make: *** No rule to make target"}, try{"cd api && make test", ""}))

	if all, batches := collect(t, []transcript.File{one, other}, nil, o); len(all) != 0 || len(batches[0].Seen) != 1 {
		t.Errorf("of one session each: %q", contents(all))
	}
	all, batches := collect(t, []transcript.File{one, two, three}, nil, o)
	if !slices.Equal(contents(all), []string{saysFromWeb}) {
		t.Fatalf("in one run: %q", contents(all))
	}
	l := all[0]
	if l.Confidence != 0.65 || l.Category != "workflow" || l.Quarantined() || !strings.Contains(l.Insight, noManifest) || l.Example != "pnpm test -> cd web && pnpm test" {
		t.Errorf("%+v", l)
	}
	paths := map[string]int{}
	for _, e := range l.Evidence {
		if paths[e.Path]++; e.By == lessons.ByTool && e.Quote != noManifest {
			t.Errorf("evidence %+v", e)
		}
	}
	if paths[one.Path] != 2 || paths[two.Path] != 2 {
		t.Errorf("evidence of %v", paths)
	}
	if again := batches[2].Again; len(again) != 1 || again[0].ID != l.ID || again[0].Least != 0.75 {
		t.Errorf("the third session gives %+v", again)
	}

	// Other commands of the family are no other lessons.
	lint := file("5.jsonl", claudeTries("s5", 500, try{"npm run lint", "npm error Missing script: \"lint\""}, try{"cd web && npm run lint", ""}))
	build := file("6.jsonl", claudeTries("s6", 600, try{"make build", "make: *** No rule to make target 'build'"}, try{"cd web && make build", ""}))
	all, batches = collect(t, []transcript.File{one, lint, build, file("7.jsonl", claudeTries("s7", 100, fromWeb...))}, nil, o)
	if !slices.Equal(contents(all), []string{saysFromWeb}) || !strings.Contains(all[0].Insight, "In another session: If `npm run lint` says") || len(all[0].Triggers) != 2 {
		t.Errorf("of a family: %+v", all)
	}
	if again := batches[2].Again; len(again) != 1 || again[0].ID != all[0].ID {
		t.Errorf("a third command of the family gives %+v", again)
	}

	// In a later run, though the transcript of the first is gone.
	state := t.TempDir()
	first := file("first.jsonl", claudeTries("s1", 100, fromWeb...))
	collect(t, []transcript.File{first}, ledger(t, state), o)
	if err := os.Remove(first.Path); err != nil {
		t.Fatal(err)
	}
	all, _ = collect(t, []transcript.File{two}, ledger(t, state), o)
	if len(all) != 1 || all[0].Content != saysFromWeb || !strings.HasSuffix(all[0].Origin.Rule, "; before that in session s1") {
		t.Fatalf("later: %+v", all)
	}
	if !slices.ContainsFunc(all[0].Evidence, func(e lessons.Evidence) bool { return e.Path == first.Path && e.Quote == noManifest }) {
		t.Errorf("later: evidence %+v", all[0].Evidence)
	}
}

// TestCureInSteps: a file is read whenever a hook says so, also between a failure
// and its cure, and between a call and its answer.
func TestCureInSteps(t *testing.T) {
	for name, lines := range map[string][]string{
		"claude": claudeTries("s1", 100, try{"git log", ""}, fromWeb[0], try{"ls", ""}, fromWeb[1]),
		"codex":  codexTries("0199aaaa-0000-7000-8000-000000000001", try{"git log", ""}, fromWeb[0], try{"ls", ""}, fromWeb[1]),
	} {
		t.Run(name, func(t *testing.T) {
			for cut := 1; cut < len(lines); cut++ {
				dir, marks, o := t.TempDir(), ledger(t, t.TempDir()), cureOptions()
				path := filepath.Join(dir, "a.jsonl")
				collect(t, []transcript.File{write(t, path, strings.Join(lines[:cut], ""))}, marks, o)
				collect(t, []transcript.File{appendTo(t, path, strings.Join(lines[cut:], ""))}, marks, o)
				other := write(t, filepath.Join(dir, "b.jsonl"), strings.Join(claudeTries("s2", 200, fromWeb...), ""))
				if all, _ := collect(t, []transcript.File{other}, marks, o); !slices.Equal(contents(all), []string{saysFromWeb}) {
					t.Errorf("cut before line %d: %q", cut+1, contents(all))
				}
			}
			dir, marks, o := t.TempDir(), ledger(t, t.TempDir()), cureOptions()
			path := filepath.Join(dir, "a.jsonl")
			write(t, path, "")
			for _, line := range lines {
				collect(t, []transcript.File{appendTo(t, path, line)}, marks, o)
			}
			other := write(t, filepath.Join(dir, "b.jsonl"), strings.Join(claudeTries("s2", 200, fromWeb...), ""))
			if all, _ := collect(t, []transcript.File{other}, marks, o); !slices.Equal(contents(all), []string{saysFromWeb}) {
				t.Errorf("line by line: %q", contents(all))
			}
		})
	}
}

// TestCureBeyondTheContext: the limit of reading in steps. Of a failure that lies
// more than contextBytes before what is new, nothing is known.
func TestCureBeyondTheContext(t *testing.T) {
	lines := claudeTries("s1", 100, fromWeb[0], try{"cat big", ""}, fromWeb[1])
	lines[4] = strings.Replace(lines[4], `"ok"`, `"`+strings.Repeat("x", contextBytes)+`"`, 1)
	other := claudeTries("s2", 200, fromWeb...)
	for cut, want := range map[int]int{4: 1, 5: 0} {
		dir, marks, o := t.TempDir(), ledger(t, t.TempDir()), cureOptions()
		path := filepath.Join(dir, "a.jsonl")
		collect(t, []transcript.File{write(t, path, strings.Join(lines[:cut], ""))}, marks, o)
		collect(t, []transcript.File{appendTo(t, path, strings.Join(lines[cut:], ""))}, marks, o)
		if all, _ := collect(t, []transcript.File{write(t, filepath.Join(dir, "b.jsonl"), strings.Join(other, ""))}, marks, o); len(all) != want {
			t.Errorf("cut before line %d: %q", cut+1, contents(all))
		}
	}
}

// TestCuresHoldNoSecret: neither what is proposed nor what is remembered does.
func TestCuresHoldNoSecret(t *testing.T) {
	const secret = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"
	dir, state, o := t.TempDir(), t.TempDir(), cureOptions()
	tries := []try{{"npm publish --tag next", "npm error code E401 Bad credentials " + secret}, {"NODE_AUTH_TOKEN=" + secret + " npm publish --tag next", ""},
		{secret + " x y", "error: no such file"}, {"cd " + secret + " && " + secret + " x y", ""}}
	marks := ledger(t, state)
	var files []transcript.File
	for i := range 2 {
		files = append(files, write(t, filepath.Join(dir, fmt.Sprint(i, ".jsonl")), strings.Join(claudeTries(fmt.Sprint("s", i), 100*i+100, tries...), "")))
	}
	all, batches := collect(t, files, marks, o)
	if len(all) != 2 || all[0].Content != "If `npm publish` says \"npm error code E401 Bad credentials\", set `NODE_AUTH_TOKEN` for it." {
		t.Errorf("proposed %q", contents(all))
	}
	for _, b := range batches {
		if err := marks.Commit(b.Mark); err != nil {
			t.Fatal(err)
		}
	}
	if said := fmt.Sprintf("%+v %+v", all, marks.last); strings.Contains(said, secret[:20]) {
		t.Errorf("a secret is left in %s", said)
	}
}
