// Package doctor checks that everything learnings needs is present and works. Each check
// is a question with a time limit; a question without an answer counts as wrong.
//
// It changes nothing.
package doctor

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"learnings/cmd/internal/term"
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

// A Question is something to check. Its answer may be any number of checks.
type Question struct {
	Group string
	Name  string // of the checks, and of one that reports a missing answer
	Ask   func(ctx context.Context, r *Reply)
}

// A Reply collects the checks that answer a question.
type Reply struct {
	group, name string
	checks      []Check
}

func (r *Reply) add(name string, s State, hint, format string, args []any) {
	r.checks = append(r.checks, Check{r.group, name, s, fmt.Sprintf(format, args...), hint})
}

// Fine, Note and Bad add a check in each state.
func (r *Reply) Fine(format string, args ...any) { r.add(r.name, OK, "", format, args) }

func (r *Reply) Note(hint, format string, args ...any) { r.add(r.name, Note, hint, format, args) }

func (r *Reply) Bad(hint, format string, args ...any) { r.add(r.name, Wrong, hint, format, args) }

// Also adds a check of another name.
func (r *Reply) Also(name string, s State, hint, format string, args ...any) {
	r.add(name, s, hint, format, args)
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
		r := &Reply{group: q.Group, name: q.Name}
		defer func() {
			if broken := recover(); broken != nil {
				r.checks = nil
				r.Bad("", "looking at it failed: %v", broken)
			}
			got <- r.checks
		}()
		q.Ask(ctx, r)
	}()
	select {
	case checks := <-got:
		return checks
	case <-all.Done():
		return nil
	case <-ctx.Done():
	}
	select {
	case checks := <-got: // it has just ended, and may say why
		return checks
	case <-time.After(grace):
		return []Check{{q.Group, q.Name, Wrong, fmt.Sprintf("no answer within %v", patience), ""}}
	}
}

// grace is the extra time for a question to return after its context has ended.
const grace = 200 * time.Millisecond

// Findings are the checks of all questions.
type Findings []Check

// Count returns the number of checks in a state.
func (f Findings) Count(s State) int {
	n := 0
	for _, c := range f {
		if c.State == s {
			n++
		}
	}
	return n
}

// Err returns an error that counts what is wrong, or nil.
func (f Findings) Err() error {
	switch n := f.Count(Wrong); n {
	case 0:
		return nil
	case 1:
		return errors.New("1 thing is wrong")
	default:
		return fmt.Errorf("%d things are wrong", n)
	}
}

// nameWidth is the width of the name column: the longest names have ten letters.
const nameWidth = 12

// Terminal prints the findings by group, with hints below problems.
func (f Findings) Terminal(p *term.Page) {
	roles := map[State]term.Role{OK: term.Good, Note: term.Caution, Wrong: term.Alarm}
	group := ""
	for _, c := range f {
		if c.Group != group {
			if group != "" {
				p.Line("")
			}
			group = c.Group
			p.Strong("%s", group)
		}
		state := p.Paint(roles[c.State], fmt.Sprintf("%-5s", c.State))
		p.Beside(fmt.Sprintf("  %s  %-*s", state, nameWidth, c.Name), c.Text)
		if c.Hint != "" {
			p.Beside(strings.Repeat(" ", 9+nameWidth-2)+"→ ", c.Hint)
		}
	}
	p.Line("")
	p.Line("%s", f.summary())
}

// summary returns the last line.
func (f Findings) summary() string {
	var out []string
	for _, s := range []State{Wrong, Note, OK} {
		if n := f.Count(s); n > 0 {
			out = append(out, fmt.Sprintf("%d %s", n, s))
		}
	}
	if f.Count(OK) == len(f) {
		return "all well: " + term.Plural(len(f), "check")
	}
	return strings.Join(out, " · ")
}

// Plain prints one line for each check: state, group, name, text, hint.
func (f Findings) Plain(w io.Writer) {
	for _, c := range f {
		term.TSV(w, string(c.State), c.Group, c.Name, c.Text, c.Hint)
	}
}

// Objects returns the checks.
func (f Findings) Objects() []any { return term.Map(f, func(c Check) any { return c }) }
