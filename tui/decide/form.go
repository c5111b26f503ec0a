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
	"learnings/tui/kit"
)

// A field is one input of the form, of one or several lines.
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

// fields has the label of each field, its name in [curate.FieldText], the placeholder,
// and the hint shown while it has the focus.
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

// A form holds the inputs. Category, scope and confidence are lines too, but keys choose
// their text.
type form struct {
	lesson lessons.Lesson // as stored
	now    func() time.Time
	areas  [exampleField + 1]textarea.Model
	lines  [fieldCount]textinput.Model
	was    [fieldCount]string // as stored
}

// formOf returns the form of a stored lesson.
func formOf(l lessons.Lesson, now func() time.Time) form {
	d := form{lesson: l, now: now}.filled(l)
	for f := range fieldCount {
		d.was[f] = d.value(f)
	}
	return d
}

// filled fills the inputs from a lesson.
func (d form) filled(l lessons.Lesson) form {
	d.areas = [...]textarea.Model{newArea(lessons.Line(l.Content), kit.MostSentence, false),
		newArea(lessons.Block(l.Insight), lessons.MaxContent, true), newArea(lessons.Block(l.Example), lessons.MaxContent, true)}
	for f := categoryField; f < fieldCount; f++ {
		d.lines[f] = kit.NewField(lessons.Line(curate.FieldText(fields[f].of, l)))
		d.lines[f].CharLimit = kit.MostSentence
	}
	d.lines[sureField].SetValue(l.Trust())
	return d
}

// newArea returns an input of several lines.
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
	in.Focus() // the returned command only makes the cursor blink
	return in
}

// sized fits the inputs to w cells, on a page of h lines.
func (d form) sized(w, h int) form {
	for i := range d.areas {
		d.areas[i].MaxHeight = max(min(h/3, 8), 2)
		d.areas[i].SetWidth(w)
	}
	return d
}

// value returns the text of a field.
func (d form) value(f field) string {
	if f <= exampleField {
		return d.areas[f].Value()
	}
	return d.lines[f].Value()
}

func (d form) differs(f field) bool { return d.value(f) != d.was[f] }

// differing returns the changed fields.
func (d form) differing() (all []field) {
	for f := range fieldCount {
		if d.differs(f) {
			all = append(all, f)
		}
	}
	return all
}

// changed passes a key or a paste to a field.
func (d form) changed(f field, msg tea.Msg) (form, tea.Cmd) {
	var cmd tea.Cmd
	k, _ := msg.(tea.KeyPressMsg)
	switch {
	case f <= exampleField:
		d.areas[f], cmd = areaUpdated(d.areas[f], msg)
	case f == categoryField || f == scopeField || f == sureField:
		d.lines[f].SetValue(chosen(d.choices(f), d.value(f), k.String()))
	default:
		d.lines[f], cmd = d.lines[f].Update(msg)
	}
	return d, cmd
}

// areaUpdated passes msg to a text area. Unlike the widget's, its ctrl+u deletes
// everything before the cursor, not only in the current line: reasons written by programs
// have twenty lines.
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

// atEdge reports whether the cursor cannot move up or down within a field.
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

// choices returns the possible values of a field.
func (d form) choices(f field) (all []string) {
	switch f {
	case scopeField:
		return curate.Scopes
	case sureField:
		return lessons.Trusts()
	}
	for _, c := range card.Categories {
		all = append(all, string(c))
	}
	if c := string(d.lesson.Category); !slices.Contains(all, c) {
		all = append(all, c)
	}
	return all
}

// chosen returns the choice before or after the current one, or the first that begins
// with the letter k.
func chosen(all []string, now, k string) string {
	i := slices.Index(all, now)
	switch {
	case (k == "left" || k == "-") && i > 0:
		return all[i-1]
	case (k == "right" || k == "+") && i < len(all)-1:
		return all[i+1]
	case k == "space":
		return all[(i+1)%len(all)]
	}
	if j := slices.IndexFunc(all, func(s string) bool { return k != "" && strings.HasPrefix(s, k) }); j >= 0 {
		return all[j]
	}
	return now
}

// completed replaces the text being typed with a value.
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

// edited returns the edited lesson, or the first invalid field and an error.
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

// draft returns the edited lesson without the fields that cannot be parsed.
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
