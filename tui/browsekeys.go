package tui

import (
	"cmp"
	"learnings/index/curate"
	"learnings/lessons"
)

// browseKeys are what can be done with the corpus.
func browseKeys() binds[browse] {
	all := append(judgeKeys(), guardKeys("decide")...)
	all = append(all, fieldKeys("change", func(p browse) effects { return p.fx }, anyLesson)...)
	all = append(all, placeKeys()...)
	all = append(all, findKeys()...)
	return append(all, motion(browse.cursor, browse.moveTo)...)
}

func anyLesson(p browse) string {
	if _, ok := p.current(); !ok {
		return "no lesson is shown"
	}
	return ""
}

func judgeKeys() binds[browse] {
	const g = "decide"
	decide := func(a curate.Action) func(browse, string) (browse, out) {
		return func(p browse, _ string) (browse, out) { return p.doubt(a, p.meant()) }
	}
	is := func(s lessons.Status, why string) func(browse) string {
		return func(p browse) string {
			if l, ok := p.current(); ok && l.Status != s && len(p.marks) == 0 {
				return why
			}
			return anyLesson(p)
		}
	}
	return binds[browse]{
		{Binding: keyed("a", "approve, or confirm what was approved", "a"), group: g, foot: "approve", off: anyLesson, do: decide(curate.Approve)},
		{Binding: keyed("x", "reject, with a reason", "x"), group: g, foot: "reject", off: anyLesson, do: func(p browse, _ string) (browse, out) {
			return p, ask(newWhy(p.meant(), p.preview.like, curate.Given{}))
		}},
		{Binding: keyed("z", "archive: keep it, but give it to no session", "z"), group: g, foot: "archive", off: is(lessons.Approved, "only an approved lesson can be archived"), do: decide(curate.Archive)},
		{Binding: keyed("b", "reopen: it waits for a decision again", "b"), group: g, off: anyLesson, do: decide(curate.Reopen)},
		{Binding: keyed("p", "pin: it stays fresh for good; or let it age again", "p"), group: g, foot: "pin", off: anyLesson, do: func(p browse, _ string) (browse, out) {
			return p.doubt(curate.PinOrUnpin(p.meant().ls), p.meant())
		}},
		{Binding: keyed("=", "let the confidence be computed again, from what came of it", "="), group: g, off: func(p browse) string {
			if l, ok := p.current(); ok && !l.Proof.Own && len(p.marks) == 0 {
				return "it is computed"
			}
			return anyLesson(p)
		}, do: decide(curate.Unrate)},
		{Binding: keyed("e", "edit in your editor", "e"), group: g, off: anyLesson, do: func(p browse, _ string) (browse, out) {
			l, _ := p.current()
			return p, run(p.fx.draft(onBrowse, l))
		}},
		{Binding: keyed("m", "merge with the similar one, or all marked", "m"), group: g, foot: "merge", off: func(p browse) string {
			if p.meant().together(p.preview.lesson, p.preview.like) == nil {
				return "mark two or more; nothing similar is known"
			}
			return ""
		}, do: func(p browse, _ string) (browse, out) {
			return p, newMerge(p.fx, p.meant().together(p.preview.lesson, p.preview.like)).open()
		}},
		{Binding: keyed("i", "edit its fields beside the evidence", "i"), group: g, foot: "edit", off: func(p browse) string { return cmp.Or(oneOf(p.meant().ls), anyLesson(p)) }, do: func(p browse, _ string) (browse, out) {
			l, _ := p.current()
			return p, openEditor(p.fx, onBrowse, l)
		}},
		{Binding: keyed("1-9 0", "set confidence 0.1 to 0.9, 1.0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "0"), group: g, off: anyLesson,
			do: func(p browse, k string) (browse, out) {
				return p.doubt(digit(k), p.meant())
			}},
		{Binding: keyed("+ -", "confidence up, down by 0.05", "+", "-"), group: g, off: anyLesson, do: func(p browse, k string) (browse, out) {
			l, _ := p.current()
			return p.decide(nudged(l, k), only(l))
		}},
	}
}

func placeKeys() binds[browse] {
	const g = "choose"
	facet := func(p browse) string {
		if !p.inFacets {
			return "‹to-facets h› goes to the facets"
		}
		return ""
	}
	return binds[browse]{
		{Binding: keyed("h ←", "to the facets", "h", "left"), group: g, foot: "facets", off: func(p browse) string {
			if p.inFacets {
				return "there already"
			}
			return ""
		}, do: func(p browse, _ string) (browse, out) {
			p.inFacets = true
			return p.resize(p.w, p.h), out{}
		}},
		{Binding: keyed("l →", "to the lessons", "l", "right"), group: g, foot: "lessons", off: func(p browse) string {
			if !p.inFacets {
				return "there already"
			}
			return ""
		}, do: func(p browse, _ string) (browse, out) {
			p.inFacets = false
			return p.resize(p.w, p.h), out{}
		}},
		{Binding: keyed("F", "in the facets: move this one up", "F"), group: g, off: facet, do: func(p browse, _ string) (browse, out) {
			p.facets = p.facets.raised()
			return p.resize(p.w, p.h), out{}
		}},
		{Binding: keyed("enter", "in the facets: choose, or no longer; in the lessons: open the evidence", "enter", "o"), group: g, foot: "open", do: func(p browse, _ string) (browse, out) {
			if p.inFacets {
				return p.choose()
			}
			l, ok := p.current()
			if !ok || len(l.Evidence) == 0 {
				return p, say("this lesson has no evidence")
			}
			return p, readLesson(p.fx, l)
		}},
		{Binding: keyed("f", "show approved, pending, rejected, merged, archived, all", "f"), group: g, foot: "status", do: func(p browse, _ string) (browse, out) {
			return nextStatus(p)
		}},
		{Binding: keyed("> <", "order: as found, most used, highest confidence, last confirmed, newest", ">", "<"), group: g, foot: "order", do: func(p browse, k string) (browse, out) {
			return nextSort(p, turnOf(k))
		}},
		{Binding: keyed("'", "views: queries with a name", "'"), group: g, foot: "views", do: func(p browse, _ string) (browse, out) {
			return p, ask(p.views.open(p.asked.String()))
		}},
	}
}

func findKeys() binds[browse] {
	const g = "find"
	scroll := func(by int) func(browse, string) (browse, out) {
		return func(p browse, _ string) (browse, out) {
			return p.scrollPreview(by * max(p.columns().ph/2, 1)), out{}
		}
	}
	return append(binds[browse]{
		{Binding: keyed("/", "search as you type: words, kind:error conf:<0.6 tag:x", "/"), group: g, foot: "search", do: func(p browse, _ string) (browse, out) {
			return p.open(), out{}
		}},
		{Binding: keyed("c", "settle what it contradicts", "c"), group: g, off: func(p browse) string {
			switch why := anyLesson(p); {
			case why != "":
				return why
			case !p.preview.whole:
				return "still looking"
			case len(p.preview.against) == 0:
				return "it contradicts nothing that is known"
			}
			return ""
		}, do: func(p browse, _ string) (browse, out) {
			return p, run(p.fx.confront(onBrowse, p.preview.lesson.ID, p.preview.against[0].Lesson.ID, nil))
		}},
		{Binding: keyed("T", "duplicates: lessons that say the same, to merge or tell apart", "T"), group: g, do: func(p browse, _ string) (browse, out) {
			return p, ask(newDuplicates(p.fx))
		}},
		{Binding: keyed("C", "all contradictions", "C"), group: g, do: func(p browse, _ string) (browse, out) {
			return p, ask(newContradictions(p.fx))
		}},
		{Binding: keyed("r", "walk along its relations: alike, against, merged, same session, same file", "r"), group: g, foot: "relations", off: anyLesson, do: func(p browse, _ string) (browse, out) {
			l, _ := p.current()
			return p, openWalk(p.fx, l)
		}},
		{Binding: keyed("D", "how the two that are marked differ", "D"), group: g, off: func(p browse) string {
			if n := len(p.meant().ls); n != 2 {
				return "mark two"
			}
			return ""
		}, do: func(p browse, _ string) (browse, out) {
			return p, ask(newTwo(p.fx, p.meant().ls))
		}},
		{Binding: keyed("space", "mark and go on; in the facets: choose", "space"), group: g, foot: "mark", off: anyLesson, do: func(p browse, _ string) (browse, out) {
			if p.inFacets {
				return p.choose()
			}
			l, _ := p.current()
			p.marks = p.marks.with(!p.marks[l.ID], l)
			p.rows.cur = p.rows.cur.move(1)
			return p.look(false)
		}},
		{Binding: keyed("*", "mark all that are in sight, or none", "*"), group: g, off: anyLesson, do: func(p browse, _ string) (browse, out) {
			if len(p.marks) > 0 {
				p.marks = nil
				return p, out{}
			}
			p.marks = p.marks.with(true, p.rows.known()...)
			if n := p.rows.total - len(p.marks); n > 0 {
				return p, say("%s marked; %s further down are not read yet", lessonsOf(len(p.marks)), grouped(n))
			}
			return p, out{}
		}},
		{Binding: keyed("w", "write or copy this lesson, or all marked: as Markdown, a table, a page, for another program", "w"), group: g, foot: "write", off: noExport, do: func(p browse, _ string) (browse, out) {
			return p, openExport(p.fx, wantedIn(p))
		}},
		{Binding: keyed("W", "write a page for a browser of all that is shown", "W"), group: g, off: noExport, do: func(p browse, _ string) (browse, out) {
			return p, openPage(p.fx, shownIn(p))
		}},
		{Binding: keyed("esc", "clear marks, then words, then what was chosen", "esc"), group: g, do: func(p browse, _ string) (browse, out) {
			return p.back()
		}},
		{Binding: keyed("J pgdn", "scroll the preview down", "J", "pgdown"), group: g, off: anyLesson, do: scroll(1)},
		{Binding: keyed("pgup", "scroll the preview up", "pgup"), group: g, off: anyLesson, do: scroll(-1)},
	}, lessonKeys(g, anyLesson, func(p browse, l lessons.Lesson) out { return openHistory(p.fx, l) })...)
}
