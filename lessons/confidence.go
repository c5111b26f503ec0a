package lessons

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Confidence is how sure we are that a lesson is true and wanted, from 0 to 1.
type Confidence float64

// The words for a confidence. The thresholds are Gimli's, the only published
// rule from numbers to words.
const (
	High   = "high"   // 0.7 and more
	Medium = "medium" // 0.4 and more
	Low    = "low"
)

// Word is the word over the number.
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

// Importance is what Octomind keeps beside the word: 0.9 for high, else 0.6.
func (c Confidence) Importance() float64 {
	if c.Word() == High {
		return 0.9
	}
	return 0.6
}

func (c Confidence) valid() bool { return c >= 0 && c <= 1 } // false for NaN

// ParseConfidence reads a number from 0 to 1 or one of the words, for which it
// takes the importance that Octomind gives them (0.9, 0.6) and 0.3 for low.
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
	return 0, fmt.Errorf("%w: confidence %q is neither a number from 0 to 1 nor high, medium or low", ErrInvalid, s)
}

// String is the number with two digits, as in the file.
func (c Confidence) String() string { return strconv.FormatFloat(float64(c), 'f', 2, 64) }

// Round gives the two digits that a file keeps.
func (c Confidence) Round() Confidence { return Confidence(math.Round(float64(c)*100) / 100) }

// halfLife is after how long an unconfirmed lesson of a shelf is worth half:
// what people keep longest changes least. Days, from the practice of
// claude-reflect and gptme.
var halfLife = map[Shelf]int{Preferences: 180, Corrections: 120, Errors: 180, Tools: 90, Workflows: 120, Architecture: 180, Debugging: 120, Patterns: 90}

// Freshness is 2^(-age/halfLife), from 1 for what was confirmed now towards 0.
// A lesson is confirmed when a person decides on it; until then its age counts
// from when it was made. A pinned lesson stays fresh. It says nothing of how
// true a lesson is: that is its confidence. Time in the future counts as now.
func (l Lesson) Freshness(now time.Time) float64 {
	if l.Pinned {
		return 1
	}
	age := max(now.Sub(l.Confirmed()).Hours()/24, 0)
	return math.Exp2(-age / float64(halfLifeOf(l)))
}

// halfLife is that of its shelf, in days.
func halfLifeOf(l Lesson) int { return cmp.Or(halfLife[l.Category.Shelf()], 90) }
