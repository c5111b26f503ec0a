package amplihack

import (
	"context"
	"fmt"
	"strings"

	"learnings/lessons"
	"learnings/lessons/exchange"
)

// CommandName is what the form of [Command] is called.
const CommandName = "amplihack-command"

// A Command is the file by which agents of a harness like Claude Code know the
// command /learnings. It asks this program, so that no lesson is in it, and an agent
// that follows it can propose a lesson and decide on none.
type Command struct{}

// Detect implements [exchange.Format]: nothing is read from it.
func (Command) Detect(string) bool { return false }

// Read implements [exchange.Format].
func (Command) Read(_ context.Context, path string) (exchange.Found, error) {
	return exchange.Found{}, fmt.Errorf("%s: a command holds no lessons: it %w", path, exchange.ErrOneWay)
}

// Lacks implements [exchange.Format]: every lesson can be had through the command.
func (Command) Lacks(lessons.Lesson) []string { return nil }

// Plan implements [exchange.Format].
func (c Command) Plan(_ context.Context, to exchange.Target, _ []lessons.Lesson) (*exchange.Plan, error) {
	p := exchange.NewPlan(to, c, nil)
	before, err := exchange.ReadFile(to.Path)
	if err != nil {
		return nil, err
	}
	p.File(to.Path, before, []byte(commandText()))
	return p, nil
}

// commandText is the file.
func commandText() string {
	names := make([]string, len(kinds))
	for i, k := range kinds {
		names[i] = string(k.category)
	}
	return strings.ReplaceAll(commandTemplate, "KINDS", strings.Join(names, ", "))
}

const commandTemplate = `---
description: Look up, search, count and propose lessons of earlier sessions
argument-hint: show [category] | search <words> | add | stats
allowed-tools: Bash(learnings show:*), Bash(learnings search:*), Bash(learnings stats:*), Bash(learnings add --pending:*)
---

The person typed: /learnings $ARGUMENTS

Run the one command that fits and show what it prints as a table; the second column of
a search is the match, from 0 to 1: say it in percent. Put each value in single quotes; a single quote within one is written '\''.

- ` + "`show`" + ` or nothing: ` + "`learnings show`" + `
- ` + "`show CATEGORY`" + ` (KINDS): ` + "`learnings show 'CATEGORY'`" + `
- ` + "`search WORDS`" + `: ` + "`learnings search 'WORDS'`" + `
- ` + "`stats`" + `: ` + "`learnings stats`" + `
- ` + "`add`" + `: ask for these, one after the other, unless they were given: the category
  (KINDS), three to five keywords with commas,
  a summary of one sentence, the insight (why, and when it holds), and an example, which
  may be left out. Then:
  ` + "`learnings add --pending --category 'CATEGORY' --tag 'KEYWORDS' --insight 'INSIGHT' --example 'EXAMPLE' 'SUMMARY'`" + `
  It waits for the person, who decides with ` + "`learnings review`" + `. Do not decide for them.
`
