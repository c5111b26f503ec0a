package main

import (
	"errors"
	"strings"

	"learnings/cmd/internal/term"
	"learnings/index/curate"
	"learnings/lessons"
)

// Only a person decides. The rules, which [curate.Corpus] keeps, are:
//
//   - Agents may propose (extract, add --pending), report and read; they never
//     decide. Where the environment shows that an agent is calling, a decision is
//     refused, and there is no flag or variable that overrides it.
//   - A person's script may decide. What cannot be undone (forget) asks on a
//     terminal, and without one needs --yes.
//   - A hook never decides, and does not come through here at all.

// decider returns the corpus for a person's decision, or an error when it is not a
// person who asks. The deed completes the error, as in "approve lessons".
func (a *app) decider(deed string) (*curate.Corpus, error) {
	c, err := a.curated()
	if err != nil {
		return nil, err
	}
	if err := c.MayDecide(deed); err != nil {
		return nil, err
	}
	if c.By == "" {
		c.By, err = a.me()
	}
	return c, err
}

// me is the person's name for the record.
func (a *app) me() (string, error) {
	c, err := a.configuration()
	if err != nil {
		return "", err
	}
	name := c.Name.Value
	if name == "" {
		name = a.username()
	}
	name = strings.TrimSpace(lessons.Line(name))
	if name == "" {
		return "", term.Hint(errors.New("nobody is named who decides: the system knows no user name"),
			"put name = \"…\" into %s", c.Path)
	}
	return name, nil
}
