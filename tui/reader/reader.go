// Package reader shows the evidence of a lesson in its transcript. The person can decide
// on lessons that quote the session, and make one by hand from what was said.
package reader

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"learnings/lessons"
	"learnings/tui/desk"
	"learnings/tui/kit"
	"learnings/tui/look"
)

// A Reader shows a transcript at a piece of evidence, or the snapshot in the evidence if
// the file is gone.
type Reader struct {
	fx   desk.Desk
	of   lessons.Lesson     // the lesson to decide on; no ID for none
	all  []lessons.Evidence // the evidence to read
	at   int                // index of the current one
	back kit.Dialog         // the dialog that decides, to return to; nil for the pane

	session
	newest kit.Newest // of reads; older ones end
	line   int        // the line to read around
	cur    int        // item under the cursor; -1 until the part is read
	top    int        // first visible line; -1 for a little before the cursor
	anchor int        // item at which the selection began; -1 for none
	folds
	hunt   hunt
	in     textinput.Model
	typing typing
	page   *page
	kit.RoomMsg
}

// A session is what was read of it.
type session struct {
	part  Part
	items []Item
	taken []lessons.Lesson // lessons that quote it
	err   error            // why it cannot be shown
}

// typing is what the person is typing.
type typing int

const (
	nothing  typing = iota
	search          // words to look for
	sentence        // of a lesson made from the selection
)

// Open opens a reader for a request.
func Open(fx desk.Desk, m desk.ReadMsg) kit.Out {
	d := Reader{fx: fx, of: m.Lesson, all: m.Places, back: m.Back, newest: kit.NewNewest()}
	if m.Lesson.ID != "" {
		d.all = m.Lesson.Evidence
	}
	if len(d.all) == 0 {
		return kit.Ask(m.Back).And(kit.Say("this lesson has no evidence"))
	}
	d, read := d.around(d.all[0].Line)
	return kit.Ask(d).And(kit.Run(read, takenFrom(fx, d.from())))
}

// from returns the current evidence.
func (d Reader) from() lessons.Evidence { return d.all[d.at] }

// around reads the turns around a line.
func (d Reader) around(line int) (Reader, kit.Job) {
	d.line, d.cur, d.top, d.anchor, d.folds = line, -1, -1, -1, folds{}
	d.part, d.items, d.err = Part{}, nil, nil
	return d.redrawn(), d.read()
}

// leave ends pending reads and returns to where the reader was opened.
func (d Reader) leave() (kit.Dialog, kit.Out) {
	d.newest.Next()
	if b, ok := d.back.(interface{ Whole() kit.Job }); ok {
		return d.back, kit.Run(b.Whole()) // the reader may have received its answer
	}
	return d.back, kit.Out{}
}

func (d Reader) Update(msg tea.Msg) (kit.Dialog, kit.Out) {
	switch m := msg.(type) {
	case kit.RoomMsg:
		if m != d.RoomMsg {
			d.RoomMsg, d.top = m, -1
		}
		return d, kit.Out{}
	case kit.Reply[Reader]:
		return m(d)
	case desk.DecidedMsg:
		return d.decided(m.After), kit.Out{}
	case desk.SyncedMsg:
		if m.Changed > 0 {
			return d, kit.Run(takenFrom(d.fx, d.from()))
		}
		return d, kit.Out{}
	case kit.WheelMsg:
		if d.typing == nothing {
			return d.scrolled(m.By), kit.Out{}
		}
	case tea.KeyPressMsg:
		if d.typing == nothing {
			return d.press(d.fx.Keys.Deciding(m.String()))
		}
	}
	if d.typing == nothing {
		return d, kit.Out{}
	}
	return d.typed(msg)
}

func (d Reader) press(k string) (kit.Dialog, kit.Out) {
	switch k {
	case "esc", "q":
		if d.anchor >= 0 && k == "esc" {
			d.anchor = -1
			return d, kit.Out{}
		}
		return d.leave()
	case "tab", "]":
		return d.turned(1)
	case "shift+tab", "[":
		return d.turned(len(d.all) - 1)
	case "e":
		return d.to(d.from().Line)
	case "y":
		return d, desk.Copied("the path", d.from().Path)
	case "a", "x", "i", "V", "b":
		return d.decide(k)
	}
	if len(d.items) == 0 {
		return d, kit.Out{}
	}
	switch k {
	case "{", "}":
		return d.person(k == "}")
	case "!":
		return d.nextError()
	case "/":
		d.typing, d.in = search, kit.NewField("")
	case "n":
		return d.found(1)
	case "N":
		return d.found(-1)
	case "t":
		d.folds = folds{all: !d.folds.all}
		d.top = -1
		return d.redrawn(), kit.Out{}
	case "enter", "z", "space":
		d.folds = d.folds.turn(d.cur)
		return d.redrawn().seen(), kit.Out{}
	case "v":
		if d.anchor >= 0 {
			d.anchor = -1
			return d, kit.Out{}
		}
		d.anchor = d.cur
		return d, kit.Say("move to the other end of what you select; L makes a lesson of it")
	case "L":
		if d.fx.Clean == nil {
			return d, kit.Say("no lesson can be made here")
		}
		d.typing, d.in = sentence, kit.NewField("")
	default:
		return d.moved(k), kit.Out{}
	}
	return d, kit.Out{}
}

// turned moves to another piece of evidence, cyclically.
func (d Reader) turned(by int) (kit.Dialog, kit.Out) {
	was := d.from().Path
	d.at = (d.at + by) % len(d.all)
	d, read := d.around(d.from().Line)
	if d.from().Path == was {
		return d, kit.Run(read)
	}
	d.hunt, d.taken = hunt{}, nil
	return d, kit.Run(read, takenFrom(d.fx, d.from()))
}

// moved moves the cursor or the visible part.
func (d Reader) moved(k string) Reader {
	p, half := d.laid(), max(d.H/2, 1)
	switch k {
	case "j", "down":
		if p.start[d.cur+1] > d.placed()+d.H {
			return d.rolled(1) // its rest comes first
		}
		return d.on(d.cur + 1)
	case "k", "up":
		if p.start[d.cur] < d.placed() {
			return d.rolled(-1)
		}
		return d.on(d.cur - 1)
	case "g", "home":
		d = d.on(0)
		d.top = 0
		return d
	case "G", "end":
		return d.on(len(d.items) - 1)
	case "J", "pgdown", "ctrl+d":
		return d.scrolled(half)
	case "K", "pgup", "ctrl+u":
		return d.scrolled(-half)
	}
	return d
}

// on moves the cursor to an item.
func (d Reader) on(i int) Reader {
	d.cur = max(0, min(i, len(d.items)-1))
	return d.seen()
}

// seen scrolls until the item under the cursor is visible.
func (d Reader) seen() Reader {
	p, top := d.laid(), d.placed()
	d.top = max(0, min(max(top, p.start[d.cur+1]-d.H), p.start[d.cur]))
	return d
}

func (d Reader) rolled(by int) Reader {
	d.top = max(0, min(d.placed()+by, len(d.laid().lines)-1))
	return d
}

// scrolled scrolls and keeps the cursor in the visible part.
func (d Reader) scrolled(by int) Reader {
	if len(d.items) == 0 {
		return d
	}
	d = d.rolled(by)
	p := d.laid()
	first, _ := slices.BinarySearch(p.start, d.top)
	last, _ := slices.BinarySearch(p.start, d.top+d.H)
	d.cur = max(0, min(max(d.cur, first), max(last-1, first), len(d.items)-1))
	return d
}

// placed returns the first visible line. Before the person moves, that is a little before
// the cursor or, if the quote would be out of view, before the quote.
func (d Reader) placed() int {
	p := d.laid()
	if d.top >= 0 || d.cur < 0 || len(p.start) == 0 {
		return max(d.top, 0)
	}
	at := p.start[d.cur]
	if d.items[d.cur].Here && p.quote[1] > max(at-d.H/3, 0)+d.H {
		at = p.quote[0]
	}
	return max(at-max(d.H/3, 1), 0)
}

// itemAt returns the item that contains a line; -1 before anything is read.
func (d Reader) itemAt(line int) int {
	if len(d.items) == 0 {
		return -1
	}
	at := d.part.TurnAt(line)
	return max(slices.IndexFunc(d.items, func(it Item) bool { return at < it.To }), 0)
}

// lineAt returns the line of the item under the cursor.
func (d Reader) lineAt() int {
	if d.cur >= 0 && d.cur < len(d.items) {
		return d.part.Turns[d.items[d.cur].From].Line
	}
	return d.line
}

// within reports whether a line was read.
func (d Reader) within(line int) bool {
	n := len(d.part.Turns)
	return n > 0 && line >= d.part.Turns[0].Line && (line <= d.part.Turns[n-1].Line || d.part.After == 0)
}

// to goes to a line, reading around it if needed.
func (d Reader) to(line int) (kit.Dialog, kit.Out) {
	if d.within(line) {
		d.cur, d.top = d.itemAt(line), -1
		return d.unfolded(), kit.Out{}
	}
	d, read := d.around(line)
	return d, kit.Run(read)
}

// person goes to the next or previous words of the person.
func (d Reader) person(next bool) (kit.Dialog, kit.Out) {
	i := d.sayingAt()
	switch {
	case next:
		i++
	case i >= 0 && d.part.Said[i].Line == d.lineAt():
		i--
	}
	if i < 0 || i >= len(d.part.Said) {
		return d, kit.Say("the person said nothing further")
	}
	return d.to(d.part.Said[i].Line)
}

// sayingAt returns the last words of the person up to the cursor; -1 for none.
func (d Reader) sayingAt() int {
	i, _ := slices.BinarySearchFunc(d.part.Said, d.lineAt()+1, func(s Utterance, l int) int { return s.Line - l })
	return i - 1
}

// nextError goes to the next failed call.
func (d Reader) nextError() (kit.Dialog, kit.Out) {
	i := slices.IndexFunc(d.items[d.cur+1:], func(it Item) bool { return it.Failed })
	if i >= 0 {
		d.cur, d.top = d.cur+1+i, -1
		return d, kit.Out{}
	}
	if d.part.After > 0 {
		return d, kit.Say("no call failed further down in the %s that are read", kit.Counted(len(d.part.Turns), "turn"))
	}
	return d, kit.Say("no call failed further down")
}

// typed handles a key while the person types.
func (d Reader) typed(msg tea.Msg) (kit.Dialog, kit.Out) {
	key, text, cmd := kit.TypeInto(&d.in, msg)
	if key == "" {
		return d, kit.Out{Cmd: cmd}
	}
	was := d.typing
	d.typing = nothing
	switch {
	case key == "esc" || text == "":
		return d, kit.Out{}
	case was == search:
		return d.search(strings.ToLower(text))
	}
	return d.propose(text)
}

// title names the session, its agent and its date.
func (d Reader) title() (left, right string) {
	e := d.from()
	left, what, size := cmp.Or(FirstAsked(d.part.Said), e.Session, "a session"), "file on disk", ""
	if d.err != nil {
		what = "the snapshot"
		if e.From == "import" {
			left = filepath.Base(e.Path)
		}
	}
	if d.part.Size > 0 {
		size = kit.Size(d.part.Size)
	}
	day := ""
	if at := cmp.Or(d.part.Session.Start, e.At); !at.IsZero() {
		day = at.Local().Format(kit.Day)
	}
	dir := strings.TrimRight(d.part.Session.Dir, `/\`)
	project := cmp.Or(d.of.Scope.Project, dir[strings.LastIndexAny(dir, `/\`)+1:])
	return lessons.Line(left), lessons.Line(kit.Dotted(e.Agent, project, day, size, what))
}

func (d Reader) Sheet(st *look.Style) kit.Sheet {
	left, right := d.title()
	right = look.Sentence(right, max(d.W*2/3, 1))
	s := kit.Sheet{Head: st.Strong.Render(look.Sentence(left, max(d.W-kit.CellsOf(right)-4, 8))), Right: st.Dim.Render(right)}
	if len(d.items) == 0 {
		lines := []string{"", st.Dim.Render("Reading…")}
		if d.err != nil {
			lines = d.snapshot(d.W-3, st)
		}
		seen := kit.Clip(lines, max(d.top, 0), d.H)
		s.Cols = []kit.Column{{W: d.W, H: d.H, Lines: kit.Indented(seen), More: len(lines) - len(seen)}}
		return s
	}
	if d.tocW() > 0 {
		s.Cols = append(s.Cols, d.contents(st))
	}
	s.Cols = append(s.Cols, d.text(st))
	s.Running, s.Brief = d.where(st)
	return s
}

// where says how far the cursor is in the session, or shows the text input.
func (d Reader) where(st *look.Style) (running, brief string) {
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
	brief = st.Dim.Render(brief)
	if says := d.hunt.says(); says != "" {
		brief = st.Accent.Render(lessons.Line(says)) + "  " + brief
	}
	return brief + "  " + st.Bar(float64(line)/float64(last), min(20, max(d.W/6, 4)), st.Accent), brief
}

func (d Reader) Hints() []kit.Hint {
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
	if l, ok := d.quoted(); ok && d.back == nil {
		if d.of.ID == "" {
			hints = append(hints, kit.Hint{Key: "b", Foot: "“" + lessons.Line(l.Title(20)) + "” in Browse"})
		}
		key := func(k string) string { return d.fx.Keys.Of(desk.OnReview, k) }
		hints = append(hints, kit.Hint{Key: key("a") + " " + key("x") + " " + key("i"), Foot: "decide"})
	}
	hints = append(hints, kit.Hint{Key: "!", Foot: "errors"}, kit.Hint{Key: "z", Foot: "unfold"}, kit.Hint{Key: "t", Foot: "fold tools"}, kit.Hint{Key: "/ n N", Foot: "search"}, kit.Hint{Key: "v", Foot: "select"})
	if d.fx.Clean != nil {
		hints = append(hints, kit.Hint{Key: "L", Foot: "lesson of it"})
	}
	return append(hints, kit.Hint{Key: "y", Foot: "copy the path"}, kit.Hint{Key: "esc", Foot: "back"})
}
