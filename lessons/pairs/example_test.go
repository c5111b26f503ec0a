package pairs_test

import (
	"fmt"
	"slices"
	"time"

	"learnings/lessons"
	"learnings/lessons/pairs"
)

// written makes lessons of texts, each a minute younger than the one before.
func written(texts ...string) []lessons.Lesson {
	start := time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)
	var out []lessons.Lesson
	for i, text := range texts {
		out = append(out, lessons.Lesson{
			ID: lessons.ID(fmt.Sprint("lesson", i+1)), Status: lessons.Approved, Category: "workflow",
			Wording: lessons.Wording{Content: text}, Created: start.Add(time.Duration(i) * time.Minute),
		})
	}
	return out
}

// What a new lesson repeats.
func ExampleCorpus_Find() {
	corpus := pairs.NewCorpus(pairs.ByJaccard, nil, slices.Values(written(
		"Run make generate after you edit a proto file",
		"Use tabs in Makefiles",
	)))
	proposal := lessons.Lesson{ID: "new", Category: "workflow", Wording: lessons.Wording{Content: "Run `make generate` after you edit any proto file"}}
	for id := range corpus.Find(proposal) {
		fmt.Println(id)
	}
	// Output: lesson1
}

// Lessons 1 and 3 are no duplicates, so there are two groups, with lesson 2 in
// both.
func ExampleCorpus_Groups() {
	corpus := pairs.NewCorpus(pairs.ByJaccard, nil, slices.Values(written(
		"Run make generate and commit the result after you edit a proto file",
		"Run make generate and commit its result after you edit a proto file",
		"Run make generate and commit its output after you edit a proto file",
		"Use tabs in Makefiles",
	)))
	for g := range corpus.Groups() {
		fmt.Printf("%d of %d words: %s\n", g.Both, g.All, g.IDs)
	}
	// Output:
	// 12 of 14 words: [lesson1 lesson2]
	// 12 of 14 words: [lesson2 lesson3]
}

func ExampleWordDiff() {
	for _, s := range pairs.WordDiff("Always use npm here", "Always use pnpm here") {
		fmt.Printf("%s %q\n", s.Op, s.Text)
	}
	// Output:
	// keep "Always use "
	// delete "npm"
	// insert "pnpm"
	// keep " here"
}
