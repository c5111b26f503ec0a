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

// sample has transcripts and a small corpus, for trying the program without sessions of
// one's own.
//
//go:embed all:sample
var sample embed.FS

// Sample writes the sample to the folder for temporary files, unless it is there, and
// returns its places. It stays between calls until it is removed, with the approvals of
// the person with this user name.
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
	// From now on the corpus is the person's, so it must appear at once and whole: write
	// it beside its place, then rename it.
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
	for _, name := range []string{"claude-code", "codex", "corpus"} {
		if err != nil {
			break
		}
		if err = os.Rename(filepath.Join(fresh, name), filepath.Join(dir, name)); err != nil {
			if _, there := os.Stat(filepath.Join(dir, name)); there == nil {
				err = nil // another process was faster
			}
		}
	}
	return p, err
}

// SampleTranscripts returns the session folders of a sample in dir.
func SampleTranscripts(dir string) transcript.Places {
	return transcript.Places{
		{Path: filepath.Join(dir, "claude-code"), Format: transcript.ClaudeCode},
		{Path: filepath.Join(dir, "codex"), Format: transcript.Codex},
	}
}

// sampleFolder creates and returns the folder of a person's sample. Anybody can write to
// the folder for temporary files, so it refuses a link or another user's folder.
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
	// Chmod fails on another user's folder.
	if !info.IsDir() || os.Chmod(dir, 0o700) != nil {
		return "", term.Hint(fmt.Errorf("%s is not a folder of yours", dir), "remove it, or set TMPDIR to another folder")
	}
	return dir, nil
}
