package model

import (
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"learnings/extractor/model/llm"
	"learnings/lessons"
	"learnings/lessons/pairs"
)

// This file asks about all proposals of a project at once, at the end of a run. What a
// model says of them is advice: it is written on their cards, and can only lower them.

// Limits of what is sent, and of what may come back.
const (
	mostCompared  = 60   // proposals
	compareTokens = 6000 // of all of them
	compareShare  = 250  // of one
	longestReason = 200  // bytes
)

//go:embed compare.md
var compareSystem string

const compareSchema = `{"type":"object","properties":{` +
	`"decision":{"type":"string","enum":["REMARK","NONE"]},` +
	`"lessons":{"type":"array","items":{"type":"object","properties":{` +
	`"handle":{"type":"string"},"category":{"type":"string","enum":["same","contradicts","task"]},"supersedes":{"type":"string"},"content":{"type":"string"}},` +
	`"required":["handle","category","supersedes","content"],"additionalProperties":false}}},` +
	`"required":["decision","lessons"],"additionalProperties":false}`

// A Remark is what a model says of a proposal beside the others of its project.
type Remark struct {
	On    lessons.ID
	Says  string // for the person, on one line: who says what, and why
	Lower bool   // another proposal says the same, or it holds for one task only
}

// Compared is the answer of a model about the proposals of a project.
type Compared struct {
	Remarks []Remark
	Left    int // proposals that it was not asked about, for lack of room
	Ignored int // remarks that are not believed
}

// comparison makes the request about proposals, and returns those that it numbers.
func (p *Proposer) comparison(all []lessons.Lesson) (c Call, told []lessons.Lesson) {
	var lines []line
	tokens := 0
	for _, l := range all {
		var own []line
		left := compareShare
		for _, part := range p.parts(l) {
			if len(own) > 0 && part.text == own[0].text || part.label == "EXAMPLE" {
				continue // a proposal that only quotes
			}
			part.handle = fmt.Sprintf("L%d", len(told)+1)
			if n := Tokens(part.String()); n <= left {
				own, left = append(own, part), left-n
			} else if part.label == "LESSON" {
				break // half of one may say something else
			}
		}
		if need := compareShare - left; len(own) > 0 && len(told) < mostCompared && tokens+need <= compareTokens {
			lines, told, tokens = append(lines, own...), append(told, l), tokens+need
		}
	}
	return p.wordCall(" The proposed lessons of one project follow.", compareSystem, compareSchema, lines), told
}

// compareCost is the most that [Proposer.Compare] costs, as far as known.
func (p *Proposer) compareCost() llm.Cost {
	c, _ := p.comparison(nil)
	c.Request.User += strings.Repeat("word ", compareTokens)
	return p.meter.Estimate(c.Request)
}

// Compare asks, in one call, which proposals of a project say the same, contradict each
// other, or hold for one task only. fresh are those of this run, and waiting all that wait.
// The fresh ones are sent first, then those that are nearest to them. It asks nothing
// without a fresh one, with fewer than two in all, or if no answer of this run could be
// used. An error means that nothing is known.
func (p *Proposer) Compare(ctx context.Context, project string, fresh, waiting []lessons.Lesson) (out Compared, err error) {
	byID := func(a, b lessons.Lesson) int { return cmp.Compare(a.ID, b.ID) } // a dry run and the next ask the same
	fresh, waiting = slices.SortedFunc(slices.Values(fresh), byID), slices.SortedFunc(slices.Values(waiting), byID)
	in := func(ls []lessons.Lesson, same func(a, b lessons.Lesson) bool) func(lessons.Lesson) bool {
		return func(l lessons.Lesson) bool {
			return slices.ContainsFunc(ls, func(o lessons.Lesson) bool { return o.ID == l.ID || same(o, l) })
		}
	}
	if p.c.Dry { // what waits already would not be stored
		fresh = slices.DeleteFunc(fresh, in(waiting, pairs.Same))
	}
	waiting = slices.DeleteFunc(waiting, in(fresh, func(a, b lessons.Lesson) bool { return false }))
	if len(fresh) == 0 || !p.tried() {
		return out, nil
	}
	said := make(map[string]bool)
	for _, l := range fresh {
		for _, w := range pairs.Keywords(l.Content) {
			said[w] = true
		}
	}
	near, far := nearTo(said, waiting)
	all := slices.Concat(fresh, near, far)
	c, told := p.comparison(all)
	if out.Left = len(all) - len(told); len(told) < 2 {
		return out, nil
	}
	a, unread, unkept := p.complete(ctx, "comparing the proposals of "+project, c.Request)
	if unread == nil && a.partial {
		unread = p.unreadable(fmt.Errorf("%w: it breaks off", ErrAnswer))
	}
	if err := cmp.Or(unread, unkept); err != nil {
		return out, err
	}
	for _, item := range a.items {
		remarks := p.remarks(item, told)
		if len(remarks) == 0 {
			out.Ignored++
		}
		out.Remarks = append(out.Remarks, remarks...)
	}
	if p.c.Dry {
		return out, nil
	}
	return out, p.forgetAnswers()
}

// remarks returns what one remark of an answer means for the proposals that it names;
// nothing if it cannot be believed.
func (p *Proposer) remarks(item proposal, told []lessons.Lesson) []Remark {
	l, ok := superseded(item.handle, told)
	other, two := superseded(item.supersedes, told)
	two = two && other.ID != l.ID
	if !ok || lessons.Hidden(item.content) {
		return nil
	}
	why := head(lessons.Line(p.o.Redact(item.content)), longestReason)
	says := func(on, other lessons.Lesson, what string, lower bool) Remark {
		if other.ID != "" {
			what += fmt.Sprintf(" %s (“%s”)", other.ID, other.Title(longestTerm))
		}
		return Remark{On: on.ID, Says: fmt.Sprintf("%s: %s: %s", p.c.LLM.Model, what, why), Lower: lower}
	}
	switch kind := strings.ToLower(item.category); {
	case kind == "task":
		return []Remark{says(l, lessons.Lesson{}, "it holds for one task only", true)}
	case kind == "contradicts" && two:
		return []Remark{says(l, other, "it contradicts", false), says(other, l, "it contradicts", false)}
	case kind == "same" && two && !pairs.Judge(l, other).Opposed():
		if better(other, l) {
			l, other = other, l
		}
		return []Remark{says(l, other, "it says the same as", false), says(other, l, "it says the same as", true)}
	}
	return nil
}

// better reports whether a stays where it is if a and b say the same: of any number that
// do, one stays.
func better(a, b lessons.Lesson) bool {
	maybe := func(l lessons.Lesson) int {
		if l.Waits() == lessons.Maybe {
			return 1
		}
		return 0
	}
	return cmp.Or(maybe(a)-maybe(b), cmp.Compare(b.Confidence, a.Confidence), a.Created.Compare(b.Created), cmp.Compare(a.ID, b.ID)) < 0
}
