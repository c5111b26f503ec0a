package hook

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"learnings/extractor/live"
)

// TestProbe checks that each agent's probe is answered in its form, is logged as a probe,
// and leaves nothing else, even if there are lessons to give.
func TestProbe(t *testing.T) {
	desk := desk(t)
	for _, a := range agents {
		for _, e := range append(Events(), string(preTool)) {
			c := desk
			c.For, c.Probe, c.Log = a.name, "a-probe", filepath.Join(t.TempDir(), "hook.log")
			c.Note = func(live.Notice) error { t.Errorf("%s %s: noted", a.name, e); return nil }
			c.MaxInject = 0
			var out bytes.Buffer
			Run(t.Context(), e, bytes.NewReader(ProbePayload(a.name, e, "its-session", t.TempDir())), &out, c)
			if err := CheckProbe(a.name, e, e, out.Bytes()); err != nil {
				t.Errorf("%s %s: %v: %s\n%s", a.name, e, err, out.String(), logged(t, c))
			}
			var got []Entry
			for entry, err := range Entries(c.Log) {
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, entry)
			}
			if len(got) != 1 || !got[0].Probe || got[0].Session != "a-probe" || got[0].Event != e || got[0].Agent != a.name || got[0].Err != "" {
				t.Errorf("%s %s: logged %+v", a.name, e, got)
			}
			if left, _ := filepath.Glob(filepath.Join(c.State, "*", "*")); len(left) > 0 && strings.Contains(strings.Join(left, " "), "its-session") {
				t.Errorf("%s %s: left %v", a.name, e, left)
			}
		}
	}
}

// TestCheckProbe checks the errors on wrong answers.
func TestCheckProbe(t *testing.T) {
	claude := probeAnswer(agentNamed("claude", ""), sessionStart, "SessionStart")
	for _, c := range []struct {
		agent, event, printed string
		want                  error
	}{
		{"claude", "session-start", string(claude), nil},
		{"copilot", "session-start", string(claude), errNotForm},
		{"claude", "session-start", "", errSilent},
		{"claude", "session-start", "hello", errNotForm},
		{"claude", "session-start", "[]", errNotForm},
		{"claude", "stop", "", nil},
		{"claude", "stop", "{}", errNotForm},
		{"cursor", "user-prompt", "", nil},
	} {
		if err := CheckProbe(c.agent, c.event, "SessionStart", []byte(c.printed)); !errors.Is(err, c.want) || c.want == nil && err != nil {
			t.Errorf("%s %s %q: %v, want %v", c.agent, c.event, c.printed, err, c.want)
		}
	}
}

// TestEntries checks the parsing of a log.
func TestEntries(t *testing.T) {
	path := filepath.Join(t.TempDir(), "hook.log")
	at := time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)
	record{event: "stop", session: "one", agent: "codex", via: "spool", err: errors.New(`no "room"` + "\n")}.write(path+".old", at)
	record{event: "session-start", given: 3, via: "index"}.write(path, at)
	Log(path, at, "worker=1 took=3s")
	Log(path, at, "event")
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = f.WriteString("rubbish \x1b[2J\n2026-11-20T10:00:00Z event=x error=\"cut")
	f.Close()
	var got []Entry
	for e, err := range Entries(path) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, e)
	}
	want := []Entry{
		{At: at, Event: "stop", Session: "one", Agent: "codex", Err: "no \"room\"\n"},
		{At: at, Event: "session-start", Given: 3},
		{At: at, Event: "x", Err: `"cut`},
	}
	if len(got) != len(want) {
		t.Fatalf("%+v", got)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("%+v, want %+v", got[i], want[i])
		}
	}
}

// FuzzEntry checks that the parser of log lines does not panic.
func FuzzEntry(f *testing.F) {
	f.Add(`2026-11-20T10:00:00Z event=stop session=- project=- lessons=0 via=spool took=1ms agent=codex error="no \"room\""`)
	f.Add("event=")
	f.Fuzz(func(t *testing.T, line string) {
		if e, ok := parseEntry(line); !ok && e != (Entry{}) {
			t.Errorf("%+v of no entry", e)
		}
	})
}
