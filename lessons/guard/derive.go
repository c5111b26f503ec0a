package guard

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"learnings/lessons"
)

// A Derived is the part of a lesson that a guard can enforce.
type Derived struct {
	Patterns []Pattern
	Why      string // why there are none; completes "nothing can be enforced: …"
}

// Derive finds what a lesson plainly forbids: "never X", "don't run X", "use Y, not X",
// "instead of X use Y", where X is a command, flag or file, in backticks or unmistakable.
// It returns no pattern for a rule with a condition ("without", "before", "for
// downloads"), nor one that would stop what the lesson recommends or shows as its
// example.
func Derive(w lessons.Wording) Derived {
	if len(w.Content) > maxSentence {
		return Derived{Why: "the sentence is too long to be read"}
	}
	var all []Pattern
	var rest []string // commands that are named but not forbidden
	why := ""
	for _, sentence := range sentences(tokens(w.Content)) {
		found, used, no := prohibited(sentence)
		if no != "" && why == "" {
			why = no
		}
		for _, p := range found {
			if !slices.ContainsFunc(all, func(o Pattern) bool { return o.String() == p.String() }) {
				all = append(all, p)
			}
		}
		rest = append(rest, commandsOf(sentence, used)...)
	}
	if len(all) == 0 {
		why = cmp.Or(why, "the sentence forbids no command, flag or file that it names plainly")
		return Derived{Why: why}
	}
	if len(all) > MaxPatterns {
		return Derived{Why: "it forbids too much at once"}
	}
	for l := range strings.Lines(w.Example) {
		rest = append(rest, strings.TrimSpace(l))
	}
	for _, text := range rest {
		c := &Call{Command: text}
		for _, p := range all {
			if p.Path == "" && p.Matches(c) {
				return Derived{Why: fmt.Sprintf("%s would also stop `%s`, which it does not forbid", p.Says(), lessons.Line(text))}
			}
		}
	}
	return Derived{Patterns: all}
}

const maxSentence = 2000 // bytes

// A token is a word, a punctuation mark, or text in backticks.
type token struct {
	text string
	low  string // in lower case, without the marks around it
	span bool
	mark bool
}

// tokens splits a text into tokens.
func tokens(text string) (out []token) {
	text = strings.NewReplacer("’", "'", "“", `"`, "”", `"`, "—", " — ", "–", " – ").Replace(text)
	for text != "" {
		text = strings.TrimLeft(text, " \t\n\r")
		if text == "" {
			break
		}
		if q := text[0]; q == '`' || q == '"' {
			if end := strings.IndexByte(text[1:], q); end > 0 {
				in := strings.TrimSpace(text[1 : 1+end])
				out = append(out, token{text: in, low: strings.ToLower(in), span: true})
				text = text[end+2:]
				if text != "" && strings.ContainsRune(",;:.!?)", rune(text[0])) {
					out = append(out, token{text: text[:1], low: text[:1], mark: true})
					text = text[1:]
				}
				continue
			}
			text = text[1:]
			continue
		}
		end := strings.IndexAny(text, " \t\n\r`\"")
		if end < 0 {
			end = len(text)
		}
		out = append(out, marked(text[:end])...)
		text = text[end:]
	}
	return out
}

// marked separates a word from the marks around it.
func marked(w string) (out []token) {
	mark := func(s string) { out = append(out, token{text: s, low: s, mark: true}) }
	for w != "" && strings.ContainsRune("([{", rune(w[0])) {
		mark("(")
		w = w[1:]
	}
	if strings.Trim(w, "-–—") == "" && w != "" || w == "→" || w == "->" || w == "=>" {
		mark("—")
		return out
	}
	var after []string
	for w != "" && strings.ContainsRune(",;:.!?)]}", rune(w[len(w)-1])) && !strings.HasSuffix(w, "...") && w != "." {
		after = append(after, w[len(w)-1:])
		w = w[:len(w)-1]
	}
	if w != "" {
		out = append(out, token{text: w, low: strings.ToLower(strings.Trim(w, "*_'"))})
	}
	slices.Reverse(after)
	for _, s := range after {
		mark(s)
	}
	return out
}

// sentences splits tokens at the ends of sentences.
func sentences(all []token) (out [][]token) {
	start := 0
	for i, t := range all {
		if t.mark && strings.Contains(".!?;", t.text) {
			out = append(out, all[start:i])
			start = i + 1
		}
	}
	return append(out, all[start:])
}

// prohibited finds what one sentence forbids. used marks the tokens that say so; no says
// why an apparent prohibition was not used.
func prohibited(s []token) (found []Pattern, used []bool, no string) {
	used = make([]bool, len(s))
	for i := 0; i < len(s); i++ {
		at, kind := opening(s, i)
		if at == 0 {
			continue
		}
		o := objects{s: s, at: at, kind: kind}
		o.read()
		if len(o.found) == 0 {
			continue
		}
		if why := condition(s[:i]); why != "" {
			return nil, used, why
		}
		if why := o.tail(); why != "" {
			return nil, used, why
		}
		for k := i; k < o.at; k++ {
			used[k] = true
		}
		found = append(found, o.found...)
		i = o.at - 1
	}
	return found, used, ""
}

// A kind is what a prohibition may be about.
type kind int

const (
	anyCommand kind = iota // use X: X must be a program that is known
	runs                   // run X: X is a command
	edits                  // edit X: X is a file
)

var (
	runVerbs  = lessons.WordSet("run running execute executing launch launching")
	useVerbs  = lessons.WordSet("use using call calling invoke invoking type typing pass passing add adding")
	editVerbs = lessons.WordSet("edit editing modify modifying change changing touch touching alter altering overwrite overwriting update updating hand-edit hand-editing")
	positives = lessons.WordSet("use prefer run always install build test call pass")
	fillers   = lessons.WordSet("ever again please to")
)

// opening reports whether a prohibition begins at a token: where its objects begin and
// their kind. at is 0 if none does.
func opening(s []token, i int) (at int, k kind) {
	is := func(j int, ws ...string) bool {
		return j >= 0 && j < len(s) && !s[j].span && slices.Contains(ws, s[j].low)
	}
	j := 0
	switch {
	case is(i, "never", "avoid", "don't", "dont", "mustn't", "shouldn't"):
		j = i + 1
	case is(i, "do", "must", "should", "may") && is(i+1, "not"):
		j = i + 2
	case is(i, "refrain") && is(i+1, "from"), is(i, "no") && is(i+1, "longer"):
		j = i + 2
	case is(i, "stop") && is(i+1, "using", "running", "calling", "editing"):
		j = i + 1
	case is(i, "instead") && is(i+1, "of"), is(i, "rather") && is(i+1, "than"):
		return positive(s, i, i+2)
	case is(i, "over") && hasWord(s[:i], "prefer"):
		return positive(s, i, i+1)
	case is(i, "not") && i > 0 && (s[i-1].text == "," || s[i-1].span || isCommandWord(s[i-1])):
		return positive(s, i, i+1)
	default:
		return 0, 0
	}
	if !subject(s[:i]) && !is(i, "never") {
		return 0, 0
	}
	for j < len(s) && !s[j].span && fillers[s[j].low] {
		j++
	}
	switch {
	case j >= len(s):
		return 0, 0
	case s[j].span || isCommandWord(s[j]):
		return j, anyCommand
	case runVerbs[s[j].low]:
		return j + 1, runs
	case useVerbs[s[j].low]:
		return j + 1, anyCommand
	case editVerbs[s[j].low]:
		if is(j+1, "to") {
			j++
		}
		return j + 1, edits
	case is(j, "write", "writing") && is(j+1, "to"):
		return j + 2, edits
	case is(j, "force-push", "force-pushing") || is(j, "force") && is(j+1, "push"):
		return j, anyCommand
	case is(j, "commit", "push", "committing", "pushing") && is(j+1, "with"):
		return j, anyCommand
	}
	return 0, 0
}

// positive finds a prohibition beside a recommendation: "use Y, not X", "instead of X,
// use Y".
func positive(s []token, i, at int) (int, kind) {
	for at < len(s) && !s[at].span && (useVerbs[s[at].low] || runVerbs[s[at].low] || s[at].low == "with" || s[at].low == "by") {
		at++
	}
	for _, t := range s {
		if !t.span && positives[t.low] || t.span && isCommand(t.text, anyCommand) {
			if at < len(s) {
				return at, anyCommand
			}
		}
	}
	return 0, 0
}

func hasWord(s []token, w string) bool {
	return slices.ContainsFunc(s, func(t token) bool { return !t.span && t.low == w })
}

// subject reports whether the words before "do not" make it a rule for the reader rather
// than a description of something.
func subject(s []token) bool {
	if len(s) == 0 {
		return true
	}
	last := s[len(s)-1]
	return last.mark || slices.Contains([]string{"and", "but", "so", "please", "you", "we", "agents", "always", "then", "claude", "also"}, last.low)
}

// condition says how the words before a prohibition narrow it; "" if they do not.
func condition(s []token) string {
	for i, t := range s {
		if t.span {
			continue
		}
		here := i+1 < len(s) && strings.Contains(" this our the any all every ", " "+s[i+1].low+" ") && i+2 < len(s) && places[s[i+2].low]
		switch {
		case conditions[t.low], i == 0 && (t.low == "to" || t.low == "with" || t.low == "as"), (t.low == "in" || t.low == "for" || t.low == "on") && !here:
			return fmt.Sprintf("it holds only under a condition (%q)", lessons.Line(t.text+" …"))
		}
	}
	return ""
}

var (
	conditions = lessons.WordSet("when whenever while if unless until till before after during once inside under where without except excluding only besides outside")
	places     = lessons.WordSet("repo repository project codebase workspace monorepo repos projects")
)
