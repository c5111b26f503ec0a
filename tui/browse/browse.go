package browse

import (
	"errors"
	"slices"

	tea "charm.land/bubbletea/v2"

	"learnings/index"
	"learnings/index/curate"
	"learnings/lessons"
	"learnings/lessons/pairs"
	"learnings/tui/decide"
	"learnings/tui/desk"
	"learnings/tui/kit"
)

// A Pane is the corpus: facets, the list of lessons they and the query select, and a
// preview of the current lesson. Facets and text form one query, which can be typed, kept
// under a name, and opened from elsewhere.
type Pane struct {
	fx       desk.Desk
	w, h     int
	facets   facets
	inFacets bool // the facets have the keyboard focus
	asked    index.Query
	filter   kit.Filter // the query as text
	scope    desk.Scope
	before   string // the query before typing, which esc restores
	rows     window
	marks    kit.Marks
	preview  preview
	opening  kit.Newest // of the preview
	total    int        // approved lessons, for the tab
	views    views
	old      bool // something changed while the pane was not shown
}

// atFirst is the initial query: the active lessons.
const atFirst = "status:approved"

func New(fx desk.Desk) Pane {
	p := Pane{fx: fx, views: newViews(fx.Views), opening: kit.NewNewest()}
	p.rows.newest, p.facets.cur.Airy = kit.NewNewest(), true
	p.asked, _ = index.ParseQuery(atFirst)
	p.filter.Query = atFirst
	return p
}

// Start loads everything the pane shows.
func (p Pane) Start() (Pane, kit.Out) {
	p, o := p.search()
	return p, o.And(kit.Run(countApproved(p.fx, p.scope)))
}

// search loads the first lessons of the query, and the counts of its facets.
func (p Pane) search() (Pane, kit.Out) {
	q := p.scope.On(p.asked)
	q.Prefix, q.AllWords = p.filter.Typing, true
	var o kit.Out
	p.rows, o = p.rows.anew(q).want(p.fx)
	p.facets = p.facets.chosen(p.asked)
	p.opening.Next() // answers about the previous lessons are no longer needed
	return p, o
}

// ask runs another query, from its first lesson.
func (p Pane) ask(q index.Query) (Pane, kit.Out) {
	p.asked, p.filter.Query, p.filter.Err = q, q.String(), nil
	p.rows.cur = p.rows.cur.To(0)
	return p.search()
}

// Show runs a query that was typed or kept. A query that cannot be parsed is reported and
// leaves the list as it is.
func (p Pane) Show(text string) (Pane, kit.Out) {
	q, err := index.ParseQuery(text)
	if err != nil {
		return p, kit.Warn("%s: %v", text, err)
	}
	p.marks, p.inFacets, p.filter = nil, false, kit.Filter{}
	return p.Resize(p.w, p.h).ask(q)
}

func (p Pane) Resize(w, h int) Pane {
	p.w, p.h = w, h
	c := p.columns()
	p.facets.cur = p.facets.cur.Resize(len(p.facets.rows), c.fh)
	p.rows.cur.Tall = c.tall
	p.rows.cur = p.rows.cur.Resize(p.rows.total, c.lh-len(p.filter.Problem(c.lw, kit.Unseen)))
	return p
}

func (p Pane) Typing() bool { return p.filter.Typing }

func (p Pane) Tab() string {
	if p.total == 0 {
		return ""
	}
	return kit.Grouped(p.total)
}

func (p Pane) Current() (lessons.Lesson, bool) {
	l, ok := p.rows.at(p.rows.cur.At)
	if ok && p.preview.lesson.ID == l.ID && p.preview.whole {
		return p.preview.lesson, true
	}
	return l, ok
}

// Related returns the lessons like the current one, and those contradicting it.
func (p Pane) Related() (like []index.Hit, against []pairs.Contrary, known bool) {
	return p.preview.like, p.preview.against, p.preview.whole
}

func (p Pane) Desk() desk.Desk { return p.fx }
func (p Pane) On() desk.Screen { return desk.OnBrowse }

// Settle settles a contradiction.
func (p Pane) Settle(s curate.Settlement) (Pane, kit.Out) {
	return p, kit.Out{Writes: []kit.Job{p.fx.Settle(s)}}
}

// Meant returns the lessons that the next key acts on.
func (p Pane) Meant() desk.Chosen {
	l, ok := p.Current()
	return desk.Choose(p.marks, p.rows.known(), l, ok)
}

func (p Pane) Update(msg tea.Msg) (Pane, kit.Out) {
	switch m := msg.(type) {
	case kit.Then[Pane]:
		return m(p)
	case desk.ScopeMsg:
		p.scope = desk.Scope(m)
		p, o := p.ask(p.asked)
		return p, o.And(kit.Run(countApproved(p.fx, p.scope)))
	case desk.ApprovedMsg:
		if m.Err == nil {
			p.total = m.N
		}
	case desk.DecidedMsg, desk.UndoneMsg:
		return p.again()
	case desk.SyncedMsg:
		if m.Changed > 0 || !p.rows.answered && m.Err == nil { // or there was no index before
			return p.again()
		}
	case desk.DecideMsg:
		if m.Sure {
			return p.Decide(m.Action, m.Chosen)
		}
		return decide.Ask(p, m.Action, m.Chosen)
	case decide.ApproveTextMsg:
		return p, m.Store(p.fx)
	case desk.ReadOnMsg:
		return browseOn(p, m)
	case curate.Settlement:
		return p.Settle(m)
	case desk.RelatedMsg:
		if l, ok := p.Current(); ok && p.preview.whole {
			return p, kit.Run(p.open(l.ID))
		}
	case curate.Merge:
		p.marks = nil
		return p, kit.Out{Writes: []kit.Job{p.fx.Merge(m)}}
	case desk.EditedMsg:
		if m.On == desk.OnBrowse {
			return p.Decide(m.Action, m.Chosen)
		}
	case kit.ClickMsg:
		return p.click(m)
	case kit.WheelMsg:
		return p.wheel(m)
	case tea.PasteMsg:
		if p.filter.Typing {
			return p.typed(m)
		}
	}
	return p, kit.Out{}
}

// Unseen takes answers while another pane is shown. Changes are loaded when this one is
// shown again.
func (p Pane) Unseen(msg tea.Msg) (Pane, kit.Out) {
	switch m := msg.(type) {
	case desk.DecidedMsg, desk.UndoneMsg, desk.RelatedMsg:
		p.old = true
		return p, kit.Out{}
	case desk.SyncedMsg:
		if p.rows.answered { // or there was no index before
			p.old = p.old || m.Changed > 0
			if m.Changed > 0 {
				return p, kit.Run(countApproved(p.fx, p.scope))
			}
			return p, kit.Out{}
		}
	}
	return p.Update(msg)
}

// ShownAgain loads what has changed while another pane was shown.
func (p Pane) ShownAgain() (Pane, kit.Out) {
	if !p.old {
		return p, kit.Out{}
	}
	p.old = false
	return p.again()
}

// again reloads everything after a change.
func (p Pane) again() (Pane, kit.Out) {
	p, o := p.Start()
	p.preview.whole = false
	return p, o
}

// found takes a part of the list, by its number.
func (p Pane) found(part int, page index.Page, err error) (Pane, kit.Out) {
	if errors.Is(err, index.ErrNoIndex) {
		return p, kit.Out{} // the sync under way creates the index
	}
	if err != nil {
		p.rows.err = err
		return p, kit.Warn("the lessons could not be read: %v", err)
	}
	if page.Facets != nil {
		p.facets = p.facets.counted(p.asked, page.Facets)
	}
	p.rows = p.rows.with(part, page)
	return p.Resize(p.w, p.h).look()
}

// open reads a lesson for the preview.
func (p Pane) open(id lessons.ID) kit.Job {
	return desk.Open(p.fx, p.opening.Next(), id, func(p Pane, m desk.Opened) (Pane, kit.Out) {
		p.preview = p.preview.opened(m, p.fx.Now())
		return p, kit.Out{}
	})
}

// look loads the current lesson into the preview, unless it is there.
func (p Pane) look() (Pane, kit.Out) {
	var more kit.Out
	p.rows, more = p.rows.want(p.fx)
	l, ok := p.rows.at(p.rows.cur.At)
	if !ok {
		p.preview = preview{}
		p.opening.Next()
		return p, more
	}
	if p.preview.lesson.ID == l.ID && p.preview.whole {
		return p, more
	}
	p.preview = preview{lesson: l}
	return p, more.And(kit.Run(p.open(l.ID)))
}

// moveTo moves in the list or in the facets.
func (p Pane) moveTo(l kit.List) (Pane, kit.Out) {
	if p.inFacets {
		p.facets.cur = l
		return p, kit.Out{}
	}
	p.rows.cur = l
	return p.look()
}

func (p Pane) cursor() kit.List {
	if p.inFacets {
		return p.facets.cur
	}
	return p.rows.cur
}

// choose selects or clears the facet value under the cursor; on the last row of a field
// it unfolds the field.
func (p Pane) choose() (Pane, kit.Out) {
	r := p.facets.Current()
	if r.name == "" {
		p.facets = p.facets.unfolded(r.field)
		return p, kit.Out{}
	}
	p.marks = nil
	return p.ask(p.asked.Toggled(r.field, r.name))
}

func (p Pane) Decide(a curate.Action, c desk.Chosen) (Pane, kit.Out) {
	p.marks = nil
	return p, kit.Out{Writes: []kit.Job{p.fx.Decide(a, c)}}
}

// nextStatus selects the next status, and all after the last.
func nextStatus(p Pane) (Pane, kit.Out) {
	round := []lessons.Status{lessons.Approved, lessons.Pending, lessons.Rejected, lessons.Merged, lessons.Archived, ""}
	was, q := lessons.Status(""), p.asked
	for _, v := range q.Chosen(index.Status) {
		was, q = lessons.Status(v), q.Toggled(index.Status, v)
	}
	if next := round[(slices.Index(round, was)+1)%len(round)]; next != "" {
		q = q.Where(index.Status, string(next))
	}
	return p.ask(q)
}

// sorts are the orders of the list, the default first.
var sorts = []index.Sort{"", index.Used, index.Score, index.Confirmed, index.Created}

// nextSort changes to the next order, or the previous one.
func nextSort(p Pane, by int) (Pane, kit.Out) {
	q := p.asked
	q.Sort = sorts[(slices.Index(sorts, q.Sort)+len(sorts)+by)%len(sorts)]
	return p.ask(q)
}

// back clears one limit of the list at a time: marks, then words, then facets.
func (p Pane) back() (Pane, kit.Out) {
	q := p.asked
	switch {
	case len(p.marks) > 0:
		p.marks = nil
		return p, kit.Out{}
	case len(q.Terms) > 0:
		q.Terms = nil
		return p.ask(q)
	case q.String() != atFirst:
		return p.Show(atFirst)
	}
	return p, kit.Out{}
}

func (p Pane) Press(k tea.KeyPressMsg) (Pane, kit.Out, bool) {
	if p.filter.Typing {
		p, o := p.typed(k)
		return p, o, true
	}
	return Keys().Press(p, k.String())
}

// query opens the query for typing.
func (p Pane) query() Pane {
	p.before = p.filter.Query
	if p.filter.Query != "" {
		p.filter.Query += " "
	}
	p.filter, p.inFacets = p.filter.Open(), false
	return p.Resize(p.w, p.h)
}

// typed handles a key or a paste while the query is open. The list follows it, and esc
// restores the previous query.
func (p Pane) typed(msg tea.Msg) (Pane, kit.Out) {
	if k, ok := msg.(tea.KeyPressMsg); ok {
		switch k.String() {
		case "up", "down":
			by := 1
			if k.String() == "up" {
				by = -1
			}
			p.rows.cur = p.rows.cur.Move(by)
			return p.look()
		case "esc":
			return p.Show(p.before)
		}
	}
	was := p.filter.Query
	var o kit.Out
	p.filter, o = p.filter.Typed(msg)
	q, err := index.ParseQuery(p.filter.Query)
	p.filter.Err = err
	p = p.Resize(p.w, p.h)
	if err != nil {
		if !p.filter.Typing {
			p.filter.Typing = true // the person can correct it
		}
		return p, o // the list stays until the query can be parsed
	}
	if p.asked = q; !p.filter.Typing {
		p.filter.Query = q.String()
		p, found := p.search() // the last word is complete now
		return p, o.And(found)
	}
	if p.filter.Query == was {
		return p, o
	}
	p.marks = nil
	p.rows.cur = p.rows.cur.To(0)
	p, found := p.search()
	return p, o.And(found)
}

func (p Pane) Hints() []kit.Hint {
	if p.filter.Typing {
		return []kit.Hint{{Key: "enter", Foot: "keep the search"}, {Key: "↑ ↓", Foot: "move"}, {Key: "esc", Foot: "as before"}}
	}
	return Keys().Hints(p)
}

// browseOn applies a key of a reader to the current lesson.
func browseOn(p Pane, m desk.ReadOnMsg) (Pane, kit.Out) {
	if l, ok := p.Current(); !ok || l.ID != m.ID {
		return p, kit.Warn("nothing was done: the list has changed meanwhile")
	}
	p.marks = nil // the key acts on the lesson in the reader
	p, o, ok := Keys().Press(p, m.Key)
	if !ok {
		return p, kit.Say("that is done in Review")
	}
	return p, o
}
