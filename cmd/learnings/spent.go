package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"learnings/cmd/internal/term"
	"learnings/extractor/model/llm"
)

// This file shows what models have cost, from the ledger in which each call is
// recorded.

// spent is what the ledger adds up to.
type spent struct {
	months, runs []llm.Sum
	now          string  // this month
	ceiling      float64 // of a month; 0 is none
}

func readSpent(a *app) (*spent, error) {
	p, err := a.located()
	if err != nil {
		return nil, err
	}
	c, err := a.configuration()
	if err != nil {
		return nil, err
	}
	s := &spent{now: llm.Expense{At: a.now()}.Month(), ceiling: c.Learning.MaxUSDPerMonth.Value}
	s.months, s.runs, err = llm.Sums(p.Spend())
	return s, err
}

// month is what this month has cost.
func (s *spent) month() llm.Cost {
	for _, m := range s.months {
		if m.Name == s.now {
			return m.Cost
		}
	}
	return llm.Cost{Known: true}
}

// shownRuns are the latest of them, for a person; a pipe gets all.
const shownRuns = 20

// answer gives the months and then the runs.
func (s *spent) answer() term.Answer {
	var all []spendingObject
	for _, x := range s.months {
		all = append(all, newSpending("month", x))
	}
	for _, x := range s.runs {
		all = append(all, newSpending("run", x))
	}
	return term.List[spendingObject]{Items: all, Page: s.show, Cells: spendingObject.cells, Object: func(o spendingObject) any { return o }}
}

func (s *spent) show(p *term.Page) {
	ceiling := "no ceiling (learning.max_usd_per_month)"
	if s.ceiling > 0 {
		ceiling = fmt.Sprintf("the ceiling is $%.2f", s.ceiling)
	}
	if len(s.runs) == 0 {
		p.Line("nothing was spent; %s", ceiling)
		return
	}
	p.Line("%s so far: %s; %s", s.now, s.month(), ceiling)
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
	table("Month", s.months)
	table("Run", s.runs[max(0, len(s.runs)-shownRuns):])
	if slices.ContainsFunc(s.runs, func(r llm.Sum) bool { return r.Cost.USD < 0 }) {
		p.Text("", "A batch counts with its estimate when it is sent, and is set right when it is collected.")
	}
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
