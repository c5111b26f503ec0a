package tui

import (
	"context"
	"fmt"
	"maps"

	tea "charm.land/bubbletea/v2"

	"learnings/index/curate"
	"learnings/lessons"
	"learnings/tui/kit"
	"learnings/tui/look"
)

// A finding is something that a survey has found and a person decides on: two
// lessons that contradict each other, or a group of duplicates.
type finding interface {
	// key names it by its lessons.
	key() string
	// read reads its lessons as they are now, and answers with a readyMsg.
	read(effects) kit.Job
	// height is how many lines it has in the list.
	height() int
	lines(current bool, w int, st *look.Style) []string
}

// readyMsg is the answer of a finding that was read: the dialog that decides on
// it. The dialog goes back to kept when the person leaves it, and to settled when
// they have decided.
type readyMsg struct {
	key  string
	open func(kept, settled kit.Dialog) kit.Dialog
	ls   []lessons.Lesson // of a group of duplicates
	err  error

	merge *curate.Merge // to be made at once, without a dialog
}

// unionMsg is the person's word on a finding, when it was read.
type unionMsg struct {
	key   string
	merge curate.Merge
}

// A worklist is what a survey has found, to be decided on one by one.
type worklist struct {
	worklistKind
	fx     effects
	all    []finding
	cur    kit.List
	done   map[string]bool // those that were decided here, which an older survey may still have
	yet    bool            // there is no survey yet
	asking string          // the one that is being read
}

// A worklistKind is what worklists differ in.
type worklistKind struct {
	kind     surveyed
	title    string
	none     string // said when there is nothing; follows "no two lessons" or "no other two lessons"
	close    string // the key that closes it, beside esc and q
	openKey  string // the key that opens the current finding, beside enter
	openFoot string
	find     func(context.Context, effects) ([]finding, error)
	more     func(worklist, string) (kit.Dialog, kit.Out) // does what another key is for; nil when there is none
	moreHint []kit.Hint
}

func newWorklist(fx effects, kind worklistKind) worklist {
	return worklist{worklistKind: kind, fx: fx}.filled()
}

// filled takes what the last survey has found.
func (d worklist) filled() worklist {
	found := d.fx.shared.surveys[d.kind].Load()
	d.all = nil
	if d.yet = found == nil; found != nil {
		for _, f := range *found {
			if !d.done[f.key()] {
				d.all = append(d.all, f)
			}
		}
	}
	d.cur = d.cur.Resize(len(d.all), 1)
	return d
}

// without is the list to come back to when a finding was decided on.
func (d worklist) without(key string) worklist {
	d.done = maps.Clone(d.done)
	if d.done == nil {
		d.done = map[string]bool{}
	}
	d.done[key] = true
	return d.filled()
}

func (d worklist) Update(msg tea.Msg) (kit.Dialog, kit.Out) {
	switch m := msg.(type) {
	case surveyedMsg:
		return d.filled(), kit.Out{}
	case decidedMsg:
		if m.err != nil {
			d.done = nil // it is still to be decided on
		}
		return d.filled(), kit.Out{}
	case undoneMsg:
		d.done = nil
		return d.filled(), kit.Out{}
	case readyMsg:
		return d.ready(m)
	case unionMsg:
		return d.without(m.key), kit.Out{Answer: m.merge}
	case kit.WheelMsg:
		d.cur = d.cur.Move(m.By)
	case tea.KeyPressMsg:
		return d.press(m.String())
	}
	return d, kit.Out{}
}

func (d worklist) press(k string) (kit.Dialog, kit.Out) {
	if cur, ok := d.cur.Stepped(k); ok {
		d.cur, d.asking = cur, ""
		return d, kit.Out{}
	}
	switch k {
	case "esc", "q", d.close:
		return nil, kit.Out{}
	case "u":
		return d, kit.Out{Writes: []kit.Job{d.fx.undo()}}
	case "enter", d.openKey:
		if f, ok := d.current(); ok {
			d.asking = f.key()
			return d, kit.Run(f.read(d.fx))
		}
	default:
		if d.more != nil {
			return d.more(d, k)
		}
	}
	return d, kit.Out{}
}

func (d worklist) current() (finding, bool) {
	if d.cur.At >= len(d.all) {
		return nil, false
	}
	return d.all[d.cur.At], true
}

// ready opens the dialog about a finding, unless the person has gone on.
func (d worklist) ready(m readyMsg) (kit.Dialog, kit.Out) {
	if m.key != d.asking {
		return d, kit.Out{}
	}
	d.asking = ""
	if m.err != nil {
		return d.without(m.key), kit.Warn("%v", m.err)
	}
	if m.merge != nil {
		return d, kit.Out{Cmd: func() tea.Msg { return unionMsg{m.key, *m.merge} }}
	}
	return m.open(d, d.without(m.key)), kit.Out{}
}

func (d worklist) Hints() []kit.Hint {
	back := []kit.Hint{{Key: "u", Foot: "undo"}, {Key: "esc", Foot: "back"}}
	if len(d.all) == 0 {
		return back
	}
	hints := append([]kit.Hint{{Key: "enter", Foot: d.openFoot}}, d.moreHint...)
	return append(append(hints, kit.Hint{Key: "j k", Foot: "move"}), back...)
}

func (d worklist) View(w, h int, st *look.Style) string {
	w = min(w, 110)
	var lines []string
	if len(d.all) == 0 {
		lines = []string{"", "  " + st.Dim.Render(d.empty()), ""}
	}
	// In sight are the current finding whole, and as many above it as there is
	// room for when the list ends below.
	first, rows := d.cur.At, 0
	for i := d.cur.At; i < len(d.all) && rows < h-2; i++ {
		rows += d.all[i].height()
	}
	for first > 0 && (rows+d.all[first-1].height() <= h-2 || first == d.cur.At && d.all[first-1].height()+d.all[first].height() <= h-2) {
		first--
		rows += d.all[first].height()
	}
	for i := first; i < len(d.all) && len(lines) < h-2; i++ {
		lines = append(lines, d.all[i].lines(i == d.cur.At, w, st)...)
	}
	right := ""
	if n := len(d.all); n > 0 {
		some := ""
		if n+len(d.done) >= mostShownGroups {
			some = "+" // a survey keeps no more
		}
		right = st.Dim.Render(fmt.Sprintf("%d/%d%s", d.cur.At+1, n, some))
	}
	return kit.Box{Title: st.Accent.Render(d.title), Right: right, On: true}.Draw(lines, w, min(len(lines)+2, h), st)
}

func (d worklist) empty() string {
	switch {
	case d.yet:
		return "comparing all lessons…"
	case len(d.done) > 0:
		return "no other two lessons " + d.none
	}
	return "no two lessons " + d.none
}

// bullet is what stands before the lines of a finding, and how its lessons look.
func bullet(current bool, st *look.Style) (bar string, look func(...string) string) {
	if current {
		return st.Accent.Render("▌ "), st.Strong.Render
	}
	return "  ", st.Text.Render
}
