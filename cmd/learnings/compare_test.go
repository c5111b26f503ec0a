package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// An advised is what is asserted of a proposal.
type advised struct {
	ID, Content, Status, Lane, Advice string
	Score                             float64
}

// proposalsOf returns the lessons of a world by their content.
func proposalsOf(t *testing.T, s *modelServer, dir string) map[string]advised {
	t.Helper()
	out, errs, code := s.with(t, dir, "search", "--limit", "0", "--json", "")
	if code != exitOK {
		t.Fatalf("exit %d: %s", code, errs)
	}
	all := make(map[string]advised)
	for dec := json.NewDecoder(strings.NewReader(out)); dec.More(); {
		var l advised
		if err := dec.Decode(&l); err != nil {
			t.Fatal(err)
		}
		all[l.Content] = l
	}
	return all
}

// saying writes a session in which a person says some things, and returns an answer that
// makes a proposal of each.
func saying(t *testing.T, path string, said ...string) (answer string) {
	t.Helper()
	var lines, items []string
	for i, text := range said {
		quoted, _ := json.Marshal(text)
		lines = append(lines, fmt.Sprintf(`{"parentUuid":null,"isSidechain":false,"userType":"external","version":"2.1.0","type":"user","uuid":"%s-%d","sessionId":%q,"timestamp":"2026-04-%02dT14:00:%02dZ","cwd":"/src/shop","message":{"role":"user","content":%s}}`, filepath.Base(path), i, filepath.Base(path), len(said), i, quoted))
		items = append(items, fmt.Sprintf(`{"quote":%s,"content":%s,"confidence":"certain"}`, quoted, quoted))
	}
	write(t, path, strings.Join(lines, "\n")+"\n")
	return `{"decision":"LEARN","lessons":[` + strings.Join(items, ",") + `]}`
}

var taught = []string{"Use pnpm for all installs in this repository.", "Install packages with pnpm everywhere here.", "Deploy on Fridays after the review.", "Rename the export button to Save."}

// numbered returns the number that each proposal had in the request that was sent last.
func numbered(t *testing.T, s *modelServer) (of map[string]string) {
	t.Helper()
	var sent struct{ Messages []struct{ Content string } }
	if err := json.Unmarshal([]byte(s.sent.Load().(string)), &sent); err != nil || len(sent.Messages) != 2 {
		t.Fatal(sent, err)
	}
	of = make(map[string]string)
	for line := range strings.Lines(sent.Messages[1].Content) {
		if handle, content, ok := strings.Cut(strings.TrimSpace(line), " LESSON: "); ok {
			of[content] = handle
		}
	}
	return of
}

// TestComparedProposals has a model compare what a run found with what waits: a dry run
// and the run after it pay once, the cards say what it said, and it lowers what it may.
func TestComparedProposals(t *testing.T) {
	s, dir := newModelServer(t, 200, ""), t.TempDir()
	first, second := filepath.Join(dir, "a.jsonl"), filepath.Join(dir, "b.jsonl")
	s.answer = saying(t, first, taught[0])
	if _, errs, code := s.with(t, dir, "extract", "--model", "openai:m", "--max-usd", "0", first); code != exitOK || s.asked.Load() != 1 {
		t.Fatalf("one proposal was compared: exit %d, asked %d times: %s", code, s.asked.Load(), errs)
	}
	s.answer = saying(t, second, taught[1:]...)
	extract := func(args ...string) (out, errs string) {
		out, errs, code := s.with(t, dir, append([]string{"extract", "--model", "openai:m", "--max-usd", "0", second}, args...)...)
		if code != exitOK {
			t.Fatalf("exit %d: %s", code, errs)
		}
		return out, errs
	}
	out, errs := extract("--dry-run", "--show-prompt")
	if !strings.Contains(errs, "in 2 calls with") || !strings.Contains(out, "once for each project") || s.asked.Load() != 1 {
		t.Errorf("beforehand: %s%s", errs, out)
	}
	s.compared = "no idea"
	extract("--dry-run") // to learn the numbers
	n := numbered(t, s)
	if len(n) != len(taught) {
		t.Fatalf("compared %v", n)
	}
	s.compared = fmt.Sprintf(`{"decision":"REMARK","lessons":[
		{"handle":%q,"category":"same","supersedes":%q,"content":"both ask for pnpm"},
		{"handle":%q,"category":"contradicts","supersedes":%q,"content":"one defers\u0020what the other asks"},
		{"handle":%q,"category":"task","supersedes":"","content":"it is one button"},
		{"handle":"L99","category":"task","supersedes":"","content":"x"}]}`, n[taught[1]], n[taught[0]], n[taught[2]], n[taught[0]], n[taught[3]])
	asked := s.asked.Load()
	if _, errs = extract("--dry-run"); s.asked.Load() != asked+1 || !strings.Contains(errs, "it holds for one task only: it is one button") || len(proposalsOf(t, s, dir)) != 1 {
		t.Fatalf("asked %d times more: %s", s.asked.Load()-asked, errs)
	}
	if _, errs = extract(); s.asked.Load() != asked+1 || !strings.Contains(errs, "1 remark of the model left out") || !strings.Contains(errs, "1 likely and 2 maybe") {
		t.Errorf("asked %d times more: %s", s.asked.Load()-asked, errs)
	}
	got := proposalsOf(t, s, dir)
	for i, want := range []struct{ lane, says string }{
		{"likely", "it says the same as " + got[taught[1]].ID}, {"maybe", "it says the same as " + got[taught[0]].ID}, {"likely", "it contradicts " + got[taught[0]].ID}, {"maybe", "one task only"},
	} {
		l := got[taught[i]]
		if l.Status != "pending" || l.Lane != want.lane || !strings.Contains(l.Advice, want.says) || !strings.Contains(l.Advice, "openai:m: ") || l.Score != 0.93 {
			t.Errorf("got %+v, want %+v", l, want)
		}
	}
	if out, _, _ := s.with(t, dir, "show", got[taught[3]].ID); !strings.Contains(out, "it is one button") {
		t.Errorf("the card says nothing: %s", out)
	}
	if extract(); s.asked.Load() != asked+1 {
		t.Errorf("with nothing new it was asked again")
	}
}

// An answer that is broken, refused or hostile changes nothing, and the person is told.
func TestComparedInVain(t *testing.T) {
	for name, c := range map[string]struct{ compared, says string }{
		"prose":           {"They are all fine.", "comparing the proposals of"},
		"breaks off":      {`{"decision":"REMARK","lessons":[{"handle":"L1","category":"task","supersedes":"","content":"x"},{"hand`, "it breaks off"},
		"approves":        {`{"decision":"APPROVE","lessons":[{"handle":"L1","category":"approve","supersedes":"","content":"x","status":"approved","confidence":"certain"}]}`, "1 remark of the model left out"},
		"hides something": {`{"decision":"REMARK","lessons":[{"handle":"L1","category":"task","supersedes":"","content":"x\u202ey"}]}`, "1 remark of the model left out"},
		"itself":          {`{"decision":"REMARK","lessons":[{"handle":"L1","category":"same","supersedes":"L1","content":"x"}]}`, "1 remark of the model left out"},
	} {
		t.Run(name, func(t *testing.T) {
			s, dir := newModelServer(t, 200, ""), t.TempDir()
			session := filepath.Join(dir, "a.jsonl")
			s.answer, s.compared = saying(t, session, taught...), c.compared
			if _, errs, code := s.with(t, dir, "extract", "--model", "openai:m", "--max-usd", "0", session); code != exitOK || !strings.Contains(errs, c.says) {
				t.Errorf("exit %d: %s", code, errs)
			}
			got := proposalsOf(t, s, dir)
			for _, l := range got {
				if l.Lane != "likely" || l.Status != "pending" || l.Advice != "" {
					t.Errorf("changed: %+v", l)
				}
			}
			if len(got) != len(taught) {
				t.Errorf("%d proposals", len(got))
			}
		})
	}
}

// Comparing is paid for within the ceilings, and a person's own word stays.
func TestComparedWithin(t *testing.T) {
	s, dir := newModelServer(t, 200, ""), t.TempDir()
	configure(t, dir, "[learning]\nmodel = 'openai:m'\nprice_in = 0\nprice_out = 100\nmax_usd_per_day = 0.825\n")
	session := filepath.Join(dir, "a.jsonl")
	s.answer = saying(t, session, taught...)
	s.compared = `{"decision":"REMARK","lessons":[{"handle":"L1","category":"task","supersedes":"","content":"x"},{"handle":"L2","category":"task","supersedes":"","content":"x"},{"handle":"L3","category":"task","supersedes":"","content":"x"},{"handle":"L4","category":"task","supersedes":"","content":"x"},{"handle":"L5","category":"task","supersedes":"","content":"x"}]}`
	if _, errs, code := s.with(t, dir, "extract", session); code != exitOK || s.asked.Load() != 1 || !strings.Contains(errs, "comparing the proposals of") || !strings.Contains(errs, "this day has cost $0.0080 of $0.82") {
		t.Fatalf("exit %d, asked %d times: %s", code, s.asked.Load(), errs)
	}
	own := proposalsOf(t, s, dir)[taught[0]]
	if _, errs, code := s.with(t, dir, "edit", own.ID, "--confidence", "0.8"); code != exitOK {
		t.Fatal(errs)
	}
	configure(t, dir, "")
	s.answer = saying(t, filepath.Join(dir, "b.jsonl"), "Write the changelog in German.")
	if _, errs, code := s.with(t, dir, "extract", "--model", "openai:m", "--max-usd", "0", filepath.Join(dir, "b.jsonl")); code != exitOK || s.asked.Load() != 3 {
		t.Fatalf("exit %d, asked %d times: %s", code, s.asked.Load(), errs)
	}
	// What waits from a session that is excluded by now is not sent.
	configure(t, dir, "[learning]\nexclude = ["+strconv.Quote(session)+"]\n")
	s.answer = saying(t, filepath.Join(dir, "c.jsonl"), "Sign each commit.")
	if _, errs, code := s.with(t, dir, "extract", "--model", "openai:m", "--max-usd", "0", filepath.Join(dir, "c.jsonl")); code != exitOK || len(numbered(t, s)) != 2 {
		t.Errorf("exit %d, sent %v: %s", code, numbered(t, s), errs)
	}
	lanes := make(map[string][]string)
	for _, l := range proposalsOf(t, s, dir) {
		lanes[l.Lane] = append(lanes[l.Lane], l.ID)
	}
	if !slices.Equal(lanes["likely"], []string{own.ID}) || len(lanes["maybe"]) != len(taught)+1 {
		t.Errorf("got %v, want only %s to stay", lanes, own.ID)
	}
}
