package model

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// Shares of the budget. What the person said may use all that the rest leaves.
const (
	personShare  = 0.78
	contextShare = 0.92 // of the budget, person and context together; the rest is for errors
	leastTokens  = 48   // of a person's message; messages go before they get shorter
	mostTokens   = 900
)

// fit decides what of each piece is sent. Pleasantries go first, then long
// messages are shortened, then the least telling messages go. What is left of
// the budget is for the context of messages and for errors.
func (d *Digest) fit(pieces []*piece, budget int) {
	var person, rest []*piece
	for _, p := range pieces {
		if strings.HasPrefix(p.label, labelUser) {
			person = append(person, p)
		} else {
			rest = append(rest, p)
		}
	}
	used := d.fitPerson(person, int(float64(budget)*personShare))
	slices.SortStableFunc(rest, func(a, b *piece) int { return cmp.Compare(b.value, a.value) })
	for _, p := range rest {
		limit := budget
		if p.label != labelError && p.label != labelFix {
			limit = int(float64(budget) * contextShare)
		}
		short := p.text
		if p.limit > 0 {
			short = clip(p.text, p.limit)
		}
		need := p.cost(short)
		switch {
		case p.after != nil && p.after.out == "":
		case used+need <= limit && !repeated(rest, p):
			p.out = short
			used += need
			continue
		}
		if p.label == labelError {
			d.Omitted.Errors++
		} else if p.label != labelFix {
			d.Omitted.Context++
		}
	}
}

// cost is how many tokens the line has that says text.
func (p *piece) cost(text string) int {
	return Tokens(Line{Handle: "M100", Label: p.label, Text: text}.String())
}

// repeated reports that the same turn of the agent is sent already: what it
// said between two messages is the concession to one and led to the other.
func repeated(ps []*piece, p *piece) bool {
	return p.label == labelAgent && slices.ContainsFunc(ps, func(q *piece) bool {
		return q != p && q.label == labelAgent && q.turn == p.turn && q.out != ""
	})
}

// fitPerson gives each message of the person its share and returns what they
// use together.
func (d *Digest) fitPerson(ps []*piece, budget int) int {
	keep := slices.Clone(ps)
	slices.SortStableFunc(keep, func(a, b *piece) int { return cmp.Compare(b.value, a.value) })
	sizes := make(map[*piece]int, len(ps))
	for _, p := range ps {
		sizes[p] = p.cost(p.text)
	}
	need := func(limit int) int {
		sum := 0
		for _, p := range keep {
			sum += min(sizes[p], limit)
		}
		return sum
	}
	// Pleasantries are kept only where they cost nothing.
	for len(keep) > 0 && keep[len(keep)-1].value < valuePlain && need(mostTokens) > budget {
		keep = keep[:len(keep)-1]
	}
	for len(keep) > 0 && need(leastTokens) > budget {
		keep = keep[:len(keep)-1]
	}
	limit := leastTokens
	for step := mostTokens; step >= 1; step /= 2 {
		for limit+step <= mostTokens && need(limit+step) <= budget {
			limit += step
		}
	}
	used := 0
	for _, p := range keep {
		p.out = shorten(p.text, limit-p.cost(""))
		for p.out != "" && p.cost(p.out) > limit { // what shorten joins can cost more than its parts
			p.out = head(p.out, max(0, len(p.out)*9/10-len(" …")))
		}
		if p.out != p.text {
			d.Omitted.Cut++
		}
		used += p.cost(p.out)
	}
	d.Omitted.Person = len(ps) - len(keep)
	return used
}

// indented is how many tokens a text has in a digest, where each of its lines but
// the first is indented by four blanks, which are a token.
func indented(s string) int { return Tokens(s) + strings.Count(s, "\n") }

// clip cuts a text behind so many tokens.
func clip(s string, tokens int) string {
	if indented(s) <= tokens {
		return s
	}
	bytes := len(s) * tokens / indented(s)
	return head(s, bytes)
}

// A unit is a line of a long message, or a sentence of a long line.
type unit struct {
	text   string
	tokens int
	rank   float64 // what goes last has the highest
	keep   bool
}

// shorten cuts a long message in the middle: its beginning and its end stay,
// and what in between looks like a rule. A mark says how much is missing, so
// that nothing is quoted across a gap.
func shorten(s string, tokens int) string {
	if indented(s) <= tokens {
		return s
	}
	units := split(s)
	order := make([]int, len(units))
	for i := range units {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(units[b].rank, units[a].rank) })
	left := tokens - 8 // for the marks
	for _, i := range order {
		if u := &units[i]; u.tokens <= left {
			u.keep = true
			left -= u.tokens
		}
	}
	var b strings.Builder
	missing := 0
	for i, u := range units {
		if !u.keep {
			missing += len(u.text)
			continue
		}
		mark(&b, missing)
		missing = 0
		b.WriteString(u.text)
		if i == len(units)-1 {
			break
		}
	}
	mark(&b, missing)
	out := strings.TrimSpace(b.String())
	if out == "" || !slices.ContainsFunc(units, func(u unit) bool { return u.keep }) {
		return clip(s, tokens)
	}
	return out
}

// split takes a message apart and ranks its parts. Code and pasted logs rank
// below prose, the middle below both ends, and rules above all.
func split(s string) []unit {
	var out []unit
	code := false
	for line := range strings.Lines(s) {
		trimmed := strings.TrimSpace(line)
		if strings.HasPrefix(trimmed, "```") {
			code = !code
		}
		for _, part := range sentences(line) {
			u := unit{text: part, tokens: indented(part)}
			switch prose := strings.TrimSpace(part); {
			case code || pasted(prose) || output().MatchString(prose):
				u.rank = -2
			case directive().MatchString(prose):
				u.rank = 1 + math.Min(float64(len(directive().FindAllString(prose, 4))), 3)/4
			}
			out = append(out, u)
		}
	}
	for i := range out {
		edge := float64(min(i, len(out)-1-i)) / float64(len(out))
		out[i].rank += 1.2 - 2*edge
	}
	return out
}

// sentences splits a line that is too long to be kept or lost as a whole.
func sentences(line string) []string {
	const long = 240
	if len(line) <= long {
		return []string{line}
	}
	var out []string
	for len(line) > long {
		cut := 0
		for _, stop := range []string{". ", "; ", "? ", "! ", "。", ", ", " "} {
			if i := strings.Index(line[min(40, len(line)):], stop); i >= 0 && i+40+len(stop) < 2*long {
				cut = i + 40 + len(stop)
				break
			}
		}
		if cut == 0 || cut >= len(line) {
			break
		}
		out = append(out, line[:cut])
		line = line[cut:]
	}
	return append(out, line)
}

// pasted reports whether a line looks like output or code rather than prose.
func pasted(line string) bool {
	if len(line) < 3 {
		return true
	}
	if strings.HasPrefix(line, "at ") || strings.HasPrefix(line, "+") || strings.HasPrefix(line, "|") || strings.HasPrefix(line, "<") {
		return true
	}
	letters := 0
	for _, r := range line {
		if r == ' ' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || r > 0x7f {
			letters++
		}
	}
	return letters*4 < len([]rune(line))*3
}
