package given

import (
	"bytes"
	"fmt"
	"os"
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
	s, err := Of(state, "s1", "", at)
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
	part, err := Of(state, "s1", "p", noon)
	nameless, nerr := Of(state, "", "", noon)
	must(t, err, nerr, nameless.Give([]lessons.ID{"a"}, true))
	if part.Mark() > 0 || len(part.Had(true)) > 0 {
		t.Error("a part has the memory of the whole")
	}
}

// Of many that claim the same at the same moment one gets it, and later another.
// What was told long ago, by the prompts since or by what the transcript has grown, was not
// told lately, also after the file was written anew; and files of before say nothing of it.
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
	must(t, s.fold())
	s = open(t, state, noon)
	if got := lately(s); got != "[a b] [b] [a b]" {
		t.Error("after a fold:", got)
	}
	s.Grown(1000 + lateBytes)
	if _, err := s.Claim("x", time.Second); err != nil { // which reads the file again
		t.Error(err)
	}
	if got := lately(s); got != "[] [] [a b]" {
		t.Error("after much was said:", got)
	}
	if err := os.WriteFile(s.path, []byte("give\tstart\ta,b\t.\nturn\tx\t-1\t.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := lately(open(t, state, noon)); got != "[a b] [] [a b]" {
		t.Error("of a file of before:", got)
	}
}

func TestClaim(t *testing.T) {
	state := t.TempDir()
	for i, at := range []time.Time{noon, noon.Add(time.Minute)} {
		var wins [20]bool
		var all sync.WaitGroup
		for n := range wins {
			all.Go(func() {
				s, err := Of(state, "s1", "", at.Add(time.Duration(n)*time.Millisecond))
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

// The file of a session stays small, and what counts stays in it.
func TestBounded(t *testing.T) {
	state := t.TempDir()
	s := open(t, state, noon)
	must(t, s.Give([]lessons.ID{"first"}, true))
	for i := range 4000 {
		if _, err := s.Fail(uint64(i)<<32 | uint64(i%3)); err != nil {
			t.Fatal(err)
		}
		_, err := s.Claim(strings.Repeat("k", 20), 0)
		must(t, err)
	}
	info, err := os.Stat(s.path)
	if err != nil || info.Size() > 2*maxSession {
		t.Errorf("the file has %d bytes, %v", info.Size(), err)
	}
	if s = open(t, state, noon); !slices.Equal(s.Had(true), []lessons.ID{"first"}) {
		t.Errorf("had %v", s.Had(true))
	}
}

// A memory of which nothing was heard for long goes, and no other file.
func TestSweep(t *testing.T) {
	state := t.TempDir()
	must(t, open(t, state, noon).SetMark(7))
	other := filepath.Join(state, folder, "notes.txt")
	must(t, os.WriteFile(other, nil, 0o600))
	now := time.Now()
	Sweep(state, now)
	if open(t, state, noon).Mark() != 7 {
		t.Error("a new one went")
	}
	Sweep(state, now.Add(keep+time.Hour))
	if open(t, state, noon).Mark() != 0 {
		t.Error("an old one stays")
	}
	if _, err := os.Stat(other); err != nil {
		t.Error(err)
	}
}

func names(t *testing.T, state string) (got []string) {
	t.Helper()
	for r, err := range All(state) {
		must(t, err)
		got = append(got, r.Session)
	}
	slices.Sort(got)
	return got
}

// What was given is known before it is gathered and after, and each record once, also
// where a crash left it in both places.
func TestRecord(t *testing.T) {
	state := t.TempDir()
	must(t, Gather(state, noon)) // there is nothing
	for i := range 3 {
		must(t, Append(state, Record{At: noon, Session: fmt.Sprint(i), Event: "session-start", Lessons: []lessons.ID{"a"}, Held: []lessons.ID{"b", "c"}, Project: "tab\there"}))
	}
	must(t, Append(state, Record{At: noon, Session: "nothing", Event: "user-prompt"}))
	f, err := os.OpenFile(filepath.Join(state, folder, name("1", "")+recordSuffix), os.O_APPEND|os.O_WRONLY, 0)
	must(t, err)
	_, err = f.WriteString("gave\t12\tcut")
	must(t, err, f.Close(), Append(state, Record{At: noon.Add(time.Hour), Session: "1", Event: "user-prompt", Lessons: []lessons.ID{"a", "d"}, Matched: []lessons.ID{"e"}}))
	want := []string{"0", "1", "1", "2"}
	if got := names(t, state); !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
	must(t, Gather(state, time.Now())) // all is too fresh
	if left, _ := filepath.Glob(filepath.Join(state, folder, "*"+recordSuffix)); len(left) != 3 {
		t.Errorf("%d files are left", len(left))
	}
	one := filepath.Join(state, folder, name("1", "")+recordSuffix)
	data, err := os.ReadFile(one)
	must(t, err, Gather(state, time.Now().Add(time.Hour)))
	if left, _ := filepath.Glob(filepath.Join(state, folder, "*")); len(left) != 0 {
		t.Errorf("%q are left", left)
	}
	must(t, os.WriteFile(one+takenSuffix, data, 0o600)) // a crash before it was removed
	if got := names(t, state); !slices.Equal(got, want) {
		t.Errorf("after a crash got %q", got)
	}
	must(t, Gather(state, time.Now()))
	if got := names(t, state); !slices.Equal(got, want) {
		t.Errorf("gathered twice got %q", got)
	}
	of := 0
	for r, err := range All(state, "d") {
		must(t, err)
		if of++; r.Event != "user-prompt" || !slices.Equal(r.Lessons, []lessons.ID{"a", "d"}) || !slices.Equal(r.Matched, []lessons.ID{"e"}) {
			t.Errorf("%+v", r)
		}
	}
	if of != 1 {
		t.Errorf("%d records of d", of)
	}
	for range All(filepath.Join(state, "none")) {
		t.Error("a record of nothing")
	}
}

// The record is bounded, and says what it no longer has.
func TestRecordIsBounded(t *testing.T) {
	state := t.TempDir()
	line := Record{At: noon, Session: "s", Event: "session-start", Lessons: []lessons.ID{"a"}}.line()[1:]
	full := bytes.Repeat(line, maxLog/len(line)+1)
	for range 3 {
		must(t, gathered(state, full))
	}
	lost, err := Lost(state)
	if want := maxLog/len(line) + 1; err != nil || lost.Records != want || !lost.Until.Equal(noon) {
		t.Errorf("lost %+v, want %d; %v", lost, want, err)
	}
}

// FuzzRecord checks that a record is read as it was written, and that nothing stops its
// reader.
func FuzzRecord(f *testing.F) {
	f.Add("s1", "p", "shop", []byte("gave\t1\tsession-start\ts\t\t\t\ta,b\t\t\t.\n"))
	f.Add("\n\t", "\xff", strings.Repeat("x", 400), []byte("gave\t99999999999999999999\te\ts\t\t\t\ta\t\t\t.\ngave\t"))
	f.Fuzz(func(t *testing.T, session, part, project string, junk []byte) {
		state := t.TempDir()
		r := Record{At: noon, Session: session, Part: part, Project: project, Event: "user-prompt", Lessons: []lessons.ID{"zz"}, Matched: []lessons.ID{"yy"}}
		path := filepath.Join(state, folder, name(session, part)+recordSuffix)
		must(t, os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, junk, 0o600), Append(state, r))
		for range 2 {
			n := 0
			for r, err := range All(state) {
				must(t, err)
				if slices.Contains(r.Lessons, "zz") {
					n++
				}
			}
			if n < 1 {
				t.Fatal("it is lost")
			}
			must(t, Gather(state, time.Now().Add(time.Hour)))
		}
	})
}

// FuzzSession checks that no file of a session stops its reader.
func FuzzSession(f *testing.F) {
	f.Add([]byte("give\tstart\ta,b\t.\nclaim\t1\tk\tx\t.\nfail\tz\t2\t.\n"))
	f.Add([]byte("give\tstart\ta,b"))
	f.Add([]byte("fail\t.\n\t\t\t.\nmark\tx\t.\nreset\t.\nclaim\t9999999999999999999\t\t\t."))
	f.Fuzz(func(t *testing.T, b []byte) {
		state := t.TempDir()
		s := open(t, state, noon)
		must(t, s.SetMark(7), os.WriteFile(s.path, b, 0o600))
		s = open(t, state, noon)
		must(t, s.Give([]lessons.ID{"zz"}, false))
		if ok, err := s.Claim("mine", 0); !ok || err != nil {
			t.Errorf("claimed %t, %v", ok, err)
		}
		if !slices.Contains(s.Had(true), "zz") && len(s.ids) < maxIDs {
			t.Errorf("had %v", s.Had(true))
		}
	})
}
