package lessons

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// This file says how a lesson could be better, by the quality checklist of amplihack's
// session learning and by experience. The rules are:
//
//    - It advises and never blocks. A reviewer knows better.
//    - A finding that good lessons also have is noise: every check was tried on
//      lessons that people had approved.
//    - The words are English. Text in another script gets only the checks that need
//      no words.

// A Code is a kind of finding: one word, for a filter or a program.
type Code string

const (
	Rambling      Code = "rambling"      // more than one clear sentence
	Terse         Code = "terse"         // too few words to be a sentence
	NoReason      Code = "reason"        // says what but not why
	Unspecific    Code = "unspecific"    // no word to search for
	NoExample     Code = "example"       // about a command or an error, but shows none
	Session       Code = "session"       // makes sense only in its session
	NoMoment      Code = "when"          // not a rule for all work, and does not say when it applies
	Overconfident Code = "overconfident" // surer than its evidence
)

// Codes are all of them, in the order in which [Lint] checks.
var Codes = []Code{Rambling, Terse, Session, Unspecific, NoReason, NoExample, NoMoment, Overconfident}

// A Finding is one thing that would make a lesson better.
type Finding struct {
	Code  Code   `json:"code"`
	Says  string `json:"says"`            // what is wrong and what to do about it
	Found string `json:"found,omitempty"` // the words that gave it, on one line and safe to show; "" if no single ones did
}

// Lint returns what could be better about a lesson, each kind once, in the order of
// [Codes]. A lesson without findings may still be wrong.
func Lint(l Lesson) []Finding {
	text := asRead(l.Content)
	words := strings.Fields(text)
	latin := latinText(text)
	var out []Finding
	put := func(code Code, found, says string, args ...any) {
		out = append(out, Finding{code, fmt.Sprintf(says, args...), clip(found, 60)})
	}
	if n := sentences(text); latin && (n > 2 || len(words) > maxWords || strings.Contains(strings.TrimSpace(l.Content), "\n\n")) {
		put(Rambling, "", "%s of %s: say the rule in one, and why beside it", many(n, "sentence"), many(len(words), "word"))
	}
	if latin && len(words) < minWords {
		put(Terse, "", "%s: say it in a sentence that makes sense without the session", many(len(words), "word"))
	}
	lower := lowered(text)
	if found := bound(text, lower); found != "" {
		put(Session, found, "makes sense only in its session: name what is meant")
	}
	if latin && len(words) >= minWords && telling(text+" "+strings.Join(l.Tags, " ")+" "+strings.Join(l.Triggers, " ")) < minTelling {
		put(Unspecific, "", "nobody would search for these words: name the tool, the command, the file or the error, or give it tags")
	}
	if found := absolute.find(text, lower); latin && found != "" && blankText(l.Insight) && demands(text, lower) && !reasons(text, lower) {
		put(NoReason, found, "gives no reason: nobody can judge an exception")
	}
	if found := wantsExample(l, text, lower); found != "" {
		put(NoExample, found, "speaks of a command or an error and shows none: give a minimal example")
	}
	if latin && len(words) >= minWords && len(l.Triggers)+len(l.Limit.Paths) == 0 && l.Status == Approved && !alwaysRule(text, lower) {
		put(NoMoment, "", "say when it shows: the words of who will complain, names of files, functions, errors")
	}
	if says := unborne(l); says != "" {
		out = append(out, Finding{Code: Overconfident, Says: says})
	}
	return out
}

// Measure counts the sentences and the words of a content, as [Lint] does.
func Measure(content string) (sentenced, words int) {
	text := asRead(content)
	return sentences(text), len(strings.Fields(text))
}

func many(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

const (
	maxWords = 45 // of a content; nine in ten approved lessons have at most 32
	minWords = 4
	// minTelling is how many searchable words are enough: amplihack asks for three to
	// five keywords per learning.
	minTelling = 3
)

var sentenceEnd = LazyRegexp(`[.!?]["')\]]*(?:\s+["'(\[]*\p{Lu}|\s*$)`)

// sentences counts the sentences, including one without a full stop at the end.
func sentences(text string) int {
	if abbreviation.at(text, lowered(text)) != nil {
		text = abbreviation.re().ReplaceAllString(text, "$1")
	}
	if text = strings.TrimSpace(text); text == "" {
		return 0
	}
	n := 0
	if i := strings.IndexAny(text, ".!?"); i >= 0 {
		n = len(sentenceEnd().FindAllStringIndex(text[i:], -1))
	}
	if !strings.ContainsAny(text[len(text)-1:], `.!?"')]`) {
		n++
	}
	return max(n, 1)
}

var abbreviation = signOf(`\b(e\.g|i\.e|etc|vs|cf|approx|no|resp)\.`)

// latinText reports whether a text is mostly in Latin letters.
func latinText(text string) bool {
	latin, other := 0, 0
	for _, r := range text {
		switch {
		case unicode.Is(unicode.Latin, r):
			latin++
		case unicode.IsLetter(r):
			other++
		}
	}
	return latin > other
}

// bounds match words that point at something in the session. Pointing at what a project
// always has ("this repository") is fine.
var bounds = []sign{
	signOf(`(?i)\b(?:this|these)(?: \w+)? (?:file|function|method|class|line|lines|bug|error|issue|ticket|pr|pull request|branch|commit|diff|patch|change|task|session|conversation|chat|message|question|request|comment|one|screenshot|plan|step|approach)s?\b`),
	signOf(`(?i)\b(?:the (?:first|second|third|other|former|latter|previous) (?:one|option|approach|version|message|suggestion|file)|as (?:above|below|before|discussed|mentioned|said|requested|shown)|see above|see below|(?:mentioned|described|discussed|shown|listed) (?:above|below|earlier|before)|same as (?:above|before|last time))\b`),
	signOf(`(?i)\b(?:today|yesterday|tomorrow|tonight|this (?:morning|afternoon|week|month|time)|last (?:week|month|night|time)|next (?:week|month|time|session)|right now|just now|for now|at the moment)\b`),
	signOf(`(?i)\b(?:over|right|put it|do it|used|done|added) here\b|(?i)\bhere (?:we|i|you)\b|(?i)^here\b|(?i)^now\b|(?i)\bnow (?:we|i|you|please|let's)\b`),
	signOf(`(?i)\blines? \d+(?:\s?[-–]\s?\d+)?\b|\.[a-z]{1,4}:\d+(?::\d+)?\b`),
	signOf(`\b20\d\d-[01]\d-[0-3]\d\b|(?i)\b(?:on|since|until|by|of) (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]* \d{1,2}\b`),
	signOf(`(?i)\b(?:the user|you|i|we) (?:just |already )?(?:asked|said|told|wanted|mentioned|rejected|approved|did|tried)\b`),
}

// bound returns the words of a text that only its session explains.
func bound(text, lower string) string {
	first, found := len(text)+1, ""
	for _, s := range bounds {
		if at := s.at(text, lower); at != nil && at[0] < first {
			first, found = at[0], text[at[0]:at[1]]
		}
	}
	return found
}

var (
	// absolute matches words that allow no exceptions.
	absolute = signOf(`(?i)\b(?:never|always|must not|do not|don.t|under no circumstances)\b`)
	// reasoned matches words and signs that introduce a reason, a purpose or a cost.
	reasoned = signOf(`(?i)\b(?:because|since|so|otherwise|or else|lest|given that|in case|for the sake of|due to|thanks to|that way|unless|except|breaks?|fails?|causes?|would|reason|why` +
		`|(?:in order )?to (?:avoid|prevent|keep|ensure|make sure|catch|save|spare|stay|let|allow|maintain|simplify|reduce|protect|guard|be able|not)|as (?:it|they|that|this|there|we|the)\b[^.,]{0,60}\b(?:is|are|has|have|does|do|can|cannot|needs?|will|may))\b|[:;](?:\s|$)|—|\s[–-]\s` +
		`|, (?:the|it|they|we|this|that|these|which|all|there|our|as)\b`)
	// unreasoned matches what looks like a reason but is not.
	unreasoned = signOf(`(?i)\b(?:so (?:far|many|much|long|called|on)|(?:do|does|did|doing|done|or|even|just|not|say|says|said|think|hope) so|since (?:v?\d|yesterday|last|then|when)|would (?:like|love|prefer|rather|want)|for no reason|why not)\b`)
	// observed matches absolute words that describe facts or opinions rather than demand.
	observed = signOf(`(?i)\b(?:i|we|they|you|it|that|these|those|which|who) (?:really |still |just |also )?don.t (?:think|know|understand|see|look|expect|care|mind|believe|remember|recall|seem|exist|get|matter|need)\b` +
		`|\b(?:will|can|is|are|was|were|has|have|does|do) always\b|\balways (?:has|is|are|goes|does|(?:return|open|show|use|end|begin|contain|come|need|mean|point|write|fail|take|give|hold|get|stay|run|live)s)\b`)
)

// demands reports whether an absolute word of a text is a demand.
func demands(text, lower string) bool {
	return absolute.at(text, lower) != nil && absolute.re().MatchString(observed.blanked(text, lower))
}

// ruleOpening matches the beginning of a rule for all work.
var ruleOpening = signOf(`(?i)^(?:always|never|use|prefer|avoid|only|no|do not|don.t|(?:we|this (?:project|repo(?:sitory)?)) (?:always |only )?uses?|we (?:never|don.t|do not|prefer))\b`)

// alwaysRule reports whether a text is a plain rule for all work, which need not say when
// it applies.
func alwaysRule(text, lower string) bool {
	return ruleOpening.at(text, lower) != nil || demands(text, lower)
}

// reasons reports whether a text gives a reason.
func reasons(text, lower string) bool {
	return reasoned.re().MatchString(unreasoned.blanked(text, lower))
}

// common are technical words that every other lesson has.
var common = WordSet(`a an the and or but not no nor of to in on at for from with without by as is are be was were been do does did done
	it its this that these those they them their there then than when where which who what how why if else so such only also just even still more most
	less much many any all each every some other same own new old good bad better best right wrong first last next one two three
	always never must should shall can could may might will would need needs use uses used using make makes made get gets got give keep
	let take put run runs add adds added change changes changed check checks do work works working thing things stuff way ways time times
	code file files data project task tasks user users people everything something anything nothing always properly correctly carefully
	before after again please sure try want like know think see look good clean simple clear proper well fine nice you your we our i me my
	write read fix fixes fixed ask asks tell say says be being have has had into out up down off over about`)

// telling counts the searchable words of a text, up to minTelling.
func telling(text string) int { return len(tellingWords(text, minTelling)) }

// tellingWords returns the first searchable words of a text in lower case, at most most.
func tellingWords(text string, most int) []string {
	var found []string
	for w := range strings.FieldsFuncSeq(strings.ToLower(text), func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(",;:!?()\"`'", r) }) {
		if w = strings.Trim(w, ".…-–"); len(w) > 2 && !common[w] && !slices.Contains(found, w) {
			if found = append(found, w); len(found) == most {
				break
			}
		}
	}
	return found
}

// How many keywords a program without phrases asks for, such as amplihack.
const (
	leastKeywords = minTelling
	mostKeywords  = 5
)

// Keywords returns the words under which a program without phrases can file a lesson: its
// tags and, where fewer than three of them can be met, telling words of what the lesson is
// about and says. A word can be met in a prompt if it is a single one of four letters or
// more.
func (l Lesson) Keywords() []string {
	met := func(w string) bool { return len(w) > 3 && !strings.ContainsFunc(w, unicode.IsSpace) }
	words, plain := slices.Clone(l.Tags), 0
	for _, w := range words {
		if met(w) {
			plain++
		}
	}
	if plain >= leastKeywords {
		return words
	}
	for _, w := range tellingWords(Line(strings.Join(append(slices.Clone(l.Triggers), l.Content), ", ")), mostKeywords+len(words)) {
		has := func(had string) bool { return strings.EqualFold(had, w) }
		if (len(words) < mostKeywords || plain < leastKeywords && met(w)) && !slices.ContainsFunc(words, has) {
			words = append(words, w)
			if met(w) {
				plain++
			}
		}
	}
	return words
}

// shown matches code in a text: a command, a path, a flag, an identifier.
var shown = LazyRegexp("`[^`]+`|(?:^|\\s)--?[a-z][\\w-]*|\\b\\w+[._/]\\w+|\\w+\\(\\)|\\b[a-z]+[A-Z]\\w*|\"[^\"]+\"|'[^']+'")

// practical matches words for things better shown than described.
var practical = signOf(`(?i)\b(?:command|flag|option|regex|regexp|pattern|syntax|snippet|query|stack trace|error message|exit code|environment variable|config key)\b`)

// wantsExample returns the words that call for an example, if the lesson has neither an
// example nor code in its text.
func wantsExample(l Lesson, text, lower string) string {
	switch l.Category.Shelf() {
	case Tools, Errors, Debugging, Workflows, Other:
	default:
		return ""
	}
	if !blankText(l.Example) {
		return ""
	}
	found := practical.find(text, lower)
	if found == "" || shown().MatchString(text) || shown().MatchString(l.Insight) {
		return ""
	}
	return found
}

func blankText(s string) bool { return strings.TrimSpace(s) == "" }

// unborne says why a lesson's confidence exceeds its evidence. Lessons that a person
// wrote, said, rated or approved need no more evidence, nor do those with outcomes or
// from programs whose files keep no evidence.
func unborne(l Lesson) string {
	if l.Confidence < 0.7 || l.SaidBy() == ByPerson || l.Status == Approved && l.Decided.By != "" || len(l.Evidence) == 0 && l.Origin.Extractor == "" || l.Proof.Own || l.Proof.Outcomes > 0 || l.Proof.Confirmations > 0 {
		return ""
	}
	sessions := map[string]bool{}
	for _, e := range l.Evidence {
		sessions[e.Session] = true
	}
	switch {
	case len(l.Evidence) == 0:
		return fmt.Sprintf("it is %s, and nothing is kept that bears it", l.Trust())
	case len(sessions) < 2:
		return fmt.Sprintf("it is %s, and only %s speaks for it, in one session", l.Trust(), map[Speaker]string{ByAgent: "an agent", ByTool: "a tool"}[l.SaidBy()])
	}
	return ""
}
