package past

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"learnings/extractor"
	"learnings/extractor/transcript"
	"learnings/index/curate"
	"learnings/lessons"
	"learnings/lessons/proof"
	"learnings/lessons/store"
)

var april = time.Date(2026, 4, 5, 12, 0, 0, 0, time.UTC)

// A bench is a corpus of lessons that were approved at april, and its sessions.
type bench struct {
	*OutcomeReader
	dir string
	now time.Time
}

func newBench(t *testing.T, contents ...string) *bench {
	t.Helper()
	b := &bench{dir: t.TempDir(), now: april.AddDate(0, 1, 0)}
	now := func() time.Time { return b.now }
	s, err := store.Open(filepath.Join(b.dir, "corpus"), store.Options{State: filepath.Join(b.dir, "state"), Now: now})
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range contents {
		l := lessons.Lesson{ID: lessons.ID(fmt.Sprintf("lesson%d", i)), Status: lessons.Approved, Category: "workflow", Wording: lessons.Wording{Content: c},
			Scope: lessons.Scope{Project: "shop"}, Confidence: 0.8, Created: april, Decided: lessons.Decision{By: "ada", At: april}}
		if _, err := s.Put(store.Write{Op: lessons.OpAdd, By: "ada"}, l); err != nil {
			t.Fatal(err)
		}
	}
	b.OutcomeReader = &OutcomeReader{Options: Options{Project: filepath.Base, Redact: strings.ToUpper}, State: filepath.Join(b.dir, "state"), Store: s, Now: now}
	return b
}

// session writes a session that begins at a time, in which an agent runs commands, one a
// minute. One that begins with "!" fails with what follows "!!".
func (b *bench) session(t *testing.T, id string, at time.Time, commands ...string) transcript.File {
	t.Helper()
	var text strings.Builder
	say := func(n int, format string, args ...any) {
		fmt.Fprintf(&text, `{"uuid":"%s-%d","sessionId":"%s","cwd":"/src/shop","version":"2.1.0","timestamp":"%s",`, id, n, id, at.Add(time.Duration(n)*time.Minute).Format(time.RFC3339))
		fmt.Fprintf(&text, format+"}\n", args...)
	}
	say(0, `"type":"user","userType":"external","message":{"role":"user","content":"please do it"}`)
	for i, c := range commands {
		command, failure, failed := strings.Cut(c, "!!")
		say(2*i+1, `"type":"assistant","message":{"role":"assistant","content":[{"type":"tool_use","id":"t%d","name":"Bash","input":{"command":%q}}]}`, i, command)
		say(2*i+2, `"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t%d","is_error":%t,"content":%q}]}`, i, failed, failure)
	}
	path := filepath.Join(b.dir, id+".jsonl")
	if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return transcript.File{Path: path, Size: int64(text.Len())}
}

func (b *bench) give(t *testing.T, session, event string, at time.Time, ids, held []lessons.ID) {
	t.Helper()
	if err := proof.LogInjection(b.State, proof.Injection{At: at, Session: session, Event: event, Project: "shop", Lessons: ids, Held: held}); err != nil {
		t.Fatal(err)
	}
}

func (b *bench) read(t *testing.T, anew bool, files ...transcript.File) OutcomeRun {
	t.Helper()
	res, err := b.Read(t.Context(), files, anew, nil)
	if err != nil || len(res.Failed) > 0 {
		t.Fatal(err, res.Failed)
	}
	return res
}

func (b *bench) figures(t *testing.T, id lessons.ID) proof.Figures {
	t.Helper()
	book, err := proof.OpenBook(b.State, b.now)
	if err != nil {
		t.Fatal(err)
	}
	x, err := OutcomeOf(b.Store, book, b.get(t, id))
	if err != nil {
		t.Fatal(err)
	}
	return x.Figures
}

func (b *bench) get(t *testing.T, id lessons.ID) lessons.Lesson {
	t.Helper()
	l, err := b.Store.Get(id)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

var all = []lessons.ID{"lesson0", "lesson1"}

func later(days int) time.Time { return april.AddDate(0, 0, days) }

// A session counts once, however often it is read, and what it shows moves the confidence.
func TestReadOutcomes(t *testing.T) {
	b := newBench(t, "Use `pnpm install` instead of `npm install`.", "Run `make lint` before you commit.")
	one := b.session(t, "s1", later(1), "pnpm install", "ls")
	two := b.session(t, "s2", later(2), "npm install", "ls")
	b.give(t, "s1", "session-start", later(1), all, nil)
	b.give(t, "s2", "user-prompt", later(2), all, nil)
	res := b.read(t, false, one, two)
	if res.Sessions != 2 || res.Signs != 2 || res.Moved != 2 {
		t.Errorf("%+v", res)
	}
	if res := b.read(t, false, one, two); res.Known != 2 || res.Sessions != 0 {
		t.Errorf("a second time: %+v", res)
	}
	was := b.get(t, "lesson0")
	if p := was.Proof; p.Outcomes != 2 || was.Use.Helped != 1 {
		t.Errorf("%+v, %+v", p, was.Use)
	}
	if res := b.read(t, true, two, one); res.Sessions != 2 || res.Moved != 0 {
		t.Errorf("anew: %+v", res)
	}
	if l := b.get(t, "lesson0"); l.Proof != was.Proof {
		t.Errorf("anew: %+v", l.Proof)
	}
	f := b.figures(t, "lesson0")
	if f.Times != 2 || f.Sessions != 2 || f.OnTopic != 1 || f.Read != 2 || f.Followed != 1 || f.Contradicted != 1 || f.Silent != 0 || len(f.Examples) != 2 || f.Examples[0].Shows != "NPM INSTALL" {
		t.Errorf("%+v", f)
	}
	if f := b.figures(t, "lesson1"); f.Read != 2 || f.Silent != 2 || f.Touched() != 0 {
		t.Errorf("%+v", f)
	}
}

// A session that goes on says something else than before, and counts as it is then.
func TestGoesOn(t *testing.T) {
	b := newBench(t, "Use `pnpm install` instead of `npm install`.")
	b.give(t, "s1", "session-start", later(1), all[:1], nil)
	b.read(t, false, b.session(t, "s1", later(1), "pnpm install"))
	followed := b.get(t, "lesson0").Proof
	b.read(t, false, b.session(t, "s1", later(1), "pnpm install", "npm install"))
	l := b.get(t, "lesson0")
	if followed.Alpha != 0.5 || l.Proof.Alpha != 0 || l.Proof.Beta != 0 || l.Proof.Outcomes != 0 {
		t.Errorf("%+v, then %+v", followed, l.Proof)
	}
	if f := b.figures(t, "lesson0"); f.Sessions != 1 || f.Followed != 1 || f.Contradicted != 1 {
		t.Errorf("%+v", f)
	}
}

// What a fork of a session has copied is no second sign.
func TestFork(t *testing.T) {
	b := newBench(t, "Use `pnpm install` instead of `npm install`.")
	one := b.session(t, "s1", later(1), "npm install")
	data, err := os.ReadFile(one.Path)
	if err != nil {
		t.Fatal(err)
	}
	fork := filepath.Join(b.dir, "s2.jsonl")
	if err := os.WriteFile(fork, []byte(strings.ReplaceAll(string(data), `"sessionId":"s1"`, `"sessionId":"s2"`)), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, s := range []string{"s1", "s2"} {
		b.give(t, s, "session-start", later(1), all[:1], nil)
	}
	b.read(t, false, one, transcript.File{Path: fork})
	if f := b.figures(t, "lesson0"); f.Sessions != 2 || f.Contradicted != 1 {
		t.Errorf("%+v", f)
	}
}

// A person's word on a session goes before what its transcript shows, and one that was
// taken back is not counted again.
func TestPersonFirst(t *testing.T) {
	b := newBench(t, "Use `pnpm install` instead of `npm install`.")
	c := &curate.Corpus{Library: curate.Library{Store: b.Store, Now: b.Now}, By: "ada"}
	o := lessons.Helpful
	b.give(t, "s1", "session-start", later(1), all[:1], nil)
	if _, err := c.Report(curate.Report{Outcome: o, Name: "helpful", Session: "s1"}, all[:1]); err != nil {
		t.Fatal(err)
	}
	b.read(t, false, b.session(t, "s1", later(1), "npm install"))
	if p := b.get(t, "lesson0").Proof; p.Alpha != 1 || p.Beta != 0 {
		t.Errorf("after a report: %+v", p)
	}
	b.give(t, "s2", "session-start", later(2), all[:1], nil)
	two := b.session(t, "s2", later(2), "npm install")
	b.read(t, false, two)
	past, err := b.Store.History("lesson0")
	if err != nil || past[len(past)-1].Op != lessons.OpOutcome {
		t.Fatal(err, past)
	}
	if _, err := c.TakeBack("lesson0", len(past)); err != nil {
		t.Fatal(err)
	}
	b.read(t, true, two)
	if p := b.get(t, "lesson0").Proof; p.Outcomes != 1 || p.Beta != 0 {
		t.Errorf("taken back: %+v", p)
	}
}

// Held out, the session counts for the comparison and moves nothing; and what the clock
// has made unsure is said.
func TestHeldAndAdrift(t *testing.T) {
	b := newBench(t, "Use `pnpm install` instead of `npm install`.", "Run `make lint` before you commit.")
	b.give(t, "s1", "session-start", later(1), nil, all[:1])
	b.give(t, "s2", "session-start", later(2), all[:1], nil)
	b.give(t, "s3", "user-prompt", later(-400), all[:1], nil)   // the clock stood wrong
	b.give(t, "s4", "session-start", later(-400), all[:1], nil) // but a session begins when it begins
	b.read(t, false, b.session(t, "s1", later(1), "npm install"), b.session(t, "s2", later(2), "pnpm install"),
		b.session(t, "s3", later(3), "npm install"), b.session(t, "s4", later(900), "npm install"))
	f := b.figures(t, "lesson0")
	if f.Held != 1 || f.Without != (proof.Share{Had: 1, Of: 1}) || f.Given != (proof.Share{Had: 1, Of: 2}) || f.Adrift != 1 || f.Unread != 0 || f.Undated != 1 {
		t.Errorf("%+v", f)
	}
	if p := b.get(t, "lesson0").Proof; p.Outcomes != 2 {
		t.Errorf("%+v", p)
	}
}

// The same error in sessions before and after, whoever was given what; the session that
// taught the lesson does not count.
func TestRecurrence(t *testing.T) {
	const failing = "scripts/go.sh!!zsh:1: no such file or directory: scripts/go.sh"
	b := newBench(t, "Use `tools/go.sh` instead of `scripts/go.sh`.")
	l := b.get(t, "lesson0")
	l.Evidence = []lessons.Evidence{{Session: "b0", At: later(-9), By: lessons.ByTool, Quote: "zsh:1: no such file or directory: scripts/go.sh", Before: []string{"agent, Bash: scripts/go.sh"}}}
	if _, err := b.Store.Put(store.Write{Op: lessons.OpEdit, By: "ada"}, l); err != nil {
		t.Fatal(err)
	}
	var files []transcript.File
	for i := range 8 {
		command := "ls"
		if i%2 == 0 {
			command = failing
		}
		files = append(files, b.session(t, fmt.Sprintf("b%d", i), later(i-9), command), b.session(t, fmt.Sprintf("a%d", i), later(i+1), "ls"))
	}
	b.read(t, false, files...)
	f := b.figures(t, "lesson0")
	if f.Before != (proof.Share{Had: 3, Of: 7}) || f.After != (proof.Share{Had: 0, Of: 8}) {
		t.Errorf("before %+v, after %+v", f.Before, f.After)
	}
}

// A lesson that is erased leaves no words of the sessions that taught it in the state.
func TestForget(t *testing.T) {
	b := newBench(t, "Use `pnpm install` instead of `npm install`.")
	f := b.session(t, "s1", later(1), "npm install")
	b.Kept = open(t, b.State)
	b.read(t, false, f)
	marks, err := extractor.OpenLedger(b.State)
	if err != nil {
		t.Fatal(err)
	}
	if err := marks.Commit(extractor.Mark{Path: f.Path, Offset: 7, Observed: []lessons.Lesson{{ID: "seen"}}}); err != nil {
		t.Fatal(err)
	}
	s, err := b.one(t.Context(), transcript.File{Path: f.Path, Size: f.Size, ModTime: modified(t, f.Path)}, true)
	if err != nil || s.fresh || len(s.Events) == 0 {
		t.Fatalf("it is not kept: %t, %v", s.fresh, err)
	}
	if err := b.Store.Forget("lesson0"); err != nil {
		t.Fatal(err)
	}
	if _, ok := open(t, b.State).events(&s.Record); ok {
		t.Error("the events of the session are still there")
	}
	if marks, err = extractor.OpenLedger(b.State); err != nil {
		t.Fatal(err)
	}
	if m, ok := marks.Mark(f.Path); !ok || m.Offset != 7 || len(m.Observed) > 0 {
		t.Errorf("%+v", m)
	}
}

func modified(t *testing.T, path string) time.Time {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.ModTime()
}
