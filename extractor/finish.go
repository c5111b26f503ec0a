package extractor

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"learnings/extractor/redact"
	"learnings/extractor/rules"
	"learnings/extractor/transcript"
	"learnings/lessons"
)

// This file makes a lesson of a proposal, or nothing.

// Lengths, in bytes, to which evidence is cut. Rules quote less; a model could
// quote anything.
const (
	maxQuote  = 4 << 10
	maxAround = 1 << 10
	maxTurns  = 8 // before, and after

	// Proposers take two turns on each side from the next few, and cut what is longer
	// than 280 bytes.
	nearTurns = 4
	leastCut  = 256
	maxNear   = 512

	// Triggers come from further away; what they stood in says what they are.
	farTurns = 60
	maxFar   = 128
)

// A saying identifies a proposal: two with the same project and normalized words are
// the same.
type saying struct{ project, words string }

func sayingOf(l lessons.Lesson) saying {
	return saying{l.Scope.Project, normalized(l.Content)}
}

// normalized is text without what does not change its meaning: case, white space and
// surrounding punctuation.
func normalized(s string) string {
	s = strings.Join(strings.Fields(strings.ToLower(s)), " ")
	return strings.TrimFunc(s, func(r rune) bool { return unicode.IsPunct(r) || unicode.IsSpace(r) })
}

// finish makes a proposal ready to store. ok is false if it is not a lesson.
func (p *pass) finish(l lessons.Lesson, w window) (finished lessons.Lesson, ok bool) {
	l, founded := witnessed(l, w.turns)
	if !founded || !p.isNew(l, w) {
		return l, false
	}
	if injected(l) {
		p.batch.Injected = true
		return l, false
	}
	l = p.filled(l)
	if p.o.Standing != nil {
		l = p.o.Standing(p.batch.Session.Dir, l)
	}
	l = shortened(redact.New().Lesson(redact.FromHome(l, redact.HomeOf(p.batch.Session.Dir)), said(l, w.turns)...))
	if l.ID == "" {
		l.ID = idOf(l)
	}
	if l.Quarantined() {
		l.Confidence = min(l.Confidence, lessons.MaxHearsay)
	}
	return l, l.Validate() == nil && strings.TrimSpace(normalized(redact.Unmarked(l.Content))) != ""
}

// add puts a finished proposal into the batch.
func (p *pass) add(l lessons.Lesson) {
	for _, e := range l.Evidence {
		p.taken[e.Line] = true
	}
	m := sayingOf(l)
	if i, ok := p.sum[m]; ok {
		have := &p.batch.Lessons[i]
		have.Evidence = lessons.MergeEvidence(have.Evidence, l.Evidence)
		have.Confidence = max(have.Confidence, l.Confidence)
		return
	}
	p.sum[m] = len(p.batch.Lessons)
	p.batch.Lessons = append(p.batch.Lessons, l)
}

// observe keeps a finished observation apart.
func (p *pass) observe(l lessons.Lesson) {
	if len(p.batch.Seen) < maxSeen && !slices.ContainsFunc(p.batch.Seen, func(o lessons.Lesson) bool { return shownBy(o) == shownBy(l) }) {
		p.batch.Seen = append(p.batch.Seen, l)
	}
}

// said returns the turns that a proposal quotes, and of those around them the parts in
// which the proposal may have cut a secret in half or found its triggers.
func said(l lessons.Lesson, turns []transcript.Turn) (out []string) {
	for i, t := range turns {
		if !slices.ContainsFunc(l.Evidence, func(e lessons.Evidence) bool { return e.Line == t.Line }) {
			continue
		}
		for j := max(0, i-farTurns); j < min(len(turns), i+farTurns+1); j++ {
			out = append(out, stoodIn(turns[j].Text, l.Triggers)...)
		}
		for j := max(0, i-nearTurns); j < min(len(turns), i+nearTurns+1); j++ {
			texts := []string{turns[j].Text}
			if turns[j].Tool != nil {
				texts = append(texts, turns[j].Tool.Command)
			}
			for _, s := range texts {
				if j == i {
					out = append(out, cut(s, maxQuote))
				} else if len(s) > leastCut {
					out = append(out, cut(s, maxNear))
				}
			}
		}
	}
	return out
}

// stoodIn returns what surrounds the first place of each term in a text.
func stoodIn(text string, terms []string) (out []string) {
	for _, w := range terms {
		if at := strings.Index(text, w); at >= 0 {
			out = append(out, strings.ToValidUTF8(text[max(0, at-maxFar):min(len(text), at+len(w)+maxFar)], ""))
		}
	}
	return out
}

// isNew reports whether some of the evidence lies after what was given before, or where
// the file had ended too early to judge it.
func (p *pass) isNew(l lessons.Lesson, w window) bool {
	first := w.turns[w.before].Line
	for _, t := range w.turns[w.before:] {
		first = min(first, t.Line)
	}
	return slices.ContainsFunc(l.Evidence, func(e lessons.Evidence) bool {
		open := p.open > 0 && !p.taken[e.Line] && (e.Line == p.open || e.Line > p.open && e.By != lessons.ByPerson)
		return open || e.Line >= first
	})
}

// filled sets what a proposer cannot know, and clears what no proposer may decide.
func (p *pass) filled(l lessons.Lesson) lessons.Lesson {
	s, f := p.batch.Session, p.batch.File
	l.Rev, l.Status, l.Decided, l.Use = "", lessons.Pending, lessons.Decision{}, lessons.Use{}
	l.Origin.Stands, l.Origin.Against = "", ""
	if l.Scope.Project == "" && p.o.Project != nil {
		l.Scope.Project = p.o.Project(s.Dir)
	}
	l.Scope.Role = cmp.Or(l.Scope.Role, s.Role, f.Agent, p.o.Role, DefaultRole)
	l.Origin.Source = cmp.Or(l.Origin.Source, s.ID)
	var at time.Time
	for i := range l.Evidence {
		e := &l.Evidence[i]
		e.Path = f.Path
		e.Agent = cmp.Or(e.Agent, string(s.Agent))
		e.Session = cmp.Or(e.Session, s.ID)
		if at.IsZero() {
			at = e.At
		}
	}
	// A lesson is as old as the moment that taught it, so its age does not depend on
	// when the transcript is read.
	for _, t := range []time.Time{at, s.Start, f.ModTime} {
		if l.Created.IsZero() {
			l.Created = t
		}
	}
	l.Created = l.Created.UTC().Truncate(time.Second)
	return l
}

// idOf is the id of a proposal whose proposer gave none. It comes from the id of the
// record, or else from the session and line.
func idOf(l lessons.Lesson) lessons.ID {
	e := l.Evidence[0]
	says := []string{string(l.Category), normalized(l.Content)}
	if e.UUID == "" {
		says = append(says, e.Agent, strconv.Itoa(e.Line))
	}
	return lessons.ProposalID("extract", e, says...)
}

// shortened cuts evidence to what a card can show. It runs after redaction, which does
// not recognise half a secret.
func shortened(l lessons.Lesson) lessons.Lesson {
	for i := range l.Evidence {
		e := &l.Evidence[i]
		e.Quote = cut(e.Quote, maxQuote)
		e.Before = cutAll(e.Before[max(0, len(e.Before)-maxTurns):])
		e.After = cutAll(e.After[:min(len(e.After), maxTurns)])
	}
	return l
}

func cutAll(in []string) []string {
	for i, s := range in {
		in[i] = cut(s, maxAround)
	}
	return in
}

// cut shortens s to at most n bytes, between characters.
func cut(s string, n int) string {
	const sign = "…"
	if len(s) <= n {
		return s
	}
	n -= len(sign)
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + sign
}

// Asked makes the proposal of what a prompt asks to have remembered, as [rules.Asked] reads
// it, without secrets. at says where and when it was typed; a hook knows no line. The same
// words give one id in a project. ok is false if the prompt asks for nothing of the kind.
func Asked(prompt string, at lessons.Evidence, scope lessons.Scope) (l lessons.Lesson, ok bool) {
	w, quote, ok := rules.Asked(prompt)
	if !ok {
		return l, false
	}
	at.Quote, at.From, at.By = quote, lessons.FromAsked, lessons.ByPerson
	scope.Role = cmp.Or(scope.Role, DefaultRole)
	l = redact.New().Lesson(lessons.Lesson{
		Status: lessons.Pending, Category: "preference", Wording: w, Confidence: rules.SureOfAsked, Created: at.At, Scope: scope,
		Origin:   lessons.Origin{Source: at.Session, Extractor: rules.Name, Rule: rules.AskedRule, Score: rules.SureOfAsked},
		Evidence: []lessons.Evidence{at},
	})
	l.ID = lessons.IDFrom("asked", l.Scope.Project, l.Content)
	return l, l.Validate() == nil
}

// This file makes lessons of what several sessions show. A mark keeps the observations of
// its transcript, so that they are recognised when a session next week shows the same.

// A sighting is where something was observed.
type sighting struct {
	lesson  lessons.Lesson
	session string
	earlier bool // in an earlier run
}

// record identifies the record that shows it: agents copy records into new sessions.
func (a sighting) record() string {
	e := a.lesson.Evidence[0]
	return cmp.Or(e.UUID, a.session+"\x00"+strconv.Itoa(e.Line))
}

// same reports whether two sightings are of one session, or of a copy of its records.
func (a sighting) same(b sighting) bool { return a.session == b.session || a.record() == b.record() }

// shownBy identifies an observation. Of a family of cures, each is the same.
func shownBy(l lessons.Lesson) saying {
	return saying{l.Scope.Project, normalized(rules.Family(l.Content))}
}

// kept adds observations to those of a mark, without their surroundings.
func kept(have, seen []lessons.Lesson) []lessons.Lesson {
	out := slices.Clone(have)
	for _, l := range seen {
		if slices.ContainsFunc(out, func(o lessons.Lesson) bool { return shownBy(o) == shownBy(l) }) || len(out) >= maxSeen {
			continue
		}
		l.Evidence = slices.Clone(l.Evidence[:min(len(l.Evidence), 2)])
		for i := range l.Evidence {
			e := &l.Evidence[i]
			e.Before, e.After, e.Quote = nil, nil, cut(e.Quote, maxAround)
		}
		out = append(out, l)
	}
	return out
}

// observed returns all sightings in the ledger, by what they show, the earliest first.
func (l *Ledger) observed() map[saying][]sighting {
	l.mu.Lock()
	defer l.mu.Unlock()
	out := map[saying][]sighting{}
	for path, m := range l.last {
		for _, seen := range m.Observed {
			if len(seen.Evidence) > 0 {
				out[shownBy(seen)] = append(out[shownBy(seen)], sighting{seen, cmp.Or(m.Session.ID, path), true})
			}
		}
	}
	for _, all := range out {
		slices.SortFunc(all, func(a, b sighting) int {
			return cmp.Or(a.lesson.Created.Compare(b.lesson.Created), cmp.Compare(a.session, b.session))
		})
	}
	return out
}

// An observation of three sessions or more is surer by surerBy than one of two, but
// not above mostShown: no person has said it.
const (
	surerBy   lessons.Confidence = 0.10
	mostShown lessons.Confidence = 0.75
)

// recur makes lessons of those observations of a batch that another session has shown
// before, with the evidence of both.
func (r *run) recur(b *Batch) {
	single := b.Seen[:0]
	for _, l := range b.Seen {
		s, here := shownBy(l), sighting{l, cmp.Or(b.Session.ID, b.File.Path), false}
		others := distinct(r.observed[s], here)
		if !slices.ContainsFunc(r.observed[s], func(o sighting) bool { return o.record() == here.record() }) {
			r.observed[s] = append(r.observed[s], here)
		}
		if len(others) == 0 {
			single = append(single, l)
			continue
		}
		first := others[0]
		l = r.observed[s][0].wording(l)
		if len(others) == 1 { // with more, the lesson already has their evidence
			l.Evidence = lessons.MergeEvidence(l.Evidence, first.lesson.Evidence)
			if first.lesson.Confidence > l.Confidence {
				l.Confidence, l.Origin.Rule = first.lesson.Confidence, first.lesson.Origin.Rule
			}
		} else if !l.Quarantined() {
			l.Confidence = max(l.Confidence, min(l.Confidence+surerBy, mostShown)).Round()
		}
		if first.earlier {
			l.Origin.Rule += "; before that in session " + first.session
		}
		b.Lessons = append(b.Lessons, l)
		b.Mark.Lessons++
	}
	b.Seen = single
}

// wording words an observation as the sighting, the first of its family, so that every
// further one is known to be the same. Words that rest on a tool alone are not lent to one that rests on more.
func (a sighting) wording(l lessons.Lesson) lessons.Lesson {
	if a.lesson.Quarantined() && !l.Quarantined() {
		return l
	}
	other := l.Content
	if l.Wording = a.lesson.Wording; normalized(other) != normalized(l.Content) {
		l.Insight += " In another session: " + other
	}
	for _, t := range a.lesson.Triggers {
		if !slices.Contains(l.Triggers, t) {
			l.Triggers = append(slices.Clone(l.Triggers), t)
		}
	}
	return l
}

// distinct returns one sighting for each session other than that of here. A copy of a
// session does not count as another.
func distinct(all []sighting, here sighting) []sighting {
	var out []sighting
	for _, o := range all {
		if !o.same(here) && !slices.ContainsFunc(out, o.same) {
			out = append(out, o)
		}
	}
	return out
}
