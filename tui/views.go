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
	"learnings/tui/kit"
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
func (p browse) viewed(m viewMsg) (browse, kit.Out) {
	if p.fx.SetView == nil {
		return p, kit.Warn("views cannot be kept here")
	}
	p.views = newViews(p.views.mine)
	if p.views.mine == nil {
		p.views.mine = map[string]string{}
	}
	if delete(p.views.mine, m.name); m.query != "" {
		p.views.mine[m.name] = m.query
	}
	set := p.fx.SetView
	return p, kit.Out{Writes: []kit.Job{func(context.Context) tea.Msg { return viewKeptMsg{m, set(m.name, m.query)} }}}
}

// viewKeptMsg answers viewed.
type viewKeptMsg struct {
	viewMsg
	err error
}

func (m viewKeptMsg) note() kit.Note {
	switch {
	case m.err != nil:
		return kit.Note{Bad: true, Text: lessons.Line(fmt.Sprintf("keeping the view %s: %v", m.name, m.err))}
	case m.query == "":
		return kit.Note{Text: "the view “" + lessons.Line(m.name) + "” is forgotten"}
	}
	return kit.Note{Text: "✓ kept as “" + lessons.Line(m.name) + "”"}
}

// A viewList lets the person choose a view, or keep what is shown as one.
type viewList struct {
	views
	now    string // the query that is shown
	rows   []view
	cur    kit.List
	in     textinput.Model // the name to keep it under
	naming bool
}

func (v views) open(now string) viewList {
	d := viewList{views: v, now: now, rows: v.all()}
	d.cur = d.cur.Resize(len(d.rows), len(d.rows))
	for i, r := range d.rows {
		if same(r.query, now) {
			d.cur = d.cur.To(i)
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

func (d viewList) Update(msg tea.Msg) (kit.Dialog, kit.Out) {
	if m, ok := msg.(kit.WheelMsg); ok {
		d.cur = d.cur.Move(m.By / kit.Notch)
	}
	if d.naming {
		key, name, cmd := kit.TypeInto(&d.in, msg)
		switch {
		case key == "esc":
			d.naming = false
		case strings.TrimSpace(name) != "":
			return nil, kit.Out{Answer: viewMsg{strings.TrimSpace(name), d.now}}
		}
		return d, kit.Out{Cmd: cmd}
	}
	k, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return d, kit.Out{}
	}
	if cur, ok := d.cur.Stepped(k.String()); ok {
		d.cur = cur
		return d, kit.Out{}
	}
	switch k.String() {
	case "esc", "q", "'":
		return nil, kit.Out{}
	case "enter", "space":
		return nil, kit.Out{Answer: browseMsg{d.rows[d.cur.At].query}}
	case "s":
		d.naming, d.in = true, kit.NewField("")
	case "d":
		if r := d.rows[d.cur.At]; r.kept {
			return nil, kit.Out{Answer: viewMsg{name: r.name}}
		}
		return d, kit.Say("this view comes with the program")
	}
	return d, kit.Out{}
}

func (d viewList) Hints() []kit.Hint {
	if d.naming {
		return []kit.Hint{{Key: "enter", Foot: "keep"}, {Key: "esc", Foot: "back"}}
	}
	return []kit.Hint{{Key: "enter", Foot: "show"}, {Key: "s", Foot: "keep what is shown"}, {Key: "d", Foot: "forget"}, {Key: "j k", Foot: "move"}, {Key: "esc", Foot: "back"}}
}

func (d viewList) View(w, h int, st *look.Style) string {
	w = min(w, askW)
	var lines []string
	for i, r := range d.rows {
		mark := "  "
		if same(r.query, d.now) {
			mark = look.Marked + " "
		}
		if d.cur.Top <= i {
			lines = append(lines, kit.Ends(kit.Edge(i == d.cur.At && !d.naming, st)+" "+mark+st.Strong.Render(lessons.Line(r.name)), st.Dim.Render(look.Sentence(lessons.Line(r.query), w/2))+" ", w-2))
		}
	}
	lines = append(lines, "")
	if d.naming {
		lines = append(lines, kit.Edge(true, st)+" keep as "+kit.FieldView(d.in, w-14))
	}
	lines = append(lines, "   "+st.Dim.Render("shown: "+look.Sentence(lessons.Line(d.now), w-14)))
	return kit.Box{Title: st.Accent.Render("views"), Right: st.Dim.Render("'"), On: true}.Draw(lines, w, min(len(lines)+2, h), st)
}
