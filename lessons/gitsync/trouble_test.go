package gitsync

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"learnings/lessons"
)

// script writes a program.
func script(t testing.TB, lines ...string) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no sh for the scripts of this test")
	}
	path := filepath.Join(t.TempDir(), "git")
	// No test that runs beside this one may fork while the script is open for writing:
	// its child would hold it, and a file held so is not run ("text file busy").
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+strings.Join(lines, "\n")+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

// moved is a machine as it was, somewhere else.
func (m *machine) moved(t testing.TB, remote string) *machine {
	t.Helper()
	home := t.TempDir()
	if err := os.CopyFS(home, os.DirFS(filepath.Dir(m.dir))); err != nil {
		t.Fatal(err)
	}
	c := &machine{t: t, dir: filepath.Join(home, "corpus"), clock: m.clock, by: m.by, trust: m.trust}
	c.reopen(gitProgram(t))
	c.git("config", "remote.origin.url", remote)
	return c
}

// stop makes git fail from its n-th call on, as if the process had been killed
// before it; never, when n is 0. The calls are written to a file.
func (m *machine) stop(t testing.TB, n int) (calls string) {
	t.Helper()
	calls = filepath.Join(t.TempDir(), "calls")
	m.reopen(script(t, `echo "$*" >> `+calls, fmt.Sprintf("[ $(wc -l < %s) -eq %d ] && exit 137", calls, n),
		fmt.Sprintf("[ %d -gt 0 ] && [ $(wc -l < %s) -gt %d ] && exit 137", n, calls, n), `exec `+gitProgram(t)+` "$@"`))
	return calls
}

// TestKilled ends a sync before each of those of its calls of git that change
// something, and syncs again. What comes of it is what would have come of one.
func TestKilled(t *testing.T) {
	t.Parallel()
	a, b, remote := pair(t, lesson("one", "Use tabs"), lesson("two", "Run make generate"), lesson("three", "Never force push"))
	b.clock = b.clock.Add(time.Second)
	for _, m := range []*machine{a, b} {
		m.edit("one", func(l *lessons.Lesson) { l.Use.Used += 3; l.Use.Last = m.later() })
	}
	b.decide("two", lessons.Lesson.Approve)
	a.decide("three", lessons.Lesson.Reject)
	b.put("add", lesson("four", "Use the fake clock"))
	if err := b.store.Forget("three"); err != nil {
		t.Fatal(err)
	}
	b.sync()
	try := func(n int) (calls []string) {
		there := filepath.Join(t.TempDir(), "remote.git")
		if err := os.CopyFS(there, os.DirFS(remote)); err != nil {
			t.Fatal(err)
		}
		x, y := a.moved(t, there), b.moved(t, there)
		log := x.stop(t, n)
		_, err := x.copy.Sync(context.Background(), Wish{})
		x.reopen(gitProgram(t))
		if rep := x.sync(); err == nil && rep.Pushed > 0 {
			t.Errorf("killed at call %d: it was no error, and %+v was left to do", n, rep)
		}
		y.sync()
		alike(t, x, y)
		if l := x.get("one"); l.Use.Used != 6 {
			t.Errorf("killed at call %d: one was used %d times, not 6", n, l.Use.Used)
		}
		if x.get("two").Status != lessons.Approved || x.get("four").Content == "" {
			t.Errorf("killed at call %d: something is lost", n)
		}
		if _, err := x.store.Get("three"); !errors.Is(err, lessons.ErrNotFound) {
			t.Errorf("killed at call %d: three is back", n)
		}
		text, err := os.ReadFile(log)
		if err != nil {
			t.Fatal(err)
		}
		return strings.Split(strings.TrimSpace(string(text)), "\n")
	}
	changes := regexp.MustCompile(` (fetch|fast-import|update-ref|update-index|push|config branch\S+ \S+) `)
	killed := 0
	for i, call := range try(0) {
		if changes.MatchString(call + " ") {
			killed++
			try(i + 1)
		}
	}
	if killed < 10 {
		t.Errorf("only %d calls change something", killed)
	}
}

// TestKilledWhileWriting ends a sync between the write of the corpus and all
// that comes behind it; the person goes on working before the next sync.
func TestKilledWhileWriting(t *testing.T) {
	t.Parallel()
	a, b, _ := pair(t, lesson("one", "Use tabs"), lesson("two", "Words"))
	b.clock = b.clock.Add(time.Second)
	b.edit("one", func(l *lessons.Lesson) { l.Use.Used = 4; l.Use.Last = b.later() })
	b.sync()
	a.edit("one", func(l *lessons.Lesson) { l.Use.Used = 2; l.Use.Last = a.later() })
	a.edit("two", func(l *lessons.Lesson) { l.Tags = []string{"x"} })
	// update-ref of the branch is what fails: the corpus is written by then.
	a.reopen(script(t, `case "$*" in *"update-ref -m learnings sync refs/heads/"*) exit 137;; esac`, `exec `+gitProgram(t)+` "$@"`))
	_, err := a.copy.Sync(context.Background(), Wish{})
	if err == nil {
		t.Fatal("it was not killed")
	}
	if l := a.get("one"); l.Use.Used != 6 {
		t.Fatalf("the corpus was not written: %+v: %v", l.Use, err)
	}
	a.edit("one", func(l *lessons.Lesson) { l.Use.Used++; l.Use.Last = a.later() })
	a.reopen(gitProgram(t))
	meet(t, a, b)
	if l := b.get("one"); l.Use.Used != 7 {
		t.Errorf("one was used %d times, not 7", l.Use.Used)
	}
}

// TestRaced has another machine push between our fetch and our push.
func TestRaced(t *testing.T) {
	t.Parallel()
	a, b, _ := pair(t, lesson("one", "Use tabs"))
	b.edit("one", func(l *lessons.Lesson) { l.Tags = []string{"b"} })
	once := filepath.Join(t.TempDir(), "once")
	a.reopen(script(t, `case "$*" in *" push "*) if [ ! -e `+once+` ]; then touch `+once,
		"(cd "+b.dir+" && git add -A && git -c user.name=b -c user.email=b@b commit -qm b && git push -q origin main); fi;; esac", `exec `+gitProgram(t)+` "$@"`))
	a.edit("one", func(l *lessons.Lesson) { l.Triggers = []string{"a"} })
	rep := a.sync()
	if l := a.get("one"); len(l.Tags) != 1 || len(l.Triggers) != 1 || rep.Pushed == 0 {
		t.Errorf("one is %+v; %+v", l, rep)
	}
	b.sync()
	alike(t, a, b)
}

// TestNoHooks: a program that lies in the repository, or that the settings of the
// repository point to, does not run.
func TestNoHooks(t *testing.T) {
	t.Parallel()
	a, _, _ := pair(t, lesson("one", "Use tabs"))
	ran := filepath.Join(t.TempDir(), "ran")
	elsewhere := t.TempDir()
	for _, dir := range []string{filepath.Join(a.dir, ".git", "hooks"), elsewhere} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"pre-push", "reference-transaction", "post-index-change", "post-checkout", "pre-auto-gc"} {
			if err := os.Rename(script(t, "echo "+name+" >> "+ran), filepath.Join(dir, name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, setting := range []string{"", elsewhere} {
		if setting != "" {
			a.git("config", "core.hooksPath", setting)
		}
		a.edit("one", func(l *lessons.Lesson) { l.Tags = append(l.Tags, "x"+fmt.Sprint(len(l.Tags))) })
		a.sync()
	}
	if text, err := os.ReadFile(ran); err == nil {
		t.Errorf("hooks ran:\n%s", text)
	}
}

// TestSilentRemote: a remote that accepts a connection and says nothing is given up
// on, and whoever waits is told for what.
func TestSilentRemote(t *testing.T) {
	t.Parallel()
	a, _, _ := pair(t, lesson("one", "Use tabs"))
	hangs := script(t, "exec sleep 20")
	a.reopen(script(t, `case "$*" in *" fetch "*) exec `+hangs+`;; esac`, `exec `+gitProgram(t)+` "$@"`))
	o := a.copy.o
	told := ""
	o.Patience, o.Waiting = 200*time.Millisecond, func(remote string) { told = remote }
	_, err := At(o).Sync(context.Background(), Wish{})
	var p *Error
	if !errors.As(err, &p) || !strings.Contains(err.Error(), "the remote origin said nothing for 200ms") || p.Hint == "" {
		t.Errorf("%v", err)
	}
	if told != "origin" {
		t.Errorf("was told to wait for %q", told)
	}
}

func TestRefused(t *testing.T) {
	t.Parallel()
	a, _, remote := pair(t, lesson("one", "Use tabs"))
	hook := filepath.Join(remote, "hooks", "pre-receive")
	if err := os.MkdirAll(filepath.Dir(hook), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(script(t, "echo the gate is closed >&2", "exit 1"), hook); err != nil {
		t.Fatal(err)
	}
	a.edit("one", func(l *lessons.Lesson) { l.Tags = []string{"a"} })
	_, err := a.copy.Sync(context.Background(), Wish{})
	var p *Error
	if !errors.As(err, &p) || !strings.Contains(err.Error(), "the gate is closed") || p.Hint == "" {
		t.Fatalf("refused: %v", err)
	}
	if s, err := a.copy.Status(context.Background()); err != nil || s.Ahead != 1 {
		t.Errorf("status %+v, %v", s, err)
	}
	if err := os.Remove(hook); err != nil {
		t.Fatal(err)
	}
	if rep := a.sync(); rep.Pushed != 1 {
		t.Errorf("report %+v", rep)
	}
}

// TestRewritten: what was taken out of the history of the remote is not brought
// back by a copy that still has it.
func TestRewritten(t *testing.T) {
	t.Parallel()
	a, b, _ := pair(t, lesson("one", "The key is swordfish"), lesson("two", "Use tabs"))
	if err := a.store.Forget("one"); err != nil {
		t.Fatal(err)
	}
	a.sync()
	a.git("checkout", "--quiet", "--orphan", "clean")
	a.git("add", "-A")
	a.git("-c", "user.name=a", "-c", "user.email=a@a", "commit", "--quiet", "-m", "clean")
	a.git("branch", "-M", "clean", "main")
	a.git("push", "--quiet", "--force", "origin", "main")
	b.edit("two", func(l *lessons.Lesson) { l.Tags = []string{"go"} })
	if _, err := b.copy.Sync(context.Background(), Wish{}); err == nil || !strings.Contains(err.Error(), "rewritten") {
		t.Fatalf("sync: %v", err)
	}
	b.sync(Wish{Rejoin: true})
	a.sync()
	alike(t, a, b)
	if l := a.get("two"); len(l.Tags) != 1 {
		t.Errorf("two is %+v", l)
	}
	if out := b.git("log", "-p", "main", "origin/main"); strings.Contains(out, "swordfish") {
		t.Errorf("the history has the words again:\n%s", out)
	}
}

// commitBy makes a commit at the remote, of whatever anybody may have pushed.
func commitBy(t testing.TB, remote, stream string) {
	t.Helper()
	cmd := exec.Command(gitProgram(t), "--git-dir", remote, "fast-import", "--quiet", "--force")
	cmd.Stdin = strings.NewReader("commit refs/heads/main\ncommitter x <x@x> 1780000000 +0000\ndata 1\nx\nfrom refs/heads/main^0\n" + stream)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
}

// TestHostileRemote: nothing that a commit can hold is written outside of the
// corpus, over what is not ours, or into the repository.
func TestHostileRemote(t *testing.T) {
	t.Parallel()
	a, b, remote := pair(t, lesson("one", "Use tabs"))
	evil := "data 5\nevil\n\n"
	commitBy(t, remote, "M 120000 inline shop/developer/link.md\ndata 11\n/etc/passwd\n"+
		"M 100644 inline README.md\n"+evil+
		"M 100644 inline \".GIT/hooks/pre-push\"\n"+evil+
		"M 100644 inline \"git~1/config\"\n"+evil+
		"M 100644 inline shop/developer/broken.md\n"+evil+
		"M 100644 inline -rf\n"+evil+
		"M 120000 inline away\ndata 4\n/tmp\n")
	a.sync()
	for p, text := range a.files() {
		if strings.Contains(text, "evil") && p != "README.md" && p != "-rf" && p != "shop/developer/broken.md" {
			t.Errorf("%s was written", p)
		}
	}
	for _, p := range []string{"shop/developer/link.md", "away", ".GIT", "git~1"} {
		if _, err := os.Lstat(filepath.Join(a.dir, p)); err == nil {
			t.Errorf("%s was written", p)
		}
	}
	b.sync()
	if x, y := fmt.Sprint(a.files()), fmt.Sprint(b.files()); x != y {
		t.Errorf("the corpora differ:\n%s\n%s", x, y)
	}
	if err := os.WriteFile(filepath.Join(a.dir, "README.md"), []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	commitBy(t, remote, "M 100644 inline README.md\ndata 6\nother\n\n")
	if _, err := a.copy.Sync(context.Background(), Wish{}); err == nil || !strings.Contains(err.Error(), "README.md is not ours") {
		t.Errorf("over a file of a person: %v", err)
	}
	if text, _ := os.ReadFile(filepath.Join(a.dir, "README.md")); string(text) != "mine" {
		t.Errorf("README.md is %q", text)
	}
}

// TestStates are those that a person can have left the repository in.
func TestStates(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, want string
		do         func(a *machine)
	}{
		{"detached", "on no branch", func(a *machine) { a.git("checkout", "--quiet", "--detach") }},
		{"merging", "a merge that was begun by hand", func(a *machine) {
			if err := os.WriteFile(filepath.Join(a.dir, ".git", "MERGE_HEAD"), []byte(a.git("rev-parse", "HEAD")+"\n"), 0o600); err != nil {
				t.Fatal(err)
			}
		}},
		{"rebasing", "a rebase that was begun by hand", func(a *machine) {
			if err := os.Mkdir(filepath.Join(a.dir, ".git", "rebase-merge"), 0o700); err != nil {
				t.Fatal(err)
			}
		}},
		{"no remote", "no remote", func(a *machine) { a.git("remote", "remove", "origin") }},
		{"another branch", "has no branch topic, but main", func(a *machine) { a.git("branch", "-m", "topic") }},
		{"a remote that runs programs", "names a program", func(a *machine) { a.git("config", "remote.origin.url", "ext::touch x") }},
		{"emptied", "are gone", func(a *machine) {
			if err := os.RemoveAll(filepath.Join(a.dir, ".pending")); err != nil {
				t.Fatal(err)
			}
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ls, _ := seeds(12)
			a, _, _ := pair(t, ls...)
			tt.do(a)
			_, err := a.copy.Sync(context.Background(), Wish{})
			var p *Error
			if !errors.As(err, &p) || !strings.Contains(err.Error(), tt.want) || p.Hint == "" {
				t.Errorf("%v", err)
			}
		})
	}
}

// TestEmptiedRemote: a commit that takes many lessons away is not taken in before
// somebody says that it is meant; nor is a list of lessons to forget.
func TestEmptiedRemote(t *testing.T) {
	t.Parallel()
	ls, ids := seeds(41)
	for _, tt := range []struct {
		name, stream string
		asks         bool
	}{
		{"everything", "deleteall\n", true},
		{"11 forgotten", forgetting(ids[:11]...), true},
		{"3 of 41", forgetting(ids[:3]...), true},
		{"2 of 41", forgetting(ids[:2]...), false},
		{"one", forgetting(ids[0]), false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			a, _, remote := pair(t, ls...)
			commitBy(t, remote, tt.stream)
			_, err := a.copy.Sync(context.Background(), Wish{})
			if p := (*Error)(nil); errors.As(err, &p) != tt.asks || tt.asks && (!p.Removal || !strings.Contains(p.Hint, "--removed")) {
				t.Fatalf("%v", err)
			}
			if tt.asks && len(a.all()) != len(ls) {
				t.Errorf("%d of %d lessons are left", len(a.all()), len(ls))
			}
			a.sync(Wish{Removal: true})
			if len(a.all()) == len(ls) {
				t.Error("what was meant was not taken in")
			}
		})
	}
}

func forgetting(ids ...lessons.ID) string {
	text := ""
	for _, id := range ids {
		text += string(id) + "\n"
	}
	return fmt.Sprintf("M 100644 inline .forgotten\ndata %d\n%s\n", len(text), text)
}

// TestOnlyLessonsAreCommitted leaves alone what a person has staged and made.
func TestOnlyLessonsAreCommitted(t *testing.T) {
	t.Parallel()
	a, _, _ := pair(t, lesson("one", "Use tabs"))
	for _, name := range []string{"notes.txt", "staged.txt"} {
		if err := os.WriteFile(filepath.Join(a.dir, name), []byte("mine"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	a.git("add", "staged.txt")
	a.edit("one", func(l *lessons.Lesson) { l.Tags = []string{"go"} })
	rep := a.sync()
	if got := a.git("status", "--porcelain"); got != "A  staged.txt\n?? notes.txt" {
		t.Errorf("status:\n%s", got)
	}
	if fmt.Sprint(rep.Left) != "[notes.txt staged.txt]" {
		t.Errorf("left %v", rep.Left)
	}
	if got := a.git("log", "-1", "--format=%an <%ae>|%s"); got != fallbackIdentity+"|learnings: 1 edited" {
		t.Errorf("the commit is %s", got)
	}
}

// TestMarkersByHand: a person has merged with git, committed the conflict markers,
// and pushed them. No machine loses the lesson, and none the text.
func TestMarkersByHand(t *testing.T) {
	t.Parallel()
	a, b, _ := pair(t, lesson("one", "Use tabs"), lesson("two", "Words"))
	path, err := a.store.Path("one")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	marked := strings.Replace(string(text), "tags: []\n", "<<<<<<< HEAD\ntags: [a]\n=======\ntags: [b]\n>>>>>>> theirs\n", 1)
	if err := os.WriteFile(path, []byte(marked), 0o600); err != nil {
		t.Fatal(err)
	}
	a.git("-c", "user.name=a", "-c", "user.email=a@a", "commit", "--quiet", "-am", "merged")
	a.git("push", "--quiet", "origin", "main")
	b.sync()
	if l := b.get("one"); l.Content != "Use tabs" {
		t.Errorf("one is %+v", l)
	}
	meet(t, a, b)
	if l := a.get("one"); l.Content != "Use tabs" {
		t.Errorf("one is %+v", l)
	}
	found := 0
	for _, text := range a.files() {
		if text == marked {
			found++
		}
	}
	if found != 1 {
		t.Errorf("the text with the markers is there %d times", found)
	}
}

// TestTwoFilesWithOneID: a file that was copied by hand does not stop a sync.
func TestTwoFilesWithOneID(t *testing.T) {
	t.Parallel()
	a, b, _ := pair(t, lesson("one", "Use tabs"))
	path, err := a.store.Path("one")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(filepath.Dir(path), "00-copy.md"), text, 0o600); err != nil {
		t.Fatal(err)
	}
	a.sync()
	b.edit("one", func(l *lessons.Lesson) { l.Tags = []string{"b"} })
	b.sync()
	a.edit("one", func(l *lessons.Lesson) { l.Triggers = []string{"a"} })
	meet(t, a, b)
	if l := a.get("one"); len(l.Tags) != 1 || len(l.Triggers) != 1 {
		t.Errorf("one is %+v", l)
	}
}
