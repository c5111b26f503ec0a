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

// This file exports the lessons that a person has chosen.

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
	if path = d.fromHome(path); path == "" || path == "-" {
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
func (d Desk) plan(ctx context.Context, to Destination, ids []lessons.ID) (p *exchange.Plan, ls []lessons.Lesson, left []string, err error) {
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
