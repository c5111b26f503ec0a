package settings

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"

	"learnings/cmd/internal/hook"
	"learnings/cmd/internal/term"
	"learnings/extractor"
	"learnings/extractor/transcript"
)

// Places are the folders and files of this program. None is created before the first
// write.
type Places struct {
	Corpus string // lessons as Markdown files, for sharing and backup
	State  string // this machine's state of the corpus: journal, lock, marks, index, log
	Config string // config.toml
	By     string // what chose the corpus: "--dir", "LEARNINGS_DIR", "default", "sample"
}

// Index returns the folder of the search index. The journal, lock and file table beside
// it belong to package store.
func (p Places) Index() string { return filepath.Join(p.State, "index") }

// Drafts returns the folder for texts being edited.
func (p Places) Drafts() string { return filepath.Join(p.State, "drafts") }

// Exchanges returns the folder that records what was written to other programs' stores.
func (p Places) Exchanges() string { return filepath.Join(p.State, "exchange") }

// HookLog returns the log of hooks and their worker.
func (p Places) HookLog() string { return filepath.Join(p.State, "hook.log") }

// A World is the part of the environment that places depend on.
type World struct {
	Getenv func(string) string
	OS     string // a GOOS value
	Home   string // the person's home folder, or ""
	Dir    string // the current folder, or "" if it was removed
}

// FindPlaces finds the places from a --dir flag ("" for none), the environment and the
// system's conventions. It creates no folder.
func FindPlaces(w World, dir string) (Places, error) {
	base := baseDirs(w)
	p := Places{Config: filepath.Join(base.config, "config.toml"), Corpus: base.data, By: "default"}
	if s := w.Getenv("LEARNINGS_DIR"); s != "" {
		p.Corpus, p.By = s, "LEARNINGS_DIR"
	}
	if dir != "" {
		p.Corpus, p.By = dir, "--dir"
	}
	switch {
	case p.Corpus == "" || base.state == "" || base.config == "":
		return p, term.Hint(errors.New("no home folder: neither HOME nor the XDG_* variables say where to keep lessons"),
			"set HOME, or LEARNINGS_DIR and XDG_STATE_HOME and XDG_CONFIG_HOME")
	case !filepath.IsAbs(p.Corpus) && w.Dir == "":
		return p, fmt.Errorf("%s %q is relative, and the current folder is gone", p.By, p.Corpus)
	case !filepath.IsAbs(p.Corpus):
		p.Corpus = filepath.Join(w.Dir, p.Corpus)
	}
	p.Corpus = filepath.Clean(p.Corpus)
	p.State = StateOf(base.state, p.Corpus)
	return p, nil
}

// StateOf returns the folder below root for this machine's state of a corpus. It is the
// same for all spellings of a corpus's path.
func StateOf(root, corpus string) string {
	sum := sha256.Sum256([]byte(RealPath(corpus)))
	return filepath.Join(root, hex.EncodeToString(sum[:8]))
}

// RealPath resolves the symbolic links in a path. Its end may not exist yet; the result
// is the same once it does.
func RealPath(path string) string {
	real, err := filepath.EvalSymlinks(path)
	if err == nil {
		return real
	}
	parent := filepath.Dir(path)
	if !errors.Is(err, fs.ErrNotExist) || parent == path {
		return path
	}
	return filepath.Join(RealPath(parent), filepath.Base(path))
}

type dirs struct{ data, state, config string }

// baseDirs returns the base folders. XDG_* variables count on every system; relative
// values are ignored, as the XDG specification asks.
func baseDirs(w World) dirs {
	var d dirs
	switch home := w.Home; {
	case w.OS == "windows":
		local, roaming := w.Getenv("LOCALAPPDATA"), w.Getenv("APPDATA")
		if local == "" && home != "" {
			local = filepath.Join(home, "AppData", "Local")
		}
		if roaming == "" && home != "" {
			roaming = filepath.Join(home, "AppData", "Roaming")
		}
		d = dirs{under(local, "learnings", "corpus"), under(local, "learnings", "state"), under(roaming, "learnings")}
	case w.OS == "darwin":
		app := under(home, "Library", "Application Support", "learnings")
		d = dirs{under(app, "corpus"), under(app, "state"), app}
	default:
		d = dirs{under(home, ".local", "share", "learnings"), under(home, ".local", "state", "learnings"), under(home, ".config", "learnings")}
	}
	for key, dst := range map[string]*string{"XDG_DATA_HOME": &d.data, "XDG_STATE_HOME": &d.state, "XDG_CONFIG_HOME": &d.config} {
		if s := w.Getenv(key); filepath.IsAbs(s) {
			*dst = filepath.Join(s, "learnings")
		}
	}
	return d
}

// under joins a path, but keeps an unknown parent unknown.
func under(parent string, parts ...string) string {
	if parent == "" {
		return ""
	}
	return filepath.Join(append([]string{parent}, parts...)...)
}

// Hooks returns the setup of hooks for a person with this home folder. It includes any
// error in the configuration: hooks go on with what can be read.
func (p Places) Hooks(home string) hook.Setup {
	c, err := p.Load()
	project := transcript.NewProjects(home, c.Aliases).Project
	return hook.Setup{
		Corpus: p.Corpus, State: p.State, Index: p.Index(), Log: p.HookLog(),
		Role: c.Role.Value, MaxInject: c.Learning.MaxInject.Value, StartTokens: c.Learning.StartTokens.Value, Holdout: c.Learning.Holdout.Value, TrustEdits: c.TrustEdits.Value,
		Learn: c.Learning.Enabled.Value, Project: project, Excluded: extractor.NewExclusion(c.Learning.Exclude.Value, home, project).Func(),
		Asked: extractor.Asked, Trouble: err,
	}
}

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
		name += "-" + url.PathEscape(user)
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
