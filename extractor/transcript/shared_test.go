package transcript_test

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"learnings/extractor/transcript"
)

// shared returns a folder of real transcripts and labels, or skips the test.
func shared(tb testing.TB, path string) string {
	tb.Helper()
	p := filepath.Join("..", "..", "..", "shared", filepath.FromSlash(path))
	if _, err := os.Stat(p); err != nil {
		tb.Skipf("no real transcripts on this machine: %v", err)
	}
	return p
}

// source is a row of SOURCES.tsv: what an independent count says of a file.
type source struct {
	path, kind            string
	lines                 int
	human, calls, errors  int
	session, first, notes string
}

func sources(tb testing.TB) []source {
	tb.Helper()
	data, err := os.ReadFile(filepath.Join(shared(tb, "transcripts"), "SOURCES.tsv"))
	if err != nil {
		tb.Fatal(err)
	}
	var out []source
	for i, line := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		f := strings.Split(line, "\t")
		if i == 0 || len(f) < 16 {
			continue
		}
		n := func(s string) int { v, _ := strconv.Atoi(s); return v }
		out = append(out, source{path: f[0], kind: f[8], lines: n(f[6]), human: n(f[9]), calls: n(f[10]), errors: n(f[11]), session: f[13], first: f[14], notes: strings.Join(f[16:], " ")})
	}
	return out
}

// format is the format of a shared file, whose folder is named for its agent.
func format(path string) transcript.Format {
	switch root, _, _ := strings.Cut(path, "/"); root {
	case "claude-code-growth":
		return transcript.ClaudeCode
	case "other-fixtures":
		return ""
	default:
		return transcript.Format(root)
	}
}

// counted says whether the counts of [sources] are by definitions that ours
// can be held against; those of the others are in [TestVerified].
func counted(path string) bool {
	return format(path) == transcript.ClaudeCode || format(path) == transcript.Codex
}

// turnsOf reads a shared file and fails the test on any error in it.
func turnsOf(tb testing.TB, path string) ([]transcript.Turn, transcript.Session) {
	tb.Helper()
	f, err := os.Open(filepath.Join(shared(tb, "transcripts"), filepath.FromSlash(path)))
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	r := transcript.NewReader(f, format(path), transcript.Options{Path: path})
	var turns []transcript.Turn
	for t, err := range r.Turns() {
		if err != nil {
			tb.Fatal(err)
		}
		turns = append(turns, t)
	}
	return turns, r.Session()
}

// TestSources compares what is read of every real session with the counts of
// an independent program, whose definitions differ from ours:
//   - its human turns of Claude Code are user lines without an IDE's element
//     that hold a typed message; ours are also steering, refusals, answers,
//     commands and shell lines, and a repeat of a queued message is left out;
//   - its tool errors are all flagged results of Claude Code, of which we call
//     those Refused that a person refused, and of Codex those with an exit
//     code; ours are also those that say so in words.
func TestSources(t *testing.T) {
	repeats := map[string]int{
		// Line 339 repeats the message that line 331 queued.
		"claude-code/entireio__cli/af74d9e0-6474-4284-85e7-2edd27abf21e.jsonl": 1,
	}
	for _, s := range sources(t) {
		if !counted(s.path) {
			continue
		}
		t.Run(s.path, func(t *testing.T) {
			turns, session := turnsOf(t, s.path)
			human, calls, errors := countAsSources(turns, session.Agent)
			if human += repeats[s.path]; human != s.human || calls != s.calls || errors != s.errors {
				t.Errorf("messages %d, calls %d, errors %d; the count says %d, %d, %d", human, calls, errors, s.human, s.calls, s.errors)
			}
			if s.kind == "subagent" {
				session.ID = session.Parent // the count names the parent
			}
			if session.ID != s.session {
				t.Errorf("session %q, want %q", session.ID, s.session)
			}
		})
	}
}

// countAsSources counts by the definitions of the independent program.
func countAsSources(turns []transcript.Turn, agent transcript.Format) (human, calls, errors int) {
	ide := map[int]bool{}
	for _, u := range turns {
		if u.Kind == transcript.Notice && strings.HasPrefix(u.Text, "<ide_") {
			ide[u.Line] = true
		}
	}
	for _, u := range turns {
		worded := strings.HasPrefix(u.Text, "apply_patch verification failed") || strings.HasPrefix(u.Text, "write_stdin failed") || u.Refused
		switch {
		case u.Sidechain:
		case u.Speaker == transcript.Person && u.Kind == transcript.Message && !ide[u.Line],
			u.Speaker == transcript.Person && u.Kind == transcript.Steering && agent == transcript.Codex:
			human++
		case u.Kind == transcript.Call:
			calls++
		case u.Kind == transcript.Result && (u.Failed || u.Refused) && (agent == transcript.ClaudeCode || !worded):
			errors++
		}
	}
	return human, calls, errors
}

// TestGold checks that the words of every labelled moment are a person's turn
// on the line that the label names.
func TestGold(t *testing.T) {
	f, err := os.Open(filepath.Join(shared(t, "eval"), "gold-dev.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	read := map[string][]transcript.Turn{}
	rows, found := 0, 0
	for in := bufio.NewScanner(f); in.Scan(); {
		var g struct {
			File, Quote, Category, From string
			Line                        int
		}
		if err := json.Unmarshal(in.Bytes(), &g); err != nil {
			t.Fatal(err)
		}
		if g.From == "tool-error" {
			continue
		}
		if read[g.File] == nil {
			read[g.File], _ = turnsOf(t, g.File)
		}
		rows++
		if said(read[g.File], g.Line, g.Quote) {
			found++
			continue
		}
		t.Logf("%s:%d (%s, from %q): no person says %.100q", g.File, g.Line, g.Category, g.From, g.Quote)
		for _, u := range read[g.File] {
			if u.Line == g.Line {
				t.Logf("    has %s %s %.200q", u.Speaker, u.Kind, u.Text)
			}
		}
	}
	// The one that is missing labels both the queued message and its repeat.
	if found < rows-1 {
		t.Errorf("too few quotes found")
	}
	t.Logf("%d of %d quotes are a person's turn on their line", found, rows)
}

func said(turns []transcript.Turn, line int, quote string) bool {
	for _, u := range turns {
		if u.Line == line && u.Speaker == transcript.Person && strings.Contains(fold(u.Text), fold(quote)) {
			return true
		}
	}
	return false
}

// fold undoes what labels may do to a quote: JSON escapes and white space.
func fold(s string) string {
	s = strings.NewReplacer(`\n`, " ", `\t`, " ", `\"`, `"`).Replace(s)
	return strings.Join(strings.Fields(s), " ")
}
