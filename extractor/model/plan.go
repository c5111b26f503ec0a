package model

import (
	"fmt"
	"strings"

	"learnings/extractor/model/llm"
)

// mostKept is how much a plan keeps of what would be sent, in bytes.
const mostKept = 256 << 10

// A Plan adds up calls that [Proposer.Show] shows, to say what a run would send and
// cost before anything is sent.
type Plan struct {
	Sessions, Calls int
	Tokens          int // of digests, about

	cost llm.Cost
	text strings.Builder
}

// Add counts a call.
func (p *Plan) Add(c Call) error {
	if p.Calls == 0 {
		p.cost.Known = true
	}
	p.Sessions += len(c.Sessions())
	p.Calls++
	p.Tokens += c.Tokens()
	p.cost = p.cost.Add(c.Estimate)
	if p.text.Len() < mostKept {
		fmt.Fprintf(&p.text, "=== %s\n%s\n\n", strings.Join(c.Sessions(), " "), c.Text())
	}
	return nil
}

// Cost is what the calls will cost at most, as far as can be told.
func (p *Plan) Cost() llm.Cost {
	if p.Calls == 0 {
		return llm.Cost{Known: true}
	}
	return p.cost
}

// Text is what would be sent, or the beginning of it when that is long.
func (p *Plan) Text() string { return p.text.String() }
