package rank

import (
	"learnings/index"
	"learnings/lessons"
	"learnings/lessons/exchange/observations"
)

// companion is the rule of claude-mem's companion: how alike the words of a task and of
// an observation are. Below its threshold it gives nothing. How it weighs rare words is
// published nowhere, and neither are the words that it drops; here all count the same.
var companion = []index.Ranker{
	{Name: "companion", About: "claude-mem's companion: how alike the words are", Share: true, Rank: func(q index.Question, ls []lessons.Lesson) []index.Place {
		const threshold = 0.1
		task := words(q.Text)
		scores := make([]float64, len(ls))
		for i, l := range ls {
			if s := task.Cosine(words(l.Content + " " + l.Insight)); s >= threshold {
				scores[i] = s
			}
		}
		return best(scores)
	}},
}

func words(s string) observations.Vector { return observations.Frequencies(observations.Tokens(s)) }
