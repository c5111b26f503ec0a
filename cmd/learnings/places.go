package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"learnings/cmd/internal/term"
)

// Places are where this program keeps things. None of them is made before
// something is written there.
type places struct {
	corpus string // the lessons: Markdown files, to be shared and backed up
	state  string // of this corpus on this machine: journal, lock, marks, index, log
	config string // config.toml
	by     string // what chose the corpus: "--dir", "LEARNINGS_DIR", "default", "sample"
}

// The parts of a corpus's state. The journal, lock and file table beside them
// are the store's own.
func (p places) index() string   { return filepath.Join(p.state, "index") }
func (p places) batches() string { return filepath.Join(p.state, "batches") }
func (p places) spend() string   { return filepath.Join(p.state, "spend.jsonl") }
func (p places) hookLog() string { return filepath.Join(p.state, "hook.log") }

// findPlaces works out the places from a --dir flag ("" for none), the
// environment and the habits of the system.
func findPlaces(e env, dir string) (places, error) {
	base := baseDirs(e)
	p := places{config: filepath.Join(base.config, "config.toml"), corpus: base.data, by: "default"}
	if s := e.getenv("LEARNINGS_DIR"); s != "" {
		p.corpus, p.by = s, "LEARNINGS_DIR"
	}
	if dir != "" {
		p.corpus, p.by = dir, "--dir"
	}
	switch {
	case p.corpus == "" || base.state == "" || base.config == "":
		return p, term.Hint(errors.New("no home folder: neither HOME nor the XDG_* variables say where to keep lessons"),
			"set HOME, or LEARNINGS_DIR and XDG_STATE_HOME and XDG_CONFIG_HOME")
	case !filepath.IsAbs(p.corpus) && e.cwd == "":
		return p, fmt.Errorf("%s %q is relative, and the current folder is gone", p.by, p.corpus)
	case !filepath.IsAbs(p.corpus):
		p.corpus = filepath.Join(e.cwd, p.corpus)
	}
	p.corpus = filepath.Clean(p.corpus)
	p.state = stateOf(base.state, p.corpus)
	return p, nil
}

// stateOf is the folder for what this machine knows of one corpus. Two
// spellings of the same folder have one state.
func stateOf(root, corpus string) string {
	sum := sha256.Sum256([]byte(realPath(corpus)))
	return filepath.Join(root, hex.EncodeToString(sum[:8]))
}

// realPath resolves the symbolic links of a path of which the end need not
// exist yet, so that its answer does not change once it does.
func realPath(path string) string {
	real, err := filepath.EvalSymlinks(path)
	if err == nil {
		return real
	}
	parent := filepath.Dir(path)
	if !errors.Is(err, fs.ErrNotExist) || parent == path {
		return path
	}
	return filepath.Join(realPath(parent), filepath.Base(path))
}

type dirs struct{ data, state, config string }

// baseDirs gives the folders of this program. XDG_* count on every system;
// relative ones are ignored, as the XDG specification asks.
func baseDirs(e env) dirs {
	var d dirs
	switch home := e.home; {
	case e.goos == "windows":
		local, roaming := e.getenv("LOCALAPPDATA"), e.getenv("APPDATA")
		if local == "" && home != "" {
			local = filepath.Join(home, "AppData", "Local")
		}
		if roaming == "" && home != "" {
			roaming = filepath.Join(home, "AppData", "Roaming")
		}
		d = dirs{under(local, "learnings", "corpus"), under(local, "learnings", "state"), under(roaming, "learnings")}
	case e.goos == "darwin":
		app := under(home, "Library", "Application Support", "learnings")
		d = dirs{under(app, "corpus"), under(app, "state"), app}
	default:
		d = dirs{under(home, ".local", "share", "learnings"), under(home, ".local", "state", "learnings"), under(home, ".config", "learnings")}
	}
	for key, dst := range map[string]*string{"XDG_DATA_HOME": &d.data, "XDG_STATE_HOME": &d.state, "XDG_CONFIG_HOME": &d.config} {
		if s := e.getenv(key); filepath.IsAbs(s) {
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

// short writes a path with ~ for the home folder, as people do.
func (e env) short(path string) string {
	if e.home != "" {
		if rest, ok := strings.CutPrefix(path, e.home+string(filepath.Separator)); ok {
			return "~" + string(filepath.Separator) + rest
		}
	}
	return path
}
