package tui

import (
	"cmp"
	"path/filepath"
	"slices"

	"learnings/extractor/transcript"
	"learnings/lessons"
	"learnings/tui/kit"
)

// A part of a transcript is the turns around a line, with what is to be told of the whole.
type part struct {
	turns         []transcript.Turn
	bad           int // lines that could not be read
	before, after int // turns that are left out at either end
	contents
	session transcript.Session
	size    int64
	reading bool // there is more to come
	middle  bool // what is before is not read yet
}

// The most turns that a part has before and after its line: more than anybody
// scrolls through, and few enough to wrap at once.
const (
	partBefore = 400
	partAfter  = 800
)

// contents are what a transcript has, for the table at the left.
type contents struct {
	said         []utterance // by the person
	files        []touched
	reads, edits int // calls
	errors       int
	last         int // line
}

// An utterance is the beginning of what a person said.
type utterance struct {
	line int
	text string
	idle bool // it asks for nothing: a command of the agent, such as /clear
}

// firstAsked is what the person wanted first of a session; "" where that is not known.
func firstAsked(said []utterance) string {
	for _, u := range said {
		if !u.idle {
			return lessons.Line(u.text)
		}
	}
	return ""
}

// A touched is a file that was read or edited.
type touched struct {
	path         string
	reads, edits int
}

// The most that the table of contents names, and of each: a transcript is hostile input.
const (
	mostSaid    = 5000
	mostTouched = 500
	saidBytes   = 300
)

func (p *part) add(t transcript.Turn, line int) {
	if !told(t) {
		return
	}
	p.tell(t)
	p.turns = append(p.turns, t)
	if t.Line < line && len(p.turns) > 2*partBefore {
		p.before += len(p.turns) - partBefore
		p.turns = append(p.turns[:0:0], p.turns[len(p.turns)-partBefore:]...)
	}
	if len(p.turns) > 2*partBefore+partAfter {
		p.turns = p.turns[:len(p.turns)-1]
		p.after++
	}
}

// told reports that a turn is shown.
func told(t transcript.Turn) bool {
	return t.Kind != transcript.Notice && (t.Kind != transcript.Thinking || t.Text != "")
}

// tell notes what a turn adds to the contents.
func (c *contents) tell(t transcript.Turn) {
	c.last = max(c.last, t.Line)
	switch {
	case t.Speaker == transcript.Person && t.Kind.Spoken() && len(c.said) < mostSaid:
		c.said = append(c.said, utterance{t.Line, kit.CutTo(spoken(t), saidBytes), !t.Asks()})
	case t.Failed:
		c.errors++
	}
	if t.Kind != transcript.Call || t.Tool == nil || t.Tool.Path == "" {
		return
	}
	i := slices.IndexFunc(c.files, func(f touched) bool { return f.path == t.Tool.Path })
	if i < 0 {
		if len(c.files) == mostTouched {
			return
		}
		i, c.files = len(c.files), append(c.files, touched{path: t.Tool.Path})
	}
	if editing(t) {
		c.edits++
		c.files[i].edits++
	} else {
		c.reads++
		c.files[i].reads++
	}
}

// editing reports whether a call edits or writes a file.
func editing(t transcript.Turn) bool {
	return t.Kind == transcript.Call && t.Tool != nil && (t.Tool.Old != "" || t.Tool.New != "")
}

// turnAt is the turn that evidence on a line quotes: the last one that begins on
// the line or before it.
func (p part) turnAt(line int) int {
	at := 0
	for i, t := range p.turns {
		if t.Line > line {
			break
		}
		if t.Line < line || at == 0 || p.turns[at].Line != line || t.Speaker == transcript.Person {
			at = i
		}
	}
	return at
}

// An item is what the cursor goes over: the words of one turn, or calls of tools, which
// fold to a line.
type item struct {
	from, to int // of the turns
	calls    []call
	failed   bool
	here     bool // the evidence
}

// A call is what a tool was asked and, unless that is negative, its answer.
type call struct{ asked, answer int }

// items are the turns as they are shown. Calls that went well and follow each other are
// one; one that failed stands alone.
func (p part) items(evidence int) []item {
	var all []item
	open := -1 // the item that takes further calls
	for i, t := range p.turns {
		answered := -1
		if t.Kind == transcript.Result && open >= 0 && i != evidence {
			answered = answers(all, p.turns, i)
		}
		switch {
		case answered >= 0:
			all[answered].to = max(all[answered].to, i+1)
			if t.Failed {
				all = parted(all, answered)
				open = len(all) - 1
			}
		case t.Kind == transcript.Call || t.Kind == transcript.Result:
			c := call{i, -1}
			if i == evidence || t.Failed || open < 0 || all[open].failed || all[open].here {
				all = append(all, item{from: i, failed: t.Failed, here: i == evidence})
				open = len(all) - 1
			}
			all[open].to, all[open].calls = i+1, append(all[open].calls, c)
		default:
			all = append(all, item{from: i, to: i + 1, here: i == evidence})
			open = -1
		}
	}
	return all
}

// answers gives an answer to the item that has its call, among the last few, and says
// which that is: calls that were made at once are answered one after the other.
func answers(all []item, turns []transcript.Turn, answer int) int {
	for i := len(all) - 1; i >= 0 && all[i].calls != nil; i-- {
		if all[i].takes(turns, answer) {
			return i
		}
	}
	return -1
}

// takes gives an answer to the call that it answers, if that is one of the item.
func (it *item) takes(turns []transcript.Turn, answer int) bool {
	for k := len(it.calls) - 1; k >= 0; k-- {
		c := &it.calls[k]
		asked, got := turns[c.asked].Tool, turns[answer].Tool
		if c.answer < 0 && turns[c.asked].Kind == transcript.Call && (asked == nil || got == nil || asked.ID == got.ID) {
			c.answer = answer
			return true
		}
	}
	return false
}

// parted takes the call that was answered last, and failed, out of an item.
func parted(all []item, open int) []item {
	it := &all[open]
	k := 0
	for i, c := range it.calls {
		if c.answer >= it.calls[k].answer {
			k = i
		}
	}
	c := it.calls[k]
	if len(it.calls) == 1 {
		it.failed = true
		return all
	}
	rest := slices.Delete(slices.Clone(it.calls), k, k+1)
	failed := item{from: c.asked, to: c.answer + 1, calls: []call{c}, failed: true}
	it.calls = rest
	if it.from == c.asked {
		it.from = rest[0].asked
	}
	return append(all, failed)
}

// toolOf is a call on one line: the tool and what it is about.
func toolOf(t transcript.Turn) (name, about string) {
	if t.Tool == nil {
		return "", ""
	}
	about = cmp.Or(t.Tool.Command, t.Tool.Input)
	if t.Tool.Path != "" {
		about = filepath.Base(t.Tool.Path)
	}
	return cmp.Or(t.Tool.Name, "tool"), about
}
