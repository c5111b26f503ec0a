package tui

import (
	"context"
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"learnings/index"
	"learnings/lessons"
	"learnings/lessons/stance"
)

// A survey is what takes all lessons at once to say: which of them contradict
// each other, and which say the same. It is made in the background and may be some decisions old, so
// whoever uses it reads the lessons again.
type survey struct {
	against *stance.Corpus
	pairs   []stance.Pair
	groups []group
}

// mostShownGroups is how many contradictions, and how many groups of lessons that
// say the same, a survey keeps: more than anybody settles in one sitting.
const mostShownGroups = 500

// A looking is where the surveys stand: at most one is under way.
type looking struct {
	busy  bool
	stale bool // something changed that the last one has not seen
	old   bool // something was decided since, which matters to who goes through all of them
}

// surveying are the dialogs that list what a survey has found.
type surveying interface{ surveyed() }

// again asks for a survey, now or when the one under way has ended.
func (l looking) again(fx effects, o out) (looking, out) {
	if l.busy {
		l.stale = true
		return l, o
	}
	return looking{busy: true}, o.and(run(fx.look()))
}

// surveyedMsg tells that there is a new survey.
type surveyedMsg struct{ err error }

// look surveys the corpus: some 30 ms for a thousand lessons.
func (fx effects) look() job {
	return func(ctx context.Context) tea.Msg {
		all, err := fx.counting(ctx)
		if err != nil {
			return surveyedMsg{err: err}
		}
		next := &survey{against: stance.NewCorpus(slices.Values(all))}
		for p := range next.against.Pairs() {
			if next.pairs = append(next.pairs, p); len(next.pairs) == mostShownGroups || ctx.Err() != nil {
				break
			}
		}
		next.groups = groupsOf(ctx, all)
		fx.shared.survey.Store(next)
		return surveyedMsg{}
	}
}

// stands reports that a lesson is one that surveys compare: a proposal, or what
// sessions get.
func stands(l lessons.Lesson) bool {
	return l.Status == lessons.Pending || l.Status == lessons.Approved
}

// counting are the lessons that count.
func (fx effects) counting(ctx context.Context) ([]lessons.Lesson, error) {
	var all []lessons.Lesson
	for _, status := range []lessons.Status{lessons.Approved, lessons.Pending} {
		q := index.Query{Sort: index.Created, Now: fx.Now()}.Where(index.Status, string(status))
		hits, err := fx.desk.all(ctx, q)
		if err != nil {
			return nil, fmt.Errorf("reading the %s lessons: %w", status, err)
		}
		for _, h := range hits {
			all = append(all, h.Lesson)
		}
	}
	return all, nil
}

// opposed are the lessons that contradict one, as they are now.
func (fx effects) against(l lessons.Lesson) []stance.Contrary {
	s := fx.shared.survey.Load()
	if s == nil || !stands(l) {
		return nil
	}
	var out []stance.Contrary
	for _, o := range s.against.Of(l) {
		now, err := fx.desk.get(o.Lesson.ID)
		if err != nil {
			continue // it went meanwhile
		}
		if c, ok := stance.Between(l, now); ok && stands(now) {
			out = append(out, stance.Contrary{Lesson: now, Contradiction: c})
		}
		if len(out) == mostAgainst {
			break
		}
	}
	return out
}

// active finds an active lesson that contradicts one, as of the last survey.
func (fx effects) active(l lessons.Lesson) (lessons.ID, bool) {
	if s := fx.shared.survey.Load(); s != nil {
		for _, o := range s.against.Of(l) {
			if o.Lesson.Status == lessons.Approved {
				return o.Lesson.ID, true
			}
		}
	}
	return "", false
}

// clashing counts the lessons that contradict an active one, as of the last
// survey.
func (fx effects) contradicting(ls []lessons.Lesson) int {
	n := 0
	for _, l := range ls {
		if _, ok := fx.active(l); ok {
			n++
		}
	}
	return n
}

// mostAgainst is how many lessons a card names that contradict it.
const mostAgainst = 3
