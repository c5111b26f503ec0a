package extractor

import (
	"cmp"
	"slices"
	"strconv"

	"learnings/extractor/rules"
	"learnings/lessons"
)

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
