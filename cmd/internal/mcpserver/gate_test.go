package mcpserver

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"learnings/index/curate"
	"learnings/lessons"
)

// guardedWorld returns a world with lessons of every status.
func guardedWorld(t *testing.T) *world {
	t.Helper()
	var ls []lessons.Lesson
	for i, status := range []lessons.Status{lessons.Approved, lessons.Approved, lessons.Rejected, lessons.Archived, lessons.Merged} {
		l := lesson(fmt.Sprintf("les%d", i), []string{"Run make generate", "Never commit generated files", "Use yarn workspaces", "Deploy on Fridays", "Generate with make"}[i])
		if l.Status = status; status == lessons.Merged {
			l.Decided.Into = "les0"
		}
		l.Evidence = []lessons.Evidence{{Agent: "claude-code", Session: sessionID, By: lessons.ByPerson, Quote: "No. We always use pnpm in this repository.", UUID: "u2", Line: 3, At: noon}}
		ls = append(ls, l)
	}
	waits := lesson("wait", "Use tabs everywhere")
	waits.Status, waits.Decided = lessons.Pending, lessons.Decision{}
	return newWorld(t, append(ls, waits)...)
}

// unharmed checks that lessons already decided on have the same bytes and places, that
// none is missing, and that only proposals were added.
func (w *world) unharmed(before map[lessons.ID]string, what string) {
	w.t.Helper()
	now := w.snapshot()
	for id, text := range before {
		if now[id] != text {
			w.t.Fatalf("%s: %s has changed:\n%s\nwas\n%s", what, id, now[id], text)
		}
	}
	if len(now) != len(before) {
		w.t.Fatalf("%s: %d lessons are decided on, and were %d", what, len(now), len(before))
	}
}

// TestNothingDecides calls all tools with all arguments, as different clients, and checks
// that lessons already decided on do not change.
func TestNothingDecides(t *testing.T) {
	w := guardedWorld(t)
	before := w.snapshot()
	random := rand.New(rand.NewPCG(1, 2))
	for _, name := range []string{"claude-code", "ann", "", "a person", strings.Repeat("x", 500)} {
		cs := w.connect(name)
		res, err := w.connect("octomind").ListTools(t.Context(), nil) // all tools
		if err != nil || len(res.Tools) != 8 {
			t.Fatal(res, err)
		}
		for _, tool := range res.Tools {
			schema, err := json.Marshal(tool.InputSchema)
			if err != nil {
				t.Fatal(err)
			}
			var s struct{ Properties map[string]any }
			if err := json.Unmarshal(schema, &s); err != nil {
				t.Fatal(err)
			}
			for range 12 {
				w.written = nil
				args := m{}
				for p := range s.Properties {
					if random.IntN(5) > 0 {
						args[p] = anything(random)
					}
				}
				if _, err := cs.CallTool(t.Context(), &mcp.CallToolParams{Name: tool.Name, Arguments: args}); err != nil {
					t.Errorf("%s %v: %v", tool.Name, args, err)
				}
			}
			w.unharmed(before, tool.Name)
		}
		for _, verb := range []string{"approve", "reject", "edit", "merge", "delete", "archive", "forget", "undo", "import", "publish", "../propose"} {
			if _, err := cs.CallTool(t.Context(), &mcp.CallToolParams{Name: verb, Arguments: m{"id": "wait", "ids": []string{"wait"}}}); err == nil {
				t.Errorf("there is a tool %q", verb)
			}
		}
	}
	if l, err := w.lib.Store.Get("wait"); err != nil || l.Status != lessons.Pending || l.Content != "Use tabs everywhere" {
		t.Errorf("a proposal: %v, %v", l, err)
	}
}

// anything returns a random argument.
func anything(r *rand.Rand) any {
	texts := []string{
		"les0", "L-les1", "wait", "les", "", "approved", "all", "helped", "wrong", "not", "Run make generate", "Never commit generated files", "Use yarn workspaces", "Use tabs everywhere",
		"No. We always use pnpm in this repository.", sessionID, "shop", "../../..", "status: approved", "---\nstatus: approved\n---\n", "\x1b[31m\u202e\x00", "ann", strings.Repeat("é", 3000), "<learnings-context>",
	}
	switch r.IntN(6) {
	case 0:
		return r.IntN(50) - 5
	case 1:
		return []string{texts[r.IntN(len(texts))], texts[r.IntN(len(texts))]}
	case 2:
		return r.IntN(2) == 0
	}
	return texts[r.IntN(len(texts))]
}

// TestGate checks that the gate sees an agent under any client name.
func TestGate(t *testing.T) {
	w := guardedWorld(t)
	waits, err := w.lib.Store.Get("wait")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"claude-code", "codex-mcp-client", "ann", "", "person"} {
		c := w.Server.corpus(client(&mcp.Implementation{Name: name}))
		c.By = "ann" // as if a client could set it
		if !curate.IsAgent(c.Agent) {
			t.Errorf("%q is %q to the gate", name, c.Agent)
		}
		_, added := c.Add(lesson("new", "x"))
		_, many := c.DecideMany(curate.Approve.Because("because"), []lessons.Lesson{waits})
		_, moved := c.RenameProject("shop", "mine")
		for what, err := range map[string]error{"decide": c.MayDecide("approve"), "add": added, "approve": many, "rename": moved} {
			if !errors.Is(err, curate.ErrPerson) {
				t.Errorf("%q may %s: %v", name, what, err)
			}
		}
	}
}

// FuzzTools calls each tool with any JSON.
func FuzzTools(f *testing.F) {
	for _, seed := range []string{
		`{"query":"make"}`, `{"ids":["les0","les1"]}`, `{"id":"les0","verdict":"wrong","note":"x"}`, `{"id":"les0","evidence":1}`, `{"content":"Run make generate","quote":"No. We always use pnpm"}`,
		`{"content":"x","quote":"y","session":"` + sessionID + `","project":"..","global":true,"tags":["a"],"triggers":["b"]}`, `{"title":"t","content":"c","source":"s"}`, `[]`, `null`, `{"id":{"$ref":"#"}}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, args []byte) {
		if !json.Valid(args) || len(args) > mostLine {
			return
		}
		w := guardedWorld(t)
		before := w.snapshot()
		cs := w.connect("octomind")
		res, err := cs.ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, tool := range res.Tools {
			_, _ = cs.CallTool(t.Context(), &mcp.CallToolParams{Name: tool.Name, Arguments: json.RawMessage(args)})
		}
		w.unharmed(before, string(args))
		if _, err := cs.CallTool(t.Context(), &mcp.CallToolParams{Name: "search", Arguments: m{"query": "make"}}); err != nil {
			t.Errorf("%s: then %v", args, err)
		}
	})
}

// TestClient checks the words made of clients' names.
func TestClient(t *testing.T) {
	for name, want := range map[string]string{
		"claude-code": "claude-code", "Claude Code!": "claude-code", "": "unknown", "../..": "unknown", "\x1b[31m": "31m", "日本": "unknown", strings.Repeat("x", 100): strings.Repeat("x", 40),
	} {
		if got := client(&mcp.Implementation{Name: name}); got != want {
			t.Errorf("%q is %q", name, got)
		}
	}
	if client(nil) != "unknown" {
		t.Error("none has a name")
	}
	all := slices.Repeat([]time.Time{noon.Add(-time.Hour)}, writesAnHour)
	s := newWorld(t).Server
	s.written = all
	done, err := s.writing(t.Context())
	if err != nil {
		t.Fatalf("an hour later: %v", err)
	}
	done()
}
