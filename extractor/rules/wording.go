package rules

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"learnings/lessons"
)

// wholly means that a sentence lacks nothing in particular: it is a question, too
// short, or about the moment rather than the matter.
const wholly = "…"

// wording makes the lesson's sentence of sentence i, without address and politeness;
// names, commands and reasons stay. If that is not safe, it returns the quote without
// pleasantries, and missing is the word that points outside the sentence, or [wholly].
func (m *moment) wording(i int) (content, missing string) {
	s := &m.all[i]
	quote := strings.Join(strings.Fields(s.text), " ")
	text := stripped(lasting().ReplaceAllString(stripped(quote), ""))
	asked := false
	for _, turn := range []func(string) (string, bool){ordered, wish, rhetorical} {
		if rest, ok := turn(text); ok {
			text, asked = rest, true
			break
		}
	}
	text = trimEnd(text)
	if !asked {
		if rest, ok := standing(text); ok {
			text, asked = rest, true
			if rest, ok = ordered(text); ok {
				text = rest
			}
		}
	}
	if text == "" || !asked && (strings.HasSuffix(quote, "?") || asksUnmarked(text)) {
		return tidied(unadorned(quote)), wholly
	}
	if isCustom(text) { // "we use pnpm here, not npm"
		text = strings.Replace(text, " here", "", 1)
	}
	p := points(text)
	if p != "" {
		named, ok := m.named(i, text, p)
		switch {
		case p == wholly, (!ok || points(named) != "") && len(words(text)) < 5:
			return tidied(unadorned(quote)), p
		case !ok || points(named) != "":
			return finished(text), p
		}
		text = named
	}
	return finished(text), ""
}

// lasting are the words before an order that make it a rule; the rule says it anyway.
var lasting = lessons.LazyRegexp(`(?i)^(?:from (?:now|here) on(?: out)?|going forward|moving forward|in (?:the )?future|henceforth|as a (?:general )?rule(?: of thumb)?|for future (?:reference|sessions|tasks|work)),? +|,? (?:from now on|going forward|moving forward|in (?:the )?future)\b`)

// stripped removes openings and punctuation from a text.
func stripped(s string) string {
	const marks = " ,.:;-–—!"
	text := strings.TrimLeft(swearing().ReplaceAllString(s, ""), marks)
	if i := strings.IndexFunc(text, func(r rune) bool { return r < 0x2000 || unicode.IsLetter(r) }); i > 0 {
		text = strings.TrimLeft(text[i:], marks) // an emoji
	}
	if strings.HasPrefix(text, "(") && strings.Count(text, "(") == 1 && strings.HasSuffix(strings.TrimRight(text, "."), ")") {
		text = strings.TrimSuffix(strings.TrimRight(text[1:], "."), ")")
	}
	for {
		rest := strings.TrimLeft(cutOpening(text), marks)
		if rest == text || rest == "" {
			return text
		}
		text = rest
	}
}

var swearing = lessons.LazyRegexp(`(?i)\b(?:fucking|freaking|damn|goddamn|bloody) `)

var loneI = lessons.LazyRegexp(`(^|[ (])i('m|'d|'ve|'ll)?\b`)

// finished begins a sentence with a capital and ends it with a mark.
func finished(text string) string {
	if strings.Contains(text, " i ") && strings.Contains(text, "for i ") {
		return text // code
	}
	text = strings.TrimRight(strings.TrimSuffix(text, " ."), " ")
	text = capitalised(loneI().ReplaceAllString(text, "${1}I$2"))
	if last := text[len(text)-1]; strings.IndexByte(".!?:`", last) < 0 {
		text += "."
	}
	return text
}

// tidied writes a quote as a sentence, when it is long enough to be one.
func tidied(quote string) string {
	if len(words(quote)) < 5 {
		return quote
	}
	switch first, _, _ := strings.Cut(strings.ToLower(quote), " "); first {
	case "could", "can", "would", "should", "is", "are", "do", "does", "did", "why", "what", "how", "where", "who", "which":
		return capitalised(quote)
	}
	return finished(quote)
}

// unadorned removes from a quote what never changes its meaning, unless little else
// would be left.
func unadorned(quote string) string {
	s := quote
	for {
		low := strings.ToLower(s)
		rest := s
		for _, p := range slices.Concat(pleasantries(), hesitations()) {
			if len(low) == len(s) && strings.HasPrefix(low, p) && len(s) > len(p) && strings.IndexByte(" ,.!", s[len(p)]) >= 0 {
				if s[len(p)] == ' ' && slices.Contains(meaningful(), p) && !slices.Contains(pleasantries(), p) {
					continue
				}
				rest = strings.TrimLeft(s[len(p):], " ,.!")
			}
		}
		if rest == s {
			break
		}
		s = rest
	}
	switch cut := trimEnd(s); {
	case len(words(cut)) < 4:
		return quote
	case s != quote:
		return capitalised(cut) // its first word stood in the middle
	default:
		return cut
	}
}

// capitalised begins a sentence with a capital, unless its first word is a name spelled
// without one.
func capitalised(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	first, _, _ := strings.Cut(s, " ")
	if unicode.IsLower(r) && class(first) == strings.ToLower(first) {
		return string(unicode.ToUpper(r)) + s[n:]
	}
	return s
}

// standing finds the rule in a sentence that begins with something to do now:
// "let's update the docs, but make sure that …".
func standing(s string) (string, bool) {
	low := strings.ToLower(s)
	if len(low) != len(s) || !startsTask(low) {
		return s, false
	}
	for _, o := range []string{"make sure ", "always ", "never ", "don't ever ", "do not ever "} {
		for _, join := range []string{" but ", ", and ", " and ", ", ", "; "} {
			at := strings.Index(low, join+o)
			if at < 0 {
				continue
			}
			if rest := s[at+len(join):]; points(rest) == "" && !strings.HasSuffix(rest, "?") {
				return rest, true
			}
		}
	}
	return s, false
}

// startsTask reports whether a sentence begins with a task for now.
func startsTask(low string) bool {
	first, _, _ := strings.Cut(low, " ")
	return tasks()[first] || slices.Contains([]string{"let's", "lets", "let", "can", "could", "i'd", "i'll", "we'll", "go"}, first)
}

var tasks = wordSet("tasks")

var hesitations = lineList("hesitations")

var pleasantries = lineList("pleasantries")

var openings = lineList("openings")

// cutOpening removes one opening, if a blank or punctuation follows it.
func cutOpening(s string) string {
	low := strings.ToLower(s)
	best := drawl(low)
	for _, o := range []string{"so ", "i thought that ", "i thought "} {
		if rest, ok := strings.CutPrefix(low, o); ok && best == 0 {
			if first, _, _ := strings.Cut(rest, " "); subjects()[first] {
				best = len(o)
			}
		}
	}
	for _, o := range openings() {
		if len(o) > best && strings.HasPrefix(low, o) && len(low) > len(o) && strings.IndexByte(" ,.:;!-", low[len(o)]) >= 0 {
			// "no tests" and "right side" are not openings: one word needs a mark behind it, unless it never means more.
			if low[len(o)] == ' ' && slices.Contains(meaningful(), o) {
				continue
			}
			best = len(o)
		}
	}
	if len(low) != len(s) { // lower case changed the length: the cut would not fit
		return s
	}
	return s[best:]
}

var subjects = wordSet("subjects")

// drawl returns the length of a drawn-out sound at the start of a text: hmmm, uhhh,
// ohhh, soooo. Punctuation or a blank follows it.
func drawl(low string) int {
	word, _, ok := strings.Cut(low, " ")
	word = strings.TrimRight(word, ",.!:-")
	if !ok || len(word) < 3 || len(word) > 12 {
		return 0
	}
	plain := slices.Compact([]byte(word))
	if len(plain) == len(word) || !slices.Contains([]string{"hm", "um", "uhm", "uh", "oh", "ah", "eh", "so", "wel", "ok", "no", "yeah", "mk", "hmk"}, string(plain)) || word == "too" {
		return 0
	}
	return len(word)
}

var meaningful = lineList("meaningful")

// A lead is a way to lead up to an order: see leads.txt.
type lead struct {
	pattern *regexp.Regexp
	instead string
	order   bool // a verb that orders something must follow
}

var leads = sync.OnceValue(func() []lead {
	short := strings.NewReplacer(
		"{want}", `(?:i|we)(?:'d| would| do| really| also| just| only| always|'ll)* (?:want|like|love|prefer|need|expect|ask) (?:that )?(?:for )?(?:you guys|you|us)`,
		"{must}", `(?:should|must|need to|have to|ought to|shall)`)
	var out []lead
	text, err := texts.ReadFile("leads.txt")
	if err != nil {
		panic(err) // it is built in
	}
	for line := range strings.Lines(string(text)) {
		if pattern, instead, ok := strings.Cut(strings.TrimSpace(line), " =>"); ok && line[0] != '#' {
			instead, order := strings.CutSuffix(strings.TrimSpace(instead), "!")
			out = append(out, lead{regexp.MustCompile(`(?i)^` + short.Replace(pattern) + ` ?\b`), strings.TrimSpace(instead), order})
		}
	}
	return out
})

// ordered removes what leads up to an order: "can you use X?" becomes "use X", "I don't
// want you to add X" becomes "Don't add X".
func ordered(s string) (string, bool) {
	turned := false
again:
	for range 4 {
		if m := clauseFirst().FindStringSubmatch(s); m != nil {
			if rest := s[len(m[0]):]; isOrder(words(rest)) {
				s, turned = m[1]+", "+rest, true
			}
		}
		for _, l := range leads() {
			m := l.pattern.FindString(s)
			rest := strings.TrimLeft(s[len(m):], " ")
			if m == "" || rest == "" || l.order && !asksFor(words(rest)) {
				continue
			}
			if strings.Count(rest, "?") > 1 {
				return s, turned
			}
			if s, turned = strings.TrimLeft(l.instead+" "+rest, " "), true; l.order {
				s = strings.TrimSuffix(s, "?")
			}
			continue again
		}
		break
	}
	return s, turned
}

// asksFor reports words that begin with what somebody can be told to do; to "see" or
// "have" a thing is no deed.
func asksFor(w []string) bool {
	return isOrder(w) && !isOf("no order", w[0]) && !isOf("no deed", w[0])
}

// clauseFirst is a condition before what somebody wants: "when naming functions, I want you to".
var clauseFirst = lessons.LazyRegexp(`(?i)^((?:when|whenever|for|in|before|after|if|once|while|on|during) [^,]{3,60}), (?:i|we)(?:'d| would| really| also| just)* (?:want|like|need|expect) you to (?:always )?`)

// wish turns "I want X to be Y" into "X must be Y".
func wish(s string) (string, bool) {
	low := strings.ToLower(s)
	if len(low) != len(s) || strings.HasSuffix(s, "?") {
		return s, false
	}
	for _, o := range []string{"i want ", "i'd like ", "i would like ", "we want "} {
		rest, ok := strings.CutPrefix(low, o)
		at := strings.Index(rest, " to be ")
		if what, _, _ := strings.Cut(rest, " "); !ok || at < 0 || at > 60 || pointers()[what] && what != "this" && what != "that" || what == "you" || what == "to" || strings.ContainsAny(rest[:at], ",;") {
			continue
		}
		return s[len(o):len(o)+at] + " must be " + s[len(o)+at+len(" to be "):], true
	}
	return s, false
}

// rhetorical turns "shouldn't the url be called remote?" into "the url should be called
// remote": such questions expect no answer.
func rhetorical(s string) (string, bool) {
	low := strings.ToLower(s)
	if at := strings.Index(low, " shouldn't we "); at > 0 && len(low) == len(s) { // why is it there shouldn't we …
		s, low = s[at+1:], low[at+1:]
	} else if !strings.HasSuffix(s, "?") {
		return s, false
	}
	rest, ok := strings.CutPrefix(low, "shouldn't ")
	if !ok || len(low) != len(s) || strings.Count(s, "?") > 1 {
		return s, false
	}
	said := strings.TrimSuffix(s[len("shouldn't "):], "?")
	for _, who := range []string{"we ", "you ", "it ", "this ", "that ", "they "} {
		if strings.HasPrefix(rest, who) {
			return said[:len(who)] + "should " + said[len(who):], true
		}
	}
	for _, verb := range []string{" be ", " have ", " use ", " go ", " live ", " come ", " return ", " also "} {
		if at := strings.Index(rest, verb); at > 0 && at < 50 && at+len(verb) < len(said) {
			return said[:at] + " should" + said[at:], true
		}
	}
	return s, false
}

var verbs = wordSet("verbs")

// trimEnd removes pleasantries and punctuation from the end.
func trimEnd(s string) string {
	for {
		before := s
		s = strings.TrimRight(s, " ,;-–—")
		for _, e := range []string{" please", ", i think", " i think", " thanks", " thank you", " pls", " :)", " :-)", " ;)", " :D", ", ok", ", right", "!"} {
			if n := len(s) - len(e); n > 0 && strings.EqualFold(s[n:], e) {
				s = s[:n]
			}
		}
		if s == before {
			return s
		}
	}
}

var pointers = wordSet("pointers")

var ours = wordSet("ours")

var particles = wordSet("particles")

// selfContained is the number of words before an "it" that most likely refers to one of
// them.
const selfContained = 8

// points returns the word by which a sentence points outside itself; "" if it needs no
// context. For a sentence too short or too long for that it returns [wholly].
func points(s string) string {
	w := words(s)
	named := slices.ContainsFunc(w, func(x string) bool { return x[0] == '<' })
	if len(w) == 3 && ordersKind(w) {
		return ""
	}
	if len(w) < 3 || len(w) == 3 && !(named && (w[0] == "don't" || tasks()[w[0]] || verbs()[w[0]])) || len(w) > 60 {
		return wholly
	}
	if pointers()[w[0]] && ours()[w[1]] {
		return "" // this repo, this project
	}
	if pointers()[w[0]] {
		return w[0]
	}
	if w[0] == "because" || w[0] == "or" || w[0] == "than" {
		return wholly
	}
	if p := ensured(w); p != "" {
		return p
	}
	if w[0] == "if" && w[1] == "so" {
		return "so"
	}
	for i := 1; i+1 < len(w); i++ {
		if w[i] == "this" && i < selfContained && particles()[w[i+1]] || i <= 2 && (w[i] == "it" || w[i] == "them") && (w[0] == "don't" || w[0] == "do" || verbs()[w[0]] || tasks()[w[0]]) {
			return w[i] // don't check this in, remove it from the index
		}
	}
	for i, x := range w {
		switch x {
		case "above", "below", "earlier", "latter", "former", "yesterday", "here":
			return x
		case "this", "that", "these", "those", "it", "them", "own", "ones":
			if (x == "it" || x == "them") && i > selfContained {
				continue
			}
			if i == len(w)-1 || len(w[i+1]) == 1 && strings.Contains(".,;:!?", w[i+1]) {
				return x
			}
		}
	}
	return ""
}

// ordersKind reports an order of three words that stands alone: "avoid default exports",
// "sign every commit".
func ordersKind(w []string) bool {
	order := isOrder(w) || slices.Contains([]string{"never", "always", "no", "avoid", "prefer"}, w[0])
	return order && (slices.Contains([]string{"every", "each", "all"}, w[1]) || strings.HasSuffix(w[2], "s") && !isOf("certain", w[1]))
}

// ensured is the pointer in "make sure (that) it …".
func ensured(w []string) string {
	switch {
	case w[0] == "ensure":
		w = w[1:]
	case w[0] == "make" && w[1] == "sure":
		w = w[2:]
	default:
		return ""
	}
	if len(w) > 0 && w[0] == "that" {
		w = w[1:]
	}
	if len(w) > 0 && pointers()[w[0]] {
		return w[0]
	}
	return ""
}

// asksUnmarked reports whether a text is a question without its mark, or about the
// moment rather than the matter: what I saw, what you did.
func asksUnmarked(s string) bool {
	w := words(s)
	for len(w) > 1 && (w[0] == "so" || w[0] == "then" || w[0] == "but") {
		w = w[1:]
	}
	if len(w) == 0 {
		return true
	}
	switch w[0] {
	case "i", "i'd":
		// What a person wants is about the matter.
		return !(len(w) > 3 && (w[1] == "want" || w[1] == "prefer" || w[1] == "like" || w[1] == "need") && !pointers()[w[2]] && w[2] != "to" && w[2] != "you")
	case "why", "what", "how", "where", "which", "who", "is", "are", "do", "does", "did", "was", "were", "has", "have", "should", "shouldn't", "could", "can", "would", "will",
		"i'm", "i've", "i'll", "you", "you're", "you've", "maybe", "perhaps", "might", "let's":
		return w[0] != "do" || len(w) < 2 || w[1] != "not" // "do not …" is an order
	case "don't", "doesn't", "didn't", "isn't", "aren't":
		return len(w) > 1 && slices.Contains([]string{"we", "they", "i", "it", "this", "that"}, w[1])
	}
	return false
}

// has reports whether a sentence bears a sign.
func (s *sentence) has(name string) bool {
	return slices.ContainsFunc(s.signs, func(k int) bool { return signs()[k].name == name })
}
