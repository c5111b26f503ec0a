package browse

import (
	"context"

	"learnings/index/curate"
	"learnings/lessons"
	"learnings/tui/desk"
	"learnings/tui/kit"
	"learnings/tui/look"
)

// openGuard switches the guard of a lesson on or off. It first shows what the guard stops
// and would have stopped.
func openGuard(fx desk.Desk, l lessons.Lesson) kit.Out {
	set := func(g lessons.Guard) func(kit.Text) (kit.Dialog, kit.Out) {
		return func(kit.Text) (kit.Dialog, kit.Out) {
			return nil, kit.Out{Answer: desk.DecideMsg{Action: curate.Guard(g), Chosen: desk.Only(l), Sure: true}}
		}
	}
	page := func(more func(w int, st *look.Style) []string, keys ...kit.TextKey) kit.Text {
		if !l.Guard.IsZero() {
			keys = append(keys, kit.TextKey{Keys: []string{"o"}, Foot: "take the guard off", Do: set(lessons.Guard{})})
		}
		return kit.Text{Title: "guard: stop calls that break this rule", W: 96, Roomy: true, Leave: "leave it", Keys: keys, Lines: func(w int, st *look.Style) []string {
			return append(append(kit.Paragraph(l.Content, w, st.Strong), ""), more(w, st)...)
		}}
	}
	wait := page(func(_ int, st *look.Style) []string {
		return []string{st.Dim.Render("Looking at what it forbids, and at past sessions…")}
	})
	return kit.Await(wait, func(ctx context.Context) (desk.GuardPlan, error) { return fx.Guard(ctx, l) }, func(plan desk.GuardPlan, err error) (kit.Dialog, kit.Out) {
		if err != nil {
			return page(func(w int, st *look.Style) []string {
				lines := append(kit.Paragraph(lessons.Line(err.Error()), w, st.Bad), "")
				return append(lines, kit.Paragraph("What it forbids can be given: learnings guard "+string(l.ID)+" --command 'npm install', --flag --force or --path 'gen/**'", w, st.Dim)...)
			}), kit.Out{}
		}
		asks, denies := plan.Guard, plan.Guard
		asks.Deny, denies.Deny = false, true
		return page(func(w int, st *look.Style) []string { return guardLines(l, plan, w, st) },
			kit.TextKey{Keys: []string{"enter"}, Foot: "ask before such a call", Do: set(asks)},
			kit.TextKey{Keys: []string{"d"}, Foot: "deny it", Do: set(denies)}), kit.Out{}
	})
}

// guardLines say what a guard stops, and whether it is on.
func guardLines(l lessons.Lesson, plan desk.GuardPlan, w int, st *look.Style) []string {
	lines := kit.Fact("stops", lessons.Line(plan.Stops), w, st.Warn, st)
	lines = append(lines, kit.Fact("trial", lessons.Line(plan.Trial), w, st.Text, st)...)
	for _, e := range plan.Examples {
		lines = append(lines, kit.Fact("", kit.Fit(lessons.Line(e), max(w-kit.GutterW, 1)), w, st.Dim, st)...)
	}
	now := "on: it asks the person"
	switch {
	case l.Guard.IsZero():
		now = "off: agents are told the rule, and may break it"
	case l.Unguarded() != "":
		now = "off: " + l.Unguarded()
	case l.Guard.Deny:
		now = "on: it denies the call"
	}
	return append(lines, kit.Fact("now", now, w, st.Text, st)...)
}

// guardKeys switch the guard of the current lesson.
func guardKeys(g string) kit.Binds[Pane] {
	return kit.Binds[Pane]{{Key: kit.Keyed("guard", "!", "guard: have calls stopped that break this rule", "!"), Group: g, Off: func(p Pane) string {
		switch l, ok := p.Current(); {
		case p.fx.Guard == nil:
			return "guards are for your own lessons"
		case ok && l.Status != lessons.Approved:
			return "only an approved lesson can be guarded"
		}
		return anyLesson(p)
	}, Do: desk.OnLesson(func(p Pane, l lessons.Lesson) kit.Out { return openGuard(p.fx, l) })}}
}
