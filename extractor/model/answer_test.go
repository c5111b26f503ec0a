package model

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"learnings/extractor/transcript"
)

const one = `{"quote":"always run make generate","handle":"M1","content":"Run make generate after proto edits.","why":"CI checks it","category":"workflow","scope":"project","confidence":0.9,"triggers":["proto"],"supersedes":""}`

func TestAnswersInAllForms(t *testing.T) {
	tests := []struct {
		name, text string
		form       Form
		items      int
		none       bool
		partial    bool
	}{
		{"as asked", `{"decision":"LEARN","lessons":[` + one + `]}`, FormJSON, 1, false, false},
		{"nothing to learn", `{"decision":"NONE","lessons":[]}`, FormJSON, 0, true, false},
		{"decided against its own lessons", `{"decision":"NONE","lessons":[` + one + `]}`, FormJSON, 0, true, false},
		{"in a fence", "```json\n{\"decision\":\"LEARN\",\"lessons\":[" + one + "]}\n```", FormJSON, 1, false, false},
		{"fence never closed", "```json\n{\"decision\":\"LEARN\",\"lessons\":[" + one + "]}", FormJSON, 1, false, false},
		{"prose around", "Here is what I found {so far}:\n{\"lessons\":[" + one + "]}\nHope that helps!", FormJSON, 1, false, false},
		{"thinking first", "<think>maybe <lesson>?</think>{\"lessons\":[" + one + "]}", FormJSON, 1, false, false},
		{"a bare list", "[" + one + "," + one + "]", FormJSON, 2, false, false},
		{"a single lesson", one, FormJSON, 1, false, false},
		{"cut in the second lesson", `{"decision":"LEARN","lessons":[` + one + `,{"quote":"and then`, FormJSON, 1, false, true},
		{"a bare list of nothing", "[]", FormJSON, 0, true, false},
		{"fields of other types", `{"lessons":[{"content":"x","evidence":["q q q"],"confidence":"high","tags":"a, b","scope":null,"triggers":7}]}`, FormJSON, 1, false, false},
		{"one item is no object", `{"lessons":["x",` + one + `,null,3]}`, FormJSON, 1, false, false},
		{"Octomind's tags", "<decision>LEARN</decision>\n<lesson confidence=\"high\" tags=\"a,b\" evidence=\"use it\">Use it.</lesson>", FormLessons, 1, false, false},
		{"Octomind's tags, none", "<decision>NONE</decision>", FormLessons, 0, true, false},
		{"Octomind's tags, cut", "<decision>LEARN</decision><lesson evidence=\"use it\">Use it.</lesson><lesson evidence=\"and", FormLessons, 1, false, true},
		{"observation", `<observation><type>decision</type><title>Tokens</title><narrative>They said "use bearer tokens only".</narrative></observation>`, FormMemory, 1, false, false},
		{"summary", "<summary><learned>- a \"first thing\"\n- b</learned></summary>", FormMemory, 2, false, false},
		{"skip", `<skip_summary reason="no work"/>`, FormMemory, 0, true, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a, err := parseAnswer(tt.text)
			if err != nil {
				t.Fatal(err)
			}
			if a.form != tt.form || len(a.items) != tt.items || a.none != tt.none || a.partial != tt.partial {
				t.Errorf("got %+v, want %+v", a, tt)
			}
		})
	}
	for _, text := range []string{"", "I found no lessons.", "<html><body>502 Bad Gateway</body></html>", "null", "42", `{"error":"overloaded"}`, `{"error":"overloaded","details":[]}`,
		`{"decision":"LEARN","less`, `{"lessons":[{"content":"Run ma`, `[{"content":"Run ma`, `{"decision":"LEARN"}`, `{"lessons":[{"rule":"x"}]}`,
		"<decision>LEARN</decision>", "<decision>NO", `<decision>LEARN</decision><lesson evidence="use it">Use`, "To do:\n- [ ] nothing", strings.Repeat("[", 20000), strings.Repeat(`{"a":`, 20000)} {
		if a, err := parseAnswer(text); !errors.Is(err, ErrAnswer) {
			t.Errorf("%.40q: got %+v, %v; want ErrAnswer", text, a, err)
		}
	}
}

func TestConfidenceOfAnAnswer(t *testing.T) {
	for in, want := range map[string]Level{
		"certain": Certain, " Clear ": Clear, "likely": Likely, "doubtful": Doubtful,
		"high": Certain, "medium": Clear, "low": Doubtful,
		"0.9": Certain, "1": Certain, "80%": Certain, "0.75": Clear, "0.7": Clear, "0.6": Likely, "0.3": Doubtful, "0": Doubtful,
		"": Doubtful, "very": Doubtful, "9": Doubtful, "-1": Doubtful, "NaN": Doubtful, "Inf": Doubtful, "150%": Doubtful, "-5%": Doubtful,
	} {
		if got := levelOf(in); got != want {
			t.Errorf("%q is %s, want %s", in, got, want)
		}
	}
	for i, l := range Levels {
		if l.below(l) || i > 0 && (!l.below(Levels[i-1]) || l.Worth() >= Levels[i-1].Worth()) {
			t.Errorf("%s, worth %s, is out of order", l, l.Worth())
		}
	}
}

// suite reads recorded cases of another system's parser.
func suite(t *testing.T, system, name string) []struct{ Input, Expected json.RawMessage } {
	t.Helper()
	file := filepath.Join("..", "..", "lessons", "exchange", system, "testdata", "cases.json")
	if _, err := os.Stat(file); err != nil {
		file = filepath.Join(shared(t, "interop"), system, "cases.json")
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var all struct {
		Suites []struct {
			Name  string
			Cases []struct{ Input, Expected json.RawMessage }
		}
	}
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	var out []struct{ Input, Expected json.RawMessage }
	for _, s := range all.Suites {
		if s.Name == name {
			out = append(out, s.Cases...)
		}
	}
	if len(out) == 0 {
		t.Fatalf("no cases %s", name)
	}
	return out
}

func decode[T any](t *testing.T, raw json.RawMessage) (v T) {
	t.Helper()
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatalf("%s: %v", raw, err)
	}
	return v
}

// TestOctomindCases runs what Octomind's own tests say of its tags.
func TestOctomindCases(t *testing.T) {
	type lesson struct {
		Content, Confidence, Evidence, Scope string
		Importance                           float64
		Tags                                 []string
		Supersedes                           *int
	}
	words := map[Level]string{Certain: "high", Clear: "medium", Doubtful: "low"}
	for _, name := range []string{"parse_lesson_tags", "parse_lessons_with_evidence", "parse_lessons_derived"} {
		for _, c := range suite(t, "octomind", name) {
			in := decode[struct{ Response string }](t, c.Input)
			want := decode[[]lesson](t, c.Expected)
			a, _ := parseLessonTags(in.Response)
			a.items = slices.DeleteFunc(a.items, func(p proposal) bool { return p.quotes[0] == "" }) // dropped later, see NoQuote
			if len(a.items) != len(want) {
				t.Errorf("%s: %s: %d lessons, want %d", name, c.Input, len(a.items), len(want))
				continue
			}
			for i, w := range want {
				g := a.items[i]
				if g.content != w.Content || g.quotes[0] != w.Evidence || words[g.level] != w.Confidence || (g.level == Certain) != (w.Importance == 0.9) ||
					!slices.Equal(g.tags, w.Tags) || g.global != (w.Scope == "global") {
					t.Errorf("%s: got %+v, want %+v", name, g, w)
				}
				if (w.Supersedes != nil) != (g.supersedes != "") {
					t.Errorf("%s: supersedes %q, want %v", name, g.supersedes, w.Supersedes)
				}
			}
		}
	}
	for _, c := range suite(t, "octomind", "decision_gate") {
		if got := decides(decode[string](t, c.Input)); got != decode[bool](t, c.Expected) {
			t.Errorf("decides(%s) = %v", c.Input, got)
		}
	}
	for _, c := range suite(t, "octomind", "parse_supersedes") {
		in := decode[struct {
			Attrs string
			Count int `json:"candidate_count"`
		}](t, c.Input)
		want := decode[*int](t, c.Expected)
		if got, ok := superseded(attribute(in.Attrs, "supersedes"), in.Count); ok != (want != nil) || ok && got != *want {
			t.Errorf("%s: got %d, %v", c.Input, got, ok)
		}
	}
	for _, c := range suite(t, "octomind", "extract_attr") {
		in := decode[struct{ Attrs, Key string }](t, c.Input)
		want := decode[*string](t, c.Expected)
		if got := attribute(in.Attrs, in.Key); want != nil && got != *want || want == nil && got != "" {
			t.Errorf("attribute(%q, %q) = %q", in.Attrs, in.Key, got)
		}
	}
}

// TestClaudeMemCases runs what was recorded of claude-mem's parser.
func TestClaudeMemCases(t *testing.T) {
	type want struct {
		Valid        bool
		Observations []struct {
			Type, Title, Subtitle, Narrative string
			Facts, Concepts                  []string
			FilesRead                        []string `json:"files_read"`
			FilesModified                    []string `json:"files_modified"`
		}
		Summary *struct {
			Request, Investigated, Learned, Completed, Notes string
			NextSteps                                        string `json:"next_steps"`
			Skipped                                          bool
			SkipReason                                       string `json:"skip_reason"`
		}
	}
	check := func(input string, w want) {
		t.Helper()
		obs, sum, ok := parseMemory(input, "bugfix")
		if ok != w.Valid || len(obs) != len(w.Observations) || (sum != nil) != (w.Summary != nil) {
			if ok || w.Valid {
				t.Errorf("%q: got %+v %+v %v, want %+v", input, obs, sum, ok, w)
			}
			return
		}
		for i, x := range w.Observations {
			g := obs[i]
			if g.kind != x.Type || g.title != x.Title || g.subtitle != x.Subtitle || g.narrative != x.Narrative || !slices.Equal(g.facts, x.Facts) ||
				!slices.Equal(g.concepts, x.Concepts) || !slices.Equal(g.read, x.FilesRead) || !slices.Equal(g.modified, x.FilesModified) {
				t.Errorf("%q: got %+v, want %+v", input, g, x)
			}
		}
		if x := w.Summary; x != nil {
			if want := (summary{x.Request, x.Investigated, x.Learned, x.Completed, x.NextSteps, x.Notes, x.Skipped, x.SkipReason}); *sum != want {
				t.Errorf("%q: got %+v, want %+v", input, *sum, want)
			}
		}
	}
	for _, c := range suite(t, "claude-mem", "parseAgentXml") {
		check(decode[string](t, c.Input), decode[want](t, c.Expected))
	}
	for _, c := range suite(t, "claude-mem", "parseAgentXml_code_mode") {
		check(decode[struct{ XML string }](t, c.Input).XML, decode[want](t, c.Expected))
	}
	for _, c := range suite(t, "claude-mem", "classifyObserverOutput") {
		if got, want := writtenAs(decode[string](t, c.Input)), decode[string](t, c.Expected); got != want {
			t.Errorf("%s is %s, want %s", c.Input, got, want)
		}
	}
	for _, c := range suite(t, "claude-mem", "previewOutput") {
		in, most := "", previewed
		switch args := decode[any](t, c.Input).(type) {
		case string:
			in = args
		case []any:
			in, most = args[0].(string), int(args[1].(float64))
		default:
			continue // see deviations.txt beside the cases
		}
		if got, want := preview(in, most), decode[string](t, c.Expected); got != want {
			t.Errorf("%s: got %q, want %q", c.Input, got, want)
		}
	}
}

func FuzzAnswer(f *testing.F) {
	for _, s := range []string{
		`{"decision":"LEARN","lessons":[` + one + `]}`, "```\n[" + one, `<decision>LEARN</decision><lesson evidence="a" tags="x">b</lesson>`,
		`<observation><title>a "quoted thing" here</title><facts><fact>f</fact></facts></observation>`, `<summary><learned>x</learned></summary>`,
		`<think>x</think> {"lessons":[{"content":1}]}`, "{[{[", `{"decision":["NONE"]}`,
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		a, err := parseAnswer(text)
		if err != nil {
			if !errors.Is(err, ErrAnswer) {
				t.Fatalf("error %v", err)
			}
			return
		}
		if a.none && len(a.items) > 0 || len(a.items) > maxItems {
			t.Fatalf("none %v with %d items", a.none, len(a.items))
		}
		for _, p := range a.items {
			if p.content == "" || p.level.Worth() == 0 {
				t.Fatalf("item %+v", p)
			}
		}
	})
}

func FuzzFold(f *testing.F) {
	f.Add("use  “bearer” tokens\n\tonly ‹x›", "bearer")
	f.Fuzz(func(t *testing.T, text, part string) {
		folded, at := foldMap(text)
		if len(at) != len(folded)+1 || fold(folded) != folded {
			t.Fatalf("%q folds to %q with %d places", text, folded, len(at))
		}
		i := strings.Index(folded, fold(part))
		if i < 0 || fold(part) == "" {
			return
		}
		if got := text[at[i]:at[i+len(fold(part))]]; fold(got) != fold(part) {
			t.Fatalf("%q of %q is %q", part, text, got)
		}
	})
}

// TestComplaint has tools fail in the ways in which they do.
func TestComplaint(t *testing.T) {
	for name, c := range map[string]struct{ said, want string }{
		"hollow first":  {"Exit code 1\n### Error\nlooking around\ngo: cannot write multiple packages to ./x", "go: cannot write multiple packages to ./x"},
		"only hollow":   {"Exit code 1", ""},
		"no word of it": {"Exit code 2\nthe tracker says no\nmore", "the tracker says no"},
		"a linter":      {"Exit code 1\n[lint] $ run\na/b.go:24:12: string `x` has 3 occurrences (goconst)\n\tx := 1\n[lint] ERROR task failed", "a/b.go:24:12: string `x` has 3 occurrences (goconst)"},
		"one kind once": {"error 12: cannot open 1\nerror 13: cannot open 2\nfatal: not found: y", "error 12: cannot open 1\nfatal: not found: y"},
		"three at most": {"error: one is bad\nerror: two is bad\nerror: three is bad\nerror: four is bad", "error: one is bad\nerror: two is bad\nerror: three is bad"},
		"python":        {"Traceback (most recent call last):\n  File \"x.py\", line 3\nKeyError: 'rate'", "KeyError: 'rate'"},
		"the harness":   {"File has not been read yet. Read it first", ""},
	} {
		d := NewDigest([]transcript.Turn{{Text: c.said}}, 0, nil)
		if got := d.complaint(0); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
