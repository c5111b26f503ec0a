package model

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"learnings/extractor/transcript"
	"learnings/lessons"
)

// A Reason is why a proposal of a model was dropped.
type Reason string

const (
	NoQuote       Reason = "no quote"
	NotQuoted     Reason = "the quote is not in the session"
	ShortQuote    Reason = "the quote is too short to be found again"
	NotSaid       Reason = "the quote is of what the harness injected"
	NoContent     Reason = "no content"
	LongContent   Reason = "the content is too long for a lesson"
	AlreadyKnown  Reason = "already known"
	WasRejected   Reason = "was rejected before"
	SaidTwice     Reason = "the same lesson twice"
	Unsure        Reason = "not sure enough"
	TooMany       Reason = "more than were asked for"
	leastQuote           = 12  // bytes, unless the model cites the right entry
	longestLesson        = 600 // bytes of content
	mostTerms            = 12
	agentAtMost          = 0.5 // confidence of what only the agent said
)

// check makes lessons of the proposals that hold, and counts the others.
func (p *Proposer) check(s transcript.Session, prompt Prompt, items []proposal) ([]lessons.Lesson, map[Reason]int) {
	dropped := make(map[Reason]int)
	var out []lessons.Lesson
	seen := make(map[string]bool)
	for _, item := range items {
		l, why := p.lesson(s, prompt, item)
		same := fold(strings.ToLower(l.Content))
		switch {
		case why != "":
		case seen[same]:
			why = SaidTwice
		case slices.ContainsFunc(prompt.all.Rejected, func(k lessons.Lesson) bool { return fold(strings.ToLower(k.Content)) == same }):
			why = WasRejected
		case slices.ContainsFunc(prompt.all.Lessons, func(k lessons.Lesson) bool { return fold(strings.ToLower(k.Content)) == same }):
			why = AlreadyKnown
		}
		if why != "" {
			dropped[why]++
			continue
		}
		seen[same] = true
		out = append(out, l)
	}
	if n := len(out) - p.max; n > 0 {
		dropped[TooMany] += n
		surest := slices.Clone(out)
		slices.SortStableFunc(surest, func(a, b lessons.Lesson) int { return cmp.Compare(b.Confidence, a.Confidence) })
		gone := make(map[lessons.ID]bool, n)
		for _, l := range surest[p.max:] {
			gone[l.ID] = true
		}
		out = slices.DeleteFunc(out, func(l lessons.Lesson) bool { return gone[l.ID] })
	}
	slices.SortStableFunc(out, func(a, b lessons.Lesson) int { return cmp.Compare(a.Evidence[0].Line, b.Evidence[0].Line) })
	return out, dropped
}

// lesson makes one lesson, or says why not. Who said it, and where, is read
// from the session, never from the answer.
func (p *Proposer) lesson(s transcript.Session, prompt Prompt, item proposal) (lessons.Lesson, Reason) {
	d := prompt.Digest
	content := lessons.Line(d.redact(item.content))
	at, why := d.locate(item.handle, item.quotes)
	switch {
	case content == "":
		return lessons.Lesson{}, NoContent
	case len(content) > longestLesson:
		return lessons.Lesson{}, LongContent
	case why != NoQuote && item.level.below(p.least):
		return lessons.Lesson{}, Unsure
	case why != "":
		return lessons.Lesson{}, why
	}
	t := &d.turns[at.turn]
	session := cmp.Or(t.Session, s.ID)
	by, from := speaker(t)
	sure := item.level.Worth()
	if by == lessons.ByAgent {
		sure = min(sure, agentAtMost)
	}
	l := lessons.Lesson{
		Status:   lessons.Pending,
		Category: category(item.category),
		Wording: lessons.Wording{
			Content: content, Insight: strings.TrimSpace(lessons.Block(d.redact(item.why))), Example: strings.TrimSpace(lessons.Block(d.redact(item.example))),
		},
		Tags: d.terms(item.tags), Triggers: d.shows(item.triggers, content),
		Scope:      lessons.Scope{Role: s.Role, Global: item.global},
		Confidence: sure.Round(),
		Origin:     lessons.Origin{Source: session, Extractor: p.Name(), Rule: p.rule(prompt, item, by)},
		Created:    t.At,
		Evidence: []lessons.Evidence{{
			Agent: string(s.Agent), Session: session, UUID: t.UUID, Line: t.Line, By: by, From: from,
			At: t.At, Quote: at.quote, Before: transcript.Around(d.turns, at.turn, -1, d.safe), After: transcript.Around(d.turns, at.turn, +1, d.safe),
		}},
	}
	if l.Origin.Unsaid = d.unsaid(l.Wording, at); len(l.Origin.Unsaid) > 0 {
		l.Lane, l.Confidence = lessons.Maybe, min(l.Confidence, lessons.MaxHearsay)
	}
	l.ID = lessons.ProposalID("model", l.Evidence[0], fold(at.quote), fold(strings.ToLower(content)))
	if l.Created.IsZero() {
		l.Created = s.Start
	}
	return l, ""
}

// rule says in words why the lesson is proposed.
func (p *Proposer) rule(prompt Prompt, item proposal, by lessons.Speaker) string {
	rule := "a model read the session and quotes the " + string(by)
	if n, ok := superseded(item.supersedes, len(prompt.known)); ok && prompt.known[n].ID != "" {
		rule += "; it would replace " + string(prompt.known[n].ID)
	}
	return rule
}

// superseded reads which of so many known lessons a model means by "L3" or "3": their
// numbers are from 1, and the place is from 0.
func superseded(s string, known int) (int, bool) {
	s = strings.TrimLeft(s, "Ll[ ")
	if end := strings.IndexFunc(s, func(r rune) bool { return r < '0' || r > '9' }); end >= 0 {
		s = s[:end]
	}
	n, err := strconv.Atoi(s)
	return n - 1, err == nil && n > 0 && n <= known
}

// speaker says who made a turn and in what manner.
func speaker(t *transcript.Turn) (lessons.Speaker, string) {
	switch {
	case t.Speaker == transcript.Agent:
		return lessons.ByAgent, "agent"
	case t.Speaker == transcript.Tool && t.Failed:
		return lessons.ByTool, "tool-error"
	case t.Speaker == transcript.Tool:
		return lessons.ByTool, "tool"
	}
	return lessons.ByPerson, t.Kind.From()
}

// category keeps a word that some system knows; another becomes a pattern.
func category(s string) lessons.Category {
	c := lessons.Category(strings.ToLower(lessons.Line(s)))
	if !c.Known() {
		return "pattern"
	}
	return c
}

// mostShows is how many phrases of when it shows a lesson has.
const mostShows = 4

// shows makes a model's phrases of when a lesson shows fit to be kept: those that its
// sentence does not hold.
func (d *Digest) shows(in []string, content string) []string {
	content = strings.ToLower(content)
	out := slices.DeleteFunc(d.terms(in), func(s string) bool { return strings.Contains(content, strings.ToLower(s)) })
	return out[:min(len(out), mostShows)]
}

// terms makes a model's words fit to be kept.
func (d *Digest) terms(in []string) []string {
	var out []string
	for _, w := range in {
		w = lessons.Line(d.redact(w))
		if w != "" && len(w) <= 60 && len(out) < mostTerms && !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	return out
}
