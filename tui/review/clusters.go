package review

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"learnings/index/curate"
	"learnings/lessons"
	"learnings/tui/card"
	"learnings/tui/decide"
	"learnings/tui/desk"
	"learnings/tui/kit"
	"learnings/tui/look"
)

// This file handles the lane of duplicates. Each row is a cluster of lessons that say the
// same; one decision merges them.

// clusters are the results of the last comparison.
type clusters struct {
	all   []curate.Cluster
	of    map[lessons.ID]cluster // undecided ones, by the lesson that survives a merge
	order []lessons.ID
	set   map[string]opinion // the person's choices, by cluster key
	known bool               // a comparison has finished
	busy  bool               // a comparison is running
	old   bool               // lessons have changed since it began
}

// An opinion is what the person has chosen for a cluster.
type opinion struct {
	turned kit.Marks // members in or out of the merge, against the proposal
	gone   kit.Marks // members that do not say the same
	lead   lessons.ID
	is     lessons.Category // of the merged lesson; "" for the proposed one
	at     int              // the member that the next key acts on
}

// A cluster is a cluster as shown.
type cluster struct {
	curate.Cluster
	opinion
	key string // of the cluster as found
	in  []bool // for each member, whether it is merged
}

// compare finds clusters in the background.
func compare(fx desk.Desk) kit.Job {
	return func(ctx context.Context) tea.Msg {
		found, changes, err := curate.Clusters(ctx, &fx.Corpus.Library, decide.MostShownGroups)
		return kit.Then[Review](func(p Review) (Review, kit.Out) { return compared(p, found, changes, err) })
	}
}

// comparing starts a comparison, unless the last one is still valid.
func comparing(p Review) (Review, kit.Out) {
	if p.clusters.busy || p.clusters.known && !p.clusters.old || !p.load.want.whole() {
		return p, kit.Out{}
	}
	p.clusters.busy, p.clusters.old = true, false
	return p, kit.Run(compare(p.fx))
}

// compared takes the result. The cursor stays on its lesson; after a start, before the
// person went on, it stays on the first.
func compared(p Review, found []curate.Cluster, changes map[lessons.ID]bool, err error) (Review, kit.Out) {
	p.clusters.busy = false
	if err != nil {
		return p, kit.Out{} // the lane shows no duplicates; the sync reports problems of the index
	}
	first := !p.clusters.known && p.Cur.At == 0 && len(changes) > 0
	p.clusters.all, p.clusters.known = found, true
	if first {
		p.Queue = p.anew()
	}
	if p.Queue = p.stayed(p.changed(changes)); !first {
		return comparing(p)
	}
	p.Cur = p.Cur.To(0)
	p, look := p.look()
	p, o := comparing(p)
	return p, look.And(o) // lessons changed during the comparison
}

// with updates members to their present state.
func (c clusters) with(ls ...lessons.Lesson) clusters {
	if len(c.all) == 0 {
		return c
	}
	now := map[lessons.ID]lessons.Lesson{}
	for _, l := range ls {
		now[l.ID] = l
	}
	c.all = slices.Clone(c.all)
	for i, x := range c.all {
		if !slices.ContainsFunc(x.Lessons, func(l lessons.Lesson) bool { return now[l.ID].ID != "" }) {
			continue
		}
		x.Lessons = slices.Clone(x.Lessons)
		for j, l := range x.Lessons {
			if n := now[l.ID]; n.ID != "" {
				x.Lessons[j] = n
			}
		}
		c.all[i] = x
	}
	return c
}

// among computes the undecided clusters of a queue. A filtered queue has a cluster if it
// has some of its proposals.
func (c clusters) among(q Queue) clusters {
	c.of, c.order = map[lessons.ID]cluster{}, nil
	if len(c.all) == 0 {
		return c
	}
	here := map[lessons.ID]bool{}
	for _, x := range c.all {
		for _, l := range x.Lessons {
			here[l.ID] = false
		}
	}
	for _, ls := range q.lists {
		for i := range ls {
			if _, ok := here[ls[i].ID]; ok {
				here[ls[i].ID] = true
			}
		}
	}
	for _, x := range c.all {
		if y, ok := c.one(x, q, here); ok {
			c.of[y.Lessons[0].ID] = y
			c.order = append(c.order, y.Lessons[0].ID)
		}
	}
	return c
}

// one returns a cluster as shown; false if it is not shown.
func (c clusters) one(x curate.Cluster, q Queue, here map[lessons.ID]bool) (cluster, bool) {
	y := cluster{Cluster: x, opinion: c.set[x.Key()], key: x.Key()}
	waits := func(l lessons.Lesson) bool { return l.Status == lessons.Pending && here[l.ID] }
	left := slices.DeleteFunc(slices.Clone(x.Lessons), func(l lessons.Lesson) bool {
		return q.isAway(l) || y.gone[l.ID] || l.Status == lessons.Pending && !waits(l) && !q.partial
	})
	if len(left) < 2 || !slices.ContainsFunc(left, waits) {
		return y, false
	}
	if len(left) < len(x.Lessons) {
		g := x.Group
		g.Lessons = left
		var ok bool
		if y.Cluster, ok = curate.NewCluster(g); !ok {
			return y, false
		}
	}
	if i := slices.IndexFunc(y.Lessons, func(l lessons.Lesson) bool { return l.ID == y.lead }); i >= 0 {
		y.Lead = i
	}
	y.in = make([]bool, len(y.Lessons))
	for i, l := range y.Lessons {
		y.in[i] = (y.Weak[i] == "") != y.turned[l.ID]
	}
	y.at = min(y.at, len(y.Lessons)-1)
	return y, true
}

// rows returns the clusters as rows of the list.
func (c clusters) rows() []lessons.Lesson {
	out := make([]lessons.Lesson, len(c.order))
	for i, id := range c.order {
		out[i] = c.of[id].union()
	}
	return out
}

// union returns roughly the merged lesson, for a row.
func (x cluster) union() lessons.Lesson {
	l := x.Lessons[0]
	l.Wording, l.Category = x.Lessons[x.Lead].Wording, cmp.Or(x.one(x.Chosen()).Into.Category, l.Category)
	for i, o := range x.Lessons {
		if x.in[i] {
			l.Confidence = max(l.Confidence, o.Confidence)
		}
	}
	return l
}

// Chosen returns the members to merge.
func (x cluster) Chosen() (some []lessons.Lesson) {
	for i, l := range x.Lessons {
		if x.in[i] {
			some = append(some, l)
		}
	}
	return some
}

// proposals returns the pending members to merge.
func (x cluster) proposals() []lessons.Lesson {
	return slices.DeleteFunc(x.Chosen(), func(l lessons.Lesson) bool { return l.Status != lessons.Pending })
}

// ClusterOf returns the cluster under the cursor.
func ClusterOf(p Review) (cluster, bool) {
	if p.Lane != curate.Duplicates || p.Cur.At >= len(p.Rows) {
		return cluster{}, false
	}
	x, ok := p.clusters.of[p.Rows[p.Cur.At].ID]
	return x, ok
}

// chose changes the person's opinion of the cluster under the cursor.
func chose(p Review, f func(x *cluster)) Review {
	x, ok := ClusterOf(p)
	if !ok {
		return p
	}
	set := kit.Own(p.clusters.set)
	f(&x)
	set[x.key] = x.opinion
	p.clusters.set = set
	at := p.Cur.At
	p.Queue = p.filled().resized(p.listHeight())
	p.Cur = p.Cur.To(at)
	return p
}

// approveUnion merges the chosen members and approves the result, or opens the merge
// dialog if someone has to compare first.
func approveUnion(p Review) (Review, kit.Out) {
	x, _ := ClusterOf(p)
	some := x.Chosen()
	if len(some) < 2 {
		return p, decide.NewMerge(p.fx, x.Lessons).Open().And(kit.Say("look at the difference first"))
	}
	m := x.one(some)
	if _, err := m.Preview(); err != nil {
		return p, kit.Warn("%v", err)
	}
	p.last, p.turned = curate.Approve, desk.Chosen{}
	return p.merge(m)
}

// apartFromLead records that a member does not say the same as the lead.
func apartFromLead(p Review) (Review, kit.Out) {
	x, _ := ClusterOf(p)
	at := x.at
	if len(x.Lessons) == 2 {
		at = 1 - x.Lead
	}
	if at == x.Lead {
		return p, kit.Say("J goes to the one that does not say the same as %d", x.Lead+1)
	}
	s := curate.TellApart(x.Lessons[x.Lead], x.Lessons[at])
	p = chose(p, func(x *cluster) { x.gone = x.gone.With(true, x.Lessons[at]) })
	p, look := p.look()
	return p, kit.Out{Writes: []kit.Job{p.fx.Settle(s)}}.And(look)
}

// clusterKeys are the keys of clusters.
func clusterKeys() kit.Binds[Review] {
	const g = "decide"
	changes := func(f func(x *cluster)) func(Review, string) (Review, kit.Out) {
		return func(p Review, _ string) (Review, kit.Out) { return chose(p, f), kit.Out{} }
	}
	step := func(by int) func(Review, string) (Review, kit.Out) {
		return changes(func(x *cluster) { x.at = (x.at + by + len(x.Lessons)) % len(x.Lessons) })
	}
	some := func(p Review) string {
		if why := anyRow(p); why != "" {
			return why
		}
		if x, _ := ClusterOf(p); len(x.proposals()) == 0 {
			return "no proposal is in; space takes one in"
		}
		return ""
	}
	own := kit.Binds[Review]{
		{Key: kit.Keyed("approve", "a", "approve one lesson of those that are in", "a"), Group: g, Foot: "approve as one", Off: anyRow, Do: func(p Review, _ string) (Review, kit.Out) { return approveUnion(p) }},
		{Key: kit.Keyed("reject", "x", "reject those that are in, for the reason that the card shows", "x"), Group: g, Foot: "reject", Off: some, Do: func(p Review, _ string) (Review, kit.Out) {
			return decide.Ask(p, curate.Reject.Assuming(p.given.Usual), p.Meant())
		}},
		{Key: kit.Keyed("reject-why", "r", "reject those that are in for another reason", "r"), Group: g, Foot: "why", Off: some, Do: kit.Asks(func(p Review) kit.Out { return kit.Ask(decide.NewWhy(p.Meant(), nil, p.given)) })},
		{Key: kit.Keyed("mark", "space", "leave the member out or take it in, and go on", "space"), Group: g, Foot: "take one out", Off: anyRow, Do: changes(func(x *cluster) {
			l := x.Lessons[x.at]
			x.turned, x.at = x.turned.With(!x.turned[l.ID], l), (x.at+1)%len(x.Lessons)
		})},
		{Key: kit.Keyed("mark-all", "*", "take all members in", "*"), Group: g, Off: anyRow, Do: changes(func(x *cluster) {
			for i, l := range x.Lessons {
				if !x.in[i] {
					x.turned = x.turned.With(!x.turned[l.ID], l)
				}
			}
		})},
		{Key: kit.Keyed("scroll-down", "J pgdn", "the next member", "J", "pgdown"), Group: "look", Foot: "next member", Off: anyRow, Do: step(1)},
		{Key: kit.Keyed("scroll-up", "pgup", "the member before", "pgup"), Group: "look", Off: anyRow, Do: step(-1)},
		{Key: kit.Keyed("around", "w", "lead with the words of the member", "w"), Group: g, Foot: "lead with", Off: anyRow, Do: changes(func(x *cluster) { x.lead = x.Lessons[x.at].ID })},
		{Key: kit.Keyed("edit-line", "i", "write the sentence of the one lesson", "i"), Group: g, Foot: "write it", Off: anyRow, Do: func(p Review, _ string) (Review, kit.Out) {
			d, o := mergeOf(p).Update(tea.KeyPressMsg{Code: 'i', Text: "i"})
			return p, o.And(kit.Ask(d))
		}},
		{Key: kit.Keyed("merge", "m", "compare them side by side, and merge", "m"), Group: g, Off: anyRow, Do: func(p Review, _ string) (Review, kit.Out) { return p, mergeOf(p).Open() }},
		{Key: kit.Keyed("category", "K", "the category of the one lesson", "K"), Group: g, Foot: "category", Off: anyRow, Do: func(p Review, _ string) (Review, kit.Out) {
			x, _ := ClusterOf(p)
			return p, kit.Ask(categoryOf(x))
		}},
		{Key: kit.Keyed("next-hit take-wording", "n b", "the member does not say the same as the lead", "n", "b"), Group: g, Foot: "not alike", Off: anyRow, Do: func(p Review, _ string) (Review, kit.Out) { return apartFromLead(p) }},
		{Key: kit.Keyed("evidence", "enter o", "open the evidence of the member in the transcript", "enter", "o"), Group: "look", Foot: "evidence", Off: anyRow, Do: func(p Review, _ string) (Review, kit.Out) {
			x, _ := ClusterOf(p)
			return p, desk.Evidence(x.Lessons[x.at])
		}},
	}
	own = append(own, pick(weighKeys(), "s", ".")...)
	own = append(own, pick(markKeys(), "esc")...)
	own = append(own, pick(lookKeys(), "/", "C")...)
	own = append(append(own, laneKeys()...), orderKeys()...)
	return append(own, kit.Motion(func(p Review) kit.List { return p.Cur }, Review.at)...)
}

// pick returns some of the keys of a pane.
func pick[P any](all kit.Binds[P], keys ...string) (some kit.Binds[P]) {
	for _, b := range all {
		if slices.Contains(keys, b.Keys[0]) {
			some = append(some, b)
		}
	}
	return some
}

// mergeOf opens the merge of the chosen members, or of all if only one is chosen.
func mergeOf(p Review) decide.Merge {
	x, _ := ClusterOf(p)
	some := x.Chosen()
	if len(some) < 2 {
		some = x.Lessons
	}
	d := decide.NewMerge(p.fx, some)
	m := x.one(some)
	d.Is = m.Into.Category
	i := slices.IndexFunc(d.Ls, func(l lessons.Lesson) bool { return l.ID == x.Lessons[x.Lead].ID })
	if i >= 0 && m.Into.Content == d.Ls[i].Content {
		return d.Take(i)
	}
	return d.Anew()
}

// numerals are small numbers in words.
var numerals = []string{2: "two", "three", "four", "five", "six", "seven", "eight", "nine"}

func clusterTitle(x cluster, st *look.Style) string {
	n := kit.Grouped(len(x.Lessons))
	if len(x.Lessons) < len(numerals) {
		n = numerals[len(x.Lessons)]
	}
	l := x.union()
	return st.Strong.Render(n+" say the same") + st.Dim.Render(" · "+lessons.Line(decide.Belongs(&l))+" · "+lessons.Line(string(l.Category)))
}

// clusterCard draws the card of a cluster. at is the line where the member under the
// cursor begins.
func clusterCard(x cluster, reject string, w int, quotes bool, st *look.Style) (lines []string, at int) {
	some := x.Chosen()
	m, lead := x.one(some), x.Lessons[x.Lead]
	says, why := lead.Content, fmt.Sprintf("the words of %d: %s", x.Lead+1, x.leads())
	if len(some) > 1 && m.Into.Content != lead.Content {
		says, why = m.Into.Content, "each says what the others do not, so their sentences stand side by side; i writes one"
	}
	lines = append(kit.Paragraph(says, w, st.Strong), "")
	for i, l := range x.Lessons {
		if i == x.at {
			at = len(lines)
		}
		lines = append(lines, x.member(i, l, w, st)...)
		if quotes {
			lines = append(lines, taken(l, w, st)...)
		}
	}
	lines = append(lines, "")
	var all []lessons.Evidence
	days := map[string]bool{}
	for _, l := range some {
		all = append(all, l.Evidence...)
	}
	for _, e := range all {
		if !e.At.IsZero() {
			days[e.At.Format("2006-01-02")] = true
		}
	}
	if n := lessons.Sessions(all); n > 0 {
		lines = append(lines, kit.Fact("said", "in "+kit.Counted(n, "session")+" on "+kit.Counted(max(len(days), 1), "day"), w, st.Text, st)...)
	}
	lines = append(lines, kit.Fact("alike", x.Alike(), w, st.Text, st)...)
	lines = append(lines, kit.Fact("why", why, w, st.Text, st)...)
	lines = append(lines, "")
	lines = append(lines, x.outcome(m, some, w, st)...)
	if n := len(x.proposals()); n > 0 && reject != "" {
		lines = append(lines, kit.Fact("reject", kit.Counted(n, "proposal")+" as “"+lessons.Line(desk.ReasonShown(reject))+"” · r for another reason", w, st.Dim, st)...)
	}
	return append(lines, kit.Fact("split", "space leaves one out, n says it is not alike, i writes the sentence", w, st.Dim, st)...), at
}

// leads says why the words of the lead are proposed.
func (x cluster) leads() string {
	switch l := x.Lessons[x.Lead]; {
	case l.Status == lessons.Approved:
		return "it is approved"
	case len(x.Lessons) == 2:
		return "the older one"
	default:
		return "most like the others"
	}
}

// member draws one lesson of a cluster.
func (x cluster) member(i int, l lessons.Lesson, w int, st *look.Style) []string {
	name, ink := fmt.Sprint(i+1), st.Text
	if !x.in[i] {
		ink = st.Dim
	}
	about := kit.Dotted(l.Trust(), l.Created.Format("2 Jan"))
	if l.Status == lessons.Approved {
		about = look.Approved + " approved · " + about
	}
	text := ink.Render(lessons.Line(kit.CutTo(l.Content, 400))) + "  " + st.Dim.Render(about)
	switch {
	case x.Weak[i] != "" && !x.in[i]:
		text += "  " + st.Warn.Render("○ weak: "+lessons.Line(x.Weak[i]))
	case x.Weak[i] != "":
		text += "  " + st.Warn.Render(look.Marked+" taken in: "+lessons.Line(x.Weak[i]))
	case !x.in[i]:
		text += "  " + st.Dim.Render("○ left out")
	}
	lines := kit.Wrap(text, max(w-kit.GutterW, 1))
	for j, s := range lines {
		mark := ""
		if j == 0 {
			mark = name
		}
		left := kit.Gutter(mark, kit.GutterW, st.Dim)
		if i == x.at {
			left = kit.Gutter(mark, kit.GutterW, st.Accent)
			if j == 0 {
				left = strings.TrimSuffix(kit.Gutter("› "+name, kit.GutterW, st.Accent), "  ") + "  "
			}
		}
		lines[j] = left + s
	}
	return lines
}

// tooFew says what can be done if fewer than two are chosen.
func (x cluster) tooFew() string {
	in := "none is in"
	if i := slices.Index(x.in, true); i >= 0 {
		in = fmt.Sprintf("only %d is in", i+1)
	}
	all := "all"
	if len(x.Lessons) == 2 {
		all = "both"
	}
	return in + ": a compares them side by side, where a makes one of them; * takes " + all + " in"
}

// taken draws the first evidence of a member: who said it, when, and the words.
func taken(l lessons.Lesson, w int, st *look.Style) []string {
	if len(l.Evidence) == 0 {
		return nil
	}
	e := l.Evidence[0]
	lines := kit.InkedFact("said", st.Dim.Render(card.SaidIn(e, "", w-kit.GutterW)), w, st.Dim, st.Text)
	quoted, _ := card.Card{Lesson: l}.Quoted(e, false, w, st)
	return append(lines, kit.Clip(quoted, 0, mostOfMember)...)
}

// mostOfMember limits the quoted lines of a member.
const mostOfMember = 3

// outcome draws the effect of approving.
func (x cluster) outcome(m curate.Merge, some []lessons.Lesson, w int, st *look.Style) []string {
	if len(some) < 2 {
		return kit.Fact("approve", x.tooFew(), w, st.Warn, st)
	}
	l, err := m.Preview()
	if err != nil {
		return kit.Fact("approve", lessons.Line(err.Error()), w, st.Bad, st)
	}
	in, out := "", ""
	for i := range x.Lessons {
		if n := fmt.Sprint(i + 1); x.in[i] {
			in += ", " + n
		} else {
			out += ", " + n
		}
	}
	where := "in " + lessons.Line(decide.Belongs(&l))
	if l.Scope.Global {
		where = "in every project"
	}
	text := fmt.Sprintf("one lesson %s, %d tokens, %s; %s are merged", where, card.Tokens(l), l.Trust(), strings.TrimPrefix(in, ", "))
	if out != "" {
		text += ", " + strings.TrimPrefix(out, ", ") + " left as it is"
	}
	lines := kit.Fact("approve", text, w, st.Text, st)
	if s := x.categories(some); s != "" {
		lines = append(lines, kit.Fact("", s+" · K another", w, st.Dim, st)...)
	}
	return lines
}
