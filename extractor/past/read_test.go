package past

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"learnings/extractor/redact"
	"learnings/extractor/transcript"
)

// A tape writes a transcript of Claude Code.
type tape struct {
	strings.Builder
	calls int
	at    time.Time
}

func (s *tape) line(kind, content string) {
	s.at = s.at.Add(time.Minute)
	fmt.Fprintf(s, `{"parentUuid":null,"isSidechain":false,"userType":"external","type":%q,"sessionId":"s1","uuid":"u%d","timestamp":%q,"cwd":"/home/sam/shop","version":"2.1","message":{"role":%q,"content":%s}}`+"\n",
		kind, s.Len(), s.at.Format(time.RFC3339), kind, content)
}

func (s *tape) says(text string) { s.line("user", quoted(text)) }

// does calls a tool; failed is what it answers if it fails.
func (s *tape) does(tool, input, failed string) {
	s.calls++
	s.line("assistant", fmt.Sprintf(`[{"type":"tool_use","id":"t%d","name":%q,"input":%s}]`, s.calls, tool, input))
	answer := "ok"
	if failed != "" {
		answer = failed
	}
	s.line("user", fmt.Sprintf(`[{"type":"tool_result","tool_use_id":"t%d","is_error":%t,"content":%s}]`, s.calls, failed != "", quoted(answer)))
}

func quoted(s string) string {
	b, _ := json.Marshal(s) // a string is always JSON
	return string(b)
}

func (s *tape) file(t *testing.T) transcript.File {
	t.Helper()
	path := filepath.Join(t.TempDir(), "s1.jsonl")
	if err := os.WriteFile(path, []byte(s.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return transcript.File{Path: path, Size: info.Size(), ModTime: info.ModTime()}
}

func session() *tape {
	s := &tape{at: noon}
	s.says("Fix the login; my key is sk-ant-api03-" + strings.Repeat("aB3xY7", 16) + "AA and\tmore\x1b[31m")
	s.does("Read", `{"file_path":"/home/sam/shop/login.go"}`, "")
	s.does("Grep", `{"pattern":"login"}`, "")
	s.does("Bash", `{"command":"cd web && npm test"}`, "Exit code 1\nError: Cannot find module 'left-pad'")
	s.does("Bash", `{"command":"cd web && npm test"}`, "Exit code 1\nError: Cannot find module 'left-pad'")
	s.does("Bash", `{"command":"cd web && npm test"}`, "Exit code 1\nError: Cannot find module 'left-pad'")
	s.does("Edit", `{"file_path":"/home/sam/shop/login.go","old_string":"a","new_string":"b"}`, "")
	s.does("Edit", `{"file_path":"/home/sam/shop/price.go","old_string":"a","new_string":"b"}`, "")
	s.does("Write", `{"file_path":"/home/sam/shop/new.go","content":"x"}`, "")
	s.does("WebFetch", `{"url":"https://example.com"}`, "")
	s.does("Task", `{"prompt":"look"}`, "")
	s.says("No, that's wrong. Use pnpm instead of npm.")
	s.says("Please also add a test for the empty basket.")
	return s
}

// A session is called by the first thing that was asked for, and by a command of the agent
// only where nothing was.
func TestPromptIsNoCommand(t *testing.T) {
	command := func(name, args string) string {
		return "<command-name>/" + name + "</command-name>\n<command-message>" + name + "</command-message>\n<command-args>" + args + "</command-args>"
	}
	for want, said := range map[string][]string{
		"Fix the login":            {command("clear", ""), command("model", "opus"), "Fix the login", "Then the price"},
		"/plan the new login page": {command("mcp", ""), command("plan", "the new login page"), "Fix it"},
		"/init":                    {command("init", "")},
	} {
		s := &tape{at: noon}
		for _, text := range said {
			s.says(text)
		}
		if r, err := Read(t.Context(), s.file(t), Options{Redact: redact.New().Redact}); err != nil || r.Prompt != want {
			t.Errorf("%v: %q, want %q", err, r.Prompt, want)
		}
	}
}

func TestRead(t *testing.T) {
	r, err := Read(t.Context(), session().file(t), Options{Redact: redact.New().Redact})
	if err != nil {
		t.Fatal(err)
	}
	if want := [7]int{1, 3, 1, 3, 1, 1, 0}; r.Did != want || r.Sequence != "rsX3e3wa" {
		t.Errorf("did %v, %s", r.Did, r.Sequence)
	}
	if r.Spin != 3 || r.Stuck != "cd web && npm test" || r.Again != 3 || r.Blind != 1 || r.Corrections != 1 || r.Human != 3 {
		t.Errorf("spin %d %q, again %d, blind %d, corrections %d, turns %d", r.Spin, r.Stuck, r.Again, r.Blind, r.Corrections, r.Human)
	}
	if !strings.HasPrefix(r.Prompt, "Fix the login; my key is [REDACTED:") || strings.Contains(r.Prompt, "aB3x") || strings.ContainsAny(r.Prompt, "\x1b\t") || len(r.Prompt) > maxPrompt {
		t.Errorf("prompt %q", r.Prompt)
	}
	if len(r.Errors) != 1 || r.Errors[0].Count != 3 || r.Errors[0].Doing != "npm test" && r.Errors[0].Doing != "npm" || !strings.Contains(r.Errors[0].Says, "left-pad") || r.Errors[0].First.IsZero() {
		t.Errorf("errors %+v", r.Errors)
	}
	if !slices.Equal(r.Kinds(), []Kind{Spinning}) {
		t.Errorf("kinds %v", r.Kinds())
	}
	if took, ok := r.Took(); !ok || took < 20*time.Minute {
		t.Errorf("took %s", took)
	}
}

// What was done in a pause does not count, and of an excluded session no word is told.
func TestUnheard(t *testing.T) {
	f := session().file(t)
	r, err := Read(t.Context(), f, Options{Paused: func(at time.Time) bool { return at.After(noon.Add(3 * time.Minute)) }})
	if err != nil || r.Sequence != "r" || r.Spin != 0 || len(r.Errors) > 0 {
		t.Errorf("%+v, %v", r, err)
	}
	r, err = Read(t.Context(), f, Options{Excluded: func(dir, _ string) string { return dir }})
	if !errors.Is(err, transcript.ErrExcluded) || r.Prompt != "" || r.Stuck != "" || len(r.Errors) > 0 || r.Human != 3 {
		t.Errorf("%+v, %v", r, err)
	}
}

// Tools are told by what they are given and by their names in all agents.
func TestToolOf(t *testing.T) {
	for kind, calls := range map[Tool][]transcript.ToolCall{
		Reads:    {{Name: "Read", Path: "a"}, {Name: "read_file", Path: "a"}, {Name: "fs_read"}, {Name: "exec_command", Command: "sed -n 1,20p a.go"}, {Name: "bash", Command: "cat a"}, {Name: "str_replace_editor", Command: "view", Path: "a"}, {Name: "mcp__filesystem__read_file"}, {Name: "view_image", Path: "a"}},
		Edits:    {{Name: "Edit", Path: "a", Old: "a", New: "b"}, {Name: "apply_patch", New: "*** Begin Patch"}, {Name: "write_to_file", Path: "a"}, {Name: "fs_write", Path: "a"}, {Name: "editor", Path: "a", Old: "1"}, {Name: "shell", Command: "apply_patch <<EOF"}, {Name: "str_replace_editor", Command: "str_replace", Path: "a"}, {Name: "bash", Command: "cat > a.py <<EOF"}, {Name: "bash", Command: "sed -i s/a/b/ a.go"}},
		Searches: {{Name: "Grep"}, {Name: "glob"}, {Name: "search_file_content"}, {Name: "list_directory", Path: "a"}, {Name: "bash", Command: "cd x && rg foo"}, {Name: "exec_command", Command: "find . -name a"}, {Name: "codebase_search"}},
		Runs:     {{Name: "Bash", Command: "go test ./..."}, {Name: "run_shell_command", Command: "npm test"}, {Name: "write_stdin", Command: "y"}, {Name: "execute_bash"}, {Name: "Execute", Command: "make"}, {Name: "PowerShell", Command: "dotnet build"}},
		Web:      {{Name: "WebFetch"}, {Name: "google_web_search"}, {Name: "web_search"}, {Name: "bash", Command: "curl -s https://example.com"}, {Name: "mcp__Claude_Browser__javascript_tool"}, {Name: "FetchUrl"}},
		Asks:     {{Name: "Task"}, {Name: "Agent"}, {Name: "spawn_agent"}, {Name: "new_task"}},
		Others:   {{Name: "TodoWrite"}, {Name: "update_plan"}, {Name: "TaskUpdate"}, {Name: "AskUserQuestion"}, {Name: "mcp__linear__create_issue"}, {Name: ""}},
	} {
		for _, c := range calls {
			if got := ToolOf(&c); got != kind {
				t.Errorf("%s %q: %s, want %s", c.Name, c.Command, got.Name(), kind.Name())
			}
		}
	}
	if ToolOf(nil) != Others {
		t.Error("no call")
	}
}

func TestShorten(t *testing.T) {
	long := shorten([]byte(strings.Repeat("re", 1000)))
	if len(long) > maxSequence+len("…") || shorten([]byte("rrreXX")) != "r3eX2" || shorten(nil) != "" {
		t.Errorf("%d: %s", len(long), long)
	}
}

func open(t *testing.T, state string) *Kept {
	t.Helper()
	k, err := Open(state)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// What is kept is given back as it was, only for the file as it was.
func TestKept(t *testing.T) {
	state := t.TempDir()
	k := open(t, state)
	f := session().file(t)
	if err := k.Read(t.Context(), f, Options{}); err != nil {
		t.Fatal(err)
	}
	was, ok := k.Recall(f)
	if !ok || was.Sequence != "rsX3e3wa" || was.Session.ID != "s1" {
		t.Fatalf("%+v, %t", was, ok)
	}
	other := was
	other.Path, other.BadLines = "/other", 1
	k = open(t, state)
	if err := k.Put(other); err != nil {
		t.Fatal(err)
	}
	k = open(t, state)
	now, ok := k.Recall(f)
	if !ok || fmt.Sprint(now) != fmt.Sprint(was) || len(k.last) != 2 {
		t.Errorf("%+v\n%+v", now, was)
	}
	if _, ok := k.Recall(transcript.File{Path: "/other", Size: f.Size, ModTime: f.ModTime}); ok {
		t.Error("a transcript with bad lines is not read again")
	}
	f.Size++
	if _, ok := k.Recall(f); ok {
		t.Error("a file that has grown is recalled")
	}
}

// Only what is new or has grown is read, and what is excluded is forgotten.
func TestList(t *testing.T) {
	state := t.TempDir()
	s := session()
	f := s.file(t)
	places := transcript.Places{{Path: filepath.Dir(f.Path), Named: true}}
	list := func(o Options) (out []Record) {
		t.Helper()
		unknown := func(f transcript.File) (transcript.File, bool) { return f, false }
		for r, err := range open(t, state).List(t.Context(), places, unknown, o) {
			if err != nil {
				t.Error(err)
			}
			out = append(out, r)
		}
		return out
	}
	if rs := list(Options{}); len(rs) != 1 || rs[0].Human != 3 {
		t.Fatalf("%+v", rs)
	}
	if rs := list(Options{}); len(rs) != 1 || rs[0].Prompt == "" {
		t.Errorf("%+v", rs)
	}
	s.says("And one more thing")
	if err := os.WriteFile(f.Path, []byte(s.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	if rs := list(Options{}); len(rs) != 1 || rs[0].Human != 4 {
		t.Errorf("grown: %+v", rs)
	}
	if rs := list(Options{Excluded: func(string, string) string { return "shop" }}); len(rs) != 1 || rs[0].Prompt != "" {
		t.Errorf("excluded: %+v", rs)
	}
	if k := open(t, state); len(k.last) != 0 {
		t.Error("an excluded session is kept")
	}
}

// earlierLine is what the version before kept of a session.
const earlierLine = "/s\t17\tz\tclaude-code\tgeneral\ts1\t\t/src/shop\tdeveloper\ttosuo0\t\ts\t10\t0\t3\t7\t1\t0\t2\t4\t5\t1\t1,2,3,4,5,6,7\tr3e\tnpm test\tFix it\tx\x1f2\x1ftosuo0\x1f\x1fnpm\x1fno\x1ey\x1f1\x1f\x1f\x1fgo\x1fbad\t."

func TestEarlierLine(t *testing.T) {
	want := Record{Prompt: "Fix it", Sequence: "r3e", Stuck: "npm test", Corrections: 2, Spin: 4, Again: 5, Blind: 1, Did: [7]int{1, 2, 3, 4, 5, 6, 7}}
	want.Path, want.Size, want.ModTime, want.Format, want.Agent = "/s", 17, time.Unix(0, 35).UTC(), "claude-code", "general"
	s := &want.Session
	s.Agent, s.ID, s.Dir, s.Role, s.Start, s.Scripted = "claude-code", "s1", "/src/shop", "developer", noon, true
	want.Lines, want.Human, want.Calls, want.ToolErrors = 10, 3, 7, 1
	want.Errors = []Error{{ID: "x", Doing: "npm", Says: "no", Count: 2, First: noon}, {ID: "y", Doing: "go", Says: "bad", Count: 1}}
	got, ok := parse("/s", earlierLine)
	if !ok || fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%t\n%+v\n%+v", ok, got, want)
	}
	line, err := format(&got)
	if again, ok := parse("/s", line); err != nil || !ok || fmt.Sprint(again) != fmt.Sprint(want) {
		t.Errorf("%v: %s\n%+v", err, line, again)
	}
}

// FuzzKept checks that no line stops the reader.
func FuzzKept(f *testing.F) {
	f.Add(earlierLine)
	f.Add(strings.Replace(earlierLine, "npm", strings.Repeat("\xff", 2000), 1))
	f.Add(`{"Did":[1]}`)
	f.Fuzz(func(t *testing.T, line string) { parse("/s", line) })
}
