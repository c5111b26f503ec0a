package match

import (
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"learnings/lessons"
)

// someLessons are lessons of few words, with near copies among them, so that
// many are duplicates of some and not of others.
func someLessons(t *rapid.T) []lessons.Lesson {
	words := strings.Fields("the of run make test build generator proto file commit not push tabs 🚀 v1.2 --race don't Makefile")
	start := time.Date(2026, 10, 9, 8, 0, 0, 0, time.UTC)
	var out []lessons.Lesson
	for i := range rapid.IntRange(2, 26).Draw(t, "lessons") {
		text := rapid.SliceOfN(rapid.SampledFrom(words), 1, 12).Draw(t, "words")
		if i > 0 && rapid.Bool().Draw(t, "copy") {
			text = strings.Fields(rapid.SampledFrom(out).Draw(t, "of").Content)
			text[rapid.IntRange(0, len(text)-1).Draw(t, "at")] = rapid.SampledFrom(words).Draw(t, "word")
		}
		out = append(out, lessons.Lesson{
			ID:       lessons.ID(string(rune('a' + i))),
			Status:   rapid.SampledFrom([]lessons.Status{lessons.Pending, lessons.Approved}).Draw(t, "status"),
			Category: rapid.SampledFrom([]lessons.Category{"tools", "tools", "errors"}).Draw(t, "category"),
			Wording:  lessons.Wording{Content: strings.Join(text, " ")},
			Created:  start.Add(time.Duration(rapid.IntRange(0, 5).Draw(t, "hour")) * time.Hour),
		})
	}
	return out
}

// wordsBy are the distinct words of a lesson that a rule compares.
func wordsBy(r Rule, s Synonyms, l lessons.Lesson) []string {
	var words []string
	switch r {
	case ByJaccard:
		words = Words(l.Content)
	case ByOverlap:
		words = Keywords(l.Content)
	case ByContainment:
		words = strings.Fields(strings.ToLower(l.Content))
	case ByParaphrase:
		for _, w := range Keywords(l.Content) {
			if same := s.Of(w); len(same) > 0 {
				w = min(w, same[0])
			}
			words = append(words, w)
		}
	}
	if len(words) == 0 {
		words = []string{"\x00" + Normal(l.Content)}
	}
	slices.Sort(words)
	return slices.Compact(words)
}

// duplicates reports whether a rule holds two lessons to be duplicates, by
// comparing their words.
func duplicates(r Rule, s Synonyms, a, b lessons.Lesson) bool {
	if r != Equal && Kind(a.Category) != Kind(b.Category) {
		return false
	}
	if r == ByContainment && (a.Created.Before(b.Created) || a.Created.Equal(b.Created) && a.ID < b.ID) {
		a, b = b, a // the newer one is looked for in the older one
	}
	x, y := wordsBy(r, s, a), wordsBy(r, s, b)
	both := 0
	for _, w := range x {
		if slices.Contains(y, w) {
			both++
		}
	}
	_, ok := r.measure().value(both, len(x), len(y))
	return ok
}

// TestGroups holds the groups to comparing every lesson with every other one:
// all duplicates stand together somewhere, and nobody is in a group who is no
// duplicate of its first.
func TestGroups(t *testing.T) {
	synonyms := Synonyms{map[string][]string{"commit": {"push"}, "push": {"commit"}}}
	rapid.Check(t, func(t *rapid.T) {
		ls := someLessons(t)
		byID := map[lessons.ID]lessons.Lesson{}
		for _, l := range ls {
			byID[l.ID] = l
		}
		rule := rapid.SampledFrom([]Rule{Equal, ByJaccard, ByOverlap, ByContainment, ByParaphrase}).Draw(t, "rule")
		of := func(ls []lessons.Lesson) []Group {
			return slices.Collect(newCorpus(rule, synonyms, slices.Values(ls)).Groups())
		}
		groups := of(ls)
		together := map[[2]lessons.ID]bool{}
		for _, g := range groups {
			members := make([]lessons.Lesson, len(g.IDs))
			for i, id := range g.IDs {
				members[i] = byID[id]
				for _, other := range g.IDs {
					together[[2]lessons.ID{id, other}] = true
				}
				if i > 0 && !duplicates(rule, synonyms, byID[g.IDs[0]], byID[id]) {
					t.Errorf("%s: %s is no duplicate of %s, the first of %v", rule, id, g.IDs[0], g.IDs)
				}
			}
			if rule != ByContainment && lessons.Survivor(members) != 0 {
				t.Errorf("%s: %v are led by one who would not survive a merge", rule, g.IDs)
			}
			if len(slices.Compact(slices.Sorted(slices.Values(g.IDs)))) != len(g.IDs) || len(g.IDs) < 2 {
				t.Errorf("%s: not a group of different lessons: %v", rule, g.IDs)
			}
		}
		for i, a := range ls {
			for _, b := range ls[i+1:] {
				if duplicates(rule, synonyms, a, b) && !together[[2]lessons.ID{a.ID, b.ID}] {
					t.Errorf("%s: %s and %s are duplicates, and in no group together: %v", rule, a.ID, b.ID, groups)
				}
			}
		}
		slices.Reverse(ls)
		for i, g := range of(ls) {
			if !slices.Equal(g.IDs, groups[i].IDs) {
				t.Errorf("%s: group %d is %v, and %v when the lessons come the other way round", rule, i, groups[i].IDs, g.IDs)
			}
		}
	})
}
