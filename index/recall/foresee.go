package recall

import (
	"context"
	"fmt"
	"slices"

	"learnings/lessons"
)

// A Prospect is what the sessions of a lesson's project are given once it is approved.
type Prospect struct {
	Block  []Choice // that a session begins with where nothing is known of its task; best first, and only what is in
	Budget Budget   // of the block
	Tokens int      // of the block as it is written
	Trials []Trial
}

// A Trial is what one prompt brings up of a lesson.
type Trial struct {
	Prompt string
	Rank   int    // the lesson's among those that the prompt brings, from 1; 0 where it is not among them
	Of     int    // how many it brings
	Why    string // it is not among them
}

// Foresee tells what approving a lesson would do, by choosing as sessions do: the block
// that they begin with, within a budget, and what each of some prompts brings.
// The lesson is given as it would be then.
func Foresee(ctx context.Context, x Searcher, confirm Confirm, l lessons.Lesson, s Situation, b Budget, prompts []string) (Prospect, error) {
	s.supposed = &l
	pick := Picker(func(s Situation, b Budget, _ bool) ([]Choice, error) {
		return Pick(ctx, x, func(c lessons.Lesson) (lessons.Lesson, error) {
			if c.ID == l.ID || confirm == nil {
				return c, nil
			}
			return confirm(c)
		}, s, b)
	})
	b = b.OrDefault()
	p := Prospect{Budget: b.AtStart()}
	all, err := pick.Whole(s, "", b)
	if err != nil {
		return p, fmt.Errorf("choosing what a session begins with: %v", err)
	}
	p.Block = slices.DeleteFunc(all, func(c Choice) bool { return !c.In })
	p.Tokens = Tokens(text(p.Block, Style{Project: s.Project}))
	for _, prompt := range prompts {
		all, err := pick.About(s, prompt, nil, b.Lessons)
		if err != nil {
			return p, fmt.Errorf("choosing for “%s”: %v", prompt, err)
		}
		t := Trial{Prompt: prompt, Why: "nothing of it in the words"}
		for _, c := range all {
			switch mine := c.Lesson.ID == l.ID; {
			case c.In:
				if t.Of++; mine {
					t.Rank = t.Of
				}
			case mine:
				t.Why = c.Why
			}
		}
		p.Trials = append(p.Trials, t)
	}
	return p, nil
}
