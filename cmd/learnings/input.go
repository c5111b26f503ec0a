package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"learnings/cmd/internal/term"
	"learnings/extractor/transcript"
)

// fromInput saves a transcript that comes on standard input, and puts its file in
// the place of the "-" among the places to look in. It lies in the state folder, for
// evidence names it; a dry run has it in a temporary one, which done removes.
func fromInput(a *app, from []string, dryRun bool) (done func(), err error) {
	done = func() {}
	i := slices.Index(from, "-")
	if i < 0 {
		return done, nil
	}
	if a.Terminals.In {
		return done, term.Hint(term.Usagef("--from - reads standard input, and that is a terminal"), "gh api --paginate repos/OWNER/REPO/pulls/12/comments | learnings extract --from -")
	}
	data, err := io.ReadAll(io.LimitReader(a.In, transcript.MaxDocument+1))
	if err != nil {
		return done, fmt.Errorf("reading standard input: %w", err)
	}
	if len(data) > transcript.MaxDocument {
		return done, fmt.Errorf("standard input holds more than %d MB: save it to a file, and give that", transcript.MaxDocument>>20)
	}
	places, err := a.located()
	if err != nil {
		return done, err
	}
	dir := filepath.Join(places.State, "input")
	if dryRun {
		if dir, err = os.MkdirTemp(a.temp(), "learnings-input-"); err != nil {
			return done, fmt.Errorf("making a place for standard input: %w", err)
		}
		done = func() { _ = os.RemoveAll(dir) }
	}
	if from[i], err = transcript.Save(dir, data); err != nil {
		done()
	}
	if errors.Is(err, transcript.ErrNoSession) {
		err = term.Hint(fmt.Errorf("standard input is %w", err),
			"reviews are read as `gh api repos/OWNER/REPO/pulls/12/comments` and …/reviews print them; an empty list has nothing to read")
	}
	return done, err
}
