package tui

import (
	"slices"

	"learnings/index"
	"learnings/lessons"
	"learnings/lessons/stance"
	"learnings/tui/look"
)

// This file keeps the text of lessons as it is where the signs of the desk are of ASCII:
// what a lesson says is not ours to change. Only copies that are drawn are told apart.

// keptLesson is a lesson for a frame, whose signs stay.
func keptLesson(l lessons.Lesson) lessons.Lesson {
	l.Content, l.Insight, l.Example = look.Keep(l.Content), look.Keep(l.Insight), look.Keep(l.Example)
	l.Scope.Project, l.Scope.Role, l.Category = look.Keep(l.Scope.Project), look.Keep(l.Scope.Role), lessons.Category(look.Keep(string(l.Category)))
	l.Tags, l.Triggers = keptAll(l.Tags), keptAll(l.Triggers)
	l.Evidence = slices.Clone(l.Evidence)
	for i, e := range l.Evidence {
		e.Quote, e.Before, e.After = look.Keep(e.Quote), keptAll(e.Before), keptAll(e.After)
		l.Evidence[i] = e
	}
	return l
}

func keptAll(texts []string) []string {
	out := slices.Clone(texts)
	for i, t := range out {
		out[i] = look.Keep(t)
	}
	return out
}

// keptIn is a lesson as it is drawn on the desk.
func keptIn(fx effects, l lessons.Lesson) lessons.Lesson {
	if fx.ASCII {
		return keptLesson(l)
	}
	return l
}

// keptCard is a card for a frame.
func keptCard(c card) card {
	c.lesson = keptLesson(c.lesson)
	c.similar = slices.Clone(c.similar)
	for i, h := range c.similar {
		c.similar[i] = index.Hit{Lesson: keptLesson(h.Lesson), Match: h.Match, ByMeaning: h.ByMeaning, Near: h.Near}
	}
	c.against = slices.Clone(c.against)
	for i, o := range c.against {
		c.against[i] = stance.Contrary{Lesson: keptLesson(o.Lesson), Contradiction: o.Contradiction}
	}
	c.ahead.Block = slices.Clone(c.ahead.Block)
	for i, o := range c.ahead.Block {
		o.Lesson = keptLesson(o.Lesson)
		c.ahead.Block[i] = o
	}
	if first := c.near.first(); first != "" {
		c.near.said = []utterance{{text: look.Keep(first)}}
	} else {
		c.near.said = nil
	}
	return c
}

// keptReview is Review for a frame: the rows in sight and the card.
func keptReview(p review) review {
	p.rows = slices.Clone(p.rows)
	last := min(p.cur.top+p.cur.h+1, len(p.rows))
	for i := min(p.cur.top, last); i < last; i++ {
		p.rows[i] = keptLesson(p.rows[i])
	}
	p.card = keptCard(p.card)
	return p
}
