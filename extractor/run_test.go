package extractor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"learnings/extractor/transcript"
	"learnings/lessons"
)

// always proposes a lesson for each message of a person that begins with
// "always", and quotes around it what the window holds.
type always struct{}

func (always) Propose(_ context.Context, _ transcript.Session, turns []transcript.Turn) ([]lessons.Lesson, error) {
	var out []lessons.Lesson
	for i, t := range turns {
		if t.Speaker != transcript.Person || !strings.HasPrefix(strings.ToLower(t.Text), "always") {
			continue
		}
		e := lessons.Evidence{Line: t.Line, UUID: t.UUID, By: lessons.ByPerson, From: "human", At: t.At, Quote: t.Text}
		for _, b := range turns[max(0, i-2):i] {
			e.Before = append(e.Before, b.Text)
		}
		out = append(out, lessons.Lesson{
			Category: "preference", Confidence: 0.8, Wording: lessons.Wording{Content: t.Text}, Evidence: []lessons.Evidence{e},
		})
	}
	return out, nil
}

var testOptions = Options{
	Proposers: []Proposer{always{}},
	Project:   func(dir string) string { return filepath.Base(dir) },
}

// says is a line of a Claude Code transcript.
func says(n int, who, text string) string {
	line, err := json.Marshal(map[string]any{
		"type": who, "userType": "external", "isSidechain": false, "uuid": fmt.Sprintf("00000000-0000-4000-8000-%012d", n), "sessionId": "5e55-1", "cwd": "/src/octofs", "version": "2.1.0",
		"timestamp": time.Date(2026, 4, 5, 14, 0, n%60, 0, time.UTC).Format(time.RFC3339),
		"message":   map[string]any{"role": who, "content": []any{map[string]any{"type": "text", "text": text}}},
	})
	if err != nil {
		panic(err)
	}
	return string(line) + "\n"
}

// session is a short session; each rule is a message of the person in it.
func session(from int, rules ...string) string {
	var b strings.Builder
	for i, r := range rules {
		n := from + 3*i
		b.WriteString(says(n, "assistant", "I have changed the files."))
		b.WriteString(says(n+1, "user", r))
		b.WriteString(says(n+2, "assistant", "You are right."))
	}
	return b.String()
}

func write(t testing.TB, path, text string) transcript.File {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return transcript.File{Path: path, Format: transcript.ClaudeCode, Size: info.Size(), ModTime: info.ModTime()}
}

func appendTo(t testing.TB, path, text string) transcript.File {
	t.Helper()
	old, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return write(t, path, string(old)+text)
}

func ledger(t testing.TB, dir string) *Ledger {
	t.Helper()
	l, err := OpenLedger(dir)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// collect runs, commits every batch, and gives all lessons.
func collect(t testing.TB, files []transcript.File, marks *Ledger, o Options) (all []lessons.Lesson, batches []Batch) {
	t.Helper()
	for b, err := range Run(t.Context(), files, marks, o) {
		if err != nil {
			t.Fatalf("%s: %v", b.File.Path, err)
		}
		all = append(all, b.Lessons...)
		batches = append(batches, b)
		if marks != nil {
			if err := marks.Commit(b.Mark); err != nil {
				t.Fatal(err)
			}
		}
	}
	return all, batches
}

func contents(ls []lessons.Lesson) []string {
	out := make([]string, len(ls))
	for i, l := range ls {
		out[i] = l.Content
	}
	return out
}

func TestLessonIsFinished(t *testing.T) {
	dir := t.TempDir()
	f := write(t, filepath.Join(dir, "a.jsonl"), session(1, "Always run make generate, mail bob"+"@"+"corp.net"))
	all, batches := collect(t, []transcript.File{f}, nil, testOptions)
	if len(all) != 1 {
		t.Fatalf("%d lessons: %+v", len(all), batches)
	}
	l := all[0]
	if err := l.Validate(); err != nil {
		t.Error(err)
	}
	if l.Status != lessons.Pending || l.Scope.Project != "octofs" || l.Scope.Role != DefaultRole || l.Origin.Source != "5e55-1" {
		t.Errorf("status %s, scope %+v, origin %+v", l.Status, l.Scope, l.Origin)
	}
	if want := time.Date(2026, 4, 5, 14, 0, 2, 0, time.UTC); !l.Created.Equal(want) {
		t.Errorf("created %v, want the time it was said, %v", l.Created, want)
	}
	e := l.Evidence[0]
	if e.Path != f.Path || e.Line != 2 || e.Agent != "claude-code" || e.Session != "5e55-1" || len(e.Before) != 1 {
		t.Errorf("evidence %+v", e)
	}
	if s := l.Content + e.Quote; strings.Contains(s, "bob") || strings.Count(s, "[REDACTED:email]") != 2 {
		t.Errorf("not redacted: %s", s)
	}
}

func TestSecondRunFindsNothing(t *testing.T) {
	dir := t.TempDir()
	f := write(t, filepath.Join(dir, "a.jsonl"), session(1, "always lint", "hello", "always test"))
	first, _ := collect(t, []transcript.File{f}, ledger(t, dir), testOptions)
	if got := contents(first); !slices.Equal(got, []string{"always lint", "always test"}) {
		t.Fatalf("first run: %q", got)
	}
	marks := ledger(t, dir)
	if !marks.Fresh(f) {
		t.Error("a file that was read is not fresh")
	}
	if again, batches := collect(t, []transcript.File{f}, marks, testOptions); len(batches) != 0 {
		t.Errorf("second run: %q in %d batches", contents(again), len(batches))
	}
	if m, _ := marks.Mark(f.Path); m.Lessons != 2 || m.Session.ID != "5e55-1" {
		t.Errorf("mark %+v", m)
	}
	// A touched file is looked at, and holds nothing.
	later := f.ModTime.Add(time.Hour)
	if err := os.Chtimes(f.Path, later, later); err != nil {
		t.Fatal(err)
	}
	f.ModTime = later
	if again, _ := collect(t, []transcript.File{f}, marks, testOptions); len(again) != 0 {
		t.Errorf("touched: %q", contents(again))
	}
	if !marks.Fresh(f) {
		t.Error("not fresh after a touch")
	}
}

// A crash between storing and marking repeats the reading, with the same ids.
func TestCrashBeforeMark(t *testing.T) {
	dir := t.TempDir()
	f := write(t, filepath.Join(dir, "a.jsonl"), session(1, "always lint", "always test"))
	var stored []lessons.ID
	for b, err := range Run(t.Context(), []transcript.File{f}, ledger(t, dir), testOptions) {
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range b.Lessons {
			stored = append(stored, l.ID)
		}
		break // no Commit
	}
	o := testOptions
	again, _ := collect(t, []transcript.File{f}, ledger(t, dir), o)
	for i, l := range again {
		if l.ID != stored[i] {
			t.Errorf("%q was %s and is now %s", l.Content, stored[i], l.ID)
		}
	}
	o.Known = func(_ context.Context, l lessons.Lesson) (Known, error) {
		if slices.Contains(stored, l.ID) {
			return Known{ID: l.ID, Status: lessons.Pending}, nil
		}
		return Known{}, nil
	}
	o.Anew = true
	known, batches := collect(t, []transcript.File{f}, ledger(t, dir), o)
	if len(known) != 0 || len(batches[0].Again) != 0 {
		t.Errorf("%q, %+v", contents(known), batches[0])
	}
}

func TestBadLinesAreTold(t *testing.T) {
	dir := t.TempDir()
	text := session(1, "always lint") + "{broken\n" + session(10, "always test") + strings.Repeat("no\n", 50)
	all, batches := collect(t, []transcript.File{write(t, filepath.Join(dir, "a.jsonl"), text)}, nil, testOptions)
	if len(all) != 2 {
		t.Errorf("%q", contents(all))
	}
	b := batches[0]
	if len(b.Bad) != maxBad || b.BadMore != 51-maxBad || b.Bad[0].Line != 4 || b.Bad[0].Path != b.File.Path {
		t.Errorf("%d bad lines and %d more; the first is %v", len(b.Bad), b.BadMore, b.Bad[0])
	}
}

func TestTheSameIsProposedOnce(t *testing.T) {
	dir := t.TempDir()
	a := write(t, filepath.Join(dir, "a.jsonl"), session(1, "always lint", "Always lint!"))
	b := write(t, filepath.Join(dir, "b.jsonl"), session(1, "always lint")+session(50, "always test")) // resumed: the first record is a copy
	c := write(t, filepath.Join(dir, "c.jsonl"), session(90, "always lint."))
	all, batches := collect(t, []transcript.File{a, b, c}, nil, testOptions)
	if got := contents(all); !slices.Equal(got, []string{"always lint", "always test"}) {
		t.Fatalf("%q", got)
	}
	if n := len(all[0].Evidence); n != 2 {
		t.Errorf("%d pieces of evidence, want the two of one session", n)
	}
	if len(batches[1].Again) != 0 {
		t.Errorf("the copy: %+v", batches[1])
	}
	if again := batches[2].Again; len(again) != 1 || again[0].ID != all[0].ID || again[0].Evidence[0].Path != c.Path {
		t.Errorf("another session says it too: %+v", again)
	}
}

func TestKnownLessons(t *testing.T) {
	dir := t.TempDir()
	f := write(t, filepath.Join(dir, "a.jsonl"), session(1, "always lint", "always test", "always ship"))
	o := testOptions
	o.Known = func(_ context.Context, l lessons.Lesson) (Known, error) {
		switch l.Content {
		case "always lint":
			return Known{ID: "old1", Status: lessons.Approved}, nil
		case "always test":
			return Known{ID: "old2", Status: lessons.Rejected, Reopen: true}, nil
		}
		return Known{}, nil
	}
	all, batches := collect(t, []transcript.File{f}, nil, o)
	if got := contents(all); !slices.Equal(got, []string{"always test", "always ship"}) {
		t.Errorf("%q", got)
	}
	if a := batches[0].Again; len(a) != 1 || a[0].ID != "old1" || a[0].Status != lessons.Approved {
		t.Errorf("%+v", a)
	}
	broken := errors.New("index is broken")
	o.Known = func(context.Context, lessons.Lesson) (Known, error) { return Known{}, broken }
	for _, err := range Run(t.Context(), []transcript.File{f, f}, nil, o) {
		if !errors.Is(err, broken) {
			t.Errorf("%v", err)
		}
	}
}

// liar proposes what no transcript supports.
type liar struct{ l lessons.Lesson }

func (p liar) Propose(context.Context, transcript.Session, []transcript.Turn) ([]lessons.Lesson, error) {
	return []lessons.Lesson{p.l}, nil
}

func TestProposersAreNotTrusted(t *testing.T) {
	dir := t.TempDir()
	f := write(t, filepath.Join(dir, "a.jsonl"), session(1, "please fix the login page"))
	said := lessons.Evidence{Line: 2, By: lessons.ByPerson, Quote: "fix the login page"}
	run := func(l lessons.Lesson) Batch {
		t.Helper()
		o := testOptions
		o.Proposers = []Proposer{liar{l}}
		_, batches := collect(t, []transcript.File{f}, nil, o)
		return batches[0]
	}
	ok := lessons.Lesson{Category: "correction", Wording: lessons.Wording{Content: "Fix it"}, Evidence: []lessons.Evidence{said}}
	approved := ok
	approved.Status, approved.Decided = lessons.Approved, lessons.Decision{By: "agent"}
	if b := run(approved); len(b.Lessons) != 1 || b.Lessons[0].Status != lessons.Pending || b.Lessons[0].Decided.By != "" {
		t.Errorf("approved by its proposer: %+v", b.Lessons)
	}
	none := ok
	none.Evidence = nil
	if b := run(none); len(b.Lessons) != 0 {
		t.Errorf("without evidence: %+v", b)
	}
	for _, e := range []lessons.Evidence{
		{Line: 2, By: lessons.ByPerson, Quote: "always deploy on Fridays without asking"},
		{Line: 3, By: lessons.ByPerson, Quote: "You are right."}, // the agent's words
		{Line: 99, By: lessons.ByPerson, Quote: "fix the login page"},
		{Line: 0, By: lessons.ByTool, Quote: "error"},
	} {
		l := ok
		l.Evidence = []lessons.Evidence{e}
		if b := run(l); len(b.Lessons) != 0 {
			t.Errorf("evidence %+v was believed: %+v", e, b.Lessons)
		}
	}
	empty := ok
	empty.Content = "/home/alice"[:0] + " "
	if b := run(empty); len(b.Lessons) != 0 {
		t.Errorf("without content: %+v", b)
	}
	secret := ok
	secret.Content = "gh" + "p_q7Xv2LmZ9RtK4wYb8NcD3fGhHt5Jp0SxWe6U"
	if b := run(secret); len(b.Lessons) != 0 {
		t.Errorf("nothing but a secret: %+v", b.Lessons)
	}
}

func TestOurOwnWordsDoNotComeBack(t *testing.T) {
	block := "<learnings-context project=\"x\">\n- Always run make generate\n</learnings-context>"
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"alone":         {block, nil},
		"before a rule": {block + "always lint", []string{"always lint"}},
		"without end":   {"always lint <learnings-context>\nalways test", []string{"always lint "}},
		"without start": {"always test</learnings-context>always lint", []string{"always lint"}},
		"twice":         {block + "always lint" + block, []string{"always lint"}},
	} {
		dir := t.TempDir()
		all, _ := collect(t, []transcript.File{write(t, filepath.Join(dir, "a.jsonl"), session(1, c.text))}, nil, testOptions)
		if got := contents(all); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	turn := transcript.Turn{Kind: transcript.Result, Speaker: transcript.Tool, Text: "always lint", Tool: &transcript.ToolCall{Name: "Bash", Command: "cd x && learnings search lint"}}
	if got := withoutInjected(turn); got.Text != "" {
		t.Errorf("what this program printed stays: %q", got.Text)
	}
	turn.Tool = &transcript.ToolCall{Name: "Bash", Command: "ls learnings"}
	if got := withoutInjected(turn); got.Text == "" {
		t.Error("the output of another program is taken for ours")
	}
}

func TestOrderDoesNotDependOnWorkers(t *testing.T) {
	dir := t.TempDir()
	var files []transcript.File
	for i := range 40 {
		rules := make([]string, 1+(i*7)%20)
		for j := range rules {
			rules[j] = fmt.Sprintf("always do %d of %d", j%15, i%11)
		}
		files = append(files, write(t, filepath.Join(dir, fmt.Sprintf("%02d.jsonl", i)), session(1000*i, rules...)))
	}
	var want string
	for _, workers := range []int{1, 2, 7} {
		o := testOptions
		o.Workers = workers
		all, batches := collect(t, files, nil, o)
		got := fmt.Sprint(all)
		for _, b := range batches {
			got += fmt.Sprint(b.File.Path, b.Again, b.Mark)
		}
		if want == "" {
			want = got
		}
		if got != want {
			t.Errorf("%d workers give something else", workers)
		}
	}
}

func TestCancel(t *testing.T) {
	dir := t.TempDir()
	var files []transcript.File
	for i := range 30 {
		files = append(files, write(t, filepath.Join(dir, fmt.Sprintf("%02d.jsonl", i)), session(1000*i, fmt.Sprintf("always do %d", i))))
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	marks := ledger(t, dir)
	var got []string
	var last error
	for b, err := range Run(ctx, files, marks, testOptions) {
		if last = err; err != nil {
			continue
		}
		cancel()
		got = append(got, contents(b.Lessons)...)
		if err := marks.Commit(b.Mark); err != nil {
			t.Fatal(err)
		}
	}
	if !errors.Is(last, context.Canceled) || len(got) == 0 || len(got) == len(files) {
		t.Fatalf("%d of %d, then %v", len(got), len(files), last)
	}
	rest, _ := collect(t, files, marks, testOptions)
	if len(got)+len(rest) != len(files) {
		t.Errorf("%d before and %d after do not make %d", len(got), len(rest), len(files))
	}
}

func TestFilesThatCannotBeRead(t *testing.T) {
	dir := t.TempDir()
	good := write(t, filepath.Join(dir, "good.jsonl"), session(1, "always lint"))
	paths := map[string]string{
		"a folder": dir, "missing": filepath.Join(dir, "nothing.jsonl"),
		"empty":  write(t, filepath.Join(dir, "empty.jsonl"), "").Path,
		"binary": write(t, filepath.Join(dir, "binary.jsonl"), "\x7fELF\x00\x00\x01"+strings.Repeat("\x00\xff", 4000)).Path,
	}
	if runtime.GOOS != "windows" {
		pipe := filepath.Join(dir, "pipe.jsonl")
		if out, err := exec.Command("mkfifo", pipe).CombinedOutput(); err == nil {
			paths["a pipe"] = pipe
		} else {
			t.Logf("no pipe: %s", out)
		}
		if os.Geteuid() != 0 {
			closed := write(t, filepath.Join(dir, "closed.jsonl"), session(1, "always lint")).Path
			if err := os.Chmod(closed, 0); err != nil {
				t.Fatal(err)
			}
			paths["unreadable"] = closed
		}
	}
	for name, path := range paths {
		var told int
		var found []lessons.Lesson
		for b, err := range Run(t.Context(), []transcript.File{{Path: path, Format: transcript.ClaudeCode, Size: 7}, good}, nil, testOptions) {
			var file *FileError
			switch {
			case errors.As(err, &file):
				told++
				if file.Path != path || file.Hint == "" || !strings.Contains(file.Error(), path) || b.File.Path != path {
					t.Errorf("%s: %v; hint %q", name, err, file.Hint)
				}
			case err != nil:
				t.Errorf("%s: %v", name, err)
			default:
				found = append(found, b.Lessons...)
			}
		}
		if told != 1 || len(found) != 1 {
			t.Errorf("%s: told %d times, then %d lessons", name, told, len(found))
		}
	}
}

func TestProgress(t *testing.T) {
	dir := t.TempDir()
	var files []transcript.File
	for i := range 8 {
		files = append(files, write(t, filepath.Join(dir, fmt.Sprintf("%d.jsonl", i)), session(1000*i, fmt.Sprintf("always do %d", i))))
	}
	var calls []Progress
	o := testOptions
	o.Progress = func(p Progress) { calls = append(calls, p) } // the race detector minds when calls meet
	collect(t, files, nil, o)
	last := calls[len(calls)-1]
	if len(calls) != len(files) || last.Done != len(files) || last.Files != len(files) || last.Lessons != len(files) || last.Read != last.Bytes {
		t.Errorf("%d calls, the last %+v", len(calls), last)
	}
	for i := 1; i < len(calls); i++ {
		if calls[i].Read < calls[i-1].Read || calls[i].Done < calls[i-1].Done {
			t.Errorf("progress goes back: %+v, %+v", calls[i-1], calls[i])
		}
	}
}

// A long session is given to the proposers in windows, and each rule comes
// out once, with the turns before it.
func TestLongSessionInWindows(t *testing.T) {
	dir := t.TempDir()
	var b strings.Builder
	const n = 3 * windowTurns
	for i := range n / 3 {
		b.WriteString(session(3*i, "always do "+fmt.Sprint(i)))
	}
	o := testOptions
	longest := 0
	o.Proposers = []Proposer{measured{&longest}}
	all, batches := collect(t, []transcript.File{write(t, filepath.Join(dir, "a.jsonl"), b.String())}, nil, o)
	if longest > windowTurns+contextTurns+3 {
		t.Errorf("a window of %d turns", longest)
	}
	if len(all) != maxLessons || len(batches) != 1 {
		t.Errorf("%d lessons", len(all))
	}
	for _, l := range all {
		if e := l.Evidence[0]; e.Line > 2 && len(e.Before) != 2 {
			t.Errorf("line %d: before it stand %q", e.Line, e.Before)
		}
	}
}

type measured struct{ longest *int }

func (m measured) Propose(ctx context.Context, s transcript.Session, turns []transcript.Turn) ([]lessons.Lesson, error) {
	*m.longest = max(*m.longest, len(turns))
	return always{}.Propose(ctx, s, turns)
}
