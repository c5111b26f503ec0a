package model

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"learnings/extractor/model/llm"
	"learnings/extractor/transcript"
	"learnings/lessons"
)

// mostSessions is how many sessions may share a call. The longer the list, the more a
// model tends to pass over.
const mostSessions = 12

// A question is what there is to ask about some turns of one session.
type question struct {
	session transcript.Session
	digest  *Digest
	known   Known
	told    string // what is known, as a prompt for this session alone would have it
	cost    int    // tokens of the digest and its heading

	answered bool
	result   Result
	err      error
}

// A Call is one question to a model: about one session, or about several that are
// short.
type Call struct {
	Request  llm.Request
	Estimate llm.Cost // at most, as far as can be told

	questions []*question
	prompts   []Prompt // of the questions, to check the answer by
}

// Sessions are the ids of the sessions that a call is about.
func (c Call) Sessions() []string {
	var out []string
	for _, q := range c.questions {
		out = append(out, q.session.ID)
	}
	return out
}

// Tokens is about how long the digests of a call are together.
func (c Call) Tokens() int {
	n := 0
	for _, q := range c.questions {
		n += q.digest.Tokens
	}
	return n
}

// Text is the whole of what is sent, for a person to read.
func (c Call) Text() string { return c.Request.System + "\n\n" + c.Request.User }

// question returns what there is to ask about turns, leaving out what was sent before.
// It is nil when there is nothing to ask: nobody said anything new and nothing failed,
// or the session is itself an extraction.
func (p *Proposer) question(ctx context.Context, s transcript.Session, turns []transcript.Turn, before sent) (*question, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if Own(turns) {
		return nil, nil
	}
	d := newDigest(turns, p.c.Budget, p.o.Redact, before)
	if d.Empty() {
		return nil, nil
	}
	q := &question{session: s, digest: d}
	if p.o.Known != nil {
		var err error
		if q.known, err = p.o.Known(ctx, s); err != nil {
			return nil, fmt.Errorf("looking up what is known already: %w", err)
		}
		// What the rules made of the same words must not keep a better wording away.
		q.known.Lessons = slices.DeleteFunc(slices.Clone(q.known.Lessons), func(l lessons.Lesson) bool {
			return l.Status == lessons.Pending && l.Origin.Extractor == "rules"
		})
	}
	told, _ := tellKnown(d, q.known, 0)
	q.told = told
	q.cost = d.Tokens + Tokens(about(s, d)) + headingTokens
	return q, nil
}

// headingTokens are those of the tags around a digest.
const headingTokens = 20

// calls packs questions into calls. Questions with the same things known, which are
// mostly those of one project, go together; each goes into the first call with room
// for it. A long digest gets a call to itself.
func (p *Proposer) calls(qs []*question) []Call {
	var groups [][]*question
	for _, q := range qs {
		i := slices.IndexFunc(groups, func(g []*question) bool { return g[0].told == q.told })
		if i < 0 {
			i = len(groups)
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], q)
	}
	type shared struct {
		qs   []*question
		used int
	}
	var all []*shared
	for _, g := range groups {
		told := Tokens(g[0].told)
		for _, q := range g {
			more := func(c *shared) int { // tokens, with what is known where the call does not tell it yet
				if n := len(c.qs); n > 0 && c.qs[n-1].told == q.told {
					return q.cost
				}
				return q.cost + told
			}
			i := slices.IndexFunc(all, func(c *shared) bool { return len(c.qs) < mostSessions && c.used+more(c) <= p.budget() })
			if i < 0 {
				i = len(all)
				all = append(all, &shared{})
			}
			c := all[i]
			c.used += more(c)
			c.qs = append(c.qs, q)
		}
	}
	var out []Call
	for _, c := range all {
		out = append(out, p.call(c.qs))
	}
	return out
}

// call writes the prompt for some questions.
func (p *Proposer) call(qs []*question) Call {
	c := Call{questions: qs}
	if len(qs) == 1 {
		prompt := newPrompt(qs[0].session, qs[0].digest, qs[0].known, p.max)
		c.prompts, c.Request = []Prompt{prompt}, prompt.Request
	} else {
		c.prompts, c.Request = sharedPrompt(qs, p.max)
	}
	c.Request.MaxTokens = p.c.MaxTokens
	c.Estimate = p.meter.Estimate(c.Request)
	return c
}

// ask makes a call and stores the result, or the error, in each of its questions. It
// returns only errors that end the run: the next call would meet them too, or what this
// one cost could not be recorded.
func (p *Proposer) ask(ctx context.Context, c Call) error {
	resp, err := p.meter.Complete(llm.For(ctx, named(c.Sessions())), c.Request)
	p.read(c, resp, err)
	if err == nil || !EndsAsking(ctx, err) && (resp.Text == "" || errors.Is(err, llm.ErrRefused)) {
		return nil
	}
	for _, q := range c.questions {
		q.answered = q.err == nil
	}
	return err
}

// read stores in each question of a call what the answer says about it, or why there
// is no answer.
func (p *Proposer) read(c Call, resp llm.Response, err error) {
	var a answer
	if err == nil || resp.Text != "" && !errors.Is(err, llm.ErrRefused) {
		a, err = p.parse(resp)
	}
	if err == nil {
		p.deal(c, a, resp)
	}
	for i, q := range c.questions {
		if err != nil {
			q.result, q.err = c.share(i, resp), err
		}
		q.answered = true
		p.report(q.session, q.result)
	}
}

// deal hands the lessons of an answer to the questions that they belong to.
func (p *Proposer) deal(c Call, a answer, resp llm.Response) {
	items := make([][]proposal, len(c.questions))
	for _, item := range a.items {
		i := c.owner(item)
		items[i] = append(items[i], item)
	}
	quotes := 0
	for i, q := range c.questions {
		r := c.share(i, resp)
		r.Form, r.None, r.Partial, r.Proposed = a.form, a.none || len(items[i]) == 0, a.partial, len(items[i])
		r.Lessons, r.Dropped = p.check(q.session, c.prompts[i], items[i])
		quotes += r.Proposed - r.Dropped[NoQuote]
		if len(c.questions) > 1 && a.partial && len(items[i]) == 0 {
			r.Partial = false
			q.err = fmt.Errorf("reading the answer of %s: %w: it breaks off before this session", p.c.LLM.Model, ErrAnswer)
		}
		q.result = r
	}
	if len(a.items) > 0 && quotes == 0 {
		for _, q := range c.questions {
			q.result.Lessons = nil
			q.err = fmt.Errorf("reading the answer of %s: %w: nothing in it quotes the session", p.c.LLM.Model, ErrAnswer)
		}
	}
}

// share returns the part of an answer's cost that falls to one question, by the length
// of its digest. The parts add up to the whole.
func (c Call) share(i int, resp llm.Response) Result {
	all, before := max(c.Tokens(), 1), 0
	for _, q := range c.questions[:i] {
		before += q.digest.Tokens
	}
	upto := before + c.questions[i].digest.Tokens
	part := func(n int) int { return n*upto/all - n*before/all }
	u := resp.Usage
	r := Result{
		Asked: true, Digest: c.questions[i].digest, Truncated: resp.Truncated, Cost: resp.Cost,
		Usage: llm.Usage{In: part(u.In), Out: part(u.Out), CacheRead: part(u.CacheRead), CacheWrite: part(u.CacheWrite)},
	}
	r.Cost.USD *= float64(upto-before) / float64(all)
	return r
}

// owner returns the question that a proposal belongs to: the one whose entry it cites
// and quotes, or else one whose session holds the quote.
func (c Call) owner(item proposal) int {
	cited := 0
	for i, q := range c.questions {
		if _, ok := q.digest.Find(item.handle); ok {
			if _, why := q.digest.locate(item.handle, item.quotes); why == "" {
				return i
			}
			cited = i
		}
	}
	for i, q := range c.questions {
		if _, why := q.digest.locate("", item.quotes); why == "" {
			return i
		}
	}
	return cited
}

// named says which sessions a call was for, for the ledger.
func named(ids []string) string {
	const most = 5
	if len(ids) <= most {
		return strings.Join(ids, " ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(ids[:most], " "), len(ids)-most)
}
