// Learnings reads the session transcripts of coding agents, proposes lessons,
// lets a person judge them, and gives the approved ones to the next session.
//
// # Code overview
//
// This package knows every other one and nothing knows it. It turns arguments,
// environment and configuration into values, hands them to the packages that do
// the work, and turns what they answer into text, JSON and an exit code:
//
//   - [run] is the whole program: main only calls it. What it may know of the
//     world is in an env, so that a test can be a world of its own.
//   - root.go lists the verbs. Each verb is one file: a function that parses
//     flags into an options struct, and one that acts on such a struct. The table
//     knows the verbs, and they do not know it.
//   - app.go holds what verbs share. corpus.go opens the corpus and its index,
//     transcripts.go the ledger of what was extracted, each when a verb first asks
//     for it; ids.go turns arguments into lessons, list.go prints them.
//   - exit.go is the one place that maps errors to exit codes; person.go is the
//     one place that decides whether a person is deciding.
//   - Package term is how verbs print answers, warn, ask and word errors.
//   - `learnings hook` does not pass through any of this: see package answer, which
//     learnings-hook shares. background.go is the worker that a hook starts, and what it
//     may do unasked.
//
// Text of transcripts and lessons is printed through package term, or through
// lessons.Line and lessons.Block, so that no escape sequence in it reaches a
// terminal.
package main

import (
	"context"
	"os"

	_ "learnings/cmd/internal/early"
	"learnings/cmd/internal/process"
	_ "learnings/extractor/sqlite/engine" // which reads the databases of agents
)

// No garbage was collected so far. Verbs that last or need much choose otherwise.
func init() { process.Brief() }

func main() { os.Exit(run(context.Background(), system())) }
