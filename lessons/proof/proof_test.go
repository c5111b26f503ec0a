package proof

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"learnings/lessons"
)

var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

func open(t *testing.T, state string, at time.Time) *Session {
	t.Helper()
	s, err := SessionOf(state, "s1", "", at)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func must(t *testing.T, errs ...error) {
	t.Helper()
	for _, err := range errs {
		if err != nil {
			t.Error(err)
		}
	}
}

func TestSession(t *testing.T) {
	state := t.TempDir()
	s := open(t, state, noon)
	must(t, s.Give([]lessons.ID{"a", "b"}, true), s.Give([]lessons.ID{"c", "a"}, false), s.SetMark(7))
	for want := 1; want < 4; want++ {
		if n, err := s.Fail(12); n != want || err != nil {
			t.Errorf("failed %d times, %v", n, err)
		}
	}
	s = open(t, state, noon)
	if all, later := fmt.Sprint(s.Had(true)), fmt.Sprint(s.Had(false)); all != "[a b c]" || later != "[c]" || s.Mark() != 7 {
		t.Errorf("had %s, %s, mark %d", all, later, s.Mark())
	}
	if n, _ := s.Fail(12); n != 4 {
		t.Errorf("failed %d times", n)
	}
	must(t, s.Reset())
	if s = open(t, state, noon); len(s.Had(true)) > 0 || s.Mark() != 7 {
		t.Errorf("after a reset: %v, mark %d", s.Had(true), s.Mark())
	}
	part, err := SessionOf(state, "s1", "p", noon)
	nameless, nerr := SessionOf(state, "", "", noon)
	must(t, err, nerr, nameless.Give([]lessons.ID{"a"}, true))
	if part.Mark() > 0 || len(part.Had(true)) > 0 {
		t.Error("a part has the memory of the whole")
	}
}

// What was told long ago, by the prompts since or by what the transcript has grown, was not
// told lately.
func TestHadLately(t *testing.T) {
	state := t.TempDir()
	s := open(t, state, noon)
	must(t, s.Give([]lessons.ID{"a"}, true), s.Prompted(), s.Give([]lessons.ID{"b"}, false))
	for range latePrompts - 1 {
		must(t, s.Prompted())
	}
	lately := func(s *Session) string { return fmt.Sprint(s.HadLately(true), s.HadLately(false), s.Had(true)) }
	if got := lately(s); got != "[b] [b] [a b]" {
		t.Error("after prompts:", got)
	}
	s.Grown(1000)
	must(t, s.Give([]lessons.ID{"a"}, false))
	s = open(t, state, noon)
	if got := lately(s); got != "[a b] [b] [a b]" {
		t.Error("told again:", got)
	}
	s.Grown(1000 + lateBytes)
	if _, err := s.Claim("x", time.Second); err != nil { // which reads the file again
		t.Error(err)
	}
	if got := lately(s); got != "[] [] [a b]" {
		t.Error("after much was said:", got)
	}
}

// SessionOf many that claim the same at the same moment one gets it, and later another.
func TestClaim(t *testing.T) {
	state := t.TempDir()
	for i, at := range []time.Time{noon, noon.Add(time.Minute)} {
		var wins [20]bool
		var all sync.WaitGroup
		for n := range wins {
			all.Go(func() {
				s, err := SessionOf(state, "s1", "", at.Add(time.Duration(n)*time.Millisecond))
				ok, cerr := s.Claim("start", 2*time.Second)
				must(t, err, cerr)
				wins[n] = ok
			})
		}
		all.Wait()
		if n := len(slices.DeleteFunc(wins[:], func(w bool) bool { return !w })); n != 1 {
			t.Errorf("%d: %d have it", i, n)
		}
	}
	if ok, err := open(t, state, noon).Claim("other", time.Second); !ok || err != nil {
		t.Errorf("another key: %t, %v", ok, err)
	}
}

// The memory of a session stays small, and what counts stays in it.
func TestBounded(t *testing.T) {
	state := t.TempDir()
	s := open(t, state, noon)
	must(t, s.Give([]lessons.ID{"first"}, true))
	for i := range 400 {
		if _, err := s.Fail(uint64(i)<<32 | uint64(i%3)); err != nil {
			t.Fatal(err)
		}
		_, err := s.Claim(fmt.Sprint(i), time.Hour)
		must(t, err)
	}
	if len(s.m.Fails) > maxFails || len(s.m.Claims) > maxClaims {
		t.Errorf("it has %d calls and %d claims", len(s.m.Fails), len(s.m.Claims))
	}
	if s = open(t, state, noon); !slices.Equal(s.Had(true), []lessons.ID{"first"}) {
		t.Errorf("had %v", s.Had(true))
	}
}

// A memory of which nothing was heard for long goes.
func TestSweep(t *testing.T) {
	state := t.TempDir()
	must(t, open(t, state, noon).SetMark(7))
	now := noon
	SweepSessions(state, now)
	if open(t, state, noon).Mark() != 7 {
		t.Error("a new one went")
	}
	SweepSessions(state, now.Add(keep+time.Hour))
	if open(t, state, noon).Mark() != 0 {
		t.Error("an old one stays")
	}
}

func names(t *testing.T, state string) (got []string) {
	t.Helper()
	for r, err := range Injections(state) {
		must(t, err)
		got = append(got, r.Session)
	}
	slices.Sort(got)
	return got
}

// What was given is recorded, and can be asked for by lesson.
func TestRecord(t *testing.T) {
	state := t.TempDir()
	for i := range 3 {
		must(t, LogInjection(state, Injection{At: noon, Session: fmt.Sprint(i), Event: "session-start", Lessons: []lessons.ID{"a"}, Held: []lessons.ID{"b", "c"}, Project: "tab\there"}))
	}
	must(t, LogInjection(state, Injection{At: noon, Session: "nothing", Event: "user-prompt"}),
		LogInjection(state, Injection{At: noon.Add(time.Hour), Session: "1", Event: "user-prompt", Lessons: []lessons.ID{"a", "d"}, Matched: []lessons.ID{"e"}, Project: "tab\there"}))
	if got := names(t, state); !slices.Equal(got, []string{"0", "1", "1", "2"}) {
		t.Errorf("got %q", got)
	}
	of := 0
	for r, err := range Injections(state, "d") {
		must(t, err)
		if of++; r.Event != "user-prompt" || !r.At.Equal(noon.Add(time.Hour)) || !slices.Equal(r.Lessons, []lessons.ID{"a", "d"}) || !slices.Equal(r.Matched, []lessons.ID{"e"}) {
			t.Errorf("%+v", r)
		}
	}
	if of != 1 {
		t.Errorf("%d records of d", of)
	}
	if got := LatestInjected(state, "tab\there", "2"); !slices.Equal(got, []lessons.ID{"a", "d"}) {
		t.Errorf("the last session was told %v", got)
	}
	if got := LatestInjected(state, "tab\there", "1"); len(got) > 0 {
		t.Errorf("told at the start: %v", got)
	}
	for range Injections(filepath.Join(state, "none")) {
		t.Error("a record of nothing")
	}
}

// FuzzRecord checks that a record is read as it was written.
func FuzzRecord(f *testing.F) {
	f.Add("s1", "p", "shop")
	f.Add("\n\t\x00'", "\xff", strings.Repeat("x", 400))
	f.Fuzz(func(t *testing.T, session, part, project string) {
		state := t.TempDir()
		must(t, LogInjection(state, Injection{At: noon, Session: session, Part: part, Project: project, Event: "user-prompt", Lessons: []lessons.ID{"zz"}, Matched: []lessons.ID{"yy"}}))
		n := 0
		for r, err := range Injections(state) {
			must(t, err)
			if n++; !slices.Equal(r.Lessons, []lessons.ID{"zz"}) || r.Session != field(session) {
				t.Errorf("%+v", r)
			}
		}
		if n != 1 {
			t.Fatalf("%d records", n)
		}
	})
}
