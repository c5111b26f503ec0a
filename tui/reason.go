package tui

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"learnings/index"
	"learnings/index/curate"
	"learnings/lessons"
	"learnings/tui/kit"
	"learnings/tui/look"
)

// givenMsg answers given: for which reasons lessons were rejected lately.
type givenMsg struct{ curate.Given }

func (fx effects) given() kit.Job {
	return func(ctx context.Context) tea.Msg {
		if !fx.shared.others.take(ctx) {
			return nil
		}
		defer fx.shared.others.giveBack()
		g, _ := curate.GivenLately(ctx, &fx.Corpus.Library) // without it the first reason is assumed
		return givenMsg{g}
	}
}

// A because is a reason that one key names, and what it is for in words.
type because struct{ key, reason, says string }

// becauses are the keys of [curate.Reasons]. They are letters, so that none can become a
// confidence when it is pressed once too often.
var becauses = []because{
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

// reasonShown is a reason in the words of the list.
func reasonShown(reason string) string {
	if reason == curate.Reasons[0] {
		return "one-off task"
	}
	return reason
}

// why asks for the reason of a rejection: one of a few by its letter, or typed.
type why struct {
	chosen
	of     []because
	given  curate.Given
	last   lessons.ID // that is rejected already and gets another reason; "" for none
	other  *why       // asks about the one just rejected in place of the lesson that is shown, or the other way round
	turn   string     // the key that turns to it, which has led here
	at     int        // len(of) is the line to type in
	in     textinput.Model
	typing bool
}

// newWhy asks about some lessons. When it is only one, like are those most like it, of
// which it can be a duplicate.
func newWhy(c chosen, like []index.Hit, g curate.Given) why {
	d := why{chosen: c, of: becauses, given: g, in: kit.NewField("")}
	if len(c.ls) == 1 && len(like) > 0 {
		of := "duplicate of " + string(like[0].Lesson.ID)
		d.of = append(slices.Clip(d.of), because{"d", of, of})
	}
	d.at = max(0, slices.IndexFunc(d.of, func(b because) bool { return b.reason == g.Usual }))
	return d
}

// whyNot asks for the reason of rejecting what the next key is for, and can turn to the
// proposal that was rejected a moment ago: it has gone from the list, and what a person
// looks at is the next one.
func whyNot(p review) kit.Dialog {
	var of, last *why
	turn := p.fx.keys.of(onReview, "r")
	if turn == "q" || slices.ContainsFunc(becauses, func(b because) bool { return b.key == turn }) {
		turn = "r" // keys of dialogs are fixed
	}
	if m := p.meant(); len(m.ls) > 0 {
		d := newWhy(m, p.card.Similar, p.given)
		d.turn = turn
		of = &d
	}
	if c := p.turned; len(c.ls) > 0 && len(p.marks) == 0 {
		d := newWhy(c, nil, p.given)
		d.last, d.turn = c.ls[0].ID, turn
		last = &d
	}
	switch {
	case of == nil:
		return *last
	case last != nil:
		of.other = last
	}
	return *of
}

// anewMsg is another reason for a lesson that was just rejected.
type anewMsg struct {
	id     lessons.ID
	reason string
}

func (d why) Update(msg tea.Msg) (kit.Dialog, kit.Out) {
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
	case d.turn:
		if d.other != nil {
			turn := *d.other
			turn.other = &d
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
		if i := slices.IndexFunc(d.of, func(b because) bool { return b.key == s }); i >= 0 {
			return d.because(d.of[i].reason)
		}
	}
	return d, kit.Out{}
}

func (d why) typed(msg tea.Msg) (kit.Dialog, kit.Out) {
	key, text, cmd := kit.TypeInto(&d.in, msg)
	switch {
	case key == "esc":
		d.typing = false
	case text != "":
		return d.because(text)
	}
	return d, kit.Out{Cmd: cmd}
}

func (d why) because(reason string) (kit.Dialog, kit.Out) {
	if d.last != "" {
		return nil, kit.Out{Answer: anewMsg{d.last, reason}}
	}
	return nil, kit.Out{Answer: decideMsg{action: curate.Reject.Because(reason), chosen: d.chosen}}
}

func (d why) View(w, h int, st *look.Style) string {
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
		lines = append(lines, kit.Ends(kit.Choice(i == d.at, b.key, b.says, st), st.Dim.Render(times)+"  ", w-2))
	}
	if d.typing {
		lines = append(lines, "", kit.Choice(true, "/", kit.FieldView(d.in, w-10), st))
	} else {
		lines = append(lines, "", kit.Choice(d.at == len(d.of), "/", "type another…", st))
	}
	says := "not proposed again unless it is said anew"
	title := "reject, because …"
	switch n := len(d.ls); {
	case d.last != "":
		title, says = "rejected, because …", "“"+look.Sentence(lessons.Line(d.ls[0].Content), max(w-26, 8))+"” is rejected"
	case n > 1:
		title = fmt.Sprintf("reject %s, because …", kit.LessonsOf(n))
	}
	lines = append(lines, "", "  "+st.Dim.Render(says))
	if d.other != nil {
		what := "this one"
		if d.last == "" {
			what = "rejected a moment ago"
		}
		lines = append(lines, kit.Choice(false, d.turn, "“"+look.Sentence(lessons.Line(d.other.ls[0].Content), max(w-14-kit.CellsOf(what), 8))+"”", st)+st.Dim.Render("  "+what))
	}
	if h < len(lines)+2 { // without the empty lines
		lines = slices.DeleteFunc(lines, func(l string) bool { return strings.TrimSpace(l) == "" })
	}
	return kit.Box{Title: st.Bad.Render(title), Right: st.Dim.Render(d.turn), On: true}.Draw(lines, w, min(len(lines)+2, h), st)
}

func (d why) Hints() []kit.Hint {
	if d.typing {
		return []kit.Hint{{Key: "enter", Foot: "reject"}, {Key: "esc", Foot: "back"}}
	}
	letter, esc := "rejects for it", "keep it"
	if d.last != "" {
		letter, esc = "is its reason", "back"
	}
	hints := []kit.Hint{{Key: "a letter", Foot: letter}, {Key: "/", Foot: "type one"}}
	switch {
	case d.other == nil:
		hints = append(hints, kit.Hint{Key: "↑ ↓ enter", Foot: "choose"})
	case d.last == "":
		hints = append(hints, kit.Hint{Key: d.turn, Foot: "the last one instead"})
	default:
		hints = append(hints, kit.Hint{Key: d.turn, Foot: "this one instead"})
	}
	return append(hints, kit.Hint{Key: "esc", Foot: esc})
}
