package sessions

import (
	"learnings/index"
	"learnings/lessons"
	"learnings/tui/desk"
	"learnings/tui/kit"
)

// Keys are the keys of the screen.
func Keys() kit.Binds[Pane] {
	all := append(mineKeys(), pickKeys()...)
	return append(all, kit.Motion(
		func(p Pane) kit.List { return p.cur },
		func(p Pane, l kit.List) (Pane, kit.Out) { p.cur = l; return p, kit.Out{} })...)
}

func anySession(p Pane) string {
	if len(p.list) == 0 {
		return "no session is listed"
	}
	return ""
}

// busy says why nothing can be extracted now; "" if something can.
func (p Pane) busy() string {
	switch {
	case p.mine.running:
		return "an extraction is under way; esc in Sessions stops it"
	case p.fx.Extract == nil:
		return "there is nothing to extract with"
	}
	return anySession(p)
}

// Unread says why there is nothing new to extract from; "" if there is.
func (p Pane) Unread() string {
	switch {
	case p.looking() && !p.mine.running && p.fx.Extract != nil:
		return ""
	case len(p.fresh()) == 0:
		return "no session holds anything new"
	}
	return p.busy()
}

func mineKeys() kit.Binds[Pane] {
	const g = "extract"
	return kit.Binds[Pane]{
		{Key: kit.Keyed("extract", "x", "extract lessons from the marked sessions, or from this one", "x"), Group: g, Foot: "extract", Off: Pane.busy,
			Do: func(p Pane, _ string) (Pane, kit.Out) { return p.extract(p.meant()) }},
		{Key: kit.Keyed("read", "enter o", "read the session", "enter", "o"), Group: g, Foot: "read", Off: anySession,
			Do: func(p Pane, _ string) (Pane, kit.Out) {
				t, _ := p.Current()
				return p, desk.ReadAt(lessons.Evidence{Agent: t.Agent, Session: t.ID, Path: t.Path})
			}},
		{Key: kit.Keyed("its-lessons", "l", "its lessons, in Browse", "l"), Group: g, Foot: "its lessons", Off: func(p Pane) string {
			if t, ok := p.Current(); !ok || t.Taken == 0 {
				return "none was taken from it"
			}
			return ""
		}, Do: func(p Pane, _ string) (Pane, kit.Out) {
			t, _ := p.Current()
			q := index.Query{}.Where(index.Session, t.ID).String()
			return p, desk.Browse(q)
		}},
		{Key: kit.Keyed("failed", "e", "what could not be read, to try again", "e"), Group: g,
			Off: kit.Unless(func(p Pane) bool { return len(p.failed()) == 0 }, "the last run read everything", nil), Do: func(p Pane, _ string) (Pane, kit.Out) { return p, openFailures(p.failed()) }},
		{Key: kit.Keyed("find-sessions", "r", "look for sessions again", "r"), Group: g,
			Off: kit.Unless(func(p Pane) bool { return p.scan.running }, "already looking", nil), Do: func(p Pane, _ string) (Pane, kit.Out) { return p.Start() }},
	}
}

func pickKeys() kit.Binds[Pane] {
	const g = "mark"
	return kit.Binds[Pane]{
		{Key: kit.Keyed("mark", "space", "mark and go on", "space"), Group: g, Foot: "mark", Off: anySession, Do: func(p Pane, _ string) (Pane, kit.Out) {
			t, _ := p.Current()
			p.marked = kit.Own(p.marked)
			if p.marked[t.Path] {
				delete(p.marked, t.Path)
			} else {
				p.marked[t.Path] = true
			}
			p.cur = p.cur.Move(1)
			return p, kit.Out{}
		}},
		{Key: kit.Keyed("mark-all", "*", "mark all that are shown", "*"), Group: g, Off: anySession, Do: func(p Pane, _ string) (Pane, kit.Out) {
			p.marked = map[string]bool{}
			for _, t := range p.list {
				p.marked[t.Path] = true
			}
			return p, kit.Say("%d marked", len(p.marked))
		}},
		{Key: kit.Keyed("filter", "/", "search: words of the first prompt, spin>3 errors>5 project:shop", "/"), Group: g, Foot: "search", Do: func(p Pane, _ string) (Pane, kit.Out) {
			p.filter = p.filter.Open()
			return p.Resize(p.w, p.h), kit.Out{}
		}},
		{Key: kit.Keyed("only-new", "f", "only what holds something new, or all", "f"), Group: g, Foot: "new or all", Do: func(p Pane, _ string) (Pane, kit.Out) {
			p.newly = !p.newly
			return p.laid(), kit.Out{}
		}},
		{Key: kit.Keyed("order order-back", "> <", "order: newest, corrections, errors, turns, few reads, lessons, size", ">", "<"), Group: g, Foot: "order", Do: func(p Pane, k string) (Pane, kit.Out) {
			was, had := p.Current()
			p.order = (p.order + len(orders) + kit.TurnOf(k)) % len(orders)
			if p = p.laid(); had {
				p = p.at(was.Path)
			}
			return p, kit.Out{}
		}},
		{Key: kit.Keyed("clear", "esc", "stop the extraction, clear marks, clear the search", "esc"), Group: g,
			Off: kit.Unless(func(p Pane) bool { return !p.mine.running && len(p.marked) == 0 && p.filter.Query == "" && !p.newly }, "nothing is under way, marked or searched for", nil), Do: func(p Pane, _ string) (Pane, kit.Out) {
				switch {
				case p.mine.running:
					p.mine.cancel()
					p.mine.stopped = true
					return p, kit.Say("stopping…")
				case len(p.marked) > 0:
					p.marked = nil
				default:
					p.filter, p.match, p.newly = kit.Filter{}, nil, false
				}
				return p.laid(), kit.Out{}
			}},
	}
}
