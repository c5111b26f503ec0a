package tui

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
	"learnings/tui/kit"
	"learnings/tui/look"
)

// This file divides the queue into lanes. One is shown at a time, and only what it has is
// in the rows of the queue, so that no mark, key or filter acts on what is not shown. A
// proposal is in the lane of [lessons.LaneOf]. That of duplicates has clusters, whose
// proposals are in a lane of their own as well: they are compared while the person judges
// already, and nothing may leave the list under the cursor for it.

// waiting says how many proposals wait in each lane.
type waiting map[lessons.Lane]int

// all is how many wait.
func (n waiting) all() (sum int) {
	for _, m := range n {
		sum += m
	}
	return sum
}

// less is how many more these are than others, and none where they are fewer.
func (n waiting) less(m waiting) waiting {
	out := waiting{}
	for lane, i := range n {
		if more := i - m[lane]; more > 0 {
			out[lane] = more
		}
	}
	return out
}

// waiting counts all proposals, those that the filter leaves out included.
func (q queue) waiting() waiting {
	n := maps.Clone(q.hidden)
	if n == nil {
		n = waiting{}
	}
	for lane, ls := range q.lists {
		n[lane] += len(ls)
	}
	return n
}

// laneOf is the lane of a proposal.
func (q queue) laneOf(l *lessons.Lesson) lessons.Lane {
	if l.Status == lessons.Approved {
		return curate.Outdated
	} else if lane, ok := q.lanes[l.ID]; ok {
		return lane
	}
	return cmp.Or(lessons.LaneOf(*l), lessons.Likely)
}

// sizes are how many proposals are in each lane.
func (q queue) sizes() waiting {
	n := waiting{}
	for lane, ls := range q.lists {
		n[lane] = len(ls)
	}
	return n
}

// counts are how many there are to choose from in each lane that has any, as they are
// shown: of duplicates the clusters.
func (q queue) counts() waiting {
	n := q.sizes()
	n[curate.Duplicates] = len(q.clusters.of)
	return n
}

// laid divides proposals into lanes.
func (q queue) laid(all []lessons.Lesson) queue {
	n := waiting{}
	for i := range all {
		n[q.laneOf(&all[i])]++
	}
	q.lists = map[lessons.Lane][]lessons.Lesson{}
	for lane, n := range n {
		q.lists[lane] = make([]lessons.Lesson, 0, n)
	}
	for i := range all {
		lane := q.laneOf(&all[i])
		q.lists[lane] = append(q.lists[lane], all[i])
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

// group puts lessons of a project together, unless they are in an order that this would
// break. Projects stay where they were among each other, those that are new come behind:
// the first lesson of one is what a person decides on, and by the next one the project
// would stand somewhere else. It gives the projects in their order.
func (q queue) group(ls []lessons.Lesson, was []string) []string {
	switch {
	case q.ranked:
	case q.named:
		slices.SortStableFunc(ls, func(a, b lessons.Lesson) int {
			return strings.Compare(strings.ToLower(belongs(&a)), strings.ToLower(belongs(&b)))
		})
	default:
		return byProject(ls, was)
	}
	return nil
}

// filled takes the rows of the lane that is shown.
func (q queue) filled() queue {
	q.clusters = q.clusters.among(q)
	q.rows = q.lists[q.lane]
	if q.lane == curate.Duplicates {
		q.rows = q.clusters.rows()
		places := map[lessons.Lane][]string{}
		maps.Copy(places, q.places)
		places[q.lane] = q.group(q.rows, places[q.lane])
		q.places = places
	}
	return q
}

// turn shows another lane, with the cursor where it was there.
func (q queue) turn(lane lessons.Lane) queue {
	q.seen = maps.Clone(q.seen)
	if q.seen == nil {
		q.seen = map[lessons.Lane]lessons.ID{}
	}
	if q.cur.At < len(q.rows) {
		q.seen[q.lane] = q.rows[q.cur.At].ID
	}
	q.lane = lane
	q = q.filled().unmarked().resized(q.cur.H)
	q.cur = q.cur.To(max(q.find(q.seen[lane]), 0))
	return q
}

// byProject puts lessons of a project together, and leaves the order within each: first
// the projects that have places, then that of the first lesson, and so on. It gives the
// projects in their order.
func byProject(ls []lessons.Lesson, places []string) []string {
	rank := map[string]int{}
	for _, p := range places {
		rank[p] = len(rank) + 1
	}
	for i := range ls {
		if p := belongs(&ls[i]); rank[p] == 0 {
			rank[p] = len(rank) + 1
			places = append(slices.Clip(places), p)
		}
	}
	if len(rank) > 1 {
		slices.SortStableFunc(ls, func(a, b lessons.Lesson) int { return cmp.Compare(rank[belongs(&a)], rank[belongs(&b)]) })
	}
	return places
}

// belongs names the group of a lesson in the queue.
func belongs(l *lessons.Lesson) string {
	if l.Scope.Global || l.Scope.Project == "" {
		return "every project"
	}
	return l.Scope.Project
}

// resized gives the list its groups and h lines.
func (q queue) resized(h int) queue {
	q.groups = nil
	var head []int
	for i := range q.rows {
		if q.ranked {
			break
		}
		name := belongs(&q.rows[i])
		if n := len(q.groups); n == 0 || q.groups[n-1].name != name {
			q.groups = append(q.groups, queueGroup{name: name})
			head = append(head, i)
		}
		q.groups[len(q.groups)-1].n++
	}
	q.cur.Head = head
	q.cur = q.cur.Resize(len(q.rows), h)
	return q
}

// A queueGroup is some neighbours in the queue.
type queueGroup struct {
	name string
	n    int
}

// turnLane shows another lane.
func turnLane(p review, lane lessons.Lane) (review, kit.Out) {
	if lane == p.lane {
		return p, kit.Out{}
	}
	p.turned = chosen{}
	p.queue = p.turn(lane)
	return p.look()
}

// nextLane is the next lane that has something, by the direction; the one that is shown
// when there is no other.
func (q queue) nextLane(by int) lessons.Lane {
	n, at, all := q.counts(), slices.Index(curate.Lanes, q.lane), len(curate.Lanes)
	for i := 1; i < all; i++ {
		if lane := curate.Lanes[(at+i*by+i*all)%all]; n[lane] > 0 {
			return lane
		}
	}
	return q.lane
}

// laneNames are what the lanes are called, and what they are called where there is little
// room.
var laneNames = map[lessons.Lane][2]string{
	lessons.Likely: {"likely", "likely"}, lessons.Maybe: {"maybe", "maybe"}, curate.Duplicates: {"duplicates", "dup"},
	lessons.FromOutside: {"from outside", "outside"}, lessons.Quarantined: {"quarantined", "quar"}, curate.Outdated: {"out of date", "old"},
}

// A laneTab is a lane in the line above the list, from one cell to another.
type laneTab struct {
	lane     lessons.Lane
	from, to int
}

// laneTabs draws the lanes in at most w cells, the one that is shown marked.
func laneTabs(q queue, w int, st *look.Style) (line string, tabs []laneTab) {
	n := q.counts()
	for cut, gap := range []string{"   ", "  ", "  ", " "} {
		line, tabs = "", nil
		for _, lane := range curate.Lanes {
			name, count := laneNames[lane][min(cut/2, 1)], kit.Grouped(n[lane])
			switch {
			case lane == curate.Duplicates && !q.clusters.known:
				count = "…"
			case (cut == 3 || lane == curate.Outdated) && n[lane] == 0 && lane != q.lane:
				continue
			}
			if line != "" {
				line += gap
			}
			t := laneTab{lane: lane, from: ansi.StringWidth(line)}
			switch ink := st.Dim; {
			case lane == q.lane:
				line += st.Accent.Underline().Render(name) + " " + st.Strong.Render(count)
			case (lane == lessons.Quarantined || lane == curate.Outdated) && n[lane] > 0:
				line += st.Warn.Render(name) + " " + ink.Render(count)
			default:
				line += ink.Render(name + " " + count)
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
func laneKeys() kit.Binds[review] {
	const g = "lanes"
	to := func(lane lessons.Lane, back lessons.Lane) func(review, string) (review, kit.Out) {
		return func(p review, _ string) (review, kit.Out) {
			if p.lane == lane {
				return turnLane(p, back)
			}
			return turnLane(p, lane)
		}
	}
	some := func(lane lessons.Lane, none string) func(review) string {
		return func(p review) string {
			switch {
			case p.load.sifting():
				return "still filtering"
			case p.lane != lane && p.counts()[lane] == 0 && (lane != curate.Duplicates || p.clusters.known):
				return none
			}
			return ""
		}
	}
	other := func(p review) string {
		if p.nextLane(1) == p.lane {
			return "nothing waits in another lane"
		}
		return ""
	}
	return kit.Binds[review]{
		{Binding: kit.Keyed("l →", "the next lane: likely, maybe, duplicates, from outside, quarantined, out of date", "l", "right"), Group: g, Foot: "lane", Off: other,
			About: "Each proposal is in one lane; what is said more than once is in that of duplicates too. Keys act on the lane that is shown.",
			Do:    func(p review, _ string) (review, kit.Out) { return turnLane(p, p.nextLane(1)) }},
		{Binding: kit.Keyed("h ←", "the lane before", "h", "left"), Group: g, Off: other, Do: func(p review, _ string) (review, kit.Out) { return turnLane(p, p.nextLane(-1)) }},
		{Binding: kit.Keyed("f", "what may be a lesson, and back", "f"), Group: g, Off: some(lessons.Maybe, "no proposal is a maybe"), Do: to(lessons.Maybe, lessons.Likely)},
		{Binding: kit.Keyed("T", "duplicates: what is said more than once, and back", "T"), Group: g, Off: some(curate.Duplicates, "no two proposals say the same"), Do: to(curate.Duplicates, lessons.Likely)},
		{Binding: kit.Keyed("!", "quarantined: what is flagged, and back", "!"), Group: g, Off: some(lessons.Quarantined, "no proposal is flagged"), Do: to(lessons.Quarantined, lessons.Likely)},
	}
}

// A queueOrder is an order of the queue to go through.
type queueOrder struct {
	name  string
	sort  index.Sort
	named bool // by the names of projects
}

// queueOrders are the orders of the queue, the usual one first: what was said in most
// sessions, then the newest, by project.
var queueOrders = []queueOrder{{name: "value"}, {name: "age", sort: index.Created}, {name: "project", named: true}, {name: "confidence", sort: index.Score}}

// orderKeys put the queue into another order.
func orderKeys() kit.Binds[review] {
	return kit.Binds[review]{{Binding: kit.Keyed("> <", "order: value, age, project, confidence", ">", "<"), Group: "look", Do: func(p review, k string) (review, kit.Out) {
		at := slices.IndexFunc(queueOrders, func(o queueOrder) bool { return o.sort == p.order && o.named == p.named })
		o := queueOrders[(at+len(queueOrders)+turnOf(k))%len(queueOrders)]
		p.order, p.named = o.sort, o.named
		return p.start()
	}}}
}

// orderShown says in which order the rows are.
func orderShown(p review) string {
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

// settleLane gives the queue with the lane in which the next rows are to be shown: that of
// the best hit, where the one that is shown has none, and back when the filter is gone; at
// the start the first that has any.
func settleLane(p review, next []lessons.Lesson, sought, first bool) queue {
	q := p.queue
	n := q.laid(next).sizes()
	switch {
	case sought && p.load.of.query == "" && q.home != "":
		q.lane, q.home = q.home, ""
	case len(next) == 0 || n[q.lane] > 0 || q.lane == curate.Duplicates:
	case sought && p.load.of.query != "":
		if q.home == "" {
			q.home = q.lane
		}
		q.lane = q.laneOf(&next[0])
	case first:
		for _, lane := range lessons.QueueLanes {
			if n[lane] > 0 {
				q.lane = lane
				break
			}
		}
	}
	return q
}

// laneTabsOf are the lanes where they stand on the page.
func laneTabsOf(p review, st *look.Style) []laneTab {
	_, at, tabs := reviewHead(p, st)
	for i := range tabs {
		tabs[i].from += at + 1
		tabs[i].to += at + 1
	}
	return tabs
}

// queueTold takes what was counted or compared beside the queue.
func queueTold(p review, msg tea.Msg) (review, kit.Out) {
	switch m := msg.(type) {
	case approvedMsg:
		p.stocked = m.err != nil || m.n > 0
	case clustersMsg:
		return compared(p, m)
	case outdatedMsg:
		return outdatedFound(p, m)
	case clusterIsMsg:
		return clusterIs(p, m), kit.Out{}
	case ofSessionMsg:
		return listed(p, m)
	}
	return p, kit.Out{}
}

// queuePointed goes to the row or the lane under the pointer, or scrolls what is there.
func queuePointed(p review, msg tea.Msg) (review, kit.Out) {
	s := splitOf(p)
	switch m := msg.(type) {
	case kit.WheelMsg:
		if (s.Stacked && m.Y < s.Lh) || (!s.Stacked && m.X < s.Lw) {
			return p.at(p.cur.Scroll(m.By))
		}
		return p.scrollCard(m.By), kit.Out{}
	case kit.ClickMsg:
		if m.Y >= 0 {
			if i, ok := p.cur.Hit(m.Y); ok && m.X < s.Lw {
				return p.at(p.cur.To(i))
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
