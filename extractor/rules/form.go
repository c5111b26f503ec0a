package rules

import (
	"slices"
	"strings"

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
