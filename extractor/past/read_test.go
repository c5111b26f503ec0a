package past

import (
	"encoding/json"
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
	if want := [7]int{1, 3, 1, 3, 1, 1, 0}; r.Did != want {
		t.Errorf("did %v", r.Did)
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
	if err != nil || r.Did != [7]int{1} || r.Spin != 0 || len(r.Errors) > 0 {
		t.Errorf("%+v, %v", r, err)
	}
	r, err = Read(t.Context(), f, Options{Excluded: func(dir, _ string) string { return dir }})
	if err != nil || !r.Excluded || len(r.Events) > 0 || r.Prompt != "" || r.Stuck != "" || len(r.Errors) > 0 || r.Human != 3 {
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
	if err := (Options{Kept: k}).Keep(t.Context(), f); err != nil {
		t.Fatal(err)
	}
	was, ok := k.Recall(f)
	if !ok || was.Spin != 3 || was.Session.ID != "s1" {
		t.Fatalf("%+v, %t", was, ok)
	}
	other := was
	other.Path, other.BadLines = "/other", 1
	k = open(t, state)
	if err := k.change([]Session{{Record: other}}, nil); err != nil {
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
	list := func(o Options) (out []Session) {
		t.Helper()
		o.Kept = open(t, state)
		for r, err := range o.each(t.Context(), transcript.FindKnown(places, nil), true) {
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

// The events of a session are those that were kept, as long as its file is as it was.
func TestEvents(t *testing.T) {
	state := t.TempDir()
	f := session().file(t)
	read := func(k *Kept) (Session, bool) {
		t.Helper()
		s, err := Options{Kept: k, Redact: redact.New().Redact}.one(t.Context(), f, true)
		if err != nil {
			t.Fatal(err)
		}
		return s, s.fresh
	}
	was, fresh := read(open(t, state))
	if !fresh || len(was.Events) < 20 || strings.Contains(fmt.Sprint(was.Events[0]), "aB3x") {
		t.Fatalf("%t, %+v", fresh, was.Events)
	}
	if err := open(t, state).change([]Session{was}, nil); err != nil {
		t.Fatal(err)
	}
	now, fresh := read(open(t, state))
	if fresh {
		t.Error("it was read again")
	}
	a, _ := json.Marshal(was.Events)
	b, _ := json.Marshal(now.Events)
	if string(a) != string(b) {
		t.Errorf("%s\n%s", a, b)
	}
	if err := open(t, state).change(nil, []string{f.Path}); err != nil {
		t.Fatal(err)
	}
	if _, ok := open(t, state).events(&was.Record); ok {
		t.Error("events of a session that was forgotten are still there")
	}
}
