package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"learnings/cmd/internal/settings"
	"learnings/lessons"
	"learnings/lessons/store"
)

// The tests in this file run the program as processes, to test concurrent use of one
// corpus and recovery after a kill.

// A machine is a home with a corpus, for processes to work in.
type machine struct {
	t    testing.TB
	home string
}

func newMachine(t testing.TB) machine { return machine{t, t.TempDir()} }

// command runs the program, which is this test binary (see TestMain).
func (m machine) command(ctx context.Context, args ...string) *exec.Cmd {
	m.t.Helper()
	self, err := os.Executable()
	if err != nil {
		m.t.Fatal(err)
	}
	cmd := exec.CommandContext(ctx, self, args...)
	cmd.Dir = m.home
	cmd.Env = []string{
		"LEARNINGS_TEST_RUN=1", "HOME=" + m.home, "USERPROFILE=" + m.home, "USER=sam",
		"LEARNINGS_DIR=" + m.corpus(), "XDG_STATE_HOME=" + filepath.Join(m.home, "state"),
		"XDG_CONFIG_HOME=" + filepath.Join(m.home, "config"), "XDG_DATA_HOME=" + filepath.Join(m.home, "data"),
		"CLAUDE_CONFIG_DIR=" + filepath.Join(m.home, "claude"), "CODEX_HOME=" + filepath.Join(m.home, "codex"),
		"TMPDIR=" + os.TempDir(), "SYSTEMROOT=" + os.Getenv("SYSTEMROOT"),
	}
	return cmd
}

func (m machine) corpus() string { return filepath.Join(m.home, "corpus") }

// run runs the program to its end.
func (m machine) run(stdin string, args ...string) (stdout, stderr string, code int) {
	m.t.Helper()
	cmd := m.command(context.Background(), args...)
	var out, errs bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(stdin), &out, &errs
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		m.t.Fatal(err)
	}
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

// must runs the program, which must succeed.
func (m machine) must(args ...string) string {
	m.t.Helper()
	out, errs, code := m.run("", args...)
	if code != 0 {
		m.t.Fatalf("learnings %s: code %d\n%s%s", strings.Join(args, " "), code, out, errs)
	}
	return out
}

// open opens the corpus in this process.
func (m machine) open() *store.Store {
	m.t.Helper()
	s, err := store.Open(m.corpus(), store.Options{State: settings.StateOf(filepath.Join(m.home, "state", "learnings"), m.corpus())})
	if err != nil {
		m.t.Fatal(err)
	}
	return s
}

// all reads every lesson; a broken file fails the test.
func (m machine) all() map[lessons.ID]lessons.Lesson {
	m.t.Helper()
	out := map[lessons.ID]lessons.Lesson{}
	for l, err := range m.open().All() {
		if err != nil {
			m.t.Fatal(err)
		}
		out[l.ID] = l
	}
	return out
}

// propose adds n proposals, none of which gives another value than one before.
func (m machine) propose(n int) []lessons.ID {
	m.t.Helper()
	ls := make([]lessons.Lesson, n)
	ids := make([]lessons.ID, n)
	rules := newMaker()
	for i := range ls {
		ls[i] = lessons.Lesson{
			ID: lessons.IDFrom("test", fmt.Sprint(i)), Status: lessons.Pending, Category: "workflow",
			Wording: lessons.Wording{Content: "Lesson number by number, step by step: " + rules.line()},
			Scope:   lessons.Scope{Project: "shop", Role: "developer"}, Confidence: 0.7,
			Created: time.Date(2026, 11, 1, 0, 0, i, 0, time.UTC),
		}
		ids[i] = ls[i].ID
	}
	if _, err := m.open().Put(store.Write{Op: "propose", By: "test"}, ls...); err != nil {
		m.t.Fatal(err)
	}
	return ids
}

// TestManyWriters runs four command lines and eight hooks at once, with writes to
// separate lessons and to a shared one: nothing is lost, and the only errors are
// conflicts on the shared one.
func TestManyWriters(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("left out with -short: starts some hundred processes")
	}
	m := newMachine(t)
	const writers, hooks, rounds = 4, 8, 6
	ids := m.propose(writers*rounds + 1)
	shared := string(ids[0])
	var wg sync.WaitGroup
	var mu sync.Mutex
	won := 0
	for w := range writers {
		wg.Go(func() {
			for i := range rounds {
				id := string(ids[1+w*rounds+i])
				if _, errs, code := m.run("", "approve", id); code != exitOK {
					t.Errorf("writer %d: approve %s: code %d: %s", w, id, code, errs)
				}
				_, errs, code := m.run("", "edit", shared, "--insight", fmt.Sprintf("writer %d, round %d", w, i))
				switch code {
				case exitOK:
					mu.Lock()
					won++
					mu.Unlock()
				case exitConflict:
				default:
					t.Errorf("writer %d: edit: code %d: %s", w, code, errs)
				}
			}
		})
	}
	for h := range hooks {
		wg.Go(func() {
			for range rounds {
				out, errs, code := m.run(`{"hook_event_name":"SessionStart","cwd":"/src/shop"}`, "hook", "session-start")
				if code != exitOK || errs != "" || out != "" && !strings.HasPrefix(out, "{") {
					t.Errorf("hook %d: code %d\n%s%s", h, code, out, errs)
				}
			}
		})
	}
	wg.Wait()
	all := m.all()
	for _, id := range ids[1:] {
		if all[id].Status != lessons.Approved {
			t.Errorf("%s is %s: an update was lost", id, all[id].Status)
		}
	}
	history, err := m.open().History(ids[0])
	if err != nil {
		t.Fatal(err)
	}
	if len(history) != won+1 { // and the proposal
		t.Errorf("%d edits succeeded, the journal has %d changes", won, len(history)-1)
	}
	if out := m.must("search", "status:approved step", "-n", "100"); strings.Count(out, "\n") != writers*rounds {
		t.Errorf("the index has %d of %d approved lessons", strings.Count(out, "\n"), writers*rounds)
	}
}

// TestKill kills writing processes at random times: every lesson is still there,
// transactions are whole, and the next call works.
func TestKill(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("left out with -short: starts some hundred processes")
	}
	m := newMachine(t)
	ids := m.propose(12)
	words := make([]string, len(ids))
	for i, id := range ids {
		words[i] = string(id)
	}
	m.must("index")
	random := rand.New(rand.NewPCG(1, 2))
	took := m.measure("approve", words[:6]...)
	for round := range 24 {
		var args []string
		switch round % 4 {
		case 0:
			args = append([]string{"approve"}, words[:6]...)
		case 1:
			args = append([]string{"reject"}, words[:6]...)
		case 2:
			args = []string{"merge", words[6+round%5], words[11], "--into", words[11]}
		case 3:
			args = []string{"undo"}
		}
		m.kill(time.Duration(random.Float64()*1.3*float64(took)), args...)
		// The next call finishes pending work and shows it all.
		if out := m.must("show", "--status", "all"); strings.Count(out, "\n") != len(ids) {
			t.Fatalf("after %v the next call shows\n%s", args, out)
		}
		all := m.all()
		if len(all) != len(ids) {
			t.Fatalf("after %v: %d lessons of %d", args, len(all), len(ids))
		}
		for _, id := range ids[1:6] {
			if all[id].Status != all[ids[0]].Status {
				t.Fatalf("after %v: %s is %s but %s is %s: half a decision", args, id, all[id].Status, ids[0], all[ids[0]].Status)
			}
		}
		for _, l := range all {
			if l.Status == lessons.Merged && all[l.Decided.Into].ID == "" {
				t.Fatalf("after %v: %s was merged into nothing", args, l.ID)
			}
		}
	}
}

// TestKillExtract kills extractions. A full run then finds exactly what an undisturbed
// run finds.
func TestKillExtract(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("left out with -short: starts some dozen processes")
	}
	calm, m := newMachine(t), newMachine(t)
	for _, x := range []machine{calm, m} {
		if err := os.CopyFS(filepath.Join(x.home, "sample"), os.DirFS("../internal/settings/sample")); err != nil {
			t.Fatal(err)
		}
	}
	from := func(x machine) []string { return []string{"extract", "--from", filepath.Join(x.home, "sample")} }
	took := calm.measure(from(calm)[0], from(calm)[1:]...)
	want := calm.all()
	if len(want) == 0 {
		t.Fatal("the sample teaches nothing")
	}
	random := rand.New(rand.NewPCG(3, 4))
	for range 12 {
		m.kill(time.Duration(random.Float64()*1.2*float64(took)), from(m)...)
		m.all()
	}
	m.must(from(m)...)
	got := m.all()
	if len(got) != len(want) {
		t.Errorf("%d lessons, want %d", len(got), len(want))
	}
	contents := map[string]bool{}
	for _, l := range got {
		contents[l.Content] = true
	}
	for _, l := range want {
		if !contents[l.Content] {
			t.Errorf("lost: %s", l.Content)
		}
	}
	if out := m.must(from(m)...); out != "" {
		t.Errorf("a second extraction proposed\n%s", out)
	}
}

// TestKillImport kills imports that approve. The same import then approves the rest, and
// decides on nothing that a person has decided on.
func TestKillImport(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("left out with -short: it starts some dozen processes")
	}
	file, half := filepath.Join(t.TempDir(), "from.json"), 0
	entry := func(i int) string { return fmt.Sprintf(`{"content":"Step %d of the release needs its tag"}`, i) }
	text := entry(0)
	for i := range 59 {
		text += "," + entry(i+1)
	}
	if err := os.WriteFile(file, []byte("["+text+"]"), 0o600); err != nil {
		t.Fatal(err)
	}
	calm := newMachine(t)
	took := calm.measure("import", file, "--trust")
	for i := range 12 {
		m := newMachine(t)
		m.kill(took*time.Duration(i+4)/14, "import", file, "--trust")
		m.must("show") // finishes what was begun
		for _, l := range m.all() {
			if l.Status == lessons.Pending {
				half++
				m.must("reject", string(l.ID))
				break
			}
		}
		rejected := 0
		m.must("import", file, "--trust")
		for _, l := range m.all() {
			switch l.Status {
			case lessons.Rejected:
				rejected++
			case lessons.Pending:
				t.Errorf("killed after %d of 14: %s waits", i+4, l.ID)
			}
		}
		if n := len(m.all()); n != 60 || rejected > 1 {
			t.Errorf("killed after %d of 14: %d lessons, %d rejected", i+4, n, rejected)
		}
	}
	t.Logf("%d of 12 were between the two steps", half)
}

// measure returns how long a command took.
func (m machine) measure(verb string, args ...string) time.Duration {
	m.t.Helper()
	start := time.Now()
	m.must(append([]string{verb}, args...)...)
	return time.Since(start)
}

// kill runs the program and kills it after a time, unless it has ended.
func (m machine) kill(after time.Duration, args ...string) {
	m.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), after)
	defer cancel()
	cmd := m.command(ctx, args...)
	cmd.Stdout, cmd.Stderr = io.Discard, io.Discard
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &exit) && !errors.Is(err, context.DeadlineExceeded) {
		m.t.Fatal(err)
	}
}

// TestClosedPipe reads one line and closes the pipe, which ends the program quietly.
func TestClosedPipe(t *testing.T) {
	m := newMachine(t)
	m.propose(3000)
	m.must("index")
	cmd := m.command(context.Background(), "show", "--status", "pending")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var errs bytes.Buffer
	cmd.Stderr = &errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(out, make([]byte, 10)); err != nil {
		t.Fatal(err)
	}
	out.Close()
	if err := cmd.Wait(); err != nil || errs.Len() > 0 {
		t.Errorf("%v, and on standard error: %s", err, errs.String())
	}
}
