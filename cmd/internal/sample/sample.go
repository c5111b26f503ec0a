// Package sample has transcripts and a small corpus to try the program on, for a
// person who has no sessions of their own yet or wants to keep them out of it.
package sample

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"learnings/cmd/internal/term"
	"learnings/extractor/transcript"
)

//go:embed all:files
var files embed.FS

// LayOut lays the sample out below the folder for temporary files, unless it is
// there, and returns its folder: in it are a corpus and a config.toml. It lasts from
// one call to the next, until it is removed: what the person with this user name
// approved stays approved.
func LayOut(temp, user string) (string, error) {
	dir, err := folder(temp, user)
	if err != nil {
		return "", err
	}
	// From now on the corpus is the person's, so it must never be there in part: it is
	// written beside its place and moved there.
	if _, err := os.Stat(filepath.Join(dir, "corpus")); err == nil {
		return dir, nil
	}
	fresh, err := os.MkdirTemp(dir, "new-")
	if err != nil {
		return dir, fmt.Errorf("laying out the sample: %v", err)
	}
	defer os.RemoveAll(fresh)
	if err := copyTo(fresh); err != nil {
		return dir, fmt.Errorf("laying out the sample: %v", err)
	}
	for _, name := range []string{"config.toml", "claude-code", "codex", "corpus"} {
		if err := os.Rename(filepath.Join(fresh, name), filepath.Join(dir, name)); err != nil && !errors.Is(err, fs.ErrExist) {
			if _, there := os.Stat(filepath.Join(dir, name)); there != nil {
				return dir, fmt.Errorf("laying out the sample: %v", err)
			}
		}
	}
	return dir, nil
}

// copyTo writes the files of the sample to a folder.
func copyTo(dir string) error {
	sub, err := fs.Sub(files, "files")
	if err != nil {
		return err
	}
	return os.CopyFS(dir, sub)
}

// Transcripts returns where the sessions of a sample are that was laid out in dir.
func Transcripts(dir string) transcript.Places {
	return transcript.Places{
		{Path: filepath.Join(dir, "claude-code"), Format: transcript.ClaudeCode},
		{Path: filepath.Join(dir, "codex"), Format: transcript.Codex},
	}
}

// folder makes and returns the folder of a person's sample. The folder for temporary
// files is everybody's: a link in it, or somebody else's folder, is refused.
func folder(temp, user string) (string, error) {
	name := "learnings-sample"
	if user != "" {
		name += "-" + strings.Map(func(r rune) rune {
			if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
				return r
			}
			return '-'
		}, user)
	}
	dir := filepath.Join(temp, name)
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", fmt.Errorf("making a place for the sample: %v", err)
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return "", fmt.Errorf("making a place for the sample: %v", err)
	}
	// Changing the mode is a test too: it fails for somebody else's folder.
	if !info.IsDir() || os.Chmod(dir, 0o700) != nil {
		return "", term.Hint(fmt.Errorf("%s is not a folder of yours", dir), "remove it, or set TMPDIR to another folder")
	}
	return dir, nil
}
