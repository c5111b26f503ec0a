package decide

import (
	"fmt"
	"slices"
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"learnings/index"
	"learnings/index/curate"
	"learnings/lessons"
	"learnings/tui/desk"
	"learnings/tui/kit"
	"learnings/tui/look"
)

// A Because is a reason, the key that names it, and its description.
type Because struct{ Key, reason, says string }

// Becauses are the keys of [curate.Reasons]. They are letters, because a digit pressed
// once too often would turn to another screen.
var Becauses = []Because{
	{"x", "one-off", "one-off task"},
	{"t", "not true", "not true, or no longer"},
	{"k", "already known", "already known or written down"},
	{"v", "too vague", "too vague to act on"},
	{"n", "not a rule", "not a rule: a question, small talk"},
	{"s", "too specific", "too specific"},
	{"p", "private", "private: keep it out"},
	{"b", "not about this project", "not about this project"},
	{"w", "not worth a place", "not worth a place"},
}

// Why asks for the reason of a rejection: a letter, or typed text.
type Why struct {
	desk.Chosen
	of     []Because
	given  curate.Given
	Last   lessons.ID // already rejected and to get another reason; "" for none
	Other  *Why       // the same question about the lesson rejected just before, or back
	Turn   string     // the key that opened this and turns to Other
	at     int        // len(of) is the text input
	in     textinput.Model
	typing bool
}

// NewWhy asks about some lessons. A single one can be a duplicate of the most similar of
// like.
func NewWhy(c desk.Chosen, like []index.Hit, g curate.Given) Why {
	d := Why{Chosen: c, of: Becauses, given: g, in: kit.NewField("")}
	if len(c.Ls) == 1 && len(like) > 0 {
		of := "duplicate of " + string(like[0].Lesson.ID)
		d.of = append(slices.Clip(d.of), Because{"d", of, of})
	}
	d.at = max(0, slices.IndexFunc(d.of, func(b Because) bool { return b.reason == g.Usual }))
	return d
}

// AnewMsg changes the reason of the lesson rejected just before.
type AnewMsg struct {
	Id     lessons.ID
	Reason string
}

func (d Why) Update(msg tea.Msg) (kit.Dialog, kit.Out) {
	if d.typing {
		return d.typed(msg)
	}
	if m, ok := msg.(kit.WheelMsg); ok {
		d.at = max(0, min(d.at+m.By/kit.Notch, len(d.of)))
	}
	k, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return d, kit.Out{}
	}
	switch s := k.String(); s {
	case "esc", "q":
		return nil, kit.Out{}
	case d.Turn:
		if d.Other != nil {
			turn := *d.Other
			turn.Other = &d
			return turn, kit.Out{}
		}
	case "down":
		d.at = min(d.at+1, len(d.of))
	case "up":
		d.at = max(d.at-1, 0)
	case "/", "o":
		d.at, d.typing = len(d.of), true
	case "enter":
		if d.at == len(d.of) {
			d.typing = true
			return d, kit.Out{}
		}
		return d.because(d.of[d.at].reason)
	default:
		if i := slices.IndexFunc(d.of, func(b Because) bool { return b.Key == s }); i >= 0 {
			return d.because(d.of[i].reason)
		}
	}
	return d, kit.Out{}
}

func (d Why) typed(msg tea.Msg) (kit.Dialog, kit.Out) {
	key, text, cmd := kit.TypeInto(&d.in, msg)
	switch {
	case key == "esc":
		d.typing = false
	case text != "":
		return d.because(text)
	}
	return d, kit.Out{Cmd: cmd}
}

func (d Why) because(reason string) (kit.Dialog, kit.Out) {
	if d.Last != "" {
		return nil, kit.Out{Answer: AnewMsg{d.Last, reason}}
	}
	return nil, kit.Out{Answer: desk.DecideMsg{Action: curate.Reject.Because(reason), Chosen: d.Chosen}}
}

func (d Why) View(w, h int, st *look.Style) string {
	w = min(w, 60)
	lines := []string{""}
	for i, b := range d.of {
		times := ""
		if n := d.given.Times[b.reason]; n > 0 {
			times = kit.Grouped(n) + "×"
		}
		if b.reason == d.given.Usual {
			times = strings.TrimSuffix("x gives this, "+times, ", ")
		}
		lines = append(lines, kit.Ends(kit.Choice(i == d.at, b.Key, b.says, st), st.Dim.Render(times)+"  ", w-2))
	}
	if d.typing {
		lines = append(lines, "", kit.Choice(true, "/", kit.FieldView(d.in, w-10), st))
	} else {
		lines = append(lines, "", kit.Choice(d.at == len(d.of), "/", "type another…", st))
	}
	says := "not proposed again unless it is said again"
	title := "reject, because …"
	switch n := len(d.Ls); {
	case d.Last != "":
		title, says = "rejected, because …", "“"+look.Sentence(lessons.Line(d.Ls[0].Content), max(w-26, 8))+"” is rejected"
	case n > 1:
		title = fmt.Sprintf("reject %s, because …", kit.LessonsOf(n))
	}
	lines = append(lines, "", "  "+st.Dim.Render(says))
	if d.Other != nil {
		what := "this one"
		if d.Last == "" {
			what = "rejected a moment ago"
		}
		lines = append(lines, kit.Choice(false, d.Turn, "“"+look.Sentence(lessons.Line(d.Other.Ls[0].Content), max(w-14-kit.CellsOf(what), 8))+"”", st)+st.Dim.Render("  "+what))
	}
	if h < len(lines)+2 { // without the blank lines
		lines = slices.DeleteFunc(lines, func(l string) bool { return strings.TrimSpace(l) == "" })
	}
	return kit.Box{Title: st.Bad.Render(title), Right: st.Dim.Render(d.Turn)}.Draw(lines, w, min(len(lines)+2, h), st)
}

func (d Why) Hints() []kit.Hint {
	if d.typing {
		return []kit.Hint{{Key: "enter", Foot: "reject"}, {Key: "esc", Foot: "back"}}
	}
	letter, esc := "rejects for it", "keep it"
	if d.Last != "" {
		letter, esc = "is its reason", "back"
	}
	hints := []kit.Hint{{Key: "a letter", Foot: letter}, {Key: "/", Foot: "type one"}}
	switch {
	case d.Other == nil:
		hints = append(hints, kit.Hint{Key: "↑ ↓ enter", Foot: "choose"})
	case d.Last == "":
		hints = append(hints, kit.Hint{Key: d.Turn, Foot: "the last one instead"})
	default:
		hints = append(hints, kit.Hint{Key: d.Turn, Foot: "this one instead"})
	}
	return append(hints, kit.Hint{Key: "esc", Foot: esc})
}
