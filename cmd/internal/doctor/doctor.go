// Package doctor says whether all that learnings needs is there and works: what is
// looked at is a list of questions, each of which is answered in time or counts as
// wrong, and all answers are printed together.
//
// It looks and changes nothing. What is asked of agents is in package agents below it.
package doctor

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// A State is how a thing is.
type State string

const (
	OK    State = "ok"
	Note  State = "note"  // it works, and there is something to know
	Wrong State = "wrong" // something does not work, or will not
)

// A Check is one thing that was looked at.
type Check struct {
	Group string `json:"group"`
	Name  string `json:"check"`
	State State  `json:"state"`
	Text  string `json:"text"`
	Hint  string `json:"hint,omitempty"` // what to type; "" where there is nothing
}

// Fine, Notable and Bad make a check of each state. The group is that of the question.
func Fine(name, format string, args ...any) Check {
	return Check{Name: name, State: OK, Text: fmt.Sprintf(format, args...)}
}

func Notable(name, hint, format string, args ...any) Check {
	return Check{Name: name, State: Note, Text: fmt.Sprintf(format, args...), Hint: hint}
}

func Bad(name, hint, format string, args ...any) Check {
	return Check{Name: name, State: Wrong, Text: fmt.Sprintf(format, args...), Hint: hint}
}

// A Question is something to look at. Its answer may be several checks, or none where
// there is nothing to say.
type Question struct {
	Group string
	Name  string // of the check that says that there is no answer
	Ask   func(ctx context.Context) []Check
}

const (
	// Patience is how long an answer may take.
	Patience = 8 * time.Second
	// atOnce is how many questions are asked at the same time. Most wait for a program
	// or a disk.
	atOnce = 4
)

// Examine asks all questions, and gives the answers in their order. One that is not
// answered within patience, or panics, is wrong: then what it waits for is left to the
// end of the process. When ctx ends, so do the questions.
func Examine(ctx context.Context, patience time.Duration, questions []Question) Findings {
	answers := make([][]Check, len(questions))
	turn := make(chan struct{}, atOnce)
	var all sync.WaitGroup
	for i, q := range questions {
		all.Go(func() {
			turn <- struct{}{}
			defer func() { <-turn }()
			if ctx.Err() == nil {
				answers[i] = q.answer(ctx, patience)
			}
		})
	}
	all.Wait()
	var out Findings
	for _, a := range answers {
		out = append(out, a...)
	}
	return out
}

func (q Question) answer(all context.Context, patience time.Duration) []Check {
	ctx, cancel := context.WithTimeout(all, patience)
	defer cancel()
	got := make(chan []Check, 1)
	go func() {
		defer func() {
			if r := recover(); r != nil {
				got <- []Check{Bad(q.Name, "", "looking at it failed: %v", r)}
			}
		}()
		got <- q.Ask(ctx)
	}()
	var checks []Check
	select {
	case checks = <-got:
	case <-all.Done():
		return nil
	case <-ctx.Done():
		select {
		case checks = <-got: // it ended just then, and may say why
		case <-time.After(grace):
			checks = []Check{Bad(q.Name, "", "no answer within %v", patience)}
		}
	}
	for i := range checks {
		checks[i].Group = q.Group
	}
	return checks
}

// grace is how much longer a question may take that ends because its time is over.
const grace = 200 * time.Millisecond
