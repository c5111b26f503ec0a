package amplihack_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"learnings/lessons"
	"learnings/lessons/exchange"
	"learnings/lessons/exchange/amplihack"
)

// words are texts that YAML could take for something else.
var words = rapid.OneOf(
	rapid.SampledFrom([]string{"a: b", "- c", "# d", "yes", "null", "1.0", "'e'", `"f"`, "g\\h", "{i}", "[j]", "&k", "*l", "!m", "|", ">", "%n", "@o", "`p`", "---", "...", "q\tr", "s  t", "ü naïve 日本 🎉", "u\u0085v\u2028w", "x\u00a0y", "\ufeffz"}),
	rapid.StringMatching(`[ -~]{1,40}`),
)

var texts = rapid.Custom(func(t *rapid.T) string {
	return strings.Join(rapid.SliceOfN(rapid.OneOf(words, rapid.SampledFrom([]string{"", " ", "  indented", "# comment?"})), 0, 6).Draw(t, "lines"), "\n")
})

// foreign is a line that we know nothing of.
type foreign struct{ line, in string }

// draw makes a file with comments and keys of its own, and says which of them are in
// no entry, and which are in the entry of an id.
func draw(t *rapid.T) (text string, all []foreign) {
	var b strings.Builder
	n := 0
	own := func(in, format string) {
		if !rapid.Bool().Draw(t, "own") {
			return
		}
		n++
		line := fmt.Sprintf(format, n)
		all = append(all, foreign{line, in})
		b.WriteString(line + "\n")
	}
	dash, key := "", "  "
	if rapid.Bool().Draw(t, "indented") {
		dash, key = "  ", "    "
	}
	own("", "# top %d")
	b.WriteString("category: errors\n")
	own("", "owner: {name: kim, n: %d} # of the shop")
	b.WriteString("last_updated: \"2025-11-25T00:00:00Z\"\nlearnings:")
	count := rapid.IntRange(0, 4).Draw(t, "entries")
	if count == 0 {
		b.WriteString(rapid.SampledFrom([]string{" []\n", "\n", " null # none\n", "\n  []\n"}).Draw(t, "empty"))
	} else {
		b.WriteString(rapid.SampledFrom([]string{"\n", " # all of them\n"}).Draw(t, "list"))
	}
	for i := range count {
		id := fmt.Sprintf("err-%03d", i+1)
		own("", dash+"# about %d")
		fmt.Fprintf(&b, "%s- id: %s\n", dash, rapid.SampledFrom([]string{id, "'" + id + "'", `"` + id + `"`}).Draw(t, "quotes"))
		own(id, key+"note_%d: [by, hand]")
		summary := rapid.SampledFrom([]string{"One N", "'Two ''N'''", `"Three \"N\"" # said`, "|\n" + key + "  Four N", ">-\n" + key + "  Five\n" + key + "  N", "Six\n" + key + "  N"}).Draw(t, "summary")
		fmt.Fprintf(&b, "%ssummary: %s\n", key, strings.ReplaceAll(summary, "N", fmt.Sprint(i)))
		own(id, key+"# inside %d")
		b.WriteString(rapid.SampledFrom([]string{"", key + "keywords: [a, 'b'] # two\n", key + "keywords:\n" + key + "  - a # first\n" + key + "  - b\n", key + "keywords:\n" + key + "- a\n" + key + "- \"b\"\n", key + "keywords: []\n"}).Draw(t, "keywords"))
		b.WriteString(rapid.SampledFrom([]string{"", key + "insight: |\n" + key + "  # a heading\n\n" + key + "  and more\n\n", key + "insight: >\n" + key + "  folded\n" + key + "  text\n", key + "insight:\n", key + "insight: ~\n"}).Draw(t, "insight"))
		b.WriteString(rapid.SampledFrom([]string{"", key + "confidence: 0.95 # sure\n", key + "confidence: 1\n"}).Draw(t, "confidence"))
		own(id, key+"mood: {n: %d}")
		b.WriteString(rapid.SampledFrom([]string{"", key + "example: |-\n" + key + "  make\n" + key + "  # test\n", key + "times_used: 3\n", "\n\n"}).Draw(t, "end"))
		own("", dash+"# after %d")
	}
	own("", "policy: %d")
	own("", "# end %d")
	text = b.String()
	if rapid.Bool().Draw(t, "crlf") {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	if rapid.Bool().Draw(t, "cut") {
		text = strings.TrimRight(text, "\r\n")
	}
	return text, all
}

// TestEdits makes random edits in random files: what was meant is there afterwards,
// what nobody meant is as it was, and a second write changes nothing.
func TestEdits(t *testing.T) {
	root := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		text, all := draw(t)
		dir, err := os.MkdirTemp(root, "")
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, "errors.yaml")
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		ledger, err := exchange.OpenLedger(dir, path)
		if err != nil {
			t.Fatal(err)
		}
		found, err := amplihack.Format{}.Read(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		gone := map[string]bool{}
		var want, ls []lessons.Lesson
		for _, e := range found.Entries {
			l := e.Lesson
			if l.Status = lessons.Approved; rapid.Bool().Draw(t, "edit") {
				edit(t, &l)
				l.Category = rapid.SampledFrom([]lessons.Category{l.Category, "errors", "correction", "house: rule", "tools"}).Draw(t, "category")
			}
			if rapid.IntRange(0, 3).Draw(t, "gone") == 0 {
				l.Status = lessons.Rejected
				gone[e.Key] = true
			} else {
				want = append(want, l)
			}
			ls = append(ls, l)
		}
		for i := range rapid.IntRange(0, 2).Draw(t, "new") {
			l := lesson(fmt.Sprintf("new%d", i), "New one")
			edit(t, &l)
			ls, want = append(ls, l), append(want, l)
		}
		write := func() *exchange.Plan {
			p, err := amplihack.Format{}.Plan(t.Context(), exchange.Target{Path: path, Now: now, Ledger: ledger}, ls)
			if err != nil {
				t.Fatalf("%v, of\n%s", err, text)
			}
			if err := p.Apply(t.Context()); err != nil {
				t.Fatal(err)
			}
			return p
		}
		write()
		after, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range all {
			if !gone[f.in] && !slices.Contains(strings.Split(strings.ReplaceAll(string(after), "\r\n", "\n"), "\n"), f.line) {
				t.Errorf("%q is gone from\n%s", f.line, after)
			}
		}
		back, err := amplihack.Format{}.Read(t.Context(), path)
		if err != nil || len(back.Entries) != len(want) {
			t.Fatalf("%d entries, %v, want %d:\n%s", len(back.Entries), err, len(want), after)
		}
		for i, e := range back.Entries {
			// Telling words of a lesson may fill up its tags.
			lacks := func(tag string) bool {
				return lessons.Line(tag) != "" && !slices.Contains(e.Lesson.Tags, lessons.Line(tag))
			}
			if mine := want[i].Tags; !slices.ContainsFunc(mine, lacks) && len(e.Lesson.Tags) <= max(5, len(mine))+3 {
				e.Lesson.Tags = mine
			}
			if got, want := say(e.Lesson), say(want[i]); got != want {
				t.Errorf("entry %d says\n%s\nwant\n%s\nof\n%s", i, got, want, after)
			}
		}
		if p := write(); !p.Empty() {
			t.Errorf("a second write changes\n%s", p.Diff())
		}
	})
}

func edit(t *rapid.T, l *lessons.Lesson) {
	if s := lessons.Line(words.Draw(t, "content")); s != "" && rapid.Bool().Draw(t, "summary") {
		l.Content = s
	}
	if rapid.Bool().Draw(t, "insight") {
		l.Insight = texts.Draw(t, "text")
	}
	if rapid.Bool().Draw(t, "example") {
		l.Example = texts.Draw(t, "text")
	}
	if rapid.Bool().Draw(t, "tags") {
		tags := rapid.SliceOfN(words, 1, 5).Draw(t, "words")
		// No tag is blank, and an entry keeps its keywords when all are taken away.
		if tags = slices.DeleteFunc(tags, func(s string) bool { return strings.TrimSpace(s) == "" }); len(tags) > 0 {
			l.Tags = tags
		}
	}
	if rapid.Bool().Draw(t, "confidence") {
		l.Confidence = lessons.Confidence(rapid.Float64Range(0, 1).Draw(t, "number")).Round()
	}
	l.Use.Used += rapid.IntRange(0, 3).Draw(t, "used")
}

// say is what of a lesson the files hold, in a form to compare.
func say(l lessons.Lesson) string {
	var tags []string
	for _, s := range l.Tags {
		if s = lessons.Line(s); s != "" && !slices.Contains(tags, s) {
			tags = append(tags, s)
		}
	}
	slices.Sort(tags)
	block := func(s string) string {
		lines := strings.Split(s, "\n")
		for len(lines) > 0 && strings.TrimSpace(lines[0]) == "" {
			lines = lines[1:]
		}
		for len(lines) > 0 && strings.TrimSpace(lines[len(lines)-1]) == "" {
			lines = lines[:len(lines)-1]
		}
		return strings.Join(lines, "\n")
	}
	return fmt.Sprintf("%s %q %q %q %q %v %d", l.Category, l.Content, block(l.Insight), block(l.Example), tags, l.Confidence.Round(), l.Use.Used)
}
