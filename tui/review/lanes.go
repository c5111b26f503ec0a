package review

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"learnings/index"
	"learnings/index/curate"
	"learnings/lessons"
	"learnings/tui/decide"
	"learnings/tui/desk"
	"learnings/tui/kit"
	"learnings/tui/look"
)

// This file divides the queue into lanes by [lessons.LaneOf]. The rows hold only the
// current lane, so that no mark, key or filter acts on hidden proposals. Proposals in
// clusters are in their own lanes as well: comparing runs while the person judges, and
// must not remove rows under the cursor.

// Waiting counts all proposals, including those the filter hides.
func (q Queue) Waiting() lessons.Waiting {
	n := kit.Own(q.hidden)
	for lane, m := range q.sizes() {
		n[lane] += m
	}
	return n
}

// laneOf returns the lane of a proposal, and the one that shows it first: what changes an
// approved lesson is shown as likely too, wherever it belongs.
func (q Queue) laneOf(l *lessons.Lesson) (of, shown lessons.Lane) {
	of, known := q.lanes[l.ID]
	switch {
	case l.Status == lessons.Approved:
		return curate.Outdated, curate.Outdated
	case !known:
		of = cmp.Or(lessons.LaneOf(*l), lessons.Likely)
	}
	if q.change[l.ID] {
		return of, lessons.Likely
	}
	return of, of
}

// sizes returns the number of proposals in each lane, counted where they belong.
func (q Queue) sizes() lessons.Waiting {
	n := lessons.Waiting{}
	for lane, ls := range q.lists {
		n[lane] = len(ls)
	}
	n[lessons.Likely] -= len(q.guests)
	return n
}

// counts returns the number of rows in each lane that has any; for duplicates, the
// clusters.
func (q Queue) counts() lessons.Waiting {
	n := q.sizes()
	n[curate.Duplicates] = len(q.clusters.of)
	return n
}

// changed puts the proposals that change an approved lesson first: sessions go by the old
// one until somebody decides.
func (q Queue) changed(by map[lessons.ID]bool) Queue {
	if maps.Equal(q.change, by) {
		return q.filled()
	}
	q.change = by
	q.places = kit.Own(q.places)
	delete(q.places, lessons.Likely)
	var all []lessons.Lesson
	for _, lane := range lessons.QueueLanes {
		for _, l := range q.lists[lane] {
			if lane != lessons.Likely || !q.guests[l.ID] {
				all = append(all, l)
			}
		}
	}
	return q.laid(all)
}

// laid divides proposals into lanes.
func (q Queue) laid(all []lessons.Lesson) Queue {
	if len(q.change) > 0 && !q.ranked && !q.named {
		all = slices.Clone(all)
		slices.SortStableFunc(all, func(a, b lessons.Lesson) int {
			switch x, y := q.change[a.ID], q.change[b.ID]; {
			case x == y:
				return 0
			case x:
				return -1
			}
			return 1
		})
	}
	n := map[lessons.Lane]int{}
	for i := range all {
		_, lane := q.laneOf(&all[i])
		n[lane]++
	}
	q.lists, q.guests = map[lessons.Lane][]lessons.Lesson{}, map[lessons.ID]bool{}
	for lane, n := range n {
		q.lists[lane] = make([]lessons.Lesson, 0, n)
	}
	for i := range all {
		of, shown := q.laneOf(&all[i])
		if q.lists[shown] = append(q.lists[shown], all[i]); of != shown {
			q.guests[all[i].ID] = true
			q.lists[of] = append(q.lists[of], all[i])
		}
	}
	if !q.partial {
		q.lists[curate.Outdated] = slices.DeleteFunc(slices.Clone(q.outdated), q.isAway)
	}
	places := map[lessons.Lane][]string{curate.Duplicates: q.places[curate.Duplicates]}
	for lane, ls := range q.lists {
		places[lane] = q.group(ls, q.places[lane])
	}
	q.places = places
	return q.filled()
}

// group groups lessons by project, unless the rows are ranked. It returns the projects in
// order. The one the person is in comes first. Known projects keep their order and new ones
// follow, so that a project does not move when its first lesson is decided on.
func (q Queue) group(ls []lessons.Lesson, was []string) []string {
	switch {
	case q.ranked:
	case q.named:
		slices.SortStableFunc(ls, func(a, b lessons.Lesson) int {
			return strings.Compare(strings.ToLower(decide.Belongs(&a)), strings.ToLower(decide.Belongs(&b)))
		})
	default:
		if len(was) == 0 && q.project != "" {
			was = []string{q.project}
		}
		return decide.ByProject(ls, was)
	}
	return nil
}

// filled sets the rows to those of the current lane, or of its batch.
func (q Queue) filled() Queue {
	q.clusters = q.clusters.among(q)
	q.Rows = q.lists[q.Lane]
	if q.inTens() {
		q = q.tenth()
	}
	if q.Lane == curate.Duplicates {
		q.Rows = q.clusters.rows()
		places := map[lessons.Lane][]string{}
		maps.Copy(places, q.places)
		places[q.Lane] = q.group(q.Rows, places[q.Lane])
		q.places = places
	}
	return q
}

// turn changes the lane and restores its cursor.
func (q Queue) turn(lane lessons.Lane) Queue {
	q.seen = kit.Own(q.seen)
	if q.Cur.At < len(q.Rows) {
		q.seen[q.Lane] = q.Rows[q.Cur.At].ID
	}
	q.Lane = lane
	q = q.filled().unmarked().resized(q.Cur.H)
	q.Cur = q.Cur.To(max(q.find(q.seen[lane]), 0))
	return q
}

// resized updates the groups and the height of the list.
func (q Queue) resized(h int) Queue {
	q.groups = nil
	if !q.ranked {
		q.groups = decide.GroupsOf(q.Rows)
	}
	q.Cur.Head = q.groups.Heads()
	q.Cur = q.Cur.Resize(len(q.Rows), h)
	return q
}

// turnLane changes the lane.
func turnLane(p Review, lane lessons.Lane) (Review, kit.Out) {
	if lane == p.Lane {
		return p, kit.Out{}
	}
	p.turned = desk.Chosen{}
	p.Queue = p.turn(lane)
	return p.look()
}

// nextLane returns the next lane with rows in a direction, or the current one without
// another.
func (q Queue) nextLane(by int) lessons.Lane {
	n, at, all := q.counts(), slices.Index(curate.Lanes, q.Lane), len(curate.Lanes)
	for i := 1; i < all; i++ {
		if lane := curate.Lanes[(at+i*by+i*all)%all]; n[lane] > 0 {
			return lane
		}
	}
	return q.Lane
}

// A laneTab is a lane above the list, with its first and last cell.
type laneTab struct {
	lane     lessons.Lane
	from, to int
}

// laneSign returns the sign of a lane, which its rows have too, and its colour.
func laneSign(lane lessons.Lane, st *look.Style) (string, look.Ink) {
	switch lane {
	case lessons.Maybe:
		return "?", st.Dim
	case curate.Duplicates:
		return look.Merged, st.Tool
	case lessons.FromOutside:
		return "←", st.Agent
	case lessons.Quarantined:
		return look.Flagged, st.Warn
	case curate.Outdated:
		return look.Again, st.Warn
	}
	return "", st.OK
}

// laneTabs draws the lanes in at most w cells, with the current one marked.
func laneTabs(q Queue, w int, st *look.Style) (line string, tabs []laneTab) {
	n := q.counts()
	for cut, gap := range []string{"   ", "  ", "  ", " "} {
		line, tabs = "", nil
		for _, lane := range curate.Lanes {
			name, count := decide.LaneNames[lane][min(cut/2, 1)], " "+kit.Grouped(n[lane])
			if n[lane] == 0 {
				count = ""
				if lane != q.Lane {
					continue
				}
			}
			if line != "" {
				line += gap
			}
			t := laneTab{lane: lane, from: ansi.StringWidth(line)}
			sign, ink := laneSign(lane, st)
			if sign != "" {
				line += ink.Render(sign) + " "
			}
			if lane == q.Lane {
				line += st.Accent.Underline().Render(name) + st.Strong.Render(count)
			} else {
				line += ink.Render(name) + st.Dim.Render(count)
			}
			t.to = ansi.StringWidth(line)
			tabs = append(tabs, t)
		}
		if ansi.StringWidth(line) <= w {
			break
		}
	}
	return line, tabs
}

// laneKeys turn to another lane.
func laneKeys() kit.Binds[Review] {
	const g = "lanes"
	to := func(lane lessons.Lane, back lessons.Lane) func(Review, string) (Review, kit.Out) {
		return func(p Review, _ string) (Review, kit.Out) {
			if p.Lane == lane {
				return turnLane(p, back)
			}
			return turnLane(p, lane)
		}
	}
	some := func(lane lessons.Lane, none string) func(Review) string {
		return func(p Review) string {
			switch {
			case p.load.sifting():
				return "still filtering"
			case p.Lane != lane && p.counts()[lane] == 0 && (lane != curate.Duplicates || p.clusters.known):
				return none
			}
			return ""
		}
	}
	other := func(p Review) string {
		if p.nextLane(1) == p.Lane {
			return "nothing waits in another lane"
		}
		return ""
	}
	return kit.Binds[Review]{
		{Key: kit.Keyed("next-lane", "l →", "the next lane: likely, maybe, duplicates, from outside, quarantined, out of date", "l", "right"), Group: g, Foot: "lane", Off: other,
			About: "Each proposal is in one lane; what is said more than once is in that of duplicates too. Keys act on the lane that is shown.",
			Do:    func(p Review, _ string) (Review, kit.Out) { return turnLane(p, p.nextLane(1)) }},
		{Key: kit.Keyed("previous-lane", "h ←", "the lane before", "h", "left"), Group: g, Off: other, Do: func(p Review, _ string) (Review, kit.Out) { return turnLane(p, p.nextLane(-1)) }},
		{Key: kit.Keyed("lane-maybe", "f", "what may be a lesson, and back", "f"), Group: g, Off: some(lessons.Maybe, "no proposal is a maybe"), Do: to(lessons.Maybe, lessons.Likely)},
		{Key: kit.Keyed("duplicates", "T", "duplicates: what is said more than once, and back", "T"), Group: g, Off: some(curate.Duplicates, "no two proposals say the same"), Do: to(curate.Duplicates, lessons.Likely)},
		{Key: kit.Keyed("lane-quarantined", "!", "quarantined: what is flagged, and back", "!"), Group: g, Off: some(lessons.Quarantined, "no proposal is flagged"), Do: to(lessons.Quarantined, lessons.Likely)},
	}
}

// A queueOrder is an order of the queue.
type queueOrder struct {
	name  string
	sort  index.Sort
	named bool // groups are ordered by project name
}

// queueOrders are the orders of the queue, the default first: said in most sessions,
// newest, by project.
var queueOrders = []queueOrder{{name: "value"}, {name: "age", sort: index.Created}, {name: "project", named: true}, {name: "confidence", sort: index.Score}}

// orderKeys change the order of the queue.
func orderKeys() kit.Binds[Review] {
	return kit.Binds[Review]{{Key: kit.Keyed("order order-back", "> <", "order: value, age, project, confidence", ">", "<"), Group: "look", Do: func(p Review, k string) (Review, kit.Out) {
		at := slices.IndexFunc(queueOrders, func(o queueOrder) bool { return o.sort == p.order && o.named == p.named })
		o := queueOrders[(at+len(queueOrders)+kit.TurnOf(k))%len(queueOrders)]
		p.order, p.named = o.sort, o.named
		return p.Start()
	}}}
}

// orderShown returns the name of the order of the rows.
func orderShown(p Review) string {
	switch {
	case p.load.of.order == index.Relevance:
		return "relevance"
	case p.named && !p.ranked:
		return "project"
	}
	for _, o := range queueOrders {
		if o.sort == p.load.of.order {
			return o.name
		}
	}
	return "value"
}

// settleLane returns the queue with the lane for the next rows: that of the best hit if
// the current lane has none, the previous one once the filter is cleared, and at the
// start the first lane with rows.
func settleLane(p Review, next []lessons.Lesson, sought, first bool) Queue {
	q := p.Queue
	n := q.laid(next).sizes()
	if i := slices.IndexFunc(next, func(l lessons.Lesson) bool { return l.ID == p.load.back }); i >= 0 && q.Lane != curate.Duplicates {
		_, q.Lane = q.laneOf(&next[i])
		return q
	}
	switch {
	case sought && p.load.of.whole() && q.home != "":
		q.Lane, q.home = q.home, ""
	case len(next) == 0 || n[q.Lane] > 0 || q.Lane == curate.Duplicates:
	case sought && !p.load.of.whole():
		if q.home == "" {
			q.home = q.Lane
		}
		_, q.Lane = q.laneOf(&next[0])
	case first:
		for _, lane := range lessons.QueueLanes {
			if n[lane] > 0 && lane != lessons.Maybe { // that is shown when asked for
				q.Lane = lane
				break
			}
		}
	}
	return q
}

// laneTabsOf returns the lanes at their place on the page.
func laneTabsOf(p Review, st *look.Style) []laneTab {
	_, at, tabs := reviewHead(p, st)
	for i := range tabs {
		tabs[i].from += at + 1
		tabs[i].to += at + 1
	}
	return tabs
}

// queuePointed handles the mouse on rows and lanes.
func queuePointed(p Review, msg tea.Msg) (Review, kit.Out) {
	s := splitOf(p)
	switch m := msg.(type) {
	case kit.WheelMsg:
		if (s.Stacked && m.Y < s.Lh) || (!s.Stacked && m.X < s.Lw) {
			return p.at(p.Cur.Scroll(m.By))
		}
		return p.scrollCard(m.By), kit.Out{}
	case kit.ClickMsg:
		if m.Y >= 0 {
			if i, ok := p.Cur.Hit(m.Y); ok && m.X < s.Lw {
				return p.at(p.Cur.To(i))
			}
			return p, kit.Out{}
		}
		for _, t := range laneTabsOf(p, kit.Unseen) {
			if m.X >= t.from && m.X < t.to {
				return turnLane(p, t.lane)
			}
		}
	}
	return p, kit.Out{}
}
