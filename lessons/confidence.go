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
	return math.Exp2(-age / float64(halfLifeOf(l)))
}

// halfLifeOf returns the half-life of a lesson's shelf, in days.
func halfLifeOf(l Lesson) int { return cmp.Or(halfLife[l.Category.Shelf()], 90) }
