package browse

import (
	"context"
	"maps"
	"slices"

	tea "charm.land/bubbletea/v2"

	"learnings/index"
	"learnings/lessons"
	"learnings/tui/desk"
	"learnings/tui/kit"
)

// views are named queries: built-in ones and the person's.
type views struct{ mine map[string]string }

// ours are the built-in views.
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

// names returns the names of the person's views, or of some built-in ones if there are none.
func (v views) names() []string {
	if len(v.mine) > 0 {
		return slices.Sorted(maps.Keys(v.mine))
	}
	return []string{"stale", "never used", "mine"}
}

// A view is an entry of the list of views.
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

// keepView asks to keep a view, or to remove it if query is "".
func keepView(name, query string) kit.Out {
	return kit.Out{Answer: kit.Then[Pane](func(p Pane) (Pane, kit.Out) { return p.viewed(view{name: name, query: query}) })}
}

// viewed keeps or removes a view.
func (p Pane) viewed(m view) (Pane, kit.Out) {
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
	set, name := p.fx.SetView, lessons.Line(m.name)
	return p, kit.Out{Writes: []kit.Job{func(context.Context) tea.Msg {
		o := kit.Say("✓ kept as “%s”", name)
		if err := set(m.name, m.query); err != nil {
			o = kit.Warn("keeping the view %s: %v", name, err)
		} else if m.query == "" {
			o = kit.Say("the view “%s” is forgotten", name)
		}
		return kit.OutMsg{Out: o}
	}}}
}

// open asks for a view. Typed text is a name for the current query.
func (v views) open(now string) kit.Chooser {
	var all []kit.Option
	at := -1
	for i, r := range v.all() {
		if same(r.query, now) {
			at = i
		}
		all = append(all, kit.Option{Name: r.name, Note: r.query, Do: desk.Browse(r.query)})
	}
	if at >= 0 && v.all()[at].kept {
		name := v.all()[at].name
		all = append(all, kit.Option{Name: "forget “" + name + "”", Note: "it is shown now", Do: keepView(name, "")})
	}
	d := kit.NewChooser("views", all)
	d.Hint = "keep what is shown under this name"
	d.Take = func(name string) (kit.Out, error) { return keepView(name, now), nil }
	d.Cur = d.Cur.To(max(at, 0))
	return d
}

// same reports whether two texts are the same query.
func same(a, b string) bool {
	x, xerr := index.ParseQuery(a)
	y, yerr := index.ParseQuery(b)
	return xerr == nil && yerr == nil && x.String() == y.String()
}
