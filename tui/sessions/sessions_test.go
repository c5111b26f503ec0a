package sessions

import (
	"context"
	"errors"
	"iter"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"learnings/tui/desk"
)

// While the search runs the newest session is the current one, until the person moves the
// cursor.
func TestSessionsOpenAtTheNewest(t *testing.T) {
	at := time.Date(2026, 4, 6, 11, 0, 0, 0, time.UTC)
	old := []desk.Session{{Path: "/s/c.jsonl", Start: at.Add(-72 * time.Hour)}, {Path: "/s/b.jsonl", Start: at.Add(-48 * time.Hour)}, {Path: "/s/a.jsonl", Start: at}}
	fx := desk.Desk{}
	fx.Sessions = func(context.Context) iter.Seq2[desk.Session, error] {
		return func(yield func(desk.Session, error) bool) {
			for _, s := range old {
				if !yield(s, nil) || !yield(desk.Session{}, errors.New("one cannot be read")) {
					return
				}
			}
		}
	}
	p := New(fx).Resize(100, 20)
	p, _ = p.Start()
	for _, s := range old {
		p, _ = p.listed(batch{found: []desk.Session{s}})
		if at, _ := p.Current(); at.Path != s.Path {
			t.Fatalf("the current one is %s, the newest %s", at.Path, s.Path)
		}
	}
	p, _, _ = p.Press(tea.KeyPressMsg{Code: 'j', Text: "j"})
	was, _ := p.Current()
	newest := old[len(old)-1]
	newest.Path, newest.Start = "/s/new.jsonl", newest.Start.Add(time.Hour)
	p, _ = p.listed(batch{found: []desk.Session{newest}})
	if at, _ := p.Current(); at.Path != was.Path {
		t.Errorf("the cursor went from %s to %s", was.Path, at.Path)
	}
}
