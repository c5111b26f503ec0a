package stance_test

import (
	"context"
	"fmt"

	"learnings/lessons"
	"learnings/lessons/stance"
)

func lesson(id lessons.ID, content string) lessons.Lesson {
	return lessons.Lesson{
		ID: id, Status: lessons.Approved, Scope: lessons.Scope{Project: "shop"},
		Wording: lessons.Wording{Content: content},
	}
}

func ExampleBetween() {
	a := lesson("a", "Use pnpm, not npm, to install packages.")
	b := lesson("b", "Install packages with npm.")
	if c, ok := stance.Between(a, b); ok {
		fmt.Println(c.Ground)
		fmt.Println(c.Why)
	}
	// Another kind of work is no contradiction.
	_, ok := stance.Between(a, lesson("c", "Use npm view to look up the newest version of a package."))
	fmt.Println(ok)
	// Output:
	// exclusive
	// pnpm and npm are two JavaScript package managers: “Use pnpm, not npm, to install packages”, “Install packages with npm”
	// false
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
	for _, o := range stance.Oppositions(context.Background(), outlines) {
		p := o.Pair(all[o.First], all[o.Second])
		fmt.Printf("%s: keep %s, because it is %s\n", p.Ground, p.Keep.ID, p.Order)
	}
	for _, c := range stance.Against(lesson("new", "Never commit design documents."), all) {
		fmt.Printf("%s: %s\n", c.Lesson.ID, c.Why)
	}
	// Output:
	// polarity: keep a, because it is the first by its id; nothing else tells them apart
	// number: keep d, because it is pinned
	// a: “Commit design documents together with the code” asks for what “Never commit design documents” is against
}
