package main

import (
	"context"
	"fmt"

	"learnings/cmd/internal/port"
	"learnings/cmd/internal/term"
	"learnings/lessons"
	"learnings/lessons/exchange"
	"learnings/lessons/exchange/formats"
)

func share(ctx context.Context, a *app, words []string, evidence, dryRun bool) error {
	if _, err := a.decider("share lessons"); err != nil {
		return err
	}
	ls, err := a.named(words)
	if err != nil {
		return err
	}
	var ids []lessons.ID
	for _, l := range ls {
		if l.Status != lessons.Approved || l.Outside {
			return term.Hint(fmt.Errorf("%w: %s is not approved by you", lessons.ErrInvalid, l.ID), "`learnings approve %s`, then export it", l.ID)
		}
		ids = append(ids, l.ID)
	}
	d, err := port.Team(a.world(), ids, evidence)
	if err != nil {
		return err
	}
	plan, err := d.Plan(ctx, ls, a.places.Exchanges(), exchange.Target{Now: a.now()})
	if err != nil {
		return port.Advised(err)
	}
	port.WarnLosses(a.Console, plan, d.Name)
	if dryRun {
		port.Show(a.Console, plan)
		return nil
	}
	return d.Write(ctx, a.Console, plan, len(ls))
}

// fromTeam takes in what the team of the project here has that is new. It is a service
// beside what was asked for: a failure is a warning.
func fromTeam(a *app, ctx context.Context) {
	if _, err := a.curated(); err != nil {
		return // whoever needs the corpus says so
	}
	news, seen := port.TeamNews(a.world(), a.places.Exchanges())
	for _, s := range news {
		in, err := a.informed(ctx, a.Warn)
		if err != nil {
			return
		}
		report, err := in.Import(ctx, s.Name, s.Format, s.Path, nil, false)
		if err == nil {
			_, err = released(a, report)
		}
		if err == nil {
			err = seen()
		}
		if err != nil {
			a.Warn("the lessons of the team: %v", err)
			return
		}
		if len(report.New) > 0 {
			a.follow(ctx)
			a.Note("%s", port.Told{Report: report}.Summary())
		}
	}
}

// released lets the approvals of a team count that were made by people who are trusted.
// In the session of an agent none does.
func released(a *app, r exchange.Report) ([]lessons.Lesson, error) {
	if r.Format != formats.Team || r.Dry || a.agent() != "" {
		return nil, nil
	}
	c, err := a.decider("let what others approved count")
	if err != nil {
		return nil, err
	}
	conf, err := a.configuration()
	if err != nil {
		return nil, err
	}
	return c.Release(conf.Trust.Value, r.New)
}
