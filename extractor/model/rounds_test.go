package model

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"learnings/extractor"
	"learnings/extractor/model/llm"
	"learnings/extractor/transcript"
	"learnings/lessons"
)

// session writes a transcript in which a person says some things.
func session(t testing.TB, dir, id string, said ...string) transcript.File {
	t.Helper()
	var b strings.Builder
	for i, text := range said {
		fmt.Fprintf(&b, `{"parentUuid":null,"isSidechain":false,"userType":"external","cwd":"/src/shop","sessionId":%q,"version":"2.1.0","type":"user","message":{"role":"user","content":%q},"uuid":"%s-%d","timestamp":"2026-04-05T14:30:%02dZ"}`+"\n", id, text, id, i, i%60)
	}
	path := filepath.Join(dir, id+".jsonl")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return transcript.File{Path: path, Format: transcript.ClaudeCode, Size: info.Size(), ModTime: info.ModTime()}
}

// A corpus is where what is extracted is kept in these tests.
type corpus struct {
	t      testing.TB
	marks  *extractor.Ledger
	found  []lessons.Lesson
	failed []string
}

func newCorpus(t testing.TB) *corpus {
	marks, err := extractor.OpenLedger(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return &corpus{t: t, marks: marks}
}

func (c *corpus) take(ctx context.Context, files []transcript.File, o extractor.Options) error {
	for b, err := range extractor.Run(ctx, files, c.marks, o) {
		if file := (*extractor.FileError)(nil); errors.As(err, &file) {
			c.failed = append(c.failed, filepath.Base(b.File.Path)+": "+err.Error())
			continue
		}
		if err != nil {
			return err
		}
		c.found = append(c.found, b.Lessons...)
		if err := c.marks.Commit(b.Mark); err != nil {
			return err
		}
	}
	return nil
}

func (c *corpus) said() []string {
	var out []string
	for _, l := range c.found {
		out = append(out, l.Origin.Source+": "+l.Content)
	}
	return out
}

var entry = regexp.MustCompile(`(?m)^(\S+) USER: (always \S+)`)

// obedient makes a lesson of each entry that says "always".
func obedient(r llm.Request) (llm.Response, error) {
	var items []string
	for _, m := range entry.FindAllStringSubmatch(r.User, -1) {
		items = append(items, fmt.Sprintf(`{"quote":%q,"handle":%q,"content":%q,"confidence":"certain"}`, m[2], m[1], "One should "+m[2]))
	}
	return llm.Response{Text: `{"decision":"LEARN","lessons":[` + strings.Join(items, ",") + `]}`, Usage: llm.Usage{In: 1000, Out: 100}}, nil
}

// TestShortSessionsShareACall asks about ten sessions at once, two of which teach
// something, and in another run about none of them.
func TestShortSessionsShareACall(t *testing.T) {
	dir, keep := t.TempDir(), newCorpus(t)
	var files []transcript.File
	for i := range 10 {
		text := "look at the shop"
		if i%4 == 1 {
			text = fmt.Sprintf("always test%d", i)
		}
		files = append(files, session(t, dir, fmt.Sprintf("s%d", i), text, "thanks"))
	}
	var sent []string
	var mu sync.Mutex
	var results []Result
	p := proposer(t, asks(func(r llm.Request) (llm.Response, error) {
		sent = append(sent, r.System+"\n\n"+r.User)
		return obedient(r)
	}), func(_ *Config, o *Options) {
		o.Report = func(_ transcript.Session, r Result) {
			mu.Lock()
			defer mu.Unlock()
			results = append(results, r)
		}
	})
	var shown []string
	if err := p.Show(t.Context(), files, keep.marks, extractor.Options{}, func(c Call) error {
		shown = append(shown, c.Text())
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := p.Extract(t.Context(), files, keep.marks, extractor.Options{}, keep.take); err != nil {
			t.Fatal(err)
		}
	}
	if len(sent) != 1 || !slices.Equal(sent, shown) {
		t.Errorf("%d calls, shown was %d: %q", len(sent), len(shown), sent)
	}
	if want := []string{"s1: One should always test1", "s5: One should always test5", "s9: One should always test9"}; !slices.Equal(keep.said(), want) || keep.failed != nil {
		t.Errorf("got %q, failed %q", keep.said(), keep.failed)
	}
	run, _, err := p.Spent()
	if err != nil || run.Calls != 1 || run.Usage.In != 1000 {
		t.Errorf("spent %+v, %v", run, err)
	}
	if len(results) != 10 {
		t.Errorf("%d sessions were told of", len(results))
	}
}

// Long sessions have calls of their own, and a call is never longer than the budget.
func TestCallsAreBounded(t *testing.T) {
	dir, keep := t.TempDir(), newCorpus(t)
	var files []transcript.File
	for i := range 30 {
		files = append(files, session(t, dir, fmt.Sprintf("s%02d", i), strings.Repeat(fmt.Sprintf("we should look at part %d of it, which is slow. ", i), 1+i*2)))
	}
	p := proposer(t, nil, func(c *Config, _ *Options) { c.Budget = 2000 })
	sessions := 0
	if err := p.Show(t.Context(), files, keep.marks, extractor.Options{}, func(c Call) error {
		sessions += len(c.Sessions())
		if len(c.Sessions()) > mostSessions || len(c.Sessions()) > 1 && Tokens(c.Request.User) > 2200 {
			t.Errorf("%d sessions in %d tokens", len(c.Sessions()), Tokens(c.Request.User))
		}
		return nil
	}); err != nil || sessions != 30 {
		t.Errorf("%d sessions, %v", sessions, err)
	}
}

// TestFailedCall has one of two calls fail, because of one session. After an error, all
// its sessions are asked about again by the next run. After an answer that cannot be
// used, the others are asked about at once, and that one is read by the rules; no later
// run pays for it.
func TestFailedCall(t *testing.T) {
	dir := t.TempDir()
	var files []transcript.File
	for i := range mostSessions + 2 {
		files = append(files, session(t, dir, fmt.Sprintf("s%02d", i), fmt.Sprintf("always test%02d", i)))
	}
	for name, answer := range map[string]func(llm.Request) (llm.Response, error){
		"an error":  func(llm.Request) (llm.Response, error) { return llm.Response{}, errors.New("overloaded") },
		"no answer": func(llm.Request) (llm.Response, error) { return llm.Response{Text: "I cannot."}, nil },
		"no quote": func(llm.Request) (llm.Response, error) {
			return llm.Response{Text: `{"lessons":[{"content":"x"}]}`}, nil
		},
		"a refusal": func(llm.Request) (llm.Response, error) { return llm.Response{Text: "no"}, llm.ErrRefused },
		"breaks off": func(llm.Request) (llm.Response, error) {
			return llm.Response{Text: `{"decision":"LEARN","lessons":[{"quote":`, Truncated: true}, nil
		},
	} {
		keep := newCorpus(t)
		var mu sync.Mutex
		bad, asked := true, 0
		var gaveUp []string
		p := proposer(t, asks(func(r llm.Request) (llm.Response, error) {
			mu.Lock()
			defer mu.Unlock()
			asked++
			if bad && strings.Contains(r.User, "test00") {
				return answer(r)
			}
			return obedient(r)
		}), func(_ *Config, o *Options) {
			o.Report = func(s transcript.Session, r Result) {
				if r.GaveUp != nil {
					gaveUp = append(gaveUp, s.ID)
				}
			}
		})
		extract := func() error {
			return p.Extract(t.Context(), files, keep.marks, extractor.Options{}, keep.take)
		}
		err := extract()
		if name == "an error" {
			if err != nil || len(keep.found) != 2 || len(keep.failed) != mostSessions || asked != 2 {
				t.Errorf("%s: %d lessons, %d failed, asked %d times, %v", name, len(keep.found), len(keep.failed), asked, err)
			}
			bad, keep.failed = false, nil
			if err := extract(); err != nil || len(keep.found) != len(files) || keep.failed != nil || asked != 3 {
				t.Errorf("%s, again: %d lessons, %q failed, asked %d times, %v", name, len(keep.found), keep.failed, asked, err)
			}
			continue
		}
		before := asked
		if err = errors.Join(err, extract()); err != nil || len(keep.found) < len(files)-1 || keep.failed != nil || asked > 11 || asked != before || !slices.Equal(gaveUp, []string{"s00"}) {
			t.Errorf("%s: %d lessons, %q failed, asked %d times and then %d, gave up %q, %v", name, len(keep.found), keep.failed, before, asked-before, gaveUp, err)
		}
	}
}

// A model that refuses everything is not asked about a session at each run.
func TestRefusalsInVain(t *testing.T) {
	dir, keep, asked := t.TempDir(), newCorpus(t), make(map[string]int)
	var files []transcript.File
	for i := range 3 * mostSessions {
		files = append(files, session(t, dir, fmt.Sprintf("s%02d", i), fmt.Sprintf("always test%02d", i)))
	}
	var mu sync.Mutex
	for range 4 {
		p := proposer(t, asks(func(r llm.Request) (llm.Response, error) {
			mu.Lock()
			defer mu.Unlock()
			for _, m := range entry.FindAllStringSubmatch(r.User, -1) {
				asked[m[2]]++
			}
			return llm.Response{Text: "no"}, llm.ErrRefused
		}))
		if err := p.Extract(t.Context(), files, keep.marks, extractor.Options{}, keep.take); err != nil && !EndsAsking(t.Context(), err) {
			t.Fatal(err)
		}
	}
	for said, n := range asked {
		if n > 6 {
			t.Errorf("%q was paid for %d times", said, n)
		}
	}
	if len(asked) != len(files) {
		t.Errorf("asked about %d of %d sessions", len(asked), len(files))
	}
}

// A model whose answers can never be used is not asked about all sessions.
func TestAnswersInVain(t *testing.T) {
	dir, keep, asked := t.TempDir(), newCorpus(t), 0
	var files []transcript.File
	for i := range 3 * mostSessions {
		files = append(files, session(t, dir, fmt.Sprintf("s%02d", i), fmt.Sprintf("always test%02d", i)))
	}
	var mu sync.Mutex
	p := proposer(t, asks(func(llm.Request) (llm.Response, error) {
		mu.Lock()
		defer mu.Unlock()
		asked++
		return llm.Response{Text: "I cannot."}, nil
	}))
	err := p.Extract(t.Context(), files, keep.marks, extractor.Options{}, keep.take)
	if !EndsAsking(t.Context(), err) || !strings.Contains(err.Error(), "no answer so far could be used") || asked != mostUnread {
		t.Errorf("asked %d times, %v", asked, err)
	}
}

// TestHalfOfASessionFails has a session that is too long for one call, and one of its
// calls fail. The next run asks about all of it again.
func TestHalfOfASessionFails(t *testing.T) {
	dir, keep := t.TempDir(), newCorpus(t)
	said := []string{"always test1"}
	for range 8100 {
		said = append(said, "ok")
	}
	files := []transcript.File{session(t, dir, "long", append(said, "always test2", "ok")...)}
	var mu sync.Mutex
	bad, asked := true, 0
	p := proposer(t, asks(func(r llm.Request) (llm.Response, error) {
		mu.Lock()
		defer mu.Unlock()
		if asked++; bad && strings.Contains(r.User, "test2") {
			return llm.Response{}, errors.New("overloaded")
		}
		return obedient(r)
	}), func(c *Config, _ *Options) { c.Budget = 300 })
	if err := p.Extract(t.Context(), files, keep.marks, extractor.Options{}, keep.take); err != nil || len(keep.failed) != 1 || len(keep.found) != 0 || asked < 2 {
		t.Fatalf("%q, failed %q, asked %d times, %v", keep.said(), keep.failed, asked, err)
	}
	bad = false
	if err := p.Extract(t.Context(), files, keep.marks, extractor.Options{}, keep.take); err != nil || len(keep.found) != 2 {
		t.Errorf("%q, %v", keep.said(), err)
	}
}

// Sessions that an answer has not come to when it breaks off are asked about again.
func TestSharedAnswerBreaksOff(t *testing.T) {
	dir, keep, asked := t.TempDir(), newCorpus(t), 0
	files := []transcript.File{session(t, dir, "a", "always test1"), session(t, dir, "b", "always test2"), session(t, dir, "c", "always test3")}
	p := proposer(t, asks(func(r llm.Request) (llm.Response, error) {
		resp, err := obedient(r)
		if resp.Truncated = strings.Contains(r.User, "test1"); resp.Truncated {
			resp.Text, _, _ = strings.Cut(resp.Text, `,{"quote":"always test3`)
		}
		asked++
		return resp, err
	}))
	if err := p.Extract(t.Context(), files, keep.marks, extractor.Options{}, keep.take); err != nil || len(keep.found) != 3 || len(keep.failed) != 0 || asked != 2 {
		t.Errorf("%q, failed %q, asked %d times, %v", keep.said(), keep.failed, asked, err)
	}
}

// What is paid for is kept, whatever ends the run: a ceiling or ^C.
func TestExtractEnds(t *testing.T) {
	dir := t.TempDir()
	var files []transcript.File
	for i := range 3 * mostSessions {
		files = append(files, session(t, dir, fmt.Sprintf("s%02d", i), fmt.Sprintf("always test%02d", i)))
	}
	for name, want := range map[string]error{"a ceiling": llm.ErrCeiling, "the person": context.Canceled} {
		keep := newCorpus(t)
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		var mu sync.Mutex
		asked := 0
		p := proposer(t, asks(func(r llm.Request) (llm.Response, error) {
			mu.Lock()
			defer mu.Unlock()
			if asked++; asked > 1 {
				if want == context.Canceled {
					stop()
				}
				return llm.Response{}, want
			}
			return obedient(r)
		}))
		if err := p.Extract(ctx, files, keep.marks, extractor.Options{}, keep.take); !errors.Is(err, want) || len(keep.found) != mostSessions || keep.failed != nil {
			t.Errorf("%s: %d lessons, failed %q, %v", name, len(keep.found), keep.failed, err)
		}
	}
}

// TestForksAreSentOnce has sessions that begin with what another one holds: in the
// same run, in a later one, and in one that is to send everything anew.
func TestForksAreSentOnce(t *testing.T) {
	dir, keep := t.TempDir(), newCorpus(t)
	first := session(t, dir, "a", "always test1", "go on with it then", "also look at the docs")
	text, err := os.ReadFile(first.Path)
	if err != nil {
		t.Fatal(err)
	}
	fork := func(name, said string) transcript.File {
		more := session(t, dir, name, "", "", "", said)
		own, err := os.ReadFile(more.Path)
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.SplitAfter(string(own), "\n")
		if err := os.WriteFile(more.Path, append(slices.Clone(text), lines[3]...), 0o600); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(more.Path)
		if err != nil {
			t.Fatal(err)
		}
		more.Size, more.ModTime = info.Size(), info.ModTime()
		return more
	}
	second, third := fork("b", "always test2"), fork("c", "always test3")
	var sent []string
	p := proposer(t, asks(func(r llm.Request) (llm.Response, error) {
		sent = append(sent, r.User)
		return obedient(r)
	}))
	for i, c := range []struct {
		files []transcript.File
		o     extractor.Options
		want  int // how often the copied record is sent
	}{
		{[]transcript.File{first, second}, extractor.Options{}, 1},
		{[]transcript.File{third}, extractor.Options{}, 0},
		{[]transcript.File{third}, extractor.Options{Anew: true}, 1},
	} {
		sent = nil
		if err := p.Extract(t.Context(), c.files, keep.marks, c.o, keep.take); err != nil || keep.failed != nil {
			t.Fatal(err, keep.failed)
		}
		if got := strings.Count(strings.Join(sent, ""), "USER: always test1"); got != c.want || len(sent) != 1 {
			t.Errorf("run %d: sent %d times, want %d: %q", i, got, c.want, sent)
		}
	}
	said := strings.Join(keep.said(), "\n")
	if !strings.Contains(said, "test1") || !strings.Contains(said, "test2") || !strings.Contains(said, "test3") {
		t.Errorf("got %s", said)
	}
}
