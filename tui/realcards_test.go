package tui

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"learnings/extractor"
	"learnings/extractor/rules"
	"learnings/extractor/transcript"
	"learnings/lessons"
)

// realProposals returns what the rules propose from real sessions of two agents.
func realProposals(t *testing.T) (all []lessons.Lesson) {
	t.Helper()
	root := filepath.Join("..", "..", "shared", "transcripts")
	if _, err := os.Stat(root); err != nil {
		t.Skipf("no real sessions here: %v", err)
	}
	var files []transcript.File
	for _, agent := range []string{"claude-code", "codex"} {
		for f, err := range transcript.FindKnown(transcript.Places{{Path: filepath.Join(root, agent), Named: true}}, nil) {
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, f)
		}
	}
	o := extractor.Options{Proposers: []extractor.Proposer{&rules.Rules{}}, Project: transcript.NewProjects("", nil).Project}
	for b, err := range extractor.Run(t.Context(), files, nil, o) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, b.Lessons...)
	}
	if len(all) < 50 {
		t.Fatalf("only %d proposals", len(all))
	}
	return all
}

// noise is what a card must not have, unless the lesson itself says so: words of the
// program about itself, and facts that say nothing.
var noise = []string{"(rules)", "against  nothing", "0×", "queued", "rejection", "tool-error", "UserPromptSubmit", "SessionStart", "PreToolUse", "PostToolUse",
	"as said", "is not named", "at the start", "near in what it means", "1 lesson at"}

// label matches a label that a card of a proposal does not have, and empty a lane without
// rows.
var (
	label  = regexp.MustCompile(`(?m)(?:^|│) +(?:terms|wording)  `)
	empty  = regexp.MustCompile(`(?:likely|maybe|duplicates|dup|from outside|outside|quarantined|quar|out of date|old) 0\b`)
	ownEnd = regexp.MustCompile(`“[^”]*”?`)
)

// A card of a real proposal says what decides, once and in plain words, at any size: why it
// was proposed is one line, nothing on it is noise, and the last lines are not cut.
func TestRealCardsDecideThemselves(t *testing.T) {
	all := realProposals(t)
	p := playing(t, fxOn(newCorpus(t, all...)), 200, 50).press("w") // without the session beside the card
	own := ""
	for _, l := range all {
		own += strings.Join([]string{l.Content, l.Insight, l.Example}, "\n")
		for _, e := range l.Evidence {
			own += strings.Join(slices.Concat([]string{e.Quote}, e.Before, e.After), "\n")
		}
	}
	seen := map[lessons.ID]bool{}
	for range 3 { // the lanes
		for range 70 {
			l, ok := p.a.review.Current()
			if !ok || seen[l.ID] {
				break
			}
			seen[l.ID] = true
			for _, size := range [][2]int{{60, 16}, {80, 24}, {100, 30}, {140, 40}, {200, 50}} {
				text := p.send(tea.WindowSizeMsg{Width: size[0], Height: size[1]}).text()
				lines := strings.Split(text, "\n")
				for _, n := range noise {
					if strings.Contains(text, n) && !strings.Contains(own, n) {
						t.Fatalf("%s at %v says %q:\n%s", l.ID, size, n, text)
					}
				}
				if found := label.FindString(text) + empty.FindString(text); found != "" {
					t.Fatalf("%s at %v has %q:\n%s", l.ID, size, found, text)
				}
				if n := strings.Count(text, "   why  "); n > 1 || size[0] >= 100 && n == 0 {
					t.Fatalf("%s at %v says %d times why:\n%s", l.ID, size, n, text)
				}
				for _, line := range lines[len(lines)-2:] {
					if strings.Contains(ownEnd.ReplaceAllString(line, ""), "…") {
						t.Fatalf("%s at %v: a cut sentence %q", l.ID, size, line)
					}
				}
				if at := strings.Index(text, " begin then "); at >= 0 && !strings.Contains(text[at:], "  2  ") {
					t.Fatalf("%s at %v: a block of one line:\n%s", l.ID, size, text)
				}
			}
			p.press("j")
		}
		p.press("l")
	}
	if len(seen) < 60 {
		t.Errorf("only %d cards were looked at", len(seen))
	}
}
