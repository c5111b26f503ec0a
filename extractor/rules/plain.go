package rules

import (
	"slices"
	"strings"
	"sync"
)

// A wordingRule is a wording with which people say outright that something
// should be kept. These are too rare in the labelled turns to be learned one by
// one, so each has a fixed degree of certainty. Common wordings ("we don't want",
// "use X instead of Y") are not listed here: the model weighs them better.
type wordingRule struct {
	says string
	m0   float64
	list string // phrases as in signs.go
}

var wordingRules = []wordingRule{
	{"asks to remember it", .90, `
		^ please? remember|rule|lesson|important :
		^ please? remember to|that|this
		^ keep in mind
		^ note to self|yourself`},
	{"says it again", .85, `
		i already? told|asked you to|not|that
		i said to|not
		you were told
		how many times`},
	{"states a standing rule", .80, `
		from now on
		going forward ,
		^ going forward
		^ please? always|never use|add|make|keep|remove|run|write|put|update|commit|push|create|check|test|change|call|read|avoid|ensure|follow|include|return|rebase|merge|close|document|ask|stop|leave|start|do|let|have|be|go
		in this repo|project|codebase|repository we|,|you|always|never
		keep in mind
		don't forget to`},
	{"says what must always or never be", .60, `
		must|shall never|always|not|only
		should never|always`},
}

var wordingPhrases = sync.OnceValue(func() map[string][]int {
	lists := make([]string, len(wordingRules))
	for i, r := range wordingRules {
		lists[i] = r.list
	}
	return byPhrase(lists)
})

// anchored recognises wordings at the start of a short sentence that have a gap
// in them, as people in a hurry type corrections. In the labelled turns they are
// rare and mostly lessons (don't …: 12 of 16, no, …: 6 of 9).
func anchored(s *sentence) (confidence float64, says string) {
	w := s.words
	if len(w) > 0 && (w[0] == "no" || w[0] == "nope" || w[0] == "please") {
		if w = w[1:]; len(w) > 0 && w[0] == "," {
			w = w[1:]
		}
	}
	if len(w) > 2 && len(w) <= 18 && w[0] == "usually" && slices.Contains([]string{"use", "do", "want"}, w[1]) {
		return .5, "states what holds always" // "first" is its order then
	}
	if len(w) < 3 || len(w) > 18 || slices.ContainsFunc(w, func(x string) bool { return forNow()[x] }) {
		return 0, ""
	}
	two := w[0] + " " + w[1]
	switch {
	case (w[0] == "use" || two == "we use" || two == "please use" || two == "i prefer" || two == "we prefer") && opposes(w):
		return .65, "names one thing instead of another"
	case two == "i prefer" || two == "we prefer" || two == "we never" || two == "we always":
		return .6, "says what they want"
	case w[0] == "don't" || two == "do not" || w[0] == "avoid" || w[0] == "stop" && strings.HasSuffix(w[1], "ing"):
		return .55, "forbids something"
	case opposes(w) && slices.ContainsFunc(w, func(x string) bool { return states()[x] }):
		return .55, "sets a fact right"
	case (two == "that's wrong" || two == "you forgot" || two == "you missed" || two == "you broke") && len(w) > 5:
		return .5, "says that something is wrong"
	case two == "make sure" || w[0] == "ensure":
		return .5, "asks to make sure"
	}
	return 0, ""
}

// opposes reports whether words set one thing against another: X instead of Y,
// X, not Y.
func opposes(w []string) bool {
	for i := 1; i+1 < len(w); i++ {
		switch {
		case w[i] == "instead" && w[i+1] == "of", w[i] == "rather" && w[i+1] == "than":
			return true
		case w[i] == "not" && (w[i-1] == "," || w[i-1] == "and"):
			return true
		}
	}
	return false
}

var (
	states = lazySet("is are lives live goes go belongs belong runs run must should means")
	// forNow are words of what holds only this once.
	forNow = lazySet("yet now today anything worry moment just first wait tonight tomorrow")
)

// longTurn is a number of sentences that people hardly ever type in one turn.
const longTurn = 25

// plainly returns how certain the wording alone makes it that a sentence should
// be kept, and which wording that is; 0 if there is none. It is 0 for questions.
// In a turn so long that it must be pasted, it is at most .6.
func plainly(s *sentence, m *moment) (sure float64, says string) {
	if strings.HasSuffix(s.text, "?") || killed(s, m) || len(s.words) < 3 {
		return 0, ""
	}
	for _, k := range lookUp(wordingPhrases(), s.words) {
		if r := wordingRules[k]; r.m0 > sure {
			sure, says = r.m0, r.says
		}
	}
	if len(m.all) > longTurn {
		return min(sure, 0.6), says
	}
	if x, why := anchored(s); x > sure {
		sure, says = x, why
	}
	return sure, says
}
