package model

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"learnings/extractor"
	"learnings/extractor/model/llm"
	"learnings/extractor/transcript"
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
	near := extractor.Heard{extractor.NewSpeech(said)}
	return p.wording(ctx, "a better wording of "+string(l.ID), c, func(w lessons.Wording) (Reason, []string) {
		foreign := extractor.Unsaid(w, near, near)
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
			affirmed := who == "agent" && e.By == lessons.ByPerson && extractor.Affirms(e.Quote)
			cure := strings.HasPrefix(who, "agent, ") && e.By == lessons.ByTool
			if who == "person" || affirmed || cure {
				out = append(out, p.safe(text))
			}
		}
	}
	return out
}

//go:embed system.md
var systemText string

// answerSchema is the schema of an answer. The order matters: a model writes the quote
// before the lesson.
var answerSchema = json.RawMessage(`{"type":"object","properties":{` +
	`"decision":{"type":"string","enum":["LEARN","NONE"]},` +
	`"lessons":{"type":"array","items":{"type":"object","properties":{` +
	`"quote":{"type":"string"},"handle":{"type":"string"},"content":{"type":"string"},"why":{"type":"string"},` +
	`"category":{"type":"string","enum":["preference","correction","workflow","architecture","tool-usage","error-fix","debugging","pattern"]},` +
	`"scope":{"type":"string","enum":["project","global"]},"confidence":{"type":"string","enum":["certain","clear","likely"]},` +
	`"triggers":{"type":"array","items":{"type":"string"}},"supersedes":{"type":"string"}},` +
	`"required":["quote","handle","content","why","category","scope","confidence","triggers","supersedes"],"additionalProperties":false}}},` +
	`"required":["decision","lessons"],"additionalProperties":false}`)

// Known is what is known in the project of a session. The model is told what is nearest
// to what was said there, and of this run also what it has found so far.
type Known struct {
	Project  string
	Lessons  []lessons.Lesson // approved and pending, the newest first
	Rejected []lessons.Lesson // with their reasons, the newest first
}

// How much of it is told, in lessons and in tokens.
const (
	knownMost, knownTokens       = 40, 1200
	rejectedMost, rejectedTokens = 20, 600
	farMost                      = 8 // of those that share no word with the sessions
)

// prompt writes the request about some sessions, and returns the known lessons that it
// numbers. All text from the sessions and the store is redacted by their digests. What
// is known is told once for consecutive sessions of one project.
func prompt(qs []*question, most int) (llm.Request, []lessons.Lesson) {
	var b strings.Builder
	b.WriteString(extractor.OwnMarker)
	if len(qs) == 1 {
		b.WriteString(" The record of one session follows.\n\n")
	} else {
		fmt.Fprintf(&b, " The records of %d sessions follow. Each is a session of its own: take nothing from one for another, and cite the entry of the session that a lesson is from.\n\n", len(qs))
	}
	var known []lessons.Lesson
	for i, q := range qs {
		name, heading := "", "Session"
		if len(qs) > 1 {
			name = fmt.Sprintf("S%d", i+1)
			heading += " " + name
		}
		if i == 0 || q.known.Project != qs[i-1].known.Project {
			end := i + 1
			for end < len(qs) && qs[end].known.Project == q.known.Project {
				end++
			}
			told, now := tellKnown(qs[i:end], len(known))
			known = append(known, now...)
			if name != "" {
				fmt.Fprintf(&b, "What is known in the project of the sessions from %s on:\n\n", name)
			}
			b.WriteString(told + "\n")
		}
		q.digest.name(name)
		fmt.Fprintf(&b, "%s: %s\n\n<learnings-digest>\n%s</learnings-digest>\n\n", heading, about(q.session, q.digest), q.digest)
	}
	if len(qs) == 1 {
		fmt.Fprintf(&b, "Now decide, and answer with the JSON object: at most %d lessons, each with a quote copied from one entry above.\n", most)
	} else {
		fmt.Fprintf(&b, "Now decide, session by session, and answer with one JSON object for all of them: at most %d lessons of a session, each with its handle (%s) and a quote copied from that entry.\n", most, `"S2M1"`)
	}
	system := strings.ReplaceAll(strings.TrimSpace(systemText), "{max}", strconv.Itoa(most))
	return llm.Request{System: system, User: b.String(), Schema: answerSchema}, known
}

// tellKnown writes what is known of some sessions of a project, the nearest first, and
// returns the lessons that it numbers after from.
func tellKnown(qs []*question, from int) (string, []lessons.Lesson) {
	var known []lessons.Lesson
	d := qs[0].digest
	list := func(ls []lessons.Lesson, most, tokens int, line func(lessons.Lesson) string) (out string) {
		for _, l := range ls[:min(len(ls), most)] {
			line := line(l)
			if tokens -= Tokens(line); tokens < 0 {
				break
			}
			out += line
		}
		if out == "" {
			return "(none)\n"
		}
		return out
	}
	counting := list(nearest(qs, func(q *question) []lessons.Lesson { return q.known.Lessons }), knownMost, knownTokens, func(l lessons.Lesson) string {
		where := "project"
		if l.Scope.Global {
			where = "global"
		}
		known = append(known, l)
		status := string(l.Status)
		if unsure(l) {
			status = "unsure"
		}
		return fmt.Sprintf("[L%d] (%s, %s) %s\n", from+len(known), where, status, d.aside(l.Content, 300))
	})
	rejected := list(nearest(qs, func(q *question) []lessons.Lesson { return q.known.Rejected }), rejectedMost, rejectedTokens, func(l lessons.Lesson) string {
		line := "- " + d.aside(l.Content, 200)
		if l.Decided.Reason != "" {
			line += " (rejected: " + d.aside(l.Decided.Reason, 150) + ")"
		}
		return line + "\n"
	})
	return "<learnings-known>\n" + counting + "</learnings-known>\n\n<learnings-rejected>\n" + rejected + "</learnings-rejected>\n", known
}

// about describes a session. Only the last name of the folder is sent, because the rest
// is private.
func about(s transcript.Session, d *digest) string {
	parts := []string{string(s.Agent)}
	if dir := strings.ReplaceAll(s.Dir, `\`, "/"); dir != "" {
		parts = append(parts, "in folder "+d.aside(filepath.Base(dir), 60))
	}
	if s.Branch != "" {
		parts = append(parts, "on branch "+d.aside(s.Branch, 60))
	}
	if !s.Start.IsZero() {
		parts = append(parts, s.Start.UTC().Format("2006-01-02"))
	}
	return strings.Join(parts, ", ")
}
