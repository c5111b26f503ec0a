package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"learnings/cmd/internal/term"
	"learnings/extractor/intake"
	"learnings/extractor/model"
	"learnings/index"
	"learnings/index/curate"
	"learnings/lessons"
)

// mostWaiting is how many of the proposals of a project that wait are looked at.
const mostWaiting = 500

// compare has a model look, once for each project in which a run has found proposals, at
// those and the ones that wait. It returns what was found as it is now, or as it would be
// in a dry run, and all proposals with a remark. The error says what was not compared,
// and why; nothing is changed for it.
func compare(ctx context.Context, a *app, p *model.Proposer, found []lessons.Lesson, dry bool) (now, advised []lessons.Lesson, _ error) {
	var projects []string
	of := make(map[string][]lessons.Lesson)
	for _, l := range found {
		if len(of[l.Scope.Project]) == 0 {
			projects = append(projects, l.Scope.Project)
		}
		of[l.Scope.Project] = append(of[l.Scope.Project], l)
	}
	var errs []error
	for _, project := range projects {
		ls, err := compareIn(ctx, a, p, project, of[project], dry)
		if advised = append(advised, ls...); err != nil {
			errs = append(errs, fmt.Errorf("comparing the proposals of %s: %w", lessons.Line(project), ceilingHint(err)))
		}
	}
	now = slices.Clone(found)
	for i, l := range now {
		if k := slices.IndexFunc(advised, func(o lessons.Lesson) bool { return o.ID == l.ID }); k >= 0 {
			now[i] = advised[k]
		}
	}
	return now, advised, errors.Join(errs...)
}

func compareIn(ctx context.Context, a *app, p *model.Proposer, project string, fresh []lessons.Lesson, dry bool) (advised []lessons.Lesson, err error) {
	page, err := curate.Ask(ctx, &a.corpus.Library, func(ctx context.Context, x *index.Index) (index.Page, error) {
		return x.Search(ctx, index.Query{Limit: mostWaiting, Sort: index.Confirmed}.Where(index.Status, string(lessons.Pending)).Where(index.Project, project))
	})
	if err != nil {
		return nil, err
	}
	excluded := a.exclusion().Of
	waiting := slices.DeleteFunc(page.Shown(), func(l lessons.Lesson) bool { // no model sees these unless it is asked about one
		return slices.ContainsFunc(l.Evidence, func(e lessons.Evidence) bool { return excluded("", e.Path) != "" })
	})
	c, err := p.Compare(ctx, project, fresh, waiting)
	if err != nil {
		return nil, err
	}
	says, lower := make(map[lessons.ID][]string), make(map[lessons.ID]bool)
	for _, r := range c.Remarks {
		says[r.On], lower[r.On] = append(says[r.On], r.Says), lower[r.On] || r.Lower
	}
	for _, l := range slices.Concat(fresh, waiting) {
		if len(says[l.ID]) == 0 || slices.ContainsFunc(advised, func(o lessons.Lesson) bool { return o.ID == l.ID }) {
			continue
		}
		if dry {
			l = intake.Advised(l, says[l.ID], lower[l.ID])
		} else if l, err = intake.Advise(a.corpus.Store, l.ID, says[l.ID], lower[l.ID]); err != nil {
			return advised, err
		}
		advised = append(advised, l)
	}
	if more := page.Total - len(page.Hits); c.Left+more > 0 {
		err = fmt.Errorf("%s had no room in the call", term.Plural(c.Left+more, "proposal"))
	}
	if c.Ignored > 0 {
		err = errors.Join(err, fmt.Errorf("%s of the model left out: they name no two proposals, or what cannot be so", term.Plural(c.Ignored, "remark")))
	}
	return advised, err
}
