package match_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"learnings/lessons"
	"learnings/lessons/match"
)

// What is found is what a comparison with each lesson finds, but for what a corpus finds.
func TestRewordings(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	words := strings.Fields("archive backup compress folder directory upload fetch branch commit never not without package registry --force 12 release server")
	var ls []lessons.Lesson
	for i := range 400 {
		n := 3 + r.IntN(5)
		text := make([]string, n)
		for k := range text {
			text[k] = words[r.IntN(len(words))]
		}
		ls = append(ls, lessons.Lesson{ID: lessons.ID(fmt.Sprint(i)), Category: lessons.Category([]string{"workflow", "style"}[i%2]), Wording: lessons.Wording{Content: strings.Join(text, " ")}})
	}
	said := func(text string) lessons.Lesson { return lessons.Lesson{Wording: lessons.Wording{Content: text}} }
	synonyms := match.Learn([][2]lessons.Lesson{
		{said("archive the folder"), said("archive the directory")}, {said("upload the folder"), said("upload the directory")},
		{said("archive logs"), said("backup logs")}, {said("archive images"), said("backup images")},
		{said("archive it daily"), said("compress it daily")}, {said("archive it weekly"), said("compress it weekly")},
	})
	for name, p := range map[string]match.Paraphraser{"without synonyms": {}, "with synonyms": {Synonyms: synonyms}} {
		all, found := match.NewRewordings(p), 0
		for _, l := range ls {
			all.Add(l)
		}
		for _, l := range ls {
			var want, got []lessons.ID
			for _, old := range ls {
				if p.Says(old, l) && !match.Same(old, l) {
					want = append(want, old.ID)
				}
			}
			for old := range all.Find(l) {
				if !match.Same(old, l) {
					got = append(got, old.ID)
				}
			}
			if found += len(got); !slices.Equal(got, want) {
				t.Fatalf("%s: %q is said by %v, want %v", name, l.Content, got, want)
			}
		}
		if found == 0 {
			t.Errorf("%s: the lessons say nothing alike", name)
		}
	}
}
