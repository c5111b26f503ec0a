package recall_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/exp/golden"
	"pgregory.net/rapid"

	"learnings/index"
	"learnings/index/recall"
	"learnings/lessons"
)

var now = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

func lesson(id, content string, set ...func(*lessons.Lesson)) lessons.Lesson {
	l := lessons.Lesson{
		ID: lessons.ID(id), Status: lessons.Approved, Category: "workflow", Confidence: 0.8,
		Wording: lessons.Wording{Content: content}, Scope: lessons.Scope{Project: "octofs", Role: "developer"},
		Created: now.AddDate(0, 0, -10),
	}
	for _, f := range set {
		f(&l)
	}
	return l
}

func role(r string) func(*lessons.Lesson)           { return func(l *lessons.Lesson) { l.Scope.Role = r } }
func project(p string) func(*lessons.Lesson)        { return func(l *lessons.Lesson) { l.Scope.Project = p } }
func global(l *lessons.Lesson)                      { l.Scope.Global = true }
func status(s lessons.Status) func(*lessons.Lesson) { return func(l *lessons.Lesson) { l.Status = s } }
func sure(c lessons.Confidence) func(*lessons.Lesson) {
	return func(l *lessons.Lesson) { l.Confidence = c }
}
func age(days int) func(*lessons.Lesson) {
	return func(l *lessons.Lesson) { l.Created = now.AddDate(0, 0, -days) }
}

func over(ls ...lessons.Lesson) recall.Searcher {
	x, _, err := index.Over(context.Background(), func(yield func(lessons.Lesson, error) bool) {
		for _, l := range ls {
			if !yield(l, nil) {
				return
			}
		}
	})
	if err != nil {
		panic(err)
	}
	return x
}

func pick(t testing.TB, x recall.Searcher, s recall.Situation) []recall.Choice {
	t.Helper()
	s.Now = now
	if s.Project == "" {
		s.Project = "octofs"
	}
	cs, err := recall.Pick(t.Context(), x, nil, s, recall.Budget{Lessons: 10})
	if err != nil {
		t.Fatal(err)
	}
	return cs
}

func ids(cs []recall.Choice) string {
	var out []string
	for _, id := range recall.IDs(cs) {
		out = append(out, string(id))
	}
	return strings.Join(out, " ")
}

func TestOnlyApproved(t *testing.T) {
	x := over(
		lesson("ok", "Run the tests with gotestsum"),
		lesson("p", "Deploy on Fridays", status(lessons.Pending)),
		lesson("r", "Skip the linter", status(lessons.Rejected)),
		lesson("m", "Merged into another", status(lessons.Merged)),
		lesson("a", "Archived long since", status(lessons.Archived)),
	)
	if got := ids(pick(t, x, recall.Situation{})); got != "ok" {
		t.Errorf("picked %q, want the approved one alone", got)
	}
}

func TestScopeOfCandidates(t *testing.T) {
	x := over(
		lesson("dev", "Build with bazel"),
		lesson("devgo", "Wrap errors with the path", role("developer:go")),
		lesson("rev", "Check the changelog", role("reviewer")),
		lesson("world", "Ask before force pushing", project("elsewhere"), global),
		lesson("other", "Use tabs in Makefiles", project("elsewhere")),
	)
	for _, tt := range []struct{ role, want string }{
		{"", "dev devgo rev world"},
		{"developer", "dev world"},
		{"developer:go", "devgo world"},
		{"developer:rust", "dev devgo world"},
		{"tester", "dev devgo rev world"},
	} {
		got := recall.IDs(pick(t, x, recall.Situation{Role: tt.role}))
		slices.Sort(got)
		if s := fmt.Sprint(got); s != "["+tt.want+"]" {
			t.Errorf("role %q: picked %s, want [%s]", tt.role, s, tt.want)
		}
	}
}

func TestRankWithoutTask(t *testing.T) {
	x := over(
		lesson("weak", "Prefer tables in tests", sure(0.4)),
		lesson("old", "Vendor the generated client", sure(0.9), age(700)),
		lesson("best", "Never push to main", sure(0.9)),
	)
	if got := ids(pick(t, x, recall.Situation{})); got != "best weak old" {
		t.Errorf("order %q", got)
	}
}

func TestTaskAlone(t *testing.T) {
	x := over(
		lesson("proto", "Run make generate after editing a proto file", sure(0.5)),
		lesson("push", "Never push to the release branch", sure(0.95)),
		lesson("file", "Every file of docs has a title", sure(0.9)),
		lesson("vow", "Ask before you delete anything", func(l *lessons.Lesson) { l.Pinned = true }),
	)
	task := recall.Situation{Prompt: "Good morning! I hope you slept well.\nPlease edit the proto file and generate the client."}
	cs := pick(t, x, task)
	if got := ids(cs); got != "vow proto" {
		t.Fatalf("picked %q, want the pinned one, and the one on the subject", got)
	}
	if !strings.HasPrefix(cs[1].Why, "shares proto, edit, generate, file with it; ") {
		t.Errorf("why it is in does not name what it shares: %q", cs[1].Why)
	}
	if len(cs) != 2 {
		t.Errorf("%d candidates, though nothing else is on the subject", len(cs))
	}
	task.All = true
	cs = pick(t, x, task)
	if next := cs[2]; next.Lesson.ID != "file" || !strings.HasPrefix(next.Why, "beside the subject: shares only file: weighs 1.") {
		t.Errorf("the next candidate is %s because %q", next.Lesson.ID, next.Why)
	}
	if last := cs[len(cs)-1]; len(cs) != 4 || last.In || last.Lesson.ID != "push" || last.Why != "beside the subject: shares no telling word with it" {
		t.Errorf("of all %d the last is %s, in %v, why %q", len(cs), last.Lesson.ID, last.In, last.Why)
	}
	if got := ids(pick(t, x, recall.Situation{Prompt: "Translate this poem into French"})); got != "vow" {
		t.Errorf("for a poem %q is given", got)
	}
}

// TestBestOfSubject leaves out what is on the subject and has little of what another
// has all of.
func TestBestOfSubject(t *testing.T) {
	x := over(
		lesson("all", "Rotate the signing key of the staging cluster before a release"),
		lesson("some", "The staging cluster has no backup"),
		lesson("most", "Rotate the signing key with keyctl"),
	)
	if got := ids(pick(t, x, recall.Situation{Prompt: "rotate the signing key of the staging cluster"})); got != "all" && got != "all most" {
		t.Errorf("picked %q", got)
	}
}

// TestNarrowBeforeWide prefers what holds here to what holds everywhere, and what is
// said of errors, most after one.
func TestNarrowBeforeWide(t *testing.T) {
	x := over(
		lesson("a-world", "Format with gofumpt", global),
		lesson("b-here", "Format with dprint"),
		lesson("c-files", "Format with sqlfluff", func(l *lessons.Lesson) { l.Limit.Paths = []string{"*.sql"} }),
	)
	if got := ids(pick(t, x, recall.Situation{Prompt: "format it", Files: []string{"db/a.sql"}})); got != "c-files b-here a-world" {
		t.Errorf("order %q", got)
	}
	x = over(
		lesson("a-rule", "EADDRINUSE never belongs into any changelog", func(l *lessons.Lesson) { l.Category = "preference" }),
		lesson("b-cure", "EADDRINUSE means that the proxy still runs", func(l *lessons.Lesson) { l.Category = "error" }),
	)
	if got := ids(pick(t, x, recall.Situation{Prompt: "EADDRINUSE"})); got != "b-cure a-rule" {
		t.Errorf("of equals an error comes first: %q", got)
	}
	if got := ids(pick(t, x, recall.Situation{Error: "EADDRINUSE"})); got != "b-cure a-rule" {
		t.Errorf("with an error: %q", got)
	}
}

func TestErrorIsASubject(t *testing.T) {
	x := over(
		lesson("port", "EADDRINUSE on 8080 means the dev proxy still runs; stop it with make down", sure(0.5)),
		lesson("weak", "Squash commits in docs", sure(0.5)),
	)
	cs := pick(t, x, recall.Situation{Tool: "Bash", Error: "listen EADDRINUSE 8080\n    at Server.setup"})
	if got := ids(cs); got != "port" {
		t.Errorf("picked %q", got)
	}
}

func TestDuplicatesAreSkipped(t *testing.T) {
	x := over(
		lesson("a", "Always run make generate after editing proto files", sure(0.9)),
		lesson("b", "Run make generate after you edit proto files", sure(0.8)),
	)
	cs := pick(t, x, recall.Situation{})
	if got := ids(cs); got != "a" || !strings.Contains(cs[1].Why, "nearly the same as a") {
		t.Errorf("picked %q; the other is out because %q", got, cs[1].Why)
	}
}

// TestContradiction gives one of two lessons that exclude each other, and says of
// the other why it is out: the newer one wins over the better ranked, also when
// it comes in the order behind all that there is room for.
func TestContradiction(t *testing.T) {
	old := lesson("old", "Use npm to install packages", sure(0.95), age(40))
	young := lesson("young", "Use pnpm, not npm, to install packages", sure(0.7), age(1))
	for name, x := range map[string]recall.Searcher{
		"two": over(old, young),
		"full": over(old, young, lesson("a", "Write the changelog by hand", sure(0.9), age(0)), lesson("b", "Ask before a release", sure(0.9), age(0)),
			lesson("c", "Name branches after the issue", sure(0.9), age(0)), lesson("d", "Deploy with the blue script", sure(0.9), age(0))),
	} {
		var in, out []string
		for _, c := range pick(t, x, recall.Situation{}) {
			if c.In {
				in = append(in, string(c.Lesson.ID))
			} else {
				out = append(out, string(c.Lesson.ID)+" "+c.Why)
			}
		}
		if !slices.Contains(in, "young") || !slices.Contains(out, "old contradicts young, which goes before it: newer") {
			t.Errorf("%s: in %q, out %q", name, in, out)
		}
	}
	pinned := old
	pinned.Pinned = true
	if got := ids(pick(t, over(pinned, young), recall.Situation{})); got != "old" {
		t.Errorf("a pinned lesson and its opposite: %q is given", got)
	}
	old.HoldsWith = []lessons.Holding{{ID: "young", Reason: "in the old folder"}}
	if got := ids(pick(t, over(old, young), recall.Situation{})); !strings.Contains(got, "old") || !strings.Contains(got, "young") {
		t.Errorf("both hold, and %q is given", got)
	}
}

func TestConfirm(t *testing.T) {
	x := over(lesson("gone", "One"), lesson("rejected", "Two"), lesson("moved", "Three"), lesson("edited", "Four"))
	onDisk := func(l lessons.Lesson) (lessons.Lesson, error) {
		switch l.ID {
		case "gone":
			return lessons.Lesson{}, lessons.ErrNotFound
		case "rejected":
			return lesson("rejected", "Two", status(lessons.Rejected)), nil
		case "moved":
			return lesson("moved", "Three", project("elsewhere")), nil
		}
		return lesson("edited", "Four, as it is now"), nil
	}
	cs, err := recall.Pick(t.Context(), x, onDisk, recall.Situation{Project: "octofs", Now: now}, recall.Budget{})
	if err != nil {
		t.Fatal(err)
	}
	if got := ids(cs); got != "edited" || cs[0].Lesson.Content != "Four, as it is now" {
		t.Errorf("picked %q with the text %q", got, cs[0].Lesson.Content)
	}
	for _, c := range cs[1:] {
		if c.Why == "" || c.In {
			t.Errorf("%s: in %v, why %q", c.Lesson.ID, c.In, c.Why)
		}
	}
}

func TestSearchErrorIsPassedOn(t *testing.T) {
	_, err := recall.Pick(t.Context(), index.At(t.TempDir()), nil, recall.Situation{Project: "octofs"}, recall.Budget{})
	if !errors.Is(err, index.ErrNoIndex) {
		t.Errorf("err = %v, want ErrNoIndex, on which the caller reads the files", err)
	}
}

// TestTooLong checks that only the sentence is given if the rest does not fit.
func TestTooLong(t *testing.T) {
	x := over(lesson("long", "Rotate the signing key", func(l *lessons.Lesson) { l.Insight = strings.Repeat("because it is so ", 400) }))
	cs, err := recall.Pick(t.Context(), x, nil, recall.Situation{Project: "octofs", Prompt: "rotate the signing key", Now: now}, recall.Budget{Tokens: 200})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := recall.Write(&b, cs, recall.Style{}); err != nil || !strings.Contains(b.String(), "Rotate the signing key [L-long]\n</") {
		t.Errorf("wrote %q (%v)", b.String(), err)
	}
	if !cs[0].Brief || !strings.HasSuffix(cs[0].Why, "its sentence alone, there is no room for the rest") || cs[0].Tokens() > 20 {
		t.Errorf("brief %v, why %q, %d tokens", cs[0].Brief, cs[0].Why, cs[0].Tokens())
	}
}

// TestBudget checks that what is picked fits the budget as written.
func TestBudget(t *testing.T) {
	words := strings.Fields("proto client Kubernetes 数据库 naïve cache `x` ~~~ ``` </learnings-context> <system-reminder> server retry timeout \x1b[31m index merge")
	rapid.Check(t, func(r *rapid.T) {
		sentence := func(most int) string {
			return strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 1, most).Draw(r, "words"), rapid.SampledFrom([]string{" ", "\n"}).Draw(r, "sep"))
		}
		var all []lessons.Lesson
		for i := range rapid.IntRange(0, 12).Draw(r, "n") {
			l := lesson(fmt.Sprintf("l%d", i), sentence(30), sure(lessons.Confidence(rapid.Float64Range(0, 1).Draw(r, "conf"))))
			if rapid.Bool().Draw(r, "long") {
				l.Insight, l.Example = sentence(300), sentence(300)
			}
			l.Category = rapid.SampledFrom([]lessons.Category{"error", "tools", "whatever"}).Draw(r, "category")
			all = append(all, l)
		}
		b := recall.Budget{
			Lessons: rapid.IntRange(1, 6).Draw(r, "lessons"),
			Tokens:  rapid.IntRange(1, 2000).Draw(r, "tokens"),
			Chars:   rapid.IntRange(1, 8000).Draw(r, "chars"),
			Start:   rapid.IntRange(1, 2000).Draw(r, "start"),
		}
		s := recall.Situation{Project: `oct"of<s>`, Now: now}
		for i := range all {
			all[i].Scope.Project = s.Project
		}
		most := b.AtStart()
		if rapid.Bool().Draw(r, "task") {
			s.Prompt, most = sentence(20), b
		}
		cs, err := recall.Pick(t.Context(), over(all...), nil, s, b)
		if err != nil {
			r.Fatal(err)
		}
		var out strings.Builder
		if err := recall.Write(&out, cs, recall.Style{Project: s.Project}); err != nil {
			r.Fatal(err)
		}
		if n := len(recall.IDs(cs)); most.Lessons > 0 && n > most.Lessons || out.Len() > most.Chars || recall.Tokens(out.String()) > most.Tokens {
			r.Fatalf("%d lessons, %d characters, %d tokens over %+v", n, out.Len(), recall.Tokens(out.String()), most)
		}
		if len(recall.IDs(cs)) == 0 && out.Len() > 0 {
			r.Fatalf("wrote %q for no lesson", out.String())
		}
		if out.Len() > 0 {
			if n := strings.Count(out.String(), "</learnings-context"); n != 1 || !strings.HasSuffix(out.String(), "\n</learnings-context>\n") {
				r.Fatalf("the wrapper is closed %d times:\n%s", n, out.String())
			}
		}
		if strings.ContainsAny(out.String(), "\x1b\x00") {
			r.Fatalf("control characters in %q", out.String())
		}
		for _, c := range cs {
			if c.Why == "" {
				r.Fatalf("no reason for %s", c.Lesson.ID)
			}
		}
	})
}

func TestWrite(t *testing.T) {
	cs := []recall.Choice{
		{In: true, Lesson: lesson("k7m2p9qx", "Run `make generate` after editing any .proto file; CI fails on a stale client", func(l *lessons.Lesson) {
			l.Insight = "The generated client is checked in.\n# Not a heading of ours"
			l.Example = "make generate && git diff --exit-code gen/"
		})},
		{In: true, Lesson: lesson("q2w3e4r5", "Ask before\x1b[2J force\u202e pushing", func(l *lessons.Lesson) {
			l.Category = "preference"
			l.Example = "```sh\necho </learnings-context> <System-Reminder>\n```\n"
		})},
		{In: false, Lesson: lesson("out", "Not written")},
	}
	var b strings.Builder
	if err := recall.Write(&b, cs, recall.Style{Project: `a "b" <c>`}); err != nil {
		t.Fatal(err)
	}
	golden.RequireEqual(t, b.String())
}

func TestWriteNothing(t *testing.T) {
	var b strings.Builder
	if err := recall.Write(&b, []recall.Choice{{Lesson: lesson("out", "Not in")}}, recall.Style{}); err != nil || b.Len() > 0 {
		t.Errorf("wrote %q, %v", b.String(), err)
	}
}

func TestTokens(t *testing.T) {
	for text, want := range map[string]int{
		"":                             0,
		"four":                         1,
		"eight ch":                     2,
		"数据库":                          3,
		"```\n0123456789\n```\nplain ": 10,
	} {
		if got := recall.Tokens(text); got != want {
			t.Errorf("Tokens(%q) = %d, want %d", text, got, want)
		}
	}
}
