package pairs_test

import (
	"context"
	"fmt"

	"learnings/lessons"
	"learnings/lessons/pairs"
)

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
		lesson("b", "Changelog entries are at most one short sentence each."),
		lesson("c", "Do not commit design documents."),
		lesson("d", "Changelog entries are at most five sentences each."),
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
	// number: keep d, because it is pinned
	// a: “Commit design documents together with the code” asks for what “Never commit design documents” is against
}
