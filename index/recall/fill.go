package recall

import (
	"cmp"
	"fmt"
	"slices"

	"learnings/index"
	"learnings/lessons"
	"learnings/lessons/pairs"
)

// This file takes in choices by rank, as long as they fit. Of two that say the same or
// contradict each other it takes one.

// fill takes in choices by rank until the budget is used up.
func fill(choices []Choice, confirm Confirm, s Situation, b Budget) {
	f := newFilling(choices, s, b)
	for i := range choices {
		if slices.Contains(s.Had, choices[i].Lesson.ID) {
			f.had = append(f.had, i)
			if !choices[i].barred {
				choices[i].Had, choices[i].Why = true, "the session has had it"
			}
		}
	}
	for i := range choices {
		c := &choices[i]
		if c.barred || c.Had {
			continue
		}
		if most := cmp.Or(b.Lessons, mostAtStart); len(f.in) >= most && len(f.opposed(i)) == 0 {
			c.Why = fmt.Sprintf("%d are better", len(f.in))
			if n := len(f.in); n > 0 && choices[f.in[n-1]].Rank > c.Rank {
				c.Needs, c.Has = choices[f.in[n-1]].Rank, c.Rank
				digits := 2
				if c.Needs-c.Has < 0.01 {
					digits = 3
				}
				c.Why += fmt.Sprintf(": it needs %.*f, and has %.*f", digits, c.Needs, digits, c.Has)
			}
			continue
		}
		// Do not read a lesson again that did not fit as it was indexed.
		if why := f.room(*c); why != "" {
			c.Why = why
			continue
		}
		if why := check(c, confirm, s); why != "" {
			c.Why, c.waits = why, false
			continue
		}
		f.stances[i], f.words[i] = nil, nil // they may have changed
		if why := f.settle(i); why != "" {
			c.Why, c.waits = why, false
			continue
		}
		c.Why = f.add(i)
	}
}

// A filling is the state of fill.
type filling struct {
	choices []Choice
	stances []*pairs.Reading // of choices, computed on first use
	words   [][]string       // of their sentences, computed on first use
	in      []int            // indexes of choices, best first
	had     []int            // choices that the agent already knows
	used    size             // of the block
	budget  Budget
}

func newFilling(choices []Choice, s Situation, b Budget) *filling {
	frame := text([]Choice{{In: true}, {waits: true}, {waits: true}}, Style{Project: s.Project})
	return &filling{choices: choices, stances: make([]*pairs.Reading, len(choices)), words: make([][]string, len(choices)),
		used: sizeOf(frame), budget: b}
}

type size struct{ tokens, chars int }

func sizeOf(text string) size { return size{Tokens(text), len(text)} }

// with returns the size of the block with a choice.
func (f *filling) with(c Choice) size {
	s := sizeOf(render(c.said()))
	return size{f.used.tokens + s.tokens, f.used.chars + s.chars}
}

// fits reports whether a block of a size is within the budget.
func (f *filling) fits(s size) bool { return s.tokens <= f.budget.Tokens && s.chars <= f.budget.Chars }

// room returns why a choice does not fit; "" if at least its sentence does.
func (f *filling) room(c Choice) string {
	c.Brief = true
	if !f.fits(f.with(c)) {
		return fmt.Sprintf("too long for what is left of %d tokens and %d characters", f.budget.Tokens, f.budget.Chars)
	}
	return ""
}

// opposed returns the choices taken in that contradict a choice.
func (f *filling) opposed(i int) (out []int) {
	for _, o := range f.in {
		if f.stance(i).Against(*f.stance(o)).Opposed() {
			out = append(out, o)
		}
	}
	return out
}

func (f *filling) stance(i int) *pairs.Reading {
	if f.stances[i] == nil {
		s := pairs.Read(f.choices[i].Lesson)
		f.stances[i] = &s
	}
	return f.stances[i]
}

// settle makes room for a choice among those that contradict it, or returns why it gives
// way.
func (f *filling) settle(i int) string {
	for _, o := range f.had {
		if f.stance(i).Against(*f.stance(o)).Opposed() {
			return fmt.Sprintf("contradicts %s, which the session has had", f.choices[o].Lesson.ID)
		}
	}
	against := f.opposed(i)
	l := f.choices[i].Lesson
	for _, o := range against {
		if first, why := pairs.Prefer(f.choices[o].Lesson, l); first {
			return contradicts(f.choices[o].Lesson, why)
		}
	}
	for _, o := range against {
		_, why := pairs.Prefer(l, f.choices[o].Lesson)
		s := sizeOf(render(f.choices[o].said()))
		f.used = size{f.used.tokens - s.tokens, f.used.chars - s.chars}
		f.choices[o].In, f.choices[o].waits, f.choices[o].Why = false, false, contradicts(l, why)
	}
	f.in = slices.DeleteFunc(f.in, func(o int) bool { return slices.Contains(against, o) })
	return ""
}

func contradicts(kept lessons.Lesson, why string) string {
	return fmt.Sprintf("contradicts %s, which goes before it: %s", kept.ID, why)
}

// add takes in a choice if it fits, and returns why it is in or not.
func (f *filling) add(i int) string {
	c := &f.choices[i]
	for _, o := range append(slices.Clone(f.in), f.had...) {
		if f.double(i, o) {
			c.waits = false
			return fmt.Sprintf("says nearly the same as %s", f.choices[o].Lesson.ID)
		}
	}
	why := c.Why
	if !f.fits(f.with(*c)) {
		if full := f.room(*c); full != "" {
			return full
		}
		c.Brief = true
		why += "; its sentence alone, there is no room for the rest"
	}
	if c.Short {
		why += "; without its reasons, so that more lessons fit"
	}
	f.used = f.with(*c)
	c.In = true
	f.in = append(f.in, i)
	return why
}

// The share of common words from which two lessons, or two rules, say nearly the same.
const alikeWords, alikeRules = 0.5, 0.75

// double reports whether two choices say nearly the same, unless a person has said that
// both hold.
func (f *filling) double(i, o int) bool {
	for _, k := range []int{i, o} {
		if f.words[k] == nil {
			f.words[k] = index.Words(f.choices[k].Lesson.Content)
		}
	}
	a, b, both := f.words[i], f.words[o], 0
	for _, w := range a {
		if slices.Contains(b, w) {
			both++
		}
	}
	alike := alikeWords
	if f.choices[i].waits { // at the start a sentence costs little, and rules are alike in form
		alike = alikeRules
	}
	return both > 0 && float64(both) >= alike*float64(len(a)+len(b)-both) && !lessons.BothHold(f.choices[i].Lesson, f.choices[o].Lesson)
}
