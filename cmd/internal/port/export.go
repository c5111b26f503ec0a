package port

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"learnings/cmd/internal/term"
	"learnings/lessons"
	"learnings/lessons/exchange"
	"learnings/lessons/exchange/formats"
)

// A Destination is where and in which format lessons are written.
type Destination struct {
	formats.Named
	Path string // "" for standard output
}

// To finds the destination that a person means: a file or folder, "-" for standard
// output, or "" for the usual place of the format's program.
func To(name, path string, w formats.World) (Destination, error) {
	f, err := formats.Find(name)
	if err != nil {
		return Destination{}, term.Usagef("%v", err)
	}
	if f.Server != nil {
		name, err := serverOf(&f, "", w)
		return Destination{f, name}, err
	}
	f = f.For(w)
	switch {
	case path == "-" && f.Places != nil:
		return Destination{}, term.Usagef("%s is a store, not a text: name its file or folder", f.Name)
	case path == "-":
		path = ""
	case path == "" && f.Places == nil:
		return Destination{}, term.Usagef("export to %s needs a file, or - for standard output", f.Name)
	case path == "":
		places := f.Places(w)
		if len(places) == 0 {
			return Destination{}, term.Usagef("where %s keeps its store is not known here: name its file or folder", f.Name)
		}
		path = places[0]
		for _, p := range places {
			if exists(p) {
				path = p
				break
			}
		}
	}
	if path = w.Absolute(path); f.File != "" && filepath.Base(path) != f.File {
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			path = filepath.Join(path, filepath.FromSlash(f.File))
		}
	}
	return Destination{f, path}, nil
}

// Foreign reports whether another program reads the destination and gives it to its
// agents. Only lessons that a person approved may go there.
func (d Destination) Foreign() bool { return d.Places != nil }

// Plan plans the changes that make the destination hold the lessons; to has the time and
// the lessons' history. The folder ledgers records what was written to which store.
func (d Destination) Plan(ctx context.Context, ls []lessons.Lesson, ledgers string, to exchange.Target) (*exchange.Plan, error) {
	if to.Path = d.Path; d.Foreign() {
		var err error
		if to.Ledger, err = d.ledger(ledgers); err != nil {
			return nil, err
		}
	}
	p, err := d.Format.Plan(ctx, to, ls)
	if err != nil {
		return nil, fmt.Errorf("preparing to write %s: %w", d.Path, err)
	}
	return p, nil
}

// ledger opens the record of what was written to the destination.
func (d Destination) ledger(dir string) (*exchange.Ledger, error) {
	return exchange.OpenLedger(dir, d.Name+":"+d.Path)
}

// WarnLosses lists what the format cannot hold, by lesson.
func WarnLosses(out *term.Console, p *exchange.Plan, name string) {
	const most = 10
	first(p.Losses, most, func(l exchange.Loss) {
		out.Note("%s cannot hold of %s: %s", name, l.ID, lessons.Line(strings.Join(l.What, ", ")))
	}, func(n int) { out.Note("%s cannot hold all of %d more lessons", name, n) })
}

// Show prints what a plan would change.
func Show(out *term.Console, p *exchange.Plan) {
	if p.Empty() {
		out.Say("nothing would change")
		return
	}
	fmt.Fprint(out.Out, lessons.Block(p.Diff()))
}

// Write applies the plan and prints the result. Without a path it writes the text to
// standard output.
func (d Destination) Write(ctx context.Context, out *term.Console, p *exchange.Plan, n int) error {
	if d.Path == "" {
		for _, e := range p.Edits {
			text := string(e.After)
			if out.Terminals.Out {
				text = lessons.Block(text)
			}
			fmt.Fprint(out.Out, text)
		}
		return nil
	}
	if p.Empty() {
		out.Say("%s is up to date with %s", d.Path, term.Plural(n, "lesson"))
		return nil
	}
	if err := p.Apply(ctx); err != nil {
		return Advised(err)
	}
	for _, done := range did(p, func(path string) string { return path }) {
		out.Say("%s", done)
	}
	return nil
}
