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

// A Part is the turns around a line of a transcript, and the contents of the whole.
type Part struct {
	Turns         []transcript.Turn
	Bad           int // lines that could not be read
	Before, After int // turns left out at either end
	Contents
	Session transcript.Session
	Size    int64
}

// Limits for the turns before and after the line: more than anyone scrolls through, and
// few enough to wrap at once.
const (
	PartBefore = 400
	PartAfter  = 800
)

// Contents is the table of contents of a transcript.
type Contents struct {
	Said []Utterance // by the person
	Last int         // line
}

// An Utterance is the beginning of what a person said.
type Utterance struct {
	Line int
	Text string
	Idle bool // it asks for nothing, such as the agent's command /clear
}

// FirstAsked returns the person's first request; "" if it is unknown.
func FirstAsked(said []Utterance) string {
	for _, u := range said {
		if !u.Idle {
			return lessons.Line(u.Text)
		}
	}
	return ""
}

// Limits of the table of contents, since a transcript is hostile input: its entries, and
// the bytes of each.
const (
	mostSaid  = 5000
	saidBytes = 300
)

// Add adds a turn to the part around a line.
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

// take adds a turn and drops those far before the line.
func (p *Part) take(t transcript.Turn, line, before int) {
	p.tell(t)
	p.Turns = append(p.Turns, t)
	if t.Line < line && len(p.Turns) > 2*before {
		p.Before += len(p.Turns) - before
		p.Turns = append(p.Turns[:0:0], p.Turns[len(p.Turns)-before:]...)
	}
}

// Told reports whether a turn is shown.
func Told(t transcript.Turn) bool {
	return t.Kind != transcript.Notice && (t.Kind != transcript.Thinking || t.Text != "")
}

// tell adds a turn to the contents.
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

// TurnAt returns the turn that evidence on a line quotes: the last one that begins on or
// before it.
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

// An Item is a stop of the cursor: the words of one turn, or calls of tools, which fold
// to one line.
type Item struct {
	From, To int // the turns
	Calls    []Call
	Failed   bool
	Here     bool // it has the evidence
}

// A Call has the turns of a call and its result; Answer is negative without a result.
type Call struct{ Asked, Answer int }

// Items groups the turns for display. Consecutive successful calls form one item; a
// failed call has its own.
func (p Part) Items(evidence int) (all []Item) {
	answer := p.answers(evidence)
	group, until := -1, 0 // the item for further calls, and the last turn that does not end it after a failure
	for i, t := range p.Turns {
		c := Call{i, -1}
		if j := answer[i]; j > 0 {
			c.Answer = j
		}
		switch failed := t.Failed || c.Answer >= 0 && p.Turns[c.Answer].Failed; {
		case answer[i] < 0: // shown with its call
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

// answers returns, for each call, the turn with its result, and -1 for that turn; 0 means
// none. Results of parallel calls follow one another.
func (p Part) answers(evidence int) []int {
	answer := make([]int, len(p.Turns))
	var asked []int // since the last words
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

// ToolOf returns the tool of a call and its subject.
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

// Spoken returns the text of a turn; for a call, the tool and its input.
func Spoken(t transcript.Turn) string {
	switch {
	case t.Kind == transcript.Command:
		return strings.TrimSpace(t.Name + " " + t.Text)
	case t.Kind == transcript.Call && t.Tool != nil:
		name, about := ToolOf(t)
		return strings.TrimSpace(name + " " + about)
	case t.Kind == transcript.Interrupt:
		return "(stopped the agent)"
	case strings.TrimSpace(t.Text) == "":
		return "(nothing)"
	}
	return t.Text
}

// CallsOf draws the calls of an item on one line: tools, numbers and subjects.
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
