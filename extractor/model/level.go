package model

import (
	"slices"
	"strconv"
	"strings"

	"learnings/lessons"
)

// A level is how sure a model is of a proposal. Names work better than numbers: asked
// for a number, models call nearly everything 0.7 to 0.75.
type level string

const (
	certain  level = "certain"  // a standing rule in plain words, or said more than once
	clearly  level = "clear"    // a correction or a decision that holds beyond the case
	likely   level = "likely"   // two to one that the person approves
	doubtful level = "doubtful" // less
)

// leastLevel is the level below which nothing is kept. What is likely is paid for too:
// it waits as maybe, until another session of the project says it again.
const leastLevel = likely

// levels lists all levels, the surest first.
var levels = []level{certain, clearly, likely, doubtful}

// worth is the share of right proposals at each level when careful readers answered the
// prompts of 27 labelled sessions. Two readings, of this prompt and of one that was
// less plain about details of a feature, were right in .97 and 1.00 of the certain
// ones, .83 and .91 of the clear, .43 and .34 of the likely, and 2 of 21 doubtful ones.
// On other people's sessions such readers were right less often, so the two best are
// lowered.
var worth = map[level]lessons.Confidence{certain: 0.93, clearly: 0.83, likely: 0.38, doubtful: 0.10}

// below reports whether a level is less sure than another.
func (l level) below(least level) bool { return slices.Index(levels, l) > slices.Index(levels, least) }

// words maps names to levels, including those of other prompts.
var words = map[string]level{"certain": certain, "clear": clearly, "likely": likely, "doubtful": doubtful, "high": certain, "very high": certain, "medium": clearly}

// levelOf parses a level: a name, a number from 0 to 1, or a percentage. Anything else
// is the lowest level.
func levelOf(s string) level {
	s = strings.ToLower(strings.TrimSpace(s))
	if l, ok := words[s]; ok {
		return l
	}
	number, percent := strings.CutSuffix(s, "%")
	n, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if percent {
		n /= 100
	}
	switch {
	case err != nil || !(n >= 0.5 && n <= 1):
		return doubtful
	case n >= 0.8:
		return certain
	case n >= 0.7:
		return clearly
	}
	return likely
}
