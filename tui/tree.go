package tui

import (
	"cmp"
	"fmt"
	"strings"

	"learnings/index"
	"learnings/lessons"
	"learnings/tui/look"
)

// A tree is where lessons belong: projects, in each its roles, in each of those its
// shelves. What is folded is asked for when it is unfolded.
type tree struct {
	all   int // lessons in all
	nodes []node
	cur   list
	open  map[string]bool // keys of nodes that are unfolded
	err   error
}

// A node is a line of the tree.
type node struct {
	project, role, shelf string
	only                 string // the category of all lessons of a shelf, when it is one
	n                    int
}

// depth is 0 for all lessons, 1 for a project, 2 for a role, 3 for a shelf.
func (n node) depth() int {
	switch {
	case n.shelf != "":
		return 3
	case n.role != "":
		return 2
	case n.project != "":
		return 1
	}
	return 0
}

func (n node) key() string { return n.project + "\x00" + n.role + "\x00" + n.shelf }

func (n node) name() string {
	switch n.depth() {
	case 3:
		return cmp.Or(n.only, n.shelf)
	case 2:
		return n.role
	case 1:
		return n.project
	}
	return "all projects"
}

// within limits a query to what is under a node.
func (n node) within(q index.Query) index.Query {
	if n.project != "" {
		q = q.Where(index.Project, n.project)
	}
	if n.role != "" {
		q = q.Where(index.Role, n.role)
	}
	if n.shelf != "" {
		q = q.Where(index.Kind, n.shelf)
	}
	return q
}

// current is the node under the cursor.
func (t tree) current() node {
	if t.cur.at >= len(t.nodes) {
		return node{}
	}
	return t.nodes[t.cur.at]
}

// with replaces the children of a node.
func (t tree) with(parent node, c index.Counts) tree {
	at := -1
	for i, n := range t.nodes {
		if n.key() == parent.key() {
			at = i
		}
	}
	if parent.depth() == 0 {
		t.all = c.Total
		parent.n = c.Total
		if at < 0 {
			t.nodes, at = []node{parent}, 0
		}
	}
	if at < 0 {
		return t
	}
	was := t.current().key()
	end := at + 1
	for end < len(t.nodes) && t.nodes[end].depth() > parent.depth() {
		end++
	}
	nodes := append([]node{}, t.nodes[:at+1]...)
	nodes[at].n = c.Total
	for _, child := range children(parent, c) {
		nodes = append(nodes, child)
		nodes = append(nodes, below(t.nodes[at+1:end], child)...)
	}
	t.nodes = append(nodes, t.nodes[end:]...)
	t.cur = t.cur.resize(len(t.nodes), t.cur.h)
	for i, n := range t.nodes {
		if n.key() == was {
			t.cur = t.cur.to(i)
		}
	}
	return t
}

// below returns what was unfolded below a child before.
func below(old []node, child node) []node {
	for i, n := range old {
		if n.key() != child.key() {
			continue
		}
		end := i + 1
		for end < len(old) && old[end].depth() > child.depth() {
			end++
		}
		return old[i+1 : end]
	}
	return nil
}

func children(parent node, c index.Counts) []node {
	counts, to := c.Projects, func(name string) node { return node{project: name} }
	switch parent.depth() {
	case 1:
		counts, to = c.Roles, func(name string) node { return node{project: parent.project, role: name} }
	case 2:
		counts, to = c.Shelves, func(name string) node {
			return node{project: parent.project, role: parent.role, shelf: name, only: onlyOf(c.Categories, lessons.Shelf(name))}
		}
	}
	var out []node
	for _, k := range counts {
		if k.Name == "" {
			continue
		}
		n := to(k.Name)
		n.n = k.N
		out = append(out, n)
	}
	return out
}

// onlyOf is the one category that is counted of a shelf; "" when there are several.
func onlyOf(all []index.Count, s lessons.Shelf) string {
	name := ""
	for _, c := range all {
		if lessons.Category(c.Name).Shelf() != s {
			continue
		}
		if name != "" {
			return ""
		}
		name = c.Name
	}
	return name
}

// fold hides what is below a node.
func (t tree) fold(n node) tree {
	open := map[string]bool{}
	for k := range t.open {
		if k != n.key() && !(n.depth() > 0 && strings.HasPrefix(k, strings.TrimRight(n.key(), "\x00")+"\x00")) {
			open[k] = true
		}
	}
	t.open = open
	for i, o := range t.nodes {
		if o.key() != n.key() {
			continue
		}
		end := i + 1
		for end < len(t.nodes) && t.nodes[end].depth() > n.depth() {
			end++
		}
		t.nodes = append(append([]node{}, t.nodes[:i+1]...), t.nodes[end:]...)
		t.cur = t.cur.resize(len(t.nodes), t.cur.h).to(i)
		return t
	}
	return t
}

// unfold marks a node as unfolded. Its children are still to be asked for.
func (t tree) unfold(n node) tree {
	open := map[string]bool{n.key(): true}
	for k := range t.open {
		open[k] = true
	}
	t.open = open
	return t
}

// parent is the row of the node above the current one.
func (t tree) parent() int {
	d := t.current().depth()
	for i := t.cur.at; i >= 0; i-- {
		if i < len(t.nodes) && t.nodes[i].depth() < d {
			return i
		}
	}
	return 0
}

func (t tree) column(w, h int, on bool, st *look.Style) column {
	c := column{w: w, h: h}
	if on {
		c.lit, c.n = t.cur.line(), 1
	}
	c.lines = t.cur.lines(func(i int, current bool) string {
		n := t.nodes[i]
		sign := "  "
		if n.depth() > 0 && n.depth() < 3 {
			sign = "▸ "
			if t.open[n.key()] {
				sign = "▾ "
			}
		}
		ink := st.Text
		if current {
			ink = st.Strong
		}
		left := edge(current && on, st) + strings.Repeat("  ", max(n.depth()-1, 0)) + st.Dim.Render(sign) + ink.Render(lessons.Line(n.name()))
		line := ends(left, st.Dim.Render(fmt.Sprintf(" %s ", grouped(n.n))), w)
		if current {
			return st.Select(line)
		}
		return line
	})
	return c
}
