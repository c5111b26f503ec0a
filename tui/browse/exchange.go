package browse

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"learnings/index"
	"learnings/lessons"
	"learnings/tui/desk"
	"learnings/tui/kit"
	"learnings/tui/look"
)

// This file imports lessons from other programs and exports to programs and files. It
// shows the changes first, and writes nothing before the person agrees.

// A way is import or export.
type way string

const (
	Importing way = "import"
	Exporting way = "export"
)

// Open asks where lessons come from or go: a store at its usual place, or a typed path.
func Open(fx desk.Desk, w way) kit.Out {
	find, title := fx.Exchange.Import, "import: from where?"
	if w == Exporting {
		find, title = fx.Exchange.Export, "export: to where?"
	}
	to := func(what string) kit.Out {
		return openPlan(fx, w, func() kit.Out { return Open(fx, w) }, func(ctx context.Context) (desk.Preview, error) { return find(ctx, what) })
	}
	d := kit.NewChooser(title, nil)
	d.More, d.Hint = true, "a format, a file or folder, or both: json ~/lessons.json"
	d.Take = func(typed string) (kit.Out, error) { return to(typed), nil }
	return kit.Ask(d).And(kit.Run(func(context.Context) tea.Msg {
		var m kit.MoreMsg
		for _, s := range fx.Exchange.Stores(w == Exporting) {
			m.Options = append(m.Options, kit.Option{Name: s.Format, Note: s.Shown, Do: to(s.Format + " " + s.Path)})
		}
		return m
	}))
}

// A wanted names the lessons to write, and a title for them.
type wanted struct {
	ids   []lessons.ID
	query *index.Query // instead of ids
	title string
}

// find returns the ids.
func (w wanted) find(ctx context.Context, fx desk.Desk) ([]lessons.ID, error) {
	if w.query == nil {
		return w.ids, nil
	}
	if !fx.Shared.Others.Take(ctx) {
		return nil, ctx.Err()
	}
	defer fx.Shared.Others.GiveBack()
	q, ids := *w.query, []lessons.ID(nil)
	q.Now = fx.Now()
	err := fx.Corpus.Index.Each(ctx, q, func(l lessons.Lesson) { ids = append(ids, l.ID) })
	slices.Sort(ids)
	return ids, err
}

// openExport asks for the format in which to write or copy lessons.
func openExport(fx desk.Desk, of wanted) kit.Out {
	d := kit.NewChooser("export "+of.title, nil)
	d.More = true
	return kit.Ask(d).And(kit.Run(func(context.Context) tea.Msg {
		var files, texts []kit.Option
		for _, f := range fx.Exchange.Forms() {
			files = append(files, kit.Option{Name: f.Name, Note: f.About, Do: openPath(fx, of, f)})
			if f.Text {
				texts = append(texts, kit.Option{Name: "copy as " + f.Name, Note: "to the clipboard", Do: copyAs(fx, of, f)})
			}
		}
		files = append(files, kit.Option{Name: pageForm.Name, Note: pageForm.About, Do: openPath(fx, of, pageForm)})
		return kit.MoreMsg{Options: append(files, texts...)}
	}))
}

// copyAs copies lessons to the clipboard.
func copyAs(fx desk.Desk, of wanted, f desk.Form) kit.Out {
	return kit.Run(func(ctx context.Context) tea.Msg {
		ids, err := of.find(ctx, fx)
		var text string
		var ls []lessons.Lesson
		if err == nil {
			text, ls, err = fx.Exchange.Copied(ctx, f.Name, ids)
		}
		if err != nil {
			return kit.OutMsg{Out: kit.Warn("%v", err)}
		}
		return kit.OutMsg{Out: desk.Copied(of.title+" as "+f.Name, text, ls...)}
	})
}

// pageForm is a page for a browser, offered with the forms of [desk.Exchange].
var pageForm = desk.Form{Name: "page", About: "one file for a browser: lessons with a search, and figures", Path: "learnings.html"}

// openPath asks where to write lessons.
func openPath(fx desk.Desk, of wanted, f desk.Form) kit.Out {
	d := kit.NewChooser("where to write "+of.title+" as "+f.Name, nil).With(f.Path)
	d.Hint = "enter shows it first"
	d.Take = func(path string) (kit.Out, error) {
		return openPlan(fx, Exporting, func() kit.Out { return openPath(fx, of, f) }, func(ctx context.Context) (desk.Preview, error) {
			ids, err := of.find(ctx, fx)
			switch {
			case err != nil:
				return desk.Preview{}, err
			case f.Name == pageForm.Name:
				return fx.Exchange.Page(ctx, of.title, path, ids)
			}
			return fx.Exchange.Chosen(ctx, f.Name, path, ids)
		}), nil
	}
	return kit.Ask(d)
}

// wantedIn returns the marked lessons, or the current one.
func wantedIn(p Pane) wanted {
	ids := slices.Sorted(maps.Keys(p.marks))
	if len(ids) > 0 {
		return wanted{ids: ids, title: fmt.Sprintf("%d marked", len(ids))}
	}
	if l, ok := p.Current(); ok {
		ids = append(ids, l.ID)
	}
	return wanted{ids: ids, title: kit.LessonsOf(len(ids))}
}

// ExportMarked asks for the format of an export of the marked lessons; false if none is
// marked.
func (p Pane) ExportMarked() (kit.Out, bool) {
	if len(p.marks) == 0 || p.fx.Exchange.Forms == nil {
		return kit.Out{}, false
	}
	return openExport(p.fx, wantedIn(p)), true
}

// shownIn returns all lessons of the list, also those out of view, or the marked ones if
// there are any.
func shownIn(p Pane) wanted {
	if len(p.marks) > 0 {
		return wantedIn(p)
	}
	q := p.asked
	q.AllWords = true
	return wanted{query: &q, title: cmp.Or(strings.Join(steps(q), " × "), "all lessons")}
}

// noExport says why lessons cannot be written; "" if they can.
func noExport(p Pane) string {
	if p.fx.Exchange.Forms == nil {
		return "the sample keeps to itself"
	}
	return anyLesson(p)
}

// openPlan shows the changes and asks whether to make them. again lets the person choose
// again.
func openPlan(fx desk.Desk, w way, again func() kit.Out, find func(context.Context) (desk.Preview, error)) kit.Out {
	back := kit.TextKey{Keys: []string{"b", "left", "h"}, Foot: "choose another", Do: func(kit.Text) (kit.Dialog, kit.Out) { return nil, again() }}
	leave := kit.TextKey{Keys: []string{"n"}}
	page := kit.Text{Title: string(w), W: kit.AskW, Roomy: true, Keys: []kit.TextKey{back, leave}, Leave: "leave", Left: "nothing was changed"}
	page.Lines = func(_ int, st *look.Style) []string {
		return []string{st.Dim.Render("Looking at what would change…")}
	}
	return kit.Await(page, find, func(plan desk.Preview, err error) (kit.Dialog, kit.Out) {
		d := page
		d.Title = lessons.Line(cmp.Or(plan.Title, d.Title))
		if err != nil {
			d.Lines = func(w int, st *look.Style) []string { return kit.Paragraph(err.Error(), w, st.Bad) }
			return d, kit.Out{}
		}
		d.W, d.Roomy, d.Lines = 1<<10, false, func(w int, st *look.Style) []string { return planLines(plan, w, st) }
		do := kit.TextKey{Keys: []string{"enter", "y"}, Foot: string(w), Do: func(kit.Text) (kit.Dialog, kit.Out) {
			return nil, fx.Leave(plan.Leaving, func() kit.Out { return run(fx, w, plan) })
		}}
		switch {
		case plan.Do == nil:
			d.Right = "nothing to do"
		case plan.Over != "":
			over := do
			over.Keys, over.Foot = []string{"o"}, "replace the file"
			do.Foot, do.Do = "", func(d kit.Text) (kit.Dialog, kit.Out) {
				return d, kit.Warn("%s is there: o replaces it, b names another file", plan.Over)
			}
			d.Keys = []kit.TextKey{over, do, back, leave}
		default:
			d.Keys = []kit.TextKey{do, back, leave}
		}
		return d, kit.Out{}
	})
}

// run makes the changes that were shown. It runs as a write, after earlier decisions.
func run(fx desk.Desk, w way, plan desk.Preview) kit.Out {
	return kit.Say("%s…", plan.Title).And(kit.Out{Writes: []kit.Job{func(ctx context.Context) tea.Msg {
		said, err := plan.Do(ctx)
		o := kit.Say("✓ %s", lessons.Line(said))
		switch {
		case err != nil && said != "":
			o = kit.Warn("%s stopped: %s · %s by then", w, lessons.Line(err.Error()), lessons.Line(said))
		case err != nil:
			o = kit.Warn("%s stopped: %s", w, lessons.Line(err.Error()))
		}
		return kit.OutMsg{Out: o.And(kit.Run(fx.Sync()))}
	}}})
}

// planLines returns the lines of a plan, coloured by their first character.
func planLines(plan desk.Preview, w int, st *look.Style) []string {
	text := plan.Text
	if plan.Over != "" {
		text = fmt.Sprintf("! %s is there and would be replaced: o does\n", plan.Over) + text
	}
	inks := map[byte]look.Ink{'+': st.OK, '-': st.Bad, '!': st.Warn, '=': st.Dim, '@': st.Dim}
	var lines []string
	for line := range strings.Lines(lessons.Block(strings.TrimRight(text, "\n"))) {
		ink, known := inks[line[0]]
		if !known {
			ink = st.Text
		}
		for i, text := range kit.Wrap(strings.TrimSuffix(line, "\n"), max(w-2, 1)) {
			if i > 0 {
				text = "  " + text
			}
			lines = append(lines, ink.Render(text))
		}
	}
	return lines
}
