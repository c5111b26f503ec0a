package sessions

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"learnings/tui/desk"
	"learnings/tui/kit"
)

// A Pane lists the transcripts of this machine.
type Pane struct {
	fx     desk.Desk
	w, h   int
	rows   []desk.Session
	list   []desk.Session         // the rows, in their order
	match  func(path string) bool // the filter; nil matches all
	order  int                    // index into orders
	newly  bool                   // list only sessions with new content
	scope  desk.Scope
	cur    kit.List
	moved  bool            // the person has moved the cursor
	marked map[string]bool // by path
	scan   scan
	mine   mining
	last   []desk.Read // the results of the last run
	filter kit.Filter
	model  string // the model at hand; "" for none
	answer answer // whether it reads by itself
}

// A scan is the state of the search for transcripts.
type scan struct {
	begun   bool
	running bool
	done    bool
	all     bool // each was found, if not read
	wanted  bool // extract from what is new as soon as each was found
	stop    context.CancelFunc
	next    map[string]desk.Session // by path
	err     error                   // the last of errs
	errs    int
}

// A mining is the state of an extraction.
type mining struct {
	running bool
	begun   time.Time
	at      desk.Progress
	cancel  context.CancelFunc
	stopped bool
	model   string // the model that reads; "" for the rules
}

// New returns the screen. Start starts it.
func New(fx desk.Desk) Pane { return Pane{fx: fx} }

// Start finds sessions and, the first time, a model.
func (p Pane) Start() (Pane, kit.Out) {
	var first kit.Out
	if at := p.fx.AtHand; !p.scan.begun && at != nil {
		first = kit.Run(func(ctx context.Context) tea.Msg {
			found := at(ctx)
			return report(func(p Pane) (Pane, kit.Out) {
				p.model, p.answer = found.Model, answer{found.Answered, found.Reads}
				return p, kit.Out{}
			})
		})
	}
	if p.fx.Sessions == nil || p.scan.running {
		return p, first
	}
	ctx, stop := context.WithCancel(context.Background())
	p.scan = scan{begun: true, running: true, stop: stop, done: p.scan.done}
	return p, first.And(kit.Run(listed(ctx, p.fx)))
}

func (p Pane) Unseen(msg tea.Msg) (Pane, kit.Out) { return p.Update(msg) }

// ShownAgain does nothing: the list follows the search.
func (p Pane) ShownAgain() (Pane, kit.Out) { return p, kit.Out{} }

func (p Pane) Typing() bool { return p.filter.Typing }

// Resize gives the list the room that column heads and strip leave.
func (p Pane) Resize(w, h int) Pane {
	p.w, p.h = w, h
	p.cur = p.cur.Resize(len(p.list), max(h-1-len(strip(p, kit.Unseen)), 1))
	return p
}

// Tab returns the counts in the tab.
func (p Pane) Tab() string {
	if len(p.rows) == 0 {
		return ""
	}
	all, fresh := p.held()
	s := kit.Grouped(all)
	if share, ok := p.Progress(); ok {
		return s + fmt.Sprintf(" ⟳ %d%%", min(int(100*share), 99))
	}
	if fresh > 0 {
		s += fmt.Sprintf(" ●%s new", kit.Grouped(fresh))
	}
	return s
}

// held counts the sessions in the scope, and those of them that hold something new.
func (p Pane) held() (all, fresh int) {
	for i := range p.rows {
		if p.scope.Holds(p.rows[i].Project) {
			all++
			if p.rows[i].New {
				fresh++
			}
		}
	}
	return all, fresh
}

// Stock counts the sessions that lessons can be extracted from.
func (p Pane) Stock() desk.Stock {
	return desk.Stock{All: len(p.rows), Fresh: len(p.fresh()), Known: p.scan.done, Model: p.model, Asks: p.asks(), Agents: agentsOf(p.rows)}
}

// Projects returns the projects of which this machine has sessions, by name.
func (p Pane) Projects() []string {
	some := map[string]bool{}
	for i := range p.rows {
		some[p.rows[i].Project] = true
	}
	delete(some, "")
	return slices.Sorted(maps.Keys(some))
}

// agentsOf counts the sessions of each agent, the most first.
func agentsOf(all []desk.Session) string {
	n := map[string]int{}
	for i := range all {
		n[all[i].Agent]++
	}
	names := slices.SortedFunc(maps.Keys(n), func(a, b string) int { return cmp.Or(cmp.Compare(n[b], n[a]), cmp.Compare(a, b)) })
	for i, name := range names {
		names[i] += " " + kit.Grouped(n[name])
	}
	return strings.Join(names, " · ")
}

// pathsOf returns the paths of the sessions that is selects.
func (p Pane) pathsOf(is func(desk.Session) bool) (paths []string) {
	for _, t := range p.rows {
		if is(t) {
			paths = append(paths, t.Path)
		}
	}
	return paths
}

// fresh returns the sessions with lines that were not read yet.
func (p Pane) fresh() []string { return p.pathsOf(func(t desk.Session) bool { return t.New }) }

func (p Pane) markedPaths() []string {
	return p.pathsOf(func(t desk.Session) bool { return p.marked[t.Path] })
}

// Current returns the session under the cursor.
func (p Pane) Current() (desk.Session, bool) {
	if p.cur.At >= len(p.list) {
		return desk.Session{}, false
	}
	return p.list[p.cur.At], true
}

// meant returns the files that the next key acts on: the marked ones, or the current one.
func (p Pane) meant() []string {
	paths := p.markedPaths()
	if t, ok := p.Current(); ok && len(paths) == 0 {
		paths = []string{t.Path}
	}
	return paths
}

func (p Pane) Update(msg tea.Msg) (Pane, kit.Out) {
	switch m := msg.(type) {
	case report:
		return m(p)
	case desk.ScopeMsg:
		p.scope = desk.Scope(m)
		return p.laid(), kit.Out{}
	case kit.ClickMsg:
		if i, ok := p.cur.Hit(m.Y - 1); ok {
			p.cur, p.moved = p.cur.To(i), true
		}
	case kit.WheelMsg:
		p.moved = true
		p.cur = p.cur.Scroll(m.By)
	case tea.PasteMsg:
		if p.filter.Typing {
			return p.typed(m)
		}
	}
	return p, kit.Out{}
}

// listed takes a batch. The first list fills as batches arrive; a later one replaces it
// when complete.
func (p Pane) listed(m batch) (Pane, kit.Out) {
	next := kit.Own(p.scan.next)
	for _, t := range m.found {
		next[t.Path] = t // again, with more information
	}
	p.scan.next, p.scan.running = next, !m.end
	if m.err != nil {
		p.scan.err, p.scan.errs = m.err, p.scan.errs+m.errs
	}
	if m.end || !p.scan.done {
		was, had := p.Current()
		p.rows = slices.SortedFunc(maps.Values(next), func(a, b desk.Session) int { // people want to work on the newest
			return cmp.Or(b.Start.Compare(a.Start), cmp.Compare(a.Path, b.Path))
		})
		if p = p.laid(); had && p.moved {
			p = p.at(was.Path)
		}
	}
	p.scan.done, p.scan.all = p.scan.done || m.end, m.all
	if p.scan.wanted && m.all {
		p.scan.wanted = false
		return p.ExtractNew()
	}
	return p, kit.Out{}
}

// looking reports whether some sessions may not have been found yet.
func (p Pane) looking() bool { return p.scan.running && !p.scan.all }

func (p Pane) Press(k tea.KeyPressMsg) (Pane, kit.Out, bool) {
	if p.filter.Typing {
		p, o := p.typed(k)
		return p, o, true
	}
	p.moved = true
	return Keys().Press(p, k.String())
}

// typed handles a key or a paste while the filter is open. The list follows the filter,
// and stays while the filter cannot be parsed.
func (p Pane) typed(msg tea.Msg) (Pane, kit.Out) {
	var o kit.Out
	p.filter, o = p.filter.Typed(msg)
	match := func(string) bool { return true }
	if p.filter.Err = nil; p.filter.Query != "" {
		if match, p.filter.Err = p.fx.Where(p.filter.Query); p.filter.Err != nil {
			return p, o
		}
	}
	p.match = match
	return p.laid(), o
}

// orders are the orders of the list, the default first. Unknown values come last.
var orders = []struct {
	name string
	more func(desk.Session) float64
}{
	{"newest", func(t desk.Session) float64 { return float64(t.Start.Unix()) }},
	{"corrections", func(t desk.Session) float64 { return float64(t.Corrections) }},
	{"errors", func(t desk.Session) float64 { return float64(t.Errors) }},
	{"turns", func(t desk.Session) float64 { return float64(t.Human) }},
	{"few reads", func(t desk.Session) float64 {
		if t.Ratio < 0 {
			return math.Inf(-1)
		}
		return -t.Ratio
	}},
	{"lessons", func(t desk.Session) float64 { return float64(t.Taken) }},
	{"size", func(t desk.Session) float64 { return float64(t.Size) }},
}

// laid selects and sorts the rows.
func (p Pane) laid() Pane {
	p.list = nil
	for _, t := range p.rows {
		if (p.match == nil || p.match(t.Path)) && (!p.newly || t.New) && p.scope.Holds(t.Project) {
			p.list = append(p.list, t)
		}
	}
	by := orders[p.order].more
	slices.SortStableFunc(p.list, func(a, b desk.Session) int { return cmp.Compare(by(b), by(a)) })
	return p.Resize(p.w, p.h)
}

// at moves to the row of a path, if it is listed.
func (p Pane) at(path string) Pane {
	if i := slices.IndexFunc(p.list, func(t desk.Session) bool { return t.Path == path }); i >= 0 {
		p.cur = p.cur.To(i)
	}
	return p
}

func (p Pane) Hints() []kit.Hint {
	if p.filter.Typing {
		return []kit.Hint{{Key: "enter", Foot: "keep the query"}, {Key: "esc", Foot: "all"}}
	}
	return Keys().Hints(p)
}
