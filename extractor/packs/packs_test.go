package packs

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"learnings/extractor/transcript"
	"learnings/lessons"
)

// TestJavaScript: what is one thing in JavaScript and another in Go.
func TestJavaScript(t *testing.T) {
	for message, want := range map[string]string{
		"Always use pnpm\u2028and more":    "Always use pnpm",
		"Always use pnpm\rand more":        "Always use pnpm",
		"always\u00a0use\ufeff x":          "always\u00a0use\ufeff x",
		"always\u3000use\n\nsmall commits": "always\u3000use\n\nsmall commits",
		"alway\u017f use x":                "", // a long s is no s
		"ALWAYS USE X":                     "ALWAYS USE X",
		"always use\u0085x":                "", // next line is no blank
		"always use ":                      "",
	} {
		got := ""
		if m := matches(wishes, message)[1]; m != nil {
			got = m.Match
		}
		if got != want {
			t.Errorf("%q: %q, want %q", message, got, want)
		}
	}
	if got := slice(strings.Repeat("😀", 3)+"x", 5); got != "😀😀" {
		t.Errorf("half a character: %q", got)
	}
	for _, list := range [][]sign{signs, timing} {
		for _, s := range list {
			for _, re := range s.signs {
				re() // panics where it does not compile
			}
		}
	}
}

func turn(line int, who transcript.Speaker, kind transcript.Kind, text string, call *transcript.ToolCall) transcript.Turn {
	return transcript.Turn{Line: line, UUID: fmt.Sprint("u", line), Speaker: who, Kind: kind, Text: text, Tool: call, At: time.Date(2026, 4, 5, 14, line, 0, 0, time.UTC)}
}

func proposed(t *testing.T, pack string, turns ...transcript.Turn) []string {
	t.Helper()
	ps, err := New([]string{pack})
	if err != nil {
		t.Fatal(err)
	}
	ls, err := ps[0].Propose(context.Background(), transcript.Session{Agent: "claude-code", ID: "s1"}, turns)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, l := range ls {
		if err := l.Validate(); err != nil {
			t.Error(err)
		}
		if l.Status != lessons.Pending || !strings.HasPrefix(l.Origin.Rule, pack+": ") {
			t.Errorf("%+v", l)
		}
		out = append(out, fmt.Sprintf("%s %s %s (%d)", l.Category, l.Confidence.Word(), l.Content, len(l.Evidence)))
	}
	return out
}

func person(line int, text string) transcript.Turn {
	return turn(line, transcript.Person, transcript.Message, text, nil)
}

func TestGimli(t *testing.T) {
	got := proposed(t, Gimli,
		person(1, "fix the test"),
		turn(2, transcript.Agent, transcript.Call, "", &transcript.ToolCall{Name: "Bash", Command: "/usr/bin/vitest run"}),
		turn(3, transcript.Agent, transcript.Call, "", &transcript.ToolCall{Name: "Edit", Path: "/src/user.ts", Old: "a", New: "b"}),
		person(4, "Perfect! Great work on that\nNever commit directly to main"),
		person(5, "never commit directly to main!"),
		person(6, "I want it"), // too short
		person(7, "That's not what I meant by short"),
		turn(8, transcript.Agent, transcript.Message, "I prefer tabs over spaces", nil),
		transcript.Turn{Line: 9, Speaker: transcript.Agent, Kind: transcript.Message, Sidechain: true, Text: "Never do this or that"},
		person(10, "Always use "+strings.Repeat("a very long name ", 20)),
	)
	want := []string{
		"preference high Never commit directly to main (2)",
		`pattern medium For "fix the test": ran vitest, edited user.ts (1)`,
		"correction high I meant by short (1)",
		"preference high Always use a very long name a very long name a very long name a very long name a very long name a very long name a very long name a very long name a… (1)",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestPublic(t *testing.T) {
	got := proposed(t, Public, person(1, "Always use pnpm instead of npm"), person(2, "I like tabs"), person(3, "fix the login bug in the shop"))
	if strings.Join(got, "\n") != "preference medium Always use pnpm instead of npm (1)\ncorrection high Always use pnpm instead of npm (1)" {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
}

func TestPreferences(t *testing.T) {
	got := proposed(t, Preferences, person(1, "Please keep it short, thanks."), person(2, "Could you give me a brief summary?"))
	want := "preference high Communication Tone: formal (2)\npreference high Detail Preferences: brief (2)\npreference high Interaction Style: iterative (1)\npreference medium Interaction Style: simple (2)"
	if strings.Join(got, "\n") != strings.Replace(want, "preference high Interaction Style: iterative (1)\n", "", 1) {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
	if got := proposed(t, Preferences, turn(1, transcript.Agent, transcript.Message, "Please.", nil)); got != nil {
		t.Errorf("of an agent alone: %q", got)
	}
}

func TestNames(t *testing.T) {
	if _, err := New([]string{"gimly"}); err == nil || !strings.Contains(err.Error(), "gimli, gimli-public, gimli-preferences") {
		t.Errorf("an unknown pack: %v", err)
	}
	if ps, err := New([]string{Gimli, Gimli}); err != nil || len(ps) != 1 {
		t.Errorf("the same twice: %v %v", ps, err)
	}
}

// FuzzPacks: whatever a person says, what is proposed can be stored.
func FuzzPacks(f *testing.F) {
	f.Add("I want the short version\u2028of it", "great")
	f.Add("about a b c", "Please, please! \xff")
	f.Fuzz(func(t *testing.T, a, b string) {
		turns := []transcript.Turn{person(1, a), turn(2, transcript.Agent, transcript.Call, "", &transcript.ToolCall{Command: b}), person(3, b+a), person(4, b)}
		ps, _ := New(Names)
		for _, p := range ps {
			ls, err := p.Propose(context.Background(), transcript.Session{ID: "s"}, turns)
			if err != nil {
				t.Fatal(err)
			}
			for _, l := range ls {
				if l.Content == "" || len(l.Evidence) == 0 || l.Evidence[0].Line == 0 {
					t.Fatalf("%s proposes %+v", p.name, l)
				}
			}
		}
	})
}
