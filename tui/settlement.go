package tui

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"learnings/lessons"
	"learnings/lessons/stance"
)

// confrontedMsg answers clash: two lessons that contradict each other, as they are.
type confrontedMsg struct {
	on      screen
	pair    [2]lessons.ID // what was asked for
	mine    lessons.Lesson
	other   stance.Contrary
	approve bool // the person was about to approve mine
	over    bool // they no longer contradict each other
	err     error
}

func (m confrontedMsg) show() out {
	if m.err != nil {
		return warn("%v", m.err)
	}
	return ask(m.dialog())
}

func (m confrontedMsg) dialog() settlement {
	return settlement{mine: m.mine, other: m.other, approve: m.approve}
}

// inList stands for the screen of a clash that a list asked for.
const inList = screens

// clash reads two lessons that contradict each other.
func (fx effects) confront(on screen, mine, other lessons.ID, approve bool) job {
	return func(context.Context) tea.Msg {
		m := confrontedMsg{on: on, pair: [2]lessons.ID{mine, other}, approve: approve}
		if m.mine, m.err = fx.desk.get(mine); m.err != nil {
			m.err = fmt.Errorf("reading %s: %w", mine, m.err)
			return m
		}
		var err error
		if m.other.Lesson, err = fx.desk.get(other); err != nil && !errors.Is(err, lessons.ErrNotFound) {
			m.err = fmt.Errorf("reading %s: %w", other, err)
			return m
		}
		conflict, ok := stance.Between(m.mine, m.other.Lesson)
		m.other.Contradiction = conflict
		switch status := m.other.Lesson.Status; {
		case !stands(m.mine):
			m.err = fmt.Errorf("%s is %s meanwhile: nothing is left to settle", mine, m.mine.Status)
		case err != nil:
			m.over, m.err = true, fmt.Errorf("%s is gone: nothing is left to settle", other)
		case !stands(m.other.Lesson):
			m.over, m.err = true, fmt.Errorf("%s is %s meanwhile: nothing is left to settle", other, status)
		case !ok, approve && status != lessons.Approved:
			m.over, m.err = true, fmt.Errorf("%s and %s no longer contradict each other", mine, other)
		}
		return m
	}
}

// resolving is a settled contradiction, for the journal and the status line.
var resolving = act{op: "resolve", ask: "settle", done: "settled", rewords: true}

// settleMsg is the answer of a clash: keep one, or both.
type settleMsg struct {
	keep, lose lessons.Lesson
	both       bool
	approve    bool // the one that is kept
	reason     string
}

// settle keeps one of two lessons in the other's place, or says when each holds.
func (fx effects) settle(m settleMsg) job {
	return func(context.Context) tea.Msg {
		seen := []lessons.Lesson{m.keep, m.lose}
		keep, err := fx.fresh(m.keep)
		if err != nil {
			return decidedMsg{act: resolving, before: seen, err: err}
		}
		lose, err := fx.fresh(m.lose)
		if err != nil {
			return decidedMsg{act: resolving, before: seen, err: err}
		}
		d := lessons.Decision{By: fx.By, Reason: m.reason, At: fx.Now()}
		if m.approve && keep.Status == lessons.Pending {
			if keep, err = keep.Approve(lessons.Decision{By: d.By, At: d.At}); err != nil {
				return decidedMsg{act: resolving, before: seen, err: err}
			}
		}
		decide := lessons.Supersede
		if m.both {
			decide = lessons.HoldBoth
		}
		after, err := decide(d, keep, lose)
		if err != nil {
			return decidedMsg{act: resolving, before: seen, err: err}
		}
		return fx.written(resolving, seen, after)
	}
}

// clash shows two lessons that contradict each other, side by side, and lets
// the person say which holds. No key that one presses by the way decides.
type settlement struct {
	mine    lessons.Lesson
	other   stance.Contrary
	approve bool // the person was about to approve mine
	in      textinput.Model
	typing  bool // when each of them holds
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
		mine, _ := stance.Prefer(d.mine, d.other.Lesson)
		return d.keep(mine)
	case "b":
		d.typing, d.in = true, newField("")
	case "A": // not the key that has led here: who presses it twice has not looked
		if d.approve {
			return nil, out{answer: sureMsg{act: approving, ls: []lessons.Lesson{d.mine}}}
		}
	}
	return d, out{}
}

func (d settlement) typed(msg tea.Msg) (dialog, out) {
	if k, ok := msg.(tea.KeyPressMsg); ok {
		switch k.String() {
		case "esc":
			d.typing = false
			return d, out{}
		case "enter":
			reason := strings.TrimSpace(d.in.Value())
			if reason == "" {
				return d, warn("say when each of them holds; esc goes back")
			}
			return d.settled, out{answer: settleMsg{keep: d.mine, lose: d.other.Lesson, both: true, approve: d.approve, reason: reason}}
		}
	}
	var cmd tea.Cmd
	d.in, cmd = d.in.Update(msg)
	return d, out{cmd: cmd}
}

func (d settlement) keep(mine bool) (dialog, out) {
	m := settleMsg{keep: d.mine, lose: d.other.Lesson, approve: d.approve && mine}
	if !mine {
		m.keep, m.lose = m.lose, m.keep
	}
	m.reason = d.other.Contradiction.Why
	return d.settled, out{answer: m}
}

func (d settlement) hints() []hint {
	if d.typing {
		return []hint{{key: "enter", foot: "both hold"}, {key: "esc", foot: "back"}}
	}
	hints := []hint{{key: "1 2", foot: "keep that one"}, {key: "y", foot: "as proposed"}, {key: "b", foot: "both hold"}}
	if d.approve {
		hints = append(hints, hint{key: "A", foot: "approve anyway"})
	}
	hints = append(hints, hint{key: "j k", foot: "scroll"})
	return append(hints, hint{key: "esc", foot: "leave it open"})
}

// leastSide is how high a lesson is drawn beside another one, with its frame;
// with less room for it, all is one text to scroll through.
const leastSide = 5

// sides is how high the two lessons are drawn, and whether beside each other or
// one upon the other; 0 when there is no room for that.
func (d settlement) sides(w, h int, st style) (high int, stacked bool) {
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

// mostW is how wide a clash gets.
const mostW = 120

// length is how many lines can be scrolled through, and how many are in sight.
func (d settlement) length() (n, h int) {
	st, w := newStyle(true), min(d.w, mostW)
	high, stacked := d.sides(w, d.h, st)
	switch {
	case high == 0:
		return len(d.whole(w, st)), d.h - 2
	case stacked:
		return max(len(d.text(d.mine, d.other.Contradiction.A, w, st)), len(d.text(d.other.Lesson, d.other.Contradiction.B, w, st))), high - 2
	}
	return max(len(d.text(d.mine, d.other.Contradiction.A, w/2, st)), len(d.text(d.other.Lesson, d.other.Contradiction.B, w-w/2, st))), high - 2
}

func (d settlement) view(w, h int, st style) string {
	w = min(w, mostW)
	title := st.accent.Render("they contradict each other")
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

// whole is all that the dialog has to say, one under the other.
func (d settlement) whole(w int, st style) []string {
	lines := append([]string{d.head(d.mine, "1", st)}, d.text(d.mine, d.other.Contradiction.A, w, st)...)
	lines = append(append(lines, d.head(d.other.Lesson, "2", st)), d.text(d.other.Lesson, d.other.Contradiction.B, w, st)...)
	return append(lines, d.choices(w-4, st)...)
}

// side draws one of the two.
func (d settlement) side(l lessons.Lesson, key string, at stance.Passage, w, h int, st style) string {
	return box{title: d.head(l, key, st)}.draw(indented(clip(d.text(l, at, w, st), d.top, h-2)), w, h, st)
}

// head names one of the two.
func (d settlement) head(l lessons.Lesson, key string, st style) string {
	s := st.accent.Render(key) + st.faint.Render(fmt.Sprintf(" %s · %s · %.2f", l.ID, l.Status, float64(l.Confidence)))
	if p := proof(l); p != "" {
		s += st.faint.Render(" · " + lessons.Line(p))
	}
	return s
}

// text is one of the two in a frame of w cells, with the words that oppose the
// other's.
func (d settlement) text(l lessons.Lesson, at stance.Passage, w int, st style) []string {
	lines := paragraph(l.Content, w-4, st.strong)
	if at.Text != "" && strings.TrimSpace(at.Text) != strings.TrimSpace(l.Content) {
		lines = append(lines, paragraph("✗ "+at.Text, w-4, st.warn)...)
	}
	if strings.TrimSpace(l.Insight) != "" {
		lines = append(append(lines, ""), paragraph(l.Insight, w-4, st.text)...)
	}
	lines = append(lines, "")
	for _, e := range l.Evidence {
		lines = append(lines, paragraph(said(e), w-4, st.faint)...)
		lines = append(lines, quote(e.Quote, 4, w-4, st.accent, st.text)...)
	}
	return lines
}

func (d settlement) choices(w int, st style) []string {
	if d.typing {
		asked := paragraph("When does each of them hold? It is kept with both, and they are not shown against each other again.", w, st.faint)
		return append(asked, st.accent.Render("› ")+fieldView(d.in, w-4))
	}
	lines := field("Why", lessons.Line(d.other.Contradiction.Why), w, st.text, st)
	mine, because := stance.Prefer(d.mine, d.other.Lesson)
	first := "2"
	if mine {
		first = "1"
	}
	lines = append(lines, field("Proposed", fmt.Sprintf("y → keep %s, because it is %s", first, because), w, st.text, st)...)
	next := d.next("1", "2", d.mine, d.other.Lesson) + "\n" + d.next("2", "1", d.other.Lesson, d.mine)
	if d.approve {
		next += "\nA → 1 is approved all the same, and sessions get both"
	}
	return append(lines, field("Next", next+"; u takes it back", w, st.faint, st)...)
}

// next tells what comes of the key that keeps one of the two.
func (d settlement) next(key, other string, keep, lose lessons.Lesson) string {
	gone := "archived"
	if lose.Status == lessons.Pending {
		gone = "rejected"
	}
	stays := ""
	switch {
	case keep.Status == lessons.Pending && d.approve && key == "1":
		stays = ", 1 is approved"
	case keep.Status == lessons.Pending:
		stays = ", " + key + " is still to be approved"
	}
	return fmt.Sprintf("%s → %s is %s and says what took its place%s", key, other, gone, stays)
}

// clashes lists the contradictions of the corpus, to be settled one by one.
type contradictions struct {
	fx     effects
	pairs  []stance.Pair
	cur    list
	done   map[[2]lessons.ID]bool // the pairs that were settled here: an older survey may still have them
	yet    bool                   // nobody has looked yet
	asking [2]lessons.ID          // the pair that is being read
}

func newContradictions(fx effects) contradictions { return contradictions{fx: fx}.filled() }

func (d contradictions) surveyed() {}

// filled takes what the last survey has found.
func (d contradictions) filled() contradictions {
	s := d.fx.shared.survey.Load()
	d.pairs = nil
	if d.yet = s == nil; s != nil {
		for _, p := range s.pairs {
			if !d.done[[2]lessons.ID{p.Keep.ID, p.Lose.ID}] {
				d.pairs = append(d.pairs, p)
			}
		}
	}
	d.cur = d.cur.resize(len(d.pairs), 1)
	return d
}

// without is the list that one comes back to when a pair was settled.
func (d contradictions) without(pair [2]lessons.ID) contradictions {
	d.done = maps.Clone(d.done)
	if d.done == nil {
		d.done = map[[2]lessons.ID]bool{}
	}
	d.done[pair] = true
	return d.filled()
}

func (d contradictions) none() string {
	switch {
	case d.yet:
		return "comparing all lessons…"
	case len(d.done) > 0:
		return "no other two lessons contradict each other"
	}
	return "no two lessons contradict each other"
}

func (d contradictions) update(msg tea.Msg) (dialog, out) {
	switch m := msg.(type) {
	case surveyedMsg:
		return d.filled(), out{}
	case decidedMsg:
		if m.err != nil {
			d.done = nil // it is still to be settled
		}
		return d.filled(), out{}
	case undoneMsg:
		d.done = nil
		return d.filled(), out{}
	case confrontedMsg:
		return d.read(m)
	case wheelMsg:
		d.cur = d.cur.move(m.by)
	case tea.KeyPressMsg:
		return d.press(m.String())
	}
	return d, out{}
}

func (d contradictions) press(k string) (dialog, out) {
	if cur, ok := d.cur.stepped(k); ok {
		d.cur, d.asking = cur, [2]lessons.ID{}
		return d, out{}
	}
	switch k {
	case "esc", "q", "C":
		return nil, out{}
	case "u":
		return d, out{writes: []job{d.fx.undo()}}
	case "enter", "c":
		if d.cur.at < len(d.pairs) {
			p := d.pairs[d.cur.at]
			d.asking = [2]lessons.ID{p.Keep.ID, p.Lose.ID}
			return d, run(d.fx.confront(inList, p.Keep.ID, p.Lose.ID, false))
		}
	}
	return d, out{}
}

// read opens a pair, unless the person has gone on.
func (d contradictions) read(m confrontedMsg) (dialog, out) {
	pair := d.asking
	if m.on != inList || pair != m.pair {
		return d, out{}
	}
	d.asking = [2]lessons.ID{}
	if m.err != nil {
		return d.without(pair), warn("%v", m.err)
	}
	next := m.dialog()
	next.kept, next.settled = d, d.without(pair)
	return next, out{}
}

func (d contradictions) hints() []hint {
	if len(d.pairs) == 0 {
		return []hint{{key: "u", foot: "undo"}, {key: "esc", foot: "back"}}
	}
	return []hint{{key: "enter", foot: "settle it"}, {key: "j k", foot: "move"}, {key: "u", foot: "undo"}, {key: "esc", foot: "back"}}
}

func (d contradictions) view(w, h int, st style) string {
	w = min(w, 110)
	rows := max(min(len(d.pairs)*3, h-2)/3, 1)
	cur := d.cur.resize(len(d.pairs), rows) // what is in sight follows the height of this frame
	var lines []string
	for i := cur.top; i < min(cur.top+rows, len(d.pairs)); i++ {
		p := d.pairs[i]
		bar, look := "  ", st.text
		if i == cur.at {
			bar, look = st.accent.Render("▌ "), st.strong
		}
		lines = append(lines, bar+look.Render(p.Keep.Title(w-6)), bar+look.Render(p.Lose.Title(w-6)), "  "+st.faint.Render(lessons.Line(p.Contradiction.Why)))
	}
	if len(d.pairs) == 0 {
		lines = []string{"", "  " + st.faint.Render(d.none()), ""}
	}
	right := ""
	if n := len(d.pairs); n > 0 {
		right = st.faint.Render(d.cur.place(len(d.done)))
	}
	return box{title: st.accent.Render("contradictions"), right: right, on: true}.draw(lines, w, min(len(lines)+2, h), st)
}
