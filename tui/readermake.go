package tui

import (
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"learnings/extractor/transcript"
	"learnings/lessons"
	"learnings/tui/kit"
)

// This file decides on a lesson where its evidence is read, and makes one by hand of
// what was said.

// selection is which items are selected: without any, the one under the cursor.
func (d reader) selection() (lo, hi int) {
	if d.anchor < 0 {
		return d.cur, d.cur
	}
	return min(d.anchor, d.cur), max(d.anchor, d.cur)
}

// make asks for the sentence of a lesson.
func (d reader) make() (kit.Dialog, kit.Out) {
	if d.fx.Clean == nil {
		return d, kit.Say("no lesson can be made here")
	}
	d.typing, d.in = sentence, kit.NewField("")
	return d, kit.Out{}
}

// madeBySure is how sure we are of what a person took the trouble to write.
const madeBySure lessons.Confidence = 0.8

// mostQuoted is how many turns at most a lesson made by hand quotes.
const mostQuoted = 8

// proposed asks for a proposal to be stored, of a sentence and of what is selected.
func (d reader) proposed(text string) (kit.Dialog, kit.Out) {
	clean, now, s := d.fx.Clean, d.fx.Now(), d.part.Session
	l := lessons.Lesson{Status: lessons.Pending, Category: "preference", Created: now, Confidence: madeBySure}
	l.Content = clean(text)
	l.ID = lessons.IDFrom("person", l.Content, now.UTC().Format("20060102150405.000000000"))
	l.Scope = d.of.Scope
	if l.Scope.Project == "" && d.fx.Project != nil && s.Dir != "" {
		l.Scope.Project = d.fx.Project(s.Dir)
	}
	l.Origin = lessons.Origin{Source: d.from.Session, Extractor: "person", Rule: "made by hand of what was said"}
	lo, hi := d.selection()
	for _, it := range d.page.items[lo : hi+1] {
		at := it.From
		if it.Failed && it.Calls[0].Answer >= 0 {
			at = it.Calls[0].Answer
		}
		if e, ok := d.evidence(at, clean); ok && len(l.Evidence) < mostQuoted {
			l.Evidence = append(l.Evidence, e)
		}
	}
	if len(l.Evidence) == 0 {
		return d, kit.Warn("nothing was said there: select words or an error")
	}
	d.anchor = -1
	corpus := d.fx.Corpus
	return d, kit.Out{Writes: []kit.Job{func(context.Context) tea.Msg {
		l, err := corpus.Propose(l)
		return madeMsg{l, err}
	}}}
}

// evidence is a turn as a lesson quotes it.
func (d reader) evidence(at int, clean func(string) string) (lessons.Evidence, bool) {
	t := d.part.Turns[at]
	e := lessons.Evidence{Agent: d.from.Agent, Session: d.from.Session, UUID: t.UUID, Path: d.from.Path, Line: t.Line, Author: t.Author, Link: t.Link, At: t.At}
	switch {
	case t.Speaker == transcript.Person && t.Kind.Spoken():
		e.By, e.From = lessons.ByPerson, t.Kind.From()
	case t.Kind == transcript.Result && t.Failed:
		e.By, e.From = lessons.ByTool, "tool-error"
	case t.Speaker == transcript.Agent && t.Kind == transcript.Message:
		e.By = lessons.ByAgent
	default:
		return e, false
	}
	e.Quote = kit.CutTo(clean(t.Text), 2<<10)
	e.Before = transcript.Around(d.part.Turns, at, -1, clean)
	e.After = transcript.Around(d.part.Turns, at, 1, clean)
	return e, e.Quote != ""
}

// madeMsg answers the wish for a lesson made by hand.
type madeMsg struct {
	lesson lessons.Lesson
	err    error
}

func (m madeMsg) out() kit.Out {
	if m.err != nil {
		return kit.Warn("not proposed: %v", m.err)
	}
	return kit.Say("%s", fmt.Sprintf("✓ proposed “%s” · it waits in Review · u undoes it", m.lesson.Title(48)))
}
