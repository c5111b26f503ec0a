package doctor

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"learnings/cmd/internal/term"
)

// folders looks at who may read and write where lessons and their state lie. Neither need
// exist before something is written there.
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
	case readByOthers(info):
		return Notable(name, "chmod -R go-rwx "+term.ShellQuote(dir), "other users of this machine may read %s", where)
	}
	return Fine(name, "%s", where)
}

// readByOthers reports that a folder lets others in. Below one that does not, it does not
// matter what may be read.
func readByOthers(info fs.FileInfo) bool { return tellsModes && info.Mode().Perm()&0o055 != 0 }

// nearest is a path itself, or the folder that is there of those above it.
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

const (
	tooLittle = 50 << 20  // bytes: a rebuild of a large index does not fit
	notMuch   = 500 << 20 // bytes
	mostFiles = 10_000    // that are added up: a state folder has some hundred
)

// space looks at what is left on the disks, and what the state takes.
func (c Corpus) space(ctx context.Context) []Check {
	const name = "space"
	text := "the state takes " + term.Size(sizeOf(ctx, c.State, mostFiles))
	if c.Deep {
		text += ", the lessons " + term.Size(sizeOf(ctx, c.Dir, 0))
	}
	for _, dir := range []string{c.Dir, c.State} {
		at, err := nearest(dir)
		if err != nil {
			continue // said of the folder
		}
		if left, known := free(at); known && left < notMuch {
			return []Check{short(left, c.Short(at), text)}
		} else if known && dir == c.State {
			text = term.Size(int64(min(left, 1<<62))) + " free; " + text
		}
	}
	return []Check{Fine(name, "%s", text)}
}

// short is said of a disk that is nearly full.
func short(left uint64, where, text string) Check {
	is := fmt.Sprintf("%s left where %s lies; %s", term.Size(int64(left)), where, text)
	if left < tooLittle {
		return Bad("space", "make room: what is decided may not be written any more", "%s", is)
	}
	return Notable("space", "make room", "%s", is)
}

// sizeOf adds up the files below a folder, at most so many (0 for all).
func sizeOf(ctx context.Context, dir string, most int) (size int64) {
	n := 0
	_ = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if ctx.Err() != nil || most > 0 && n > most {
			return fs.SkipAll
		}
		if n++; err != nil || !d.Type().IsRegular() {
			return nil
		}
		if info, err := d.Info(); err == nil {
			size += info.Size()
		}
		return nil
	})
	return size
}
