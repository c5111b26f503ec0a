package model

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"learnings/extractor/transcript"
	"learnings/lessons"
	"learnings/lessons/pairs"
)

// A Reason says why a proposal of a model was dropped.
type Reason string

const (
	NoQuote      Reason = "no quote"
	NotQuoted    Reason = "the quote is not in the session"
	ShortQuote   Reason = "the quote is too short to be found again"
	NotSaid      Reason = "the quote is of what the harness injected"
	NoContent    Reason = "no content"
	LongContent  Reason = "the content is too long for a lesson"
	AlreadyKnown Reason = "already known"
	WasRejected  Reason = "was rejected before"
	SaidTwice    Reason = "the same lesson twice"
	Unsure       Reason = "not sure enough"
	TooMany      Reason = "more than were asked for"
)

const (
	leastQuote    = 12  // bytes, unless the model cites the right entry
	longestLesson = 600 // bytes of content
	mostTerms     = 12
	longestTerm   = 60  // bytes
	mostShows     = 4   // phrases that say when a lesson applies
	agentAtMost   = 0.5 // confidence of what only the agent said
)

// check makes lessons of the valid proposals about a session, and counts the others.
// known are the lessons that the model was told, by their numbers.
func (p *Proposer) check(q *question, known []lessons.Lesson, items []proposal) (out []lessons.Lesson, dropped map[Reason]int) {
	dropped = make(map[Reason]int)
	seen := make(map[string]Reason)
	note := func(ls []lessons.Lesson, why Reason) {
		for _, l := range ls {
			seen[same(l.Content)] = why
		}
	}
	note(slices.DeleteFunc(slices.Clone(q.known.Lessons), unsure), AlreadyKnown)
	note(q.known.Rejected, WasRejected)
	for _, item := range items {
		l, why := p.lesson(q, known, item)
		if why = cmp.Or(why, seen[same(l.Content)]); why != "" {
			dropped[why]++
			continue
		}
		out = append(out, l)
		note(out[len(out)-1:], SaidTwice)
	}
	slices.SortStableFunc(out, func(a, b lessons.Lesson) int { return cmp.Compare(b.Confidence, a.Confidence) })
	if n := len(out) - p.most; n > 0 {
		dropped[TooMany] += n
		out = out[:p.most]
	}
	slices.SortStableFunc(out, func(a, b lessons.Lesson) int { return cmp.Compare(a.Evidence[0].Line, b.Evidence[0].Line) })
	return out, dropped
}

// same normalizes content for comparison.
func same(content string) string { return fold(strings.ToLower(content)) }

// lesson makes one lesson, or returns why not. The speaker and the place come from the
// session, never from the answer.
func (p *Proposer) lesson(q *question, known []lessons.Lesson, item proposal) (lessons.Lesson, Reason) {
	s, d := q.session, q.digest
	content := lessons.Line(d.redact(item.content))
	at, why := d.locate(item.handle, item.quote)
	switch {
	case content == "":
		return lessons.Lesson{}, NoContent
	case len(content) > longestLesson:
		return lessons.Lesson{}, LongContent
	case why != NoQuote && item.level.below(leastLevel):
		return lessons.Lesson{}, Unsure
	case why != "":
		return lessons.Lesson{}, why
	}
	t := &d.turns[at.turn]
	e := lessons.Evidence{
		Agent: string(s.Agent), Session: cmp.Or(t.Session, s.ID), UUID: t.UUID, Line: t.Line, At: t.At, Quote: at.quote,
		Before: transcript.Around(d.turns, at.turn, -1, d.safe), After: transcript.Around(d.turns, at.turn, +1, d.safe),
	}
	e.By, e.From = speaker(t)
	rule, repeated := "a model read the session and quotes the "+string(e.By), lessons.ID("")
	if old, ok := superseded(item.supersedes, known); ok && unsure(old) && !pairs.Judge(old, lessons.Lesson{Wording: lessons.Wording{Content: content}, Scope: old.Scope}).Opposed() {
		repeated = old.ID
	} else if ok {
		rule += "; it would replace " + string(old.ID)
	}
	sure, lane := worth[item.level], lessons.Lane("")
	if item.level.below(clearly) {
		rule += "; it takes it for " + string(item.level) + ", no more"
	}
	if e.By == lessons.ByAgent {
		sure = min(sure, agentAtMost)
	}
	if sure < lessons.LikelyAt {
		lane = lessons.Maybe
	}
	l := lessons.Lesson{
		Status: lessons.Pending, Category: lessons.Category(strings.ToLower(lessons.Line(item.category))),
		Wording:    lessons.Wording{Content: content, Insight: d.safe(item.why), Example: d.safe(item.example)},
		Tags:       d.terms(item.tags),
		Triggers:   d.shows(item.triggers, content),
		Scope:      lessons.Scope{Role: s.Role, Global: item.global},
		Confidence: sure.Round(), Lane: lane,
		Origin:  lessons.Origin{Source: e.Session, Extractor: p.Name(), Rule: rule},
		Created: t.At, Evidence: []lessons.Evidence{e},
	}
	if !l.Category.Known() {
		l.Category = "pattern"
	}
	if l.Origin.Unsaid = d.unsaid(l.Wording, at); len(l.Origin.Unsaid) > 0 {
		l.Lane, l.Confidence = lessons.Maybe, min(l.Confidence, lessons.MaxHearsay)
	}
	l.ID = cmp.Or(repeated, lessons.ProposalID("model", e, fold(at.quote), same(content)))
	if l.Created.IsZero() {
		l.Created = s.Start
	}
	return l, ""
}

// superseded returns the known lesson that a model means by "L3" or "3", counted from
// 1.
func superseded(s string, known []lessons.Lesson) (lessons.Lesson, bool) {
	s = strings.TrimLeft(s, "Ll[ ")
	if end := strings.IndexFunc(s, func(r rune) bool { return r < '0' || r > '9' }); end >= 0 {
		s = s[:end]
	}
	if n, err := strconv.Atoi(s); err == nil && n > 0 && n <= len(known) {
		return known[n-1], true
	}
	return lessons.Lesson{}, false
}

// speaker returns who made a turn and in what manner.
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

// shows cleans up a model's phrases of when a lesson applies, without those in its
// sentence.
func (d *digest) shows(in []string, content string) []string {
	content = strings.ToLower(content)
	out := slices.DeleteFunc(d.terms(in), func(s string) bool { return strings.Contains(content, strings.ToLower(s)) })
	return out[:min(len(out), mostShows)]
}

// pointing matches a word that stands for what was said before.
var pointing = lessons.LazyRegexp(`(?i)\b(?:it|its|this|that|these|those|them|they|there|here|same|one|ones|again|das|dies|diese[rsn]?|es|ça|cela|ceci|eso|esto|isso|isto|questo|quello)\b`)

// terms cleans up a model's words.
func (d *digest) terms(in []string) (out []string) {
	for _, w := range in {
		w = lessons.Line(d.redact(w))
		if w != "" && len(w) <= longestTerm && len(out) < mostTerms && !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	return out
}

// unsaid returns the commands, addresses, packages, paths and names of a wording that
// are neither in its quote nor in what the person said. If the content shares no word
// with the quote, it returns the content's main words. The agent's words count as the
// person's if they agreed with, answered or refused them, because then they have read
// them.
func (d *digest) unsaid(w lessons.Wording, at found) []string {
	near := pairs.Heard{d.around(at)}
	if d.persons == nil {
		var texts []string // without the output of commands that they ran themselves
		for i := range d.turns {
			if t := &d.turns[i]; t.Speaker == transcript.Person && t.Kind != transcript.Shell && !t.Sidechain && !t.Scripted {
				texts = append(texts, d.readable(i))
			}
		}
		said := pairs.NewSpeech(texts)
		d.persons = &said
	}
	return pairs.Unsaid(w, near, append(near, *d.persons))
}

// around returns the context of a quote: its turn, and the agent's message that the
// turn agrees with or points back to: the prompt asks for the name of what "it" was. For
// an error, it is the call that failed and the one that worked.
func (d *digest) around(at found) pairs.Speech {
	t := &d.turns[at.turn]
	own := d.readable(at.turn)
	texts := []string{own, at.quote, d.safe(t.Name)}
	if t.Tool != nil {
		texts = append(texts, d.call(t.Tool))
	}
	if t.Speaker == transcript.Tool {
		if cure := d.cure(at.turn); cure >= 0 {
			texts = append(texts, d.call(d.turns[cure].Tool))
		}
	}
	back := t.Speaker == transcript.Person && (pairs.Affirms(own) || pointing().MatchString(at.quote))
	for i := at.turn - 1; i >= 0 && back; i-- {
		before := &d.turns[i]
		if said := before.Speaker == transcript.Agent && before.Kind == transcript.Message; said && !before.Sidechain {
			texts = append(texts, d.readable(i))
			break
		}
		if before.Speaker == transcript.Person && !before.Sidechain {
			break
		}
	}
	return pairs.NewSpeech(texts)
}
