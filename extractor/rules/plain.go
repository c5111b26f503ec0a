package rules

import (
	"strings"
	"sync"
)

// A wordingRule is a wording by which people say themselves that what they say
// is to be kept. They are too rare in the labelled turns to be learned, so they
// start from a confidence of their own. Wordings that are common ("we don't
// want", "use X instead of Y") are not here: the model weighs them better than
// a fixed number did.
type wordingRule struct {
	says string
	m0   float64
	need float64 // what the model must think of the turn at least
	list string  // phrases as in signs.go
}

var wordingRules = []wordingRule{
	{"asks to remember it", .90, .02, `
		^ please? remember|rule|lesson|important :
		^ please? remember to|that|this
		^ keep in mind
		^ note to self|yourself`},
	{"says it again", .85, 0, `
		i already? told|asked you to|not|that
		i said to|not
		you were told
		how many times`},
	{"states a standing rule", .80, .02, `
		from now on
		going forward ,
		^ going forward
		^ please? always|never use|add|make|keep|remove|run|write|put|update|commit|push|create|check|test|change|call|read|avoid|ensure|follow|include|return|rebase|merge|close|document|ask|stop|leave|start|do|let|have|be|go
		in this repo|project|codebase|repository we|,|you|always|never
		keep in mind
		don't forget to`},
	{"says what must always or never be", .60, .1, `
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

// longTurn is how many sentences people hardly write by hand in one turn.
const longTurn = 25

// plainly gives the confidence in a sentence by its wording alone, when it is
// one that leaves little doubt, and says which; p is what the model thinks of
// the turn. Questions never are. A sentence of a text as long as only pasted ones
// are is no more than worth a look, unless the model thinks well of the text.
func plainly(s *sentence, m *moment, p float64) (confidence float64, says string) {
	if strings.HasSuffix(s.text, "?") || killed(s, m) || len(s.words) < 3 {
		return 0, ""
	}
	for _, k := range lookUp(wordingPhrases(), s.words) {
		if r := wordingRules[k]; p >= r.need && r.m0 > confidence {
			confidence, says = r.m0, r.says
		}
	}
	if len(m.all) > longTurn && p < 0.3 {
		confidence = min(confidence, 0.6)
	}
	return confidence, says
}
