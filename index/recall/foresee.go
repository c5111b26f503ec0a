package recall

import (
	"context"
	"fmt"
	"slices"

	"learnings/lessons"
)

// A Prospect is what sessions of a lesson's project get once the lesson is approved.
type Prospect struct {
	Block  []Choice // the start of a session without a known task: only what is in, best first
	Budget Budget   // of the block
	Tokens int      // of the block as written
	Trials []Trial
}

// A Trial is whether one prompt brings up a lesson.
type Trial struct {
	Prompt string
	Rank   int    // of the lesson among those that the prompt brings up, from 1; 0 for none
	Of     int    // how many it brings up
	Why    string // the reason for a Rank of 0
}

// Foresee predicts what approving a lesson would do, by choosing as sessions do: the block
// at their start, within a budget, and what each of the prompts brings up. l is the lesson
// as it would be after approval.
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
