package llm

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"learnings/lessons/state"
)

// ErrCeiling means that a call was not made because it could have exceeded what the
// user is ready to spend.
var ErrCeiling = errors.New("the spending ceiling is reached")

// ErrUnpriced says why a ceiling cannot be enforced. It comes with [ErrCeiling].
var ErrUnpriced = errors.New("the price of this model is not known, so no ceiling can be kept")

// A Spend records the cost of each call in the database of a state folder, and enforces
// a ceiling per run, and per day and calendar month (UTC). A ceiling of 0 is no limit. It
// is safe for use by many goroutines and processes.
//
// A call is recorded with its estimate before it is made, and with its cost after it.
// So no two processes share the room below a ceiling, and a call that a crash cut short
// counts with its estimate.
type Spend struct {
	Dir      string // the state folder
	Run      string // names this run
	PerRun   float64
	PerDay   float64
	PerMonth float64
	Unpriced bool // the person agrees to calls of unknown cost, which no ceiling can limit
	Now      func() time.Time

	mu       sync.Mutex
	reserved float64 // by current calls of this process
}

// A Total is the cost of several calls.
type Total struct {
	Calls int
	Usage Usage
	Cost  Cost
}

// A Sum is the cost of the calls of one month or run.
type Sum struct {
	Name   string    // the month, as "2026-11", or the run's own name
	First  time.Time // the time of the first call
	Models []string
	Total
}

// SQL expressions for the month and the day of a call, such as "2026-11".
const (
	month = "strftime('%Y-%m', at / 1000, 'unixepoch')"
	day   = "strftime('%Y-%m-%d', at / 1000, 'unixepoch')"
)

// Month names the calendar month (UTC) of a time.
func Month(at time.Time) string { return at.UTC().Format("2006-01") }

// sums adds up calls by an expression, the oldest first.
func sums(each func(func(*state.Rows) error, string, ...any) error, by, where string, args ...any) (out []Sum, err error) {
	err = each(func(r *state.Rows) error {
		var s Sum
		var models string
		var at int64
		u := &s.Usage
		err := r.Scan(&s.Name, &at, &models, &s.Calls, &u.In, &u.Out, &u.CacheRead, &u.CacheWrite, &s.Cost.USD, &s.Cost.Known)
		s.First, s.Models = time.UnixMilli(at).UTC(), strings.Split(models, ",")
		out = append(out, s)
		return err
	}, "SELECT "+by+" AS name, min(at), group_concat(DISTINCT model), count(*), sum(read), sum(wrote), sum(cache_read), sum(cache_wrote), sum(usd), min(known)"+
		" FROM spend WHERE "+where+" GROUP BY name ORDER BY min(at), name", args...)
	if err != nil {
		return nil, fmt.Errorf("reading what calls have cost: %w", err)
	}
	return out, nil
}

// Sums returns the recorded costs of a state folder by month and by run, the oldest
// first.
func Sums(dir string) (months, runs []Sum, err error) {
	err = state.At(dir).View(func(t state.Tx) (err error) {
		if months, err = sums(t.Each, month, "true"); err == nil {
			runs, err = sums(t.Each, "run", "true")
		}
		return err
	})
	return months, runs, err
}

// Totals returns the cost of this run and of the current month.
func (s *Spend) Totals() (run, month Total, err error) {
	err = state.At(s.Dir).View(func(t state.Tx) error {
		spans, err := s.spans(t)
		if err == nil {
			run, month = spans[0].spent, spans[len(spans)-1].spent
		}
		return err
	})
	return run, month, err
}

// A span is a stretch of time with a ceiling.
type span struct {
	name    string
	spent   Total
	ceiling float64
}

// spans returns this run, day and month.
func (s *Spend) spans(t state.Tx) ([]span, error) {
	today := s.Now().UTC().Format(time.DateOnly)
	out := []span{{"run", Total{}, s.PerRun}, {"day", Total{}, s.PerDay}, {"month", Total{}, s.PerMonth}}
	for i, of := range [][2]string{{"run", s.Run}, {day, today}, {month, Month(s.Now())}} {
		found, err := sums(t.Each, of[0], of[0]+" = ?", of[1])
		if err != nil {
			return nil, err
		}
		if out[i].spent.Cost.Known = true; len(found) > 0 {
			out[i].spent = found[0].Total
		}
	}
	return out, nil
}

// Bounded reports whether there is a ceiling.
func (s *Spend) Bounded() bool { return s.PerRun > 0 || s.PerDay > 0 || s.PerMonth > 0 }

// reserve records a call with its estimate, or returns why it may not be made.
// Estimates are several times the cost, so a call that only the estimates of others
// forbid waits until one of them ends. Under a ceiling, a call of unknown cost needs
// the person's agreement. The error wraps [ErrCeiling], or is that of ctx.
func (s *Spend) reserve(ctx context.Context, m Model, what string, estimate Cost) (n int64, err error) {
	if s.Bounded() && !estimate.Known && !s.Unpriced {
		return 0, fmt.Errorf("%w: %w; prices are known of %s", ErrCeiling, ErrUnpriced, ModelsWithPrice())
	}
	for {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		n, wait, err := s.try(m, what, estimate)
		if !wait {
			return n, err
		}
		_ = sleep(ctx, 50*time.Millisecond)
	}
}

// try is reserve without waiting for others.
func (s *Spend) try(m Model, what string, estimate Cost) (n int64, wait bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var refused error
	err = state.At(s.Dir).Update(func(t state.Tx) error {
		spans, err := s.spans(t)
		if err != nil {
			return err
		}
		for _, x := range spans {
			spent := x.spent.Cost.USD
			left := x.ceiling - estimate.USD
			switch {
			case x.ceiling == 0 || estimate.USD == 0 || spent <= left:
			case spent-s.reserved > left:
				refused = cmp.Or(refused, fmt.Errorf("%w: the next call may cost $%.4f, this %s has cost $%.4f of $%.2f", ErrCeiling, estimate.USD, x.name, spent-s.reserved, x.ceiling))
			default:
				wait = true
			}
		}
		if refused != nil || wait {
			return nil
		}
		_, err = t.Exec("INSERT INTO spend (at, run, model, what, usd, known, estimated) VALUES (?, ?, ?, ?, ?, ?, true)",
			s.Now().UnixMilli(), s.Run, m.String(), what, estimate.USD, estimate.Known)
		if err == nil {
			err = t.Each(func(r *state.Rows) error { return r.Scan(&n) }, "SELECT last_insert_rowid()")
		}
		return err
	})
	if err != nil {
		return 0, false, fmt.Errorf("recording what a call costs: %w", err)
	}
	if refused != nil {
		return 0, false, refused
	}
	if !wait {
		s.reserved += estimate.USD
	}
	return n, wait, nil
}

// settle ends a reservation, and updates the record of its call by a statement.
func (s *Spend) settle(estimate Cost, statement string, args ...any) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.reserved -= estimate.USD
	err := state.At(s.Dir).Update(func(t state.Tx) error { _, err := t.Exec(statement, args...); return err })
	if err != nil {
		return fmt.Errorf("recording what a call cost: %w", err)
	}
	return nil
}

// A Meter makes the calls of another completer within the ceilings of a [Spend], and
// records them.
type Meter struct {
	To     Completer
	Model  Model
	Price  Price
	Priced bool // whether Price is known
	Spend  *Spend
	Limit  float64          // US dollars to which the completer itself limits a call; 0 for none. Without a price it is the estimate
	Tokens func(string) int // estimates the tokens of a text
}

// Estimate returns the most that a request will cost, as far as known.
func (m Meter) Estimate(r Request) Cost {
	if !m.Priced {
		return Cost{m.Limit, m.Limit > 0}
	}
	return Estimate(m.Price, m.Tokens(r.System)+m.Tokens(r.User)+m.Tokens(string(r.Schema)))
}

// Complete asks, unless a ceiling forbids it. what is the purpose of the call, for the
// record. The response has the cost as the provider reports it, or else by the price. A
// call counts with its estimate if the provider reports no usage, or if it may have been
// made and brought no answer: it was cancelled, or the connection broke. Answers that
// cannot be used count too. If recording fails, Complete returns the response with an
// error.
func (m Meter) Complete(ctx context.Context, what string, r Request) (Response, error) {
	estimate := m.Estimate(r)
	n, err := m.Spend.reserve(ctx, m.Model, what, estimate)
	if err != nil {
		return Response{}, err
	}
	resp, err := m.To.Complete(ctx, r)
	u := resp.Usage
	answered := err == nil || errors.Is(err, ErrRefused) || u != (Usage{}) || resp.Cost.USD > 0
	lost := ctx.Err() != nil || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, ErrLost)
	if !answered && (!lost || estimate == (Cost{Known: true})) {
		return resp, errors.Join(err, m.Spend.settle(estimate, "DELETE FROM spend WHERE n = ?", n))
	}
	whole := u.In+u.CacheRead+u.CacheWrite > 0 && (u.Out > 0 || resp.Text == "")
	estimated := !resp.Cost.Known && !(m.Priced && whole)
	switch {
	case estimated:
		resp.Cost = estimate
	case !resp.Cost.Known:
		resp.Cost = m.Price.Of(u)
	}
	return resp, errors.Join(err, m.Spend.settle(estimate, `UPDATE spend SET read = ?, wrote = ?, cache_read = ?, cache_wrote = ?, usd = ?, known = ?, estimated = ?
		WHERE n = ?`, u.In, u.Out, u.CacheRead, u.CacheWrite, resp.Cost.USD, resp.Cost.Known, estimated, n))
}

// Usage counts the tokens of a call.
type Usage struct {
	In         int // read in full, without the cached ones
	Out        int
	CacheRead  int
	CacheWrite int
}

// Add returns the sum.
func (u Usage) Add(v Usage) Usage {
	return Usage{u.In + v.In, u.Out + v.Out, u.CacheRead + v.CacheRead, u.CacheWrite + v.CacheWrite}
}

// A Price is in US dollars per million tokens.
type Price struct {
	In, Out               float64
	CacheRead, CacheWrite float64
}

//go:embed prices.tsv
var priceTable string

// prices is the table by model.
var prices = sync.OnceValue(func() map[Model]Price {
	out := make(map[Model]Price)
	for line := range strings.Lines(priceTable) {
		var m Model
		var p Price
		if _, err := fmt.Sscan(line, &m.Provider, &m.Name, &p.In, &p.Out, &p.CacheRead, &p.CacheWrite); err == nil {
			out[m] = p
		}
	}
	return out
})

// PricesAsOf returns the day on which the prices were last looked up, such as
// "2026-11-22".
func PricesAsOf() string {
	_, rest, _ := strings.Cut(priceTable, "As of ")
	day, _, _ := strings.Cut(rest, ".")
	return day
}

// PriceOf returns the price of a model, and whether it is known. Models on the user's
// own machine cost nothing. A name that ends with a day is a version of the model
// without it. OpenRouter passes on the prices of the providers in a model's name.
func PriceOf(m Model) (Price, bool) {
	if provisions[m.Provider].free {
		return Price{}, true
	}
	if m.Provider == OpenRouter {
		vendor, name, _ := strings.Cut(m.Name, "/")
		if strings.HasSuffix(name, ":free") {
			return Price{}, true
		}
		m = Model{Provider(vendor), name}
		if m.Provider == Anthropic {
			m.Name = strings.ReplaceAll(name, ".", "-")
		}
	}
	p, ok := prices()[m]
	if base, day := cutDay(m.Name); !ok && day {
		p, ok = prices()[Model{m.Provider, base}]
	}
	return p, ok
}

// cutDay removes a day from the end of a model's name: -20251001 or -2026-03-17.
func cutDay(name string) (base string, ok bool) {
	for _, form := range []string{"-20060102", "-2006-01-02"} {
		if n := len(name) - len(form); n > 0 {
			if _, err := time.Parse(form, name[n:]); err == nil {
				return name[:n], true
			}
		}
	}
	return name, false
}

// A Cost is an estimated or actual cost of a call.
type Cost struct {
	USD   float64
	Known bool
}

// Of returns the cost of a usage.
func (p Price) Of(u Usage) Cost {
	return Cost{(float64(u.In)*p.In + float64(u.Out)*p.Out + float64(u.CacheRead)*p.CacheRead + float64(u.CacheWrite)*p.CacheWrite) / 1e6, true}
}

// Add returns the sum, which is known only if both are.
func (c Cost) Add(d Cost) Cost { return Cost{c.USD + d.USD, c.Known && d.Known} }

// String returns the cost for people, such as "$0.0072", or says that it is unknown.
func (c Cost) String() string {
	switch {
	case !c.Known && c.USD == 0:
		return "unknown cost"
	case !c.Known:
		return fmt.Sprintf("$%.4f and what is not known", c.USD)
	case c.USD == 0:
		return "free"
	case c.USD < 0: // a correction
		return fmt.Sprintf("-$%.4f", -c.USD)
	}
	return fmt.Sprintf("$%.4f", c.USD)
}

// Estimate returns the most that a request will cost, as far as known, for a number of
// tokens that the caller estimates. The answer may take all tokens that it is allowed.
func Estimate(p Price, tokensIn int) Cost {
	return Price{In: max(p.In, p.CacheWrite), Out: p.Out}.Of(Usage{In: tokensIn, Out: maxTokens})
}

// Tokens that a session takes on average, measured with 26 sessions in 11 calls.
const sessionIn, sessionOut = 2900, 530

// Dearest returns the highest known price.
func Dearest() (dear Price) {
	for _, p := range prices() {
		if p.Out > dear.Out {
			dear = p
		}
	}
	return dear
}

// ModelsWithPrice lists the models with a known price.
func ModelsWithPrice() string {
	var names []string
	for m := range prices() {
		names = append(names, m.Name)
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}
