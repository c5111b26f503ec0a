package mcp

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"learnings/lessons"
	"learnings/lessons/exchange"
	"learnings/lessons/exchange/mcp/testdata/octobrain"
)

// With this variable the test binary is the memory server.
const serving = "LEARNINGS_TEST_OCTOBRAIN"

func TestMain(m *testing.M) {
	if os.Getenv(serving) != "" {
		os.Exit(octobrain.Run())
	}
	os.Exit(m.Run())
}

// seedMap is what Octomind's documentation maps, with the field that octobrain has
// renamed since.
var seedMap = map[string]string{
	"content": "content", "title": "title", "memory_type": "memory_type", "importance": "importance", "confidence": "source",
	"tags": "tags", "role": "role", "project": "project", "source": "", "created": "",
}

var askMap = map[string]string{"query": "query", "project": "project", "role": "role", "limit": "limit", "memory_type": "memory_types"}

// stdio is a server that is run as a process, and what it keeps.
func stdio(t *testing.T, mode string) (Server, *octobrain.Server) {
	t.Helper()
	t.Setenv(serving, "1")
	file := filepath.Join(t.TempDir(), "memories.jsonl")
	set(t, file, mode)
	return Server{
		Command: []string{os.Args[0], file}, Timeout: time.Minute, Forget: "forget",
		Store: Tool{"memorize", seedMap}, Retrieve: Tool{"remember", askMap},
	}, &octobrain.Server{File: file}
}

func set(t *testing.T, file, mode string) {
	t.Helper()
	if err := os.WriteFile(file+".mode", []byte(mode), 0o600); err != nil {
		t.Fatal(err)
	}
}

func lesson(id lessons.ID, content string) lessons.Lesson {
	return lessons.Lesson{
		ID: id, Status: lessons.Approved, Confidence: 0.9, Wording: lessons.Wording{Content: content}, Tags: []string{"auth"},
		Scope: lessons.Scope{Project: "octofs", Role: "developer"}, Created: time.Date(2026, 4, 5, 14, 30, 0, 0, time.UTC),
	}
}

// publish brings the server up to date and gives the plan.
func publish(t *testing.T, s Server, state string, ls ...lessons.Lesson) (*exchange.Plan, error) {
	t.Helper()
	ledger, err := exchange.OpenLedger(state, s.Name())
	if err != nil {
		t.Fatal(err)
	}
	p, err := Format{Server: s}.Plan(t.Context(), exchange.Target{Path: s.Name(), Ledger: ledger}, ls)
	if err != nil {
		return nil, err
	}
	return p, p.Apply(t.Context())
}

// TestTools checks that the server of these tests has the tools of octobrain.
func TestTools(t *testing.T) {
	data, err := os.ReadFile("testdata/octobrain_tools.json")
	if err != nil {
		t.Fatal(err)
	}
	type tool struct {
		Required   []string
		Properties map[string]any
	}
	var real struct{ Tools map[string]tool }
	if err := json.Unmarshal(data, &real); err != nil {
		t.Fatal(err)
	}
	for name, want := range real.Tools {
		var got tool
		if err := json.Unmarshal([]byte(octobrain.Schemas[name]), &got); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got.Required, want.Required) || len(got.Properties) != len(want.Properties) {
			t.Errorf("%s: %v", name, got)
		}
		for p := range want.Properties {
			if got.Properties[p] == nil {
				t.Errorf("%s lacks %s", name, p)
			}
		}
	}
}

// TestStore follows a lesson through its life in a server.
func TestStore(t *testing.T) {
	s, kept := stdio(t, "")
	state := t.TempDir()
	a, b := lesson("a", "Bearer token auth required for all API endpoints"), lesson("b", "Use tabs")
	b.Confidence, b.Insight = 0.5, "gofmt does"
	c := lesson("c", "Short")
	c.Scope = lessons.Scope{Global: true}
	p, err := publish(t, s, state, a, b, c)
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Losses) != 1 || p.Losses[0].ID != "c" || !strings.Contains(p.Losses[0].What[0], "its content, which is shorter than the 10 letters") {
		t.Errorf("losses %v", p.Losses)
	}
	all := kept.All()
	if len(all) != 2 {
		t.Fatalf("stored %v", all)
	}
	want := map[string]any{
		"title": a.Content, "content": a.Content, "memory_type": "learning", "importance": 0.9, "source": "user_confirmed",
		"tags": []any{"auth"}, "role": "developer", "scope": "octofs",
	}
	got, _ := json.Marshal(all[0].Args)
	if wanted, _ := json.Marshal(want); string(got) != string(wanted) {
		t.Errorf("sent\n%s\nwant\n%s", got, wanted)
	}
	if all[1].Source != "agent_inferred" || all[1].Content != "Use tabs\n\ngofmt does" {
		t.Errorf("stored %v", all[1])
	}
	if p, err = publish(t, s, state, a, b); err != nil || !p.Empty() || len(kept.All()) != 2 {
		t.Errorf("again: %v, %v", p.Rows, err)
	}
	a.Content += " but health"
	b.Status = lessons.Archived
	if _, err = publish(t, s, state, a, b); err != nil {
		t.Fatal(err)
	}
	if all = kept.All(); len(all) != 1 || all[0].Content != a.Content {
		t.Errorf("after a change and the end of the other: %v", all)
	}
	s.Forget = ""
	a.Content += " checks"
	p, err = publish(t, s, state, a)
	if err != nil || len(kept.All()) != 2 || len(p.Losses) != 1 || !strings.Contains(p.Losses[0].What[0], "learning.mcp.forget") {
		t.Errorf("without a tool that forgets: %v, %v, %v", p.Losses, kept.All(), err)
	}
}

// TestMapping checks that a tool is compared with the settings before it is called.
func TestMapping(t *testing.T) {
	s, kept := stdio(t, "")
	for name, c := range map[string]struct {
		tool Tool
		err  string
	}{
		"only what is needed":   {Tool{Name: "memorize"}, ""},
		"no such tool":          {Tool{Name: "memorise"}, `learning.store.tool: the memory server`},
		"no such parameter":     {Tool{"memorize", map[string]string{"content": "text"}}, `learning.store.field_map: the tool memorize has no parameter "text" for content; it has: content, global,`},
		"no such field":         {Tool{"memorize", map[string]string{"contents": "content"}}, `learning.store.field_map: there is no field "contents"; there are: content, title`},
		"something else needed": {Tool{Name: "forget"}, `learning.store.field_map: the tool forget needs the parameter "confirm"`},
	} {
		s.Store = c.tool
		_, err := publish(t, s, t.TempDir(), lesson("a", "Bearer token auth"))
		if c.err == "" && err != nil || c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if all := kept.All(); len(all) != 1 || len(all[0].Args) != 2 {
		t.Errorf("stored %v", all)
	}
}

// TestServerEnds checks that what a server stored before it died is not stored again,
// and that the rest is.
func TestServerEnds(t *testing.T) {
	s, kept := stdio(t, "die")
	state := t.TempDir()
	ls := []lessons.Lesson{lesson("a", "Bearer tokens for the API"), lesson("b", "Tabs for indentation"), lesson("c", "Migrations have a date")}
	_, err := publish(t, s, state, ls...)
	if err == nil || !strings.Contains(err.Error(), "b: the memory server") || !strings.Contains(err.Error(), "out of memory; 1 of 3 done") {
		t.Errorf("%v", err)
	}
	set(t, kept.File, "")
	if _, err := publish(t, s, state, ls...); err != nil {
		t.Fatal(err)
	}
	if all := kept.All(); len(all) != 3 || all[1].Content != ls[1].Content || all[2].Content != ls[2].Content {
		t.Errorf("stored %v", all)
	}
	if p, err := publish(t, s, state, ls...); err != nil || !p.Empty() {
		t.Errorf("again: %v, %v", p, err)
	}
}

// TestTwoAtOnce checks that two processes which publish the same store it once.
func TestTwoAtOnce(t *testing.T) {
	s, kept := stdio(t, "")
	state := t.TempDir()
	ls := []lessons.Lesson{lesson("a", "Bearer tokens for the API"), lesson("b", "Tabs for indentation")}
	var plans []*exchange.Plan
	for range 2 {
		ledger, err := exchange.OpenLedger(state, s.Name())
		if err != nil {
			t.Fatal(err)
		}
		p, err := Format{Server: s}.Plan(t.Context(), exchange.Target{Path: s.Name(), Ledger: ledger}, ls)
		if err != nil {
			t.Fatal(err)
		}
		plans = append(plans, p)
	}
	var all sync.WaitGroup
	for _, p := range plans {
		all.Go(func() {
			if err := p.Apply(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if all := kept.All(); len(all) != 2 {
		t.Errorf("stored %v", all)
	}
	if p, err := publish(t, s, state, ls...); err != nil || !p.Empty() {
		t.Errorf("again: %v, %v", p, err)
	}
}

// TestRefused checks that what a tool refuses is said and tried again, whether it marks
// its errors or not.
func TestRefused(t *testing.T) {
	for _, mode := range []string{"", "text-errors"} {
		s, kept := stdio(t, mode)
		state := t.TempDir()
		ls := []lessons.Lesson{lesson("a", "REFUSE this one"), lesson("b", "Tabs for indentation")}
		for range 2 {
			_, err := publish(t, s, state, ls...)
			if err == nil || err.Error() != "a: the tool memorize says: Error: database is locked" {
				t.Errorf("%q: %v", mode, err)
			}
		}
		if all := kept.All(); len(all) != 1 {
			t.Errorf("%q: stored %v", mode, all)
		}
		for i := range ls {
			ls[i] = lesson(ls[i].ID+"x", "REFUSE")
			ls = append(ls, lesson(ls[i].ID+"y", "REFUSE all of these"))
		}
		for i := range ls {
			ls[i].Content = "REFUSE all of these"
		}
		if _, err := publish(t, s, state, ls...); err == nil || !strings.Contains(err.Error(), "1 more were not tried") {
			t.Errorf("%q: %v", mode, err)
		}
	}
}

// TestBadServers checks that nothing a server does at its start holds up a person, and
// that the message says what it was.
func TestBadServers(t *testing.T) {
	for mode, want := range map[string]string{
		"hang":  "no answer to the first message within 1s; it said: loading the model",
		"noise": "the first message: ",
		"flood": "the first message: ",
		"end":   "it said: no database: run octobrain init",
	} {
		t.Run(mode, func(t *testing.T) {
			s, _ := stdio(t, mode)
			if mode == "hang" {
				s.Timeout = time.Second
			}
			_, err := publish(t, s, t.TempDir(), lesson("a", "Bearer token auth"))
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%v", err)
			}
			if _, err := (Format{Server: s, Question: "tokens"}).Read(t.Context(), s.Name()); err == nil {
				t.Error("it answers")
			}
		})
	}
	s := Server{Command: []string{filepath.Join(t.TempDir(), "nothing")}, Store: Tool{Name: "memorize"}}
	if _, err := publish(t, s, t.TempDir(), lesson("a", "x")); err == nil || !strings.HasPrefix(err.Error(), "starting the memory server") {
		t.Errorf("%v", err)
	}
	s, _ = stdio(t, "big")
	if _, err := (Format{Server: s, Question: "tokens"}).Read(t.Context(), s.Name()); err == nil || !strings.Contains(err.Error(), "maximum line length") {
		t.Errorf("20 MB: %v", err)
	}
}

// TestRead checks that what a server holds is read whether it lists it or not, and that
// the same memory is the same lesson each time.
func TestRead(t *testing.T) {
	for _, mode := range []string{"", "json"} {
		s, _ := stdio(t, mode)
		a, b := lesson("a", "A rule of the API: bearer tokens everywhere"), lesson("b", "Errors are wrapped")
		a.Insight = "The gateway checks them.\n\nSee docs."
		if _, err := publish(t, s, t.TempDir(), a, b); err != nil {
			t.Fatal(err)
		}
		found, err := Format{Server: s}.Read(t.Context(), s.Name())
		if err != nil || len(found.Entries) != 2 {
			t.Fatalf("%q: %v, %v", mode, found, err)
		}
		if n := len(found.Unread); n != map[string]int{"": 1, "json": 0}[mode] {
			t.Errorf("%q: %v", mode, found.Unread)
		}
		i := slices.IndexFunc(found.Entries, func(e exchange.Entry) bool { return e.Key == "mem-1" })
		l := found.Entries[i].Lesson
		if l.Content != a.Content || l.Insight != a.Insight || l.Confidence != 0.9 || l.ID != exchange.ID(Name, s.Name(), "mem-1") || !slices.Equal(l.Tags, a.Tags) {
			t.Errorf("%q: %+v", mode, l)
		}
		if err := l.Validate(); err != nil {
			t.Error(err)
		}
		// What came from there and was approved as it is needs nothing there.
		l.Status = lessons.Approved
		if p, err := publish(t, s, t.TempDir(), l); err != nil || !p.Empty() {
			t.Errorf("%q: %v, %v", mode, p, err)
		}
		if got, err := (Format{Server: s, Question: "wrapped errors"}).Read(t.Context(), s.Name()); err != nil || len(got.Entries) != 1 {
			t.Errorf("%q: a question: %v, %v", mode, got, err)
		}
	}
}

// TestHTTP checks the other way to a server, its headers, and that they go nowhere else.
func TestHTTP(t *testing.T) {
	kept := &octobrain.Server{File: filepath.Join(t.TempDir(), "m")}
	web := httptest.NewServer(kept.Handler("Bearer x"))
	defer web.Close()
	s := Server{URL: web.URL, Store: Tool{"memorize", seedMap}, Retrieve: Tool{"remember", askMap}, Getenv: func(name string) string {
		return map[string]string{"TOKEN": "Bearer x"}[name]
	}}
	state, a := t.TempDir(), lesson("a", "Bearer token auth required")
	if _, err := publish(t, s, state, a); err == nil || !strings.Contains(err.Error(), "Unauthorized") {
		t.Errorf("without a token: %v", err)
	}
	s.Headers = map[string]string{"Authorization": "TOKN"}
	if _, err := publish(t, s, state, a); err == nil || !strings.Contains(err.Error(), "the variable TOKN, which is to hold Authorization, is not set") {
		t.Errorf("without the variable: %v", err)
	}
	s.Headers["Authorization"] = "TOKEN"
	if _, err := publish(t, s, state, a); err != nil {
		t.Fatal(err)
	}
	got, err := (Format{Server: s, Question: "token for the API"}).Read(t.Context(), s.Name())
	if err != nil || len(got.Entries) != 1 || got.Entries[0].Lesson.Content != a.Content {
		t.Errorf("asked: %v, %v", got, err)
	}
	away := httptest.NewServer(redirect(web.URL))
	defer away.Close()
	s.URL = away.URL
	if _, err := (Format{Server: s, Question: "token"}).Read(t.Context(), s.Name()); err == nil {
		t.Error("a redirection was followed")
	}
	s.URL, kept.Mode = web.URL, "big"
	if _, err := (Format{Server: s, Question: "token"}).Read(t.Context(), s.Name()); err == nil {
		t.Error("20 MB were read")
	}
}

// TestAnswers checks the forms of an answer beside those that are recorded.
func TestAnswers(t *testing.T) {
	text := func(blocks ...string) *sdk.CallToolResult {
		res := &sdk.CallToolResult{}
		for _, b := range blocks {
			res.Content = append(res.Content, &sdk.TextContent{Text: b})
		}
		return res
	}
	listing := "MEMORIES (2 found)\n\n1. [CONFIRMED] One | Score: 0.91\nType: decision | Importance: 0.9 | Confidence: 1.00 | Created: 2026-04-05 14:30:00 UTC\nTags: auth, api\nID: x1\nFirst\n2. [CONFIRMED] no heading | Score: 1\n\nmore\nWhy: it fits\n\n" +
		"2. [INFERRED] Two | Score: 0.5\nType: learning\nID: x2\nSecond\n\n"
	for name, c := range map[string]struct {
		res  *sdk.CallToolResult
		want string
	}{
		"structured":        {&sdk.CallToolResult{StructuredContent: map[string]any{"results": []any{map[string]any{"content": "a"}}}}, "a"},
		"a block each":      {text(`{"content":"a"}`, `{"content":"b"}`), "a|b"},
		"nothing":           {text("No memories found"), ""},
		"an empty list":     {text(`{"memories":[]}`), ""},
		"another key":       {text(`{"memories":3,"data":[{"content":"a"}]}`), "a"},
		"listing":           {text(listing), "First\n2. [CONFIRMED] no heading | Score: 1\n\nmore|Second"},
		"listing, cut off":  {text("MEMORIES (9 found)\n\n1. [X] T | Score: 1\nType: a\nID: b\nc"), "MEMORIES (9 found)|1. [X] T | Score: 1|Type: a|ID: b|c"},
		"lines":             {text("one\n\n two \n"), "one|two"},
		"an element of not": {text(`[{"content":"a"},3]`), `[{"content":"a"},3]`},
	} {
		var got []string
		for _, m := range memoriesOf(c.res) {
			got = append(got, m.Content)
		}
		if strings.Join(got, "|") != c.want {
			t.Errorf("%s: %q", name, got)
		}
	}
	m := parse(listing)[0]
	if m.ID != "x1" || m.Title != "One" || m.Type != "decision" || !slices.Equal(m.Tags, []string{"auth", "api"}) || m.Confidence != confirmed || m.Created.Year() != 2026 {
		t.Errorf("%+v", m)
	}
	for text, want := range map[string]string{"Memory stored: ab-1 (+ 2 relationships)": "ab-1", `{"id":"x"}`: "x", "stored": "", "": ""} {
		if got := idOf(&sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: text}}}); got != want {
			t.Errorf("%q: id %q", text, got)
		}
	}
}

// FuzzParse checks that no answer breaks the parser, and that each memory that comes out
// of one can be a proposal.
func FuzzParse(f *testing.F) {
	f.Add(`[{"content":"a"}]`)
	f.Add(`{"data":[{"content":"a","confidence":"high","tags":["x"],"created":"2026-04-05T14:30:00Z"}]}`)
	f.Add("MEMORIES (1 found)\n\n1. [CONFIRMED] T | Score: 0.91\nType: learning | Created: 2026-04-05 14:30:00 UTC\nTags: a, b\nID: x\nbody\nWhy: y\n\n")
	f.Fuzz(func(t *testing.T, text string) {
		for _, m := range parse(text) {
			e := Format{}.entry(m)
			if strings.TrimSpace(m.Content) == "" || e.Key == "" || e.Lesson.Confidence < 0 || e.Lesson.Confidence > 1 {
				t.Errorf("%q gives %+v", text, m)
			}
		}
		isError(text)
	})
}

func redirect(to string) http.Handler { return http.RedirectHandler(to, http.StatusTemporaryRedirect) }
