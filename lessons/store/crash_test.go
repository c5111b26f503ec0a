package store

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"math/rand/v2"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"learnings/lessons"
	"learnings/lessons/file"
	db "learnings/lessons/state"
)

// childEnv makes the test binary the process that is killed.
const childEnv = "LEARNINGS_STORE_TEST_CHILD"

func TestMain(m *testing.M) {
	if dir := os.Getenv(childEnv); dir != "" {
		work := writeForEver
		if os.Getenv(forgetEnv) != "" {
			work = forgetForEver
		}
		if err := work(dir); err != nil {
			fmt.Println("error:", err)
			os.Exit(1)
		}
	}
	os.Exit(m.Run())
}

// Lessons of a trio are only ever written together, and are always alike.
const trios, trioSize = 3, 3

func trio(k int) []lessons.ID {
	ids := make([]lessons.ID, trioSize)
	for i := range ids {
		ids[i] = lessons.ID(fmt.Sprintf("trio%d-%d", k, i))
	}
	return ids
}

// writeForEver writes trios in every way there is, and says "done N" once the
// write that carries the number N has returned.
func writeForEver(dir string) error {
	s, err := Open(filepath.Join(dir, "corpus"), Options{State: filepath.Join(dir, "state"), LockWait: 30 * time.Second})
	if err != nil {
		return err
	}
	s = s.Trusting(time.Minute, nil) // as commands do
	for {
		n := rand.Uint64()
		ids := trio(rand.IntN(trios))
		ls := make([]lessons.Lesson, trioSize)
		for i, id := range ids {
			if ls[i], err = s.Get(id); errors.Is(err, lessons.ErrNotFound) {
				ls[i] = lesson(string(id), "new")
			} else if err != nil {
				return err
			}
			ls[i].Insight = fmt.Sprint("number ", n)
		}
		switch rand.IntN(5) {
		case 0:
			if _, err := s.Undo(1+rand.IntN(2), "child"); err != nil {
				return err
			}
			continue
		case 1:
			if _, err := s.Redo(1, "child"); err != nil {
				return err
			}
			continue
		case 2: // moves
			for i := range ls {
				ls[i].Status = []lessons.Status{lessons.Pending, lessons.Approved, lessons.Rejected}[n%3]
			}
		case 3: // renames
			for i := range ls {
				ls[i].Content = fmt.Sprint("content ", n)
			}
		}
		if _, err := s.Put(Write{Op: "edit", By: "child", Undoable: true}, ls...); err != nil {
			return err
		}
		fmt.Println("done", n)
	}
}

func TestKilledAtAnyMoment(t *testing.T) {
	rounds := 40
	if testing.Short() {
		rounds = 5
	}
	dir := t.TempDir()
	s := open(t, filepath.Join(dir, "corpus"), filepath.Join(dir, "state"))
	follower := map[lessons.ID]lessons.Rev{}
	var c lessons.Cursor
	acknowledged := 0
	for round := range rounds {
		done := runAndKill(t, dir)
		for ch, err := range s.Since(c) {
			if err != nil {
				t.Fatalf("round %d: %v", round, err)
			}
			if c = ch.Cursor; ch.After == nil {
				delete(follower, ch.ID)
			} else {
				follower[ch.ID] = ch.After.Rev
			}
		}
		checkTrios(t, s, follower)
		acknowledged += len(done)
		checkHistory(t, s, done)
	}
	if acknowledged == 0 {
		t.Error("the child never got to write anything")
	}
	t.Logf("%d kills, %d acknowledged writes", rounds, acknowledged)
	put(t, s, "add", lesson("after", "All is well")) // and sweeps
	if left := files(t, s); strings.Contains(left, tempSuffix) {
		t.Errorf("left over:\n%s", left)
	}
}

// runAndKill gives what the child said it had done.
func runAndKill(t *testing.T, dir string) (done []string) {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^$")
	cmd.Env = append(os.Environ(), childEnv+"="+dir)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	writes := 1 + rand.IntN(6)
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		n, ok := strings.CutPrefix(lines.Text(), "done ")
		if !ok {
			t.Errorf("the child says %q", lines.Text())
			break
		}
		if done = append(done, n); len(done) == writes {
			// Anywhere within the writes that follow.
			time.AfterFunc(time.Duration(rand.IntN(20_000))*time.Microsecond, func() { _ = cmd.Process.Kill() })
		}
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	return done
}

// checkTrios reads the whole corpus: nothing is broken, nothing half done, and
// a follower knows just what there is.
func checkTrios(t *testing.T, s *Store, follower map[lessons.ID]lessons.Rev) {
	t.Helper()
	have := map[lessons.ID]lessons.Lesson{}
	for l, err := range s.All() {
		if err != nil {
			t.Fatal(err)
		}
		have[l.ID] = l
		if follower[l.ID] != l.Rev {
			t.Fatalf("the follower has %s at %q, the file is %q", l.ID, follower[l.ID], l.Rev)
		}
	}
	if len(have) != len(follower) {
		t.Fatalf("the follower has %d lessons, the corpus %d", len(follower), len(have))
	}
	for k := range trios {
		ids := trio(k)
		first, ok := have[ids[0]]
		for _, id := range ids[1:] {
			if l, also := have[id]; ok != also || l.Insight != first.Insight || l.Content != first.Content || l.Status != first.Status {
				t.Fatalf("a write was half done: %+v and %+v", first, l)
			}
		}
	}
}

// checkHistory looks for each acknowledged write in the journal.
func checkHistory(t *testing.T, s *Store, done []string) {
	t.Helper()
	texts := map[string]int{}
	err := s.log.steps(func(_ write, f fileStep, _ int, _ bool) error {
		if l := f.After.lesson(f.ID); l != nil {
			texts[l.Insight]++
		}
		return nil
	}, "ORDER BY steps.seq, n")
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range done {
		if texts["number "+n] < trioSize {
			t.Fatalf("the acknowledged write %s is lost", n)
		}
	}
}

func TestManyWriters(t *testing.T) {
	s := corpus(t)
	put(t, s, "add", lesson("shared", "Everybody counts here"))
	const writers, rounds = 6, 12
	var wg sync.WaitGroup
	errs := make(chan error, writers)
	for w := range writers {
		mine := again(t, s)
		wg.Go(func() { errs <- countUp(mine, fmt.Sprint("own", w), rounds) })
	}
	wg.Wait()
	close(errs)
	for err := range errs {
		if err != nil {
			t.Error(err)
		}
	}
	if got := get(t, s, "shared").Use.Used; got != writers*rounds {
		t.Errorf("%d of %d updates are left", got, writers*rounds)
	}
	for w := range writers {
		if got := get(t, s, fmt.Sprint("own", w)).Use.Used; got != rounds {
			t.Errorf("own%d: %d of %d updates are left", w, got, rounds)
		}
	}
}

// countUp adds to the shared lesson and to its own, and tries again on a
// conflict.
func countUp(s *Store, own string, rounds int) error {
	if _, err := s.Put(Write{Op: "add"}, lesson(own, own)); err != nil {
		return err
	}
	for _, id := range []lessons.ID{"shared", lessons.ID(own)} {
		for n := 0; n < rounds; {
			l, err := s.Get(id)
			if err != nil {
				return err
			}
			l.Use.Used++
			switch _, err = s.Put(Write{Op: "use"}, l); {
			case err == nil:
				n++
			case !errors.Is(err, lessons.ErrConflict):
				return err
			}
		}
	}
	return nil
}

// TestReadersOfOneStore asks one Store everything that may be asked at any time, while it
// writes, as a desk does that reads sessions. It is for the race detector; what must hold
// without it is that no reader loses the lesson which is there from the beginning.
func TestReadersOfOneStore(t *testing.T) {
	s := corpus(t)
	put(t, s, "add", lesson("aaaa", "There from the beginning"))
	path, err := s.Path("aaaa")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(filepath.Dir(path), "bad.md"), []byte("---\nno end"), 0o600); err != nil {
		t.Fatal(err)
	}
	over := make(chan struct{})
	var wg sync.WaitGroup
	during := func(name string, ask func() error) {
		wg.Go(func() {
			for {
				if err := ask(); err != nil {
					t.Errorf("%s: %v", name, err)
					return
				}
				select {
				case <-over:
					return
				default:
				}
			}
		})
	}
	count := func(n int, err error) error {
		if err == nil && n == 0 {
			err = errors.New("the lesson is not given")
		}
		return err
	}
	during("Get", func() error { _, err := s.Get("aaaa"); return err })
	during("Path", func() error { _, err := s.Path("aaaa"); return err })
	during("Resolve", func() error { _, err := s.Resolve("aaa"); return err })
	during("Changed", func() error { _, err := s.Changed("x.1.0.0"); return err })
	during("Forgotten", func() error { _, err := s.Forgotten(); return err })
	during("History", func() error { h, err := s.History("aaaa"); return count(len(h), err) })
	during("Broken", func() error { return count(len(s.Broken()), nil) })
	during("Odd, Written, Contended", func() error { s.Odd(); s.Contended(); return count(int(s.Written()), nil) })
	during("All", func() error { return given(s.All()) })
	during("Journal", func() error { return given(s.Journal()) })
	during("Since", func() error { return given(s.Since("")) })
	during("Trusting", func() error { return given(s.Trusting(time.Hour, nil).All()) })
	for i := range 12 {
		if _, err := s.Put(Write{Op: "add"}, lesson(fmt.Sprintf("new%05d", i), fmt.Sprint("Number ", i))); err != nil {
			t.Error(err)
		}
	}
	close(over)
	wg.Wait()
}

// given reports that a sequence ends early or gives nothing. Broken files are none of it.
func given[T any](seq iter.Seq2[T, error]) error {
	n := 0
	for _, err := range seq {
		if err != nil && !errors.As(err, new(*file.Error)) {
			return err
		}
		n++
	}
	if n == 0 {
		return errors.New("nothing is given")
	}
	return nil
}

// A reader must find a lesson that another process is moving all the time.
func TestReadWhileMoved(t *testing.T) {
	s := corpus(t)
	l := put(t, s, "add", lesson("aaaa", "On the move"), lesson("bbbb", "Stays"))[0]
	stop := make(chan struct{})
	var wg sync.WaitGroup
	defer wg.Wait()
	defer close(stop)
	mover := again(t, s)
	wg.Go(func() {
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
			}
			l.Status = []lessons.Status{lessons.Approved, lessons.Rejected, lessons.Pending}[i%3]
			out, err := mover.Put(Write{Op: "move"}, l)
			if err != nil {
				t.Error(err)
				return
			}
			l = out[0]
		}
	})
	reader := again(t, s)
	for range 40 {
		if _, err := reader.Get("aaaa"); err != nil {
			t.Fatal(err)
		}
		if good, bad := all(t, reader); len(good) != 2 || len(bad) != 0 {
			t.Fatalf("good %v, bad %v", good, bad)
		}
	}
}

// What a process that was killed had journaled is so for the next reader, who can then
// decide on it, and the files that it had only prepared are gone.
func TestAfterAKill(t *testing.T) {
	s := corpus(t)
	l := put(t, s, lessons.OpAdd, lesson("aaaa", "one"))[0]
	old, err := s.tree.stateOf(s.table, l.ID)
	if err != nil {
		t.Fatal(err)
	}
	text, err := file.Encode(approve(t, l))
	if err != nil {
		t.Fatal(err)
	}
	w := write{Seq: uint64(s.Written()) + 1, Op: lessons.OpApprove, Files: []fileStep{{ID: l.ID, Before: old, After: &state{Path: "octofs/developer/aaaa.md", Rev: revOf(text), Text: string(text)}}}}
	if err := s.db.Durably(func(tx db.Tx) error { return journaled(s.db, tx, w, false) }); err != nil {
		t.Fatal(err)
	}
	left := s.tree.full(tempIn(path.Dir(old.Path)))
	next := again(t, s).Trusting(time.Minute, nil)
	got := get(t, next, "aaaa")
	if got.Status != lessons.Approved || got.Outside {
		t.Fatalf("it reads %+v", got)
	}
	got.Insight = "why"
	put(t, next, lessons.OpEdit, got)
	if _, err := next.Put(Write{Op: lessons.OpEdit}, l); !errors.Is(err, lessons.ErrConflict) {
		t.Errorf("a decision on what was there before: %v", err)
	}

	if err := errors.Join(os.MkdirAll(filepath.Dir(left), 0o700), os.WriteFile(left, text[:9], 0o600)); err != nil {
		t.Fatal(err)
	}
	all(t, again(t, s))
	if _, err := again(t, s).Look(); err != nil {
		t.Fatal(err)
	}
	if got := files(t, s); strings.Contains(got, tempSuffix) {
		t.Errorf("left over:\n%s", got)
	}
}

// A write that cannot be finished is taken back, all of it.
func TestTakenBack(t *testing.T) {
	s := corpus(t)
	ls := put(t, s, "add", lesson("aaaa", "one"), lesson("bbbb", "two"))
	before, size := files(t, s), s.Written()
	w := write{Op: "edit"}
	var err error
	if s.table, err = s.known(); err != nil {
		t.Fatal(err)
	}
	for _, l := range ls {
		old, err := s.tree.stateOf(s.table, l.ID)
		if err != nil {
			t.Fatal(err)
		}
		text, err := file.Encode(approve(t, l))
		if err != nil {
			t.Fatal(err)
		}
		w.Files = append(w.Files, fileStep{ID: l.ID, Before: old, After: &state{Path: "octofs/developer/" + string(l.ID) + ".md", Rev: revOf(text), Text: string(text)}})
	}
	w.Files[1].Before.Rev = "saved by an editor since"
	if _, err := s.commit(w); !errors.Is(err, lessons.ErrConflict) || !strings.Contains(err.Error(), "bbbb") {
		t.Errorf("got %v", err)
	}
	if after := files(t, s); after != before || s.Written() != size {
		t.Errorf("files were\n%s\nand are\n%s\njournal %d, was %d", before, after, s.Written(), size)
	}
	if got := get(t, s, "aaaa"); got.Rev != ls[0].Rev {
		t.Error("the first file is not as it was")
	}
}

func TestLockedOut(t *testing.T) {
	s := corpus(t)
	unlock, err := s.gate.lock()
	if err != nil {
		t.Fatal(err)
	}
	defer unlock()
	other, err := Open(s.tree.dir, Options{State: s.state, LockWait: 10 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := other.Put(Write{Op: "add"}, lesson("aaaa", "x")); err == nil || !strings.Contains(err.Error(), "another process") {
		t.Errorf("got %v", err)
	}
}

// forgetEnv makes the process that is killed one that forgets.
const forgetEnv = "LEARNINGS_STORE_TEST_FORGET"

// forgetForEver writes lessons and forgets them, and says "done ID" before it forgets one.
func forgetForEver(dir string) error {
	s, err := Open(filepath.Join(dir, "corpus"), Options{State: filepath.Join(dir, "state"), LockWait: 30 * time.Second})
	if err != nil {
		return err
	}
	for {
		id := lessons.ID(fmt.Sprint("secret", rand.Uint64()))
		l := lesson(string(id), "The word is "+string(id)+"word")
		for _, l.Insight = range []string{"", "because of " + string(id) + "word", ""} {
			if l.Rev, err = put1(s, l); err != nil {
				return err
			}
		}
		fmt.Println("done", id)
		if err := s.Forget(id); err != nil {
			return err
		}
	}
}

func put1(s *Store, l lessons.Lesson) (lessons.Rev, error) {
	out, err := s.Put(Write{Op: "edit", By: "child", Undoable: true}, l)
	if err != nil {
		return "", err
	}
	return out[0].Rev, nil
}

// A lesson that is forgotten is there wholly or not at all, whenever the process dies. The
// next write erases what is left of it, and so does forgetting it again.
func TestForgetKilled(t *testing.T) {
	rounds := 30
	if testing.Short() {
		rounds = 5
	}
	t.Setenv(forgetEnv, "yes")
	dir := t.TempDir()
	s := open(t, filepath.Join(dir, "corpus"), filepath.Join(dir, "state"))
	begun := 0
	for round := range rounds {
		done := runAndKill(t, dir)
		left, err := s.Unforgotten()
		if err != nil {
			t.Fatal(err)
		}
		if begun += len(left); len(left) > 0 && round%2 == 0 {
			if err := s.Forget(left...); err != nil {
				t.Fatalf("round %d: forgetting again: %v", round, err)
			}
		} else {
			put(t, s, "add", lesson(fmt.Sprint("after", round), "All is well"))
		}
		if left, err = s.Unforgotten(); err != nil || len(left) > 0 {
			t.Fatalf("round %d: still to forget: %v, %v", round, left, err)
		}
		for _, id := range done {
			if _, err := s.Get(lessons.ID(id)); err == nil { // killed before it began
				continue
			} else if !errors.Is(err, lessons.ErrNotFound) {
				t.Fatal(err)
			}
			mentions(t, dir, id+"word")
		}
	}
	if begun == 0 && rounds > 20 {
		t.Error("nothing was killed in the middle")
	}
	t.Logf("%d kills, %d in the middle of it", rounds, begun)
}

// mentions fails for every file below a folder that holds a text.
func mentions(t *testing.T, dir, text string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		data, err := os.ReadFile(path)
		if strings.Contains(string(data), text) || strings.Contains(path, text) {
			t.Errorf("%s is in %s", text, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
