package hook

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"learnings/lessons"
	"learnings/lessons/proof"
)

// tell calls a hook of one session, some time after the last call.
func (c *Config) tell(t *testing.T, event, payload string) string {
	t.Helper()
	at := c.Now().Add(time.Minute)
	c.Now = func() time.Time { return at }
	return call(t, *c, event, strings.NewReader(`{"session_id":"s1","cwd":"/src/octofs",`+payload+`}`))
}

func said(prompt string) string {
	return fmt.Sprintf(`"hook_event_name":"UserPromptSubmit","prompt":%q`, prompt)
}

// prices returns lessons that a prompt can match.
func prices() []lessons.Lesson {
	return []lessons.Lesson{
		lesson("aaaa", "Run make generate after editing a proto file"),
		lesson("bbbb", "The checkout page keeps prices in cents"),
		lesson("cccc", "Deploy the staging cluster with helm upgrade"),
	}
}

// A prompt gets the lessons on its subject, once, and nothing else.
func TestPrompt(t *testing.T) {
	c := desk(t, prices()...)
	for _, p := range []string{"", "ok", "/tests with care about proto files", "!make generate", "y\n", "write a poem on spring", "go on then"} {
		if got := c.tell(t, "user-prompt", said(p)); got != "" {
			t.Errorf("%q: %s", p, got)
		}
	}
	got := c.tell(t, "user-prompt", said("The prices of the checkout page are wrong.\nPlease look into it."))
	if !strings.Contains(got, "[L-bbbb]") || strings.Contains(got, "[L-aaaa]") || strings.Contains(got, "[L-cccc]") {
		t.Errorf("got %q", got)
	}
	if got := c.tell(t, "user-prompt", said("And now the prices of the checkout page again?")); got != "" {
		t.Errorf("again: %s", got)
	}
	if got := c.tell(t, "user-prompt", said("/src/shop/deploy.go is right.\nShould the staging cluster be deployed with helm?")); !strings.Contains(got, "[L-cccc]") {
		t.Errorf("a path is no command: %q\n%s", got, logged(t, c))
	}
	c.MaxInject = 0
	if got := c.tell(t, "user-prompt", said("edit a proto file, then make generate")); got != "" {
		t.Errorf("with none allowed: %s", got)
	}
}

// Lessons of the start are not repeated until the model has lost them.
func TestSources(t *testing.T) {
	begin := func(source string) string { return `"hook_event_name":"SessionStart","source":"` + source + `"` }
	for name, test := range map[string]struct {
		agent   string
		sources []string
		want    []string // whose lessons are given then
	}{
		"claude":            {"claude", []string{"startup", "compact", "resume", "clear", "fork"}, []string{"abc", "abc", "abc", "abc", "abc"}},
		"codex":             {"codex", []string{"startup", "resume", "compact", "resume", "clear"}, []string{"abc", "", "abc", "", "abc"}},
		"gemini":            {"gemini", []string{"startup", "resume", "clear"}, []string{"abc", "abc", "abc"}},
		"claude, prompted":  {"claude", []string{"prompt", "resume", "compact", "resume"}, []string{"b", "ac", "abc", "abc"}},
		"codex, prompted":   {"codex", []string{"prompt", "resume", "compact", "prompt"}, []string{"b", "ac", "abc", ""}},
		"as without --for":  {"", []string{"startup", "resume"}, []string{"abc", "abc"}},
		"unknown to memory": {"codex", []string{"resume", "resume"}, []string{"abc", ""}},
	} {
		t.Run(name, func(t *testing.T) {
			c := desk(t, prices()...)
			c.For = test.agent
			for i, source := range test.sources {
				event, payload := SessionStart, begin(source)
				if source == "prompt" {
					event, payload = "user-prompt", said("The prices of the checkout page are wrong")
				}
				got, ids := c.tell(t, event, payload), ""
				for _, id := range []string{"aaaa", "bbbb", "cccc"} {
					if strings.Contains(got, "[L-"+id+"]") {
						ids += id[:1]
					}
				}
				if strings.Contains(got, "for its subject") {
					t.Errorf("%d, %s: what the session has had is said to wait: %q", i, source, got)
				}
				if ids != test.want[i] {
					t.Errorf("%d, %s: gave %q, want %q", i, source, ids, test.want[i])
				}
			}
		})
	}
}

// A session that another process resumes at once gets its lessons again if the agent
// keeps them in its process.
func TestResumedAtOnce(t *testing.T) {
	c := desk(t, prices()...)
	c.For = "pi"
	for _, process := range []string{"41", "42"} {
		payload := `{"session_id":"s1","cwd":"/src/octofs","hook_event_name":"SessionStart","source":"startup","process":"` + process + `"}`
		if call(t, c, SessionStart, strings.NewReader(payload)) == "" {
			t.Errorf("process %s was given nothing", process)
		}
		if got := call(t, c, SessionStart, strings.NewReader(payload)); got != "" {
			t.Errorf("process %s was given twice: %s", process, got)
		}
	}
}

// A first prompt known at the start of the session adds lessons on its subject and
// removes none.
func TestFirstPrompt(t *testing.T) {
	c := desk(t, append(prices(), lesson("zzzz", "The login page asks for a token of six digits"))...)
	c.For = "copilot"
	for prompt, want := range map[string]string{"": "aaaa bbbb cccc", "ok": "aaaa bbbb cccc", "How many digits has the token of the login page?": "zzzz aaaa bbbb"} {
		var out strings.Builder
		Run(t.Context(), SessionStart, strings.NewReader(fmt.Sprintf(`{"session_id":%q,"cwd":"/src/octofs","source":"new","initial_prompt":%q}`, "first "+prompt, prompt)), &out, c)
		for id := range strings.FieldsSeq(want) {
			if !strings.Contains(out.String(), "[L-"+id+"]") {
				t.Errorf("%q: no %s in %s\n%s", prompt, id, out.String(), logged(t, c))
			}
		}
	}
}

// Of two concurrent hooks for the same event one answers.
func TestTwice(t *testing.T) {
	c := desk(t, prices()...)
	for event, payload := range map[string]string{
		SessionStart:   `"hook_event_name":"SessionStart","source":"startup"`,
		"user-prompt":  said("a proto file was edited, what is to be generated?"),
		"tool-failure": `"hook_event_name":"PostToolUseFailure","tool_name":"Bash","tool_use_id":"t1","tool_input":{"command":"helm"},"error":"deploy the staging cluster: upgrade failed"`,
	} {
		var both [8]string
		var all sync.WaitGroup
		for i := range both {
			all.Go(func() {
				both[i] = call(t, c, event, strings.NewReader(`{"session_id":"twice `+event+`","cwd":"/src/octofs",`+payload+`}`))
			})
		}
		all.Wait()
		if n := len(slices.DeleteFunc(both[:], func(s string) bool { return s == "" })); n != 1 {
			t.Errorf("%s: %d answered\n%s", event, n, logged(t, c))
		}
	}
}

// A failed call gets the lessons on its error, once, and the fourth time a warning.
func TestFailure(t *testing.T) {
	c := desk(t, append(prices(), lesson("dddd", "npm ends with error code EBADENGINE: run pnpm instead"))...)
	fails := func(id, command, err string) string {
		return c.tell(t, "tool-failure", fmt.Sprintf(`"hook_event_name":"PostToolUseFailure","tool_name":"Bash","tool_use_id":%q,"tool_input":{"command":%q,"description":"try %s"},"error":%q`, id, command, id, err))
	}
	if got := fails("1", "npm test", "Exit code 1\nnpm error code EBADENGINE at 12:01"); !strings.Contains(got, "[L-dddd]") || strings.Contains(got, "failed") {
		t.Errorf("first: %q", got)
	}
	for i, id := range []string{"2", "3"} {
		if got := fails(id, "npm  test", fmt.Sprintf("Exit code 1\nnpm error code EBADENGINE at 12:0%d", i)); got != "" {
			t.Errorf("%s: %q", id, got)
		}
	}
	got := fails("4", "npm test", "Exit code 1\nnpm error code EBADENGINE at 12:09")
	if !strings.Contains(got, "`npm test` has failed 4 times in this session, each time with the same error. [L-dddd] is about it.") {
		t.Errorf("fourth: %q", got)
	}
	if got := fails("5", "npm test", "Exit code 1\nnpm error code EBADENGINE at 12:10"); got != "" {
		t.Errorf("fifth: %q", got)
	}
	for i := range 4 {
		got := fails(fmt.Sprint("x", i), "false </learnings-context>", "Exit code 1")
		if (got != "") != (i == 3) || strings.Count(got, "</learnings-context>") > 1 {
			t.Errorf("%d: %q", i, got)
		}
	}
	if got := c.tell(t, "tool-failure", `"hook_event_name":"PostToolUseFailure","tool_name":"Bash","is_interrupt":true,"error":"deploy the staging cluster with helm"`); got != "" {
		t.Errorf("interrupted: %q", got)
	}
	if got := c.tell(t, "post-tool", `"hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{"command":"helm"},"tool_response":{"stdout":"error: deploy the staging cluster with helm","exit_code":0}`); got != "" {
		t.Errorf("it has worked: %q", got)
	}
}

// TestFailed checks which calls count as failed, for each agent's reports.
func TestFailed(t *testing.T) {
	for payload, want := range map[string]string{
		`{"error":"Exit code 1\nno"}`:                                                               "Exit code 1\nno",
		`{"error":{"message":"no"}}`:                                                                "no",
		`{"error_message":"no","failure_type":"error"}`:                                             "no",
		`{"tool_response":{"stdout":"out","stderr":"bad","exitCode":2}}`:                            "bad\nout",
		`{"tool_response":{"stdout":"error: all","exitCode":0}}`:                                    "",
		`{"tool_response":"Chunk ID: 1\nProcess exited with code 1\nOutput:\nno"}`:                  "Chunk ID: 1\nProcess exited with code 1\nOutput:\nno",
		`{"tool_response":"Chunk ID: 1\nProcess exited with code 0\nOutput:\nerror: x"}`:            "",
		`{"tool_response":"npm error code EBADENGINE"}`:                                             "npm error code EBADENGINE",
		`{"tool_response":"bash: foo: command not found"}`:                                          "bash: foo: command not found",
		`{"tool_response":"all 3 tests pass, 0 errors"}`:                                            "",
		`{"tool_response":{"llmContent":"Output: (empty)\nError: no\nExit Code: 1"}}`:               "Output: (empty)\nError: no\nExit Code: 1",
		`{"tool_response":{"error":{"message":"no","type":"x"}}}`:                                   "no",
		`{"tool_result":{"result_type":"failure","text_result_for_llm":"no"}}`:                      "no",
		`{"toolResult":{"resultType":"success","textResultForLlm":"x\n<exited with exit code 1>"}}`: "x\n<exited with exit code 1>",
		`{"postToolUse":{"toolName":"x","success":false,"result":"no"}}`:                            "no",
		`{"postToolUse":{"toolName":"x","success":true,"result":"error: no"}}`:                      "",
		`{"tool_response":{"content":[{"type":"text","text":"no"}],"isError":true}}`:                "no",
		`{"tool_output":"{\"exitCode\":1,\"stdout\":\"no\"}"}`:                                      "no",
		`{"tool_output":"{\"exitCode\":0,\"stdout\":\"error: no\"}"}`:                               "",
		`{"tool_output":"{error: it is not JSON}"}`:                                                 "{error: it is not JSON}",
		`{"tool_response":null,"error":null}`:                                                       "",
	} {
		p, err := readPayload(t.Context(), strings.NewReader(payload), payloadWait)
		if err != nil || p.call.error != want || p.call.failed != (want != "") {
			t.Errorf("%s: failed %t, %q, %v", payload, p.call.failed, p.call.error, err)
		}
	}
}

// A subagent gets the lessons of its role, even those that the session has had.
func TestSubagent(t *testing.T) {
	review := lesson("eeee", "Review errors that are dropped")
	review.Scope.Role = "reviewer"
	c := desk(t, append(prices(), review)...)
	c.tell(t, SessionStart, `"source":"startup"`)
	starts := `"hook_event_name":"SubagentStart","agent_id":"a1","agent_type":"reviewer"`
	got := c.tell(t, "subagent-start", starts)
	if !strings.Contains(got, "[L-eeee]") || strings.Contains(got, "[L-aaaa]") {
		t.Errorf("got %q", got)
	}
	if got := c.tell(t, "subagent-start", starts); got != "" {
		t.Errorf("again: %q", got)
	}
	if got := c.tell(t, "subagent-start", strings.Replace(starts, "a1", "a2", 1)); !strings.Contains(got, "[L-eeee]") {
		t.Errorf("another: %q", got)
	}
}

// Gemini CLI reports a compaction only in its transcript.
func TestForgotten(t *testing.T) {
	c := desk(t, prices()...)
	c.For = "gemini"
	path := filepath.Join(t.TempDir(), "session.jsonl")
	write := func(lines ...string) {
		f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err == nil {
			_, err = f.WriteString(strings.Join(lines, "\n") + "\n")
			f.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	prompt := func(p string) string {
		return c.tell(t, "before-agent", fmt.Sprintf(`"hook_event_name":"BeforeAgent","transcript_path":%q,"prompt":%q`, path, p))
	}
	const (
		begins = `{"$set":{"messages":[{"type":"user","content":[{"text":"<session_context>"}]}]}}`
		short  = `{"$set":{"messages":[{"type":"user","content":[{"text":"summary"}]},{"type":"gemini","content":[{"text":"Got it."}]}]}}`
	)
	if got := c.tell(t, SessionStart, `"hook_event_name":"SessionStart","source":"startup"`); strings.Count(got, "[L-") != 3 {
		t.Fatalf("start: %q", got)
	}
	write(begins, `{"type":"user","content":[{"text":"<hook_context>[L-aaaa] [L-bbbb] [L-cccc]</hook_context>"}]}`)
	for _, p := range []string{"hello there", "the proto file"} {
		if got := prompt(p); got != "" {
			t.Errorf("%s: %q", p, got)
		}
		write(`{"type":"gemini","content":"yes"}`)
	}
	write(short)
	if got := prompt("install"); strings.Count(got, "[L-") != 3 {
		t.Errorf("after the compaction: %q\n%s", got, logged(t, c))
	}
	write(`{"type":"user","content":[{"text":"<hook_context>[L-aaaa] [L-bbbb] [L-cccc]</hook_context>"}]}`)
	if got := prompt("install it all"); got != "" {
		t.Errorf("again: %q", got)
	}
	write(strings.Replace(short, "summary", "[L-bbbb] and [L-aaaa]", 1))
	if got := prompt("go on"); !strings.Contains(got, "[L-cccc]") || strings.Contains(got, "[L-aaaa]") {
		t.Errorf("after one that kept two: %q", got)
	}
	for _, bad := range []string{"", "relative.jsonl", filepath.Dir(path), path + "\x00x", "/dev/zero"} {
		path = bad
		if got := prompt("something about " + bad + " and more"); got != "" {
			t.Errorf("%q: %q", bad, got)
		}
	}
}

// Lessons given are recorded.
func TestRecorded(t *testing.T) {
	c := desk(t, prices()...)
	c.For = "codex"
	c.tell(t, SessionStart, `"hook_event_name":"SessionStart","source":"startup"`)
	c.tell(t, SessionStart, `"hook_event_name":"SessionStart","source":"resume"`)
	c.tell(t, "subagent-start", `"hook_event_name":"SubagentStart","agent_id":"a1"`)
	var got []string
	for r, err := range proof.Injections(c.State) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, fmt.Sprint(r.Session, " ", r.Part, " ", r.Agent, " ", r.Event, " ", r.Project, " ", len(r.Lessons)))
	}
	slices.Sort(got)
	if want := []string{"s1  codex session-start octofs 3", "s1 a1 codex subagent-start octofs 3"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
