package model

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"learnings/extractor"
	"learnings/extractor/model/llm"
	"learnings/lessons"
	"learnings/lessons/pairs"
)

// This file asks for one wording of several lessons, or for a better one of a proposal.

// MostMerged is the most lessons in one request.
const MostMerged = 20

// Why a wording was dropped, beside [NoContent] and [LongContent].
const (
	LongDetail  Reason = "why it holds or the example is too long for a lesson"
	NotOneText  Reason = "more than one wording was given"
	HiddenText  Reason = "it has characters that are not seen"
	SecretText  Reason = "it looks as if it held a secret"
	NotTheirs   Reason = "it says what none of the lessons says"
	NobodySaid  Reason = "it says what nobody said"
	LongLessons Reason = "the lessons are too long to be sent together"
)

// Limits of what is sent of lessons, in tokens, and of what may come back, in bytes.
const (
	mergeTokens   = 6000 // of all lessons
	mergeShare    = 600  // of one lesson
	quotesSent    = 3    // of one lesson
	longestDetail = 2000 // of an insight or an example
)

//go:embed merge.md
var mergeSystem string

//go:embed reword.md
var rewordSystem string

// wordSchema is [answerSchema] with a reason for the decision and lessons without quotes,
// so that one reader reads both. %s is the decision for a wording.
const wordSchema = `{"type":"object","properties":{` +
	`"decision":{"type":"string","enum":["%s","NONE"]},"reason":{"type":"string"},` +
	`"lessons":{"type":"array","items":{"type":"object","properties":{` +
	`"content":{"type":"string"},"why":{"type":"string"},"example":{"type":"string"}},` +
	`"required":["content","why","example"],"additionalProperties":false}}},` +
	`"required":["decision","reason","lessons"],"additionalProperties":false}`

// A MergedText is the answer of a model to a request for one wording of several
// lessons, or a better one of a lesson. Exactly one of Wording, Different and Dropped
// is set.
type MergedText struct {
	Wording   lessons.Wording // for all of them; insight and example may be empty
	Different string          // why there is no wording, in the model's words, on one line
	Dropped   Reason          // why its wording is not believed
	Foreign   []string        // with [NotTheirs] and [NobodySaid]: the offending words
}

// Why says why there is no wording.
func (u MergedText) Why() string {
	switch {
	case u.Different != "":
		return u.Different
	case len(u.Foreign) > 0:
		return string(u.Dropped) + ": " + strings.Join(u.Foreign, ", ")
	}
	return string(u.Dropped)
}

// MergeText asks for one wording of 2 to [MostMerged] lessons. Each number, path, flag,
// identifier and quoted word of it is in one of the lessons. No program can tell
// whether it means the same, so a person has to read it.
func (p *Proposer) MergeText(ctx context.Context, ls []lessons.Lesson) (MergedText, error) {
	if len(ls) < 2 || len(ls) > MostMerged {
		return MergedText{}, fmt.Errorf("asking for one text of %d lessons: it takes 2 to %d", len(ls), MostMerged)
	}
	what := "one text of"
	var said []string
	var told []line
	for i, l := range ls {
		what += " " + string(l.ID)
		left := min(mergeShare, mergeTokens/len(ls))
		for k, part := range p.parts(l) {
			said = append(said, part.text)
			if k > 0 && left < leastTokens {
				continue
			}
			cut := clip(part.text, left)
			if k == 0 && cut != part.text { // half a lesson may say something else
				return MergedText{Dropped: LongLessons}, nil
			}
			part.handle, part.text = fmt.Sprintf("L%d", i+1), cut
			told = append(told, part)
			left -= Tokens(part.String())
		}
	}
	return p.wording(ctx, what, p.wordCall(" Lessons that may be one follow.", mergeSystem, fmt.Sprintf(wordSchema, "MERGE"), told), func(w lessons.Wording) (Reason, []string) {
		return NotTheirs, foreignTo(w, said)
	})
}

// PrepareReword makes the request for a better wording of a proposal from its evidence.
// ok is false if the proposal is too long to send.
func (p *Proposer) PrepareReword(l lessons.Lesson) (c Call, ok bool) {
	parts := p.parts(l)
	if Tokens(parts[0].text) > mergeShare {
		return Call{}, false
	}
	for _, e := range l.Evidence[:min(len(l.Evidence), quotesSent)] {
		for _, t := range e.Before {
			parts = append(parts, line{label: "BEFORE", text: p.safe(t)})
		}
		for _, t := range e.After {
			parts = append(parts, line{label: "AFTER", text: p.safe(t)})
		}
	}
	for i := range parts {
		parts[i].handle, parts[i].text = "L1", clip(parts[i].text, mergeShare)
	}
	return p.wordCall(" A proposed lesson follows.", rewordSystem, fmt.Sprintf(wordSchema, "REWORD"), parts), true
}

// Reword asks for a better wording of a proposal. It contains nothing that neither the
// proposal nor the person said. No program can tell whether it means the same, so a
// person has to read it.
func (p *Proposer) Reword(ctx context.Context, l lessons.Lesson) (MergedText, error) {
	c, ok := p.PrepareReword(l)
	if !ok {
		return MergedText{Dropped: LongLessons}, nil
	}
	said := p.said(l)
	near := pairs.Heard{pairs.NewSpeech(said)}
	return p.wording(ctx, "a better wording of "+string(l.ID), c, func(w lessons.Wording) (Reason, []string) {
		foreign := pairs.Unsaid(w, near, near)
		for _, word := range foreignTo(w, said) { // numbers too
			if word = strings.TrimRight(word, ".,;:!?"); !near[0].Has(word) {
				foreign = append(foreign, word)
			}
		}
		return NobodySaid, foreign
	})
}

// wordCall makes a request about parts of lessons.
func (p *Proposer) wordCall(intro, system, schema string, parts []line) (c Call) {
	var b strings.Builder
	b.WriteString(extractor.OwnMarker + intro + "\n\n<learnings-lessons>\n")
	for _, part := range parts {
		b.WriteString(part.String() + "\n")
	}
	b.WriteString("</learnings-lessons>\n\nNow decide, and answer with the JSON object.\n")
	c.Request = llm.Request{System: strings.TrimSpace(system), User: b.String(), Schema: json.RawMessage(schema)}
	c.Estimate = p.meter.Estimate(c.Request)
	return c
}

// wording makes a call, and returns the wording of the answer if it can be shown.
// foreign returns the words that it must not have, and why.
func (p *Proposer) wording(ctx context.Context, what string, c Call, foreign func(lessons.Wording) (Reason, []string)) (u MergedText, err error) {
	a, unread, unkept := p.complete(ctx, what, c.Request)
	if unread == nil {
		u = p.believe(a, foreign)
	}
	return u, errors.Join(unread, unkept)
}

// believe returns what can be shown of an answer.
func (p *Proposer) believe(a answer, foreign func(lessons.Wording) (Reason, []string)) MergedText {
	switch {
	case a.none:
		if why := head(lessons.Line(p.o.Redact(a.reason)), longestLesson); why != "" {
			return MergedText{Different: why}
		}
		return MergedText{Different: "no reason was given"}
	case len(a.items) > 1:
		return MergedText{Dropped: NotOneText}
	}
	item := a.items[0]
	w := lessons.Wording{Content: lessons.Line(item.content), Insight: strings.TrimSpace(lessons.Block(item.why)), Example: strings.TrimSpace(lessons.Block(item.example))}
	switch {
	case w.Content == "":
		return MergedText{Dropped: NoContent}
	case len(w.Content) > longestLesson:
		return MergedText{Dropped: LongContent}
	case len(w.Insight) > longestDetail, len(w.Example) > longestDetail:
		return MergedText{Dropped: LongDetail}
	case lessons.Hidden(item.content + item.why + item.example):
		return MergedText{Dropped: HiddenText}
	case p.o.Redact(textOf(w)) != textOf(w):
		return MergedText{Dropped: SecretText}
	}
	if why, words := foreign(w); len(words) > 0 {
		return MergedText{Dropped: why, Foreign: words}
	}
	return MergedText{Wording: w}
}

func textOf(w lessons.Wording) string { return w.Content + "\n" + w.Insight + "\n" + w.Example }

// foreignTo returns the literals of a wording that are in none of its sources. Bullets
// of Markdown lists are ignored.
func foreignTo(w lessons.Wording, sources []string) []string {
	return slices.DeleteFunc(pairs.Unfounded(textOf(w), sources...), func(w string) bool { return w == "-" || w == "*" || w == "+" })
}

// parts returns what a lesson says, redacted and safe to show, the content first.
func (p *Proposer) parts(l lessons.Lesson) []line {
	out := []line{{label: "LESSON", text: p.safe(l.Content)}}
	add := func(label, text string) {
		if text = p.safe(text); text != "" {
			out = append(out, line{label: label, text: text})
		}
	}
	add("WHY", l.Insight)
	add("EXAMPLE", l.Example)
	for _, e := range l.Evidence[:min(len(l.Evidence), quotesSent)] {
		add("SAID", e.Quote)
	}
	return out
}

func (p *Proposer) safe(s string) string { return strings.TrimSpace(lessons.Block(p.o.Redact(s))) }

// said returns what a proposal says and quotes, and what the person said around it. The
// agent's words count if the person affirms them, and its command if that was the way
// out of an error.
func (p *Proposer) said(l lessons.Lesson) (out []string) {
	for _, part := range p.parts(l) {
		out = append(out, part.text)
	}
	for _, e := range l.Evidence[:min(len(l.Evidence), quotesSent)] {
		for _, t := range slices.Concat(e.Before, e.After) {
			who, text, _ := strings.Cut(t, ": ")
			affirmed := who == "agent" && e.By == lessons.ByPerson && pairs.Affirms(e.Quote)
			cure := strings.HasPrefix(who, "agent, ") && e.By == lessons.ByTool
			if who == "person" || affirmed || cure {
				out = append(out, p.safe(text))
			}
		}
	}
	return out
}
