package model

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"learnings/lessons"
	"learnings/lessons/pairs"
)

// This file chooses which known lessons a model is told: those that share rare words with
// what was said in its sessions.

// nearest returns lessons by their nearness to some sessions, each once: the nearest of
// each session, then the second ones, and so on. At the end are a few that share no word
// with any, in their own order, because a session may say one in other words.
func nearest(qs []*question, of func(*question) []lessons.Lesson) (out []lessons.Lesson) {
	lists, longest := make([][]lessons.Lesson, len(qs)), 0
	var far []lessons.Lesson
	for i, q := range qs {
		var rest []lessons.Lesson
		lists[i], rest = nearTo(q.digest.words(), of(q))
		longest, far = max(longest, len(lists[i])), append(far, rest...)
	}
	seen := make(map[lessons.ID]bool)
	add := func(l lessons.Lesson) bool {
		if seen[l.ID] {
			return false
		}
		seen[l.ID] = true
		out = append(out, l)
		return true
	}
	for rank := range longest {
		for _, list := range lists {
			if rank < len(list) {
				add(list[rank])
			}
		}
	}
	for n, i := 0, 0; i < len(far) && n < farMost; i++ {
		if add(far[i]) {
			n++
		}
	}
	return out
}

// nearTo separates the lessons that share words with what was said, the nearest first,
// from those that do not. A word counts the more the fewer lessons have it.
func nearTo(said map[string]bool, ls []lessons.Lesson) (near, far []lessons.Lesson) {
	words, have := make([][]string, len(ls)), make(map[string]int)
	for i, l := range ls {
		words[i] = pairs.Keywords(l.Content + " " + strings.Join(l.Triggers, " "))
		for _, w := range words[i] {
			have[w]++
		}
	}
	scores := make(map[lessons.ID]float64)
	for i, l := range ls {
		shared, all := 0.0, 0.0
		for _, w := range words[i] {
			weight := math.Log(1 + float64(len(ls))/float64(have[w]))
			if all += weight; said[w] {
				shared += weight
			}
		}
		if shared == 0 {
			far = append(far, l)
			continue
		}
		scores[l.ID] = shared / math.Sqrt(all)
		near = append(near, l)
	}
	slices.SortStableFunc(near, func(a, b lessons.Lesson) int { return cmp.Compare(scores[b.ID], scores[a.ID]) })
	return near, far
}

// words returns the keywords of all that a digest sends.
func (d *digest) words() map[string]bool {
	if d.keywords == nil {
		d.keywords = make(map[string]bool)
		for _, l := range d.lines {
			for _, w := range pairs.Keywords(l.text) {
				d.keywords[w] = true
			}
		}
	}
	return d.keywords
}

// unsure reports whether a known lesson waits as maybe because a model was not sure of it.
func unsure(l lessons.Lesson) bool {
	return l.Waits() == lessons.Maybe && l.Origin.ByModel() && l.Confidence < lessons.LikelyAt && len(l.Origin.Unsaid) == 0
}
