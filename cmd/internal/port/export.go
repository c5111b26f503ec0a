package port

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
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
	return Destination{f, within(w.Absolute(path), f.File)}, nil
}

// within returns the path of a store's file in the folder that a person named, which may
// be missing and may be one on the way to the file, such as .cursor of
// .cursor/rules/learnings.mdc. A path is a folder if one is there, or if nothing is there
// and its name, unlike the file's, has no extension.
func within(path, file string) string {
	base := filepath.Base(path)
	if file == "" || base == file {
		return path
	}
	info, err := os.Stat(path)
	if err == nil && !info.IsDir() || err != nil && (filepath.Ext(strings.TrimPrefix(base, ".")) != "" || filepath.Ext(strings.TrimPrefix(file, ".")) == "") {
		return path
	}
	file = filepath.FromSlash(file)
	for dir := filepath.Dir(file); dir != "."; dir = filepath.Dir(dir) {
		if strings.HasSuffix(path, string(filepath.Separator)+dir) {
			return filepath.Join(strings.TrimSuffix(path, dir), file)
		}
	}
	return filepath.Join(path, file)
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
	return d.visibly(ctx, to, ls)
}

// visibly plans without the characters that hide or turn text on a screen: what another
// program's agents and people read is what the person has approved by sight.
func (d Destination) visibly(ctx context.Context, to exchange.Target, ls []lessons.Lesson) (*exchange.Plan, error) {
	ls = slices.Clone(ls)
	var lost []lessons.ID
	for i := range ls {
		if visible(reflect.ValueOf(&ls[i]).Elem()) && ls[i].Status == lessons.Approved {
			lost = append(lost, ls[i].ID)
		}
	}
	p, err := d.Format.Plan(ctx, to, ls)
	if err != nil {
		return nil, fmt.Errorf("preparing to write %s: %w", d.Path, err)
	}
	for _, id := range lost {
		p.Lose(id, "its invisible characters")
	}
	return p, nil
}

// visible takes such characters out of every text of a value, and reports whether there
// were any. It changes no list that others have.
func visible(v reflect.Value) (hidden bool) {
	switch v.Kind() {
	case reflect.String:
		if hidden = lessons.Hidden(v.String()); hidden {
			v.SetString(lessons.Block(v.String()))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Field(i); f.CanSet() && visible(f) {
				hidden = true
			}
		}
	case reflect.Slice:
		own := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		reflect.Copy(own, v)
		for i := range own.Len() {
			hidden = visible(own.Index(i)) || hidden
		}
		if hidden {
			v.Set(own)
		}
	}
	return hidden
}

// ledger opens the record of what was written to the destination.
func (d Destination) ledger(dir string) (*exchange.Ledger, error) {
	return exchange.OpenLedger(dir, d.Name+":"+d.Path)
}

// WarnLosses lists what the format cannot hold, by lesson, and what else a person has to
// know of a plan.
func WarnLosses(out *term.Console, p *exchange.Plan, name string) {
	const most = 10
	first(p.Losses, most, func(l exchange.Loss) {
		out.Note("%s cannot hold of %s: %s", name, l.ID, lessons.Line(strings.Join(l.What, ", ")))
	}, func(n int) { out.Note("%s cannot hold all of %d more lessons", name, n) })
	for _, n := range p.Notes {
		out.Warn("%s", lessons.Line(n))
	}
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
	switch {
	case !p.Empty():
	case d.Foreign() && !d.Whole:
		out.Say("%s is up to date: nothing to write", d.Path)
		return nil
	case n == 0:
		out.Say("no lesson is for %s: nothing was written", d.Path)
		return nil
	default:
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
