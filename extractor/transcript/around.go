package transcript

import (
	"cmp"
	"slices"
	"strings"
)

// This file tells turns in a few words, for the evidence of a lesson.

const (
	// aroundTurns are told on each side of a piece of evidence.
	aroundTurns = 2
	// aroundFar is how many turns are looked at for those.
	aroundFar = 12
	// briefBytes of a turn are told.
	briefBytes = 280
	// briefRead bytes of a turn are looked at for those: white space is joined.
	briefRead = 4 * briefBytes
)

// Around returns at most two turns before (step -1) or after (step 1) the one at an
// index, oldest first, each as from [Turn.Brief]. It looks at most a dozen turns away.
func Around(turns []Turn, at, step int, clean func(string) string) []string {
	var out []string
	for i, far := at+step, 0; i >= 0 && i < len(turns) && far < aroundFar && len(out) < aroundTurns; i, far = i+step, far+1 {
		if text := turns[i].Brief(clean); text != "" {
			out = append(out, text)
		}
	}
	if step < 0 {
		slices.Reverse(out)
	}
	return out
}

// Brief returns a turn with its speaker on one line, cut to about 280 bytes. It is ""
// for a turn that tells a reader nothing: a subagent's, a successful result, or text
// that the harness injected. clean, if set, is applied before the cut.
func (t *Turn) Brief(clean func(string) string) string {
	who, text := "", t.Text
	switch {
	case t.Sidechain:
		return ""
	case t.Kind == Call && t.Tool != nil:
		who, text = "agent, "+t.Tool.Name, cmp.Or(t.Tool.Command, t.Tool.Path)
	case t.Speaker == Agent && t.Kind == Message:
		who = "agent"
	case t.Speaker == Person && t.Kind.Spoken():
		who = "person"
	case t.Kind == Result && t.Failed:
		who = "error"
	default:
		return ""
	}
	if clean != nil {
		text = clean(text)
	}
	text = strings.Join(strings.Fields(start(text, briefRead)), " ")
	if text == "" {
		return ""
	}
	if len(text) > briefBytes {
		text = start(text, briefBytes) + "…"
	}
	return who + ": " + text
}

// start is the first n bytes of a text at most, and whole characters.
func start(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && s[n]&0xc0 == 0x80 {
		n--
	}
	return s[:n]
}

// Spoken reports whether turns of this kind hold words that a person chose, when
// a person made them, rather than a click or a harness's text.
func (k Kind) Spoken() bool {
	switch k {
	case Message, Steering, Rejection, Answer, Command:
		return true
	}
	return false
}

// Asks reports whether a person says in the turn what they want of the agent. Commands
// that control the agent, such as /clear or /model opus, do not count, and neither do
// commands without arguments.
func (t *Turn) Asks() bool {
	if t.Speaker != Person || t.Scripted || !t.Kind.Spoken() {
		return false
	}
	text := strings.TrimSpace(t.Text)
	if t.Kind == Command {
		return text != "" && !ownCommands[strings.ToLower(t.Name)]
	}
	if name, args, ok := slash(text); ok { // some agents write it down as it was typed
		return args != "" && !ownCommands[strings.ToLower(name)]
	}
	return text != ""
}

// ownCommands are commands of agents that say nothing of the work.
var ownCommands = func() map[string]bool {
	m := map[string]bool{}
	for name := range strings.FieldsSeq("add add-dir agents approvals clear compact config context cost directory doctor drop editor effort exit export extensions fast help hooks " +
		"ide login logout map map-refresh mcp memory mode model models new output-style permissions plugin plugins privacy quit rename reset resume " +
		"rewind sandbox session sessions settings skills stats status statusline terminal-setup theme think tokens tools undo usage vim voice web") {
		m["/"+name] = true
	}
	return m
}()

// From names the manner in which a person said something, as evidence has it:
// human, queued, rejection, answer or command.
func (k Kind) From() string {
	switch k {
	case Steering:
		return "queued"
	case Rejection, Answer, Command:
		return string(k)
	}
	return "human"
}
