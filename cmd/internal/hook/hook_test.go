package hook

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"learnings/index"
	"learnings/lessons"
	"learnings/lessons/store"
)

var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// desk returns a corpus with an index, for hook calls.
func desk(t *testing.T, ls ...lessons.Lesson) Config {
	t.Helper()
	dir := t.TempDir()
	c := Config{
		Setup: Setup{
			Corpus: filepath.Join(dir, "corpus"), State: filepath.Join(dir, "state"), Index: filepath.Join(dir, "state", "index"),
			Log: filepath.Join(dir, "state", "hook.log"), Role: "developer", MaxInject: 5, Project: filepath.Base,
		},
		Now: func() time.Time { return noon },
	}
	s, err := store.Open(c.Corpus, store.Options{State: c.State})
	if err != nil {
		t.Fatal(err)
	}
	if len(ls) > 0 {
		if _, err := s.Put(store.Write{Op: "add", By: "test"}, ls...); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := index.At(c.Index).Sync(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	return c
}

func lesson(id, content string) lessons.Lesson {
	return lessons.Lesson{
		ID: lessons.ID(id), Status: lessons.Approved, Category: "workflow", Wording: lessons.Wording{Content: content},
		Scope: lessons.Scope{Project: "octofs", Role: "developer"}, Confidence: 0.9, Created: noon.Add(-time.Hour),
	}
}

// call runs a hook and checks that it prints nothing, or one object of the right form.
func call(t *testing.T, c Config, event string, in io.Reader) (text string) {
	t.Helper()
	var out bytes.Buffer
	Run(t.Context(), event, in, &out, c)
	if out.Len() == 0 {
		return ""
	}
	var envelope struct {
		HookSpecificOutput struct{ HookEventName, AdditionalContext string }
		Context            string // Crush's
	}
	dec := json.NewDecoder(&out)
	dec.DisallowUnknownFields()
	if err := dec.Decode(&envelope); err != nil || out.Len() > 0 && dec.More() {
		t.Fatalf("not the envelope: %v", err)
	}
	return envelope.HookSpecificOutput.AdditionalContext + envelope.Context
}

func logged(t *testing.T, c Config) string {
	t.Helper()
	b, err := os.ReadFile(c.Log)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

const start = `{"session_id":"s1","cwd":"/src/octofs","hook_event_name":"SessionStart","source":"startup"}`

func TestSessionStart(t *testing.T) {
	c := desk(t, lesson("aaaa", "Run make generate"))
	got := call(t, c, SessionStart, strings.NewReader(start))
	if !strings.Contains(got, "Run make generate") || !strings.HasPrefix(got, "<learnings-context") {
		t.Errorf("got %q", got)
	}
	if l := logged(t, c); !strings.Contains(l, "session=s1 project=octofs lessons=1 via=index") || strings.Contains(l, "make generate") {
		t.Errorf("log: %s", l)
	}
}

// A hook for a subagent gives the lessons of its role.
func TestRole(t *testing.T) {
	other := lesson("bbbb", "Review with care")
	other.Scope.Role = "reviewer"
	c := desk(t, lesson("aaaa", "Run make generate"), other)
	got := call(t, c, SessionStart, strings.NewReader(`{"cwd":"/src/octofs","agent_type":"reviewer"}`))
	if !strings.Contains(got, "Review with care") || strings.Contains(got, "make generate") {
		t.Errorf("got %q", got)
	}
}

// A hook does not wait for an agent that keeps the pipe open or never writes.
func TestSlowAgent(t *testing.T) {
	c := desk(t, lesson("aaaa", "Run make generate"))
	r, w := io.Pipe()
	defer w.Close()
	go io.WriteString(w, start)
	if got := call(t, c, SessionStart, r); got == "" {
		t.Error("the end of the object was not seen")
	}
	silent, hold := io.Pipe()
	defer hold.Close()
	if got := call(t, c, SessionStart, silent); got != "" {
		t.Errorf("got %q", got)
	}
	if !strings.Contains(logged(t, c), "sent nothing whole") {
		t.Error(logged(t, c))
	}
}

// After any failure there is no output, no panic, and a line in the log.
func TestBroken(t *testing.T) {
	good := desk(t, lesson("aaaa", "Run make generate"))
	for name, test := range map[string]struct {
		in  string
		mod func(*Config)
		log string
	}{
		"cut JSON":       {`{"cwd":"/src`, nil, "not JSON"},
		"too long":       {`{"prompt":"` + strings.Repeat("x", 50<<20) + `", "cwd":"/src/none"}`, nil, "lessons=0"},
		"wrong event":    {`{"hook_event_name":"PreToolUse"}`, nil, "called for PreToolUse"},
		"a panic":        {start, func(c *Config) { c.Project = func(string) string { panic("boom") } }, "panic: boom"},
		"no corpus":      {start, func(c *Config) { c.Corpus = filepath.Join(c.Corpus, "none") }, "lessons=0"},
		"corpus a file":  {start, func(c *Config) { c.Corpus = c.Log }, "is not a folder"},
		"trouble before": {start, func(c *Config) { c.Trouble = errors.New("no config"); c.MaxInject = 0 }, "no config"},
	} {
		t.Run(name, func(t *testing.T) {
			c := good
			c.State = t.TempDir()
			c.Log = filepath.Join(t.TempDir(), "hook.log")
			if test.mod != nil {
				if name == "corpus a file" {
					if err := os.WriteFile(c.Log, nil, 0o600); err != nil {
						t.Fatal(err)
					}
				}
				test.mod(&c)
			}
			if got := call(t, c, SessionStart, strings.NewReader(test.in)); got != "" {
				t.Errorf("got %q", got)
			}
			if !strings.Contains(logged(t, c), test.log) {
				t.Errorf("log: %s", logged(t, c))
			}
		})
	}
}

// Without an index the project's files are read, and hostile names lead nowhere else.
func TestWithoutIndex(t *testing.T) {
	global := lesson("bbbb", "Holds everywhere")
	global.Scope = lessons.Scope{Project: "shop", Role: "developer", Global: true}
	pending := lesson("cccc", "Not judged")
	pending.Status = lessons.Pending
	c := desk(t, lesson("aaaa", "Run make generate"), global, pending)
	if err := os.RemoveAll(c.Index); err != nil {
		t.Fatal(err)
	}
	got := call(t, c, SessionStart, strings.NewReader(start))
	if !strings.Contains(got, "make generate") || !strings.Contains(got, "Holds everywhere") || strings.Contains(got, "Not judged") {
		t.Errorf("got %q", got)
	}
	if _, err := os.Stat(c.Index); err == nil {
		t.Error("the hook made an index")
	}
	// A prompt does without: reading files one by one takes too long.
	if got := call(t, c, "user-prompt", strings.NewReader(`{"session_id":"s2","cwd":"/src/octofs","prompt":"what does make generate do?"}`)); got != "" || !strings.Contains(logged(t, c), "event=user-prompt session=s2 project=octofs lessons=0 via=index") || !strings.Contains(logged(t, c), "error=") {
		t.Errorf("a prompt: %q\n%s", got, logged(t, c))
	}
	for _, project := range []string{"..", ".pending", "a/b", "", "octofs/../octofs"} {
		c.Project = func(string) string { return project }
		if got := call(t, c, SessionStart, strings.NewReader(start)); strings.Contains(got, "make generate") || strings.Contains(got, "Not judged") {
			t.Errorf("project %q: %s", project, got)
		}
	}
}

func TestLogIsBounded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "hook.log")
	r := record{event: strings.Repeat("x", 500), session: "a\nb\x1b[31m", err: errors.New(strings.Repeat("y", 5000))}
	for range 2000 {
		r.write(path, noon)
	}
	var total int64
	for _, p := range []string{path, path + ".old"} {
		info, err := os.Stat(p)
		if err != nil {
			t.Fatal(err)
		}
		total += info.Size()
	}
	if total > 2*maxLog+2000 {
		t.Errorf("the logs have %d bytes", total)
	}
	b, _ := os.ReadFile(path)
	if bytes.ContainsAny(b, "\x1b") || strings.Contains(string(b), "a\nb") {
		t.Errorf("the log holds what the agent sent as it was: %.200s", b)
	}
}

// FuzzPayload checks that no input makes the parser panic or return invalid text.
func FuzzPayload(f *testing.F) {
	f.Add(start)
	f.Add(`{"workspace_roots":["/a"],"conversation_id":1,"cwd":null}`)
	f.Add(`[]`)
	f.Fuzz(func(t *testing.T, s string) {
		p, err := readPayload(t.Context(), strings.NewReader(s), payloadWait)
		if err != nil && p != (payload{}) {
			t.Errorf("an error and %+v", p)
		}
		if len(word(p.Event)) > 80 || strings.ContainsAny(fmt.Sprint(word(p.Event), word(p.Session)), " \n\t\x1b") {
			t.Errorf("the log would have %q", word(p.Event))
		}
	})
}
