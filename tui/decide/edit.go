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

// An editor changes a lesson, field by field.
type editor struct {
	form
	fx    desk.Desk
	on    desk.Screen // which decides
	ready bool        // the lesson was read whole, with what an earlier edit has left
	early []tea.Msg   // keys from before
	again bool        // it goes on with what an earlier edit has left

	at     field
	own    bool // when it shows was changed by hand, and no longer follows the sentence
	values map[string][]index.Count
	warned bool // that leaving drops what cannot be read

	back       kit.Dialog                      // what to come back to; nil for the pane
	give       func(lessons.Lesson) kit.Dialog // takes the sentence in place of the store; nil where it is stored
	kit.Scroll                                 // through what lies beside the fields
}

// Edit opens the editor of a lesson, on which a screen decides. It goes back to a dialog; nil
// is the screen.
func Edit(fx desk.Desk, on desk.Screen, l lessons.Lesson, back kit.Dialog) kit.Out {
	d := newEditor(fx, l)
	d.on, d.back = on, back
	return kit.Ask(d).And(kit.Out{Writes: []kit.Job{load(fx, l.ID)}})
}

func newEditor(fx desk.Desk, l lessons.Lesson) editor {
	return editor{form: formOf(l, fx.Now), fx: fx, values: map[string][]index.Count{}}
}

// load reads a lesson to edit, with what an earlier edit has left of it. It is asked for as a
// write is, after those under way.
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

// mostEarly is how many keys wait for a lesson to be read.
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

// loaded goes on with what an earlier edit has left, and with the keys that came meanwhile.
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

// shown are the fields that can be changed here.
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

// to goes to another field.
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

// mostOffered is how many values are offered for what is typed.
const mostOffered = 5

// offered are the values that complete what is typed, those first that begin with it.
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

// following are the phrases of when it shows that stay with the sentence as it is now.
func (d form) following() string {
	return lessons.Line(strings.Join(d.lesson.Reworded(d.value(sentenceField)).Triggers, ", "))
}

// save stores what was typed, and with approve has it approved too.
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

// forgotten has the draft removed where the fields say what is stored.
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

// leave goes back. What was typed stays as a draft.
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

// Unsaved keeps what is typed, as a draft, when the screens end.
func (d editor) Unsaved() []kit.Job {
	if !d.ready || d.give != nil || len(d.differing()) == 0 {
		return nil
	}
	return []kit.Job{KeepText(d.fx, d.lesson, d.draft())}
}

// hand gives all of it to the person's own editor.
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
