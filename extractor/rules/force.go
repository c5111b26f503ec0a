package rules

import (
	"slices"
	"strconv"
	"strings"
	"sync"

	"learnings/extractor/transcript"
)

// A sentence has the force of a rule when it asks for something beyond the task at
// hand. Single words do not show it: six in ten sentences that people want kept hold no
// normative word, and talk in which nothing is decided is full of them. So the force of
// a sentence is judged by a classifier of its own, over the ways in which it is worded
// and what stands around it, learned from people at work and from idle talk as well.

// waysOf says which ways of force.txt a row of words is worded in.
var waysOf = sync.OnceValue(func() func(w []string) []string {
	var names, lists []string
	for _, s := range sectionsOf("force.txt") {
		names, lists = append(names, s.name), append(lists, s.text)
	}
	phrases := byPhrase(lists)
	return func(w []string) []string {
		var out []string
		for _, k := range lookUp(phrases, w) {
			out = append(out, names[k])
		}
		return out
	}
})

// wordClasses are the sections of classes.txt.
var wordClasses = sync.OnceValue(func() map[string]map[string]bool {
	out := map[string]map[string]bool{}
	for _, s := range sectionsOf("classes.txt") {
		out[s.name] = setOf(strings.Fields(s.text))
	}
	return out
})

func isOf(class, w string) bool { return wordClasses()[class][w] }

// The ways that ask for something, and those that tell, ask or praise.
var (
	normative = []string{"always", "from now on", "must", "should", "forbids", "prefer", "ensure", "ours", "wants", "unwanted", "need"}
	idleWays  = []string{"hedges", "past me", "i will", "status", "asks", "once", "praise"}
)

// beginning says what kind of word an order, a statement or a question begins with, past
// the opening words.
func beginning(w []string) string {
	if len(w) == 0 {
		return "none"
	}
	second := ""
	if len(w) > 1 {
		second = w[1]
	}
	a := w[0]
	switch {
	case a == "don't", a == "never", a == "avoid", a == "stop" && strings.HasSuffix(second, "ing"), a == "do" && second == "not", a == "no" && second != "":
		return "prohibits"
	case a == "always":
		return "always"
	case (a == "make" || a == "be") && second == "sure", a == "ensure", a == "remember":
		return "ensure"
	case isOf("lasting verbs", a):
		return "lasting verb"
	case isOf("task verbs", a):
		return "task verb"
	case a[0] == '<':
		return "code"
	}
	for _, kind := range []string{"I", "we", "you", "pointers", "noun", "clause", "question", "let's"} {
		if isOf("begins "+kind, a) {
			return kind
		}
	}
	return "other"
}

// headings are parts of a heading under which rules are listed.
var headings = []string{"rule", "guideline", "constraint", "requirement", "important", "note", "remember", "must", "never", "always", "style", "convention", "standard", "prefer"}

// ourWay reports that words say how "we", the repository or its code do something.
func ourWay(w []string) bool {
	for i, x := range w {
		j := i + 1
		if x == "our" || (x == "this" || x == "the") && j < len(w) && isOf("ours", w[j]) {
			j++
		} else if x != "we" {
			continue
		}
		for j < len(w) && isOf("our adverbs", w[j]) {
			j++
		}
		if j < len(w) && isOf("our verbs", w[j]) {
			return true
		}
	}
	return false
}

// everyThing reports "each", "every", "all" or "any" before a thing of work, with at most
// one word between them.
func everyThing(w []string) bool {
	for i, x := range w {
		if x != "each" && x != "every" && x != "all" && x != "any" {
			continue
		}
		for j := i + 1; j < len(w) && j <= i+2; j++ {
			if isOf("plural", w[j]) || isOf("plural", w[j]+"s") {
				return true
			}
		}
	}
	return false
}

// force gives the features by which the force of sentence i is judged.
func (m *moment) force(i int) []string {
	s := &m.all[i]
	f := featureList{"bias"}
	ways := waysOf()(s.words)
	if ourWay(s.words) {
		ways = append(ways, "ours")
	}
	if slices.Contains(ways, "from now on") {
		ways = slices.DeleteFunc(ways, func(x string) bool { return x == "once" }) // it says "now"
	}
	if everyThing(s.words) {
		ways = append(ways, "each")
	}
	has := func(way string) bool { return slices.Contains(ways, way) }
	count := func(of []string) (n int) {
		for _, way := range of {
			if has(way) {
				n++
			}
		}
		return n
	}
	for _, way := range ways {
		f = append(f, "way "+way)
		f.is("? "+way, has("asks"))
	}
	head := beginning(words(stripped(s.text)))
	norm, anti := count(normative), count(idleWays)
	f = append(f, "begins "+head, "norm "+strconv.Itoa(min(norm, 3)), "anti "+strconv.Itoa(min(anti, 3)))
	work, content, pointers, general, verb := 0, 0, 0, false, false
	for _, w := range s.words {
		if isOf("work", w) || w[0] == '<' && w != "<num>" && w != "<url>" {
			work++
		}
		if w[0] >= 'a' && !stopWords()[w] {
			content++
		}
		if isOf("pointers", w) {
			pointers++
		}
		general = general || isOf("plural", w)
		verb = verb || isOf("lasting verbs", w) || isOf("task verbs", w) || isOf("states", w) || strings.HasSuffix(w, "ed") || strings.HasSuffix(w, "ing")
	}
	f.is("norm and anti", norm > 0 && anti > 0)
	f.is("norm alone", norm > 0 && anti == 0)
	f.is("norm alone of work", norm > 0 && anti == 0 && work > 0)
	f.is("norm, no work", norm > 0 && work == 0)
	f.is("bare task", norm == 0 && (head == "task verb" || head == "let's"))
	f.is("bare lasting", norm == 0 && head == "lasting verb")
	if slices.Contains([]string{"task verb", "lasting verb", "prohibits", "ensure", "always"}, head) {
		for _, way := range []string{"once", "points", "reason", "each", "status", "screen", "asks", "prefer", "always"} {
			f.is("order+"+way, has(way))
		}
	}
	if has("should") || has("must") {
		f = append(f, "subject "+subjectOf(s.words))
	}
	f.is("general", general)
	generic(s, &f)
	f.is("no verb", !verb)
	f.is("names code", strings.Contains(s.text, "`"))
	f.is("shouted", slices.ContainsFunc(strings.Fields(s.text), func(w string) bool { return isOf("shouted", strings.Trim(w, ".,!")) }))
	f.is("!", strings.HasSuffix(s.text, "!"))
	f.is("ends with a colon", strings.HasSuffix(s.text, ":"))
	f.is("item", s.bullet)
	low := strings.ToLower(s.head)
	f.is("heading of rules", s.head != "" && slices.ContainsFunc(headings, func(h string) bool { return strings.Contains(low, h) }))
	f = append(f, "length "+step(len(s.words), 2, 4, 6, 9, 13, 18, 25, 40), "work "+step(work, 0, 1, 3), "content "+step(content, 1, 2, 4, 7, 12), "pointers "+step(pointers, 0, 1, 2))
	m.forceAround(i, &f)
	return f
}

// The second judge lets a sentence through when both judges together, or its force and its
// form, or its wording by itself say so. These numbers, in log odds, were tried on projects
// left out and on idle talk.
const (
	leastFirst      = mostOfUnlikely // of the first judge, as a probability
	leastForce      = -2.2
	weighForce      = 0.4
	leastTogether   = -0.6
	leastFormed     = -1.0 // of what has the form of a rule
	leastForAll     = -2.2 // of what has the form of one for each time
	leastOfForm     = 0.4  // of what has the form of a rule to be likely, as a probability
	leastOfOthers   = 0.52 // of what has not
	mostOfMoment    = 0.52 // of what speaks of the moment, which seldom stands alone
	mostOfOthers    = 0.66 // a rule by its form goes first, and before it one for each time
	mostOfFormed    = 0.72
	leastPlainForce = -2.6
	leastOfSure     = 0.45 // as a probability
	noWords         = -1.5 // what the first judge says of a sentence that it did not choose
)

// second is how likely both judges find it that sentence i of a moment is to be kept.
// chosen says that the first one speaks of this sentence.
func (m *model) second(mo *moment, v verdict, i int, chosen bool) float64 {
	odds := noWords
	if chosen && v.p > leastFirst {
		odds = v.odds
	}
	force := m.force.score(mo.force(i))
	form := noForm
	if force >= leastForce {
		form = mo.formOf(i)
	}
	p := m.together(odds, force, form)
	switch sure, _ := plainly(&mo.all[i], mo); { // it says itself that it is to be kept
	case sure >= leastSure:
		p = max(p, leastOfSure)
	case sure >= leastPlain && force >= leastPlainForce:
		p = max(p, DefaultMinConfidence)
	}
	return p
}

// together is the probability that the two judges give. What they do not let through has
// less than [DefaultMinConfidence].
func (m *model) together(odds, force float64, form ruleForm) float64 {
	z := m.joint["bias"] + m.joint["words"]*max(noWords, min(2, odds)) + m.joint["force"]*max(-2, min(1, force))
	formed := hasForm(form, force)
	if formed {
		z += m.joint["form"]
	}
	p := logistic(z)
	switch {
	case formed && (form == forAll || p >= leastOfForm || force >= 0), !formed && form == noForm && p >= leastOfOthers:
		p = max(p, DefaultLikely) // of such left-out sentences seven in ten were right
	case !formed:
		p = min(p, DefaultLikely-0.01)
	}
	switch {
	case form == momentary:
		p = min(p, mostOfMoment)
	case !formed:
		p = min(p, mostOfOthers)
	case form == forAll:
		p = mostOfFormed + (p-DefaultLikely)*(mostByRules-mostOfFormed)/(1-DefaultLikely)
	default:
		p = min(p, mostOfFormed)
	}
	through := odds > noWords && force >= leastForce && odds+weighForce*max(-4, min(1.5, force)) > leastTogether || formed
	switch {
	case !through:
		return min(p, DefaultMinConfidence-0.01)
	case formed:
		return max(p, DefaultMinConfidence)
	}
	return p
}

// hasForm reports a sentence that has the form of a rule, and enough force for it.
func hasForm(form ruleForm, force float64) bool {
	return form == asRule && force >= leastFormed || form == forAll && force >= leastForAll
}

// subjectOf says what "should" or "must" is said of.
func subjectOf(w []string) string {
	at := slices.IndexFunc(w, func(x string) bool { return x == "should" || x == "must" || x == "shouldn't" || x == "mustn't" })
	if at <= 0 {
		return "none"
	}
	switch x := w[at-1]; {
	case isOf("pointers", x):
		return "pointer"
	case x == "i" || x == "we" || x == "you":
		return x
	}
	return "noun"
}

// forceAround adds the features of what stands around a sentence.
func (m *moment) forceAround(i int, f *featureList) {
	f.is("sentences "+step(len(m.all), 1, 2, 4, 8, 16), true)
	f.is("turn "+step(m.length(), 5, 14, 35, 80, 200), true)
	f.is("first", i == 0)
	f.is("last", i == len(m.all)-1)
	f.is("steering", m.kind == transcript.Steering)
	f.is("rejection", m.kind == transcript.Rejection)
	f.is("answer", m.kind == transcript.Answer)
	f.is("agent silent", m.first)
	f.is("agent stopped", m.interrupted)
	f.is("agent working", m.agentWorked())
	f.is("agent asked", m.agentAsked())
	f.is("agent conceded", m.conceded())
	f.is("said again", m.again)
	f.is("pasted", m.pasted)
	if i > 0 {
		before := waysOf()(m.all[i-1].words)
		has := func(x string) bool { return slices.Contains(before, x) }
		f.is("after past", has("past me"))
		f.is("after norm", slices.ContainsFunc(normative, has) && !slices.ContainsFunc(idleWays, has))
	}
}

// A scope is of how many things a sentence speaks.
type scope struct {
	kinds   bool // things of a kind, whichever they are: "tests must not sleep"
	certain int  // things that are certain: "fix those two tests"
	names   int  // of code and files
}

func scopeOf(w []string) (of scope) {
	for i, x := range w {
		switch {
		case x == "<code>" || x == "<path>" || x == "<doc>":
			of.names++
		case isOf("certain", x) && i+1 < len(w) && w[i+1][0] >= 'a':
			of.certain++
		case isOf("plural", x):
			of.kinds = of.kinds || ofKind(w[:i])
		}
	}
	return of
}

// generic adds how far a sentence speaks of things of one kind, and how far of certain
// ones: the first holds for ever, the second does not.
func generic(s *sentence, f *featureList) {
	of := scopeOf(s.words)
	f.is("kind of things", of.kinds)
	f.is("kind of things alone", of.kinds && of.certain == 0 && of.names == 0)
	*f = append(*f, "certain things "+step(of.certain, 0, 1, 2), "names "+step(of.names, 0, 1, 2))
	f.is("something new", slices.Contains(s.words, "new"))
	f.is("quotes", quotesAWord(s.text))
	f.is("asked of you: "+askedOf(s.words), true)
	f.is("we do", weDo(s.words))
}

// ofKind reports that no word before a plural says which of the things are meant.
func ofKind(before []string) bool {
	for k := 1; k <= 3 && k <= len(before); k++ {
		w := before[len(before)-k]
		if isOf("certain", w) || isOf("some", w) || w == "<num>" {
			return false
		}
		if !isOf("work", w) && k > 1 {
			return true
		}
	}
	return true
}

func quotesAWord(text string) bool {
	for _, q := range []string{"'", `"`} {
		if _, rest, ok := strings.Cut(" "+text, " "+q); ok {
			if word, _, ok := strings.Cut(rest, q); ok && word != "" && len(word) < 30 {
				return true
			}
		}
	}
	return false
}

// askedOf is the kind of verb that somebody is asked for: "I'd like you to end names …".
func askedOf(w []string) string {
	for i, x := range w {
		if i > 12 {
			break
		}
		if x == "you" && i+2 < len(w) && w[i+1] == "to" || x == "please" && i+1 < len(w) {
			v := w[i+1]
			if x == "you" {
				v = w[i+2]
			}
			for v == "always" || v == "start" || v == "also" || v == "please" {
				return "lasting"
			}
			switch {
			case isOf("lasting verbs", v), isOf("other verbs", v):
				return "lasting"
			case isOf("task verbs", v):
				return "task"
			}
			return "other"
		}
	}
	return "no"
}

// weDo reports that "we" do something, as a habit.
func weDo(w []string) bool {
	for i, x := range w {
		if x != "we" || i > 6 {
			continue
		}
		j := i + 1
		for j < len(w) && isOf("our adverbs", w[j]) {
			j++
		}
		return j < len(w) && (isOf("lasting verbs", w[j]) || isOf("other verbs", w[j]) && w[j] != "have" && w[j] != "need" && w[j] != "be" || isOf("our verbs", w[j]))
	}
	return false
}
