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

// A Desk offers import and export with a preview.
type Desk struct {
	*Publisher
	Corpus *curate.Corpus // of the publisher's library

	// Take reads a store and stores what is new as proposals, unless dry is set.
	Take func(ctx context.Context, s Store, wrote *exchange.Ledger, dry bool) (exchange.Report, error)
}

// Stores returns the stores at the usual places of other programs, to read from or to
// write to.
func (d Desk) Stores(write bool) (out []curate.Shop) {
	for _, f := range formats.All() {
		switch {
		case f.Places == nil, write && f.Name == formats.Memories: // read only
			continue
		case f.Server != nil:
			if name := d.World.Memory.Name(); name != "" {
				out = append(out, curate.Shop{Format: f.Name, Shown: name})
			}
			continue
		}
		for _, path := range f.Places(d.World) {
			if exists(path) && (write || f.Name == formats.Memories || f.Detect(path)) {
				out = append(out, curate.Shop{Format: f.Name, Path: path, Shown: d.Short(path)})
			}
		}
	}
	return out
}

// meant parses what a person typed: a path, the name of a format, or both.
func (d Desk) meant(text string) (format, path string) {
	text = strings.TrimSpace(text)
	format, path, _ = strings.Cut(text, " ")
	if !slices.Contains(formats.Names(), format) || exists(d.World.Absolute(text)) {
		format, path = "", text
	}
	return format, d.At(path)
}

// At expands ~ in a path that a person typed.
func (d Desk) At(path string) string {
	path = strings.TrimSpace(path)
	if rest, ok := strings.CutPrefix(path, "~"+string(filepath.Separator)); ok && d.World.Home != "" {
		return filepath.Join(d.World.Home, rest)
	}
	return path
}

// Import previews an import.
func (d Desk) Import(ctx context.Context, what string) (curate.Preview, error) {
	format, path := d.meant(what)
	if format == "" && path == "" {
		return curate.Preview{}, errors.New("type a file, a folder or the name of a format: " + strings.Join(formats.Names(), ", "))
	}
	sources, err := Sources(path, format, d.World)
	if err != nil {
		return curate.Preview{}, err
	}
	told, err := d.take(ctx, sources, true)
	if err != nil {
		return curate.Preview{}, err
	}
	p, come := curate.Preview{Title: "import from " + sources[0].Name}, 0
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

// take reads sources in order. On an error it returns the results so far.
func (d Desk) take(ctx context.Context, sources []Store, dry bool) (out []Told, err error) {
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

// mostTold is how many entries of a kind a preview lists.
const mostTold = 200

// tell writes the preview of a store's entries, new ones first.
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

// some writes one line for each of the first items.
func some[T any](b *strings.Builder, all []T, line func(T) string) {
	first(all, mostTold, func(x T) { b.WriteString(lessons.Line(line(x)) + "\n") }, func(n int) { fmt.Fprintf(b, "  and %d more\n", n) })
}

// first calls each for the first items, and more with the number of the others.
func first[T any](all []T, most int, each func(T), more func(int)) {
	for _, x := range all[:min(most, len(all))] {
		each(x)
	}
	if n := len(all) - most; n > 0 {
		more(n)
	}
}

// Export previews an export.
func (d Desk) Export(ctx context.Context, what string) (curate.Preview, error) {
	format, path := d.meant(what)
	if format == "" {
		found := formats.Detect(d.World.Absolute(path))
		if path == "" || !exists(d.World.Absolute(path)) || len(found) == 0 {
			return curate.Preview{}, errors.New("type a format, and a file or folder where that has no usual place, such as `json ~/lessons.json`; the formats are " + strings.Join(formats.Names(), ", "))
		}
		format = found[0].Name
	}
	to, err := To(format, path, d.World)
	if err != nil {
		return curate.Preview{}, err
	}
	if to.Path == "" {
		return curate.Preview{}, errors.New("there is no standard output here: name a file")
	}
	if to.Foreign() {
		if err := d.Corpus.MayDecide("write to the store of another program"); err != nil {
			return curate.Preview{}, err
		}
	}
	p := curate.Preview{Title: "export to " + to.Name}
	if to.Copy {
		p.Text = fmt.Sprintf("+ a copy of the corpus with its history in %s", d.Short(to.Path))
		p.Do = func(ctx context.Context) (string, error) {
			n, err := d.Corpus.CopyTo(ctx, to.Path)
			return fmt.Sprintf("copied %s with their history to %s", term.Plural(n, "lesson"), d.Short(to.Path)), err
		}
		err := d.Library.Each(ctx, func(l lessons.Lesson) { p.Leaving = append(p.Leaving, l) })
		return p, err
	}
	plan, ls, held, err := d.Publisher.Export(ctx, to, string(lessons.Approved), "")
	if err != nil {
		return curate.Preview{}, err
	}
	p.Text, p.Leaving, p.Do = d.changes(to, plan, held), ls, d.applied(plan)
	return p, nil
}

// applied returns a function that applies a plan, or nil for an empty plan.
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

// mostDiff is how many bytes of differences a preview shows.
const mostDiff = 64 << 10

// changes describes what a plan would write, and what the format cannot hold.
func (d Desk) changes(to Store, plan *exchange.Plan, held int) string {
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
	some(&b, plan.Notes, func(n string) string { return "! " + n })
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

// did describes what an applied plan has done.
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

// Forms returns the formats that can hold a selection of lessons: stand-alone texts, and
// stores that lessons are added to. A text made of all active lessons, such as a block in
// CLAUDE.md, is not among them.
func (d Desk) Forms() (out []curate.Form) {
	for _, f := range formats.All() {
		if f.Copy || f.Server != nil || f.Whole && f.Places != nil || f.Name == formats.Memories || f.Name == formats.Reminders {
			continue
		}
		form := curate.Form{Name: f.Name, About: f.About, Text: f.Whole}
		switch {
		case f.Whole:
			form.Path = d.Short(d.World.Absolute(d.free("lessons" + endOf(f.Name))))
		case f.Apart != "":
			form.Path = d.Short(d.World.Absolute(d.free(f.Apart)))
		default:
			if to, err := To(f.Name, "", d.World); err == nil {
				form.Path = d.Short(to.Path)
			}
		}
		out = append(out, form)
	}
	slices.SortStableFunc(out, func(a, b curate.Form) int { return rank(a) - rank(b) })
	return out
}

// rank sorts texts before stores, and texts for people first.
func rank(f curate.Form) int {
	if f.Text {
		return slices.Index([]string{"markdown", "json", "jsonl"}, f.Name)
	}
	return 9
}

func endOf(format string) string {
	if format == "markdown" {
		return ".md"
	}
	return "." + format
}

// free returns an unused file name like this one in the current folder.
func (d Desk) free(name string) string {
	end := filepath.Ext(name)
	stem := strings.TrimSuffix(name, end)
	for n := 2; exists(d.World.Absolute(name)); n++ {
		name = fmt.Sprintf("%s-%d%s", stem, n, end)
	}
	return name
}

// Chosen previews an export of these lessons, in a format, to a path that a person typed.
func (d Desk) Chosen(ctx context.Context, form, path string, ids []lessons.ID) (curate.Preview, error) {
	if path = d.At(path); path == "" || path == "-" {
		return curate.Preview{}, errors.New("name a file or folder")
	}
	to, err := To(form, path, d.World)
	if err != nil {
		return curate.Preview{}, err
	}
	if to.Foreign() {
		if err := d.Corpus.MayDecide("write to the store of another program"); err != nil {
			return curate.Preview{}, err
		}
	}
	plan, ls, left, err := d.plan(ctx, to, ids)
	if err != nil {
		return curate.Preview{}, err
	}
	p := curate.Preview{Title: fmt.Sprintf("export %s to %s", term.Plural(len(ls), "lesson"), to.Name), Leaving: ls, Do: d.applied(plan)}
	for _, e := range plan.Edits {
		if e.Before != nil && to.Whole {
			p.Over = d.Short(e.Path)
		}
	}
	if len(left) > 0 {
		p.Text = fmt.Sprintf("! left out: %s that nobody here has approved as they are: %s\n", term.Plural(len(left), "lesson"), strings.Join(left[:min(len(left), 5)], ", "))
	}
	p.Text += d.changes(to, plan, 0)
	return p, nil
}

// Copied returns the lessons of ids, and their text in a format.
func (d Desk) Copied(ctx context.Context, form string, ids []lessons.ID) (string, []lessons.Lesson, error) {
	to, err := To(form, "-", d.World)
	if err != nil {
		return "", nil, err
	}
	plan, ls, _, err := d.plan(ctx, to, ids)
	if err != nil {
		return "", nil, err
	}
	var b strings.Builder
	for _, e := range plan.Edits {
		b.Write(e.After)
	}
	return b.String(), ls, nil
}

// plan plans an export of the lessons of ids; it writes ls. A destination that other
// agents read only gets approved lessons; left has the titles of the others.
func (d Desk) plan(ctx context.Context, to Store, ids []lessons.ID) (p *exchange.Plan, ls []lessons.Lesson, left []string, err error) {
	for _, id := range ids {
		l, err := d.Library.Store.Get(id)
		switch {
		case err != nil:
			return nil, nil, nil, fmt.Errorf("reading %s: %w", id, err)
		case to.Foreign() && (l.Outside || l.Status != lessons.Approved):
			left = append(left, "“"+l.Title(40)+"”")
		default:
			ls = append(ls, l)
		}
	}
	slices.SortStableFunc(ls, func(x, y lessons.Lesson) int { return x.Created.Compare(y.Created) })
	if len(ls) == 0 {
		return nil, nil, nil, fmt.Errorf("%s gives its lessons to agents, and none of these is approved here", to.Name)
	}
	p, err = to.Plan(ctx, ls, d.State, exchange.Target{Now: d.Now()})
	return p, ls, left, err
}
