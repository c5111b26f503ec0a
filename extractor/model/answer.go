package model

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"learnings/extractor"
	"learnings/extractor/transcript"
	"learnings/lessons"
	"learnings/lessons/pairs"
)

// ErrAnswer means that an answer holds neither lessons nor the decision that there are
// none.
var ErrAnswer = errors.New("the answer holds neither lessons nor the decision that there are none")

// How much of an answer is read and shown.
const (
	maxAnswerText = 4 << 20
	maxItems      = 200
	maxStarts     = 50  // places that could be the start of the answer
	previewed     = 200 // bytes
)

// A proposal is one lesson as the model gave it, before anything is checked.
type proposal struct {
	content, why, example string
	quote, handle         string
	category              string
	level                 level
	global                bool
	tags, triggers        []string
	supersedes            string // "L3"
}

// An answer is what could be read of a model's text.
type answer struct {
	none    bool   // decided that there is nothing to learn
	reason  string // of the decision, where it was asked for
	partial bool   // it breaks off; items has the complete ones
	items   []proposal
}

// says reports whether an answer holds lessons, or the decision that there are none.
func (a answer) says() bool { return a.none || len(a.items) > 0 }

// parseAnswer parses an answer, in a code fence or with prose around it, and the
// complete part of one that was cut off. It skips what a model thinks aloud first.
func parseAnswer(text string) (answer, error) {
	text = strings.TrimSpace(text[:min(len(text), maxAnswerText)])
	for _, tag := range []string{"think", "thinking", "reasoning"} {
		if _, rest, ok := strings.Cut(text, "</"+tag+">"); ok && strings.HasPrefix(text, "<"+tag+">") {
			text = rest
		}
	}
	for rest, tries := text, 0; tries < maxStarts; tries++ {
		i := strings.IndexAny(rest, "{[")
		if i < 0 {
			break
		}
		first := strings.Trim(rest[:i], "`json \r\n") == "" && tries == 0
		// An empty list inside something else, such as an error, decides nothing.
		if a, ok := parseJSON(rest[i:]); ok && (first || rest[i] == '{' || len(a.items) > 0) {
			return a, nil
		}
		rest = rest[i+1:]
	}
	if text = lessons.Line(text); text == "" {
		return answer{}, fmt.Errorf("%w: it is empty", ErrAnswer)
	}
	return answer{}, fmt.Errorf("%w: it is prose: %s", ErrAnswer, head(text, previewed))
}

// parseJSON parses the JSON value at the start of text: our object, a list of lessons,
// or a single one. ok is false for anything else, and if the text breaks off before the
// first lesson ends. An empty list is the decision that there is nothing to learn. If
// the text breaks off later, the complete items count.
func parseJSON(text string) (a answer, ok bool) {
	dec := json.NewDecoder(strings.NewReader(text))
	start, err := dec.Token()
	switch {
	case err != nil:
		return answer{}, false
	case start == json.Delim('['):
		a.list(dec)
		return a, a.says()
	case start != json.Delim('{'):
		return answer{}, false
	}
	fields := make(map[string]json.RawMessage)
	for dec.More() && !a.partial {
		key, err := dec.Token()
		name, _ := key.(string)
		var v json.RawMessage
		switch {
		case err != nil || name == "":
			a.partial = true
		case name == "lessons":
			if open, err := dec.Token(); open == json.Delim('[') {
				a.list(dec)
			} else if err != nil {
				a.partial = true
			}
		default:
			a.partial = dec.Decode(&v) != nil
			fields[name] = v
		}
	}
	a.none = a.none || strings.EqualFold(strings.TrimSpace(text1(fields["decision"])), "NONE")
	if !a.says() && !a.partial {
		a.add(fields)
	}
	a.reason = text1(fields["reason"])
	if a.none {
		a.items = nil
	}
	return a, a.says()
}

// list parses the elements of a list after its opening.
func (a *answer) list(dec *json.Decoder) {
	empty := true
	for ; dec.More(); empty = false {
		var v json.RawMessage
		if dec.Decode(&v) != nil {
			a.partial = true
			return
		}
		var fields map[string]json.RawMessage
		if json.Unmarshal(v, &fields) == nil && len(a.items) < maxItems {
			a.add(fields)
		}
	}
	_, err := dec.Token()
	a.partial = err != nil
	a.none = a.none || empty && err == nil
}

// add adds a lesson with fields of any type, if it has content.
func (a *answer) add(f map[string]json.RawMessage) {
	get := func(names ...string) (s string) {
		for _, n := range names {
			s = cmp.Or(s, strings.TrimSpace(text1(f[n])))
		}
		return s
	}
	p := proposal{
		content: get("content", "lesson", "text"), why: get("why", "insight", "reason"), example: get("example"),
		quote: get("quote", "evidence"), handle: get("handle"), category: get("category", "type"), supersedes: get("supersedes"),
		global: strings.EqualFold(get("scope"), "global"), tags: texts(f["tags"]), triggers: texts(f["triggers"]),
		level: levelOf(get("confidence", "level")),
	}
	if p.content != "" {
		a.items = append(a.items, p)
	}
}

// text1 returns a value as text: a string, a number, or the first element of a list.
func text1(v json.RawMessage) string {
	var value any
	if len(v) == 0 || json.Unmarshal(v, &value) != nil {
		return ""
	}
	if list, ok := value.([]any); ok && len(list) > 0 {
		value = list[0]
	}
	switch value.(type) {
	case string, float64:
		return fmt.Sprint(value)
	}
	return ""
}

// texts returns a value as a list of words: a list of strings, or a string with commas.
func texts(v json.RawMessage) (out []string) {
	var list []any
	if json.Unmarshal(v, &list) != nil {
		for w := range strings.SplitSeq(text1(v), ",") {
			list = append(list, w)
		}
	}
	for _, x := range list {
		if s, ok := x.(string); ok && strings.TrimSpace(s) != "" {
			out = append(out, strings.TrimSpace(s))
		}
	}
	return out
}

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
	near := extractor.Heard{d.around(at)}
	if d.persons == nil {
		var texts []string // without the output of commands that they ran themselves
		for i := range d.turns {
			if t := &d.turns[i]; t.Speaker == transcript.Person && t.Kind != transcript.Shell && !t.Sidechain && !t.Scripted {
				texts = append(texts, d.readable(i))
			}
		}
		said := extractor.NewSpeech(texts)
		d.persons = &said
	}
	return extractor.Unsaid(w, near, append(near, *d.persons))
}

// around returns the context of a quote: its turn, and the agent's message that the
// turn agrees with or points back to: the prompt asks for the name of what "it" was. For
// an error, it is the call that failed and the one that worked.
func (d *digest) around(at found) extractor.Speech {
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
	back := t.Speaker == transcript.Person && (extractor.Affirms(own) || pointing().MatchString(at.quote))
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
	return extractor.NewSpeech(texts)
}
