package settings

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"learnings/cmd/internal/hook"
	"learnings/cmd/internal/term"
)

// Places are where this program keeps things. None of them is made before
// something is written there.
type Places struct {
	Corpus string // the lessons: Markdown files, to be shared and backed up
	State  string // of this corpus on this machine: journal, lock, marks, index, log
	Config string // config.toml
	By     string // what chose the corpus: "--dir", "LEARNINGS_DIR", "default", "sample"
}

// Index is the folder of the search index. The journal, lock and file table beside
// it belong to package store.
func (p Places) Index() string { return filepath.Join(p.State, "index") }

// Drafts is the folder for texts that are being edited.
func (p Places) Drafts() string { return filepath.Join(p.State, "drafts") }

// Exchanges is the folder of what was written to which store of another program.
func (p Places) Exchanges() string { return filepath.Join(p.State, "exchange") }

// HookLog is the log of hooks and of the worker that they start.
func (p Places) HookLog() string { return filepath.Join(p.State, "hook.log") }

// A World is the environment of the process, as far as places depend on it.
type World struct {
	Getenv func(string) string
	OS     string // as runtime.GOOS has it
	Home   string // the person's home folder; "" when there is none
	Dir    string // the current folder; "" when it is gone
}

// FindPlaces works out the places from a --dir flag ("" for none), the environment
// and the conventions of the system. It makes no folder.
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

// StateOf returns the folder, below root, for what this machine knows of a corpus.
// Two spellings of the same corpus have one state.
func StateOf(root, corpus string) string {
	sum := sha256.Sum256([]byte(RealPath(corpus)))
	return filepath.Join(root, hex.EncodeToString(sum[:8]))
}

// RealPath resolves the symbolic links of a path. The end of it need not exist yet:
// the answer stays the same once it does.
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

// baseDirs gives the folders of this program. XDG_* count on every system;
// relative ones are ignored, as the XDG specification asks.
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

// under joins, but an unknown parent stays unknown.
func under(parent string, parts ...string) string {
	if parent == "" {
		return ""
	}
	return filepath.Join(append([]string{parent}, parts...)...)
}

// Hooks returns what a hook is to know of these places and their configuration. An
// error in the configuration is in it: a hook goes on with what can be read.
func (p Places) Hooks() hook.Setup {
	c, err := Load(p.Config)
	return hook.Setup{
		Corpus: p.Corpus, State: p.State, Index: p.Index(), Log: p.HookLog(),
		Role: c.Role.Value, MaxInject: c.Learning.MaxInject.Value, StartTokens: c.Learning.StartTokens.Value, Holdout: c.Learning.Holdout.Value, TrustEdits: c.TrustEdits.Value,
		Learn: c.Learning.Enabled.Value, Aliases: c.Aliases, Trouble: err,
	}
}
