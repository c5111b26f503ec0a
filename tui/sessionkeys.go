package tui

import (
	"maps"

	"learnings/index"
)

// sessionKeys are what can be done with transcripts.
func sessionKeys() binds[sessions] {
	all := append(mineKeys(), pickKeys()...)
	return append(all, motion(
		func(p sessions) list { return p.cur },
		func(p sessions, l list) (sessions, out) { p.cur = l; return p, out{} })...)
}

func anySession(p sessions) string {
	if len(p.list) == 0 {
		return "no session is listed"
	}
	return ""
}

func mineKeys() binds[sessions] {
	const g = "extract"
	return binds[sessions]{
		{Binding: keyed("x", "extract lessons from the marked sessions, or from this one", "x"), group: g, foot: "extract", off: sessions.busy,
			do: func(p sessions, _ string) (sessions, out) { return p.extract(p.meant()) }},
		{Binding: keyed("enter o", "read the session", "enter", "o"), group: g, foot: "read", off: anySession,
			do: func(p sessions, _ string) (sessions, out) {
				t, _ := p.current()
				return p, p.open(t)
			}},
		{Binding: keyed("l", "its lessons, in Browse", "l"), group: g, foot: "its lessons", off: func(p sessions) string {
			if t, ok := p.current(); !ok || t.Taken == 0 {
				return "none was taken from it"
			}
			return ""
		}, do: func(p sessions, _ string) (sessions, out) {
			t, _ := p.current()
			q := index.Query{}.Where(index.Session, t.ID).String()
			return p, browseFor(q)
		}},
		{Binding: keyed("p", "hold the extraction back after this session, or go on", "p"), group: g, off: func(p sessions) string {
			switch {
			case !p.mine.running:
				return "no extraction is under way"
			case p.mine.pause == nil:
				return "a model cannot be held back; esc stops it"
			}
			return ""
		}, do: func(p sessions, _ string) (sessions, out) {
			if p.mine.pause.toggle() {
				return p, say("held back after this session; ‹hold p› goes on")
			}
			return p, say("going on")
		}},
		{Binding: keyed("e", "what could not be read, to try again", "e"), group: g, off: func(p sessions) string {
			if len(failuresOf(p)) == 0 {
				return "the last run read everything"
			}
			return ""
		}, do: func(p sessions, _ string) (sessions, out) { return p, ask(newFailures(failuresOf(p))) }},
		{Binding: keyed("r", "look for sessions again", "r"), group: g, off: func(p sessions) string {
			if p.scan.running {
				return "already looking"
			}
			return ""
		}, do: func(p sessions, _ string) (sessions, out) { return p.start() }},
	}
}

func pickKeys() binds[sessions] {
	const g = "mark"
	return binds[sessions]{
		{Binding: keyed("space", "mark and go on", "space"), group: g, foot: "mark", off: anySession, do: func(p sessions, _ string) (sessions, out) {
			t, _ := p.current()
			p.marked = maps.Clone(p.marked)
			if p.marked == nil {
				p.marked = map[string]bool{}
			}
			if p.marked[t.Path] {
				delete(p.marked, t.Path)
			} else {
				p.marked[t.Path] = true
			}
			p.cur = p.cur.move(1)
			return p, out{}
		}},
		{Binding: keyed("*", "mark all that are shown", "*"), group: g, off: anySession, do: func(p sessions, _ string) (sessions, out) {
			p.marked = map[string]bool{}
			for _, t := range p.list {
				p.marked[t.Path] = true
			}
			return p, say("%d marked", len(p.marked))
		}},
		{Binding: keyed("/", "search: words of the first prompt, spin>3 errors>5 project:shop", "/"), group: g, foot: "search", do: func(p sessions, _ string) (sessions, out) {
			p.filter = p.filter.open()
			return p.resize(p.w, p.h), out{}
		}},
		{Binding: keyed("f", "only what holds something new, or all", "f"), group: g, foot: "new or all", do: func(p sessions, _ string) (sessions, out) {
			p.newly = !p.newly
			return p.laid(), out{}
		}},
		{Binding: keyed("> <", "order: newest, corrections, errors, turns, few reads, lessons, size", ">", "<"), group: g, foot: "order", do: func(p sessions, k string) (sessions, out) {
			was, had := p.current()
			p.order = (p.order + len(sessionOrders) + turnOf(k)) % len(sessionOrders)
			if p = p.laid(); had {
				p = p.at(was.Path)
			}
			return p, out{}
		}},
		{Binding: keyed("esc", "stop the extraction, clear marks, clear the search", "esc"), group: g, off: func(p sessions) string {
			if !p.mine.running && len(p.marked) == 0 && p.filter.query == "" && !p.newly {
				return "nothing is under way, marked or searched for"
			}
			return ""
		}, do: func(p sessions, _ string) (sessions, out) {
			switch {
			case p.mine.running:
				return p.stop()
			case len(p.marked) > 0:
				p.marked = nil
			default:
				p.filter, p.match, p.newly = filter{}, nil, false
			}
			return p.laid(), out{}
		}},
	}
}
