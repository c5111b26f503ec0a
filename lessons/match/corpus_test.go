package match_test

import (
	"fmt"
	"iter"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"learnings/lessons"
	"learnings/lessons/match"
)

// A maker makes the same lessons every time. Its sentences are put together
// from a small grammar and some ten thousand names, the frequent ones often.
type maker struct {
	r     *rand.Rand
	lines []string // real ones, where there are any
}

const (
	openers = "Always %s|Never assume that you can %s|Prefer to %s|In this project, %s|To %s, use the wrapper script|When asked to %s, check the exit code"
	verbs   = "find|list|copy|remove|archive|compress|rename|print|count|sort|replace|search|download|mount|create|split|merge|display|extract|convert|check|compare|update|run|build|deploy|restart|test|migrate|generate"
	things  = "all files|every directory|the log|each line|the processes|symbolic links|text files|the archive|the table|empty folders|the branch|the container|the config|the cache|the tests|hidden files|the output|the database|image files|the header"
	places  = "in the current directory|under $HOME|on the remote host|in %s|below %s|recursively|matching %s|modified in the last %d days|larger than %d MB|owned by user %s|with permission %d|and save the result to %s|except %s|by name|in reverse order|without %s"
)

var syllables = strings.Split("ba|de|fi|go|ku|la|me|ni|po|ru|sa|te|vi|xo|za|ch|or|in|el|ash", "|")

func newMaker() *maker { return &maker{r: rand.New(rand.NewPCG(20261120, 1))} }

// pick takes the first of a list more often than the last.
func (m *maker) pick(list string) string {
	all := strings.Split(list, "|")
	return all[int(float64(len(all))*m.r.Float64()*m.r.Float64())]
}

func (m *maker) name() string {
	n := int(60_000 * m.r.Float64() * m.r.Float64())
	s := syllables[n%20] + syllables[n/20%20] + syllables[n/400%20] + syllables[n/8000%20]
	return s + []string{"", ".go", ".txt", "_id"}[n%4]
}

func (m *maker) line() string {
	if m.lines != nil {
		return m.lines[m.r.IntN(len(m.lines))]
	}
	s := m.pick(verbs) + " " + m.pick(things) + " of " + m.name()
	for range 1 + m.r.IntN(3) {
		p := m.pick(places)
		switch {
		case strings.Contains(p, "%s"):
			p = fmt.Sprintf(p, m.name())
		case strings.Contains(p, "%d"):
			p = fmt.Sprintf(p, m.r.IntN(400))
		}
		s += " " + p
	}
	return s
}

// lessons gives n lessons; one in ten is an earlier one with a word changed.
func (m *maker) lessons(n int) iter.Seq[lessons.Lesson] {
	return func(yield func(lessons.Lesson) bool) {
		var recent []string
		start := time.Date(2026, 10, 9, 8, 0, 0, 0, time.UTC)
		categories := []lessons.Category{"errors", "workflows", "tools", "architecture", "debugging"}
		for i := range n {
			content := fmt.Sprintf(m.pick(openers), strings.TrimRight(m.line(), ". ")) + ", and " + m.line()
			category := categories[i%5]
			if len(recent) > 100 && m.r.IntN(10) == 0 {
				words := strings.Fields(recent[m.r.IntN(20)*5])
				words[m.r.IntN(len(words))] = m.name()
				content = strings.Join(words, " ")
				category = categories[i/5%5]
			}
			if len(recent) < 5000 {
				recent = append(recent, content)
			} else {
				recent[i%5000] = content
			}
			l := lessons.Lesson{
				ID: lessons.ID(fmt.Sprintf("m%07x", i)), Status: lessons.Approved, Category: category,
				Wording: lessons.Wording{Content: content}, Created: start.Add(time.Duration(i) * time.Second),
				Scope: lessons.Scope{Project: fmt.Sprintf("project%02d", i%27), Role: "developer"},
			}
			if !yield(l) {
				return
			}
		}
	}
}

// TestFindAgainstJaccard holds the search over texts to the measure over texts.
func TestFindAgainstJaccard(t *testing.T) {
	ls := slices.Collect(newMaker().lessons(450))
	whole := match.NewCorpus(match.ByJaccard, slices.Values(ls))
	grown := match.NewCorpus(match.ByJaccard, slices.Values(ls[:200]))
	for _, l := range ls[200:] {
		grown.Add(l)
	}
	pairs := 0
	for _, a := range ls {
		want := map[lessons.ID]float64{}
		for _, b := range ls {
			if j := match.Jaccard(a.Content, b.Content); a.ID != b.ID && match.Kind(a.Category) == match.Kind(b.Category) && j >= match.Alike {
				want[b.ID] = j
			}
		}
		pairs += len(want)
		for name, c := range map[string]*match.Corpus{"at once": whole, "one by one": grown} {
			got := map[lessons.ID]float64{}
			for m := range c.Find(a) {
				got[m.ID] = m.Similarity
			}
			if !maps.Equal(got, want) {
				t.Errorf("%s: Find(%s) gave %v, want %v", name, a.ID, got, want)
			}
		}
	}
	if pairs < 20 {
		t.Errorf("%d pairs: too few to say anything", pairs)
	}
}

func lesson(id, content string) lessons.Lesson {
	return lessons.Lesson{
		ID: lessons.ID(id), Status: lessons.Pending, Category: "tools", Wording: lessons.Wording{Content: content},
		Scope: lessons.Scope{Project: "p"},
	}
}

func groups(r match.Rule, ls ...lessons.Lesson) string {
	var out []string
	for c := range match.NewCorpus(r, slices.Values(ls)).Groups() {
		var ids []string
		for _, id := range c.IDs {
			ids = append(ids, string(id))
		}
		out = append(out, fmt.Sprintf("%s %.2f", strings.Join(ids, "+"), c.Similarity))
	}
	return strings.Join(out, ", ")
}

func TestGroupsOfFew(t *testing.T) {
	approved := lesson("z", "a b c d e f g h i j")
	approved.Status = lessons.Approved
	for _, tt := range []struct {
		name string
		rule match.Rule
		ls   []lessons.Lesson
		want string
	}{
		{"an approved one leads", match.ByJaccard, []lessons.Lesson{lesson("a", "A b c d e f g h i k"), approved}, "z+a 0.82"},
		{"no chain, and no pair lost", match.ByJaccard, []lessons.Lesson{
			lesson("a", "1 2 3 4 5 6 7 8 9 10"), lesson("b", "2 3 4 5 6 7 8 9 10 11"), lesson("c", "3 4 5 6 7 8 9 10 11 12"),
		}, "a+b 0.82, b+c 0.82"},
		{"one word", match.ByJaccard, []lessons.Lesson{lesson("a", "Stop"), lesson("b", "stop!"), lesson("c", "go")}, "a+b 1.00"},
		{"emoji only", match.ByJaccard, []lessons.Lesson{lesson("a", "🚀 🎉"), lesson("b", "🚀  🎉"), lesson("c", "🚀")}, "a+b 1.00"},
		{"emoji only", match.Equal, []lessons.Lesson{lesson("a", "🚀 🎉"), lesson("b", "🚀  🎉"), lesson("c", "🚀")}, "a+b 1.00"},
		{"Chinese only", match.ByJaccard, []lessons.Lesson{
			lesson("a", "在这个仓库里不要使用制表符"), lesson("b", "在这个仓库里不要用制表符"), lesson("c", "提交之前运行测试"),
		}, "a+b 0.92"},
		{"equal text", match.Equal, []lessons.Lesson{lesson("a", "Run `make`."), lesson("b", "run  make"), lesson("c", "run make -B"), lesson("d", "run make -b")}, "a+b 1.00"},
		{"keywords", match.ByOverlap, []lessons.Lesson{
			lesson("a", "Run the generator after editing a proto file"), lesson("b", "When editing proto files, run generators afterwards and commit them"), lesson("c", "Use tabs"),
		}, "a+b 0.83"},
		{"too few keywords", match.ByOverlap, []lessons.Lesson{lesson("a", "use tabs"), lesson("b", "use tabs in the Makefile")}, ""},
		{"a short new one within a long old one", match.ByContainment, []lessons.Lesson{
			lesson("a", "always run the whole test suite with -race before you push to main"), lesson("b", "run the test suite"),
		}, "a+b 1.00"},
		{"and not the other way round", match.ByContainment, []lessons.Lesson{
			lesson("a", "run the test suite"), lesson("b", "always run the whole test suite with -race before you push to main"),
		}, ""},
	} {
		if got := groups(tt.rule, tt.ls...); got != tt.want {
			t.Errorf("%s (%s): %q, want %q", tt.name, tt.rule, got, tt.want)
		}
	}
}

// TestManyCopies: what is equal costs its number, not its square, and so does
// what differs in one word.
func TestManyCopies(t *testing.T) {
	n := 1_000_000
	if match.RaceEnabled {
		n = 50_000
	}
	copies := func(yield func(lessons.Lesson) bool) {
		for i := range n {
			if !yield(lesson(fmt.Sprintf("c%07d", i), "Run make generate after you edit a proto file.")) {
				return
			}
		}
	}
	c := match.NewCorpus(match.ByJaccard, copies)
	for k := range c.Groups() {
		if len(k.IDs) != n || k.Similarity != 1 {
			t.Errorf("a group of %d, similarity %v", len(k.IDs), k.Similarity)
		}
	}
	template := func(yield func(lessons.Lesson) bool) {
		for i := range 50_000 {
			if !yield(lesson(fmt.Sprintf("t%07d", i), fmt.Sprintf("the worker stops with code %d when nobody reads what it writes to the pipe", i))) {
				return
			}
		}
	}
	k := slices.Collect(match.NewCorpus(match.ByJaccard, template).Groups())
	if len(k) != 1 || len(k[0].IDs) != 50_000 {
		t.Errorf("%d groups", len(k))
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
	if got := groups(match.ByJaccard, lesson("a", a), lesson("b", a+" more"), lesson("c", long()), lesson("d", "w")); got != "a+b 1.00" {
		t.Errorf("groups of long lessons: %s", got)
	}
}

func FuzzCorpus(f *testing.F) {
	f.Add("Run make, now", "run `make` now", "别用 npm 🚀")
	f.Add("", "\x00", "don't re-run cmd/x.go at v1.2. ./... && -v")
	f.Fuzz(func(t *testing.T, a, b, c string) {
		ls := []lessons.Lesson{lesson("a", a), lesson("b", b), lesson("c", c)}
		for _, r := range []match.Rule{match.Equal, match.ByJaccard, match.ByOverlap, match.ByContainment} {
			for k := range match.NewCorpus(r, slices.Values(ls)).Groups() {
				if len(k.IDs) < 2 || k.Similarity <= 0 || k.Similarity > 1 {
					t.Errorf("by %s: %v", r, k)
				}
			}
		}
		found := false
		for m := range match.NewCorpus(match.ByJaccard, slices.Values(ls[1:])).Find(ls[0]) {
			found = found || m.ID == "b"
		}
		if j := match.Jaccard(a, b); j > 0 && (j >= match.Alike) != found {
			t.Errorf("Jaccard(%q, %q) is %v, found: %v", a, b, j, found)
		}
		if match.Mergeable(ls[0], ls[1]) != match.Mergeable(ls[1], ls[0]) || match.Same(ls[0], ls[1]) != match.Same(ls[1], ls[0]) {
			t.Errorf("%q and %q: the order matters", a, b)
		}
		if !match.Mergeable(ls[0], ls[0]) {
			t.Errorf("%q is not itself", a)
		}
	})
}

func BenchmarkGroups(b *testing.B) {
	for _, rule := range []match.Rule{match.Equal, match.ByJaccard, match.ByOverlap, match.ByContainment} {
		for _, n := range []int{14_391, 200_000} {
			b.Run(fmt.Sprintf("%s/%d", rule, n), func(b *testing.B) {
				ls := slices.Collect(newMaker().lessons(n))
				n := 0
				for b.Loop() {
					n = 0
					for range match.NewCorpus(rule, slices.Values(ls)).Groups() {
						n++
					}
				}
				b.ReportMetric(float64(n), "groups")
			})
		}
	}
}

// BenchmarkFind asks for one new lesson in a corpus of 200,000.
func BenchmarkFind(b *testing.B) {
	for _, rule := range []match.Rule{match.Equal, match.ByJaccard, match.ByOverlap, match.ByContainment} {
		b.Run(string(rule), func(b *testing.B) {
			m := newMaker()
			c := match.NewCorpus(rule, m.lessons(200_000))
			questions := slices.Collect(m.lessons(1000))
			for range c.Find(questions[0]) { // builds what it asks
			}
			i := 0
			for b.Loop() {
				for range c.Find(questions[i%len(questions)]) {
				}
				i++
			}
		})
	}
}
