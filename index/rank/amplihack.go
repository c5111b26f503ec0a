package rank

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"learnings/index"
	"learnings/lessons"
)

// amplihack are the two rules of its session-learning skill, which say different
// things: that of its example hook, and that of its description. Both give three
// learnings and know them by their keywords alone.
var amplihack = []index.Ranker{
	{Name: "amplihack", About: "amplihack's hook: how many keywords are words of the task, by confidence", Rank: func(q index.Question, ls []lessons.Lesson) []index.Place {
		task := taskKeywords(q.Text)
		scores := make([]float64, len(ls))
		for i, l := range ls {
			scores[i] = float64(common(task, learningKeywords(l))) * float64(l.Confidence)
		}
		return three(best(scores))
	}},
	{Name: "amplihack-described", About: "amplihack's description: the share of keywords, by confidence and freshness", Share: true, Rank: func(q index.Question, ls []lessons.Lesson) []index.Place {
		task := taskKeywords(q.Text)
		scores := make([]float64, len(ls))
		for i, l := range ls {
			// Its weight for what is recent has no formula anywhere; this one is ours.
			scores[i] = relevance(task, learningKeywords(l)) * float64(l.Confidence) * l.Freshness(q.Now)
		}
		return three(best(scores))
	}},
}

// three are the first of an order, as many as amplihack gives.
func three(order []index.Place) []index.Place { return order[:min(3, len(order))] }

// taskKeywords are the words of a task that amplihack compares with keywords: those
// of four characters and more, punctuation counted, and then without some of it.
func taskKeywords(text string) map[string]bool {
	out := map[string]bool{}
	blank := func(r rune) bool { return unicode.IsSpace(r) || r >= 0x1c && r <= 0x1f } // as Python splits
	for _, w := range strings.FieldsFunc(strings.ToLower(text), blank) {
		if utf8.RuneCountInString(w) > 3 {
			out[strings.Trim(w, ".,!?")] = true
		}
	}
	return out
}

// learningKeywords are those of a lesson. One of several words is one keyword, which
// no word of a task equals.
func learningKeywords(l lessons.Lesson) map[string]bool {
	out := map[string]bool{}
	for _, t := range l.Tags {
		out[strings.ToLower(t)] = true
	}
	return out
}

// relevance is the share of the smaller set that the other has, too.
func relevance(task, learning map[string]bool) float64 {
	if len(task) == 0 || len(learning) == 0 {
		return 0
	}
	return float64(common(task, learning)) / float64(min(len(task), len(learning)))
}

func common(a, b map[string]bool) (n int) {
	for w := range a {
		if b[w] {
			n++
		}
	}
	return n
}
