package extractor

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"learnings/extractor/transcript"
	"learnings/lessons"
)

// This file makes lessons of what several sessions show. A mark keeps only a sign of
// each observation. That is enough to recognize the same observation in next week's
// session, and no word of either session is kept.

// signOf identifies an observation by what it says and for which project. It is a
// digest of redacted text.
func signOf(l lessons.Lesson) string {
	m := sayingOf(l)
	return digest(m.project + "\x00" + m.words)
}

func digest(s string) string {
	h := sha256.Sum256([]byte(s))
	return hex.EncodeToString(h[:8])
}

// A sighting is where something was observed.
type sighting struct {
	session string
	record  string // digest of the record's own id: agents copy records into new sessions
	path    string // of the transcript; "" for one that is being read
}

func sightingOf(l lessons.Lesson, session string) sighting {
	e := l.Evidence[0]
	return sighting{session: session, record: digest(firstOf(e.UUID, session+"\x00"+strconv.Itoa(e.Line)))}
}

// same reports that two sightings are of one session, or of a copy of its records.
func (a sighting) same(b sighting) bool { return a.session == b.session || a.record == b.record }

// signs adds the signs of observations, with their records, to those of a mark.
func signs(have []string, seen []lessons.Lesson, session string) []string {
	out := slices.Clone(have)
	for _, l := range seen {
		s := signOf(l)
		if !slices.ContainsFunc(out, func(o string) bool { return strings.HasPrefix(o, s) }) && len(out) < maxSeen {
			out = append(out, s+":"+sightingOf(l, session).record)
		}
	}
	return out
}

// observed gives all sightings that the ledger knows, by sign.
func (l *Ledger) observed() map[string][]sighting {
	l.mu.Lock()
	defer l.mu.Unlock()
	out := map[string][]sighting{}
	for path, line := range l.last {
		if !strings.Contains(line, `,"seen":[`) {
			continue
		}
		var m Mark
		if json.Unmarshal([]byte(line), &m) != nil {
			continue
		}
		for _, s := range m.Seen {
			s, record, _ := strings.Cut(s, ":")
			out[s] = append(out[s], sighting{firstOf(m.Session.ID, path), record, path})
		}
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
// before, and adds the evidence of that session.
func (r *run) recur(ctx context.Context, b *Batch) {
	alone := b.Seen[:0]
	session := firstOf(b.Session.ID, b.File.Path)
	for _, l := range b.Seen {
		s, here := signOf(l), sightingOf(l, session)
		others := distinct(r.observed[s], here)
		if !slices.ContainsFunc(r.observed[s], func(o sighting) bool { return o.record == here.record }) {
			r.observed[s] = append(r.observed[s], here)
		}
		if len(others) == 0 {
			r.once[s] = l
			alone = append(alone, l)
			continue
		}
		first, ok := r.once[s]
		earlier := ""
		if !ok {
			earlier = "; before that in session " + others[0].session
			if len(others) == 1 { // of more, the lesson has the evidence already
				first, ok = r.readAgain(ctx, others[0].path, s)
			}
		}
		if ok {
			l.Evidence = lessons.MergeEvidence(l.Evidence, first.Evidence)
			if first.Confidence > l.Confidence {
				l.Wording, l.Confidence, l.Origin.Rule = first.Wording, first.Confidence, first.Origin.Rule
			}
		}
		l.Origin.Rule += earlier
		if len(others) > 1 && !l.Quarantined() {
			l.Confidence = max(l.Confidence, min(l.Confidence+surerBy, mostShown)).Round()
		}
		b.Lessons = append(b.Lessons, l)
		b.Mark.Lessons++
	}
	b.Seen = alone
}

// distinct gives one sighting for each session other than that of here. A copy of a
// session is not another session.
func distinct(all []sighting, here sighting) []sighting {
	var out []sighting
	for _, o := range all {
		if !o.same(here) && !slices.ContainsFunc(out, o.same) {
			out = append(out, o)
		}
	}
	return out
}

// readAgain observes an earlier transcript once more, for the evidence of which only a
// sign was kept. It reports false when the transcript does not show that any more.
func (r *run) readAgain(ctx context.Context, path, sign string) (lessons.Lesson, bool) {
	seen, ok := r.again[path]
	if !ok {
		o := r.o
		o.Anew, o.From, o.Proposers = true, nil, nil
		for _, p := range r.o.Proposers {
			if watches, ok := p.(Observer); ok {
				o.Proposers = append(o.Proposers, onlyObserver{watches})
			}
		}
		b, err := extract(ctx, transcript.File{Path: path, Named: true}, Mark{}, o, func(int64) {})
		if err == nil {
			seen = b.Seen
		}
		r.again[path] = seen
	}
	i := slices.IndexFunc(seen, func(l lessons.Lesson) bool { return signOf(l) == sign })
	if i < 0 {
		return lessons.Lesson{}, false
	}
	return seen[i], true
}

// An onlyObserver proposes nothing: a model would have to be paid for it again.
type onlyObserver struct{ Observer }

func (onlyObserver) Propose(context.Context, transcript.Session, []transcript.Turn) ([]lessons.Lesson, error) {
	return nil, nil
}
