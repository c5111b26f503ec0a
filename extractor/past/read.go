package past

import (
	"cmp"
	"context"
	"errors"
	"hash/maphash"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"learnings/extractor/rules"
	"learnings/extractor/transcript"
	"learnings/lessons"
	"learnings/lessons/guard"
	"learnings/lessons/proof"
)

// Bounds on what a transcript can put into a record.
const (
	maxPrompt  = 200 // bytes
	maxSays    = 160
	maxDoing   = 60
	maxErrors  = 12
	maxText    = 4 << 10 // of what is said, enough to show what a task is about
	maxCommand = 8 << 10
	maxEvents  = 8 << 20 // all of a session together

	maxPrints = 200  // different errors counted in a session
	maxKeys   = 4000 // different calls and files remembered
)

// Read reads a session file. A session that the person excludes has no events. The
// errors are those of [transcript.Scan].
func Read(ctx context.Context, f transcript.File, o Options) (Session, error) {
	w := watcher{o: o, known: map[string]bool{}, calls: map[string]int{}, failing: map[string]streak{}, errors: map[string]*Error{}, called: map[*transcript.ToolCall]int{}}
	info, err := o.Listener().Hear(ctx, f, w.see)
	s := Session{Record: w.record, Excluded: errors.Is(err, transcript.ErrExcluded)}
	s.Info = info
	if err != nil {
		if s.Excluded {
			err = nil
		}
		return s, err
	}
	s.Events = w.events
	for i := range s.Events {
		if e := &s.Events[i]; e.Session == info.Session.ID {
			e.Session = ""
		}
	}
	s.Prompt = o.line(w.prompt, maxPrompt)
	s.Stuck = o.line(w.stuck, maxDoing)
	for _, e := range w.errors {
		s.Errors = append(s.Errors, *e)
	}
	slices.SortFunc(s.Errors, func(a, b Error) int { return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.ID, b.ID)) })
	s.Errors = slices.Clip(s.Errors[:min(len(s.Errors), maxErrors)])
	for i := range s.Errors {
		e := &s.Errors[i]
		e.Doing, e.Says = o.line(e.Doing, maxDoing), o.line(e.Says, maxSays)
	}
	return s, nil
}

// line makes a text of a transcript fit for a list: one short line without secrets.
func (o Options) line(s string, most int) string {
	s = lessons.Line(o.text(s, 4*most))
	if len(s) <= most {
		return s
	}
	s = strings.ToValidUTF8(s[:most-len("…")], "")
	return s + "…"
}

// A watcher records the turns of a session.
type watcher struct {
	o      Options
	record Record
	aider  bool

	events []Event
	size   int                          // bytes of the texts of events
	called map[*transcript.ToolCall]int // the index of a call among the events, from 1
	cures  rules.Cures

	acted   bool // the agent has done or said something
	prompt  string
	asked   bool              // prompt is a request of a person, not only a command
	failing map[string]streak // how each action failed last
	stuck   string
	known   map[string]bool // names of files that the session has seen
	calls   map[string]int  // how often each call was made since the last edit
	errors  map[string]*Error
}

func (w *watcher) see(t *transcript.Turn, r *transcript.Reader, _ time.Time) {
	m, failed := rules.MistakeOf(t)
	w.note(t, r.Session(), m, failed)
	if t.Sidechain && r.Session().Parent == "" {
		return
	}
	w.aider = r.Session().Agent == transcript.Aider
	switch {
	case t.Speaker == transcript.Person:
		w.hear(t)
	case t.Kind == transcript.Call && t.Tool != nil:
		w.call(t.Tool)
	case t.Kind == transcript.Result && t.Tool != nil:
		w.answer(t, m, failed)
	}
	w.acted = w.acted || t.Speaker == transcript.Agent
}

// note adds an event for a turn.
func (w *watcher) note(t *transcript.Turn, s transcript.Session, m rules.Mistake, failed bool) {
	if cure, ok := w.cures.Watch(s.Dir, len(w.events), t); ok {
		for _, text := range []*string{&cure.Says, &cure.Example, &cure.Error} {
			*text = w.o.redact(*text)
		}
		of := cure.Failed
		cure.Failed = nil
		for _, i := range of {
			if i < len(w.events) && w.events[i].Fails != nil {
				w.events[i].Fails.Cure = &cure
			}
		}
	}
	e := Event{Line: t.Line, At: t.At, UUID: t.UUID, Session: t.Session, Side: t.Sidechain}
	switch {
	case w.size > maxEvents:
		return
	case t.Kind == transcript.Call && t.Tool != nil:
		e.What, e.ID, e.Tool, e.Path, e.Does = Call, t.Tool.ID, t.Tool.Name, t.Tool.Path, guard.Look(t.Tool.Name, t.Tool, "")
		e.Does.Command = w.o.text(e.Does.Command, maxCommand)
		w.size += len(e.Does.Command)
		w.called[t.Tool] = len(w.events) + 1
	case t.Kind == transcript.Result && t.Tool != nil:
		e.What, e.Of, e.Ended = Came, w.called[t.Tool], Allowed
		delete(w.called, t.Tool)
		switch {
		case t.Refused:
			e.Ended = Refused
		case t.Failed:
			e.Ended = Failed
		}
		if failed {
			e.Text = w.o.text(t.Text, maxText)
			e.Fails = &Failure{ID: lessons.IDFrom("recurring", m.Print), Print: w.o.redact(m.Print), Doing: w.o.redact(m.Doing), Says: w.o.redact(m.Error), Known: known(m)}
		}
	case t.Speaker == transcript.Person:
		e.What, e.Kind, e.Text, e.Corrects = Said, t.Kind, w.o.text(t.Text, maxText), rules.Corrects(t)
	case t.Speaker == transcript.Harness && !t.Sidechain:
		if e.What, e.Gave = Given, proof.InBlocks(t.Text); len(e.Gave) == 0 {
			return
		}
	default:
		return
	}
	w.size += len(e.Text) + len(e.Path) + 100
	w.events = append(w.events, e)
}

func (w *watcher) hear(t *transcript.Turn) {
	clear(w.failing)
	if asks := t.Asks(); !w.asked && (asks || w.prompt == "") && !t.Scripted { // a command is kept only until something is asked
		switch w.asked = asks; t.Kind {
		case transcript.Message, transcript.Steering:
			w.prompt = t.Text
		case transcript.Command:
			w.prompt = strings.TrimSpace(t.Name + " " + t.Text)
		default:
			w.asked = false
		}
	}
	if w.acted && rules.Corrects(t) {
		w.record.Corrections++
	}
	for word := range strings.FieldsSeq(t.Text[:min(len(t.Text), 4000)]) {
		if file, ok := strings.CutPrefix(word, "@"); ok { // the agent is given that file
			w.knows(file)
		}
	}
}

func (w *watcher) call(c *transcript.ToolCall) {
	kind := ToolOf(c)
	w.record.Did[kind]++
	switch kind {
	case Edits:
		clear(w.calls)
		if c.Path != "" && changes(c) && !w.known[base(c.Path)] && !w.aider { // in aider the person names the files
			w.record.Blind++
		}
		w.knows(c.Path)
		return
	case Reads:
		w.knows(c.Path)
	}
	for word := range strings.FieldsSeq(c.Command[:min(len(c.Command), 2000)]) {
		if strings.Contains(word, ".") {
			w.knows(word)
		}
	}
	if len(w.calls) < maxKeys && !rules.Waits(c) {
		k := key(c)
		w.calls[k]++
		w.record.Again = max(w.record.Again, w.calls[k])
	}
}

func (w *watcher) answer(t *transcript.Turn, m rules.Mistake, failed bool) {
	if !t.Failed {
		if len(w.failing) > 0 && !t.Refused {
			delete(w.failing, rules.Doing(t.Tool))
		}
		return
	}
	if !failed {
		return
	}
	w.fails(t.Tool, m)
	e := w.errors[m.Print]
	if e == nil {
		if len(w.errors) >= maxPrints {
			return
		}
		e = &Error{ID: lessons.IDFrom("recurring", m.Print), Doing: m.Doing, Says: m.Error, First: t.At}
		w.errors[m.Print] = e
	}
	e.Count++
	if e.Last = t.At; e.First.IsZero() {
		e.First = t.At
	}
}

// A streak is how often something failed in a row, with the same error.
type streak struct {
	print string
	times int
}

// fails counts how often in a row the same action failed with the same error, ignoring
// other actions between.
func (w *watcher) fails(c *transcript.ToolCall, m rules.Mistake) {
	s := w.failing[m.Doing]
	if s.print != m.Print {
		s = streak{print: m.Print}
	}
	s.times++
	if len(w.failing) < maxPrints {
		w.failing[m.Doing] = s
	}
	if s.times > w.record.Spin {
		w.record.Spin = s.times
		if s.times > 1 {
			w.stuck = cmp.Or(c.Command, c.Path, c.Name)
		}
	}
}

// knows records that the session has seen a file. Files are compared by their last
// name, because calls name them from different folders.
func (w *watcher) knows(file string) {
	if file != "" && len(w.known) < maxKeys {
		w.known[base(file)] = true
	}
}

func base(file string) string {
	file = strings.ReplaceAll(strings.Trim(file, `"'();,:`), `\`, "/")
	return path.Base(file)
}

// changes reports whether an edit needs a file that exists: one that does not write it
// as a whole.
func changes(c *transcript.ToolCall) bool {
	if c.Old != "" {
		return true
	}
	if strings.HasPrefix(c.New, "*** Begin Patch") {
		return strings.Contains(c.New, "*** Update File: "+c.Path)
	}
	name := plain(c.Name)
	return strings.Contains(name, "edit") || strings.Contains(name, "replace") || strings.Contains(name, "diff")
}

// key identifies calls of the same tool with the same arguments.
func key(c *transcript.ToolCall) string {
	return strings.Join([]string{c.Name, c.Path, c.Command[:min(len(c.Command), 400)], strconv.FormatUint(maphash.String(seed, c.Input), 36)}, "\x00")
}

var seed = maphash.MakeSeed()
