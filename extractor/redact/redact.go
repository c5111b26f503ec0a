// Package redact removes secrets and personal data from text: keys, tokens, passwords, mail
// addresses and the names in home folders. The rules are:
//
//   - A finding is replaced by [REDACTED:rule], which shows its kind and nothing else.
//   - The text is searched as it is and with its escapes undone, level by level, because
//     transcripts quote configuration files in JSON in shell commands.
//   - Removing too much is cheaper than leaving a secret, but what lessons are made of
//     must survive: commit hashes, checksums, UUIDs, paths, identifiers and the
//     placeholders of documentation.
//   - What no rule names is judged by its form and by where it stands: see judge.go.
//   - Redacting a redacted text does not change it.
package redact

import (
	"cmp"
	"slices"
	"strings"
)

// A Redactor removes secrets and personal data from text. Several goroutines may use
// it.
type Redactor struct{}

// New returns a Redactor with all rules. It costs nothing: the rules are laid out for the
// first text, and an expression is compiled when a text has its word.
func New() *Redactor { return &Redactor{} }

// A span is a stretch of bytes that a rule found.
type span struct {
	from, to int
	rule     string
}

const (
	markOpen  = "[REDACTED:"
	markClose = ']'
)

// Redact returns s without secrets and personal data, as valid UTF-8.
//
// A finding can hide what is beside it, so Redact repeats until nothing more is found.
// It gives up on texts made to go on for ever.
func (r *Redactor) Redact(s string) string { return r.redact(s, func(span, string) {}) }

// redact is [Redactor.Redact], and calls taken for what it removes.
func (r *Redactor) redact(s string, taken func(f span, text string)) string {
	s = strings.ToValidUTF8(s, "\ufffd")
	for range mostLooks {
		if len(s) < minSecret {
			break
		}
		found := r.find(s)
		if len(found) == 0 {
			break
		}
		for _, f := range found {
			taken(f, s[f.from:f.to])
		}
		s = without(s, found)
	}
	return s
}

// mostLooks is the most passes over a text. Real ones need two.
const mostLooks = 32

// without replaces each span by a mark.
func without(s string, found []span) string {
	var b strings.Builder
	b.Grow(len(s))
	last := 0
	for _, f := range found {
		b.WriteString(s[last:f.from])
		b.WriteString(markOpen)
		b.WriteString(f.rule)
		b.WriteByte(markClose)
		last = f.to
	}
	b.WriteString(s[last:])
	return b.String()
}

// minSecret is the length of the shortest text that a rule could match: an e-mail
// address such as a@b.ch.
const minSecret = 6

// Rules for personal data, which other texts do not repeat as they do secrets.
const ruleEmail, ruleUser = "email", "user"

// find returns what to remove from s, in order and without overlap.
func (r *Redactor) find(s string) []span {
	var all []span
	for v, ok := plainView(s), true; ok; v, ok = v.unescaped() {
		for _, f := range r.scan(v.text) {
			f.from, f.to = v.back(f.from), v.back(f.to)
			all = append(all, f)
		}
	}
	if len(all) == 0 {
		return nil
	}
	return outside(marks(s), joined(all))
}

// scan finds the spans of one text, the surest rules first.
func (r *Redactor) scan(s string) []span {
	var out, low []span
	set := rules()
	for _, w := range set.windows(s) {
		rule := &set.all[w.rule]
		to := &out
		if rule.personal {
			to = &low
		}
		*to = append(*to, rule.find(s, w)...)
	}
	out = append(out, randomTokens(s)...)
	out = append(out, judged(s, false)...)
	// Personal data gives way: the host of https://u:secret@host.com is not
	// the end of an e-mail address.
	for _, p := range low {
		if !slices.ContainsFunc(out, p.meets) {
			out = append(out, p)
		}
	}
	return out
}

func (a span) meets(b span) bool { return a.from < b.to && b.from < a.to }

// joined sorts spans and joins those that overlap, under the name of the surest rule.
func joined(all []span) []span {
	type ranked struct {
		span
		rank int
	}
	in := make([]ranked, len(all))
	for i, s := range all {
		in[i] = ranked{s, i}
	}
	slices.SortFunc(in, func(a, b ranked) int {
		return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.rank, b.rank))
	})
	out := in[:0]
	for _, s := range in {
		if len(out) == 0 || s.from >= out[len(out)-1].to {
			out = append(out, s)
			continue
		}
		last := &out[len(out)-1]
		last.to = max(last.to, s.to)
		if s.rank < last.rank {
			last.rank, last.rule = s.rank, s.rule
		}
	}
	spans := make([]span, len(out))
	for i, s := range out {
		spans[i] = s.span
	}
	return spans
}

// marks returns the places in s that were redacted before.
func marks(s string) []span {
	var out []span
	for from := range places(s, markOpen) {
		at := from + len(markOpen)
		end := at
		for end < len(s) && (s[end] >= 'a' && s[end] <= 'z' || s[end] >= '0' && s[end] <= '9' || s[end] == '-') {
			end++
		}
		if end > at && end < len(s) && s[end] == markClose {
			out = append(out, span{from: from, to: end + 1})
		}
	}
	return out
}

// Unmarked returns s without the marks of redaction.
func Unmarked(s string) string {
	var b strings.Builder
	last := 0
	for _, m := range marks(s) {
		b.WriteString(s[last:m.from])
		last = m.to
	}
	b.WriteString(s[last:])
	return b.String()
}

// outside cuts the holes out of the spans. Both are in order. A rest of one or two
// characters beside a hole is only its punctuation, and is dropped.
func outside(holes, spans []span) []span {
	if len(holes) == 0 {
		return spans
	}
	var out []span
	for _, s := range spans {
		touched := false
		keep := func(from, to int) {
			if to-from > 0 && (!touched || to-from > 2) {
				out = append(out, span{from, to, s.rule})
			}
		}
		from := s.from
		for _, h := range holes {
			if !h.meets(s) {
				continue
			}
			touched = true
			keep(from, h.from)
			from = h.to
		}
		keep(from, s.to)
	}
	return out
}
