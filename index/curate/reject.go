package curate

import (
	"context"
	"slices"
	"strings"

	"learnings/index"
	"learnings/lessons"
)

// Reasons of a rejection that a person need not type, those first for which proposals
// fail most often. What follows from some of them is said in [lessons.Refusal].
var Reasons = []string{"one-off", "not true", "already known", "too vague", "not a rule", "too specific", "private", "not about this project", "not worth a place"}

// assumed stands behind a reason that a person did not name for this lesson.
const assumed = " (assumed)"

// Assuming is the action with a reason that the person was shown and did not name.
func (a Action) Assuming(reason string) Action { return a.Because(reason + assumed) }

// Named is the reason of an action or a decision as the person would name it, and
// whether they did.
func Named(reason string) (name string, named bool) {
	name, is := strings.CutSuffix(reason, assumed)
	return name, !is
}

// Given says for which reasons lessons were rejected lately.
type Given struct {
	Usual string         // of [Reasons]: the one that the next rejection is assumed to have
	Last  string         // of [Reasons]: that of the latest one; "" for none
	Times map[string]int // by reason
}

// With counts n more rejections. What was typed, or names another lesson, is for one
// lesson only, and not assumed of the next. Nor is a reason that was named once among
// others: the usual one is another when two have it, one after the other. A person who
// rejects ten for the same reason and one between for another need not look which is
// assumed of the eleventh.
func (g Given) With(reason string, n int) Given {
	name, _ := Named(reason)
	times := map[string]int{}
	for k, v := range g.Times {
		times[k] = v
	}
	times[name] += n
	g.Times = times
	if slices.Contains(Reasons, name) {
		if g.Last == name || n > 1 {
			g.Usual = name
		}
		g.Last = name
	}
	return g
}

// mostGiven is how many rejections are looked at for [GivenLately].
const mostGiven = 200

// GivenLately looks at the latest rejections. Without any, the first of [Reasons] is assumed.
func GivenLately(ctx context.Context, c *Library) (Given, error) {
	g := Given{Usual: Reasons[0]}
	q := index.Query{Sort: index.Confirmed, Limit: mostGiven, Unjudged: true, Now: c.Now()}
	page, err := c.Index.Search(ctx, q.Where(index.Status, string(lessons.Rejected)))
	for _, h := range slices.Backward(page.Hits) {
		if h.Lesson.Decided.Reason != "" {
			g = g.With(h.Lesson.Decided.Reason, 1)
		}
	}
	return g, err
}

// RejectAgain rejects a lesson that this person has just rejected for another reason. It is one
// step of the journal, and leaves the lesson rejected when it is taken back.
func RejectAgain(c *Corpus, id lessons.ID, reason string) (before, after lessons.Lesson, err error) {
	l, err := c.Store.Get(id)
	if err != nil {
		return l, l, err
	}
	if l.Status != lessons.Rejected || l.Decided.By != c.By {
		return l, l, &Refused{l, ErrNothing}
	}
	after, err = c.Decide(Reject.Because(reason), l)
	return l, after, err
}

// ApartOf divides lessons as [Action.Apart] does. An approval also leaves out those that an
// active lesson contradicts: they are settled one by one.
func ApartOf(ctx context.Context, c *Library, a Action, ls []lessons.Lesson) (may []lessons.Lesson, left []Left) {
	may, left = a.Apart(ls)
	if a.Op != lessons.OpApprove {
		return may, left
	}
	against := c.Against(ctx, may...)
	may = slices.DeleteFunc(slices.Clone(may), func(l lessons.Lesson) bool {
		other, is := Active(against[l.ID])
		if is {
			left = append(left, Left{l, "an active lesson contradicts it: “" + other.Title(40) + "”"})
		}
		return is
	})
	return may, left
}
