package extractor

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"learnings/extractor/transcript"
	"learnings/lessons"
)

// mark is a mark of a made-up transcript.
func mark(path string, n int) Mark {
	return Mark{
		Path: path, Size: int64(n), ModTime: time.Date(2026, 4, 5, 14, 0, n%60, 123456789, time.UTC), Format: transcript.ClaudeCode, Offset: int64(n), Line: n, Print: "0123456789abcdef01234567",
		Session: transcript.Session{Agent: transcript.ClaudeCode, ID: "0b51d8e2-4f6a-4b9c-8d7e-1a2b3c4d5e6f", Dir: "/home/user/src/octofs", Branch: "main", Version: "2.1.0"},
	}
}

func commit(t testing.TB, l *Ledger, marks ...Mark) {
	t.Helper()
	if err := l.Commit(marks...); err != nil {
		t.Fatal(err)
	}
}

func TestLedgerKeepsTheLastMark(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state", "corpus")
	l := ledger(t, dir)
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Error("opening a ledger creates its folder")
	}
	odd := `/tmp/with "quotes", \ and` + "\nnewline <&> ü.jsonl"
	commit(t, l, mark("/tmp/a.jsonl", 1), mark(odd, 2))
	commit(t, l, mark("/tmp/a.jsonl", 3))
	for name, l := range map[string]*Ledger{"same": l, "reopened": ledger(t, dir)} {
		for path, n := range map[string]int{"/tmp/a.jsonl": 3, odd: 2} {
			if m, ok := l.Mark(path); !ok || !reflect.DeepEqual(m, mark(path, n)) {
				t.Errorf("%s: %q: %+v", name, path, m)
			}
		}
		if _, ok := l.Mark("/tmp/b.jsonl"); ok {
			t.Errorf("%s: a mark that nobody made", name)
		}
	}
}

func TestHostileSessionKeepsMarksShort(t *testing.T) {
	m := mark("/tmp/a.jsonl", 1)
	m.Session.Dir = strings.Repeat("x", 1<<20)
	if dir := m.short().Session.Dir; len(dir) > 4<<10 {
		t.Errorf("%d bytes", len(dir))
	}
}

// Several processes commit marks. Each sees its own marks at once, and at the end none is
// missing or wrong.
func TestLedgerOfSeveralProcesses(t *testing.T) {
	const processes, marks = 4, 200
	dir := t.TempDir()
	if as := flag.Args(); len(as) == 2 { // this is one of the processes
		commitAsProcess(t, as[0], as[1], marks)
		return
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for p := range processes {
		wg.Go(func() {
			cmd := exec.CommandContext(t.Context(), exe, "-test.run=^TestLedgerOfSeveralProcesses$", strconv.Itoa(p), dir)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("process %d: %v\n%s", p, err, out)
			}
		})
	}
	wg.Wait()
	l := ledger(t, dir)
	for p := range processes {
		for i := range marks {
			path := markedFile(dir, p, i)
			if m, ok := l.Mark(path); !ok || !reflect.DeepEqual(m, mark(path, i)) {
				t.Errorf("%s: %+v", path, m)
			}
		}
	}
}

func markedFile(dir string, process, i int) string {
	return filepath.Join(dir, fmt.Sprintf("p%d-%d.jsonl", process, i))
}

func commitAsProcess(t *testing.T, number, dir string, marks int) {
	p, err := strconv.Atoi(number)
	if err != nil {
		t.Fatal(err)
	}
	l := ledger(t, dir)
	for i := range marks {
		path := markedFile(dir, p, i)
		commit(t, l, mark(path, i))
		if m, _ := l.Mark(path); !reflect.DeepEqual(m, mark(path, i)) {
			t.Fatalf("%s: %+v", path, m)
		}
	}
}

// What the ledger recalls of a file is what looking into it would tell.
func TestRecallSparesLooking(t *testing.T) {
	dir := t.TempDir()
	places := transcript.Places{{Path: dir}}
	path := filepath.Join(dir, "a.jsonl")
	write(t, path, session(1, "always lint"))
	marks := ledger(t, t.TempDir())
	find := func() (files []transcript.File) {
		for f, err := range transcript.FindKnown(places, marks.Recall) {
			if err != nil {
				t.Error(err)
			}
			files = append(files, f)
		}
		return files
	}
	first := find()
	collect(t, first, marks, testOptions)
	if again := find(); len(again) != 1 || again[0] != first[0] {
		t.Errorf("found %+v, then %+v", first, again)
	}
	if _, ok := marks.Recall(first[0]); !ok {
		t.Error("a file that was read is not recalled")
	}
	appendTo(t, path, session(10, "always test"))
	if grown := find(); len(grown) != 1 || grown[0].Size == first[0].Size {
		t.Errorf("found %+v", grown)
	} else if _, ok := marks.Recall(grown[0]); ok {
		t.Error("a file that has grown is recalled as it was")
	}
}

// What a model has read is new to nobody; what the rules alone have read is new to a
// model, whose mark does not take theirs back.
func TestModelLedger(t *testing.T) {
	dir := t.TempDir()
	rules, err := OpenLedger(dir)
	if err != nil {
		t.Fatal(err)
	}
	f := transcript.File{Path: filepath.Join(dir, "s.jsonl"), Size: 200, ModTime: time.Unix(1000, 0).UTC()}
	read := func(offset int64, n int) Mark {
		return Mark{Path: f.Path, Size: offset, ModTime: f.ModTime, Offset: offset, Print: "x", Lessons: n, Format: "claude-code"}
	}
	byRules := read(200, 3)
	byRules.Observed = []lessons.Lesson{{ID: "seen"}}
	if err := rules.Commit(byRules); err != nil {
		t.Fatal(err)
	}
	model, err := OpenModelLedger(dir)
	if err != nil {
		t.Fatal(err)
	}
	if model.Fresh(f) {
		t.Error("what the rules have read is fresh to a model")
	}
	if _, ok := model.Recall(f); !ok {
		t.Error("what kind of file it is has to be found out again")
	}
	for _, c := range []struct {
		mark          Mark
		offset        int64
		lessons, seen int
	}{{read(100, 2), 200, 5, 1}, {read(300, 2), 300, 5, 1}, {read(300, 4), 300, 7, 1}} {
		if err := model.Commit(c.mark); err != nil {
			t.Fatal(err)
		}
		if err := rules.Refresh(); err != nil {
			t.Fatal(err)
		}
		if m, _ := rules.Mark(f.Path); m.Offset != c.offset || m.Lessons != c.lessons || len(m.Observed) != c.seen {
			t.Errorf("after a model has read to %d: %+v", c.mark.Offset, m)
		}
	}
	f.Size = 300
	if !model.Fresh(f) || !rules.Fresh(f) {
		t.Errorf("fresh: to a model %v, to the rules %v", model.Fresh(f), rules.Fresh(f))
	}
}
