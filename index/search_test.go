package index_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"learnings/index"
	"learnings/lessons"
)

func fill(t testing.TB, ls ...lessons.Lesson) *index.Index {
	t.Helper()
	x := index.At(t.TempDir() + "/index")
	update(t, x, newLog(ls...))
	return x
}

func TestWhatIsFound(t *testing.T) {
	x := fill(t,
		lesson("go", "Read go.mod before you call ParseQuery in cmd/learnings"),
		lesson("flag", "Pass --no-verify to git commit only when asked"),
		lesson("env", "Export GOPROXY_URL and NODE_ENV=test first", func(l *lessons.Lesson) { l.Triggers = []string{"module download fails"} }),
		lesson("zh", "别用 npm 安装依赖，换成 pnpm", func(l *lessons.Lesson) { l.Category = "preference" }),
		lesson("ja", "テストを実行してからコミットする"),
		lesson("de", "Für Änderungen am Schema immer die Migration prüfen", func(l *lessons.Lesson) { l.Scope.Project = "My App"; l.Tags = []string{"Größe"} }),
	)
	for q, want := range map[string]string{
		"go.mod": "go", "mod": "go", "parse": "go", "query": "go", "parsequery": "go", "ParseQuer*": "go", "learnings": "go",
		"no-verify": "flag", "--no-verify": "flag", "committed": "flag",
		"goproxy": "env", "GOPROXY_URL": "env", "node_env": "env", "downloading modules": "env",
		"安装": "zh", "依赖": "zh", `"别用"`: "zh", "pnpm": "zh",
		"テスト": "ja", "実行": "ja",
		"änderungen": "de", "GRÖSSE": "", "größe": "de", `project:"my app"`: "de", "tag:größe": "de",
		`"before you call"`: "go", `"call before"`: "", "kind:preferences": "zh",
		"-commit -schema -go -npm -goproxy -テスト": "",
	} {
		var got []string
		for _, id := range search(t, x, q) {
			got = append(got, string(id))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("search %s = %v, want %q", q, got, want)
		}
	}
}

func TestSearchAsYouType(t *testing.T) {
	x := fill(t, lesson("a", "Regenerate the protobuf client"), lesson("b", "安装依赖"))
	for _, typed := range []string{"r", "rege", "regenerat", "regenerate", "regenerating", "regenerate ", "the", "the ", "the p", "regenerate the protob"} {
		q, err := index.ParseQuery(typed)
		if err != nil {
			t.Fatal(err)
		}
		q.Prefix = !strings.HasSuffix(typed, " ")
		p, err := x.Search(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(p.Hits, func(h index.Hit) bool { return h.Lesson.ID == "a" }) {
			t.Errorf("after typing %q the lesson is not there", typed)
		}
	}
}

// With AllWords a lesson needs every word, and the best is still first.
func TestAllWords(t *testing.T) {
	x := fill(t, lesson("one", "Lint before you push a branch to the server"), lesson("both", "Lint, then push: lint again"), lesson("none", "Use pnpm"))
	for typed, want := range map[string]int{"push lint": 2, "push branch": 1, "push pnpm": 0, "the push": 2, "push -branch": 1, "push pnpm|lint": 2, `branch|pnpm`: 2, `push "use pnpm"|"to the server"`: 1, "push -pnpm|branch": 1} {
		q, err := index.ParseQuery(typed)
		if err != nil {
			t.Fatal(err)
		}
		q.AllWords = true
		p, err := x.Search(t.Context(), q)
		if err != nil || p.Total != want {
			t.Errorf("%q finds %d, want %d (%v)", typed, p.Total, want, err)
		}
		if typed == "push lint" && p.Hits[0].Lesson.ID != "both" {
			t.Errorf("first is %s", p.Hits[0].Lesson.ID)
		}
	}
}

func TestHit(t *testing.T) {
	l := lesson("a", "Retry the upload with backoff", func(l *lessons.Lesson) {
		l.Evidence = []lessons.Evidence{{Path: "/p", Line: 3, By: lessons.ByPerson, Quote: "retry it", Before: []string{"long"}, After: []string{"longer"}}}
		l.Extra = []lessons.Field{{Key: "k", Value: "v"}}
		l.Rev = "r1"
	})
	x := fill(t, append(corpus(200), l)...)
	p, err := x.Search(t.Context(), index.Text("retry the zzz uploads"))
	if err != nil {
		t.Fatal(err)
	}
	h := p.Hits[0]
	if h.Lesson.ID != "a" || h.Score <= 0 || h.Match <= 0.4 || h.Match >= 0.8 {
		t.Errorf("hit %s, score %v, match %v; want a with about two thirds", h.Lesson.ID, h.Score, h.Match)
	}
	if e := h.Lesson.Evidence[0]; e.Quote != "retry it" || e.Before != nil || e.After != nil {
		t.Errorf("evidence %+v", e)
	}
	if h.Lesson.Rev != "r1" || len(h.Lesson.Extra) != 1 || !h.Lesson.Created.Equal(l.Created) {
		t.Errorf("lesson %+v", h.Lesson)
	}
	if p.Took <= 0 {
		t.Error("no time was taken")
	}
}

func TestSimilar(t *testing.T) {
	l := lesson("a", "Run make generate after editing any proto file")
	x := fill(t, append(corpus(300), l,
		lesson("twin", "After editing a proto file, run make generate"),
		lesson("world", "Proto files are edited, then generate", func(l *lessons.Lesson) { l.Scope = lessons.Scope{Project: "x", Global: true} }),
		lesson("other", "Run make generate after editing any proto file", func(l *lessons.Lesson) { l.Scope.Project = "elsewhere" }),
	)...)
	hits, err := x.Similar(t.Context(), l, 2)
	if err != nil {
		t.Fatal(err)
	}
	if len(hits) != 2 || hits[0].Lesson.ID != "twin" || hits[1].Lesson.ID != "world" || hits[0].Match < 0.8 {
		t.Errorf("similar: %+v", hits)
	}
	if hits, err = x.Similar(t.Context(), lessons.Lesson{ID: "empty"}, 5); err != nil || len(hits) != 0 {
		t.Errorf("similar to nothing: %v, %v", hits, err)
	}
}

// The words that a lesson has to itself must not keep those that it shares from
// finding its twin in other words.
func TestSimilarInOtherWords(t *testing.T) {
	l := lesson("a", "Run make generate after editing any .proto file; CI fails on a stale client", func(l *lessons.Lesson) {
		l.Insight = "Jenkins compares checksums of checked-in stubs, and a forgotten regeneration blocked Friday's release train twice."
	})
	x := fill(t, append(corpus(20), l, lesson("twin", "Regenerate clients with buf generate after every .proto edit"))...)
	hits, err := x.Similar(t.Context(), l, 1)
	if err != nil {
		t.Fatal(err)
	}
	if len(hits) != 1 || hits[0].Lesson.ID != "twin" {
		t.Errorf("similar: %+v", hits)
	}
}

func TestCount(t *testing.T) {
	x := fill(t,
		lesson("a", "One", func(l *lessons.Lesson) { l.Tags = []string{"ci", "Go"} }),
		lesson("b", "Two", func(l *lessons.Lesson) { l.Status = lessons.Pending; l.Category = "bugfix" }),
		lesson("d", "Four", func(l *lessons.Lesson) { l.Status, l.Lane = lessons.Pending, lessons.Maybe }),
		lesson("c", "Three", func(l *lessons.Lesson) { l.Scope.Project = "Other"; l.Scope.Role = "developer:go" }),
	)
	n, facets, err := x.Facets(t.Context(), index.Query{}.Where(index.Status, "approved"),
		index.Project, index.Role, index.Category, index.Kind, index.Status, index.Tag)
	if err != nil {
		t.Fatal(err)
	}
	got := fmt.Sprint(n, facets)
	if want := "2 [{project [{octofs 1} {Other 1}]} {role [{developer 2} {developer:go 1}]} {category [{workflow 2}]} {kind [{workflows 2}]} {status [{approved 2} {pending 2}]} {tag [{ci 1} {go 1}]}]"; got != want {
		t.Errorf("counts:\n got %s\nwant %s", got, want)
	}
	if _, facets, err = x.Facets(t.Context(), index.Query{}, index.Lane); err != nil || fmt.Sprint(facets) != "[{lane [{likely 1} {maybe 1}]}]" {
		t.Errorf("lanes %v, %v", facets, err)
	}
}

func TestPages(t *testing.T) {
	x := fill(t, corpus(95)...)
	for _, s := range []string{"", "the", "before restart sort:score", "server sort:used"} {
		q, err := index.ParseQuery(s)
		if err != nil {
			t.Fatal(err)
		}
		seen := map[lessons.ID]bool{}
		for q.Limit = 10; ; q.Offset += q.Limit {
			p, err := x.Search(t.Context(), q)
			if err != nil {
				t.Fatal(err)
			}
			for _, h := range p.Hits {
				if seen[h.Lesson.ID] {
					t.Fatalf("%q: %s is on two pages", s, h.Lesson.ID)
				}
				seen[h.Lesson.ID] = true
			}
			if len(p.Hits) == 0 {
				if len(seen) != p.Total {
					t.Errorf("%q: %d on all pages, of %d", s, len(seen), p.Total)
				}
				break
			}
		}
	}
	if p, err := x.Search(t.Context(), index.Query{Offset: 1 << 40, Limit: 1 << 40}); err != nil || len(p.Hits) > 0 {
		t.Errorf("far behind the end: %d hits, %v", len(p.Hits), err)
	}
	if _, err := x.Search(t.Context(), index.Query{Offset: -5, Limit: -5}); err != nil {
		t.Errorf("before the beginning: %v", err)
	}
}

// TestFields asks for each field, with words and orders.
func TestFields(t *testing.T) {
	at := func(days int) time.Time { return day0.AddDate(0, 0, days) }
	x := fill(t,
		lesson("a1", "Restart the server before you push", func(l *lessons.Lesson) {
			l.Category, l.Scope.Role, l.Tags, l.Pinned, l.Confidence = "errors", "developer:go", []string{"CI"}, true, 0.9
			l.Use, l.Origin = lessons.Use{Used: 3, Helped: 2}, lessons.Origin{Extractor: "rules:en", Score: 0.5}
			l.Evidence = []lessons.Evidence{{Session: "s-one", Line: 4, By: lessons.ByPerson, Quote: "restart it"}}
			l.Decided = lessons.Decision{By: "sam", At: at(3)}
		}),
		lesson("b2", "Clear the cache of the server", func(l *lessons.Lesson) {
			l.Status, l.Lane, l.Category, l.Outside, l.Confidence, l.Created = lessons.Pending, lessons.Maybe, "bugfix", true, 0.5, at(5)
			l.Evidence = []lessons.Evidence{{Session: "t-two", Line: 1, By: lessons.ByTool, Quote: "cache"}, {Session: "t-three", Line: 2, By: lessons.ByTool, Quote: "cache"}}
		}),
		lesson("c3", "Push to the mirror", func(l *lessons.Lesson) {
			l.Status, l.Scope.Global, l.Scope.Project, l.Scope.Role, l.Confidence = lessons.Rejected, true, "Other", "", 0.3
			l.Use, l.Created, l.Decided = lessons.Use{Harmed: 1}, at(10), lessons.Decision{By: "sam", Reason: "too specific", At: at(11), Into: "a1"}
		}),
		lesson("d4", "Lint before you push", func(l *lessons.Lesson) {
			l.Limit.Paths, l.Created, l.Status, l.Lane = []string{"*.go"}, at(-20), lessons.Pending, lessons.Likely
		}),
	)
	for q, want := range map[string]string{
		"": "c3 b2 a1 d4", "sort:score": "a1 d4 b2 c3", "sort:used": "a1 c3 b2 d4", "sort:confirmed": "c3 b2 a1 d4", "sort:queue": "d4 b2 a1 c3",
		"kind:error": "b2 a1", "category:errors": "a1", "cat:bugfix": "b2", "project:OTHER": "c3", "-project:other": "b2 a1 d4", "for:octofs": "c3 b2 a1 d4", "for:none": "c3",
		"role:developer": "b2 a1 d4", "role:developer:go": "a1", "tag:ci": "a1", "status:approved status:rejected": "c3 a1", "-status:pending": "c3 a1",
		"lane:maybe": "", "lane:likely": "d4", "lane:outside": "", "lane:quarantined": "b2", "by:rules": "a1", "by:rules:en": "a1", "who:person": "a1", "-who:tool": "c3 a1 d4", "id:b": "b2", "session:t-": "b2",
		"into:a1": "c3", "global:yes": "c3", "global:no": "b2 a1 d4", "pinned:yes": "a1", "outside:yes": "b2", `refused:"too specific"`: "c3", "judged:yes": "a1", "record:s-one:4": "a1", "due:yes": "", "due:no": "c3 b2 a1 d4",
		"conf:>0.5": "a1 d4", "conf:medium": "b2", "conf:<=0.5": "c3 b2", "used:0": "c3 b2 d4", "used:>1": "a1", "helped:2": "a1", "harmed:>0": "c3",
		"age:>20d": "a1 d4", "age:<500h": "c3 b2", "-age:1w..3w": "a1 d4",
		"decided:2026-10-12": "a1", "decided:>2026-10-12": "c3", "decided:<=2026-10-19": "a1", "-decided:2026-10-20": "b2 a1 d4",
		"server sort:created": "b2 a1", "serv* sort:created": "b2 a1", "-cache": "c3 a1 d4", "cache|mirror sort:created": "c3 b2", "-cache|server": "c3 d4", "the sort:created": "c3 b2 a1 d4", "nosuchword": "",
		"push status:approved": "a1", `"you push" sort:created`: "a1 d4",
	} {
		parsed, err := index.ParseQuery(q)
		if err != nil {
			t.Fatal(err)
		}
		parsed.Now = at(25)
		p, err := x.Search(t.Context(), parsed)
		if got := strings.Trim(fmt.Sprint(ids(p.Shown())), "[]"); err != nil || got != want || p.Total != len(p.Hits) {
			t.Errorf("%s finds %q of %d, want %q, %v", q, got, p.Total, want, err)
		}
	}
	also := index.Query{Also: "c3"}.Where(index.Status, "approved")
	if p, err := x.Search(t.Context(), also); err != nil || fmt.Sprint(ids(p.Shown())) != "[c3 a1]" {
		t.Errorf("also c3: %v, %v", ids(p.Shown()), err)
	}
}

// TestPhrases: words in a row, over what an identifier is made of and with any word where
// a stop word stands, and never from one text of a lesson to the next.
func TestPhrases(t *testing.T) {
	x := fill(t,
		lesson("one", "Run the tests of parse_query in go.mod", func(l *lessons.Lesson) { l.Insight, l.Triggers = "Build first", []string{"the lock"} }),
		lesson("two", "Tests run; the lockFile is built", func(l *lessons.Lesson) { l.Tags = []string{"go"} }),
		lesson("three", "日本語 の テスト run tests"),
	)
	for phrase, want := range map[string]string{
		"run the tests": "one", "run a test": "one", "run tests": "three", "tests run": "two", "test of query": "", "tests of parse_query": "one", "parse query": "one", "query in go": "one",
		"go.mod": "one", "mod build": "", "lock the": "one two", "lock file": "two", "the lockfile": "two", "日本語": "three", "built go": "", "the": "one three two", "of query": "one",
	} {
		p, err := x.Search(t.Context(), index.Query{Terms: []index.Term{{Text: phrase, Phrase: true}}, Sort: index.Created})
		if got := strings.Trim(fmt.Sprint(ids(p.Shown())), "[]"); err != nil || got != want {
			t.Errorf("%q is in %q, want %q, %v", phrase, got, want, err)
		}
	}
}

// TestAll finds more lessons than bleve gives at a time, each once, also where
// many have one date.
func TestAll(t *testing.T) {
	const n = 10_123
	ls := make([]lessons.Lesson, n)
	for i := range ls {
		ls[i] = lesson(fmt.Sprintf("l%06d", i), "Use rg", func(l *lessons.Lesson) {
			l.Created = day0.Add(time.Duration(i/4000) * time.Hour)
		})
	}
	x := fill(t, ls...)
	for _, q := range []index.Query{{}, index.Text("rg"), index.Query{Limit: 3, Offset: 2}} {
		hits, err := x.All(t.Context(), q)
		if err != nil || len(hits) != n {
			t.Fatalf("%d hits, %v", len(hits), err)
		}
		seen := map[lessons.ID]bool{}
		for i, h := range hits {
			if seen[h.Lesson.ID] {
				t.Fatalf("%s comes twice", h.Lesson.ID)
			}
			seen[h.Lesson.ID] = true
			if i > 0 && h.Lesson.Created.After(hits[i-1].Lesson.Created) {
				t.Fatalf("hit %d is newer than the one before it", i)
			}
		}
	}
}

// What is asked for with a least share is what has it without.
func TestLeast(t *testing.T) {
	words := []string{"alpha", "beta", "gamma", "delta", "epsilon", "zeta", "the", "please"}
	rapid.Check(t, func(r *rapid.T) {
		text := func(label string) string {
			return strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 1, 6).Draw(r, label), " ")
		}
		var ls []lessons.Lesson
		for i := range rapid.IntRange(1, 12).Draw(r, "n") {
			ls = append(ls, lesson(fmt.Sprintf("l%02d", i), text("lesson")))
		}
		x := fill(t, ls...)
		q := index.Text(text("asked") + rapid.SampledFrom([]string{"", " unheard", " unheard of words"}).Draw(r, "more"))
		q.Sort, q.Limit, q.Now = index.Relevance, 100, time.Now()
		all, err := x.Search(t.Context(), q)
		if err != nil {
			r.Fatal(err)
		}
		q.Least = rapid.SampledFrom([]float64{0.2, 0.5, 0.9, 1}).Draw(r, "least")
		some, err := x.Search(t.Context(), q)
		if err != nil {
			r.Fatal(err)
		}
		want, got := map[lessons.ID]float64{}, map[lessons.ID]float64{}
		for _, h := range all.Hits {
			if h.Match >= q.Least {
				want[h.Lesson.ID] = h.Match
			}
		}
		for _, h := range some.Hits {
			got[h.Lesson.ID] = h.Match
		}
		if !maps.Equal(got, want) {
			r.Fatalf("with at least %v: %v, want %v", q.Least, got, want)
		}
	})
}
