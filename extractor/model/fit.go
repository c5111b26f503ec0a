package model

import (
	"cmp"
	"fmt"
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
func fit(pieces []*piece, budget int) {
	pieces = slices.Clone(pieces)
	slices.SortStableFunc(pieces, func(a, b *piece) int { return cmp.Compare(b.value, a.value) })
	var person, rest []*piece
	for _, p := range pieces {
		if strings.HasPrefix(p.label, labelUser) {
			person = append(person, p)
		} else {
			rest = append(rest, p)
		}
	}
	used := fitPerson(person, int(float64(budget)*personShare))
	told := make(map[int]bool) // the agent's turns: what it said between two messages is the concession to one and led to the other
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
		if p.after != nil && p.after.out == "" || used+need > limit || p.label == labelAgent && told[p.turn] {
			continue
		}
		p.out = short
		used += need
		told[p.turn] = told[p.turn] || p.label == labelAgent
	}
}

// cost is how many tokens the line has that says text.
func (p *piece) cost(text string) int { return Tokens(line{"M100", p.label, text, 0}.String()) }

// fitPerson gives each message of the person its share and returns what they
// use together. The most telling come first.
func fitPerson(ps []*piece, budget int) (used int) {
	sizes := make([]int, len(ps))
	for i, p := range ps {
		sizes[i] = p.cost(p.text)
	}
	need := func(limit int) int {
		sum := 0
		for _, n := range sizes {
			sum += min(n, limit)
		}
		return sum
	}
	// Pleasantries are kept only where they cost nothing.
	for n := len(ps); n > 0 && (need(leastTokens) > budget || ps[n-1].value < valuePlain && need(mostTokens) > budget); n = len(ps) {
		ps, sizes = ps[:n-1], sizes[:n-1]
	}
	limit := leastTokens
	for step := mostTokens; step >= 1; step /= 2 {
		for limit+step <= mostTokens && need(limit+step) <= budget {
			limit += step
		}
	}
	for _, p := range ps {
		p.out = shorten(p.text, limit-p.cost(""))
		for p.out != "" && p.cost(p.out) > limit { // what shorten joins can cost more than its parts
			p.out = head(p.out, max(0, len(p.out)*9/10-len(" …")))
		}
		used += p.cost(p.out)
	}
	return used
}

// indented is how many tokens a text has in a digest, where each of its lines but
// the first is indented by four blanks, which are a token.
func indented(s string) int { return Tokens(s) + strings.Count(s, "\n") }

// clip cuts a text behind so many tokens.
func clip(s string, tokens int) string {
	if n := indented(s); n > tokens {
		return head(s, len(s)*tokens/n)
	}
	return s
}

// shorten cuts a long message in the middle: its beginning and its end stay,
// and what in between looks like a rule.
func shorten(s string, tokens int) string {
	if indented(s) <= tokens {
		return s
	}
	parts, ranks := ranked(s)
	order, drop := make([]int, len(parts)), make([]bool, len(parts))
	for i := range parts {
		order[i], drop[i] = i, true
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(ranks[b], ranks[a]) })
	left := tokens - 8 // for the marks
	for _, i := range order {
		if n := indented(parts[i]); n <= left {
			drop[i] = false
			left -= n
		}
	}
	if !slices.Contains(drop, false) {
		return clip(s, tokens)
	}
	return without(parts, drop, 0)
}

// ranked takes a message apart into its lines, and long lines into sentences, and ranks
// them: what goes last has the highest. Code and pasted logs rank below prose, the middle
// below both ends, and rules above all.
func ranked(s string) (parts []string, ranks []float64) {
	code := false
	for line := range strings.Lines(s) {
		code = code != strings.HasPrefix(strings.TrimSpace(line), "```")
		for _, part := range sentences(line) {
			rank, prose := 0.0, strings.TrimSpace(part)
			if code || pasted(prose) || output().MatchString(prose) {
				rank = -2
			} else if n := len(directive().FindAllString(prose, 3)); n > 0 {
				rank = 1 + float64(n)/4
			}
			parts, ranks = append(parts, part), append(ranks, rank)
		}
	}
	for i := range ranks {
		ranks[i] += 1.2 - 2*float64(min(i, len(ranks)-1-i))/float64(len(ranks))
	}
	return parts, ranks
}

// Lengths of lines, in bytes, that are kept or lost as a whole, and of their sentences.
const longest, shortest = 240, 40

// sentences splits a line that is too long to be kept or lost as a whole.
func sentences(line string) (out []string) {
	for len(line) > longest {
		cut := 0
		for _, stop := range []string{". ", "; ", "? ", "! ", "。", ", ", " "} {
			if i := strings.Index(line[shortest:], stop); i >= 0 && shortest+i+len(stop) < 2*longest {
				cut = shortest + i + len(stop)
				break
			}
		}
		if cut == 0 || cut >= len(line) {
			break
		}
		out, line = append(out, line[:cut]), line[cut:]
	}
	return append(out, line)
}

// pasted reports whether a line looks like output or code rather than prose.
func pasted(line string) bool {
	if len(line) < 3 || strings.HasPrefix(line, "at ") || strings.IndexByte("+|<", line[0]) >= 0 {
		return true
	}
	letters, all := 0, 0
	for _, r := range line {
		all++
		if r == ' ' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || r > 0x7f {
			letters++
		}
	}
	return letters*4 < all*3
}

// without joins the parts that are kept. Where some are missing it says how much, so that
// nothing is quoted across a gap; what is missing of at most least bytes stays.
func without(parts []string, drop []bool, least int) string {
	if !slices.Contains(drop, true) {
		return strings.Join(parts, "")
	}
	var b strings.Builder
	gap := ""
	end := func() {
		if len(gap) <= least {
			b.WriteString(gap)
		} else {
			fmt.Fprintf(&b, " [… %d characters left out …]\n", len(gap))
		}
		gap = ""
	}
	for i, part := range parts {
		if drop[i] || gap != "" && strings.TrimSpace(part) == "" {
			gap += part
			continue
		}
		end()
		b.WriteString(part)
	}
	end()
	return strings.TrimSpace(b.String())
}
