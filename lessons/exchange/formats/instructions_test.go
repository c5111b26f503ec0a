package formats

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"learnings/lessons"
	"learnings/lessons/exchange"
)

func approved(id lessons.ID, content string) lessons.Lesson {
	return lessons.Lesson{ID: id, Status: lessons.Approved, Confidence: 0.8, Wording: lessons.Wording{Content: content}, Created: time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)}
}

// TestRoundTrip checks that whatever a file holds, putting a block in and taking it out
// again leaves every byte of it, and that the block never grows beyond its limit.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		was := rapid.StringOf(rapid.RuneFrom([]rune("ab-#<>! \n\té日"))).Draw(t, "file")
		if rapid.Bool().Draw(t, "crlf") {
			was = strings.ReplaceAll(was, "\n", "\r\n")
		}
		p, err := divide(was)
		if err != nil {
			t.Skip("it has a marker by chance")
		}
		var ls []lessons.Lesson
		for _, s := range rapid.SliceOfN(rapid.StringMatching(`[a-z<>! \-]{1,300}`), 1, 40).Draw(t, "lessons") {
			ls = append(ls, approved("a", s))
		}
		block, _ := write(ls, false)
		with := p.with(block)
		q, err := divide(with)
		if err != nil {
			t.Fatalf("the block cannot be found again: %v\n%s", err, with)
		}
		if block != "" && len(strings.ReplaceAll(q.block, "\r\n", "\n")) > maxBlock {
			t.Fatalf("the block has %d bytes", len(q.block))
		}
		if !strings.HasPrefix(with, was) {
			t.Fatalf("%q became %q", was, with)
		}
		if out := q.with(""); block != "" && strings.TrimRight(out, "\r\n") != strings.TrimRight(was, "\r\n") {
			t.Fatalf("%q came back as %q", was, out)
		}
		if again := q.with(block); again != with {
			t.Fatalf("writing it again changes %q to %q", with, again)
		}
	})
}

// TestPlan checks what is written where, and what is left alone.
func TestPlan(t *testing.T) {
	path := filepath.Join(t.TempDir(), "deep", "CLAUDE.md")
	to := exchange.Target{Path: path, Now: time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)}
	old := approved("c", "Over")
	old.Limit.Until = to.Now
	other := approved("d", "For another")
	other.Limit.Agent = "codex"
	mine := approved("e", "Mine")
	mine.Limit.Agent = "claude"
	pinned := approved("f", "Pinned")
	pinned.Pinned = true
	ls := []lessons.Lesson{approved("a", "First"), old, other, mine, pinned}
	p, err := claudeMD.Plan(t.Context(), to, ls)
	if err != nil || p.Apply(t.Context()) != nil {
		t.Fatal(err)
	}
	got, _ := os.ReadFile(path)
	want := beginLine + "\n## Lessons from earlier sessions\n\n- Pinned\n- First\n- Mine\n" + blockEnd + "\n"
	if string(got) != want {
		t.Errorf("written\n%s\nwant\n%s", got, want)
	}
	if p, err = claudeMD.Plan(t.Context(), to, nil); err != nil || len(p.Edits) != 1 || p.Edits[0].After != nil {
		t.Errorf("without lessons the file of ours should go: %v, %v", p.Diff(), err)
	}
	if err := os.WriteFile(path, append([]byte("mine\n\n"), got...), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := p.Apply(t.Context()); err == nil {
		t.Error("a plan wrote over what was changed since")
	}
	for _, bad := range []string{"a\x00b", "a\xffb", blockEnd + "\n", beginLine + "\n" + beginLine + "\n" + blockEnd} {
		if err := os.WriteFile(path, []byte(bad), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := claudeMD.Plan(t.Context(), to, ls); err == nil {
			t.Errorf("%q is written to", bad)
		}
	}
}

// TestSkills checks that a procedure becomes a skill, and that a skill which somebody
// changed is left alone.
func TestSkills(t *testing.T) {
	dir, state := t.TempDir(), t.TempDir()
	how := approved("a", "Release with the script")
	how.Insight, how.Example, how.Triggers = "1. Tag it\n2. Run the script", "./release", []string{"release"}
	plan := func(ls ...lessons.Lesson) *exchange.Plan {
		t.Helper()
		ledger, err := exchange.OpenLedger(state, dir)
		if err != nil {
			t.Fatal(err)
		}
		p, err := skills{}.Plan(t.Context(), exchange.Target{Path: dir, Ledger: ledger}, ls)
		if err != nil || p.Apply(t.Context()) != nil {
			t.Fatal(err)
		}
		return p
	}
	plan(how, approved("b", "No procedure"))
	path := filepath.Join(dir, "learned-release-with-the-script", "SKILL.md")
	text, err := os.ReadFile(path)
	if err != nil || !strings.HasPrefix(string(text), "---\nname: learned-release-with-the-script\ndescription: \"Release with the script Use when this shows: release.\"\n---\n") {
		t.Errorf("%s, %v", text, err)
	}
	if all, _ := os.ReadDir(dir); len(all) != 1 {
		t.Errorf("in the folder: %v", all)
	}
	how.Insight += "\n3. Tell people"
	if p := plan(how); len(p.Edits) != 1 {
		t.Errorf("the change is not written: %s", p.Diff())
	}
	if err := os.WriteFile(path, []byte("by hand"), 0o600); err != nil {
		t.Fatal(err)
	}
	how.Insight += "\n4. Rest"
	if p := plan(how); len(p.Edits) != 0 || len(p.Losses) != 1 {
		t.Errorf("what was changed by hand is written over: %s", p.Diff())
	}
}

// FuzzDivide checks that no file breaks the search for the block.
func FuzzDivide(f *testing.F) {
	f.Add("a\n" + beginLine + "\nb\n" + blockEnd + "\nc")
	f.Add(blockEnd)
	f.Fuzz(func(t *testing.T, text string) {
		p, err := divide(text)
		if err == nil && p.before+p.block+p.after != text {
			t.Errorf("%q is divided into %q", text, p)
		}
		withoutBlocks(text)
	})
}
