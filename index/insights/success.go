package insights

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"learnings/extractor/past"
	"learnings/lessons"
)

// A Measure is one number that says whether lessons help. An unknown one has no value and
// says what is missing.
type Measure struct {
	Name    string    `json:"name"`
	Value   float64   `json:"value"`
	Unit    Unit      `json:"unit"`
	Part    int       `json:"part,omitempty"` // of a share: so many …
	Of      int       `json:"of,omitempty"`   // … of so many; of an average, the number averaged
	Known   bool      `json:"known"`
	Since   time.Time `json:"since,omitzero"` // nothing is known before
	Flag    string    `json:"flag,omitempty"` // what is wrong with the value; "" for nothing
	How     string    `json:"how"`            // how it is computed, in a sentence
	Missing string    `json:"missing,omitempty"`
}

// A Unit is what a value counts.
type Unit string

const (
	Share   Unit = "share" // from 0 to 1
	PerWeek Unit = "per week"
	Ratio   Unit = "to 1"
	Days    Unit = "days"
)

// String returns the value for people, such as "62% (8 of 13)", or "no data".
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
	}
	return fmt.Sprintf("%.1f days", m.Value)
}

// The names of measures, in display order. The first four are those of amplihack's session
// learning, the others those of stores of observations.
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
	noneSince  = "no session that began after one was given a lesson has been read yet"
	noGifts    = "no session has been given a lesson yet: `learnings setup` wires agents in"
	noReports  = "nothing is known yet of what a lesson did: `learnings stats outcomes --read` looks"
	noMistakes = "no mistake of several sessions has an active lesson yet: `learnings check recurring` lists them"
)

func (c *Collector) success(ms []Mistake) []Measure {
	return slices.Concat(c.gives(), c.works(), c.cures(ms))
}

// share makes a measure of a part of a whole; it is unknown if the whole is 0.
func share(name string, part, of int, since time.Time, how, missing string) Measure {
	m := Measure{Name: name, Unit: Share, How: how, Part: part, Of: of, Since: since}
	if of == 0 {
		m.Missing, m.Since = missing, time.Time{}
		return m
	}
	m.Known, m.Value = true, float64(part)/float64(of)
	return m
}

// gives returns the measures of what sessions are given and what comes of it.
func (c *Collector) gives() []Measure {
	given, matched := map[string]bool{}, map[string]bool{}
	var from time.Time
	for _, r := range c.sessions {
		if from.IsZero() || r.At.Before(from) {
			from = r.At
		}
		given[r.Session] = true
		matched[r.Session] = matched[r.Session] || r.Event != "session-start"
	}
	missing, had, fitted, of := noGifts, 0, 0, 0
	if len(c.sessions) > 0 {
		if missing = noSessions; len(c.rows) > 0 {
			missing = noneSince
		}
		for i := range c.rows {
			s := &c.rows[i].Record.Session
			if s.ID == "" || s.Start.IsZero() || c.rows[i].Human == 0 || s.Start.Before(from.Add(-time.Minute)) {
				continue
			}
			of++
			if given[s.ID] {
				had++
			}
			if matched[s.ID] {
				fitted++
			}
		}
	}
	used, gifts, missingUse := 0, len(c.gifts), noGifts
	for g := range c.gifts {
		if c.reports[g] > 0 {
			used++
		}
	}
	if len(c.reports) == 0 && gifts > 0 {
		gifts, missingUse = 0, noReports
	}
	return []Measure{
		share(InjectionRate, had, of, from, "of the sessions that began since the first one was given a lesson, those that were given one", missing),
		share(UsageRate, used, gifts, from, "of the lessons given to a session, those that were followed or cited there, or that somebody said helped", missingUse),
		c.grows(),
		share(Quality, c.use.Helped, c.use.Helped+c.use.Harmed, time.Time{}, "of what people and agents said that active lessons did, how often they helped", noReports),
		share(PrecedentCoverage, fitted, of, from, "of the sessions that began since the first one was given a lesson, those that were given one that fits a prompt or an error of theirs", missing),
	}
}

// Growth is averaged over so many of the weeks counted.
const (
	growthWeeks = 4
	grownWeeks  = 12
)

// grows returns the growth in active lessons.
func (c *Collector) grows() Measure {
	m := Measure{Name: Growth, Unit: PerWeek, How: "active lessons that were proposed or added in a week, on average of the last four"}
	if c.counts.Active == 0 {
		m.Missing = "there are no lessons yet: `learnings extract` proposes some"
		return m
	}
	grown, older := c.growth[:], c.counts.Active
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

// works returns the measures of how agents work.
func (c *Collector) works() []Measure {
	var from time.Time
	reads, edits, few, again, all := 0, 0, 0, 0, 0
	kinds, met := map[past.Kind]int{}, map[lessons.ID]int{}
	for i := range c.rows {
		r := &c.rows[i]
		reads += r.Of(past.Reads)
		edits += r.Of(past.Edits)
		if ratio, ok := r.ReadsPerEdit(); ok && ratio < past.FewReads {
			few++
		}
		for _, k := range r.Kinds() {
			kinds[k]++
		}
		if start := cmp.Or(r.Record.Session.Start, r.ModTime); from.IsZero() || start.Before(from) {
			from = start
		}
		for _, e := range r.Errors {
			met[e.ID]++
		}
	}
	for i := range c.rows {
		for _, e := range c.rows[i].Errors {
			all += e.Count
			if met[e.ID] > 1 {
				again += e.Count
			}
		}
	}
	n, missing := len(c.rows), noSessions
	if n > 0 {
		missing = "no tool has failed"
	}
	m := Measure{
		Name: ReadToEdit, Unit: Ratio, Value: float64(reads) / float64(max(edits, 1)), Known: edits > 0, Since: from, Part: few, Of: n,
		How: fmt.Sprintf("files read for each edit, over all sessions; below %.0f:1 edits are likely to have to be done again", past.FewReads),
	}
	switch {
	case n == 0:
		m.Missing = noSessions
	case edits == 0:
		m.Missing = "nothing was edited"
	case m.Value < past.FewReads:
		m.Flag = fmt.Sprintf("below %.0f:1", past.FewReads)
	}
	return []Measure{
		share(RecurringMistakes, again, all, from, "of the errors of tools that sessions met, those that another session met too", missing),
		m,
		share(SpinningSessions, kinds[past.Spinning], n, from, "of all sessions, those in which the same failed three times in a row with the same error, or the same call was made six times with no edit in between", noSessions),
		share(BlindSessions, kinds[past.Blind], n, from, "of all sessions, those in which most edits were of files that had not been read", noSessions),
		share(ExploringSessions, kinds[past.Exploration], n, from, "of all sessions, those that read and searched at least five times and edited nothing", noSessions),
	}
}

// cures returns the measures of what lessons do to recurring mistakes.
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
