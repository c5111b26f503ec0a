package tui

import (
	"cmp"
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

// A fieldEdit changes one field of one lesson, or of all that are marked, on a line that
// is completed from what other lessons have.
type fieldEdit struct {
	chosen
	fx     effects
	field  string
	before string // as it was; "" when they differ
	in     textinput.Model
	values []index.Count // of all lessons, the most frequent first
	at     int           // in what is offered; -1 for what was typed
}

// valuesMsg answers values: what lessons have in a field.
type valuesMsg struct {
	field  string
	values []index.Count
}

// valued are the fields whose values are counted.
var valued = map[string]index.Field{
	curate.FieldCategory: index.Category, curate.FieldProject: index.Project, curate.FieldRole: index.Role, curate.FieldTags: index.Tag,
}

func (fx effects) values(field string) kit.Job {
	return func(ctx context.Context) tea.Msg {
		m := valuesMsg{field: field}
		if field == curate.FieldScope {
			for _, s := range curate.Scopes {
				m.values = append(m.values, index.Count{Name: s})
			}
			return m
		}
		of, ok := valued[field]
		if !ok || !fx.shared.others.take(ctx) {
			return m
		}
		defer fx.shared.others.giveBack()
		if _, facets, err := fx.Corpus.Index.Facets(ctx, index.Query{Now: fx.Now(), Unjudged: true}, of); err == nil && len(facets) > 0 {
			m.values = facets[0].Values // one types without them as well
		}
		return m
	}
}

// openField opens the line for a field of what was chosen. Its answer is a decideMsg.
func openField(fx effects, c chosen, field string) kit.Out {
	if len(c.ls) == 0 {
		return kit.Say("nothing is chosen")
	}
	d := fieldEdit{chosen: c, fx: fx, field: field, before: curate.FieldText(field, c.ls[0]), at: -1}
	for _, l := range c.ls[1:] {
		if curate.FieldText(field, l) != d.before {
			d.before = ""
		}
	}
	d.in = kit.NewField(d.before)
	d.in.CharLimit = mostTyped
	return kit.Ask(d).And(kit.Run(fx.values(field)))
}

// mostTyped is how much fits a field: more than any value, and little enough that a paste
// of megabytes costs nothing.
const mostTyped = 2000

// severalOf reports that a field has several values between commas.
func severalOf(field string) bool {
	return field == curate.FieldTags || field == curate.FieldTriggers || field == curate.FieldFiles
}

// manyTerms reports that the field has several values between commas.
func (d fieldEdit) manyTerms() bool { return severalOf(d.field) }

// termAt is what is being completed in a text, and what stands before it.
func termAt(text string, several bool) (before, part string) {
	if i := strings.LastIndexByte(text, ','); several && i >= 0 {
		return text[:i+1] + " ", strings.TrimPrefix(strings.TrimSpace(text[i+1:]), "#")
	}
	return "", strings.TrimPrefix(strings.TrimSpace(text), "#")
}

// mostOffered is how many values are offered at once.
const mostOffered = 8

// offeredOf are the values that begin with what is typed, then those that have it within.
func offeredOf(values []index.Count, part string, most int) []index.Count {
	part = strings.ToLower(part)
	var begin, within []index.Count
	for _, v := range values {
		switch name := strings.ToLower(v.Name); {
		case strings.HasPrefix(name, part):
			begin = append(begin, v)
		case strings.Contains(name, part):
			within = append(within, v)
		}
	}
	all := append(begin, within...)
	return all[:min(len(all), most)]
}

// offered are the values that complete what is typed.
func (d fieldEdit) offered() []index.Count {
	_, part := termAt(d.in.Value(), d.manyTerms())
	if d.in.Value() == d.before && !d.manyTerms() {
		part = "" // nothing is typed yet
	}
	return offeredOf(d.values, part, mostOffered)
}

func (d fieldEdit) Update(msg tea.Msg) (kit.Dialog, kit.Out) {
	switch m := msg.(type) {
	case valuesMsg:
		if m.field == d.field {
			d.values = m.values
		}
		return d, kit.Out{}
	case kit.WheelMsg:
		d.at = max(-1, min(d.at+m.By/kit.Notch, len(d.offered())-1))
		return d, kit.Out{}
	case tea.KeyPressMsg:
		switch m.String() {
		case "esc":
			return nil, kit.Say("left as it was")
		case "down", "ctrl+n":
			d.at = min(d.at+1, len(d.offered())-1)
			return d, kit.Out{}
		case "up", "ctrl+p":
			d.at = max(d.at-1, -1)
			return d, kit.Out{}
		case "tab":
			return d.completed(max(d.at, 0)), kit.Out{}
		case "enter", "ctrl+s":
			return d.save()
		}
	}
	was := d.in.Value()
	var cmd tea.Cmd
	d.in, cmd = d.in.Update(msg)
	if d.in.Value() != was {
		d.at = -1
		if of := d.offered(); len(of) > 0 && d.closed() {
			d.at = 0
		}
	}
	return d, kit.Out{Cmd: cmd}
}

// closed reports that a value that is offered is more likely meant than a new one.
func (d fieldEdit) closed() bool {
	return d.field == curate.FieldCategory || d.field == curate.FieldScope
}

// completed takes a value that is offered into the line.
func (d fieldEdit) completed(i int) fieldEdit {
	of := d.offered()
	if i >= len(of) {
		return d
	}
	before, _ := termAt(d.in.Value(), d.manyTerms())
	d.in.SetValue(before + of[i].Name)
	d.in.CursorEnd()
	d.at = -1
	return d
}

func (d fieldEdit) save() (kit.Dialog, kit.Out) {
	if d.at >= 0 {
		d = d.completed(d.at)
	}
	if text := strings.TrimSpace(d.in.Value()); text == d.before && len(d.ls) == 1 {
		return nil, kit.Say("left as it was")
	}
	a, err := curate.Field(d.field, d.before, d.in.Value(), d.fx.Now())
	if err != nil {
		return d, kit.Warn("%v", err)
	}
	return nil, kit.Out{Answer: decideMsg{action: a, chosen: d.chosen}}
}

func (d fieldEdit) Hints() []kit.Hint {
	return []kit.Hint{{Key: "enter", Foot: "keep"}, {Key: "tab", Foot: "complete"}, {Key: "↑ ↓", Foot: "choose"}, {Key: "esc", Foot: "leave as it was"}}
}

// fieldW is how wide the line gets, with its frame.
const fieldW = 64

func (d fieldEdit) View(w, h int, st *look.Style) string {
	w = min(w, fieldW)
	lines := []string{"", " " + st.Accent.Render(d.field) + "  " + kit.FieldView(d.in, max(w-kit.CellsOf(d.field)-8, 8)), ""}
	for i, v := range d.offered() {
		n := ""
		if v.N > 0 {
			n = kit.Grouped(v.N)
		}
		lines = append(lines, kit.Ends(kit.Choice(i == d.at, " ", lessons.Line(v.Name), st), st.Dim.Render(n)+"  ", w-2))
	}
	switch {
	case d.field == curate.FieldUntil:
		lines = append(lines, "  "+st.Dim.Render("a day, 2026-12-31, or how long, 30d 6w; nothing is never"))
	case d.manyTerms() && len(d.ls) > 1:
		lines = append(lines, "  "+st.Dim.Render("with commas between; they are added to each"))
	case d.manyTerms():
		lines = append(lines, "  "+st.Dim.Render("with commas between"))
	}
	title := d.field + " of “" + lessons.Line(d.ls[0].Title(40)) + "”"
	if n := len(d.ls); n > 1 {
		title = fmt.Sprintf("%s of %s", d.field, kit.LessonsOf(n))
	}
	return kit.Box{Title: st.Accent.Render(look.Sentence(title, max(w-6, 1))), On: true}.Draw(lines, w, min(len(lines)+2, h), st)
}

// fieldKeys open the fields of the lessons that the next key is for.
func fieldKeys[P interface{ meant() chosen }](g string, fx func(P) effects, off func(P) string) kit.Binds[P] {
	open := func(field string) func(P, string) (P, kit.Out) {
		return func(p P, _ string) (P, kit.Out) { return p, openField(fx(p), p.meant(), field) }
	}
	return kit.Binds[P]{
		{Binding: kit.Keyed("K", "category, of all marked too", "K"), Group: g, Off: off, Do: open(curate.FieldCategory)},
		{Binding: kit.Keyed("P", "project, of all marked too", "P"), Group: g, Off: off, Do: open(curate.FieldProject)},
		{Binding: kit.Keyed("t", "tags, of all marked too", "t"), Group: g, Off: off, Do: open(curate.FieldTags)},
		{Binding: kit.Keyed(",", "another field: role, scope, when it shows, files, until when it holds", ","), Group: g, Off: off, Do: func(p P, _ string) (P, kit.Out) {
			return p, kit.Ask(fieldChoice{fx: fx(p), chosen: p.meant()})
		}},
	}
}

// A fieldChoice asks for the field to change.
type fieldChoice struct {
	chosen
	fx effects
	at int
}

// fieldLetters are the keys of curate.Fields.
var fieldLetters = []string{"k", "p", "r", "s", "t", "w", "u", "f"}

func (d fieldChoice) Update(msg tea.Msg) (kit.Dialog, kit.Out) {
	if m, ok := msg.(kit.WheelMsg); ok {
		d.at = max(0, min(d.at+cmp.Compare(m.By, 0), len(curate.Fields)-1))
	}
	k, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return d, kit.Out{}
	}
	switch s := k.String(); s {
	case "esc", "q", ",":
		return nil, kit.Out{}
	case "down":
		d.at = min(d.at+1, len(curate.Fields)-1)
	case "up":
		d.at = max(d.at-1, 0)
	case "enter":
		return nil, openField(d.fx, d.chosen, curate.Fields[d.at])
	default:
		if i := slices.Index(fieldLetters, s); i >= 0 {
			return nil, openField(d.fx, d.chosen, curate.Fields[i])
		}
	}
	return d, kit.Out{}
}

func (d fieldChoice) View(w, h int, st *look.Style) string {
	w = min(w, fieldW)
	lines := []string{""}
	for i, f := range curate.Fields {
		value := ""
		if len(d.ls) == 1 {
			value = look.Sentence(lessons.Line(curate.FieldText(f, d.ls[0])), w/2)
		}
		lines = append(lines, kit.Ends(kit.Choice(i == d.at, fieldLetters[i], f, st), st.Dim.Render(value)+"  ", w-2))
	}
	return kit.Box{Title: st.Accent.Render("change which field?"), On: true}.Draw(append(lines, ""), w, min(len(lines)+3, h), st)
}

func (d fieldChoice) Hints() []kit.Hint {
	return []kit.Hint{{Key: "a letter", Foot: "opens it"}, {Key: "↑ ↓ enter", Foot: "choose"}, {Key: "esc", Foot: "back"}}
}
