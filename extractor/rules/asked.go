package rules

import (
	"cmp"
	"strings"

	"learnings/extractor/transcript"
	"learnings/lessons"
)

// What a person typed to have it remembered is a proposal without any judgement: "Remember:
// …", "from now on …".

// SureOfAsked is the confidence in what a person asked to be remembered. It is
// [lessons.Sure]: nobody asks by mistake.
const SureOfAsked = 0.95

// remembers opens what is to be remembered; what follows is the lesson. "Remember to
// update the docs" is an order for now, and "do you remember that" none at all.
var remembers = lessons.LazyRegexp(`(?i)^\W*(?:(?:and|also|ok(?:ay)?|so|please|pls)[, ]+)*(?:(?:always )?remember(?: this| that| the following| it| for (?:later|next time|the future))?(?: rule| please)?\s*[:—–]|remember (?:this|that)[, ]|remember -|note to self\s*[:,—–-])\s*`)

// pointsBack is a whole sentence that asks to remember the one before it.
var pointsBack = lessons.LazyRegexp(`(?i)^\W*(?:(?:and|also|ok(?:ay)?|so|please|pls|always|do)[, ]+)*(?:remember|keep in mind|bear in mind|don'?t forget|note) (?:this|that|it)(?:[, ]+(?:please|pls|always|too|from now on|for (?:later|next time|the future)))*\W*$`)

// fromNowOn makes a rule of a sentence.
var fromNowOn = lessons.LazyRegexp(`(?i)\bfrom (?:now|here) on(?:wards?)?\b|\bfrom this point on(?:wards?)?\b`)

// asked returns the first sentence of a moment that the person asked to have remembered;
// nil for none. Nobody types as much as a pasted text.
func (m *moment) asked() *sentence {
	if m.pasted {
		return nil
	}
	for i := range m.all {
		s := &m.all[i]
		switch rest := remembers().ReplaceAllString(s.text, ""); {
		case pointsBack().MatchString(s.text):
			if i > 0 && !m.all[i-1].asks() && !killed(&m.all[i-1], m) {
				return &m.all[i-1]
			}
			continue
		case rest != s.text && rest == "" && i+1 < len(m.all): // "Remember:" on a line of its own
			return &m.all[i+1]
		case strings.HasSuffix(s.text, "?") || killed(s, m):
		case rest != s.text && len(words(rest)) > 1, fromNowOn().MatchString(s.text) && len(s.words) > 4:
			return s
		}
		if f, ok := inOtherLanguages(m, i); ok && f.form.says == forms["remember"].says {
			return f.sentence
		}
	}
	return nil
}

// remembered is the wording of a sentence that the person asked to have remembered: theirs,
// without the asking.
func (m *moment) remembered(s *sentence) lessons.Wording {
	said := strings.Join(strings.Fields(remembers().ReplaceAllString(s.text, "")), " ")
	alone := moment{kind: m.kind}
	alone.read(said)
	said = stripped(lasting().ReplaceAllString(said, ""))
	if len(alone.all) == 1 && points(said) == "" {
		if content, why, missing := alone.contentOf(&alone.all[0]); missing == "" {
			return lessons.Wording{Content: content, Insight: cmp.Or(why, reasonBeside(s, m))}
		}
	}
	return lessons.Wording{Content: finished(said)} // what "it" is, nobody guesses
}

// Asked returns what a prompt asks to have remembered, and the sentence as it was typed. ok
// is false if it asks for nothing of the kind.
func Asked(prompt string) (w lessons.Wording, quote string, ok bool) {
	ms := moments([]transcript.Turn{{Speaker: transcript.Person, Kind: transcript.Message, Text: prompt}})
	for i := range ms {
		if s := ms[i].asked(); s != nil {
			return ms[i].remembered(s), head(s.text, maxQuote), true
		}
	}
	return w, "", false
}

// asking makes the proposal of a sentence that the person asked to have remembered.
func (r Rules) asking(s transcript.Session, turns []transcript.Turn, ms []moment, at int, of *sentence) lessons.Lesson {
	m := &ms[at]
	l := r.lesson(s, turns, ms, at, candidate{main: of, confidence: SureOfAsked, why: []string{AskedRule}})
	l.Wording, l.Lane, l.Confidence = m.remembered(of), "", SureOfAsked
	l.Evidence[0].From = lessons.FromAsked
	return l
}

// AskedRule is the reason of such proposals.
const AskedRule = "you asked to have it remembered"
