package reader

import (
	"context"
	"errors"
	"learnings/index"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"learnings/extractor/transcript"
	"learnings/lessons"
	"learnings/tui/desk"
	"learnings/tui/kit"
)

// read reads the turns around the line of the reader.
func (d Reader) read() kit.Job {
	current := d.newest.Next()
	path, line, evidence := d.from().Path, d.line, d.from().Line
	return func(ctx context.Context) tea.Msg {
		var m session
		m.err = eachTurn(ctx, path, current, func(t transcript.Turn, bad bool) bool {
			if bad {
				m.part.Bad++
			} else {
				m.part.Add(t, line)
			}
			return true
		}, func(s transcript.Session, size int64) { m.part.Session, m.part.Size = s, size })
		at := -1
		if evidence > 0 && line == evidence {
			at = m.part.TurnAt(evidence)
		}
		if m.items = m.part.Items(at); len(m.items) == 0 && m.err == nil {
			m.err = errors.New("the transcript has no turns")
		}
		return kit.Reply[Reader](func(d Reader) (kit.Dialog, kit.Out) {
			if !current() {
				return d, kit.Out{}
			}
			d.part, d.items, d.err = m.part, m.items, m.err
			d.cur = d.itemAt(d.line)
			return d.redrawn().unfolded(), kit.Out{}
		})
	}
}

// eachTurn passes turns to f until it returns false, then the session to end. It stops
// once current reports false.
func eachTurn(ctx context.Context, path string, current func() bool, f func(t transcript.Turn, bad bool) bool, end func(transcript.Session, int64)) error {
	src, file, err := transcript.Open(path)
	if err != nil {
		return err
	}
	defer src.Close()
	r := transcript.NewReader(src, file.Format, file.Options())
	for t, err := range r.Turns() {
		if ctx.Err() != nil || !current() {
			return context.Canceled
		}
		if !f(t, err != nil) {
			break
		}
	}
	end(r.Session(), file.Size)
	return nil
}

// A hunt is a search in a whole session, also in turns that are not loaded.
type hunt struct {
	words  string // in lower case
	lines  []int  // lines of turns with the words
	done   bool
	at     int  // the current hit; -1 for none
	unfold bool // unfold the item under the cursor once it is loaded
}

// mostFound limits the hits of a search.
const mostFound = 5000

// search finds words in all turns of the session and goes to the next hit.
func (d Reader) search(words string) (kit.Dialog, kit.Out) {
	d.hunt = hunt{words: words, at: -1}
	current := d.newest.Next()
	path := d.from().Path
	return d, kit.Say("looking for “%s”…", words).And(kit.Run(func(ctx context.Context) tea.Msg {
		var lines []int
		err := eachTurn(ctx, path, current, func(t transcript.Turn, bad bool) bool {
			if n := len(lines); !bad && Told(t) && has(t, words) && (n == 0 || lines[n-1] != t.Line) {
				lines = append(lines, t.Line)
			}
			return len(lines) < mostFound
		}, func(transcript.Session, int64) {})
		return kit.Reply[Reader](func(d Reader) (kit.Dialog, kit.Out) {
			if !current() {
				return d, kit.Out{}
			}
			if d.hunt.lines, d.hunt.done = lines, true; err != nil {
				return d, kit.Warn("searching: %v", err)
			}
			return d.found(1)
		})
	}))
}

// has reports whether a turn or the input of its call contains words, which are in lower
// case.
func has(t transcript.Turn, words string) bool {
	some := []string{t.Text}
	if t.Tool != nil {
		some = append(some, t.Tool.Command, t.Tool.Path, t.Tool.Old, t.Tool.New)
	}
	return slices.ContainsFunc(some, func(s string) bool { return strings.Contains(strings.ToLower(s), words) })
}

// found goes to the next turn with the words.
func (d Reader) found(by int) (kit.Dialog, kit.Out) {
	h := d.hunt
	switch {
	case h.words == "":
		return d, kit.Say("/ says what to look for")
	case !h.done:
		return d, kit.Say("looking for “%s”…", h.words)
	}
	i, _ := slices.BinarySearch(h.lines, d.lineAt())
	if by < 0 {
		i--
	}
	for i >= 0 && i < len(h.lines) && d.within(h.lines[i]) && d.itemAt(h.lines[i]) == d.cur {
		i += by // the item under the cursor
	}
	if i >= 0 && i < len(h.lines) {
		d.hunt.at, d.hunt.unfold = i, true
		return d.to(h.lines[i])
	}
	if n := len(h.lines); n > 0 {
		way := map[bool]string{true: "N goes back", false: "n goes on"}[by > 0]
		return d, kit.Say("“%s” is not found further on; it is on %s, %s", h.words, kit.Counted(n, "line"), way)
	}
	return d, kit.Say("“%s” is not found further on", h.words)
}

// says describes the progress of a search.
func (h hunt) says() string {
	switch n := len(h.lines); {
	case h.words == "":
		return ""
	case !h.done:
		return "looking…"
	case n == 0:
		return "“" + h.words + "” not found"
	case h.at < 0:
		return kit.Grouped(n) + " hits"
	case n == mostFound:
		return "hit " + kit.Grouped(h.at+1) + " of " + kit.Grouped(n) + "+"
	default:
		return "hit " + kit.Grouped(h.at+1) + " of " + kit.Grouped(n)
	}
}

// mostTaken limits the lessons shown in a session.
const mostTaken = 300

// takenFrom finds the lessons that quote a session. The session is readable without them.
func takenFrom(fx desk.Desk, e lessons.Evidence) kit.Job {
	return fx.Shared.Others.In(func(ctx context.Context) tea.Msg {
		if e.Session == "" {
			return nil
		}
		p, err := fx.Search(ctx, index.Query{Limit: mostTaken}.Where(index.Session, e.Session))
		if err != nil {
			return nil
		}
		return kit.Reply[Reader](func(d Reader) (kit.Dialog, kit.Out) {
			if d.from().Session == e.Session {
				d.taken = p.Shown()
			}
			return d.redrawn(), kit.Out{}
		})
	})
}
