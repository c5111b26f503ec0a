package intake

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"learnings/extractor"
	"learnings/extractor/transcript"
	"learnings/index"
	"learnings/lessons"
	"learnings/lessons/store"
)

// always proposes a lesson for each message of a person that begins with "always".
type always struct{}

func (always) Propose(_ context.Context, _ transcript.Session, turns []transcript.Turn) ([]lessons.Lesson, error) {
	var out []lessons.Lesson
	for _, t := range turns {
		if t.Speaker == transcript.Person && strings.HasPrefix(t.Text, "always") {
			out = append(out, lessons.Lesson{
				Category: "preference", Confidence: 0.8, Wording: lessons.Wording{Content: t.Text},
				Evidence: []lessons.Evidence{{Line: t.Line, UUID: t.UUID, By: lessons.ByPerson, At: t.At, Quote: t.Text}},
			})
		}
	}
	return out, nil
}

// A bench is a corpus with what an intake needs.
type bench struct {
	store   *store.Store
	index   *index.Index
	marks   *extractor.Ledger
	dir     string
	options extractor.Options
}

func newBench(t *testing.T) *bench {
	t.Helper()
	b := &bench{dir: t.TempDir(), options: extractor.Options{Proposers: []extractor.Proposer{always{}}, Project: filepath.Base}}
	var err error
	if b.store, err = store.Open(filepath.Join(b.dir, "corpus"), store.Options{State: filepath.Join(b.dir, "state")}); err != nil {
		t.Fatal(err)
	}
	b.index = index.At(filepath.Join(b.dir, "index"))
	if b.marks, err = extractor.OpenLedger(filepath.Join(b.dir, "state")); err != nil {
		t.Fatal(err)
	}
	return b
}

// file writes a session in which a person says things, at minutes of a day.
func (b *bench) file(t *testing.T, session string, said ...string) transcript.File {
	t.Helper()
	var text strings.Builder
	for i, s := range said {
		fmt.Fprintf(&text, `{"type":"user","userType":"external","uuid":"%s-%d","sessionId":"%s","cwd":"/src/octofs","version":"2.1.0","timestamp":"2026-04-05T14:%02d:00Z","message":{"role":"user","content":%q}}`+"\n", session, i, session, i, s)
	}
	path := filepath.Join(b.dir, session+".jsonl")
	if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return transcript.File{Path: path, Size: info.Size(), ModTime: info.ModTime()}
}

// run takes files in with a new intake over an index that is up to date.
func (b *bench) run(t *testing.T, files ...transcript.File) (stored []lessons.Lesson) {
	t.Helper()
	if _, err := b.index.Sync(t.Context(), b.store); err != nil {
		t.Fatal(err)
	}
	for taken, err := range New(b.store, b.index).Run(t.Context(), files, b.marks, b.options) {
		if err != nil {
			t.Fatal(err)
		}
		stored = append(stored, taken.Stored...)
	}
	return stored
}

func TestSaidAgainIsEvidence(t *testing.T) {
	b := newBench(t)
	first := b.run(t, b.file(t, "a", "always run the linter"))
	again := b.run(t, b.file(t, "b", "always run the linter"))
	if len(first) != 1 || len(again) != 0 {
		t.Fatalf("stored %v, then %v", first, again)
	}
	if l, err := b.store.Get(first[0].ID); err != nil || len(l.Evidence) != 2 {
		t.Errorf("%v, %+v", err, l.Evidence)
	}
}

func TestRejectedStaysAway(t *testing.T) {
	b := newBench(t)
	l := b.run(t, b.file(t, "a", "always run the linter"))[0]
	l, err := l.Reject(lessons.Decision{By: "ada", At: l.Created.AddDate(1, 0, 0)})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.store.Put(store.Write{Op: lessons.OpReject, By: "ada"}, l); err != nil {
		t.Fatal(err)
	}
	if more := b.run(t, b.file(t, "b", "always run the linter")); len(more) != 0 {
		t.Errorf("a rejected lesson is proposed again: %+v", more)
	}
}

// Without an index, ids still tell that a moment was taken in before.
func TestWithoutAnIndex(t *testing.T) {
	b := newBench(t)
	f := b.file(t, "a", "always run the linter")
	for i, want := range []int{1, 0} {
		n := 0
		for taken, err := range New(b.store, nil).Run(t.Context(), []transcript.File{f}, nil, b.options) {
			if err != nil {
				t.Fatal(err)
			}
			n += len(taken.Stored)
		}
		if n != want {
			t.Errorf("reading %d stored %d lessons, want %d", i+1, n, want)
		}
	}
}

// Two that have read the same transcript at the same time store it once.
func TestTwoKeepTheSameBatch(t *testing.T) {
	b := newBench(t)
	batch, err := extractor.Extract(t.Context(), b.file(t, "a", "always run the linter"), extractor.Mark{}, b.options)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []int{1, 0} {
		if taken, err := New(b.store, b.index).Keep(batch); err != nil || len(taken.Stored) != want {
			t.Errorf("%d: %v, %+v", i, err, taken.Stored)
		}
	}
}

// A file that is read again as it once was does not set its mark back.
func TestMarkIsNotSetBack(t *testing.T) {
	b := newBench(t)
	old := b.file(t, "a", "always run the linter")
	b.run(t, b.file(t, "a", "always run the linter", "thanks", "always run the tests"))
	ahead, _ := b.marks.Mark(old.Path)
	b.options.From = func(string) extractor.Mark { return extractor.Mark{} }
	b.run(t, old)
	if now, _ := b.marks.Mark(old.Path); now.Offset != ahead.Offset {
		t.Errorf("the mark went from %d to %d", ahead.Offset, now.Offset)
	}
}

func TestRunStopsAndGoesOn(t *testing.T) {
	b := newBench(t)
	files := []transcript.File{{Path: filepath.Join(b.dir, "missing.jsonl")}, b.file(t, "a", "always run the linter")}
	var unread *extractor.FileError
	n, failed := 0, 0
	for taken, err := range New(b.store, b.index).Run(t.Context(), files, b.marks, b.options) {
		if errors.As(err, &unread) {
			failed++
		} else if err != nil {
			t.Fatal(err)
		}
		n += len(taken.Stored)
	}
	if n != 1 || failed != 1 {
		t.Errorf("stored %d, failed %d", n, failed)
	}
}

func TestDryRunWritesNothing(t *testing.T) {
	b := newBench(t)
	f := b.file(t, "a", "always run the linter")
	n := 0
	for taken, err := range DryRun(t.Context(), []transcript.File{f}, b.marks, b.options) {
		if err != nil {
			t.Fatal(err)
		}
		n += len(taken.Stored)
	}
	if n != 1 || b.marks.Fresh(f) {
		t.Errorf("%d lessons; marked: %v", n, b.marks.Fresh(f))
	}
	for l := range b.store.All() {
		t.Errorf("stored %s", l.ID)
	}
}

// reader proposes one lesson in given words, with a quote of the message that begins
// with "always".
type reader struct{ name, says, quote string }

func (r reader) Propose(ctx context.Context, s transcript.Session, turns []transcript.Turn) ([]lessons.Lesson, error) {
	ls, err := always{}.Propose(ctx, s, turns)
	for i := range ls {
		ls[i].Content, ls[i].Origin.Extractor, ls[i].Evidence[0].Quote = r.says, r.name, r.quote
		ls[i].ID = lessons.IDFrom(r.name, r.says, ls[i].Evidence[0].UUID)
	}
	return ls, err
}

// One message is one moment, whoever reads it and in whatever words, in copies too.
func TestOneMomentManyReaders(t *testing.T) {
	const message = "always use the pnpm that the repository pins, and tell me when a port is taken"
	byRules := reader{"rules", "Use the pnpm that the repository pins", "use the pnpm that the repository pins"}
	byModel := reader{"model:x", "Run the pnpm version pinned by the repository", "always use the pnpm that the repository pins, and tell me"}
	another := reader{"model:x", "Say when a port is taken", "tell me when a port is taken"}
	read := func(b *bench, f transcript.File, rs ...extractor.Proposer) []lessons.Lesson {
		b.options.Proposers, b.options.Anew = rs, true
		return b.run(t, f)
	}
	decided := func(b *bench, l lessons.Lesson, decide func(lessons.Lesson, lessons.Decision) (lessons.Lesson, error)) {
		l, err := decide(l, lessons.Decision{By: "ada", At: l.Created.AddDate(1, 0, 0)})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := b.store.Put(store.Write{Op: lessons.OpEdit, By: "ada"}, l); err != nil {
			t.Fatal(err)
		}
	}
	t.Run("pending", func(t *testing.T) {
		b := newBench(t)
		f := b.file(t, "a", message)
		first := read(b, f, byRules)
		if more := read(b, f, byModel, another); len(first) != 1 || len(more) != 1 || more[0].Content != another.says {
			t.Fatalf("stored %+v, then %+v", first, more)
		}
		l, err := b.store.Get(first[0].ID)
		if err != nil || l.Content != byModel.says || l.Offer != (lessons.Offer{}) || l.Origin.Extractor != "model:x" || len(l.Evidence) != 1 {
			t.Errorf("%v: %+v", err, l)
		}
		if more := read(b, f, byRules, byModel, another); len(more) != 0 {
			t.Errorf("read once more it stores %+v", more)
		}
	})
	t.Run("edited by a person", func(t *testing.T) {
		b := newBench(t)
		f := b.file(t, "a", message)
		l := read(b, f, byRules)[0]
		l.Content, l.Decided.By = "Use the pinned pnpm", "ada"
		if _, err := b.store.Put(store.Write{Op: lessons.OpEdit, By: "ada"}, l); err != nil {
			t.Fatal(err)
		}
		read(b, f, byModel)
		if l, err := b.store.Get(l.ID); err != nil || l.Content != "Use the pinned pnpm" || l.Offer.Content != byModel.says {
			t.Errorf("%v: %+v", err, l)
		}
	})
	t.Run("read by a later version", func(t *testing.T) {
		b := newBench(t)
		f := b.file(t, "a", message)
		first := read(b, f, byRules)[0]
		later := reader{"rules", "Use the pnpm that the repository pins.", byRules.quote}
		if more := read(b, f, later); len(more) != 0 {
			t.Fatalf("stored %+v", more)
		}
		l, err := b.store.Get(first.ID)
		if err != nil || l.Content != first.Content || l.Offer.Content != later.says {
			t.Errorf("%v: %+v", err, l)
		}
	})
	t.Run("rejected", func(t *testing.T) {
		b := newBench(t)
		f := b.file(t, "a", message)
		decided(b, read(b, f, byRules)[0], lessons.Lesson.Reject)
		if more := read(b, f, byModel); len(more) != 0 {
			t.Errorf("comes back as %+v", more)
		}
	})
	t.Run("approved", func(t *testing.T) {
		b := newBench(t)
		f := b.file(t, "a", message)
		first := read(b, f, byRules)[0]
		decided(b, first, lessons.Lesson.Approve)
		if more := read(b, f, byModel); len(more) != 0 {
			t.Errorf("proposed again as %+v", more)
		}
		if l, err := b.store.Get(first.ID); err != nil || l.Offer != (lessons.Offer{}) || l.Status != lessons.Approved {
			t.Errorf("%v: %+v", err, l)
		}
	})
}

// unsure proposes what a model took for likely, no more: by an id of its own, or by that
// of the lesson that it is said to repeat.
type unsure struct {
	says string
	id   lessons.ID
}

func (r unsure) Propose(ctx context.Context, s transcript.Session, turns []transcript.Turn) ([]lessons.Lesson, error) {
	ls, err := always{}.Propose(ctx, s, turns)
	for i := range ls {
		ls[i].Content, ls[i].Origin.Extractor, ls[i].Confidence, ls[i].Lane, ls[i].Evidence[0].Quote = r.says, "model:x", 0.38, lessons.Maybe, "pins the versions of what it needs"
		if ls[i].ID = r.id; r.id == "" {
			ls[i].ID = lessons.IDFrom("x", r.says, ls[i].Evidence[0].UUID)
		}
	}
	return ls, err
}

// What a model was not sure of comes up when a person says it in another session, and
// not when the same session says it twice.
func TestSaidAgainElsewhere(t *testing.T) {
	b := newBench(t)
	const says = "Pin the versions of all that the build needs"
	run := func(name string, r unsure) []lessons.Lesson {
		b.options.Proposers, b.options.Anew = []extractor.Proposer{r}, true
		return b.run(t, b.file(t, name, "always look that the build pins the versions of what it needs"))
	}
	l := run("a", unsure{says: says})[0]
	is := func(when string, lane lessons.Lane, sure lessons.Confidence, told int) {
		t.Helper()
		if now, err := b.store.Get(l.ID); err != nil || now.Waits() != lane || now.Confidence != sure || len(now.Evidence) != told {
			t.Errorf("%s: %s %v, %d moments, %v", when, now.Waits(), now.Confidence, len(now.Evidence), err)
		}
	}
	is("at first", lessons.Maybe, 0.38, 1)
	run("a", unsure{says: says})
	is("read again", lessons.Maybe, 0.38, 1)
	if more := run("b", unsure{"All of the build has its version pinned", l.ID}); len(more) != 0 {
		t.Errorf("what repeats it is stored: %+v", more)
	}
	is("said elsewhere", lessons.Likely, saidAgain, 2)
}

// A session that was gone on with is copied into another transcript, its records on
// other lines. What was edited of it is not proposed again, and what else the same
// message teaches is.
func TestCopyOfARecord(t *testing.T) {
	b := newBench(t)
	l := b.run(t, b.file(t, "a", "always run teh linter before a push"))[0]
	original := l
	l.Content = "Lint first"
	l, err := l.Approve(lessons.Decision{By: "ada", At: l.Created.AddDate(1, 0, 0)})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.store.Put(store.Write{Op: lessons.OpApprove, By: "ada"}, l); err != nil {
		t.Fatal(err)
	}
	if _, err := b.index.Sync(t.Context(), b.store); err != nil {
		t.Fatal(err)
	}
	again := original
	again.ID = "c0p1e2d3"
	in := New(b.store, b.index)
	if k, err := in.Known(t.Context(), again); err != nil || k.ID != l.ID || k.Status != lessons.Approved {
		t.Errorf("the copy is known as %+v, %v", k, err)
	}
	again.Content = "Never force-push to main"
	if k, err := in.Known(t.Context(), again); err != nil || k.ID != "" {
		t.Errorf("another lesson of the same message is known as %+v, %v", k, err)
	}
}
