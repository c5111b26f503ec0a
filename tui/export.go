package tui

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"learnings/index"
	"learnings/lessons"
	"learnings/tui/desk"
	"learnings/tui/kit"
	"learnings/tui/look"
)

// This file writes the lessons that a person has marked, or looks at, and no others.

// pageForm is the form of a page for a browser, beside those of [Exchange].Forms.
const pageForm = "page"

// formsMsg answers forms.
type formsMsg []desk.Form

// forms asks for the forms in which some lessons can be written.
func forms(fx desk.Desk) kit.Job {
	return func(context.Context) tea.Msg { return formsMsg(fx.Exchange.Forms()) }
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

// previewedSome finds what it would be to write some lessons in a form to a path.
func previewedSome(fx desk.Desk, w wanted, form, path string) kit.Job {
	return func(ctx context.Context) tea.Msg {
		m := previewedMsg{way: exporting, what: form + " " + path}
		ids, err := w.find(ctx, fx)
		switch {
		case err != nil:
			m.err = err
		case form == pageForm:
			m.plan, m.err = fx.Exchange.Page(ctx, w.title, path, ids)
		default:
			m.plan, m.err = fx.Exchange.Chosen(ctx, form, path, ids)
		}
		return m
	}
}

// textMsg is the text of some lessons, to be copied.
type textMsg struct {
	what, text string
	err        error
}

// textOf makes a text of some lessons.
func textOf(fx desk.Desk, w wanted, form string) kit.Job {
	return func(ctx context.Context) tea.Msg {
		ids, err := w.find(ctx, fx)
		if err != nil {
			return textMsg{err: err}
		}
		text, err := fx.Exchange.Copied(ctx, form, ids)
		return textMsg{fmt.Sprintf("%s as %s", w.title, form), text, err}
	}
}

// completedMsg answers completed.
type completedMsg struct {
	typed string
	all   []string
}

func completed(fx desk.Desk, typed string) kit.Job {
	return func(context.Context) tea.Msg { return completedMsg{typed, fx.Exchange.Complete(typed)} }
}

// An export asks in which form some lessons are to be written, and where to. What would be
// written is shown by an exchange.
type export struct {
	fx     desk.Desk
	of     wanted
	forms  []desk.Form
	cur    kit.List
	naming bool
	in     textinput.Model // the path
	names  []string        // that complete it
	at     int             // the name that was taken last; -1 for none
}

// openExport asks how to write some lessons.
func openExport(fx desk.Desk, of wanted) kit.Out {
	return kit.Ask(export{fx: fx, of: of, at: -1}).And(kit.Run(forms(fx)))
}

// openPage asks where to write a page for a browser.
func openPage(fx desk.Desk, of wanted) kit.Out {
	d := export{fx: fx, of: of, at: -1, forms: []desk.Form{pageAsForm}}
	d.cur = d.cur.Resize(1, 1)
	return kit.Ask(d.name())
}

var pageAsForm = desk.Form{Name: pageForm, About: "one file for a browser: lessons with a search, and figures", Path: "learnings.html"}

func (d export) form() desk.Form {
	if d.cur.At >= len(d.forms) {
		return desk.Form{}
	}
	return d.forms[d.cur.At]
}

// name asks for the path.
func (d export) name() export {
	d.naming, d.in, d.names, d.at = true, kit.NewField(d.form().Path), nil, -1
	return d
}

func (d export) Update(msg tea.Msg) (kit.Dialog, kit.Out) {
	switch m := msg.(type) {
	case formsMsg:
		d.forms = append(slices.Clone([]desk.Form(m)), pageAsForm)
		d.cur = d.cur.Resize(len(d.forms), len(d.forms))
		return d, kit.Out{}
	case kit.RoomMsg:
		d.cur = d.cur.Resize(len(d.forms), max(min(len(d.forms), m.H-8), 1))
		return d, kit.Out{}
	case textMsg:
		if m.err != nil {
			return d, kit.Warn("%v", m.err)
		}
		return nil, desk.Copied(m.what, m.text)
	case completedMsg:
		if d.naming && m.typed == d.in.Value() {
			return d.completed(m.all), kit.Out{}
		}
		return d, kit.Out{}
	}
	if d.naming {
		return d.typed(msg)
	}
	k, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return d, kit.Out{}
	}
	if cur, ok := d.cur.Stepped(k.String()); ok {
		d.cur = cur
		return d, kit.Out{}
	}
	switch k.String() {
	case "esc", "q", "E":
		return nil, kit.Say("nothing was written")
	case "enter", "l", "right":
		if d.form().Name != "" {
			return d.name(), kit.Out{}
		}
	case "y":
		if f := d.form(); !f.Text {
			return d, kit.Say("%s is no text to copy; markdown, json and jsonl are", f.Name)
		}
		return d, kit.Run(textOf(d.fx, d.of, d.form().Name))
	}
	return d, kit.Out{}
}

// typed is a key while the path is typed.
func (d export) typed(msg tea.Msg) (kit.Dialog, kit.Out) {
	if k, ok := msg.(tea.KeyPressMsg); ok {
		switch k.String() {
		case "tab", "shift+tab":
			if len(d.names) > 0 && d.at >= 0 {
				by := 1
				if k.String() == "shift+tab" {
					by = -1
				}
				return d.take((d.at + by + len(d.names)) % len(d.names)), kit.Out{}
			}
			return d, kit.Run(completed(d.fx, d.in.Value()))
		}
	}
	key, path, cmd := kit.TypeInto(&d.in, msg)
	switch {
	case key == "esc" && len(d.forms) > 1:
		d.naming = false
		return d, kit.Out{}
	case key == "esc":
		return nil, kit.Say("nothing was written")
	case key == "enter" && path != "":
		return previewing(d, path)
	}
	if _, ok := msg.(tea.KeyPressMsg); ok {
		d.names, d.at = nil, -1
	}
	return d, kit.Out{Cmd: cmd}
}

// completed takes what completes the path: as much as all names have in common, and then
// one after the other.
func (d export) completed(all []string) export {
	d.names, d.at = all, -1
	if len(all) == 0 {
		return d
	}
	common := all[0]
	for _, n := range all[1:] {
		for !strings.HasPrefix(n, common) {
			_, size := utf8.DecodeLastRuneInString(common)
			common = common[:len(common)-size]
		}
	}
	if len(common) > len(d.in.Value()) {
		d.in = kit.NewField(common)
		return d
	}
	return d.take(0)
}

// take puts one of the names into the field.
func (d export) take(i int) export {
	d.at, d.in = i, kit.NewField(d.names[i])
	return d
}

// previewing shows what would be written.
func previewing(d export, path string) (kit.Dialog, kit.Out) {
	form := d.form().Name
	return exchange{fx: d.fx, way: exporting, found: true, back: d, what: form + " " + path}, kit.Run(previewedSome(d.fx, d.of, form, path))
}

func (d export) Hints() []kit.Hint {
	if d.naming {
		return []kit.Hint{{Key: "enter", Foot: "see what would be written"}, {Key: "tab", Foot: "complete"}, {Key: "esc", Foot: "back"}}
	}
	return []kit.Hint{{Key: "j k", Foot: "choose"}, {Key: "enter", Foot: "where to"}, {Key: "y", Foot: "copy it instead"}, {Key: "esc", Foot: "leave"}}
}

func (d export) View(w, h int, st *look.Style) string {
	w = min(w, kit.AskW)
	title := st.Accent.Render("export " + d.of.title)
	lines := []string{""}
	if d.naming {
		f := d.form()
		lines = append(lines, "   "+st.Strong.Render(kit.Fit(f.Name, 12))+" "+st.Dim.Render(look.Sentence(f.About, w-20)), "")
		lines = append(lines, kit.Edge(true, st)+st.Accent.Render(" to ")+kit.FieldView(d.in, w-10))
		room := max(h-8, 1)
		first := max(0, min(max(d.at, 0)-room/2, len(d.names)-room))
		for i := first; i < min(first+room, len(d.names)); i++ {
			name := look.Sentence(lessons.Line(d.names[i]), w-10)
			if i == d.at {
				lines = append(lines, st.Select(kit.Fit("     "+st.Strong.Render(name), w-2)))
			} else {
				lines = append(lines, "     "+st.Dim.Render(name))
			}
		}
		lines = append(lines, "", "   "+st.Dim.Render("It is shown first; nothing that is there is replaced unasked."))
		return kit.Box{Title: title, On: true}.Draw(lines, w, min(len(lines)+2, h), st)
	}
	if len(d.forms) == 0 {
		lines = append(lines, "   "+st.Dim.Render("Looking at the forms…"))
	}
	lines = append(lines, d.cur.Lines(func(i int, current bool) string {
		f := d.forms[i]
		ink := st.Text
		if current {
			ink = st.Strong
		}
		l := kit.Edge(current, st) + "  " + ink.Render(kit.Fit(f.Name, 20)) + " " + st.Dim.Render(look.Sentence(f.About, max(w-27, 8)))
		if current {
			return st.Select(kit.Fit(l, w-2))
		}
		return l
	})...)
	lines = append(lines, "")
	return kit.Box{Title: title, Right: st.Dim.Render(map[bool]string{true: "y copies it"}[d.form().Text]), On: true}.Draw(lines, w, min(len(lines)+2, h), st)
}

// wantedIn are the lessons of Browse that are marked, or else the current one.
func wantedIn(p browse) wanted {
	ids := slices.Sorted(maps.Keys(p.marks))
	if l, ok := p.Current(); ok && len(ids) == 0 {
		ids = append(ids, l.ID)
	}
	if len(p.marks) > 0 {
		return wanted{ids: ids, title: fmt.Sprintf("%d marked", len(ids))}
	}
	return wanted{ids: ids, title: kit.LessonsOf(len(ids))}
}

// shownIn are all lessons that Browse shows, those further down too; the marked ones alone
// where some are.
func shownIn(p browse) wanted {
	if len(p.marks) > 0 {
		return wantedIn(p)
	}
	q := p.asked
	q.AllWords = true
	path := strings.Join(steps(q), " × ")
	return wanted{query: &q, title: cmp.Or(path, "all lessons")}
}

// noExport says why lessons cannot be written; "" when they can.
func noExport(p browse) string {
	if p.fx.Exchange.Forms == nil {
		return "the sample keeps to itself"
	}
	return anyLesson(p)
}
