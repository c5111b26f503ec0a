package tui

import (
	"cmp"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"learnings/index/curate"
	"learnings/lessons"
)

// keysOf are the keys of the lane that is shown.
func keysOf(p review) binds[review] {
	switch p.lane {
	case curate.Duplicates:
		return clusterKeys()
	case curate.Outdated:
		return outdatedKeys()
	}
	return reviewKeys()
}

// reviewKeys are what can be done in the queue. Neither enter nor an arrow approves,
// and nothing deletes.
func reviewKeys() binds[review] {
	all := binds[review]{}
	all = append(append(all, decideKeys()...), weighKeys()...)
	all = append(all, markKeys()...)
	all = append(all, lookKeys()...)
	all = append(append(all, laneKeys()...), orderKeys()...)
	all = append(all, fieldKeys("change", func(p review) effects { return p.fx }, anyMeant)...)
	all = append(all, motion(func(p review) list { return p.cur }, review.at)...)
	return all
}

func anyRow(p review) string {
	switch {
	case p.load.sifting():
		return "still filtering" // what the key would be for is not shown yet
	case len(p.rows) > 0:
		return ""
	case p.filter.query != "":
		return "no proposal matches the filter"
	case p.waiting().all() > 0:
		return "this lane is empty; ‹next-lane l› turns to the next"
	}
	return "nothing waits"
}

// anyMeant is anyRow for what can be done to the marked proposals too.
func anyMeant(p review) string {
	if len(p.marks.of(p.rows)) > 0 && !p.load.sifting() {
		return ""
	}
	return anyRow(p)
}

func decideKeys() binds[review] {
	const g = "decide"
	return binds[review]{
		{Binding: keyed("a", "approve", "a"), group: g, foot: "approve", off: anyMeant, do: func(p review, _ string) (review, out) { return p.approve() }},
		{Binding: keyed("x", "reject, for the reason that the card shows", "x"), group: g, foot: "reject", off: anyMeant, do: func(p review, _ string) (review, out) {
			return p.ask(curate.Reject.Assuming(p.given.Usual), p.meant())
		}},
		{Binding: keyed("r", "reject for another reason; ‹reject-why r› ‹reject-why r› gives the last rejected one another", "r"), group: g, foot: "why", off: func(p review) string {
			if len(p.turned.ls) > 0 {
				return ""
			}
			return anyMeant(p)
		}, do: func(p review, _ string) (review, out) {
			return p, ask(whyNot(p))
		}},
		{Binding: keyed("e", "edit in your editor", "e"), group: g, off: anyRow, do: func(p review, _ string) (review, out) {
			l, _ := p.current()
			return p, run(p.fx.draft(onReview, l))
		}},
		{Binding: keyed("m", "merge with the similar one, or all marked", "m"), group: g, foot: "merge", off: func(p review) string {
			if p.meant().together(p.card.lesson, p.card.similar) == nil {
				return "mark two or more; nothing similar is known"
			}
			return anyMeant(p)
		}, do: func(p review, _ string) (review, out) {
			return p, newMerge(p.fx, p.meant().together(p.card.lesson, p.card.similar)).open()
		}},
		{Binding: keyed("i", "edit its fields beside the evidence", "i"), group: g, foot: "edit", off: func(p review) string { return cmp.Or(oneOf(p.marks.of(p.rows)), anyRow(p)) }, do: func(p review, _ string) (review, out) {
			l, _ := p.current()
			return p, openEditor(p.fx, onReview, l)
		}},
		{Binding: keyed("b", "take the better wording that is offered", "b"), group: g, foot: "take offer", off: func(p review) string {
			if l, ok := p.current(); ok && len(curate.Offered(l)) == 0 {
				return "no other wording is offered"
			}
			return anyRow(p)
		}, do: func(p review, _ string) (review, out) {
			l, _ := p.current()
			return p.decide(curate.Take, only(l))
		}},
		{Binding: keyed("B", "have a model word it better", "B"), group: g, off: func(p review) string {
			if p.model == "" {
				return "no model is at hand"
			}
			return anyRow(p)
		}, do: func(p review, _ string) (review, out) {
			l, _ := p.current()
			return p, ask(rewording{fx: p.fx, lesson: l}).and(run(p.fx.planReword(l)))
		}},
	}
}

// weighKeys set how sure a lesson is, put it off, and do the last again.
func weighKeys() binds[review] {
	const g = "decide"
	return binds[review]{
		{Binding: keyed("1-9 0", "set confidence 0.1 to 0.9, 1.0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "0"), group: g, foot: "confidence", off: anyMeant,
			do: func(p review, k string) (review, out) {
				return p.ask(digit(k), p.meant())
			}},
		{Binding: keyed("+ -", "confidence up, down by 0.05", "+", "-"), group: g, off: anyRow, do: func(p review, k string) (review, out) {
			l, _ := p.current()
			return p.decide(nudged(l, k), only(l))
		}},
		{Binding: keyed("=", "let the confidence be computed again", "="), group: g, off: func(p review) string {
			if l, ok := p.current(); ok && !l.Proof.Own && len(p.marks) == 0 {
				return "it is computed"
			}
			return anyMeant(p)
		}, do: func(p review, _ string) (review, out) { return p.ask(curate.Unrate, p.meant()) }},
		{Binding: keyed("s", "snooze until tomorrow", "s"), group: g, foot: "snooze", off: anyMeant, do: func(p review, _ string) (review, out) {
			return p.ask(curate.Snooze(p.fx.Now().Add(24*time.Hour)), p.meant())
		}},
		{Binding: keyed(".", "the last decision again", "."), group: g, off: func(p review) string {
			if p.last.IsZero() {
				return "nothing was decided yet"
			}
			return anyMeant(p)
		}, do: func(p review, _ string) (review, out) {
			c := p.meant()
			if p.last.Op == lessons.OpApprove && p.lane == curate.Duplicates {
				return approveUnion(p)
			}
			if p.last.Op == lessons.OpApprove && !c.marked {
				return p.approve() // which asks where it must
			}
			c.again = true
			return p.ask(p.last, c)
		}},
	}
}

func markKeys() binds[review] {
	const g = "mark"
	return binds[review]{
		{Binding: keyed("space", "mark and go on", "space"), group: g, foot: "mark", off: anyRow, do: func(p review, _ string) (review, out) {
			l := p.rows[p.cur.at]
			p.marks, p.anchor = p.marks.with(!p.marks[l.ID], l), -1
			return p.at(p.cur.move(1))
		}},
		{Binding: keyed("v", "mark a range", "v"), group: g, off: anyRow, do: func(p review, _ string) (review, out) {
			if p.anchor >= 0 {
				p.anchor = -1
				return p, say("%d marked", len(p.marks))
			}
			p.anchor = p.cur.at
			p.marks = marks{}.with(true, p.rows[p.cur.at])
			return p, say("move to the other end of the range, ‹mark-range v› ends it")
		}},
		{Binding: keyed("*", "mark all that are shown", "*"), group: g, off: anyRow, do: func(p review, _ string) (review, out) {
			p.marks, p.anchor = marks{}.with(true, p.rows...), -1
			return p, say("%d marked", len(p.rows))
		}},
		{Binding: keyed("V", "reject or approve all that wait of its session, when they are listed", "V"), group: g, off: func(p review) string {
			if l, ok := p.current(); ok && sessionOf(l) == "" {
				return "no session taught it"
			}
			return anyRow(p)
		}, do: func(p review, _ string) (review, out) {
			l, _ := p.current()
			return p, run(waitingOf(p.fx, sessionOf(l)))
		}},
		{Binding: keyed("esc", "clear marks, then the filter", "esc"), group: g, off: func(p review) string {
			if len(p.marks) == 0 && p.filter.query == "" {
				return "nothing is marked and no filter is set"
			}
			return ""
		}, do: func(p review, _ string) (review, out) {
			if len(p.marks) > 0 {
				p.queue = p.unmarked()
				return p, out{}
			}
			return p.all()
		}},
	}
}

func lookKeys() binds[review] {
	const g = "look"
	scroll := func(by int) func(review, string) (review, out) {
		return func(p review, _ string) (review, out) {
			_, h := p.cardSize()
			return p.scrollCard(by * max(h/2, 1)), out{}
		}
	}
	hit := func(by int) func(review, string) (review, out) {
		return func(p review, _ string) (review, out) {
			n := len(p.rows)
			return p.at(p.cur.to((p.cur.at + by + n) % n))
		}
	}
	return append(binds[review]{
		{Binding: keyed("/", "filter: words, kind:error conf:<0.6 project:x age:>30d", "/"), group: g, foot: "filter", do: func(p review, _ string) (review, out) {
			p.filter = p.filter.open()
			return p.resize(p.w, p.h), out{}
		}},
		{Binding: keyed("n N", "next, previous hit", "n", "N"), group: g, off: func(p review) string {
			if p.filter.query == "" {
				return "no filter is set"
			}
			return anyRow(p)
		}, do: func(p review, k string) (review, out) {
			if k == "N" {
				return hit(-1)(p, k)
			}
			return hit(1)(p, k)
		}},
		{Binding: keyed("enter o", "open the evidence in the transcript", "enter", "o"), group: g, foot: "evidence", off: func(p review) string {
			if l, ok := p.current(); ok && len(l.Evidence) == 0 {
				return "this lesson has no evidence"
			}
			return anyRow(p)
		}, do: func(p review, _ string) (review, out) {
			l, _ := p.current()
			return p, readLesson(p.fx, l)
		}},
		{Binding: keyed("J pgdn", "scroll the card down", "J", "pgdown"), group: g, off: anyRow, do: scroll(1)},
		{Binding: keyed("pgup", "scroll the card up", "pgup"), group: g, off: anyRow, do: scroll(-1)},
		{Binding: keyed("w", "the conversation beside the card, or not", "w"), group: g, off: func(p review) string {
			if p.w < wider {
				return fmt.Sprintf("it takes a screen of %d columns", wider)
			}
			return ""
		}, do: func(p review, _ string) (review, out) {
			p.narrow = !p.narrow
			return p.resize(p.w, p.h), out{}
		}},
		{Binding: keyed("c", "settle what it contradicts", "c"), group: g, off: uncontradicted, do: func(p review, _ string) (review, out) {
			return p, run(p.fx.confront(onReview, p.card.lesson.ID, p.card.against[0].Lesson.ID, nil))
		}},
		{Binding: keyed("C", "all contradictions", "C"), group: g, do: func(p review, _ string) (review, out) {
			return p, ask(newContradictions(p.fx))
		}},
		{Binding: keyed("d", "word diff with the similar one", "d"), group: g, off: func(p review) string {
			if len(p.card.similar) == 0 {
				return "nothing similar is known"
			}
			return anyRow(p)
		}, do: func(p review, _ string) (review, out) {
			p.card.diff = !p.card.diff
			return p, out{}
		}},
	}, lessonKeys(g, anyRow, func(p review, l lessons.Lesson) out { return openHistory(p.fx, l) })...)
}

// uncontradicted says why there is no contradiction to settle.
func uncontradicted(p review) string {
	switch why := anyRow(p); {
	case why != "":
		return why
	case !p.card.whole:
		return "still looking"
	case len(p.card.against) == 0:
		return "it contradicts nothing that is known"
	}
	return ""
}

// copied has the terminal put text on the clipboard.
func copied(what, text string) out {
	return say("copied %s", what).and(out{cmd: func() tea.Msg { return copyMsg{text} }})
}
