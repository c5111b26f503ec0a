package tui

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"learnings/index"
	"learnings/lessons"
)

// library are approved lessons of two projects.
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

func TestBrowseWalksTheTree(t *testing.T) {
	p := playing(t, fxOn(newCorpus(t, library()...)), 120, 30).press("tab")
	if got := p.text(); !strings.Contains(got, "all projects") || !strings.Contains(got, "1/5") {
		t.Fatalf("at first:\n%s", got)
	}
	p.press("h", "j", "l") // to the tree, the first project, unfold it
	got := p.text()
	for _, want := range []string{"▸ ledger", "▾ octofs", "▸ developer", "approved · octofs", "1/4"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in:\n%s", want, got)
		}
	}
	tree := func() string { // what stands left of the lessons
		var b strings.Builder
		for l := range strings.SplitSeq(p.text(), "\n") {
			b.WriteString(string([]rune(l)[:min(24, len([]rune(l)))]) + "\n")
		}
		return b.String()
	}
	p.press("j", "l")
	if got := tree(); !strings.Contains(got, "▾ developer") || !strings.Contains(got, "workflow ") || !strings.Contains(got, "error-fix ") {
		t.Errorf("the role is not unfolded, or its shelves are not called as in the rows:\n%s", got)
	}
	p.press("k", "h")
	if got := tree(); strings.Contains(got, "workflow ") {
		t.Errorf("the project is not folded:\n%s", got)
	}
	p.press("j")
	if got := p.text(); !strings.Contains(got, "1/1") || !strings.Contains(got, "Prefer table tests") {
		t.Errorf("the other project:\n%s", got)
	}
	p.press("esc")
	if got := p.text(); !strings.Contains(got, "1/5") {
		t.Errorf("esc does not go back to all:\n%s", got)
	}
}

// A project is called as most of its lessons write it, and is one in any case.
func TestTreeWritesProjectsAsTheyAre(t *testing.T) {
	ls := library()
	for i := range ls {
		ls[i].Scope.Project = "OctoFS"
	}
	ls[2].Scope.Project = "octofs"
	p := playing(t, fxOn(newCorpus(t, ls...)), 120, 30).press("tab", "h", "j")
	if got := p.text(); !strings.Contains(got, "▸ OctoFS") || !strings.Contains(got, "1/5") || strings.Contains(got, "▸ octofs") {
		t.Errorf("the tree:\n%s", got)
	}
}

func TestBrowseSearchesAsOneTypes(t *testing.T) {
	p := playing(t, fxOn(newCorpus(t, library()...)), 120, 30).press("tab", "/").typed("pnpm")
	if got := p.text(); !strings.Contains(got, "1/1") || !strings.Contains(got, "Use pnpm instead of npm") {
		t.Fatalf("searching:\n%s", got)
	}
	p.press("enter", "f", "f") // rejected: none
	if got := p.text(); !strings.Contains(got, "No lesson matches") {
		t.Errorf("among rejected ones:\n%s", got)
	}
	p.press("esc")
	if got := p.text(); !strings.Contains(got, "bleve's bm25") {
		t.Errorf("all rejected ones:\n%s", got)
	}
	p.press("/").typed("conf:>")
	if got := p.text(); !strings.Contains(got, "column 6") {
		t.Errorf("a query that cannot be read yet must say so:\n%s", got)
	}
}

func TestBrowseDecides(t *testing.T) {
	c := newCorpus(t, library()...)
	p := playing(t, fxOn(c), 120, 30).press("tab", "/").typed("pnpm").press("enter", "z")
	if l := c.get("d9u4p2nm"); l.Status != lessons.Archived {
		t.Errorf("z left it %s", l.Status)
	}
	p.press("esc", "*", "space", "space", "x")
	if got := p.text(); !strings.Contains(got, "reject 2 lessons: why?") {
		t.Fatalf("rejecting two:\n%s", got)
	}
	p.press("1")
	p.press("y")
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
	c := newCorpus(t, library()...)
	p := playing(t, fxOn(c), 120, 30).press("tab", "space", "space", "m")
	if got := p.text(); !strings.Contains(got, "merge") {
		t.Fatalf("merging two that are marked:\n%s", got)
	}
	p.press("y")
	n := 0
	for _, l := range c.all() {
		if l.Status == lessons.Merged {
			n++
		}
	}
	if n != 1 {
		t.Errorf("%d lessons are merged away, want 1:\n%s", n, p.text())
	}
	p.press("u")
	for _, l := range c.all() {
		if l.Status == lessons.Merged {
			t.Errorf("%s is still merged after undo", l.ID)
		}
	}
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

func (e *endless) Similar(context.Context, lessons.Lesson, int) ([]index.Hit, error) { return nil, nil }

// A list of a hundred thousand asks for what is in sight and no more.
func TestBrowseAsksForWhatIsInSight(t *testing.T) {
	fx, long := fxOn(newCorpus(t)), &endless{}
	fx.look = long
	p := playing(t, fx, 120, 30)
	long.asked = 0
	p.press("tab")
	p.press("G")
	if got := p.text(); !strings.Contains(got, "lesson 99999") || !strings.Contains(got, "100,000/100,000") {
		t.Errorf("at the end:\n%s", got)
	}
	if long.asked > 3 {
		t.Errorf("going to the end asked %d times", long.asked)
	}
}

func TestPreviewMakesTextSafe(t *testing.T) {
	l := library()[2]
	l.Content = "evil\x1b]52;c;cm0gLXJm\a \u202egnirts"
	l.Insight = "# not a heading?\n\x1b[2Jgone"
	l.Example = "rm\x07 -rf"
	for _, line := range markdown(readable(l), 60, unseenStyle) {
		for _, bad := range []string{"\x1b]52", "\x1b[2J", "\x07", "\u202e"} {
			if strings.Contains(line, bad) {
				t.Errorf("%q reaches the terminal in %q", bad, line)
			}
		}
	}
}

// What a person vouches for is marked, and what is due says why.
func TestBrowseTakesCare(t *testing.T) {
	ls := library()
	ls[3].Decided.At = noon.AddDate(0, 0, -20)
	ls[3].Created = ls[3].Decided.At
	ls[3].Use = lessons.Use{Used: 4, Helped: 2, Last: noon}
	c := newCorpus(t, ls...)
	p := playing(t, fxOn(c), 120, 30).press("tab", "/").typed("pnpm").press("enter")
	got := p.text()
	for _, want := range []string{"injected 4 times", "helped 2 times", "approved 20 days ago, to be looked at"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in:\n%s", want, got)
		}
	}
	p.press("p")
	if l := c.get("d9u4p2nm"); !l.Pinned {
		t.Error("p does not pin")
	}
	if got := p.text(); !strings.Contains(got, "◆") || !strings.Contains(got, "✓ pinned") || strings.Contains(got, "to be looked at") {
		t.Errorf("pinned:\n%s", got)
	}
	p.press("p", "3")
	if l := c.get("d9u4p2nm"); l.Pinned || l.Confidence != 0.3 || !l.Proof.Own {
		t.Errorf("p and 3 left it pinned %v, at %v, own %v", l.Pinned, l.Confidence, l.Proof.Own)
	}
	if got := p.text(); !strings.Contains(got, "the confidence is") {
		t.Errorf("after 3:\n%s", got)
	}
	p.press("=")
	if l := c.get("d9u4p2nm"); l.Proof.Own || l.Confidence != 0.9 {
		t.Errorf("= left it at %v, own %v", l.Confidence, l.Proof.Own)
	}
	p.press("D")
	if got := p.text(); !strings.Contains(got, "due:yes") {
		t.Errorf("D does not ask for what is due:\n%s", got)
	}
	p.press("D")
	if got := p.text(); strings.Contains(got, "due:yes") {
		t.Errorf("D again does not show all:\n%s", got)
	}
}

// What is decided in Review is there when Browse is shown again.
func TestBrowseIsUpToDateWhenShown(t *testing.T) {
	p := playing(t, fxOn(newCorpus(t, proposals()...)), 100, 30).wants(t, "before", "2 Browse 1")
	p.press("tab").wants(t, "at first", "1/1", "Run `buf generate`")
	p.press("[", "a").wants(t, "after an approval", "✓ approved", "2 Browse 2")
	p.press("tab").wants(t, "Browse", "/2", "Prefer table tests")
	p.press("[", "u").wants(t, "after its undo", "✓ took back", "2 Browse 1")
	p.press("tab").wants(t, "Browse again", "1/1")
}
