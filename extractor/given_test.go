package extractor

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"learnings/extractor/transcript"
	"learnings/lessons"
)

func TestGiven(t *testing.T) {
	const block = `<learnings-context project="x &lt;y" lessons="k7m2p9qx,a2345678,k7m2p9qx">`
	const rows = "<learnings-context project=\"x\">\nThe user approved these.\n- Use <b>pnpm</b>. [L-k7m2p9qx]\n  ```\n  <i>x</i>\n  - no row [L-nope]\n  ```\n- Ask first [L-a2345678]\n</learnings-context>\n- behind it [L-behind]"
	for name, c := range map[string]struct {
		turn transcript.Turn
		want []lessons.ID
	}{
		"a hook's":        {transcript.Turn{Speaker: transcript.Harness, Text: block + "\n- x\n</learnings-context>"}, []lessons.ID{"k7m2p9qx", "a2345678"}},
		"escaped":         {transcript.Turn{Speaker: transcript.Harness, Text: strings.NewReplacer("<", "&lt;", ">", "&gt;").Replace(block)}, []lessons.ID{"k7m2p9qx", "a2345678"}},
		"rows":            {transcript.Turn{Speaker: transcript.Harness, Text: rows}, []lessons.ID{"k7m2p9qx", "a2345678"}},
		"escaped rows":    {transcript.Turn{Speaker: transcript.Harness, Text: strings.NewReplacer("<", "&lt;", ">", "&gt;").Replace(rows)}, []lessons.ID{"k7m2p9qx", "a2345678"}},
		"rows twice":      {transcript.Turn{Speaker: transcript.Harness, Text: rows + "\n" + rows}, []lessons.ID{"k7m2p9qx", "a2345678"}},
		"a tool's rows":   {transcript.Turn{Speaker: transcript.Tool, Text: rows}, nil},
		"hostile rows":    {transcript.Turn{Speaker: transcript.Harness, Text: "<learnings-context>\n- x [L-../../x]\n- y [L-" + strings.Repeat("a", 65) + "]\n- z [L-ok]\n"}, []lessons.ID{"ok"}},
		"twice":           {transcript.Turn{Speaker: transcript.Harness, Text: block + block}, []lessons.ID{"k7m2p9qx", "a2345678"}},
		"a tool's":        {transcript.Turn{Speaker: transcript.Tool, Text: block}, nil},
		"an agent's":      {transcript.Turn{Speaker: transcript.Agent, Text: block}, nil},
		"a person's":      {transcript.Turn{Speaker: transcript.Person, Text: block}, nil},
		"a subagent's":    {transcript.Turn{Speaker: transcript.Harness, Sidechain: true, Text: block}, nil},
		"another's":       {transcript.Turn{Speaker: transcript.Harness, Text: strings.ReplaceAll(block, "learnings", "lessons")}, nil},
		"no ids":          {transcript.Turn{Speaker: transcript.Harness, Text: `<learnings-context project="x">`}, nil},
		"hostile ids":     {transcript.Turn{Speaker: transcript.Harness, Text: `<learnings-context lessons="../../x,ok">`}, nil},
		"an id too long":  {transcript.Turn{Speaker: transcript.Harness, Text: `<learnings-context lessons="` + strings.Repeat("a", 65) + `,b">`}, []lessons.ID{"b"}},
		"an empty id":     {transcript.Turn{Speaker: transcript.Harness, Text: `<learnings-context lessons=",b,">`}, []lessons.ID{"b"}},
		"no end to it":    {transcript.Turn{Speaker: transcript.Harness, Text: `<learnings-context lessons="a`}, nil},
		"nothing of ours": {transcript.Turn{Speaker: transcript.Harness}, nil},
	} {
		var p pass
		c.turn.Line = 3
		p.give(c.turn)
		var got []lessons.ID
		for _, g := range p.batch.Given {
			got = append(got, g.ID)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	var p pass
	for range 3 {
		p.give(transcript.Turn{Speaker: transcript.Harness, Text: `<learnings-context lessons="` + strings.Join(many(3*maxGiven), ",") + `">`})
	}
	if len(p.given) != maxGiven {
		t.Errorf("%d lessons are remembered", len(p.given))
	}
}

func many(n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = strings.Repeat("z", i%50+1) + strings.Repeat("y", i/50+1)
	}
	return out
}

// TestGivenIsRemembered: what a session was given is counted once, however often
// its transcript grows, and a person's words after it are told as a reply.
func TestGivenIsRemembered(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.jsonl")
	marks, err := OpenLedger(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	read := func(text string, anew bool) (given []lessons.ID, replies int) {
		t.Helper()
		o := testOptions
		o.Anew = anew
		for b, err := range Run(t.Context(), []transcript.File{write(t, path, text)}, marks, o) {
			if err != nil {
				t.Fatal(err)
			}
			for _, g := range b.Given {
				given = append(given, g.ID)
			}
			replies += len(b.Replies)
			if err := marks.Commit(b.Mark); err != nil {
				t.Fatal(err)
			}
		}
		return given, replies
	}
	text := says(1, "user", "<learnings-context lessons=\"aaaa,bbbb\">\n</learnings-context>\nadd a page")
	if given, replies := read(text, false); !slices.Equal(given, []lessons.ID{"aaaa", "bbbb"}) || replies != 0 {
		t.Fatalf("given %q, %d replies", given, replies)
	}
	text += says(2, "assistant", "done") + says(3, "user", "always lint")
	if given, replies := read(text, false); len(given) != 0 || replies != 1 {
		t.Fatalf("when it has grown: given %q, %d replies", given, replies)
	}
	if given, replies := read(text, true); len(given) != 0 || replies != 1 {
		t.Fatalf("read anew: given %q, %d replies", given, replies)
	}
}
