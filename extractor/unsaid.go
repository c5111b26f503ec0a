package extractor

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"learnings/extractor/transcript"
	"learnings/lessons"
	"learnings/lessons/pairs"
)

// mostUnsaid is how many words are listed; more would tell the person nothing new.
const mostUnsaid = 8

var (
	// operand matches an order to install, run or use something, whose name can look
	// like any other word. "Use" is also followed by an adjective and a noun ("use
	// concrete types"), so there the name must end the clause.
	operand = lessons.LazyRegexp(`(?im)(?:^|[.;:,(]|\b(?:and|then|or|to|always|never|first|must|should|please|not|don't|do|by|before|after))\s*(?:` +
		`\b(?:install(?:ing)?|npx|uvx|pipx|download(?:ing)?|curl|wget|import(?:ing)?|require|run(?:ning)?|execut(?:e|ing)|invok(?:e|ing)|launch(?:ing)?|clon(?:e|ing)|visit(?:ing)?|open(?:ing)?|fetch(?:ing)?)\s+(?:(?:-\S+|the|an?|from)\s+)*([\w@./:-]+)` +
		`|\b(?:us(?:e|ing)|add(?:ing)?|prefer|choose|switch(?:ing)? to|mov(?:e|ing) to|migrat(?:e|ing) to|depend(?:ing)? on)\s+([\w@./:-]+)(?:[.,;:!?)]|$|\s+(?:for|with|before|after|in|on|to|as|instead|when|and|or|over|from|rather|via)\b))`)

	// affirms matches the beginning of an answer that agrees with the agent.
	affirms = lessons.LazyRegexp(`(?i)^\W*(?:yes|yep|yeah|yup|ok(?:ay)?|sure|agreed?|right|correct|exactly|good|great|perfect|nice|do (?:it|that|so|both|all)|go (?:ahead|for|with)|i (?:agree|like)|sounds|looks|makes sense|please do|that'?s (?:right|correct|fine|good)|both|all|option|\d+|[a-d]\b|ja|oui|sí|si|sim)\b`)
)

// things are operands that name nothing in particular.
var things = map[string]bool{
	"dependencies": true, "dependency": true, "deps": true, "package": true, "packages": true, "library": true, "libraries": true,
	"module": true, "modules": true, "tools": true, "it": true, "them": true, "all": true, "any": true, "new": true, "what": true,
}

// Affirms reports that an answer begins with words that agree with what was said
// before it, which then counts as said too.
func Affirms(answer string) bool { return affirms().MatchString(answer) }

// Unsaid returns the words of a lesson that its session does not have. A proposer may
// quote one thing and write another, talked into it by a page or a log, or making it up.
// Paraphrases are fine: only commands, addresses, packages, paths and names must have
// been said, and the lesson must share a word with the text near its quote; else the
// words that tell its subject are returned.
func Unsaid(w lessons.Wording, near, said Heard) []string {
	var about []string
	for word := range strings.FieldsSeq(apart(w.Content)) {
		if keys := pairs.Keywords(word); len(keys) > 0 && !pairs.Common(keys[0]) && !pairs.Common(strings.ToLower(word)) {
			about = append(about, word)
		}
	}
	if len(about) > 0 && !slices.ContainsFunc(about, near.has) {
		return about[:min(len(about), mostUnsaid)]
	}
	text := w.Content + "\n" + w.Insight + "\n" + w.Example
	words := slices.DeleteFunc(append(pairs.Unfounded(text), names(text)...), isTerm)
	words = append(words, operands(text)...)
	var out []string
	for _, word := range words {
		word = strings.TrimRight(strings.Trim(word, "`'\"“”()[]"), ".,;:!?")
		if len(out) < mostUnsaid && !slices.Contains(out, word) && !said.has(word) {
			out = append(out, word)
		}
	}
	return out
}

// operands returns what a text orders somebody to install, run or use.
func operands(text string) []string {
	var out []string
	for rest := text; ; {
		m := operand().FindStringSubmatchIndex(rest)
		if m == nil {
			return out
		}
		from, to := max(m[2], m[4]), max(m[3], m[5]) // one of the two names is not there
		if word := rest[from:to]; !things[strings.ToLower(word)] {
			out = append(out, word)
		}
		rest = rest[to:]
	}
}

// A Speech is text in which words are looked up.
type Speech struct {
	low      string // in lower case
	squeezed string // without blanks and signs
	words    map[string]bool
}

// Has reports whether the speech contains a text, ignoring case.
func (s Speech) Has(text string) bool { return strings.Contains(s.low, strings.ToLower(text)) }

// NewSpeech makes ready what was said in texts.
func NewSpeech(texts []string) Speech {
	low := strings.ToLower(strings.Join(texts, "\n"))
	return Speech{low: low, squeezed: squeezed(low), words: lessons.SetOf(pairs.Keywords(apart(low)))}
}

// Heard is all text in which a word may have been said.
type Heard []Speech

func (h Heard) any(f func(Speech) bool) bool { return slices.ContainsFunc(h, f) }

// has reports whether a word was said: as it is, with other capitals or signs, in another
// form, or part by part. An address must have been said as it is.
func (h Heard) has(word string) bool {
	low := strings.ToLower(word)
	short := squeezed(low)
	switch {
	case !strings.ContainsFunc(short, unicode.IsLetter), h.any(func(s Speech) bool { return strings.Contains(s.low, low) }):
		return true
	case strings.ContainsFunc(short, unspaced):
		return h.any(func(s Speech) bool { return sharesPair(s.low, low) })
	case strings.Contains(low, "://"):
		return false
	case len(short) >= leastSqueezed && h.any(func(s Speech) bool { return strings.Contains(s.squeezed, short) }):
		return true
	}
	compound := word != low && strings.Trim(low, "abcdefghijklmnopqrstuvwxyz-") == ""
	for part := range strings.FieldsSeq(apart(word)) {
		if compound && part == strings.ToLower(part) {
			continue // the "owned" of Initech-owned
		}
		for _, w := range pairs.Keywords(part) {
			if !h.any(func(s Speech) bool { return s.words[w] || s.words[strings.TrimSuffix(w, "s")] }) {
				return false
			}
		}
	}
	return true
}

// isTerm reports an abbreviation: UUID and SSH are terms, not things to install or run.
func isTerm(word string) bool {
	return word == strings.ToUpper(word) && !strings.ContainsFunc(word, func(r rune) bool { return !unicode.IsLetter(r) })
}

// unspaced reports a letter of a script that puts no blanks between words.
func unspaced(r rune) bool { return r >= 0x2e80 && unicode.IsLetter(r) }

// sharesPair reports whether two neighbouring characters of word are neighbours in text.
func sharesPair(text, word string) bool {
	last := ""
	for _, r := range word {
		if last != "" && strings.Contains(text, last+string(r)) {
			return true
		}
		last = string(r)
	}
	return false
}

// leastSqueezed is the length from which equal letters are no coincidence.
const leastSqueezed = 6

func squeezed(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, s)
}

// apart separates the parts of names and paths by blanks.
func apart(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || r == '\'' || r == '’' {
			return r
		}
		return ' '
	}, s)
}

// names returns the capitalized words that do not begin a sentence.
func names(text string) []string {
	var out []string
	begins := true
	for f := range strings.FieldsSeq(text) {
		word := strings.Trim(f, "`'\"“”.,;:!?()[]*")
		word = strings.TrimSuffix(strings.TrimSuffix(word, "'s"), "’s") // who said it of a thing said its name
		first, _ := utf8.DecodeRuneInString(word)
		if !begins && len(word) > 1 && unicode.IsUpper(first) && word != strings.ToUpper(word) {
			out = append(out, word)
		}
		begins = strings.HasSuffix(f, ".") || strings.HasSuffix(f, ":") || strings.HasSuffix(f, "!") || strings.HasSuffix(f, "?") || f == "-" || f == "*"
	}
	return out
}

// This file separates what a person typed from what somebody else wrote and the person
// pasted: a mail, a ticket, a review, a page. It may ask for anything, and the person has
// stated none of it.

var (
	// attributes matches a line that gives the word to somebody else, up to its colon.
	attributes = lessons.LazyRegexp(`(?i)(?:\b(?:says?|said|wrote|writes|replied|answered|commented|posted|reads|states|sent(?: (?:me|us))?(?: this)?)|\b(?:e-?mail|mail|slack|teams|discord|message|comments?|feedback|review(?:er)?|ticket|thread|readme|article|blog post|changelog|transcript|bot|coderabbit|copilot|chatgpt|log|logs|output|stack ?trace|traceback)(?: (?:from|of|by|on|in|for) [^:]{1,60})?(?: (?:below|above|here))?)\s*:\s*$`)

	// ours matches words by which a person gives the word to themselves, or to the agent
	// addressed.
	ours = lessons.LazyRegexp(`(?i)\b(?:i|we|i'?ve|we'?ve|you|my|our|commit|log|error|exact)\b[^.;]*\s*:\s*$`)

	// header matches the first line of a mail or of an exported ticket.
	header = lessons.LazyRegexp(`(?i)^\s*(?:from|to|subject|sent|reply-to|reported by|reporter|author|assignee)\s*:\s+\S|^\s*on .{6,80} wrote:\s*$`)
)

// leastCited is the length in bytes from which words in quotation marks are somebody's
// sentence and not a name.
const leastCited = 20

// pasted reports whether a quote stands only in what somebody else wrote: in a block
// quote or a fence, after a line that names who wrote it or where it stood, or in
// quotation marks after such a word. What follows such a line counts to the end of the
// message, because nothing tells where it ends.
func pasted(text, quote string) bool {
	quote = plainWords(quote)
	if quote == "" {
		return false
	}
	var typed, foreign strings.Builder
	fenced, announced, others := false, false, false
	for line := range strings.Lines(text) {
		bare := strings.TrimSpace(line)
		fence, block := strings.HasPrefix(bare, "```") || strings.HasPrefix(bare, "~~~"), strings.HasPrefix(bare, ">")
		if announced && bare != "" {
			others, announced = others || !fence && !block, false // a block ends by itself
		}
		others = others || !fenced && header().MatchString(line)
		to := &typed
		if fenced || others || block {
			to = &foreign
			line = strings.TrimLeft(line, "> \t")
		}
		to.WriteString(line)
		fenced = fenced != fence
		announced = announced || !fenced && attributes().MatchString(bare) && !ours().MatchString(bare)
	}
	own := plainWords(typed.String())
	if !strings.Contains(own, quote) {
		return strings.Contains(plainWords(foreign.String()), quote)
	}
	return cited(typed.String(), quote)
}

// cited reports whether a quote stands in quotation marks after a word that gives the word
// to somebody else.
func cited(text, quote string) bool {
	parts := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune("\"“”", r) })
	i := slices.IndexFunc(parts, func(p string) bool { return strings.Contains(plainWords(p), quote) })
	if i%2 == 0 || i < 0 || len(parts[i]) < leastCited {
		return false
	}
	lead := parts[i-1][strings.LastIndexAny(parts[i-1], ".!?\n")+1:]
	lead = strings.TrimRight(lead, ": ,") + ":"
	return attributes().MatchString(lead) && !ours().MatchString(lead)
}

// plainWords are the words of a text in lower case, with one blank between them.
func plainWords(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), " ")) }

// This file checks a proposal against the transcript. The speaker decides how far it is
// believed, so the speaker is read from the quoted turn and not taken from the proposer:
// the text that a model reads can talk it into anything.

// witnessed sets the speaker of each piece of evidence from the turn that it quotes. It
// returns false when there is no evidence, when a quote is not on its line, or when a
// person is quoted who did not say it. Rules quote exactly; a model may not, so most
// words must match.
func witnessed(l lessons.Lesson, turns []transcript.Turn) (lessons.Lesson, bool) {
	l.Evidence = slices.Clone(l.Evidence)
	for i := range l.Evidence {
		e := &l.Evidence[i]
		if e.Line <= 0 || strings.TrimSpace(e.Quote) == "" {
			return l, false
		}
		t := quoted(*e, turns)
		if t == nil {
			return l, false
		}
		e.By, e.Author, e.Link = speaker(t), t.Author, t.Link
		if e.By == lessons.ByTool && e.From != toolError && t.Tool != nil && readsWeb(t.Tool) {
			e.From = lessons.Web
		}
		if e.By == lessons.ByPerson && t.Author == "" && pasted(t.Text, e.Quote) {
			e.By, e.From = lessons.ByTool, lessons.Pasted
		}
	}
	return l, len(l.Evidence) > 0
}

const toolError = "tool-error"

// quoted finds the turn that a piece of evidence quotes, preferring the speaker that it
// names. Only a person is quoted as a person.
func quoted(e lessons.Evidence, turns []transcript.Turn) *transcript.Turn {
	var found *transcript.Turn
	for i := range turns {
		t := &turns[i]
		another := e.UUID != "" && t.UUID != "" && e.UUID != t.UUID // on the same line
		if t.Line != e.Line || another || !quotes(e.Quote, t) {
			continue
		}
		by := speaker(t)
		switch {
		case by == e.By:
			return t
		case e.By == lessons.ByPerson && !t.Scripted, by == "":
		case found == nil || by == lessons.ByTool: // the least believed
			found = t
		}
	}
	return found
}

// speaker returns who made a turn; "" for text of a harness, which teaches nothing.
// Summaries, plans and the prompts of programs are an agent's words.
func speaker(t *transcript.Turn) lessons.Speaker {
	switch {
	case t.Speaker == transcript.Person && t.Scripted:
		return lessons.ByAgent
	case t.Speaker == transcript.Person:
		return lessons.ByPerson
	case t.Speaker == transcript.Agent, t.Kind == transcript.Summary, t.Kind == transcript.Plan:
		return lessons.ByAgent
	case t.Speaker == transcript.Tool:
		return lessons.ByTool
	}
	return ""
}

// quotes reports whether at least three quarters of the words of a quote are in a turn.
func quotes(quote string, t *transcript.Turn) bool {
	text := t.Text + " " + t.Name
	if t.Kind == transcript.Call && t.Tool != nil {
		text = strings.Join([]string{text, t.Tool.Command, t.Tool.Path, t.Tool.New, t.Tool.Input}, " ")
	}
	said := strings.ToLower(text)
	all, there := 0, 0
	for _, word := range strings.FieldsFunc(strings.ToLower(quote), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		all++
		if strings.Contains(said, word) {
			there++
		}
	}
	return there*4 >= all*3
}

// webTools are parts of the names of tools that read the web.
var webTools = []string{"webfetch", "websearch", "web_fetch", "web_search", "web-fetch", "web-search", "google_web", "fetch_url", "url_fetch", "browser", "__fetch", "web.run", "puppeteer", "playwright"}

// readsWeb reports whether a call answers with text from a web page, which its owner
// controls.
func readsWeb(c *transcript.ToolCall) bool {
	name := strings.ToLower(c.Name)
	if name == "fetch" || slices.ContainsFunc(webTools, func(w string) bool { return strings.Contains(name, w) }) {
		return true
	}
	for _, w := range strings.FieldsFunc(c.Command, func(r rune) bool { return strings.ContainsRune(" \t\n;|&()$`'\"", r) }) {
		switch w {
		case "curl", "wget", "lynx", "iwr", "Invoke-WebRequest":
			return true
		}
	}
	return false
}
