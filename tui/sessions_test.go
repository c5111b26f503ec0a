package tui

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"
	"time"

	"learnings/lessons"
	"learnings/tui/desk"
)

func transcripts() []desk.Session {
	at := noon.Add(-time.Hour)
	return []desk.Session{
		{Path: "/s/a.jsonl", Agent: "claude-code", Project: "octofs", ID: "0b51d8e2", Start: at, Size: 1_234_567, Human: 12, Corrections: 2, Errors: 3, Ratio: 3.1, New: true, Prompt: "can you review the e2e tests in cmd/entire"},
		{Path: "/s/b.jsonl", Agent: "codex", Project: "ledger", ID: "7c2e", Start: at.Add(-48 * time.Hour), Size: 999, Human: 4, Ratio: -1, Taken: 2, Prompt: "rebase our branch"},
		{Path: "/s/c.jsonl", Agent: "codex", Project: "\x1b[31mevil", ID: "9d", Start: at.Add(-72 * time.Hour), Size: 5_000_000, Human: -1, Corrections: -1, Errors: -1, Ratio: -1, New: true},
	}
}

func fxWith(c *corpus, found []desk.Session, extract func(context.Context, string) (int, error)) desk.Desk {
	fx := fxOn(c)
	fx.Looked = []string{"~/.claude/projects", "~/.codex/sessions"}
	fx.Sessions = func(context.Context) iter.Seq2[desk.Session, error] {
		return func(yield func(desk.Session, error) bool) {
			for _, s := range found {
				if !yield(s, nil) {
					return
				}
			}
		}
	}
	fx.Where = func(query string) (func(string) bool, error) { // words on the screen
		return func(path string) bool {
			at := slices.IndexFunc(found, func(s desk.Session) bool { return s.Path == path })
			said := strings.ToLower(fmt.Sprint(found[at].Agent, found[at].Project, found[at].Prompt))
			return !slices.ContainsFunc(strings.Fields(query), func(w string) bool { return !strings.Contains(said, w) })
		}, nil
	}
	if extract != nil {
		fx.Extract = func(ctx context.Context, paths []string) iter.Seq[desk.Read] {
			return func(yield func(desk.Read) bool) {
				for _, path := range paths {
					if n, err := extract(ctx, path); !yield(desk.Read{Path: path, Found: desk.Found{Lessons: n}, Err: err}) {
						return
					}
				}
			}
		}
	}
	return fx
}

func TestSessionsLists(t *testing.T) {
	p := playing(t, fxWith(newCorpus(t), transcripts(), nil), 120, 20).press("alt+3")
	got := p.text()
	for _, want := range []string{"3 Sessions 3 ●2 new", "octofs", "1.2 MB", "999 B", "1/3", "can you review the e2e tests", " 3.1 ", "3 sessions · ●2 new · 6.2 MB · 2 agents"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in:\n%s", want, got)
		}
	}
	if strings.Contains(p.a.View().Content, "\x1b[31mevil") {
		t.Error("an escape sequence of a project's name reaches the terminal")
	}
	p.press("/").typed("codex led").press("enter")
	if got := p.text(); !strings.Contains(got, "1/1") || strings.Contains(got, "octofs") {
		t.Errorf("filtered:\n%s", got)
	}
}

func TestSessionsSayWhatIsNotRead(t *testing.T) {
	for _, found := range [][]desk.Session{nil, transcripts()} {
		fx := fxWith(newCorpus(t), found, nil)
		list := fx.Sessions
		fx.Sessions = func(ctx context.Context) iter.Seq2[desk.Session, error] {
			return func(yield func(desk.Session, error) bool) {
				list(ctx)(yield)
				_ = yield(desk.Session{}, errors.New("goose is not read")) && yield(desk.Session{}, errors.New("codex in ~/.codex/sessions is not \x1b[31mread"))
			}
		}
		p := playing(t, fx, 100, 20).press("alt+3")
		if got := p.text(); !strings.Contains(got, "1 more not read (`learnings sessions`); codex in ~/.codex/sessions is not") {
			t.Errorf("of %d sessions:\n%s", len(found), got)
		}
		if strings.Contains(p.a.View().Content, "\x1b[31mread") {
			t.Error("an escape sequence reaches the terminal")
		}
	}
}

func TestSessionsSayWhereTheyLooked(t *testing.T) {
	got := playing(t, fxWith(newCorpus(t), nil, nil), 100, 20).press("alt+3").text()
	if !strings.Contains(got, "No sessions of an agent were found") || !strings.Contains(got, "~/.codex/sessions") {
		t.Errorf("with no sessions:\n%s", got)
	}
}

func TestSessionsExtract(t *testing.T) {
	c := newCorpus(t)
	var read []string
	fx := fxWith(c, transcripts(), func(_ context.Context, path string) (int, error) {
		read = append(read, path)
		if path == "/s/b.jsonl" {
			return 0, errors.New("permission denied")
		}
		l := proposals()[len(read)]
		l.ID = lessons.ID("new" + path[3:4])
		l.Rev = ""
		c.put(lessons.OpPropose, l)
		return 1, nil
	})
	p := playing(t, fx, 120, 24).press("alt+3", "*", "x")
	if len(read) != 3 {
		t.Fatalf("read %v, want all three", read)
	}
	p.wants(t, "afterwards", "2 of 3 files read", "/s/b.jsonl: permission denied")
	if len(c.all()) != 2 {
		t.Errorf("%d lessons in the corpus", len(c.all()))
	}
}

// X extracts from all new sessions on any screen, and the proposals appear.
func TestExtractFromTheQueue(t *testing.T) {
	c := newCorpus(t)
	var read []string
	p := playing(t, fxWith(c, transcripts(), func(_ context.Context, path string) (int, error) {
		read = append(read, path)
		l := proposals()[len(read)]
		l.ID, l.Rev = lessons.ID("new"+path[3:4]), ""
		c.put(lessons.OpPropose, l)
		return 1, nil
	}), 110, 24)
	p.wants(t, "the empty queue does not say what to do", "2 of 3 sessions hold something new. X")
	p.press("X")
	if want := []string{"/s/a.jsonl", "/s/c.jsonl"}; !slices.Equal(read, want) {
		t.Errorf("read %v, want %v", read, want)
	}
	if got := p.text(); len(c.all()) != 2 || !strings.Contains(got, "2 files read; what was found waits in Review") || !strings.Contains(got, "Review 2") {
		t.Errorf("afterwards:\n%s", got)
	}
}

// Esc stops an extraction and keeps what it has found.
func TestSessionsStop(t *testing.T) {
	begun, stopped := make(chan bool, 1), make(chan bool, 1)
	fx := fxWith(newCorpus(t), transcripts(), func(ctx context.Context, _ string) (int, error) {
		begun <- true
		<-ctx.Done()
		stopped <- true
		return 1, ctx.Err()
	})
	s := start(t, newApp(t.Context(), fx), 100, 20)
	s.wait("3 Sessions 3")
	s.press("alt+3").see("octofs")
	s.press("x")
	<-begun
	s.press("esc")
	<-stopped
	s.wait("stopped; the rest is read next time")
	s.quit()
}

// Files that failed are listed, and read again when the person asks.
func TestSessionsTryAgain(t *testing.T) {
	broken, reads := true, 0
	p := playing(t, fxWith(newCorpus(t), transcripts(), func(_ context.Context, path string) (int, error) {
		if reads++; path == "/s/b.jsonl" && broken {
			return 0, errors.New("permission denied")
		}
		return 0, nil
	}), 120, 30).press("alt+3", "*", "x", "e")
	p.wants(t, "the list", "could not be read", "/s/b.jsonl", "permission denied")
	broken = false
	p.press("r").wants(t, "again", "nothing new in 1 file")
	if reads != 4 {
		t.Errorf("%d reads, want 4", reads)
	}
}

// A query is that of `learnings sessions --where`; an invalid one is reported.
func TestSessionsQuery(t *testing.T) {
	fx := fxWith(newCorpus(t), transcripts(), nil)
	fx.Where = func(query string) (func(string) bool, error) {
		if query == "spin>" {
			return nil, errors.New("a value is missing")
		}
		return func(path string) bool { return path == "/s/b.jsonl" }, nil
	}
	p := playing(t, fx, 120, 30).press("alt+3", "/").typed("spin>").wants(t, "half a query", "a value is missing", "1/1")
	p.typed("3").press("enter").wants(t, "a query", "rebase our branch", "1/1")
	p.press("esc").wants(t, "all", "1/3").press("f").wants(t, "new alone", "1/2", "new alone")
	p.press("f", ">").wants(t, "by corrections", "order corrections")
}

// A session leads to the lessons learned from it.
func TestSessionsLeadToTheirLessons(t *testing.T) {
	playing(t, fxWith(newCorpus(t, library()...), transcripts(), nil), 120, 30).press("alt+3", "j", "l").wants(t, "its lessons", "session:7c2e")
}
