package rules

import (
	"math"
	"slices"
	"strings"

	"learnings/extractor/transcript"
)

// Names that the second step of the model weighs: first what is so of a moment
// beside its words, then what its best sentence is.
const (
	followConceded = "agent concedes"
	followNoted    = "instructions edited"
	followRefused  = "call refused"

	hintAsks      = "asks"
	hintTentative = "tentative"
	hintPlain     = "plain"
	hintSure      = "plain and sure"
	hintScreen    = "detail of a screen"
	hintStatus    = "status"
)

// What is rare in the labelled turns is not learned; these numbers, in log odds,
// were tried on projects left out.
const (
	hintWithdrawn = "withdrawn"
	followPraise  = "praise"
	followPasted  = "pasted"
	answersAgent  = "answers the agent"
)

var lowers = linear{hintWithdrawn: -1.5, followPraise: -1, followPasted: -0.5}

// mostOfAnswer is the highest confidence in an answer to a question of the
// agent whose wording does not say that it is to be kept: of 36 such turns none
// was.
const mostOfAnswer = 0.3

// leastOfPlain is the least log odds, those of .45, of a turn in which a
// sentence says itself that it is to be kept. Of the labelled turns only 23 hold
// one; 18 of these teach, and so do 3 of the 4 that the model thinks little of.
var leastOfPlain = math.Log(.45 / .55)

// follows names what is so of a moment beside its words.
func (m *moment) follows() []string {
	var f featureList
	f.is(followConceded, m.conceded())
	f.is(followNoted, m.noted)
	f.is(followRefused, m.kind == transcript.Rejection)
	f.is(answersAgent, m.kind == transcript.Answer)
	f.is(followPraise, m.praises())
	f.is(followPasted, m.pasted)
	return f
}

// hints names what each sentence of a moment is.
func (m *moment) hints() [][]string {
	out := make([][]string, len(m.all))
	var next []*mark // what the sentence behind is
	for i := len(m.all) - 1; i >= 0; i-- {
		s := &m.all[i]
		in := marksOf(s.words)
		sure, _ := plainly(s, m)
		var f featureList
		f.is(hintAsks, s.asks())
		f.is(hintPlain, sure >= leastPlain && sure < leastSure)
		f.is(hintSure, sure >= leastSure)
		f.is(hintTentative, marked(in, "tentative"))
		f.is(hintScreen, marked(in, "screen") && !marked(in, "general"))
		f.is(hintStatus, marked(in, "status") && !marked(in, "ought"))
		f.is(hintWithdrawn, marked(next, "withdrawing"))
		out[i], next = f, in
	}
	return out
}

// How sure a wording makes: see [plainly].
const (
	leastPlain = 0.5
	leastSure  = 0.7
)

// praises is praise at the head of a turn.
var praises = lineList("praises")

// praises reports that a turn begins with praise and asks for nothing.
func (m *moment) praises() bool {
	if len(m.all) == 0 || len(m.all) > 3 {
		return false
	}
	low := strings.ToLower(m.text)
	return !slices.ContainsFunc(m.all, func(s sentence) bool { return marked(marksOf(s.words), "ought") }) && slices.ContainsFunc(praises(), func(p string) bool {
		rest, ok := strings.CutPrefix(low, p)
		return ok && (rest == "" || strings.IndexByte(" ,.!", rest[0]) >= 0)
	})
}
