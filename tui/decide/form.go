package decide

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"charm.land/bubbles/v2/textarea"
	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"learnings/index/curate"
	"learnings/lessons"
	"learnings/tui/card"
	"learnings/tui/desk"
	"learnings/tui/kit"
)

// A field is one line of the form, or a text of several.
type field int

const (
	sentenceField field = iota
	whyField
	exampleField
	categoryField
	projectField
	roleField
	scopeField
	filesField
	tagsField
	sureField
	untilField
	triggersField
	fieldCount
)

// fields says what each is called on the page and to [curate.FieldText], what stands for
// nothing, and what is told below it while it has the cursor.
var fields = [fieldCount]struct{ name, of, none, about string }{
	sentenceField: {name: "sentence", none: "none"},
	whyField:      {name: "why", none: "none"},
	exampleField:  {name: "example", none: "none"},
	categoryField: {name: "category", of: curate.FieldCategory},
	projectField:  {name: "project", of: curate.FieldProject, none: "none"},
	roleField:     {name: "role", of: curate.FieldRole, none: "any role"},
	scopeField:    {name: "scope", of: curate.FieldScope},
	filesField:    {name: "files", of: curate.FieldFiles, none: "any file", about: "given to work on these only: cmd/**, *.proto"},
	tagsField:     {name: "tags", of: curate.FieldTags, none: "none", about: "with commas between"},
	sureField:     {name: "confidence"},
	untilField:    {name: "holds", of: curate.FieldUntil, none: "until it is changed", about: "a day, 2026-12-31, or how long, 30d 6w; nothing is for good"},
	triggersField: {name: "shows when", of: curate.FieldTriggers, none: "none", about: "in the words of who will complain; names of files, functions, errors"},
}

// A form is what the fields say. Categories, scopes and confidence stand in a line as their
// text, but are chosen by keys.
type form struct {
	lesson lessons.Lesson // as it is stored
	now    func() time.Time
	areas  [exampleField + 1]textarea.Model
	lines  [fieldCount]textinput.Model
	was    [fieldCount]string // as it is stored
}

// formOf is the form of a lesson as it is stored.
func formOf(l lessons.Lesson, now func() time.Time) form {
	d := form{lesson: l, now: now}.filled(l)
	for f := range fieldCount {
		d.was[f] = d.value(f)
	}
	return d
}

// filled has the fields of a lesson.
func (d form) filled(l lessons.Lesson) form {
	d.areas = [...]textarea.Model{newArea(lessons.Line(l.Content), kit.MostSentence, false),
		newArea(lessons.Block(l.Insight), lessons.MaxContent, true), newArea(lessons.Block(l.Example), lessons.MaxContent, true)}
	for f := categoryField; f < fieldCount; f++ {
		d.lines[f] = kit.NewField(lessons.Line(curate.FieldText(fields[f].of, l)))
		d.lines[f].CharLimit = kit.MostSentence
	}
	d.lines[sureField].SetValue(l.Confidence.Round().String())
	return d
}

// newArea is a field of several lines.
func newArea(value string, most int, breaks bool) textarea.Model {
	in := textarea.New()
	in.Prompt, in.ShowLineNumbers, in.CharLimit = "", false, most
	in.DynamicHeight, in.MinHeight, in.MaxContentHeight = true, 1, 5000
	in.KeyMap.InsertNewline.SetEnabled(breaks)
	s := in.Styles()
	s.Cursor.Blink = false
	s.Focused = textarea.StyleState{}
	in.SetStyles(s)
	in.SetWidth(60)
	in.SetValue(value)
	in.MoveToEnd()
	in.Focus() // the command that it gives only makes the cursor blink
	return in
}

// sized fits what is typed to w cells, on a page of h lines.
func (d form) sized(w, h int) form {
	for i := range d.areas {
		d.areas[i].MaxHeight = max(min(h/3, 8), 2)
		d.areas[i].SetWidth(w)
	}
	return d
}

// value is what a field says.
func (d form) value(f field) string {
	if f <= exampleField {
		return d.areas[f].Value()
	}
	return d.lines[f].Value()
}

func (d form) differs(f field) bool { return d.value(f) != d.was[f] }

// differing are the fields that were changed.
func (d form) differing() (all []field) {
	for f := range fieldCount {
		if d.differs(f) {
			all = append(all, f)
		}
	}
	return all
}

// changed is the form after a key or a paste for a field.
func (d form) changed(f field, msg tea.Msg) (form, tea.Cmd) {
	var cmd tea.Cmd
	k, _ := msg.(tea.KeyPressMsg)
	switch {
	case f <= exampleField:
		d.areas[f], cmd = areaUpdated(d.areas[f], msg)
	case f == sureField:
		d.lines[f].SetValue(weighed(d.value(f), k.String()))
	case f == categoryField || f == scopeField:
		d.lines[f].SetValue(chosen(d.choices(f), d.value(f), k.String()))
	default:
		d.lines[f], cmd = d.lines[f].Update(msg)
	}
	return d, cmd
}

// areaUpdated is a text after a key or a paste. Other than in the widget, ctrl+u takes
// out all that is before the cursor, and not only of its line: a reason that another
// program wrote has twenty lines.
func areaUpdated(in textarea.Model, msg tea.Msg) (textarea.Model, tea.Cmd) {
	if k, ok := msg.(tea.KeyPressMsg); !ok || k.String() != "ctrl+u" || in.Line() == 0 {
		return in.Update(msg)
	}
	lines := strings.Split(in.Value(), "\n")[in.Line():]
	rest := []rune(lines[0])
	lines[0] = string(rest[min(in.Column(), len(rest)):])
	in.SetValue(strings.Join(lines, "\n"))
	in.MoveToBegin()
	return in, nil
}

// atEdge reports that the cursor cannot go further up or down within a field.
func (d form) atEdge(f field, by int) bool {
	if f > exampleField {
		return true
	}
	in := &d.areas[f]
	line := in.LineInfo()
	if by > 0 {
		return in.Line() == in.LineCount()-1 && line.RowOffset >= line.Height-1
	}
	return in.Line() == 0 && line.RowOffset == 0
}

// choices are what a field is one of.
func (d form) choices(f field) (all []string) {
	if f == scopeField {
		return curate.Scopes
	}
	for _, c := range card.Categories {
		all = append(all, string(c))
	}
	if c := string(d.lesson.Category); !slices.Contains(all, c) {
		all = append(all, c)
	}
	return all
}

// chosen is the choice beside the one that there is, or the first that begins with a letter.
func chosen(all []string, now, k string) string {
	i := slices.Index(all, now)
	switch {
	case k == "left" && i > 0:
		return all[i-1]
	case k == "right" && i < len(all)-1:
		return all[i+1]
	case k == "space":
		return all[(i+1)%len(all)]
	}
	if j := slices.IndexFunc(all, func(s string) bool { return k != "" && strings.HasPrefix(s, k) }); j >= 0 {
		return all[j]
	}
	return now
}

// weighed is a confidence after a key.
func weighed(now, k string) string {
	c, _ := lessons.ParseConfidence(now)
	switch {
	case k == "left" || k == "-":
		c -= desk.Nudge
	case k == "right" || k == "+":
		c += desk.Nudge
	case k == "0":
		c = 1
	case len(k) == 1 && k >= "1" && k <= "9":
		c = lessons.Confidence(k[0]-'0') / 10
	}
	return max(0, min(c, 1)).Round().String()
}

// completed takes a value for what is being typed in a field.
func (d form) completed(f field, value string) form {
	several := SeveralOf(fields[f].of)
	before, _ := kit.TermAt(d.value(f), several)
	if value = before + value; several {
		value += ", "
	}
	d.lines[f].SetValue(value)
	d.lines[f].CursorEnd()
	return d
}

// edited is the lesson as it would be, or which field is wrong and why.
func (d form) edited() (lessons.Lesson, field, error) {
	text := func(f field) *string {
		if s := d.value(f); d.differs(f) {
			return &s
		}
		return nil
	}
	terms := func(f field) *[]string {
		if s := text(f); s != nil {
			return &[]string{*s}
		}
		return nil
	}
	g := curate.Typed{Content: text(sentenceField), Insight: text(whyField), Example: text(exampleField), Category: text(categoryField), Project: text(projectField),
		Role: text(roleField), Tags: terms(tagsField), Triggers: terms(triggersField), Paths: terms(filesField), Confidence: text(sureField)}
	if g.Content != nil {
		*g.Content = strings.Join(strings.Fields(*g.Content), " ")
	}
	if d.differs(scopeField) {
		global := d.value(scopeField) == curate.Scopes[1]
		g.Global = &global
	}
	l, err := g.On(d.lesson, d.now())
	if err != nil {
		return l, sentenceField, err
	}
	if d.differs(untilField) {
		if l, err = (curate.Typed{Until: text(untilField)}).On(l, d.now()); err != nil {
			return l, untilField, err
		}
	}
	if d.differs(projectField) {
		if err := curate.CheckProject(l.Scope.Project); err != nil {
			return l, projectField, err
		}
	}
	bad := slices.IndexFunc(l.Limit.Paths, func(p string) bool { return !lessons.FilePattern(p) })
	switch {
	case bad >= 0 && d.differs(filesField):
		return l, filesField, fmt.Errorf("%q is no pattern of files, such as cmd/** or *.proto", lessons.Line(l.Limit.Paths[bad]))
	case strings.TrimSpace(l.Content) == "":
		return l, sentenceField, errors.New("a lesson needs a sentence")
	}
	return l, sentenceField, l.Validate()
}

// draft is what there is to keep of what was typed: what cannot be read is left out.
func (d form) draft() lessons.Lesson {
	for range fieldCount {
		l, f, err := d.edited()
		if err == nil || !d.differs(f) {
			return l
		}
		d.was[f] = d.value(f)
	}
	return d.lesson
}
