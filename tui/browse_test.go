package tui

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"learnings/index"
	"learnings/lessons"
	"learnings/lessons/pairs"
)

// library returns approved lessons of two projects.
func library() []lessons.Lesson {
	ls := proposals()
	for i := range ls {
		ls[i].Status = lessons.Approved
		ls[i].Decided = lessons.Decision{By: "Ada", At: noon}
	}
	ls[0].Scope = lessons.Scope{Project: "ledger", Role: "reviewer"}
	ls[1].Status = lessons.Rejected
	return ls
}

func TestBrowseChoosesInFacets(t *testing.T) {
	p := playing(t, fxOn(newCorpus(t, library()...)), 120, 40).press("tab")
	p.wants(t, "at first", "/ approved", "5 lessons", "○ ledger")
	to := func(name string) { // moves to a value of the facets
		p.press("h", "g")
		for range 40 {
			if text := p.text(); strings.Contains(text, "▌○ "+name) || strings.Contains(text, "▌● "+name) {
				return
			}
			p.press("j")
		}
		t.Fatalf("no %s:\n%s", name, p.text())
	}
	to("ledger")
	p.press("space").wants(t, "one project", "/ ledger × approved", "1 lesson ", "● ledger", "○ octofs")
	to("octofs") // both: values of a field are alternatives
	p.press("enter").wants(t, "two projects", "ledger or octofs × approved", "5 lessons")
	to("workflow") // another field is a further condition
	p.press("enter").wants(t, "and a category", "ledger or octofs × workflow × approved")
	if got := p.text(); !strings.Contains(got, "tool-usage") && !strings.Contains(got, "error-fix") || strings.Contains(got, "workflows") {
		t.Errorf("categories that are not chosen are called otherwise:\n%s", got)
	}
	p.press("l", "esc").wants(t, "esc does not go back to what is in force", "/ approved ", "5 lessons")
}

// A project has the spelling of most of its lessons, and case does not separate projects.
func TestFacetsWriteProjectsAsTheyAre(t *testing.T) {
	ls := library()
	for i := range ls {
		ls[i].Scope.Project = "OctoFS"
	}
	ls[2].Scope.Project = "octofs"
	p := playing(t, fxOn(newCorpus(t, ls...)), 120, 40).press("tab")
	if got := p.text(); !strings.Contains(got, "○ OctoFS") || strings.Contains(got, "○ octofs") {
		t.Errorf("the facets:\n%s", got)
	}
}

// Some named queries are built in, others are the person's.
func TestViews(t *testing.T) {
	kept := map[string]string{}
	fx := fxOn(newCorpus(t, library()...))
	fx.SetView = func(name, query string) error { kept[name] = query; return nil }
	p := playing(t, fx, 120, 40).press("tab", "/").typed("pnpm").press("enter", "'").typed("my view").press("enter")
	if kept["my view"] != "pnpm status:approved" {
		t.Errorf("kept %q:\n%s", kept, p.text())
	}
	p.press("esc", "'").wants(t, "the views", "my view", "never used")
	p.typed("my").press("enter")
	p.wants(t, "the view that was kept", "/ approved × pnpm", "1 lesson ")
	p.press("'").typed("forget").press("enter")
	if kept["my view"] != "" || !strings.Contains(p.text(), "forgotten") {
		t.Errorf("still kept: %q\n%s", kept, p.text())
	}
}

func TestBrowseSearchesAsOneTypes(t *testing.T) {
	p := playing(t, fxOn(newCorpus(t, library()...)), 120, 30).press("tab", "/").typed("pnpm")
	p.wants(t, "searching", "1/1", "Use pnpm instead of npm")
	p.press("enter", "f", "f") // no rejected ones
	p.wants(t, "among rejected ones", "No lesson is like that")
	p.press("esc").wants(t, "all rejected ones", "bleve's bm25")
	p.press("/").typed("conf:>").wants(t, "a query that cannot be read yet must say so", "is no confidence")
}

func TestBrowseDecides(t *testing.T) {
	c := newCorpus(t, library()...)
	p := playing(t, fxOn(c), 120, 30).press("tab", "/").typed("pnpm").press("enter", "z")
	if l := c.get("d9u4p2nm"); l.Status != lessons.Archived {
		t.Errorf("z left it %s", l.Status)
	}
	p.press("esc", "*", "space", "space", "x").wants(t, "rejecting two", "reject 2 lessons, because").press("x").press("y")
	n := 0
	for _, l := range c.all() {
		if l.Status == lessons.Rejected && l.Decided.Reason != "" {
			n++
		}
	}
	if n != 2 {
		t.Errorf("%d lessons rejected with a reason, want 2:\n%s", n, p.text())
	}
}

func TestBrowseMerges(t *testing.T) {
	p := playing(t, fxOn(newCorpus(t, library()...)), 120, 30).press("tab", "space", "space", "m").wants(t, "two that are marked", "merge 2")
	p.press("y").wants(t, "two roles", "not for the role reviewer: i writes").press("i", "ctrl+a").wants(t, "merged", "⊕ merged", "4 lessons").press("u").wants(t, "undone", "✓ undone: merged", "5 lessons")
}

// endless finds a hundred thousand approved lessons.
type endless struct{ asked int }

func (e *endless) Search(_ context.Context, q index.Query) (index.Page, error) {
	if !slices.ContainsFunc(q.Filters, func(f index.Filter) bool { return f.Value == string(lessons.Approved) }) {
		return index.Page{}, nil // the queue
	}
	e.asked++
	page := index.Page{Total: 100_000}
	for i := range q.Limit {
		page.Hits = append(page.Hits, index.Hit{Lesson: lessons.Lesson{ID: lessons.ID(fmt.Sprint(q.Offset + i)), Wording: lessons.Wording{Content: fmt.Sprintf("lesson %d", q.Offset+i)}}})
	}
	return page, nil
}

func (e *endless) Near(context.Context, lessons.Lesson, int) ([]index.Hit, []pairs.Contrary) {
	return nil, nil
}

// A list of a hundred thousand loads only what is visible.
func TestBrowseAsksForWhatIsInSight(t *testing.T) {
	fx, long := fxOn(newCorpus(t)), &endless{}
	fx.Look = long
	p := playing(t, fx, 120, 30)
	long.asked = 0
	p.press("tab").press("G").wants(t, "at the end", "lesson 99999", "100,000/100,000")
	if long.asked > 3 {
		t.Errorf("going to the end asked %d times", long.asked)
	}
}

// Lessons a person vouches for are marked, and those due for review say why.
func TestBrowseTakesCare(t *testing.T) {
	ls := library()
	ls[3].Decided.At = noon.AddDate(0, 0, -20)
	ls[3].Created = ls[3].Decided.At
	ls[3].Use = lessons.Use{Used: 4, Helped: 2, Last: noon}
	c := newCorpus(t, ls...)
	p := playing(t, fxOn(c), 120, 30).press("tab", "/").typed("pnpm").press("enter")
	got := p.text()
	for _, want := range []string{"given to sessions 4 times", "helped 2 times", "approved 20 days ago, to be looked at"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in:\n%s", want, got)
		}
	}
	p.press("p")
	if l := c.get("d9u4p2nm"); !l.Pinned {
		t.Error("p does not pin")
	}
	if got := p.text(); !strings.Contains(got, "◆") || !strings.Contains(got, "✓ pinned") || strings.Contains(got, "again since") {
		t.Errorf("pinned:\n%s", got)
	}
	p.press("p", "-")
	if l := c.get("d9u4p2nm"); l.Pinned || l.Confidence != 0.7 || !l.Proof.Own {
		t.Errorf("p and - left it pinned %v, at %v, own %v", l.Pinned, l.Confidence, l.Proof.Own)
	}
	p.wants(t, "after -", "the confidence is")
	p.press("=")
	if l := c.get("d9u4p2nm"); l.Proof.Own || l.Confidence != 0.9 {
		t.Errorf("= left it at %v, own %v", l.Confidence, l.Proof.Own)
	}
	p.press("'").typed("stale").press("enter") // the view of stale lessons
	p.wants(t, "the view does not ask for what is due", "approved × due:yes")
	p.press("esc")
	if got := p.text(); strings.Contains(got, "due:yes") {
		t.Errorf("esc does not show all:\n%s", got)
	}
}

// Decisions in Review appear when Browse is shown again.
func TestBrowseIsUpToDateWhenShown(t *testing.T) {
	p := playing(t, fxOn(newCorpus(t, proposals()...)), 100, 30).wants(t, "before", "2 Browse 1")
	p.press("tab").wants(t, "at first", "1/1", "Run `buf breaking`")
	p.press("[", "a").wants(t, "after an approval", "✓ approved", "2 Browse 2")
	p.press("tab").wants(t, "Browse", "/2", "Prefer table tests")
	p.press("[", "u").wants(t, "after its undo", "✓ undone", "2 Browse 1")
	p.press("tab").wants(t, "Browse again", "1/1")
}
