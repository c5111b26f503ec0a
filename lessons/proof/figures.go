package proof

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"time"

	"learnings/lessons"
	"learnings/lessons/state"
)

// A Share is a number of hits among a number of sessions.
type Share struct {
	Had int `json:"had"`
	Of  int `json:"of"`
}

// z is the quantile of the normal distribution for intervals of 95 %.
const z = 1.959963984540054

// Interval returns the 95 % Wilson score interval; 0 to 1 if there are no observations.
//
// E. B. Wilson, Probable inference, the law of succession, and statistical inference,
// Journal of the American Statistical Association 22 (1927).
func (s Share) Interval() (low, high float64) {
	if s.Of == 0 {
		return 0, 1
	}
	n, p := float64(s.Of), float64(s.Had)/float64(s.Of)
	mid, half := p+z*z/(2*n), z*math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	return max(0, (mid-half)/(1+z*z/n)), min(1, (mid+half)/(1+z*z/n))
}

// Less returns by how much b is smaller than a, with the 95 % interval of Newcombe's
// method 10, which combines the Wilson intervals of both.
//
// R. G. Newcombe, Interval estimation for the difference between independent proportions,
// Statistics in Medicine 17 (1998).
func Less(a, b Share) (by, low, high float64) {
	if a.Of == 0 || b.Of == 0 {
		return 0, -1, 1
	}
	p, q := float64(a.Had)/float64(a.Of), float64(b.Had)/float64(b.Of)
	al, ah := a.Interval()
	bl, bh := b.Interval()
	by = p - q
	return by, by - math.Hypot(p-al, bh-q), by + math.Hypot(ah-p, q-bl)
}

// Figures are statistics on the use of one lesson.
type Figures struct {
	ID       lessons.ID `json:"-"`
	Times    int        `json:"given"`    // number of times it was given
	Sessions int        `json:"sessions"` // that it was given to
	OnTopic  int        `json:"on_topic"` // times it was given for a prompt or an error rather than at the start
	Matched  int        `json:"matched"`  // times it did not fit
	Held     int        `json:"held_out"` // sessions that it was held out of
	Last     Injection  `json:"-"`

	// Of the sessions that it was given to and that were read:
	Read         int `json:"read"`
	Cited        int `json:"cited"`
	Followed     int `json:"followed"`
	Contradicted int `json:"contradicted"`
	CameBack     int `json:"came_back"`
	Silent       int `json:"silent"`

	// Repeats of the mistake, in sessions where the lesson applies. The session that
	// taught it does not count: it always has the mistake.
	Before Share `json:"recurrence_before"`
	After  Share `json:"recurrence_after"`
	// Sessions that went wrong, that is, contradicted the lesson or repeated the mistake,
	// among those read, with the lesson given and held out.
	Given   Share `json:"wrong_when_given"`
	Without Share `json:"wrong_when_held_out"`

	Examples []SignExample `json:"signs,omitempty"` // the latest, newest first

	Unread  int `json:"unread"`  // sessions that it was given to and that were not read
	Adrift  int `json:"adrift"`  // sessions where the time of giving is unknown
	Undated int `json:"undated"` // sessions where it applies that have no usable time
}

// An About is a lesson with its figures.
type About struct {
	lessons.Lesson
	Figures
}

// A SignExample is a sign and its place.
type SignExample struct {
	Sign
	Session string `json:"session"`
	File    string `json:"file"`
}

// Effect returns the lesson's effect, at a cost in tokens each time.
func (f Figures) Effect(tokens int) lessons.Effect {
	return lessons.Effect{Times: f.Times, OnTopic: f.OnTopic, Read: f.Read, Touched: f.Touched(), Followed: f.Followed, Contradicted: f.Contradicted, Tokens: tokens}
}

// Touched returns how many of the sessions read show any sign of the lesson.
func (f Figures) Touched() int { return f.Read - f.Silent }

const maxExamples = 5

// A Book has all readings and records, prepared for figures.
type Book struct {
	readings []Reading
	errors   []map[string]bool // of each reading, without copies of earlier ones
	signs    []map[lessons.ID]map[Kind]Sign
	tallies  map[lessons.ID]*tally
	now      time.Time

	Sessions int // that were read
}

type tally struct {
	Figures
	given, held map[string]bool
}

// OpenBook reads the data in a state folder. With ids, it reads only injections of these.
func OpenBook(state string, now time.Time, of ...lessons.ID) (*Book, error) {
	b := &Book{tallies: map[lessons.ID]*tally{}, now: now}
	var err error
	if b.readings, err = Readings(state); err != nil {
		return nil, err
	}
	for r, err := range Injections(state, of...) {
		if err != nil {
			return nil, err
		}
		b.record(r)
	}
	b.prepare()
	return b, nil
}

func (b *Book) tally(id lessons.ID) *tally {
	t := b.tallies[id]
	if t == nil {
		t = &tally{Figures: Figures{ID: id}, given: map[string]bool{}, held: map[string]bool{}}
		b.tallies[id] = t
	}
	return t
}

func (b *Book) record(r Injection) {
	for _, id := range r.Lessons {
		t := b.tally(id)
		t.given[r.Session] = true
		if t.Times++; r.Event == "user-prompt" || r.Event == "tool-failure" {
			t.OnTopic++
		}
		if !r.At.Before(t.Last.At) {
			t.Last = r
		}
	}
	for _, id := range r.Held {
		b.tally(id).held[r.Session] = true
	}
	for _, id := range r.Matched {
		b.tally(id).Matched++
	}
}

// prepare drops copies of earlier sessions, which a resumed session has in its file, and
// adds injections that only transcripts show.
func (b *Book) prepare() {
	type seen struct {
		id   lessons.ID
		kind Kind
		uuid string
	}
	signs, records := map[seen]bool{}, map[SeenError]bool{}
	sessions := map[string]bool{}
	for _, r := range b.readings {
		sessions[r.Session] = true
		errs := map[string]bool{}
		for _, e := range r.Errors {
			if e.Record != "" && records[e] {
				continue
			}
			records[e], errs[e.Print] = true, true
		}
		b.errors = append(b.errors, errs)
		of := map[lessons.ID]map[Kind]Sign{}
		for _, c := range r.Lessons {
			t := b.tally(c.ID)
			switch {
			case c.Held:
				t.held[r.Session] = true
			case !t.given[r.Session]:
				t.given[r.Session] = true
				t.Times += c.Times
			}
			for _, s := range c.Signs {
				key := seen{c.ID, s.Kind, s.UUID}
				if s.UUID != "" && signs[key] {
					continue
				}
				signs[key] = true
				if of[c.ID] == nil {
					of[c.ID] = map[Kind]Sign{}
				}
				of[c.ID][s.Kind] = s
			}
		}
		b.signs = append(b.signs, of)
	}
	b.Sessions = len(sessions)
}

// IDs returns the lessons with any data.
func (b *Book) IDs() []lessons.ID {
	out := make([]lessons.ID, 0, len(b.tallies))
	for id := range b.tallies {
		out = append(out, id)
	}
	slices.Sort(out)
	return out
}

// taught returns the sessions in which a person said the lesson, and the first one, which
// taught it.
func taught(l lessons.Lesson) (said map[string]bool, first string) {
	said = map[string]bool{}
	var at time.Time
	for _, e := range l.Evidence {
		if e.Opposes() || e.Session == "" {
			continue
		}
		if e.By == lessons.ByPerson {
			said[e.Session] = true
		}
		if first == "" || !e.At.IsZero() && e.At.Before(at) {
			first, at = e.Session, e.At
		}
	}
	return said, first
}

// Of returns the figures of a lesson that was approved at a time; zero for never. prints
// are those of the errors that taught it, as in [Reading.Errors]. It is safe for
// concurrent use.
func (b *Book) Of(l lessons.Lesson, prints []string, approved time.Time) Figures {
	t := b.tallies[l.ID]
	if t == nil {
		t = &tally{Figures: Figures{ID: l.ID}}
	}
	f := t.Figures
	f.Sessions, f.Held = len(t.given), 0
	for s := range t.held {
		if !t.given[s] {
			f.Held++
		}
	}
	said, first := taught(l)
	read := map[string]*session{}
	var order []string
	for i, r := range b.readings {
		s := read[r.Session]
		if s == nil {
			s = &session{at: r.At, kinds: map[Kind]bool{}}
			read[r.Session] = s
			order = append(order, r.Session)
		}
		s.holds = s.holds || holds(l, r)
		s.wrong = s.wrong || said[r.Session] || slices.ContainsFunc(prints, func(p string) bool { return b.errors[i][p] })
		for _, c := range r.Lessons {
			if c.ID == l.ID {
				s.came, s.adrift = true, s.adrift || c.Adrift
			}
		}
		for k, sign := range b.signs[i][l.ID] {
			s.kinds[k] = true
			f.Examples = append(f.Examples, SignExample{sign, r.Session, r.File})
		}
	}
	for _, id := range order {
		s := read[id]
		s.wrong = s.wrong || s.kinds[CameBack]
		f.count(s, t.given[id], t.held[id])
		if s.holds && id != first {
			f.recurs(s, approved, b.now)
		}
	}
	f.Unread = len(t.given) - f.Read - f.Adrift
	slices.SortStableFunc(f.Examples, func(a, b SignExample) int { return b.At.Compare(a.At) })
	f.Examples = f.Examples[:min(len(f.Examples), maxExamples)]
	return f
}

// A session is one session, combined from all of its transcripts.
type session struct {
	at                   time.Time
	kinds                map[Kind]bool
	holds, wrong, adrift bool
	came                 bool // the lesson was looked for
}

// count adds a session that a lesson was given to or held out of.
func (f *Figures) count(s *session, given, held bool) {
	of := &f.Given
	switch {
	case !s.came:
		return
	case given && s.adrift:
		f.Adrift++
		return
	case !given && !held:
		return
	case !given:
		of = &f.Without
	}
	of.Of++
	if s.kinds[Contradicted] || s.kinds[CameBack] {
		of.Had++
	}
	if !given {
		return
	}
	f.Read++
	for k, n := range map[Kind]*int{Cited: &f.Cited, Followed: &f.Followed, Contradicted: &f.Contradicted, CameBack: &f.CameBack} {
		if s.kinds[k] {
			*n++
		}
	}
	if len(s.kinds) == 0 {
		f.Silent++
	}
}

// recurs adds a session where the lesson applies.
func (f *Figures) recurs(s *session, approved, now time.Time) {
	var in *Share
	switch {
	case s.at.IsZero(), s.at.After(now.Add(24 * time.Hour)):
		f.Undated++
		return
	case approved.IsZero(), s.at.Before(approved):
		in = &f.Before
	default:
		in = &f.After
	}
	if in.Of++; s.wrong {
		in.Had++
	}
}

// Reads reports whether any session was read where the lesson applies. If none was, the
// date of its approval is not needed.
func (b *Book) Reads(l lessons.Lesson) bool {
	return slices.ContainsFunc(b.readings, func(r Reading) bool { return holds(l, r) })
}

func holds(l lessons.Lesson, r Reading) bool {
	return l.Scope.Global || l.Scope.Project == r.Project
}

// A Kind is a kind of outcome of a lesson; package extractor/past defines them.
type Kind string

const (
	Cited        Kind = "cited"
	Followed     Kind = "followed"
	Contradicted Kind = "contradicted"
	CameBack     Kind = "came back"
)

// A Sign is evidence of an outcome in a transcript.
type Sign struct {
	Kind  Kind      `json:"kind"`
	Line  int       `json:"line"`           // of the transcript, from 1
	UUID  string    `json:"uuid,omitempty"` // of the record; the same in a resumed session's file
	At    time.Time `json:"at,omitzero"`
	Shows string    `json:"shows,omitempty"` // without secrets
}

// A Came is the outcome of one lesson that a session was given or that was held out of
// it.
type Came struct {
	ID     lessons.ID `json:"id"`
	Times  int        `json:"times,omitempty"` // number of times it was given
	Held   bool       `json:"held,omitempty"`  // held out and never given
	First  time.Time  `json:"first,omitzero"`  // when it was first given or held out
	Signs  []Sign     `json:"signs,omitempty"`
	Adrift bool       `json:"adrift,omitempty"` // the time of giving is unknown, so no signs were searched for
}

// Has reports whether there is a sign of a kind.
func (c Came) Has(k Kind) bool {
	return slices.ContainsFunc(c.Signs, func(s Sign) bool { return s.Kind == k })
}

// A SeenError is a call that failed in a session, by hashes.
type SeenError struct {
	Print  string `json:"p"`
	Record string `json:"r,omitempty"` // if the transcript has it
}

// A Reading is the result of reading one transcript.
type Reading struct {
	Session string      `json:"session"`
	File    string      `json:"file"` // base name of the transcript's file
	Agent   string      `json:"agent,omitempty"`
	Project string      `json:"project,omitempty"`
	At      time.Time   `json:"at,omitzero"` // start of the session; zero if unknown
	Size    int64       `json:"size"`        // bytes of the transcript that were read
	Read    time.Time   `json:"read"`
	Lessons []Came      `json:"lessons,omitempty"`
	Errors  []SeenError `json:"errors,omitempty"` // the first of each kind
}

// KeepReading stores a reading, replacing an earlier one of the same transcript.
func KeepReading(dir string, r Reading) error {
	value, err := json.Marshal(r)
	if err == nil {
		err = state.At(dir).Update(func(t state.Tx) error {
			_, err := t.Exec("INSERT OR REPLACE INTO outcomes (session, file, at, value) VALUES (?, ?, ?, ?)", r.Session, r.File, state.Milli(r.At), string(value))
			return err
		})
	}
	if err != nil {
		return fmt.Errorf("keeping what came of lessons: %w", err)
	}
	return nil
}

// Readings returns the last reading of each transcript, ordered by the sessions' times.
func Readings(dir string) (out []Reading, err error) {
	err = state.At(dir).Each(func(rows *state.Rows) error {
		var value []byte
		var r Reading
		if err := rows.Scan(&value); err != nil {
			return err
		}
		if json.Unmarshal(value, &r) == nil {
			out = append(out, r)
		}
		return nil
	}, "SELECT value FROM outcomes ORDER BY at, session, file")
	if err != nil {
		return nil, fmt.Errorf("reading what came of lessons: %w", err)
	}
	return out, nil
}
