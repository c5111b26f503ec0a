package tui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"learnings/lessons"
)

// elsewhere returns a global lesson from another project that contradicts a proposal.
func elsewhere() lessons.Lesson {
	l := npm()
	l.Scope = lessons.Scope{Project: "webshop", Global: true}
	l.Use.Used, l.Use.Helped = 14, 3
	return l
}

// All fields of a lesson are changed at once, and one undo reverts them.
func TestEditSeveralFields(t *testing.T) {
	p := at(t, 120, 40, proposals())
	p.press("i").see("nothing changed yet", "one sentence, 3 words", "as a session gets it", "before and after")
	p.press("end")
	p.write(" with named cases").see("one sentence, 6 words", "Prefer table tests with named cases")
	p.press("tab")
	p.write("A failing case tells its name.").press("tab")
	p.write("go test -run /case").press("tab", "left", "tab", "tab", "tab", "right", "tab")
	p.write("**/*_test.go").press("tab").write("tests, proto").see("→ protobuf 2")
	p.press("right").press("tab", "left", "tab").write("30d")
	p.press("tab").see("in the words of who will complain; names of files")
	p.write("a failing case has no name, t.Run").see("• 10 changed", "t.Run")
	p.press("ctrl+s").see("✓ edited", "Prefer table tests with named cases", "─ likely")
	l := p.status("p2r7e4fx", lessons.Pending)
	if l.Content != "Prefer table tests with named cases" || l.Insight != "A failing case tells its name." || l.Example != "go test -run /case" || l.Category != "error-fix" || !l.Scope.Global ||
		l.Confidence != 0.7 || !l.Proof.Own || strings.Join(l.Tags, " ") != "tests protobuf" || strings.Join(l.Limit.Paths, " ") != "**/*_test.go" ||
		strings.Join(l.Triggers, "|") != "a failing case has no name|t.Run" || l.Limit.Until.Format("2006-01-02") != "2026-05-06" {
		t.Errorf("stored: %+v", l)
	}
	p.press("u").see("✓ undone", "━ sure")
	if l := p.status("p2r7e4fx", lessons.Pending); l.Content != "Prefer table tests" || l.Insight+l.Example != "" || len(l.Tags)+len(l.Triggers)+len(l.Limit.Paths) != 0 || l.Scope.Global {
		t.Errorf("undone: %+v", l)
	}
	p.quit()
}

// One key clears an example or a reason of many lines, as other programs write them, and
// the cost of the lesson follows.
func TestEditorClearsWholeFields(t *testing.T) {
	ls := proposals()[:1]
	ls[0].Insight, ls[0].Example = "It is slow.\n\n1. Do this\n2. Do that", "cd /home/x\ngo test ./...\n"
	c := newCorpus(t, ls...)
	p := playing(t, fxOn(c), 120, 40).press("i").wants(t, "opened", "example   cd /home/x", "go test ./...", "2. Do that")
	p.press("tab", "left", "left", "left", "left", "ctrl+u").wants(t, "to the cursor", "• that")
	p.press("end", "ctrl+u", "tab", "ctrl+u").wants(t, "both", "• 2 changed", "3 words, 9 tokens").press("ctrl+a")
	if l := c.get(ls[0].ID); l.Insight+l.Example != "" || l.Status != lessons.Approved {
		t.Errorf("stored: %+v", l)
	}
}

// Typed text is kept after esc, and when the program is ended.
func TestTypedTextIsKept(t *testing.T) {
	c := newCorpus(t, proposals()...)
	p := playing(t, fxOn(c), 120, 40).press("i").typed(" always").press("tab").typed("cases").press("esc")
	p.wants(t, "left", "your text is kept as a draft", "Review 5")
	if l := c.get("p2r7e4fx"); l.Content != "Prefer table tests" {
		t.Fatalf("stored unasked: %q", l.Content)
	}
	p.press("i").wants(t, "again", "goes on with a draft", "• 2 changed", "Prefer table tests always", "cases").typed(", with names").press("ctrl+c")
	if !p.a.leaving {
		t.Error("ctrl+c does not leave")
	}
	p = playing(t, fxOn(c), 120, 40).press("i").wants(t, "in another run", "Prefer table tests always, with names", "cases")
	finish(t.Context(), p.typed("!").a) // a signal
	p = playing(t, fxOn(c), 120, 40).press("i").wants(t, "after a signal", "with names!").press("ctrl+s").wants(t, "saved", "✓ edited")
	if l := c.get("p2r7e4fx"); l.Content != "Prefer table tests always, with names!" || l.Insight != "cases" {
		t.Errorf("stored %q, %q", l.Content, l.Insight)
	}
	p.press("i").wants(t, "once stored", "nothing changed yet").press("esc").wants(t, "left", "left as it was")
	p.press("i").typed("?").press("esc", "i").wants(t, "kept", "• 1 changed").press("ctrl+x").wants(t, "as stored", "nothing changed yet").press("esc", "i").wants(t, "forgotten", "nothing changed yet").lacks("forgotten", "draft")
}

// An invalid field is reported beside it, and a text without a sentence is not stored.
func TestEditorSaysWhatIsWrong(t *testing.T) {
	c := newCorpus(t, proposals()...)
	p := playing(t, fxOn(c), 120, 40).press("i", "ctrl+u", "ctrl+s").wants(t, "empty", "a lesson needs a sentence")
	p.press("ctrl+x")
	for range 10 { // to the end
		p.press("tab")
	}
	p.typed("soon").press("ctrl+s").wants(t, "an end", "is no end", "▌     holds").press("esc").wants(t, "once", "esc again leaves that out").press("esc").wants(t, "twice", "Review 5")
	p.press("i", "shift+tab", "shift+tab", "shift+tab", "up", "ctrl+s").wants(t, "nothing", "left as it was")
	p.press("space", "space", "i").wants(t, "marked", "i edits one lesson; K P t , change a field of all that are marked")
	if l := c.get("p2r7e4fx"); l.Content != "Prefer table tests" {
		t.Errorf("stored %q", l.Content)
	}
}

// Approving in the editor asks the same questions as approving elsewhere.
func TestEditorGuards(t *testing.T) {
	c := newCorpus(t, append(proposals(), npm())...)
	p := playing(t, fxOn(c), 120, 40).press("!", "i", "end").typed(" or its container").press("ctrl+a")
	p.wants(t, "flagged", "type yes to approve it", "container")
	p.press("esc").wants(t, "not", "your text is kept as a draft")
	if l := c.get("s5e9c4rt"); l.Status != lessons.Pending || strings.Contains(l.Content, "container") {
		t.Errorf("it is %s: %q", l.Status, l.Content)
	}
	p.press("i").wants(t, "again", "or its container").press("ctrl+a").typed("yes").wants(t, "yes", "✓ edited and approved")
	if l := c.get("s5e9c4rt"); l.Status != lessons.Approved || !strings.Contains(l.Content, "container") {
		t.Errorf("it is %s: %q", l.Status, l.Content)
	}
	p.press("u", "!", "g", "j", "j", "j", "i", "end").typed(" always").press("ctrl+a").wants(t, "contradicts", "its text is stored, but it contradicts “Use npm")
	if l := c.get("d9u4p2nm"); l.Status != lessons.Pending || !strings.HasSuffix(l.Content, "always") {
		t.Errorf("it is %s: %q", l.Status, l.Content)
	}
}

// In Browse the editor says what saving does to an active lesson. Opened from the reader,
// it returns there.
func TestEditorElsewhere(t *testing.T) {
	c := newCorpus(t, proposals()...)
	p := playing(t, fxOn(c), 120, 40).press("tab", "i").wants(t, "browse", "it is active: saved, sessions get it so from the next one on")
	p.press("end").typed(" or two").press("ctrl+a").wants(t, "saved", "✓ edited")
	if l := c.get("b3f8a2nn"); l.Status != lessons.Approved || !strings.HasSuffix(l.Content, "or two") {
		t.Errorf("it is %s: %q", l.Status, l.Content)
	}
	r, d := reading(t, 120, 40)
	r.press("i").wants(t, "reader", "nothing changed yet", "the evidence").press("end").typed("!").press("ctrl+s").wants(t, "back", "◆ evidence", "✓ edited")
	r.press("i").typed("!").press("ctrl+a").wants(t, "the next one", "✓ edited and approved", "◆ evidence", "line 13 of 15")
	if l := d.get("p2r7e4fx"); l.Status != lessons.Approved || !strings.HasSuffix(l.Content, "!!") {
		t.Errorf("it is %s: %q", l.Status, l.Content)
	}
}

// The cursor stays where the person types, regardless of the text before it.
func TestEditorCursor(t *testing.T) {
	for _, text := range []string{"日本語の学習", "שלום עולם", "e\u0301e\u0301n", "👩\u200d👧x", "a\tb\r\nc"} {
		c := newCorpus(t, proposals()...)
		p := playing(t, fxOn(c), 80, 24).press("i", "ctrl+u")
		p.send(tea.PasteMsg{Content: text + " end"}).press("left", "left", "left").typed("the ")
		frame(t, p, 80, 24, []string{text})
		p.press("ctrl+s")
		want := strings.Join(strings.Fields(lessons.Line(text)+" the end"), " ")
		if l := c.get("p2r7e4fx"); l.Content != want {
			t.Errorf("%q became %q, want %q\n%s", text, l.Content, want, p.text())
		}
	}
}

// Keys pressed before the lesson is read are not lost.
func TestEditorTakesEarlyKeys(t *testing.T) {
	c := newCorpus(t, proposals()...)
	p := playing(t, fxOn(c), 120, 40)
	m, cmd := p.a.Update(keyOf("i"))
	p.a = m.(app)
	for _, k := range []string{"end", "!", "ctrl+a"} {
		m, _ := p.a.Update(keyOf(k))
		p.a = m.(app)
	}
	p.send(messages(cmd)...).wants(t, "early", "✓ edited and approved")
	if l := c.get("p2r7e4fx"); l.Status != lessons.Approved || l.Content != "Prefer table tests!" {
		t.Errorf("it is %s: %q", l.Status, l.Content)
	}
}

// Lessons from different projects are narrowed to them, and one undo reverts it.
func TestSettleByNarrowing(t *testing.T) {
	p := at(t, 120, 40, append(proposals(), elsewhere()))
	p.press("j", "j", "j").see("c settles it")
	p.press("c")
	p.wait("y  both, each in its own project", "1 is approved for octofs; 2 is narrowed to webshop, where it was said", "every project loses what helped 3×", "the two were said in different projects")
	p.press("enter", "space") // neither decides
	p.press("y").see("Review 4", "✓ settled")
	mine, other := p.status("d9u4p2nm", lessons.Approved), p.status("n1p2m3xx", lessons.Approved)
	if other.Scope.Global || other.Scope.Project != "webshop" || !lessons.BothHold(mine, other) {
		t.Errorf("narrowed to %+v, beside %v", other.Scope, mine.HoldsWith)
	}
	p.press("u").see("Review 5", "✓ undone", "c settles it")
	mine, other = p.status("d9u4p2nm", lessons.Pending), p.status("n1p2m3xx", lessons.Approved)
	if !other.Scope.Global || lessons.BothHold(mine, other) {
		t.Errorf("undone: %+v, beside %v", other.Scope, mine.HoldsWith)
	}
	p.press("c").see("which holds?")
	p.press("A").see("Review 4", "✓ settled")
	p.press("u").see("Review 5", "c settles it")
	p.press("c").see("which holds?")
	p.press("m").see("merge 2 into one", "not the same: pnpm and npm")
	p.press("i").see("word it")
	p.press("ctrl+u").write("Use pnpm to build and npm to publish")
	p.press("ctrl+s").see("one lesson", "Use pnpm to build and npm to publish")
	p.press("a").see("⊕ merged")
	p.quit()
}

// A resumed draft keeps its triggers in step with the sentence.
func TestDraftFollowsOn(t *testing.T) {
	ls := proposals()
	ls[0].Triggers = []string{"tables"}
	p := playing(t, fxOn(newCorpus(t, ls...)), 140, 40)
	p.press("i", "ctrl+u").typed("Name the cases of a table").press("esc", "i").wants(t, "the draft", "this goes on with what you typed before", "Name the cases of a table")
	if strings.Contains(p.text(), "by hand") {
		t.Errorf("words that nobody touched are said to be changed by hand:\n%s", p.text())
	}
}
