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
	forEach = lessons.LazyRegexp(`(?i)\b(?:always|never|every|each|any|all|no|only|whenever|by default|instead of|rather than|as opposed to|not just|without|at all times|must|at least|at most|unless|until)\b|\b(?:before|after|when|while) (?:\w+ing|you|we|the|a|an|every|each|making|creating)\b|,? not \w+|\bfor (?:all|any|every|the \w+s)\b`)
	// eachTime are those that make a lasting order of a verb of tasks.
	eachTime = lessons.LazyRegexp(`(?i)\b(?:always|never|whenever|before|after|when|unless|only|every time|each time)\b`)
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

// standingForm reports that a sentence, as it is proposed, has the form of a rule. forEver
// says that the words before it ("from now on") made it one.
func standingForm(text string, forEver bool) bool {
	w := words(text)
	if len(w) < 3 || len(w) > 45 || ofTheMoment(text, w, forEver) {
		return false
	}
	if isCustom(text) {
		return true
	}
	if w[0] == "i" || w[0] == "you" || w[0] == "here" || w[0] == "there" || w[0] == "so" || w[0] == "then" || pointers()[w[0]] {
		return false
	}
	if w[0] == "never" || w[0] == "prefer" || w[0] == "only" {
		return true
	}
	general := slices.ContainsFunc(w, func(x string) bool { return isOf("plural", x) })
	switch beginning(w) {
	case "always":
		return true
	case "prohibits":
		return forEver || w[0] == "no" || len(w) >= 6 || general || forEach().MatchString(strings.Join(w[2:], " "))
	case "clause":
		_, order, ok := strings.Cut(text, ", ")
		ok = ok && !slices.Contains([]string{"example", "instance"}, w[1])
		return ok && (isOrder(words(order)) || standingForm(order, forEver))
	}
	if isOrder(w) {
		if forEver {
			return !isOf("no order", w[0])
		}
		screen := slices.Contains(waysOf()(w), "screen")
		if isOf("no order", w[0]) || (isOf("task verbs", w[0]) || isOf("reported", w[0]) || screen) && !eachTime().MatchString(text) && !opposes(w) {
			return false
		}
		return general && isOf("lasting verbs", w[0]) || forEach().MatchString(text)
	}
	return isDeontic(text, w)
}

// formOf says how far sentence i, as it would be proposed, looks like a rule.
func (m *moment) formOf(i int) ruleForm {
	text, missing := m.wording(i)
	w, forEver := words(text), saysForEver(m.all[i].words)
	switch {
	case missing != "":
		return momentary
	case standingForm(text, forEver):
		return asRule
	case ofTheMoment(text, w, forEver), slices.Contains(waysOf()(w), "screen"), w[0] == "i" || w[0] == "you":
		return momentary
	}
	return noForm
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

// isDeontic reports a sentence that says what a named thing must be; what must be on a
// screen is a feature.
func isDeontic(text string, w []string) bool {
	m := deontic().FindStringSubmatch(text)
	if m == nil || w[0] == "we" && !weMust().MatchString(text) {
		return false
	}
	subject, _, _ := strings.Cut(strings.ToLower(m[1]), " ")
	return !pointers()[subject] && subject != "i" && subject != "you" && !slices.Contains(waysOf()(w), "screen")
}
