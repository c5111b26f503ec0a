package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"learnings/cmd/internal/term"
	"learnings/extractor/intake"
	"learnings/extractor/model"
	"learnings/index/curate"
	"learnings/lessons"
	"learnings/lessons/match"
	"learnings/tui/desk"
)

// reword has a model word a proposal better, which becomes an offer, and lets the
// person take it.
func reword(ctx context.Context, a *app, c *curate.Corpus, o modelOptions, l lessons.Lesson) (lessons.Lesson, error) {
	p, err := agreedAsker(ctx, a, o)
	if err != nil {
		return l, err
	}
	defer tellSpent(a, p)
	if l, err = offerWording(ctx, a, p, l); err != nil {
		return l, err
	}
	for _, d := range curate.Offered(l) {
		a.Note("%s: %s", d.Field, match.Marked(d.Before, d.After))
	}
	if !a.Interactive() {
		a.Note("by %s; `learnings edit %s --take` takes it", l.Offer.Extractor, l.ID)
		return l, errDeclined
	}
	answer, err := a.Ask(ctx, "Take this wording? [y]es, [N]o ")
	if err != nil || !strings.HasPrefix(strings.ToLower(answer), "y") {
		a.Say("%s  is offered it; `learnings edit %s --take` takes it later", l.ID, l.ID)
		return l, errDeclined
	}
	return c.Decide(curate.Take, l)
}

// offerWording asks for a better wording of a proposal and stores it as an offer.
func offerWording(ctx context.Context, a *app, p *model.Proposer, l lessons.Lesson) (lessons.Lesson, error) {
	if l.Status != lessons.Pending {
		return l, fmt.Errorf("%s is %s: a model words proposals only", l.ID, l.Status)
	}
	u, err := p.Reword(ctx, l)
	switch {
	case err != nil:
		return l, ceilingHint(err)
	case u.Different != "":
		return l, fmt.Errorf("%w: %s has no better wording: %s", curate.ErrNothing, p.Name(), u.Why())
	case u.Dropped != "":
		return l, term.Hint(fmt.Errorf("the wording of %s is not to be trusted: %s", p.Name(), u.Why()), "nothing was changed; ask another model, or word it yourself")
	case u.Wording.Content == l.Content && u.Wording.Insight == l.Insight:
		return l, fmt.Errorf("%w: %s words it the same", curate.ErrNothing, p.Name())
	}
	s, err := a.corpus()
	if err != nil {
		return l, err
	}
	return intake.Offer(s, l, u.Wording, p.Name())
}

// deskReword plans for the desk to have a proposal worded by the model that is
// offered first.
func deskReword(ctx context.Context, a *app, l lessons.Lesson) (desk.RewordRun, error) {
	at, err := modelsAtHand(ctx, a)
	if err != nil {
		return desk.RewordRun{}, err
	}
	if len(at) == 0 {
		return desk.RewordRun{}, errNoModel
	}
	c, err := a.configuration()
	if err != nil {
		return desk.RewordRun{}, err
	}
	p, err := newAsker(a, modelOptions{name: at[0].Model, budget: c.Learning.Budget.Value, ceiling: c.Learning.MaxUSDPerRun.Value, quiet: true})
	if err != nil {
		return desk.RewordRun{}, err
	}
	call, ok := p.PrepareReword(l)
	if !ok {
		return desk.RewordRun{}, errors.New("the proposal is too long to be sent")
	}
	return desk.RewordRun{
		Name: at[0].Model, Cost: priceOf(at[0], call.Estimate), Free: !at[0].Costs, Tokens: model.Tokens(call.Text()), Text: call.Text(),
		Run: func(ctx context.Context) (lessons.Lesson, error) {
			p.Agree() // to what was shown
			return offerWording(ctx, a, p, l)
		},
	}, nil
}
