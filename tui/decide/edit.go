package decide

import (
	"context"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"learnings/index"
	"learnings/index/curate"
	"learnings/lessons"
	"learnings/tui/desk"
	"learnings/tui/kit"
)

// An editor edits the fields of a lesson.
type editor struct {
	form
	fx    desk.Desk
	on    desk.Screen // the screen that decides
	ready bool        // the lesson was read whole, with its draft
	early []tea.Msg   // keys pressed before
	again bool        // it resumes a draft

	at     field
	own    bool // triggers were edited by hand and no longer follow the sentence
	values map[string][]index.Count
	warned bool // the person knows that leaving drops unreadable text

	back       kit.Dialog                      // where to return to; nil for the pane
	give       func(lessons.Lesson) kit.Dialog // takes the sentence instead of the store; nil to store it
	kit.Scroll                                 // of what is beside the fields
}

// Edit opens the editor of a lesson for a screen. It returns to back, or to the screen if
// back is nil.
func Edit(fx desk.Desk, on desk.Screen, l lessons.Lesson, back kit.Dialog) kit.Out {
	d := newEditor(fx, l)
	d.on, d.back = on, back
	return kit.Ask(d).And(kit.Out{Writes: []kit.Job{load(fx, l.ID)}})
}

func newEditor(fx desk.Desk, l lessons.Lesson) editor {
	return editor{form: formOf(l, fx.Now), fx: fx, values: map[string][]index.Count{}}
}

// load reads a lesson and its draft. It runs as a write, so that earlier writes are done.
func load(fx desk.Desk, id lessons.ID) kit.Job {
	return func(context.Context) tea.Msg {
		l, err := fx.Corpus.Store.Get(id)
		if err != nil {
			return kit.Reply[editor](func(d editor) (kit.Dialog, kit.Out) { return d.back, kit.Warn("reading %s: %v", id, err) })
		}
		draft, edited, err := curate.Kept(fx.Corpus, l)
		return kit.Reply[editor](func(d editor) (kit.Dialog, kit.Out) {
			switch {
			case d.lesson.ID != id || d.ready:
				return d, kit.Out{}
			case err != nil:
				return d.back, kit.Warn("%v · your text is kept, e opens it", err)
			}
			d.form, d.ready, d.again = formOf(l, d.now), true, draft != nil
			return d.loaded(edited)
		})
	}
}

// mostEarly limits the keys kept while the lesson is read.
const mostEarly = 500

func (d editor) Update(msg tea.Msg) (kit.Dialog, kit.Out) {
	switch m := msg.(type) {
	case kit.RoomMsg:
		d.RoomMsg = m
		d.form = d.sized(d.textW(), d.H)
	case kit.Reply[editor]:
		return m(d)
	case kit.WheelMsg:
		d.Top = max(d.Top+m.By, 0)
	case tea.KeyPressMsg, tea.PasteMsg:
		if k, _ := m.(tea.KeyPressMsg); !d.ready && k.String() != "esc" {
			d.early = append(d.early, msg)[:min(len(d.early)+1, mostEarly)]
			return d, kit.Out{}
		}
		return d.typed(msg)
	}
	return d, kit.Out{}
}

// loaded resumes the draft and handles the keys that came early.
func (d editor) loaded(edited lessons.Lesson) (kit.Dialog, kit.Out) {
	o := kit.Out{}
	if d.again {
		d.form = d.filled(edited)
		d.own = d.differs(triggersField) && d.value(triggersField) != d.following()
		o = kit.Say("this goes on with what you typed before · ctrl+x is back to what is stored")
	}
	d.form = d.sized(d.textW(), d.H)
	early := d.early
	d.early = nil
	var next kit.Dialog = d
	for _, msg := range early {
		var p kit.Out
		if next == nil {
			break
		}
		next, p = next.Update(msg)
		o = o.And(p)
	}
	return next, o
}

// shown returns the number of fields that can be edited here.
func (d editor) shown() field {
	if d.give != nil {
		return whyField + 1
	}
	return fieldCount
}

func (d editor) typed(msg tea.Msg) (kit.Dialog, kit.Out) {
	k, _ := msg.(tea.KeyPressMsg)
	page := max(d.H/3, 1)
	switch key := k.String(); {
	case key == "esc":
		return d.leave()
	case key == "ctrl+s":
		return d.save(false)
	case key == "ctrl+a":
		return d.save(d.give != nil || d.lesson.Status == lessons.Pending)
	case key == "ctrl+e" && d.give == nil:
		return d.hand()
	case key == "ctrl+x":
		d.form = d.filled(d.lesson).sized(d.textW(), d.H)
		d.own, d.warned = false, false
		return d, kit.Say("as it is stored")
	case key == "pgdown":
		d.Top += page
		return d, kit.Out{}
	case key == "pgup":
		d.Top = max(d.Top-page, 0)
		return d, kit.Out{}
	case key == "tab":
		return d.to((d.at + 1) % d.shown())
	case key == "shift+tab":
		return d.to((d.at + d.shown() - 1) % d.shown())
	case key == "enter" && d.at != whyField && d.at != exampleField, key == "down" && d.atEdge(d.at, 1):
		return d.to(min(d.at+1, d.shown()-1))
	case key == "up" && d.atEdge(d.at, -1):
		return d.to(max(d.at-1, 0))
	case key == "right" && len(d.offered()) > 0 && d.lines[d.at].Position() == len([]rune(d.value(d.at))):
		d.form = d.completed(d.at, d.offered()[0].Name)
		return d, kit.Out{}
	}
	if p, ok := msg.(tea.PasteMsg); ok {
		p.Content = lessons.Block(p.Content)
		if d.at == sentenceField || d.at > exampleField {
			p.Content = lessons.Line(p.Content)
		}
		msg = p
	}
	d.warned = false
	was := d.value(d.at)
	var cmd tea.Cmd
	d.form, cmd = d.changed(d.at, msg)
	switch {
	case d.value(d.at) == was:
	case d.at == triggersField:
		d.own = true
	case d.at == sentenceField && !d.own:
		d.lines[triggersField].SetValue(d.following())
	}
	return d, kit.Out{Cmd: cmd}
}

// to moves to another field.
func (d editor) to(f field) (kit.Dialog, kit.Out) {
	d.at = f
	of := fields[f].of
	if _, known := d.values[of]; known || valued[of] == "" || f == categoryField || d.give != nil {
		return d, kit.Out{}
	}
	fx := d.fx
	return d, kit.Run(func(ctx context.Context) tea.Msg {
		values := valuesOf(ctx, fx, of)
		return kit.Reply[editor](func(d editor) (kit.Dialog, kit.Out) {
			if values != nil {
				d.values[of] = values
			}
			return d, kit.Out{}
		})
	})
}

// mostOffered is how many completions are offered.
const mostOffered = 5

// offered returns the values that complete the typed text, those that begin with it
// first.
func (d editor) offered() []index.Count {
	of := fields[d.at].of
	if d.at <= categoryField || !d.differs(d.at) {
		return nil
	}
	before, part := kit.TermAt(d.value(d.at), SeveralOf(of))
	part = strings.ToLower(part)
	var begin, within []index.Count
	for _, v := range d.values[of] {
		name := strings.ToLower(v.Name)
		switch {
		case part == "" || name == part || slices.Contains(strings.Split(strings.ReplaceAll(before, " ", ""), ","), v.Name):
		case strings.HasPrefix(name, part):
			begin = append(begin, v)
		case strings.Contains(name, part):
			within = append(within, v)
		}
	}
	all := append(begin, within...)
	return all[:min(len(all), mostOffered)]
}

// following returns the triggers that still fit the sentence as edited.
func (d form) following() string {
	return lessons.Line(strings.Join(d.lesson.Reworded(d.value(sentenceField)).Triggers, ", "))
}

// save stores the text, and approves the lesson if approve is set.
func (d editor) save(approve bool) (kit.Dialog, kit.Out) {
	l, f, err := d.edited()
	same := len(d.differing()) == 0
	switch {
	case err != nil:
		d.at = f
		return d, kit.Warn("%v", err)
	case d.give != nil:
		next := d.give(l)
		if m, ok := next.(Merge); ok && approve {
			return m.Accepted()
		}
		return next, kit.Out{}
	case same && !approve:
		return d.back, kit.Say("left as it was").And(d.forgotten())
	case approve:
		return nil, kit.Out{Answer: ApproveTextMsg{Edit: curate.EditTyped(l), Lesson: d.lesson, Edited: l, Reader: d.back != nil}}.And(d.forgotten())
	}
	return d.back, kit.Out{Answer: desk.DecideMsg{Action: curate.EditTyped(l), Chosen: desk.Only(d.lesson)}}
}

// forgotten removes the draft if the fields equal the stored lesson.
func (d editor) forgotten() kit.Out {
	if !d.again || len(d.differing()) > 0 {
		return kit.Out{}
	}
	fx, l := d.fx, d.lesson
	return kit.Out{Writes: []kit.Job{func(context.Context) tea.Msg {
		draft, _, err := curate.Kept(fx.Corpus, l)
		draft.Discard()
		return DraftKept(err)
	}}}
}

// leave closes the editor and keeps the text as a draft.
func (d editor) leave() (kit.Dialog, kit.Out) {
	if _, f, err := d.edited(); err != nil && d.ready && d.give == nil && f != sentenceField && !d.warned {
		d.warned = true
		return d, kit.Warn("%v · mend it, or esc again leaves that out", err)
	}
	if o := d.Unsaved(); len(o) > 0 {
		return d.back, kit.Say("your text is kept as a draft; i goes on with it").And(kit.Out{Writes: o})
	}
	return d.back, kit.Say("left as it was").And(d.forgotten())
}

// Unsaved returns the jobs that keep the text as a draft when the desk closes.
func (d editor) Unsaved() []kit.Job {
	if !d.ready || d.give != nil || len(d.differing()) == 0 {
		return nil
	}
	return []kit.Job{KeepText(d.fx, d.lesson, d.draft())}
}

// hand opens the lesson in the person's own editor.
func (d editor) hand() (kit.Dialog, kit.Out) {
	open := openOwn(d.fx, d.on, d.lesson)
	keep := d.Unsaved()
	return nil, kit.Out{Writes: []kit.Job{func(ctx context.Context) tea.Msg {
		for _, j := range keep {
			if failed := j(ctx); failed != nil {
				return failed
			}
		}
		return open(ctx)
	}}}
}
