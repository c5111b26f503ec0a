package rules

import (
	"slices"
	"strings"
	"sync"

	"learnings/extractor/transcript"
	"learnings/lessons"
)

// A rule outlives the task in which it was said, and its sentence shows that: it orders
// something for each time, forbids it, says what a thing must be, how "we" do it, or
// what to do when. A sentence without such a form may be worth keeping all the same; it
// is not likely to be a rule as it stands.

var (
	// passing are words of what is so just now, or what somebody thinks.
	passing = lessons.LazyRegexp(`(?i)\b(?:already|currently|previously|now|still|just|yet|at the moment|was|were|had|did|again|recently|initially|so far|today|i think|i guess|i thought|i meant|i'm|i am|i was|i'll|i would|i'd|i've|i do|i like|i see|maybe|perhaps|probably|seems?|might|could|feels? like|looks? like|basically)\b`)
	// listed are the beginnings of what a tool printed, or an answer to its form.
	listed = lessons.LazyRegexp(`(?i)^\(?(?:use "git |no answer provided|answer:|modified:|on branch|your branch|changes (?:not )?(?:to be|staged))`)
	// numbered are things of one task.
	numbered = lessons.LazyRegexp(`https?://|#\d+|\b[Ii]ssues? \d+`)
	// forEach are words that make an order one for each time.
	forEach = lessons.LazyRegexp(`(?i)\b(?:only|instead of|rather than|as opposed to|not just|without|must|at least|at most|unless|until)\b|\b(?:before|after|when|while) (?:\w+ing|you|we|the|a|an|making|creating)\b|, not \w+|\band not\b|\bfor the \w+s\b`)
	// where is the project, which a rule is of anyway.
	where = lessons.LazyRegexp(`(?i)^in (?:this|our|the|my) (?:repo|repository|project|codebase|code base|code|team)(?: here)?,? (?:please )?`)
	// eachOne and every are those that make a lasting order one for all things of a kind.
	eachOne = lessons.LazyRegexp(`(?i)\b(?:every|each|anything|everywhere|anywhere)\b`)
	every   = lessons.LazyRegexp(`(?i)\b(?:(?:all|any) (?:\w+ ){0,2}\w+s|for all)\b`)
	// ever are those that say outright that it holds each time.
	ever = lessons.LazyRegexp(`(?i)\b(?:always|never|ever|whenever|(?:every|each|any|all the) ?time|by default|at all times|under no circumstances)\b`)
	// aside is what begins the rest of a sentence, which says what for.
	aside = lessons.LazyRegexp(`(?i)[ ,](?:so|because|since|which|where|whether)\b`)
	// eachTime are those that make a lasting order of a verb of tasks.
	eachTime = lessons.LazyRegexp(`(?i)\b(?:before|after|when|unless|only) (?:\w+ing|you|we|if|when)\b`)
	// oneTime are words that bind an order to the work at hand.
	oneTime = lessons.LazyRegexp(`(?i)\b(?:for now|right now|at the moment|for the moment|yet|this (?:time|pr|commit|branch|task|phase|step|ticket|issue|feature|change|session|release|version|one|file|test|section|page|bug|error|function|line|plan|list|message|conversation|chat)|the (?:rest|above|below|following|latest|first one|second one|other one|previous)|anything else|today|tomorrow|tonight|(?:step|phase|task|option|pr) #?\d+|then (?:commit|push|run|merge|continue|proceed)|before (?:continuing|proceeding|moving on)|and (?:then )?(?:continue|proceed))\b`)
	// deontic is a subject with what it must be.
	deontic = lessons.LazyRegexp("(?i)^(?:(?:the|our|all|every|each|any|no|a|an|both|these|this) )?((?:[\\w`'./-]+ ){1,6}?)(?:should(?:n't| not| never| always| only)?|must(?:n't| not| never| always| only)?|needs? to|has to|have to|may not|may only|can't|cannot|can only|shall|(?:is|are) not allowed|is required|are required|is forbidden|is mandatory|ought to)\\b")
	// custom is how "we" or the repository do something.
	custom = lessons.LazyRegexp(`(?i)^(?:we|our (?:team|repo|project|code|codebase|app|tests)|this (?:repo|project|codebase|app|repository)|the (?:repo|project|codebase|app)) (?:always |never |only |usually |generally |don't |do not |strictly )*(?:use|uses|keep|keeps|store|stores|follow|follows|prefer|prefers|support|supports|require|requires|run|runs|name|call|write|put|treat|avoid|commit|test|log|standardi[sz]ed? on|deploy|ship|target|targets|can't|cannot|own)\b`)
	// noCustom are words behind "we don't" that tell what is not wanted now.
	noCustom = lessons.LazyRegexp(`(?i)^we (?:don't|do not) (?:need|have|want)\b`)
	// weMust is a rule that "we" give ourselves; "we should" alone mostly plans.
	weMust = lessons.LazyRegexp(`(?i)^we (?:should|must)(?:n't| not| never| always| only)\b`)
)

// formed says whether a sentence, as it is proposed, has the form of a rule. forEver says
// that the words before it ("from now on") made it one.
func formed(text string, forEver bool) ruleForm {
	text = where().ReplaceAllString(text, "")
	w := words(text)
	if len(w) < 3 || len(w) > 45 || ofTheMoment(text, w, forEver) {
		return noForm
	}
	plain := codeNames().ReplaceAllString(text, "X")
	if at := aside().FindStringIndex(plain); at != nil {
		plain = plain[:at[0]]
	}
	forEver = forEver || ever().MatchString(plain)
	of := scopeOf(firstClause(w))
	each := forEver || eachOne().MatchString(plain) || every().MatchString(plain) && of.certain == 0
	kinds := each || of.kinds && of.certain == 0
	switch {
	case isCustom(text):
		return ruleIf(true, kinds || opposes(w))
	case w[0] == "i", w[0] == "you", w[0] == "here", w[0] == "there", w[0] == "so", w[0] == "then", w[0] == "not", w[0] == "need", text[0] == '/', pointers()[w[0]]:
		return noForm
	case w[0] == "never", w[0] == "always":
		return forAll
	case w[0] == "prefer":
		return ruleIf(true, kinds)
	case w[0] == "only":
		return ruleIf(isOrder(w[1:]), each)
	case w[0] == "no":
		return ruleIf(refuses(w), each)
	}
	switch head := beginning(w); {
	case head == "prohibits":
		return prohibits(w, plain, each, kinds)
	case head == "clause":
		return conditional(text, w, forEver)
	case isOrder(w):
		return ordersEach(w, plain, forEver, kinds && of.names == 0)
	}
	return deontically(text, w, each)
}

// ruleIf is the form of a sentence that is a rule if one thing is so, and one for each
// time if another is, too.
func ruleIf(rule, each bool) ruleForm {
	switch {
	case !rule:
		return noForm
	case each:
		return forAll
	}
	return asRule
}

// codeNames are names of code in a sentence, whose parts say nothing.
var codeNames = lessons.LazyRegexp("`[^`]*`|\\S*[_/=]\\S*|--?\\w[\\w-]*")

// refuses reports "no", a kind of things, and where it is not wanted; what a program
// reports ("no tests found") is not so.
func refuses(w []string) bool {
	if isOf("no thing", w[1]) {
		return false
	}
	for _, x := range w[1:] {
		if isOf("states", x) || strings.HasSuffix(x, "ed") || x == "found" || x == "shown" || x[0] == '<' && x != "<num>" {
			return false
		}
	}
	return slices.ContainsFunc(w, func(x string) bool { return isOf("plural", x) })
}

// prohibits is the form of "do not …".
func prohibits(w []string, plain string, each, kinds bool) ruleForm {
	verb := w[1]
	if w[0] == "do" && len(w) > 2 {
		verb = w[2]
	}
	if isOf("mind", verb) || slices.Contains(w, "new") && !ever().MatchString(plain) {
		return noForm
	}
	return ruleIf(kinds || forEach().MatchString(plain), kinds)
}

// conditional is the form of "when …, do …". What holds "if it exists" is a step of a
// program.
func conditional(text string, w []string, forEver bool) ruleForm {
	clause, order, ok := strings.Cut(text, ", ")
	if !ok || !forEver && !recurs().MatchString(clause) {
		return noForm
	}
	return ruleIf(isOrder(words(order)) || formed(order, forEver) != noForm, true)
}

// recurs matches an occasion that comes again.
var recurs = lessons.LazyRegexp(`(?i)^(?:(?:when|whenever|before|after|if|while|once|unless) (?:\w+ing|you|every|each|any|an?)\b|(?:when|before|after) we\b|(?:for|in|on) (?:all|any|every|each|new|our)\b|(?:for|in|on) (?:tests|commits|comments|docs|functions|methods|files|names|errors|branches|reviews|prs|scripts|modules|classes|types|plans|answers|questions)$)`)

// firstClause is the words before the first comma.
func firstClause(w []string) []string {
	if at := slices.Index(w, ","); at > 0 {
		return w[:at]
	}
	return w
}

// ordersEach is the form of an order. Many verbs ask for one deed, also for all things of
// a kind, and so does what names code.
func ordersEach(w []string, plain string, forEver, kinds bool) ruleForm {
	screen := slices.Contains(waysOf()(w), "screen")
	deed := beginning(w) != "ensure" && (isOf("task verbs", w[0]) || isOf("reported", w[0]) || screen)
	named := scopeOf(w).names > 0
	switch {
	case isOf("no order", w[0]), deed && (w[1] == "a" || w[1] == "an" || screen):
		return noForm
	case forEver:
		return forAll
	case slices.Contains(w[1:3], "me"):
		return noForm
	case deed:
		return ruleIf(eachTime().MatchString(plain) || opposes(w) && !named || kinds && yours(w), false)
	}
	return ruleIf(kinds || forEach().MatchString(plain) && (!named || isOf("lasting verbs", w[0])), kinds)
}

// yours reports "your" or "our" before a kind of things: "end your names with …".
func yours(w []string) bool {
	at := slices.IndexFunc(w, func(x string) bool { return x == "your" || x == "our" })
	return at >= 0 && slices.ContainsFunc(w[at:min(at+4, len(w))], func(x string) bool { return x != "changes" && isOf("plural", x) })
}

// deontically is the form of "tests must …".
func deontically(text string, w []string, each bool) ruleForm {
	m := deontic().FindStringSubmatch(text)
	if m == nil || w[0] == "we" && !weMust().MatchString(text) || slices.Contains(waysOf()(w), "screen") {
		return noForm
	}
	subject := words(m[1])
	if last := subject[len(subject)-1]; pointers()[subject[0]] || subject[0] == "i" || subject[0] == "you" || last == "we" || last == "i" || last == "you" || last == "we'll" {
		return noForm
	}
	of := scopeOf(subject)
	all := of.kinds && !isOf("certain", w[0]) || slices.Contains([]string{"all", "every", "each", "any", "no"}, w[0])
	must := strings.Contains(m[0], "must") || strings.Contains(m[0], "not") || strings.Contains(m[0], "never") || strings.Contains(m[0], "always")
	return ruleIf(all || each || must, all && must)
}

// formOf says how far sentence i, as it would be proposed, looks like a rule.
func (m *moment) formOf(i int) ruleForm {
	text, missing := m.wording(i)
	w, forEver := words(text), saysForEver(m.all[i].words)
	if missing != "" {
		return momentary
	}
	if form := formed(text, forEver); form != noForm {
		return form
	}
	if ofTheMoment(text, w, forEver) || slices.Contains(waysOf()(w), "screen") || w[0] == "i" || w[0] == "you" || forTheTask(w) {
		return momentary
	}
	return noForm
}

// forTheTask reports what is ordered or forbidden without a word that it holds beyond the
// task: "do not create any new tests", "don't touch the config", "no need to write code".
func forTheTask(w []string) bool {
	switch {
	case len(w) < 4, (w[0] == "there" || w[0] == "there's") && slices.Contains(w[:4], "no"), w[0] == "no":
		return true
	case beginning(w) == "prohibits":
		return scopeOf(w).certain > 0 || slices.Contains(w, "new") || slices.Contains(w, "any")
	}
	return isOf("task verbs", w[0]) || isOf("reported", w[0])
}

// ofTheMoment reports that a sentence asks, or speaks of what is so or is to be done now.
func ofTheMoment(text string, w []string, forEver bool) bool {
	return strings.HasSuffix(text, "?") || strings.HasSuffix(text, ":") || passing().MatchString(text) || listed().MatchString(text) || numbered().MatchString(text) ||
		oneTime().MatchString(text) && !forEver && !isLasting(w)
}

// A ruleForm is how far the sentence of a proposal looks like a rule.
type ruleForm int

const (
	noForm    ruleForm = iota
	momentary          // it speaks of the moment, of a screen, or does not stand alone
	asRule             // it has the form of a rule
	forAll             // and speaks of each time, or of all things of a kind
)

// saysForEver reports that a sentence says itself that it holds from now on.
func saysForEver(w []string) bool {
	ways := waysOf()(w)
	return slices.Contains(ways, "from now on") || slices.Contains(ways, "always")
}

func isLasting(w []string) bool {
	return slices.ContainsFunc(w, func(x string) bool { return x == "always" || x == "never" || x == "whenever" || x == "must" })
}

func isCustom(text string) bool { return custom().MatchString(text) && !noCustom().MatchString(text) }

func isOrder(w []string) bool {
	return len(w) > 0 && (isOf("lasting verbs", w[0]) || isOf("task verbs", w[0]) || isOf("other verbs", w[0]) || verbs()[w[0]])
}

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
		out[s.name] = lessons.WordSet(s.text)
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

// force gives the features by which the force of sentence i is judged.
func (m *moment) force(i int) []string {
	s := &m.all[i]
	f := featureList{"bias"}
	ways := waysOf()(s.words)
	if slices.Contains(ways, "from now on") {
		ways = slices.DeleteFunc(ways, func(x string) bool { return x == "once" }) // it says "now"
	}
	for _, way := range ways {
		f = append(f, "way "+way)
	}
	f = append(f, "begins "+beginning(words(stripped(s.text))))
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
	f.is("general", general)
	of := scopeOf(s.words)
	f.is("kind of things", of.kinds)
	f.is("kind of things alone", of.kinds && of.certain == 0 && of.names == 0)
	f = append(f, "certain things "+step(of.certain, 0, 1, 2), "names "+step(of.names, 0, 1, 2))
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
	leastFirst      = 0.3 // of the first judge, as a probability
	leastForce      = -2.2
	weighForce      = 0.4
	leastTogether   = -0.75
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
