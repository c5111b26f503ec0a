// Package insights computes what a corpus does, as numbers that a screen draws and a
// report prints: what waits, the use of each lesson, mistakes that come back, and whether
// all this helps.
//
// A [Collector] is given what there is, in any order: lessons, the changes of the
// journal, what sessions were given, and what agents did in sessions. It reads nothing
// by itself, and the same input gives the same [Figures]. What it was not given it does
// not know: a figure that stands on nothing says so, and is not zero.
package insights

import (
	"cmp"
	"slices"
	"sync"
	"time"

	"learnings/extractor/past"
	"learnings/lessons"
	"learnings/lessons/proof"
)

// Figures are all that is computed.
type Figures struct {
	Now      time.Time `json:"now"`
	Project  string    `json:"project,omitempty"` // "" is all
	Counts   Counts    `json:"counts"`
	Use      Use       `json:"use"`
	Mistakes []Mistake `json:"mistakes"` // those of several sessions, the most widespread first
	Sessions Sessions  `json:"sessions"`
	Success  []Measure `json:"success"`
}

// Counts say how many lessons there are, and what is to be done with them.
type Counts struct {
	Active   int `json:"active"`
	Likely   int `json:"likely"` // proposals
	Maybe    int `json:"maybe"`
	Rejected int `json:"rejected"`
	Merged   int `json:"merged"`
	Archived int `json:"archived"`

	Pinned int `json:"pinned"`
	Again  int `json:"again"` // active ones to look at again: `learnings check stale`
	Stale  int `json:"stale"` // of those, not confirmed for long
	Doubts int `json:"doubts"`

	Duplicates     *int `json:"duplicates,omitempty"` // groups; nil where nobody looked
	Contradictions *int `json:"contradictions,omitempty"`

	Oldest time.Time `json:"oldest,omitzero"` // of the proposals that wait
	Middle time.Time `json:"middle,omitzero"` // half of those that wait are older
}

// Waiting is how many proposals there are.
func (c Counts) Waiting() int { return c.Likely + c.Maybe }

// A Collector takes in what figures are made of. Its methods may be called by several
// goroutines at once.
type Collector struct {
	now     time.Time
	project string

	mu       sync.Mutex
	counts   Counts
	waits    []time.Time // when what waits was proposed
	helped   int
	harmed   int
	uses     []LessonUse
	about    map[string]subject // lessons about mistakes, by what the mistake says
	byID     map[lessons.ID]subject
	since    map[lessons.ID]time.Time // when a lesson became active, as the journal says
	growth   [grownWeeks]int          // active lessons by the week in which they were proposed, the last one ending now
	reports  map[gift]int
	gifts    map[gift]int
	sessions []proof.Injection
	rows     []past.Row
}

// A gift is a lesson in a session.
type gift struct {
	session string
	lesson  lessons.ID
}

// A subject is a lesson that is about a mistake.
type subject struct {
	id     lessons.ID
	status lessons.Status
	at     time.Time // of the last decision
}

// New returns a Collector of a project, or of all for "".
func New(now time.Time, project string) *Collector {
	return &Collector{
		now: now, project: project, about: map[string]subject{}, byID: map[lessons.ID]subject{}, since: map[lessons.ID]time.Time{},
		reports: map[gift]int{}, gifts: map[gift]int{},
	}
}

// Lesson takes in one, whatever its status. Each is to be given once.
func (c *Collector) Lesson(l lessons.Lesson) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.isAbout(l) // also of another project: a mistake may be of several
	if c.project != "" && l.Scope.Project != c.project {
		return
	}
	switch l.Status {
	case lessons.Approved:
		c.active(l)
	case lessons.Pending:
		if l.Waits() == lessons.Maybe {
			c.counts.Maybe++
		} else {
			c.counts.Likely++
		}
		c.waits = append(c.waits, l.Created)
	case lessons.Rejected:
		c.counts.Rejected++
	case lessons.Merged:
		c.counts.Merged++
	case lessons.Archived:
		c.counts.Archived++
	}
}

func (c *Collector) active(l lessons.Lesson) {
	c.counts.Active++
	if week := int(c.now.Sub(l.Created).Hours() / (7 * 24)); week >= 0 && week < grownWeeks {
		c.growth[grownWeeks-1-week]++
	}
	c.helped += l.Use.Helped
	c.harmed += l.Use.Harmed
	if l.Pinned {
		c.counts.Pinned++
	}
	if why := l.Doubts(c.now, false); len(why) > 0 {
		c.counts.Again++
		for _, d := range why {
			switch d.Concern {
			case lessons.Stale:
				c.counts.Stale++
			case lessons.Doubtful:
				c.counts.Doubts++
			}
		}
	}
	c.uses = append(c.uses, LessonUse{
		ID: l.ID, Title: l.Title(maxTitle), Project: l.Scope.Project, Category: l.Category, Confidence: l.Confidence, Pinned: l.Pinned,
		Used: l.Use.Used, Helped: l.Use.Helped, Harmed: l.Use.Harmed, Last: l.Use.Last,
	})
}

// Change takes in a change of the journal: when a lesson became active, and what was said
// of its use.
func (c *Collector) Change(ch lessons.Change) {
	c.mu.Lock()
	defer c.mu.Unlock()
	mine := func(l *lessons.Lesson) bool { return l != nil && (c.project == "" || l.Scope.Project == c.project) }
	if !mine(ch.Before) && !mine(ch.After) {
		return
	}
	if mine(ch.After) && ch.After.Status == lessons.Approved && (ch.Before == nil || ch.Before.Status != lessons.Approved) {
		if at, ok := c.since[ch.ID]; !ok || ch.At.Before(at) {
			c.since[ch.ID] = ch.At
		}
	}
	c.reported(ch)
}

// Given takes in what a session was given.
func (c *Collector) Given(r proof.Injection) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(r.Lessons) == 0 || c.project != "" && r.Project != "" && r.Project != c.project {
		return
	}
	for _, id := range r.Lessons {
		c.gifts[gift{r.Session, id}]++
	}
	c.sessions = append(c.sessions, r)
}

// Session takes in what an agent did. Rows of subagents and of sessions that a program
// started are passed over.
func (c *Collector) Session(r past.Row) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if r.Excluded != "" || r.Session.Parent != "" || r.Session.Scripted || c.project != "" && r.Project != c.project {
		return
	}
	c.rows = append(c.rows, r)
}

// Figures computes what was taken in. It may be called again when there is more.
func (c *Collector) Figures() Figures {
	c.mu.Lock()
	defer c.mu.Unlock()
	slices.SortFunc(c.rows, func(a, b past.Row) int {
		return cmp.Or(a.Session.Start.Compare(b.Session.Start), cmp.Compare(a.Path, b.Path))
	})
	f := Figures{Now: c.now, Project: c.project, Counts: c.counts, Use: c.use(), Mistakes: c.mistakes(), Sessions: c.did()}
	if slices.SortFunc(c.waits, time.Time.Compare); len(c.waits) > 0 {
		f.Counts.Oldest, f.Counts.Middle = c.waits[0], c.waits[len(c.waits)/2]
	}
	f.Success = c.success(&f)
	return f
}
