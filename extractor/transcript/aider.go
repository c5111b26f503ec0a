package transcript

import (
	"bytes"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// aider decodes Aider's chat history, one file for all chats in a folder. Each chat is
// a session, named in Turn.Session by its start; all of its turns have that time, the
// only one in the file. The file has no time zone, so UTC is assumed.
//
// Lines of the person begin with "#### " and lines of the program with "> ", both with
// two spaces at their end. All other lines are the model's.
type aider struct {
	passages
	chat  time.Time
	bare  bool        // an editor has removed the spaces at the ends of lines
	asked *Turn       // a command held back because its words may be repeated
	edits []*ToolCall // of the last answer, until it is known whether they were made
}

func newAider(b base) decoder {
	a := &aider{passages: passages{base: b}}
	a.chat, _ = time.Parse(aiderID, b.d.session.ID)
	return a
}

const aiderID = "aider-20060102-150405"

var aiderHead = lazyRegexp(`(?m)^# aider chat started at (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)\s*$`)

func isAider(head []byte) bool { return aiderHead().Match(head) }

// aiderDir is the folder of the history: Aider writes it where it works.
func aiderDir(path string) string {
	if filepath.Base(path) == ".aider.chat.history.md" {
		return filepath.Dir(path)
	}
	return ""
}

func (a *aider) waiting() int {
	if a.asked != nil {
		return a.asked.Line
	}
	return a.first
}

func (a *aider) flush() {
	a.end()
	a.release()
}

// release emits the command that is held back.
func (a *aider) release() {
	if a.asked != nil {
		a.d.emit(*a.asked)
		a.asked = nil
	}
}

func (a *aider) text(line []byte) {
	if bytes.HasPrefix(line, []byte("# aider chat")) {
		if m := aiderHead().FindSubmatch(line); m != nil {
			a.flush()
			a.begin(string(m[1]))
			return
		}
	}
	who, words := a.of(line)
	blank := who == Agent && len(bytes.TrimSpace(line)) == 0
	if a.first != 0 && (who != a.who || len(a.buf) >= maxPassage) && (!blank || a.who != Agent) {
		a.end()
	}
	if a.first == 0 && !blank {
		a.who, a.first = who, a.d.line
	}
	a.add(words)
}

// begin begins a chat.
func (a *aider) begin(at string) {
	if t, err := time.Parse(time.DateTime, at); err == nil {
		a.chat = a.d.seen(t)
		a.d.session.ID = t.Format(aiderID)
	}
	a.edits = nil
}

// of returns the speaker of a line and its words.
func (a *aider) of(line []byte) (Speaker, []byte) {
	spaced := bytes.HasSuffix(line, []byte("  "))
	if bytes.HasPrefix(line, []byte("> Aider v")) { // its banner
		a.bare = !spaced
	}
	if spaced || a.bare { // without, it is a heading in the model's words
		if words, ok := bytes.CutPrefix(line, []byte("#### ")); ok {
			return Person, bytes.TrimSuffix(words, []byte("  "))
		}
	}
	// Long output of tools has lines without the spaces.
	if words, ok := bytes.CutPrefix(line, []byte(">")); ok && !bytes.HasPrefix(words, []byte(">>>>>>")) {
		return Harness, bytes.TrimSpace(words)
	}
	return Agent, line
}

// end emits the lines so far.
func (a *aider) end() {
	text, t, ok := a.take()
	if !ok {
		return
	}
	t.At = a.chat
	if asked := a.asked; asked != nil {
		a.release()
		if a.who == Person && text == asked.Text {
			return // the argument of /ask once more, as the message that it became
		}
	}
	switch a.who {
	case Person:
		a.person(text, t)
	case Harness:
		a.program(text, t)
	default:
		a.d.note(t, Agent, Message, text)
		a.changes(text, t)
	}
}

// aiderPasted are the first words of what Aider puts in the person's place.
var aiderPasted = []string{
	"# Fix any errors below, if possible.",
	"# Question: ", // what /help made of its question
	"I ran this command:",
}

func (a *aider) person(text string, t Turn) {
	name, args, isCommand := slash(text)
	switch {
	case begins(text, aiderPasted...):
		a.d.note(t, Harness, Notice, text)
	case text == "" || text == "<blank>":
	case isCommand:
		t.Speaker, t.Kind, t.Name, t.Text = Person, Command, name, args
		if a.asked = &t; args == "" {
			a.release()
		}
	case len(text) > 1 && text[0] == '!':
		a.d.say(t, Person, Shell, strings.TrimSpace(text[1:]))
	default:
		a.d.person(t, text, Message)
	}
}

var (
	aiderVersion = lazyRegexp(`(?m)^Aider v(\S+)$`)
	aiderModel   = lazyRegexp(`(?m)^(?:Main model|Models?): (\S+)`)
	aiderNoMatch = lazyRegexp(`(?m)^(?:# \d+ SEARCH/REPLACE blocks? failed to match!|## SearchReplaceNoExactMatch:|The LLM did not conform to the edit format)`)
)

// program reads what Aider said: about itself at the start of a chat, and about edits,
// as answers to those in the model's words.
func (a *aider) program(text string, t Turn) {
	for to, from := range map[*string]*regexp.Regexp{&a.d.session.Version: aiderVersion(), &a.d.session.Model: aiderModel()} {
		if *to == "" {
			if m := from.FindStringSubmatch(text); m != nil {
				*to = m[1]
			}
		}
	}
	for line := range strings.SplitSeq(text, "\n") {
		if path, ok := strings.CutPrefix(line, "Applied edit to "); ok && path != "" {
			a.answer(t, strings.TrimSpace(path), line, false)
		}
	}
	if aiderNoMatch().MatchString(text) {
		a.answer(t, "", text, true)
	}
	a.d.note(t, Harness, Notice, text)
	// At its prompt the same keys leave the program.
	if strings.Contains(text, "^C KeyboardInterrupt") && !strings.Contains(text, "^C again to exit") {
		a.d.say(t, Person, Interrupt, "")
	}
}

// answer emits the outcome of the edits of a file, or with "" of all edits without one.
func (a *aider) answer(t Turn, path, text string, failed bool) {
	known := false
	for i, call := range a.edits {
		if call != nil && (path == "" || call.Path == path) {
			a.d.result(t, call, text, failed, false, "")
			a.edits[i], known = nil, true
		}
	}
	if !known { // in another form than those that are read, or before what is read
		a.d.result(t, &ToolCall{Name: "edit", Path: path}, text, failed, false, "")
	}
}

// changes emits the edits in an answer of the model: search and replace blocks under
// the name of the file.
func (a *aider) changes(text string, t Turn) {
	a.edits = a.edits[:0]
	const (
		outside = iota
		search
		replace
	)
	state, name, line := outside, "", t.Line-1
	var call *ToolCall
	var before, after []string
	for l := range strings.Lines(text) {
		line++
		l = strings.TrimRight(l, "\r\n")
		switch {
		case state != replace && strings.HasPrefix(l, "<<<<<<< SEARCH"):
			state, before, after = search, nil, nil
			call, t.Line = &ToolCall{Name: "edit", Path: name}, line
			a.d.called(t, call)
		case state == search && strings.HasPrefix(l, "======="):
			state = replace
		case state == replace && strings.HasPrefix(l, ">>>>>>> REPLACE"):
			state = outside
			call.Old, call.New = cutText(strings.Join(before, "\n")), cutText(strings.Join(after, "\n"))
			a.edits = append(a.edits, call)
		case state == search:
			before = append(before, l)
		case state == replace:
			after = append(after, l)
		case l != "" && !strings.HasPrefix(l, "```"):
			name = strings.Trim(strings.TrimSpace(l), "`*:#")
		}
	}
}
