package model

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"learnings/extractor/model/llm"
	"learnings/lessons"
	"learnings/lessons/match"
)

// MostMerged is how many lessons a model is asked about at once.
const MostMerged = 20

// Why a merged text was dropped, beside [NoContent] and [LongContent].
const (
	LongDetail  Reason = "why it holds or the example is too long for a lesson"
	NotOneText  Reason = "more than one wording was given"
	HiddenText  Reason = "it has characters that are not seen"
	SecretText  Reason = "it looks as if it held a secret"
	NotTheirs   Reason = "it says what none of the lessons says"
	LongLessons Reason = "the lessons are too long to be sent together"
)

// Limits of what is sent of lessons that are to be merged, in tokens, and of what
// may come back, in bytes.
const (
	mergeTokens   = 6000 // of all
	mergeShare    = 600  // of one
	quotesSent    = 3    // of one
	longestDetail = 2000 // of an insight or an example
)

//go:embed merge.md
var mergeSystem string

// mergeSchema is [answerSchema] with a reason for the decision and lessons
// without quotes, so that one reader reads both.
var mergeSchema = json.RawMessage(`{"type":"object","properties":{` +
	`"decision":{"type":"string","enum":["MERGE","NONE"]},"reason":{"type":"string"},` +
	`"lessons":{"type":"array","items":{"type":"object","properties":{` +
	`"content":{"type":"string"},"why":{"type":"string"},"example":{"type":"string"}},` +
	`"required":["content","why","example"],"additionalProperties":false}}},` +
	`"required":["decision","reason","lessons"],"additionalProperties":false}`)

// A MergedText is what a model makes of lessons that may be one, or of one that it is
// to word better. Exactly one of Wording, Different and Dropped is set.
type MergedText struct {
	Wording   lessons.Wording // for all of them; insight and example may be empty
	Different string          // why they are not one lesson, or why it words none, in the model's words, on one line
	Dropped   Reason          // why the wording that it gave is not believed
	Foreign   []string        // with [NotTheirs] and [NobodySaid]: the words
	Usage     llm.Usage
	Cost      llm.Cost
}

// Why says in words why there is no wording.
func (u MergedText) Why() string {
	switch {
	case u.Different != "":
		return u.Different
	case len(u.Foreign) > 0:
		return string(u.Dropped) + ": " + strings.Join(u.Foreign, ", ")
	}
	return string(u.Dropped)
}

// MergeText asks for one wording of 2 to [MostMerged] lessons. Each number, path,
// flag, identifier and quoted word of it stands in one of the lessons; that it
// means the same no program can tell, so a person has to read it. Errors are
// those of [Proposer.Propose].
func (p *Proposer) MergeText(ctx context.Context, ls []lessons.Lesson) (MergedText, error) {
	if len(ls) < 2 || len(ls) > MostMerged {
		return MergedText{}, fmt.Errorf("asking for one text of %d lessons: it takes 2 to %d", len(ls), MostMerged)
	}
	request, ok := p.mergeRequest(ls)
	if !ok {
		return MergedText{Dropped: LongLessons, Cost: llm.Cost{Known: true}}, nil
	}
	resp, err := p.meter.Complete(llm.For(ctx, "one text of "+ids(ls)), request)
	if err != nil && resp.Text == "" || errors.Is(err, llm.ErrRefused) {
		return MergedText{Usage: resp.Usage, Cost: resp.Cost}, err
	}
	u, readErr := p.readText(resp, func(item proposal) (lessons.Wording, Reason, []string) { return p.believe(ls, item) })
	return u, errors.Join(err, readErr)
}

// readText makes of an answer what there is to show of it: the wording that is
// believed of it.
func (p *Proposer) readText(resp llm.Response, believe func(proposal) (lessons.Wording, Reason, []string)) (MergedText, error) {
	u := MergedText{Usage: resp.Usage, Cost: resp.Cost}
	a, err := p.parse(resp)
	switch {
	case err != nil:
		return u, err
	case a.none:
		if u.Different = head(lessons.Line(p.o.Redact(a.reason)), longestLesson); u.Different == "" {
			u.Different = "no reason was given"
		}
	case len(a.items) > 1:
		u.Dropped = NotOneText
	default:
		u.Wording, u.Dropped, u.Foreign = believe(a.items[0])
	}
	return u, nil
}

func ids(ls []lessons.Lesson) string {
	out := make([]string, 0, len(ls))
	for _, l := range ls {
		out = append(out, string(l.ID))
	}
	return strings.Join(out, " ")
}

// mergeRequest makes the request. It is not ok when the contents do not all fit:
// half a lesson may say something else.
func (p *Proposer) mergeRequest(ls []lessons.Lesson) (request llm.Request, ok bool) {
	var b strings.Builder
	b.WriteString(Marker + " Lessons that may be one follow.\n\n<learnings-lessons>\n")
	for i, l := range ls {
		left := min(mergeShare, mergeTokens/len(ls))
		for k, part := range p.parts(l) {
			part.Handle = fmt.Sprintf("L%d", i+1)
			if cut := clip(part.Text, left); k > 0 {
				part.Text = cut
			} else if cut != part.Text {
				return llm.Request{}, false
			}
			b.WriteString(part.String() + "\n")
			if left -= Tokens(part.String()); left < leastTokens {
				break
			}
		}
	}
	b.WriteString("</learnings-lessons>\n\nNow decide, and answer with the JSON object.\n")
	return llm.Request{System: strings.TrimSpace(mergeSystem), User: b.String(), Schema: mergeSchema, MaxTokens: p.c.MaxTokens}, true
}

// parts are what a lesson says, redacted and safe to show, the content first.
func (p *Proposer) parts(l lessons.Lesson) []Line {
	out := []Line{{Label: "LESSON", Text: p.safe(l.Content)}}
	add := func(label, text string) {
		if text = p.safe(text); text != "" {
			out = append(out, Line{Label: label, Text: text})
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

// shapely gives the wording of an answer, or says why it has not the shape of one.
func (p *Proposer) shapely(item proposal) (lessons.Wording, Reason) {
	w := lessons.Wording{Content: lessons.Line(item.content), Insight: strings.TrimSpace(lessons.Block(item.why)), Example: strings.TrimSpace(lessons.Block(item.example))}
	said := w.Content + "\n" + w.Insight + "\n" + w.Example
	switch {
	case w.Content == "":
		return w, NoContent
	case len(w.Content) > longestLesson:
		return w, LongContent
	case len(w.Insight) > longestDetail, len(w.Example) > longestDetail:
		return w, LongDetail
	case lessons.Hidden(item.content + item.why + item.example):
		return w, HiddenText
	case p.o.Redact(said) != said:
		return w, SecretText
	}
	return w, ""
}

// believe gives the wording of an answer, or says why it is not one to show.
func (p *Proposer) believe(ls []lessons.Lesson, item proposal) (lessons.Wording, Reason, []string) {
	w, why := p.shapely(item)
	if why != "" {
		return lessons.Wording{}, why, nil
	}
	var sources []string
	for _, l := range ls {
		for _, part := range p.parts(l) {
			sources = append(sources, part.Text)
		}
	}
	if foreign := foreignTo(w.Content+"\n"+w.Insight+"\n"+w.Example, sources); len(foreign) > 0 {
		return lessons.Wording{}, NotTheirs, foreign
	}
	return w, "", nil
}

// foreignTo are the literals of a text that stand in none of its sources. The
// bullets of a Markdown list say nothing.
func foreignTo(text string, sources []string) []string {
	return slices.DeleteFunc(match.Unfounded(text, sources...), func(w string) bool { return w == "-" || w == "*" || w == "+" })
}
