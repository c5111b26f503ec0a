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

// The words for a confidence. The thresholds are Gimli's, the only published ones.
const (
	High   = "high"   // 0.7 and more
	Medium = "medium" // 0.4 and more
	Low    = "low"
)

// Word returns the word for the number.
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

// ParseConfidence reads a number from 0 to 1 or a word. high and medium become Octomind's
// importance (0.9, 0.6), low becomes 0.3.
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
