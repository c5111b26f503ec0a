package insights

import (
	"fmt"
	"slices"
	"time"

	"learnings/extractor/past"
	"learnings/lessons"
)

// A Measure is one number that says whether lessons help. One that is not known has no
// value, and says what is missing.
type Measure struct {
	Name    string    `json:"name"`
	Value   float64   `json:"value"`
	Unit    Unit      `json:"unit"`
	Part    int       `json:"part,omitempty"` // of a share: so many …
	Of      int       `json:"of,omitempty"`   // … of so many; of an average, of how many it is
	Known   bool      `json:"known"`
	Since   time.Time `json:"since,omitzero"` // of nothing before that time anything is known
	Flag    string    `json:"flag,omitempty"` // what is wrong with the value; "" for nothing
	How     string    `json:"how"`            // it is computed, in a sentence
	Missing string    `json:"missing,omitempty"`
}

// A Unit is what a value counts.
type Unit string

// The units.
const (
	Share   Unit = "share" // from 0 to 1
	PerWeek Unit = "per week"
	Ratio   Unit = "to 1"
	Days    Unit = "days"
	Number  Unit = "count"
)

// String is the value as people read it, such as "62% (8 of 13)", or "no data".
func (m Measure) String() string {
	if !m.Known {
		return "no data"
	}
	switch m.Unit {
	case Share:
		return fmt.Sprintf("%.0f%% (%d of %d)", 100*m.Value, m.Part, m.Of)
	case PerWeek:
		return fmt.Sprintf("%.1f a week", m.Value)
	case Ratio:
		return fmt.Sprintf("%.1f:1", m.Value)
	case Days:
		return fmt.Sprintf("%.1f days", m.Value)
	}
	return fmt.Sprintf("%.0f", m.Value)
}

// The names of measures, in the order in which they are given. The first four are
// those of amplihack's session learning, the others those of stores of observations.
const (
	InjectionRate      = "injection rate"
	UsageRate          = "usage rate"
	Growth             = "growth"
	Quality            = "quality"
	PrecedentCoverage  = "precedent coverage"
	RecurringMistakes  = "recurring mistakes"
	ReadToEdit         = "read to edit"
	SpinningSessions   = "spinning sessions"
	BlindSessions      = "blind edits"
	ExploringSessions  = "explorations"
	TimeToCure         = "time to cure"
	RecurringAfterCure = "back after cure"
)

const (
	noSessions = "no sessions have been read: `learnings sessions` or `learnings extract` reads what agents did"
	noGifts    = "no session has been given a lesson yet: `learnings setup` wires agents in"
	noReports  = "nothing is known yet of what a lesson did: `learnings stats outcomes --read` looks"
	noMistakes = "no mistake of several sessions has an active lesson yet: `learnings check recurring` lists them"
)

// success computes the measures.
func (c *Collector) success(f *Figures) []Measure {
	injection, usage, precedents := c.gives()
	quality := share(Quality, c.helped, c.helped+c.harmed, time.Time{}, "of what people and agents said that active lessons did, how often they helped", noReports)
	return slices.Concat([]Measure{injection, usage, c.grows(f), quality, precedents}, c.works(f), c.cures(f.Mistakes))
}

// share makes a measure of a part of a whole; of nothing it is not known.
func share(name string, part, of int, since time.Time, how, missing string) Measure {
	m := Measure{Name: name, Unit: Share, How: how, Part: part, Of: of, Since: since}
	if of == 0 {
		m.Missing = missing
		m.Since = time.Time{}
		return m
	}
	m.Known, m.Value = true, float64(part)/float64(of)
	return m
}

// gives are the measures of what is given to sessions.
func (c *Collector) gives() (injection, usage, precedents Measure) {
	given, matched := map[string]bool{}, map[string]bool{}
	var from time.Time
	for _, r := range c.sessions {
		if from.IsZero() || r.At.Before(from) {
			from = r.At
		}
		given[r.Session] = true
		matched[r.Session] = matched[r.Session] || r.Event != "session-start"
	}
	missing := noGifts
	had, fitted, of := 0, 0, 0
	if len(c.sessions) > 0 {
		missing = noSessions
		for i := range c.rows {
			r := &c.rows[i]
			if start := r.Session.Start; r.Session.ID == "" || start.IsZero() || r.Human == 0 || start.Before(from.Add(-time.Minute)) {
				continue
			}
			of++
			if given[r.Session.ID] {
				had++
			}
			if matched[r.Session.ID] {
				fitted++
			}
		}
	}
	used := 0
	for g := range c.gifts {
		if c.reports[g] > 0 {
			used++
		}
	}
	gifts, missingUse := len(c.gifts), noGifts
	if len(c.reports) == 0 && gifts > 0 {
		gifts, missingUse = 0, noReports
	}
	return share(InjectionRate, had, of, from, "of the sessions that began since the first one was given a lesson, those that were given one", missing),
		share(UsageRate, used, gifts, from, "of the lessons given to a session, those that were followed or cited there, or that somebody said helped", missingUse),
		share(PrecedentCoverage, fitted, of, from, "of the sessions that began since the first one was given a lesson, those that were given one that fits a prompt or an error of theirs", missing)
}

// growthWeeks are how many weeks growth is the average of.
const growthWeeks = 4

// grownWeeks is how many weeks of growth are counted.
const grownWeeks = 12

// grows is by how many active lessons the corpus grew.
func (c *Collector) grows(f *Figures) Measure {
	m := Measure{Name: Growth, Unit: PerWeek, How: "active lessons that were proposed or added in a week, on average of the last four"}
	if f.Counts.Active == 0 {
		m.Missing = "there are no lessons yet: `learnings extract` proposes some"
		return m
	}
	grown, older := c.growth[:], f.Counts.Active
	for _, n := range grown {
		older -= n
	}
	for older <= 0 && len(grown) > 1 && grown[0] == 0 {
		grown = grown[1:] // there was no lesson yet
	}
	last := grown[max(len(grown)-growthWeeks, 0):]
	sum := 0
	for _, n := range last {
		sum += n
	}
	m.Known, m.Of, m.Value = true, len(last), float64(sum)/float64(len(last))
	return m
}

// works are the measures of how agents work.
func (c *Collector) works(f *Figures) []Measure {
	s := f.Sessions
	again, all := 0, 0
	ids := map[lessons.ID]int{}
	for i := range c.rows {
		for _, e := range c.rows[i].Errors {
			ids[e.ID]++
		}
	}
	for i := range c.rows {
		for _, e := range c.rows[i].Errors {
			all += e.Count
			if ids[e.ID] > 1 {
				again += e.Count
			}
		}
	}
	missing := noSessions
	if len(c.rows) > 0 {
		missing = "no tool has failed"
	}
	out := []Measure{share(RecurringMistakes, again, all, s.From, "of the errors of tools that sessions met, those that another session met too", missing)}
	ratio, ok := s.ReadsPerEdit()
	m := Measure{
		Name: ReadToEdit, Unit: Ratio, Value: ratio, Known: ok, Since: s.From, Part: s.Few, Of: s.Count,
		How: fmt.Sprintf("files read for each edit, over all sessions; below %.0f:1 edits are likely to have to be done again", past.FewReads),
	}
	switch {
	case len(c.rows) == 0:
		m.Missing, m.Since = noSessions, time.Time{}
	case !ok:
		m.Missing, m.Since = "nothing was edited", time.Time{}
	case ratio < past.FewReads:
		m.Flag = fmt.Sprintf("below %.0f:1", past.FewReads)
	}
	out = append(out, m)
	for _, k := range []struct {
		name string
		kind past.Kind
		how  string
	}{
		{SpinningSessions, past.Spinning, "of all sessions, those in which the same failed three times in a row with the same error, or the same call was made six times with no edit in between"},
		{BlindSessions, past.Blind, "of all sessions, those in which most edits were of files that had not been read"},
		{ExploringSessions, past.Exploration, "of all sessions, those that read and searched at least five times and edited nothing"},
	} {
		out = append(out, share(k.name, s.Kinds[k.kind], s.Count, s.From, k.how, noSessions))
	}
	return out
}

// cures are the measures of what lessons do to mistakes that come back.
func (c *Collector) cures(ms []Mistake) []Measure {
	var took []time.Duration
	with, back := 0, 0
	for _, m := range ms {
		if d, ok := m.Cure(); ok {
			took = append(took, d)
		}
		if !m.Approved.IsZero() {
			if with++; m.After > 0 {
				back++
			}
		}
	}
	missing := noMistakes
	if len(c.rows) == 0 {
		missing = noSessions
	}
	m := Measure{
		Name: TimeToCure, Unit: Days, Of: len(took), Missing: missing,
		How: "from the first time of a mistake of several sessions to the approval of a lesson about it, in the middle of all",
	}
	if slices.Sort(took); len(took) > 0 {
		m.Known, m.Missing, m.Value = true, "", took[len(took)/2].Hours()/24
	}
	return []Measure{m, share(RecurringAfterCure, back, with, time.Time{}, "of the mistakes of several sessions with an active lesson, those that were made again since it was approved", missing)}
}
