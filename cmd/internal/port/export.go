package port

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"learnings/cmd/internal/term"
	"learnings/index"
	"learnings/index/curate"
	"learnings/lessons"
	"learnings/lessons/exchange"
	"learnings/lessons/exchange/formats"
)

// To finds the destination that a person means: a file or folder, "-" for standard
// output, or "" for the usual place of the format's program.
func To(name, path string, w formats.World) (Store, error) {
	f, err := formats.Find(name)
	if err != nil {
		return Store{}, term.Usagef("%v", err)
	}
	if f.Server != nil {
		name, err := serverOf(&f, "", w)
		return Store{f, name}, err
	}
	f = f.For(w)
	switch {
	case path == "-" && f.Places != nil:
		return Store{}, term.Usagef("%s is a store, not a text: name its file or folder", f.Name)
	case path == "-":
		path = ""
	case path == "" && f.Places == nil:
		return Store{}, term.Usagef("export to %s needs a file, or - for standard output", f.Name)
	case path == "":
		places := f.Places(w)
		if len(places) == 0 {
			return Store{}, term.Usagef("where %s keeps its store is not known here: name its file or folder", f.Name)
		}
		path = places[0]
		for _, p := range places {
			if exists(p) {
				path = p
				break
			}
		}
	}
	return Store{f, within(w.Absolute(path), f.File)}, nil
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

// Plan plans the changes that make the destination hold the lessons; to has the time and
// the lessons' history. The folder ledgers records what was written to which store.
func (d Store) Plan(ctx context.Context, ls []lessons.Lesson, ledgers string, to exchange.Target) (*exchange.Plan, error) {
	var err error
	if to.Ledger, err = d.Ledger(ledgers); err != nil {
		return nil, err
	}
	to.Path = d.Path
	return d.visibly(ctx, to, ls)
}

// visibly plans without the characters that hide or turn text on a screen: what another
// program's agents and people read is what the person has approved by sight.
func (d Store) visibly(ctx context.Context, to exchange.Target, ls []lessons.Lesson) (*exchange.Plan, error) {
	ls = slices.Clone(ls)
	var lost []lessons.ID
	for i := range ls {
		if visible(reflect.ValueOf(&ls[i]).Elem()) && ls[i].Status == lessons.Approved {
			lost = append(lost, ls[i].ID)
		}
	}
	p, err := d.Format.Plan(ctx, to, ls)
	if err != nil && strings.Contains(err.Error(), d.Path) {
		return nil, err
	}
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
func (d Store) Write(ctx context.Context, out *term.Console, p *exchange.Plan, n int) error {
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

// A Publisher keeps the person's chosen targets up to date with the approved lessons.
type Publisher struct {
	Targets map[string]string // the format of each file or folder
	Library *curate.Library   // its index must be up to date
	Project func(dir string) string
	World   formats.World
	State   string // the folder with the record of what was written
	Now     func() time.Time
	Short   func(path string) string // formats a path for people

	// Suspect describes why an update that nobody is asked about leaves a lesson out; "" if
	// it does not. It is not nil if there are Targets.
	Suspect func(lessons.Lesson) string

	mu      sync.Mutex
	ledgers map[string]*exchange.Ledger // by target, as last read
}

// A Publication is the pending update of one target.
type Publication struct {
	Store
	*exchange.Plan
	Left []string // what [Publisher.Suspect] says of the lessons that are left out
	Err  error
}

// Unheld reports whether a server cannot store all of a lesson. The person is told once:
// a server's plan only has lessons that changed.
func (p Publication) Unheld() bool { return p.Server != nil && len(p.Losses) > 0 }

// Plans returns the pending updates of all targets, sorted by path.
func (p *Publisher) Plans(ctx context.Context) []Publication {
	var out []Publication
	for _, path := range slices.Sorted(maps.Keys(p.Targets)) {
		d, err := To(p.Targets[path], p.World.Absolute(path), p.World)
		pub := Publication{Store: d, Err: err}
		pub.Path = cmp.Or(pub.Path, path)
		if err == nil {
			pub.Plan, pub.Err = p.Plan(ctx, d, func(l lessons.Lesson) bool {
				why := p.Suspect(l)
				if why != "" {
					pub.Left = append(pub.Left, why)
				}
				return why != ""
			})
		}
		out = append(out, pub)
	}
	return out
}

// Publish updates the targets and returns those that were out of date or leave lessons out.
// A failed one has an error, and does not stop the others.
func (p *Publisher) Publish(ctx context.Context) []Publication {
	var out []Publication
	for _, pub := range p.Plans(ctx) {
		if pub.Err == nil {
			pub.Err = pub.Plan.Apply(ctx) // an empty plan too: it records how far the target has followed
		}
		if pub.Err != nil || !pub.Empty() || pub.Unheld() || len(pub.Left) > 0 {
			out = append(out, pub)
		}
	}
	return out
}

// Plan plans the update of one target. A store gets the changes since the last update; a
// text is written whole. It leaves out the approved lessons that stay.
func (p *Publisher) Plan(ctx context.Context, d Store, stays func(lessons.Lesson) bool) (*exchange.Plan, error) {
	if !d.Whole {
		return p.changed(ctx, d, stays)
	}
	q := index.Query{}.Where(index.Status, string(lessons.Approved))
	project, everywhere := p.holds(d)
	if everywhere && d.Foreign() {
		q = q.Where(index.Global, "yes")
	} else if !everywhere {
		q = q.Where(index.Project, project)
	}
	hits, err := p.Library.Index.All(ctx, q)
	if err != nil {
		return nil, err
	}
	// Give agents exactly what the files say now.
	ls, err := p.Library.Whole(term.Map(hits, func(h index.Hit) lessons.Lesson { return h.Lesson }))
	if err != nil {
		return nil, err
	}
	ls = slices.DeleteFunc(ls, func(l lessons.Lesson) bool {
		return l.Status != lessons.Approved || l.Outside || !everywhere && l.Scope.Global || stays(l)
	})
	return d.Plan(ctx, ls, p.State, exchange.Target{Now: p.Now()})
}

// Export plans an export to a destination and returns its lessons, or what a destination of
// another program holds already if nothing changes: those with a status or "all", in a project and global, or in any project for "". Without a project, a text
// that agents read gets the lessons that belong there, as when published. Destinations of
// other programs only get lessons that a person approved; held counts those to be
// confirmed.
func (p *Publisher) Export(ctx context.Context, to Store, status, project string) (plan *exchange.Plan, ls []lessons.Lesson, held int, err error) {
	err = p.Library.Each(ctx, func(l lessons.Lesson) {
		switch {
		case project != "" && l.Scope.Project != project && !l.Scope.Global:
		case to.Foreign() && l.Outside:
			held++
		case status == "all" || string(l.Status) == status, to.Foreign():
			ls = append(ls, l)
		}
	})
	slices.SortStableFunc(ls, func(x, y lessons.Lesson) int { return x.Created.Compare(y.Created) })
	switch {
	case err != nil:
	case to.Whole && to.Foreign() && project == "":
		if _, err = p.Library.Sync(ctx); err == nil {
			ls = nil
			plan, err = p.Plan(ctx, to, func(l lessons.Lesson) bool {
				ls = append(ls, l)
				return false
			})
		}
	default:
		plan, err = to.Plan(ctx, ls, p.State, exchange.Target{Now: p.Now()})
	}
	if err == nil && to.Foreign() {
		ls = slices.DeleteFunc(ls, func(l lessons.Lesson) bool {
			return l.Status != lessons.Approved || to.Whole && plan.Empty() && !p.has(to, l)
		})
	}
	return plan, ls, held, err
}

// In returns the paths of the targets that hold a lesson, sorted and formatted for
// people. It caches instruction files until they change. It is safe for concurrent use.
func (p *Publisher) In(l lessons.Lesson) (paths []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, path := range slices.Sorted(maps.Keys(p.Targets)) {
		if d, err := To(p.Targets[path], p.World.Absolute(path), p.World); err == nil && p.has(d, l) {
			paths = append(paths, p.Short(d.Path))
		}
	}
	return paths
}

// has reports whether a target holds a lesson. Files for people hold all approved lessons
// and are not read.
func (p *Publisher) has(d Store, l lessons.Lesson) bool {
	if d.Whole && !d.Foreign() {
		return l.Status == lessons.Approved && !l.Outside
	}
	if f, ok := d.Format.(exchange.Holder); ok {
		project, everywhere := p.holds(d)
		return l.Scope.Global == everywhere && (everywhere || l.Scope.Project == project) && f.Holds(d.Path, l)
	}
	ledger := p.ledgers[d.Path]
	if ledger == nil || !ledger.Current() {
		var err error
		if ledger, err = d.Ledger(p.State); err != nil {
			return false // publishing reports the error
		}
		if p.ledgers == nil {
			p.ledgers = map[string]*exchange.Ledger{}
		}
		p.ledgers[d.Path] = ledger
	}
	_, ok := ledger.Of(l.ID)
	return ok
}

// holds returns the project whose lessons an instruction file is for: the one it is in, or
// everywhere for the person's own folders and other places.
func (p *Publisher) holds(d Store) (project string, everywhere bool) {
	rel, err := filepath.Rel(p.World.Home, d.Path)
	own := err == nil && p.World.Home != "" && (strings.HasPrefix(rel, ".") && !strings.HasPrefix(rel, "..") || !strings.ContainsRune(rel, filepath.Separator))
	if own || !d.Foreign() {
		return "", true
	}
	dir := d.Path
	if filepath.Ext(dir) != "" {
		dir = filepath.Dir(dir)
	}
	for strings.HasPrefix(filepath.Base(dir), ".") || filepath.Base(dir) == "rules" {
		dir = filepath.Dir(dir) // an agent's folder within the project
	}
	return p.Project(dir), false
}

// changed plans the changes since the target's last update. It plans them again as long as
// a lesson stays.
func (p *Publisher) changed(ctx context.Context, d Store, stays func(lessons.Lesson) bool) (*exchange.Plan, error) {
	ledger, err := d.Ledger(p.State)
	if err != nil {
		return nil, err
	}
	end, latest := ledger.Through(), map[lessons.ID]lessons.Lesson{}
	read := func(since lessons.Cursor) error {
		for ch, err := range p.Library.Store.Since(since) {
			if err != nil {
				return err
			}
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if ch.Cursor != "" {
				end = ch.Cursor
			}
			l := ch.Subject()
			l.ID = ch.ID
			if ch.After == nil || l.Outside {
				l.Status = lessons.Archived // to be removed, if it is there
			}
			latest[ch.ID] = l
		}
		return nil
	}
	err = read(end)
	if errors.Is(err, lessons.ErrCursor) {
		clear(latest)
		end = ""
		err = read("")
	}
	if err != nil {
		return nil, fmt.Errorf("reading what has changed: %w", err)
	}
	var ls []lessons.Lesson
	for _, id := range slices.Sorted(maps.Keys(latest)) {
		_, there := ledger.Of(id)
		switch l := latest[id]; {
		case l.Status == lessons.Approved && stays(l):
			end = ""
		case there || l.Status == lessons.Approved:
			ls = append(ls, l)
		}
	}
	plan := exchange.NewPlan(exchange.Target{Ledger: ledger}, d.Format, nil)
	if len(ls) > 0 {
		if plan, err = d.visibly(ctx, exchange.Target{Path: d.Path, Now: p.Now(), Ledger: ledger}, ls); err != nil {
			return nil, err
		}
	}
	plan.Through = end
	return plan, nil
}
