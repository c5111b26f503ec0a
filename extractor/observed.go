package extractor

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"learnings/lessons"
)

// This file makes lessons of what several sessions show. A mark keeps only a sign of
// each observation. That is enough to recognize the same observation in next week's
// session, and no word of either session is kept.

// sign identifies an observation by what it says and for which project. It is a
// digest of redacted text.
func sign(l lessons.Lesson) string {
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
}

func sightingOf(l lessons.Lesson, session string) sighting {
	e := l.Evidence[0]
	return sighting{session, digest(firstOf(e.UUID, session+"\x00"+strconv.Itoa(e.Line)))}
}

// same reports that two sightings are of one session, or of a copy of its records.
func (a sighting) same(b sighting) bool { return a.session == b.session || a.record == b.record }

// signs adds the signs of observations, with their records, to those of a mark.
func signs(have []string, seen []lessons.Lesson, session string) []string {
	out := slices.Clone(have)
	for _, l := range seen {
		s := sign(l)
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
			out[s] = append(out[s], sighting{firstOf(m.Session.ID, path), record})
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
// before. When that session was read in this run, its evidence is added.
func (r *run) recur(b *Batch) {
	alone := b.Seen[:0]
	session := firstOf(b.Session.ID, b.File.Path)
	for _, l := range b.Seen {
		s, here := sign(l), sightingOf(l, session)
		others := distinct(r.observed[s], here)
		if !slices.ContainsFunc(r.observed[s], func(o sighting) bool { return o.record == here.record }) {
			r.observed[s] = append(r.observed[s], here)
		}
		if len(others) == 0 {
			r.once[s] = l
			alone = append(alone, l)
			continue
		}
		if first, ok := r.once[s]; ok {
			l.Evidence = lessons.MergeEvidence(l.Evidence, first.Evidence)
			if first.Confidence > l.Confidence {
				l.Wording, l.Confidence, l.Origin.Rule = first.Wording, first.Confidence, first.Origin.Rule
			}
		} else {
			l.Origin.Rule += "; before that in session " + others[0].session
		}
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
