package past

import (
	"cmp"
	"slices"
	"strings"

	"learnings/extractor/rules"
	"learnings/extractor/transcript"
	"learnings/lessons"
	"learnings/lessons/guard"
	"learnings/lessons/pairs"
)

// A form is what can be seen of a lesson in a transcript.
type form struct {
	id     lessons.ID
	done   []guard.Pattern // commands that follow it
	undone []guard.Pattern // calls that contradict it
	order  []order
	write  []string // words in what the agent writes that follow it
	avoid  []string // words that contradict it
	errors map[string]bool
	lines  map[string]bool // errors of any program
	saying pairs.Saying
	runs   []string // runs of words that identify a quote of the lesson
	handle string
}

// An order lists commands to run before another one.
type order struct{ first, then []guard.Pattern }

var (
	span = lessons.LazyRegexp("`([^`\n]{1,200})`")
	// tells matches the text before a command that a sentence asks to run.
	tells = lessons.LazyRegexp(`(?i)(?:^|[\s,;:(])(?:run|re-?run|use|using|prefer|call|invoke|execute|type)(?:\s+(?:the|a|an|only|always|either|command|script|plain))*\s*$`)
	// ways matches the text before a command that is the way to do something.
	ways = lessons.LazyRegexp(`(?i)^\s*(?:please\s+|always\s+)?(?:run|build|test|check|format|lint|start|install|deploy|release|generate|update|look|search|push|publish)\b[^` + "`" + `;:]*\b(?:with|by|through|via)\s*$`)
	// joins matches the text between two commands of one list.
	joins = lessons.LazyRegexp(`(?i)^\s*(?:,|,?\s*and(?:\s+then)?|,?\s*then|&&|\+|or)\s*$`)
	// denies matches a negation in the part of a sentence before a command.
	denies = lessons.LazyRegexp(`(?i)\b(?:not|never|don't|do not|avoid|instead of|rather than|without|stop|no longer|than|over|cannot|can't|isn't|doesn't)\b[^,;:.]*$`)
	// instead matches the text between what to use and what not to use.
	instead      = lessons.LazyRegexp(`(?i)^\s*(?:,?\s*(?:and\s+)?(?:not|never)(?:\s+(?:the|a|bare|plain|use|run))*|instead\s+of(?:\s+the)?|rather\s+than(?:\s+the)?|over)\s*$`)
	before       = lessons.LazyRegexp(`(?i)^\s*(?:first\s*)?,?\s*before\s+(?:you\s+|every\s+|each\s+|any\s+|a\s+|the\s+|next\s+|running\s+|calling\s+)*(commit\w*|push\w*|$)`)
	leads        = lessons.LazyRegexp(`(?i)^\s*before\s+(?:you\s+|every\s+|each\s+|any\s+|a\s+|the\s+)*(commit|push)\w*\b`)
	refuses      = lessons.LazyRegexp(`(?i)^\s+(?:does not|doesn't|has no|takes no|do not)(?:\s+(?:take|know|have|accept|support))?(?:\s+(?:the|a|any))?(?:\s+(?:flag|option))?\s*$`)
	calledBefore = lessons.LazyRegexp(`^agent, ([^:\s]{1,60}): (.+)`)
)

// A part of a sentence is a span between backticks, with the text around it.
type part struct {
	text          string // between backticks
	lead          string // the sentence up to it
	before, after string // up to the neighbouring spans
	command       guard.Pattern
	ok            bool // it is a command
}

// parts splits a sentence at its spans.
func parts(sentence string) []part {
	at := span().FindAllStringSubmatchIndex(sentence, -1)
	out := make([]part, len(at))
	for i, m := range at {
		from, to := 0, len(sentence)
		if i > 0 {
			from = at[i-1][1]
		}
		if i+1 < len(at) {
			to = at[i+1][0]
		}
		p := part{text: strings.TrimSpace(sentence[m[2]:m[3]]), lead: sentence[:m[0]], before: sentence[from:m[0]], after: sentence[m[1]:to]}
		p.command, p.ok = guard.Named(p.text)
		out[i] = p
	}
	return out
}

func formOf(l lessons.Lesson) form {
	f := form{id: l.ID, errors: map[string]bool{}, lines: map[string]bool{}, saying: pairs.NewSaying(l.Content), handle: strings.Trim(l.ID.Handle(), "[]")}
	f.undone, _ = guard.ParseAll(l.Guard.Patterns)
	if len(f.undone) == 0 {
		f.undone = guard.Derive(l.Wording).Patterns
	}
	for _, s := range sentences(l.Content) {
		f.sentence(s)
	}
	for _, e := range l.Evidence {
		if e.By == lessons.ByTool && !e.Opposes() {
			f.error(e, l)
		}
	}
	f.runsOf(l.Content)
	return f
}

// sentences splits a text into sentences, but not within backticks.
func sentences(text string) (out []string) {
	from, in := 0, false
	for i := range len(text) {
		switch c := text[i]; {
		case c == '`':
			in = !in
		case !in && (c == '\n' || strings.IndexByte(".!?;", c) >= 0 && (i+1 == len(text) || text[i+1] == ' ' || text[i+1] == '\n')):
			out = append(out, text[from:i])
			from = i + 1
		}
	}
	return append(out, text[from:])
}

// sentence adds what one sentence asks for.
func (f *form) sentence(s string) {
	ps := parts(s)
	list := -1 // the first of a list of commands to run
	for i, p := range ps {
		switch {
		case i > 0 && instead().MatchString(p.before):
			f.replace(ps[i-1], p)
			list = -1
			continue
		case i > 0 && refuses().MatchString(p.before) && ps[i-1].ok && strings.HasPrefix(p.text, "-"):
			if whole, err := guard.Command(ps[i-1].text + " " + p.text); err == nil {
				f.undone = append(f.undone, whole)
			}
			continue
		case !p.ok:
			list = -1
			continue
		case (tells().MatchString(p.before) || ways().MatchString(p.lead)) && !denies().MatchString(p.lead):
			list = i
		case list >= 0 && joins().MatchString(p.before):
		default:
			list = -1
			continue
		}
		if f.ordered(s, ps[list:i+1], ps[i+1:]) {
			list = -1
		} else if specific(p.command) {
			f.done = append(f.done, p.command)
		}
	}
}

// ordered parses "run A and B before C" at the last of the list.
func (f *form) ordered(s string, list, rest []part) bool {
	last := list[len(list)-1]
	o := order{}
	word := ""
	if m := before().FindStringSubmatch(last.after); m != nil && (m[1] != "" || len(rest) > 0 && rest[0].ok) {
		if word = m[1]; word == "" {
			o.then = []guard.Pattern{rest[0].command}
		}
	} else if m := leads().FindStringSubmatch(s); m != nil && (len(rest) == 0 || !joins().MatchString(last.after)) {
		word = m[1]
	} else {
		return false
	}
	switch {
	case strings.HasPrefix(strings.ToLower(word), "commit"):
		o.then = []guard.Pattern{{Words: []string{"git", "commit"}}}
	case word != "":
		o.then = []guard.Pattern{{Words: []string{"git", "push"}}}
	}
	for _, p := range list {
		o.first = append(o.first, p.command)
		f.done = without(f.done, p.command)
	}
	f.order = append(f.order, o)
	return true
}

// replace adds "use A instead of B".
func (f *form) replace(use, not part) {
	if denies().MatchString(use.lead) {
		return
	}
	switch {
	case use.ok && not.ok:
		f.done = append(without(f.done, use.command), use.command)
		f.undone = append(f.undone, not.command)
	case !use.ok && !not.ok && literal(use.text) && literal(not.text):
		f.write, f.avoid = append(f.write, use.text), append(f.avoid, not.text)
	}
}

// literal reports whether a text is a name that can be looked for in what an agent
// writes.
func literal(s string) bool {
	return len(s) >= 3 && len(s) <= 80 && !strings.ContainsAny(s, " \t") && !pairs.Common(strings.ToLower(s))
}

// specific reports whether nobody runs a command without a reason.
func specific(p guard.Pattern) bool {
	return len(p.Words)+len(p.Flags) > 1 || len(p.Words) == 1 && (strings.ContainsAny(p.Words[0], "/.-") || !everyday[p.Words[0]])
}

// everyday are programs that are run for many reasons.
var everyday = lessons.WordSet("ls cat cd git go grep rg find sed awk head tail echo mkdir rm cp mv test make npm node python python3 bash sh curl gh docker")

func without(ps []guard.Pattern, p guard.Pattern) []guard.Pattern {
	return slices.DeleteFunc(ps, func(o guard.Pattern) bool { return o.String() == p.String() })
}

// error adds the fingerprint of an error that taught a lesson.
func (f *form) error(e lessons.Evidence, l lessons.Lesson) {
	t := transcript.Turn{Kind: transcript.Result, Failed: true, Text: e.Quote}
	for i := len(e.Before) - 1; i >= 0 && t.Tool == nil; i-- {
		if m := calledBefore().FindStringSubmatch(e.Before[i]); m != nil {
			t.Tool = &transcript.ToolCall{Name: m[1]}
			if strings.ContainsAny(strings.TrimSpace(m[2]), " ") || !strings.ContainsAny(m[2], "/") {
				t.Tool.Command = m[2]
			}
		}
	}
	if t.Tool == nil && len(l.Triggers) > 0 {
		name, command, shell := strings.Cut(l.Triggers[len(l.Triggers)-1], " ")
		t.Tool = &transcript.ToolCall{Name: name}
		if shell {
			t.Tool.Command = name + " " + command
		}
	}
	t.Tool = cmp.Or(t.Tool, &transcript.ToolCall{Name: "?"})
	if m, ok := rules.MistakeOf(&t); ok {
		f.errors[m.Print] = true
		if line := rules.Stable(m.Error); telling(line) {
			f.lines[line] = true
		}
	}
}

// telling reports whether an error says what was wrong, without regard to the program.
func telling(line string) bool {
	n := 0
	for _, w := range pairs.Words(line) {
		if len(w) > 2 && !pairs.Common(w) {
			n++
		}
	}
	return n >= 4
}

const quotedWords = 6 // words in a row that make a quote

// runsOf adds the runs of words that identify a quote of the lesson.
func (f *form) runsOf(content string) {
	ws := pairs.Words(content)
	for i := 0; i+quotedWords <= len(ws); i++ {
		f.runs = append(f.runs, " "+strings.Join(ws[i:i+quotedWords], " ")+" ")
	}
}

// word reports whether a text has a literal as a word of its own.
func word(text, w string) bool {
	for from := 0; ; {
		i := strings.Index(text[from:], w)
		if i < 0 {
			return false
		}
		i += from
		if !inWord(text, i-1) && !inWord(text, i+len(w)) {
			return true
		}
		from = i + 1
	}
}

func inWord(s string, i int) bool {
	if i < 0 || i >= len(s) {
		return false
	}
	c := s[i]
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}
