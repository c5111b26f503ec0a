package past

import (
	"cmp"
	"context"
	"hash/maphash"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"learnings/extractor/rules"
	"learnings/extractor/transcript"
	"learnings/lessons"
)

// What a transcript can put into a record is bounded.
const (
	maxPrompt   = 200 // bytes
	maxSays     = 160
	maxDoing    = 60
	maxErrors   = 12
	maxSequence = 480

	maxPrints = 200    // different errors that are counted of a session
	maxKeys   = 4000   // different calls and files that are remembered
	maxCalls  = 50_000 // of the sequence
)

// Read reads a session file through. Of one that the person excludes it gives no word,
// with the error [transcript.ErrExcluded]; the other errors are those of
// [transcript.Scan].
func Read(ctx context.Context, f transcript.File, o Options) (Record, error) {
	w := watcher{waiting: map[*transcript.ToolCall]int{}, known: map[string]bool{}, calls: map[string]int{}, failing: map[string]streak{}, errors: map[string]*Error{}}
	info, err := o.Listener().Hear(ctx, f, w.see)
	r := w.record
	r.Info = info
	r.Sequence = shorten(w.sequence)
	if err != nil {
		return r, err
	}
	r.Prompt = o.line(w.prompt, maxPrompt)
	r.Stuck = o.line(w.stuck, maxDoing)
	for _, e := range w.errors {
		r.Errors = append(r.Errors, *e)
	}
	slices.SortFunc(r.Errors, func(a, b Error) int { return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.ID, b.ID)) })
	r.Errors = slices.Clip(r.Errors[:min(len(r.Errors), maxErrors)])
	for i := range r.Errors {
		e := &r.Errors[i]
		e.Doing, e.Says = o.line(e.Doing, maxDoing), o.line(e.Says, maxSays)
	}
	return r, nil
}

// line makes a text of a transcript fit to be kept: one line, without secrets, not
// long.
func (o Options) line(s string, most int) string {
	s = lessons.Line(strings.ToValidUTF8(o.redact(s[:min(len(s), 8*most)]), "\ufffd"))
	if len(s) <= most {
		return s
	}
	s = strings.ToValidUTF8(s[:most-len("…")], "")
	return s + "…"
}

// A watcher sees the turns of a session.
type watcher struct {
	record Record
	aider  bool

	acted    bool // the agent has done or said something
	prompt   string
	asked    bool // prompt is what a person wanted, and not a command alone
	sequence []byte
	waiting  map[*transcript.ToolCall]int // where in the sequence a call is, until it is answered
	failing  map[string]streak            // by what was done: how it failed last
	stuck    string
	known    map[string]bool // names of files that the session has seen
	calls    map[string]int  // how often each call was made since the last edit
	errors   map[string]*Error
}

func (w *watcher) see(t *transcript.Turn, r *transcript.Reader, _ time.Time) {
	if t.Sidechain && r.Session().Parent == "" {
		return
	}
	w.aider = r.Session().Agent == transcript.Aider
	switch {
	case t.Speaker == transcript.Person:
		w.hear(t)
	case t.Kind == transcript.Call && t.Tool != nil:
		w.call(t.Tool)
	case t.Kind == transcript.Result:
		w.answer(t)
	}
	w.acted = w.acted || t.Speaker == transcript.Agent
}

func (w *watcher) hear(t *transcript.Turn) {
	clear(w.failing)
	if asks := t.Asks(); !w.asked && (asks || w.prompt == "") && !t.Scripted { // a command stands there only while nothing was asked
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
		if file, ok := strings.CutPrefix(word, "@"); ok { // which gives it to the agent
			w.knows(file)
		}
	}
}

func (w *watcher) call(c *transcript.ToolCall) {
	kind := ToolOf(c)
	w.record.Did[kind.at()]++
	if len(w.sequence) < maxCalls {
		if len(w.waiting) < maxKeys {
			w.waiting[c] = len(w.sequence)
		}
		w.sequence = append(w.sequence, byte(kind))
	}
	switch kind {
	case Edits:
		clear(w.calls)
		if c.Path != "" && changes(c) && !w.known[base(c.Path)] && !w.aider { // it is told files by its person
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

func (w *watcher) answer(t *transcript.Turn) {
	if t.Tool == nil {
		return
	}
	at, known := w.waiting[t.Tool]
	delete(w.waiting, t.Tool)
	if !t.Failed {
		if len(w.failing) > 0 && !t.Refused {
			delete(w.failing, rules.Doing(t.Tool))
		}
		return
	}
	if known {
		w.sequence[at] -= 'a' - 'A'
	}
	m, ok := rules.MistakeOf(t)
	if !ok {
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

// fails counts how often in a row the same was tried with the same error, whatever else
// was done in between.
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

// knows notes that the session has seen a file. Files are told by their last name, for
// calls name them from different folders.
func (w *watcher) knows(file string) {
	if file != "" && len(w.known) < maxKeys {
		w.known[base(file)] = true
	}
}

func base(file string) string {
	file = strings.ReplaceAll(strings.Trim(file, `"'();,:`), `\`, "/")
	return path.Base(file)
}

// changes reports that an edit is of a file that must have been there: not one that
// writes it as a whole.
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

// key is the same for calls of the same tool with the same arguments.
func key(c *transcript.ToolCall) string {
	return strings.Join([]string{c.Name, c.Path, c.Command[:min(len(c.Command), 400)], strconv.FormatUint(maphash.String(seed, c.Input), 36)}, "\x00")
}

var seed = maphash.MakeSeed()

// shorten writes a sequence with a number for each run of the same, and leaves out what
// is in the middle of a long one.
func shorten(calls []byte) string {
	var b []byte
	for i := 0; i < len(calls); {
		n := i + 1
		for n < len(calls) && calls[n] == calls[i] {
			n++
		}
		b = append(b, calls[i])
		if n-i > 1 {
			b = strconv.AppendInt(b, int64(n-i), 10)
		}
		i = n
	}
	if len(b) <= maxSequence {
		return string(b)
	}
	half := maxSequence / 2
	head, tail := b[:half], b[len(b)-half:]
	for len(tail) > 0 && tail[0] >= '0' && tail[0] <= '9' { // the number of a letter that is gone
		tail = tail[1:]
	}
	return string(head) + "…" + string(tail)
}
