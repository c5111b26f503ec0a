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

// TestScanAgrees holds the index to what reading every lesson finds.
func TestScanAgrees(t *testing.T) {
	now := day0.AddDate(0, 1, 0).In(time.FixedZone("east", 5*60*60+30*60))
	var all []lessons.Lesson
	for i, l := range corpus(120) {
		if i%4 == 0 {
			l.Decided.At = day0.Add(time.Duration(i) * 7 * time.Hour)
		}
		l.Scope.Global = i%7 == 0
		l.Status = lessons.Statuses[i%3]
		l.Use.Used = i % 4
		l.Lane = []lessons.Lane{"", lessons.Maybe}[i/3%2]
		for j := range i % 3 {
			l.Evidence = append(l.Evidence, lessons.Evidence{Session: fmt.Sprint("again", j), Line: i + 1, Quote: "again", By: lessons.ByPerson})
		}
		l.Origin.Extractor = []string{"rules", "import:octomind"}[i%2]
		l.Created = day0.Add(time.Duration(i) * 5 * time.Hour)
		if i%5 == 0 {
			l.Scope.Role = "developer:go"
		}
		all = append(all, l)
	}
	x := fill(t, all...)
	parts := []string{
		"server", "restart", "serv*", "-cache", `"before you"`, `-"before you run"`, "server12", "cache|restart", `"before you"|serv*`, "-cache|server", "the|cache", "the", "nosuchword",
		"project:project03", "project:project04", "-project:project03", "for:project05", "role:developer", "role:developer:go", "kind:error", "cat:errors", "cat:tools",
		"tag:cache", "status:approved", "-status:pending", "lane:maybe", "lane:likely", "lane:outside", "lane:quarantined", "by:import", "who:person", "-who:agent", "id:m000001", "global:yes", "global:no",
		"conf:>0.6", "conf:medium", "conf:<=0.5", "used:0", "used:>1", "harmed:0", "age:>20d", "age:<500h", "-age:1w..3w",
		"decided:" + day0.AddDate(0, 0, 3).Format(time.DateOnly), "-decided:" + day0.AddDate(0, 0, 2).Format(time.DateOnly),
		"decided:>" + day0.AddDate(0, 0, 5).Format(time.DateOnly), "decided:<=" + day0.AddDate(0, 0, 9).Format(time.DateOnly),
		"sort:score", "sort:created", "sort:used", "sort:confirmed", "sort:queue",
	}
	rapid.Check(t, func(r *rapid.T) {
		s := strings.Join(rapid.SliceOfN(rapid.SampledFrom(parts), 0, 5).Draw(r, "query"), " ")
		q, err := index.ParseQuery(s)
		if err != nil {
			r.Skip()
		}
		q.Now, q.Limit, q.Prefix = now, 1000, rapid.Bool().Draw(r, "prefix")
		q.AllWords = rapid.Bool().Draw(r, "all words")
		got, err := x.Search(t.Context(), q)
		if err != nil {
			r.Fatal(err)
		}
		a, b := ids(got.Shown()), ids(index.Scan(all, q))
		if q.Sort == "" || q.Sort == index.Relevance {
			slices.Sort(a)
			slices.Sort(b)
		}
		if !slices.Equal(a, b) || got.Total != len(b) {
			r.Fatalf("%q: the index finds %d, reading all finds %d\n%v\n%v", s, got.Total, len(b), a, b)
		}
	})
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
