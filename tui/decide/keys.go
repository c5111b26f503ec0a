package decide

import (
	"strings"

	"learnings/index"
	"learnings/index/curate"
	"learnings/lessons"
	"learnings/lessons/pairs"
	"learnings/tui/desk"
	"learnings/tui/kit"
)

// A Lister is a pane with a list of lessons and a card of the current one.
type Lister[P any] interface {
	Current() (lessons.Lesson, bool)
	// Meant returns the lessons that the next key acts on.
	Meant() desk.Chosen
	// Related returns the lessons like the current one, and those contradicting it. known
	// is false while the search runs.
	Related() (like []index.Hit, against []pairs.Contrary, known bool)
	// Decide makes a decision at once.
	Decide(curate.Action, desk.Chosen) (P, kit.Out)
	// Settle settles a contradiction.
	Settle(curate.Settlement) (P, kit.Out)
	// Desk returns what the pane works on, On its screen.
	Desk() desk.Desk
	On() desk.Screen
}

// Ask makes a decision, after a question if it needs one.
func Ask[P Lister[P]](p P, a curate.Action, c desk.Chosen) (P, kit.Out) {
	if o, goAhead := question(p.Desk(), c, a); !goAhead {
		return p, o
	}
	return p.Decide(a, c)
}

// EditKeys returns the keys that edit the current lesson or merge several.
func EditKeys[P Lister[P]](g string, off func(P) string) kit.Binds[P] {
	together := func(p P) []lessons.Lesson {
		l, _ := p.Current()
		like, _, _ := p.Related()
		return p.Meant().Together(l, like)
	}
	return kit.Binds[P]{
		{Key: kit.Keyed("edit", "e", "edit in your editor", "e"), Group: g, Off: off, Do: desk.OnLesson(func(p P, l lessons.Lesson) kit.Out { return kit.Run(openOwn(p.Desk(), p.On(), l)) })},
		{Key: kit.Keyed("merge", "m", "merge with the similar one, or all marked", "m"), Group: g, Foot: "merge",
			Off: kit.Unless(func(p P) bool { return together(p) == nil }, "mark two or more; nothing similar is known", off), Do: kit.Asks(func(p P) kit.Out { return NewMerge(p.Desk(), together(p)).Open() })},
		{Key: kit.Keyed("edit-line", "i", "edit its fields beside the evidence", "i"), Group: g, Foot: "edit", Off: func(p P) string {
			if c := p.Meant(); c.Marked && len(c.Ls) > 1 {
				return "i edits one lesson; K P t , change a field of all that are marked"
			}
			return off(p)
		}, Do: desk.OnLesson(func(p P, l lessons.Lesson) kit.Out { return Edit(p.Desk(), p.On(), l, nil) })},
	}
}

// RateKeys returns the keys that set the confidence.
func RateKeys[P Lister[P]](g, foot string, off func(P) string) kit.Binds[P] {
	return kit.Binds[P]{
		{Key: kit.Keyed("surer less-sure", "+ -", "more, less sure: sure, likely, maybe; of all marked too", "+", "-"), Group: g, Foot: foot, Off: off, Do: func(p P, k string) (P, kit.Out) {
			l, _ := p.Current()
			c := l.Step(k == "+")
			if c == l.Confidence && !p.Meant().Marked {
				return p, kit.Say("it is %s already", l.Trust())
			}
			return Ask(p, curate.Rate(c), p.Meant())
		}},
	}
}

// ComputeKey returns the key that resets the confidence to the computed one.
func ComputeKey[P Lister[P]](g, says string, off func(P) string) kit.Binds[P] {
	return kit.Binds[P]{{Key: kit.Keyed("compute", "=", says, "="), Group: g,
		Off: desk.UnlessLesson(func(p P, l lessons.Lesson) bool { return !l.Proof.Own && !p.Meant().Marked }, "it is computed", off), Do: func(p P, _ string) (P, kit.Out) { return Ask(p, curate.Unrate, p.Meant()) }}}
}

// SettleKeys returns the keys that settle contradictions of the current lesson and list
// all contradictions.
func SettleKeys[P Lister[P]](g string, off func(P) string) kit.Binds[P] {
	return kit.Binds[P]{
		{Key: kit.Keyed("settle", "c", "settle what it contradicts", "c"), Group: g, Off: func(p P) string {
			_, against, known := p.Related()
			switch why := off(p); {
			case why != "":
				return why
			case !known:
				return "still looking"
			case len(against) == 0:
				return "it contradicts nothing that is known"
			}
			return ""
		}, Do: desk.OnLesson(func(p P, l lessons.Lesson) kit.Out {
			_, against, _ := p.Related()
			if curate.Replaces(l, against[0]) {
				return kit.Run(Replace[P](p.Desk(), l.ID, against[0].Lesson.ID))
			}
			return kit.Run(Confront(p.Desk(), l.ID, against[0].Lesson.ID))
		})},
		{Key: kit.Keyed("contradictions", "C", "all contradictions", "C"), Group: g, Do: kit.Asks(func(p P) kit.Out { return List(p.Desk(), Contradictions) })},
	}
}

// ShowKeys returns the keys that show and copy the current lesson.
func ShowKeys[P Lister[P]](g string, off func(P) string) kit.Binds[P] {
	return kit.Binds[P]{
		{Key: kit.Keyed("history", "H", "history; bring an earlier version back", "H"), Group: g, Off: off, Do: desk.OnLesson(func(p P, l lessons.Lesson) kit.Out { return openHistory(p.Desk(), l) })},
		{Key: kit.Keyed("copy", "y", "copy the lesson", "y"), Group: g, Off: off, Do: desk.OnLesson(func(_ P, l lessons.Lesson) kit.Out { return desk.Copied("the lesson", strings.TrimSpace(l.Content), l) })},
		{Key: kit.Keyed("copy-handle", "Y", "copy its handle", "Y"), Group: g, Off: off, Do: desk.OnLesson(func(_ P, l lessons.Lesson) kit.Out { return desk.Copied(string(l.ID), string(l.ID)) })},
	}
}

// FieldKeys returns the keys that edit single fields of the chosen lessons.
func FieldKeys[P Lister[P]](g string, off func(P) string) kit.Binds[P] {
	open := func(field string) func(P, string) (P, kit.Out) {
		return func(p P, _ string) (P, kit.Out) { return p, openField(p.Desk(), p.Meant(), field) }
	}
	return kit.Binds[P]{
		{Key: kit.Keyed("category", "K", "category, of all marked too", "K"), Group: g, Off: off, Do: open(curate.FieldCategory)},
		{Key: kit.Keyed("project", "P", "project, of all marked too", "P"), Group: g, Off: off, Do: open(curate.FieldProject)},
		{Key: kit.Keyed("tags", "t", "tags, of all marked too", "t"), Group: g, Off: off, Do: open(curate.FieldTags)},
		{Key: kit.Keyed("field", ",", "another field: role, scope, when it shows, files, until when it holds", ","), Group: g, Off: off, Do: kit.Asks(func(p P) kit.Out { return anyField(p.Desk(), p.Meant()) })},
	}
}

// anyField asks which field to change.
func anyField(fx desk.Desk, c desk.Chosen) kit.Out {
	var all []kit.Option
	for _, f := range curate.Fields {
		o := kit.Option{Name: f, Do: openField(fx, c, f)}
		if len(c.Ls) == 1 {
			o.Note = strings.TrimSpace(curate.FieldText(f, c.Ls[0]))
		}
		all = append(all, o)
	}
	return kit.Ask(kit.NewChooser("change which field?", all))
}
