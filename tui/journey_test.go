package tui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"learnings/index"
	"learnings/index/curate"
	"learnings/lessons"
	"learnings/lessons/store"
	"learnings/tui/desk"
	"learnings/tui/kit"

	tea "charm.land/bubbletea/v2"
)

// These are whole journeys: the real program on a terminal, over a real store and index.
// They wait for what the screen shows, never for time.

// TestMain lets the test binary be the person's editor.
func TestMain(m *testing.M) {
	if how := os.Getenv("TUI_TEST_EDITOR"); how != "" {
		os.Exit(editorOf(how, os.Args[len(os.Args)-1]))
	}
	os.Exit(m.Run())
}

// editorOf edits a file in one of the ways editors do.
func editorOf(how, path string) int {
	text, err := os.ReadFile(path)
	if err != nil {
		return 3
	}
	switch how {
	case "improve":
		text = []byte(strings.ReplaceAll(string(text), "Prefer table tests", "Prefer table tests with named cases"))
	case "break":
		text = []byte("---\ncontent: [\n" + string(text))
	case "empty":
		text = nil
	case "fail":
		text = []byte(strings.ReplaceAll(string(text), "Prefer table tests", "Prefer table tests, half a thought"))
	}
	if os.WriteFile(path, text, 0o600) != nil {
		return 4
	}
	if how == "fail" {
		return 1
	}
	return 0
}

// A place is a corpus on disk with the program over it.
type place struct {
	*terminal
	store *store.Store
	dir   string
}

func at(t *testing.T, w, h int, ls []lessons.Lesson, more ...func(*desk.Config)) place {
	t.Helper()
	dir := t.TempDir()
	corpus, state := filepath.Join(dir, "corpus"), filepath.Join(dir, "state")
	now := func() time.Time { return noon }
	s, err := store.Open(corpus, store.Options{State: state, Now: now})
	if err != nil {
		t.Fatal(err)
	}
	if len(ls) > 0 {
		if _, err := s.Put(store.Write{Op: "propose", By: "test"}, ls...); err != nil {
			t.Fatal(err)
		}
	}
	c := desk.Config{Place: corpus, Editor: []string{os.Args[0]}, Corpus: &curate.Corpus{
		Library: curate.Library{Store: s, Index: index.At(filepath.Join(state, "index")), Now: now}, By: "Ada", Drafts: filepath.Join(state, "drafts"),
	}}
	for _, f := range more {
		f(&c)
	}
	fx := newEffects(c)
	t.Cleanup(fx.Shared.Close) // before the folder is removed
	p := place{terminal: start(t, newApp(t.Context(), fx), w, h), store: s, dir: corpus}
	waiting := 0
	for _, l := range ls {
		if l.Status == lessons.Pending {
			waiting++
		}
	}
	p.wait(fmt.Sprintf("Review %d", waiting))
	return p
}

func (p place) status(id lessons.ID, want lessons.Status) lessons.Lesson {
	p.t.Helper()
	l, err := p.store.Get(id)
	if err != nil {
		p.t.Fatal(err)
	}
	if l.Status != want {
		p.t.Errorf("%s is %s, want %s", id, l.Status, want)
	}
	return l
}

func TestApproveThenUndoThenRedo(t *testing.T) {
	p := at(t, 120, 30, proposals())
	p.wait("Review 5", "Prefer table tests")
	p.press("j", "j").see("3/4", "you forgot to regenerate", "I changed api/user.proto")
	p.press("a").see("Review 4", "✓ approved", "3/3", "Use pnpm instead of npm in this repository")
	if l := p.status("k7m2p9qx", lessons.Approved); l.Decided.By != "Ada" {
		t.Errorf("decided by %q", l.Decided.By)
	}
	p.press("u").see("Review 5", "✓ undone", "you forgot to regenerate")
	p.status("k7m2p9qx", lessons.Pending)
	p.press("ctrl+r").see("Review 4", "✓ redone")
	p.status("k7m2p9qx", lessons.Approved)
	p.quit()
}

func TestRejectWithAReason(t *testing.T) {
	p := at(t, 100, 30, proposals())
	p.press("r").see("reject, because", "too vague")
	p.press("v").see("Review 4", "✗ rejected")
	if l := p.status("p2r7e4fx", lessons.Rejected); l.Decided.Reason != "too vague" {
		t.Errorf("reason %q", l.Decided.Reason)
	}
	p.press("r", "/").write("already in the linter").press("enter").see("Review 3", "✗ rejected")
	if l := p.status("t8o3l6us", lessons.Rejected); l.Decided.Reason != "already in the linter" {
		t.Errorf("reason %q", l.Decided.Reason)
	}
	p.press("r", "esc").see("Review 3")
	p.press(".").see("Review 2", "✗ rejected", "as before")
	p.status("k7m2p9qx", lessons.Rejected)
	p.quit()
}

func TestConfidenceAndSnooze(t *testing.T) {
	p := at(t, 100, 30, proposals())
	p.press("+").see("it is sure already")
	p.press("-").see("✓ confidence likely")
	p.press("-").see("✓ confidence maybe")
	p.press("+").see("✓ confidence likely")
	if l := p.status("p2r7e4fx", lessons.Pending); l.Confidence != 0.7 {
		t.Errorf("confidence %v", l.Confidence)
	}
	p.press("s").see("Review 4", "✓ snoozed until Apr 7")
	p.press("u").see("Review 5", "Prefer table tests")
	p.quit()
}

func TestEditInPlace(t *testing.T) {
	p := at(t, 100, 30, proposals())
	p.press("i").see("nothing changed yet", "the evidence", "one sentence, 3 words")
	p.write(" always")
	p.press("ctrl+s").see("✓ edited", "Prefer table tests always")
	if l := p.status("p2r7e4fx", lessons.Pending); l.Content != "Prefer table tests always" {
		t.Errorf("content %q", l.Content)
	}
	p.quit()
}

func TestEditInAnEditor(t *testing.T) {
	t.Setenv("TUI_TEST_EDITOR", "improve")
	p := at(t, 100, 30, proposals())
	p.press("e").see("✓ edited", "Prefer table tests with named cases")
	l := p.status("p2r7e4fx", lessons.Pending)
	if l.Content != "Prefer table tests with named cases" || len(l.Evidence) != 1 {
		t.Errorf("got %q with %d pieces of evidence", l.Content, len(l.Evidence))
	}
	p.press("e").see("✓ edited")
	p.quit()
}

// After any failure of an editor the lesson is unchanged and the text is kept.
func TestEditorTrouble(t *testing.T) {
	for how, want := range map[string]string{
		"break": "line", "empty": "the editor left an empty file", "fail": "exit status 1",
	} {
		t.Run(how, func(t *testing.T) {
			t.Setenv("TUI_TEST_EDITOR", how)
			p := at(t, 160, 30, proposals())
			p.press("e").see("opens it again", want[:4])
			if l := p.status("p2r7e4fx", lessons.Pending); l.Content != "Prefer table tests" {
				t.Errorf("content %q", l.Content)
			}
			drafts, err := filepath.Glob(filepath.Join(filepath.Dir(p.dir), "state", "drafts", "p2r7e4fx-*.md"))
			if err != nil || len(drafts) != 1 {
				t.Fatalf("drafts %v, %v", drafts, err)
			}
			if text, err := os.ReadFile(drafts[0]); err != nil || !strings.Contains(string(text), "Prefer table tests") {
				t.Errorf("the draft lost its text: %v\n%s", err, text)
			}
			t.Setenv("TUI_TEST_EDITOR", "improve")
			if how == "break" {
				p.quit() // it stays broken under this editor
				return
			}
			p.press("e").see("✓ edited", "with named cases")
			if _, err := os.Stat(drafts[0]); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("the draft is still there: %v", err)
			}
			p.quit()
		})
	}
}

func TestNoEditor(t *testing.T) {
	p := at(t, 120, 30, proposals(), func(c *desk.Config) { c.Editor = []string{"no-such-editor-here"} })
	p.press("e").see(`"no-such-editor-here" was not found`)
	p.quit()
}

func TestMergeThree(t *testing.T) {
	p := at(t, 120, 40, proposals())
	p.press("space", "space", "space", "m").see("merge 3 into one", "one lesson", "lives on")
	p.press("enter") // has no effect
	p.press("2", "e").see("word it")
	p.write(" everywhere")
	p.press("ctrl+s").see("everywhere", "3 pieces")
	p.press("y").see("Review 3", "⊕ merged")
	var survivor lessons.Lesson
	merged := 0
	for _, id := range []lessons.ID{"p2r7e4fx", "t8o3l6us", "k7m2p9qx"} {
		l, err := p.store.Get(id)
		if err != nil {
			t.Fatal(err)
		}
		if l.Status == lessons.Merged {
			merged++
		} else {
			survivor = l
		}
	}
	if merged != 2 || len(survivor.Evidence) != 3 || !strings.HasSuffix(survivor.Content, "everywhere") {
		t.Errorf("%d merged into %q with %d pieces of evidence", merged, survivor.Content, len(survivor.Evidence))
	}
	p.press("u").see("Review 5", "✓ undone: merged 3 lessons")
	p.quit()
}

func TestFilterMarkAllApprove(t *testing.T) {
	p := at(t, 120, 30, proposals())
	p.press("/").write("kind:preference").see("1/2")
	p.press("enter", "*").see("● 2")
	p.press("a").see("approve 2 lessons", "u undoes all of them")
	p.press("y").see("✓ approved 2 lessons", "No proposal matches")
	p.status("p2r7e4fx", lessons.Approved)
	p.status("d9u4p2nm", lessons.Approved)
	p.press("esc").see("Review 3")
	p.quit()
}

// A lesson restored by undo appears under the filter again, and the tab counts those it
// hides.
func TestUndoUnderAFilter(t *testing.T) {
	p := at(t, 120, 30, proposals())
	p.press("/").write("pnpm").press("enter").see("Review 5", "1/1")
	p.press("a").see("Review 4", "✓ approved", "No proposal matches the filter")
	p.press("u").see("Review 5", "✓ undone", "1/1", "Use pnpm instead of npm")
	l := p.status("d9u4p2nm", lessons.Pending)
	l.Content = "Use pnpm instead of yarn"
	if _, err := p.store.Put(store.Write{Op: "edit", By: "other"}, l); err != nil {
		t.Fatal(err)
	}
	p.press("a").see("Review 5", "not approved", "1/1", "instead of yarn")
	p.quit()
}

// If someone else changes the current lesson, the decision is refused and the lesson
// reloaded.
func TestConflict(t *testing.T) {
	p := at(t, 120, 30, proposals())
	p.wait("Review 5", "Running make generate now.")
	l := p.status("p2r7e4fx", lessons.Pending)
	l.Content = "Prefer table tests, but not for one case"
	if _, err := p.store.Put(store.Write{Op: "edit", By: "other"}, l); err != nil {
		t.Fatal(err)
	}
	p.press("a").see("not approved", "but not for one case", "Review 5")
	p.status("p2r7e4fx", lessons.Pending)
	p.press("a").see("✓ approved", "Review 4")
	p.status("p2r7e4fx", lessons.Approved)
	p.quit()
}

// The list keeps its position when the terminal becomes small, tiny and large.
// (TestFramesHold resizes much more, too fast for an emulator.)
func TestResize(t *testing.T) {
	p := at(t, 120, 30, proposals())
	p.press("j", "j").see("3/4")
	for _, size := range [][2]int{{60, 16}, {84, 24}, {160, 50}, {60, 16}, {120, 30}} {
		p.resize(size[0], size[1])
		p.wait("3/4", "Review 5")
	}
	p.resize(39, 9)
	for !strings.Contains(p.String(), "needs 60×16") {
		<-time.After(time.Millisecond)
	}
	p.resize(120, 30)
	p.wait("3/4", "Review 5")
	p.quit()
}

// A decision shown as made is stored, however fast the person quits.
func TestQuitLosesNothing(t *testing.T) {
	p := at(t, 100, 30, proposals())
	p.press("a", "a", "a", "a", "q")
	if err := <-p.done; err != nil {
		t.Fatal(err)
	}
	for _, id := range []lessons.ID{"p2r7e4fx", "t8o3l6us", "k7m2p9qx", "d9u4p2nm"} {
		p.status(id, lessons.Approved)
	}
}

// Proposals from elsewhere appear, and the cursor stays.
func TestNewsArrive(t *testing.T) {
	p := at(t, 100, 30, proposals())
	p.press("j", "j").see("3/4")
	l := proposals()[0]
	l.ID, l.Content, l.Created = "n3w5l9zz", "Fresh from a hook", noon.Add(time.Hour)
	if _, err := p.store.Put(store.Write{Op: "propose", By: "hook"}, l); err != nil {
		t.Fatal(err)
	}
	p.press("R").see("Review 6", "4/5", "Fresh from a hook")
	p.quit()
}

// A file that is no lesson is reported once on the status line.
func TestBrokenFileIsNamed(t *testing.T) {
	p := at(t, 100, 30, proposals())
	if err := os.MkdirAll(filepath.Join(p.dir, "octofs", "developer"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(p.dir, "octofs", "developer", "torn.md"), []byte("---\n<<<<<<< HEAD\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	p.press("R").see("1 file cannot be read: octofs/developer/torn.")
	p.press("a").see("Review 4", "✓ approved")
	p.quit()
}

// Lessons that another program has found and indexed appear too, although no sync of ours
// reports them. The first lesson is one of them.
func TestNewsArriveThatAreIndexed(t *testing.T) {
	for n, ls := range map[int][]lessons.Lesson{1: nil, 6: proposals()} {
		look := func(p place) { p.press("R") }
		if n == 1 {
			look = func(p place) { p.p.Send(desk.GlanceMsg{}) } // as the clock does
		}
		p := at(t, 100, 30, ls)
		p.wait(fmt.Sprintf("Review %d", n-1))
		l := proposals()[0]
		l.ID, l.Content, l.Created = "n3w5l9zz", "Fresh from a worker", noon.Add(time.Hour)
		if _, err := p.store.Put(store.Write{Op: "propose", By: "worker"}, l); err != nil {
			t.Fatal(err)
		}
		if _, err := index.At(filepath.Join(filepath.Dir(p.dir), "state", "index")).Sync(t.Context(), p.store); err != nil {
			t.Fatal(err)
		}
		look(p)
		p.wait(fmt.Sprintf("Review %d", n), "Fresh from a worker")
		p.quit()
	}
}

// An earlier version is restored by its number in `history`.
func TestRestoreAVersion(t *testing.T) {
	p := at(t, 100, 30, proposals())
	p.wait("Review 5", "Prefer table tests")
	p.press("i").write(" everywhere").press("ctrl+s").see("Prefer table tests everywhere", "✓ edited")
	p.press("H").see("history", "edit by Ada", "propose by test", "Prefer table tests everywhere")
	p.press("r").see("that is how it is now")
	p.press("j", "r").see("✓ restored to version 1")
	if l := p.status("p2r7e4fx", lessons.Pending); l.Content != "Prefer table tests" {
		t.Errorf("content is %q", l.Content)
	}
	p.press("u").see("✓ undone")
	if l := p.status("p2r7e4fx", lessons.Pending); l.Content != "Prefer table tests everywhere" {
		t.Errorf("after undo it is %q", l.Content)
	}
	p.quit()
}

func TestPaletteAndHelp(t *testing.T) {
	p := at(t, 100, 30, proposals())
	p.press(":", "enter") // nothing was chosen
	p.write("snooze").see("snooze until tomorrow")
	p.press("enter").see("Review 4", "✓ snoozed")
	p.press("?").see("keys of Review", "every screen")
	p.press("esc", ":")
	p.write("clear marks").see("not now: ", "nothing is marked")
	p.press("esc").see("approve")
	p.quit()
}

func TestSummary(t *testing.T) {
	if got := (desk.Tally{lessons.OpApprove: 12, lessons.OpReject: 5, lessons.OpMerge: 2}).Summary("learnings undo"); got != "12 approved, 5 rejected, 2 merged away · `learnings undo` undoes the last" {
		t.Errorf("got %q", got)
	}
	if got := (desk.Tally{}).Summary(""); got != "" {
		t.Errorf("got %q", got)
	}
}

// Run changes to the sample when the person asks for it, and ends with q.
func TestRunOpensTheSample(t *testing.T) {
	shown := func(keys string) desk.Config {
		dir := t.TempDir()
		s, err := store.Open(filepath.Join(dir, "corpus"), store.Options{State: filepath.Join(dir, "state")})
		if err != nil {
			t.Fatal(err)
		}
		return desk.Config{Corpus: &curate.Corpus{Library: curate.Library{Store: s, Index: index.At(filepath.Join(dir, "state", "index")), Now: time.Now}, By: "Ada"},
			Terminal: desk.Terminal{In: strings.NewReader(keys), Out: io.Discard, Env: []string{"TERM=xterm-256color"}}}
	}
	c, opened := shown("S"), false
	c.OfferSample = func() (desk.Config, error) {
		opened = true
		return shown("q"), nil
	}
	if err := Run(t.Context(), c); err != nil || !opened {
		t.Errorf("opened %v, %v", opened, err)
	}
}

// BenchmarkDecide measures from the key to the stored decision, at 14,391 lessons.
func BenchmarkDecide(b *testing.B) {
	dir := b.TempDir()
	s, err := store.Open(filepath.Join(dir, "corpus"), store.Options{State: filepath.Join(dir, "state")})
	if err != nil {
		b.Fatal(err)
	}
	all := crowd(14391)
	if _, err := s.Put(store.Write{Op: "propose", By: "test"}, all...); err != nil {
		b.Fatal(err)
	}
	fx := newEffects(desk.Config{Corpus: &curate.Corpus{Library: curate.Library{Store: s, Index: index.At(filepath.Join(dir, "index")), Now: time.Now}, By: "Ada"}})
	if m, ok := fx.Sync()(context.Background()).(desk.SyncedMsg); !ok || m.Err != nil {
		b.Fatal(fmt.Errorf("sync: %w", m.Err))
	}
	for i := 0; b.Loop(); i++ {
		l, err := s.Get(all[i%len(all)].ID)
		if err != nil {
			b.Fatal(err)
		}
		if m, ok := fx.Decide(curate.Rate(0.5), desk.Only(l))(context.Background()).(desk.DecidedMsg); !ok || m.Err != nil {
			b.Fatal(m.Err)
		}
	}
}

// An answer that arrives after the person has gone on does not revert what is shown.
func TestLateAnswerTakesNothingBack(t *testing.T) {
	c := newCorpus(t, proposals()...)
	p := playing(t, fxOn(c), 100, 30).a.review
	at := func() lessons.Confidence { l, _ := p.Current(); return l.Confidence }
	var jobs []kit.Job
	for range 2 {
		var o kit.Out
		p, o, _ = p.Press(keyOf("-"))
		jobs = append(jobs, o.Writes...)
	}
	first := jobs[0](t.Context())
	p, _ = p.Update(first)
	if got := at().Trust(); got != "maybe" {
		t.Errorf("after the first answer %s is shown", got)
	}
	p, _ = p.Update(jobs[1](t.Context()))
	l := c.get(p.Rows[p.Cur.At].ID)
	if l.Confidence != at() || at().Trust() != "maybe" {
		t.Errorf("stored %v, shown %v", l.Confidence, at())
	}
}

// No key decides on a lesson that a small terminal cannot show.
func TestNoDecisionUnseen(t *testing.T) {
	c := newCorpus(t, proposals()...)
	p := playing(t, fxOn(c), 20, 5).press("a", "x", "s", "*", "a", "y")
	for _, l := range proposals() {
		if got := c.get(l.ID); got.Status != l.Status || got.Confidence != l.Confidence {
			t.Errorf("%s is %s %v after keys that nobody saw the effect of", l.ID, got.Status, got.Confidence)
		}
	}
	p.send(tea.WindowSizeMsg{Width: 100, Height: 30})
	if l := c.get(proposals()[0].ID); l.Status != lessons.Pending {
		t.Errorf("it is %s after the terminal grew", l.Status)
	}
	if got := p.press("a").text(); !strings.Contains(got, "✓ approved") {
		t.Errorf("with room the keys work again:\n%s", got)
	}
}
