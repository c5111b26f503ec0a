package rules

import (
	"slices"
	"strings"
	"sync"

	"learnings/extractor/transcript"
)

// anchored recognises wordings at the start of a short sentence that have a gap
// in them, as people in a hurry type corrections. In the labelled turns they are
// rare and mostly lessons (don't …: 12 of 16, no, …: 6 of 9).
func anchored(s *sentence) (confidence float64, says string) {
	w := s.words
	refused := len(w) > 1 && (w[0] == "no" || w[0] == "nope") && w[1] == ","
	for len(w) > 0 && slices.Contains([]string{"no", "nope", "please", ","}, w[0]) {
		w = w[1:]
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

const (
	correctsIn   = 2  // of the first sentences of a turn: what comes later is another subject
	correctsMost = 60 // words; who writes more gives a task
)

// correcting are the signs of a sentence that speaks against what the agent did.
var correcting = []string{"wrong", "instead", "forbids", "unwanted"}

var soothing = wordSet("soothing")

// Corrects reports whether a turn of a person speaks against what the agent has just
// done: a call refused with words, or a short message that says so. It is a count for
// many sessions, quick and not exact; what is proposed is judged by more. Before the
// agent has done anything there is nothing to correct, and the caller knows that.
func Corrects(t *transcript.Turn) bool {
	switch {
	case t.Speaker != transcript.Person || t.Sidechain || t.Scripted:
		return false
	case t.Kind == transcript.Rejection:
		return t.Text != ""
	case t.Kind != transcript.Message && t.Kind != transcript.Steering:
		return false
	}
	if len(t.Text) > 10*correctsMost {
		return false
	}
	text, pasted := cleaned(t.Text)
	all := sentences(text)
	n := 0
	for i := range all {
		n += len(all[i].words)
	}
	if pasted || n > correctsMost {
		return false
	}
	for i := range all[:min(len(all), correctsIn)] {
		s := &all[i]
		if strings.HasSuffix(s.text, "?") || strings.HasSuffix(s.text, "？") || len(s.words) > 1 && s.words[0] == "no" && soothing()[s.words[1]] {
			continue
		}
		if slices.ContainsFunc(s.signs, func(k int) bool { return slices.Contains(correcting, signs()[k].name) }) {
			return true
		}
		if slices.ContainsFunc(foreignForms(s), func(name string) bool { return name == "again" || name == "wrong" || name == "instead" }) {
			return true
		}
	}
	return false
}

// gated reports whether a moment cannot teach anything because it holds fewer
// than two words of the person's own.
func gated(m *moment) bool {
	n := 0
	for i := range m.all {
		for _, w := range m.all[i].words {
			if len(w) > 1 && w[0] != '<' {
				n++
			}
		}
		if n < 2 && together(m.all[i].text) {
			n += size(m.all[i].text)
		}
	}
	return n < 2
}

// width counts the characters of a text and stops at most. Characters of Chinese,
// Japanese and Korean count twice, since they say about twice as much.
func width(s string, most int) int {
	n := 0
	for _, r := range s {
		if n >= most {
			break
		}
		if n++; r >= 0x1100 && (r <= 0x11ff || r >= 0x2e80) {
			n++
		}
	}
	return n
}

var (
	harmless   = betweenBlanks("harmless")
	courtesies = betweenBlanks("courtesies")
)

// betweenBlanks is the lines of a list, each with a blank on both sides.
func betweenBlanks(name string) func() []string {
	return sync.OnceValue(func() []string {
		return strings.Split(" "+strings.ReplaceAll(strings.TrimSpace(lists()[name]), "\n", " \n ")+" ", "\n")
	})
}

// killed reports whether a sentence is never a lesson, whatever the model says
// of the turn: praise, a brush-off, or too short to say anything.
func killed(s *sentence, m *moment) bool {
	low := " " + strings.Join(s.words, " ") + " "
	n := 0
	for _, w := range s.words {
		if len(w) > 1 || w[0] >= 'a' && w[0] <= 'z' {
			n++
		}
	}
	if n < 3 && m.kind != transcript.Rejection {
		return true
	}
	if strings.HasPrefix(low, " hang on ") || strings.HasPrefix(low, " one sec ") || pointsBack().MatchString(s.text) {
		return true
	}
	if slices.ContainsFunc(courtesies(), func(c string) bool { return strings.Contains(low, c) }) {
		return true
	}
	return slices.ContainsFunc(harmless(), func(h string) bool {
		return strings.HasPrefix(low, h) && n < 14 || n < 9 && strings.Contains(low, h)
	})
}
