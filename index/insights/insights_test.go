package insights

import (
	"fmt"
	"testing"
	"time"

	"learnings/extractor/past"
	"learnings/lessons"
	"learnings/lessons/proof"
)

var now = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

func ago(days int) time.Time { return now.AddDate(0, 0, -days) }

func lesson(id lessons.ID, s lessons.Status) lessons.Lesson {
	return lessons.Lesson{
		ID: id, Status: s, Confidence: 0.75, Wording: lessons.Wording{Content: "Use " + string(id)}, Scope: lessons.Scope{Project: "shop"},
		Created: ago(9), Decided: lessons.Decision{By: "sam", At: ago(2)}, Origin: lessons.Origin{Extractor: "rules", Score: 0.7},
	}
}

func change(op lessons.Op, days int, before, after lessons.Status) lessons.Change {
	c := lessons.Change{Op: op, At: ago(days), ID: "a"}
	if before != "" {
		l := lesson("a", before)
		c.Before = &l
	}
	if after != "" {
		l := lesson("a", after)
		c.After = &l
	}
	return c
}

func row(id string, days int, errors ...past.Error) past.Row {
	r := past.Row{Project: "shop"}
	r.Session.ID, r.Session.Start, r.End, r.Human, r.Errors = id, ago(days), ago(days).Add(time.Hour), 3, errors
	r.Did[0], r.Did[1] = 3, 2
	return r
}

func measure(t *testing.T, f Figures, name string) Measure {
	t.Helper()
	for _, m := range f.Success {
		if m.Name == name {
			return m
		}
	}
	t.Fatalf("no %s", name)
	return Measure{}
}

// What was not looked at is not known, and is no zero.
func TestNothing(t *testing.T) {
	f := New(now).Figures()
	for _, m := range f.Success {
		if m.Known || m.Missing == "" || m.How == "" || m.String() != "no data" || !m.Since.IsZero() {
			t.Errorf("%+v", m)
		}
	}
	if len(f.Success) != 12 {
		t.Errorf("%d measures", len(f.Success))
	}
}

func TestSuccess(t *testing.T) {
	c := New(now, "shop")
	a := lesson("a", lessons.Approved)
	a.Use.Helped, a.Use.Harmed = 3, 1
	a.Evidence = []lessons.Evidence{{By: lessons.ByTool, Quote: "cannot find module 7"}}
	c.Lesson(a)
	c.Lesson(lesson("r", lessons.Rejected))
	other := lesson("o", lessons.Approved)
	other.Scope.Project = "blog"
	c.Lesson(other)
	c.Given(proof.Injection{At: ago(5), Session: "s5", Event: "session-start", Lessons: []lessons.ID{"a"}})
	c.Given(proof.Injection{At: ago(4), Session: "s4", Event: "user-prompt", Lessons: []lessons.ID{"a"}})
	helped := change(lessons.OpFeedback, 4, lessons.Approved, lessons.Approved)
	helped.Session, helped.After.Use.Helped = "s4", 1
	c.Change(helped)
	miss := past.Error{ID: "m", Doing: "npm", Says: "Cannot find module 12", Count: 2}
	for _, r := range []past.Row{row("s8", 8, miss), row("s5", 5, miss), row("s4", 4), row("s3", 3), row("s1", 1, miss)} {
		c.Session(r)
	}
	sub := row("sub", 1, miss)
	sub.Session.Parent = "s1"
	c.Session(sub)
	f := c.Figures()
	if f.Counts.Active != 1 {
		t.Errorf("counts %+v", f.Counts)
	}
	if u := f.Use; len(u.Lessons) != 1 || u.Lessons[0].Given != 2 {
		t.Errorf("use %+v", u)
	}
	for name, want := range map[string]string{
		InjectionRate: "50% (2 of 4)", UsageRate: "50% (1 of 2)", Quality: "75% (3 of 4)", PrecedentCoverage: "25% (1 of 4)",
		RecurringMistakes: "100% (6 of 6)", ReadToEdit: "1.5:1", SpinningSessions: "0% (0 of 5)", TimeToCure: "6.0 days", RecurringAfterCure: "100% (1 of 1)",
	} {
		if m := measure(t, f, name); m.String() != want {
			t.Errorf("%s is %s, want %s", name, m, want)
		}
	}
	if m := measure(t, f, ReadToEdit); m.Flag == "" {
		t.Error("a ratio below 2:1 is not flagged")
	}
	m := f.Mistakes[0]
	if m.Lesson != "a" || m.After != 1 || m.Sessions != 3 || m.Count != 6 || m.Weeks[MistakeWeeks-1] != 4 || m.Weeks[MistakeWeeks-2] != 2 {
		t.Errorf("mistake %+v", m)
	}
	if f.Sessions.Count != 5 {
		t.Errorf("sessions %+v", f.Sessions)
	}
}

// What transcripts show of lessons counts as use, unless somebody said otherwise.
func TestUsageGoesByOutcomesToo(t *testing.T) {
	state := t.TempDir()
	sign := func(k proof.Kind) []proof.Sign { return []proof.Sign{{Kind: k, Line: 3}} }
	err := proof.KeepReading(state, proof.Reading{Session: "s1", File: "a.jsonl", At: now, Read: now, Lessons: []proof.Came{
		{ID: "a", Times: 1, Signs: sign(proof.Followed)}, {ID: "b", Times: 1, Signs: sign(proof.Contradicted)}, {ID: "c", Times: 1}, {ID: "never", Signs: sign(proof.Cited)},
	}})
	if err != nil {
		t.Fatal(err)
	}
	c := New(now)
	c.Given(proof.Injection{At: now, Session: "s1", Lessons: []lessons.ID{"a", "b", "c"}})
	if err := c.Outcomes(state); err != nil {
		t.Fatal(err)
	}
	for _, m := range c.Figures().Success {
		if m.Name == UsageRate && m.String() != "33% (1 of 3)" {
			t.Errorf("usage rate %s", m)
		}
	}
}

// TestCounts counts the lessons of one project and of all.
func TestCounts(t *testing.T) {
	first := now.AddDate(0, 0, -10)
	for project, want := range map[string]string{
		"":     "map[approved:11 pending:3] [workflows errors] 7 0.80 [id08 id05 id02 id13 id10] [id13 id12 id10 id09 id08] 10 4 8 1 10 2",
		"shop": "map[approved:9 pending:3] [workflows errors] 6 0.80 [id08 id05 id02 id10 id04] [id10 id09 id08 id06 id05] 9 3 8 1 8 2",
		"none": "map[] [] 0 0.00 [] [] 0 0 0 0 0 0",
	} {
		c := New(now, Only(project)...)
		for i := range 14 {
			c.Lesson(lessons.Lesson{
				ID: lessons.ID(fmt.Sprintf("id%02d", i)), Confidence: 0.8, Scope: lessons.Scope{Project: []string{"shop", "Shop"}[i/12]},
				Status:   []lessons.Status{lessons.Approved, lessons.Approved, lessons.Approved, lessons.Pending}[i%4],
				Category: []lessons.Category{"workflows", "errors"}[i%2], Created: first.Add(time.Duration(i) * time.Hour),
				Use: lessons.Use{Used: i % 3, Helped: i % 2, Harmed: []int{0, 0, 0, 0, 4}[i%5]}, Pinned: i == 2,
			})
		}
		f := c.Figures()
		n, u := f.Counts, f.Use
		ids := func(ls []lessons.Lesson) (out []lessons.ID) {
			for _, l := range ls {
				out = append(out, l.ID)
			}
			return out
		}
		most := n.Categories["workflows"]
		if got := fmt.Sprint(n.Statuses, n.Order(), most.N, fmt.Sprintf(" %.2f ", most.Average()), ids(u.Most), ids(u.Recent), u.Used, u.Helped, u.Harmed, n.Pinned, n.Again, n.Doubtful); got != want {
			t.Errorf("of %q:\n got %s\nwant %s", project, got, want)
		}
	}
}

// TestAverage checks that the mean of equal confidences is that confidence.
func TestAverage(t *testing.T) {
	var all Tally
	for range 10 {
		all.N, all.Sum = all.N+1, all.Sum+0.8
	}
	if got := all.Average(); got != 0.8 {
		t.Errorf("got %v", got)
	}
}
