package tui

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"learnings/index"
	"learnings/lessons"
	"learnings/tui/decide"
	"learnings/tui/desk"
	"learnings/tui/kit"
)

// opposites returns three contradicting pairs, one of them in the same words, and two
// groups that say the same.
func opposites() []lessons.Lesson {
	var ls []lessons.Lesson
	add := func(status lessons.Status, text string) {
		l := proposals()[0]
		l.ID, l.Content, l.Status = lessons.ID(fmt.Sprintf("r%07d", len(ls)+1)), text, status
		l.Scope = lessons.Scope{Project: "octofs", Role: "developer"}
		l.Created = noon.AddDate(0, 0, -len(ls))
		ls = append(ls, l)
	}
	add(lessons.Approved, "Use npm instead of pnpm in this repository")
	add(lessons.Pending, "Use pnpm instead of npm in this repository")
	add(lessons.Approved, "Use tabs for indentation in Go files")
	add(lessons.Pending, "Use spaces for indentation in Go files")
	add(lessons.Pending, "Prefer table tests when a function has more than three cases")
	add(lessons.Pending, "Prefer table tests when a function has more than three cases!")
	for i := range 12 {
		add(lessons.Pending, "Regenerate the clients after every change of the schema"+strings.Repeat("!", i))
	}
	return ls
}

func (p *play) wants(t *testing.T, what string, want ...string) *play {
	t.Helper()
	for _, w := range want {
		if got := p.text(); !strings.Contains(got, w) {
			t.Fatalf("%s: no %q in:\n%s", what, w, got)
		}
	}
	return p
}

// The person goes through the groups of T until none remains. A sentence that contradicts
// itself is not offered.
func TestDuplicatesOneAfterTheOther(t *testing.T) {
	c := newCorpus(t, opposites()...)
	p := playing(t, fxOn(c), 100, 40).press("alt+2", "T")
	p.wants(t, "T", "lessons that say the same", "1/2", "and 10 more")
	if got := p.text(); strings.Contains(got, "▌ Use npm") || strings.Contains(got, "│  Use npm") {
		t.Errorf("opposites are called the same:\n%s", got)
	}
	p.press("enter", "esc").wants(t, "leaving a merge", "nothing was merged", "lessons that say the same", "1/2")
	p.press("enter", "y").wants(t, "after the first", "⊕ merged", "lessons that say the same", "1/1")
	p.press("u").wants(t, "undo in the list", "✓ undone", "1/2")
	p.press("enter", "y", "enter", "y").wants(t, "after the last", "no other two lessons say the same")
	if n := len(slices.DeleteFunc(opposites(), func(l lessons.Lesson) bool { now := c.get(l.ID); return now.Status != lessons.Merged })); n != 12 {
		t.Errorf("%d are merged, want 1 and 11", n)
	}
	p.press("esc", "T").wants(t, "opened again", "no two lessons say the same")
}

// The person goes through the contradictions of C until none remains.
func TestContradictionsOneAfterTheOther(t *testing.T) {
	c := newCorpus(t, opposites()...)
	p := playing(t, fxOn(c), 100, 40).press("C").wants(t, "C", "contradictions", "1/2")
	p.press("enter", "esc").wants(t, "leaving one", "nothing was settled", "contradictions", "1/2")
	p.press("enter", "1").wants(t, "after the first", "✓ settled", "contradictions", "1/1")
	p.press("u").wants(t, "undo in the list", "✓ undone", "1/2").press("enter", "y", "enter", "b").typed("both").press("enter")
	p.wants(t, "after the last", "no other two lessons contradict each other")
	p.press("esc", "C").wants(t, "opened again", "no two lessons contradict each other")
}

// A lesson rejected since the comparison no longer contradicts. An older list says so
// when the person opens the pair.
func TestContradictionsKnowWhatWasDecided(t *testing.T) {
	c := newCorpus(t, opposites()...)
	p := playing(t, fxOn(c), 100, 40).press("C").wants(t, "C", "1/2")
	for _, id := range []lessons.ID{"r0000002", "r0000004"} { // by another program
		l := c.get(id)
		l, err := l.Reject(lessons.Decision{By: "other", Reason: "no", At: noon})
		if err != nil {
			t.Fatal(err)
		}
		c.put(lessons.OpReject, l)
	}
	p.press("enter").wants(t, "one that is gone", "is rejected meanwhile", "1/1")

	c = newCorpus(t, opposites()...)
	p = playing(t, fxOn(c), 100, 40).press("x", "C") // r0000002 is the first of the queue
	p.wants(t, "after a rejection", "contradictions", "1/1")
}

// A merge that cannot be stored comes back into the list.
func TestDuplicatesThatCannotBeMerged(t *testing.T) {
	c := newCorpus(t, opposites()...)
	p := playing(t, fxOn(c), 100, 40).press("alt+2", "T", "enter")
	l := c.get("r0000007")
	l.Tags = []string{"changed"}
	c.put(lessons.OpEdit, l)
	p.press("y").wants(t, "a merge that fails", "not merged: r0000007: ", "shown again", "lessons that say the same", "1/2")
}

// A dialog opened by a job does not take the keys of a person who has gone on.
func TestNoDialogTakesAnothersKeys(t *testing.T) {
	c := newCorpus(t, opposites()...)
	p := playing(t, fxOn(c), 100, 40)
	confront := decide.Confront(p.a.fx, "r0000002", "r0000001")
	p.press("/")
	p.send(doneMsg{msg: confront(t.Context())})
	if p.a.dialog != nil {
		t.Error("it opens while a filter is typed")
	}
	p.press("esc", "r")
	p.send(doneMsg{msg: confront(t.Context())})
	if _, ok := p.a.dialog.(decide.Why); !ok {
		t.Errorf("it takes the place of the dialog that is open: %T", p.a.dialog)
	}
}

// A dialog does not scroll beyond its text, so one step back shows.
func TestScrollingEnds(t *testing.T) {
	for name, keys := range map[string][]string{"settlement": {"c"}, "merge": {"alt+2", "T", "enter"}, "history": {"-", "H"}, "help": {"?"}} {
		p := playing(t, fxOn(newCorpus(t, opposites()...)), 60, 16)
		p.press(keys...)
		for range 50 {
			p.press("pgdown")
		}
		end := p.text()
		p.press("pgup")
		if name != "history" && p.text() == end { // its text fits
			t.Errorf("%s: pgup after the end does nothing:\n%s", name, end)
		}
		p.send(tea.WindowSizeMsg{Width: 120, Height: 60}, tea.WindowSizeMsg{Width: 60, Height: 16})
	}
}

// An answer that arrives during a choice does not move the cursor.
func TestAnswersDoNotMoveTheChoice(t *testing.T) {
	p := playing(t, fxOn(newCorpus(t, proposals()...)), 60, 16).press(":", "down", "down", "down")
	was := p.text()
	p.send(doneMsg{msg: desk.SyncedMsg{}})
	if got := p.text(); got != was {
		t.Errorf("the palette went from\n%s\nto\n%s", was, got)
	}
	p.press("esc", "?", "pgdown", "pgdown")
	was = p.text()
	p.send(doneMsg{msg: desk.SyncedMsg{}})
	if got := p.text(); got != was {
		t.Errorf("the help went from\n%s\nto\n%s", was, got)
	}
}

// Every dialog fits every screen, with its lower edge and the key that closes it.
func TestDialogsFit(t *testing.T) {
	ls := append(opposites(), hostile())
	long := ls[1]
	long.ID, long.Content = "r0000099", ls[1].Content+" "+strings.Repeat("because the lockfile says so ", 60)
	for name, keys := range map[string][]string{
		"why": {"r"}, "line": {"i"}, "settlement": {"c"}, "approve": {"a"}, "settlement-both": {"c", "b"}, "duplicates": {"alt+2", "T"}, "merge-12": {"alt+2", "T", "G", "enter"}, "merge-edit": {"alt+2", "T", "enter", "e"}, "union-edit": {"T", "i"}, "union-12": {"T", "j", "m"},
		"contradictions": {"C"}, "history": {"-", "i", "!", "ctrl+s", "H"}, "confirm": {"*", "a"}, "palette": {":"}, "help": {"?"}, "merge-all": {"*", "m"},
	} {
		p := playing(t, fxOn(newCorpus(t, append(ls, long)...)), 100, 40)
		p.press("/", "p", "n", "p", "m", "enter").press(keys...)
		for _, w := range []int{60, 61, 80, 120, 200} {
			for _, h := range []int{16, 17, 24, 34, 50} {
				p.send(tea.WindowSizeMsg{Width: w, Height: h})
				frame(t, p, w, h, keys)
				lines := strings.Split(ansi.Strip(p.a.View().Content), "\n")
				foot := lines[len(lines)-1]
				if !strings.Contains(foot, "esc") {
					t.Errorf("%s at %d×%d: the footer has no way out: %q", name, w, h, foot)
				}
				bw, bh := p.a.Floor()
				float, ok := p.a.dialog.(kit.Floating)
				if !ok {
					continue // it fills the page
				}
				d := strings.Split(ansi.Strip(float.View(bw, bh, kit.Unseen)), "\n")
				if last := d[len(d)-1]; len(d) > bh || !strings.HasPrefix(last, "╰") {
					t.Errorf("%s at %d×%d: %d lines of %d, the last %q", name, w, h, len(d), bh, last)
				}
			}
		}
	}
}

// The wheel scrolls what is under the pointer, in every list and dialog.
func TestWheel(t *testing.T) {
	var ls []lessons.Lesson
	for i, l := range crowd(60) {
		if l.Status = lessons.Pending; i%2 == 0 {
			l.Status = lessons.Approved
		}
		l.Content, _, _ = strings.Cut(l.Content, " (") // they say the same
		ls = append(ls, l)
	}
	for _, c := range []struct {
		what string
		keys []string
		x, y int
	}{
		{"queue", nil, 5, 5}, {"card", []string{"C", "esc"}, 80, 5}, {"browse", []string{"tab"}, 40, 5}, {"preview", []string{"tab"}, 100, 5}, {"why", []string{"r"}, 50, 8},
		{"help", []string{"?"}, 50, 8}, {"palette", []string{":"}, 50, 8}, {"duplicates", []string{"alt+2", "T"}, 50, 8},
	} {
		h := 16
		p := playing(t, fxOn(newCorpus(t, ls...)), 120, h).press(c.keys...)
		was := p.text()
		for range 4 {
			p.send(tea.MouseWheelMsg{X: c.x, Y: c.y, Button: tea.MouseWheelDown})
		}
		if p.text() == was {
			t.Errorf("%s: the wheel does nothing:\n%s", c.what, was)
		}
		for range 8 {
			p.send(tea.MouseWheelMsg{X: c.x, Y: c.y, Button: tea.MouseWheelUp})
		}
	}
}

func TestClickInBrowse(t *testing.T) {
	p := playing(t, fxOn(newCorpus(t, library()...)), 120, 30).press("tab")
	p.send(tea.MouseClickMsg{X: 40, Y: 8, Button: tea.MouseLeft}).wants(t, "a click on the third", "3/5")
	p.send(tea.MouseClickMsg{X: 5, Y: 11, Button: tea.MouseLeft}).wants(t, "a click on the first project", "octofs × approved", "/4")
}

func TestPasteIntoTheSearch(t *testing.T) {
	p := playing(t, fxOn(newCorpus(t, library()...)), 120, 30).press("tab", "/")
	p.send(tea.PasteMsg{Content: "pnpm"}).wants(t, "pasted", "1/1", "Use pnpm instead of npm")
}

// An unbound key says so.
func TestUnknownKey(t *testing.T) {
	playing(t, fxOn(newCorpus(t, proposals()...)), 100, 30).press("Q").wants(t, "Q", "Q does nothing here; ? shows what does")
}

// A corpus without lessons has no index at first.
func TestBrowseOfAnEmptyCorpus(t *testing.T) {
	c := newCorpus(t)
	c.Index = index.At(t.TempDir())
	if _, err := c.Search(t.Context(), index.Query{}); !errors.Is(err, index.ErrNoIndex) {
		t.Fatalf("there is an index: %v", err)
	}
	playing(t, fxOn(c), 100, 30).wants(t, "Review", "Nothing has been read yet").press("tab").wants(t, "Browse", "Nothing is approved yet")
}

// On the smallest screen the lesson to decide on is visible, and an empty one says what
// to do next.
func TestTheLeastScreen(t *testing.T) {
	playing(t, fxOn(newCorpus(t, proposals()...)), 60, 16).wants(t, "the card", "\n Prefer table tests")
	p := playing(t, fxWith(newCorpus(t), transcripts(), nil), 60, 16).wants(t, "an empty queue", "2 of 3 sessions hold something new", "3 lists them")
	p.press("tab").wants(t, "an empty corpus", "1 shows what waits for you")
}

// The proposer of a lesson made by another program is unknown.
func TestNobodyProposedIt(t *testing.T) {
	ls := library()
	for i := range ls {
		ls[i].Origin = lessons.Origin{Source: "s1"}
	}
	p := playing(t, fxOn(newCorpus(t, ls...)), 120, 30).press("tab").wants(t, "Browse", "id  ")
	if got := p.text(); strings.Contains(got, "proposed by") {
		t.Errorf("somebody without a name:\n%s", got)
	}
}
