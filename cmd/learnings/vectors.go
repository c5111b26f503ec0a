package main

import (
	"context"
	"errors"
	"fmt"

	"learnings/cmd/internal/term"
	"learnings/extractor/model/llm"
	"learnings/extractor/redact"
	"learnings/index"
	"learnings/index/embedding"
)

// embeddings gives the vectors of the server that the configuration names; nil for none.
func embeddings(a *app) (*embedding.Server, error) {
	c, err := a.configuration()
	if err != nil {
		return nil, err
	}
	e, err := c.Embedder(a.getenv, func(s string) string { return redact.New().Redact(s) })
	if err != nil || e == nil {
		return nil, err
	}
	var spend *llm.Spend
	if !e.Local() {
		spend = &llm.Spend{Path: a.places.Spend(), Run: runName(a), PerRun: c.Learning.MaxUSDPerRun.Value, PerMonth: c.Learning.MaxUSDPerMonth.Value, Now: a.now}
	}
	return embedding.New(e, a.places.Embeddings(), spend, func(err error) {
		if !a.drawn.Load() { // else the doctor says it
			a.Warn("%v: %s", err, adviceOn(err))
		}
	}), nil
}

// better gives the source of vectors by which lessons are measured; nil for those that
// are built in. Nothing is asked in a folder whose sessions are excluded.
func better(a *app) index.Source {
	s, err := embeddings(a)
	if err != nil || s == nil || a.exclusion(*a.config).Of(a.cwd, "") != "" {
		return nil // a broken configuration is told about by whoever needs more of it
	}
	return s
}

// embed has the server make the vectors that lessons are without, anew if all are to be.
func embed(ctx context.Context, a *app, anew bool) error {
	s, err := embeddings(a)
	if err != nil {
		return err
	}
	if s == nil {
		return term.Hint(errors.New("no server of vectors is set: lessons are found by those that are built in"), "set embedding.url and embedding.model: `learnings config --edit`")
	}
	if anew {
		if err := s.Forget(); err != nil {
			return err
		}
	}
	c, err := a.curated()
	if err != nil {
		return err
	}
	p, err := s.Cover(ctx, c.Index, a.exclusion(*a.config).Lesson)
	if err != nil {
		return err
	}
	a.Note("%s: %s; about %d tokens to be sent, cost: %s", s.Model.Name(), p, p.Tokens, p.Cost())
	bar := a.NewBar(a.now)
	made, err := s.Fill(ctx, p, func(made int) {
		bar.Show(int64(made), int64(p.Missing), fmt.Sprintf("%d of %d vectors", made, p.Missing))
	})
	bar.Clear()
	if made > 0 || err == nil {
		a.Say("made vectors of %s", term.Plural(made, "lesson"))
	}
	if advice := adviceOn(err); advice != "" {
		return term.Hint(err, "%s", advice)
	}
	return err
}

// embedNew has a server on this machine make the vectors of lessons that have come since it
// has made some. Nobody has asked for them, so what keeps it from that is told when they
// are used.
func embedNew(ctx context.Context, a *app) error {
	s, err := embeddings(a)
	if err != nil || s == nil || !s.Model.Local() {
		return nil
	}
	if n, _, err := s.State(); err != nil || n == 0 {
		return nil
	}
	p, err := s.Cover(ctx, a.library.Index, a.exclusion(*a.config).Lesson)
	if err == nil && p.Missing > 0 {
		_, _ = s.Fill(ctx, p, nil)
	}
	return err
}

// adviceOn says what to type about a server whose vectors are not used.
func adviceOn(err error) string {
	switch {
	case errors.Is(err, embedding.ErrNone):
		return "`learnings index --embed` has them made"
	case errors.Is(err, embedding.ErrChanged):
		return "`learnings index --embed --rebuild` has all of them made anew"
	case errors.Is(err, llm.ErrUnpriced):
		return "set embedding.price in the configuration"
	case err != nil:
		return "`learnings doctor --online` says how the server is"
	}
	return ""
}
