package rules

import (
	"slices"
	"strings"
	"testing"

	"learnings/extractor/transcript"
	"learnings/lessons"
)

// A proposal says when it shows by what stood around it: names and a complaint, and no
// word of its own sentence.
func TestShows(t *testing.T) {
	for name, c := range map[string]struct {
		lines []string
		want  []string
	}{
		"a complaint, and the file that was edited": {
			[]string{"person: The dates on the invoice are off by one hour.", "agent: I changed formatDue.", "edits: /src/shop/lib/due.ts", "person: No, that's wrong. We always store instants in UTC and convert them at the edge.", "agent: You're right."},
			[]string{"lib/due.ts", "The dates on the invoice are off by one hour"}},
		"the command that was refused": {
			[]string{"agent: Tagging.", "refuses Bash git push --tags: don't push releases by hand, the pipeline has to do that, always"},
			[]string{"git push"}},
		"the file that was refused by a name in the sentence": {
			[]string{"agent: I edit it.", "edits: /src/shop/schema.prisma", "person: You must never edit schema.prisma by hand in this repository, always generate it."},
			nil},
		"an error": {
			[]string{"runs: pnpm test", "fails: Error: ERR_DLOPEN_FAILED: wrong module version", "agent: I try npm.", "person: From now on always rebuild the native modules after switching node, never reinstall everything."},
			[]string{"ERR_DLOPEN_FAILED"}},
		"a fragment has names alone": {
			[]string{"person: The report is empty since monday.", "agent: I rewrote build_report() and its callers.", "edits: /src/shop/report.py", "person: don't touch the rest", "agent: You're right, sorry."},
			[]string{"report.py", "build_report()"}},
		"what lies outside of the project is a name": {
			[]string{"agent: ok", "edits: /home/ada/.config/tool/mailer.toml", "person: No, you should not change the mailer settings of my machine, always use the ones in the project.", "agent: You're right."},
			[]string{"mailer.toml"}},
		"a rule of its own, far from what the agent does": {
			[]string{"agent: Done.", "edits: /src/shop/lib/due.ts", "person: From now on always use pnpm, never npm, in this repository."},
			nil},
	} {
		t.Run(name, func(t *testing.T) {
			s := session
			s.Dir = "/src/shop"
			ls := propose(t, Rules{Least: 0.01}, s, talk(c.lines...))
			if len(ls) == 0 {
				t.Fatal("nothing is proposed")
			}
			l := ls[len(ls)-1]
			if !slices.Equal(l.Triggers, c.want) {
				t.Errorf("%q shows when %q, want %q", l.Content, l.Triggers, c.want)
			}
		})
	}
}

func TestNamesIn(t *testing.T) {
	for text, want := range map[string]string{
		"see `parse_flag(x, y)` in src/app/flags.py:42, it raises ValueError.":             "parse_flag src/app/flags.py ValueError",
		"GitHub, JavaScript and https://example.com/a_b.go say nothing, e.g. feat(cli): x": "",
		"ENOENT and TS2345 and EXACTLY as foo.ts or ...jsonl":                              "ENOENT TS2345",
		"key sk9f8a7b6c5d4e and v1.2.3 (see useOrders)":                                    "useOrders",
		"example.com is host.example.com, boltons.strutils is none":                        "boltons.strutils",
	} {
		var got []string
		for _, n := range namesIn(text) {
			got = append(got, strings.TrimSuffix(n.text, "()"))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// What is shown is short, on one line, and bounded, whatever a transcript holds.
func FuzzShows(f *testing.F) {
	f.Add("The export fails silently for a_b.csv", "I changed parseRow() in /home/ada/x.go", "no, that is wrong, always keep the header")
	f.Add("\x1b[31mError\u202e: x", strings.Repeat("aB_c.go ", 3000), "never do that again, use the helper instead")
	f.Add("0  Aaaa fail", "b", "never do that")
	f.Add("inH/home/ada/x.go fails", "see a/Users/ada/x.go", "never do that again, use the helper instead")
	f.Add("inH/home/ada/x.g.go faio fails", "see a/Users/ada/x.go", "never do that again, use the helper instead")
	f.Fuzz(func(t *testing.T, first, agent, last string) {
		turns := talk("person: a", "agent: b", "edits: /src/shop/x.go", "person: c")
		turns[0].Text, turns[1].Text, turns[3].Text = first, agent, last
		ls, err := Rules{Least: 0.01}.Propose(t.Context(), transcript.Session{Dir: "/src/shop"}, turns)
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range ls {
			if len(l.Triggers) > maxShows {
				t.Errorf("%d phrases", len(l.Triggers))
			}
			for _, s := range l.Triggers {
				if len(s) > maxShow || s != lessons.Line(s) || strings.Contains(s, "/home/") || strings.Contains(s, "/Users/") {
					t.Errorf("%q", s)
				}
			}
		}
	})
}
