package curate

import (
	"context"
	"slices"
	"strings"

	"learnings/index"
	"learnings/lessons"
)

// Reasons are the reasons for a rejection that a person can choose, the most frequent
// first. [lessons.Refusal] says what follows from some of them.
var Reasons = []string{"one-off", "not true", "already known", "too vague", "not a rule", "too specific", "private", "not about this project", "not worth a place"}

// assumed follows a reason that a person did not name for this lesson.
const assumed = " (assumed)"

// Assuming returns the action with a reason that the person was shown and did not name.
func (a Action) Assuming(reason string) Action { return a.Because(reason + assumed) }

// Named returns the reason without the mark of [Action.Assuming], and whether the person
// named it.
func Named(reason string) (name string, named bool) {
	name, is := strings.CutSuffix(reason, assumed)
	return name, !is
}

// Given counts the reasons of recent rejections.
type Given struct {
	Usual string         // of [Reasons]: assumed for the next rejection
	Last  string         // of [Reasons]: that of the latest rejection; "" for none
	Times map[string]int // by reason
}

// With counts n more rejections. A reason that was typed, or that names another lesson, is
// never assumed for the next one. The usual reason changes only when another is named twice
// in a row: a person who rejects ten lessons for one reason and one between for another
// need not check what is assumed for the eleventh.
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

// mostGiven is how many rejections [GivenLately] looks at.
const mostGiven = 200

// GivenLately counts the latest rejections. If there are none, the first of [Reasons] is
// assumed.
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

// RejectAgain changes the reason of a lesson that this person has just rejected. It is one
// step of the journal; undoing it leaves the lesson rejected.
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

// ApartOf divides lessons as [Action.Apart] does. For an approval it also leaves out
// lessons that an active lesson contradicts, because they are settled one by one.
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
