// Package model proposes lessons from a session by asking a language model.
//
// It sends a digest of the session, not its file: the person's words, what the agent
// was about to do or conceded around them, and errors with their cures, within a budget
// of tokens and after redaction. Pasted logs and reviews are cut short. Several short
// sessions share a call ([Proposer.Extract]).
//
// An answer is believed only as far as it quotes. A proposal is dropped and counted
// unless its quote is in the session; the speaker comes from the session, not from the
// answer. Commands, addresses and names in a lesson that the person never used are
// listed in [lessons.Origin].Unsaid, and that proposal has to be decided on separately.
//
// The package can also ask for one wording of several lessons ([Proposer.MergeText]) or
// a better one of a proposal ([Proposer.Reword]). Each number, path, flag and name in
// it must have been said.
//
// Package llm reaches the models. This package stores no lessons, only hashes of the
// records that were sent.
package model

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"learnings/extractor"
	"learnings/extractor/model/llm"
	"learnings/extractor/transcript"
	"learnings/lessons"
)

const (
	// mostLessons is the number of lessons asked for of a session. Sessions of a whole
	// day hold up to seventeen that a reviewer would approve.
	mostLessons = 15

	// mostSessions is the most sessions in a call. The longer the list, the more a
	// model overlooks.
	mostSessions = 12

	// claudeMaxUSD limits one call of "claude -p" if the user sets no limit: many times
	// the cost of a digest, but little beside that of a call that went astray.
	claudeMaxUSD = 0.25
)

// A Config says which model to ask, what to send it and what to spend. It contains only
// values.
type Config struct {
	LLM    llm.Config
	Budget int // tokens of a session's digest; 0 means DefaultBudget

	State    string     // the state folder, which records what calls cost and what was sent
	Dry      bool       // do not record what was sent, and keep the answers for the run that does
	Price    *llm.Price // instead of the known one
	Run      string     // names this run in the record
	PerRun   float64    // US dollars; 0 means no ceiling
	PerDay   float64
	PerMonth float64
}

// Options are the functions that a [Proposer] uses. All may be nil.
type Options struct {
	Redact func(string) string                                      // redacts everything that is sent or kept
	Known  func(context.Context, transcript.Session) (Known, error) // returns what the person has decided before
	Report func(transcript.Session, Result)                         // receives the result of each session
	Now    func() time.Time
	Client llm.Completer // instead of the one that Config names
}

// A Proposer asks a model for the lessons of a session, or for one wording of lessons.
// It is safe for concurrent use.
type Proposer struct {
	c     Config
	o     Options
	meter llm.Meter
	most  int // lessons of a session

	mu     sync.Mutex
	useful bool                        // an answer could be used
	vain   int                         // answers that could not, until one could
	unread int                         // of those, the ones that were no refusals
	taken  []string                    // the kept answers that were used
	found  map[string][]lessons.Lesson // by this run so far, by project
}

// keyless replaces a client that has no key.
type keyless struct{ err error }

func (k keyless) Complete(context.Context, llm.Request) (llm.Response, error) {
	return llm.Response{}, k.err
}

// New returns a Proposer. It makes no call; a missing key is an error only at the first
// call.
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
	return &Proposer{c: c, o: o, most: mostLessons, found: make(map[string][]lessons.Lesson), meter: llm.Meter{
		To: o.Client, Model: c.LLM.Model, Price: price, Priced: priced, Limit: limit, Tokens: Tokens,
		Spend: &llm.Spend{Dir: c.State, Run: c.Run, PerRun: c.PerRun, PerDay: c.PerDay, PerMonth: c.PerMonth, Now: o.Now},
	}}, nil
}

// budget is the most tokens of digests in a call.
func (p *Proposer) budget() int { return cmp.Or(p.c.Budget, DefaultBudget) }

// Unpriced reports whether there is a ceiling but no known price of the model. Then
// nothing is asked unless the person agrees; see [Proposer.Agree].
func (p *Proposer) Unpriced() bool {
	s := p.meter.Spend
	return !p.meter.Priced && p.meter.Limit == 0 && s.Bounded() && !s.Unpriced
}

// Agree permits calls of unknown cost. Call it before the first of them.
func (p *Proposer) Agree() { p.meter.Spend.Unpriced = true }

// Name is the extractor in [lessons.Origin].
func (p *Proposer) Name() string { return "model:" + p.c.LLM.Model.String() }

// Spent returns the cost of this run and of the current month.
func (p *Proposer) Spent() (run, month llm.Total, err error) { return p.meter.Spend.Totals() }

// A Result says what became of one session.
type Result struct {
	Lessons  []lessons.Lesson
	Proposed int            // by the model
	Dropped  map[Reason]int // of those
	Partial  bool           // the answer broke off; its complete lessons were taken
	GaveUp   error          // why no answer could be used: the session is not asked about again, and the rules have read it
}

// A question is what to ask about some turns of one session.
type question struct {
	session transcript.Session
	digest  *digest
	known   Known
	told    int // tokens of what is known, as a prompt for only this session tells it
	cost    int // tokens of the digest and its heading

	answered bool
	result   Result
	err      error
}

// headingTokens counts the tags around a digest.
const headingTokens = 20

// question returns what to ask about turns, without what was sent before. It returns
// nil if nobody said anything new and nothing failed, or if the session is itself an
// extraction.
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
		// A proposal of the rules from the same words must not block a better wording.
		q.known.Lessons = slices.DeleteFunc(slices.Clone(q.known.Lessons), func(l lessons.Lesson) bool {
			return l.Status == lessons.Pending && l.Origin.Extractor == "rules"
		})
	}
	p.mu.Lock()
	q.known.Lessons = append(slices.Clone(p.found[q.known.Project]), q.known.Lessons...)
	p.mu.Unlock()
	told, _ := tellKnown([]*question{q}, 0)
	q.told = Tokens(told)
	q.cost = d.tokens + Tokens(about(s, d)) + headingTokens
	return q, nil
}

// A Call is one question to a model, about one session or several short ones.
type Call struct {
	Request  llm.Request
	Estimate llm.Cost // upper bound, as far as known

	questions []*question
	known     []lessons.Lesson // by their numbers in the prompt
	compare   llm.Cost         // at most, of comparing the proposals of a project afterwards
}

// Sessions returns the ids of the sessions in the call.
func (c Call) Sessions() (ids []string) {
	for _, q := range c.questions {
		ids = append(ids, q.session.ID)
	}
	return ids
}

// Tokens estimates the tokens of the digests in the call.
func (c Call) Tokens() (n int) {
	for _, q := range c.questions {
		n += q.digest.tokens
	}
	return n
}

// Text returns everything that is sent, for a person to read.
func (c Call) Text() string { return c.Request.System + "\n\n" + c.Request.User }

// calls packs questions into calls. Questions of one project, which share what is known,
// go together, each into the first call with room for it. A long digest gets its own
// call.
func (p *Proposer) calls(qs []*question) (out []Call) {
	first := make(map[string]int)
	for i, q := range slices.Backward(qs) {
		first[q.known.Project] = i
	}
	qs = slices.Clone(qs)
	slices.SortStableFunc(qs, func(a, b *question) int { return first[a.known.Project] - first[b.known.Project] })
	type shared struct {
		qs     []*question
		tokens int
	}
	var all []*shared
	for _, q := range qs {
		cost := func(in *shared) int { // with what is known, unless the call tells it already
			if n := len(in.qs); n > 0 && in.qs[n-1].known.Project == q.known.Project {
				return q.cost
			}
			return q.cost + q.told
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

// Propose asks for the lessons of one session. The caller sets the evidence's path and
// the project. An error that every session would meet ends a run (see [EndsAsking]);
// any other is an [extractor.FileError] of its session.
func (p *Proposer) Propose(ctx context.Context, s transcript.Session, turns []transcript.Turn) ([]lessons.Lesson, error) {
	q, err := p.question(ctx, s, turns, nil)
	if err != nil || q == nil {
		return nil, err
	}
	err = cmp.Or(p.ask(ctx, p.call([]*question{q})), q.err)
	switch {
	case err == nil && q.result.GaveUp != nil:
		return byRules(ctx, s, turns)
	case err != nil && !EndsAsking(ctx, err):
		return nil, askAgain(s, err)
	}
	p.remember(q)
	return q.result.Lessons, err
}

// remember makes what was found about a session known to the next prompts of this run.
func (p *Proposer) remember(q *question) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.found[q.known.Project] = append(slices.Clone(q.result.Lessons), p.found[q.known.Project]...)
}

// askAgain is the error of a session that the next run asks about again.
func askAgain(s transcript.Session, err error) error {
	return &extractor.FileError{Path: cmp.Or(s.ID, "a session"), Err: fmt.Errorf("%w: %w", extractor.ErrSilent, err), Hint: "it is asked about again by the next `learnings extract --model`"}
}

// How many answers a run pays for in vain before it stops asking, if none could be used:
// in all, and of those that are no refusals. Of a call and its halves, one half does not
// have the session that spoils the others.
const mostVain, mostUnread = 8, 3

// errVain ends a run.
var errVain = errors.New("no answer so far could be used, the last")

// EndsAsking reports whether the next question to the model would fail with err too.
func EndsAsking(ctx context.Context, err error) bool {
	return err != nil && (ctx.Err() != nil || errors.Is(err, llm.ErrAuth) || errors.Is(err, llm.ErrCeiling) || errors.Is(err, llm.ErrNested) || errors.Is(err, errVain))
}

// namedSessions is the most sessions of a call named in the record of costs.
const namedSessions = 5

// ask makes a call and stores the result, or the error, in each of its questions. It
// returns only errors that end the run: the next call would fail too, or the cost of
// this one could not be recorded.
func (p *Proposer) ask(ctx context.Context, c Call) error {
	err := p.try(ctx, c)
	for _, q := range c.questions {
		if errors.Is(err, errVain) && errors.Is(q.err, llm.ErrRefused) { // each run would pay for it
			q.result, q.err = Result{GaveUp: q.err}, nil
		}
		q.answered = err == nil || q.err == nil
		if p.o.Report != nil {
			p.o.Report(q.session, q.result)
		}
	}
	return err
}

// try makes a call, and asks again about the sessions for which the answer cannot be
// used, in halves: one session may be the reason that nothing is said of the others. A
// session by itself is asked about again once, unless the model refuses it, and then
// given up: each run would pay for it.
func (p *Proposer) try(ctx context.Context, c Call) error {
	type part struct {
		call  Call
		again bool
	}
	for todo := []part{{c, true}}; len(todo) > 0; todo = todo[1:] {
		now := todo[0]
		open, err := p.once(ctx, now.call)
		n := len(open)
		switch {
		case err != nil:
			return err
		case n == 0 || !errors.Is(open[0].err, ErrAnswer) && !errors.Is(open[0].err, llm.ErrRefused):
		case p.inVain(open[0].err):
			return p.unreadable(fmt.Errorf("%w: %w", errVain, open[0].err))
		case n == 1 && (!now.again || errors.Is(open[0].err, llm.ErrRefused)):
			open[0].result, open[0].err = Result{GaveUp: open[0].err}, nil
		case n == 1:
			todo = append(todo, part{p.call(open), false})
		case n < len(now.call.questions):
			todo = append(todo, part{p.call(open), now.again})
		default:
			todo = append(todo, part{p.call(open[:(n+1)/2]), now.again}, part{p.call(open[(n+1)/2:]), now.again})
		}
	}
	return nil
}

// once makes a call, and returns the questions that it leaves open. The error ends the
// run.
func (p *Proposer) once(ctx context.Context, c Call) (open []*question, err error) {
	ids := c.Sessions()
	what := strings.Join(ids[:min(len(ids), namedSessions)], " ")
	if n := len(ids) - namedSessions; n > 0 {
		what += fmt.Sprintf(" and %d more", n)
	}
	for _, q := range c.questions {
		q.result, q.err = Result{}, nil
	}
	a, unread, unkept := p.complete(ctx, what, c.Request)
	if unread == nil {
		p.deal(c, a)
	}
	for _, q := range c.questions {
		if q.err = cmp.Or(unread, q.err); q.err != nil {
			open = append(open, q)
		}
	}
	if unkept != nil || EndsAsking(ctx, unread) {
		return open, cmp.Or(unkept, unread)
	}
	return open, nil
}

// inVain counts an answer that cannot be used, and reports whether to stop asking.
func (p *Proposer) inVain(why error) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.vain++; errors.Is(why, ErrAnswer) {
		p.unread++
	}
	return !p.useful && (p.vain >= mostVain || p.unread >= mostUnread)
}

// tried reports whether an answer could be used.
func (p *Proposer) tried() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.useful
}

// complete makes a call and parses the answer. unread says why the answer cannot be
// used, unkept that its cost could not be recorded. What a dry run has paid for is not
// asked again.
func (p *Proposer) complete(ctx context.Context, what string, r llm.Request) (a answer, unread, unkept error) {
	key := p.keyOfRequest(r)
	text, unkept := p.keptAnswer(key)
	if text != "" || unkept != nil {
		a, unread = parseAnswer(text)
		return a, unread, unkept
	}
	resp, err := p.meter.Complete(ctx, what, r)
	if err != nil && (resp.Text == "" || errors.Is(err, llm.ErrRefused)) {
		return a, err, nil
	}
	a, unread = parseAnswer(resp.Text)
	if unread != nil && resp.Truncated {
		unread = fmt.Errorf("%w: it met the limit of tokens before the first lesson", unread)
	}
	if unread != nil {
		return a, p.unreadable(unread), err
	}
	if p.c.Dry && !resp.Truncated {
		err = errors.Join(err, p.keepAnswer(key, resp.Text))
	}
	return a, nil, err
}

func (p *Proposer) unreadable(why error) error {
	return fmt.Errorf("reading the answer of %s: %w", p.c.LLM.Model, why)
}

// deal distributes the lessons of an answer to their questions.
func (p *Proposer) deal(c Call, a answer) {
	items := make([][]proposal, len(c.questions))
	for _, item := range a.items {
		i := c.owner(item)
		items[i] = append(items[i], item)
	}
	quotes := 0
	defer func() {
		if len(a.items) == 0 || quotes > 0 {
			p.mu.Lock()
			defer p.mu.Unlock()
			p.useful = true
		}
	}()
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
// and quotes, or else one whose session contains the quote.
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

// mostKept is the most bytes that a plan keeps of what would be sent.
const mostKept = 256 << 10

// A Plan adds up the calls of [Proposer.Show], to say what a run would send and cost.
type Plan struct {
	Sessions, Calls int
	Tokens          int // of digests, about

	usd      float64
	unknown  bool
	text     strings.Builder
	projects map[string]bool
}

// Add counts a call, and for each new project the one that compares its proposals at the
// end.
func (p *Plan) Add(c Call) error {
	p.Sessions += len(c.Sessions())
	p.Calls++
	p.Tokens += c.Tokens()
	p.usd, p.unknown = p.usd+c.Estimate.USD, p.unknown || !c.Estimate.Known
	if p.text.Len() < mostKept {
		fmt.Fprintf(&p.text, "=== %s\n%s\n\n", strings.Join(c.Sessions(), " "), c.Text())
	}
	if p.projects == nil {
		p.projects = make(map[string]bool)
	}
	for _, q := range c.questions {
		if !p.projects[q.known.Project] {
			p.projects[q.known.Project] = true
			p.Calls++
			p.usd += c.compare.USD
		}
	}
	return nil
}

// Cost returns the most that the calls will cost, as far as known.
func (p *Plan) Cost() llm.Cost { return llm.Cost{USD: p.usd, Known: !p.unknown} }

// Text returns what would be sent, or the beginning of it.
func (p *Plan) Text() string { return p.text.String() + ComparedText() }

// ComparedText says what is sent at the end of a run to compare the proposals of a
// project; those of the run are not known before.
func ComparedText() string {
	return fmt.Sprintf("=== at the end, once for each project: the proposals of the run and those that wait, about %d tokens, with\n%s", compareTokens, compareSystem)
}
