package decide

import (
	"context"
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"learnings/index"
	"learnings/index/curate"
	"learnings/lessons"
	"learnings/tui/desk"
	"learnings/tui/kit"
)

// This file changes one field of a lesson or of all marked lessons.

// valued are the fields with value counts.
var valued = map[string]index.Field{
	curate.FieldCategory: index.Category, curate.FieldProject: index.Project, curate.FieldRole: index.Role, curate.FieldTags: index.Tag,
}

// valuesOf counts the values of a field, the most frequent first. It returns nil on
// errors, since the person can type without them.
func valuesOf(ctx context.Context, fx desk.Desk, field string) []index.Count {
	of, ok := valued[field]
	if !ok || !fx.Shared.Others.Take(ctx) {
		return nil
	}
	defer fx.Shared.Others.GiveBack()
	if _, facets, err := fx.Corpus.Index.Facets(ctx, index.Query{Now: fx.Now(), Unjudged: true}, of); err == nil && len(facets) > 0 {
		return facets[0].Values
	}
	return nil
}

// SeveralOf reports whether a field is a list separated by commas.
func SeveralOf(field string) bool {
	return field == curate.FieldTags || field == curate.FieldTriggers || field == curate.FieldFiles
}

// openField asks for a new value of a field. The answer is a [desk.DecideMsg].
func openField(fx desk.Desk, c desk.Chosen, field string) kit.Out {
	if len(c.Ls) == 0 {
		return kit.Say("nothing is chosen")
	}
	before := curate.FieldText(field, c.Ls[0])
	if slices.ContainsFunc(c.Ls, func(l lessons.Lesson) bool { return curate.FieldText(field, l) != before }) {
		before = ""
	}
	take := func(text string) (kit.Out, error) {
		if text == before && len(c.Ls) == 1 {
			return kit.Say("left as it was"), nil
		}
		a, err := curate.Field(field, before, text, fx.Now())
		return kit.Out{Answer: desk.DecideMsg{Action: a, Chosen: c}}, err
	}
	option := func(name, value, note string) kit.Option {
		if value == before {
			note = "now"
		}
		done, err := take(value)
		if err != nil {
			return kit.Option{Name: name, Off: err.Error()}
		}
		return kit.Option{Name: name, Note: note, Do: done}
	}
	title := field + " of “" + lessons.Line(c.Ls[0].Title(40)) + "”"
	if n := len(c.Ls); n > 1 {
		title = fmt.Sprintf("%s of %s", field, kit.LessonsOf(n))
	}
	var all []kit.Option
	hint := ""
	many := SeveralOf(field)
	switch {
	case field == curate.FieldScope:
		for _, s := range curate.Scopes {
			all = append(all, option(s, s, ""))
		}
	case field == curate.FieldUntil:
		hint = "a day, 2026-12-31, or how long, 30d 6w"
	case many && len(c.Ls) > 1:
		hint = "with commas between; they are added to each"
	case many:
		hint = "with commas between"
	}
	if !many && field != curate.FieldCategory && field != curate.FieldScope {
		all = append(all, option("none", "", ""))
	}
	d := kit.NewChooser(title, all)
	d.Take, d.Hint, d.Many, d.More = take, hint, many, true
	if many {
		d = d.With(before)
	}
	return kit.Ask(d).And(kit.Run(func(ctx context.Context) tea.Msg {
		var m kit.MoreMsg
		for _, v := range valuesOf(ctx, fx, field) {
			m.Options = append(m.Options, option(v.Name, v.Name, kit.Grouped(v.N)))
		}
		return m
	}))
}
