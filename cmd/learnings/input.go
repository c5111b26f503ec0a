package main

import (
	"crypto/sha256"
	"encoding/hex"
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
func (a *app) fromInput(from []string, dryRun bool) (done func(), err error) {
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
	format, ok := transcript.Detect(data[:min(len(data), transcript.HeadSize)])
	if !ok {
		return done, term.Hint(fmt.Errorf("standard input is %w", transcript.ErrNoSession),
			"reviews are read as `gh api repos/OWNER/REPO/pulls/12/comments` and …/reviews print them; an empty list has nothing to read")
	}
	if format == transcript.GitHub {
		if data, err = transcript.GitHubLines(data); err != nil {
			return done, err
		}
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
	sum := sha256.Sum256(data)
	from[i] = filepath.Join(dir, hex.EncodeToString(sum[:8])+".jsonl")
	if err = os.MkdirAll(dir, 0o700); err == nil {
		err = os.WriteFile(from[i], data, 0o600)
	}
	if err != nil {
		done()
		return done, fmt.Errorf("saving standard input: %w", err)
	}
	return done, nil
}
