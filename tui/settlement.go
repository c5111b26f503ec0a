package tui

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"learnings/index/curate"
	"learnings/lessons"
	"learnings/lessons/stance"
	"learnings/tui/look"
)

// confrontedMsg answers confront: two lessons that contradict each other, as
// they are now.
type confrontedMsg struct {
	on        screen
	mine      lessons.Lesson
	other     stance.Contrary
	approving *chosen // what the person was about to approve, which is mine; nil when they were not
	over      bool    // nothing is in the way of that any more
	err       error
}

func (m confrontedMsg) show() out {
	if m.err != nil {
		return warn("%v", m.err)
	}
	return ask(settlement{mine: m.mine, other: m.other, approving: m.approving})
}

// confront reads two lessons that contradict each other.
func (fx effects) confront(on screen, mine, other lessons.ID, approving *chosen) job {
	return func(context.Context) tea.Msg {
		m := confrontedMsg{on: on, approving: approving}
		m.mine, m.other, m.err = fx.Corpus.Contradiction(mine, other)
		m.over = errors.Is(m.err, curate.ErrSettled) || m.err == nil && m.other.Lesson.Status != lessons.Approved
		return m
	}
}

// approveUnseen approves a lesson of which the card has not said yet what contradicts it:
// it comes back when an active one does.
func (fx effects) approveUnseen(c chosen) job {
	return func(ctx context.Context) tea.Msg {
		if other, ok := curate.Active(fx.Corpus.Opposing(ctx, c.ls[0])); ok {
			return decidedMsg{action: curate.Approve, before: c.ls, err: fmt.Errorf("it contradicts “%s”, which is active", other.Title(48))}
		}
		return fx.decide(curate.Approve, c)(ctx)
	}
}

// A settlement shows two lessons that contradict each other, side by side, and
// lets the person say which of them holds. No key that is pressed by habit
// decides.
type settlement struct {
	mine      lessons.Lesson
	other     stance.Contrary
	approving *chosen // see confrontedMsg
	in        textinput.Model
	typing    bool // when each of them holds
	scroll

	kept, settled dialog // what to come back to when it was left or settled; nil for the pane
}

func (d settlement) update(msg tea.Msg) (dialog, out) {
	if d.typing {
		return d.typed(msg)
	}
	if m, ok := msg.(roomMsg); ok {
		d.roomMsg = m
	}
	n, h := d.length()
	d.scroll = d.by(turned(msg, h), n, h)
	k, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return d, out{}
	}
	switch k.String() {
	case "esc", "q":
		return d.kept, say("nothing was settled")
	case "1":
		return d.keep(true)
	case "2":
		return d.keep(false)
	case "y":
		keep, _ := d.proposed()
		return d.keep(keep)
	case "b":
		d.typing, d.in = true, newField("")
	case "A": // not the key that has led here, which might be pressed twice without a look
		if d.approving != nil {
			return nil, out{answer: decideMsg{action: curate.Approve, chosen: chosen{ls: []lessons.Lesson{d.mine}, marked: d.approving.marked}, sure: true}}
		}
	}
	return d, out{}
}

func (d settlement) typed(msg tea.Msg) (dialog, out) {
	key, reason, cmd := typeInto(&d.in, msg)
	switch {
	case key == "esc":
		d.typing = false
	case reason != "":
		return d.settled, out{answer: curate.Settlement{Keep: d.mine, Lose: d.other.Lesson, Both: true, Approve: d.approving != nil, Reason: reason}}
	case key == "enter":
		return d, warn("say when each of them holds; esc goes back")
	}
	return d, out{cmd: cmd}
}

func (d settlement) keep(mine bool) (dialog, out) {
	s := curate.Settlement{Keep: d.mine, Lose: d.other.Lesson, Approve: d.approving != nil && mine, Reason: d.other.Contradiction.Why}
	if !mine {
		s.Keep, s.Lose = s.Lose, s.Keep
	}
	return d.settled, out{answer: s}
}

// proposed says whether it is proposed to keep mine, and why.
func (d settlement) proposed() (mine bool, because string) {
	s, because := curate.Propose(d.mine, d.other.Lesson)
	return s.Keep.ID == d.mine.ID, because
}

func (d settlement) hints() []hint {
	if d.typing {
		return []hint{{key: "enter", foot: "both hold"}, {key: "esc", foot: "back"}}
	}
	hints := []hint{{key: "1 2", foot: "keep that one"}, {key: "y", foot: "as proposed"}, {key: "b", foot: "both hold"}}
	if d.approving != nil {
		hints = append(hints, hint{key: "A", foot: "approve anyway"})
	}
	hints = append(hints, hint{key: "j k", foot: "scroll"})
	return append(hints, hint{key: "esc", foot: "leave it open"})
}

// leastSide is the least height of a lesson that is drawn beside another, with its
// frame. With less room, everything is one text to scroll through.
const leastSide = 5

// sides is how high the two lessons are drawn, 0 when there is no room, and whether
// they are stacked.
func (d settlement) sides(w, h int, st *look.Style) (high int, stacked bool) {
	stacked = w < 60
	high = h - len(d.choices(w-4, st)) - 2
	if stacked {
		high /= 2
	}
	if high < leastSide {
		return 0, stacked
	}
	return min(high, 18), stacked
}

// mostW is how wide a settlement gets.
const mostW = 120

// length is how many lines can be scrolled through, and how many are in sight.
func (d settlement) length() (n, h int) {
	st, w := unseenStyle, min(d.w, mostW)
	high, stacked := d.sides(w, d.h, st)
	switch {
	case high == 0:
		return len(d.whole(w, st)), d.h - 2
	case stacked:
		return max(len(d.text(d.mine, d.other.Contradiction.A, w, st)), len(d.text(d.other.Lesson, d.other.Contradiction.B, w, st))), high - 2
	}
	return max(len(d.text(d.mine, d.other.Contradiction.A, w/2, st)), len(d.text(d.other.Lesson, d.other.Contradiction.B, w-w/2, st))), high - 2
}

func (d settlement) view(w, h int, st *look.Style) string {
	w = min(w, mostW)
	title := st.Accent.Render("they contradict each other")
	bottom := d.choices(w-4, st)
	high, stacked := d.sides(w, h, st)
	var top string
	switch {
	case high == 0 && d.typing:
		return box{title: title, on: true}.draw(indented(bottom), w, min(len(bottom)+2, h), st)
	case high == 0:
		lines := d.whole(w, st)
		return box{title: title, on: true}.draw(indented(clip(lines, d.top, h-2)), w, min(len(lines)+2, h), st)
	case stacked:
		top = d.side(d.mine, "1", d.other.Contradiction.A, w, high, st) + "\n" + d.side(d.other.Lesson, "2", d.other.Contradiction.B, w, high, st)
	default:
		top = beside(d.side(d.mine, "1", d.other.Contradiction.A, w/2, high, st), d.side(d.other.Lesson, "2", d.other.Contradiction.B, w-w/2, high, st))
	}
	return top + "\n" + box{title: title, on: true}.draw(indented(bottom), w, len(bottom)+2, st)
}

// whole is all that the dialog has to say, as one text.
func (d settlement) whole(w int, st *look.Style) []string {
	lines := append([]string{d.head(d.mine, "1", st)}, d.text(d.mine, d.other.Contradiction.A, w, st)...)
	lines = append(append(lines, d.head(d.other.Lesson, "2", st)), d.text(d.other.Lesson, d.other.Contradiction.B, w, st)...)
	return append(lines, d.choices(w-4, st)...)
}

// side draws one of the two lessons.
func (d settlement) side(l lessons.Lesson, key string, at stance.Passage, w, h int, st *look.Style) string {
	return box{title: d.head(l, key, st)}.draw(indented(clip(d.text(l, at, w, st), d.top, h-2)), w, h, st)
}

// head names one of the two lessons.
func (d settlement) head(l lessons.Lesson, key string, st *look.Style) string {
	s := st.Accent.Render(key) + st.Dim.Render(fmt.Sprintf(" %s · %s · %.2f", l.ID, l.Status, float64(l.Confidence)))
	if p := proof(l); p != "" {
		s += st.Dim.Render(" · " + lessons.Line(p))
	}
	return s
}

// text is one of the two for a frame of w cells, with the words that contradict the
// other.
func (d settlement) text(l lessons.Lesson, at stance.Passage, w int, st *look.Style) []string {
	lines := paragraph(l.Content, w-4, st.Strong)
	if at.Text != "" && strings.TrimSpace(at.Text) != strings.TrimSpace(l.Content) {
		lines = append(lines, paragraph("✗ "+at.Text, w-4, st.Warn)...)
	}
	if strings.TrimSpace(l.Insight) != "" {
		lines = append(append(lines, ""), paragraph(l.Insight, w-4, st.Text)...)
	}
	lines = append(lines, "")
	for _, e := range l.Evidence {
		lines = append(lines, paragraph(said(e), w-4, st.Dim)...)
		lines = append(lines, quote(e.Quote, 4, w-4, st.Accent, st.Text)...)
	}
	return lines
}

func (d settlement) choices(w int, st *look.Style) []string {
	if d.typing {
		asked := paragraph("When does each of them hold? It is kept with both, and they are not shown against each other again.", w, st.Dim)
		return append(asked, st.Accent.Render("› ")+fieldView(d.in, w-4))
	}
	lines := field("why", lessons.Line(d.other.Contradiction.Why), w, st.Text, st)
	mine, because := d.proposed()
	first := "2"
	if mine {
		first = "1"
	}
	lines = append(lines, field("propose", fmt.Sprintf("y → keep %s, because it is %s", first, because), w, st.Text, st)...)
	next := d.next("1", "2", d.mine, d.other.Lesson) + "\n" + d.next("2", "1", d.other.Lesson, d.mine)
	if d.approving != nil {
		next += "\nA → 1 is approved all the same, and sessions get both"
	}
	return append(lines, field("next", next+"; u takes it back", w, st.Dim, st)...)
}

// next says what happens when one of the two is kept.
func (d settlement) next(key, other string, keep, lose lessons.Lesson) string {
	gone := "archived"
	if lose.Status == lessons.Pending {
		gone = "rejected"
	}
	stays := ""
	switch {
	case keep.Status == lessons.Pending && d.approving != nil && key == "1":
		stays = ", 1 is approved"
	case keep.Status == lessons.Pending:
		stays = ", " + key + " is still to be approved"
	}
	return fmt.Sprintf("%s → %s is %s and says what took its place%s", key, other, gone, stays)
}

// A pair is two lessons that contradict each other.
type pair stance.Pair

// newContradictions lists the contradictions of the corpus, to be settled one by
// one.
func newContradictions(fx effects) worklist {
	return newWorklist(fx, worklistKind{
		kind: contradicting, title: "contradictions", none: "contradict each other", close: "C", openKey: "c", openFoot: "settle it",
		find: func(ctx context.Context, fx effects) ([]finding, error) {
			pairs, err := fx.Corpus.SomeContradictions(ctx, mostShownGroups)
			out := make([]finding, len(pairs))
			for i, p := range pairs {
				out[i] = pair(p)
			}
			return out, err
		},
	})
}

func (p pair) key() string { return string(p.Keep.ID + " " + p.Lose.ID) }

func (p pair) read(fx effects) job {
	return func(context.Context) tea.Msg {
		mine, other, err := fx.Corpus.Contradiction(p.Keep.ID, p.Lose.ID)
		return readyMsg{key: p.key(), err: err, open: func(kept, settled dialog) dialog {
			return settlement{mine: mine, other: other, kept: kept, settled: settled}
		}}
	}
}

func (p pair) height() int { return 3 }

func (p pair) lines(current bool, w int, st *look.Style) []string {
	bar, look := bullet(current, st)
	return []string{bar + look(p.Keep.Title(w-6)), bar + look(p.Lose.Title(w-6)), "  " + st.Dim.Render(lessons.Line(p.Contradiction.Why))}
}
