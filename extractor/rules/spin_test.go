package rules

import (
	"slices"
	"strings"
	"testing"

	"learnings/extractor/transcript"
	"learnings/lessons"
)

func repeat(n int, lines ...string) []string {
	var out []string
	for range n {
		out = append(out, lines...)
	}
	return out
}

// look is a call that reads a file.
func look(line int, path string) transcript.Turn {
	return transcript.Turn{Line: line, Speaker: transcript.Agent, Kind: transcript.Call, Tool: &transcript.ToolCall{Name: "Read", Path: path, Input: `{"file_path":"` + path + `"}`}}
}

func edit(line int, path, before, after string) transcript.Turn {
	return transcript.Turn{Line: line, Speaker: transcript.Agent, Kind: transcript.Call, Tool: &transcript.ToolCall{Name: "Edit", Path: path, Old: before, New: after}}
}

func TestSpins(t *testing.T) {
	const words = "agent: I will now look at the file once more and try again."
	for _, c := range []struct {
		name  string
		lines []string
		want  SpinKind
	}{
		{"the same answer four times", repeat(4, "runs: make", "works: nothing to do"), Repeats},
		{"the same failure three times", repeat(3, "runs: make", "fails: no rule 17"), Fails},
		{"to and fro", repeat(3, "runs: make a", "works: a", "runs: make b", "works: b"), Alternates},
		{"the same words", repeat(3, words), Echoes},
		{"three times is no spin", repeat(3, "runs: make", "works: nothing to do"), ""},
		{"other answers", []string{"runs: make", "works: one", "runs: make", "works: two", "runs: make", "works: three", "runs: make", "works: four"}, ""},
		{"the person speaks", append(append(repeat(2, "runs: make", "fails: no"), "person: once more"), repeat(2, "runs: make", "fails: no")...), ""},
		{"tests with edits between", repeat(4, "runs: go test", "fails: no", "edits: a.go", "works: edited"), ""},
		{"waiting", repeat(6, "runs: gh run view 17", "works: in progress"), ""},
		{"polling", repeat(6, "runs: sleep 5; cat log", "works: nothing"), ""},
		{"short words", repeat(4, "agent: Done."), ""},
		{"words with work between", repeat(3, words, "edits: a.go"), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			found := Spins(session, talk(c.lines...))
			switch {
			case c.want == "" && len(found) > 0:
				t.Errorf("found %+v", found)
			case c.want != "" && (len(found) != 1 || found[0].Kind != c.want):
				t.Errorf("found %+v, want %s", found, c.want)
			}
		})
	}
}

func TestRereads(t *testing.T) {
	s := session
	s.Dir = "/src/octofs"
	turns := []transcript.Turn{look(1, "/src/octofs/a.go"), look(2, "/src/octofs/b.go"), look(3, "/src/octofs/a.go"), look(4, "/src/octofs/a.go"), look(5, "/src/octofs/a.go"), look(6, "/src/octofs/a.go")}
	found := Spins(s, turns)
	if len(found) != 1 || found[0] != (Spin{Rereads, "a.go", 4, 4}) {
		t.Errorf("found %+v", found)
	}
	turns[2] = edit(3, "/src/octofs/b.go", "x", "y")
	if found := Spins(s, turns); len(found) > 0 {
		t.Errorf("with an edit between: %+v", found)
	}
	for i := range turns {
		turns[i] = look(i+1, "/src/octofs/a.go")
		turns[i].Tool.Input += strings.Repeat(" ", i) // another part each time
	}
	if found := Spins(s, turns); len(found) > 0 {
		t.Errorf("page by page: %+v", found)
	}
}

func TestReverts(t *testing.T) {
	there, back := edit(1, "a.go", "x := 1", "x := 2"), edit(2, "a.go", "x := 2", "x := 1")
	if found := Spins(session, []transcript.Turn{there, back, there, back}); len(found) != 1 || found[0].Kind != Reverts {
		t.Errorf("found %+v", found)
	}
	if found := Spins(session, []transcript.Turn{there, back, there}); len(found) > 0 {
		t.Errorf("taken back once: %+v", found)
	}
}

func TestObserve(t *testing.T) {
	turns := talk(repeat(3, "runs: make world", "fails: no rule")...)
	ls, err := Rules{}.Observe(t.Context(), session, turns)
	if err != nil || len(ls) != 1 {
		t.Fatal(ls, err)
	}
	l := ls[0]
	if e := l.Evidence[0]; l.Validate() != nil || l.Category != "pattern" || l.SaidBy() != lessons.ByAgent || e.Quote != "make world" || e.Line != 5 || !strings.Contains(l.Content, "`make world` keeps failing") {
		t.Errorf("%+v", l)
	}
	if ls := propose(t, Rules{}, session, turns); len(ls) > 0 {
		t.Errorf("one session proposes %s", contents(ls))
	}
}

func TestWork(t *testing.T) {
	turns := talk("runs: cat a.go", "works: x", "runs: make", "fails: y", "edits: a.go", "runs: sed -n 1,20p b.go", "refuses Bash git push: no", "sub: x")
	turns = append(turns, look(9, "c.go"), look(10, "d.go"))
	var w Work
	w.Add(turns[:3])
	w.Add(turns[3:])
	if want := (Work{Calls: 6, Reads: 4, Edits: 1, Failed: 1, Refused: 1}); w != want {
		t.Errorf("%+v, want %+v", w, want)
	}
	if r, ok := w.ReadsPerEdit(); r != 4 || !ok {
		t.Error(r, ok)
	}
	if _, ok := (Work{Reads: 3}).ReadsPerEdit(); ok {
		t.Error("a ratio of nothing")
	}
}

func TestPraise(t *testing.T) {
	work := []string{"person: fix the test", "runs: npx vitest run", "fails: expected 1", "edits: src/user.ts", "runs: npx vitest run", "works: passed", "agent: Fixed."}
	of := func(said string) string {
		return contents(propose(t, Rules{Praise: true}, session, talk(append(slices.Clone(work), "person: "+said)...)))
	}
	const want = "For 'fix the test': ran npx vitest, read the error, edited user.ts, then ran npx vitest."
	for _, said := range []string{"perfect, thanks!", "Great!", "ok, works now", "excellent work, thank you!"} {
		if got := of(said); got != want {
			t.Errorf("%q: %q", said, got)
		}
	}
	for _, said := range []string{"great, but the name is wrong", "works?", "great, now do the other one", "perfect is the enemy of good", "not great"} {
		if got := of(said); got != "" {
			t.Errorf("%q: %q", said, got)
		}
	}
	if ls := propose(t, Rules{}, session, talk(append(slices.Clone(work), "person: perfect, thanks!")...)); len(ls) > 0 {
		t.Errorf("without being asked: %s", contents(ls))
	}
}
