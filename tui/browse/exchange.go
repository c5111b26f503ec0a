package browse

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	tea "charm.land/bubbletea/v2"

	"learnings/index"
	"learnings/lessons"
	"learnings/tui/desk"
	"learnings/tui/kit"
	"learnings/tui/look"
)

// This file takes lessons in from other programs, and gives them to other programs and
// files. What would change is shown first, and nothing is written before the person says so.

// A way is a direction in which lessons go.
type way string

const (
	Importing way = "import"
	Exporting way = "export"
)

// run does what was shown. It may be asked for while decisions are stored, and goes in its
// turn with them.
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

// Open asks where lessons come from or go: to a store at its usual place, or to what
// is typed.
func Open(fx desk.Desk, w way) kit.Out {
	find, title := fx.Exchange.Import, "import: from where?"
	if w == Exporting {
		find, title = fx.Exchange.Export, "export: to where?"
	}
	to := func(what string) kit.Out {
		return openPlan(fx, w, what, func() kit.Out { return Open(fx, w) }, func(ctx context.Context) (desk.Preview, error) { return find(ctx, what) })
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

// A wanted is which lessons are to be written, and what to call them.
type wanted struct {
	ids   []lessons.ID
	query *index.Query // in place of ids
	title string
}

// find gives the ids.
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
	var mu sync.Mutex
	err := fx.Corpus.Index.Each(ctx, q, func(l lessons.Lesson) {
		mu.Lock()
		defer mu.Unlock()
		ids = append(ids, l.ID)
	})
	slices.Sort(ids)
	return ids, err
}

// openExport asks in which form to write or copy some lessons.
func openExport(fx desk.Desk, of wanted) kit.Out {
	d := kit.NewChooser("export "+of.title, nil)
	d.More = true
	return kit.Ask(d).And(kit.Run(func(context.Context) tea.Msg {
		var m kit.MoreMsg
		var texts []kit.Option
		for _, f := range fx.Exchange.Forms() {
			m.Options = append(m.Options, kit.Option{Name: f.Name, Note: f.About, Do: openPath(fx, of, f)})
			if f.Text {
				texts = append(texts, kit.Option{Name: "copy as " + f.Name, Note: "to the clipboard", Do: kit.Run(func(ctx context.Context) tea.Msg {
					ids, err := of.find(ctx, fx)
					if err == nil {
						var text string
						if text, err = fx.Exchange.Copied(ctx, f.Name, ids); err == nil {
							return kit.OutMsg{Out: desk.Copied(of.title+" as "+f.Name, text)}
						}
					}
					return kit.OutMsg{Out: kit.Warn("%v", err)}
				})})
			}
		}
		m.Options = append(append(m.Options, kit.Option{Name: pageForm.Name, Note: pageForm.About, Do: openPath(fx, of, pageForm)}), texts...)
		return m
	}))
}

// pageForm is a page for a browser, beside the forms of [Exchange].
var pageForm = desk.Form{Name: "page", About: "one file for a browser: lessons with a search, and figures", Path: "learnings.html"}

// openPath asks where to write some lessons.
func openPath(fx desk.Desk, of wanted, f desk.Form) kit.Out {
	d := kit.NewChooser("where to write "+of.title+" as "+f.Name, nil).With(f.Path)
	d.Hint = "enter shows it first"
	d.Take = func(path string) (kit.Out, error) {
		return openPlan(fx, Exporting, f.Name+" "+path, func() kit.Out { return openPath(fx, of, f) }, func(ctx context.Context) (desk.Preview, error) {
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

// wantedIn are the lessons of Browse that are marked, or else the current one.
func wantedIn(p Pane) wanted {
	ids := slices.Sorted(maps.Keys(p.marks))
	if l, ok := p.Current(); ok && len(ids) == 0 {
		ids = append(ids, l.ID)
	}
	if len(p.marks) > 0 {
		return wanted{ids: ids, title: fmt.Sprintf("%d marked", len(ids))}
	}
	return wanted{ids: ids, title: kit.LessonsOf(len(ids))}
}

// ExportMarked asks in which form to write what is marked; false when nothing is.
func (p Pane) ExportMarked() (kit.Out, bool) {
	if len(p.marks) == 0 || p.fx.Exchange.Forms == nil {
		return kit.Out{}, false
	}
	return openExport(p.fx, wantedIn(p)), true
}

// shownIn are all lessons that Browse shows, those further down too; only the marked ones
// where some are.
func shownIn(p Pane) wanted {
	if len(p.marks) > 0 {
		return wantedIn(p)
	}
	q := p.asked
	q.AllWords = true
	path := strings.Join(steps(q), " × ")
	return wanted{query: &q, title: cmp.Or(path, "all lessons")}
}

// noExport says why lessons cannot be written; "" when they can.
func noExport(p Pane) string {
	if p.fx.Exchange.Forms == nil {
		return "the sample keeps to itself"
	}
	return anyLesson(p)
}

// An exchangePlan shows what would change, and asks whether to.
type exchangePlan struct {
	fx    desk.Desk
	way   way
	what  string
	again func() kit.Out // asks for something else
	plan  desk.Preview
	done  bool // plan or err is there
	err   error
	kit.Scroll
}

// previewedMsg is what an exchange would do.
type previewedMsg struct {
	what string // as it was asked for
	plan desk.Preview
	err  error
}

func openPlan(fx desk.Desk, w way, what string, again func() kit.Out, find func(context.Context) (desk.Preview, error)) kit.Out {
	return kit.Ask(exchangePlan{fx: fx, way: w, what: what, again: again}).And(kit.Run(func(ctx context.Context) tea.Msg {
		plan, err := find(ctx)
		return previewedMsg{what, plan, err}
	}))
}

func (d exchangePlan) Update(msg tea.Msg) (kit.Dialog, kit.Out) {
	switch m := msg.(type) {
	case kit.RoomMsg:
		d.RoomMsg = m
	case previewedMsg:
		if m.what == d.what {
			d.plan, d.err, d.done = m.plan, m.err, true
		}
	case tea.KeyPressMsg:
		switch m.String() {
		case "esc", "q", "n":
			return nil, kit.Say("nothing was changed")
		case "b", "left", "h":
			return nil, d.again()
		case "enter", "y", "o":
			switch {
			case !d.ready():
			case d.plan.Over != "" && m.String() != "o":
				return d, kit.Warn("%s is there: o replaces it, b names another file", d.plan.Over)
			default:
				return nil, run(d.fx, d.way, d.plan)
			}
		}
	}
	if d.done {
		d.Scroll = d.By(kit.Scrolling(msg, d.H-2), len(d.lines(d.W, kit.Unseen)), d.H-2)
	}
	return d, kit.Out{}
}

// ready reports that there is something to do.
func (d exchangePlan) ready() bool { return d.done && d.err == nil && d.plan.Do != nil }

// lines are the plan, wrapped for a frame of w cells, each in the ink of what it begins with.
func (d exchangePlan) lines(w int, st *look.Style) []string {
	text := d.plan.Text
	if d.plan.Over != "" {
		text = fmt.Sprintf("! %s is there and would be replaced: o does\n", d.plan.Over) + text
	}
	inks := map[byte]look.Ink{'+': st.OK, '-': st.Bad, '!': st.Warn, '=': st.Dim, '@': st.Dim}
	var lines []string
	for line := range strings.Lines(lessons.Block(strings.TrimRight(text, "\n"))) {
		ink, known := inks[line[0]]
		if !known {
			ink = st.Text
		}
		for i, text := range kit.Wrap(strings.TrimSuffix(line, "\n"), max(w-6, 1)) {
			if i > 0 {
				text = "  " + text
			}
			lines = append(lines, ink.Render(text))
		}
	}
	return lines
}

func (d exchangePlan) Hints() []kit.Hint {
	hints := []kit.Hint{{Key: "j k", Foot: "scroll"}, {Key: "b", Foot: "choose another"}, {Key: "esc", Foot: "leave"}}
	switch {
	case d.ready() && d.plan.Over != "":
		return append([]kit.Hint{{Key: "o", Foot: "replace the file"}}, hints...)
	case d.ready():
		return append([]kit.Hint{{Key: "enter", Foot: string(d.way)}}, hints...)
	}
	return hints
}

func (d exchangePlan) View(w, h int, st *look.Style) string {
	title := st.Accent.Render(lessons.Line(cmp.Or(d.plan.Title, string(d.way))))
	lines, right := d.lines(w, st), ""
	switch {
	case !d.done:
		w, lines = min(w, kit.AskW), []string{"", st.Dim.Render("Looking at what would change…"), ""}
	case d.err != nil:
		w = min(w, kit.AskW)
		lines = append(append([]string{""}, kit.Paragraph(d.err.Error(), w-4, st.Bad)...), "")
	case d.plan.Do == nil:
		right = st.Dim.Render("nothing to do")
	default:
		if rest := len(lines) - d.Top - (h - 2); rest > 0 {
			right = st.Dim.Render(fmt.Sprintf("↓%d", rest))
		}
	}
	seen := kit.Clip(lines, d.Top, h-2)
	return kit.Box{Title: title, Right: right, On: true}.Draw(kit.Indented(seen), w, min(len(lines)+2, h), st)
}
