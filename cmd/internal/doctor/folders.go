package doctor

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"learnings/cmd/internal/term"
)

// folders checks the permissions of the corpus and the state folder. Either may be
// missing until the first write.
func (c Corpus) folders(context.Context) []Check {
	out := []Check{c.folder("folder", c.Dir), c.folder("state", c.State)}
	if c.By != "default" {
		out[0].Text += " (" + c.By + ")"
	}
	if c.By == "--dir" {
		out = append(out, Notable("folder", "for agents to use it, set LEARNINGS_DIR where they are started",
			"hooks that agents start know nothing of --dir"))
	}
	return out
}

func (c Corpus) folder(name, dir string) Check {
	at, err := nearest(dir)
	where := c.Short(dir)
	if err != nil {
		return Bad(name, "choose another with --dir, LEARNINGS_DIR or XDG_STATE_HOME", "%s cannot be used: %v", where, err)
	}
	switch info, err := os.Stat(at); {
	case err != nil || !info.IsDir():
		return Bad(name, "put a folder in its place, or choose another with --dir, LEARNINGS_DIR or XDG_STATE_HOME", "%s is not a folder", c.Short(at))
	case !writable(at):
		return Bad(name, "chmod u+rwx "+term.ShellQuote(at), "%s cannot be written", c.Short(at))
	case at != dir:
		return Fine(name, "%s, made when something is written", where)
	case runtime.GOOS != "windows" && info.Mode().Perm()&0o055 != 0:
		return Notable(name, "chmod -R go-rwx "+term.ShellQuote(dir), "other users of this machine may read %s", where)
	}
	return Fine(name, "%s", where)
}

// nearest returns the path itself or its nearest existing parent.
func nearest(path string) (string, error) {
	for {
		_, err := os.Lstat(path)
		up := filepath.Dir(path)
		if !errors.Is(err, fs.ErrNotExist) || up == path {
			return path, err
		}
		path = up
	}
}
