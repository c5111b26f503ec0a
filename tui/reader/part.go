package reader

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"learnings/extractor/transcript"
	"learnings/lessons"
	"learnings/tui/kit"
)

// A Part of a transcript is the turns around a line, with what is to be told of the whole.
type Part struct {
	Turns         []transcript.Turn
	Bad           int // lines that could not be read
	Before, After int // turns that are left out at either end
	Contents
	Session transcript.Session
	Size    int64
}

// The most turns that a part has before and after its line: more than anybody
// scrolls through, and few enough to wrap at once.
const (
	PartBefore = 400
	PartAfter  = 800
)

// Contents are what a transcript has, for the table at the left.
type Contents struct {
	Said []Utterance // by the person
	Last int         // line
}

// An Utterance is the beginning of what a person said.
type Utterance struct {
	Line int
	Text string
	Idle bool // it asks for nothing: a command of the agent, such as /clear
}

// FirstAsked is what the person wanted first of a session; "" where that is not known.
func FirstAsked(said []Utterance) string {
	for _, u := range said {
		if !u.Idle {
			return lessons.Line(u.Text)
		}
	}
	return ""
}

// The most that the table of contents names, and of each: a transcript is hostile input.
const (
	mostSaid  = 5000
	saidBytes = 300
)

// Add takes a turn into the part around a line.
func (p *Part) Add(t transcript.Turn, line int) {
	if !Told(t) {
		return
	}
	p.take(t, line, PartBefore)
	if len(p.Turns) > 2*PartBefore+PartAfter {
		p.Turns = p.Turns[:len(p.Turns)-1]
		p.After++
	}
}

// take adds a turn, and leaves out those that are far before the line.
func (p *Part) take(t transcript.Turn, line, before int) {
	p.tell(t)
	p.Turns = append(p.Turns, t)
	if t.Line < line && len(p.Turns) > 2*before {
		p.Before += len(p.Turns) - before
		p.Turns = append(p.Turns[:0:0], p.Turns[len(p.Turns)-before:]...)
	}
}

// Told reports that a turn is shown.
func Told(t transcript.Turn) bool {
	return t.Kind != transcript.Notice && (t.Kind != transcript.Thinking || t.Text != "")
}

// tell notes what a turn adds to the contents.
func (c *Contents) tell(t transcript.Turn) {
	c.Last = max(c.Last, t.Line)
	if t.Speaker == transcript.Person && t.Kind.Spoken() && len(c.Said) < mostSaid {
		c.Said = append(c.Said, Utterance{t.Line, kit.CutTo(Spoken(t), saidBytes), !t.Asks()})
	}
}

// Editing reports whether a call edits or writes a file.
func Editing(t transcript.Turn) bool {
	return t.Kind == transcript.Call && t.Tool != nil && (t.Tool.Old != "" || t.Tool.New != "")
}

// TurnAt is the turn that evidence on a line quotes: the last one that begins on
// the line or before it.
func (p Part) TurnAt(line int) int {
	at := 0
	for i, t := range p.Turns {
		if t.Line > line {
			break
		}
		if t.Line < line || at == 0 || p.Turns[at].Line != line || t.Speaker == transcript.Person {
			at = i
		}
	}
	return at
}

// An Item is what the cursor goes over: the words of one turn, or calls of tools, which
// fold to a line.
type Item struct {
	From, To int // of the turns
	Calls    []Call
	Failed   bool
	Here     bool // the evidence
}

// A Call is what a tool was asked and, unless that is negative, its answer.
type Call struct{ Asked, Answer int }

// Items are the turns as they are shown. Calls that went well and follow each other are
// one; one that failed stands alone.
func (p Part) Items(evidence int) (all []Item) {
	answer := p.answers(evidence)
	group, until := -1, 0 // the item that takes further calls, of those that were made before one has failed
	for i, t := range p.Turns {
		c := Call{i, -1}
		if j := answer[i]; j > 0 {
			c.Answer = j
		}
		switch failed := t.Failed || c.Answer >= 0 && p.Turns[c.Answer].Failed; {
		case answer[i] < 0: // it is shown with its call
		case t.Kind != transcript.Call && t.Kind != transcript.Result:
			all, group = append(all, Item{From: i, To: i + 1, Here: i == evidence}), -1
		default:
			at := group
			if apart := failed || i == evidence; apart || at < 0 || i > until {
				all, at = append(all, Item{From: i, Failed: failed, Here: i == evidence}), len(all)
				switch {
				case failed:
					until = max(i, c.Answer)
				case apart:
					group = -1
				default:
					group, until = at, len(p.Turns)
				}
			}
			it := &all[at]
			it.Calls, it.To = append(it.Calls, c), max(it.To, i+1, c.Answer+1)
		}
	}
	return all
}

// answers has for each call the turn that answers it, and for that turn -1; 0 is none. Calls
// that were made at once are answered one after the other.
func (p Part) answers(evidence int) []int {
	answer := make([]int, len(p.Turns))
	var asked []int // since something was said
	for i, t := range p.Turns {
		switch {
		case t.Kind == transcript.Call:
			asked = append(asked, i)
		case t.Kind != transcript.Result:
			asked = nil
		case i != evidence:
			for k, c := range slices.Backward(asked) {
				if a, b := p.Turns[c].Tool, t.Tool; a == nil || b == nil || a.ID == b.ID {
					answer[c], answer[i], asked = i, -1, slices.Delete(asked, k, k+1)
					break
				}
			}
		}
	}
	return answer
}

// ToolOf is a call on one line: the tool and what it is about.
func ToolOf(t transcript.Turn) (name, about string) {
	if t.Tool == nil {
		return "", ""
	}
	about = cmp.Or(t.Tool.Command, t.Tool.Input)
	if t.Tool.Path != "" {
		about = filepath.Base(t.Tool.Path)
	}
	return cmp.Or(t.Tool.Name, "tool"), about
}

// Spoken is the text of a turn; for a call, the tool and what was asked of it.
func Spoken(t transcript.Turn) string {
	switch {
	case t.Kind == transcript.Command:
		return strings.TrimSpace(t.Name + " " + t.Text)
	case t.Kind == transcript.Call && t.Tool != nil:
		name, about := ToolOf(t)
		return strings.TrimSpace(name + " " + about)
	case t.Kind == transcript.Interrupt:
		return "(stopped the agent)"
	case t.Text == "":
		return "(nothing)"
	}
	return t.Text
}

// CallsOf are the calls of an item on one line: which tools, how often, and what about.
func CallsOf(turns []transcript.Turn, it Item) string {
	var names, abouts []string
	times := map[string]int{}
	for _, c := range it.Calls {
		name, about := ToolOf(turns[c.Asked])
		if times[name]++; times[name] == 1 {
			names = append(names, name)
		}
		if about != "" {
			abouts = append(abouts, about)
		}
	}
	for k, n := range names {
		if times[n] > 1 {
			names[k] += fmt.Sprintf(" ×%d", times[n])
		}
	}
	says := strings.Join(names, ", ")
	if len(abouts) > 0 {
		says += " " + kit.CutTo(abouts[0], 400)
	}
	if n := len(abouts) - 1; n > 0 {
		says += fmt.Sprintf(" and %d more", n)
	}
	return lessons.Line(says)
}
