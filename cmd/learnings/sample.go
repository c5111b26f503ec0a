package main

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"learnings/cmd/internal/settings"
	"learnings/cmd/internal/term"
	"learnings/extractor/transcript"
)

// The sample is for whoever has no sessions of their own yet, or does not want
// to try things on them: a few transcripts and a small corpus, in a folder of
// their own with a state of its own. It lasts from one call to the next, so
// that what was approved is still approved, until the system cleans its
// temporary folder or sample/ is removed.
//
//go:embed all:sample
var sampleFiles embed.FS

// sampleDir is where the sample lies for this person. The temporary folder is
// everybody's: a folder there that is a link or somebody else's is refused.
func sampleDir(e env) (string, error) {
	name := "learnings-sample"
	if who := e.username(); who != "" {
		name += "-" + strings.Map(func(r rune) rune {
			if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
				return r
			}
			return '-'
		}, who)
	}
	dir := filepath.Join(e.temp(), name)
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", fmt.Errorf("making a place for the sample: %v", err)
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return "", fmt.Errorf("making a place for the sample: %v", err)
	}
	// Changing the mode is a test too: it fails for a folder of somebody else's.
	if !info.IsDir() || os.Chmod(dir, 0o700) != nil {
		return "", term.Hint(fmt.Errorf("%s is not a folder of yours", dir), "remove it, or set TMPDIR to another folder")
	}
	return dir, nil
}

// temp is the folder for temporary files.
func (e env) temp() string {
	if s := e.getenv("TMPDIR"); filepath.IsAbs(s) {
		return s
	}
	return os.TempDir()
}

// samplePlaces lays the sample out and gives its places.
func samplePlaces(e env) (settings.Places, error) {
	dir, err := sampleDir(e)
	if err != nil {
		return settings.Places{}, err
	}
	p := settings.Places{
		Corpus: filepath.Join(dir, "corpus"), Config: filepath.Join(dir, "config.toml"), By: "sample",
		State: filepath.Join(dir, "state"),
	}
	// The corpus is the person's once it is there: it is laid out whole, beside
	// its place, and moved there at once.
	if _, err := os.Stat(p.Corpus); err == nil {
		return p, nil
	}
	fresh, err := os.MkdirTemp(dir, "new-")
	if err != nil {
		return p, fmt.Errorf("laying out the sample: %v", err)
	}
	defer os.RemoveAll(fresh)
	if err := copySample(fresh); err != nil {
		return p, fmt.Errorf("laying out the sample: %v", err)
	}
	for _, name := range []string{"claude-code", "codex", "corpus"} {
		if err := os.Rename(filepath.Join(fresh, name), filepath.Join(dir, name)); err != nil && !errors.Is(err, fs.ErrExist) {
			if _, there := os.Stat(filepath.Join(dir, name)); there != nil {
				return p, fmt.Errorf("laying out the sample: %v", err)
			}
		}
	}
	return p, nil
}

func copySample(to string) error {
	return fs.WalkDir(sampleFiles, "sample", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		dst := filepath.Join(to, filepath.FromSlash(strings.TrimPrefix(strings.TrimPrefix(name, "sample"), "/")))
		if d.IsDir() {
			return os.MkdirAll(dst, 0o700)
		}
		text, err := sampleFiles.ReadFile(path.Clean(name))
		if err != nil {
			return err
		}
		return os.WriteFile(dst, text, 0o600)
	})
}

// sampleTranscripts are the sessions of the sample.
func sampleTranscripts(p settings.Places) transcript.Places {
	dir := filepath.Dir(p.Corpus)
	return transcript.Places{
		{Path: filepath.Join(dir, "claude-code"), Format: transcript.ClaudeCode},
		{Path: filepath.Join(dir, "codex"), Format: transcript.Codex},
	}
}
