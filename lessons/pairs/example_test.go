package pairs_test

import (
	"context"
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

func ExampleJudge() {
	a := lesson("a", "Use pnpm, not npm, to install packages.")
	b := lesson("b", "Install packages with npm.")
	j := pairs.Judge(a, b)
	fmt.Printf("%s: %s\n", j.Relation, j.Why)
	// Another kind of work is no contradiction.
	j = pairs.Judge(a, lesson("c", "Use npm view to look up the newest version of a package."))
	fmt.Printf("%q: %s\n", j.Relation, j.Why)
	// Output:
	// opposite: pnpm and npm are two JavaScript package managers: “Use pnpm, not npm, to install packages”, “Install packages with npm”
	// "": 3 of 11 words are in both
}

func ExampleOppositions() {
	all := []lessons.Lesson{
		lesson("a", "Commit design documents together with the code."),
		lesson("b", "Generate the client with `make client`."),
		lesson("c", "Do not commit design documents."),
		lesson("d", "Generate the client with `just client`."),
	}
	all[3].Pinned = true
	var outlines []lessons.Outline
	for _, l := range all {
		outlines = append(outlines, l.Outline())
	}
	for _, o := range pairs.Oppositions(context.Background(), outlines) {
		p := o.Pair(all[o.First], all[o.Second])
		fmt.Printf("%s: keep %s, because it is %s\n", p.Ground, p.Keep.ID, p.Order)
	}
	for _, c := range pairs.Against(lesson("new", "Never commit design documents."), all) {
		fmt.Printf("%s: %s\n", c.Lesson.ID, c.Why)
	}
	// Output:
	// polarity: keep a, because it is the first by its id; nothing else tells them apart
	// value: keep d, because it is pinned
	// a: “Commit design documents together with the code” asks for what “Never commit design documents” is against
}
