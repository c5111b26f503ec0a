package page

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"learnings/index/curate"
	"learnings/lessons"
)

// A Maker makes pages for the desk.
type Maker struct {
	Source
	Home    string // this user's home folder, which is removed from texts
	Dir     string // the base of relative paths
	Trusted bool   // see [Page]
	Short   func(path string) string
}

// Some previews a page of these lessons and the figures of the corpus, in the file that a
// person typed. It shows no evidence.
func (m Maker) Some(ctx context.Context, title, file string, ids []lessons.ID) (curate.Preview, error) {
	if rest, ok := strings.CutPrefix(file, "~"+string(filepath.Separator)); ok && m.Home != "" {
		file = filepath.Join(m.Home, rest)
	}
	if !filepath.IsAbs(file) {
		file = filepath.Join(m.Dir, file)
	}
	p := &Page{Title: title, Home: m.Home, Made: m.Library.Now(), Trusted: m.Trusted, Only: make(map[lessons.ID]bool, len(ids))}
	for _, id := range ids {
		p.Only[id] = true
	}
	if err := p.Gather(ctx, m.Source); err != nil {
		return curate.Preview{}, err
	}
	out := curate.Preview{Title: "write a page for a browser"}
	var n meter
	n.w = io.Discard
	if _, err := p.Write(&n); err != nil {
		return curate.Preview{}, err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %.1f MB: one file, which asks no network for anything\n\n", m.Short(file), float64(n.n)/1e6)
	fmt.Fprintf(&b, "+ %s\n", counted(len(p.Lessons), "lesson")+", with a search")
	b.WriteString("+ figures of the whole corpus, and mistakes that come back\n")
	if p.Left > 0 {
		fmt.Fprintf(&b, "! not listed, because they were rejected or went into others: %s\n", Count(p.Left))
	}
	b.WriteString("  left out: secrets, home folders, files, sessions and what was said\n")
	if was, err := os.Stat(file); err == nil {
		if out.Over = m.Short(file); was.IsDir() {
			return curate.Preview{}, fmt.Errorf("%s is a folder: name a file in it", m.Short(file))
		}
	}
	out.Text, out.Leaving = b.String(), p.Lessons
	out.Do = func(context.Context) (string, error) {
		says, err := p.Save(file, out.Over != "")
		return "wrote " + m.Short(file) + ": " + says, err
	}
	return out, nil
}
