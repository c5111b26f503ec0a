// Package doctor checks that everything learnings needs is present and works. Each check
// is a question with a time limit; a question without an answer counts as wrong.
//
// It changes nothing.
package doctor

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// A State is the result of a check.
type State string

const (
	OK    State = "ok"
	Note  State = "note"  // it works, but the person should know something
	Wrong State = "wrong" // something does not work, or will not
)

// A Check is one finding.
type Check struct {
	Group string `json:"group"`
	Name  string `json:"check"`
	State State  `json:"state"`
	Text  string `json:"text"`
	Hint  string `json:"hint,omitempty"` // what to type, or ""
}

// Fine, Notable and Bad return a check in each state. The group is the question's.
func Fine(name, format string, args ...any) Check {
	return Check{Name: name, State: OK, Text: fmt.Sprintf(format, args...)}
}

func Notable(name, hint, format string, args ...any) Check {
	return Check{Name: name, State: Note, Text: fmt.Sprintf(format, args...), Hint: hint}
}

func Bad(name, hint, format string, args ...any) Check {
	return Check{Name: name, State: Wrong, Text: fmt.Sprintf(format, args...), Hint: hint}
}

// A Question is something to check. Its answer may be any number of checks.
type Question struct {
	Group string
	Name  string // of the check that reports a missing answer
	Ask   func(ctx context.Context) []Check
}

const (
	// Patience is the time limit of an answer.
	Patience = 8 * time.Second
	// atOnce is how many questions run at the same time. Most wait for a program or a
	// disk.
	atOnce = 4
)

// Examine asks all questions and returns their answers in order. A question that panics,
// or takes longer than patience, is wrong; its goroutine may go on until the process
// ends. When ctx ends, so do the questions.
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
		case checks = <-got: // it has just ended, and may say why
		case <-time.After(grace):
			checks = []Check{Bad(q.Name, "", "no answer within %v", patience)}
		}
	}
	for i := range checks {
		checks[i].Group = q.Group
	}
	return checks
}

// grace is the extra time for a question to return after its context has ended.
const grace = 200 * time.Millisecond
