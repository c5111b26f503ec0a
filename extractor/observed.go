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

// This file makes lessons of what several sessions show. Of an observation a
// mark keeps a sign, so that a session of next week is told from the one that
// showed the same today without a word of either being kept.

// sign tells an observation from others: what it says, for which project.
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

// same reports that two sightings are one.
func (a sighting) same(b sighting) bool { return a.session == b.session || a.record == b.record }

// signs adds those of observations, with their records, to what a mark has.
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

// observed gives where things were observed, by their signs.
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

// What a third session shows too is surer than what two have shown, up to what
// tools and agents can make likely by themselves.
const (
	surerBy   lessons.Confidence = 0.10
	mostShown lessons.Confidence = 0.75
)

// recur makes lessons of the observations of a batch that another session has
// shown before, with what that one showed where it is at hand.
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

// distinct gives the sightings that are of other sessions than here, and each
// session once: neither its copies count nor it itself.
func distinct(all []sighting, here sighting) []sighting {
	var out []sighting
	for _, o := range all {
		if !o.same(here) && !slices.ContainsFunc(out, o.same) {
			out = append(out, o)
		}
	}
	return out
}
