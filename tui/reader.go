package tui

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"learnings/lessons"
	"learnings/tui/decide"
	"learnings/tui/desk"
	"learnings/tui/kit"
	"learnings/tui/look"
	"learnings/tui/talk"
)

// A reader shows the place in a transcript from which a lesson comes, with what was
// said before and after, and what else the session holds. When the file is gone, it
// shows the snapshot that the evidence holds.
type reader struct {
	fx    desk.Desk
	of    lessons.Lesson // that can be decided on here; without an ID for none
	from  lessons.Evidence
	all   []lessons.Evidence // of the lesson; from is one of them
	at    int                // which
	line  int                // around which is read
	kept  kit.Dialog         // what to come back to, where it is decided; nil for the pane
	part  talk.Part
	taken []lessons.Lesson // that quote the session
	err   error            // why the transcript cannot be shown
	seq   int
	cur   int // item under the cursor; -1 until the part is read
	top   int // first line in sight; -1 for a little before the cursor

	folds
	anchor int // item at which the selection began; -1 for none
	in     textinput.Model
	typing typing
	words  string             // that are searched for, in small letters
	hunt   hunt               // for them
	unfold bool               // what is under the cursor, once it is known
	stop   context.CancelFunc // ends what is read
	page   *page
	kit.RoomMsg
}

// typing is what a person types in the reader.
type typing int

const (
	nothing  typing = iota
	search          // words to look for
	sentence        // of a lesson that is made of what is selected
)

// openReader opens the transcript of the first piece of evidence, at its line.
func openReader(fx desk.Desk, all ...lessons.Evidence) kit.Out {
	return opening(reader{fx: fx, all: all, anchor: -1})
}

// readLesson opens the evidence of a lesson, which can be decided on there.
func readLesson(fx desk.Desk, l lessons.Lesson) kit.Out {
	return opening(reader{fx: fx, of: l, all: l.Evidence, anchor: -1})
}

// readUnder opens the evidence of a lesson over a dialog in which it is decided on.
func readUnder(fx desk.Desk, l lessons.Lesson, kept kit.Dialog) (kit.Dialog, kit.Out) {
	if len(l.Evidence) == 0 {
		return kept, kit.Say("this lesson has no evidence")
	}
	return kept, opening(reader{fx: fx, of: l, all: l.Evidence, kept: kept, anchor: -1})
}

// backFrom goes back to where the reader was opened.
func backFrom(d reader) (kit.Dialog, kit.Out) {
	if m, ok := d.kept.(decide.Merge); ok {
		return m, kit.Run(m.Whole()) // which the reader may have missed
	}
	return d.kept, kit.Out{}
}

// turnTo shows a piece of the evidence; before the first comes the last.
func (d reader) turnTo(i int) (reader, kit.Job) {
	d.at = (i + len(d.all)) % len(d.all)
	d.from = d.all[d.at]
	return d.around(d.from.Line)
}

// around reads the turns around a line.
func (d reader) around(line int) (reader, kit.Job) {
	d.line, d.seq, d.cur, d.top, d.anchor = line, d.seq+1, -1, -1, -1
	d.part, d.err, d.page, d.folds = talk.Part{}, nil, &page{}, folds{}
	if d.stop != nil {
		d.stop()
	}
	var ctx context.Context
	ctx, d.stop = context.WithCancel(context.Background())
	return d, readAround(d.fx, ctx, d.seq, d.from.Path, line)
}

func (d reader) Update(msg tea.Msg) (kit.Dialog, kit.Out) {
	switch m := msg.(type) {
	case kit.RoomMsg:
		if m != d.RoomMsg && d.top >= 0 {
			d.top = -1
		}
		d.RoomMsg = m
		return d, kit.Out{}
	case readMsg:
		return readIn(d, m)
	case huntMsg:
		return hitIn(d, m)
	case takenMsg:
		if m.path == d.from.Path {
			d.taken, d.page = m.found, &page{items: d.page.items}
		}
		return d, kit.Out{}
	case desk.DecidedMsg:
		return takenNow(d, m.After), kit.Out{}
	case desk.SyncedMsg:
		if m.Changed > 0 {
			return d, kit.Run(takenFrom(d.fx, d.from))
		}
		return d, kit.Out{}
	case madeMsg:
		return d, m.out().And(kit.Run(d.fx.Sync()))
	case kit.WheelMsg:
		if d.typing == nothing {
			return d.scrolled(m.By), kit.Out{}
		}
	case tea.KeyPressMsg:
		if d.typing == nothing {
			return d.press(m.String())
		}
	}
	if d.typing != nothing {
		return d.typed(msg)
	}
	return d, kit.Out{}
}

func (d reader) press(k string) (kit.Dialog, kit.Out) {
	k = d.fx.Keys.Deciding(k)
	switch k {
	case "esc", "q":
		if d.anchor >= 0 && k == "esc" {
			d.anchor = -1
			return d, kit.Out{}
		}
		left(d)
		return backFrom(d)
	case "tab", "]", "shift+tab", "[":
		by := 1
		if k == "shift+tab" || k == "[" {
			by = -1
		}
		was := d.from.Path
		d, read := d.turnTo(d.at + by)
		if d.from.Path != was {
			d.words, d.hunt, d.taken = "", hunt{seq: d.hunt.seq}, nil
			return d, kit.Run(read, takenFrom(d.fx, d.from))
		}
		return d, kit.Run(read)
	case "e":
		return d.to(d.from.Line)
	case "y":
		return d, desk.Copied("the path", d.from.Path)
	case "a", "x", "i", "V":
		return decideIn(d, k)
	case "b":
		if l, ok := quotedIn(d); ok {
			left(d)
			return nil, desk.Browse("id:" + string(l.ID))
		}
		return d, kit.Say("no lesson quotes what is under the cursor; those that are marked %s are quoted", look.Other)
	}
	if len(d.part.Turns) == 0 {
		return d, kit.Out{}
	}
	switch k {
	case "{", "}":
		return d.person(k == "}")
	case "!":
		return d.next(1, "no call failed further down", func(it talk.Item) bool { return it.Failed })
	case "/":
		d.typing, d.in = search, kit.NewField("")
		return d, kit.Out{}
	case "n", "N":
		return d.found(map[string]int{"n": 1, "N": -1}[k])
	case "t":
		d.folds = folds{n: d.folds.n + 1, all: !d.folds.all}
		d.top = -1
	case "enter", "z", "space":
		d.folds = d.folds.turn(d.cur)
		return d.seen(), kit.Out{}
	case "v":
		if d.anchor >= 0 {
			d.anchor = -1
			return d, kit.Out{}
		}
		d.anchor = d.cur
		return d, kit.Say("move to the other end of what you select; L makes a lesson of it")
	case "L":
		return d.make()
	default:
		return d.moved(k), kit.Out{}
	}
	return d, kit.Out{}
}

// moved moves the cursor, or what is in sight.
func (d reader) moved(k string) reader {
	h, p := max(d.H/2, 1), d.laid()
	switch k {
	case "j", "down":
		if p.start[d.cur+1] > d.placed()+d.H {
			return d.rolled(1) // the rest of it comes first
		}
		return d.on(d.cur + 1)
	case "k", "up":
		if p.start[d.cur] < d.placed() {
			return d.rolled(-1)
		}
		return d.on(d.cur - 1)
	case "J", "pgdown", "ctrl+d":
		return d.scrolled(h)
	case "K", "pgup", "ctrl+u":
		return d.scrolled(-h)
	case "g", "home":
		d = d.on(0)
		d.top = 0
	case "G", "end":
		d = d.on(len(p.items) - 1)
	}
	return d
}

// on moves the cursor to an item.
func (d reader) on(i int) reader {
	d.cur = max(0, min(i, len(d.laid().items)-1))
	return d.seen()
}

// seen scrolls so far that the item under the cursor is in sight.
func (d reader) seen() reader {
	p, top := d.laid(), d.placed()
	if end := p.start[d.cur+1]; end > top+d.H {
		top = end - d.H
	}
	d.top = max(0, min(top, p.start[d.cur]))
	return d
}

func (d reader) rolled(by int) reader {
	d.top = max(0, min(d.placed()+by, len(d.laid().lines)-1))
	return d
}

// scrolled scrolls, and takes the cursor along.
func (d reader) scrolled(by int) reader {
	if len(d.part.Turns) == 0 {
		return d
	}
	d = d.rolled(by)
	p := d.laid()
	first, _ := slices.BinarySearch(p.start, d.top)
	last, _ := slices.BinarySearch(p.start, d.top+d.H)
	d.cur = max(0, min(max(d.cur, first), max(last-1, first), len(p.items)-1))
	return d
}

// placed is the first line in sight. Until the person moves, it is a little before
// the cursor, or before what is quoted where this is further down than the room.
func (d reader) placed() int {
	p := d.laid()
	switch {
	case d.top >= 0:
		return d.top
	case d.cur < 0 || len(p.start) == 0:
		return 0
	}
	top := max(p.start[d.cur]-max(d.H/3, 1), 0)
	if p.items[d.cur].Here && p.quote[1] > top+d.H {
		top = max(p.quote[0]-max(d.H/3, 1), 0)
	}
	return top
}

// itemAt is the item that holds a line.
func (d reader) itemAt(line int) int {
	if len(d.part.Turns) == 0 {
		return -1
	}
	at := d.part.TurnAt(line)
	for i, it := range d.laid().items {
		if at < it.To {
			return i
		}
	}
	return 0
}

// lineAt is the line of the item under the cursor.
func (d reader) lineAt() int {
	if p := d.laid(); d.cur >= 0 && d.cur < len(p.items) {
		return d.part.Turns[p.items[d.cur].From].Line
	}
	return d.line
}

// within reports that what is on a line was read.
func (d reader) within(line int) bool {
	n := len(d.part.Turns)
	return n > 0 && line >= d.part.Turns[0].Line && (line <= d.part.Turns[n-1].Line || d.part.After == 0 && !d.part.Reading)
}

// to goes to a line, which may have to be read first.
func (d reader) to(line int) (kit.Dialog, kit.Out) {
	if d.within(line) {
		d.cur, d.top = d.itemAt(line), -1
		return unfolded(d), kit.Out{}
	}
	d, read := d.around(line)
	return d, kit.Run(read)
}

// person goes to the next or the previous words of a person.
func (d reader) person(next bool) (kit.Dialog, kit.Out) {
	line, i := d.lineAt(), d.sayingAt()
	switch {
	case next:
		i++
	case i >= 0 && d.part.Said[i].Line == line:
		i--
	}
	if i < 0 || i >= len(d.part.Said) {
		return d, kit.Say("the person said nothing further")
	}
	return d.to(d.part.Said[i].Line)
}

// next goes to the next item, in a direction, of which something holds.
func (d reader) next(by int, none string, holds func(talk.Item) bool) (kit.Dialog, kit.Out) {
	p := d.laid()
	for i := d.cur + by; i >= 0 && i < len(p.items); i += by {
		if holds(p.items[i]) {
			d.cur, d.top = i, -1
			return d, kit.Out{}
		}
	}
	if n := d.part.Before + d.part.After; n > 0 {
		none += fmt.Sprintf(" in the %s that are read", kit.Counted(len(d.part.Turns), "turn"))
	}
	return d, kit.Say("%s", none)
}

// typed is a key while words or a sentence are typed.
func (d reader) typed(msg tea.Msg) (kit.Dialog, kit.Out) {
	key, text, cmd := kit.TypeInto(&d.in, msg)
	was := d.typing
	switch {
	case key == "esc" || key == "enter" && text == "":
		d.typing = nothing
	case key == "enter" && was == search:
		d.typing = nothing
		return searched(d, strings.ToLower(text))
	case key == "enter":
		d.typing = nothing
		return d.proposed(text)
	}
	return d, kit.Out{Cmd: cmd}
}

func (d reader) Sheet(st *look.Style) kit.Sheet {
	w, h := d.W, d.H
	left, right := d.title()
	right = look.Sentence(right, max(w*2/3, 1))
	s := kit.Sheet{Head: st.Strong.Render(look.Sentence(left, max(w-kit.CellsOf(right)-4, 8))), Right: st.Dim.Render(right)}
	if len(d.part.Turns) == 0 || d.err != nil {
		lines := []string{"", st.Dim.Render("Reading…")}
		if d.err != nil {
			lines = snapshotOf(d, w-3, st)
		}
		seen := kit.Clip(lines, max(d.top, 0), h)
		s.Cols = []kit.Column{{W: w, H: h, Lines: kit.Indented(seen), More: len(lines) - len(seen)}}
		return s
	}
	if d.tocW() > 0 {
		s.Cols = append(s.Cols, tocOf(d, st))
	}
	s.Cols = append(s.Cols, d.text(st))
	s.Running, s.Brief = d.where(st)
	return s
}

// text is what of the transcript is in sight.
func (d reader) text(st *look.Style) kit.Column {
	p := d.lay(st)
	top := d.placed()
	lo, hi := d.selection()
	c := kit.Column{W: d.textW(), H: d.H, More: max(len(p.lines)-top-d.H, 0)}
	for y := top; y < min(top+d.H, len(p.lines)); y++ {
		i, exact := slices.BinarySearch(p.start, y)
		if !exact {
			i--
		}
		line := lit(p.lines[y], d.words, st)
		switch {
		case i == d.cur && (strings.TrimSpace(line) != "" || y+1 < p.start[i+1]):
			line = st.Select(kit.Fit(kit.Edge(true, st)+line, c.W))
		case d.anchor >= 0 && i >= lo && i <= hi && strings.TrimSpace(line) != "":
			line = st.Accent.Render(look.Marked) + line
		default:
			line = " " + line
		}
		c.Lines = append(c.Lines, line)
	}
	return c
}

// title says what session this is, and from where and when.
func (d reader) title() (left, right string) {
	e := d.from
	left = cmp.Or(e.Session, "a session")
	if first := talk.FirstAsked(d.part.Said); first != "" && !d.part.Middle {
		left = first
	} else if d.err != nil && e.From == "import" {
		left = filepath.Base(e.Path)
	}
	dir := strings.TrimRight(d.part.Session.Dir, `/\`)
	at, what := cmp.Or(d.part.Session.Start, e.At), "file on disk"
	bytes := ""
	if d.part.Size > 0 {
		bytes = kit.Size(d.part.Size)
	}
	if d.err != nil {
		what = "the snapshot"
	}
	day := ""
	if !at.IsZero() {
		day = at.Local().Format("2 Jan 2006")
	}
	project := cmp.Or(d.of.Scope.Project, dir[strings.LastIndexAny(dir, `/\`)+1:])
	return lessons.Line(left), lessons.Line(kit.Dotted(e.Agent, project, day, bytes, what))
}

// where says how far one is in the session.
func (d reader) where(st *look.Style) (running, brief string) {
	switch d.typing {
	case search:
		s := "/ " + kit.FieldView(d.in, max(d.W-6, 8))
		return s, s
	case sentence:
		lo, hi := d.selection()
		s := st.Accent.Render("lesson of "+kit.Counted(hi-lo+1, "turn")) + " " + kit.FieldView(d.in, max(d.W-24, 8))
		return s, s
	}
	line, last := d.lineAt(), max(d.part.Last, 1)
	brief = fmt.Sprintf("line %s of %s", kit.Grouped(line), kit.Grouped(last))
	if n := len(d.part.Said); n > 0 {
		brief = fmt.Sprintf("turn %s of %s · ", kit.Grouped(max(d.sayingAt()+1, 1)), kit.Grouped(n)) + brief
	}
	if d.part.Middle {
		brief = fmt.Sprintf("line %s", kit.Grouped(line))
	}
	brief = st.Dim.Render(brief)
	if says := d.hunt.says(); says != "" {
		brief = st.Accent.Render(lessons.Line(says)) + "  " + brief
	}
	if d.part.Reading {
		brief += st.Dim.Render(" · reading the rest…")
	}
	folded, tools := 0, 0
	for i, it := range d.page.items {
		if it.Calls != nil {
			tools++
			if !d.folds.open(i) {
				folded++
			}
		}
	}
	running = brief + "  " + st.Bar(float64(line)/float64(last), min(20, max(d.W/6, 4)), st.Accent)
	if tools > 0 {
		running += st.Dim.Render(fmt.Sprintf("  tool turns are folded: %d of %d", folded, tools))
	}
	return running, brief
}

func (d reader) Hints() []kit.Hint {
	switch d.typing {
	case search:
		return []kit.Hint{{Key: "enter", Foot: "find"}, {Key: "esc", Foot: "leave"}}
	case sentence:
		return []kit.Hint{{Key: "enter", Foot: "propose it"}, {Key: "esc", Foot: "leave"}}
	}
	hints := []kit.Hint{{Key: "{ }", Foot: "person"}, {Key: "e", Foot: "evidence"}}
	if len(d.all) > 1 {
		hints = append(hints, kit.Hint{Key: "tab", Foot: "next evidence"})
	}
	if l, ok := quotedIn(d); ok && d.kept == nil {
		if d.of.ID == "" {
			hints = append(hints, kit.Hint{Key: "b", Foot: "“" + lessons.Line(l.Title(20)) + "” in Browse"})
		}
		hints = append(hints, kit.Hint{Key: d.fx.Keys.Of(desk.OnReview, "a") + " " + d.fx.Keys.Of(desk.OnReview, "x") + " " + d.fx.Keys.Of(desk.OnReview, "i"), Foot: "decide"})
	}
	hints = append(hints, kit.Hint{Key: "!", Foot: "errors"}, kit.Hint{Key: "z", Foot: "unfold"}, kit.Hint{Key: "t", Foot: "fold tools"}, kit.Hint{Key: "/ n N", Foot: "search"}, kit.Hint{Key: "v", Foot: "select"})
	if d.fx.Clean != nil {
		hints = append(hints, kit.Hint{Key: "L", Foot: "lesson of it"})
	}
	return append(hints, kit.Hint{Key: "y", Foot: "copy the path"}, kit.Hint{Key: "esc", Foot: "back"})
}
