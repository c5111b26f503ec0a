package view

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"learnings/cmd/internal/term"
	"learnings/index/curate"
	"learnings/lessons"
)

// A repeat is a decision that can be made again on another proposal. Without done it
// changes the proposal and does not decide on it.
type repeat struct {
	act  func(lessons.Lesson) curate.Action
	done string
	once bool // for this proposal only
}

func always(a curate.Action) func(lessons.Lesson) curate.Action {
	return func(lessons.Lesson) curate.Action { return a }
}

// do decides, and goes on to the next proposal or shows this one as it is then.
func (r *Review) do(ctx context.Context, l lessons.Lesson, d repeat) (moved bool, err error) {
	act := d.act(l)
	if _, err := r.Corpus.Decide(act, l); err != nil {
		return false, err
	}
	if !d.once {
		r.last = &d
	}
	if d.done != "" {
		r.decided(ctx, d.done, l)
		return true, nil
	}
	r.Say("%s %s", strings.TrimSuffix(act.Done, ":"), l.ID)
	r.changed(ctx, l)
	return true, nil
}

// change gives a proposal another sentence, confidence, category or other tags.
func (r *Review) change(ctx context.Context, l lessons.Lesson, verb, rest string) (moved bool, err error) {
	if rest == "" {
		return false, term.Hint(fmt.Errorf("%s needs a word behind it", verb), "? shows what each answer takes")
	}
	edit := func(change func(*lessons.Lesson)) func(lessons.Lesson) curate.Action {
		return func(l lessons.Lesson) curate.Action {
			l.Tags = slices.Clone(l.Tags)
			change(&l)
			return curate.Edit(l)
		}
	}
	switch verb {
	case "i":
		return r.do(ctx, l, repeat{act: always(curate.Reword(rest)), once: true})
	case "c":
		c, err := lessons.ParseConfidence(rest)
		if err != nil {
			return false, err
		}
		return r.do(ctx, l, repeat{act: always(curate.Rate(c))})
	case "k":
		c, err := lessons.ParseCategory(rest)
		if err != nil {
			return false, err
		}
		return r.do(ctx, l, repeat{act: edit(func(l *lessons.Lesson) { l.Category = c })})
	}
	words := strings.FieldsFunc(rest, func(r rune) bool { return r == ' ' || r == ',' })
	return r.do(ctx, l, repeat{act: edit(func(l *lessons.Lesson) {
		for _, w := range words {
			tag, gone := strings.CutPrefix(w, "-")
			tag = strings.TrimLeft(tag, "#+")
			l.Tags = slices.DeleteFunc(l.Tags, func(t string) bool { return t == tag })
			if !gone && tag != "" {
				l.Tags = append(l.Tags, tag)
			}
		}
	})})
}

// look does what decides nothing: it goes through the queue, and shows evidence.
func (r *Review) look(ctx context.Context, l lessons.Lesson, verb, rest string) (moved bool, err error) {
	switch verb {
	case ">":
		if r.at+1 >= len(r.queue) {
			return false, errors.New("this is the last one")
		}
		r.at++
		return true, nil
	case "<":
		for i := r.at - 1; i >= 0; i-- {
			if got, err := r.Corpus.Store.Get(r.queue[i].ID); err == nil && got.Status == lessons.Pending {
				r.at = i
				return true, nil
			}
		}
		return false, errors.New("this is the first one that waits")
	case "/":
		return r.find(rest)
	case "o":
		r.said(l)
		return false, nil
	case "lane":
		return r.lane(ctx, rest)
	case "sort":
		return r.sort(rest)
	}
	return false, errNotThat
}

// find goes to the next proposal that has all words, from the first again after the last.
func (r *Review) find(text string) (bool, error) {
	words := strings.Fields(strings.ToLower(text))
	for n := range r.queue {
		i := (r.at + 1 + n) % len(r.queue)
		l := r.queue[i]
		hay := strings.ToLower(strings.Join(append([]string{l.Content, l.Insight, l.Scope.Project, string(l.Category)}, l.Tags...), " "))
		if !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(hay, w) }) {
			if got, err := r.Corpus.Store.Get(l.ID); err == nil && got.Status == lessons.Pending {
				r.at = i
				return true, nil
			}
		}
	}
	return false, fmt.Errorf("no proposal here has %q", text)
}

// said prints who said what made a proposal, and what came before and after it.
func (r *Review) said(l lessons.Lesson) {
	p := r.Page()
	if len(l.Evidence) == 0 {
		p.Line("nobody is quoted")
	}
	for i, e := range l.Evidence {
		p.Strong("evidence %d of %d: %s", i+1, len(l.Evidence), source(e))
		for _, t := range e.Before {
			p.Beside("  before  ", t)
		}
		p.Beside("  said    ", fmt.Sprintf("%s: %s", speakers[e.By], e.Quote))
		for _, t := range e.After {
			p.Beside("  after   ", t)
		}
		if e.Path != "" {
			p.Beside("  file    ", e.Path)
		}
	}
}

// line makes a queue of proposals, those apart that the person has put off.
func (r *Review) line(proposals []lessons.Lesson) {
	r.queue, r.at = nil, 0
	for _, l := range proposals {
		if !l.Snoozed(r.Corpus.Now()) {
			r.queue = append(r.queue, l)
		}
	}
}

// lane goes on with the proposals of a lane, or counts those of each.
func (r *Review) lane(ctx context.Context, name string) (bool, error) {
	if name == "" {
		all, err := r.Load(ctx, "all")
		if err != nil {
			return false, err
		}
		n := map[lessons.Lane]int{}
		for _, l := range all {
			n[lessons.LaneOf(l)]++
		}
		for _, lane := range lessons.QueueLanes {
			r.Say("%s %d", lane, n[lane])
		}
		return false, nil
	}
	some, err := r.Load(ctx, name)
	if err != nil {
		return false, err
	}
	was := r.queue
	if r.line(some); len(r.queue) == 0 {
		r.queue = was
		return false, fmt.Errorf("nothing waits in the lane %s", name)
	}
	return true, nil
}

// sort puts what is left of the queue into another order.
func (r *Review) sort(by string) (bool, error) {
	orders := map[string]func(a, b lessons.Lesson) int{
		"value": func(a, b lessons.Lesson) int { return cmp.Compare(b.Confidence, a.Confidence) },
		"age":   func(a, b lessons.Lesson) int { return b.Created.Compare(a.Created) },
		"project": func(a, b lessons.Lesson) int {
			return cmp.Compare(strings.ToLower(a.Scope.Project), strings.ToLower(b.Scope.Project))
		},
	}
	order, ok := orders[by]
	if !ok {
		return false, term.Usagef("sort by value, age or project")
	}
	slices.SortStableFunc(r.queue[r.at:], order)
	return true, nil
}
