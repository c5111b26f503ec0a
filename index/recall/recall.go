// Package recall picks the approved lessons that fit a situation, within a budget, and
// writes what the agent will read.
//
// Only lessons that a person has approved are given to an agent. A picked lesson is read
// again from its store ([Confirm]), so that a stale index can leave out a lesson but never
// bring one back.
package recall

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"learnings/index"
	"learnings/lessons"
	"learnings/lessons/claims"
)

// A Situation is what is known of what an agent is about to do.
type Situation struct {
	Project, Role string
	Around        string       // at the start: the branch and the changed files
	Recent        []lessons.ID // at the start: what this session lost to compaction, and what the last one was told for what was said
	Prompt        string       // the task, in the words of the person
	Tool, Error   string       // the call that has just failed, and its error
	Files         []string     // that the task is about
	Agent         string       // the agent, such as "codex"; "" if unknown
	TrustEdits    bool         // use lessons from outside; see [lessons.Lesson.Outside]
	Now           time.Time
	Tree          *Tree // to look up what a lesson refers to; nil looks up nothing

	// Known says how usual words are in what the person says; nil only knows the built-in
	// table.
	Known *Known

	// Each lesson that would be given to a named Session is held out with a probability of
	// Holdout, for comparison. See [Held].
	Session string
	Holdout float64

	// Moment is what the agent does; then only lessons that name it are given. It is nil
	// for a task. See [Picker.Doing].
	Moment *Moment

	OnlySubject bool         // only give lessons on the subject: no pinned ones, and none if nothing is said
	Had         []lessons.ID // lessons that the agent already knows, which are not given

	// All also returns lessons beside the task, as left out.
	All bool

	supposed *lessons.Lesson // a proposal that counts as approved; see [Foresee]
}

// A Budget limits what is given. Zero fields have defaults: 5 lessons, 2,000 tokens, 8,000
// characters; at the start of a session any number of lessons, and [StartTokens]. Both
// harnesses that we know truncate or hide text over 10,000 characters or 2,500 tokens.
type Budget struct {
	Lessons int
	Tokens  int // as estimated by [Tokens]
	Chars   int // bytes that [Write] writes in total
	Start   int // tokens at the start of a session
}

// A Choice is a lesson that was considered.
type Choice struct {
	Lesson lessons.Lesson
	In     bool
	Had    bool    // it would be in, but the agent already knows it
	Held   bool    // it would be in, but is held out of this session
	Brief  bool    // only its sentence is given, because the rest does not fit
	Short  bool    // only the instruction of its sentence is given, without reasons
	Why    string  // why it is in or out, for a person
	Rank   float64 // orders the choices
	Parts  Parts   // factors of the rank

	// Evidence for it being on the subject of a task; zero without a task.
	Evidence Evidence

	// Needs and Has say what a choice misses: the rank of the last choice that is in and
	// its own, or the evidence. Both are 0 if something else keeps it out.
	Needs, Has float64

	barred bool // never in, even if it fits
	waits  bool // it would be given when its subject comes up
}

// Tokens returns the cost of a choice, as estimated by [Tokens].
func (c Choice) Tokens() int { return Tokens(render(c.said())) }

// said returns the parts of the lesson that are written.
func (c Choice) said() lessons.Lesson {
	l := c.Lesson
	if c.Brief {
		l.Insight, l.Example = "", ""
	}
	if c.Short {
		l.Content = withoutReasons(l.Content)
	}
	return l
}

// A Searcher is an [index.Index] or a substitute.
type Searcher interface {
	Pages(context.Context, ...index.Query) ([]index.Page, error)
	Shared(ctx context.Context, q index.Query, words []string, most int, worth func(word string, with, of int) float64) (index.Sharing, error)
}

// A Confirm reads a lesson again from its store; its argument is the lesson as indexed.
type Confirm func(lessons.Lesson) (lessons.Lesson, error)

const (
	perQuery = 50
	// How many lessons are requested in each of the two orders without a subject: at first,
	// and if too few of them are for the role.
	few, many = 60, 400
)

// Pick chooses lessons for a situation: first those that are in, then the others, each best
// first. Candidates are the approved lessons of the project and role, and global ones; if
// the project has none for the role, those for the role without its part after the colon;
// if there are none either, those for any role. [Parts] says how they are ranked.
//
// For a task, Pick gives lessons on its subject (see [Enough] and [Gate]) with not much
// less evidence than the best (see [beside]), and those it leads to that hold for a file
// that it names. It gives no others, even if they would fit. Without a known task it gives
// the lessons for the start of a session; see tierOf. A pinned lesson is always given,
// before all others.
//
// These are left out:
//   - a lesson that says nearly the same as a better one;
//   - of two that contradict each other, the one that [pairs.Prefer] does not keep, at any
//     rank;
//   - a lesson that another program wrote or changed and nobody has decided on since, unless
//     the situation trusts such edits;
//   - a lesson that names what is gone from the tree; see [claims.Tree.Missing];
//   - a lesson that the agent has had, and what says nearly the same or contradicts it; it
//     takes no room;
//   - what [Held] holds out of the session; its place stays empty, so that the other lessons
//     do not depend on it.
//
// Of a lesson that does not fit in the rest of the budget only the sentence is given, or
// nothing.
//
// A nil confirm trusts the searcher: it is only for one that reads the lessons themselves.
func Pick(ctx context.Context, x Searcher, confirm Confirm, s Situation, b Budget) ([]Choice, error) {
	b = b.OrDefault()
	choices, asked, err := s.consider(ctx, x, b)
	if err != nil {
		return nil, err
	}
	if !asked {
		b = b.AtStart()
		shorten(choices, s, b)
	}
	fill(choices, confirm, s, b)
	s.holdOut(choices)
	slices.SortStableFunc(choices, func(a, b Choice) int { return first(a.In, b.In) })
	return choices, nil
}

// AtStart returns the budget for the start of a session.
func (b Budget) AtStart() Budget {
	b = b.OrDefault()
	b.Lessons, b.Tokens = 0, b.Start // any number of lessons
	return b
}

// consider returns the candidates with their ranks, and whether there was a subject.
func (s Situation) consider(ctx context.Context, x Searcher, b Budget) (choices []Choice, asked bool, err error) {
	if s.Moment != nil {
		choices, err = s.atMoment(ctx, x)
		return choices, true, err
	}
	var found []find
	ask := func(x Searcher) (err error) {
		found, asked, err = gather(ctx, x, s, b)
		return err
	}
	if i, ok := x.(*index.Index); ok {
		err = index.Open(ctx, i, func(x *index.Index) error { return ask(x) })
	} else {
		err = ask(x)
	}
	if err != nil {
		return nil, asked, err
	}
	return s.weigh(found, asked), asked, nil
}

// first compares booleans; true comes before false.
func first(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}

// OrDefault returns the budget with defaults in place of zeros.
func (b Budget) OrDefault() Budget {
	return Budget{Lessons: cmp.Or(b.Lessons, 5), Tokens: cmp.Or(b.Tokens, 2000), Chars: cmp.Or(b.Chars, 8000), Start: cmp.Or(b.Start, StartTokens)}
}

// A find is a candidate with its match for the sentence of the task that it fits best.
type find struct {
	lesson   lessons.Lesson
	evidence Evidence
	score    float64 // as a share of the sentence's best score; 0 if it was not found by words
	match    float64
	cover    float64
	near     float64
	subject  string
}

// on reports whether a candidate is on the subject.
func (f find) on(s Situation) bool { return f.evidence.Enough() || f.covers(s) }

// covers reports whether a candidate has most words of a short prompt or of a line of an
// error.
func (f find) covers(s Situation) bool {
	if s.Error != "" {
		return f.cover >= Gate
	}
	e := f.evidence
	return (f.cover >= Gate && e.Nats >= floor || f.cover >= nearGate && e.Nats >= e.Needs-nearEnough) && s.short()
}

// gather finds the candidates for the role, and reports whether there was a subject. Each
// lesson it reads costs time at the start of a session, so it begins with few.
func gather(ctx context.Context, x Searcher, s Situation, b Budget) (fit []find, asked bool, err error) {
	subjects := s.subjects()
	asked = len(subjects) > 0 || strings.TrimSpace(s.Prompt+s.Error) != ""
	judge, found, err := s.shared(ctx, x, asked)
	if err != nil {
		return nil, false, err
	}
	if s.supposed != nil {
		found = append(found, *s.supposed)
	}
	switch {
	case s.OnlySubject && !asked:
		return nil, false, nil
	case s.OnlySubject || asked && !s.All:
		fit, _, err = search(ctx, x, s, subjects, found, 0)
	default:
		for limit, more := few, true; more && limit <= many && err == nil && len(fit) < 4*b.Lessons; limit += many - few {
			fit, more, err = search(ctx, x, s, subjects, found, limit)
		}
	}
	for i := range fit {
		fit[i].evidence = judge(fit[i].lesson)
	}
	return fit, asked, err
}

// conditions returns the query that every candidate meets.
func (s Situation) conditions() index.Query {
	q := index.Query{Now: s.Now}
	q = q.Where(index.Status, string(lessons.Approved))
	if s.supposed != nil {
		q.Also = s.supposed.ID
	}
	if s.Project != "" {
		return q.Where(index.For, s.Project)
	}
	return q.Where(index.Global, "yes")
}

// search finds pinned lessons, those that match a subject, and those most confident or
// confirmed last, at most limit of each of the latter two. It adds those already found,
// keeps those for the role, and reports whether there are more.
func search(ctx context.Context, x Searcher, s Situation, subjects []string, found []lessons.Lesson, limit int) (out []find, more bool, err error) {
	var queries []index.Query
	base := func(order index.Sort, limit int) index.Query {
		q := s.conditions()
		q.Sort, q.Limit = order, limit
		return q
	}
	add := func(q index.Query) { queries = append(queries, q) }
	for _, t := range subjects {
		q := base(index.Relevance, perQuery)
		q.Terms = index.Text(t).Terms
		if s.All {
			q.Meaning = index.Faint
		} else {
			q.Least = nearGate // lessons with less would not be given
		}
		add(q)
	}
	if !s.OnlySubject {
		add(base(index.Score, perQuery).Where(index.Pinned, "yes"))
	}
	if len(s.files()) > 0 {
		add(base(index.Score, perQuery).Where(index.Placed, "yes"))
	}
	if limit > 0 {
		add(base(index.Score, limit))
		add(base(index.Confirmed, limit))
		if len(s.Recent) > 0 {
			q := base(index.Score, perQuery)
			for _, id := range s.Recent {
				q = q.Where(index.ID, string(id))
			}
			add(q)
		}
	}
	pages, err := x.Pages(ctx, queries...)
	if err != nil {
		return nil, false, err
	}
	fits, err := s.fitting(ctx, x, pages, found)
	if err != nil {
		return nil, false, err
	}
	at := map[lessons.ID]int{}
	put := func(l lessons.Lesson) (i int, ok bool) {
		if s.supposed != nil && l.ID == s.supposed.ID {
			l = *s.supposed
		}
		if !l.Scope.Global && !fits(l.Scope.Role) {
			return 0, false
		}
		i, ok = at[l.ID]
		if !ok {
			i = len(out)
			at[l.ID] = i
			out = append(out, find{lesson: l})
		}
		return i, true
	}
	for n, page := range pages {
		more = more || n >= len(subjects) && page.Total > len(page.Hits)
		for _, h := range page.Hits {
			if i, ok := put(h.Lesson); ok && n < len(subjects) {
				out[i].better(h, page.Hits[0], subjects[n])
			}
		}
	}
	for _, l := range found {
		put(l)
	}
	return out, more, nil
}

// better sets the subject to a sentence that the lesson fits better than others. Sentences
// that some lesson covers better count for more.
func (f *find) better(h, best index.Hit, subject string) {
	score := 0.0
	if best.Score > 0 {
		score = h.Score / best.Score * best.Cover
	}
	on, was := h.Cover >= Gate, f.cover >= Gate
	if f.subject == "" || on && !was || on == was && score > f.score {
		f.score, f.match, f.cover, f.near, f.subject = score, h.Match, h.Cover, h.Near, subject
	}
}

// fitting returns the roles whose lessons are candidates. It queries the index only if what
// was found has other roles but not this one.
func (s Situation) fitting(ctx context.Context, x Searcher, pages []index.Page, found []lessons.Lesson) (func(role string) bool, error) {
	own, others := false, false
	look := func(l lessons.Lesson) {
		if !l.Scope.Global {
			same := strings.EqualFold(l.Scope.Role, s.Role)
			own, others = own || same, others || !same
		}
	}
	for _, page := range pages {
		for _, h := range page.Hits {
			look(h.Lesson)
		}
	}
	for _, l := range found {
		look(l)
	}
	if s.Role == "" || own || !others {
		return s.fits(own, false), nil
	}
	of := func(f index.Field, role string) index.Query {
		q := index.Query{Now: s.Now, Sort: index.Score, Limit: 1, Unjudged: true}
		return q.Where(index.Status, string(lessons.Approved)).Where(index.Project, s.Project).Where(index.Global, "no").Where(f, role)
	}
	pages, err := x.Pages(ctx, of(index.RoleAlone, s.Role), of(index.Role, baseOf(s.Role)))
	if err != nil {
		return nil, err
	}
	return s.fits(pages[0].Total > 0, pages[1].Total > 0), nil
}

// baseOf returns the part of a role before its colon, in lower case.
func baseOf(role string) string {
	base, _, _ := strings.Cut(role, ":")
	return strings.ToLower(base)
}

// fits returns the roles whose lessons are candidates, given whether the project has any
// for the role itself, or for the part before its colon.
func (s Situation) fits(own, based bool) func(role string) bool {
	switch {
	case s.Role != "" && own:
		return func(r string) bool { return strings.EqualFold(r, s.Role) }
	case s.Role != "" && based:
		return func(r string) bool { return baseOf(r) == baseOf(s.Role) }
	}
	return func(string) bool { return true }
}

// check reads the lesson again and returns why it cannot be given; "" if it can.
func check(c *Choice, confirm Confirm, s Situation) string {
	if confirm != nil {
		l, err := confirm(c.Lesson)
		if err != nil {
			return fmt.Sprintf("it is in the index and cannot be read: %v", err)
		}
		c.Lesson = l
	}
	switch l := c.Lesson; {
	case l.Status != lessons.Approved:
		return fmt.Sprintf("it is %s now", l.Status)
	case l.Outside && !s.TrustEdits:
		return "another program wrote it, and nobody has confirmed it: learnings approve --outside"
	case !l.Scope.Global && !strings.EqualFold(l.Scope.Project, s.Project):
		return fmt.Sprintf("it is of project %s now", l.Scope.Project)
	}
	if why := s.beyond(c.Lesson.Limit); why != "" {
		return why
	}
	return claims.Withheld(s.Tree.Missing(c.Lesson))
}
