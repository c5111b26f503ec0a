package model

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"learnings/extractor"
	"learnings/extractor/model/llm"
	"learnings/extractor/transcript"
	"learnings/lessons"
)

const (
	// mostLessons is how many lessons of a session are asked for. Sessions of a whole
	// day hold up to seventeen that a reviewer would approve.
	mostLessons = 15

	// mostSessions is how many sessions may share a call. The longer the list, the more
	// a model tends to pass over.
	mostSessions = 12

	// claudeMaxUSD is what one call of "claude -p" may cost when the user sets no
	// limit: many times what a digest costs, and little beside what a call that
	// went astray could.
	claudeMaxUSD = 0.25
)

// A Config says which model to ask, what to send it and what to spend. All of
// it are values.
type Config struct {
	LLM    llm.Config
	Budget int // tokens of a session's digest; 0 means DefaultBudget

	State    string     // the state folder: its database records what calls cost, and what was sent
	Dry      bool       // do not record what was sent
	Price    *llm.Price // instead of the known one
	Run      string     // names this run in the record
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

// A Proposer asks a model for the lessons of a session, or for one wording of
// lessons. It is safe for use by many goroutines.
type Proposer struct {
	c     Config
	o     Options
	meter llm.Meter
	most  int // lessons of a session
}

// keyless stands for a client that was given no key.
type keyless struct{ err error }

func (k keyless) Complete(context.Context, llm.Request) (llm.Response, error) {
	return llm.Response{}, k.err
}

// New makes a proposer. It makes no call, and lacks no key until it has to.
func New(c Config, o Options) (*Proposer, error) {
	if c.State == "" {
		return nil, errors.New("asking a model: there is no state folder to record what it costs")
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
	if o.Client == nil {
		client, err := llm.New(c.LLM)
		if errors.Is(err, llm.ErrAuth) {
			client = keyless{err} // a dry run needs no key
		} else if err != nil {
			return nil, err
		}
		o.Client = client
	}
	price, priced := llm.PriceOf(c.LLM.Model)
	if c.Price != nil {
		price, priced = *c.Price, true
	}
	return &Proposer{c: c, o: o, most: mostLessons, meter: llm.Meter{
		To: o.Client, Model: c.LLM.Model, Price: price, Priced: priced, Limit: limit, Tokens: Tokens,
		Spend: &llm.Spend{Dir: c.State, Run: c.Run, PerRun: c.PerRun, PerMonth: c.PerMonth, Now: o.Now},
	}}, nil
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
	Lessons  []lessons.Lesson
	Proposed int            // by the model
	Dropped  map[Reason]int // of those
	Partial  bool           // the answer broke off; its whole lessons were taken
}

// A question is what there is to ask about some turns of one session.
type question struct {
	session transcript.Session
	digest  *digest
	known   Known
	told    string // what is known, as a prompt for this session alone would have it
	cost    int    // tokens of the digest and its heading

	answered bool
	result   Result
	err      error
}

// headingTokens are those of the tags around a digest.
const headingTokens = 20

// question returns what there is to ask about turns, leaving out what was sent before.
// It is nil when there is nothing to ask: nobody said anything new and nothing failed,
// or the session is itself an extraction.
func (p *Proposer) question(ctx context.Context, s transcript.Session, turns []transcript.Turn, before sent) (*question, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if extractor.Own(turns) {
		return nil, nil
	}
	d := newDigest(turns, p.c.Budget, p.o.Redact, before)
	if d.empty() {
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
	q.told, _ = tellKnown(d, q.known, 0)
	q.cost = d.tokens + Tokens(about(s, d)) + headingTokens
	return q, nil
}

// A Call is one question to a model: about one session, or about several that are
// short.
type Call struct {
	Request  llm.Request
	Estimate llm.Cost // at most, as far as can be told

	questions []*question
	known     []lessons.Lesson // by their numbers in the prompt
}

// Sessions are the ids of the sessions that a call is about.
func (c Call) Sessions() (ids []string) {
	for _, q := range c.questions {
		ids = append(ids, q.session.ID)
	}
	return ids
}

// Tokens is about how long the digests of a call are together.
func (c Call) Tokens() (n int) {
	for _, q := range c.questions {
		n += q.digest.tokens
	}
	return n
}

// Text is the whole of what is sent, for a person to read.
func (c Call) Text() string { return c.Request.System + "\n\n" + c.Request.User }

// calls packs questions into calls. Questions with the same things known, which are
// mostly those of one project, go together; each goes into the first call with room
// for it. A long digest gets a call to itself.
func (p *Proposer) calls(qs []*question) (out []Call) {
	first := make(map[string]int)
	for i, q := range slices.Backward(qs) {
		first[q.told] = i
	}
	qs = slices.Clone(qs)
	slices.SortStableFunc(qs, func(a, b *question) int { return first[a.told] - first[b.told] })
	type shared struct {
		qs     []*question
		tokens int
	}
	var all []*shared
	for _, q := range qs {
		cost := func(in *shared) int { // with what is known where the call does not tell it yet
			if n := len(in.qs); n > 0 && in.qs[n-1].told == q.told {
				return q.cost
			}
			return q.cost + Tokens(q.told)
		}
		at := slices.IndexFunc(all, func(in *shared) bool { return len(in.qs) < mostSessions && in.tokens+cost(in) <= p.budget() })
		if at < 0 {
			at, all = len(all), append(all, &shared{})
		}
		in := all[at]
		in.tokens += cost(in)
		in.qs = append(in.qs, q)
	}
	for _, in := range all {
		out = append(out, p.call(in.qs))
	}
	return out
}

// call writes the prompt for some questions.
func (p *Proposer) call(qs []*question) Call {
	c := Call{questions: qs}
	c.Request, c.known = prompt(qs, p.most)
	c.Estimate = p.meter.Estimate(c.Request)
	return c
}

// Propose asks for the lessons of one session. It leaves to the caller what it cannot
// know: the evidence's path and the project. An error that each session would meet ends a
// run (see [EndsAsking]); any other is an [extractor.FileError] of its session.
func (p *Proposer) Propose(ctx context.Context, s transcript.Session, turns []transcript.Turn) ([]lessons.Lesson, error) {
	q, err := p.question(ctx, s, turns, nil)
	if err != nil || q == nil {
		return nil, err
	}
	err = cmp.Or(p.ask(ctx, p.call([]*question{q})), q.err)
	if err != nil && !EndsAsking(ctx, err) {
		return nil, askAgain(s, err)
	}
	return q.result.Lessons, err
}

// askAgain is the error of one session about which the next run asks again.
func askAgain(s transcript.Session, err error) error {
	return &extractor.FileError{Path: cmp.Or(s.ID, "a session"), Err: err, Hint: "it is asked about again by the next `learnings extract --model`"}
}

// EndsAsking reports whether err is one that the next question to the model would
// meet too.
func EndsAsking(ctx context.Context, err error) bool {
	return err != nil && (ctx.Err() != nil || errors.Is(err, llm.ErrAuth) || errors.Is(err, llm.ErrCeiling) || errors.Is(err, llm.ErrNested))
}

// namedSessions is how many sessions of a call the record of costs names.
const namedSessions = 5

// ask makes a call and stores the result, or the error, in each of its questions. It
// returns only errors that end the run: the next call would meet them too, or what this
// one cost could not be recorded.
func (p *Proposer) ask(ctx context.Context, c Call) error {
	ids := c.Sessions()
	what := strings.Join(ids[:min(len(ids), namedSessions)], " ")
	if n := len(ids) - namedSessions; n > 0 {
		what += fmt.Sprintf(" and %d more", n)
	}
	a, unread, unkept := p.complete(ctx, what, c.Request)
	if unread == nil {
		p.deal(c, a)
	}
	if EndsAsking(ctx, unread) {
		unkept = unread
	}
	for _, q := range c.questions {
		q.err = cmp.Or(q.err, unread)
		q.answered = unkept == nil || q.err == nil
		if p.o.Report != nil {
			p.o.Report(q.session, q.result)
		}
	}
	return unkept
}

// complete makes a call and reads the answer as far as it goes. unread says why there is
// none to use, unkept that what an answer cost could not be recorded.
func (p *Proposer) complete(ctx context.Context, what string, r llm.Request) (a answer, unread, unkept error) {
	resp, err := p.meter.Complete(ctx, what, r)
	if err != nil && (resp.Text == "" || errors.Is(err, llm.ErrRefused)) {
		return a, err, nil
	}
	a, unread = parseAnswer(resp.Text)
	if unread != nil && resp.Truncated {
		unread = fmt.Errorf("%w: it met the limit of tokens before the first lesson", unread)
	}
	if unread != nil {
		unread = p.unreadable(unread)
	}
	return a, unread, err
}

func (p *Proposer) unreadable(why error) error {
	return fmt.Errorf("reading the answer of %s: %w", p.c.LLM.Model, why)
}

// deal hands the lessons of an answer to the questions that they belong to.
func (p *Proposer) deal(c Call, a answer) {
	items := make([][]proposal, len(c.questions))
	for _, item := range a.items {
		i := c.owner(item)
		items[i] = append(items[i], item)
	}
	quotes := 0
	for i, q := range c.questions {
		r := Result{Proposed: len(items[i]), Partial: a.partial}
		r.Lessons, r.Dropped = p.check(q, c.known, items[i])
		quotes += r.Proposed - r.Dropped[NoQuote]
		if len(c.questions) > 1 && a.partial && len(items[i]) == 0 {
			r.Partial = false
			q.err = p.unreadable(fmt.Errorf("%w: it breaks off before this session", ErrAnswer))
		}
		q.result = r
	}
	if len(a.items) > 0 && quotes == 0 {
		for _, q := range c.questions {
			q.result.Lessons = nil
			q.err = p.unreadable(fmt.Errorf("%w: nothing in it quotes the session", ErrAnswer))
		}
	}
}

// owner returns the question that a proposal belongs to: the one whose entry it cites
// and quotes, or else one whose session holds the quote.
func (c Call) owner(item proposal) int {
	cited := 0
	for i, q := range c.questions {
		if _, ok := q.digest.cited(item.handle); ok {
			if _, why := q.digest.locate(item.handle, item.quote); why == "" {
				return i
			}
			cited = i
		}
	}
	for i, q := range c.questions {
		if _, why := q.digest.locate("", item.quote); why == "" {
			return i
		}
	}
	return cited
}

// mostKept is how much a plan keeps of what would be sent, in bytes.
const mostKept = 256 << 10

// A Plan adds up calls that [Proposer.Show] shows, to say what a run would send and
// cost before anything is sent.
type Plan struct {
	Sessions, Calls int
	Tokens          int // of digests, about

	usd     float64
	unknown bool
	text    strings.Builder
}

// Add counts a call.
func (p *Plan) Add(c Call) error {
	p.Sessions += len(c.Sessions())
	p.Calls++
	p.Tokens += c.Tokens()
	p.usd, p.unknown = p.usd+c.Estimate.USD, p.unknown || !c.Estimate.Known
	if p.text.Len() < mostKept {
		fmt.Fprintf(&p.text, "=== %s\n%s\n\n", strings.Join(c.Sessions(), " "), c.Text())
	}
	return nil
}

// Cost is what the calls will cost at most, as far as can be told.
func (p *Plan) Cost() llm.Cost { return llm.Cost{USD: p.usd, Known: !p.unknown} }

// Text is what would be sent, or the beginning of it when that is long.
func (p *Plan) Text() string { return p.text.String() }
