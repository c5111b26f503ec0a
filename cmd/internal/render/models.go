package render

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"learnings/cmd/internal/term"
	"learnings/extractor/model/llm"
)

// Models lists the models at hand, after the rules.
func Models(found []llm.Candidate) term.Answer {
	all := append([]llm.Candidate{{Model: "rules", Where: "built in"}}, found...)
	return term.List[llm.Candidate]{Items: all,
		Page: func(p *term.Page) {
			p.Line("rules  (built in: no key, no network; the default)")
			for _, m := range found {
				costs := ""
				if m.Costs {
					costs = "; costs"
				}
				p.Line("%s  (%s%s)", m.Model, m.Where, costs)
				if m.Note != "" {
					p.Line("    %s", m.Note)
				}
			}
			if len(found) == 0 {
				p.Line("no key, program or local server of a model was found")
			}
		},
		Cells: func(m llm.Candidate) []string {
			price := "free"
			if m.Costs {
				price = "costs"
			}
			return []string{m.Model, m.Where, price, m.Note}
		},
		Object: func(m llm.Candidate) any {
			return term.Object(nil, "model", m.Model, "where", m.Where, "costs", m.Costs, "note?", m.Note, "models?", m.Models)
		}}
}

// Spent is the cost of models, from the ledger of calls.
type Spent struct {
	Months, Runs []llm.Sum
	Now          string  // this month
	Ceiling      float64 // of a month; 0 for none
}

// A spending is the cost of a month or a run.
type spending struct {
	What   string   `json:"what"` // "month" or "run"
	Name   string   `json:"name"`
	At     string   `json:"at"` // the first call
	Models []string `json:"models"`
	Calls  int      `json:"calls"`
	In     int      `json:"in"`
	Out    int      `json:"out"`
	USD    float64  `json:"usd"`
	Known  bool     `json:"known"` // USD is the full cost
}

// shownRuns is how many of the latest runs a person sees; a script gets all.
const shownRuns = 20

// Answer lists the months, then the runs.
func (s *Spent) Answer() term.Answer {
	var all []spending
	for i, x := range append(slices.Clone(s.Months), s.Runs...) {
		what := "month"
		if i >= len(s.Months) {
			what = "run"
		}
		all = append(all, spending{what, x.Name, term.Stamp(x.First), x.Models, x.Calls, tokensIn(x), x.Usage.Out, x.Cost.USD, x.Cost.Known})
	}
	return term.List[spending]{Items: all, Page: s.show, Object: func(o spending) any { return o }, Cells: func(o spending) []string {
		known := "known"
		if !o.Known {
			known = "in part"
		}
		return []string{o.What, o.Name, o.At, strings.Join(o.Models, ","), strconv.Itoa(o.Calls), strconv.Itoa(o.In), strconv.Itoa(o.Out), strconv.FormatFloat(o.USD, 'f', 6, 64), known}
	}}
}

// tokensIn counts all input tokens, cached or not.
func tokensIn(x llm.Sum) int { return x.Usage.In + x.Usage.CacheRead + x.Usage.CacheWrite }

func (s *Spent) show(p *term.Page) {
	ceiling := "no ceiling (learning.max_usd_per_month)"
	if s.Ceiling > 0 {
		ceiling = fmt.Sprintf("the ceiling is $%.2f", s.Ceiling)
	}
	if len(s.Runs) == 0 {
		p.Line("nothing was spent; %s", ceiling)
		return
	}
	month := llm.Cost{Known: true}
	table := func(head string, list []llm.Sum) {
		p.Table([]string{head, "Model", "Calls", "Tokens in", "Out", "Cost"}, term.Rows(list, func(x llm.Sum) []string {
			name := x.Name
			if head == "Run" {
				name = x.First.UTC().Format("2006-01-02 15:04")
			}
			return []string{name, strings.Join(x.Models, ", "), strconv.Itoa(x.Calls), strconv.Itoa(tokensIn(x)), strconv.Itoa(x.Usage.Out), x.Cost.String()}
		}), 1)
	}
	for _, m := range s.Months {
		if m.Name == s.Now {
			month = m.Cost
		}
	}
	p.Line("%s so far: %s; %s", s.Now, month, ceiling)
	p.Line("")
	table("Month", s.Months)
	table("Run", s.Runs[max(0, len(s.Runs)-shownRuns):])
}
