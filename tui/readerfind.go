package tui

import (
	"context"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"learnings/extractor/transcript"
	"learnings/tui/kit"
	"learnings/tui/talk"
)

// A hunt is a search through a whole session, of which no more than some turns are shown.
type hunt struct {
	words string // in small letters
	seq   int
	lines []int // on which a turn has the words
	done  bool
	most  bool // there are more than are told
	at    int  // the one that was gone to last; -1 for none
	by    int  // the direction in which the next one is waited for; 0 for none
	stop  context.CancelFunc
}

// mostFound is how many lines a search tells.
const mostFound = 5000

// huntMsg is some of what a search has found.
type huntMsg struct {
	seq   int
	lines []int
	most  bool
	err   error
	more  kit.Job // nil at the end
}

// hunted looks for words in all turns of a session, until stop ends. What is found comes
// as it is found.
func hunted(stop context.Context, seq int, path, words string) kit.Job {
	return func(ctx context.Context) tea.Msg {
		ctx, cancel := context.WithCancel(ctx)
		context.AfterFunc(stop, cancel)
		found := make(chan huntMsg, 1)
		go func() {
			defer cancel()
			defer close(found)
			hunting(ctx, path, words, func(m huntMsg) bool {
				m.seq = seq
				select {
				case found <- m:
					return true
				case <-ctx.Done():
					return false
				}
			})
		}()
		return nextHunted(seq, found)(ctx)
	}
}

func nextHunted(seq int, found <-chan huntMsg) kit.Job {
	return func(context.Context) tea.Msg {
		m, ok := <-found
		if !ok {
			return huntMsg{seq: seq}
		}
		if m.more = nextHunted(seq, found); m.err != nil || m.most {
			m.more = nil
		}
		return m
	}
}

// hunting gives the lines on which turns have words, some at a time.
func hunting(ctx context.Context, path, words string, give func(huntMsg) bool) {
	f, file, err := transcript.Open(path)
	if err != nil {
		give(huntMsg{err: err})
		return
	}
	defer f.Close()
	var m huntMsg
	n, last := 0, time.Now()
	for t, err := range transcript.NewReader(f, file.Format, file.Options()).Turns() {
		if ctx.Err() != nil {
			return
		}
		if err == nil && talk.Told(t) && has(t, words) && (len(m.lines) == 0 || m.lines[len(m.lines)-1] != t.Line) {
			m.lines = append(m.lines, t.Line)
			n++
		}
		m.most = n == mostFound
		if n > 0 && len(m.lines) > 0 && (n == len(m.lines) || time.Since(last) > kit.Batch) || m.most { // the first at once
			if !give(m) || m.most {
				return
			}
			m, last = huntMsg{}, time.Now()
		}
	}
	give(m)
}

// has reports whether a turn, or what it asks of a tool, has words in small letters.
func has(t transcript.Turn, words string) bool {
	some := []string{t.Text}
	if t.Tool != nil {
		some = append(some, t.Tool.Command, t.Tool.Path, t.Tool.Old, t.Tool.New)
	}
	return slices.ContainsFunc(some, func(s string) bool { return strings.Contains(strings.ToLower(s), words) })
}

// searched begins a search, which goes to the first place further on.
func searched(d reader, words string) (kit.Dialog, kit.Out) {
	if d.hunt.stop != nil {
		d.hunt.stop()
	}
	ctx, stop := context.WithCancel(context.Background())
	d.words = words
	d.hunt = hunt{words: words, seq: d.hunt.seq + 1, at: -1, by: 1, stop: stop}
	return d, kit.Run(hunted(ctx, d.hunt.seq, d.from.Path, words))
}

// hitIn takes some of what was found.
func hitIn(d reader, m huntMsg) (kit.Dialog, kit.Out) {
	if m.seq != d.hunt.seq {
		return d, kit.Out{}
	}
	d.hunt.lines = append(d.hunt.lines[:len(d.hunt.lines):len(d.hunt.lines)], m.lines...)
	d.hunt.most, d.hunt.done = m.most, m.more == nil
	var o kit.Out
	if m.more != nil {
		o = kit.Run(m.more)
	}
	if m.err != nil {
		return d, kit.Warn("searching: %v", m.err)
	}
	if d.hunt.by != 0 {
		next, p := d.found(d.hunt.by)
		return next, o.And(p)
	}
	return d, o
}

// found goes to the next turn that has the words, or waits for one.
func (d reader) found(by int) (kit.Dialog, kit.Out) {
	if d.words == "" {
		return d, kit.Say("/ says what to look for")
	}
	h := d.hunt
	i, _ := slices.BinarySearch(h.lines, d.lineAt())
	if by < 0 {
		i--
	}
	for i >= 0 && i < len(h.lines) && d.within(h.lines[i]) && d.itemAt(h.lines[i]) == d.cur {
		i += by // in what is under the cursor
	}
	switch {
	case i >= 0 && i < len(h.lines):
		d.hunt.by, d.hunt.at, d.unfold = 0, i, true
		return d.to(h.lines[i])
	case by > 0 && !h.done:
		d.hunt.by = by
		return d, kit.Say("looking for “%s”…", d.words)
	}
	d.hunt.by = 0
	if n := len(h.lines); n > 0 {
		way := "N goes back"
		if by < 0 {
			way = "n goes on"
		}
		return d, kit.Say("“%s” is not found further on; it is on %s, %s", d.words, kit.Counted(n, "line"), way)
	}
	return d, kit.Say("“%s” is not found further on", d.words)
}

// unfolded unfolds what is under the cursor, when one has come there to see what is in it.
func unfolded(d reader) reader {
	if !d.unfold || d.cur < 0 || d.cur >= len(d.laid().items) {
		return d
	}
	d.unfold = false
	if !d.folds.open(d.cur) {
		d.folds = d.folds.turn(d.cur)
	}
	return d
}

// says tells how far a search is.
func (h hunt) says() string {
	switch {
	case h.words == "":
		return ""
	case len(h.lines) == 0 && !h.done:
		return "looking…"
	case len(h.lines) == 0:
		return "“" + h.words + "” not found"
	}
	of := kit.Grouped(len(h.lines))
	if !h.done || h.most {
		of += "+"
	}
	if i := h.at; i >= 0 && i < len(h.lines) {
		return "hit " + kit.Grouped(i+1) + " of " + of
	}
	return of + " hits"
}
