package redact

import (
	"cmp"
	"slices"
	"strings"

	"learnings/lessons"
)

// A lesson is redacted as a whole. Its parts are made of one another: a trigger is a word of
// the sentence, a quote is cut short, an insight repeats a command. The words that give a
// secret away may be in only one of them, so a secret of one part is a secret in all.

// Lesson returns l without secrets and personal data in any text that a person, a
// transcript or a model could have filled. said are the texts that the lesson was made
// from: they may show that a word is secret that the lesson only repeats. Tags and
// triggers that are part of a secret are dropped. Paths of transcripts stay, because
// evidence is found by them.
func (r *Redactor) Lesson(l lessons.Lesson, said ...string) lessons.Lesson {
	texts := ownTexts(&l)
	var secrets, raw, clean []string
	note := func(f span, text string) {
		if text = strings.Trim(text, ".,;:!?)(\"'`"); f.rule != ruleEmail && f.rule != ruleUser && len(text) >= leastRepeated {
			secrets = append(secrets, text)
			if i := strings.LastIndexByte(text, ':'); len(text)-i > leastRepeated { // name:password
				secrets = append(secrets, text[i+1:])
			}
		}
	}
	said = slices.Clone(said)
	for i := range said {
		texts = append(texts, &said[i])
	}
	for _, t := range texts {
		raw = append(raw, *t)
		*t = r.redact(*t, note)
	}
	slices.SortFunc(secrets, func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	secrets = slices.Compact(secrets)
	for _, t := range texts {
		for _, s := range secrets {
			*t = masked(*t, s)
		}
		clean = append(clean, *t)
	}
	was, is := strings.ToLower(strings.Join(raw, "\n")), strings.ToLower(Unmarked(strings.Join(clean, "\n")))
	marked := len(is) < len(strings.Join(clean, "\n"))
	part := func(word string) bool {
		low := strings.ToLower(word)
		return r.Redact(word) != word || !strings.Contains(is, low) &&
			(strings.Contains(was, low) || marked && secretValue(word, false)) // the latter for lessons with only their texts redacted
	}
	for _, terms := range []*[]string{&l.Tags, &l.Triggers, &l.Origin.Unsaid} {
		*terms = slices.DeleteFunc(slices.Clone(*terms), part)
	}
	return l
}

// ownTexts returns the texts of a lesson. It gives the lesson lists of its own, so that the
// texts can be changed.
func ownTexts(l *lessons.Lesson) []*string {
	l.Evidence, l.Extra = slices.Clone(l.Evidence), slices.Clone(l.Extra)
	texts := []*string{&l.Content, &l.Insight, &l.Example, &l.Origin.Rule, &l.Decided.Reason, &l.Origin.Stands, &l.Origin.Against, &l.Origin.Advice, &l.Offer.Content, &l.Offer.Insight, &l.Offer.Example}
	for i := range l.Evidence {
		e := &l.Evidence[i]
		e.Before, e.After = slices.Clone(e.Before), slices.Clone(e.After)
		texts = append(texts, &e.Quote, &e.Author, &e.Link)
		for _, around := range [][]string{e.Before, e.After} {
			for j := range around {
				texts = append(texts, &around[j])
			}
		}
	}
	for i := range l.Extra {
		texts = append(texts, &l.Extra[i].Value)
	}
	return texts
}

// leastRepeated is the length of the shortest secret that is removed where it is
// repeated, and of the shortest recognizable piece at a cut. Shorter ones are part of
// too many words.
const leastRepeated = 5

// masked replaces a secret by a mark, and what is left of it where the text was cut: at
// its end, and beside an ellipsis.
func masked(s, secret string) string {
	const rule, ellipsis = "repeated", "…"
	var found []span
	for from := range places(s, secret) {
		to := from + len(secret)
		if (from == 0 || !isAlnum(s[from-1])) && (to == len(s) || !isAlnum(s[to])) {
			found = append(found, span{from, to, rule})
		}
	}
	for at := 0; ; at += len(ellipsis) {
		i := strings.Index(s[at:], ellipsis)
		if i < 0 {
			i = len(s) - at
		}
		end := at + i
		if n := overlap(s[at:end], secret); n > 0 {
			found = append(found, span{end - n, end, rule})
		}
		if at = end; at == len(s) {
			break
		}
		if n := overlap(secret, s[at+len(ellipsis):]); n > 0 {
			found = append(found, span{at + len(ellipsis), at + len(ellipsis) + n, rule})
		}
	}
	return without(s, outside(marks(s), joined(found)))
}

// overlap returns the length of the longest end of a that is a proper beginning of b; 0
// if shorter than leastRepeated.
func overlap(a, b string) int {
	for n := min(len(a), len(b)) - 1; n >= leastRepeated; n-- {
		if a[len(a)-n:] == b[:n] {
			return n
		}
	}
	return 0
}
