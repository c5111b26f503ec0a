package port

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"learnings/cmd/internal/term"
	"learnings/index/curate"
	"learnings/lessons"
	"learnings/lessons/exchange"
	"learnings/lessons/exchange/formats"
)

// A Desk is import and export for a person who sees first what would change.
type Desk struct {
	*Publisher
	Corpus *curate.Corpus // that of the publisher's library

	// Take reads a store, and keeps what is new as proposals unless it is dry.
	Take func(ctx context.Context, s Source, wrote *exchange.Ledger, dry bool) (exchange.Report, error)
}

// A Store is one of another program that is on this machine.
type Store = curate.Shop

// A Preview is what an import or an export would do, and has not done.
type Preview = curate.Preview

// Stores are what is at the usual places of other programs: to read from, or to write to.
func (d Desk) Stores(write bool) (out []Store) {
	for _, f := range formats.All() {
		switch {
		case f.Places == nil, write && f.Name == formats.Memories: // which are only read
			continue
		case f.Server != nil:
			if name := d.World.Memory.Name(); name != "" {
				out = append(out, Store{Format: f.Name, Shown: name})
			}
			continue
		}
		for _, path := range f.Places(d.World) {
			if exists(path) && (write || f.Name == formats.Memories || f.Detect(path)) {
				out = append(out, Store{Format: f.Name, Path: path, Shown: d.Short(path)})
			}
		}
	}
	return out
}

// meant reads what a person typed: a path, the name of a format, or both.
func (d Desk) meant(text string) (format, path string) {
	text = strings.TrimSpace(text)
	format, path, _ = strings.Cut(text, " ")
	if !slices.Contains(formats.Names(), format) || exists(d.World.Absolute(text)) {
		format, path = "", text
	}
	return format, d.fromHome(path)
}

// fromHome is a path that a person typed, of which ~ is the home folder.
func (d Desk) fromHome(path string) string {
	path = strings.TrimSpace(path)
	if rest, ok := strings.CutPrefix(path, "~"+string(filepath.Separator)); ok && d.World.Home != "" {
		return filepath.Join(d.World.Home, rest)
	}
	return path
}

// Import tells what would come in from where the person means.
func (d Desk) Import(ctx context.Context, what string) (Preview, error) {
	format, path := d.meant(what)
	if format == "" && path == "" {
		return Preview{}, errors.New("type a file, a folder or the name of a format: " + strings.Join(formats.Names(), ", "))
	}
	sources, err := Sources(path, format, d.World)
	if err != nil {
		return Preview{}, err
	}
	told, err := d.take(ctx, sources, true)
	if err != nil {
		return Preview{}, err
	}
	p, come := Preview{Title: "import from " + sources[0].Name}, 0
	var b strings.Builder
	for _, t := range told {
		come += len(t.New) + len(t.Raised)
		d.tell(&b, t)
	}
	if p.Text = b.String(); come > 0 {
		p.Do = func(ctx context.Context) (string, error) {
			told, err := d.take(ctx, sources, false)
			var says []string
			for _, t := range told {
				says = append(says, t.Summary())
			}
			return strings.Join(says, "; "), err
		}
	}
	return p, nil
}

// take reads the sources, one after the other. With an error it gives those before.
func (d Desk) take(ctx context.Context, sources []Source, dry bool) (out []Told, err error) {
	for _, s := range sources {
		wrote, err := s.Ledger(d.State)
		if err != nil {
			return out, err
		}
		r, err := d.Take(ctx, s, wrote, dry)
		if err != nil {
			return out, err
		}
		r.Path = d.Short(r.Path)
		out = append(out, Told{Report: r, ByFile: s.Name == formats.Memories})
	}
	return out, nil
}

// mostTold is how many entries of a kind a preview names.
const mostTold = 200

// tell writes what would become of a store's entries, the new ones first.
func (d Desk) tell(b *strings.Builder, t Told) {
	fmt.Fprintf(b, "%s\n\n", t.Summary())
	some(b, t.New, func(l lessons.Lesson) string {
		return fmt.Sprintf("+ %s (%s)", l.Title(200), d.Short(t.Places[l.ID]))
	})
	some(b, t.Raised, func(r exchange.Raised) string {
		return fmt.Sprintf("+ from %s to %s: it has the keywords of %q", r.From, r.To, r.Lesson.Title(80))
	})
	some(b, t.Unread, func(u exchange.Unread) string {
		u.Path = d.Short(u.Path)
		return "! not read: " + u.Error()
	})
	some(b, t.Known, func(k exchange.Recognised) string {
		return fmt.Sprintf("= %s (%s here, %s)", k.Lesson.Title(200), k.ID, k.Status)
	})
	b.WriteString("\n")
}

// some writes a line each for the first of many.
func some[T any](b *strings.Builder, all []T, line func(T) string) {
	first(all, mostTold, func(x T) { b.WriteString(lessons.Line(line(x)) + "\n") }, func(n int) { fmt.Fprintf(b, "  and %d more\n", n) })
}

// first does something with the first of many, and something else with how many more
// there are.
func first[T any](all []T, most int, each func(T), more func(int)) {
	for _, x := range all[:min(most, len(all))] {
		each(x)
	}
	if n := len(all) - most; n > 0 {
		more(n)
	}
}

// Export tells what would be written where the person means.
func (d Desk) Export(ctx context.Context, what string) (Preview, error) {
	format, path := d.meant(what)
	if format == "" {
		found := formats.Detect(d.World.Absolute(path))
		if path == "" || !exists(d.World.Absolute(path)) || len(found) == 0 {
			return Preview{}, errors.New("type a format, and a file or folder where that has no usual place, such as `json ~/lessons.json`; the formats are " + strings.Join(formats.Names(), ", "))
		}
		format = found[0].Name
	}
	to, err := To(format, path, d.World)
	if err != nil {
		return Preview{}, err
	}
	if to.Path == "" {
		return Preview{}, errors.New("there is no standard output here: name a file")
	}
	if to.Foreign() {
		if err := d.Corpus.MayDecide("write to the store of another program"); err != nil {
			return Preview{}, err
		}
	}
	p := Preview{Title: "export to " + to.Name}
	if to.Copy {
		p.Text = fmt.Sprintf("+ a copy of the corpus with its history in %s", d.Short(to.Path))
		p.Do = func(ctx context.Context) (string, error) {
			n, err := d.Corpus.CopyTo(ctx, to.Path)
			return fmt.Sprintf("copied %s with their history to %s", term.Plural(n, "lesson"), d.Short(to.Path)), err
		}
		return p, nil
	}
	plan, _, held, err := d.Publisher.Export(ctx, to, string(lessons.Approved), "")
	if err != nil {
		return Preview{}, err
	}
	p.Text = d.changes(to, plan, held)
	p.Do = d.applied(plan)
	return p, nil
}

// applied does what a plan says; nil for a plan of nothing.
func (d Desk) applied(plan *exchange.Plan) func(context.Context) (string, error) {
	if plan.Empty() {
		return nil
	}
	return func(ctx context.Context) (string, error) {
		if err := plan.Apply(ctx); errors.Is(err, exchange.ErrChanged) {
			return "", fmt.Errorf("%w; nothing was lost: do it again", err)
		} else if err != nil {
			return "", err
		}
		return strings.Join(did(plan, d.Short), ", "), nil
	}
}

// mostDiff is the most bytes of differences that a preview shows.
const mostDiff = 64 << 10

// changes tells what a plan would write, and what of the lessons has no place there.
func (d Desk) changes(to Destination, plan *exchange.Plan, held int) string {
	var b strings.Builder
	if plan.Empty() {
		fmt.Fprintf(&b, "%s is up to date\n", d.Short(to.Path))
	} else if len(plan.Rows) == 0 && !slices.ContainsFunc(plan.Edits, func(e exchange.Edit) bool { return e.Before != nil }) {
		fmt.Fprintf(&b, "%s, which is not there yet\n", d.Short(to.Path))
	} else {
		fmt.Fprintf(&b, "%s; a copy is kept of each file before it is changed for the first time\n", d.Short(to.Path))
	}
	b.WriteString("\n")
	if held > 0 {
		fmt.Fprintf(&b, "! %s that another program wrote wait to be confirmed, and are left out\n", term.Plural(held, "lesson"))
	}
	some(&b, plan.Losses, func(l exchange.Loss) string {
		return fmt.Sprintf("! it cannot hold of %s: %s", l.ID, strings.Join(l.What, ", "))
	})
	diff := plan.Diff()
	if len(diff) > mostDiff {
		lines := strings.Count(diff[mostDiff:], "\n")
		diff = strings.ToValidUTF8(diff[:mostDiff], "") + fmt.Sprintf("\n  and %d more lines\n", lines)
	}
	return b.String() + diff
}

// did says what a plan has done, once it was applied.
func did(p *exchange.Plan, short func(string) string) (out []string) {
	for _, e := range p.Edits {
		what := "changed"
		switch {
		case e.Before == nil:
			what = "made"
		case e.After == nil:
			what = "removed"
		}
		out = append(out, what+" "+short(e.Path))
	}
	for _, r := range p.Rows {
		out = append(out, "added "+r)
	}
	return out
}
