package reader

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"learnings/extractor/transcript"
	"learnings/lessons"
	"learnings/tui/card"
	"learnings/tui/kit"
	"learnings/tui/look"
)

// This file draws the turns around the evidence of a proposal beside its card.

// Nearby is the turns around the first piece of evidence.
type Nearby struct {
	Of      lessons.ID
	Session string // of the first piece of evidence
	Done    bool
	err     error // reading the file failed: the turns kept in the lesson are shown
	Turns   []transcript.Turn
	Items   []Item
	from    int // the number of the first turn in the session, from 1
	total   int // turns of the session if all were read; otherwise 0
	Said    []Utterance
}

// Turns to read for a card: enough for a tall column, and fast to read.
const (
	nearBefore = 40
	nearAfter  = 90
)

// First returns the person's first request in the session; "" while unknown.
func (n Nearby) First() string { return FirstAsked(n.Said) }

// Here returns the turn that contains a piece of evidence; "" while unknown.
func (n Nearby) Here(of lessons.ID, e lessons.Evidence) string {
	i := slices.IndexFunc(n.Items, func(it Item) bool { return it.Here })
	if n.Of != of || i < 0 || n.Turns[n.Items[i].From].Line != e.Line || e.Session != n.Session {
		return ""
	}
	return lessons.Line(kit.CutTo(Spoken(n.Turns[n.Items[i].From]), 8*kit.MostShown))
}

// ReadNear reads the turns around the evidence of a lesson, for take to put into the
// pane.
func ReadNear[P any](current func() bool, l lessons.Lesson, take func(P, Nearby) (P, kit.Out)) kit.Job {
	return kit.Asked(current, nil, func(ctx context.Context) kit.Then[P] {
		n := Nearby{Of: l.ID, Done: true}
		if len(l.Evidence) > 0 {
			e := l.Evidence[0]
			n.Session = e.Session
			n.err = n.read(ctx, e, current)
		}
		return func(p P) (P, kit.Out) { return take(p, n) }
	})
}

// read reads the turns around a piece of evidence while current reports true.
func (n *Nearby) read(ctx context.Context, e lessons.Evidence, current func() bool) error {
	if e.Line == 0 {
		return errors.New("the evidence names no line")
	}
	var p Part
	all, after := 0, 0
	err := eachTurn(ctx, e.Path, current, func(t transcript.Turn, bad bool) bool {
		if bad || t.Kind == transcript.Notice || t.Kind == transcript.Thinking {
			return true
		}
		if all++; after > nearAfter {
			all = 0
			return false
		}
		if t.Line > e.Line {
			after++
		}
		p.take(t, e.Line, nearBefore)
		return true
	}, func(transcript.Session, int64) {})
	if err == nil && len(p.Turns) == 0 {
		err = errors.New("the transcript has no turns")
	}
	n.Turns, n.Said, n.from, n.total = p.Turns, p.Said, p.Before+1, all
	n.Items = p.Items(p.TurnAt(e.Line))
	return err
}

// Beside draws the turns around the evidence. from is the first visible line, which puts
// the evidence a third down.
func (n Nearby) Beside(c card.Card, w, h int, st *look.Style) (lines []string, from int) {
	at := 0
	switch {
	case !n.Done:
	case n.err != nil || len(n.Turns) == 0:
		lines = n.kept(c, w, st)
	default:
		lines, at = n.lines(c, w, st)
	}
	return lines, max(0, min(at-h/3, len(lines)-h))
}

// Title says which turns these are.
func (n Nearby) Title(st *look.Style) string {
	s := st.Strong.Render("around it")
	switch {
	case !n.Done:
		return s + st.Dim.Render(" · reading…")
	case n.err != nil || len(n.Turns) == 0:
		return s + st.Dim.Render(" · as the lesson has kept it")
	case n.total > 0:
		return s + st.Dim.Render(fmt.Sprintf(" · turns %s–%s of %s", kit.Grouped(n.from), kit.Grouped(n.from+len(n.Turns)-1), kit.Grouped(n.total)))
	}
	return s + st.Dim.Render(fmt.Sprintf(" · turns %s–%s", kit.Grouped(n.from), kit.Grouped(n.from+len(n.Turns)-1)))
}

// kept draws the turns that the lesson itself holds.
func (n Nearby) kept(c card.Card, w int, st *look.Style) []string {
	var lines []string
	for _, e := range c.Lesson.Evidence {
		if len(lines) > 0 {
			lines = append(lines, "")
		}
		lines = append(lines, keptTurns(e.Before, 12, w, st)...)
		lines = append(lines, evident(c, card.Spoke(string(e.By), e.Quote, 40, w, st), e.Quote, w, st)...)
		lines = append(lines, keptTurns(e.After, 12, w, st)...)
	}
	if n.err != nil {
		lines = append(append(lines, ""), kit.InkedFact("", "The transcript is gone or cannot be read: o says why.", w, st.Dim, st.Dim)...)
	}
	return lines
}

// keptTurns draws turns as a lesson keeps them.
func keptTurns(turns []string, most, w int, st *look.Style) (lines []string) {
	for _, t := range turns {
		who, text := card.SpeakerOf(t)
		lines = append(lines, card.Spoke(who, text, most, w, st)...)
	}
	return lines
}

// evident marks the lines of the evidence.
func evident(c card.Card, lines []string, quote string, w int, st *look.Style) []string {
	words := card.InBoth(quote, c.Lesson.Content)
	out := []string{kit.Ends("", st.Person.Render(look.Pinned)+st.Dim.Render(" this lesson"), w)}
	for _, l := range lines {
		out = append(out, st.Select(kit.Fit(card.Bold(l, words, st), w)))
	}
	return out
}

// Limits for the lines of a turn beside a card.
const (
	nearAgent  = 5
	nearPerson = 8
	nearQuote  = 16
)

// lines draws the turns.
func (n Nearby) lines(c card.Card, w int, st *look.Style) (lines []string, at int) {
	for i, it := range n.Items {
		t := n.Turns[it.From]
		if it.Calls == nil && strings.TrimSpace(t.Text) == "" && t.Kind != transcript.Command && t.Kind != transcript.Interrupt && !it.Here {
			continue
		}
		person := t.Speaker == transcript.Person && it.Calls == nil
		if person && i > 0 && len(lines) > 0 && lines[len(lines)-1] != "" {
			lines = append(lines, "")
		}
		var own []string
		switch {
		case it.Calls != nil:
			own = n.tools(it, w, st)
		case person:
			most := nearPerson
			if it.Here {
				most = nearQuote
			}
			text := Spoken(t)
			if it.Here {
				text = NearQuoted(text, c.Lesson.Evidence[0].Quote, most*(w-kit.GutterW))
			}
			own = card.Spoke("person", text, most, w, st)
		case t.Speaker == transcript.Harness:
			own = card.Spoke("harness", Spoken(t), 1, w, st)
		default:
			own = uttered("agent", st.Agent, Spoken(t), nearAgent, w, st)
		}
		if it.Here {
			at = len(lines)
			own = evident(c, own, cmp.Or(Spoken(t), c.Lesson.Evidence[0].Quote), w, st)
		}
		lines = append(lines, own...)
	}
	return lines, at
}

// NearQuoted cuts the beginning of text, if needed, so that quote appears within n
// letters.
func NearQuoted(text, quote string, n int) string {
	text = lessons.Line(kit.CutTo(text, 8*kit.MostShown))
	from, to, ok := kit.Within(text, quote)
	if !ok || to <= n*3/4 {
		return text
	}
	head := kit.LastWords(strings.TrimSpace(text[:from]), n/3)
	return "… " + head + " " + text[from:]
}

// uttered draws a turn in the colour of text.
func uttered(who string, name look.Ink, text string, most, w int, st *look.Style) []string {
	all := look.Lines(lessons.Line(card.Unmarked(kit.CutTo(text, kit.MostShown))), max(w-kit.GutterW, 1), most)
	for i, l := range all {
		if i > 0 {
			who = ""
		}
		all[i] = kit.Gutter(who, kit.GutterW, name) + st.Text.Render(l)
	}
	return all
}

// tools draws calls on one line: their tools, numbers and failures.
func (n Nearby) tools(it Item, w int, st *look.Style) []string {
	failed := 0
	for _, c := range it.Calls {
		if n.Turns[c.Asked].Failed || c.Answer >= 0 && n.Turns[c.Answer].Failed {
			failed++
		}
	}
	sign, ink, tail := "▸ ", st.Dim, ""
	if failed > 0 {
		sign, ink, tail = st.Bad.Render(look.Rejected)+" ", st.Text, "  "+st.Bad.Render(fmt.Sprintf("%d failed", failed))
	}
	says := look.Sentence(CallsOf(n.Turns, it), max(w-kit.GutterW-2-kit.CellsOf(tail), 4))
	return []string{kit.Gutter("tool", kit.GutterW, st.Tool) + sign + ink.Render(says) + tail}
}
