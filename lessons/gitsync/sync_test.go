package gitsync

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"errors"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"learnings/lessons"
	"learnings/lessons/store"
)

var noon = time.Date(2026, 4, 5, 12, 0, 0, 0, time.UTC)

// A machine is a corpus with its state, as one computer has it.
type machine struct {
	t     testing.TB
	dir   string
	store *store.Store
	copy  *Copy
	clock time.Time
	by    string
	trust []string
}

func gitProgram(t testing.TB) string {
	t.Helper()
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skipf("there is no git program on the path: %v", err)
	}
	return git
}

// newMachine is a computer whose git knows nobody.
func newMachine(t testing.TB, home string) *machine {
	t.Helper()
	m := &machine{t: t, dir: filepath.Join(home, "corpus"), clock: noon, by: "sam", trust: []string{"ada", "bob"}}
	m.reopen(gitProgram(t))
	return m
}

func (m *machine) reopen(git string) {
	m.t.Helper()
	home := filepath.Dir(m.dir)
	now := func() time.Time { return m.clock }
	s, err := store.Open(m.dir, store.Options{State: filepath.Join(home, "state"), Now: now})
	if err != nil {
		m.t.Fatal(err)
	}
	m.store = s
	var keys []string
	for _, name := range m.trust {
		keys = append(keys, lessons.PublicKey(keyOf(name)))
	}
	m.copy = At(Options{
		Key: keyOf(m.by),
		Dir: m.dir, State: filepath.Join(home, "state"), Store: s, Git: git, By: m.by, Trust: keys, Now: now,
		Env:      []string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), "GIT_CONFIG_NOSYSTEM=1"},
		Redactor: hush{},
	})
}

// keyOf is the key of a person's machines. Real ones each have their own.
func keyOf(name string) ed25519.PrivateKey {
	seed := sha256.Sum256([]byte(name))
	return ed25519.NewKeyFromSeed(seed[:])
}

// hush takes one word for a secret.
type hush struct{}

func (hush) Redact(s string) string { return strings.ReplaceAll(s, "hunter2", "[REDACTED:password]") }
func (h hush) Lesson(l lessons.Lesson, _ ...string) lessons.Lesson {
	l.Content, l.Insight = h.Redact(l.Content), h.Redact(l.Insight)
	return l
}

// later is the clock, a minute on.
func (m *machine) later() time.Time {
	m.clock = m.clock.Add(time.Minute)
	return m.clock
}

func lesson(id lessons.ID, content string) lessons.Lesson {
	return lessons.Lesson{
		ID: id, Status: lessons.Pending, Category: "pattern", Wording: lessons.Wording{Content: content}, Confidence: 0.6,
		Scope: lessons.Scope{Project: "shop", Role: "developer"}, Created: noon,
		Evidence: []lessons.Evidence{{Agent: "claude-code", Session: "s", Path: "p", Line: 1, By: lessons.ByPerson, Quote: content}},
	}
}

func (m *machine) put(op lessons.Op, ls ...lessons.Lesson) []lessons.Lesson {
	m.t.Helper()
	out, err := m.store.Put(store.Write{Op: op, By: "sam", Undoable: true}, ls...)
	if err != nil {
		m.t.Fatal(err)
	}
	return out
}

func (m *machine) get(id lessons.ID) lessons.Lesson {
	m.t.Helper()
	l, err := m.store.Get(id)
	if err != nil {
		m.t.Fatal(err)
	}
	return l
}

// edit changes a lesson.
func (m *machine) edit(id lessons.ID, change func(*lessons.Lesson)) {
	m.t.Helper()
	l := m.get(id)
	change(&l)
	m.put("edit", l)
}

func (m *machine) decide(id lessons.ID, how func(lessons.Lesson, lessons.Decision) (lessons.Lesson, error)) {
	m.t.Helper()
	l, err := how(m.get(id), lessons.Decision{By: m.by, At: m.later()})
	if err != nil {
		m.t.Fatal(err)
	}
	m.put("decide", l)
}

func (m *machine) sync(w ...Wish) *Report {
	m.t.Helper()
	rep, err := m.copy.Sync(context.Background(), append(w, Wish{})[0])
	if err != nil {
		m.t.Fatalf("%s: %v", m.dir, err)
	}
	return rep
}

func (m *machine) git(args ...string) string {
	m.t.Helper()
	out, err := m.copy.repo.git(context.Background(), args...)
	if err != nil {
		m.t.Fatal(err)
	}
	return strings.TrimSpace(out)
}

// files are all of the corpus but the repository.
func (m *machine) files() map[string]string {
	m.t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(m.dir, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.Name() == ".git" {
			return filepath.SkipDir
		}
		if !d.IsDir() {
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			name, err := filepath.Rel(m.dir, path)
			out[filepath.ToSlash(name)] = string(text)
			return err
		}
		return nil
	})
	if err != nil {
		m.t.Fatal(err)
	}
	return out
}

// bare is an empty repository to sync with.
func bare(t testing.TB) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "remote.git")
	if out, err := exec.Command(gitProgram(t), "init", "--quiet", "--bare", "--initial-branch=main", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return dir
}

// pair are two machines with the same corpus, and their remote.
func pair(t testing.TB, ls ...lessons.Lesson) (a, b *machine, remote string) {
	t.Helper()
	remote = bare(t)
	a, b = newMachine(t, t.TempDir()), newMachine(t, t.TempDir())
	if len(ls) > 0 {
		a.put("add", ls...)
	}
	for _, m := range []*machine{a, b} {
		if _, err := m.copy.Init(context.Background(), remote); err != nil {
			t.Fatal(err)
		}
		m.sync()
	}
	a.sync()
	alike(t, a, b)
	return a, b, remote
}

// meet syncs two machines until both have all.
func meet(t testing.TB, a, b *machine) {
	t.Helper()
	for _, m := range []*machine{a, b, a} {
		m.sync(Wish{Removal: true}) // taking back a first sync removes all that came with it
	}
	alike(t, a, b)
}

func alike(t testing.TB, a, b *machine) {
	t.Helper()
	x, y := a.files(), b.files()
	for _, p := range slices.Sorted(maps.Keys(x)) {
		if x[p] != y[p] {
			t.Errorf("%s differs:\n%s\n----\n%s", p, x[p], y[p])
		}
	}
	for _, p := range slices.Sorted(maps.Keys(y)) {
		if _, ok := x[p]; !ok {
			t.Errorf("%s is on the second machine only:\n%s", p, y[p])
		}
	}
	if p, q := a.git("rev-parse", "HEAD"), b.git("rev-parse", "HEAD"); p != q {
		t.Errorf("the branches are at %s and %s", p, q)
	}
	for _, m := range []*machine{a, b} {
		if s := m.git("status", "--porcelain"); s != "" {
			t.Errorf("git status of %s:\n%s", m.dir, s)
		}
	}
	if t.Failed() {
		t.FailNow()
	}
}

func TestTwoMachines(t *testing.T) {
	t.Parallel()
	a, b, _ := pair(t, lesson("one", "Use tabs"), lesson("two", "Run make generate"), lesson("three", "Never force push"))
	a.decide("one", lessons.Lesson.Approve)
	a.edit("two", func(l *lessons.Lesson) { l.Tags = []string{"go"}; l.Use.Used = 3 })
	b.clock = a.clock
	b.decide("one", lessons.Lesson.Reject)
	b.edit("two", func(l *lessons.Lesson) { l.Tags = []string{"ci"}; l.Use.Used = 4 })
	b.put("add", lesson("four", "Use the fake clock"))
	meet(t, a, b)
	if l := a.get("one"); l.Status != lessons.Rejected {
		t.Errorf("one is %s; the rejection was newer", l.Status)
	}
	if l := a.get("two"); l.Use.Used != 7 || len(l.Tags) != 2 {
		t.Errorf("two was used %d times and has the tags %v", l.Use.Used, l.Tags)
	}
	if _, err := a.store.Undo(1, "sam"); err != nil {
		t.Fatal(err)
	}
	if _, err := a.store.Get("four"); !errors.Is(err, lessons.ErrNotFound) {
		t.Errorf("after undo four is still there: %v", err)
	}
}

func TestTextsThatDiffer(t *testing.T) {
	t.Parallel()
	a, b, _ := pair(t, lesson("one", "Use tabs"))
	a.edit("one", func(l *lessons.Lesson) { l.Content = "Use tabs in Go" })
	b.edit("one", func(l *lessons.Lesson) { l.Content = "Use tabs everywhere" })
	meet(t, a, b)
	var texts []string
	for l, err := range b.store.All() {
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, l.Content)
		if l.ID != "one" && (l.Status != lessons.Pending || len(l.Extra) != 1 || l.Extra[0].Value != "one" && l.Extra[0].Value != `"one"`) {
			t.Errorf("the other text is %+v", l)
		}
	}
	slices.Sort(texts)
	if !slices.Equal(texts, []string{"Use tabs everywhere", "Use tabs in Go"}) {
		t.Errorf("texts %q", texts)
	}
	meet(t, a, b)
}

func TestForgotten(t *testing.T) {
	t.Parallel()
	a, b, _ := pair(t, lesson("one", "The key is swordfish"), lesson("two", "Use tabs"))
	if err := a.store.Forget("one"); err != nil {
		t.Fatal(err)
	}
	b.decide("one", lessons.Lesson.Approve)
	one, two := b.get("one"), b.get("two")
	merged, err := lessons.Merge(lessons.Decision{By: "sam", At: b.later()}, two, one)
	if err != nil {
		t.Fatal(err)
	}
	b.put("merge", merged...)
	meet(t, a, b)
	for _, m := range []*machine{a, b} {
		if _, err := m.store.Get("one"); !errors.Is(err, lessons.ErrNotFound) {
			t.Errorf("one is back: %v", err)
		}
		for p, text := range m.files() {
			if strings.Contains(text, "swordfish") {
				t.Errorf("%s has the words:\n%s", p, text)
			}
		}
	}
	// A copy that comes late does not bring it back.
	b.put("add", lesson("one", "The key is swordfish"))
	rep := b.sync()
	a.sync()
	alike(t, a, b)
	if _, err := a.store.Get("one"); !errors.Is(err, lessons.ErrNotFound) || len(rep.Notes) == 0 {
		t.Errorf("one is back: %v; notes %q", err, rep.Notes)
	}
}

// TestForgottenPlace: where a lesson that was forgotten elsewhere lies, another may
// come to lie.
func TestForgottenPlace(t *testing.T) {
	t.Parallel()
	one := lesson("one", "Use tabs")
	one.Insight = "The key is swordfish"
	a, b, _ := pair(t, one)
	there, err := a.store.Path("one")
	if err != nil {
		t.Fatal(err)
	}
	if err := b.store.Forget("one"); err != nil {
		t.Fatal(err)
	}
	b.put("add", lesson("two", "Use tabs"))
	b.sync()
	a.sync()
	alike(t, a, b)
	if path, err := a.store.Path("two"); err != nil || path != there {
		t.Errorf("two is at %s, not at %s: %v", path, there, err)
	}
	if _, err := a.store.Get("one"); !errors.Is(err, lessons.ErrNotFound) {
		t.Errorf("one is back: %v", err)
	}
	for _, end := range []string{"", "-wal"} {
		kept, err := os.ReadFile(filepath.Join(filepath.Dir(a.dir), "state", "state.db"+end))
		if err != nil || strings.Contains(string(kept), "swordfish") {
			t.Errorf("the state has its words: %v", err)
		}
	}
	if _, err := a.store.Undo(1, "sam"); err != nil {
		t.Error(err)
	}
	if _, err := a.store.Get("one"); !errors.Is(err, lessons.ErrNotFound) {
		t.Errorf("undo brings one back: %v", err)
	}
}

// TestUnrelated syncs two corpora that began apart, one of them with a lesson
// that both have.
func TestUnrelated(t *testing.T) {
	t.Parallel()
	remote := bare(t)
	a, b := newMachine(t, t.TempDir()), newMachine(t, t.TempDir())
	shared := lesson("both", "Use tabs")
	shared.Use.Used = 5
	a.put("add", shared, lesson("aaa", "Words of a"))
	shared.Use.Used = 8
	b.put("add", shared, lesson("bbb", "Words of b"))
	for _, m := range []*machine{a, b} {
		if _, err := m.copy.Init(context.Background(), remote); err != nil {
			t.Fatal(err)
		}
	}
	meet(t, a, b)
	if l := a.get("both"); l.Use.Used != 8 {
		t.Errorf("used %d times; a copy was counted twice", l.Use.Used)
	}
	a.get("bbb")
	b.get("aaa")
}

func TestSecrets(t *testing.T) {
	t.Parallel()
	a, b, _ := pair(t, lesson("one", "Use tabs"))
	a.put("add", lesson("two", "The password is hunter2"))
	_, err := a.copy.Sync(context.Background(), Wish{})
	var secret *SecretError
	if !errors.As(err, &secret) || len(secret.Findings) != 1 || secret.Findings[0].ID != "two" || secret.Findings[0].Line != 2 || secret.Findings[0].Rule != "password" {
		t.Fatalf("sync: %v", err)
	}
	if strings.Contains(err.Error(), "hunter2") {
		t.Errorf("the error tells the secret: %v", err)
	}
	// Changing it is not enough: the commit of before would be sent too.
	a.edit("two", func(l *lessons.Lesson) { l.Content = "The password is in the vault"; l.Evidence = nil })
	if _, err = a.copy.Sync(context.Background(), Wish{}); !errors.As(err, &secret) || !secret.Findings[0].Past {
		t.Fatalf("sync: %v", err)
	}
	if rep := a.sync(Wish{Redact: true}); !rep.Squashed || rep.Pushed != 1 {
		t.Errorf("report %+v", rep)
	}
	b.sync()
	alike(t, a, b)
	if out := b.git("log", "-p", "--all"); strings.Contains(out, "hunter2") {
		t.Errorf("the secret went out:\n%s", out)
	}
	a.put("add", lesson("three", "It was hunter2 all along"))
	a.sync(Wish{Redact: true})
	if l := a.get("three"); l.Content != "It was [REDACTED:password] all along" {
		t.Errorf("redacted: %q", l.Content)
	}
}

func TestForgottenBeforeItWasSent(t *testing.T) {
	t.Parallel()
	a, b, remote := pair(t, lesson("one", "Use tabs"))
	if err := os.Rename(remote, remote+".away"); err != nil {
		t.Fatal(err)
	}
	a.put("add", lesson("two", "The key is swordfish"))
	if _, err := a.copy.Sync(context.Background(), Wish{}); err == nil {
		t.Fatal("synced with a remote that is away")
	}
	if err := a.store.Forget("two"); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(remote+".away", remote); err != nil {
		t.Fatal(err)
	}
	a.sync()
	b.sync()
	if out := b.git("log", "-p", "--all"); strings.Contains(out, "swordfish") {
		t.Errorf("what was forgotten went out:\n%s", out)
	}
}

// TestBrokenFiles: a file that cannot be read is neither sent nor written over,
// and its lesson goes on.
func TestBrokenFiles(t *testing.T) {
	t.Parallel()
	a, b, _ := pair(t, lesson("one", "Use tabs"), lesson("two", "Words"))
	path, err := a.store.Path("one")
	if err != nil {
		t.Fatal(err)
	}
	broken := []byte("---\n<<<<<<< HEAD\ncontent: \"x\"\n=======\n>>>>>>> theirs\n---\n")
	if err := os.WriteFile(path, broken, 0o600); err != nil {
		t.Fatal(err)
	}
	a.edit("two", func(l *lessons.Lesson) { l.Tags = []string{"go"} })
	rep := a.sync()
	if len(rep.Held) != 1 || rep.Held[0].Line != 2 {
		t.Errorf("held: %+v", rep.Held)
	}
	b.sync()
	if l := b.get("one"); l.Content != "Use tabs" {
		t.Errorf("one is %q on the other machine", l.Content)
	}
	b.edit("one", func(l *lessons.Lesson) { l.Tags = []string{"style"} })
	b.sync()
	a.sync()
	if text, err := os.ReadFile(path); err != nil || !bytes.Equal(text, broken) {
		t.Errorf("the broken file is now %q, %v", text, err)
	}
	if l := a.get("one"); len(l.Tags) != 1 {
		t.Errorf("one is %+v", l)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	meet(t, a, b)
}
