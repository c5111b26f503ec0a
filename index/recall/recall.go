// Package recall picks the approved lessons that fit a situation, within a
// budget, and writes what the agent will read.
//
// Nothing is given to an agent that a person has not approved: a picked lesson
// is looked up again where it is kept ([Confirm]), so that an index which lags
// behind can leave a lesson out but never bring one back.
package recall

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"learnings/index"
	"learnings/lessons"
	"learnings/lessons/stance"
)

// A Situation is what an agent is about to do, as far as it is known.
type Situation struct {
	Project, Role string
	Prompt        string   // the task, in the words of the person
	Tool, Error   string   // the call that has just failed, and how
	Files         []string // that the task is about
	Agent         string   // which agent asks, such as "codex"; "" when that is not known
	TrustEdits    bool     // whether lessons count that come from outside; see [lessons.Lesson.Outside]
	Now           time.Time

	OnlySubject bool         // whether nothing is given that is beside the subject
	Had         []lessons.ID // lessons that the agent knows already: they are not given

	// Ranker is the rule of another program, by which lessons are chosen instead of
	// ours; nil for none.
	Ranker *index.Ranker
}

// A Budget is how much may be given at most. A zero is the default: 5 lessons,
// 2,000 tokens, 8,000 characters. Both harnesses that we know cut off or hide
// what is longer than 10,000 characters or 2,500 tokens.
type Budget struct {
	Lessons int
	Tokens  int // as estimated by [Tokens]
	Chars   int // bytes of all that [Write] writes
}

// A Choice is a lesson that was considered.
type Choice struct {
	Lesson lessons.Lesson
	In     bool
	Had    bool    // the agent knows it already
	Why    string  // it is in or out, in words for a person
	Rank   float64 // by which choices are ordered
}

// Tokens is what a choice costs, as estimated by [Tokens].
func (c Choice) Tokens() int { return Tokens(render(c.Lesson)) }

// A Searcher is an [index.Index] or an [index.Scan].
type Searcher interface {
	Pages(context.Context, ...index.Query) ([]index.Page, error)
}

// A Confirm reads a lesson again from where it is kept; what it is given is the
// state in which it was indexed.
type Confirm func(lessons.Lesson) (lessons.Lesson, error)

const (
	// Gate is the share of a sentence's words, weighed by rarity, that a lesson
	// must have to be on the subject.
	Gate = 0.5

	// sure is from which confidence on a lesson is given that is not on the
	// subject, when there is room.
	sure = 0.7
	// aside is the relevance of such a lesson: below any that is on the subject.
	aside = 0.05

	perQuery = 50
	// How many are asked for in each of the two orders in which lessons come
	// without a subject: at first, and when too few of them are for the role.
	few, many = 60, 400
)

// Pick chooses lessons for a situation, best first, those that are in before
// those that are not. Candidates are the approved lessons of the project and
// role, and global ones; when the project has none for the role, those for the
// role without what follows its colon; when there are none either, those for
// any role.
//
// The rank is relevance × (½ + ½ bound) × (0.3 + 0.7 freshness), see
// [lessons.Lesson.Bound] and [lessons.Lesson.Freshness]. Relevance is 1 for all
// when nothing is known of the task; otherwise it is the share of the words of
// a sentence of the task that a lesson has, at least [Gate]. What room is left
// goes to lessons beside the subject, if their confidence is high.
//
// A lesson that says nearly the same as a better one is left out, and so is one
// that does not fit in what is left of the budget. Of two that contradict each
// other never both are given: the one that [stance.Prefer] proposes to keep is,
// however they rank, and the other is left out.
//
// A lesson that another program wrote or changed, and on which nobody has decided
// since, is left out, unless the situation says that such edits are trusted.
//
// A lesson that the agent has had is left out, and so is what says nearly the same or
// contradicts it. It takes no room.
//
// With a [Situation.Ranker] the order is its; all else is as it was.
//
// With a nil confirm the searcher is taken at its word: only for one that reads
// the lessons themselves.
func Pick(ctx context.Context, x Searcher, confirm Confirm, s Situation, b Budget) ([]Choice, error) {
	b = b.orDefault()
	found, err := gather(ctx, x, s, b)
	if err != nil {
		return nil, err
	}
	choices := s.weigh(found)
	slices.SortStableFunc(choices, func(a, b Choice) int {
		return cmp.Or(cmp.Compare(b.Rank, a.Rank), cmp.Compare(a.Lesson.ID, b.Lesson.ID))
	})
	fill(choices, confirm, s, b)
	slices.SortStableFunc(choices, func(a, b Choice) int {
		switch {
		case a.In == b.In:
			return 0
		case a.In:
			return -1
		}
		return 1
	})
	return choices, nil
}

// weigh gives the candidates their ranks.
func (s Situation) weigh(found []find) []Choice {
	choices := make([]Choice, 0, len(found))
	if s.Ranker != nil {
		slices.SortStableFunc(found, func(a, b find) int { return cmp.Compare(b.match, a.match) })
		q := index.Question{Text: s.Prompt, Now: s.Now}
		ls := make([]lessons.Lesson, len(found))
		for i, f := range found {
			if ls[i] = f.lesson; f.match > 0 {
				q.Near = i + 1
			}
			choices = append(choices, Choice{Lesson: f.lesson, Why: s.Ranker.Name + " would not give it"})
		}
		for i, p := range s.Ranker.Rank(q, ls) {
			c := &choices[p.At]
			c.Rank, c.Why = 1/float64(i+1), fmt.Sprintf("number %d of %s, by %.3g", i+1, s.Ranker.Name, p.Score)
		}
		return choices
	}
	for _, f := range found {
		choices = append(choices, quality(f, s))
	}
	return choices
}

func (b Budget) orDefault() Budget {
	return Budget{Lessons: cmp.Or(b.Lessons, 5), Tokens: cmp.Or(b.Tokens, 2000), Chars: cmp.Or(b.Chars, 8000)}
}

// A find is a candidate with its relevance.
type find struct {
	lesson  lessons.Lesson
	match   float64
	subject string // the sentence that it matches best; "" without one
	asked   bool   // there was a task to match
}

// gather finds the candidates for the role. Each lesson that is looked at costs
// time at the start of a session, so it begins with few.
func gather(ctx context.Context, x Searcher, s Situation, b Budget) ([]find, error) {
	first := few
	if s.Ranker != nil {
		first = many // its order is not that of the index
	}
	for limit := first; ; limit = many {
		found, more, err := search(ctx, x, s, limit)
		if err != nil {
			return nil, err
		}
		if fit, own := forRole(found, s.Role); !more || limit == many || own && len(fit) >= 4*b.Lessons {
			return fit, nil
		}
	}
}

// search finds what matches a sentence of the situation, and what is most
// confident or was confirmed last, at most limit of each. It says whether there
// are more.
func search(ctx context.Context, x Searcher, s Situation, limit int) (out []find, more bool, err error) {
	var queries []index.Query
	add := func(q index.Query, order index.Sort, limit int) {
		q.Now, q.Sort, q.Limit = s.Now, order, limit
		q = q.Where(index.Status, string(lessons.Approved))
		if s.Project != "" {
			q = q.Where(index.For, s.Project)
		} else {
			q = q.Where(index.Global, "yes")
		}
		queries = append(queries, q)
	}
	subjects := s.subjects()
	for _, t := range subjects {
		q := index.Text(t)
		if s.OnlySubject {
			q.Least = Gate
		}
		add(q, index.Relevance, perQuery)
	}
	if !s.OnlySubject {
		add(index.Query{}, index.Score, limit)
		add(index.Query{}, index.Confirmed, limit)
	} else if len(subjects) == 0 {
		return nil, false, nil
	}
	pages, err := x.Pages(ctx, queries...)
	if err != nil {
		return nil, false, err
	}
	n := 0
	for _, page := range pages {
		n += len(page.Hits)
	}
	at := make(map[lessons.ID]int, n)
	out = make([]find, 0, n)
	for n, page := range pages {
		more = more || n >= len(subjects) && page.Total > len(page.Hits)
		for _, h := range page.Hits {
			i, ok := at[h.Lesson.ID]
			if !ok {
				i = len(out)
				at[h.Lesson.ID] = i
				out = append(out, find{lesson: h.Lesson, asked: len(subjects) > 0})
			}
			if n < len(subjects) && h.Match > out[i].match {
				out[i].match, out[i].subject = h.Match, subjects[n]
			}
		}
	}
	return out, more, nil
}

// forRole leaves the lessons for a role, or for the next wider one for which the
// project has any, and says whether it has. Global lessons are for all.
func forRole(all []find, role string) (fit []find, own bool) {
	if role == "" {
		return all, true
	}
	base := func(s string) string {
		b, _, _ := strings.Cut(s, ":")
		return strings.ToLower(b)
	}
	for _, fits := range []func(string) bool{
		func(r string) bool { return strings.EqualFold(r, role) },
		func(r string) bool { return base(r) == base(role) },
	} {
		fit, own = make([]find, 0, len(all)), false
		for _, f := range all {
			if ok := fits(f.lesson.Scope.Role); ok || f.lesson.Scope.Global {
				fit = append(fit, f)
				own = own || ok && !f.lesson.Scope.Global
			}
		}
		if own {
			return fit, true
		}
	}
	return all, false
}

// quality weighs a candidate. One that cannot come in has the reason in Why.
func quality(f find, s Situation) Choice {
	l := f.lesson
	worth := (0.5 + 0.5*l.Bound(s.Now)) * (0.3 + 0.7*l.Freshness(s.Now))
	c := Choice{Lesson: l}
	about := fmt.Sprintf("confidence %s, %d %% fresh", l.Mean(s.Now), int(math.Round(100*l.Freshness(s.Now))))
	switch {
	case !f.asked:
		c.Rank, c.Why = worth, about
	case f.match >= Gate:
		c.Rank = f.match * worth
		c.Why = fmt.Sprintf("has %d %% of “%s”; %s", int(math.Round(100*f.match)), lessons.Lesson{Wording: lessons.Wording{Content: f.subject}}.Title(40), about)
	case s.OnlySubject:
		c.Why = "beside the subject; " + about
	case l.Confidence >= sure:
		c.Rank = aside * worth
		c.Why = "beside the subject, but there is room; " + about
	default:
		c.Why = "beside the subject, and not sure enough to be given anyway; " + about
	}
	return c
}

// fill takes in choices by rank until the budget is used up.
func fill(choices []Choice, confirm Confirm, s Situation, b Budget) {
	f := filling{choices: choices, stances: make([]*stance.Stance, len(choices)), style: Style{Project: s.Project}, budget: b}
	for i := range choices {
		if slices.Contains(s.Had, choices[i].Lesson.ID) {
			choices[i].Had, choices[i].Why = true, "the session has had it"
			f.had = append(f.had, i)
		}
	}
	for i := range choices {
		c := &choices[i]
		if c.Rank == 0 || c.Had {
			continue
		}
		if len(f.in) >= b.Lessons && len(f.opposed(i)) == 0 {
			c.Why = fmt.Sprintf("there are %d better ones", b.Lessons)
			continue
		}
		if why := check(c, confirm, s); why != "" {
			c.Why = why
			continue
		}
		f.stances[i] = nil // it may read otherwise now
		if why := f.settle(i); why != "" {
			c.Why = why
			continue
		}
		c.Why = f.add(i)
	}
}

// A filling is what has been taken in so far.
type filling struct {
	choices []Choice
	stances []*stance.Stance // of choices, read when they are first asked for
	in      []int            // places of choices, best first
	had     []int            // those that the agent knows already
	style   Style
	budget  Budget
}

// opposed are those taken in that contradict a choice.
func (f *filling) opposed(i int) (out []int) {
	for _, o := range f.in {
		if _, ok := f.stance(i).Contradicts(*f.stance(o)); ok {
			out = append(out, o)
		}
	}
	return out
}

func (f *filling) stance(i int) *stance.Stance {
	if f.stances[i] == nil {
		s := stance.Of(f.choices[i].Lesson)
		f.stances[i] = &s
	}
	return f.stances[i]
}

// settle makes room for a choice among those that contradict it, or says to which
// of them it gives way.
func (f *filling) settle(i int) string {
	for _, o := range f.had {
		if _, ok := f.stance(i).Contradicts(*f.stance(o)); ok {
			return fmt.Sprintf("contradicts %s, which the session has had", f.choices[o].Lesson.ID)
		}
	}
	against := f.opposed(i)
	l := f.choices[i].Lesson
	for _, o := range against {
		if first, why := stance.Prefer(f.choices[o].Lesson, l); first {
			return contradicts(f.choices[o].Lesson, why)
		}
	}
	for _, o := range against {
		_, why := stance.Prefer(l, f.choices[o].Lesson)
		f.choices[o].In, f.choices[o].Why = false, contradicts(l, why)
	}
	f.in = slices.DeleteFunc(f.in, func(o int) bool { return slices.Contains(against, o) })
	return ""
}

func contradicts(kept lessons.Lesson, why string) string {
	return fmt.Sprintf("contradicts %s, which goes before it: %s", kept.ID, why)
}

// add takes a choice in if it fits, and says why it is in or not.
func (f *filling) add(i int) string {
	c := &f.choices[i]
	in := make([]Choice, 0, len(f.in)+1)
	for _, o := range f.in {
		in = append(in, f.choices[o])
	}
	known := in
	for _, o := range f.had {
		known = append(known[:len(known):len(known)], f.choices[o])
	}
	if d := double(*c, known); d != "" {
		return fmt.Sprintf("says nearly the same as %s", d)
	}
	given := *c
	given.In = true
	text := text(append(in, given), f.style)
	if t := Tokens(text); len(text) > f.budget.Chars || t > f.budget.Tokens {
		return fmt.Sprintf("too long for what is left of %d tokens and %d characters", f.budget.Tokens, f.budget.Chars)
	}
	c.In = true
	f.in = append(f.in, i)
	return c.Why
}

// check reads the lesson again and says why it cannot be given, if it cannot.
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
		return "another program wrote it, and nobody has confirmed it: learnings confirm --outside"
	case !l.Scope.Global && !strings.EqualFold(l.Scope.Project, s.Project):
		return fmt.Sprintf("it is of project %s now", l.Scope.Project)
	}
	return s.beyond(c.Lesson.Limit)
}

// double returns the id of a chosen lesson that shares half of the words, unless a
// person has said that both hold.
func double(c Choice, in []Choice) lessons.ID {
	a := index.Words(c.Lesson.Content)
	for _, o := range in {
		b := index.Words(o.Lesson.Content)
		both := 0
		for _, w := range a {
			if slices.Contains(b, w) {
				both++
			}
		}
		if !lessons.BothHold(c.Lesson, o.Lesson) && both > 0 && 2*both >= len(a)+len(b)-both {
			return o.Lesson.ID
		}
	}
	return ""
}
