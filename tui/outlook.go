package tui

import (
	"context"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"learnings/index/curate"
	"learnings/index/recall"
	"learnings/lessons"
	"learnings/tui/look"
)

// An outlook is what sessions are given once the lesson of a card is approved.
type outlook struct {
	of   lessons.ID
	done bool
	recall.Prospect
}

// foreseenMsg answers foresee.
type foreseenMsg struct {
	seq   int
	ahead outlook
}

// foresee works out what approving a lesson would do, with prompts that were given in the
// session that taught it. A newer request replaces one under way.
func foresee(fx effects, seq int, l lessons.Lesson, prompts []string) job {
	fx.shared.foreseen.ask(seq)
	return func(ctx context.Context) tea.Msg {
		if !fx.shared.others.take(ctx) {
			return nil
		}
		defer fx.shared.others.giveBack()
		ctx, end, ok := fx.shared.foreseen.begin(ctx, seq)
		defer end()
		if !ok {
			return nil
		}
		l, err := curate.Approve.Preview(l, fx.Corpus.By, fx.Now())
		if err != nil {
			return nil
		}
		s := recall.Situation{Project: l.Scope.Project, Role: l.Scope.Role, TrustEdits: fx.TrustEdits, Now: fx.Now()}
		if l.Scope.Global || s.Project == "" {
			s.Project = fx.Next.Project
		}
		s.Known = recall.KnownOf(fx.Corpus.Store.State(), s.Project)
		m := foreseenMsg{seq: seq, ahead: outlook{of: l.ID, done: true}}
		if m.ahead.Prospect, err = recall.Foresee(ctx, fx.Corpus.Index, fx.Corpus.Store.Reread, l, s, fx.Next.Budget, prompts); err != nil {
			return nil // the card is good without it
		}
		slices.SortStableFunc(m.ahead.Trials, func(a, b recall.Trial) int {
			if (a.Rank > 0) != (b.Rank > 0) {
				return map[bool]int{true: -1, false: 1}[a.Rank > 0]
			}
			return a.Rank - b.Rank
		})
		return m
	}
}

// The most prompts that are tried, and how long one may be to be shown.
const (
	mostTried  = 4
	promptSize = 90
)

// prompts are what a person has asked for in a session that is short and about something,
// what is nearest to a line first. The words on the line itself are not: they are where
// the lesson comes from.
func promptsOf(said []utterance, line int) []string {
	var near []utterance
	for _, u := range said {
		text := lessons.Line(u.text)
		if u.line != line && !u.idle && len(text) <= promptSize && !recall.Idle(text) {
			near = append(near, utterance{line: u.line, text: text})
		}
	}
	slices.SortStableFunc(near, func(a, b utterance) int { return max(a.line-line, line-a.line) - max(b.line-line, line-b.line) })
	var out []string
	for _, u := range near {
		if len(out) < mostTried && !slices.Contains(out, u.text) {
			out = append(out, u.text)
		}
	}
	return out
}

// next tells what approving does.
func (c card) next(w, cut int, st *look.Style) []string {
	l := c.lesson
	if len(c.gone) > 0 {
		return field("now", "given to no session: ‹approve a› says that it is still true, without what is gone; ‹edit-line i› rewords it, ‹archive z› archives it", w, st.Text, st)
	}
	if l.Status != lessons.Pending {
		return field("now", string(l.Status), w, st.Text, st)
	}
	where := "in " + lessons.Line(l.Scope.Project)
	if l.Scope.Global || l.Scope.Project == "" {
		where = "in every project"
		if l.Scope.Project != "" {
			where += " (learned in " + lessons.Line(l.Scope.Project) + ")"
		}
	}
	if l.Scope.Role == "" && cut < cutBlanks {
		where += ", any role"
	}
	a := c.ahead
	known := a.of == l.ID && a.done
	when, cost := ", from the next session · ", tokens(l)
	if i := c.inBlock(); known && i < 0 {
		when = ", for a task that it is about · "
	} else if known {
		cost = a.Block[i].Tokens() // of its sentence alone
	}
	text := where + when + st.Strong.Render(fmt.Sprintf("+%d tokens", cost))
	if len(flags(l)) > 0 {
		text += " · asks first: type " + st.Strong.Render("yes")
	}
	if !known {
		return inked("approve", text, w, st.OK.Bold(), st.Text)
	}
	places := counted(len(a.Block), "lesson") + " at the start"
	if tight := text + st.Dim.Render("   "+places); cut >= cutBlanks {
		if cellsOf(tight) <= w-label {
			text = tight
		}
		return inked("approve", text, w, st.OK.Bold(), st.Text)
	}
	lines := inked("approve", text, w, st.OK.Bold(), st.Text)
	of := fmt.Sprintf(" of %s tokens, ", grouped(a.Budget.Tokens)) + places
	long := max(6, min(w-label-cellsOf(of)-len(grouped(a.Tokens))-1, 20))
	meter := st.Bar(float64(a.Tokens)/float64(a.Budget.Tokens), long, st.OK) + " " + grouped(a.Tokens)
	return append(lines, inked("", meter+st.Dim.Render(of), w, st.Dim, st.Text)...)
}

// inBlock is where the lesson stands in what a session begins with, whatever its task is;
// -1 for nowhere.
func (c card) inBlock() int {
	return slices.IndexFunc(c.ahead.Block, func(o recall.Choice) bool { return o.Lesson.ID == c.lesson.ID })
}

// brought says which prompts bring the lesson up; nothing where nobody knows.
func (c card) brought(w, cut int, st *look.Style) []string {
	a := c.ahead
	if a.of != c.lesson.ID || len(a.Trials) == 0 || len(c.gone) > 0 {
		return nil
	}
	most := 3
	if cut >= cutBlanks {
		most = 1
	}
	var lines []string
	missed := 0
	for _, t := range a.Trials {
		name, begins, says := "", "comes up for “", ": "+nth(t.Rank)+" of "+lessonsOf(t.Of)
		switch {
		case t.Rank == 0:
			if missed++; missed > 1 || len(lines) == 0 {
				continue // one says enough, and where none brings it up there is nothing to say
			}
			begins, says = "not for “", ": "+lessons.Line(t.Why)
		case t.Of == 1:
			says = ": the only one"
		}
		if len(lines) == 0 {
			name = "prompt"
		}
		says = look.Sentence(says, max(w-label-14, 8))
		room := w - label - cellsOf(begins) - 1
		if cut >= cutBlanks || cellsOf(says) < label*3 {
			room -= cellsOf(says)
		}
		prompt := look.Sentence(lessons.Line(t.Prompt), max(room, 8))
		lines = append(lines, inked(name, begins+prompt+"”"+st.Dim.Render(says), w, st.Dim, st.Text)...)
		if len(lines) >= most {
			break
		}
	}
	return lines
}

// nth is a place in an order, in words.
func nth(n int) string {
	switch {
	case n%100 >= 11 && n%100 <= 13:
	case n == 1:
		return "first"
	case n%10 == 1:
		return fmt.Sprintf("%dst", n)
	case n%10 == 2:
		return fmt.Sprintf("%dnd", n)
	case n%10 == 3:
		return fmt.Sprintf("%drd", n)
	}
	return fmt.Sprintf("%dth", n)
}

// block is what sessions of the project begin with once the lesson is approved.
func (c card) block(w int, st *look.Style) []string {
	a := c.ahead
	if a.of != c.lesson.ID || len(a.Block) == 0 || c.lesson.Status != lessons.Pending {
		return nil
	}
	where := c.lesson.Scope.Project
	if c.lesson.Scope.Global || where == "" {
		where = "every project"
	}
	title := look.Sentence("the block of "+lessons.Line(where)+" as it would be", w-2)
	lines := []string{st.Strong.Render(title) + " " + st.Rule.Render(strings.Repeat("─", max(w-cellsOf(title)-1, 0))), ""}
	for i, o := range a.Block {
		mine := o.Lesson.ID == c.lesson.ID
		cost := fmt.Sprintf("%5d", o.Tokens())
		text := look.Sentence(lessons.Line(cutTo(o.Lesson.Content, shown)), max(w-6-len(cost)-1, 8))
		edge, ink := " ", st.Text
		if mine {
			edge, ink = st.OK.Render(look.Cursor), st.OK.Bold()
		}
		lines = append(lines, ends(edge+st.Dim.Render(fmt.Sprintf("%3d", i+1))+"  "+ink.Render(text), st.Dim.Render(cost), w))
	}
	if c.inBlock() < 0 {
		lines = append(lines, "      "+st.Dim.Render("the new one comes in when a task is about it"))
	}
	return lines
}
