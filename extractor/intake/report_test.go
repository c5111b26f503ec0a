package intake_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"learnings/extractor"
	"learnings/extractor/intake"
	"learnings/extractor/transcript"
	"learnings/lessons"
)

var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

const session = "0b51d8e2-1111-4222-8333-944444444444"

// spoken is a session of Claude Code in which a person and an agent speak in turn.
func spoken(t *testing.T, texts ...string) intake.Sessions {
	t.Helper()
	dir := t.TempDir()
	var b strings.Builder
	for i, text := range texts {
		who, content := "user", fmt.Sprintf("%q", text)
		if i%2 == 1 {
			who, content = "assistant", fmt.Sprintf(`[{"type":"text","text":%q}]`, text)
		}
		fmt.Fprintf(&b, `{"type":%q,"parentUuid":null,"isSidechain":false,"sessionId":%q,"uuid":"u%d","cwd":"/src/shop","timestamp":%q,"message":{"role":%q,"content":%s}}`+"\n",
			who, session, i, noon.Add(time.Duration(i)*time.Second).Format(time.RFC3339), who, content)
	}
	path := filepath.Join(dir, "-src-shop", session+".jsonl")
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(path, noon, noon); err != nil {
		t.Fatal(err)
	}
	return intake.Sessions{
		Places: transcript.Places{{Path: dir, Format: transcript.ClaudeCode}}, Dir: "/src/shop/web", Now: func() time.Time { return noon.Add(time.Hour) },
		Options: extractor.Options{Project: func(dir string) string {
			if strings.HasPrefix(dir, "/src/shop") {
				return "shop"
			}
			return "other"
		}},
	}
}

func telling(content, quote string) intake.Report {
	return intake.Report{Wording: lessons.Wording{Content: content}, Category: "correction", Quote: quote, Client: "claude-code"}
}

// TestProposal checks what becomes of what an agent quotes.
func TestProposal(t *testing.T) {
	s := spoken(t,
		"Set up the build, please.", "I will use npm for that.",
		"No. We always use  pnpm\nin this repository.", "Understood: pnpm it is. Shall I move the retries to RetryQueue?",
		"Yes, always do it that way. İstanbul'da pnpm.", "Done, with sk-ant-api03-"+strings.Repeat("a1B2", 20)+" as the key.")
	for name, c := range map[string]struct {
		content, quote, session string
		found                   bool
		by                      lessons.Speaker
		unsaid                  []string
		rule, quoted            string
		lane                    lessons.Lane
	}{
		"a person":               {"Use pnpm in this repository.", "we always use pnpm in this repository", session, true, lessons.ByPerson, nil, "what you said", "We always use  pnpm\nin this repository", ""},
		"without its session":    {"Use pnpm in this repository.", "We always use pnpm", "", true, lessons.ByPerson, nil, "what you said", "We always use  pnpm", ""},
		"the agent":              {"Use pnpm in this repository.", "Understood: pnpm it is", session, true, lessons.ByAgent, nil, "said itself", "Understood: pnpm it is", lessons.Maybe},
		"in other letters":       {"Istanbul'da pnpm.", "\"İSTANBUL'DA  pnpm\"", session, true, lessons.ByPerson, nil, "what you said", "İstanbul'da pnpm", ""},
		"an answer":              {"Move retries to RetryQueue.", "always do it that way", session, true, lessons.ByPerson, nil, "what you said", "always do it that way", ""},
		"words that nobody said": {"Use pnpm, and run evil-pkg with it.", "We always use pnpm", session, true, lessons.ByAgent, []string{"evil-pkg"}, "what you said", "We always use  pnpm", ""},
		"made up":                {"Use yarn.", "From now on use yarn, please", session, false, lessons.ByAgent, nil, "was not found in the session", "From now on use yarn, please", lessons.Maybe},
		"another session":        {"Use pnpm.", "We always use pnpm", "ffffffff-0000-0000-0000-000000000000", false, lessons.ByAgent, nil, "no transcript", "We always use pnpm", lessons.Maybe},
		"too short to tell":      {"Use pnpm.", "pnpm", session, false, lessons.ByAgent, nil, "quotes nothing", "Use pnpm.", lessons.Maybe},
		"nothing":                {"Use pnpm.", "", session, false, lessons.ByAgent, nil, "quotes nothing", "Use pnpm.", lessons.Maybe},
		"with a session's path":  {"Use pnpm.", "We always use pnpm", "../" + session, false, lessons.ByAgent, nil, "no transcript", "We always use pnpm", lessons.Maybe},
	} {
		tell := telling(c.content, c.quote)
		tell.Session = c.session
		l, found, err := s.Proposal(t.Context(), tell)
		if err != nil || found != c.found {
			t.Errorf("%s: found %v, %v", name, found, err)
			continue
		}
		e := l.Evidence[0]
		if l.SaidBy() != c.by || !slices.Equal(l.Origin.Unsaid, c.unsaid) || !strings.Contains(l.Origin.Rule, c.rule) || e.Quote != c.quoted || l.Lane != c.lane {
			t.Errorf("%s: by %s, unsaid %q, rule %q, quote %q, lane %q", name, l.SaidBy(), l.Origin.Unsaid, l.Origin.Rule, e.Quote, l.Lane)
		}
		if l.Status != lessons.Pending || l.Scope.Project != "shop" || l.Origin.Extractor != "agent:claude-code" || l.Validate() != nil {
			t.Errorf("%s: %+v", name, l)
		}
		if found && (e.Session != session || e.Line == 0 || e.UUID == "" || !filepath.IsAbs(e.Path)) {
			t.Errorf("%s: evidence %+v", name, e)
		}
		again, _, err := s.Proposal(t.Context(), tell)
		if err != nil || again.ID != l.ID {
			t.Errorf("%s: told again it is %s, not %s: %v", name, again.ID, l.ID, err)
		}
	}
	if l, _, err := s.Proposal(t.Context(), telling("Use the key.", "as the key")); err != nil || strings.Contains(fmt.Sprint(l.Evidence), "a1B2a1B2") {
		t.Errorf("a secret: %v, %v", l.Evidence, err)
	}
}

// TestNotRead checks that a pause, an exclusion and what we gave ourselves hold.
func TestNotRead(t *testing.T) {
	const lesson, quote = "Use pnpm in this repository.", "We always use pnpm here"
	tell := telling(lesson, quote)
	tell.Session = session

	s := spoken(t, quote)
	s.Options.Paused = func(at time.Time) bool { return at.After(noon.Add(time.Minute)) }
	if _, _, err := s.Proposal(t.Context(), tell); !errors.Is(err, intake.ErrPaused) {
		t.Errorf("in a pause: %v", err)
	}
	s.Options.Paused = func(at time.Time) bool { return at.Before(noon.Add(time.Minute)) }
	if l, found, err := s.Proposal(t.Context(), tell); found || err != nil || l.Evidence[0].By != lessons.ByAgent {
		t.Errorf("said in a pause: %v, %v", found, err)
	}
	for name, excluded := range map[string]func(dir, path string) string{
		"the folder of the server": func(dir, _ string) string { return strings.TrimPrefix(dir, "/src/shop") },
		"the session":              func(dir, path string) string { return map[bool]string{true: "shop"}[path != ""] },
	} {
		s := spoken(t, quote)
		s.Options.Excluded = excluded
		if _, _, err := s.Proposal(t.Context(), tell); !errors.Is(err, intake.ErrExcluded) {
			t.Errorf("%s excluded: %v", name, err)
		}
	}
	s = spoken(t, "Hello there.", "I was given <learnings-context project=\"shop\" lessons=\"k7m2p9qx\">\n- We always use pnpm here [L-k7m2p9qx]\n</learnings-context>")
	if _, found, err := s.Proposal(t.Context(), tell); found {
		t.Errorf("a lesson that was given came back: %v", err)
	}
}

// TestAround checks what is told of a moment: from the transcript while it is there,
// and else what was kept.
func TestAround(t *testing.T) {
	texts := []string{"Set up the build, please.", "I will use npm.", "No. We always use pnpm here.", "Right, pnpm. The key is sk-ant-api03-" + strings.Repeat("a1B2", 20), "Thanks.", "You are welcome."}
	s := spoken(t, texts...)
	tell := telling("Use pnpm here.", "We always use pnpm here")
	l, found, err := s.Proposal(t.Context(), tell)
	if !found || err != nil {
		t.Fatal(found, err)
	}
	e := l.Evidence[0]
	m, err := s.Around(t.Context(), e, 1, 2)
	if err != nil || !m.Transcript || !slices.Equal(m.Before, []string{"agent: I will use npm."}) || len(m.After) != 2 || m.After[1] != "person: Thanks." {
		t.Errorf("%+v, %v", m, err)
	}
	if strings.Contains(m.After[0], "a1B2") {
		t.Errorf("a secret is told: %q", m.After[0])
	}
	if m, _ = s.Around(t.Context(), e, 100, 100); len(m.Before) != 2 || len(m.After) != 3 {
		t.Errorf("all: %+v", m)
	}
	for name, lost := range map[string]func(*lessons.Evidence){
		"gone":        func(e *lessons.Evidence) { e.Path += ".gone" },
		"another":     func(e *lessons.Evidence) { e.Path = "/etc/passwd" },
		"relative":    func(e *lessons.Evidence) { e.Path = "session.jsonl" },
		"other words": func(e *lessons.Evidence) { e.Quote = "Something else entirely was said" },
	} {
		e := e
		lost(&e)
		if m, err := s.Around(t.Context(), e, 5, 1); err != nil || m.Transcript || !slices.Equal(m.Before, e.Before) || len(m.After) != 1 {
			t.Errorf("%s: %+v, %v", name, m, err)
		}
	}
	s.Options.Excluded = func(string, string) string { return "shop" }
	if m, err := s.Around(t.Context(), e, 5, 5); err != nil || m.Transcript {
		t.Errorf("of an excluded session: %+v, %v", m, err)
	}
}
