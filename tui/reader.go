package tui

import (
	"context"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"learnings/extractor/transcript"
	"learnings/lessons"
	"learnings/tui/look"
)

// A reader shows the place in a transcript from which a lesson comes, with what was
// said before and after. When the file is gone, it shows the snapshot that the
// evidence holds.
type reader struct {
	fx    effects
	from  lessons.Evidence
	all   []lessons.Evidence // of the lesson; from is one of them
	at    int                // which
	part  part
	err   error // why the transcript cannot be shown
	seq   int
	top   int // first line in sight, once placed
	page  *page
	whole bool // tool answers in full
	roomMsg
}

// A part of a transcript is the turns around a line.
type part struct {
	turns         []transcript.Turn
	bad           int // lines that could not be read
	before, after int // turns that are left out at either end
}

// The most turns that a part has before and after its line: more than anybody
// scrolls through, and few enough to wrap at once.
const (
	partBefore = 400
	partAfter  = 800
)

// A page keeps the lines of a part as they were last drawn. It is only a cache for
// view: what it holds follows from the part, the width and the style.
type page struct {
	w     int
	look  string // the theme
	whole bool
	lines []string
	start []int // of each turn, its first line
}

// openReader opens the transcript of the first piece of evidence, at its line.
func openReader(fx effects, all ...lessons.Evidence) out {
	d, read := reader{fx: fx, all: all}.turnTo(0)
	return ask(d).and(run(read))
}

// turnTo shows a piece of the evidence; before the first comes the last.
func (d reader) turnTo(i int) (reader, job) {
	d.at = (i + len(d.all)) % len(d.all)
	d.from, d.seq, d.top = d.all[d.at], d.seq+1, -1
	d.part, d.err, d.page = part{}, nil, &page{}
	return d, d.fx.readAround(d.seq, d.from.Path, d.from.Line)
}

// readMsg is the answer of readAround.
type readMsg struct {
	seq  int
	path string
	part part
	err  error
}

// readAround reads the turns around a line of a transcript.
func (fx effects) readAround(seq int, path string, line int) job {
	return func(ctx context.Context) tea.Msg {
		m := readMsg{seq: seq, path: path}
		f, file, err := transcript.Open(path)
		if err != nil {
			m.err = err
			return m
		}
		defer f.Close()
		for t, err := range transcript.NewReader(f, file.Format, file.Options()).Turns() {
			switch {
			case ctx.Err() != nil:
				m.err = ctx.Err()
				return m
			case err != nil:
				m.part.bad++
			default:
				m.part.add(t, line)
			}
		}
		return m
	}
}

func (p *part) add(t transcript.Turn, line int) {
	if t.Kind == transcript.Notice || t.Kind == transcript.Thinking && t.Text == "" {
		return
	}
	p.turns = append(p.turns, t)
	if t.Line < line && len(p.turns) > 2*partBefore {
		p.before += len(p.turns) - partBefore
		p.turns = append(p.turns[:0:0], p.turns[len(p.turns)-partBefore:]...)
	}
	if len(p.turns) > 2*partBefore+partAfter {
		p.turns = p.turns[:len(p.turns)-1]
		p.after++
	}
}

// turnAt is the turn that evidence on a line quotes: the last one that begins on
// the line or before it.
func (p part) turnAt(line int) int {
	at := 0
	for i, t := range p.turns {
		if t.Line > line {
			break
		}
		if t.Line < line || at == 0 || p.turns[at].Line != line || t.Speaker == transcript.Person {
			at = i
		}
	}
	return at
}

func (d reader) update(msg tea.Msg) (dialog, out) {
	switch m := msg.(type) {
	case roomMsg:
		d.roomMsg = m
	case readMsg:
		if m.seq == d.seq && m.path == d.from.Path {
			d.part, d.err = m.part, m.err
			d.page = &page{}
		}
	case wheelMsg:
		d.top = max(0, min(d.placed()+m.by, len(d.page.lines)-1))
	case tea.KeyPressMsg:
		return d.press(m.String())
	}
	return d, out{}
}

func (d reader) press(k string) (dialog, out) {
	top := max(d.placed(), 0)
	h := max(d.h/2, 1)
	switch k {
	case "esc", "q":
		return nil, out{}
	case "j", "down":
		top++
	case "k", "up":
		top--
	case "J", "pgdown", "ctrl+d", "space":
		top += h
	case "K", "pgup", "ctrl+u":
		top -= h
	case "g", "home":
		top = 0
	case "G", "end":
		top = len(d.page.lines)
	case "n", "N":
		return d.person(k == "n"), out{}
	case "tab", "]", "shift+tab", "[":
		by := 1
		if k == "shift+tab" || k == "[" {
			by = -1
		}
		d, read := d.turnTo(d.at + by)
		return d, run(read)
	case "e":
		d.top = -1 // back to the evidence
		return d, out{}
	case "t":
		d.whole, d.top = !d.whole, -1
		return d, out{}
	case "y":
		return d, copied("the path", d.from.Path)
	default:
		return d, out{}
	}
	d.top = max(0, min(top, len(d.page.lines)-1))
	return d, out{}
}

// person goes to the next or the previous words of a person.
func (d reader) person(next bool) reader {
	top := d.placed()
	if next {
		for i, start := range d.page.start {
			if start > top && d.part.turns[i].Speaker == transcript.Person {
				d.top = start
				return d
			}
		}
		return d
	}
	for i := len(d.page.start) - 1; i >= 0; i-- {
		if d.page.start[i] < top && d.part.turns[i].Speaker == transcript.Person {
			d.top = d.page.start[i]
			return d
		}
	}
	return d
}

// placed is the first line in sight. Until the person moves, it is a little before
// the evidence.
func (d reader) placed() int {
	if d.top >= 0 || len(d.page.start) == 0 {
		return max(d.top, 0)
	}
	return max(d.page.start[d.part.turnAt(d.from.Line)]-3, 0)
}

func (d reader) sheet(st *look.Style) sheet {
	w, h := d.w, d.h
	s := sheet{head: st.Accent.Render(lessons.Line(d.title()))}
	var lines []string
	switch {
	case d.err != nil:
		lines = d.snapshot(w-3, st)
	case len(d.part.turns) == 0:
		lines = []string{"", st.Dim.Render(" Reading…")}
	default:
		lines = d.lay(w-2, st)
		if n := len(lines); n > 0 {
			s.right = st.Dim.Render(fmt.Sprintf("%d%%", min(100, (d.placed()+h)*100/n)))
		}
	}
	seen := clip(lines, d.placed(), h)
	s.cols = []column{{w: w, h: h, lines: indented(seen), more: max(len(lines)-d.placed()-len(seen), 0)}}
	return s
}

func (d reader) title() string {
	s := d.from.Agent + " " + d.from.Session
	if d.from.Line > 0 {
		s += fmt.Sprintf(" line %d", d.from.Line)
	}
	if n := len(d.all); n > 1 {
		s += fmt.Sprintf(" · evidence %d of %d", d.at+1, n)
	}
	return strings.TrimSpace(s)
}

// snapshot is what the evidence itself holds.
func (d reader) snapshot(w int, st *look.Style) []string {
	var lines []string
	for _, l := range wrap(lessons.Line(d.err.Error()), w) {
		lines = append(lines, st.Warn.Render(l))
	}
	if d.from.Quote == "" {
		return lines
	}
	lines = append(lines, "", st.Dim.Render("This is what was kept of it:"), "")
	for _, t := range d.from.Before {
		lines = append(append(lines, quote(t, 40, w, st.Dim, st.Dim)...), "")
	}
	lines = append(lines, quote(d.from.Quote, 200, w, st.Accent, st.Text)...)
	for _, t := range d.from.After {
		lines = append(append(lines, ""), quote(t, 40, w, st.Dim, st.Dim)...)
	}
	return lines
}

// lay lays all turns out at a width.
func (d reader) lay(w int, st *look.Style) []string {
	p := d.page
	if p.w == w && p.look == st.Name && p.whole == d.whole && p.lines != nil {
		return p.lines
	}
	*p = page{w: w, look: st.Name, whole: d.whole, start: make([]int, len(d.part.turns))}
	if n := d.part.before; n > 0 {
		p.lines = append(p.lines, st.Dim.Render(fmt.Sprintf("… %s before", counted(n, "turn"))), "")
	}
	at := d.part.turnAt(d.from.Line)
	for i, t := range d.part.turns {
		p.start[i] = len(p.lines)
		p.lines = append(p.lines, d.turn(t, i == at && d.from.Line > 0, w, st)...)
	}
	if n := d.part.after; n > 0 {
		p.lines = append(p.lines, st.Dim.Render(fmt.Sprintf("… %s behind", counted(n, "turn"))))
	}
	if n := d.part.bad; n > 0 {
		p.lines = append(p.lines, st.Warn.Render(fmt.Sprintf("! %s could not be read", counted(n, "line"))))
	}
	return p.lines
}

// The most lines of each kind of turn, unless they are asked for in full.
const (
	mostCall   = 4
	mostResult = 8
)

// turn draws one turn: who it is by, and what it says.
func (d reader) turn(t transcript.Turn, here bool, w int, st *look.Style) []string {
	who, look, most := "agent", st.Text, 400
	switch {
	case t.Speaker == transcript.Person:
		who, look = "person", st.Strong
	case t.Kind == transcript.Call:
		who, look, most = "call", st.Dim, mostCall
	case t.Kind == transcript.Result:
		who, look, most = "result", st.Dim, mostResult
	case t.Kind == transcript.Thinking:
		who, look, most = "thinks", st.Dim, mostCall
	case t.Speaker == transcript.Harness:
		who, look, most = "harness", st.Dim, mostCall
	}
	if d.whole {
		most = 4000
	}
	head := st.Dim.Render(fmt.Sprintf("%6d ", t.Line)) + look.Render(who)
	if t.Kind != transcript.Message && t.Speaker == transcript.Person {
		head += st.Dim.Render(" · " + string(t.Kind))
	}
	if t.Failed {
		head += st.Bad.Render(" ! failed")
	}
	if !t.At.IsZero() {
		head += st.Dim.Render("  " + t.At.Local().Format("15:04:05"))
	}
	if here {
		head += st.Accent.Render("  ◀ evidence")
	}
	lines := []string{head}
	bar := st.Rule
	if here {
		bar = st.Accent
	}
	text := spoken(t)
	if len(text) > shown && !here {
		text = strings.ToValidUTF8(text[:shown], "") + " …"
	}
	return append(append(lines, quote(text, most, w, bar, look)...), "")
}

// spoken is the text of a turn; for a call, the tool and what was asked of it.
func spoken(t transcript.Turn) string {
	switch {
	case t.Kind == transcript.Command:
		return strings.TrimSpace(t.Name + " " + t.Text)
	case t.Kind == transcript.Call && t.Tool != nil:
		for _, s := range []string{t.Tool.Command, t.Tool.Path, t.Tool.Input} {
			if s != "" {
				return t.Tool.Name + "  " + s
			}
		}
		return t.Tool.Name
	case t.Kind == transcript.Interrupt:
		return "(stopped the agent)"
	case t.Text == "":
		return "(nothing)"
	}
	return t.Text
}

func (d reader) hints() []hint {
	hints := []hint{{key: "j k J K", foot: "scroll"}, {key: "n N", foot: "next person"}, {key: "e", foot: "evidence"}}
	if len(d.all) > 1 {
		hints = append(hints, hint{key: "tab", foot: "next evidence"})
	}
	return append(hints,
		hint{key: "t", foot: "tool answers in full"}, hint{key: "y", foot: "copy the path"}, hint{key: "esc", foot: "back"},
	)
}
