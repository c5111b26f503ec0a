package rules

import (
	"slices"
	"strings"
)

// anchored recognises wordings at the start of a short sentence that have a gap
// in them, as people in a hurry type corrections. In the labelled turns they are
// rare and mostly lessons (don't …: 12 of 16, no, …: 6 of 9).
func anchored(s *sentence) (confidence float64, says string) {
	w := s.words
	refused := len(w) > 1 && (w[0] == "no" || w[0] == "nope") && w[1] == ","
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
	case (w[0] == "use" || two == "we use" || two == "let's use" || two == "lets use" || two == "please use" || two == "i prefer" || two == "we prefer") && opposes(w):
		return .65, "names one thing instead of another"
	case two == "i prefer" || two == "we prefer" || two == "we never" || two == "we always" || refused && two == "i want":
		return .6, "says what they want"
	case w[0] == "don't" || two == "do not" || w[0] == "avoid" || w[0] == "stop" && strings.HasSuffix(w[1], "ing"):
		return .55, "forbids something"
	case opposes(w) && slices.ContainsFunc(w, func(x string) bool { return states()[x] }):
		return .55, "sets a fact right"
	case slices.Contains(w[:3], "meant") && opposes(w):
		return .55, "says what was meant"
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
	states = wordSet("states")
	// forNow are words of what holds only this once.
	forNow = wordSet("for now")
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
	for _, k := range marksOf(s.words) {
		if k.sure > sure {
			sure, says = k.sure, k.says
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
