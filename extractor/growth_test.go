package extractor

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"learnings/extractor/rules"
	"learnings/extractor/transcript"
	"learnings/lessons"
)

func TestGrowthReadsOnlyWhatIsNew(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.jsonl")
	filler := strings.Repeat("All work and no play. ", 200)
	var old strings.Builder
	for i := range 400 {
		old.WriteString(session(10*i, "what about this? "+filler))
	}
	f := write(t, path, old.String()+session(5000, "always lint"))
	marks := ledger(t, dir)
	collect(t, []transcript.File{f}, marks, testOptions)

	added := session(6000, "always test")
	grown := appendTo(t, path, added)
	all, batches := collect(t, []transcript.File{grown}, marks, testOptions)
	if got := contents(all); !slices.Equal(got, []string{"always test"}) {
		t.Fatalf("%q", got)
	}
	if most := int64(len(added)) + contextBytes + 32<<10; batches[0].Read > most {
		t.Errorf("read %d bytes of %d for %d new ones", batches[0].Read, grown.Size, len(added))
	}
	e := all[0].Evidence[0]
	if want := strings.Count(old.String(), "\n") + 5; e.Line != want {
		t.Errorf("line %d, want %d", e.Line, want)
	}
	if !slices.Equal(e.Before, []string{"You are right.", "I have changed the files."}) {
		t.Errorf("before the first new turn stand %q", e.Before)
	}
	if all[0].Scope.Project != "octofs" {
		t.Errorf("project %q", all[0].Scope.Project)
	}
}

// The person's words are the very first thing behind the mark.
func TestGrowthKnowsTheTurnBefore(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.jsonl")
	marks := ledger(t, dir)
	collect(t, []transcript.File{write(t, path, says(1, "assistant", "Done with npm."))}, marks, testOptions)
	all, _ := collect(t, []transcript.File{appendTo(t, path, says(2, "user", "always use pnpm"))}, marks, testOptions)
	if len(all) != 1 || !slices.Equal(all[0].Evidence[0].Before, []string{"Done with npm."}) {
		t.Errorf("%+v", all)
	}
}

func TestRewrittenFileIsReadAnew(t *testing.T) {
	first := session(1, "always lint", "always test")
	for name, now := range map[string]string{
		"shrunk":            session(1, "always lint"),
		"other beginning":   session(1, "hm", "always lint") + session(20, "always ship"),
		"rotated":           session(70, "always ship"),
		"rewritten, longer": strings.Replace(first, "I have changed", "We have changed", 1) + session(20, "always ship"),
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "a.jsonl")
			marks := ledger(t, dir)
			before, _ := collect(t, []transcript.File{write(t, path, first)}, marks, testOptions)
			f := write(t, path, now)
			f.ModTime = f.ModTime.Add(time.Second) // the clock of the file system may be coarse
			if err := os.Chtimes(path, f.ModTime, f.ModTime); err != nil {
				t.Fatal(err)
			}
			after, batches := collect(t, []transcript.File{f}, marks, testOptions)
			if len(batches) != 1 || batches[0].Read < f.Size {
				t.Fatalf("not read whole: %+v", batches)
			}
			if strings.Contains(now, "always lint") && !slices.ContainsFunc(after, func(l lessons.Lesson) bool { return l.ID == before[0].ID }) && !strings.Contains(name, "other") {
				t.Errorf("the id of %q has changed", before[0].Content)
			}
			if !marks.Fresh(f) {
				t.Error("not fresh afterwards")
			}
		})
	}
}

func TestCutLastLineIsReadWhenComplete(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.jsonl")
	line := says(4, "user", "always test")
	marks := ledger(t, dir)
	_, batches := collect(t, []transcript.File{write(t, path, session(1, "always lint")+line[:len(line)/2])}, marks, testOptions)
	if len(batches[0].Bad) != 0 {
		t.Errorf("a line that is being written is reported: %v", batches[0].Bad)
	}
	all, batches := collect(t, []transcript.File{appendTo(t, path, line[len(line)/2:])}, marks, testOptions)
	if got := contents(all); !slices.Equal(got, []string{"always test"}) || all[0].Evidence[0].Line != 4 {
		t.Errorf("%q, %+v", got, batches)
	}
}

// conceded proposes what a person said when the agent gave in to it.
type conceded struct{}

func (conceded) Propose(ctx context.Context, s transcript.Session, turns []transcript.Turn) ([]lessons.Lesson, error) {
	all, err := always{}.Propose(ctx, s, turns)
	return slices.DeleteFunc(all, func(l lessons.Lesson) bool {
		return !slices.ContainsFunc(turns, func(t transcript.Turn) bool {
			return t.Line == l.Evidence[0].Line+1 && strings.Contains(t.Text, "right")
		})
	}), err
}

// What a person said last is judged when it has been read, and once more when
// the answer to it is there; it gives a lesson once.
func TestLastWordsAreJudgedWithTheirAnswer(t *testing.T) {
	for name, p := range map[string]Proposer{"shown by the answer": conceded{}, "clear at once": always{}} {
		dir := t.TempDir()
		path := filepath.Join(dir, "a.jsonl")
		o := testOptions
		o.Proposers = []Proposer{p}
		marks := ledger(t, dir)
		var got []string
		text := ""
		for i, part := range []string{
			session(1, "always lint") + says(10, "user", "always test"), says(11, "assistant", "You are right.")[:50], says(11, "assistant", "You are right.")[50:],
			says(12, "assistant", "Done."), says(13, "user", "thanks"), says(14, "assistant", "You are right."),
		} {
			text += part
			f := write(t, path, text)
			f.ModTime = f.ModTime.Add(time.Duration(i) * time.Second)
			all, _ := collect(t, []transcript.File{f}, marks, o)
			got = append(got, contents(all)...)
		}
		if !slices.Equal(got, []string{"always lint", "always test"}) {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// TestShortTranscript leaves a session of few words until it has grown, and
// then reads all of it, once.
func TestShortTranscript(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "s.jsonl")
	put := func(texts ...string) {
		var b strings.Builder
		for i, s := range texts {
			b.WriteString(says(i, "user", s))
		}
		write(t, path, b.String())
	}
	marks, err := OpenLedger(filepath.Join(dir, "state"))
	if err != nil {
		t.Fatal(err)
	}
	var seen []string // what the proposer was shown
	reads := 0
	run := func() (short bool) {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		seen = nil
		files := []transcript.File{{Path: path, Size: info.Size(), ModTime: info.ModTime()}}
		for b, err := range Run(t.Context(), files, marks, Options{MinChars: 100, Proposers: []Proposer{watcher(func(turns []transcript.Turn) {
			for _, turn := range turns {
				seen = append(seen, turn.Text)
			}
		})}}) {
			if err != nil {
				t.Fatal(err)
			}
			reads, short = reads+1, b.Short
			if err := marks.Commit(b.Mark); err != nil {
				t.Fatal(err)
			}
		}
		return short
	}
	put("Please run the tests.")
	if !run() || seen != nil {
		t.Errorf("of a short session was shown: %q", seen)
	}
	if run(); reads != 1 {
		t.Error("an unchanged short session was read again")
	}
	put("Please run the tests.", strings.Repeat("And another word. ", 10))
	if run() || len(seen) != 2 || seen[0] != "Please run the tests." {
		t.Errorf("of the grown session was shown: %q", seen)
	}
	put("Please run the tests.", strings.Repeat("And another word. ", 10), "Ok.")
	if run() || len(seen) == 0 || seen[len(seen)-1] != "Ok." {
		t.Errorf("a few words more, and was shown: %q", seen)
	}
}

// TestShortAndPlain reads a short session in which a person plainly taught
// something, one that is named, and one that was left before it was named; what
// a session was given counts once though it is read again.
func TestShortAndPlain(t *testing.T) {
	dir := t.TempDir()
	marks, err := OpenLedger(filepath.Join(dir, "state"))
	if err != nil {
		t.Fatal(err)
	}
	block := `<system-reminder><learnings-context project="x" lessons="k7m2p9qx">- x</learnings-context></system-reminder>`
	run := func(name string, named bool, minChars int, text string) (b Batch, read bool) {
		t.Helper()
		path := filepath.Join(dir, name)
		write(t, path, says(0, "user", block)+says(1, "user", "Please run the tests.")+says(2, "assistant", "I ran npm test.")+says(3, "user", text))
		old := time.Now().Add(-time.Hour)
		if err := os.Chtimes(path, old, old.Truncate(time.Second)); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		o := Options{MinChars: minChars, Proposers: []Proposer{rules.Rules{}}}
		for b, err = range Run(t.Context(), []transcript.File{{Path: path, Size: info.Size(), ModTime: info.ModTime(), Named: named}}, marks, o) {
			if err != nil {
				t.Fatal(err)
			}
			if err := marks.Commit(b.Mark); err != nil {
				t.Fatal(err)
			}
			read = true
		}
		return b, read
	}
	const much = 10_000
	if b, _ := run("plain.jsonl", false, much, "no, always use pnpm instead of npm in this repo"); b.Short || len(b.Lessons) != 1 {
		t.Errorf("a correction in a short session: short %v, %d lessons", b.Short, len(b.Lessons))
	}
	if b, _ := run("named.jsonl", true, much, "thanks"); b.Short || b.Mark.Short() {
		t.Error("a session that is named was left")
	}
	b, _ := run("left.jsonl", false, much, "thanks")
	if !b.Short || !b.Mark.Short() || len(b.Given) != 1 {
		t.Errorf("a short session: %+v", b)
	}
	if b, _ = run("left.jsonl", false, much, "thanks a lot"); !b.Short || len(b.Given) != 0 {
		t.Errorf("what it was given counts again: %v", b.Given)
	}
	if _, read := run("left.jsonl", false, much, "thanks a lot"); read {
		t.Error("it was read again though it has not changed")
	}
	if b, read := run("left.jsonl", true, much, "thanks a lot"); !read || b.Short || len(b.Given) != 0 {
		t.Errorf("named, it was not read, or counts again: %v %+v", read, b)
	}
	if _, read := run("left.jsonl", true, much, "thanks a lot"); read {
		t.Error("named again, it was read again")
	}
}

// watcher is shown turns and proposes nothing.
type watcher func([]transcript.Turn)

func (w watcher) Propose(_ context.Context, _ transcript.Session, turns []transcript.Turn) ([]lessons.Lesson, error) {
	w(turns)
	return nil, nil
}
