package main

import (
	"learnings/cmd/internal/render"
	"learnings/extractor/model/llm"
)

// readSpent reads the ledger in which each call of a model is recorded.
func readSpent(a *app) (*render.Spent, error) {
	p, err := a.located()
	if err != nil {
		return nil, err
	}
	c, err := a.configuration()
	if err != nil {
		return nil, err
	}
	s := &render.Spent{Now: llm.Expense{At: a.now()}.Month(), Ceiling: c.Learning.MaxUSDPerMonth.Value}
	s.Months, s.Runs, err = llm.Sums(p.Spend())
	return s, err
}
