package browse

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"learnings/index/curate"
	"learnings/lessons"
	"learnings/tui/desk"
	"learnings/tui/kit"
	"learnings/tui/look"
)

// A guarding switches the guard of a lesson on or off, after it was shown what it stops
// and what it would have stopped.
type guarding struct {
	fx     desk.Desk
	lesson lessons.Lesson
	plan   desk.GuardPlan
	done   bool // plan or err is there
	err    error
	kit.Scroll
}

// guardPlannedMsg is what a guard would be.
type guardPlannedMsg struct {
	id   lessons.ID
	plan desk.GuardPlan
	err  error
}

// openGuard opens the question for a lesson.
func openGuard(fx desk.Desk, l lessons.Lesson) kit.Out {
	return kit.Ask(guarding{fx: fx, lesson: l}).And(kit.Run(func(ctx context.Context) tea.Msg {
		plan, err := fx.Guard(ctx, l)
		return guardPlannedMsg{id: l.ID, plan: plan, err: err}
	}))
}

func (d guarding) Update(msg tea.Msg) (kit.Dialog, kit.Out) {
	switch m := msg.(type) {
	case kit.RoomMsg:
		d.RoomMsg = m
	case guardPlannedMsg:
		if m.id == d.lesson.ID {
			d.plan, d.err, d.done = m.plan, m.err, true
		}
	case tea.KeyPressMsg:
		switch k := m.String(); {
		case k == "esc" || k == "q":
			return nil, kit.Out{}
		case k == "o" && !d.lesson.Guard.IsZero():
			return d.answer(lessons.Guard{})
		case (k == "enter" || k == "d") && d.done && d.err == nil:
			g := d.plan.Guard
			g.Deny = k == "d"
			return d.answer(g)
		}
	}
	if d.W > 0 {
		d.Scroll = d.By(kit.Scrolling(msg, d.H-2), len(d.lines(min(d.W, guardW), kit.Unseen)), d.H-2)
	}
	return d, kit.Out{}
}

// guardW is how wide the dialog gets, with its frame.
const guardW = 96

func (d guarding) answer(g lessons.Guard) (kit.Dialog, kit.Out) {
	return nil, kit.Out{Answer: desk.DecideMsg{Action: curate.Guard(g), Chosen: desk.Only(d.lesson), Sure: true}}
}

// lines are what the dialog says, for a frame of w cells.
func (d guarding) lines(w int, st *look.Style) []string {
	w -= 6
	lines := append(kit.Paragraph(d.lesson.Content, w, st.Strong), "")
	switch {
	case !d.done:
		return append(lines, st.Dim.Render("Looking at what it forbids, and at past sessions…"))
	case d.err != nil:
		lines = append(lines, kit.Paragraph(lessons.Line(d.err.Error()), w, st.Bad)...)
		return append(append(lines, ""), kit.Paragraph("What it forbids can be given: learnings guard "+string(d.lesson.ID)+" --command 'npm install', --flag --force or --path 'gen/**'", w, st.Dim)...)
	}
	lines = append(lines, kit.Fact("stops", lessons.Line(d.plan.Stops), w, st.Warn, st)...)
	lines = append(lines, kit.Fact("trial", lessons.Line(d.plan.Trial), w, st.Text, st)...)
	for _, e := range d.plan.Examples {
		lines = append(lines, kit.Fact("", kit.Fit(lessons.Line(e), max(w-kit.GutterW, 1)), w, st.Dim, st)...)
	}
	now := "off: agents are told the rule, and may break it"
	if !d.lesson.Guard.IsZero() {
		now = "on: it asks the person"
		if d.lesson.Guard.Deny {
			now = "on: it denies the call"
		}
		if why := d.lesson.Unguarded(); why != "" {
			now = "off: " + why
		}
	}
	return append(lines, kit.Fact("now", now, w, st.Text, st)...)
}

func (d guarding) View(w, h int, st *look.Style) string {
	w = min(w, guardW)
	lines := append(append([]string{""}, kit.Indented(kit.Indented(d.lines(w, st)))...), "")
	h = min(len(lines)+2, h)
	return kit.Box{Title: st.Accent.Render("guard: stop calls that break this rule"), On: true}.Draw(kit.Clip(lines, d.Top, h-2), w, h, st)
}

func (d guarding) Hints() []kit.Hint {
	var all []kit.Hint
	if d.done && d.err == nil {
		all = []kit.Hint{{Key: "enter", Foot: "ask before such a call"}, {Key: "d", Foot: "deny it"}}
	}
	if !d.lesson.Guard.IsZero() {
		all = append(all, kit.Hint{Key: "o", Foot: "take the guard off"})
	}
	return append(all, kit.Hint{Key: "esc", Foot: "leave it"})
}

// guardKeys switch the guard of the lesson that is shown.
func guardKeys(g string) kit.Binds[Pane] {
	return kit.Binds[Pane]{{Binding: kit.Keyed("!", "guard: have calls stopped that break this rule", "!"), Group: g, Off: func(p Pane) string {
		switch l, ok := p.Current(); {
		case p.fx.Guard == nil:
			return "guards are for your own lessons"
		case ok && l.Status != lessons.Approved:
			return "only an approved lesson can be guarded"
		}
		return anyLesson(p)
	}, Do: func(p Pane, _ string) (Pane, kit.Out) {
		l, _ := p.Current()
		return p, openGuard(p.fx, l)
	}}}
}
