package llm

import (
	"fmt"
	"strings"
)

// Usage counts the tokens of a call.
type Usage struct {
	In         int `json:"in"` // read in full, without the cached ones
	Out        int `json:"out"`
	CacheRead  int `json:"cache_read,omitempty"`
	CacheWrite int `json:"cache_write,omitempty"`
}

// Add gives the sum of two.
func (u Usage) Add(v Usage) Usage {
	return Usage{u.In + v.In, u.Out + v.Out, u.CacheRead + v.CacheRead, u.CacheWrite + v.CacheWrite}
}

// A Price is in US dollars for a million tokens.
type Price struct {
	In, Out               float64
	CacheRead, CacheWrite float64
}

// prices are the list prices that could be confirmed with the vendors. A model
// that is not here has no known cost, and we say so rather than guess.
var prices = map[string]Price{
	"claude-haiku-4-5":          {In: 1, Out: 5, CacheRead: 0.10, CacheWrite: 1.25},
	"claude-haiku-4-5-20251001": {In: 1, Out: 5, CacheRead: 0.10, CacheWrite: 1.25},
	"gpt-5.6-luna":              {In: 0.20, Out: 1.20, CacheRead: 0.02, CacheWrite: 0.20},
}

// PriceOf gives the price of a model, and whether it is known. What runs on
// the user's own machine costs nothing.
func PriceOf(m Model) (Price, bool) {
	if provisions[m.Provider].free {
		return Price{}, true
	}
	if m.Provider != Anthropic && m.Provider != OpenAI {
		return Price{}, false // a reseller's or a subscription's
	}
	p, ok := prices[m.Name]
	return p, ok
}

// A Cost is what a call costs or has cost.
type Cost struct {
	USD   float64
	Known bool
}

// Of gives the cost of a usage.
func (p Price) Of(u Usage) Cost {
	return Cost{(float64(u.In)*p.In + float64(u.Out)*p.Out + float64(u.CacheRead)*p.CacheRead + float64(u.CacheWrite)*p.CacheWrite) / 1e6, true}
}

// Add gives the sum of two; it is known only if both are.
func (c Cost) Add(d Cost) Cost { return Cost{c.USD + d.USD, c.Known && d.Known} }

// String is for people: "$0.0072", or that it is not known.
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

// estimateOut is how long an answer is taken to be in an estimate when the
// request sets no lower limit: the answers to sessions with many lessons are
// about so long.
const estimateOut = 2500

// Estimate is what a request will cost at most, as far as can be told: tokens
// are counted by a rule of thumb, given by the caller.
func Estimate(p Price, tokensIn int, r Request) Cost {
	out := estimateOut
	if r.MaxTokens > 0 {
		out = min(out, r.MaxTokens)
	}
	in := p.In
	if p.CacheWrite > in {
		in = p.CacheWrite
	}
	return Price{In: in, Out: p.Out}.Of(Usage{In: tokensIn, Out: out})
}

// ModelsWithPrice names the models whose price is known.
func ModelsWithPrice() string {
	var names []string
	for n := range prices {
		names = append(names, n)
	}
	return strings.Join(sorted(names), ", ")
}
