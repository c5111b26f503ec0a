package extractor

import (
	"context"
	"errors"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"learnings/extractor/transcript"
	"learnings/lessons"
)

var errNoMoney = errors.New("no more money")

// A dear proposer takes a second for each session, and has no money for the first.
type dear struct{ asked chan string }

func (d dear) Propose(ctx context.Context, s transcript.Session, turns []transcript.Turn) ([]lessons.Lesson, error) {
	said := turns[len(turns)-2].Text
	d.asked <- said
	if said == "always a" {
		<-time.After(time.Millisecond) // until another has begun
		return nil, errNoMoney
	}
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-time.After(time.Second):
		return always{}.Propose(ctx, s, turns)
	}
}

// TestWhatIsUnderWayIsFinished ends a run while another file is being read, which a
// model is paid for: that one is finished and given, no other is begun, and the error
// comes last.
func TestWhatIsUnderWayIsFinished(t *testing.T) {
	dir := t.TempDir()
	var files []transcript.File
	for i, name := range []string{"a", "b", "c", "d", "e"} {
		files = append(files, write(t, filepath.Join(dir, name+".jsonl"), session(10*i, "always "+name)))
	}
	synctest.Test(t, func(t *testing.T) {
		p := dear{make(chan string, len(files))}
		o := testOptions
		o.Proposers, o.Workers = []Proposer{p}, 2
		var found []string
		var ended error
		for b, err := range Run(t.Context(), files, nil, o) {
			if ended != nil {
				t.Errorf("something comes after the error: %v, %v", b.File.Path, err)
			}
			if ended = err; err != nil {
				continue
			}
			found = append(found, contents(b.Lessons)...)
		}
		if !errors.Is(ended, errNoMoney) {
			t.Errorf("ended with %v", ended)
		}
		if asked := len(p.asked) - 1; len(found) != 1 || asked != 1 {
			t.Errorf("%d others were paid for, found %q; want one", asked, found)
		}
	})
}
