package tui

import (
	"context"
	"fmt"
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"learnings/lessons"
	"learnings/lessons/match"
)

// clashMsg answers clash: two lessons that contradict each other, as they are.
type clashMsg struct {
	on      screen
	mine    lessons.Lesson
	other   match.Opponent
	approve bool // the person was about to approve mine
	over    bool // they no longer contradict each other
	err     error
}

func (m clashMsg) show() out {
	if m.err != nil {
		return warn("%v", m.err)
	}
	return ask(clash{mine: m.mine, other: m.other, approve: m.approve})
}

// clash reads two lessons that contradict each other.
func (fx effects) clash(on screen, mine, other lessons.ID, approve bool) job {
	return func(context.Context) tea.Msg {
		m := clashMsg{on: on, approve: approve}
		for _, r := range []struct {
			id  lessons.ID
			dst *lessons.Lesson
		}{{mine, &m.mine}, {other, &m.other.Lesson}} {
			if *r.dst, m.err = fx.desk.get(r.id); m.err != nil {
				m.err = fmt.Errorf("reading %s: %w", r.id, m.err)
				return m
			}
		}
		var ok bool
		m.other.Conflict, ok = match.Conflicts(m.mine, m.other.Lesson)
		if m.over = !ok || approve && m.other.Lesson.Status != lessons.Approved; m.over {
			m.err = fmt.Errorf("%s and %s no longer contradict each other", mine, other)
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
type clash struct {
	mine    lessons.Lesson
	other   match.Opponent
	approve bool // the person was about to approve mine
	in      textinput.Model
	typing  bool // when each of them holds
	top     int
}

func (d clash) update(msg tea.Msg) (dialog, out) {
	if d.typing {
		return d.typed(msg)
	}
	if m, ok := msg.(wheelMsg); ok {
		d.top = max(d.top+m.by, 0)
	}
	k, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return d, out{}
	}
	switch k.String() {
	case "esc", "q":
		return nil, say("nothing was settled")
	case "1":
		return d.keep(true)
	case "2":
		return d.keep(false)
	case "y":
		mine, _ := match.Prefer(d.mine, d.other.Lesson)
		return d.keep(mine)
	case "b":
		d.typing, d.in = true, newField("")
	case "a":
		if d.approve {
			return nil, out{answer: sureMsg{act: approving, ls: []lessons.Lesson{d.mine}}}
		}
	case "j", "down", "pgdown", "J":
		d.top++
	case "k", "up", "pgup", "K":
		d.top = max(d.top-1, 0)
	}
	return d, out{}
}

func (d clash) typed(msg tea.Msg) (dialog, out) {
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
			return nil, out{answer: settleMsg{keep: d.mine, lose: d.other.Lesson, both: true, approve: d.approve, reason: reason}}
		}
	}
	var cmd tea.Cmd
	d.in, cmd = d.in.Update(msg)
	return d, out{cmd: cmd}
}

func (d clash) keep(mine bool) (dialog, out) {
	m := settleMsg{keep: d.mine, lose: d.other.Lesson, approve: d.approve && mine}
	if !mine {
		m.keep, m.lose = m.lose, m.keep
	}
	m.reason = d.other.Conflict.Why
	return nil, out{answer: m}
}

func (d clash) hints() []hint {
	if d.typing {
		return []hint{{key: "enter", foot: "both hold"}, {key: "esc", foot: "back"}}
	}
	hints := []hint{{key: "1", foot: "keep the left"}, {key: "2", foot: "keep the right"}, {key: "y", foot: "as proposed"}, {key: "b", foot: "both hold"}}
	if d.approve {
		hints = append(hints, hint{key: "a", foot: "approve all the same"})
	}
	return append(hints, hint{key: "esc", foot: "leave it open"})
}

func (d clash) view(w, h int, st style) string {
	w = min(w, 120)
	bottom := d.choices(w-4, st)
	bh := len(bottom) + 2
	th := max(min(h-bh, 18), 5)
	var top string
	if w >= 60 {
		top = beside(d.side(d.mine, "1", d.other.Conflict.A, w/2, th, st), d.side(d.other.Lesson, "2", d.other.Conflict.B, w-w/2, th, st))
	} else {
		th = max(th/2, 4)
		top = d.side(d.mine, "1", d.other.Conflict.A, w, th, st) + "\n" + d.side(d.other.Lesson, "2", d.other.Conflict.B, w, th, st)
	}
	return top + "\n" + box{title: st.accent.Render("they contradict each other"), on: true}.draw(indented(bottom), w, bh, st)
}

// side draws one of the two, with the words that oppose the other's.
func (d clash) side(l lessons.Lesson, key string, at match.Passage, w, h int, st style) string {
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
	title := st.accent.Render(key) + st.faint.Render(fmt.Sprintf(" %s · %s · %.2f", l.ID, l.Status, float64(l.Confidence)))
	if p := proof(l); p != "" {
		title += st.faint.Render(" · " + lessons.Line(p))
	}
	return box{title: title}.draw(indented(clip(lines, d.top, h-2)), w, h, st)
}

func (d clash) choices(w int, st style) []string {
	if d.typing {
		return []string{st.faint.Render("When does each of them hold? It is kept with both, and they are not shown against each other again."), st.accent.Render("› ") + fieldView(d.in, w-4)}
	}
	lines := field("Why", lessons.Line(d.other.Conflict.Why), w, st.text, st)
	mine, because := match.Prefer(d.mine, d.other.Lesson)
	n, first := "2", "the right one"
	if mine {
		n, first = "1", "the left one"
	}
	lines = append(lines, field("Proposed", fmt.Sprintf("%s keeps %s, because it is %s", n, first, because), w, st.text, st)...)
	gone := "the other is archived (a proposal: rejected) and says what took its place"
	if d.approve {
		gone = "1 approves it too; " + gone
	}
	return append(lines, field("Next", gone+"; u takes it back", w, st.faint, st)...)
}

// clashes lists the contradictions of the corpus, to be settled one by one.
type clashes struct {
	fx    effects
	on    screen
	pairs []match.Opposition
	cur   list
	yet   bool // nobody has looked yet
}

func newClashes(fx effects, on screen) clashes { return clashes{fx: fx, on: on}.filled() }

// filled takes what the last survey has found.
func (d clashes) filled() clashes {
	s := d.fx.shared.survey.Load()
	if d.yet = s == nil; s != nil {
		d.pairs = s.pairs
	}
	d.cur = d.cur.resize(len(d.pairs), 1)
	return d
}

func (d clashes) none() string {
	if d.yet {
		return "comparing all lessons…"
	}
	return "no two lessons contradict each other"
}

func (d clashes) update(msg tea.Msg) (dialog, out) {
	if _, ok := msg.(surveyedMsg); ok {
		return d.filled(), out{}
	}
	if m, ok := msg.(wheelMsg); ok {
		d.cur = d.cur.move(m.by)
	}
	k, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return d, out{}
	}
	if cur, ok := d.cur.stepped(k.String()); ok {
		d.cur = cur
		return d, out{}
	}
	switch k.String() {
	case "esc", "q", "C":
		return nil, out{}
	case "enter", "c":
		if d.cur.at < len(d.pairs) {
			p := d.pairs[d.cur.at]
			return nil, run(d.fx.clash(d.on, p.Keep.ID, p.Lose.ID, false))
		}
	}
	return d, out{}
}

func (d clashes) hints() []hint {
	return []hint{{key: "j k", foot: "move"}, {key: "enter", foot: "settle it"}, {key: "esc", foot: "back"}}
}

func (d clashes) view(w, h int, st style) string {
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
		lines = append(lines, bar+look.Render(p.Keep.Title(w-6)), bar+look.Render(p.Lose.Title(w-6)), "  "+st.faint.Render(lessons.Line(p.Conflict.Why)))
	}
	if len(d.pairs) == 0 {
		lines = []string{"", "  " + st.faint.Render(d.none()), ""}
	}
	right := ""
	if n := len(d.pairs); n > 0 {
		right = st.faint.Render(fmt.Sprintf("%d/%d", cur.at+1, n))
	}
	return box{title: st.accent.Render("contradictions"), right: right, on: true}.draw(lines, w, min(len(lines)+2, h), st)
}
