package recall

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"learnings/lessons"
)

// This file chooses what a session starts with if nothing is known of its task: what the
// person pinned, then rules, then facts of one line. Each is given as one sentence, so that
// a person who approved forty rules sees forty. Cures and long lessons wait until their
// subject comes up.

const (
	// StartTokens is the default budget for the start of a session.
	StartTokens = 1000
	// mostAtStart limits the lessons considered; the tokens decide what is given.
	mostAtStart = 200
	// longWords is the most words of a sentence that is given at the start.
	longWords = 60
)

// A tier orders lessons at the start; those that wait are not given.
type tier int

const (
	pinnedTier tier = iota
	ruleTier
	factTier
	waitTier
)

// normative matches the wording of a rule.
var normative = lessons.LazyRegexp(`(?i)\b(?:always|never|must|must not|do not|don't|don’t|only|avoid|prefer|ensure|make sure|instead of|before you|we use|use)\b`)

// tierOf returns the tier of a lesson, and the reason if it waits.
func tierOf(l lessons.Lesson) (tier, string) {
	shelf := l.Category.Shelf()
	switch {
	case l.Pinned:
		return pinnedTier, "pinned"
	case len(strings.Fields(l.Content)) > longWords:
		return waitTier, fmt.Sprintf("longer than %d words: given when its subject comes up", longWords)
	case shelf == lessons.Errors || shelf == lessons.Debugging:
		return waitTier, "a cure: given when its error comes up"
	case slices.Contains([]lessons.Shelf{lessons.Preferences, lessons.Corrections, lessons.Workflows}, shelf), normative().MatchString(l.Content):
		return ruleTier, "a rule, given at every start"
	}
	return factTier, "a fact, given at every start"
}

// atStart makes choices for the start of a session, in order: by tier, then those about the
// surroundings, then the best proven and last confirmed.
func (s Situation) atStart(found []find) []Choice {
	choices := make([]Choice, len(found))
	tiers := map[lessons.ID]tier{}
	for i, f := range found {
		l := f.lesson
		t, why := tierOf(l)
		if len(l.Limit.Paths) > 0 && t != pinnedTier && !s.touches(l.Limit.Paths) {
			t, why = waitTier, "given when one of its files comes up"
		}
		if t == waitTier && slices.Contains(s.Recent, l.ID) {
			t, why = ruleTier, "told lately"
		}
		c := Choice{Lesson: l, Brief: true, Evidence: f.evidence, barred: t == waitTier, waits: true, Parts: Parts{
			Relevance: 1, Bound: l.Bound(s.Now), Freshness: l.Freshness(s.Now), Scope: s.scope(l), Kind: 1, Pinned: l.Pinned,
		}}
		c.Why = why + "; " + s.believed(l)
		switch {
		case f.evidence.Enough():
			c.Why = why + "; the branch or a changed file is about it: " + f.evidence.said()
		case slices.Contains(s.Recent, l.ID):
			c.Why = why + "; the last session was about it"
		}
		c.Rank = c.Parts.rank()
		choices[i], tiers[l.ID] = c, t
	}
	slices.SortStableFunc(choices, func(a, b Choice) int {
		return cmp.Or(cmp.Compare(tiers[a.Lesson.ID], tiers[b.Lesson.ID]), first(s.near(a), s.near(b)),
			cmp.Compare(b.Rank, a.Rank), cmp.Compare(len(a.Lesson.Content), len(b.Lesson.Content)), cmp.Compare(a.Lesson.ID, b.Lesson.ID))
	})
	return choices
}

// shorten leaves out reasons if the budget is too small for everything at the start, first
// those that save most: one more rule is worth more than the reasons of another, which
// `learnings show` tells. Pinned lessons stay whole.
func shorten(choices []Choice, s Situation, b Budget) {
	f := newFilling(choices, s, b)
	var long []int
	saved := make([]int, len(choices))
	for i, c := range choices {
		if c.barred || slices.Contains(s.Had, c.Lesson.ID) {
			continue
		}
		f.used = f.with(c)
		if saved[i] = len(c.Lesson.Content) - len(withoutReasons(c.Lesson.Content)); saved[i] > 0 && !c.Lesson.Pinned {
			long = append(long, i)
		}
	}
	slices.SortStableFunc(long, func(i, j int) int { return cmp.Compare(saved[j], saved[i]) })
	for _, i := range long {
		if f.fits(f.used) {
			return
		}
		before := choices[i].Tokens()
		choices[i].Short = true
		f.used.tokens -= before - choices[i].Tokens()
		f.used.chars -= saved[i]
	}
}

// asks matches a part that limits a rule or asks for something more: [normative], an
// exception, an order, a name in code.
var asks = lessons.LazyRegexp("(?i)\\b(?:no|not|none|nothing|uses|except|unless|but|instead|other than|rather than|may|can|run|set|call|add|pass|put|keep|write|ask|restart|start|export|see)\\b|`")

// withoutReasons is a text without the parts behind its first one that only say why. An
// ellipsis stands at the end where something is left out.
func withoutReasons(text string) string {
	var kept strings.Builder
	for rest := text; rest != ""; {
		var p string
		p, rest = part(rest)
		if kept.Len() == 0 || normative().MatchString(p) || asks().MatchString(p) {
			if k := kept.String(); k != "" && !strings.HasSuffix(k, " ") {
				kept.WriteString(". ") // a reason was left out between them
			}
			kept.WriteString(p)
		}
	}
	short := strings.TrimRight(kept.String(), " ;,.")
	if len(short) > len(text)-minSaved {
		return text
	}
	return short + " …"
}

// minSaved is how many bytes shorter a text has to become for it to be worth an ellipsis.
const minSaved = 12

// partEnd is where a sentence ends, or what follows gives the reason.
var partEnd = lessons.LazyRegexp("[.!?;][\"')]?\\s+|,?\\s(?:because|since|as otherwise|otherwise|so that)\\s")

// part cuts off the first part of a text, with the stop behind it or the word that
// gives a reason before the next.
func part(text string) (first, rest string) {
	from := 1 // a part may begin with the word that gives a reason
	for {
		at := partEnd().FindStringIndex(text[from:])
		if at == nil || from+at[1] >= len(text) {
			return text, ""
		}
		start, end := from+at[0], from+at[1]
		if r := text[start]; r == ',' || r == ' ' {
			return text[:start], text[start:]
		}
		if r := text[end]; text[start] == ';' || 'A' <= r && r <= 'Z' || strings.ContainsRune("`\"'(", rune(r)) {
			return text[:end], text[end:]
		}
		from = end
	}
}

// near reports whether a session begins where a lesson matters.
func (s Situation) near(c Choice) bool {
	return c.Evidence.Enough() || slices.Contains(s.Recent, c.Lesson.ID)
}

// Waiting returns how many lessons were not given at the start and would be when their
// subject comes up.
func Waiting(choices []Choice) (n int) {
	for _, c := range choices {
		if c.waits && !c.In && !c.Held && !c.Had {
			n++
		}
	}
	return n
}
