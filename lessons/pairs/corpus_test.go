package pairs_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"learnings/lessons"
	"learnings/lessons/pairs"
)

func lesson(id, content string) lessons.Lesson {
	return lessons.Lesson{
		ID: lessons.ID(id), Status: lessons.Pending, Category: "tools", Wording: lessons.Wording{Content: content},
		Scope: lessons.Scope{Project: "p"},
	}
}

// someLessons are lessons of few words, with near copies among them, so that
// many are duplicates of some and not of others.
func someLessons(t *rapid.T) []lessons.Lesson {
	words := strings.Fields("the of run make test build generator proto file commit not push tabs 🚀 v1.2 --race don't Makefile")
	start := time.Date(2026, 10, 9, 8, 0, 0, 0, time.UTC)
	var out []lessons.Lesson
	for i := range rapid.IntRange(2, 26).Draw(t, "lessons") {
		text := rapid.SliceOfN(rapid.SampledFrom(words), 1, 12).Draw(t, "words")
		if i > 0 && rapid.Bool().Draw(t, "copy") {
			text = strings.Fields(rapid.SampledFrom(out).Draw(t, "of").Content)
			text[rapid.IntRange(0, len(text)-1).Draw(t, "at")] = rapid.SampledFrom(words).Draw(t, "word")
		}
		l := lesson(string(rune('a'+i)), strings.Join(text, " "))
		l.Status = rapid.SampledFrom([]lessons.Status{lessons.Pending, lessons.Approved}).Draw(t, "status")
		l.Category = rapid.SampledFrom([]lessons.Category{"tools", "tools", "errors"}).Draw(t, "category")
		l.Created = start.Add(time.Duration(rapid.IntRange(0, 5).Draw(t, "hour")) * time.Hour)
		out = append(out, l)
	}
	return out
}

// duplicates compares the words of two lessons as a rule does.
func duplicates(r pairs.Rule, a, b lessons.Lesson) bool {
	x, y := []string(nil), []string(nil)
	switch r {
	case pairs.ByJaccard:
		x, y = pairs.Words(a.Content), pairs.Words(b.Content)
	case pairs.ByParaphrase: // that to commit is to push is learned
		x = pairs.Keywords(strings.ReplaceAll(a.Content, "push", "commit"))
		y = pairs.Keywords(strings.ReplaceAll(b.Content, "push", "commit"))
	}
	if r != pairs.Equal && pairs.Kind(a.Category) != pairs.Kind(b.Category) {
		return false
	}
	if len(x) == 0 || len(y) == 0 || r == pairs.Equal {
		return len(x) == len(y) && pairs.Normal(a.Content) == pairs.Normal(b.Content)
	}
	all := slices.Compact(slices.Sorted(slices.Values(slices.Concat(x, y))))
	both := 0
	for _, w := range all {
		if slices.Contains(x, w) && slices.Contains(y, w) {
			both++
		}
	}
	share := float64(both) / float64(len(all))
	return share == 1 || r == pairs.ByJaccard && share >= 0.8 || r == pairs.ByParaphrase && share > 0.6 && both >= 3
}

// TestGroups holds the groups to comparing every lesson with every other one: all
// duplicates stand together somewhere, and nobody is in a group who is no duplicate of its
// first. What is found for one lesson is what the comparison finds, too.
func TestGroups(t *testing.T) {
	synonyms := pairs.Learn([][2]string{{"push it", "commit it"}, {"push now", "commit now"}})
	rapid.Check(t, func(t *rapid.T) {
		ls := someLessons(t)
		byID := map[lessons.ID]lessons.Lesson{}
		for _, l := range ls {
			byID[l.ID] = l
		}
		rule := rapid.SampledFrom([]pairs.Rule{pairs.Equal, pairs.ByJaccard, pairs.ByParaphrase}).Draw(t, "rule")
		corpus := pairs.NewCorpus(rule, synonyms, slices.Values(ls))
		groups := slices.Collect(corpus.Groups())
		together := map[[2]lessons.ID]bool{}
		for _, g := range groups {
			members := make([]lessons.Lesson, len(g.IDs))
			for i, id := range g.IDs {
				members[i] = byID[id]
				for _, other := range g.IDs {
					together[[2]lessons.ID{id, other}] = true
				}
				if i > 0 && !duplicates(rule, byID[g.IDs[0]], byID[id]) {
					t.Errorf("%s: %s is no duplicate of %s, the first of %v", rule, id, g.IDs[0], g.IDs)
				}
			}
			if lessons.Survivor(members) != 0 || g.Both < 1 || g.Both > g.All {
				t.Errorf("%s: %v are led by one who would not survive a merge", rule, g)
			}
			if len(slices.Compact(slices.Sorted(slices.Values(g.IDs)))) != len(g.IDs) || len(g.IDs) < 2 {
				t.Errorf("%s: not a group of different lessons: %v", rule, g.IDs)
			}
		}
		for _, a := range ls {
			found := slices.Collect(corpus.Find(a))
			for _, b := range ls {
				same := a.ID != b.ID && duplicates(rule, a, b)
				if same && !together[[2]lessons.ID{a.ID, b.ID}] || same != slices.Contains(found, b.ID) {
					t.Errorf("%s: %s and %s are duplicates: %v; groups %v, found %v", rule, a.ID, b.ID, same, groups, found)
				}
			}
		}
		slices.Reverse(ls)
		for i, g := range slices.Collect(pairs.NewCorpus(rule, synonyms, slices.Values(ls)).Groups()) {
			if !slices.Equal(g.IDs, groups[i].IDs) {
				t.Errorf("%s: group %d is %v, and %v when the lessons come the other way round", rule, i, groups[i].IDs, g.IDs)
			}
		}
	})
}

func groups(r pairs.Rule, ls ...lessons.Lesson) string {
	var out []string
	for g := range pairs.NewCorpus(r, nil, slices.Values(ls)).Groups() {
		var ids []string
		for _, id := range g.IDs {
			ids = append(ids, string(id))
		}
		out = append(out, fmt.Sprintf("%s %d/%d", strings.Join(ids, "+"), g.Both, g.All))
	}
	return strings.Join(out, ", ")
}

func TestGroupsOfFew(t *testing.T) {
	approved := lesson("z", "a b c d e f g h i j")
	approved.Status = lessons.Approved
	for _, tt := range []struct {
		name string
		rule pairs.Rule
		ls   []lessons.Lesson
		want string
	}{
		{"an approved one leads", pairs.ByJaccard, []lessons.Lesson{lesson("a", "A b c d e f g h i k"), approved}, "z+a 9/11"},
		{"no chain, and no pair lost", pairs.ByJaccard, []lessons.Lesson{
			lesson("a", "1 2 3 4 5 6 7 8 9 10"), lesson("b", "2 3 4 5 6 7 8 9 10 11"), lesson("c", "3 4 5 6 7 8 9 10 11 12"),
		}, "a+b 9/11, b+c 9/11"},
		{"one word", pairs.ByJaccard, []lessons.Lesson{lesson("a", "Stop"), lesson("b", "stop!"), lesson("c", "go")}, "a+b 1/1"},
		{"emoji only", pairs.ByJaccard, []lessons.Lesson{lesson("a", "🚀 🎉"), lesson("b", "🚀  🎉"), lesson("c", "🚀")}, "a+b 1/1"},
		{"Chinese only", pairs.ByJaccard, []lessons.Lesson{
			lesson("a", "在这个仓库里不要使用制表符"), lesson("b", "在这个仓库里不要用制表符"), lesson("c", "提交之前运行测试"),
		}, "a+b 12/13"},
		{"equal text", pairs.Equal, []lessons.Lesson{lesson("a", "Run `make`."), lesson("b", "run  make"), lesson("c", "run make -B"), lesson("d", "run make -b")}, "a+b 1/1"},
		{"other words", pairs.ByParaphrase, []lessons.Lesson{
			lesson("a", "Run the generator after editing a proto file"), lesson("b", "After you edit proto files, run the generators again"), lesson("c", "Use tabs"),
		}, "a+b 6/7"},
		{"led up to", pairs.ByFrame, []lessons.Lesson{
			lesson("a", "Always end attribute names with '_i'."), lesson("b", "One of our conventions is to end attribute names with '_i'."),
			lesson("c", "Always end attribute names with '_r'."), lesson("d", "Never end attribute names with '_i'."),
		}, "a+b 4/4"},
		{"turned", pairs.ByFrame, []lessons.Lesson{lesson("a", "Turn on the cache of the bundler"), lesson("b", "Turn off the cache of the bundler")}, ""},
		{"one word of a frame", pairs.ByFrame, []lessons.Lesson{lesson("a", "Always use pnpm"), lesson("b", "We want pnpm")}, ""},
		{"too few keywords", pairs.ByParaphrase, []lessons.Lesson{lesson("a", "use tabs"), lesson("b", "use tabs here always")}, ""},
	} {
		if got := groups(tt.rule, tt.ls...); got != tt.want {
			t.Errorf("%s (%s): %q, want %q", tt.name, tt.rule, got, tt.want)
		}
	}
}

// TestManyCopies: what is equal costs its number, not its square, and so does
// what differs in one word.
func TestManyCopies(t *testing.T) {
	for _, text := range []string{"Run make generate after you edit a proto file.", "the worker stops with code %d when nobody reads what it writes to the pipe"} {
		n := 100_000
		all := func(yield func(lessons.Lesson) bool) {
			for i := range n {
				if !yield(lesson(fmt.Sprintf("c%07d", i), strings.Replace(text, "%d", fmt.Sprint(i), 1))) {
					return
				}
			}
		}
		k := slices.Collect(pairs.NewCorpus(pairs.ByJaccard, nil, all).Groups())
		if len(k) != 1 || len(k[0].IDs) != n {
			t.Errorf("%d groups of %q", len(k), text)
		}
	}
}

func TestLongLessons(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	long := func() string {
		var b strings.Builder
		for b.Len() < 64<<10-10 {
			fmt.Fprintf(&b, "w%d ", r.IntN(1e6))
		}
		return b.String()
	}
	a := long()
	if got := groups(pairs.ByJaccard, lesson("a", a), lesson("b", a+" more"), lesson("c", long()), lesson("d", "w")); !strings.HasPrefix(got, "a+b ") || strings.Contains(got, ",") {
		t.Errorf("groups of long lessons: %s", got)
	}
	// What looks at each sign of a word must not look at all of the word each time.
	// Quadratic time would be minutes here.
	for _, w := range []string{strings.Repeat("ab-", 400_000) + "ab", strings.Repeat("ABCD", 300_000)} {
		if got := pairs.Normal(w); len(got) != len(w) {
			t.Errorf("%d bytes of %d", len(got), len(w))
		}
		if spans := pairs.WordDiff(w, w+" more"); len(spans) != 2 {
			t.Errorf("%d spans", len(spans))
		}
	}
}

func FuzzCorpus(f *testing.F) {
	f.Add("Run make, now", "run `make` now", "别用 npm 🚀")
	f.Add("", "\x00", "don't re-run cmd/x.go at v1.2. ./... && -v")
	f.Fuzz(func(t *testing.T, a, b, c string) {
		ls := []lessons.Lesson{lesson("a", a), lesson("b", b), lesson("c", c)}
		for _, r := range []pairs.Rule{pairs.Equal, pairs.ByJaccard, pairs.ByParaphrase} {
			for k := range pairs.NewCorpus(r, nil, slices.Values(ls)).Groups() {
				if len(k.IDs) < 2 || k.Both < 1 || k.Both > k.All {
					t.Errorf("by %s: %v", r, k)
				}
			}
		}
		if j := pairs.Jaccard(a, b); j < 0 || j > 1 || j != pairs.Jaccard(b, a) {
			t.Errorf("Jaccard(%q, %q) = %v", a, b, j)
		}
		if pairs.Mergeable(ls[0], ls[1]) != pairs.Mergeable(ls[1], ls[0]) || pairs.Same(ls[0], ls[1]) != pairs.Same(ls[1], ls[0]) {
			t.Errorf("%q and %q: the order matters", a, b)
		}
		if !pairs.Mergeable(ls[0], ls[0]) {
			t.Errorf("%q is not itself", a)
		}
		holdDiff(t, a, b, pairs.WordDiff(a, b))
	})
}
