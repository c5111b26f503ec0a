package decide

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"learnings/index/curate"
	"learnings/lessons"
	"learnings/lessons/pairs"
	"learnings/tui/card"
	"learnings/tui/desk"
	"learnings/tui/kit"
	"learnings/tui/look"
)

// Confront opens the dialog about two contradicting lessons in their current state.
func Confront(fx desk.Desk, mine, other lessons.ID) kit.Job {
	return func(context.Context) tea.Msg {
		l, against, err := fx.Corpus.Contradiction(mine, other)
		if err != nil {
			return kit.OutMsg{Out: kit.Warn("%v", err)}
		}
		return kit.OutMsg{Out: kit.Ask(settlement{fx: fx, mine: l, other: against})}
	}
}

// Replace puts a proposal in the place of the approved lesson that it changes, or opens the
// dialog if by now it does not ([curate.Replaces]).
func Replace[P Lister[P]](fx desk.Desk, mine, other lessons.ID) kit.Job {
	return func(ctx context.Context) tea.Msg {
		l, against, err := fx.Corpus.Contradiction(mine, other)
		if err != nil || !curate.Replaces(l, against) {
			return Confront(fx, mine, other)(ctx)
		}
		return kit.Then[P](func(p P) (P, kit.Out) {
			return p.Settle(curate.Settlement{Keep: l, Lose: against.Lesson, Approve: true, Reason: against.Judgement.Why})
		})
	}
}

// Approving opens the dialog about a lesson to approve and an active one that contradicts
// it. If they no longer conflict, the pane approves the lesson.
func Approving[P any](fx desk.Desk, c desk.Chosen, other lessons.ID, approve func(P, desk.Chosen) (P, kit.Out)) kit.Job {
	return func(context.Context) tea.Msg {
		l, against, err := fx.Corpus.Contradiction(c.Ls[0].ID, other)
		return kit.Then[P](func(p P) (P, kit.Out) {
			switch {
			case errors.Is(err, curate.ErrSettled) || err == nil && against.Lesson.Status != lessons.Approved:
				return approve(p, c) // as shown to the person, not as it may be now
			case err != nil:
				return p, kit.Warn("%v", err)
			}
			return p, kit.Ask(settlement{fx: fx, mine: l, other: against, approving: true})
		})
	}
}

// ApproveUnseen approves a lesson whose contradictions are not known yet. It fails if an
// active lesson contradicts it.
func ApproveUnseen(fx desk.Desk, c desk.Chosen) kit.Job {
	return func(ctx context.Context) tea.Msg {
		_, against := fx.Corpus.Near(ctx, c.Ls[0], 0)
		if other, ok := curate.Active(against); ok {
			return desk.DecidedMsg{Action: curate.Approve, Before: c.Ls, Err: fmt.Errorf("it contradicts “%s”, which is active", other.Title(48))}
		}
		return fx.Decide(curate.Approve, c)(ctx)
	}
}

// A settlement shows two contradicting lessons side by side and asks which of them holds.
// No key that is pressed by habit decides.
type settlement struct {
	fx        desk.Desk
	mine      lessons.Lesson
	other     pairs.Contrary
	approving bool // the person was about to approve mine
	in        textinput.Model
	typing    bool // the person types when each of them holds
	kit.Scroll

	kept, settled kit.Dialog // where to return to after leaving or settling; nil for the pane
}

// asTheyAre is recorded with two lessons that both hold unchanged.
const asTheyAre = "both as they are"

func (d settlement) Update(msg tea.Msg) (kit.Dialog, kit.Out) {
	if d.typing {
		return d.typed(msg)
	}
	if m, ok := msg.(kit.RoomMsg); ok {
		d.RoomMsg = m
	}
	d.Scroll = d.page().scrolled(msg)
	k, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return d, kit.Out{}
	}
	switch k.String() {
	case "esc", "q":
		return d.kept, kit.Say("nothing was settled")
	case "1":
		return d.keep(true)
	case "2":
		return d.keep(false)
	case "y":
		if s, _ := d.proposed(); !s.Narrow {
			return d.keep(s.Keep.ID == d.mine.ID)
		}
		return d.both(curate.Settlement{Narrow: true})
	case "m":
		one := NewMerge(d.fx, []lessons.Lesson{d.mine, d.other.Lesson})
		one.kept, one.merged = d, d.settled
		return one, kit.Out{}
	case "o":
		return d, kit.Out{To: desk.ReadMsg{Lesson: d.mine, Back: d}}
	case "O":
		return d, kit.Out{To: desk.ReadMsg{Lesson: d.other.Lesson, Back: d}}
	case "b":
		d.typing, d.in = true, kit.NewField("")
	case "A": // not the key that led here, which might be pressed twice by accident
		return d.both(curate.Settlement{Both: true, Reason: asTheyAre})
	}
	return d, kit.Out{}
}

func (d settlement) typed(msg tea.Msg) (kit.Dialog, kit.Out) {
	key, reason, cmd := kit.TypeInto(&d.in, msg)
	switch {
	case key == "esc":
		d.typing = false
	case reason != "":
		return d.settled, kit.Out{Answer: curate.Settlement{Keep: d.mine, Lose: d.other.Lesson, Both: true, Approve: d.approving, Reason: reason}}
	case key == "enter":
		return d, kit.Warn("say when each of them holds; esc goes back")
	}
	return d, kit.Out{Cmd: cmd}
}

func (d settlement) keep(mine bool) (kit.Dialog, kit.Out) {
	s := curate.Settlement{Keep: d.mine, Lose: d.other.Lesson, Approve: d.approves() && mine, Reason: d.other.Judgement.Why}
	if !mine {
		s.Keep, s.Lose = s.Lose, s.Keep
	}
	return d.settled, kit.Out{Answer: s}
}

// both keeps both lessons by settlement s.
func (d settlement) both(s curate.Settlement) (kit.Dialog, kit.Out) {
	s.Keep, s.Lose, s.Approve = d.mine, d.other.Lesson, d.approves()
	return d.settled, kit.Out{Answer: s}
}

// approves reports whether keeping mine approves it: the person was about to, or it joins
// or replaces an active lesson and does not have to be looked at by itself.
func (d settlement) approves() bool {
	return d.mine.Status == lessons.Pending && (d.approving || d.other.Lesson.Status == lessons.Approved && curate.Alone(d.mine) == "")
}

// proposed returns the proposed settlement and its reason.
func (d settlement) proposed() (s curate.Settlement, because string) {
	return curate.Propose(d.mine, d.other.Lesson)
}

func (d settlement) Hints() []kit.Hint {
	if d.typing {
		return []kit.Hint{{Key: "enter", Foot: "both hold"}, {Key: "esc", Foot: "back"}}
	}
	return []kit.Hint{{Key: "y", Foot: "as proposed"}, {Key: "1 2", Foot: "keep that one"}, {Key: "m", Foot: "merge"}, {Key: "A", Foot: "both"}, {Key: "b", Foot: "both, and when"},
		{Key: "o O", Foot: "evidence of 1, 2"}, {Key: "j k", Foot: "scroll"}, {Key: "esc", Foot: "leave it open"}}
}

// page lays out the two lessons above the ways to settle.
func (d settlement) page() page {
	return page{Scroll: d.Scroll, pair: d.W >= kit.Wide, stacked: d.stacked, below: d.choices, head: d.head, side: d.side}
}

func (d settlement) Sheet(st *look.Style) kit.Sheet {
	s := d.page().sheet(st)
	s.Head = st.Strong.Render("they contradict each other") + "  " + st.Bad.Render(look.Against) + " " + st.Dim.Render(lessons.Line(d.other.Judgement.Short()))
	return s
}

// stacked draws both lessons one below the other.
func (d settlement) stacked(w int, st *look.Style) []string {
	var lines, rest []string
	for i := range 2 { // both sentences first, since the rest scrolls
		title, right := d.head(i, st)
		all := d.side(i, w, st)
		n := max(slices.Index(all, ""), 0)
		lines = append(append(lines, kit.Ends(title, right, w)), all[:n]...)
		rest = append(append(rest, all[n:]...), "")
	}
	return append(lines, rest...)
}

// head draws the title of lesson i, with its scope.
func (d settlement) head(i int, st *look.Style) (title, right string) {
	l := [2]lessons.Lesson{d.mine, d.other.Lesson}[i]
	where := st.Dim.Render(" · " + lessons.Line(l.Scope.Project))
	if l.Scope.Global {
		where = st.Dim.Render(" · ") + st.Warn.Render("every project")
	}
	return sideHead(i+1, l, where, st)
}

// side draws lesson i and marks the contradicting words.
func (d settlement) side(i, w int, st *look.Style) []string {
	c := d.other.Judgement
	if i == 0 {
		return sideText(d.mine, c.A.Text, c.B.Text, w, st)
	}
	return sideText(d.other.Lesson, c.B.Text, c.A.Text, w, st)
}

// A wayOut is a key that settles, and its effect.
type wayOut struct{ key, name, does string }

// ways returns the ways to settle, the proposed one first.
func (d settlement) ways() []wayOut {
	s, _ := d.proposed()
	one, two := "the new one", "the old one"
	if d.mine.Created.Before(d.other.Lesson.Created) {
		one, two = two, one
	}
	keep := []wayOut{{"1", one, d.does(d.mine, d.other.Lesson, "1", "2")}, {"2", two, d.does(d.other.Lesson, d.mine, "2", "1")}}
	var all []wayOut
	if s.Narrow {
		n, _ := curate.Narrowed(d.mine, d.other.Lesson)
		all = append(all, wayOut{"y", "both, " + n.Own(), d.narrowing(n)})
	} else if s.Keep.ID == d.mine.ID {
		all = append(all, wayOut{"y", "keep 1, " + one, keep[0].does})
	} else {
		all = append(all, wayOut{"y", "keep 2, " + two, keep[1].does})
	}
	both := "sessions get both; not shown again"
	if d.approves() {
		both = "1 is approved, " + both
	}
	return append(append(all, keep...), wayOut{"m", "one sentence of both", "opens the merge of the two"}, wayOut{"A", "both as they are", both}, wayOut{"b", "both, and you say when each holds", "kept with both"})
}

// narrowing says what happens to each of two lessons that are narrowed.
func (d settlement) narrowing(n curate.Narrowing) string {
	var says []string
	for i, x := range []curate.Narrower{n.A, n.B} {
		switch {
		case i == 0 && d.approves():
			says = append(says, "1 is approved for "+x.Where)
		case x.Changed:
			says = append(says, fmt.Sprintf("%d is narrowed to %s, where it was said", i+1, x.Where))
		default:
			says = append(says, fmt.Sprintf("%d stays for %s", i+1, x.Where))
		}
	}
	return strings.Join(says, "; ")
}

// does says what happens when keep is kept.
func (d settlement) does(keep, lose lessons.Lesson, kept, lost string) string {
	says := lost + " is archived"
	if lose.Status == lessons.Pending {
		says = lost + " is rejected and not proposed again"
	}
	if n := lose.Use.Helped; n > 0 {
		where := lessons.Line(lose.Scope.Project)
		if lose.Scope.Global {
			where = "every project"
		}
		says += fmt.Sprintf("; %s loses what helped %d×", where, n)
	}
	switch {
	case keep.Status == lessons.Pending && keep.ID == d.mine.ID && d.approves():
		says += "; " + kept + " is approved"
	case keep.Status == lessons.Pending:
		says += "; " + kept + " is still to be approved"
	}
	return says
}

// choices draws what is below the two lessons.
func (d settlement) choices(st *look.Style) []string {
	w, roomy := max(d.W-2, 1), d.H >= RoomyH
	if d.typing {
		asked := kit.Paragraph("When does each of them hold? It is kept with both, and they are not shown against each other again.", w, st.Dim)
		return kit.Indented(append(asked, st.Accent.Render("› ")+kit.FieldView(d.in, w-4)))
	}
	var lines []string
	if roomy {
		lines = append(lines, "", " "+st.Strong.Render("which holds?"), "")
	}
	nw := 0
	ways := d.ways()
	for _, o := range ways {
		nw = max(nw, kit.CellsOf(o.name))
	}
	narrow := w < 70
	for i, o := range ways {
		bar, name := " ", st.Text
		if i == 0 {
			bar, name = st.OK.Render(look.Cursor), st.Strong
		}
		head := bar + "  " + st.Accent.Render(o.key) + "  " + name.Render(o.name)
		if narrow {
			lines = append(lines, head)
			if i < 1 {
				for _, s := range look.Lines(o.does, max(w-6, 8), 2) {
					lines = append(lines, "      "+st.Dim.Render(s))
				}
			}
			continue
		}
		most := 3
		if !roomy && i > 0 {
			most = 1
		}
		for j, s := range look.Lines(o.does, max(w-nw-9, 8), most) {
			left := strings.Repeat(" ", nw+9)
			if j == 0 {
				left = kit.Fit(head, nw+9)
			} else if i == 0 {
				left = bar + left[1:]
			}
			ink := st.Dim
			if i == 0 {
				ink = st.Text
			}
			line := left + ink.Render(s)
			if i == 0 {
				line = st.Select(kit.Fit(line, d.W))
			}
			lines = append(lines, line)
		}
		if i == 0 && roomy {
			lines = append(lines, "")
		}
	}
	_, because := d.proposed()
	if roomy {
		lines = append(lines, "")
	}
	lines = append(lines, "      "+st.Dim.Render(look.Sentence("proposed because "+d.named(because)+"; u undoes any of these", max(w-6, 8))))
	if d.H >= costlyH {
		lines = append(lines, d.costs(st))
	}
	return lines
}

// costlyH is the least height that has room for costs.
const costlyH = 18

// costs draws the tokens that a session spends on each lesson, as bars. The longer bar is
// full.
func (d settlement) costs(st *look.Style) string {
	const bar = 12
	one, two := card.Tokens(d.mine), card.Tokens(d.other.Lesson)
	most := float64(max(one, two, 1))
	cost := func(n, of int) string {
		return st.Strong.Render(strconv.Itoa(n)) + " " + st.Bar(float64(of)/most, bar, st.Accent) + " " + kit.Grouped(of)
	}
	return "      " + st.Dim.Render("tokens ") + cost(1, one) + "   " + cost(2, two)
}

// named replaces the ids of the two lessons by their numbers here.
func (d settlement) named(text string) string {
	return lessons.Line(strings.NewReplacer(string(d.mine.ID)+" is", "1 is", string(d.other.Lesson.ID)+" is", "2 is").Replace(text))
}
