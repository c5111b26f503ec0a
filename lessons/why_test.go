package lessons_test

import (
	"testing"

	"learnings/lessons"
)

// Why is one plain line: the strongest reason, from the side of the reader.
func TestWhy(t *testing.T) {
	said := func(sessions ...string) (es []lessons.Evidence) {
		for _, s := range sessions {
			es = append(es, lessons.Evidence{By: lessons.ByPerson, Session: s, UUID: s, Quote: "x"})
		}
		return es
	}
	asked := said("a")
	asked[0].From = lessons.FromAsked
	other := said("a")
	other[0].Author = "bea"
	for _, c := range []struct {
		rule string
		es   []lessons.Evidence
		want string
	}{
		{"states a standing rule; says that something is wrong; as said; 'it' is not named", said("a"), "you corrected the agent"},
		{"says how it should be; as said", said("a", "b", "c"), "you said it in three sessions"},
		{"worded like what people keep", asked, "you asked to have it remembered"},
		{"says what they want", other, "bea said what they want"},
		{"refused a call of mcp__linear__create and said why", said("a"), "you refused what the agent was about to do, and said why"},
		{"says what they want; you rejected others like it as one-off task", said("a"), "you said what you want, but you rejected others like it as one-off task"},
		{"a command failed in two sessions, and a little later worked like this", nil, "a command failed in two sessions, and a little later worked like this"},
		{"", nil, ""},
	} {
		l := lessons.Lesson{Origin: lessons.Origin{Rule: c.rule, Extractor: "rules"}, Evidence: c.es}
		if got := l.Why(); got != c.want {
			t.Errorf("%q: got %q, want %q", c.rule, got, c.want)
		}
	}
}
