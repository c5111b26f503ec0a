package tui

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"charm.land/bubbles/v2/textarea"
	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"learnings/index"
	"learnings/index/curate"
	"learnings/lessons"
	"learnings/tui/card"
	"learnings/tui/decide"
	"learnings/tui/desk"
	"learnings/tui/kit"
)

// An entry is a field of the editor.
type entry int

const (
	inSentence entry = iota
	inWhy
	inExample
	inCategory
	inProject
	inRole
	inScope
	inFiles
	inTags
	inSure
	inUntil
	inWords
	entries
)

// entryNames are the labels of the entries.
var entryNames = [entries]string{"sentence", "why", "example", "category", "project", "role", "scope", "files", "tags", "confidence", "holds", "shows when"}

// A form is what the entries of the editor say.
type form struct {
	lesson   lessons.Lesson // as it is stored
	now      func() time.Time
	areas    [inExample + 1]textarea.Model
	lines    [entries]*textinput.Model // of what is typed on one line; nil for the others
	category lessons.Category
	global   bool
	sure     lessons.Confidence
	was      [entries]string // as it is stored
}

// An editor changes a lesson, field by field, beside its evidence. What is typed is never
// lost: leaving keeps it as a draft, with which the next edit of the lesson goes on.
type editor struct {
	form
	fx    desk.Desk
	on    desk.Screen
	ready bool      // the lesson was read whole, with what an earlier edit has left
	early []tea.Msg // keys from before
	again bool      // it goes on with what an earlier edit has left

	at     entry
	own    bool // when it shows was changed by hand, and no longer follows the sentence
	values map[string][]index.Count
	pick   int // in what is offered for the entry; -1 for what was typed
	part   int // of what lies beside the fields, where there is room for one
	top    int // its first line in sight
	warned bool

	kept   kit.Dialog                      // what to come back to; nil for the pane
	give   func(lessons.Lesson) kit.Dialog // takes the sentence in place of the store; nil where it is stored
	reader bool                            // opened there: approving goes on to the next lesson
	kit.RoomMsg
}

// editLoadedMsg is a lesson to edit as it is stored, with what an earlier edit has left.
type editLoadedMsg struct {
	id     lessons.ID
	lesson lessons.Lesson
	draft  *curate.Draft
	edited lessons.Lesson
	err    error
}

// loadEdit reads a lesson to edit. It is asked for as a write is, after those under way.
func loadEdit(fx desk.Desk, id lessons.ID) kit.Job {
	return func(context.Context) tea.Msg {
		m := editLoadedMsg{id: id}
		if m.lesson, m.err = fx.Corpus.Store.Get(id); m.err != nil {
			m.err = fmt.Errorf("reading %s: %w", id, m.err)
			return m
		}
		if m.draft, m.edited, m.err = curate.Kept(fx.Corpus, m.lesson); m.err != nil {
			m.err = fmt.Errorf("%w · your text is kept, e opens it", m.err)
		}
		return m
	}
}

// dropText forgets what was typed of a lesson: it says what is stored.
func dropText(fx desk.Desk, l lessons.Lesson) kit.Job {
	return func(context.Context) tea.Msg {
		d, _, err := curate.Kept(fx.Corpus, l)
		d.Discard()
		return decide.DraftKeptMsg{Err: err}
	}
}

// openEditor opens the editor of a lesson.
func openEditor(fx desk.Desk, m desk.EditMsg) kit.Out {
	d := newEditor(fx, m.On, m.Lesson)
	d.kept, d.reader = m.Back, m.Back != nil
	return kit.Ask(d).And(kit.Out{Writes: []kit.Job{loadEdit(fx, m.Lesson.ID)}})
}

func newEditor(fx desk.Desk, on desk.Screen, l lessons.Lesson) editor {
	return editor{form: form{lesson: l, now: fx.Now}, fx: fx, on: on, pick: -1, values: map[string][]index.Count{}}.filled(l).noted()
}

// ofSentence is the editor of the sentence and the reason of a lesson that is not stored
// yet.
func ofSentence(fx desk.Desk, l lessons.Lesson, kept kit.Dialog, give func(lessons.Lesson) kit.Dialog) editor {
	d := newEditor(fx, desk.OnReview, l)
	d.ready, d.kept, d.give = true, kept, give
	return d
}

// lined are the entries that are typed on one line, and what they are to [curate.Typed].
var lined = map[entry]string{
	inProject: curate.FieldProject, inRole: curate.FieldRole, inFiles: curate.FieldFiles, inTags: curate.FieldTags,
	inUntil: curate.FieldUntil, inWords: curate.FieldTriggers,
}

// filled has the fields of a lesson in the entries.
func (d editor) filled(l lessons.Lesson) editor {
	d.areas = [...]textarea.Model{inSentence: newArea(lessons.Line(l.Content), kit.MostSentence, false),
		inWhy: newArea(lessons.Block(l.Insight), mostReason, true), inExample: newArea(lessons.Block(l.Example), mostReason, true)}
	for e, field := range lined {
		in := kit.NewField(lessons.Line(curate.FieldText(field, l)))
		in.CharLimit = kit.MostSentence
		d.lines[e] = &in
	}
	d.category, d.global, d.sure = l.Category, l.Scope.Global, l.Confidence.Round()
	return d.sized()
}

// noted remembers what the entries say as what the lesson says.
func (d editor) noted() editor {
	for e := range entries {
		d.was[e] = d.value(e)
	}
	return d
}

// value is what an entry says.
func (d form) value(e entry) string {
	switch e {
	case inSentence, inWhy, inExample:
		return d.areas[e].Value()
	case inCategory:
		return string(d.category)
	case inScope:
		if d.global {
			return curate.Scopes[1]
		}
		return curate.Scopes[0]
	case inSure:
		return d.sure.String()
	}
	return d.lines[e].Value()
}

func (d form) differs(e entry) bool { return d.value(e) != d.was[e] }

// differing are the entries that were changed.
func (d form) differing() (all []entry) {
	for e := range entries {
		if d.differs(e) {
			all = append(all, e)
		}
	}
	return all
}

// all are the entries that can be changed here.
func (d editor) all() entry {
	if d.give != nil {
		return inWhy + 1
	}
	return entries
}

// edited is the lesson as it would be, or which entry is wrong and why.
func (d form) edited() (lessons.Lesson, entry, error) {
	l, now := d.lesson, d.now()
	text := func(e entry) *string {
		if !d.differs(e) {
			return nil
		}
		s := d.value(e)
		return &s
	}
	terms := func(e entry) *[]string {
		if !d.differs(e) {
			return nil
		}
		return &[]string{d.value(e)}
	}
	g := curate.Typed{Insight: text(inWhy), Example: text(inExample), Category: text(inCategory), Project: text(inProject), Role: text(inRole),
		Tags: terms(inTags), Triggers: terms(inWords), Paths: terms(inFiles)}
	if s := text(inSentence); s != nil {
		*s = strings.Join(strings.Fields(*s), " ")
		g.Content = s
	}
	if d.differs(inScope) {
		g.Global = &d.global
	}
	if d.differs(inSure) {
		g.Confidence = text(inSure)
	}
	l, err := g.On(l, now)
	if err != nil {
		return l, inSentence, err
	}
	if d.differs(inUntil) {
		if l, err = (curate.Typed{Until: text(inUntil)}).On(l, now); err != nil {
			return l, inUntil, err
		}
	}
	if d.differs(inProject) {
		if err := curate.CheckProject(l.Scope.Project); err != nil {
			return l, inProject, err
		}
	}
	for _, p := range l.Limit.Paths {
		if d.differs(inFiles) && !lessons.FilePattern(p) {
			return l, inFiles, fmt.Errorf("%q is no pattern of files, such as cmd/** or *.proto", lessons.Line(p))
		}
	}
	if strings.TrimSpace(l.Content) == "" {
		return l, inSentence, errors.New("a lesson needs a sentence")
	}
	return l, inSentence, l.Validate()
}

// draft is what there is to keep of what was typed: what cannot be read is left out.
func (d form) draft() lessons.Lesson {
	for range entries {
		l, e, err := d.edited()
		if err == nil || !d.differs(e) {
			return l
		}
		d.was[e] = d.value(e)
	}
	return d.lesson
}

func (d editor) Update(msg tea.Msg) (kit.Dialog, kit.Out) {
	switch m := msg.(type) {
	case kit.RoomMsg:
		d.RoomMsg = m
		return d.sized(), kit.Out{}
	case editLoadedMsg:
		if m.id == d.lesson.ID && !d.ready {
			return d.loaded(m)
		}
		return d, kit.Out{}
	case decide.ValuesMsg:
		if m.Values != nil {
			d.values[m.Field] = m.Values
		}
		return d, kit.Out{}
	case kit.WheelMsg:
		d.top = max(d.top+m.By, 0)
		return d, kit.Out{}
	case tea.KeyPressMsg, tea.PasteMsg:
		if k, ok := m.(tea.KeyPressMsg); !d.ready && (!ok || k.String() != "esc") {
			if len(d.early) < mostEarly {
				d.early = append(d.early, msg)
			}
			return d, kit.Out{}
		}
		return d.typed(msg)
	}
	return d, kit.Out{}
}

// mostEarly is how many keys wait for a lesson to be read.
const mostEarly = 500

// loaded takes the lesson as it is stored, and what an earlier edit has left of it.
func (d editor) loaded(m editLoadedMsg) (kit.Dialog, kit.Out) {
	if m.err != nil {
		return d.kept, kit.Warn("%v", m.err)
	}
	d.lesson, d.ready = m.lesson, true
	d = d.filled(m.lesson).noted()
	o := kit.Out{}
	if d.again = m.draft != nil; d.again {
		d = d.filled(m.edited)
		d.own = d.differs(inWords) && d.value(inWords) != d.following()
		o = kit.Say("this goes on with what you typed before · ctrl+x is back to what is stored")
	}
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

// sized fits what is typed to the room.
func (d editor) sized() editor {
	w := max(d.leftW()-entryText-1, 8)
	for i := range d.areas {
		d.areas[i].MaxHeight = max(min(d.H/3, 8), 2)
		d.areas[i].SetWidth(w)
	}
	return d
}

func (d editor) typed(msg tea.Msg) (kit.Dialog, kit.Out) {
	if k, ok := msg.(tea.KeyPressMsg); ok {
		switch k.String() {
		case "esc":
			return d.leave()
		case "ctrl+s":
			return d.save(false)
		case "ctrl+a":
			return d.save(d.give != nil || d.lesson.Status == lessons.Pending)
		case "ctrl+e":
			if d.give == nil {
				return d.hand()
			}
		case "ctrl+x":
			d = d.filled(d.lesson)
			d.own, d.warned = false, false
			return d, kit.Say("as it is stored")
		case "ctrl+o":
			d.part, d.top = (d.part+1)%parts, 0
			return d, kit.Out{}
		case "pgdown":
			d.top += max(d.H/3, 1)
			return d, kit.Out{}
		case "pgup":
			d.top = max(d.top-max(d.H/3, 1), 0)
			return d, kit.Out{}
		case "tab":
			if d.pick >= 0 {
				d = d.completed()
			}
			return d.to(d.at + 1)
		case "shift+tab":
			return d.to(d.at - 1)
		}
		if next, o, ok := d.moved(k.String()); ok {
			return next, o
		}
	}
	d.warned = false
	if p, ok := msg.(tea.PasteMsg); ok {
		p.Content = lessons.Block(p.Content)
		if d.at == inSentence || d.at > inExample {
			p.Content = lessons.Line(p.Content)
		}
		msg = p
	}
	return d.changedBy(msg)
}

// to goes to another entry.
func (d editor) to(e entry) (kit.Dialog, kit.Out) {
	n := d.all()
	d.at, d.pick = (e+n)%n, -1
	field := lined[d.at]
	if _, known := d.values[field]; field == "" || known || d.give != nil {
		return d, kit.Out{}
	}
	if decide.Valued[field] == "" {
		return d, kit.Out{}
	}
	return d, kit.Run(decide.ReadValues(d.fx, field))
}

// moved is a key that moves within the entries, or chooses; false for one that is typed.
func (d editor) moved(k string) (kit.Dialog, kit.Out, bool) {
	offered := d.offered()
	switch {
	case k == "enter" && d.pick >= 0:
		return d.completed(), kit.Out{}, true
	case k == "enter" && d.at != inWhy && d.at != inExample:
		next, o := d.to(min(d.at+1, d.all()-1))
		return next, o, true
	case (k == "down" || k == "ctrl+n") && len(offered) > 0:
		d.pick = min(d.pick+1, len(offered)-1)
		return d, kit.Out{}, true
	case (k == "up" || k == "ctrl+p") && d.pick >= 0:
		d.pick--
		return d, kit.Out{}, true
	case k == "down" && d.atEdge(1) && d.at < d.all()-1:
		next, o := d.to(d.at + 1)
		return next, o, true
	case k == "up" && d.atEdge(-1) && d.at > 0:
		next, o := d.to(d.at - 1)
		return next, o, true
	case k == "up" && d.atEdge(-1) || k == "down" && d.atEdge(1):
		return d, kit.Out{}, true
	}
	return d, kit.Out{}, false
}

// following are the phrases of when it shows that stay with the sentence as it is now.
func (d editor) following() string {
	return lessons.Line(strings.Join(d.lesson.Reworded(d.areas[inSentence].Value()).Triggers, ", "))
}

// changedBy is a key or a paste for the entry that has the cursor.
func (d editor) changedBy(msg tea.Msg) (kit.Dialog, kit.Out) {
	var cmd tea.Cmd
	switch k, _ := msg.(tea.KeyPressMsg); d.at {
	case inSentence, inWhy, inExample:
		was := d.areas[d.at].Value()
		d.areas[d.at], cmd = areaUpdated(d.areas[d.at], msg)
		if d.at == inSentence && !d.own && d.areas[d.at].Value() != was {
			d.lines[inWords].SetValue(d.following())
		}
	case inCategory:
		d = d.chose(k.String())
	case inScope:
		if s := k.String(); s == "left" || s == "right" || s == "space" {
			d.global = !d.global
		}
	case inSure:
		d.sure = weighed(d.sure, k.String())
	default:
		in := *d.lines[d.at]
		was := in.Value()
		in, cmd = in.Update(msg)
		d.lines[d.at] = &in
		if in.Value() != was {
			d.pick = -1
			d.own = d.own || d.at == inWords
		}
	}
	return d, kit.Out{Cmd: cmd}
}

// chose goes on to another category, or to the one that begins with a letter.
func (d editor) chose(k string) editor {
	all := d.choices()
	i := slices.Index(all, d.category)
	switch k {
	case "left":
		i = max(i-1, 0)
	case "right", "space":
		i = min(i+1, len(all)-1)
	default:
		if j := slices.IndexFunc(all, func(c lessons.Category) bool { return k != "" && strings.HasPrefix(string(c), k) }); j >= 0 {
			i = j
		}
	}
	d.category = all[max(i, 0)]
	return d
}

// choices are the categories to choose from.
func (d form) choices() []lessons.Category {
	if c := d.lesson.Category; !slices.Contains(card.Categories, c) {
		return append(slices.Clip(slices.Clone(card.Categories)), c)
	}
	return card.Categories
}

// weighed is a confidence after a key.
func weighed(c lessons.Confidence, k string) lessons.Confidence {
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
	return max(0, min(c, 1)).Round()
}

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

// offered are the values that complete what is typed in the entry.
func (d editor) offered() []index.Count {
	if d.at <= inCategory || d.at >= entries || d.lines[d.at] == nil {
		return nil
	}
	field := lined[d.at]
	_, part := kit.TermAt(d.lines[d.at].Value(), decide.SeveralOf(field))
	if part == "" || !d.differs(d.at) {
		return nil
	}
	there := strings.Split(d.lines[d.at].Value(), ",")
	of := slices.DeleteFunc(offeredOf(d.values[field], part, 8), func(v index.Count) bool {
		return decide.SeveralOf(field) && slices.ContainsFunc(there[:len(there)-1], func(t string) bool { return strings.TrimSpace(t) == v.Name })
	})
	if len(of) == 1 && of[0].Name == part {
		return nil
	}
	return of
}

// completed takes the value that is offered.
func (d editor) completed() editor {
	of := d.offered()
	if d.pick < 0 || d.pick >= len(of) {
		return d
	}
	in := *d.lines[d.at]
	several := decide.SeveralOf(lined[d.at])
	before, _ := kit.TermAt(in.Value(), several)
	text := before + of[d.pick].Name
	if several {
		text += ", "
	}
	in.SetValue(text)
	in.CursorEnd()
	d.lines[d.at], d.pick = &in, -1
	return d
}
