package rules

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"learnings/extractor/transcript"
	"learnings/lessons"
)

var noon = time.Date(2026, 4, 5, 12, 0, 0, 0, time.UTC)

// talk makes a session of lines: "agent: …", "person: …", "refuses Bash git
// push: …", "queued: …", "answer: …", "/command …", "runs: …", "fails: …",
// "works: …", "edits: path", "stops", "summary: …", "plan: …".
func talk(lines ...string) []transcript.Turn {
	var out []transcript.Turn
	var call *transcript.ToolCall
	for i, l := range lines {
		who, text, _ := strings.Cut(l, ": ")
		t := transcript.Turn{Line: i + 1, UUID: fmt.Sprintf("u%d", i+1), Session: "s1", At: noon.Add(time.Duration(i) * time.Minute), Text: text, Speaker: transcript.Person, Kind: transcript.Message}
		kind, rest, _ := strings.Cut(who, " ")
		switch kind {
		case "agent":
			t.Speaker = transcript.Agent
		case "person":
		case "refuses":
			name, command, _ := strings.Cut(rest, " ")
			t.Kind, t.Refused, t.Tool = transcript.Rejection, true, &transcript.ToolCall{Name: name, Command: command}
		case "queued":
			t.Kind = transcript.Steering
		case "answer":
			t.Kind = transcript.Answer
		case "command":
			t.Kind, t.Name = transcript.Command, "/"+rest
		case "runs":
			call = &transcript.ToolCall{Name: "Bash", Command: text}
			t.Speaker, t.Kind, t.Tool, t.Text = transcript.Agent, transcript.Call, call, ""
		case "edits":
			t.Speaker, t.Kind, t.Tool = transcript.Agent, transcript.Call, &transcript.ToolCall{Name: "Edit", Path: text, Old: "a", New: "b"}
		case "fails":
			t.Speaker, t.Kind, t.Tool, t.Failed = transcript.Tool, transcript.Result, call, true
		case "works":
			t.Speaker, t.Kind, t.Tool = transcript.Tool, transcript.Result, call
		case "stops":
			t.Kind = transcript.Interrupt
		case "summary":
			t.Speaker, t.Kind = transcript.Harness, transcript.Summary
		case "plan":
			t.Speaker, t.Kind = transcript.Harness, transcript.Plan
		case "sub":
			t.Speaker, t.Sidechain = transcript.Agent, true
		default:
			panic("no such line: " + l)
		}
		out = append(out, t)
	}
	return out
}

var session = transcript.Session{Agent: transcript.ClaudeCode, ID: "s1", Role: "reviewer", Start: noon}

func contents(ls []lessons.Lesson) string {
	var out []string
	for _, l := range ls {
		out = append(out, l.Content)
	}
	return strings.Join(out, "\n")
}

func TestWhatPeopleState(t *testing.T) {
	for _, c := range []struct {
		name     string
		lines    []string
		want     string // in the content
		category lessons.Category
		rule     string // in Origin.Rule
	}{
		{"a standing rule", []string{"agent: Done.", "person: From now on run `make lint` before you commit anything."}, "Run `make lint` before you commit anything.", "", "asked to have it remembered"},
		{"an order for always", []string{"agent: All set.", "person: always use the staging database in tests, never production."}, "Always use the staging database in tests, never production.", "", "standing rule"},
		{"a request to remember", []string{"agent: ok", "person: Remember: the public API must not expose internal ids."}, "The public API must not expose internal ids.", "", "remember"},
		{"a repeated request", []string{"agent: I added the helper.", "person: I told you to keep the helpers in the same package, don't add new ones."}, "Keep the helpers in the same package", "", "again"},
		{"a correction that the agent concedes", []string{
			"agent: I put the lookup into the session type.",
			"person: no, that is wrong. We don't want path lookups in the session type, they should be in the path helpers.",
			"agent: You're right, let me move it.", "edits: paths.go", "edits: session.go", "edits: paths_test.go"}, "they should be in the path helpers", "correction", ""},
		{"a refusal", []string{"agent: Committing.", "runs: git commit -am plan", "refuses Bash git commit -am plan: don't commit the plan documents, we keep those local"}, "on't commit the plan documents", "correction", "refused a call of Bash"},
		{"a rule in a long prompt", []string{"person: Build the importer.\n\nConstraints:\n- Do not add new dependencies.\n- The importer should only read files, it must never write to the source folder.\n- Start with the CSV reader."}, "must never write to the source folder", "", ""},
		{"a queued message", []string{"runs: go test ./...", "queued: we should never skip the slow tests, they always need to be run before a release"}, "never skip the slow tests", "", "at work"},
	} {
		t.Run(c.name, func(t *testing.T) {
			ls := propose(t, Rules{Least: 0.4}, session, talk(c.lines...))
			i := slices.IndexFunc(ls, func(l lessons.Lesson) bool { return strings.Contains(l.Content, c.want) })
			if i < 0 {
				t.Fatalf("want a lesson with %q, got:\n%s", c.want, contents(ls))
			}
			l := ls[i]
			if c.category != "" && l.Category != c.category {
				t.Errorf("category %s, want %s", l.Category, c.category)
			}
			if !strings.Contains(l.Origin.Rule, c.rule) || l.Origin.Rule == "" {
				t.Errorf("rule %q, want %q in it", l.Origin.Rule, c.rule)
			}
		})
	}
}

// distractors are moments that look like feedback and teach nothing.
var distractors = []struct{ why, said string }{
	{"a question of fact", "what does this function return?"},
	{"a question of fact", "is the server running already?"},
	{"a question of fact", "how many tests do we have now?"},
	{"a request for this once", "please fix the failing test"},
	{"a request for this once", "can you show me the diff"},
	{"a request for this once", "could you take another look at the log output?"},
	{"a request for this once", "help me with the merge conflict"},
	{"a request for this once", "Revert the last commit"},
	{"a request for this once", "Stop the dev server"},
	{"a request for this once", "Actually, let's also add tests"},
	{"a request for this once", "commit this and push"},
	{"a brush-off", "no problem"},
	{"a brush-off", "no worries, take your time"},
	{"a brush-off", "no rush"},
	{"a brush-off", "no idea"},
	{"a brush-off", "no thanks"},
	{"a brush-off", "no way!"},
	{"a brush-off", "never mind"},
	{"a brush-off", "don't worry about it"},
	{"design talk", "won't work for Windows, let's use the other one"},
	{"a report", "error: failed to compile the project"},
	{"a report", "the page is not working"},
	{"a report", "it cannot find the file"},
	{"a report", "I get a 500 from the endpoint"},
	{"praise", "great"},
	{"praise", "perfect, thanks!"},
	{"praise", "exactly what I wanted"},
	{"praise with a number", "exactly 2 days"},
	{"a word in a word", "make the margin greater"},
	{"a word in a word", "the wiki like page"},
	{"nothing wrong", "no exception and no traceback"},
	{"nothing wrong", "nothing has failed"},
	{"nothing wrong", "not decided anything"},
	{"go on", "yes, continue"},
	{"go on", "ok do it"},
	{"go on", "2"},
	{"go on", "sounds good, go ahead"},
	{"a choice", "option B please"},
}

func TestDistractors(t *testing.T) {
	for _, d := range distractors {
		for _, before := range []string{"agent: Done. All tests pass.", "agent: Which one would you like?"} {
			ls := propose(t, Rules{}, session, talk("person: Build the importer", before, "person: "+d.said, "agent: Let me do that."))
			if len(ls) > 0 {
				t.Errorf("%s: %q after %q made a lesson of confidence %.2f (%s)", d.why, d.said, before, ls[0].Confidence, ls[0].Origin.Rule)
			}
		}
	}
}

func TestShortNoToAQuestion(t *testing.T) {
	for _, said := range []string{"no", "no, don't", "No.", "nope", "nein", "not now"} {
		if ls := propose(t, Rules{}, session, talk("agent: Shall I delete the branch?", "person: "+said)); len(ls) > 0 {
			t.Errorf("%q to a question made a lesson: %s", said, contents(ls))
		}
	}
}

// rule is one that is proposed wherever a person states it.
const rule = "From now on always use pnpm, never npm, in this repository."

func TestOnlyWhatPeopleWrote(t *testing.T) {
	if ls := propose(t, Rules{}, session, talk("agent: hi", "person: "+rule)); len(ls) != 1 {
		t.Fatalf("the rule itself is not proposed once:\n%s", contents(ls))
	}
	for name, lines := range map[string][]string{
		"the agent's words":  {"agent: " + rule},
		"a subagent":         {"sub: " + rule},
		"a summary":          {"summary: " + rule},
		"a plan":             {"plan: " + rule},
		"a tool's answer":    {"runs: cat notes", "works: " + rule},
		"a code block":       {"agent: hi", "person: what is this?\n```\n" + rule + "\n```"},
		"an open code block": {"agent: hi", "person: what is this?\n```\n" + rule},
		"a quote":            {"agent: hi", "person: what is this?\n> " + rule},
		"our own block":      {"agent: hi", "person: <learnings-context version=\"1\">\n- " + rule + "\n</learnings-context>\nwhat now?"},
		"a reminder":         {"agent: hi", "person: <system-reminder>" + rule + "</system-reminder>what now?"},
		"a log":              {"agent: hi", "person: what now?\n2026-04-05 12:00:00 INFO " + rule},
	} {
		t.Run(name, func(t *testing.T) {
			if ls := propose(t, Rules{}, session, talk(lines...)); len(ls) > 0 {
				t.Errorf("proposed:\n%s", contents(ls))
			}
		})
	}
}

func TestLesson(t *testing.T) {
	turns := talk("person: Set up the project", "runs: npm install", "works: ok", "agent: I installed everything with npm.", "person: "+rule, "agent: Understood, I'll switch.")
	ls := propose(t, Rules{}, session, turns)
	if len(ls) != 1 {
		t.Fatalf("want one lesson, got:\n%s", contents(ls))
	}
	l := ls[0]
	e := l.Evidence[0]
	if l.Status != lessons.Pending || l.Scope.Role != "reviewer" || l.Origin.Extractor != Name || l.Origin.Source != "s1" || !l.Created.Equal(turns[4].At) {
		t.Errorf("%+v", l)
	}
	if e.Line != 5 || e.Quote != rule || e.By != lessons.ByPerson || e.From != lessons.FromAsked || e.UUID != "u5" || e.Agent != "claude-code" || e.Path != "" {
		t.Errorf("evidence %+v", e)
	}
	if want := []string{"agent, Bash: npm install", "agent: I installed everything with npm."}; !slices.Equal(e.Before, want) {
		t.Errorf("before %q, want %q", e.Before, want)
	}
	if want := []string{"npm install"}; !slices.Equal(l.Triggers, want) {
		t.Errorf("triggers %q", l.Triggers)
	}
	if again := propose(t, Rules{}, session, turns); again[0].ID != l.ID {
		t.Errorf("the same moment made the ids %s and %s", l.ID, again[0].ID)
	}
}

func TestCreatedWithoutTime(t *testing.T) {
	turns := talk("agent: hi", "person: "+rule)
	turns[1].At = time.Time{}
	if l := propose(t, Rules{}, session, turns)[0]; !l.Created.Equal(noon) {
		t.Errorf("created %v, want the start of the session", l.Created)
	}
}

func TestTheSameIsMerged(t *testing.T) {
	ls := propose(t, Rules{}, session, talk("agent: hi", "queued: "+rule, "agent: ok", "person: "+rule))
	if len(ls) != 1 || len(ls[0].Evidence) != 2 || !ls[0].Asked() || ls[0].Evidence[1].Line != 4 {
		t.Errorf("want one lesson with two pieces of evidence, got %+v", ls)
	}
}

func TestLimits(t *testing.T) {
	var lines []string
	var items []string
	for i := range maxPerSession + 1 {
		if i < 20 {
			items = append(items, fmt.Sprintf("- From now on always keep part %d apart from part %d.", i, i+100))
		}
		lines = append(lines, "agent: hi", fmt.Sprintf("person: From now on never touch file%d.go by hand, it is generated.", i))
	}
	if n := len(propose(t, Rules{}, session, talk("agent: hi", "person: "+strings.Join(items, "\n")))); n < 1 || n > 3 {
		t.Errorf("%d lessons of one turn, want 1 to 3", n)
	}
	if n := len(propose(t, Rules{}, session, talk(lines...))); n != maxPerSession {
		t.Errorf("%d lessons of one session, want %d", n, maxPerSession)
	}
	if n := len(propose(t, Rules{Least: 0.96}, session, talk(lines...))); n != 0 {
		t.Errorf("%d lessons above a confidence of 0.96, want none", n)
	}
}

func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := (Rules{}).Propose(ctx, session, talk("agent: hi", "person: "+rule)); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that of the context", err)
	}
}

func TestMoments(t *testing.T) {
	turns := talk("person: start", "agent: I did it.", "edits: a.go", "edits: b.go", "stops", "person: no, not like that", "agent: You're right, sorry.", "edits: a.go", "edits: b.go", "edits: CLAUDE.md", "sub: You're right", "person: no, not like that at all")
	turns[2].Tool.New, turns[7].Tool.Old = "the line that was put there at first", "the line that was put there at first"
	ms := moments(turns)
	if len(ms) != 3 {
		t.Fatalf("%d moments, want 3", len(ms))
	}
	first, m, last := ms[0], ms[1], ms[2]
	if !first.first || first.conceded() {
		t.Errorf("first %+v", first)
	}
	if m.first || !m.interrupted || !m.conceded() || !m.noted || m.before != "" {
		t.Errorf("second %+v", m)
	}
	if last.heard || last.interrupted {
		t.Errorf("last %+v", last)
	}
}

// TestTextbook: what people type in a hurry is proposed, whatever the agent does
// next; what holds for this once is not.
func TestTextbook(t *testing.T) {
	for said, want := range map[string]string{
		"no, use pnpm instead of npm":                        "Use pnpm instead of npm.",
		"don't commit the dist folder":                       "Don't commit the dist folder.",
		"do not add comments to the code":                    "Do not add comments to the code.",
		"stop adding comments everywhere":                    "Stop adding comments everywhere.",
		"I prefer table tests":                               "Prefer table tests.",
		"the port is 5433, not 5432":                         "The port is 5433, not 5432.",
		"that's wrong, the api lives in src/api":             "The api lives in src/api.",
		"you forgot the changelog entry, every PR needs one": "You forgot the changelog entry, every PR needs one.",
		"don't fix anything yet":                             "",
		"don't worry about the linter":                       "",
		"stop for a moment, let me look":                     "",
		"do you prefer table tests, or not at all?":          "",
		"use the other branch first, then the new one":       "",
		"make sure": "",
	} {
		got := ""
		if ls := propose(t, Rules{}, session, talk("agent: Done.", "person: "+said, "agent: Ok.")); len(ls) > 0 {
			got = ls[0].Content
		}
		if got != want {
			t.Errorf("%q: proposed %q, want %q", said, got, want)
		}
	}
}

func TestSentences(t *testing.T) {
	var got []string
	text, _ := cleaned("Use e.g. foo.go or v1.2 here. Then stop! Why?\n\n1. first thing\n- second thing; third\nThis line was broken by the terminal at its width and goes on\nhere with a small letter.\n| a | table |\n$ ls -la")
	for _, s := range sentences(text) {
		got = append(got, s.text)
	}
	want := []string{"Use e.g. foo.go or v1.2 here.", "Then stop!", "Why?", "first thing", "second thing;", "third", "This line was broken by the terminal at its width and goes on here with a small letter."}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// TestSigns finds phrases that nothing can match.
func TestSigns(t *testing.T) {
	if len(signs()) > 64 || len(outright().marks) > 64 {
		t.Fatalf("%d signs or %d wordings do not fit into a word of bits", len(signs()), len(outright().marks))
	}
	for _, table := range []map[string][]int{phrases(), outright().at} {
		for p := range table {
			if w := strings.Fields(p); len(w) > maxPhrase {
				t.Errorf("%q is longer than %d words", p, maxPhrase)
			}
		}
	}
}

func FuzzPropose(f *testing.F) {
	for _, d := range distractors {
		f.Add(d.said, "Done.", "You're right")
	}
	f.Add(rule, "", "")
	f.Add("```\n<a-b>\x1b[31m\x00\u202e` no. - \n1. \xff", "?", "\xf0\x28")
	f.Add("(\n\"\n.\n?!;\n- \n* x: y", "a", "b")
	f.Fuzz(func(t *testing.T, said, before, after string) {
		for _, kind := range []transcript.Kind{transcript.Message, transcript.Rejection, transcript.Command} {
			turns := []transcript.Turn{
				{Line: 1, Speaker: transcript.Agent, Kind: transcript.Message, Text: before},
				{Line: 2, Speaker: transcript.Person, Kind: kind, Text: said, Tool: &transcript.ToolCall{Name: "Bash", Command: before}},
				{Line: 3, Speaker: transcript.Agent, Kind: transcript.Message, Text: after},
				{Line: 4, Speaker: transcript.Tool, Kind: transcript.Result, Text: after, Failed: true, Tool: &transcript.ToolCall{Command: said}},
				{Line: 5, Speaker: transcript.Tool, Kind: transcript.Result, Text: after, Tool: &transcript.ToolCall{Command: before}},
			}
			for _, l := range propose(t, Rules{Least: 0.01}, transcript.Session{}, turns) {
				if e := l.Evidence[0]; e.By == lessons.ByPerson && !strings.Contains(strings.Join(strings.Fields(said), " "), strings.Join(strings.Fields(e.Quote), " ")) {
					t.Errorf("quote %q was never said in %q", e.Quote, said)
				}
			}
		}
	})
}

// TestWidth: wide characters count twice.
func TestWidth(t *testing.T) {
	for text, want := range map[string]int{"": 0, "use pnpm": 8, "déjà": 4, "不要用npm": 9, "ほげ": 4, "한국": 4} {
		if got := width(text, 1000); got != want {
			t.Errorf("%q is %d wide, want %d", text, got, want)
		}
	}
}

// TestDown: what is rarely a lesson needs more to be proposed, or is none.
func TestDown(t *testing.T) {
	said := "we should keep the old flag for one release, never drop a flag at once"
	sure := func(lines ...string) lessons.Confidence {
		most := lessons.Confidence(0)
		for _, l := range propose(t, Rules{Least: 0.05}, session, talk(lines...)) {
			most = max(most, l.Confidence)
		}
		return most
	}
	plain := sure("agent: I dropped the flag.", "person: "+said)
	if plain < DefaultMinConfidence {
		t.Fatalf("the rule itself has %.2f", plain)
	}
	for why, lines := range map[string][]string{
		"withdrawn":           {"agent: I dropped the flag.", "person: " + said + ". Never mind, drop it."},
		"withdrawn otherwise": {"agent: I dropped the flag.", "person: " + said + ". Actually no, drop it."},
		"beside a log":        {"agent: I dropped the flag.", "person: " + said + "\n```\npanic: x\n```"},
	} {
		if got := sure(lines...); got >= plain {
			t.Errorf("%s: %.2f, without %.2f", why, got, plain)
		}
	}
	for why, c := range map[string]struct {
		line string
		most lessons.Confidence
	}{
		"an answer":                       {"answer: The second one, with the list of names below the title", mostOfAnswer},
		"an answer that says a rule":      {"answer: The second one. From now on always put the list below the title", 1},
		"praise that asks for nothing":    {"person: Perfect, that works now and the page loads", mostOfAnswer},
		"a status that asks for nothing":  {"person: it still fails with the same error on the second page", mostOfAnswer},
		"a detail of the screen, an idea": {"person: maybe the button could have a bit more padding?", mostOfAnswer},
	} {
		if got := sure("agent: Which one would you like?", c.line); got > c.most || c.most == 1 && got < DefaultMinConfidence {
			t.Errorf("%s: %.2f", why, got)
		}
	}
}
