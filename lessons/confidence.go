package lessons

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Confidence is how sure we are that a lesson is true and wanted, from 0 to 1.
type Confidence float64

// The words for a confidence in files. The thresholds are Gimli's, the only published
// ones.
const (
	High   = "high"   // 0.7 and more
	Medium = "medium" // 0.4 and more
	Low    = "low"
)

// The words in which people read a confidence are [Sure], [Likely] and [Maybe]: two
// digits claim more than anybody has measured. docs/quality.md has the share of right
// proposals behind each word.
const (
	Sure = "sure"

	SureAt   Confidence = 0.80 // a person's own words to keep, or a model's surest
	LikelyAt Confidence = 0.60
)

// trusts are the words, the lowest first, with the numbers that they stand for where a
// person chooses them.
var trusts = []struct {
	word string
	is   Confidence
}{{string(Maybe), 0.4}, {string(Likely), 0.7}, {Sure, 0.9}}

// Trusts returns the words, the lowest first.
func Trusts() (all []string) {
	for _, t := range trusts {
		all = append(all, t.word)
	}
	return all
}

// Trust returns the word in which people read the number.
func (c Confidence) Trust() string {
	switch {
	case c >= SureAt:
		return Sure
	case c >= LikelyAt:
		return string(Likely)
	}
	return string(Maybe)
}

// Trust returns the word in which people read the lesson's confidence. A proposal in the
// lane maybe is no more than that.
func (l Lesson) Trust() string {
	if l.Waits() == Maybe {
		return string(Maybe)
	}
	return l.Confidence.Trust()
}

// Step returns the confidence for the word above or below that of the lesson, and its own
// if there is none.
func (l Lesson) Step(up bool) Confidence {
	at := slices.Index(Trusts(), l.Trust())
	if up {
		at++
	} else {
		at--
	}
	if at < 0 || at >= len(trusts) {
		return l.Confidence
	}
	return trusts[at].is
}

// Word returns the word for the number in files.
func (c Confidence) Word() string {
	switch {
	case c >= 0.7:
		return High
	case c >= 0.4:
		return Medium
	default:
		return Low
	}
}

// Importance returns the number that Octomind stores beside the word: 0.9 for high, else
// 0.6.
func (c Confidence) Importance() float64 {
	if c.Word() == High {
		return 0.9
	}
	return 0.6
}

func (c Confidence) valid() bool { return c >= 0 && c <= 1 } // false for NaN

// TypedConfidence reads what a person types: one of the words that people read, which
// becomes what [Lesson.Step] gives, or what [ParseConfidence] reads.
func TypedConfidence(s string) (Confidence, error) {
	if at := slices.Index(Trusts(), strings.ToLower(strings.TrimSpace(s))); at >= 0 {
		return trusts[at].is, nil
	}
	return ParseConfidence(s)
}

// ParseConfidence reads a number from 0 to 1 or a word of files. high and medium become
// Octomind's importance (0.9, 0.6), low becomes 0.3.
func ParseConfidence(s string) (Confidence, error) {
	switch strings.ToLower(strings.TrimSpace(s)) {
	case High:
		return 0.9, nil
	case Medium:
		return 0.6, nil
	case Low:
		return 0.3, nil
	}
	f, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	if c := Confidence(f); err == nil && c.valid() {
		return c, nil
	}
	return 0, fmt.Errorf("%w: confidence %q is neither a number from 0 to 1 nor sure, likely or maybe", ErrInvalid, s)
}

// String formats the number with two digits, as in the file.
func (c Confidence) String() string { return strconv.FormatFloat(float64(c), 'f', 2, 64) }

// Round rounds to the two digits that a file keeps.
func (c Confidence) Round() Confidence { return Confidence(math.Round(float64(c)*100) / 100) }

// halfLife is the number of days after which an unconfirmed lesson of a shelf counts
// half. The values follow claude-reflect and gptme: what people keep longest changes
// least.
var halfLife = map[Shelf]int{Preferences: 180, Corrections: 120, Errors: 180, Tools: 90, Workflows: 120, Architecture: 180, Debugging: 120, Patterns: 90}

// Freshness returns 2^(-age/halfLife), from 1 for a lesson just confirmed towards 0. Age
// counts from a person's last decision or, before any, from creation. A pinned lesson
// stays fresh, and times in the future count as now. Freshness says nothing about truth;
// that is the confidence.
func (l Lesson) Freshness(now time.Time) float64 {
	if l.Pinned {
		return 1
	}
	age := max(now.Sub(l.Confirmed()).Hours()/24, 0)
	return math.Exp2(-age / float64(cmp.Or(halfLife[l.Category.Shelf()], 90)))
}

// grounds has the clauses of [Origin.Rule] that extractors write, each by its beginning,
// with what it means to the person who reads it. The strongest reason comes first.
var grounds = []struct{ clause, says string }{
	{"asks to remember it", "you asked to have it remembered"},
	{"you asked to have it remembered", "you asked to have it remembered"},
	{"says it again", "you had to say it again"},
	{"said it before", "you had to say it again"},
	{"refused", "you refused what the agent was about to do, and said why"},
	{"sets a fact right", "you corrected the agent"},
	{"says that something is wrong", "you corrected the agent"},
	{"stopped the agent", "you stopped the agent and said this"},
	{"states a standing rule", "you stated it as a rule"},
	{"says what must always or never be", "you stated it as a rule"},
	{"states what holds always", "you stated it as a rule"},
	{"worded like a rule", "you stated it as a rule"},
	{"names one thing instead of another", "you named one thing instead of another"},
	{"forbids something", "you said what not to do"},
	{"says what they do not want", "you said what not to do"},
	{"says what was meant", "you said what you had meant"},
	{"says what they want", "you said what you want"},
	{"says what they would like", "you said what you want"},
	{"says how it should be", "you said how it should be"},
	{"asks whether it should not be otherwise", "you asked whether it should not be otherwise"},
	{"asks why it was done so", "you asked why it was done so"},
	{"asks to make sure", "you asked to make sure of it"},
	{"the agent then wrote it into its instructions", "the agent then wrote it into its instructions"},
	{"tells how the project is", "you told how the project is"},
	{"gives a reason", "you gave a reason for it"},
	{"says when it holds", "you said when it holds"},
	{"speaks of ", "you spoke of how the work is done"},
	{"said while the agent was at work", "you said it while the agent was at work"},
	{"worded like what people keep", "you worded it like what people keep"},
}

// refusedBefore begins the clause about earlier decisions on others like it.
const refusedBefore = "you rejected others like it"

// Why says in one plain line why a lesson was proposed; "" if nothing is known. How often
// it was said counts more than how.
func (l Lesson) Why() string {
	clauses := strings.Split(Line(l.Origin.Rule), "; ")
	says, but := "", ""
	if i := slices.IndexFunc(clauses, func(c string) bool { return strings.HasPrefix(c, refusedBefore) }); i >= 0 {
		but = ", but " + clauses[i]
	}
	n, by := Sessions(l.Evidence), quotes(l)
	switch {
	case l.Imported() != "":
		return Line(l.Origin.Rule)
	case l.Asked():
		says = "you asked to have it remembered"
	case n > 1 && by == ByPerson:
		says = fmt.Sprintf("you said it in %s sessions", inWords(n))
	default:
		for _, r := range grounds {
			if slices.ContainsFunc(clauses, func(c string) bool { return strings.HasPrefix(c, r.clause) }) {
				says = r.says
				break
			}
		}
	}
	if author := authorOf(l); author != "" && strings.HasPrefix(says, "you ") {
		says = author + strings.ReplaceAll(strings.TrimPrefix(says, "you"), " you ", " they ")
	}
	return strings.TrimPrefix(cmp.Or(says, clauses[0])+but, ", but ")
}

// authorOf returns the person who said a lesson, if it was somebody else.
func authorOf(l Lesson) string {
	i := slices.IndexFunc(l.Evidence, func(e Evidence) bool { return e.By == ByPerson })
	if i < 0 {
		return ""
	}
	return Line(l.Evidence[i].Author)
}

// inWords writes a small number as a word.
func inWords(n int) string {
	words := []string{"no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"}
	if n < len(words) {
		return words[n]
	}
	return fmt.Sprint(n)
}
