package model

import (
	"errors"
	"strings"
	"testing"

	"learnings/extractor/transcript"
)

const one = `{"quote":"always run make generate","handle":"M1","content":"Run make generate after proto edits.","why":"CI checks it","category":"workflow","scope":"project","confidence":0.9,"triggers":["proto"],"supersedes":""}`

func TestAnswersInAllForms(t *testing.T) {
	tests := []struct {
		name, text string
		items      int
		none       bool
		partial    bool
	}{
		{"as asked", `{"decision":"LEARN","lessons":[` + one + `]}`, 1, false, false},
		{"nothing to learn", `{"decision":"NONE","lessons":[]}`, 0, true, false},
		{"decided against its own lessons", `{"decision":"NONE","lessons":[` + one + `]}`, 0, true, false},
		{"in a fence", "```json\n{\"decision\":\"LEARN\",\"lessons\":[" + one + "]}\n```", 1, false, false},
		{"fence never closed", "```json\n{\"decision\":\"LEARN\",\"lessons\":[" + one + "]}", 1, false, false},
		{"prose around", "Here is what I found {so far}:\n{\"lessons\":[" + one + "]}\nHope that helps!", 1, false, false},
		{"thinking first", "<think>maybe <lesson>?</think>{\"lessons\":[" + one + "]}", 1, false, false},
		{"a bare list", "[" + one + "," + one + "]", 2, false, false},
		{"a single lesson", one, 1, false, false},
		{"cut in the second lesson", `{"decision":"LEARN","lessons":[` + one + `,{"quote":"and then`, 1, false, true},
		{"a bare list of nothing", "[]", 0, true, false},
		{"fields of other types", `{"lessons":[{"content":"x","evidence":["q q q"],"confidence":"high","tags":"a, b","scope":null,"triggers":7}]}`, 1, false, false},
		{"one item is no object", `{"lessons":["x",` + one + `,null,3]}`, 1, false, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a, err := parseAnswer(tt.text)
			if err != nil {
				t.Fatal(err)
			}
			if len(a.items) != tt.items || a.none != tt.none || a.partial != tt.partial {
				t.Errorf("got %+v, want %+v", a, tt)
			}
		})
	}
	for _, text := range []string{"", "I found no lessons.", "<html><body>502 Bad Gateway</body></html>", "null", "42", `{"error":"overloaded"}`, `{"error":"overloaded","details":[]}`,
		`{"decision":"LEARN","less`, `{"lessons":[{"content":"Run ma`, `[{"content":"Run ma`, `{"decision":"LEARN"}`, `{"lessons":[{"rule":"x"}]}`,
		"<decision>NONE</decision>", "To do:\n- [ ] nothing", strings.Repeat("[", 20000), strings.Repeat(`{"a":`, 20000)} {
		if a, err := parseAnswer(text); !errors.Is(err, ErrAnswer) {
			t.Errorf("%.40q: got %+v, %v; want ErrAnswer", text, a, err)
		}
	}
}

func TestConfidenceOfAnAnswer(t *testing.T) {
	for in, want := range map[string]level{
		"certain": certain, " Clear ": clearly, "likely": likely, "doubtful": doubtful,
		"high": certain, "medium": clearly, "low": doubtful,
		"0.9": certain, "1": certain, "80%": certain, "0.75": clearly, "0.7": clearly, "0.6": likely, "0.3": doubtful, "0": doubtful,
		"": doubtful, "very": doubtful, "9": doubtful, "-1": doubtful, "NaN": doubtful, "Inf": doubtful, "150%": doubtful, "-5%": doubtful,
	} {
		if got := levelOf(in); got != want {
			t.Errorf("%q is %s, want %s", in, got, want)
		}
	}
	for i, l := range levels {
		if l.below(l) || i > 0 && (!l.below(levels[i-1]) || worth[l] >= worth[levels[i-1]]) {
			t.Errorf("%s, worth %s, is out of order", l, worth[l])
		}
	}
}

func FuzzAnswer(f *testing.F) {
	for _, s := range []string{
		`{"decision":"LEARN","lessons":[` + one + `]}`, "```\n[" + one, `<think>x</think> {"lessons":[{"content":1}]}`, "{[{[", `{"decision":["NONE"]}`,
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
			if p.content == "" || worth[p.level] == 0 {
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
		d := digestOf(transcript.Turn{Text: c.said})
		if got := d.complaint(0); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
