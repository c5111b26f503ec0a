// Package insights computes figures about a corpus, as numbers that a screen draws and a
// report prints: what waits, the use of each lesson, recurring mistakes, and whether all
// this helps.
//
// A [Collector] is fed lessons, changes of the journal, what sessions were given, and what
// agents did in sessions; [Source.Count] feeds it all that a state folder and a corpus
// have. A figure without data says so and is not zero.
package insights

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"learnings/extractor/past"
	"learnings/lessons"
	"learnings/lessons/proof"
	"learnings/lessons/state"
)

// Figures are the results of a [Collector].
type Figures struct {
	Now      time.Time `json:"now"`
	Project  string    `json:"project,omitempty"` // several with commas; "" for all
	Counts   Counts    `json:"counts"`
	Use      Use       `json:"use"`
	Mistakes []Mistake `json:"mistakes"` // of several sessions, the most widespread first
	Sessions Sessions  `json:"sessions"`
	Success  []Measure `json:"success"`
}

// Counts say how many lessons there are and what is to be done with them.
type Counts struct {
	Active  int             `json:"active"`
	Waiting lessons.Waiting `json:"lanes,omitempty"`
	Snoozed int             `json:"snoozed"` // proposals that wait later
	Again   int             `json:"again"`   // active lessons to look at again: `learnings check stale`
	Stale   int             `json:"stale"`   // those of Again that nobody has confirmed for long

	Duplicates     *int `json:"duplicates,omitempty"` // groups; nil if nobody looked
	Contradictions *int `json:"contradictions,omitempty"`

	Oldest time.Time `json:"oldest,omitzero"` // of the proposals that wait

	Statuses   map[lessons.Status]int     `json:"-"`
	Categories map[lessons.Category]Tally `json:"-"` // of active lessons
	Pinned     int                        `json:"-"`
	Doubtful   int                        `json:"-"` // those of Again that are doubtful before all
}

// A Tally counts the active lessons of a category.
type Tally struct {
	N   int
	Sum float64 // of the confidence of the lessons
}

// Average returns the mean confidence in thousandths, so that the mean of equal ones is not
// a little less; 0 if there are no lessons.
func (t Tally) Average() float64 { return math.Round(1000*t.Sum/float64(max(t.N, 1))) / 1000 }

// Order returns the categories, the largest first.
func (c Counts) Order() []lessons.Category {
	return slices.SortedFunc(maps.Keys(c.Categories), func(a, b lessons.Category) int {
		return cmp.Or(cmp.Compare(c.Categories[b].N, c.Categories[a].N), cmp.Compare(a, b))
	})
}

// MostUses limits how many lessons [Use] lists.
const MostUses = 200

// Use says how sessions used active lessons.
type Use struct {
	Lessons []LessonUse `json:"lessons"` // those that a session was given, most often given first

	Most, Recent         []lessons.Lesson `json:"-"` // a few: the most used first, and the newest first
	Used, Helped, Harmed int              `json:"-"` // sums of all
}

// A LessonUse says how sessions used a lesson.
type LessonUse struct {
	ID     lessons.ID `json:"id"`
	Title  string     `json:"title"`
	Given  int        `json:"given"` // by hooks, as far as their record goes back
	Used   int        `json:"used"`  // as counted in its file: sessions with the lesson in their transcript
	Helped int        `json:"helped"`
	Harmed int        `json:"harmed"`
}

// Sessions says what agents did in the sessions that were read.
type Sessions struct {
	Count int `json:"count"`
}

// A Source is what figures are counted from. It reads no transcripts.
type Source struct {
	State    string                                                  // the folder with this machine's state of the corpus
	Lessons  func(context.Context, func(lessons.Lesson)) error       // calls a function with each lesson
	Journal  func(ids []lessons.ID) iter.Seq2[lessons.Change, error] // [store.Store.JournalOf]
	Project  func(dir string) string                                 // the project of a session's folder
	Excluded func(dir, path string) string                           // why a session is not counted; "" if it is
}

// Count counts the figures of a project, or of all for "".
func (s Source) Count(ctx context.Context, projects []string, now time.Time) (Figures, error) {
	c := New(now, projects...)
	if err := s.Lessons(ctx, c.Lesson); err != nil {
		return Figures{}, fmt.Errorf("counting lessons: %w", err)
	}
	var failed error
	any := false
	for ch, err := range s.Journal(slices.Collect(maps.Keys(c.watched))) {
		if ctx.Err() != nil {
			return Figures{}, ctx.Err()
		}
		if err != nil { // the other lines still count
			failed = err
			continue
		}
		any = true
		c.Change(ch)
	}
	if failed != nil && !any && !errors.Is(failed, lessons.ErrCursor) {
		return Figures{}, fmt.Errorf("counting decisions: %w", failed)
	}
	for r, err := range proof.Injections(s.State) {
		if err != nil {
			return Figures{}, fmt.Errorf("counting what sessions were given: %w", err)
		}
		c.Given(r)
	}
	if err := c.Outcomes(s.State); err != nil {
		return Figures{}, fmt.Errorf("counting what came of lessons: %w", err)
	}
	kept, err := past.Open(s.State)
	if err != nil {
		return Figures{}, fmt.Errorf("counting sessions: %w", err)
	}
	for _, r := range kept.Rows(past.Options{Project: s.Project, Excluded: s.Excluded}) {
		c.Session(r)
	}
	return c.Figures(), ctx.Err()
}

// A Counter counts for a screen. It stores its last figures, so that the next screen can
// show them at once.
type Counter struct {
	Source
	Now func() time.Time
}

// Figures returns the figures of a project, or of all for "". Without again it only reads
// the last ones stored and returns nil if there are none.
func (c *Counter) Figures(ctx context.Context, projects []string, again bool) (*Figures, error) {
	name, of := "figures", strings.Join(projects, ", ")
	if len(projects) == 1 {
		name += "/" + of
	} else if of != "" {
		name += "/,"
	}
	var f Figures
	if !again {
		found, err := state.At(c.State).Get(name, &f)
		if err != nil || !found || f.Project != of || f.Now.After(c.Now().Add(time.Minute)) {
			return nil, nil // of another version, or stored with a wrong clock
		}
		return &f, nil
	}
	f, err := c.Count(ctx, projects, c.Now())
	if err != nil {
		return nil, err
	}
	_ = state.At(c.State).Put(name, f) // a failure only makes the next screen wait
	return &f, nil
}

// A Collector computes figures from what it is fed.
type Collector struct {
	now      time.Time
	projects []string // nil for all

	counts   Counts
	use      Use
	about    map[string]subject // lessons about mistakes, by the text of the mistake
	byID     map[lessons.ID]subject
	watched  map[lessons.ID]bool      // the lessons about mistakes
	since    map[lessons.ID]time.Time // when each lesson became active, by the journal
	growth   [grownWeeks]int          // active lessons by the week in which they were proposed; the last week ends now
	reports  map[gift]int
	gifts    map[gift]int
	sessions []proof.Injection
	rows     []past.Row
}

// A gift is a lesson given to a session.
type gift struct {
	session string
	lesson  lessons.ID
}

// New returns a Collector for some projects, or for all.
func New(now time.Time, projects ...string) *Collector {
	return &Collector{
		now: now, projects: projects, counts: Counts{Waiting: lessons.Waiting{}, Statuses: map[lessons.Status]int{}, Categories: map[lessons.Category]Tally{}}, about: map[string]subject{}, watched: map[lessons.ID]bool{}, byID: map[lessons.ID]subject{}, since: map[lessons.ID]time.Time{},
		reports: map[gift]int{}, gifts: map[gift]int{},
	}
}

// of reports whether a project is counted.
func (c *Collector) of(project string) bool {
	return len(c.projects) == 0 || slices.Contains(c.projects, project)
}

// Only returns the projects to count for one, or for all for "".
func Only(project string) []string {
	if project == "" {
		return nil
	}
	return []string{project}
}

// maxTitle is the most characters of a lesson's title.
const maxTitle = 100

// Lesson adds a lesson of any status. Call it once for each.
func (c *Collector) Lesson(l lessons.Lesson) {
	c.isAbout(l) // even of another project, because a mistake may occur in several
	if !c.of(l.Scope.Project) {
		return
	}
	n := &c.counts
	n.Statuses[l.Status]++
	switch {
	case l.Snoozed(c.now):
		n.Snoozed++
	case l.Status == lessons.Pending:
		n.Waiting.Add(l, c.now)
		if n.Oldest.IsZero() || l.Created.Before(n.Oldest) {
			n.Oldest = l.Created
		}
	case l.Status == lessons.Approved:
		n.Active++
		if back := int(c.now.Sub(l.Created) / week); back >= 0 && back < grownWeeks {
			c.growth[grownWeeks-1-back]++
		}
		doubts := l.Concerns(c.now, false)
		n.Again += min(len(doubts), 1)
		if slices.Contains(doubts, lessons.Stale) {
			n.Stale++
		}
		if len(doubts) > 0 && doubts[0] == lessons.Doubtful {
			n.Doubtful++
		}
		if l.Pinned {
			n.Pinned++
		}
		t := n.Categories[l.Category]
		n.Categories[l.Category] = Tally{t.N + 1, t.Sum + float64(l.Confidence)}
		c.use.add(&l)
	}
}

// mostListed limits the lists of the most used and the newest lessons.
const mostListed = 5

func (u *Use) add(l *lessons.Lesson) {
	u.Used += l.Use.Used
	u.Helped += l.Use.Helped
	u.Harmed += l.Use.Harmed
	u.Lessons = append(u.Lessons, LessonUse{ID: l.ID, Title: l.Content, Used: l.Use.Used, Helped: l.Use.Helped, Harmed: l.Use.Harmed})
	newest := func(a, b *lessons.Lesson) int { return cmp.Or(b.Created.Compare(a.Created), cmp.Compare(a.ID, b.ID)) }
	first := func(list []lessons.Lesson, order func(a, b *lessons.Lesson) int) []lessons.Lesson {
		at := len(list)
		for at > 0 && order(l, &list[at-1]) < 0 {
			at--
		}
		if at < mostListed {
			list = slices.Insert(list, at, *l)
		}
		return list[:min(len(list), mostListed)]
	}
	u.Recent = first(u.Recent, newest)
	if l.Use.Used > 0 {
		u.Most = first(u.Most, func(a, b *lessons.Lesson) int { return cmp.Or(cmp.Compare(b.Use.Used, a.Use.Used), newest(a, b)) })
	}
}

// Change adds a change of the journal: when a lesson became active, and what a person or an
// agent reported of it in a session.
func (c *Collector) Change(ch lessons.Change) {
	mine := func(l *lessons.Lesson) bool { return l != nil && c.of(l.Scope.Project) }
	if !mine(ch.Before) && !mine(ch.After) {
		return
	}
	if mine(ch.After) && ch.After.Status == lessons.Approved && (ch.Before == nil || ch.Before.Status != lessons.Approved) {
		if at, ok := c.since[ch.ID]; !ok || ch.At.Before(at) {
			c.since[ch.ID] = ch.At
		}
	}
	switch g := (gift{ch.Session, ch.ID}); {
	case ch.Session == "" || ch.Before == nil || ch.After == nil:
	case ch.After.Use.Harmed > ch.Before.Use.Harmed:
		c.reports[g]--
	case ch.After.Use.Helped > ch.Before.Use.Helped:
		c.reports[g]++
	}
}

// Given adds what a session was given.
func (c *Collector) Given(r proof.Injection) {
	if len(r.Lessons) == 0 || r.Project != "" && !c.of(r.Project) {
		return
	}
	for _, id := range r.Lessons {
		c.gifts[gift{r.Session, id}]++
	}
	c.sessions = append(c.sessions, r)
}

// Outcomes adds the outcomes of lessons that a state folder records for the sessions read.
// A lesson counts as used in a session if it was followed or cited there, or somebody said
// that it helped. What somebody said takes precedence.
func (c *Collector) Outcomes(state string) error {
	all, err := proof.Readings(state)
	for _, r := range all {
		for _, came := range r.Lessons {
			switch g := (gift{r.Session, came.ID}); {
			case c.reports[g] != 0 || c.gifts[g] == 0:
			case came.Has(proof.Contradicted):
				c.reports[g] = -1
			case came.Has(proof.Followed), came.Has(proof.Cited):
				c.reports[g] = 1
			}
		}
	}
	return err
}

// Session adds what an agent did. It skips rows of subagents and of sessions started by a
// program.
func (c *Collector) Session(r past.Row) {
	if r.Excluded == "" && r.Session.Parent == "" && !r.Session.Scripted && c.of(r.Project) {
		c.rows = append(c.rows, r)
	}
}

// Figures computes the figures of what was added so far. More may be added afterwards.
func (c *Collector) Figures() Figures {
	slices.SortFunc(c.rows, func(a, b past.Row) int {
		return cmp.Or(a.Session.Start.Compare(b.Session.Start), cmp.Compare(a.Path, b.Path))
	})
	mistakes := c.mistakes()
	return Figures{Now: c.now, Project: strings.Join(c.projects, ", "), Counts: c.counts, Use: c.used(), Mistakes: mistakes, Sessions: Sessions{len(c.rows)}, Success: c.success(mistakes)}
}

func (c *Collector) used() Use {
	u := c.use
	u.Lessons = []LessonUse{}
	given := map[lessons.ID]int{}
	for g, n := range c.gifts {
		given[g.lesson] += n
	}
	for _, l := range c.use.Lessons {
		if l.Given = given[l.ID]; l.Given+l.Used > 0 {
			l.Title = lessons.Wording{Content: l.Title}.Title(maxTitle)
			u.Lessons = append(u.Lessons, l)
		}
	}
	slices.SortFunc(u.Lessons, func(a, b LessonUse) int {
		return cmp.Or(cmp.Compare(max(b.Given, b.Used), max(a.Given, a.Used)), cmp.Compare(b.Helped, a.Helped), cmp.Compare(a.ID, b.ID))
	})
	u.Lessons = u.Lessons[:min(len(u.Lessons), MostUses)]
	return u
}
