package main

import (
	"context"
	"errors"

	"learnings/cmd/internal/term"
	"learnings/index/curate"
	"learnings/lessons"
)

// Exit codes, as `learnings help --all` lists them.
const (
	exitOK          = 0
	exitError       = 1
	exitUsage       = 2
	exitNotFound    = 3
	exitConflict    = 4
	exitNothing     = 5
	exitPerson      = 6
	exitInterrupted = 130
)

// exitHelp is the part of the help that lists the codes.
const exitHelp = `Exit codes:
  0    done
  1    something failed; standard error says what and where
  2    the command line is wrong, or a terminal is missing
  3    no such lesson, session or project
  4    the lesson has changed since it was read; nothing was written
  5    there is nothing to do (nothing to undo or redo)
  6    only a person decides: an agent asked, or nobody was there to confirm
  130  interrupted; what was done until then is kept
`

// Errors that decide an exit code.
var (
	errSession = errors.New("no such session")
)

// exitCode is the one switch from errors to exit codes.
func exitCode(err error) int {
	var usage term.UsageError
	switch {
	case err == nil, errors.Is(err, term.ErrClosed):
		return exitOK
	case errors.Is(err, context.Canceled):
		return exitInterrupted
	case errors.As(err, &usage):
		return exitUsage
	case errors.Is(err, curate.ErrPerson):
		return exitPerson
	case errors.Is(err, lessons.ErrNotFound), errors.Is(err, errSession):
		return exitNotFound
	case errors.Is(err, lessons.ErrConflict):
		return exitConflict
	case errors.Is(err, curate.ErrNothing):
		return exitNothing
	default:
		return exitError
	}
}
