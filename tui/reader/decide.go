package reader

import (
	"context"
	"slices"

	tea "charm.land/bubbletea/v2"

	"learnings/extractor/transcript"
	"learnings/lessons"
	"learnings/tui/desk"
	"learnings/tui/kit"
	"learnings/tui/look"
)

// quotes returns the lessons that quote the lines of item i. If items share a line, the
// first one has its lessons.
func (d Reader) quotes(i int) (out []lessons.Lesson) {
	if i < 0 || i >= len(d.items) {
		return nil
	}
	turns := d.part.Turns[d.items[i].From:d.items[i].To]
	first, last := turns[0].Line, turns[len(turns)-1].Line
	if i > 0 && len(turns) == 1 && d.part.Turns[d.items[i-1].To-1].Line == first {
		return nil
	}
	for _, l := range d.taken {
		if slices.ContainsFunc(l.Evidence, func(e lessons.Evidence) bool {
			return e.Line >= max(first, 1) && e.Line <= last && (e.Path == d.from().Path || e.Session == d.from().Session)
		}) {
			out = append(out, l)
		}
	}
	return out
}

// quoted returns the lesson that a key of the reader acts on: the open one, or one that
// quotes the item under the cursor, pending ones first.
func (d Reader) quoted() (lessons.Lesson, bool) {
	if d.of.ID != "" {
		return d.of, true
	}
	some := d.quotes(d.cur)
	if len(some) == 0 {
		return lessons.Lesson{}, false
	}
	return some[max(slices.IndexFunc(some, func(l lessons.Lesson) bool { return l.Status == lessons.Pending }), 0)], true
}

// decide applies a key of the lists. Review and Browse apply it to the open lesson;
// elsewhere it acts on a lesson that quotes the item under the cursor.
func (d Reader) decide(k string) (kit.Dialog, kit.Out) {
	l, ok := d.quoted()
	switch {
	case d.back != nil && k != "b":
		return d, kit.Say("esc goes back to where it is decided")
	case k == "V" && (d.of.ID == "" || d.of.Status != lessons.Pending):
		return d, kit.Say("no proposal is read here: Review lists what waits of a session")
	case !ok:
		return d, kit.Say("no lesson quotes what is under the cursor; those that are marked %s are quoted", look.Other)
	case k == "b":
		d.newest.Next()
		return nil, desk.Browse("id:" + string(l.ID))
	case d.of.ID != "" && k != "i":
		d.newest.Next()
		return nil, kit.Out{Answer: desk.ReadOnMsg{Key: k, ID: l.ID}}
	}
	return d, kit.Out{To: desk.JudgeMsg{Key: k, Lesson: l, Back: d}}
}

// decided takes the new state of lessons.
func (d Reader) decided(now []lessons.Lesson) Reader {
	d.taken = slices.Clone(d.taken)
	for _, l := range now {
		if i := slices.IndexFunc(d.taken, func(o lessons.Lesson) bool { return o.ID == l.ID }); i >= 0 {
			d.taken[i] = l
		}
	}
	return d.redrawn()
}

// selection returns the selected items, or the one under the cursor.
func (d Reader) selection() (lo, hi int) {
	if d.anchor < 0 {
		return d.cur, d.cur
	}
	return min(d.anchor, d.cur), max(d.anchor, d.cur)
}

// madeBySure is the confidence of a lesson written by hand, and mostQuoted limits the
// turns that it quotes.
const (
	madeBySure = lessons.Confidence(0.8)
	mostQuoted = 8
)

// propose stores a proposal with the typed sentence and the selected turns.
func (d Reader) propose(text string) (kit.Dialog, kit.Out) {
	now, dir := d.fx.Now(), d.part.Session.Dir
	l := lessons.Lesson{Status: lessons.Pending, Category: "preference", Created: now, Confidence: madeBySure, Scope: d.of.Scope}
	l.Content = d.fx.Clean(text)
	l.ID = lessons.IDFrom("person", l.Content, now.UTC().Format("20060102150405.000000000"))
	if l.Scope.Project == "" && d.fx.Project != nil && dir != "" {
		l.Scope.Project = d.fx.Project(dir)
	}
	l.Origin = lessons.Origin{Source: d.from().Session, Extractor: "person", Rule: "made by hand of what was said"}
	lo, hi := d.selection()
	for _, it := range d.items[lo : hi+1] {
		at := it.From
		if it.Failed && it.Calls[0].Answer >= 0 {
			at = it.Calls[0].Answer
		}
		if e, ok := d.quote(at); ok && len(l.Evidence) < mostQuoted {
			l.Evidence = append(l.Evidence, e)
		}
	}
	if len(l.Evidence) == 0 {
		return d, kit.Warn("nothing was said there: select words or an error")
	}
	d.anchor = -1
	fx := d.fx
	return d, kit.Out{Writes: []kit.Job{func(context.Context) tea.Msg {
		l, err := fx.Corpus.Propose(l)
		o := kit.Say("✓ proposed “%s” · it waits in Review · u undoes it", l.Title(48))
		if err != nil {
			o = kit.Warn("not proposed: %v", err)
		}
		return kit.OutMsg{Out: o.And(kit.Run(fx.Sync()))}
	}}}
}

// quote returns a turn as evidence.
func (d Reader) quote(at int) (lessons.Evidence, bool) {
	t, from, clean := d.part.Turns[at], d.from(), d.fx.Clean
	e := lessons.Evidence{Agent: from.Agent, Session: from.Session, UUID: t.UUID, Path: from.Path, Line: t.Line, Author: t.Author, Link: t.Link, At: t.At}
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
