package tui

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"learnings/extractor/transcript"
	"learnings/index"
	"learnings/lessons"
	"learnings/tui/card"
	"learnings/tui/kit"
	"learnings/tui/look"
)

// This file is about the turns around the evidence of a proposal, beside its card.

// nearby are the turns around the first piece of evidence.
type nearby struct {
	of      lessons.ID
	session string // from which the first piece of evidence is
	done    bool
	err     error // the file cannot be read: what the lesson has kept is shown
	turns   []transcript.Turn
	items   []item
	from    int // the number of the first turn in the session, from 1
	total   int // turns of the session, where all were read; else 0
	said    []utterance
	other   map[int]sibling // what else was learned, by its line
	page    *nearPage
}

// A sibling is another lesson of the session.
type sibling struct {
	id     lessons.ID
	status lessons.Status
}

// A nearPage keeps the lines as they were last drawn. What it holds follows from the
// turns, the width and the style.
type nearPage struct {
	w     int
	look  string
	lines []string
	at    int // the first line of the evidence
}

// How much is read of a session for its card: what a tall column shows, and no more than
// a person waits for.
const (
	nearBefore = 40
	nearAfter  = 90
	nearBytes  = 64 << 20
)

// nearMsg answers readNear.
type nearMsg struct {
	seq  int
	near nearby
}

// First is what the person asked for first in the session; "" while nobody knows.
func (n nearby) First() string { return firstAsked(n.said) }

// Here is what was said in the turn from which a piece of evidence of a lesson is; ""
// while that is not known.
func (n nearby) Here(of lessons.ID, e lessons.Evidence) string {
	i := slices.IndexFunc(n.items, func(it item) bool { return it.here })
	if n.of != of || i < 0 || n.turns[n.items[i].from].Line != e.Line || e.Session != n.session {
		return ""
	}
	return lessons.Line(kit.CutTo(spoken(n.turns[n.items[i].from]), 8*kit.MostShown))
}

// readNear reads the turns around the evidence of a lesson, and what else was learned
// there. A newer request replaces one under way.
func readNear(fx effects, seq int, l lessons.Lesson) kit.Job {
	fx.shared.near.ask(seq)
	return func(ctx context.Context) tea.Msg {
		if !fx.shared.near.is(seq) {
			return nil
		}
		n := nearby{of: l.ID, done: true, page: &nearPage{}}
		if len(l.Evidence) > 0 {
			e := l.Evidence[0]
			n.session = e.Session
			if n.err = n.read(ctx, e); n.err == nil {
				n.other = siblings(ctx, fx, l.ID, e)
			}
		}
		if ctx.Err() != nil {
			return nil
		}
		return nearMsg{seq, n}
	}
}

// read reads the turns around a piece of evidence.
func (n *nearby) read(ctx context.Context, e lessons.Evidence) error {
	if e.Line == 0 {
		return fmt.Errorf("the evidence names no line")
	}
	f, file, err := transcript.Open(e.Path)
	if err != nil {
		return err
	}
	defer f.Close()
	if file.Size > nearBytes {
		return fmt.Errorf("the transcript has %s; o reads it", size(file.Size))
	}
	var p part
	all, after := 0, 0
	r := transcript.NewReader(f, file.Format, file.Options())
	for t, err := range r.Turns() {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil || t.Kind == transcript.Notice || t.Kind == transcript.Thinking {
			continue
		}
		if after > nearAfter {
			all = 0
			break
		}
		all++
		if t.Line > e.Line {
			after++
		}
		p.tell(t)
		p.turns = append(p.turns, t)
		if t.Line < e.Line && len(p.turns) > 2*nearBefore {
			p.before += len(p.turns) - nearBefore
			p.turns = append(p.turns[:0:0], p.turns[len(p.turns)-nearBefore:]...)
		}
	}
	if len(p.turns) == 0 {
		return fmt.Errorf("the transcript has no turns")
	}
	n.turns, n.said, n.from, n.total = p.turns, p.said, p.before+1, all
	n.items = p.items(p.turnAt(e.Line))
	return nil
}

// siblings are the lessons that the session has taught besides one.
func siblings(ctx context.Context, fx effects, but lessons.ID, e lessons.Evidence) map[int]sibling {
	if e.Session == "" || !fx.shared.others.take(ctx) {
		return nil
	}
	defer fx.shared.others.giveBack()
	page, err := fx.look.Search(ctx, index.Query{Now: fx.Now(), Unjudged: true, Limit: 40}.Where(index.Session, e.Session))
	if err != nil {
		return nil // one reads without it
	}
	out := map[int]sibling{}
	for _, h := range page.Hits {
		for _, o := range h.Lesson.Evidence {
			if h.Lesson.ID != but && o.Session == e.Session && o.Line != e.Line {
				out[o.Line] = sibling{h.Lesson.ID, h.Lesson.Status}
			}
		}
	}
	return out
}

// beside are the turns around the evidence of a card, and the first of their lines that is
// in sight: the evidence stands a third down.
func (n nearby) beside(c card.Card, w, h int, st *look.Style) (lines []string, from int) {
	lines, at := n.laid(c, w, st)
	return lines, max(0, min(at-h/3, len(lines)-h))
}

// title says which turns these are.
func (n nearby) title(st *look.Style) string {
	s := st.Strong.Render("around it")
	switch {
	case !n.done:
		return s + st.Dim.Render(" · reading…")
	case n.err != nil || len(n.turns) == 0:
		return s + st.Dim.Render(" · as the lesson has kept it")
	case n.total > 0:
		return s + st.Dim.Render(fmt.Sprintf(" · turns %s–%s of %s", kit.Grouped(n.from), kit.Grouped(n.from+len(n.turns)-1), kit.Grouped(n.total)))
	}
	return s + st.Dim.Render(fmt.Sprintf(" · turns %s–%s", kit.Grouped(n.from), kit.Grouped(n.from+len(n.turns)-1)))
}

// laid are the turns as lines at a width, and at which of them the evidence begins.
func (n nearby) laid(c card.Card, w int, st *look.Style) (lines []string, at int) {
	if n.page == nil {
		return nil, 0
	}
	p := n.page
	if p.w != w || p.look != st.Name || p.lines == nil {
		*p = nearPage{w: w, look: st.Name}
		if n.err != nil || len(n.turns) == 0 {
			p.lines = n.kept(c, w, st)
		} else {
			p.lines, p.at = n.lines(c, w, st)
		}
	}
	return p.lines, p.at
}

// kept is what the lesson itself has of the turns around its evidence.
func (n nearby) kept(c card.Card, w int, st *look.Style) []string {
	var lines []string
	for _, e := range c.Lesson.Evidence {
		if len(lines) > 0 {
			lines = append(lines, "")
		}
		for _, t := range e.Before {
			who, text := card.SpeakerOf(t)
			lines = append(lines, card.Spoke(who, text, 12, w, st)...)
		}
		lines = append(lines, evident(c, card.Spoke(string(e.By), e.Quote, 40, w, st), e.Quote, w, st)...)
		for _, t := range e.After {
			who, text := card.SpeakerOf(t)
			lines = append(lines, card.Spoke(who, text, 12, w, st)...)
		}
	}
	if n.err != nil {
		lines = append(append(lines, ""), kit.InkedFact("", "The transcript is gone or cannot be read: o says why.", w, st.Dim, st.Dim)...)
	}
	return lines
}

// evident draws the lines of the evidence as such.
func evident(c card.Card, lines []string, quote string, w int, st *look.Style) []string {
	words := card.InBoth(quote, c.Lesson.Content)
	out := []string{kit.Ends("", st.Person.Render(look.Pinned)+st.Dim.Render(" this lesson"), w)}
	for _, l := range lines {
		out = append(out, st.Select(kit.Fit(card.Bold(l, words, st), w)))
	}
	return out
}

// How many lines a turn has beside a card.
const (
	nearAgent  = 5
	nearPerson = 8
	nearQuote  = 16
)

// lines draws the turns.
func (n nearby) lines(c card.Card, w int, st *look.Style) (lines []string, at int) {
	for i, it := range n.items {
		t := n.turns[it.from]
		if it.calls == nil && strings.TrimSpace(t.Text) == "" && t.Kind != transcript.Command && t.Kind != transcript.Interrupt && !it.here {
			continue
		}
		person := t.Speaker == transcript.Person && it.calls == nil
		if person && i > 0 && len(lines) > 0 && lines[len(lines)-1] != "" {
			lines = append(lines, "")
		}
		if o, ok := n.other[t.Line]; ok && !it.here {
			lines = append(lines, kit.Ends("", st.Dim.Render("◇ another, "+string(o.status)), w))
		}
		var own []string
		switch {
		case it.calls != nil:
			own = n.tools(it, w, st)
		case person:
			most := nearPerson
			if it.here {
				most = nearQuote
			}
			text := spoken(t)
			if it.here {
				text = nearQuoted(text, c.Lesson.Evidence[0].Quote, most*(w-kit.GutterW))
			}
			own = card.Spoke("person", text, most, w, st)
		case t.Speaker == transcript.Harness:
			own = card.Spoke("harness", spoken(t), 1, w, st)
		default:
			own = uttered("agent", st.Agent, spoken(t), nearAgent, w, st)
		}
		if it.here {
			at = len(lines)
			own = evident(c, own, cmp.Or(spoken(t), c.Lesson.Evidence[0].Quote), w, st)
		}
		lines = append(lines, own...)
	}
	return lines, at
}

// nearQuoted is a text from where what is quoted of it comes in sight within n letters.
func nearQuoted(text, quote string, n int) string {
	text = lessons.Line(kit.CutTo(text, 8*kit.MostShown))
	from, to, ok := kit.Within(text, quote)
	if !ok || to <= n*3/4 {
		return text
	}
	head := kit.LastWords(strings.TrimSpace(text[:from]), n/3)
	return "… " + head + " " + text[from:]
}

// uttered is what somebody said in the colour of text.
func uttered(who string, name look.Ink, text string, most, w int, st *look.Style) []string {
	all := look.Lines(card.Unmarked.Replace(lessons.Line(kit.CutTo(text, kit.MostShown))), max(w-kit.GutterW, 1), most)
	for i, l := range all {
		if i > 0 {
			who = ""
		}
		all[i] = kit.Gutter(who, kit.GutterW, name) + st.Text.Render(l)
	}
	return all
}

// tools are calls on one line: which, how often, and how many failed.
func (n nearby) tools(it item, w int, st *look.Style) []string {
	var names []string
	times := map[string]int{}
	first, failed := "", 0
	for _, c := range it.calls {
		name, about := toolOf(n.turns[c.asked])
		if times[name]++; times[name] == 1 {
			names = append(names, name)
		}
		first = cmp.Or(first, about)
		if n.turns[c.asked].Failed || c.answer >= 0 && n.turns[c.answer].Failed {
			failed++
		}
	}
	slices.Sort(names)
	for k, name := range names {
		if times[name] > 1 {
			names[k] += fmt.Sprintf(" ×%d", times[name])
		}
	}
	sign, ink, tail := "▸ ", st.Dim, ""
	if failed > 0 {
		sign, ink, tail = st.Bad.Render(look.Rejected)+" ", st.Text, "  "+st.Bad.Render(fmt.Sprintf("%d failed", failed))
	}
	says := strings.Join(names, ", ")
	if first != "" {
		says += " " + lessons.Line(kit.CutTo(first, 400))
	}
	says = look.Sentence(lessons.Line(says), max(w-kit.GutterW-2-kit.CellsOf(tail), 4))
	return []string{kit.Gutter("tool", kit.GutterW, st.Tool) + sign + ink.Render(says) + tail}
}

// seenAround takes the turns around the evidence, and asks what approving the lesson does:
// what the person asked for there are prompts that are real.
func seenAround(p review, msg tea.Msg) (review, kit.Out) {
	switch m := msg.(type) {
	case nearMsg:
		if m.seq != p.card.Seq {
			break
		}
		p.near, p.card.Around = m.near, m.near
		if l := p.card.Lesson; l.Status == lessons.Pending && len(l.Evidence) > 0 {
			return p, kit.Run(foresee(p.fx, m.seq, l, promptsOf(m.near.said, l.Evidence[0].Line)))
		}
	case foreseenMsg:
		if m.seq == p.card.Seq {
			p.card.Ahead = m.ahead
		}
	}
	return p, kit.Out{}
}
