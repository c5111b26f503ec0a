package gitsync

import (
	"context"
	"errors"
)

// A Status is how a copy stands, as far as this machine knows.
type Status struct {
	Branch  string   `json:"branch"`
	Remote  string   `json:"remote,omitempty"`
	Changed Tally    `json:"changed"`        // decided here and not committed
	Ahead   int      `json:"ahead"`          // commits that the remote has not
	Behind  int      `json:"behind"`         // commits of the remote that are not here, when it was last asked
	Held    []Held   `json:"held,omitempty"` // see Report
	Left    []string `json:"left,omitempty"`
	Problem string   `json:"problem,omitempty"` // why a sync would stop
	Hint    string   `json:"hint,omitempty"`
}

// Status tells how the copy stands. It talks to no remote and changes nothing.
func (c *Copy) Status(ctx context.Context) (*Status, error) {
	if err := c.ready(ctx); err != nil {
		return nil, err
	}
	rep := &Report{Committed: Tally{}, Received: Tally{}}
	s := &Status{Branch: c.branch}
	now, err := c.settle(ctx, Wish{DryRun: true}, rep)
	var stop *Error
	if errors.As(err, &stop) {
		s.Problem, s.Hint = stop.Error(), stop.Hint
		return s, nil
	}
	if err != nil {
		return nil, err
	}
	s.Changed, s.Held, s.Left = rep.Committed, rep.Held, rep.Left
	remote, url, err := c.remote(ctx)
	s.Remote = masked(url)
	if err == nil {
		var theirs string
		if theirs, err = c.theirs(ctx, remote); err == nil && now.head != "" {
			if s.Ahead, err = c.countBetween(ctx, theirs, now.head); err == nil && theirs != "" {
				s.Behind, err = c.countBetween(ctx, now.head, theirs)
			}
		}
	}
	if errors.As(err, &stop) {
		s.Problem, s.Hint = stop.Error(), stop.Hint
		err = nil
	}
	return s, err
}

// countOut says what a dry run would push: the commits that are here, that of
// what is not committed, and that of a merge.
func (c *Copy) countOut(ctx context.Context, rep *Report, now *present, theirs string) error {
	if now.head != "" && theirs != now.head {
		n, err := c.countBetween(ctx, theirs, now.head)
		if err != nil {
			return err
		}
		rep.Pushed = n
	}
	if now.dirt {
		rep.Pushed++
	}
	if rep.Pushed > 0 && len(rep.Received) > 0 {
		rep.Pushed++
	}
	return nil
}
