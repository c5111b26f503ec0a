package report

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"learnings/cmd/internal/term"
	"learnings/extractor/model/llm"
)

// Spent is what models have cost, by the ledger in which each call is recorded.
type Spent struct {
	Months, Runs []llm.Sum
	Now          string  // this month
	Ceiling      float64 // of a month; 0 is none
}

// month is what this month has cost.
func (s *Spent) month() llm.Cost {
	for _, m := range s.Months {
		if m.Name == s.Now {
			return m.Cost
		}
	}
	return llm.Cost{Known: true}
}

// shownRuns are the latest of them, for a person; a pipe gets all.
const shownRuns = 20

// Answer gives the months and then the runs.
func (s *Spent) Answer() term.Answer {
	var all []spendingObject
	for _, x := range s.Months {
		all = append(all, newSpending("month", x))
	}
	for _, x := range s.Runs {
		all = append(all, newSpending("run", x))
	}
	return term.List[spendingObject]{Items: all, Page: s.show, Cells: spendingObject.cells, Object: func(o spendingObject) any { return o }}
}

func (s *Spent) show(p *term.Page) {
	ceiling := "no ceiling (learning.max_usd_per_month)"
	if s.Ceiling > 0 {
		ceiling = fmt.Sprintf("the ceiling is $%.2f", s.Ceiling)
	}
	if len(s.Runs) == 0 {
		p.Line("nothing was spent; %s", ceiling)
		return
	}
	p.Line("%s so far: %s; %s", s.Now, s.month(), ceiling)
	p.Line("")
	table := func(head string, list []llm.Sum) {
		rows := make([][]string, len(list))
		for i, x := range list {
			name := x.Name
			if head == "Run" {
				name = x.First.UTC().Format("2006-01-02 15:04")
			}
			rows[i] = []string{name, strings.Join(x.Models, ", "), strconv.Itoa(x.Calls), strconv.Itoa(read(x.Usage)), strconv.Itoa(x.Usage.Out), x.Cost.String()}
		}
		p.Table([]string{head, "Model", "Calls", "Tokens in", "Out", "Cost"}, rows, 1)
	}
	table("Month", s.Months)
	table("Run", s.Runs[max(0, len(s.Runs)-shownRuns):])
}

// read counts all tokens that were read, cached or not.
func read(u llm.Usage) int { return u.In + u.CacheRead + u.CacheWrite }

// A spendingObject is a spending for programs. Cost is in US dollars; Known
// says whether it is all.
type spendingObject struct {
	What   string   `json:"what"` // "month" or "run"
	Name   string   `json:"name"`
	At     string   `json:"at"` // the first call
	Models []string `json:"models"`
	Calls  int      `json:"calls"`
	In     int      `json:"in"`
	Out    int      `json:"out"`
	USD    float64  `json:"usd"`
	Known  bool     `json:"known"`
}

func newSpending(what string, x llm.Sum) spendingObject {
	return spendingObject{what, x.Name, x.First.UTC().Format(time.RFC3339), x.Models, x.Calls, read(x.Usage), x.Usage.Out, x.Cost.USD, x.Cost.Known}
}

func (o spendingObject) cells() []string {
	known := "known"
	if !o.Known {
		known = "in part"
	}
	return []string{o.What, o.Name, o.At, strings.Join(o.Models, ","), strconv.Itoa(o.Calls), strconv.Itoa(o.In), strconv.Itoa(o.Out), strconv.FormatFloat(o.USD, 'f', 6, 64), known}
}
