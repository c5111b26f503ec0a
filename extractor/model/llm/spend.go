package llm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"
)

// ErrCeiling says that a call was not made because it could have exceeded what
// the user is ready to spend.
var ErrCeiling = errors.New("the spending ceiling is reached")

// ErrUnpriced says why a ceiling cannot be kept. It comes with [ErrCeiling].
var ErrUnpriced = errors.New("the price of this model is not known, so no ceiling can be kept")

// An Expense is one call in the ledger.
type Expense struct {
	At    time.Time `json:"at"`
	Run   string    `json:"run"`
	Model string    `json:"model"`
	What  string    `json:"what,omitempty"` // which session it was for
	Usage Usage     `json:"usage"`
	USD   float64   `json:"usd"`
	Known bool      `json:"known"` // whether USD is all that it cost

	Estimated bool `json:"estimated,omitempty"` // USD is what it can have cost at most: it was given up
}

// A Total is what several calls cost together.
type Total struct {
	Calls int
	Usage Usage
	Cost  Cost
}

// A Spend keeps the ledger of calls, one JSON object a line, which several
// processes may append to, and holds calls to a ceiling per run and per
// calendar month (UTC). Ceilings of 0 set no limit. It is safe for use by many
// goroutines; two processes that ask at the same moment can each go one call
// over the monthly ceiling.
type Spend struct {
	Path     string // of the ledger; its folder is made when the first call is recorded
	Run      string // names this run
	PerRun   float64
	PerMonth float64
	Unpriced bool // the person agrees to calls of unknown cost, which no ceiling can hold
	Now      func() time.Time

	mu       sync.Mutex
	read     int64 // of the ledger, in bytes
	months   map[string]Total
	run      Total
	calls    int           // that are being made
	reserved float64       // by them
	freed    chan struct{} // closed when one of them is released
}

const monthForm = "2006-01"

// Reserve says whether a call of this estimated cost may be made, and if so counts it as
// spent until it is recorded or released. Estimates are several times what calls come to
// cost, so a call that only the estimates of others forbid waits until one of them is
// released. When a ceiling is set, a call of unknown cost may not be made unless the
// person agrees: it could not be held to it. The error wraps [ErrCeiling], or is that of ctx.
func (s *Spend) Reserve(ctx context.Context, estimate Cost) error {
	for {
		freed, err := s.reserve(estimate)
		if freed == nil {
			return err
		}
		select {
		case <-freed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// reserve is Reserve without waiting; freed is nil when there is nothing to wait for.
func (s *Spend) reserve(estimate Cost) (freed <-chan struct{}, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.catchUp(); err != nil {
		return nil, err
	}
	month, run := s.months[s.Now().UTC().Format(monthForm)].Cost.USD, s.run.Cost.USD
	over := func(spent, ceiling float64) bool {
		return ceiling > 0 && estimate.USD > 0 && spent+estimate.USD > ceiling
	}
	switch {
	case s.PerRun <= 0 && s.PerMonth <= 0:
	case !estimate.Known && !s.Unpriced:
		return nil, fmt.Errorf("%w: %w; prices are known of %s", ErrCeiling, ErrUnpriced, ModelsWithPrice())
	case over(run, s.PerRun):
		return nil, fmt.Errorf("%w: the next call may cost $%.4f, this run has cost $%.4f of $%.2f", ErrCeiling, estimate.USD, run, s.PerRun)
	case over(month, s.PerMonth):
		return nil, fmt.Errorf("%w: the next call may cost $%.4f, this month has cost $%.4f of $%.2f", ErrCeiling, estimate.USD, month, s.PerMonth)
	case s.calls > 0 && (over(run+s.reserved, s.PerRun) || over(month+s.reserved, s.PerMonth)):
		return s.freed, nil
	}
	if s.calls == 0 {
		s.reserved, s.freed = 0, make(chan struct{})
	}
	s.calls++
	s.reserved += estimate.USD
	return nil, nil
}

// Release takes a reservation back: its call was not made, or has been recorded.
func (s *Spend) Release(estimate Cost) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls--
	s.reserved -= estimate.USD
	close(s.freed)
	s.freed = make(chan struct{})
}

// Record writes one call into the ledger. At and Run are filled in.
func (s *Spend) Record(e Expense) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	e.At, e.Run = s.Now().UTC(), s.Run
	line, err := json.Marshal(e)
	if err != nil {
		return fmt.Errorf("recording what a call cost: %v", err)
	}
	if err := os.MkdirAll(filepath.Dir(s.Path), 0o700); err != nil {
		return fmt.Errorf("recording what a call cost: %v", err)
	}
	f, err := os.OpenFile(s.Path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return fmt.Errorf("recording what a call cost: %v", err)
	}
	// A crash may have left half a line; a newline before ours keeps ours whole.
	_, err = f.Write(slices.Concat([]byte("\n"), line, []byte("\n")))
	if err := errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("recording what a call cost: %v", err)
	}
	return nil
}

// Totals gives what this run and the current month have cost.
func (s *Spend) Totals() (run, month Total, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.catchUp(); err != nil {
		return Total{}, Total{}, err
	}
	return s.run, s.months[s.Now().UTC().Format(monthForm)], nil
}

// catchUp reads what was added to the ledger, by whomever. Lines that are
// broken are passed over; a ledger that cannot be read is an error, since
// spending blindly is worse than not spending.
func (s *Spend) catchUp() error {
	if info, err := os.Stat(s.Path); err == nil && info.Size() < s.read {
		s.read, s.months, s.run = 0, nil, Total{} // begun anew
	}
	if s.months == nil {
		s.months = make(map[string]Total)
	}
	end, err := readLedger(s.Path, s.read, func(e Expense) bool {
		s.months[e.Month()] = s.months[e.Month()].Add(e)
		if e.Run == s.Run {
			s.run = s.run.Add(e)
		}
		return true
	})
	s.read = end
	return err
}

// A Meter makes the calls of another completer under the ceilings of a ledger
// and records them.
type Meter struct {
	To     Completer
	Model  Model
	Price  Price
	Priced bool // whether Price is known
	Spend  *Spend
	Limit  float64          // US dollars that the completer itself lets no call exceed; 0 for none. Without a price it is the estimate
	Tokens func(string) int // estimates the tokens of a text
}

// Estimate is what a request will cost at most, as far as can be told.
func (m Meter) Estimate(r Request) Cost {
	if !m.Priced {
		return Cost{m.Limit, m.Limit > 0}
	}
	return Estimate(m.Price, m.Tokens(r.System)+m.Tokens(r.User)+m.Tokens(string(r.Schema)), r)
}

// Complete asks, unless a ceiling forbids it. The response says what it cost:
// by the provider's own word, else by the price. An answer that was paid for
// but cannot be used is recorded too, and so is a call that was given up while it was
// made: with its estimate, since nobody tells what it cost. Failing to record is an error, beside
// which the response is given.
func (m Meter) Complete(ctx context.Context, r Request) (Response, error) {
	estimate := m.Estimate(r)
	if err := m.Spend.Reserve(ctx, estimate); err != nil {
		return Response{}, err
	}
	defer m.Spend.Release(estimate)
	if err := ctx.Err(); err != nil {
		return Response{}, err
	}
	resp, err := m.To.Complete(ctx, r)
	resp.Cost = m.cost(resp)
	e := Expense{Model: m.Model.String(), What: what(ctx), Usage: resp.Usage, USD: resp.Cost.USD, Known: resp.Cost.Known}
	if err != nil && resp.Usage == (Usage{}) && resp.Cost.USD == 0 {
		gaveUp := ctx.Err() != nil || errors.Is(err, context.DeadlineExceeded)
		if !gaveUp || estimate.Known && estimate.USD == 0 {
			return resp, err
		}
		// Nobody tells what a call cost that was not waited for.
		e.USD, e.Known, e.Estimated = estimate.USD, estimate.Known, true
		resp.Cost = estimate
	}
	return resp, errors.Join(err, m.Spend.Record(e))
}

func (m Meter) cost(r Response) Cost {
	if r.Cost.Known || !m.Priced {
		return r.Cost
	}
	return m.Price.Of(r.Usage)
}

type whatKey struct{}

// For names in the ledger what the calls of a context are for, such as a
// session.
func For(ctx context.Context, what string) context.Context {
	return context.WithValue(ctx, whatKey{}, what)
}

func what(ctx context.Context) string {
	s, _ := ctx.Value(whatKey{}).(string)
	return s
}
