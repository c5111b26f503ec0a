package pairs

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"learnings/lessons"
)

// corpusOf makes lessons of the labelled texts, in two projects and globally.
func corpusOf(t testing.TB) []lessons.Lesson {
	var out []lessons.Lesson
	seen := map[string]bool{}
	for _, p := range labelled(t) {
		for _, text := range []string{p.A, p.B} {
			if seen[text] {
				continue
			}
			seen[text] = true
			l := said(text)
			l.ID, l.Status = lessons.ID(fmt.Sprintf("l%04d", len(out))), lessons.Approved
			switch len(out) % 7 {
			case 0:
				l.Scope.Project = "q"
			case 1:
				l.Scope.Global = true
			case 2:
				l.Status = lessons.Pending
			case 3:
				l.Scope.Role = "developer:general"
			case 4:
				l.Scope.Role = "Developer"
			case 5:
				l.Status = lessons.Archived
			}
			out = append(out, l)
		}
	}
	return out
}

func outlines(ls []lessons.Lesson) (out []lessons.Outline) {
	for _, l := range ls {
		out = append(out, l.Outline())
	}
	return out
}

// pairs are the contradictions among lessons.
func pairs(t testing.TB, ls []lessons.Lesson) (out []Pair) {
	for _, o := range Oppositions(t.Context(), outlines(ls)) {
		out = append(out, o.Pair(ls[o.First], ls[o.Second]))
	}
	return out
}

func counts(l lessons.Lesson) bool {
	return l.Status == lessons.Pending || l.Status == lessons.Approved
}

// TestPairs checks that the keys lose nothing: what is found by them is what
// comparing all with all finds.
func TestPairs(t *testing.T) {
	all := corpusOf(t)
	var counting []lessons.Lesson
	for _, l := range all {
		if counts(l) {
			counting = append(counting, l)
		}
	}
	found := map[[2]lessons.ID]bool{}
	for _, l := range counting {
		for _, o := range Against(l, counting) {
			found[[2]lessons.ID{min(l.ID, o.Lesson.ID), max(l.ID, o.Lesson.ID)}] = true
		}
	}
	if len(found) < 40 {
		t.Errorf("only %d contradictions in the corpus: the test says little", len(found))
	}
	for _, p := range pairs(t, all) {
		key := [2]lessons.ID{min(p.Keep.ID, p.Lose.ID), max(p.Keep.ID, p.Lose.ID)}
		if !found[key] {
			t.Errorf("%v is given twice, or is none", key)
		}
		delete(found, key)
		if first, why := Prefer(p.Keep, p.Lose); !first || why != p.Order {
			t.Errorf("%v: keeps %s because it is %q, and Prefer says %v %q", key, p.Keep.ID, p.Order, first, why)
		}
		if p.A.Text != p.Keep.Content[p.A.Start:p.A.End] || p.B.Text != p.Lose.Content[p.B.Start:p.B.End] {
			t.Errorf("%v: the passages are not of the lessons: %+v", key, p.Judgement)
		}
	}
	if len(found) > 0 {
		t.Errorf("not given: %v", found)
	}
}

// TestOppositeAmongCopies reads a rule ten thousand times and its opposite once: what
// it costs must not grow with the square.
func TestOppositeAmongCopies(t *testing.T) {
	l := said("Use npm to install packages before a build, with a timeout of 30 seconds")
	l.Status = lessons.Approved
	odd := said("Use pnpm to install packages")
	odd.ID, odd.Status = "odd", lessons.Approved
	var all []lessons.Lesson
	for i := range 10_000 {
		l.ID = lessons.ID(fmt.Sprintf("n%07d", i))
		all = append(all, l)
	}
	all = append(all, odd)
	n := 0
	for _, p := range pairs(t, all) {
		if n++; p.Keep.ID != "odd" && p.Lose.ID != "odd" {
			t.Fatalf("%s and %s say the same", p.Keep.ID, p.Lose.ID)
		}
	}
	if n == 0 {
		t.Error("the opposite is not found among many copies")
	}
}

// generated is a corpus of eval/make_corpus.py.
func generated(t testing.TB, n int) []lessons.Lesson {
	t.Helper()
	script := filepath.Join("..", "..", "..", "shared", "eval", "make_corpus.py")
	if _, err := os.Stat(script); err != nil {
		t.Skip("no ../shared beside this clone")
	}
	cmd := exec.Command("python3", script, fmt.Sprint(n), "--jsonl")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Skipf("no python: %v", err)
	}
	var all []lessons.Lesson
	in := bufio.NewScanner(out)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		var r struct{ Content, Role, Project string }
		if err := json.Unmarshal(in.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		all = append(all, lessons.Lesson{
			ID: lessons.ID(fmt.Sprintf("g%07d", len(all))), Status: lessons.Approved, Wording: lessons.Wording{Content: r.Content},
			Scope: lessons.Scope{Project: r.Project, Role: r.Role},
		})
	}
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	return all
}

// TestGenerated looks for contradictions among sentences that were put together
// by chance: all that is found is an alarm, or chance. -list shows them. Half of them are
// tasks for a shell with other names of files in the same words, which no rules have:
// that many values more are taken for changed ones.
func TestGenerated(t *testing.T) {
	if testing.Short() {
		t.Skip("left out with -short: reads 14,391 lessons")
	}
	all := generated(t, 14391)
	alarms, values := 0, 0
	for _, p := range pairs(t, all) {
		if p.Ground == Value {
			values++
		} else {
			alarms++
		}
		if *list {
			t.Logf("%s: %s\n   %s\n   %s", p.Ground, p.Why, p.Keep.Content, p.Lose.Content)
		}
	}
	t.Logf("%d lessons, %d found to contradict, %d to change", len(all), alarms, values)
	if alarms > 60 || values > 250 {
		t.Errorf("%d and %d pairs of %d generated lessons are found to contradict: that is noise", alarms, values, len(all))
	}
}

func TestPrefer(t *testing.T) {
	at := func(day int) time.Time { return time.Date(2026, 5, day, 0, 0, 0, 0, time.UTC) }
	agent := lessons.Lesson{ID: "b", Created: at(3), Evidence: []lessons.Evidence{{By: lessons.ByAgent}}, Confidence: 0.6}
	person := agent
	person.ID, person.Evidence, person.Created = "a", []lessons.Evidence{{By: lessons.ByPerson}}, at(2)
	pinned := agent
	pinned.ID, pinned.Pinned, pinned.Created = "c", true, at(1)
	newer := person
	newer.ID, newer.Created = "z", at(9)
	again := person
	again.ID, again.Evidence = "y", []lessons.Evidence{{By: lessons.ByPerson, At: at(20)}}
	proven := person
	proven.ID = "x"
	proven = proven.Observed(lessons.Outcome{At: at(2), Reward: 1, Weight: 1})
	for _, c := range []struct {
		keep, lose lessons.Lesson
		why        string
	}{
		{pinned, person, "pinned"}, {person, agent, "a person's own words"}, {newer, person, "newer"}, {again, newer, "newer"},
		{proven, person, "better proven"},
	} {
		if first, why := Prefer(c.keep, c.lose); !first || why != c.why {
			t.Errorf("%s before %s: %v, %q; want it because it is %q", c.keep.ID, c.lose.ID, first, why, c.why)
		}
		if first, why := Prefer(c.lose, c.keep); first || why != c.why {
			t.Errorf("%s before %s the other way: %v, %q", c.keep.ID, c.lose.ID, first, why)
		}
	}
}

func FuzzBetween(f *testing.F) {
	for _, p := range labelled(f)[:60] {
		f.Add(p.A, p.B)
	}
	f.Add("never `", "— instead of 5 5 5 %")
	f.Add("\xff\xfenot", "use 日本語 instead of 日本")
	f.Fuzz(func(t *testing.T, a, b string) {
		x, y := said(a), said(b)
		x.ID, y.ID = "a", "b"
		c := Judge(x, y)
		ok := c.Opposed()
		back := Judge(y, x)
		again := back.Opposed()
		if ok != again || ok && (c.A != back.B || c.B != back.A || c.Ground != back.Ground) {
			t.Errorf("%v %+v one way, %v %+v the other", ok, c, again, back)
		}
		if ok && (a[c.A.Start:c.A.End] != c.A.Text || b[c.B.Start:c.B.End] != c.B.Text || lessons.Line(c.Why) != c.Why) {
			t.Errorf("bad passages or words: %+v", c)
		}
		if Judge(x, said(a)).Opposed() && a == b {
			t.Errorf("%q contradicts itself", a)
		}
	})
}

func BenchmarkPairs14k(b *testing.B) {
	all := outlines(generated(b, 14391))
	b.ReportAllocs()
	for b.Loop() {
		Oppositions(b.Context(), all)
	}
}

func BenchmarkGroups(b *testing.B) {
	ls := generated(b, 14_391)
	for _, rule := range []Rule{Equal, ByJaccard, ByParaphrase} {
		b.Run(string(rule), func(b *testing.B) {
			for b.Loop() {
				for range NewCorpus(rule, nil, slices.Values(ls)).Groups() {
				}
			}
		})
	}
}
