package tui

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"learnings/index"
	"learnings/lessons"
	"learnings/tui/look"
)

// views are queries with a name: those that everybody needs, and those that the person
// keeps.
type views struct{ mine map[string]string }

// ours are the views that come with the program.
var ours = []struct{ name, query string }{
	{"active", atFirst},
	{"stale", "status:approved due:yes"},
	{"never used", "status:approved used:0"},
	{"mine", "status:approved by:person"},
	{"pinned", "status:approved pinned:yes"},
	{"doubtful", "status:approved conf:<0.5"},
	{"new this week", "status:approved age:<7d"},
}

func newViews(mine map[string]string) views { return views{maps.Clone(mine)} }

// names are those of the person's views, or else of some that come with the program.
func (v views) names() []string {
	if len(v.mine) > 0 {
		return slices.Sorted(maps.Keys(v.mine))
	}
	return []string{"stale", "never used", "mine"}
}

// A view is a line of the list of views.
type view struct {
	name, query string
	kept        bool // by the person
}

func (v views) all() []view {
	var out []view
	for _, name := range slices.Sorted(maps.Keys(v.mine)) {
		out = append(out, view{name, v.mine[name], true})
	}
	for _, o := range ours {
		if v.mine[o.name] == "" {
			out = append(out, view{name: o.name, query: o.query})
		}
	}
	return out
}

// browseMsg asks Browse for what a query finds.
type browseMsg struct{ query string }

// viewMsg asks for a view to be kept, or forgotten where its query is "".
type viewMsg struct{ name, query string }

// viewed keeps a view or forgets it.
func (p browse) viewed(m viewMsg) (browse, out) {
	if p.fx.SetView == nil {
		return p, warn("views cannot be kept here")
	}
	p.views = newViews(p.views.mine)
	if p.views.mine == nil {
		p.views.mine = map[string]string{}
	}
	if delete(p.views.mine, m.name); m.query != "" {
		p.views.mine[m.name] = m.query
	}
	set := p.fx.SetView
	return p, out{writes: []job{func(context.Context) tea.Msg { return viewKeptMsg{m, set(m.name, m.query)} }}}
}

// viewKeptMsg answers viewed.
type viewKeptMsg struct {
	viewMsg
	err error
}

func (m viewKeptMsg) note() note {
	switch {
	case m.err != nil:
		return note{bad: true, text: lessons.Line(fmt.Sprintf("keeping the view %s: %v", m.name, m.err))}
	case m.query == "":
		return note{text: "the view “" + lessons.Line(m.name) + "” is forgotten"}
	}
	return note{text: "✓ kept as “" + lessons.Line(m.name) + "”"}
}

// A viewList lets the person choose a view, or keep what is shown as one.
type viewList struct {
	views
	now    string // the query that is shown
	rows   []view
	cur    list
	in     textinput.Model // the name to keep it under
	naming bool
}

func (v views) open(now string) viewList {
	d := viewList{views: v, now: now, rows: v.all()}
	d.cur = d.cur.resize(len(d.rows), len(d.rows))
	for i, r := range d.rows {
		if same(r.query, now) {
			d.cur = d.cur.to(i)
		}
	}
	return d
}

// same reports that two texts are the same query.
func same(a, b string) bool {
	x, xerr := index.ParseQuery(a)
	y, yerr := index.ParseQuery(b)
	return xerr == nil && yerr == nil && x.String() == y.String()
}

func (d viewList) update(msg tea.Msg) (dialog, out) {
	if m, ok := msg.(wheelMsg); ok {
		d.cur = d.cur.move(m.by / notch)
	}
	if d.naming {
		key, name, cmd := typeInto(&d.in, msg)
		switch {
		case key == "esc":
			d.naming = false
		case strings.TrimSpace(name) != "":
			return nil, out{answer: viewMsg{strings.TrimSpace(name), d.now}}
		}
		return d, out{cmd: cmd}
	}
	k, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return d, out{}
	}
	if cur, ok := d.cur.stepped(k.String()); ok {
		d.cur = cur
		return d, out{}
	}
	switch k.String() {
	case "esc", "q", "'":
		return nil, out{}
	case "enter", "space":
		return nil, out{answer: browseMsg{d.rows[d.cur.at].query}}
	case "s":
		d.naming, d.in = true, newField("")
	case "d":
		if r := d.rows[d.cur.at]; r.kept {
			return nil, out{answer: viewMsg{name: r.name}}
		}
		return d, say("this view comes with the program")
	}
	return d, out{}
}

func (d viewList) hints() []hint {
	if d.naming {
		return []hint{{key: "enter", foot: "keep"}, {key: "esc", foot: "back"}}
	}
	return []hint{{key: "enter", foot: "show"}, {key: "s", foot: "keep what is shown"}, {key: "d", foot: "forget"}, {key: "j k", foot: "move"}, {key: "esc", foot: "back"}}
}

func (d viewList) view(w, h int, st *look.Style) string {
	w = min(w, askW)
	var lines []string
	for i, r := range d.rows {
		mark := "  "
		if same(r.query, d.now) {
			mark = look.Marked + " "
		}
		if d.cur.top <= i {
			lines = append(lines, ends(edge(i == d.cur.at && !d.naming, st)+" "+mark+st.Strong.Render(lessons.Line(r.name)), st.Dim.Render(look.Sentence(lessons.Line(r.query), w/2))+" ", w-2))
		}
	}
	lines = append(lines, "")
	if d.naming {
		lines = append(lines, edge(true, st)+" keep as "+fieldView(d.in, w-14))
	}
	lines = append(lines, "   "+st.Dim.Render("shown: "+look.Sentence(lessons.Line(d.now), w-14)))
	return box{title: st.Accent.Render("views"), right: st.Dim.Render("'"), on: true}.draw(lines, w, min(len(lines)+2, h), st)
}
