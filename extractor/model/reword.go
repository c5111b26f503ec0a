package model

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"strings"

	"learnings/extractor/model/llm"
	"learnings/lessons"
	"learnings/lessons/match"
)

//go:embed reword.md
var rewordSystem string

var rewordSchema = json.RawMessage(strings.Replace(string(mergeSchema), `"MERGE"`, `"REWORD"`, 1))

// NobodySaid is why a better wording was dropped: see [MergedText.Foreign].
const NobodySaid Reason = "it says what nobody said"

// PrepareReword makes the request for a better wording of a proposal, of what its
// evidence holds. It is not ok when the proposal is too long to be sent.
func (p *Proposer) PrepareReword(l lessons.Lesson) (c Call, ok bool) {
	var b strings.Builder
	b.WriteString(Marker + " A proposed lesson follows.\n\n<learnings-lessons>\n")
	parts := p.parts(l)
	if Tokens(parts[0].Text) > mergeShare {
		return Call{}, false
	}
	for _, e := range l.Evidence[:min(len(l.Evidence), quotesSent)] {
		for _, t := range e.Before {
			parts = append(parts, Line{Label: "BEFORE", Text: p.safe(t)})
		}
		for _, t := range e.After {
			parts = append(parts, Line{Label: "AFTER", Text: p.safe(t)})
		}
	}
	for _, part := range parts {
		part.Handle, part.Text = "L1", clip(part.Text, mergeShare)
		b.WriteString(part.String() + "\n")
	}
	b.WriteString("</learnings-lessons>\n\nNow decide, and answer with the JSON object.\n")
	c.Request = llm.Request{System: strings.TrimSpace(rewordSystem), User: b.String(), Schema: rewordSchema, MaxTokens: p.c.MaxTokens}
	c.Estimate = p.meter.Estimate(c.Request)
	return c, true
}

// Reword asks for a better wording of a proposal. What it gives says nothing that
// neither the proposal nor the person has said; that it means the same no program can
// tell, so a person has to read it. Errors are those of [Proposer.Propose].
func (p *Proposer) Reword(ctx context.Context, l lessons.Lesson) (MergedText, error) {
	c, ok := p.PrepareReword(l)
	if !ok {
		return MergedText{Dropped: LongLessons, Cost: llm.Cost{Known: true}}, nil
	}
	resp, err := p.meter.Complete(llm.For(ctx, "a better wording of "+string(l.ID)), c.Request)
	if err != nil && resp.Text == "" || errors.Is(err, llm.ErrRefused) {
		return MergedText{Usage: resp.Usage, Cost: resp.Cost}, err
	}
	u, readErr := p.readText(resp, func(item proposal) (lessons.Wording, Reason, []string) { return believeReword(p, l, item) })
	return u, errors.Join(err, readErr)
}

// believeReword gives the wording of an answer, or says why it is not one to show.
func believeReword(p *Proposer, l lessons.Lesson, item proposal) (lessons.Wording, Reason, []string) {
	w, why := p.shapely(item)
	if why != "" {
		return lessons.Wording{}, why, nil
	}
	said := saidOf(p, l)
	near := match.Heard{match.NewSpeech(said)}
	foreign := match.Unsaid(w, near, near)
	for _, word := range foreignTo(w.Content+"\n"+w.Insight+"\n"+w.Example, said) { // numbers too
		if word = strings.TrimRight(word, ".,;:!?"); !near[0].Has(word) {
			foreign = append(foreign, word)
		}
	}
	if len(foreign) > 0 {
		return lessons.Wording{}, NobodySaid, foreign
	}
	return w, "", nil
}

// saidOf is what a proposal says, what it quotes, and of what stands around that what
// the person said. What the agent said counts where the person affirms it, and what
// it ran where that was the way out of an error.
func saidOf(p *Proposer, l lessons.Lesson) []string {
	var out []string
	for _, part := range p.parts(l) {
		out = append(out, part.Text)
	}
	for _, e := range l.Evidence[:min(len(l.Evidence), quotesSent)] {
		for _, t := range append(append([]string{}, e.Before...), e.After...) {
			who, text, _ := strings.Cut(t, ": ")
			person := who == "person"
			affirmed := who == "agent" && e.By == lessons.ByPerson && match.Affirms(e.Quote)
			cure := strings.HasPrefix(who, "agent, ") && e.By == lessons.ByTool
			if person || affirmed || cure {
				out = append(out, p.safe(text))
			}
		}
	}
	return out
}
