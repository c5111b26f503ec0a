package rules

import (
	_ "embed" // for signs.txt
	"math"
	"math/bits"
	"slices"
	"strings"
	"sync"

	"learnings/extractor/transcript"
)

// A sign is a way in which people word a rule, a wish, a correction or a plain
// request. Signs are lists of phrases over the words that [words] returns: words
// in a row, "a|b" for either of two, "x?" for an optional one, "^" for the start
// of the sentence and "$" for its end. No sign contains the vocabulary of a
// particular project.

// signs are those of signs.txt, in the order of the file. What it says is of lists that
// speak for a lesson.
var signs = sync.OnceValue(func() []section { return sectionsOf("signs.txt") })

// phrases maps each phrase to the numbers of the signs that contain it. It is
// built on first use, since hooks start this program too.
var phrases = sync.OnceValue(func() map[string][]int {
	lists := make([]string, len(signs()))
	for i, s := range signs() {
		lists[i] = s.text
	}
	return byPhrase(lists)
})

// byPhrase maps each phrase to the numbers of the lists that contain it, and each
// beginning of one.
func byPhrase(lists []string) map[string][]int {
	m := make(map[string][]int, 4096)
	for i, list := range lists {
		for line := range strings.Lines(list) {
			for _, p := range expand(strings.Fields(line)) {
				if p != "" {
					addPhrase(m, p, i)
				}
			}
		}
	}
	return m
}

// addPhrase adds a number to those of a phrase. What begins a phrase and is none has
// no numbers, but is there: where a row of words is not, no phrase goes on from it.
func addPhrase(m map[string][]int, phrase string, n int) {
	for i := range len(phrase) {
		if begins := phrase[:i]; phrase[i] == ' ' && m[begins] == nil {
			m[begins] = nil
		}
	}
	m[phrase] = append(m[phrase], n)
}

// expand returns every phrase that a line of a sign stands for.
func expand(line []string) []string {
	out := []string{""}
	for _, item := range line {
		optional := len(item) > 1 && strings.HasSuffix(item, "?")
		alternatives := strings.Split(strings.TrimSuffix(item, "?"), "|")
		if item == "?" {
			alternatives = []string{"?"}
		}
		var next []string
		for _, head := range out {
			if optional {
				next = append(next, head)
			}
			for _, a := range alternatives {
				next = append(next, strings.TrimLeft(head+" "+a, " "))
			}
		}
		out = next
	}
	return out
}

// maxPhrase is the largest number of words in a phrase.
const maxPhrase = 5

// lookUp returns the numbers of the lists whose phrases occur in a row of words,
// sorted, without repetition. There must be fewer than 64 lists.
func lookUp(phrases map[string][]int, w []string) (out []int) {
	var has uint64
	eachPhrase(phrases, w, func(k int) { has |= 1 << k })
	for ; has != 0; has &= has - 1 {
		out = append(out, bits.TrailingZeros64(has))
	}
	return out
}

// eachPhrase calls f for the numbers of each phrase that occurs in a row of words.
func eachPhrase(phrases map[string][]int, w []string, f func(int)) {
	row := make([]string, 0, len(w)+2)
	row = append(append(append(row, "^"), w...), "$")
	var b []byte
	for i := range row {
		b = b[:0]
		for n := 0; n < maxPhrase && i+n < len(row); n++ {
			if n > 0 {
				b = append(b, ' ')
			}
			b = append(b, row[i+n]...)
			numbers, begins := phrases[string(b)]
			if !begins {
				break
			}
			for _, k := range numbers {
				f(k)
			}
		}
	}
}

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
