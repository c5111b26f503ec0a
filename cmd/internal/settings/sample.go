package settings

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

// sample has transcripts and a small corpus to try the program on, for a person who has no
// sessions of their own yet or wants to keep them out of it.
//
//go:embed all:sample
var sample embed.FS

// Sample lays the sample out below the folder for temporary files, unless it is there, and
// returns its places. It lasts from one call to the next, until it is removed: what the
// person with this user name approved stays approved.
func Sample(temp, user string) (p Places, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("laying out the sample: %w", err)
		}
	}()
	dir, err := sampleFolder(temp, user)
	p = Places{Corpus: filepath.Join(dir, "corpus"), Config: filepath.Join(dir, "config.toml"), State: filepath.Join(dir, "state"), By: "sample"}
	if err != nil {
		return p, err
	}
	// From now on the corpus is the person's, so it must never be there in part: it is
	// written beside its place and moved there.
	if _, err := os.Stat(p.Corpus); err == nil {
		return p, nil
	}
	fresh, err := os.MkdirTemp(dir, "new-")
	if err != nil {
		return p, err
	}
	defer os.RemoveAll(fresh)
	files, err := fs.Sub(sample, "sample")
	if err == nil {
		err = os.CopyFS(fresh, files)
	}
	for _, name := range []string{"config.toml", "claude-code", "codex", "corpus"} {
		if err != nil {
			break
		}
		if err = os.Rename(filepath.Join(fresh, name), filepath.Join(dir, name)); err != nil {
			if _, there := os.Stat(filepath.Join(dir, name)); there == nil {
				err = nil // another call was quicker
			}
		}
	}
	return p, err
}

// SampleTranscripts returns where the sessions of a sample are that was laid out in dir.
func SampleTranscripts(dir string) transcript.Places {
	return transcript.Places{
		{Path: filepath.Join(dir, "claude-code"), Format: transcript.ClaudeCode},
		{Path: filepath.Join(dir, "codex"), Format: transcript.Codex},
	}
}

// sampleFolder makes and returns the folder of a person's sample. The folder for temporary
// files is everybody's: a link in it, or somebody else's folder, is refused.
func sampleFolder(temp, user string) (string, error) {
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
		return "", err
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return "", err
	}
	// Changing the mode is a test too: it fails for somebody else's folder.
	if !info.IsDir() || os.Chmod(dir, 0o700) != nil {
		return "", term.Hint(fmt.Errorf("%s is not a folder of yours", dir), "remove it, or set TMPDIR to another folder")
	}
	return dir, nil
}
