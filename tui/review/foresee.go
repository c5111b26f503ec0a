package review

import (
	"context"
	"slices"

	"learnings/index/curate"
	"learnings/index/recall"
	"learnings/lessons"
	"learnings/tui/card"
	"learnings/tui/desk"
	"learnings/tui/kit"
	"learnings/tui/reader"
)

// foresee computes the effect of approving a lesson on prompts of the session that taught
// it.
func foresee(fx desk.Desk, current func() bool, l lessons.Lesson, prompts []string) kit.Job {
	return kit.Asked(current, fx.Shared.Others, func(ctx context.Context) kit.Then[Review] {
		l, err := curate.Approve.Preview(l, fx.Corpus.By, fx.Now())
		if err != nil {
			return nil
		}
		s := recall.Situation{Project: l.Scope.Project, Role: l.Scope.Role, TrustEdits: fx.TrustEdits, Now: fx.Now()}
		if l.Scope.Global || s.Project == "" {
			s.Project = fx.Next.Project
		}
		s.Known = recall.KnownOf(fx.Corpus.Store.State(), s.Project)
		ahead := card.Outlook{Of: l.ID, Done: true}
		if ahead.Prospect, err = recall.Foresee(ctx, fx.Corpus.Index, fx.Corpus.Store.Reread, l, s, fx.Next.Budget, prompts); err != nil {
			return nil // the card is useful without it
		}
		slices.SortStableFunc(ahead.Trials, func(a, b recall.Trial) int {
			if (a.Rank > 0) != (b.Rank > 0) {
				return map[bool]int{true: -1, false: 1}[a.Rank > 0]
			}
			return a.Rank - b.Rank
		})
		return func(p Review) (Review, kit.Out) {
			p.Card.Ahead = ahead
			return p, kit.Out{}
		}
	})
}

// Limits of the prompts to try: their number, and the bytes of one.
const (
	mostTried  = 4
	promptSize = 90
)

// promptsOf returns short prompts of a session that have a subject, nearest to line
// first. It leaves out the prompt on the line, which the lesson comes from.
func promptsOf(said []reader.Utterance, line int) []string {
	var near []reader.Utterance
	for _, u := range said {
		text := lessons.Line(u.Text)
		if u.Line != line && !u.Idle && len(text) <= promptSize && !recall.Idle(text) {
			near = append(near, reader.Utterance{Line: u.Line, Text: text})
		}
	}
	slices.SortStableFunc(near, func(a, b reader.Utterance) int { return max(a.Line-line, line-a.Line) - max(b.Line-line, line-b.Line) })
	var out []string
	for _, u := range near {
		if len(out) < mostTried && !slices.Contains(out, u.Text) {
			out = append(out, u.Text)
		}
	}
	return out
}
