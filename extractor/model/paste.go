package model

import (
	"strings"

	"learnings/lessons"
)

// This file separates what a person typed from what they pasted. A log, table, stack trace
// or review states no rule of theirs, even if it says "should", and it can fill a digest.

const (
	leastPasted  = 4    // lines in a row; fewer are an example of something
	toldOfPaste  = 2    // telling lines kept of it, beside its first and last
	mostProse    = 3    // lines between those of a paste
	leastGap     = 80   // bytes; a mark for less would cost as much
	leastRepeat  = 40   // bytes of a line; shorter ones repeat by chance
	longestWhole = 3200 // bytes of a message that is probably sent whole, so that its lines can be left out later
	longReview   = 1200
	reviewPlaces = 2   // in files, unless the message begins by calling itself a review
	reviewHead   = 300 // bytes in which it is called one
)

var (
	// pleasantry matches a whole message with nothing to learn.
	pleasantry = lessons.LazyRegexp(`(?i)^\W*(?:(?:ok(?:ay)?|yes|yep|yeah|yup|sure|no|nope|thanks?|thank you|great|perfect|nice|cool|good|awesome|excellent|done|continue|go|go ahead|go on|proceed|do it|please|pls|lgtm|sounds good|looks good|keep going|next|retry|try again|again|commit|push|and|it|that|this|now|then|work|job|so much|very much|ja|nein|danke|weiter|oui|merci|si|sí|gracias|sim|obrigado)\W*)+$`)

	// directive matches the usual forms of rules, wishes and corrections in English. It
	// only ranks: while there is room, nothing is dropped for not matching.
	directive = lessons.LazyRegexp(`(?i)\b(?:always|never|don'?t|do not|must|should(?:n'?t)?|ought|instead|rather|prefer|avoid|make sure|ensure|only|no need|we (?:use|have|are|don'?t|need|can|never|always)|remember|stop|wrong|actually|convention|rule|standard|not|use|keep|reuse|from now on|because|since|consider|can(?:'t|not)|no longer|i (?:want|prefer|'?d like|don'?t|think|thought|believe|meant|mean)|why|let'?s|please)\b`)

	concession = lessons.LazyRegexp(`(?i)^\W*(?:you'?re (?:absolutely |completely |quite |totally )?(?:right|correct)|you are (?:absolutely |completely )?(?:right|correct)|good (?:point|catch|call|question)|great (?:point|catch)|sorry|i apologi[sz]e|apologies|my (?:mistake|bad|apologies)|i (?:was wrong|misunderstood|should have|missed|overlooked|made a mistake)|ah[,!. ]|fair (?:point|enough)|that'?s (?:right|fair|a (?:good|fair|great) point)|understood|du hast recht|vous avez raison|tienes razón|você (?:está|tem) (?:certo|razão)|вы правы|你说得对|おっしゃる通り)`)

	// output matches the beginning of a line that a program wrote.
	output = lessons.LazyRegexp(`^\s*(?:\[?\d{1,4}[-:/.]\d{2}[-:/.]\d{2}|\d{2}:\d{2}[:.\s]|at\s+\S+|File "|[A-Z]\w*(?:Error|Exception|Warning)\b:|(?i:warning|warn|error|err!|info|debug|notice|fatal|uncaught|traceback)\b\s*[:\[(]|\[(?i:warn|error|info|debug|lint)|[|+<>$❯→✓✗×│├└┌─=]|\S+\.\w+:\d+(?::\d+)?\b|(?:npm|yarn|pnpm) (?i:err|warn)|diff --git|@@ |commit [0-9a-f]{7}|(?:Author|Date): |[{}\[\]]|"\w+":|\d+\s*[|│])`)

	// reviewed matches the words that introduce a pasted review.
	reviewed = lessons.LazyRegexp(`(?i)\b(?:code review|reviewer|review(?:ed)? (?:by|feedback|comments?)|pr (?:feedback|comments?|review)|feedback|coderabbit|copilot)\b`)
)

// A typist remembers the lines that a person has typed, to recognize them when they are
// pasted. It must see the messages in order.
type typist map[string]bool

// typed returns a message without most of what is pasted in it. If the message mostly
// repeats an earlier one, such as a saved prompt, the repeated lines go too.
func (y typist) typed(message string) string {
	lines := strings.SplitAfter(message, "\n")
	drop, pastes := make([]bool, len(lines)), pastedLines(lines, isReview(message))
	for i := 0; i < len(lines); {
		to := endOfPaste(lines, pastes, i)
		if to-i >= leastPasted {
			keepSome(lines[i:to], drop[i:to])
		}
		i = max(to, i+1)
	}
	repeated := 0
	for _, line := range lines {
		if y.said(line) {
			repeated += len(line)
		}
	}
	for i, line := range lines {
		drop[i] = drop[i] || repeated*2 > len(message) && y.said(line)
	}
	if len(message) < longestWhole {
		for _, line := range lines {
			y[strings.TrimSpace(line)] = true
		}
	}
	return without(lines, drop, leastGap)
}

// said reports whether a line was said before, and not by chance.
func (y typist) said(line string) bool {
	line = strings.TrimSpace(line)
	return len(line) >= leastRepeat && y[line]
}

// pastedLines reports which lines look as if a program or somebody else wrote them.
func pastedLines(lines []string, review bool) []bool {
	out := make([]bool, len(lines))
	kinds := make(map[string]bool)
	code := false
	for i, line := range lines {
		line = strings.TrimSpace(line)
		fence := strings.HasPrefix(line, "```")
		kind := kindOf(line)
		out[i] = code || fence || output().MatchString(line) || len(line) >= leastLine && (pasted(line) || kinds[kind] || review && i > 0)
		kinds[kind] = true
		code = code != fence
	}
	return out
}

// endOfPaste returns the end of the paste that begins at line from, or from if there is
// none. A few lines of prose inside belong to it unless they look like a rule.
func endOfPaste(lines []string, pastes []bool, from int) int {
	end, prose := from, 0
	for i := from; i < len(lines) && (pastes[i] || end > from); i++ {
		switch line := strings.TrimSpace(lines[i]); {
		case pastes[i]:
			end, prose = i+1, 0
		case line == "":
		case prose == mostProse || directive().MatchString(line):
			return end
		default:
			prose++
		}
	}
	return end
}

// hasRule reports whether a message has a line that looks like a rule and was not
// written by a program.
func hasRule(message string) bool {
	for line := range strings.Lines(message) {
		if directive().MatchString(line) && !output().MatchString(line) {
			return true
		}
	}
	return false
}

// keepSome drops the lines of a paste except the first, the last and a few that say
// what went wrong.
func keepSome(lines []string, drop []bool) {
	told := 0
	for i, line := range lines {
		if told < toldOfPaste && telling().MatchString(line) && len(line) <= longestLine {
			told++
			continue
		}
		drop[i] = i > 0 && i < len(lines)-1
	}
}

// isReview reports whether a message is mostly a review that somebody else wrote.
func isReview(message string) bool {
	if len(message) < longReview {
		return false
	}
	at := reviewed().FindStringIndex(message[:reviewHead])
	return at != nil && (at[0] < leastLine || len(placed().FindAllString(message, reviewPlaces)) == reviewPlaces)
}
