package render

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"learnings/cmd/internal/term"
	"learnings/index/recall"
)

// Candidates are the lessons considered for a session.
type Candidates struct {
	Choices []recall.Choice
	Style   recall.Style
	Budget  recall.Budget
	Task    bool // something is known of the session's subject
	Why     bool // list the lessons with reasons instead of the block
}

func (c Candidates) block() string {
	var b bytes.Buffer
	if err := recall.Write(&b, c.Choices, c.Style); err != nil {
		return ""
	}
	return b.String()
}

// Terminal prints the block that an agent gets, also for a person.
func (c Candidates) Terminal(p *term.Page) {
	given := recall.IDs(c.Choices)
	if !c.Why {
		c.Plain(p.W)
		switch {
		case len(given) > 0:
		case c.Task:
			p.Line("nothing: no approved lesson for project %s is on the subject (--why lists the candidates)", c.Style.Project)
		default:
			p.Line("nothing: no approved lesson is for project %s (--why lists the candidates)", c.Style.Project)
		}
		return
	}
	needs := 0.0 // the evidence needed to match the task
	for _, x := range c.listed() {
		p.Strong("%-3s  %s  %s", inOrOut(x), x.Lesson.ID, x.Lesson.Content)
		p.Text("     ", x.Why)
		if r := x.Parts; r != (recall.Parts{}) {
			p.Line("     rank %.2f: relevance %.2f, bound %.2f, freshness %.2f, scope %.2f, kind %.2f; cover %.2f, near %.2f, %s",
				x.Rank, r.Relevance, r.Bound, r.Freshness, r.Scope, r.Kind, r.Cover, r.Near, term.Plural(x.Tokens(), "token"))
		}
		fmt.Fprintln(p.W)
	}
	for _, x := range c.Choices {
		needs = max(needs, x.Evidence.Needs)
	}
	if needs > 0 {
		p.Line("Evidence: a lesson needs %.1f nats of the task, or %.0f %% of a short one.", needs, 100*recall.Gate)
	}
	says := term.Plural(len(given), "lesson")
	block, b := c.block(), c.budget()
	if b.Lessons > 0 {
		says = fmt.Sprintf("%d of %s", len(given), term.Plural(b.Lessons, "lesson"))
	}
	p.Line("Budget: %s, %d of %s, %d of %s.", says, recall.Tokens(block), term.Plural(b.Tokens, "token"), len(block), term.Plural(b.Chars, "character"))
}

// listed returns the choices to show: the included ones, then the near misses.
func (c Candidates) listed() []recall.Choice {
	in := slices.DeleteFunc(slices.Clone(c.Choices), func(x recall.Choice) bool { return !x.In })
	return append(in, recall.Nearest(c.Choices)...)
}

func inOrOut(x recall.Choice) string {
	if x.In {
		return "in"
	}
	return "out"
}

// budget returns the budget of a task, or of a session start.
func (c Candidates) budget() recall.Budget {
	if !c.Task {
		return c.Budget.AtStart()
	}
	return c.Budget.OrDefault()
}

func (c Candidates) Plain(w io.Writer) {
	if !c.Why {
		if block := c.block(); block != "" {
			fmt.Fprintln(w, strings.TrimRight(block, "\n"))
		}
		return
	}
	for _, x := range c.listed() {
		cells := []string{fmt.Sprint(x.In), string(x.Lesson.ID), fmt.Sprint(x.Tokens()), x.Why, x.Lesson.Content}
		r := x.Parts
		for _, f := range []float64{x.Rank, r.Relevance, r.Cover, r.Bound, r.Freshness, r.Scope, r.Kind, r.Near} {
			cells = append(cells, fmt.Sprintf("%.3f", f))
		}
		term.TSV(w, cells...)
	}
}

// Objects returns all choices by rank.
func (c Candidates) Objects() []any {
	choices := slices.Clone(c.Choices)
	slices.SortStableFunc(choices, func(a, b recall.Choice) int { return cmp.Compare(b.Rank, a.Rank) })
	of := c.budget()
	budget := term.Object(nil, "lessons", of.Lessons, "tokens", of.Tokens, "characters", of.Chars)
	return term.Objects(choices, func(x recall.Choice) any {
		return term.Object(x.Lesson.Record(), "in", x.In, "held_out?", x.Held, "why", x.Why, "tokens", x.Tokens(), "rank", x.Rank,
			"parts", x.Parts, "evidence_of_task", x.Evidence, "budget", budget)
	})
}
