package lessons_test

import (
	"testing"
	"time"

	"learnings/lessons"
)

func TestRefusal(t *testing.T) {
	for reason, want := range map[string]struct {
		refusal lessons.Refusal
		id      string
	}{
		"":                               {lessons.Refused, ""},
		"no":                             {lessons.Refused, ""},
		"too specific":                   {lessons.TooSpecific, ""},
		"This is overly narrow for us":   {lessons.TooSpecific, ""},
		"Not true any more":              {lessons.NotTrue, ""},
		"that is wrong":                  {lessons.NotTrue, ""},
		"one-off":                        {lessons.OneOff, ""},
		"only this once, for the demo":   {lessons.OneOff, ""},
		"duplicate of k7m2p9qx":          {lessons.Duplicate, "k7m2p9qx"},
		"Same as K7M2, which is clearer": {lessons.Duplicate, "k7m2"},
	} {
		if r, id := (lessons.Decision{Reason: reason}).Refusal(); r != want.refusal || id != want.id {
			t.Errorf("%q is %q %q", reason, r, id)
		}
	}
}

func TestReturns(t *testing.T) {
	day := func(n int) time.Time { return time.Date(2026, 1, n, 0, 0, 0, 0, time.UTC) }
	said := func(session string, at int, by lessons.Speaker) lessons.Evidence {
		return lessons.Evidence{Session: session, At: day(at), By: by, Quote: session}
	}
	person, agent := lessons.ByPerson, lessons.ByAgent
	for _, tt := range []struct {
		name, reason string
		gathered     []lessons.Evidence // by the tombstone since
		proposal     []lessons.Evidence
		project      string
		want         bool
		since        int
	}{
		{"nothing new", "no", nil, []lessons.Evidence{said("s1", 1, person)}, "p", false, 0},
		{"from before, found late", "no", nil, []lessons.Evidence{said("s0", 2, person)}, "p", false, 0},
		{"the same session goes on", "no", nil, []lessons.Evidence{said("s1", 8, person)}, "p", false, 0},
		{"said once more", "no", nil, []lessons.Evidence{said("s2", 8, agent)}, "p", true, 1},
		{"one-off, once more", "one-off", nil, []lessons.Evidence{said("s2", 8, person)}, "p", false, 1},
		{"one-off, twice more", "one-off", []lessons.Evidence{said("s2", 8, person)}, []lessons.Evidence{said("s3", 9, person)}, "p", true, 2},
		{"not true, says an agent twice", "not true", []lessons.Evidence{said("s2", 8, agent)}, []lessons.Evidence{said("s3", 9, agent)}, "p", false, 2},
		{"not true, says the person twice", "not true", []lessons.Evidence{said("s2", 8, person)}, []lessons.Evidence{said("s3", 9, person)}, "p", true, 2},
		{"too specific, here", "too specific", []lessons.Evidence{said("s2", 8, person)}, []lessons.Evidence{said("s3", 9, person)}, "p", false, 2},
		{"too specific, elsewhere", "too specific", nil, []lessons.Evidence{said("s3", 9, person)}, "q", true, 1},
		{"a duplicate", "duplicate of abcd", []lessons.Evidence{said("s2", 8, person)}, []lessons.Evidence{said("s3", 9, person)}, "p", false, 2},
	} {
		tombstone := lessons.Lesson{
			ID: "t", Status: lessons.Rejected, Scope: lessons.Scope{Project: "p"},
			Decided:  lessons.Decision{By: "sam", At: day(5), Reason: tt.reason},
			Evidence: append([]lessons.Evidence{said("s1", 1, person)}, tt.gathered...),
		}
		since, back := tombstone.Returns(lessons.Lesson{Scope: lessons.Scope{Project: tt.project}, Evidence: tt.proposal})
		if back != tt.want || len(since) != tt.since {
			t.Errorf("%s: %v with %d since", tt.name, back, len(since))
		}
	}
	l := lessons.Lesson{
		Origin:   lessons.Origin{Declined: "t", DeclinedAt: day(5)},
		Evidence: []lessons.Evidence{said("s1", 1, person), said("s2", 8, person), said("s3", 9, person), said("s4", 10, agent)},
	}
	if got := l.Returned(); got != "seen 3 more times since you rejected it" {
		t.Error(got)
	}
}
