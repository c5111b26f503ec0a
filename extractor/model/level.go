package model

import (
	"slices"
	"strconv"
	"strings"

	"learnings/lessons"
)

// A Level is how sure a model is of a proposal. Names serve better than numbers: a
// model that is asked for a number calls nearly everything 0.7 to 0.75.
type Level string

const (
	Certain  Level = "certain"  // a standing rule in plain words, or said more than once
	Clear    Level = "clear"    // a correction or a decision that holds beyond the case
	Likely   Level = "likely"   // two to one that the person approves
	Doubtful Level = "doubtful" // less
)

// DefaultMinLevel is the level below which a proposal is not worth a person's time.
const DefaultMinLevel = Clear

// Levels are all of them, the surest first.
var Levels = []Level{Certain, Clear, Likely, Doubtful}

// worth is the share of right proposals at each level when careful readers answered
// the prompts of 27 labelled sessions. Two readings, of this prompt and of one that was
// less plain about details of a feature, had .97 and 1.00 of the certain ones right, .83
// and .91 of the clear, .43 and .34 of the likely, and 2 of 21 doubtful ones. On sessions
// of other people such a reader was right less often, so the two best are put lower.
var worth = map[Level]lessons.Confidence{Certain: 0.93, Clear: 0.83, Likely: 0.38, Doubtful: 0.10}

// Worth is how likely it is that a person approves a proposal of this level.
func (l Level) Worth() lessons.Confidence { return worth[l] }

// below reports whether a level is less sure than another.
func (l Level) below(least Level) bool {
	return slices.Index(Levels, l) > slices.Index(Levels, least)
}

// Some models answer with a number from 0 to 1, as older prompts asked for. From these
// on it is a level.
const (
	certainFrom = 0.8
	clearFrom   = 0.7
	likelyFrom  = 0.5
)

// levelOf reads a level, a word that other prompts ask for, a number from 0 to 1, or a
// percentage. Anything else does not say how sure the model is and is the lowest level.
func levelOf(s string) Level {
	s = strings.ToLower(strings.TrimSpace(s))
	if l := Level(s); slices.Contains(Levels, l) {
		return l
	}
	switch s {
	case "high", "very high":
		return Certain
	case "medium":
		return Clear
	}
	number, percent := strings.CutSuffix(s, "%")
	n, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if percent {
		n /= 100
	}
	switch {
	case err != nil || !(n >= 0 && n <= 1):
		return Doubtful
	case n >= certainFrom:
		return Certain
	case n >= clearFrom:
		return Clear
	case n >= likelyFrom:
		return Likely
	}
	return Doubtful
}
