package llm

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
)

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

// OfSession returns what reading a session costs on average.
func (p Price) OfSession() Cost { return p.Of(Usage{In: sessionIn, Out: sessionOut}) }

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
