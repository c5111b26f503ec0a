package card

import (
	"fmt"
	"slices"
	"strings"

	"learnings/index/recall"
	"learnings/lessons"
	"learnings/tui/kit"
	"learnings/tui/look"
)

// An Outlook is what sessions get once the lesson of a card is approved.
type Outlook struct {
	Of   lessons.ID
	Done bool
	recall.Prospect
}

// next draws the effect of approving.
func (c Card) next(w, cut int, st *look.Style) []string {
	l := c.Lesson
	if len(c.Gone) > 0 {
		return kit.Fact("now", "given to no session: a says that it is still true, without what is gone; i rewords it, z archives it", w, st.Text, st)
	}
	if l.Status != lessons.Pending {
		return kit.Fact("now", string(l.Status), w, st.Text, st)
	}
	where := "in " + st.Place.Render(lessons.Line(l.Scope.Project))
	if l.Scope.Global || l.Scope.Project == "" {
		where = "in every project"
		if l.Scope.Project != "" {
			where += " (learned in " + lessons.Line(l.Scope.Project) + ")"
		}
	}
	if l.Scope.Role == "" && cut < cutBlanks {
		where += ", any role"
	}
	a := c.Ahead
	known := a.Of == l.ID && a.Done
	when, cost := ", from the next session · ", Tokens(l)
	if i := c.inBlock(); known && i < 0 {
		when = ", for a task that it is about · "
	} else if known {
		cost = a.Block[i].Tokens() // of its sentence only
	}
	text := where + when + st.Strong.Render(fmt.Sprintf("+%d tokens", cost))
	if len(Flags(l)) > 0 {
		text += " · asks first: type " + st.Strong.Render("yes")
	}
	return kit.InkedFact("approve", text, w, st.OK.Bold(), look.Ink{})
}

// inBlock returns the lesson's index in the block that every session begins with, -1 if
// it is not in it.
func (c Card) inBlock() int {
	return slices.IndexFunc(c.Ahead.Block, func(o recall.Choice) bool { return o.Lesson.ID == c.Lesson.ID })
}

// brought draws which prompts bring up the lesson, nothing if that is unknown.
func (c Card) brought(w, cut int, st *look.Style) []string {
	a := c.Ahead
	if a.Of != c.Lesson.ID || len(a.Trials) == 0 || len(c.Gone) > 0 {
		return nil
	}
	most := 3
	if cut >= cutBlanks {
		most = 1
	}
	var lines []string
	missed := 0
	for _, t := range a.Trials {
		name, begins, says := "", "comes up for “", ": "+nth(t.Rank)+" of "+kit.LessonsOf(t.Of)
		switch {
		case t.Rank == 0:
			if missed++; missed > 1 || len(lines) == 0 {
				continue // one example is enough
			}
			begins, says = "not for “", ": "+lessons.Line(t.Why)
		case t.Of == 1:
			says = ": the only one"
		}
		if len(lines) == 0 {
			name = "prompt"
		}
		says = look.Sentence(says, max(w-kit.GutterW-14, 8))
		room := w - kit.GutterW - kit.CellsOf(begins) - 1
		if cut >= cutBlanks || kit.CellsOf(says) < kit.GutterW*3 {
			room -= kit.CellsOf(says)
		}
		prompt := look.Sentence(lessons.Line(t.Prompt), max(room, 8))
		lines = append(lines, kit.InkedFact(name, begins+prompt+"”"+st.Dim.Render(says), w, st.Dim, st.Text)...)
		if len(lines) >= most {
			break
		}
	}
	return lines
}

// nth formats an ordinal in words.
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

// block draws what sessions of the project begin with once the lesson is approved.
func (c Card) block(w int, st *look.Style) []string {
	a := c.Ahead
	if a.Of != c.Lesson.ID || len(a.Block) < 2 || c.Lesson.Status != lessons.Pending {
		return nil
	}
	where := c.Lesson.Scope.Project
	if c.Lesson.Scope.Global || where == "" {
		where = "every project"
	}
	of := fmt.Sprintf(" %s of %s tokens", kit.Grouped(a.Tokens), kit.Grouped(a.Budget.Tokens))
	meter := st.Bar(float64(a.Tokens)/float64(a.Budget.Tokens), 12, st.OK) + st.Dim.Render(of)
	title := look.Sentence("how sessions of "+lessons.Line(where)+" begin then", max(w-kit.CellsOf(meter)-4, 8))
	fill := max(w-kit.CellsOf(title)-kit.CellsOf(meter)-2, 1)
	lines := []string{kit.Ends(st.Strong.Render(title)+" "+st.Rule.Render(strings.Repeat("─", fill)), " "+meter, w), ""}
	for i, o := range a.Block {
		mine := o.Lesson.ID == c.Lesson.ID
		cost := fmt.Sprintf("%5d", o.Tokens())
		text := look.Sentence(lessons.Line(kit.CutTo(o.Lesson.Content, kit.MostShown)), max(w-6-len(cost)-1, 8))
		edge, ink := " ", st.Text
		if mine {
			edge, ink = st.OK.Render(look.Cursor), st.OK.Bold()
		}
		lines = append(lines, kit.Ends(edge+st.Dim.Render(fmt.Sprintf("%3d", i+1))+"  "+ink.Render(text), st.Dim.Render(cost), w))
	}
	if c.inBlock() < 0 {
		lines = append(lines, "      "+st.Dim.Render("the new one comes in when a task is about it"))
	}
	return lines
}

// AsGiven draws the lesson as a session gets it.
func AsGiven(l lessons.Lesson, w int) []string {
	l.Status = lessons.Approved
	var b strings.Builder
	if err := recall.Write(&b, []recall.Choice{{Lesson: l, In: true}}, recall.Style{}); err != nil {
		return nil
	}
	_, text, _ := strings.Cut(b.String(), "\n- ")
	text, _, _ = strings.Cut(text, "</learnings-context>")
	return kit.Paragraph("- "+text, max(w, 1), look.Ink{})
}
