package model

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"learnings/extractor/model/llm"
	"learnings/extractor/transcript"
	"learnings/lessons"
)

// DefaultMaxLessons is how many lessons are asked for at most. Sessions of a
// whole day hold up to seventeen that a reviewer would approve.
const DefaultMaxLessons = 15

// claudeMaxUSD is what one call of "claude -p" may cost when the user sets no
// limit: many times what a digest costs, and little beside what a call that
// went astray could.
const claudeMaxUSD = 0.25

// A Config says which model to ask, what to send it and what to spend. All of
// it are values.
type Config struct {
	LLM        llm.Config
	Budget     int   // tokens of a session's digest; 0 means DefaultBudget
	MaxLessons int   // of a session; 0 means DefaultMaxLessons
	MinLevel   Level // of what is proposed; "" means DefaultMinLevel. The prompt does not tell of it, or a model calls all that it has so
	MaxTokens  int   // of an answer; 0 means llm.DefaultMaxTokens

	Sent     string     // the file in which [Proposer.Extract] keeps what was sent, so that copies of it are not; "" for none
	Dry      bool       // add nothing to that file
	Price    *llm.Price // instead of the known one
	Ledger   string     // the file that calls are recorded in
	Run      string     // names this run in it
	PerRun   float64    // US dollars; 0 sets no ceiling
	PerMonth float64
}

// Options are what a [Proposer] works with. All of it may be nil.
type Options struct {
	Redact func(string) string                                      // goes over all that is sent and all that is kept
	Known  func(context.Context, transcript.Session) (Known, error) // what the person has decided on before
	Report func(transcript.Session, Result)                         // is told what became of each session
	Now    func() time.Time
	Client llm.Completer // instead of the one that Config names
}

// A Proposer asks a model for the lessons of a session, or for one text of
// several lessons. It is safe for use by many goroutines.
type Proposer struct {
	c     Config
	o     Options
	meter llm.Meter
	max   int
	least Level
}

// keyless stands for a client that was given no key.
type keyless struct{ err error }

func (k keyless) Complete(context.Context, llm.Request) (llm.Response, error) {
	return llm.Response{}, k.err
}

// New makes a proposer. It makes no call, and lacks no key until it has to.
// Config.Ledger must name a file.
func New(c Config, o Options) (*Proposer, error) {
	if c.Ledger == "" {
		return nil, errors.New("asking a model: no ledger is named for what it costs")
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Redact == nil {
		o.Redact = func(s string) string { return s }
	}
	limit := 0.0
	if c.LLM.Model.Provider == llm.Claude {
		c.LLM.MaxUSD = cmp.Or(c.LLM.MaxUSD, claudeMaxUSD)
		limit = c.LLM.MaxUSD
	}
	client := o.Client
	if client == nil {
		var err error
		if client, err = llm.New(c.LLM); errors.Is(err, llm.ErrAuth) {
			client = keyless{err} // a dry run needs no key
		} else if err != nil {
			return nil, err
		}
	}
	price, priced := llm.PriceOf(c.LLM.Model)
	if c.Price != nil {
		price, priced = *c.Price, true
	}
	return &Proposer{
		c: c, o: o, max: cmp.Or(c.MaxLessons, DefaultMaxLessons), least: cmp.Or(c.MinLevel, DefaultMinLevel),
		meter: llm.Meter{
			To: client, Model: c.LLM.Model, Price: price, Priced: priced, Limit: limit, Tokens: Tokens,
			Spend: &llm.Spend{Path: c.Ledger, Run: c.Run, PerRun: c.PerRun, PerMonth: c.PerMonth, Now: o.Now},
		},
	}, nil
}

// budget is how many tokens of digests one call has at most.
func (p *Proposer) budget() int { return cmp.Or(p.c.Budget, DefaultBudget) }

// Unpriced reports that there is a ceiling and that the price of the model is not
// known, so that nothing is asked unless the person agrees: see [Proposer.Agree].
func (p *Proposer) Unpriced() bool {
	s := p.meter.Spend
	return !p.meter.Priced && p.meter.Limit == 0 && (s.PerRun > 0 || s.PerMonth > 0) && !s.Unpriced
}

// Agree says that the person agrees to calls of unknown cost. It is to be called
// before the first of them.
func (p *Proposer) Agree() { p.meter.Spend.Unpriced = true }

// Name is what [lessons.Origin] calls this extractor.
func (p *Proposer) Name() string { return "model:" + p.c.LLM.Model.String() }

// Spent gives what this run and the current month have cost.
func (p *Proposer) Spent() (run, month llm.Total, err error) { return p.meter.Spend.Totals() }

// A Result is what became of one session.
type Result struct {
	Lessons   []lessons.Lesson
	Asked     bool           // false when there was nothing to ask, or the session is one of ours
	Proposed  int            // by the model
	Dropped   map[Reason]int // of those
	Form      Form           // of the answer
	None      bool           // the model decided that there is nothing to learn
	Partial   bool           // the answer broke off; its whole lessons were taken
	Truncated bool           // it broke off because it met the limit of tokens
	Digest    *Digest
	Usage     llm.Usage
	Cost      llm.Cost
}

// Propose asks for the lessons of a session. It leaves to the caller what it
// cannot know: the evidence's path and the project. Errors wrap those of
// package llm and [ErrAnswer]; behind all but [llm.ErrAuth], [llm.ErrCeiling]
// and the context's own, the next session is worth trying.
func (p *Proposer) Propose(ctx context.Context, s transcript.Session, turns []transcript.Turn) ([]lessons.Lesson, error) {
	r, err := p.Ask(ctx, s, turns)
	return r.Lessons, err
}

// Ask does what [Proposer.Propose] does and tells all of it.
func (p *Proposer) Ask(ctx context.Context, s transcript.Session, turns []transcript.Turn) (Result, error) {
	q, err := p.question(ctx, s, turns, nil)
	if err != nil {
		return Result{}, err
	}
	if q == nil {
		return p.report(s, Result{Digest: NewDigest(nil, p.c.Budget, nil), Cost: llm.Cost{Known: true}}), nil
	}
	if err = p.ask(ctx, p.call([]*question{q})); err != q.err {
		err = errors.Join(err, q.err)
	}
	return q.result, err
}

// Prepare makes the prompt for a session. The request is empty when there is nothing
// to ask: nobody said anything and nothing failed, or the session is itself an
// extraction.
func (p *Proposer) Prepare(ctx context.Context, s transcript.Session, turns []transcript.Turn) (Prompt, error) {
	q, err := p.question(ctx, s, turns, nil)
	if err != nil || q == nil {
		return Prompt{Digest: NewDigest(nil, p.c.Budget, nil), Estimate: llm.Cost{Known: true}}, err
	}
	c := p.call([]*question{q})
	prompt := c.prompts[0]
	prompt.Request, prompt.Estimate = c.Request, c.Estimate
	return prompt, nil
}

// Read makes lessons of the answer to a prompt, and reports the result.
func (p *Proposer) Read(s transcript.Session, prompt Prompt, resp llm.Response) (Result, error) {
	q := &question{session: s, digest: prompt.Digest}
	p.read(Call{questions: []*question{q}, prompts: []Prompt{prompt}}, resp, nil)
	return q.result, q.err
}

// parse reads an answer as far as it goes.
func (p *Proposer) parse(resp llm.Response) (answer, error) {
	a, err := parseAnswer(resp.Text)
	if err == nil {
		return a, nil
	}
	if resp.Truncated {
		err = fmt.Errorf("%w: it met the limit of tokens before the first lesson", err)
	}
	return a, fmt.Errorf("reading the answer of %s: %w", p.c.LLM.Model, err)
}

func (p *Proposer) report(s transcript.Session, r Result) Result {
	if p.o.Report != nil {
		p.o.Report(s, r)
	}
	return r
}
