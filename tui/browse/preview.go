package browse

import (
	"fmt"
	"strings"
	"time"

	"learnings/index"
	"learnings/lessons"
	"learnings/lessons/pairs"
	"learnings/tui/card"
	"learnings/tui/desk"
	"learnings/tui/kit"
	"learnings/tui/look"
)

// A preview is a lesson drawn from Markdown.
type preview struct {
	lesson  lessons.Lesson
	whole   bool // the lesson was read from its file
	like    []index.Hit
	against []pairs.Contrary
	doubts  []lessons.Doubt
	places  []string // where it is published
	guard   string   // what it stops
	err     error
	top     int
}

// opened takes an answer of open. Values that depend on age are as of now.
func (p preview) opened(m desk.Opened, now time.Time) preview {
	if p.err = m.Err; m.Err == nil {
		p.lesson, p.whole, p.like, p.against, p.places = m.Lesson, true, m.Similar, m.Against, m.Places
		p.guard = m.Guard
		p.doubts = append(m.Gone, m.Lesson.Doubts(now, false)...)
	}
	return p
}

// column draws the preview beside or below the list.
func (p preview) column(c columns, st *look.Style) kit.Column {
	col := kit.Column{W: c.pw, H: c.ph}
	if !c.stacked {
		col.H = c.lh
	}
	lines := p.lines(c.pw-2, st)
	col.Lines = kit.Indented(kit.Clip(lines, p.top, c.ph))
	col.More = max(len(lines)-p.top-c.ph, 0)
	if p.lesson.ID != "" {
		col.Title, col.Right = card.Title(p.lesson, st), p.mood(st)
	}
	return col
}

// lines draws the whole preview.
func (p preview) lines(w int, st *look.Style) []string {
	l := p.lesson
	switch {
	case l.ID == "":
		return nil
	case p.err != nil:
		return kit.Paragraph(p.err.Error(), w, st.Bad)
	}
	lines := append(card.Sentence(l, w, st), "")
	if p.whole {
		if more := card.Explained(l, w, st); len(more) > 0 {
			lines = append(append(lines, more...), "")
		}
		lines = append(append(lines, card.Card{Lesson: l}.Evidence(w, card.CutNothing, st)...), p.facts(w, st)...)
	}
	return lines
}

// mood draws status and confidence.
func (p preview) mood(st *look.Style) string {
	look := map[lessons.Status]func(...string) string{
		lessons.Approved: st.OK.Render, lessons.Pending: st.Warn.Render, lessons.Rejected: st.Bad.Render,
	}[p.lesson.Status]
	if look == nil {
		look = st.Dim.Render
	}
	return look(string(p.lesson.Status)) + st.Dim.Render(" "+p.lesson.Trust())
}

// facts draws the numbers and dates of a lesson.
func (p preview) facts(w int, st *look.Style) []string {
	l := p.lesson
	lines := []string{""}
	add := func(name, text string) {
		if text != "" {
			lines = append(lines, kit.Fact(name, lessons.Line(text), w, st.Dim, st)...)
		}
	}
	if l.Outside {
		add("outside", "another program wrote or changed it, or decided on it: a confirms it, H shows what it was")
	}
	add("tags", strings.Join(l.Tags, ", "))
	if len(l.Triggers) > 0 {
		add("shows", "when one of these comes up: "+strings.Join(l.Triggers, ", "))
	}
	add("holds", l.Limit.String())
	add("from", l.Imported())
	add("why", l.Why())
	add("guarded", p.guard)
	add("listed", strings.Join(p.places, ", "))
	if l.Decided.By != "" {
		add("decided", strings.TrimSpace(l.Decided.At.Local().Format(kit.Day)+" by "+l.Decided.By+" "+l.Decided.Reason))
	}
	if l.Decided.Into != "" {
		add("into", string(l.Decided.Into))
	}
	used := ""
	if l.Use.Used > 0 {
		used = fmt.Sprintf("given to sessions %s, last %s", kit.Counted(l.Use.Used, "time"), l.Use.Last.Local().Format(kit.Day))
	}
	add("used", used)
	add("proof", card.Proof(l))
	lines = append(lines, card.Contraries(l, p.against, w, st)...)
	if l.Status != lessons.Pending {
		lines = append(lines, card.Wording(l, w, st)...)
	}
	for _, d := range p.doubts {
		lines = append(lines, kit.Fact("! look", lessons.Line(d.Says), w, st.Warn, st)...)
	}
	add("id", string(l.ID)+" · made "+l.Created.Local().Format(kit.Day))
	return lines
}
