package rules

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"learnings/extractor/transcript"
	"learnings/lessons"
)

// wholly means that a sentence lacks nothing in particular: it is a question, too
// short, or about the moment rather than the matter.
const wholly = "…"

// wording makes the lesson's sentence of sentence i, without address and politeness;
// names, commands and reasons stay. If that is not safe, it returns the quote without
// pleasantries, and missing is the word that points outside the sentence, or [wholly].
func (m *moment) wording(i int) (content, missing string) {
	quote := strings.Join(strings.Fields(m.all[i].text), " ")
	text, asked := ordered(stripped(lasting().ReplaceAllString(stripped(quote), "")))
	text = trimEnd(text)
	if text == "" || !asked && (strings.HasSuffix(quote, "?") || asksUnmarked(text)) {
		return tidied(quote), wholly
	}
	if isCustom(text) { // "we use pnpm here, not npm"
		text = strings.Replace(text, " here", "", 1)
	}
	missing = points(text)
	if missing == wholly || missing != "" && len(words(text)) < 5 {
		return tidied(quote), missing
	}
	return finished(text), missing
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

// tidied writes a quote as a sentence, without what people say around one, when it is
// long enough to be one.
func tidied(quote string) string {
	text := unadorned(quote)
	switch first, _, _ := strings.Cut(strings.ToLower(text), " "); {
	case len(words(text)) < 5:
		return text
	case isOf("begins question", first):
		return capitalised(text)
	}
	return finished(text)
}

// unadorned is a quote without what never changes its meaning, unless little else is left.
func unadorned(quote string) string {
	if text := trimEnd(stripped(quote)); text != quote && len(words(text)) >= 4 {
		return capitalised(text)
	}
	return quote
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

var (
	tasks    = wordSet("tasks")
	openings = lineList("openings")
)

// cutOpening removes one opening, if a blank or punctuation follows it.
func cutOpening(s string) string {
	low := strings.ToLower(s)
	best := len(drawl().FindString(low))
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

// drawl matches a drawn-out sound at the start of a text: hmmm, uhhh, ohhh, soooo.
var drawl = lessons.LazyRegexp(`^(?:hm{2,}k?|m{2,}k|u{2,}h*m*|uh{2,}m*|uh*m{2,}|[oae]h{2,}|[oae]{2,}h+|so{2,}|wel{2,}|o{2,}k+|ok{2,}|no{2,}|yea+h{2,}|yea{2,}h)[,.!:-]* `)

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
		"{must}", `(?:should|must|need to|have to|ought to|shall)`,
		"{task}", strings.Join(strings.Fields(lists()["tasks"]), "|"))
	var out []lead
	for line := range strings.Lines(sectionsOf("leads.txt")[0].text) {
		pattern, instead, _ := strings.Cut(strings.TrimSpace(line), " =>")
		instead, order := strings.CutSuffix(strings.TrimSpace(instead), "!")
		out = append(out, lead{regexp.MustCompile(`(?i)^` + short.Replace(pattern) + ` ?\b`), strings.TrimSpace(instead), order})
	}
	return out
})

// ordered removes what leads up to an order: "can you use X?" becomes "use X", "I don't
// want you to add X" becomes "Don't add X". It reports whether there was such a lead.
func ordered(s string) (_ string, turned bool) {
again:
	for range 4 {
		for _, l := range leads() {
			m := l.pattern.FindStringSubmatchIndex(s)
			if m == nil {
				continue
			}
			rest := strings.TrimLeft(s[m[1]:], " ")
			if rest == "" || l.order && !asksFor(words(rest)) || strings.Count(rest, "?") > 1 {
				continue
			}
			s, turned = strings.TrimLeft(string(l.pattern.ExpandString(nil, l.instead, s, m))+" "+rest, " "), true
			if l.order || len(m) > 2 {
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

// insight adds to a reason that a person gave at what occasion a refusal was
// made; the words alone seldom say it.
func insight(why string, m *moment, t *transcript.Turn) string {
	if m.kind != transcript.Rejection || t.Tool == nil || t.Tool.Command == "" { // which file it was says nothing later
		return why
	}
	return strings.Trim(fmt.Sprintf("%s\n\nSaid when refusing a call of %s: `%s`", why, t.Tool.Name, oneLine(t.Tool.Command, maxCommand)), "\n")
}

// withReason parts a rule from the reason at its end, "because …", "since …",
// "so that …" or "otherwise …"; why is "" when there is none.
func withReason(content string) (rule, why string) {
	low := strings.ToLower(content)
	if len(low) != len(content) {
		return content, ""
	}
	for _, join := range []string{" because ", ", since ", " since ", " so that ", ", otherwise ", "; otherwise ", " otherwise "} {
		at := strings.Index(low, join)
		if at < 0 {
			continue
		}
		rule, why := content[:at], strings.TrimLeft(content[at:], " ,;")
		w, before := words(why), words(rule)
		if len(before) < 4 || isOf("joins", before[len(before)-1]) || len(w) < 4 || strings.TrimSpace(join) == "since" && !begins()[w[1]] || w[1] == "all" || w[1] == "good" || w[1] == "fine" || w[1] == "looks" || strings.Count(rule, "(") != strings.Count(rule, ")") || strings.Count(rule, "`")%2 == 1 || strings.Count(rule, `"`)%2 == 1 {
			continue
		}
		return finished(strings.TrimRight(rule, " ,;")), finished(why)
	}
	return content, ""
}

var begins = wordSet("begins")

// reasonBeside gives the sentence behind a rule, or else the one before it,
// when that is plainly its reason; "" when the rule says its reason itself.
func reasonBeside(s *sentence, m *moment) string {
	if s.bullet || s.has("reason") {
		return ""
	}
	at := m.indexOf(s)
	if at+1 < len(m.all) && justifies(&m.all[at+1], s, true) {
		return m.all[at+1].text
	}
	if at > 0 && justifies(&m.all[at-1], s, false) {
		return m.all[at-1].text
	}
	return ""
}

// justifies reports that a sentence says what comes of a thing: it begins like
// a reason, or names an effect and a thing of which the rule speaks.
func justifies(o, rule *sentence, behind bool) bool {
	w := o.words
	if o.bullet || len(w) < 4 || len(w) > 40 || len(o.text) > 300 || strings.HasSuffix(o.text, "?") || o.has("asks you") || o.has("lets") || o.has("goes on") {
		return false
	}
	if behind {
		switch w[0] {
		case "because", "otherwise":
			return true
		case "that's", "the":
			if len(w) > 1 && (w[1] == "why" || w[1] == "because" || w[1] == "reason") {
				return true
			}
		}
	}
	if !slices.ContainsFunc(w, func(x string) bool { return effects()[x] }) {
		return false
	}
	if behind && (w[0] == "it" || w[0] == "they" || w[0] == "this" || w[0] == "that") {
		return true
	}
	things := contentWords(rule.text)
	for x := range contentWords(o.text) {
		if things[x] {
			return true
		}
	}
	parts := strings.FieldsFunc(strings.ToLower(o.text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) // of names too
	return slices.ContainsFunc(parts, func(x string) bool { return len(x) > 2 && !stopWords()[x] && slices.Contains(rule.words, x) })
}

var effects = wordSet("effects")
