package browse

import (
	"cmp"
	"learnings/index/curate"
	"learnings/lessons"
	"learnings/tui/decide"
	"learnings/tui/desk"
	"learnings/tui/kit"
)

// Keys are what can be done with the corpus.
func Keys() kit.Binds[Pane] {
	all := append(judgeKeys(), guardKeys("decide")...)
	all = append(all, decide.FieldKeys("change", func(p Pane) desk.Desk { return p.fx }, anyLesson)...)
	all = append(all, placeKeys()...)
	all = append(all, findKeys()...)
	return append(all, kit.Motion(Pane.cursor, Pane.moveTo)...)
}

func anyLesson(p Pane) string {
	if _, ok := p.Current(); !ok {
		return "no lesson is shown"
	}
	return ""
}

func judgeKeys() kit.Binds[Pane] {
	const g = "decide"
	act := func(a curate.Action) func(Pane, string) (Pane, kit.Out) {
		return func(p Pane, _ string) (Pane, kit.Out) { return p.doubt(a, p.Meant()) }
	}
	is := func(s lessons.Status, why string) func(Pane) string {
		return func(p Pane) string {
			if l, ok := p.Current(); ok && l.Status != s && len(p.marks) == 0 {
				return why
			}
			return anyLesson(p)
		}
	}
	return kit.Binds[Pane]{
		{Binding: kit.Keyed("a", "approve, or confirm what was approved", "a"), Group: g, Foot: "approve", Off: anyLesson, Do: act(curate.Approve)},
		{Binding: kit.Keyed("x", "reject, with a reason", "x"), Group: g, Foot: "reject", Off: anyLesson, Do: kit.Asks(func(p Pane) kit.Out { return kit.Ask(decide.NewWhy(p.Meant(), p.preview.like, curate.Given{})) })},
		{Binding: kit.Keyed("z", "archive: keep it, but give it to no session", "z"), Group: g, Foot: "archive", Off: is(lessons.Approved, "only an approved lesson can be archived"), Do: act(curate.Archive)},
		{Binding: kit.Keyed("b", "reopen: it waits for a decision again", "b"), Group: g, Off: anyLesson, Do: act(curate.Reopen)},
		{Binding: kit.Keyed("p", "pin: it stays fresh for good; or let it age again", "p"), Group: g, Foot: "pin", Off: anyLesson, Do: func(p Pane, _ string) (Pane, kit.Out) { return p.doubt(curate.PinOrUnpin(p.Meant().Ls), p.Meant()) }},
		{Binding: kit.Keyed("=", "let the confidence be computed again, from what came of it", "="), Group: g, Off: func(p Pane) string {
			if l, ok := p.Current(); ok && !l.Proof.Own && len(p.marks) == 0 {
				return "it is computed"
			}
			return anyLesson(p)
		}, Do: act(curate.Unrate)},
		{Binding: kit.Keyed("e", "edit in your editor", "e"), Group: g, Off: anyLesson, Do: desk.OnLesson(func(p Pane, l lessons.Lesson) kit.Out { return desk.Edit(desk.OnBrowse, l, true) })},
		{Binding: kit.Keyed("m", "merge with the similar one, or all marked", "m"), Group: g, Foot: "merge", Off: func(p Pane) string {
			if p.Meant().Together(p.preview.lesson, p.preview.like) == nil {
				return "mark two or more; nothing similar is known"
			}
			return ""
		}, Do: kit.Asks(func(p Pane) kit.Out {
			return decide.NewMerge(p.fx, p.Meant().Together(p.preview.lesson, p.preview.like)).Open()
		})},
		{Binding: kit.Keyed("i", "edit its fields beside the evidence", "i"), Group: g, Foot: "edit", Off: func(p Pane) string { return cmp.Or(desk.OneOf(p.Meant().Ls), anyLesson(p)) }, Do: desk.OnLesson(func(p Pane, l lessons.Lesson) kit.Out { return desk.Edit(desk.OnBrowse, l, false) })},
		{Binding: kit.Keyed("1-9 0", "set confidence 0.1 to 0.9, 1.0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "0"), Group: g, Off: anyLesson,
			Do: func(p Pane, k string) (Pane, kit.Out) { return p.doubt(desk.Digit(k), p.Meant()) }},
		{Binding: kit.Keyed("+ -", "confidence up, down by 0.05", "+", "-"), Group: g, Off: anyLesson, Do: func(p Pane, k string) (Pane, kit.Out) {
			l, _ := p.Current()
			return p.decide(desk.Nudged(l, k), desk.Only(l))
		}},
	}
}

func placeKeys() kit.Binds[Pane] {
	const g = "choose"
	return kit.Binds[Pane]{
		{Binding: kit.Keyed("h ←", "to the facets", "h", "left"), Group: g, Foot: "facets", Off: func(p Pane) string {
			if p.inFacets {
				return "there already"
			}
			return ""
		}, Do: func(p Pane, _ string) (Pane, kit.Out) {
			p.inFacets = true
			return p.Resize(p.w, p.h), kit.Out{}
		}},
		{Binding: kit.Keyed("l →", "to the lessons", "l", "right"), Group: g, Foot: "lessons", Off: func(p Pane) string {
			if !p.inFacets {
				return "there already"
			}
			return ""
		}, Do: func(p Pane, _ string) (Pane, kit.Out) {
			p.inFacets = false
			return p.Resize(p.w, p.h), kit.Out{}
		}},
		{Binding: kit.Keyed("enter", "in the facets: choose, or no longer; in the lessons: open the evidence", "enter", "o"), Group: g, Foot: "open", Do: func(p Pane, _ string) (Pane, kit.Out) {
			if p.inFacets {
				return p.choose()
			}
			l, ok := p.Current()
			if !ok || len(l.Evidence) == 0 {
				return p, kit.Say("this lesson has no evidence")
			}
			return p, desk.Evidence(l)
		}},
		{Binding: kit.Keyed("f", "show approved, pending, rejected, merged, archived, all", "f"), Group: g, Foot: "status", Do: func(p Pane, _ string) (Pane, kit.Out) { return nextStatus(p) }},
		{Binding: kit.Keyed("> <", "order: as found, most used, highest confidence, last confirmed, newest", ">", "<"), Group: g, Foot: "order", Do: func(p Pane, k string) (Pane, kit.Out) { return nextSort(p, kit.TurnOf(k)) }},
		{Binding: kit.Keyed("'", "views: queries with a name", "'"), Group: g, Foot: "views", Do: kit.Asks(func(p Pane) kit.Out { return kit.Ask(p.views.open(p.asked.String())) })},
	}
}

func findKeys() kit.Binds[Pane] {
	const g = "find"
	scroll := func(by int) func(Pane, string) (Pane, kit.Out) {
		return func(p Pane, _ string) (Pane, kit.Out) {
			return p.scrollPreview(by * max(p.columns().ph/2, 1)), kit.Out{}
		}
	}
	return append(kit.Binds[Pane]{
		{Binding: kit.Keyed("/", "search as you type: words, kind:error conf:<0.6 tag:x", "/"), Group: g, Foot: "search", Do: func(p Pane, _ string) (Pane, kit.Out) { return p.open(), kit.Out{} }},
		{Binding: kit.Keyed("c", "settle what it contradicts", "c"), Group: g, Off: func(p Pane) string {
			switch why := anyLesson(p); {
			case why != "":
				return why
			case !p.preview.whole:
				return "still looking"
			case len(p.preview.against) == 0:
				return "it contradicts nothing that is known"
			}
			return ""
		}, Do: kit.Asks(func(p Pane) kit.Out {
			return kit.Run(decide.Confront(p.fx, desk.OnBrowse, p.preview.lesson.ID, p.preview.against[0].Lesson.ID, nil))
		})},
		{Binding: kit.Keyed("T", "duplicates: lessons that say the same, to merge or tell apart", "T"), Group: g, Do: kit.Asks(func(p Pane) kit.Out { return decide.List(p.fx, decide.Duplicates) })},
		{Binding: kit.Keyed("C", "all contradictions", "C"), Group: g, Do: kit.Asks(func(p Pane) kit.Out { return decide.List(p.fx, decide.Contradictions) })},
		{Binding: kit.Keyed("space", "mark and go on; in the facets: choose", "space"), Group: g, Foot: "mark", Off: anyLesson, Do: func(p Pane, _ string) (Pane, kit.Out) {
			if p.inFacets {
				return p.choose()
			}
			l, _ := p.Current()
			p.marks = p.marks.With(!p.marks[l.ID], l)
			p.rows.cur = p.rows.cur.Move(1)
			return p.look()
		}},
		{Binding: kit.Keyed("*", "mark all that are in sight, or none", "*"), Group: g, Off: anyLesson, Do: func(p Pane, _ string) (Pane, kit.Out) {
			if len(p.marks) > 0 {
				p.marks = nil
				return p, kit.Out{}
			}
			p.marks = p.marks.With(true, p.rows.known()...)
			if n := p.rows.total - len(p.marks); n > 0 {
				return p, kit.Say("%s marked; %s further down are not read yet", kit.LessonsOf(len(p.marks)), kit.Grouped(n))
			}
			return p, kit.Out{}
		}},
		{Binding: kit.Keyed("w", "write or copy this lesson, or all marked: as Markdown, a table, a page, for another program", "w"), Group: g, Foot: "write", Off: noExport, Do: kit.Asks(func(p Pane) kit.Out { return openExport(p.fx, wantedIn(p)) })},
		{Binding: kit.Keyed("W", "write a page for a browser of all that is shown", "W"), Group: g, Off: noExport, Do: kit.Asks(func(p Pane) kit.Out { return openPath(p.fx, shownIn(p), pageForm) })},
		{Binding: kit.Keyed("esc", "clear marks, then words, then what was chosen", "esc"), Group: g, Do: func(p Pane, _ string) (Pane, kit.Out) { return p.back() }},
		{Binding: kit.Keyed("J pgdn", "scroll the preview down", "J", "pgdown"), Group: g, Off: anyLesson, Do: scroll(1)},
		{Binding: kit.Keyed("pgup", "scroll the preview up", "pgup"), Group: g, Off: anyLesson, Do: scroll(-1)},
	}, desk.LessonKeys[Pane](g, anyLesson)...)
}
