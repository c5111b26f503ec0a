package redact

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"learnings/lessons"
)

// A word that is a secret in one part of a lesson is a secret in each of them.
func TestLessonIsRedactedAsAWhole(t *testing.T) {
	r := redactor(t)
	const secret, phrase = "sunshine" + "99", "correct-horse-" + "battery7"
	l := lessons.Lesson{
		Wording:  lessons.Wording{Content: "Log in to the staging box with its password: " + secret, Insight: secret + " also opens the other one", Example: "DB_PASSWORD=" + phrase},
		Tags:     []string{"staging", secret},
		Triggers: []string{"staging", "password", secret, "battery7", "k8s"},
		Decided:  lessons.Decision{Reason: "it is still " + secret},
		Extra:    []lessons.Field{{Key: "note", Value: "was " + secret}},
		Evidence: []lessons.Evidence{{Quote: "use " + secret, Before: []string{"curl -u admin:" + secret[:7] + "…"}, After: []string{"…" + secret[3:] + " works"}}},
	}
	before, _ := json.Marshal(l)
	got := r.Lesson(l)
	text, err := json.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	for _, piece := range []string{secret, secret[:7], secret[3:], "battery7"} {
		if strings.Contains(string(text), piece) {
			t.Errorf("%q survives in %s", piece, text)
		}
	}
	if want := []string{"staging", "password", "k8s"}; !slices.Equal(got.Triggers, want) || !slices.Equal(got.Tags, want[:1]) {
		t.Errorf("triggers %q, tags %q", got.Triggers, got.Tags)
	}
	if after, _ := json.Marshal(l); string(after) != string(before) {
		t.Errorf("the lesson that was given has changed: %s", after)
	}
	if again := r.Lesson(got); !slices.Equal(again.Triggers, got.Triggers) || again.Content != got.Content || again.Evidence[0].Quote != got.Evidence[0].Quote {
		t.Errorf("redacted twice: %+v", again)
	}
}

// What a lesson only repeats is known by the turn that it was made from.
func TestLessonIsRedactedByWhatWasSaid(t *testing.T) {
	r := redactor(t)
	const secret = "sunshine" + "99"
	l := lessons.Lesson{Wording: lessons.Wording{Content: "Always type " + secret + " first"}, Triggers: []string{secret, "type"}}
	got := r.Lesson(l, "the admin password is "+secret+".\nAlways type "+secret+" first")
	if strings.Contains(got.Content, secret) || !slices.Equal(got.Triggers, []string{"type"}) {
		t.Errorf("%q, triggers %q", got.Content, got.Triggers)
	}
}

// Lessons of before were redacted word by word: their texts have marks, and their
// triggers have what the marks stand for.
func TestLessonThatWasHalfRedacted(t *testing.T) {
	l := lessons.Lesson{Wording: lessons.Wording{Content: "Use its password: [REDACTED:password]"}, Triggers: []string{"password", "sunshine" + "99"}}
	if got := redactor(t).Lesson(l); !slices.Equal(got.Triggers, []string{"password"}) {
		t.Errorf("triggers %q", got.Triggers)
	}
}
