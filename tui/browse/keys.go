package browse

import (
	"slices"

	"learnings/index/curate"
	"learnings/lessons"
	"learnings/tui/decide"
	"learnings/tui/desk"
	"learnings/tui/kit"
)

// Keys are the keys of the screen.
func Keys() kit.Binds[Pane] {
	all := append(judgeKeys(), guardKeys("decide")...)
	all = append(all, decide.FieldKeys("change", anyLesson)...)
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
		return func(p Pane, _ string) (Pane, kit.Out) { return decide.Ask(p, a, p.Meant()) }
	}
	is := func(s lessons.Status, why string) func(Pane) string {
		return func(p Pane) string {
			if l, ok := p.Current(); ok && l.Status != s && len(p.marks) == 0 {
				return why
			}
			return anyLesson(p)
		}
	}
	return slices.Concat(kit.Binds[Pane]{
		{Key: kit.Keyed("approve", "a", "approve, or confirm what was approved", "a"), Group: g, Foot: "approve", Off: anyLesson, Do: act(curate.Approve)},
		{Key: kit.Keyed("reject", "x", "reject, with a reason", "x"), Group: g, Foot: "reject", Off: anyLesson, Do: kit.Asks(func(p Pane) kit.Out { return kit.Ask(decide.NewWhy(p.Meant(), p.preview.like, curate.Given{})) })},
		{Key: kit.Keyed("archive", "z", "archive: keep it, but give it to no session", "z"), Group: g, Foot: "archive", Off: is(lessons.Approved, "only an approved lesson can be archived"), Do: act(curate.Archive)},
		{Key: kit.Keyed("reopen", "b", "reopen: it waits for a decision again", "b"), Group: g, Off: anyLesson, Do: act(curate.Reopen)},
		{Key: kit.Keyed("pin", "p", "pin: it stays fresh for good; or let it age again", "p"), Group: g, Foot: "pin", Off: anyLesson, Do: func(p Pane, _ string) (Pane, kit.Out) {
			return decide.Ask(p, curate.PinOrUnpin(p.Meant().Ls), p.Meant())
		}},
	}, decide.ComputeKey(g, "let the confidence be computed again, from what came of it", anyLesson), decide.EditKeys(g, anyLesson), decide.RateKeys(g, "", anyLesson))
}

func placeKeys() kit.Binds[Pane] {
	const g = "choose"
	return kit.Binds[Pane]{
		{Key: kit.Keyed("to-facets", "h ←", "to the facets", "h", "left"), Group: g, Foot: "facets",
			Off: kit.Unless(func(p Pane) bool { return p.inFacets }, "there already", nil), Do: func(p Pane, _ string) (Pane, kit.Out) {
				p.inFacets = true
				return p.Resize(p.w, p.h), kit.Out{}
			}},
		{Key: kit.Keyed("to-lessons", "l →", "to the lessons", "l", "right"), Group: g, Foot: "lessons",
			Off: kit.Unless(func(p Pane) bool { return !p.inFacets }, "there already", nil), Do: func(p Pane, _ string) (Pane, kit.Out) {
				p.inFacets = false
				return p.Resize(p.w, p.h), kit.Out{}
			}},
		{Key: kit.Keyed("evidence", "enter", "in the facets: choose, or no longer; in the lessons: open the evidence", "enter", "o"), Group: g, Foot: "open", Do: func(p Pane, _ string) (Pane, kit.Out) {
			if p.inFacets {
				return p.choose()
			}
			l, ok := p.Current()
			if !ok || len(l.Evidence) == 0 {
				return p, kit.Say("this lesson has no evidence")
			}
			return p, desk.Evidence(l)
		}},
		{Key: kit.Keyed("status", "f", "show approved, pending, rejected, merged, archived, all", "f"), Group: g, Foot: "status", Do: func(p Pane, _ string) (Pane, kit.Out) { return nextStatus(p) }},
		{Key: kit.Keyed("order order-back", "> <", "order: as found, most used, highest confidence, last confirmed, newest", ">", "<"), Group: g, Foot: "order", Do: func(p Pane, k string) (Pane, kit.Out) { return nextSort(p, kit.TurnOf(k)) }},
		{Key: kit.Keyed("views", "'", "views: queries with a name", "'"), Group: g, Foot: "views", Do: kit.Asks(func(p Pane) kit.Out { return kit.Ask(p.views.open(p.asked.String())) })},
	}
}

func findKeys() kit.Binds[Pane] {
	const g = "find"
	scroll := func(by int) func(Pane, string) (Pane, kit.Out) {
		return func(p Pane, _ string) (Pane, kit.Out) {
			return p.scrollPreview(by * max(p.columns().ph/2, 1)), kit.Out{}
		}
	}
	return slices.Concat(kit.Binds[Pane]{
		{Key: kit.Keyed("filter", "/", "search as you type: words, kind:error conf:<0.6 tag:x", "/"), Group: g, Foot: "search", Do: func(p Pane, _ string) (Pane, kit.Out) { return p.query(), kit.Out{} }},
	}, decide.SettleKeys(g, anyLesson), kit.Binds[Pane]{
		{Key: kit.Keyed("duplicates", "T", "duplicates: lessons that say the same, to merge or tell apart", "T"), Group: g, Do: kit.Asks(func(p Pane) kit.Out { return decide.List(p.fx, decide.Duplicates) })},
		{Key: kit.Keyed("mark", "space", "mark and go on; in the facets: choose", "space"), Group: g, Foot: "mark", Off: anyLesson, Do: func(p Pane, _ string) (Pane, kit.Out) {
			if p.inFacets {
				return p.choose()
			}
			l, _ := p.Current()
			p.marks = p.marks.With(!p.marks[l.ID], l)
			p.rows.cur = p.rows.cur.Move(1)
			return p.look()
		}},
		{Key: kit.Keyed("mark-all", "*", "mark all that are in sight, or none", "*"), Group: g, Off: anyLesson, Do: func(p Pane, _ string) (Pane, kit.Out) {
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
		{Key: kit.Keyed("write", "w", "write or copy this lesson, or all marked: as Markdown, a table, a page, for another program", "w"), Group: g, Foot: "write", Off: noExport, Do: kit.Asks(func(p Pane) kit.Out { return openExport(p.fx, wantedIn(p)) })},
		{Key: kit.Keyed("page", "W", "write a page for a browser of all that is shown", "W"), Group: g, Off: noExport, Do: kit.Asks(func(p Pane) kit.Out { return openPath(p.fx, shownIn(p), pageForm) })},
		{Key: kit.Keyed("clear", "esc", "clear marks, then words, then what was chosen", "esc"), Group: g, Do: func(p Pane, _ string) (Pane, kit.Out) { return p.back() }},
		{Key: kit.Keyed("scroll-down", "J pgdn", "scroll the preview down", "J", "pgdown"), Group: g, Off: anyLesson, Do: scroll(1)},
		{Key: kit.Keyed("scroll-up", "pgup", "scroll the preview up", "pgup"), Group: g, Off: anyLesson, Do: scroll(-1)},
	}, decide.ShowKeys(g, anyLesson))
}
